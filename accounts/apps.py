from importlib import import_module

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Who is who: organisations, people, agents and their keys."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("accounts.signed_in")  # hears of it; the models have to be loaded first
