from importlib import import_module

from django.apps import AppConfig


class MemoryHubConfig(AppConfig):
    """The hub itself."""

    name = "memoryhub"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("memoryhub.checks")  # registers them; the models have to be loaded first
