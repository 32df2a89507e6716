"""Old forms of commands and events, lifted to the current one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.core.record import Raw
from engine.core.ruleset import Upcast

SCHEMA: Final = 2


def _from_1(entry: Raw) -> Raw:
    """Lift an entry of schema 1, which called the command to seal ``done``."""
    command = entry.get("command")
    if command is None or command.get("do") != "done":
        return entry
    return {**entry, "command": {**command, "do": "seal"}}


UPCASTS: Final[Mapping[int, Upcast]] = {1: _from_1}
