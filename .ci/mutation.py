"""Would a test notice if the gate were wrong? Changes the gate's code in small ways and counts what the tests catch.

    .venv/bin/python .ci/mutation.py [--sample N] [--seed N] [--module NAME] [--least 85]

A full run takes hours on two cores; `--sample` tries as many mutants, drawn evenly over all, and gives
the share with its 95 % interval. Modules and tests are listed in pyproject.toml under [tool.mutmut]. Survivors are
listed with their ids:
`mutmut show ID` prints one. Exit 1 when fewer than `--least` percent are caught.
"""

import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from mutmut.stats import status_by_exit_code

ROOT = Path(__file__).resolve().parents[1]
MUTANTS = ROOT / "mutants"
CAUGHT = {"killed", "timeout", "segfault"}


def main() -> int:
    options = _options()
    data = Path(tempfile.mkdtemp(prefix="memoryhub-mutation-"))
    os.environ |= {"MEMORYHUB_TESTS_DATA": str(data), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    server = _database(data)
    try:
        _generate()
        chosen = _choose(options)
        log = data / "mutmut.log"
        with log.open("w") as output:
            subprocess.run([_mutmut(), "run", *chosen], stdout=output, stderr=output, check=False)
        return _report(chosen, options, log)
    finally:
        server.stop()  # type: ignore[attr-defined]
        shutil.rmtree(data, ignore_errors=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=0, help="how many mutants; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", default="", help="only mutants whose name contains this")
    parser.add_argument("--least", type=float, default=85.0, help="percent")
    return parser.parse_args()


def _database(data: Path) -> object:
    """A migrated database that all mutants share: their tests roll back."""
    import django

    django.setup()
    from django.conf import settings  # this and what follows reads the settings named above, so not before them

    from memoryhub.providers import database
    from memoryhub.providers.embedded_postgres import EmbeddedPostgres
    from tests.migrated import migrate

    server = EmbeddedPostgres(data, settings.SECRETS, durable=False)
    server.start()
    database.prepare(settings.MEMORYHUB_LOGINS)
    migrate(settings.MEMORYHUB_LOGINS)
    return server


def _mutmut() -> str:
    return str(Path(sys.executable).with_name("mutmut"))


def _generate() -> None:
    """Write the mutants without running any, so that a sample can be drawn: mutmut has no command for it."""
    shutil.rmtree(MUTANTS, ignore_errors=True)
    steps = ("copy_src_dir()", "copy_also_copy_files()", "setup_source_paths()", "create_mutants(2)")
    code = "import mutmut.__main__ as m; m.makedirs('mutants', exist_ok=True); " + "; ".join(
        f"m.{step}" for step in steps
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def _results() -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for meta in MUTANTS.rglob("*.meta"):
        found |= json.loads(meta.read_text())["exit_code_by_key"]
    return found


def _choose(options: argparse.Namespace) -> list[str]:
    names = sorted(name for name in _results() if options.module in name)
    print(f"{len(names)} mutants in {len({_module(name) for name in names})} modules", flush=True)
    if options.sample and options.sample < len(names):
        names = sorted(random.Random(options.seed).sample(names, options.sample))
    return names


def _module(mutant: str) -> str:
    return mutant.rsplit(".", 1)[0]


def _report(chosen: list[str], options: argparse.Namespace, log: Path) -> int:
    results = _results()
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for name in chosen:
        table[_module(name)][status_by_exit_code[results.get(name)]] += 1
    total: Counter[str] = sum(table.values(), Counter())
    if total["not checked"]:
        print(log.read_text()[-3000:])
    for module, counts in sorted(table.items()):
        share = 100 * sum(counts[word] for word in CAUGHT) / counts.total()
        print(f"{module:48} {counts.total():5} mutants {share:5.1f} % caught   {dict(counts)}")
    for name in chosen:
        if status_by_exit_code[results.get(name)] not in CAUGHT:
            print(f"  missed: {name}")
    share = sum(total[word] for word in CAUGHT) / max(1, total.total())
    error = 1.96 * math.sqrt(share * (1 - share) / max(1, total.total()))
    print(f"{total.total()} tried, {100 * share:.1f} % caught (± {100 * error:.1f})")
    return 0 if share * 100 >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
