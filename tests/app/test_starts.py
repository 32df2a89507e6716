"""Continuing a game at once, while the title still reads its save."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.starts import go_in, prepared


@pytest.mark.parametrize(
    ("ruleset", "way"), [("warlords2", "Continue"), ("gd6", "Load"), ("warlords2", "Replay")]
)
def test_program_starts_when_a_game_is_entered_at_once(
    tmp_path: Path, ruleset: str, way: str
) -> None:
    assert go_in(prepared(tmp_path, ruleset), way, wait=0.2, between=0.05) == ""
