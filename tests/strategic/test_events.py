"""Spread of the layer's events over the product."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import engine
from engine.strategic import events as ev

ROOT = Path(engine.__path__[0]).parent

MOST_FILES = 4
"""Its definition, its evolution, its telling, and the chapter that emits it."""


def sources() -> Iterator[frozenset[str]]:
    for folder in ("engine", "tui", "saves"):
        for path in (ROOT / folder).rglob("*.py"):
            yield frozenset(named_in(ast.parse(path.read_text("utf-8"))))


def named_in(tree: ast.AST) -> Iterator[str]:
    """Names in the code of a module; texts and comments name nothing."""
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
