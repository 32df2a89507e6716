"""The form of commands and events, and how old logs are lifted to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.ruleset import Upcast

SCHEMA: Final = 1
"""Raised whenever a command or event changes by more than a field with a default."""

UPCASTS: Final[Mapping[int, Upcast]] = {}
"""For each older schema, what makes a raw entry one of the next."""
