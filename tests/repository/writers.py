"""Who writes what? Reads the tree without running it: the model behind every call that writes rows, and SQL in strings.

A receiver's model is found by what a reader would look at: the class it begins with, the annotation or the query a name
came from, and the relations on the way (`item.entry.save()` writes an Entry).
"""

import ast
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.db.models import Model

WRITES = frozenset(
    f"{prefix}{name}"
    for prefix in ("", "a")
    for name in (
        "create", "bulk_create", "bulk_update", "update", "delete", "get_or_create", "update_or_create", "save",
        "save_base", "add", "remove", "set", "clear",
    )
)  # fmt: skip
#: Names that nothing but a model has: what they are called on has to be told.
SURELY = frozenset({"save", "asave", "bulk_create", "bulk_update", "get_or_create", "update_or_create"})
#: Ways to a model or its rows that a reader of names would not see.
HIDDEN = frozenset({"get_model", "_base_manager", "_default_manager", "_raw_delete", "save_base", "deserialize"})
SQL_WRITE = re.compile(
    r"\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE|COPY|ALTER\s+TABLE)\s+(ONLY\s+)?[\"{]?(public\.)?\w*",
    re.IGNORECASE,
)


@functools.cache
def _models() -> dict[str, type[Model]]:
    return {model.__name__: model for model in apps.get_models() if model._meta.app_label in ("memoryhub", "accounts")}


@functools.cache
def _relations() -> dict[tuple[str, str], str]:
    """(model, attribute) → the model the attribute leads to."""
    found = {}
    for name, model in _models().items():
        for field in model._meta.get_fields():
            if field.is_relation and isinstance(field.related_model, type):
                accessor = getattr(field, "get_accessor_name", lambda field=field: field.name)()
                if accessor:
                    found[name, accessor] = field.related_model.__name__
    return found


@dataclass(frozen=True)
class Write:
    """One call that writes: `model` is what it writes, empty where that can't be told."""

    model: str
    line: int
    words: str


class Reader:
    """Finds the writes of one module."""

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        self.models, self.relations = _models(), _relations()
        functions = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        self.returned = {one.name: model for one in functions if (model := self._annotated(one.returns))}

    def writes(self) -> Iterator[Write]:
        """Rows made by calling a model, and calls named in WRITES on anything that leads to a model."""
        yield from self._scope(self.tree, {})

    def sql(self) -> Iterator[Write]:
        """Strings that write by SQL, formatted ones as well: `{}` stands for what is filled in."""
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(self.tree):
            text = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
                text = node.value
            elif isinstance(node, ast.JoinedStr):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{x" for part in node.values)
            if any(_names_a_table(match[0]) for match in SQL_WRITE.finditer(text)):
                yield Write("", node.lineno, text[:80])

    def hidden(self) -> Iterator[Write]:
        """Names that reach models past their class: `get_model`, `type(x).objects`, a class under another name."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute):
                by_type = node.attr == "objects" and isinstance(node.value, ast.Call | ast.Subscript)
                if node.attr in HIDDEN or by_type:
                    yield Write("", node.lineno, ast.unparse(node))
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name in HIDDEN or (alias.name in self.models and alias.asname not in (None, alias.name)):
                        yield Write("", node.lineno, ast.unparse(node))

    def _scope(self, scope: ast.AST, outer: dict[str, str]) -> Iterator[Write]:
        names = {**outer, **self._names(scope, outer)}
        for node in _own(scope):
            if isinstance(node, ast.Call):
                yield from self._call(node, names)
        for node in _inner(scope):
            yield from self._scope(node, names)

    def _call(self, node: ast.Call, names: dict[str, str]) -> Iterator[Write]:
        if isinstance(node.func, ast.Name) and node.func.id in self.models:
            yield Write(node.func.id, node.lineno, ast.unparse(node)[:60])
        elif isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            model = self._model(node.func.value, names)
            if model or node.func.attr in SURELY:
                yield Write(model, node.lineno, ast.unparse(node)[:60])

    def _names(self, scope: ast.AST, outer: dict[str, str]) -> dict[str, str]:
        """Which names of a function hold rows of which model; the second round sees names given further down."""
        found: dict[str, str] = {}
        for _ in range(2):
            known = {**outer, **found}
            if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
                every = [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]
                found |= {one.arg: self._annotated(one.annotation) for one in every}
            for node in _own(scope):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found[node.target.id] = self._annotated(node.annotation)
                elif isinstance(node, ast.Assign):
                    for target in node.targets:
                        found |= self._bound(target, node.value, known)
                elif isinstance(node, ast.NamedExpr):
                    found |= self._bound(node.target, node.value, known)
                elif isinstance(node, ast.For | ast.comprehension):
                    found |= self._bound(node.target, node.iter, known)
        return {name: model for name, model in found.items() if model}

    def _bound(self, target: ast.expr, value: ast.expr, names: dict[str, str]) -> dict[str, str]:
        if isinstance(target, ast.Tuple):
            if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
                pairs = zip(target.elts, value.elts, strict=True)
                return {k: v for one, other in pairs for k, v in self._bound(one, other, names).items()}
            model = self._model(value, names)
            return {one.id: model for one in target.elts if isinstance(one, ast.Name) and model}
        model = self._model(value, names)
        return {target.id: model} if isinstance(target, ast.Name) and model else {}

    def _annotated(self, annotation: ast.expr | None) -> str:
        words = re.findall(r"\w+", ast.unparse(annotation)) if annotation is not None else []
        return next((word for word in words if word in self.models), "")

    def _model(self, node: ast.expr, names: dict[str, str]) -> str:
        """The model an expression is a row, a manager or a query of; empty when it is none."""
        if isinstance(node, ast.Name):
            return names.get(node.id, node.id if node.id in self.models else "")
        if isinstance(node, ast.Attribute):
            if node.attr in self.models:
                return node.attr
            before = self._model(node.value, names)
            led = self.relations.get((before, node.attr), "")
            return led or (before if node.attr == "objects" else self._by_name(node.attr) if not before else "")
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr not in ("values_list", "values", "count"):
                return self._model(node.func.value, names)
            if isinstance(node.func, ast.Name) and node.func.id in self.models | self.returned:
                return node.func.id if node.func.id in self.models else self.returned[node.func.id]
            if isinstance(node.func, ast.Name) and node.func.id in (
                "list",
                "set",
                "sorted",
                "reversed",
                "tuple",
                "next",
            ):
                return self._model(node.args[0], names) if node.args else ""
            return ""
        if isinstance(node, ast.IfExp | ast.BoolOp):
            parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
            return next((model for part in parts if (model := self._model(part, names))), "")
        if isinstance(node, ast.Subscript | ast.Starred | ast.Await):
            return self._model(node.value, names)
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return self._model(node.elt, {**names, **self._names(node, names)})
        return ""

    def _by_name(self, attribute: str) -> str:
        """`plan.known.save()`: a field of a value class that holds a row, told by the name a relation would have."""
        return {
            "entry": "Entry", "known": "Entry", "rival": "Entry", "skill": "Skill", "profile": "Profile",
            "item": "ReviewItem",
        }.get(attribute, "")  # fmt: skip


def _names_a_table(match: str) -> bool:
    """`UPDATE memoryhub_entry` and `UPDATE {table}`, not `update the` of a sentence."""
    last = re.split(r"\s+", match.strip())[-1].strip('"').lower()
    return "{" in last or last.removeprefix("public.").startswith(("memoryhub_", "accounts_"))


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a scope without those of functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield child
            yield from _own(child)


def _inner(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield child
        else:
            yield from _inner(child)
