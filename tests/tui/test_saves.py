"""The list of saves: searching, sorting, pictures, copies, repair."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from engine.core.archive import SaveInfo, SeatPlayer
from engine.core.ids import PUBLIC, REFEREE
from engine.core.registry import find
from saves.archive import Folder
from tests.tui.piloted_app import FORD, TWO_PEOPLE, Desk, desk
from tui.console.faults import keep
from tui.play.saved_games import ORDERS, chosen, look_into, played, row, viewer_of
from tui.play.setup import NewGame, begin
from tui.screens.saves import SavesScreen

NOW = datetime.datetime(2026, 3, 2, 12, 0, tzinfo=datetime.UTC)


def info(name: str, *, age: float = 0.0, entries: int = 1, title: str = "T") -> SaveInfo:
    when = NOW.timestamp() - age
    return SaveInfo(name, "r", title, (SeatPlayer(0, "Eldoin"),), entries, 10, when)


def stored(folder: Path, name: str, lines: tuple[tuple[int, str], ...] = ()) -> None:
    """Save a game after some lines."""
    start = NewGame("weltendaemmerung", "ford", players=TWO_PEOPLE, seed=b"1", name=name)
    table = begin(Folder(folder), start, keep)
    for seat, line in lines:
        assert table.submit(seat, line).ok
    table.close()


async def opened(at: Desk) -> SavesScreen:
    """Open the list of saves, without the delay before a preview."""
    SavesScreen.pause = 0.0
    at.app.load_game()
    await settled(at)
    assert isinstance(at.app.screen, SavesScreen)
    return at.app.screen


async def settled(at: Desk) -> None:
    """Wait for the timer and everything it starts."""
    for _ in range(3):
        await at.pilot.pause()
        await at.app.workers.wait_for_complete()


def test_every_word_must_occur_somewhere() -> None:
    saves = [info("One"), info("Two", title="The Ford"), info("Three")]
    assert [found.name for found in chosen(saves, "name", "")] == ["One", "Three", "Two"]
    assert [found.name for found in chosen(saves, "name", "ford eld")] == ["Two"]
    assert chosen(saves, "name", "ford one") == ()


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("last played", ["b", "a", "c"]),
        ("name", ["a", "b", "c"]),
        ("game", ["a", "c", "b"]),
        ("longest", ["c", "a", "b"]),
    ],
)
def test_saves_are_sorted_by_the_chosen_order(order: str, names: list[str]) -> None:
    saves = [
        info("a", age=50, entries=5, title="A"),
        info("b", age=1, entries=2, title="B"),
        info("c", age=90, entries=9, title="A"),
    ]
    assert set(ORDERS) == {"last played", "name", "game", "longest"}
    assert [found.name for found in chosen(saves, order, "")] == names


@pytest.mark.parametrize(
    ("age", "words"), [(60, "today 11:59"), (86400, "yest. 12:00"), (86400 * 9, "2026-02-21")]
)
def test_date_of_a_save_is_short(age: float, words: str) -> None:
    assert played(info("a", age=age), NOW) == words
    assert len(row(info("n" * 99, age=age), NOW)) == len(row(info("n", age=age), NOW))


async def test_position_of_the_save_is_shown(tmp_path: Path) -> None:
    stored(tmp_path, "one", ((0, "end-phase"),))
    async with desk(tmp_path) as at:
        await opened(at)
        assert "Dailor · Movement" in at.text
        assert "To act" not in at.text
        assert "8       8" in at.text


async def test_preview_names_the_players_to_act_if_the_phase_does_not(tmp_path: Path) -> None:
    people = (SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch"))
    begin(Folder(tmp_path), NewGame("toy", players=people, seed=b"1", name="toy"), keep).close()
    async with desk(tmp_path) as at:
        await opened(at)
        assert "To act: Amber, Birch" in at.text


async def test_typing_narrows_the_list_and_escape_shows_all_again(tmp_path: Path) -> None:
    stored(tmp_path, "one")
    stored(tmp_path, "two")
    async with desk(tmp_path) as at:
        screen = await opened(at)
        await at.press("slash", "t", "w")
        assert screen.choices.option_count == 1
        assert "two" in at.text
        assert "one  " not in at.text
        await at.press("enter", "escape")
        assert screen.choices.option_count == 2
        await at.press("slash", "z")
        assert "No save has all these words." in at.text
        await at.press("escape", "escape")
        assert "Learn to play" in at.text


async def test_order_cycles_and_the_cursor_stays_on_its_save(tmp_path: Path) -> None:
    stored(tmp_path, "b")
    stored(tmp_path, "a")
    async with desk(tmp_path) as at:
        screen = await opened(at)
        await at.press("end")
        under = screen._chosen
        await at.press("o")
        assert screen.order == "name"
        assert screen._chosen == under
        await at.press("o", "o", "o")
        assert screen.order == "last played"


async def test_save_can_be_copied(tmp_path: Path) -> None:
    stored(tmp_path, "one")
    async with desk(tmp_path) as at:
        await opened(at)
        await at.press("c")
        assert {found.name for found in Folder(tmp_path).listing()} == {"one", "one 2"}


async def test_damaged_save_can_be_repaired_from_the_list(tmp_path: Path) -> None:
    stored(tmp_path, "one", ((0, "end-phase"), (1, "end-phase"), (0, "end-phase")))
    path = tmp_path / "one.bnr"
    data = bytearray(path.read_bytes())
    data[-200] ^= 0xFF
    path.write_bytes(bytes(data))
    async with desk(tmp_path) as at:
        await opened(at)
        assert "damaged" in at.text
        await at.press("enter")
        assert "Repair one?" in at.text
        await at.press("enter")
        await settled(at)
        assert "damaged" not in at.text
        await at.press("enter")
        assert 0 < len(at.lines) < 3


async def test_unreadable_save_is_reported_in_its_preview(tmp_path: Path) -> None:
    (tmp_path / "bad.bnr").write_bytes(b"\0" * 100)
    found = await look_into(Folder(tmp_path), "bad")
    assert found.board is None
    assert found.lines[0].text.startswith("bad")


def test_preview_shows_no_secrets_of_other_people(tmp_path: Path) -> None:
    people = (SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch"))
    for players, viewer in ((people, PUBLIC), ((people[0], SeatPlayer(1, "B", "easy")), 0)):
        start = NewGame("toy", players=players, seed=b"1", name="toy")
        table = begin(Folder(tmp_path), start, keep)
        table.close()
        name = table.file.name if table.file is not None else ""
        read = Folder(tmp_path).read(name)
        assert viewer_of(find("toy"), read, table.game.state) == viewer
    table = begin(Folder(tmp_path), FORD, keep)
    table.close()
    read = Folder(tmp_path).read("game")
    assert viewer_of(find("weltendaemmerung"), read, table.game.state) == REFEREE
