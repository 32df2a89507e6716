"""Rulesets that the suite runs on: all that are registered, or those of ``--ruleset``."""

from __future__ import annotations

from engine.core import registry

_CHOSEN: list[str] = []


def choose(names: list[str]) -> None:
    """Restrict the suite to some rulesets; no names mean all."""
    for name in names:
        registry.find(name)
    _CHOSEN[:] = names


def names() -> tuple[str, ...]:
    """Return the names of the rulesets that the suite runs on."""
    return tuple(_CHOSEN) or registry.names()
