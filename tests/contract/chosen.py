"""Rulesets that the suite runs on: all registered ones, or those named by ``--ruleset``."""

from __future__ import annotations

from engine.core import registry

_CHOSEN: list[str] = []


def choose(names: list[str]) -> None:
    """Restrict the suite to the named rulesets; an empty list means all."""
    for name in names:
        registry.find(name)
    _CHOSEN[:] = names


def names() -> tuple[str, ...]:
    """Return the names of the rulesets that the suite runs on."""
    return tuple(_CHOSEN) or registry.names()
