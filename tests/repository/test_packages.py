"""The list of packages is exact, complete, and names no place to take them from."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pinned() -> dict[str, str]:
    lines = (line.split("#")[0].strip() for line in (ROOT / "constraints.txt").read_text().splitlines())
    return {canonicalize_name(name): version for name, version in (line.split("==") for line in lines if line)}


def wanted() -> list[Requirement]:
    extras = PROJECT["optional-dependencies"].values()
    return [Requirement(text) for text in [*PROJECT["dependencies"], *(text for extra in extras for text in extra)]]


def test_every_dependency_is_pinned_to_a_version_it_allows() -> None:
    pins = pinned()
    for requirement in wanted():
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), requirement


def test_every_dependency_says_why_it_is_there() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    section = text[text.index("dependencies = [") : text.index("[project.optional-dependencies]")]
    for line in section.splitlines():
        if line.strip().startswith('"'):
            assert re.search(r"#\s*\S+ \S+", line) or "mypy" in line, line


def test_the_list_is_closed() -> None:
    """Nothing that a listed package needs on this platform is missing, since set-up resolves nothing."""
    pins = pinned()
    missing = set()
    for name in pins:
        for text in metadata.requires(name) or []:
            requirement = Requirement(text)
            needed_here = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if needed_here and canonicalize_name(requirement.name) not in pins:
                missing.add((name, requirement.name))
    assert not missing


def test_torch_is_the_cpu_build() -> None:
    assert pinned()["torch"] == "2.13.0"
    version = metadata.version("torch")
    assert version.split("+")[0] == "2.13.0"
    assert not any(name.startswith("nvidia") for name in pinned())


def test_no_file_of_the_set_up_names_where_packages_come_from() -> None:
    scripts = [path.name for path in (ROOT / ".ci").iterdir() if path.is_file()]
    for name in ("constraints.txt", "pyproject.toml", "Makefile", *(f".ci/{script}" for script in scripts)):
        assert not re.search(r"https?://|file://|--index-url|--find-links", (ROOT / name).read_text()), name


def test_an_installed_hub_holds_every_file_of_the_packaged_model() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    providers = ROOT / "memoryhub" / "providers"
    packed = {path for pattern in patterns["memoryhub.providers"] for path in providers.glob(pattern)}
    assert {path for path in (providers / "weights").rglob("*") if path.is_file()} == packed
    assert providers / "weights" / "entailment" / "model.onnx" in packed
