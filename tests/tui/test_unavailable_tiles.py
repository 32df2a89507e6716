"""A tile that cannot be chosen gives the reason, on the screen and in line mode."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from engine.core.archive import SeatPlayer
from engine.core.record import replace
from engine.rulesets.warlords2 import RULES
from saves.archive import Folder
from tests.strategic import ground
from tests.tui.piloted_app import desk
from tui.linemode.play_command import Lines
from tui.linemode.voice import Voice, from_stream
from tui.play.setup import NewGame

TOO_FAR = "Too far for this turn, but it can be their goal"
AS_GOAL = "It takes 4 turns. Set it as a goal, and begin now?"


def steppe() -> NewGame:
    """Return a game with light infantry on a wide plain, and land beyond water out of its reach."""
    armies = [ground.army(1, 1, 1, ground.LIGHT), ground.army(2, 45, 1, ground.LIGHT, owner=1)]
    cities = [ground.city(1, 0, 3, 0), ground.city(2, 45, 3, 1)]
    state = ground.world(["." * 40 + " ......"] * 5, armies=armies, cities=cities)
    scene = replace(RULES.position(state), art=())
    people = (SeatPlayer(0, "Ash"), SeatPlayer(1, "Birch", "easy"))
    return NewGame("warlords2", scene, players=people, seed=b"1", name="steppe")


def heard(folder: Path, script: Iterable[str]) -> str:
    """Return the output of line mode for a script."""
    out = io.StringIO()
    given = io.StringIO("".join(f"{line}\n" for line in script))
    lines = Lines(Voice(out, from_stream(given)), Folder(folder), print)
    try:
        lines.begin(steppe())
        lines.play()
    finally:
        lines.close()
    return out.getvalue()


async def test_march_offers_a_far_tile_as_a_goal(tmp_path: Path) -> None:
    async with desk(tmp_path, start=steppe()) as at:
        at.game.session.point(1, 1)
        await at.press("m")
        at.game.go_to(20, 1)
        await at.rest()
        assert TOO_FAR in at.note
        assert TOO_FAR in at.text
        at.game.go_to(45, 1)
        await at.rest()
        assert "No way that you know leads there." in at.note
        at.game.go_to(1, 1)
        await at.rest()
        assert "They are there already." in at.note
        at.game.go_to(20, 1)
        await at.press("space")
        assert AS_GOAL in at.text
        await at.press("enter")
        assert at.lines == ["march armies=1 to=20,1"]


def test_line_mode_offers_a_far_tile_as_a_goal(tmp_path: Path) -> None:
    text = " ".join(heard(tmp_path, ["go 1,1", "march 20,1", "no", "march 45,1", "quit"]).split())
    listed = "Type march alone, then list, for those that can."
    assert AS_GOAL in text
    assert f"45,1: No way that you know leads there. {listed}" in text


def test_line_mode_distinguishes_capital_keys(tmp_path: Path) -> None:
    text = heard(tmp_path, ["go 1,1", "G", "", "quit"])
    assert "Goal for later turns" in text


def test_line_mode_says_why_a_key_does_nothing_here(tmp_path: Path) -> None:
    text = heard(tmp_path, ["go 9,0", "m", "do r", "quit"])
    assert "You have no army here." in text
    assert "You have no city here." in text
