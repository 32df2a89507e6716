"""Old forms of commands and events, and how they become new ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.ruleset import Upcast

SCHEMA: Final = 1
UPCASTS: Final[Mapping[int, Upcast]] = {}
