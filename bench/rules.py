"""Where each rule is decided: ``python -m bench.rules [ID ...]``.

Without ids it lists all rules of all books with their deciding files, and counts those that are
decided nowhere or in many files. With ids it also lists the deciding functions, the function to
read first on top, and the places that only use or show the rule. The id of a chapter names all its
rules.

A function decides a rule if its docstring says so (``Rules: W2-9.6.``), or if the ruleset's
``rule_index.toml`` lists it. After ``See:`` a docstring names rules that are decided elsewhere.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from engine.core import registry
from engine.core.ruleset import AnyRuleset
from engine.debug.tracing import ids
from engine.tabletop.manual import Chapter, manual

HOME: Final = Path(__file__).parents[1]

SHARED: Final = HOME / "engine" / "strategic"
"""Layer whose functions a ``rule_index.toml`` names."""

MANY: Final = 3
"""Number of deciding files from which on a rule counts as scattered, if it has more."""

MOST_SCATTERED: Final = 15
"""Maximum number of scattered rules."""

_SAID: Final = re.compile(r"\b(Rules|See):(.*?)(?:\.(?=\s|\Z)|\n\s*\n|\Z)", re.DOTALL)


class Citation(NamedTuple):
    """Something that names a rule: a function, class or constant, or a whole module."""

    rule: str
    file: str
    """File, relative to the project."""
    line: int
    name: str
    """Name of the function, class or constant; empty for a module."""
    decides: bool


class CitedBook(NamedTuple):
    """Rule book of a ruleset, and all places that name its rules."""

    ruleset: str
    chapters: tuple[Chapter, ...]
    places: tuple[Citation, ...]

    @property
    def rules(self) -> dict[str, str]:
        """Texts of the rules by id, in the order of the book."""
        return {rule.id: rule.text for chapter in self.chapters for rule in chapter.rules}

    @property
    def ids(self) -> frozenset[str]:
        """Ids of rules, and of chapters that have one."""
        return frozenset(self.rules) | {one.id for one in self.chapters if one.id}

    def deciding(self, rule: str) -> tuple[Citation, ...]:
        """Return the places that decide a rule, those of the shared layer first."""
        return tuple(one for one in self.places if one.rule == rule and one.decides)

    def deciding_files(self, rule: str) -> tuple[str, ...]:
        """Return the files that decide a rule, each once."""
        return tuple(dict.fromkeys(one.file for one in self.deciding(rule)))

    @property
    def scattered(self) -> tuple[str, ...]:
        """Rules that more than ``MANY`` files decide."""
        return tuple(rule for rule in self.rules if len(self.deciding_files(rule)) > MANY)


@cache
def book_of(name: str) -> CitedBook:
    """Return the rule book of a ruleset, by its name."""
    return book(registry.find(name))


def book(rules: AnyRuleset) -> CitedBook:
    """Return the rule book of a ruleset, and the places that name its rules."""
    package = type(rules).__module__.rpartition(".")[0]
    folder = Path(str(files(package)))
    index = folder / "rule_index.toml"
    listed = tomllib.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    own = (place for path in sorted(folder.rglob("*.py")) for place in places_in(path))
    return CitedBook(rules.name, manual(package), (*indexed(listed), *own))


def indexed(listed: Mapping[str, Iterable[str]]) -> Iterator[Citation]:
    """Yield the places in the shared layer that an index lists by rule id."""
    for rule, names in listed.items():
        for name in names:
            path, inside = _module_of(name)
            lines = {one: line for one, line, _ in _documented(path)}
            yield Citation(rule, _shown(path), lines.get(inside, 1), inside, decides=True)


def _module_of(name: str) -> tuple[Path, str]:
    """Return the file of a dotted name below the shared layer, and the name inside it."""
    path, parts = SHARED, name.split(".")
    while parts and (path / parts[0]).is_dir():
        path /= parts.pop(0)
    return path / f"{parts[0]}.py", ".".join(parts[1:])


def places_in(path: Path) -> Iterator[Citation]:
    """Yield a citation for each rule that a docstring of a file names."""
    for name, line, text in _documented(path):
        for word, said in _SAID.findall(text):
            for rule in ids(said):
                yield Citation(rule, _shown(path), line, name, decides=word == "Rules")


@cache
def _documented(path: Path) -> tuple[tuple[str, int, str], ...]:
    """Return name, line and docstring of everything in a file; without one the text is empty."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (("", 1, ast.get_docstring(tree) or ""), *_inside(tree, ""))


def _inside(
    node: ast.Module | ast.ClassDef | ast.FunctionDef, above: str
) -> Iterator[tuple[str, int, str]]:
    for child, after in zip(node.body, (*node.body[1:], None), strict=True):
        match child:
            case ast.FunctionDef() | ast.ClassDef():
                yield f"{above}{child.name}", child.lineno, ast.get_docstring(child) or ""
                yield from _inside(child, f"{above}{child.name}.")
            case ast.Assign(targets=[target, *_]) | ast.AnnAssign(target=target):
                yield f"{above}{ast.unparse(target)}", child.lineno, _text(after)
            case _:
                pass


def _text(node: ast.stmt | None) -> str:
    """Return the text of a statement that is only a text, as below a constant."""
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
        case _:
            return ""


def _shown(path: Path) -> str:
    return str(path.relative_to(HOME)) if path.is_relative_to(HOME) else str(path)


def rule_lines(found: CitedBook, rule: str) -> Iterator[str]:
    """Yield a rule with its text, its deciding places, and those that only name it."""
    yield f"{rule}: {found.rules[rule]}"
    for place in found.deciding(rule):
        yield f"  {place.file}:{place.line} {place.name}"
    seen = [one for one in found.places if one.rule == rule and not one.decides]
    yield from (f"  see {one.file}:{one.line} {one.name}" for one in seen)


def named(books: Iterable[CitedBook], wanted: str) -> list[tuple[CitedBook, str]]:
    """Return the rules that an id names, with their books: one, or all of a chapter."""
    return [
        (found, rule.id)
        for found in books
        for chapter in found.chapters
        for rule in chapter.rules
        if wanted in {rule.id, chapter.id}
    ]


def main() -> int:
    """Print rules and their places; return 1 for an unknown id or a missed bar."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ID", help="rules or chapters; all without one")
    wanted = parser.parse_args().ids
    books = [book_of(name) for name in registry.names()]
    missing = [one for one in wanted if not named(books, one)]
    for one in wanted:
        for found, rule in named(books, one):
            print("\n".join(rule_lines(found, rule)))
    for one in missing:
        print(f"no rule has the id {one}", file=sys.stderr)
    return int(bool(missing)) if wanted else _all(books)


def _all(books: Iterable[CitedBook]) -> int:
    scattered, undecided = list[str](), list[str]()
    for found in books:
        for rule in found.rules:
            where = found.deciding_files(rule)
            print(f"{rule:<12} {', '.join(where)}")
            undecided += [rule] if not where else []
        scattered += found.scattered
    print(f"decided nowhere: {len(undecided)} (none) {', '.join(undecided)}")
    heading = f"decided in more than {MANY} files: {len(scattered)} (at most {MOST_SCATTERED})"
    print(f"{heading} {', '.join(scattered)}")
    return int(bool(undecided) or len(scattered) > MOST_SCATTERED)


if __name__ == "__main__":
    sys.exit(main())
