"""A ruleset with secrets, dice and every kind of dialogue, on the same screen."""

from __future__ import annotations

from pathlib import Path

from engine.core.archive import SeatPlayer
from tests.tui.piloted_app import desk
from tui.play.setup import NewGame

PEOPLE = (SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch"))


def toy() -> NewGame:
    return NewGame("toy", players=PEOPLE, seed=b"1", name="toy")


async def test_path_is_chosen_on_the_map(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await at.press("m")
        if "Which band?" in at.text:
            await at.press("enter")
        assert at.game.pick is not None
        for key in ("right", "left", "down", "up"):
            await at.press(key)
            if "1 of" in at.note:
                break
        await at.press("enter")
        assert at.lines[0].startswith("order ")


async def test_secrets_are_covered_until_the_next_person_sits_down(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await at.press("s")
        assert "Seal the orders?" in at.text
        await at.press("enter")
        assert "is to act" in at.text
        assert "look away" in at.text
        assert at.game.session.viewer == 0
        await at.press("enter")
        assert at.game.session.viewer == 1


async def test_text_and_order_dialogues_work(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await at.press("c", "h", "o", "enter")
        assert at.lines == ['cry text="ho"']
        await at.press("r")
        assert "Who falls first?" in at.text
        await at.press("right", "enter")
        assert len(at.lines) == 2


async def test_game_can_be_drawn_at_every_zoom(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        before = at.text
        await at.press("f4")
        assert at.game.session.zoom == "strength"
        await at.press("f4")
        assert at.text == before


async def test_signs_can_be_changed(tmp_path: Path) -> None:
    async with desk(tmp_path, start=toy()) as at:
        assert str(at.app.glyphs) == "box"
        await at.press("f3")
        assert str(at.app.glyphs) == "ascii"
        assert all(ord(sign) < 128 for sign in "".join(at.rows()[2:8]))


async def test_replay_of_a_running_game_keeps_its_secrets(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, start=toy()) as at:
        await at.press("c", "h", "o", "enter", "s", "enter", "enter", "q")
    async with desk(tmp_path, replay_name="toy") as at:
        assert "seen by what everybody sees" in at.rows()[0]
        assert "entry" not in at.rows()[0]
        await at.press("end")
        assert "hidden" in at.note
        await at.press("H")
        assert "numbers of all sides are still secret" in at.note
        await at.press("s")
        assert "all of it when the game is over" in at.text
        assert "all-seeing" not in at.text
