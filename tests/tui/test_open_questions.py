"""Line mode lists the answers of a question that must be answered first."""

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
from tui.linemode.play_command import Lines
from tui.linemode.voice import Voice, from_stream
from tui.play.setup import NewGame

TAKEN = ["send march armies=1>2 to=3,0"]


def raid() -> NewGame:
    """Return a game with a strong stack beside an empty city of the other side, which has
    another city.
    """
    armies = [ground.army(1, 1, 0, ground.GIANTS), ground.army(2, 1, 0, ground.GIANTS)]
    made = (ground.slot(ground.LIGHT), ground.slot(ground.ARCHERS))
    cities = [
        ground.city(1, 0, 3, 0),
        ground.city(2, 3, 0, 1, slots=made, name="Gorm"),
        ground.city(3, 8, 3, 1),
    ]
    state = ground.world(["." * 10] * 5, armies=armies, cities=cities)
    scene = replace(RULES.position(state), art=())
    people = (SeatPlayer(0, "Ash"), SeatPlayer(1, "Birch", "easy"))
    return NewGame("warlords2", scene, players=people, seed=b"1", name="game")


def heard(folder: Path, script: Iterable[str]) -> str:
    """Return the output of line mode for a script, in one row."""
    out = io.StringIO()
    given = io.StringIO("".join(f"{line}\n" for line in script))
    lines = Lines(Voice(out, from_stream(given)), Folder(folder), print)
    try:
        lines.begin(raid())
        lines.play()
    finally:
        lines.close()
    return " ".join(out.getvalue().split())


def test_captured_city_lists_its_possible_fates(tmp_path: Path) -> None:
    text = heard(tmp_path, [*TAKEN, "look", "quit"])
    assert "1. Occupy: spare the city" in text
    assert "2. Pillage one type: 200 gold; it can no longer make Archers" in text
    assert "4. Raze: a ruin for ever Type a number." in text
    assert text.count("1. Occupy") == 1
    assert heard(tmp_path / "more", [*TAKEN, "status", "quit"]).count("1. Occupy") == 2


@pytest.mark.parametrize("answer", ["2", "pillage", "settle 2", "do settle pillage"])
def test_open_question_is_answered_by_number_word_or_intent(tmp_path: Path, answer: str) -> None:
    text = heard(tmp_path, [*TAKEN, answer, "log 3", "quit"])
    assert "pillages Gorm for 200 gold" in text


def test_number_without_an_open_question_is_refused(tmp_path: Path) -> None:
    assert "'2' is nothing you can do here." in heard(tmp_path, ["2", "quit"])
