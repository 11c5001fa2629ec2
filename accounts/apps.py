from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Who is who: organisations, people, agents and their keys."""

    name = "accounts"
    default_auto_field = "django.db.models.BigAutoField"
