from django.apps import AppConfig


class MemoryHubConfig(AppConfig):
    """The hub itself."""

    name = "memoryhub"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from memoryhub import checks  # noqa: F401  # registers them; models have to be loaded first
