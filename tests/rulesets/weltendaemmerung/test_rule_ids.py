"""Every numbered rule is listed, named by code and tested."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
RULESET: Final = ROOT / "engine" / "rulesets" / "weltendaemmerung"
TESTS: Final = ROOT / "tests"
ID: Final = re.compile(r"\bWD-[A-Z]+-\d+\b")
ROW: Final = re.compile(r"^\| (WD-[A-Z]+-\d+) \|", re.MULTILINE)
SPAN: Final = re.compile(r"\b(WD-[A-Z]+)-(\d+) to \1-(\d+)\b")
CHAPTERS: Final = {
    "UNIT": 3,
    "TERR": 4,
    "NUM": 5,
    "TURN": 6,
    "MOVE": 8,
    "ATT": 7,
    "SIEGE": 6,
    "GATE": 6,
    "WIN": 6,
    "RNG": 3,
    "STICK": 6,
    "VIEW": 5,
    "IMP": 5,
    "SAVE": 4,
    "SCEN": 1,
}
"""Number of rules in each chapter of the rule book."""


def listed() -> list[str]:
    return ROW.findall((RULESET / "RULES.md").read_text(encoding="utf-8"))


def ids_in(text: str) -> set[str]:
    """Return the ids in a text. "WD-WIN-1 to WD-WIN-4" includes those between."""
    found = set(ID.findall(text))
    for chapter, first, last in SPAN.findall(text):
        found |= {f"{chapter}-{number}" for number in range(int(first), int(last) + 1)}
    return found


def _trees(folder: Path) -> Iterator[ast.AST]:
    """Yield all nodes of the files that contain an id."""
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if ID.search(text):
            yield from ast.walk(ast.parse(text))


@cache
def documented() -> set[str]:
    """Return the ids in docstrings of the ruleset, including those of fields and constants."""
    found: set[str] = set()
    for node in _trees(RULESET):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            found |= ids_in(node.value.value)
    return found


@cache
def marked() -> set[str]:
    """Return the ids in ``pytest.mark.rule`` of tests, and in rows of case tables."""
    found: set[str] = set()
    for node in _trees(TESTS):
        if isinstance(node, ast.Call) and _is_mark(node):
            names = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            found |= {name for name in names if isinstance(name, str) and ID.fullmatch(name)}
    for path in sorted((TESTS / "rulesets" / "weltendaemmerung" / "cases").glob("*.toml")):
        rows = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
        found |= {name for row in rows for name in row["rule"].split()}
    return found


def _is_mark(node: ast.Call) -> bool:
    """Return whether a call is one of ``pytest.mark.rule``."""
    named = isinstance(node.func, ast.Attribute) and node.func.attr == "rule"
    return named and ast.unparse(node.func) == "pytest.mark.rule"


def test_list_has_every_rule_of_the_rule_book_once() -> None:
    wanted = [
        f"WD-{chapter}-{number}"
        for chapter, count in CHAPTERS.items()
        for number in range(1, count + 1)
    ]
    assert sorted(listed()) == sorted(wanted)


def test_every_rule_is_in_a_docstring_and_a_test() -> None:
    assert [rule for rule in listed() if rule not in documented()] == [], "in no docstring"
    assert [rule for rule in listed() if rule not in marked()] == [], "no test is marked with it"


def test_no_unknown_id_is_used() -> None:
    known = set(listed())
    used = {path: ids_in(path.read_text(encoding="utf-8")) for path in _texts()}
    assert {
        str(path.relative_to(ROOT)): ids - known for path, ids in used.items() if ids - known
    } == {}


def _texts() -> list[Path]:
    own = {Path(__file__)}
    ends = {".py", ".toml", ".md"}
    folders = (RULESET, TESTS / "rulesets" / "weltendaemmerung")
    return [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in ends and path not in own
    ]
