"""Watching a saved game, and continuing it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.widgets import Input

from engine.core.record import replace
from saves.archive import Folder
from tests.tui.piloted_app import Desk, desk, lines_of, played_once
from tests.tui.scenes import orders
from tests.tui.test_game import middle
from tui.replay.timeline import KINDS
from tui.screens import records
from tui.style.palette import chosen
from tui.widgets import jobs
from tui.widgets.timeline_bar import sign


async def played(folder: Path) -> None:
    """Save a short game."""

    async def play() -> None:
        async with desk(folder, start=middle()) as at:
            await at.press("space", "right", "down", "left", "space")
            await at.press(*("e", "enter") * 6)
            assert len(at.lines) == 9

    await played_once("replay", folder, play)


async def test_replay_steps_by_entries_both_ways(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        first = at.text
        assert "entry 0 of 9" in at.rows()[0]
        await at.press("right", "right")
        assert at.note == "Eldoin's sword bearers move to 3,3, 8 moves left."
        await at.press("left", "left")
        assert at.text == first


async def test_forward_step_is_animated_until_a_key(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        at.app.speed = 2
        await at.press("right", "right")
        screen, motion = at.replay, at.replay.motion
        motion.end_frames()
        screen.action_walk(1)
        assert screen.board.drawing.flashed
        assert motion._ticking is not None
        motion._ticking.pause()
        await at.press("w")
        assert not screen.board.drawing.flashed
        assert screen.viewing.index == 3
        screen.action_look()
        screen.action_walk(-1)
        assert not screen.board.drawing.flashed
        at.app.change(replace(at.app.settings, animation="off"))
        screen.action_walk(1)
        assert not screen.board.drawing.flashed


async def test_replay_steps_by_phases_and_rounds(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("down")
        assert at.note == "Eldoin: end phase"
        assert at.replay.viewing.index == 4
        await at.press("down", "up")
        assert at.replay.viewing.index == 4
        await at.press("n")
        assert at.replay.viewing.status.round == 2
        await at.press("p")
        assert at.replay.viewing.status.round == 1
        await at.press("end")
        assert "entry 9 of 9" in at.rows()[0]
        await at.press("right", "home")
        assert "entry 0 of 9" in at.rows()[0]


async def test_continuing_from_an_entry_makes_a_branch_and_loses_nothing(tmp_path: Path) -> None:
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


async def test_replay_shows_and_follows_branches(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("right", "g")
        await at.press("e", "enter", "q")
    async with desk(tmp_path, replay_name="game") as at:
        assert "of 10" in at.rows()[0]
        await at.press("b")
        assert "Branches" in at.text
        assert "(watched)" in at.text
        await at.press("down", "enter")
        assert "of 9" in at.rows()[0]
        await at.press("right")
        assert "branches here" in at.text


async def test_watching_does_not_change_the_save(tmp_path: Path) -> None:
    await played(tmp_path)
    before = (tmp_path / "game.bnr").read_bytes()
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("end", "home", "q")
    assert (tmp_path / "game.bnr").read_bytes() == before


async def read(at: Desk) -> None:
    """Wait until the log has been read."""
    while not at.replay.viewing.story.is_whole:
        await at.app.workers.wait_for_complete()
        await at.rest()


async def type_in(at: Desk, text: str) -> None:
    """Type into the input of a window."""
    at.app.screen.query_one(Input).value = text
    await at.press("enter")


async def test_keys_work_while_the_log_is_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(tmp_path)
    monkeypatch.setattr(jobs, "_WORK", 0)
    monkeypatch.setattr(jobs, "_REST", 3600)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("right", "right")
        assert at.replay.viewing.index == 2
        assert at.replay.viewing.story.done == 1
        await at.press("slash")
        await type_in(at, "r2")
        assert at.replay.viewing.status.round == 2
        await at.press("slash")
        await type_in(at, "loss")
        assert "as far as the log has been read" in at.note


async def test_events_inside_an_entry_can_be_stepped_through(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        sizes = [len(entry.events) for entry in at.replay.viewing.line]
        many = next(place for place, size in enumerate(sizes[1:], 1) if size > 1)
        await at.press(*["right"] * (many - 1), "full_stop")
        assert f"event 1 of {sizes[many]}" in at.rows()[0]
        await at.press("full_stop")
        assert at.replay.viewing.part == 2
        await at.press("comma", "comma")
        assert at.replay.viewing.index == many - 1
        assert "event" not in at.rows()[0]


async def test_timeline_shows_round_starts_and_a_click_goes_there(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await read(at)
        assert at.rows()[-2].count("│") >= 1
        await at.pilot.click("#timebar", offset=(78, 0))
        await at.rest()
        assert at.replay.viewing.index == 9
        await at.pilot.click("#timebar", offset=(1, 0))
        await at.rest()
        assert at.replay.viewing.index == 0


async def test_progress_of_reading_the_log_disappears_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "_TOLD", 1)
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        before = at.note
        await at.press("P")
        await at.app.workers.wait_for_complete()
        await at.press("escape")
        assert at.note == before


async def test_markers_of_chosen_kinds_can_be_stepped_through(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await read(at)
        await at.press("right_square_bracket")
        second = at.replay.viewing.story.start_of_round(2)
        assert at.replay.viewing.index == second
        await at.press("m")
        assert "[ ] '  phases" in at.text
        await at.press("end", "space", "enter", "home", "right_square_bracket")
        assert at.replay.viewing.index == at.replay.viewing.story.closing[0]
        await at.press("left_square_bracket", "left_square_bracket")
        assert "no marker before" in at.note


async def test_search_accepts_entry_numbers_and_queries(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await read(at)
        await at.press("slash")
        await type_in(at, "4")
        assert at.replay.viewing.entry.seq == 4
        await at.press("slash")
        await type_in(at, "2.1")
        assert (at.replay.viewing.entry.seq, at.replay.viewing.part) == (2, 1)
        await at.press("slash")
        await type_in(at, "move wher")
        assert "column 6" in at.text
        await type_in(at, "move where seat = Eldoin")
        assert "3 found" in at.text
        await at.press("enter")
        first = at.replay.viewing.index
        assert at.replay.viewing.facts()[-1].kind == "move"
        assert "found" in at.note
        await at.press("N")
        assert at.replay.viewing.index < first
        await at.press("n")
        assert at.replay.viewing.index == first
        await at.press("escape", "n")
        assert at.replay.viewing.status.round == 2
        await at.press("slash")
        await type_in(at, "loss")
        assert "Nothing like that" in at.note


async def test_view_of_a_seat_can_be_chosen(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("s", "down", "enter")
        assert "seen by Eldoin" in at.rows()[0]
        assert at.replay.viewing.viewer == 0
        await read(at)
        assert at.replay.viewing.story.viewer == 0


async def test_comment_is_kept_shown_listed_and_removed(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("right", "c")
        await type_in(at, "A bold step")
        assert '"A bold step"' in at.text
        await at.press("end", "C")
        assert "#1     A bold step" in at.text
        await at.press("enter")
        assert at.replay.viewing.index == 1
    assert [comment.text for comment in Folder(tmp_path).read("game").comments] == ["A bold step"]
    async with desk(tmp_path, replay_name="game") as at:
        await read(at)
        assert at.rows()[-2].count('"') == 1
        await at.press("right_square_bracket")
        assert '"A bold step"' in at.text
        await at.press("c")
        await type_in(at, "")
        assert "bold" not in at.text
        await at.press("C")
        assert "no comments" in at.note


async def test_save_open_elsewhere_takes_no_comment(tmp_path: Path) -> None:
    await played(tmp_path)
    elsewhere = Folder(tmp_path).open("game")
    assert elsewhere.file is not None
    try:
        async with desk(tmp_path, replay_name="game") as at:
            await at.press("c")
            await type_in(at, "nothing")
            assert "Not kept" in at.note
    finally:
        elsewhere.file.close()


async def test_charts_show_one_number_at_a_time(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await read(at)
        await at.press("H")
        assert "units, by rounds (1 of 4)" in at.text
        assert "⠤⠤⠤ Eldoin" in at.text
        await at.press("right")
        assert "(2 of 4)" in at.text
        await at.press("escape")
        assert "by rounds" not in at.text


async def test_branch_can_be_continued_from_the_tree(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("right", "g")
        await at.press("e", "enter", "q")
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("b")
        assert "└─ 8 entries after entry 1: " in at.text
        await at.press("down", "g")
        assert len(at.lines) == 9


async def test_range_is_exported_without_overwriting_a_file(tmp_path: Path) -> None:
    await played(tmp_path)
    target = tmp_path / "game.cast"
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("E", "enter")
        await type_in(at, "x")
        assert "Two numbers" in at.text
        await type_in(at, "2-5")
        await type_in(at, str(target))
        await at.app.workers.wait_for_complete()
        await at.rest()
        assert "Written" in at.note
        assert at.replay.viewing.index == 0
        await at.press("E", "enter")
        await at.press("enter")
        await type_in(at, str(target))
        assert "There is a file of that name already." in at.text
    lines = target.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["version"] == 2
    assert sum(json.loads(line)[1] == "o" for line in lines[1:]) == 5


async def test_replay_plays_automatically_until_stopped_or_at_the_end(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        at.app.speed = None
        await at.press("space")
        assert "playing" in at.rows()[0]
        await at.press("space")
        assert "playing" not in at.rows()[0]
        await at.press("space", *["plus"] * 5)
        while "playing" in at.rows()[0]:
            await at.pilot.pause(0.02)
        assert at.replay.viewing.index == 9


async def test_simultaneous_game_plays_event_by_event(tmp_path: Path) -> None:
    async with desk(tmp_path, start=orders()) as at:
        await at.game.session.submit("move path=6>4 count=12")
        await at.press("s", "enter", "enter", "s", "enter")
    async with desk(tmp_path, replay_name="orders") as at:
        watch, seen = at.replay.viewing, []
        while watch.index < watch.last or watch.is_between:
            watch.play_on()
            seen += [line.text for line in watch.said()[-1:]]
        fights = [text for text in seen if text.startswith("Step 1, 4 Quenby: ")]
        assert len(fights) == len({*fights}) > 3
        before = watch.index, watch.part
        watch.play_on()
        assert (watch.index, watch.part) == before


async def test_timeline_is_hidden_in_a_small_window(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, size=(160, 50), replay_name="game") as at:
        await read(at)
        assert at.replay.timebar.size.height == 2
        assert at.rows()[-2].split() == ["1", "2"]
        await at.pilot.resize_terminal(30, 10)
        await at.rest()
        assert not at.replay.timebar.display
        assert "larger" in at.text


async def test_timeline_in_ascii_without_colours_shows_the_current_entry(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        at.app.glyphs, at.app.palette = "ascii", chosen("none")
        at.replay.dress()
        await read(at)
        await at.press("end")
        assert at.rows()[-2].isascii()
        assert at.rows()[-1].isascii()
        strip = at.replay.timebar.render_line(0)
        shown = [part for part in strip if part.style is not None and part.style.reverse]
        assert [len(part.text) for part in shown] == [1]
        assert shown[0] is list(strip)[-2]


def test_signs_of_markers_differ_in_every_set() -> None:
    for signs in ("rich", "box", "ascii"):
        found = {sign(kind, signs) for kind in KINDS}
        assert len(found) == len(KINDS)
        assert signs != "ascii" or all(one.isascii() for one in found)


async def test_replay_offers_luck_rules_and_minimap(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await read(at)
        await at.press("right", "K")
        assert "So far" in at.text
        await at.press("escape", "W", "enter")
        assert "WD-MOVE-" in at.text
        await at.press("escape", "M")
        assert at.replay.minimap.display
        await at.press("M", "S")
        assert at.app.screen is not at.replay


async def test_cursor_moves_over_the_board_while_watching(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        start = at.cursor
        await at.press("w", "right", "down")
        assert at.cursor == (start[0] + 1, start[1] + 1)
        assert "entry 0 of 9" in at.rows()[0]
        view, presenter = at.replay.viewing.view, at.replay.telling
        place = at.replay.side.region
        panel = [row[place.x : place.right] for row in at.rows()[place.y : place.bottom]]
        looked = presenter.look(view, *at.cursor)[0].text
        assert looked in " ".join(" ".join(panel).split())
        await at.press(*["up"] * 30, *["left"] * 90)
        assert at.cursor == (0, 0)
        await at.press("escape", "right")
        assert "entry 1 of 9" in at.rows()[0]


async def test_actions_and_things_can_be_chosen_by_name_while_watching(tmp_path: Path) -> None:
    await played(tmp_path)
    async with desk(tmp_path, replay_name="game") as at:
        await at.press("colon", *"to the end", "enter")
        assert "entry 9 of 9" in at.rows()[0]
        found = at.replay.telling.finds(at.replay.viewing.view)[-1]
        await at.press("colon")
        await type_in(at, found.text)
        assert at.cursor == found.at
