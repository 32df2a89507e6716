"""Animations: the order of frames, hidden information, and the bytes sent to a terminal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.core.containers import Plane
from engine.core.ids import REFEREE
from engine.core.record import replace
from engine.tabletop.board import Board, BoardMark, Line
from engine.tabletop.fact import EventMoment, Fact, Odds
from engine.tabletop.roles import MarkSign
from saves.archive import Folder
from tests.tui.animations import animated, bytes_of, play, play_orders, watching
from tests.tui.piloted_app import FORD, desk
from tui.console.faults import keep
from tui.play.animation import BoardChange, PlaybackFrame, ShownCell, frames
from tui.play.setup import resume

GAMES = {
    "weltendaemmerung": ("ford", 110),
    "warlords2": ("skirmish", 82),
    "lordsawar": ("border", 110),
    "kaladan": ("duel", 120),
}
"""A scenario of each game, and a number of entries after which much has moved."""

MOST_BYTES = 2000
"""Maximum bytes that an animation may add on a screen of 120 x 40."""


def board(**pieces: tuple[int, int, int]) -> Board:
    """Return ten by four cells of grass with pieces, by name: x, y and owner."""
    ground, piece = np.ones((4, 10), np.int16), np.zeros((4, 10), np.int16)
    owner = np.full((4, 10), -1, np.int8)
    for x, y, seat in pieces.values():
        piece[y, x], owner[y, x] = 2 + seat, seat
    nowhere = Plane(np.full((4, 10), -1, np.int16))
    return Board(Plane(ground), Plane(piece), Plane(owner), nowhere)


def where(change: BoardChange, frame: PlaybackFrame, seat: int) -> list[tuple[int, int]]:
    """Return the cells in which a frame shows pieces of a seat."""
    drawn = change.drawn(frame.cells)
    rows, columns = np.nonzero((drawn.owner.cells == seat) & (drawn.piece.cells > 0))
    return sorted(zip(columns.tolist(), rows.tolist(), strict=True))


def blow(source: tuple[int, int], at: tuple[int, int], damage: int) -> Fact:
    odds = Odds(((damage, 1),))
    return Fact("attack", 0, 1, at=at, source=source, amount=damage, odds=odds)


# -- marches -----------------------------------------------------------------------------------


def test_piece_moves_cell_by_cell_and_is_in_one_place_only() -> None:
    change = BoardChange(board(a=(0, 1, 0)), board(a=(9, 1, 0)))
    steps = [Fact("move", 0, at=(x, 1), source=(x - 1, 1)) for x in range(1, 10)]
    at_once = [Fact("move", 0, at=(9, 1), source=(0, 1), way=tuple((x, 1) for x in range(1, 10)))]
    for facts in (steps, at_once):
        *made, last = frames(facts, (), change)
        places = [where(change, frame, 0) for frame in made]
        assert places == sorted(places)
        assert all(len(found) == 1 for found in places)
        assert places[0][0][0] < 3
        assert places[-1][0][0] > 6
        assert len(made) == 7
        assert last == PlaybackFrame()
        assert where(change, last, 0) == [(9, 1)]


def test_single_step_is_one_mark_on_the_old_cell() -> None:
    change = BoardChange(board(a=(0, 1, 0)), board(a=(1, 1, 0)))
    one, last = frames([Fact("move", 0, at=(1, 1), source=(0, 1))], (), change)
    assert [(mark.x, mark.y) for mark in one.marks] == [(0, 1)]
    assert where(change, one, 0) == [(1, 1)]
    assert last == PlaybackFrame()


def test_march_is_shown_before_the_blow() -> None:
    change = BoardChange(board(a=(0, 1, 0), b=(6, 1, 1)), board(a=(5, 1, 0)))
    way = tuple((x, 1) for x in range(1, 6))
    facts = [
        Fact("move", 0, at=(5, 1), source=(0, 1), way=way),
        blow((5, 1), (6, 1), 12),
        Fact("loss", 1, 0, at=(6, 1)),
    ]
    made = frames(facts, (), change)
    signs = [{mark.sign for mark in frame.marks} for frame in made]
    first = next(at for at, found in enumerate(signs) if MarkSign.TARGET in found)
    assert all(where(change, frame, 1) == [(6, 1)] for frame in made[:first])
    assert where(change, made[first], 0) == [(5, 1)]


# -- shots -------------------------------------------------------------------------------------


def test_shot_flies_then_target_flashes_shows_its_loss_and_fades() -> None:
    change = BoardChange(board(a=(0, 2, 0), b=(6, 2, 1)), board(a=(0, 2, 0)))
    made = frames([blow((0, 2), (6, 2), 12), Fact("loss", 1, 0, at=(6, 2))], (), change)
    shots = [frame for frame in made if any(mark.text == "*" for mark in frame.marks)]
    xs = [mark.x for frame in shots for mark in frame.marks if mark.text == "*"]
    assert xs == sorted(xs)
    assert set(xs) <= set(range(1, 6))
    assert made[: len(shots)] == shots
    flash, told = made[len(shots)], made[len(shots) + 1]
    assert BoardMark(6, 2, MarkSign.TARGET, "x") in flash.marks
    assert [mark.text for mark in told.marks if mark.y == 1] == ["12", " "]
    assert [mark.short for mark in told.marks if mark.y == 1] == ["1", "2"]
    fading, gone = made[-2:]
    assert where(change, told, 1) == [(6, 2)]
    assert fading.cells == (ShownCell((6, 2), (6, 2), is_fallen=True),)
    assert change.drawn(fading.cells).owner[2, 6] == -1
    assert where(change, gone, 1) == []
    assert len(made[:-1]) * 0.04 < 0.3


def test_wall_stays_until_it_is_hit() -> None:
    before = board(a=(0, 1, 0))
    after = replace(before, ground=before.ground.put(4, 1, 7))
    change = BoardChange(before, after)
    made = frames([Fact("capture", 0, 1, at=(4, 1), source=(0, 1))], (), change)
    grounds = [change.drawn(frame.cells).ground[1, 4] for frame in made]
    assert grounds == sorted(grounds)
    assert (grounds[0], grounds[-1]) == (1, 7)


def test_loss_is_shown_where_it_hides_no_piece() -> None:
    both = board(a=(0, 1, 0), b=(4, 1, 1), c=(4, 0, 0))
    told = frames([blow((0, 1), (4, 1), 7)], (), BoardChange(both, both))
    numbers = {(mark.x, mark.y) for frame in told for mark in frame.marks if mark.text == "7"}
    assert numbers == {(4, 2)}


# -- arrows and moments ------------------------------------------------------------------------


def test_arrows_of_a_phase_grow_together_to_their_heads() -> None:
    near = Fact("move", 0, at=(10, 2), source=(2, 2), piece="army")
    far = Fact("move", 1, at=(30, 12), source=(2, 12), piece="army")
    made = frames([near, far])
    rows = [{mark.y for mark in frame.marks} for frame in made[:-1]]
    assert rows == [{2, 12}] * 6
    counts = [len(frame.marks) for frame in made[:-1]]
    assert counts == sorted(counts)
    heads = {(mark.x, mark.y): mark.text for mark in made[-2].marks}
    assert heads[10, 2] == heads[30, 12] == ">"


def test_many_arrows_are_drawn_with_gaps() -> None:
    facts = [Fact("move", n, at=(n + 40, 30), source=(n, 2)) for n in range(9)]
    assert max(len(frame.marks) for frame in frames(facts)) < 60


def test_end_of_a_long_fight_is_always_shown() -> None:
    moments = [
        EventMoment((), tuple(Line(f"{row} of blow {number}") for row in range(10)))
        for number in range(40)
    ]
    attack = Fact("attack", 0, 1, at=(1, 1))
    made = frames([attack], moments)
    assert len(made) <= 25
    assert made[-2].lines == moments[-1].lines
    few = frames([attack], moments, most=5)
    assert len(few) == 6
    assert few[-2].lines == moments[-1].lines


# -- games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", [*GAMES, "gd6"])
async def test_animation_sends_few_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruleset: str
) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    if ruleset == "gd6":
        play_orders(tmp_path)
    else:
        play(tmp_path, ruleset, *GAMES[ruleset])
    sent: dict[str, list[int]] = {}
    async with watching(tmp_path, (120, 40)) as (at, driver):
        for shown in animated(at.table, REFEREE, at.game.session.zoom):
            kind = "fight" if shown.scene.moments else shown.scene.facts[0].kind
            if len(sent.setdefault(kind, [])) < 3:
                sent[kind].append(await bytes_of(at, driver, shown))
        assert at.app.depth == "truecolor"
    assert "move" in sent
    assert all(sum(found) > 0 for found in sent.values())
    assert max(most for found in sent.values() for most in found) <= MOST_BYTES, sent


@pytest.mark.parametrize("ruleset", ["warlords2", "lordsawar"])
def test_frames_of_other_sides_stay_within_sight(tmp_path: Path, ruleset: str) -> None:
    scenario, entries = {"warlords2": ("mist", 60), "lordsawar": ("fen", 60)}[ruleset]
    play(tmp_path, ruleset, scenario, entries)
    table = resume(Folder(tmp_path), "game", keep)
    seen = 0
    for viewer in range(2):
        for shown in animated(table, viewer):
            visible = shown.scene.view.visible
            for fact in shown.scene.facts:
                if fact.kind == "move" and fact.seat != viewer:
                    assert all(visible[y, x] for x, y in fact.way)
                    seen += 1
            for frame in shown.frames:
                boards = (shown.change.after, shown.change.before)
                assert all(boards[cell.is_before].piece.has(*cell.of) for cell in frame.cells)
    table.close()
    assert seen


# -- screens -----------------------------------------------------------------------------------


async def test_end_of_a_fight_stays_in_the_panel_until_a_key(tmp_path: Path) -> None:
    blows = [EventMoment((), (Line(f"Blow {number}"),)) for number in range(3)]
    async with desk(tmp_path, start=FORD) as at:
        at.app.speed = 2
        at.game.shows.play([Fact("attack", 0, 1, at=(1, 1))], blows)
        while at.game.shows.seconds_left:
            await at.pilot.pause(0.01)
        at.game.sync()
        await at.pilot.pause()
        assert "Blow 2" in at.text
        assert at.game.shows._ticking is None
        await at.press("right")
        assert "Blow" not in at.text


async def test_key_ends_a_march_animation_at_once(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at.press("space")
        before = at.game.session.board
        await at.press("down", "down")
        at.app.speed = 2
        after = at.game.session.board
        (fact,) = (Fact("move", 0, at=there, source=here) for here, there in [moved(before, after)])
        middle = (fact.source[0], fact.source[1] + 1)  # type: ignore[index]  # it has a source
        fact = replace(fact, way=(middle, fact.at))
        at.game.shows.play([fact], (), BoardChange(before, after))
        assert at.game.board.board is not after
        at.game.sync()
        assert at.game.board.board is not after
        await at.press("right")
        assert at.game.board.board == at.game.session.board


def moved(before: Board, after: Board) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the cells that a piece left and entered."""
    changed = (before.piece.cells > 0) ^ (after.piece.cells > 0)
    rows, columns = np.nonzero(changed)
    cells = list(zip(columns.tolist(), rows.tolist(), strict=True))
    cells.sort(key=lambda at: not before.piece[at[1], at[0]])
    return cells[0], cells[1]


async def test_nothing_is_animated_while_keys_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk(tmp_path, start=FORD) as at:
        at.app.speed = 2
        fact = Fact("attack", 0, 1, at=(1, 1), source=(5, 1))
        monkeypatch.setattr(type(at.app), "has_keys", property(lambda _: True))
        at.game.shows.play([fact])
        assert not at.game.board.drawing.flashed
        monkeypatch.undo()
        at.game.shows.play([fact])
        assert at.game.board.drawing.flashed


async def test_moves_seen_by_one_person_are_not_animated_for_the_next(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        session = at.game.session
        session.facts.append(Fact("move", 0, at=(1, 1), source=(0, 1)))
        await at.press("e", "enter", "e", "enter", "e", "enter")
        assert session.viewer == 1
        assert session.facts == []
        assert session.board_before is None
