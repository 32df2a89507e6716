"""Rulesets by name: the folders in ``engine/rulesets``, then entry points of other packages."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any

from engine.core.ruleset import AnyRuleset

GROUP = "banneret.rulesets"
"""Entry-point group in which other packages declare their rulesets."""

_HOME = "engine.rulesets"
_registered: dict[str, AnyRuleset] = {}


class UnknownRuleset(LookupError):
    """Raised if a ruleset name is unknown; the text lists the known ones."""


def register(rules: AnyRuleset) -> None:
    """Add a ruleset directly, for tests."""
    _registered[rules.name] = rules


@cache
def _own() -> tuple[str, ...]:
    folders = (item.name for item in files(_HOME).iterdir() if item.joinpath("rules.py").is_file())
    found = sorted(name for name in folders if not name.startswith(("_", ".")))
    order: tuple[str, ...] = import_module(_HOME).ORDER
    return (*(name for name in order if name in found), *(n for n in found if n not in order))


def names() -> tuple[str, ...]:
    """Return the names of all rulesets without importing any of them."""
    foreign = (point.name for point in entry_points(group=GROUP))
    return tuple(dict.fromkeys([*_own(), *sorted(foreign), *_registered]))


def find(name: str) -> AnyRuleset:
    """Return a ruleset by name, and import it if necessary.

    Raises:
        UnknownRuleset: the name is unknown.
    """
    if name in _registered:
        return _registered[name]
    if name in _own():
        found: Any = import_module(f"{_HOME}.{name}").RULES
        return found  # type: ignore[no-any-return]  # a module's attribute has no type
    for point in entry_points(group=GROUP, name=name):
        return point.load()  # type: ignore[no-any-return]  # an entry point has no type
    raise UnknownRuleset(f"there is no ruleset {name!r}; known: {', '.join(names())}")
