"""The command; see the package's docstring."""

import argparse
import os
import sys
from pathlib import Path


def main() -> None:
    """Train, export, quantise; print where the result lies."""
    parser = argparse.ArgumentParser(prog="python -m memoryhub.evaluation.entailment_training")
    parser.add_argument("--data", type=Path, required=True, help="the folder with train_*.jsonl.gz")
    parser.add_argument("--out", type=Path, required=True, help="where snapshots, log and the exported model go")
    parser.add_argument("--minutes", type=float, default=60.0, help="of the clock; the learning rate falls with it")
    parser.add_argument("--steps", type=int, help="instead of minutes: the number of steps, to repeat a run")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--start-from", type=Path, help="a state.pt of an earlier run, to train it further")
    parser.add_argument("--weights", type=Path, help="where the packaged file goes (default: OUT/weights)")
    parser.add_argument("--export-only", action="store_true", help="of the snapshot that lies in --out")
    given = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    import django

    django.setup()
    from transformers import AutoTokenizer

    from memoryhub.evaluation.entailment_training import exporting, learning, mixture
    from memoryhub.providers import embeddings, onnx_export

    given.out.mkdir(parents=True, exist_ok=True)
    base = embeddings.packaged_folder()
    tokenizer = AutoTokenizer.from_pretrained(str(base), local_files_only=True)
    if not given.export_only:
        import torch

        torch.manual_seed(given.seed)
        rows = mixture.rows(given.data, seed=given.seed)
        model = learning.network(base)
        if given.start_from:
            model.load_state_dict(torch.load(given.start_from, weights_only=True))
        learning.train(
            model, tokenizer, rows,
            seed=given.seed, minutes=given.minutes, steps=given.steps, folder=given.out,
        )  # fmt: skip
    target = given.weights or given.out / "weights"
    facts = exporting.export(learning.network(base), tokenizer, given.out, target)
    sys.stdout.write(f"{target}: {(target / onnx_export.MODEL).stat().st_size / 1e6:.1f} MB, sha256 {facts.sha256}\n")


if __name__ == "__main__":
    main()
