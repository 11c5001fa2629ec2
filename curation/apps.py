from django.apps import AppConfig


class CurationConfig(AppConfig):
    """The pages: a window on memory; no models, no rules."""

    name = "curation"
