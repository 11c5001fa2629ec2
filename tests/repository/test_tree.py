"""Promises about the tree itself that no single module can keep."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template.loader import get_template
from django.utils.module_loading import import_string

from memoryhub import conf, jobs
from memoryhub.governance.lifecycle import BEGINNINGS, MOVES
from memoryhub.governance.policy import SHIPPED
from memoryhub.http_errors import STATUS
from memoryhub.management.commands.draw_lifecycle import page
from memoryhub.management.export_page import export_page, schema_file
from memoryhub.management.policy_page import shipped_page
from memoryhub.permissions import ACTIONS, GRANTS, SPEAKS
from memoryhub.vocabulary import Category, Channel, Form, KeyRole, Role, SensitiveData, Status

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("memoryhub", "curation", "accounts")
LONGEST_MODULE = 420


def modules() -> Iterator[Path]:
    for package in PACKAGES:
        yield from (path for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts)


def test_no_module_hides_two_ideas_behind_its_length() -> None:
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules()}
    assert {name: lines for name, lines in long.items() if lines > LONGEST_MODULE} == {}


def test_no_module_is_a_drawer() -> None:
    assert [path for path in modules() if path.stem in {"utils", "helpers", "services", "common", "core", "misc"}] == []


def test_the_lifecycle_page_is_drawn_from_the_table() -> None:
    assert (ROOT / "docs" / "lifecycle.md").read_text() == page()


def test_the_policy_page_is_drawn_from_the_shipped_policy() -> None:
    drawn = shipped_page(SHIPPED)
    assert (ROOT / "docs" / "policy.md").read_text() == drawn, "run manage.py draw_policy"


def test_the_export_s_page_and_schema_are_drawn_from_what_is_exported() -> None:
    docs = ROOT / "docs"
    assert (docs / "export.md").read_text() == export_page(), "run manage.py draw_export"
    assert (docs / "export-schema.json").read_text() == schema_file(), "run manage.py draw_export"


def test_every_status_is_reached_and_known_to_the_table() -> None:
    reached = BEGINNINGS | {after for _, after in MOVES}
    assert reached == set(Status)


def test_every_job_has_a_handler() -> None:
    for path in [*jobs.HANDLERS.values(), jobs.WAKE]:
        assert callable(import_string(path))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (conf.IMPORTANCE, Category),
        (conf.LIFETIME, Category),
        (conf.CONFIDENCE, Form),
        (conf.TREATMENT, SensitiveData),
        (GRANTS, Role),
    ],
)
def test_every_word_is_a_key_of_the_table_that_must_cover_it(table: dict[str, object], words: type) -> None:
    assert set(table) == {str(word) for word in words}  # type: ignore[attr-defined]


def test_every_channel_has_an_authority_and_every_outer_one_a_role() -> None:
    assert set(conf.AUTHORITY) == {str(channel) for channel in Channel}
    assert set(SPEAKS) == {str(channel) for channel in Channel} - {"user_page", "dream"}


def test_every_action_is_open_to_some_role_and_names_only_known_roles() -> None:
    for action, roles in ACTIONS.items():
        assert roles, action
        assert roles <= {str(role) for role in KeyRole}


def test_every_error_has_a_status() -> None:
    tree = ast.parse((ROOT / "memoryhub" / "errors.py").read_text())
    named = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    assert {error.__name__ for error in STATUS} == named


def test_only_the_lifecycle_assigns_an_entry_s_status() -> None:
    """`x.status = …` on an entry outside lifecycle.py; other models own their states in their own files."""
    allowed = {
        "governance/lifecycle.py", "governance/activation.py", "governance/procedure_audit.py", "dreams/dreamer.py",
        "dreams/housekeeping/runs.py", "api/idempotency.py",
    }  # fmt: skip
    found = []
    for path in modules():
        name = str(path.relative_to(ROOT / path.relative_to(ROOT).parts[0]))
        for node in ast.walk(ast.parse(path.read_text())):
            targets = node.targets if isinstance(node, ast.Assign) else []
            names = {target.attr for target in _flat(targets) if isinstance(target, ast.Attribute)}
            if "status" in names and name not in allowed:
                found.append(f"{name}:{node.lineno}")
    assert found == []


def _flat(targets: list[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        yield from _flat(target.elts) if isinstance(target, ast.Tuple) else [target]


#: Calls that are judged by a policy, and the argument that carries it; the defaults are for tests.
BY_POLICY = {"screen": "treatments", "screen_all": "treatments", "treat": "treatments", "grant": "grants"}


def test_every_call_that_a_policy_decides_is_given_the_policy() -> None:
    found = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if called in BY_POLICY and BY_POLICY[called] not in {word.arg for word in node.keywords}:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []


def test_what_is_a_policy_s_to_say_is_read_from_it_alone() -> None:
    """The shipped numbers are named where the shipped policy is made, and as a default of the screen's."""
    shipped = re.compile(
        r"conf\.(?:TREATMENT|LIFETIME|REVIEW_BEFORE_EXPIRY|COMMIT_AT|DISCARD_BELOW|UNTRUSTED_CLAIMS_PER_CALL)\b"
    )
    named = {str(path.relative_to(ROOT)) for path in modules() if shipped.search(path.read_text())}
    assert named == {"memoryhub/governance/policy.py", "memoryhub/governance/treatment.py"}


def test_no_import_hides_in_a_function_to_dodge_a_cycle() -> None:
    found = []
    for path in modules():
        for outer in ast.walk(ast.parse(path.read_text())):
            if not isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(outer):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if any(name.split(".")[0] in PACKAGES for name in names):
                    found.append(f"{path.relative_to(ROOT)}:{outer.lineno}")
    assert found == []


def test_migrations_have_names() -> None:
    names = [path.name for package in PACKAGES for path in (ROOT / package).rglob("migrations/0*.py")]
    assert names
    assert [name for name in names if "auto_" in name] == []


TEMPLATE = re.compile(r"""["']((?:[\w-]+/)*_?[\w-]+\.html)(?:#[\w-]+)?["']""")


def test_a_template_s_comment_ends_on_its_line() -> None:
    """Django knows no other end of it: the page would show what was meant for whoever reads the template."""
    lines = [(path, line) for path in (ROOT / "templates").rglob("*.html") for line in path.read_text().splitlines()]
    assert lines
    assert [(path, line) for path, line in lines if line.count("{#") != line.count("#}")] == []


def test_every_template_named_exists_and_every_template_is_named() -> None:
    folder = ROOT / "templates"
    texts = [path.read_text() for path in [*modules(), *folder.rglob("*.html")]]
    named = {match for text in texts for match in TEMPLATE.findall(text)}
    there = {str(path.relative_to(folder)) for path in folder.rglob("*.html")}
    by_django = {"400.html", "403.html", "404.html", "500.html", "403_csrf.html"}
    assert sorted(there - named - by_django) == []
    for name in sorted(named & there):
        get_template(name)
    missing = {name for name in named - there if not name.startswith(("django/", "admin/", "drf_spectacular/"))}
    assert sorted(missing) == []


SECRET_PLACES = re.compile(r"https?://(?!127\.0\.0\.1|localhost|testserver|example\.|\{)[\w.-]+")


def test_the_project_reaches_out_to_nobody() -> None:
    """No script, style, font or download of another host in templates, styles and scripts."""
    files = [path for folder in ("templates", "static") for path in (ROOT / folder).rglob("*") if path.is_file()]
    found = [
        f"{path.relative_to(ROOT)}: {match}" for path in files for match in SECRET_PLACES.findall(path.read_text())
    ]
    assert [line for line in found if "www.w3.org" not in line] == []
