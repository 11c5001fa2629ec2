"""Makes .venv with exactly the packages of constraints.txt. Called by the Makefile; needs nothing but Python 3.11.
Another environment is named with its list: `set_up.py .venv-peers .ci/peers.txt`.

torch comes first and apart: what a package index offers for Linux by default is a build for NVIDIA cards, with
gigabytes of libraries. The hub takes the CPU build, and where it finds none it stops and says so.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = (".venv", "constraints.txt")
NAMED = tuple(sys.argv[1:3]) or OWN
ENVIRONMENT, LIST = (ROOT / name for name in NAMED)
PYTHON = ENVIRONMENT / "bin" / "python"
STAMP = ENVIRONMENT / ".set-up"
WANTED = (3, 11)
NO_CPU_BUILD = """
No CPU build of torch {version} was found where pip looks, and a CUDA build is never installed by default.
Do one of these, then run the same command again:
  - let pip look where the CPU builds are: add the index of torch's CPU builds to your pip configuration
    (`pip config set global.extra-index-url …`), or a folder with the wheel (`pip config set global.find-links …`);
  - name a build of your own, a file or anything else that pip takes: make {goal} TORCH=/path/to/torch-{version}….whl
"""


def main() -> int:
    """Make or refresh the environment; 0 when it is ready, else 1 after a sentence."""
    if sys.version_info[:2] != WANTED:
        found = ".".join(map(str, sys.version_info[:2]))
        print(f"Memory Hub needs Python 3.11; {sys.executable} is {found}.")
        print("Install it, or say where it is: make run PYTHON=/path/to/python3.11")
        return 1
    STAMP.unlink(missing_ok=True)
    if _environment_works():
        print(f"Bringing {NAMED[0]} up to date …", flush=True)
    else:
        print(f"Setting up {NAMED[0]} (once, about 2 GB): a few minutes …", flush=True)
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        if _run(sys.executable, "-m", "venv", str(ENVIRONMENT)) != 0:
            print("The environment could not be made; on Debian the package python3.11-venv is needed for it.")
            return 1
    version = _pinned("torch")
    if not _install_torch(version):
        goal = os.environ.get("MAKE_GOAL") or "run"
        print(NO_CPU_BUILD.format(version=version, goal=goal))
        return 1
    # The list is the whole closure, so nothing has to be resolved; the environment holds no other packages.
    rest = [line for line in _lines() if not line.startswith("torch==")]
    if _pip("install", "--no-deps", *rest) != 0:
        print("Not every package could be installed; pip's reason is above.")
        return 1
    if NAMED == OWN:
        _run(str(PYTHON), "manage.py", "export_model")  # else the first start does it; without it torch serves
    STAMP.touch()
    return 0


def _environment_works() -> bool:
    if not PYTHON.exists():
        return False
    check = f"import sys, pip; raise SystemExit(sys.version_info[:2] != {WANTED!r})"
    return subprocess.run([str(PYTHON), "-c", check], capture_output=True, check=False).returncode == 0


def _install_torch(version: str) -> bool:
    """The CPU build, or what TORCH names; False when there is none, or when what came is a CUDA build."""
    chosen = os.environ.get("TORCH", "").strip()
    if chosen:
        return _pip("install", chosen) == 0  # with what it needs: a build for some card brings its libraries
    if _has_cpu_build(version):
        return True
    if platform.system() != "Linux":
        return _pip("install", "--no-deps", f"torch=={version}") == 0  # there is no other build than the CPU's
    if _pip("install", "--no-deps", f"torch=={version}+cpu") == 0:
        return True
    if platform.machine() in ("x86_64", "AMD64"):
        return False
    if _pip("install", "--no-deps", f"torch=={version}") == 0 and _has_cpu_build(version):
        return True
    _pip("uninstall", "--yes", "torch")
    return False


def _has_cpu_build(version: str) -> bool:
    """Whether the right torch is there already; reads a file, since importing torch takes seconds."""
    for file in ENVIRONMENT.glob("lib/python3.*/site-packages/torch/version.py"):
        text = file.read_text()
        found = re.search(r"__version__ = '([^'+]+)", text)
        return bool(found and found[1] == version and re.search(r"^cuda\b.*= None", text, re.MULTILINE))
    return False


def _lines() -> list[str]:
    lines = (line.split("#")[0].strip() for line in LIST.read_text().splitlines())
    return [line for line in lines if line]


def _pinned(name: str) -> str:
    return next(line.split("==")[1] for line in _lines() if line.startswith(f"{name}=="))


def _pip(*arguments: str) -> int:
    # -qq: errors only; pip warns about every place that has no page for a package.
    return _run(str(PYTHON), "-m", "pip", "-qq", "--disable-pip-version-check", *arguments)


def _run(*command: str) -> int:
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
