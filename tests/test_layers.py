"""The import rule: shells, composition, engine and stages, what they share, and values at the bottom.

Every module belongs to one layer and imports only from its own layer or from those below. A stage imports no other
stage, the engine imports no stage, and a shell imports no other shell, except in the body of a command.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import quire

ROOT = Path(quire.__file__).parent
LONGEST_MODULE = 300

BOTTOM = frozenset(
    {
        "records",
        "errors",
        "memory",
        "orders",
        "scratch",
        "surveys",
        "targets",
        "urls",
        "url_noise",
        "version",
        "wording",
    }
)
SHARED = frozenset(
    {"events", "settings", "config", "ports", "robots", "answers", "outcomes", "following", "making", "stages"}
)
STAGES = frozenset(
    {"discover", "filter", "schedule", "fetch", "extract", "convert", "store", "report", "press", "export"}
)
ENGINE = frozenset({"engine"})
SHELLS = frozenset({"cli", "cluster", "demo", "library", "service"})
COMPOSITION = frozenset(
    {
        "wiring",
        "forgetting",
        "opening",
        "finishing",
        "adoption",
        "crawling",
        "light_crawling",
        "framing",
        "images",
        "linking",
        "mending",
        "worker",
        "explaining",
        "exporting",
    }
)

# The two entry modules are part of the shell whose entry they are.
ENTRIES = {"__main__": "cli", "": "library"}


@dataclass(frozen=True, slots=True)
class Import:
    """One import statement's target; `late` when it runs only in a function's body."""

    importer: str
    target: str
    line: int
    late: bool

    def __str__(self) -> str:
        return f"{self.importer or '__init__'} (line {self.line}) imports {self.target}"


def unit(module: str) -> str:
    """Return the top-level module or package below `quire` that a module belongs to."""
    top = module.partition(".")[0]
    return ENTRIES.get(top, top)


def allowed(importer: str, *, late: bool) -> frozenset[str]:
    """Return the units that this one may import."""
    if importer in BOTTOM:
        return BOTTOM
    if importer in SHARED:
        return BOTTOM | SHARED
    if importer in STAGES | ENGINE:
        return BOTTOM | SHARED | {importer}
    if importer in COMPOSITION:
        return BOTTOM | SHARED | STAGES | ENGINE | COMPOSITION
    others = SHELLS if late else {importer}
    return BOTTOM | SHARED | STAGES | ENGINE | COMPOSITION | others


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name below `quire`; the package itself is the empty name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports() -> tuple[Import, ...]:
    return tuple(each for name, path in modules().items() for each in _imports_of(name, path))


def _imports_of(module: str, path: Path) -> Iterator[Import]:
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    late = {id(inner) for function in functions for inner in ast.walk(function)}
    for node in ast.walk(tree):
        for target in _targets(module, path, node):
            yield Import(module, target, getattr(node, "lineno", 0), id(node) in late)


def _targets(module: str, path: Path, node: ast.AST) -> Iterator[str]:
    """Yield the modules of `quire` that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (name.name.removeprefix("quire.") for name in node.names if name.name.startswith("quire."))
    if not isinstance(node, ast.ImportFrom):
        return
    if node.level:
        package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
        source = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
    elif (node.module or "").partition(".")[0] == "quire":
        source = (node.module or "").split(".")[1:]
    else:
        return
    base = ".".join(filter(None, source))
    for name in node.names:
        inner = f"{base}.{name.name}" if base else name.name
        yield inner if inner in modules() else base


def test_every_module_has_a_layer() -> None:
    layers = BOTTOM | SHARED | STAGES | ENGINE | COMPOSITION | SHELLS
    strangers = sorted({unit(module) for module in modules()} - layers)
    assert not strangers, f"give {', '.join(strangers)} a layer in {Path(__file__).name}"


def test_imports_go_down_the_layers_only() -> None:
    wrong = [each for each in imports() if unit(each.target) not in allowed(unit(each.importer), late=each.late)]
    assert not wrong, "against the import rule:\n" + "\n".join(map(str, wrong))


def test_there_are_no_import_cycles() -> None:
    below: dict[str, set[str]] = {module: set() for module in modules()}
    for each in imports():
        if each.target != each.importer:
            below[each.importer].add(each.target)
    # What imports nothing that is left is in no cycle, and neither is what nothing imports that is left.
    while free := below.keys() - set().union(*below.values()) | {m for m in below if not below[m] & below.keys()}:
        for module in free:
            del below[module]
    assert not below, "modules that import each other in a circle: " + ", ".join(sorted(below))


def test_modules_are_short_enough_to_read() -> None:
    lengths = {name: len(path.read_text("utf-8").splitlines()) for name, path in modules().items()}
    long = {name: length for name, length in lengths.items() if length > LONGEST_MODULE}
    assert not long, f"over {LONGEST_MODULE} lines; would two names say more than one? {long}"
