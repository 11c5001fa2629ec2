"""Prints speed and memory of this machine's hub (make bench)."""

from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.management import bench


class Command(BaseCommand):
    help = "Start a hub of its own, measure it and print the figures."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        bench.run()
