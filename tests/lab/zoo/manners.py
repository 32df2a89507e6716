"""The decent half of the zoo: every bot answers properly until it misbehaves."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

REST = {"type": "act", "command": "end-phase"}


def say(message: dict[str, Any]) -> None:
    """Write a message to standard output."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def play(misbehave: Callable[[], object], turn: int = 2) -> None:
    """End every phase, but call ``misbehave`` at turn number ``turn`` and at every error."""
    asked = 0
    for line in sys.stdin:
        kind = json.loads(line)["type"]
        if kind == "hello":
            say({"type": "ready"})
        asked += kind == "turn"
        if kind == "error" or (kind == "turn" and asked == turn):
            misbehave()
        elif kind == "turn":
            say(REST)
        elif kind == "bye":
            return
