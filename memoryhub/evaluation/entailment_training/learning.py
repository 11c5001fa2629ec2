"""How is the cross-encoder trained? The packaged MiniLM, read with premise and hypothesis together, mean pooling, three
classes; by the clock or by a number of steps.

torch is imported here and in exporting.py only, and only when one of them is called: nothing that serves does.
"""

import json
import math
import random
import re
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from memoryhub.evaluation.entailment_training.rows import LABELS, NOT_ENTAILMENT, Row

LONGEST: Final = 256  # tokens of a pair
BATCH: Final = 32  # pairs in one step
RATE: Final = 1e-4  # three times it was worse
HEAD_RATE: Final = 4e-4  # of the classifier, which starts untrained
WARM_UP: Final = 0.04  # share of the run
#: What stays as it is: words keep their meaning.
FROZEN: Final = ("encoder.embeddings.word_embeddings.",)
#: Of the layer above: the lower one lies, the less is it changed.
DECAY: Final = 0.9
_LAYER: Final = re.compile(r"^encoder\.encoder\.layer\.(\d+)\.")
POOL: Final = 50  # batches that are sorted by length together, so that little is padded
REPORT: Final = 50  # steps
SNAPSHOT_SECONDS: Final = 300
STATE, PROGRESS, LOG = "state.pt", "progress.json", "log.jsonl"


@dataclass
class Progress:
    """What a run did: its seed and `steps` repeat it, whatever the clock of another machine says."""

    seed: int
    steps: int = 0
    pairs: int = 0
    tokens: int = 0
    seconds: float = 0.0
    loss: float = 0.0
    sources: dict[str, int] = field(default_factory=dict)


def tokenizer(folder: Path) -> Any:
    """The tokenizer of the model in `folder`."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(folder), local_files_only=True)


def network(folder: Path, *, seed: int = 0, start_from: Path | None = None) -> Any:
    """The encoder in `folder` with mean pooling and a classifier of three classes on top, as a torch module; with the
    numbers of an earlier run where its state is given."""
    import torch
    from transformers import AutoModel

    class Network(torch.nn.Module):
        """Tokens in, logits out."""

        def __init__(self) -> None:
            super().__init__()
            self.encoder = AutoModel.from_pretrained(
                str(folder), local_files_only=True, attn_implementation="eager", add_pooling_layer=False
            )
            width = self.encoder.config.hidden_size
            self.dense = torch.nn.Linear(4 * width, width)
            self.classifier = torch.nn.Linear(width, len(LABELS))
            self.dropout = torch.nn.Dropout(0.1)
            for part in self.encoder.modules():  # a tenth of the time, and no row is seen often enough to be learnt
                if isinstance(part, torch.nn.Dropout):
                    part.p = 0.0

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            states = self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            # Means over either text, and how they differ: the encoder starts as one that compares such means.
            of_hypothesis = (attention_mask * token_type_ids).unsqueeze(-1).to(states.dtype)
            of_premise = attention_mask.unsqueeze(-1).to(states.dtype) - of_hypothesis
            told = (states * of_hypothesis).sum(dim=1) / of_hypothesis.sum(dim=1).clamp(min=1.0)
            said = (states * of_premise).sum(dim=1) / of_premise.sum(dim=1).clamp(min=1.0)
            seen = torch.cat((told, states[:, 0], torch.abs(told - said), told * said), dim=1)
            return self.classifier(self.dropout(torch.tanh(self.dense(self.dropout(seen)))))

    torch.manual_seed(seed)
    made = Network()
    if start_from is not None:
        made.load_state_dict(torch.load(start_from, weights_only=True))
    return made


def train(
    model: Any,
    tokenizer: Any,
    rows: Sequence[Row],
    *,
    seed: int,
    minutes: float,
    steps: int | None,
    folder: Path,
    rate: float = RATE,
    head_rate: float = HEAD_RATE,
) -> Progress:
    """Train `model` over `rows` in their order, again from the start when they end.

    The learning rate rises over the first 4 % and falls to zero with the share of the run that is done: of `minutes` on
    the clock, or of `steps` where given (that run can be repeated exactly). Plain 32-bit numbers: with one thread, bf16
    autocast took 1.6 times as long. `folder` gets a log, and a snapshot every few minutes.
    """
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)  # others share the machine
    model.train()
    for name, parameter in model.named_parameters():
        parameter.requires_grad = not name.startswith(FROZEN)
    by_rate: dict[float, list[Any]] = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            peak = peak_of(name, layers=model.encoder.config.num_hidden_layers, rate=rate, head_rate=head_rate)
            by_rate.setdefault(peak, []).append(parameter)
    trained = [parameter for group in by_rate.values() for parameter in group]
    groups = [{"params": group, "lr": peak, "peak": peak} for peak, group in by_rate.items()]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    progress, started, shown, saved = Progress(seed), time.monotonic(), 0.0, 0.0
    for batch in batches(rows, seed=seed):
        progress.seconds = time.monotonic() - started
        done = progress.steps / steps if steps else progress.seconds / (60.0 * minutes)
        if done >= 1.0:
            break
        for group in optimiser.param_groups:
            group["lr"] = group["peak"] * rate_at(done)
        feed = _feed(tokenizer, batch)
        loss = _loss(model(**feed), batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        progress.steps += 1
        progress.pairs += len(batch)
        progress.tokens += int(feed["attention_mask"].sum())
        shown += float(loss.detach())
        for row in batch:
            source = ":".join(row.source.split(":")[:2])
            progress.sources[source] = progress.sources.get(source, 0) + 1
        if progress.steps % REPORT == 0:
            progress.loss, shown = shown / REPORT, 0.0
            with (folder / LOG).open("a") as file:
                file.write(json.dumps(asdict(progress) | {"sources": len(progress.sources), "done": done}) + "\n")
        if progress.seconds > saved + SNAPSHOT_SECONDS:
            saved = progress.seconds
            save(model, progress, folder)
    model.eval()
    save(model, progress, folder)
    return progress


def save(model: Any, progress: Progress, folder: Path) -> None:
    """The model's numbers and what the run did so far; never half of them."""
    from torch import save as write_numbers

    write_numbers(model.state_dict(), folder / f"{STATE}.part")
    (folder / f"{STATE}.part").replace(folder / STATE)
    (folder / PROGRESS).write_text(json.dumps(asdict(progress), indent=2) + "\n")


def peak_of(name: str, *, layers: int, rate: float, head_rate: float) -> float:
    """The highest learning rate of a parameter: `rate` in the uppermost layer, DECAY times that of the layer above in
    each lower one, the embeddings below them all; `head_rate` in the classifier."""
    if not name.startswith("encoder."):
        return head_rate
    layer = _LAYER.match(name)
    return float(rate * DECAY ** (layers - 1 - int(layer[1]) if layer else layers))


def rate_at(done: float) -> float:
    """The share of the highest learning rate when `done` (0..1) of the run is over: up, then down as a cosine."""
    if done < WARM_UP:
        return done / WARM_UP
    return 0.5 * (1.0 + math.cos(math.pi * (done - WARM_UP) / (1.0 - WARM_UP)))


def batches(rows: Sequence[Row], *, seed: int) -> Any:
    """Batches without end, in the rows' order but for sorting by length within a pool."""
    shuffled = random.Random(seed)
    while True:
        for start in range(0, len(rows), BATCH * POOL):
            pool = sorted(rows[start : start + BATCH * POOL], key=lambda row: len(row.premise) + len(row.hypothesis))
            cut = [pool[at : at + BATCH] for at in range(0, len(pool), BATCH)]
            shuffled.shuffle(cut)
            yield from cut


def _feed(tokenizer: Any, batch: Sequence[Row]) -> dict[str, Any]:
    return dict(
        tokenizer(
            [row.premise for row in batch], [row.hypothesis for row in batch], padding=True, pad_to_multiple_of=8,
            truncation="longest_first", max_length=LONGEST, return_tensors="pt",
        )
    )  # fmt: skip


def _loss(logits: Any, batch: Sequence[Row]) -> Any:
    """Cross-entropy; where only "not entailed" is known, of neutral and contradiction together."""
    import torch

    logs = torch.log_softmax(logits, dim=1)
    classes = torch.tensor([0 if row.label == NOT_ENTAILMENT else LABELS.index(row.label) for row in batch])
    unknown = torch.tensor([row.label == NOT_ENTAILMENT for row in batch])
    known = logs.gather(1, classes.unsqueeze(1)).squeeze(1)
    return -torch.where(unknown, torch.logsumexp(logs[:, 1:], dim=1), known).mean()
