"""A position in a saved game, and its viewer."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine.core.archive import Comment, Header, Opened, SeatPlayer
from engine.core.ids import PUBLIC, REFEREE
from engine.core.notation import write
from engine.core.record import replace
from engine.core.registry import find
from engine.core.replay import fold
from saves.archive import Folder
from tests.contract.walks import SEED, grounds
from tests.saves.games import saved
from tests.tui.piloted_app import desk
from tui.play.players import think
from tui.play.setup import NewGame
from tui.play.table import Table
from tui.replay.watch import WHOLE, Watch


@cache
def game() -> Opened:
    with TemporaryDirectory() as folder:
        return Folder(Path(folder)).read(str(saved(Path(folder), entries=60)))


def secret(entries: int, bots: tuple[str, str]) -> Opened:
    """Play a game of the toy rules, up to ``entries`` entries."""
    rules = find("toy")
    players = tuple(SeatPlayer(seat, f"p{seat}", bot) for seat, bot in enumerate(bots))
    header = Header("toy", rules.schema, SEED, players)
    table = Table.begin(rules, grounds(rules)[0], {}, header)
    while (seat := table.to_act()) is not None and len(table.game.log) < entries:
        view = table.game.view(seat)
        for command in think(rules, "easy", view, seat, SEED, len(table.game.log)):
            if not table.submit(seat, write(command)).ok:
                break
    return Opened("secret", header, table.game.log)


def test_seeking_shows_the_state_after_the_entry() -> None:
    watch = Watch(game())
    for place in (59, 0, 31, 30, 32):
        watch.seek(place)
        assert watch.state == fold(watch.rules, watch.line[: place + 1])
    watch.seek(10_000)
    assert watch.index == 59


def test_events_can_be_stepped_both_ways_across_entries() -> None:
    watch = Watch(game())
    forth = [(0, watch.part, watch.state)]
    total = sum(len(entry.events) for entry in watch.line)
    while (watch.index, watch.part) != (59, len(watch.line[59].events)):
        watch.step_event(1)
        forth.append((watch.index, watch.part, watch.state))
    assert len(forth) == total - len(watch.line[0].events) + 1
    watch.step_event(1)
    back = [(watch.index, watch.part, watch.state)]
    while watch.index > 0:
        watch.step_event(-1)
        back.append((watch.index, watch.part, watch.state))
    assert back[::-1] == forth


def test_rounds_and_phases_lead_to_their_start() -> None:
    watch = Watch(game())
    watch.step_round(1)
    second = watch.index
    assert watch.status.round == 2
    watch.seek(second - 1)
    assert watch.status.round == 1
    watch.step_phase(1)
    assert watch.index == second
    watch.step_round(-1)
    assert watch.status.round == 1


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("12", (12, WHOLE)),
        ("#12", (12, WHOLE)),
        ("2.3", (2, 3)),
        ("999", (59, WHOLE)),
        ("999.3", (59, WHOLE)),
        ("0", (0, WHOLE)),
        ("50%", (30, WHOLE)),
        ("100%", (59, WHOLE)),
        ("loss", None),
    ],
)
def test_entries_can_be_named(text: str, place: tuple[int, int] | None) -> None:
    assert Watch(game()).place_named(text) == place


@pytest.mark.parametrize("told", [False, True])
def test_rounds_can_be_named_before_and_after_reading_the_log(*, told: bool) -> None:
    watch = Watch(game())
    for _ in watch.story.walk() if told else ():
        pass
    found = watch.place_named("r2")
    assert found is not None
    watch.seek(*found)
    assert watch.status.round == 2
    watch.seek(found[0] - 1)
    assert watch.status.round == 1


def test_game_without_secrets_has_every_viewer() -> None:
    watch = Watch(game())
    assert watch.viewers == (REFEREE, 0, 1)
    assert [watch.name_of(viewer) for viewer in watch.viewers] == ["all-seeing", *watch.seats]


def test_finished_game_with_secrets_has_every_viewer() -> None:
    watch = Watch(secret(10_000, ("easy", "easy")))
    assert not watch.is_secret
    assert watch.viewers == (REFEREE, 0, 1)
    watch.seek(len(watch.line) // 2)
    everything = watch.said()
    watch.look_as(1)
    assert watch.view == watch.rules.view(watch.state, 1)
    assert not watch.may_count
    assert len(watch.said()) <= len(everything)


def test_running_game_with_secrets_has_only_the_public_view() -> None:
    watch = Watch(secret(8, ("", "")))
    assert watch.is_secret
    assert watch.viewers == (PUBLIC,)
    watch.look_as(REFEREE)
    assert watch.viewer == PUBLIC


def test_lone_player_against_computers_sees_the_own_side() -> None:
    watch = Watch(secret(8, ("easy", "")))
    assert watch.viewers == (1, PUBLIC)
    hidden = [entry for entry in watch.line if entry.seat == 0]
    assert hidden
    for place, entry in enumerate(watch.line):
        watch.seek(place)
        shown = watch.command()
        if entry.command is not None:
            assert ("hidden" in shown) == (entry.seat != 1)
            assert "=" not in shown


def test_entries_hidden_from_the_viewer_are_skipped() -> None:
    watch = Watch(secret(10_000, ("easy", "easy")))
    watch.look_as(PUBLIC if PUBLIC in watch.viewers else 1)
    watch.seek(0)
    seen = []
    while watch.index < watch.last:
        watch.step(1)
        seen.append((watch.index, bool(watch.told), watch.entry.seat))
    assert all(told or seat == watch.viewer for _, told, seat in seen[:-1])


def test_latest_comment_counts_and_an_empty_one_removes_it() -> None:
    said = (Comment(3, "first"), Comment(4, "here"), Comment(3, "second"), Comment(4, ""))
    watch = Watch(replace(game(), comments=said))
    assert watch.comments() == {3: "second"}
    watch.seek(3)
    assert watch.comment() == "second"


def test_twin_moves_independently() -> None:
    watch = Watch(game())
    watch.seek(20)
    twin = watch.twin()
    assert (twin.index, twin.viewer) == (20, watch.viewer)
    twin.seek(40)
    assert watch.index == 20


async def test_new_game_between_computers_is_watched(tmp_path: Path) -> None:
    computers = (SeatPlayer(0, "Eldoin", "easy"), SeatPlayer(1, "Dailor", "easy"))
    async with desk(
        tmp_path, start=NewGame("weltendaemmerung", "ford", players=computers, seed=b"1")
    ) as at:
        assert "has won" in at.text
