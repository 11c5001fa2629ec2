"""manage.py export_model: exports the embedding model for serving without torch, where that was not done yet."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryhub.errors import ModelUnavailable
from memoryhub.providers.embeddings import embedder


class Command(BaseCommand):
    help = "Export the embedding model once, so that web and worker serve it without torch."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            embedder().embed(["ready"])
        except ModelUnavailable as error:
            raise CommandError(error.detail) from error
        self.stdout.write(f"{embedder().model_id} is ready.")
