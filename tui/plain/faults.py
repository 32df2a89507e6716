"""Reports of faults in the rules: files that a player can send to whoever mends them."""

from __future__ import annotations

import contextlib
from pathlib import Path

from platformdirs import user_state_path

from engine.core.codec import encode_json
from engine.core.game import Bug

MOST = 50
"""Reports that are kept; the oldest go first."""


def folder() -> Path:
    """Where reports and the diagnostics of the screen are written."""
    return user_state_path("banneret", appauthor=False)


def keep(bug: Bug) -> None:
    """Write a report; if that fails, the game goes on all the same."""
    with contextlib.suppress(OSError):
        place = folder() / "reports"
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        known = reports()
        number = int(known[-1].stem.partition("-")[2]) + 1 if known else 1
        (place / f"fault-{number:04}.json").write_bytes(encode_json(bug) + b"\n")
        for old in known[: max(0, len(known) + 1 - MOST)]:
            old.unlink(missing_ok=True)


def reports() -> list[Path]:
    """All reports, oldest first."""
    return sorted((folder() / "reports").glob("fault-[0-9]*.json"))
