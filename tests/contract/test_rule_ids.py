"""Every rule in a ruleset's RULES.md is named where it is decided and where it is tested."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from bench.rules import Citation, CitedBook, book
from engine.core import registry
from engine.core.ruleset import AnyRuleset
from engine.core.sources import deciding_modules
from tests.contract.aids import TESTS, code_of, folder_of_tests

SHARED = TESTS.parent / "engine" / "strategic"
_ID = re.compile(r"\b([A-Z][A-Z0-9]*-(?:[A-Z]+-|\d+\.)?)(\d+)([a-z]?)(?: to \1(\d+))?\b")
_LISTED = re.compile(r"^(?:- \*\*|\| )([A-Z][A-Z0-9]*-[A-Z]*[-.\d]*\d[a-z]?)\b", re.MULTILINE)
_HEADED = re.compile(r"^#+ ([A-Z][A-Z0-9]*-\d+): ", re.MULTILINE)
_MARK = re.compile(r"mark\.rule\(([^)]*)\)")
_ROW = re.compile(r"^rules? *= *(.*)$", re.MULTILINE)


def ids(text: str) -> set[str]:
    """Return the rule ids in a text; ``X-ONE-1 to X-ONE-3`` are three."""
    found: set[str] = set()
    for prefix, first, letter, last in _ID.findall(text):
        numbers = range(int(first), int(last or first) + 1)
        found.update(f"{prefix}{number}{letter}" for number in numbers)
    return found


def texts(paths: Iterable[Path]) -> list[str]:
    """Return the contents of files."""
    return [path.read_text(encoding="utf-8") for path in paths]


def test_every_rule_is_listed_once_implemented_and_tested(rules: AnyRuleset) -> None:
    code = code_of(rules)
    pages = (code / "RULES.md").read_text(encoding="utf-8")
    listed, headed = _LISTED.findall(pages), set(_HEADED.findall(pages))
    assert listed
    assert sorted({*listed, *headed}) == sorted([*listed, *headed])
    family = listed[0].split("-")[0] + "-"

    index = code.glob("rule_index.toml")
    files = [*code.rglob("*.py"), *index, *SHARED.rglob("*.py")]
    found = {one for text in texts(files) for one in ids(text)}
    named = {one for one in found if one.startswith(family)}
    assert sorted(named - {*listed, *headed}) == [], "named in the code, but not in RULES.md"
    assert sorted(set(listed) - named) == [], "in RULES.md, but named nowhere in the code"

    own = folder_of_tests(rules)
    modules = {*TESTS.rglob("test_*.py"), *own.rglob("test_*.py")}
    marks = [mark for text in texts(modules) for mark in _MARK.findall(text)]
    rows = [row for text in texts(own.rglob("*.toml")) for row in _ROW.findall(text)]
    tested = {one for text in (*marks, *rows) for one in ids(text) if one.startswith(family)}
    assert sorted(tested - {*listed, *headed}) == [], "tested, but not in RULES.md"
    assert sorted(set(listed) - tested) == [], "in RULES.md, but not tested"


def test_every_rule_is_decided_somewhere(rules: AnyRuleset) -> None:
    found = book(rules)
    assert [rule for rule in found.rules if not found.deciding(rule)] == []
    chapters = {one.rule for one in found.places if one.decides} - set(found.rules)
    assert chapters == set(), "only rules can be decided, not whole chapters"
    assert {one.rule for one in found.places} <= found.ids


def test_presenters_and_bots_decide_no_rule_of_the_game(rules: AnyRuleset) -> None:
    assert ruled_twice(rules, book(rules)) == []


def test_deciding_panel_is_found() -> None:
    rules = registry.find("kaladan")
    own = book(rules)
    kept = own.deciding("KA-6.2")[0]
    shown = kept._replace(file="engine/rulesets/kaladan/panels.py")
    assert ruled_twice(rules, own._replace(places=(*own.places, shown))) == [shown]


def ruled_twice(rules: AnyRuleset, found: CitedBook) -> list[Citation]:
    """Return the places outside the rules' modules that decide what those modules decide."""
    inside = {f"{name.replace('.', '/')}.py" for name in deciding_modules(type(rules).__module__)}
    places = [one for one in found.places if one.decides]
    kept = {one.rule for one in places if one.file in inside}
    return [one for one in places if one.file not in inside and one.rule in kept]
