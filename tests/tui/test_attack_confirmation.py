"""The button on a fight: a forecast, then attack or not. A setting skips the question."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from engine.core.record import replace
from engine.rulesets.warlords2 import RULES
from saves.archive import Folder
from tests.strategic import ground
from tests.tui.piloted_app import desk
from tui.linemode.play_command import Lines
from tui.linemode.voice import Voice, from_stream
from tui.play.setup import NewGame

ATTACK = "march armies=1>2 to=3,0"
TO_THE_FOE = ("space", "right", "right", "space")


def duel() -> NewGame:
    """Return a game with a strong stack two tiles from a weak one, and a city for each side."""
    armies = [
        ground.army(1, 1, 0, ground.GIANTS),
        ground.army(2, 1, 0, ground.GIANTS),
        ground.army(3, 3, 0, ground.SCOUTS, owner=1),
    ]
    cities = [ground.city(1, 1, 2, 0), ground.city(2, 7, 2, 1)]
    state = ground.world(["." * 10] * 5, armies=armies, cities=cities)
    scene = replace(RULES.position(state), art=())
    people = (SeatPlayer(0, "Ash"), SeatPlayer(1, "Birch", "easy"))
    return NewGame("warlords2", scene, players=people, seed=b"1", name="duel")


def heard(folder: Path, script: Iterable[str]) -> str:
    """Return the output of line mode for a script."""
    out = io.StringIO()
    given = io.StringIO("".join(f"{line}\n" for line in script))
    lines = Lines(Voice(out, from_stream(given)), Folder(folder), print)
    try:
        lines.begin(duel())
        lines.play()
    finally:
        lines.close()
    return out.getvalue()


async def test_button_on_a_foe_shows_the_forecast_and_asks(tmp_path: Path) -> None:
    async with desk(tmp_path, start=duel()) as at:
        at.game.session.point(1, 0)
        await at.press(*TO_THE_FOE)
        assert "Attack Side 1 near City 1?" in at.text
        assert "They lose" in at.text
        assert "Enter or y: attack   Esc or n: hold back" in at.text
        assert at.lines == []
        await at.press("n")
        assert at.lines == []
        assert at.game.session.focus.held == 1
        await at.press("space", "y")
        assert at.lines == [ATTACK]


async def test_attack_starts_at_once_when_confirmation_is_off(tmp_path: Path) -> None:
    async with desk(tmp_path, start=duel()) as at:
        at.app.change(replace(at.app.settings, confirm="off"))
        at.game.session.point(1, 0)
        await at.press(*TO_THE_FOE)
        assert at.lines == [ATTACK]


async def test_stack_that_joins_another_moves_on_with_it(tmp_path: Path) -> None:
    async with desk(tmp_path, start=duel()) as at:
        at.game.session.point(1, 0)
        await at.press("g", "down", "space", "enter")
        assert at.game.pick is not None
        await at.press("left", "space")
        assert at.lines == ["march armies=2 to=0,0"]
        at.game.session.point(1, 0)
        await at.press("space", "left", "space")
        assert at.lines[-1] == "march armies=1 to=0,0"
        await at.press("down", "space")
        assert at.lines[-1] == "march armies=1>2 to=0,1"


@pytest.mark.parametrize("script", [["press", "yes"], ["press yes"]])
def test_line_mode_asks_too_unless_answered(tmp_path: Path, script: list[str]) -> None:
    text = heard(tmp_path, ["go 1,0", "press", "go 3,0", *script, "quit"])
    assert ("Yes: attack. No: hold back." in text) == (script == ["press", "yes"])
    assert "win" in text


async def test_cursor_stays_on_a_captured_city(tmp_path: Path) -> None:
    async with desk(tmp_path, start=duel()) as at:
        await at.game.session.submit("march armies=1>2 to=3,0")
        at.game.session.point(3, 0)
        await at.press("space", *["right"] * 4, "down", "down", "space", "y")
        assert at.lines[-1] == "march armies=1>2 to=7,2"
        assert at.cursor == (7, 2)
        await at.press("a", "enter")
        assert at.lines[-1] == "settle fate=occupy"
        assert at.cursor == (7, 2)
