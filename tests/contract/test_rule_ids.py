"""Every rule of a ruleset's RULES.md is named where it is kept and where it is tested."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from engine.core.ruleset import AnyRuleset
from tests.contract.aids import TESTS, code_of, folder_of_tests

SHARED = TESTS.parent / "engine" / "strategic"
_ID = re.compile(r"\b([A-Z][A-Z0-9]*-(?:[A-Z]+-|\d+\.)?)(\d+)([a-z]?)(?: to \1(\d+))?\b")
_LISTED = re.compile(r"^(?:- \*\*|\| )([A-Z][A-Z0-9]*-[A-Z]*[-.\d]*\d[a-z]?)\b", re.MULTILINE)
_MARK = re.compile(r"mark\.rule\(([^)]*)\)")
_ROW = re.compile(r"^rules? *= *(.*)$", re.MULTILINE)


def ids(text: str) -> set[str]:
    """The rule ids in a text; ``X-ONE-1 to X-ONE-3`` are three."""
    found: set[str] = set()
    for prefix, first, letter, last in _ID.findall(text):
        numbers = range(int(first), int(last or first) + 1)
        found.update(f"{prefix}{number}{letter}" for number in numbers)
    return found


def texts(paths: Iterable[Path]) -> list[str]:
    """The files as texts."""
    return [path.read_text(encoding="utf-8") for path in paths]


def test_every_rule_is_listed_once_implemented_and_tested(rules: AnyRuleset) -> None:
    code = code_of(rules)
    listed = _LISTED.findall((code / "RULES.md").read_text(encoding="utf-8"))
    assert listed
    assert sorted(set(listed)) == sorted(listed)
    family = listed[0].split("-")[0] + "-"

    index = code.glob("rule_index.toml")
    files = [*code.rglob("*.py"), *index, *SHARED.rglob("*.py")]
    found = {one for text in texts(files) for one in ids(text)}
    named = {one for one in found if one.startswith(family)}
    assert sorted(named - set(listed)) == [], "named in the code, but not in RULES.md"
    assert sorted(set(listed) - named) == [], "in RULES.md, but named nowhere in the code"

    own = folder_of_tests(rules)
    modules = {*TESTS.rglob("test_*.py"), *own.rglob("test_*.py")}
    marks = [mark for text in texts(modules) for mark in _MARK.findall(text)]
    rows = [row for text in texts(own.rglob("*.toml")) for row in _ROW.findall(text)]
    tested = {one for text in (*marks, *rows) for one in ids(text) if one.startswith(family)}
    assert sorted(tested - set(listed)) == [], "tested, but not in RULES.md"
    assert sorted(set(listed) - tested) == [], "in RULES.md, but not tested"
