"""Few files of the product name each event of the layer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import engine
from engine.strategic import events as ev

ROOT = Path(engine.__path__[0]).parent

EVENT = re.compile("|".join(rf"\b{kind.__name__}\b" for kind in get_args(ev.AnyEvent)))

MOST_FILES = 4
"""Maximum number of files per event: definition, evolution, sentence and emitting chapter."""


def sources() -> Iterator[frozenset[str]]:
    """Yield the names in each file that mentions an event, without rulesets of other layers."""
    for folder in ("engine", "host", "study", "tui", "saves"):
        for path in (ROOT / folder).rglob("*.py"):
            if ROOT / "engine" / "rulesets" not in path.parents or is_strategic(path):
                text = path.read_text("utf-8")
                if EVENT.search(text):
                    yield frozenset(named_in(ast.parse(text)))


def is_strategic(path: Path) -> bool:
    """Return whether a file belongs to a ruleset on the strategic layer.

    Other rulesets have their own events.
    """
    ruleset = path.relative_to(ROOT / "engine" / "rulesets").parts[0]
    rules = ROOT / "engine" / "rulesets" / ruleset / "rules.py"
    return rules.is_file() and "engine.strategic" in rules.read_text("utf-8")


def named_in(tree: ast.AST) -> Iterator[str]:
    """Yield the names in the code of a module, without texts and comments."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case _:
                pass


def test_few_files_name_an_event() -> None:
    files = list(sources())
    named = {kind: sum(kind.__name__ in words for words in files) for kind in get_args(ev.AnyEvent)}
    assert {kind.__name__: count for kind, count in named.items() if count > MOST_FILES} == {}
