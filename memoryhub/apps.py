from django.apps import AppConfig


class MemoryHubConfig(AppConfig):
    """The hub itself."""

    name = "memoryhub"
    default_auto_field = "django.db.models.BigAutoField"
