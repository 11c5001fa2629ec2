"""Writes constraints.txt anew: resolves pyproject.toml with all its extras in a fresh environment."""

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "constraints.txt"


def main() -> int:
    """0 when the list was written; torch comes first, as the CPU build, so that no other build is even looked at."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(name for extra in extras for name in extra)]
    torch = next(name for name in wanted if name.startswith("torch"))
    head = [line for line in LIST.read_text().splitlines() if line.startswith("#")]
    with tempfile.TemporaryDirectory() as folder:
        pip = [f"{folder}/bin/python", "-m", "pip", "-qq"]
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([*pip, "install", "--no-deps", os.environ.get("TORCH") or f"{torch}+cpu"], check=True)
        subprocess.run([*pip, "install", *wanted], check=True)
        frozen = subprocess.run([*pip, "freeze", "--all"], check=True, capture_output=True, text=True).stdout
    packages = [line for line in frozen.splitlines() if not line.startswith("pip==")]
    lines = [torch if line.startswith("torch==") else line for line in packages]
    LIST.write_text("\n".join([*head, *lines]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
