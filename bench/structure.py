"""Structure of the product in numbers: ``python -m bench.structure [--list]``.

Counts files and lines, files that exactly one other file imports, import circles, type names that
are defined in several modules, classes between each screen and Textual's ``Screen``, and words that
often obscure docstrings and comments. Parts that a ruleset loads by name do not count as imports.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import io
import pkgutil
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from textual.screen import Screen

import host
import study
import tui

HOME: Final = Path(__file__).parents[1]

MOST_IMPORTED_ONCE: Final = 107
"""Maximum number of files that exactly one other file imports.

It was 60 with three rulesets. Twelve chapters of LordsAWar and ten of Generals of Kaladan have one
importer each: the ruleset object, its settings, its setup or its presenter. The other rulesets have
four to six such chapters. Thirteen files belong to the debugger: a pure query and the verb that
runs it are two files, as the engine has no verbs. Some twenty are chapters of the lab: a measure or
a statistic, and the verb that prints it.
"""

DEEPEST_SCREEN: Final = 2
"""Maximum number of our classes between a screen and Textual's ``Screen``."""

_TYPE_NAME: Final = re.compile(r"[A-Z]\w*[a-z]\w*")
"""Public names in the style of types: they have lower-case letters too, unlike constants."""

_RIDDLE: Final = re.compile(
    r"\b(nobody|whoever|(is|are) told|told of|stands|anew|of which|by (itself|themselves))\b",
    re.IGNORECASE,
)
"""Words that often obscure who does what to whom."""

_LIMIT: Final = re.compile(r"\W*(Most|Least)\b")
"""First word of a text that says "most" where it means the maximum."""

MOST_RIDDLES: Final = 75
"""Maximum number of unclear words; some of them are right in their place."""


class Module(NamedTuple):
    """A file of the product."""

    name: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        """Number of lines."""
        return len(self.text.splitlines())


Imports: TypeAlias = Mapping[str, frozenset[str]]
"""Modules of the product that each module imports, by name."""


def product(home: Path = HOME) -> tuple[Module, ...]:
    """Return all modules of the product, by file."""
    folders = (home / folder for folder in ("engine", "host", "saves", "study", "tui"))
    files = [home / "app.py", *(file for each in folders for file in sorted(each.rglob("*.py")))]
    return tuple(_module(home, file) for file in files if file.exists())


def _module(home: Path, file: Path) -> Module:
    parts = file.relative_to(home).with_suffix("").parts
    text = file.read_text(encoding="utf-8")
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return Module(name, text, ast.parse(text))


# -- imports -----------------------------------------------------------------------------------


def imports(modules: Iterable[Module]) -> Imports:
    """Return the imports between the modules, at any place in a file."""
    listed = tuple(modules)
    names = frozenset(module.name for module in listed)
    return {
        module.name: frozenset(_imported(module.tree, names)) - {module.name} for module in listed
    }


def _imported(tree: ast.Module, names: frozenset[str]) -> Iterator[str]:
    """Yield the modules that a file imports.

    ``from package import module`` imports the module alone.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for one in node.names:
                below = f"{node.module}.{one.name}"
                if below in names or node.module in names:
                    yield below if below in names else node.module


def imported_once(found: Imports) -> dict[str, str]:
    """Return the modules that exactly one other module imports, each with its importer."""
    by: dict[str, list[str]] = defaultdict(list)
    for importer, imported in found.items():
        for name in imported:
            by[name].append(importer)
    return {name: importers[0] for name, importers in sorted(by.items()) if len(importers) == 1}


def circles(found: Imports) -> list[tuple[str, ...]]:
    """Return the groups of modules that import each other, directly or indirectly."""
    rest = dict(found)
    # Without the modules that import none of the rest, little is left to search.
    while free := [name for name, imported in rest.items() if rest.keys().isdisjoint(imported)]:
        for name in free:
            del rest[name]
    reach = {name: _reached(rest, name) for name in rest}
    groups = {
        tuple(sorted(other for other in reached if name in reach[other]))
        for name, reached in reach.items()
        if name in reached
    }
    return sorted(groups)


def _reached(found: Imports, start: str) -> frozenset[str]:
    """Return the modules that importing ``start`` loads; ``start`` itself only in a circle."""
    reached: set[str] = set()
    rest = [start]
    while rest:
        new = found.get(rest.pop(), frozenset()) - reached
        reached |= new
        rest += new
    return frozenset(reached)


# -- words -------------------------------------------------------------------------------------


def shared_type_names(modules: Iterable[Module]) -> dict[str, tuple[str, ...]]:
    """Return the public type names that several modules define, most frequent first."""
    by: dict[str, list[str]] = defaultdict(list)
    for module in modules:
        for name in {name for node in module.tree.body for name in _type_names(node)}:
            by[name].append(module.name)
    several = [(name, tuple(where)) for name, where in by.items() if len(where) > 1]
    return dict(sorted(several, key=lambda pair: (-len(pair[1]), pair[0])))


def _type_names(node: ast.stmt) -> Iterator[str]:
    """Yield the type that a statement defines: a class or an alias; calls make type variables."""
    if isinstance(node, ast.ClassDef):
        found = node.name
    elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
        found = ast.unparse(node.target)
    elif isinstance(node, ast.Assign) and isinstance(node.value, (ast.Subscript, ast.BinOp)):
        found = ast.unparse(node.targets[0])
    else:
        return
    if _TYPE_NAME.fullmatch(found):
        yield found


def riddles(modules: Iterable[Module]) -> list[tuple[str, int, str]]:
    """Return (module, line, word) of each unclear word in a docstring or comment."""
    return sorted(
        (module.name, line, found[0].strip())
        for module in modules
        for line, text in (*_docstrings(module.tree), *_comments(module.text))
        for found in (*_LIMIT.finditer(text, 0, 12), *_RIDDLE.finditer(text))
    )


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text
            case _:
                pass


def _comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


# -- screens -----------------------------------------------------------------------------------


def screen_depths() -> dict[type[Screen[Any]], int]:
    """Return all screens of the program, each with the number of its base classes of ours."""
    for home in (host, study, tui):
        for module in pkgutil.walk_packages(home.__path__, f"{home.__name__}."):
            importlib.import_module(module.name)
    found: dict[type[Screen[Any]], int] = {}
    rest: list[type[Any]] = [Screen]
    while rest:
        below = rest.pop().__subclasses__()
        found |= {each: sum(map(_is_ours, each.__mro__[1:])) for each in below if _is_ours(each)}
        rest += below
    return found


def _is_ours(kind: type[Any]) -> bool:
    return kind.__module__.startswith(("host.", "study.", "tui."))


# -- command -----------------------------------------------------------------------------------


def main() -> int:
    """Print the numbers; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="list the places behind the numbers")
    details = parser.parse_args().list
    modules = product()
    found = imports(modules)
    once, round_trips = imported_once(found), circles(found)
    names, asked, depths = shared_type_names(modules), riddles(modules), screen_depths()
    deepest = max(depths.values())
    print(f"product: {len(modules)} files, {sum(module.lines for module in modules)} lines")
    print(f"files imported exactly once: {len(once)} (at most {MOST_IMPORTED_ONCE})")
    if details:
        lines = {module.name: module.lines for module in modules}
        for name, importer in sorted(once.items(), key=lambda pair: lines[pair[0]]):
            print(f"  {lines[name]:4} {name} <- {importer}")
    print(f"import circles: {len(round_trips)} (none)")
    for group in round_trips:
        print(f"  {', '.join(group)}")
    print(f"classes of ours below a screen: {deepest} (at most {DEEPEST_SCREEN})")
    print(f"type names defined in several modules: {len(names)}")
    if details:
        for name, where in names.items():
            print(f"  {name}: {', '.join(where)}")
    print(f"riddling words in docstrings and comments: {len(asked)} (at most {MOST_RIDDLES})")
    if details:
        for module, line, word in asked:
            print(f"  {module}:{line}: {word}")
    missed = (
        len(once) > MOST_IMPORTED_ONCE
        or round_trips
        or deepest > DEEPEST_SCREEN
        or len(asked) > MOST_RIDDLES
    )
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
