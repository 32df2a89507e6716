"""A saved game walked through, and gone on with."""

from __future__ import annotations

from pathlib import Path

from saves.archive import Folder
from tests.tui.desk import desk, lines_of
from tests.tui.test_game import middle


async def played(folder: Path) -> None:
    """A short game in a save."""
    async with desk(folder, start=middle()) as at:
        await at.press("space", "right", "down", "left", "space")
        for _ in range(6):
            await at.press("e", "enter")
        assert len(at.lines) == 9


async def test_the_replay_steps_by_entries_both_ways(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        first = at.text
        assert "entry 1 of 10" in at.rows()[0]
        await at.press("right", "right")
        assert "step unit=0 direction=down" in at.note
        await at.press("left", "left")
        assert at.text == first


async def test_the_replay_steps_by_phases_and_rounds(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("down")
        assert "end-phase" in at.note
        assert at.replay.viewing.index == 4
        await at.press("down", "up")
        assert at.replay.viewing.index == 4
        await at.press("n")
        assert at.replay.viewing.status.round == 2
        await at.press("p")
        assert at.replay.viewing.status.round == 1
        await at.press("end")
        assert "entry 10 of 10" in at.rows()[0]
        await at.press("right", "home")
        assert "entry 1 of 10" in at.rows()[0]


async def test_going_on_from_a_place_makes_a_branch_and_loses_nothing(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("right", "g")
        assert at.lines == ["step unit=0 direction=right"]
        await at.press("e", "enter")
        assert at.lines == ["step unit=0 direction=right", "end-phase"]
    log = Folder(tmp_path).read("game").log
    assert len(log) == 11
    assert lines_of(log.line()) == ["step unit=0 direction=right", "end-phase"]
    assert len(lines_of(log.line(9))) == 9


async def test_the_replay_shows_and_follows_branches(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("right", "g")
        await at.press("e", "enter", "q")
    async with desk(tmp_path, replay_name="game") as at:
        assert "of 3" in at.rows()[0]
        await at.press("b")
        assert "Branches" in at.text
        assert "(watched)" in at.text
        await at.press("down", "enter")
        assert "of 10" in at.rows()[0]
        await at.press("right")
        assert "branches here" in at.text


async def test_watching_changes_nothing_in_the_save(tmp_path: Path) -> None:
    await played(tmp_path)
    before = (tmp_path / "game.bnr").read_bytes()
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("end", "home", "q")
    assert (tmp_path / "game.bnr").read_bytes() == before
