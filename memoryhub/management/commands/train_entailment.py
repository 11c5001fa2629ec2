"""manage.py train_entailment DATA OUT: train, export and quantise the entailment model (docs/entailment.md)."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memoryhub.evaluation.entailment_training import exporting, learning, mixture
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.providers import embeddings, onnx_export


class Command(BaseCommand):
    help = "Train the entailment model on the packaged MiniLM, export it, quantise it."
    requires_system_checks = []  # asks no database

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", type=Path, help="the folder with train_*.jsonl.gz")
        parser.add_argument("out", type=Path, help="where snapshots, log and the exported model go")
        parser.add_argument("--minutes", type=float, default=60.0, help="of the clock; the learning rate falls with it")
        parser.add_argument("--steps", type=int, help="instead of minutes: the number of steps, to repeat a run")
        parser.add_argument("--seed", type=int, default=20)
        parser.add_argument("--start-from", type=Path, help="a state.pt of an earlier run, to train it further")
        parser.add_argument("--rate", type=float, default=learning.RATE, help="the highest, of the uppermost layer")
        parser.add_argument("--head-rate", type=float, default=learning.HEAD_RATE, help="of the classifier")
        parser.add_argument("--weights", type=Path, help="where the packaged file goes (default: OUT/weights)")
        parser.add_argument("--halfway", action="store_true", help="export the mean of the numbers before and after")
        parser.add_argument("--export-only", action="store_true", help="of the snapshot that lies in OUT")

    def handle(self, *args: Any, **options: Any) -> None:
        os.environ["HF_HUB_OFFLINE"] = "1"
        os.environ["TOKENIZERS_PARALLELISM"] = "false"
        out: Path = options["out"]
        out.mkdir(parents=True, exist_ok=True)
        with refusals_as_sentences():
            base = embeddings.packaged_folder()
            rows = [] if options["export_only"] else mixture.rows(options["data"], seed=options["seed"])
            tokenizer = learning.tokenizer(base)
            if rows:
                learning.train(
                    learning.network(base, seed=options["seed"], start_from=options["start_from"]), tokenizer, rows,
                    seed=options["seed"], minutes=options["minutes"], steps=options["steps"], folder=out,
                    rate=options["rate"], head_rate=options["head_rate"],
                )  # fmt: skip
            target = options["weights"] or out / "weights"
            halfway = options["start_from"] if options["halfway"] else None
            facts = exporting.export(learning.network(base), tokenizer, out, target, halfway_from=halfway)
        size = (target / onnx_export.MODEL).stat().st_size / 1e6
        self.stdout.write(f"{target}: {size:.1f} MB, sha256 {facts.sha256}")
