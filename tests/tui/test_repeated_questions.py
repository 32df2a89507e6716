"""Questions with lines above their choices, exact numbers, and a shop that stays open."""

from __future__ import annotations

import io
from pathlib import Path

from engine.core.archive import SeatPlayer
from engine.rulesets.kaladan import RULES
from saves.archive import Folder
from tests.rulesets.kaladan.positions import DUEL, position
from tests.tui.piloted_app import desk
from tui.linemode.play_command import Lines
from tui.linemode.voice import Voice, from_stream
from tui.play.setup import NewGame

AGAINST_EASY = SeatPlayer(0, "Ash"), SeatPlayer(1, "Birch", "easy")


def war(text: str = DUEL, phase: str = "purchase", gold: int = 3) -> NewGame:
    """Return a game against a computer in the middle of a turn."""
    state = position(text, phase=phase, gold=(gold, gold))  # type: ignore[arg-type]
    scene = RULES.position(state)
    return NewGame("kaladan", scene, players=AGAINST_EASY, seed=b"1", name="war")


async def test_shop_stays_open_until_escape(tmp_path: Path) -> None:
    async with desk(tmp_path, start=war()) as at:
        await at.press("g")
        assert "you have 3 gold" in at.text
        await at.press("enter")
        assert at.lines == ['buy unit="sword" tile="A1"']
        assert "you have 2 gold" in at.text
        await at.press("enter")
        assert "you have 1 gold" in at.text
        await at.press("escape")
        assert "you have" not in at.text
        assert len(at.lines) == 2


async def test_shop_closes_when_nothing_is_affordable(tmp_path: Path) -> None:
    async with desk(tmp_path, start=war(gold=1)) as at:
        await at.press("g", "enter")
        assert len(at.lines) == 1
        assert "The shop" not in at.text
        assert "e end the phase" in at.rows()[-1]


async def test_casualties_are_chosen_below_the_dice(tmp_path: Path) -> None:
    battle = """
FF WFM FF
A1 0 # crown
B1 0 sword sword shield
B2 1 shield archer archer
C2 1 # crown sword
"""
    async with desk(tmp_path, start=war(battle, "action")) as at:
        at.game.session.point(6, 6)
        await at.press("space", "right", "space", "y")
        await at.press("c", "enter")
        assert "Choose casualties" in at.text
        await at.press("c")
        assert "Exactly 1 of them." in at.text
        assert "|Weald" in at.text


def test_line_mode_prints_the_lines_of_a_question(tmp_path: Path) -> None:
    out, script = io.StringIO(), io.StringIO("buy\n\nquit\n")
    lines = Lines(Voice(out, from_stream(script)), Folder(tmp_path), print)
    try:
        lines.begin(war())
        lines.play()
    finally:
        lines.close()
    assert "New units come to A1 (2 there)." in out.getvalue()
