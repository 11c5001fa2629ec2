"""manage.py weigh_nearness NLI: where the numbers in providers/nearness.py come from (docs/entailment.md)."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from memoryhub.errors import Invalid
from memoryhub.evaluation.entailment_quality import auroc
from memoryhub.evaluation.entailment_training import weighing
from memoryhub.evaluation.entailment_training.rows import read
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.providers import embeddings, entailment, nearness


class Command(BaseCommand):
    help = "By weight of nearness, AUROC of training rows (and of a development file), and the offset to each weight."
    requires_system_checks = []  # asks no database

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("nli", type=Path, help="folder of train_*.jsonl.gz")
        parser.add_argument("--beside", type=Path, help="a development file whose labels are looked at, never fitted")
        parser.add_argument("--limit", type=int, default=800, help="rows of a set, a seeded sample")

    def handle(self, *args: Any, **options: Any) -> None:
        limit = options["limit"]
        alone = entailment.EntailmentModel(
            entailment.PACKAGED, name=entailment.NAME, packaged=True, cache=settings.MEMORYHUB_MODEL_CACHE
        )
        embed = embeddings.packaged().embed
        with refusals_as_sentences():
            if alone.state() != entailment.OK:
                raise Invalid("There is no packaged entailment model to weigh nearness for; see /readyz.")
            found = []
            for name, rows in weighing.sets(options["nli"], limit).items():
                found.append(weighing.weighed(name, rows, alone, embed))
                self._line(found[-1])
            if beside := options["beside"]:
                self._line(weighing.weighed(beside.name, weighing.some(list(read(beside)), limit), alone, embed))
        for name, weight in (("conversations", nearness.CONVERSATIONS), ("sentences", nearness.SENTENCES)):
            those = [one for one in found if one.weight is weight]
            if those:
                self.stdout.write(f"{name}: by {weight.by}, offset {weighing.offset(those, weight.by):.2f}")

    def _line(self, one: weighing.Weighed) -> None:
        figures = (f"{by:g} {auroc(one.entailed, one.scores(by)):.4f}" for by in weighing.STEPS)
        self.stdout.write(f"{one.name} ({len(one.entailed)}): {', '.join(figures)}")
