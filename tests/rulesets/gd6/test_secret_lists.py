"""Lists of a seat are hidden from others until they are executed.

A game is played up to some moment of a turn. Then one seat writes a list, and another list in an
otherwise equal second game; it seals in both or in neither. Everything that the program shows the
other seats and the public is compared, as bytes.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.core.archive import SeatPlayer as Sitting
from engine.core.containers import Roster
from engine.core.game import Game
from engine.core.ids import PUBLIC
from engine.core.record import replace, tag
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6.commands import AnyCommand
from engine.rulesets.gd6.lists import project
from engine.rulesets.gd6.state import State
from engine.rulesets.gd6.territories import owned
from saves.archive import Folder
from tests.rulesets.gd6.outputs import outputs
from tests.rulesets.gd6.table import Play, say
from tests.rulesets.gd6.turn_positions import openings
from tui.linemode.play_command import Lines
from tui.linemode.voice import Voice, from_stream
from tui.play.setup import NewGame

CHOICES: Final = st.lists(st.integers(0, 9999), max_size=6)
"""Numbers that each choose one of a seat's offers."""

Played = list[tuple[int, AnyCommand]]


def begun(state: State) -> Play:
    """Begin a game from a position, with empty, open lists and without seats that lack land."""
    players = []
    for player in state.players.values():
        out = player.status == "active" and not owned(state, player.id)
        status = "eliminated" if out else player.status
        fresh = replace(player, orders=(), sealed=False, conceding=False, status=status)
        players.append(fresh)
    scene = RULES.position(replace(state, players=Roster(players)))
    return Game.begin(RULES, scene, {}, b"table")


def a_turn(game: Play, state: State) -> None:
    """Let every seat seal those orders of its list that pass its checks."""
    for seat in sorted(RULES.owes(game.state)):
        for order in state.players[seat].orders:
            seen = game.view(seat)
            own = replace(seen.players[seat], orders=(*seen.players[seat].orders, order))
            if not project(replace(seen, players=seen.players.put(own))).refused:
                game.submit(seat, order)
        say(game, seat, "seal")


def write(game: Play, seat: int, choices: list[int]) -> None:
    """Write offered lines for a seat, and drop or change some of them."""
    for choice in choices:
        kinds: dict[str, list[AnyCommand]] = {}
        for command in RULES.offers(game.view(seat)):
            if tag(command) not in {"seal", "unseal", "concede"}:
                kinds.setdefault(tag(command), []).append(command)
        if kinds:
            rest, kind = divmod(choice, len(kinds))
            listed = list(kinds.values())[kind]
            game.submit(seat, listed[rest % len(listed)])


def seal(game: Play, seat: int) -> None:
    """Drop the lines that changes of others have invalidated, then seal."""
    while spoilt := project(game.view(seat)).refused:
        say(game, seat, f"drop places={spoilt[0]}")
    say(game, seat, "seal")


def check_secret(state: State, data: st.DataObject) -> None:
    turns_before = data.draw(st.integers(0, 1))
    games = [begun(state), begun(state)]
    for game in games:
        for _ in range(turns_before):
            a_turn(game, state)
    owing = sorted(RULES.owes(games[0].state))
    assume(len(owing) > 1)
    writer = data.draw(st.sampled_from(owing))
    others = {seat: data.draw(CHOICES) for seat in owing if seat != writer}
    lists = [data.draw(CHOICES), data.draw(CHOICES)]
    seals = data.draw(st.booleans())
    for game, listed in zip(games, lists, strict=True):
        write(game, writer, listed[::2])
        for seat, choices in others.items():
            write(game, seat, choices)
        write(game, writer, listed[1::2])
        if seals:
            seal(game, writer)
    for viewer in (data.draw(st.sampled_from(sorted(others))), PUBLIC):
        one, other = (outputs(game, viewer) for game in games)
        assert one.keys() == other.keys()
        for name, said in one.items():
            assert said == other[name], f"{name} of viewer {viewer}"


@pytest.mark.rule("GD-SECRET-1", "GD-SECRET-2", "GD-LIST-4")
@settings(max_examples=5)
@given(state=openings(), data=st.data())
def test_list_of_a_seat_is_hidden_from_others(state: State, data: st.DataObject) -> None:
    check_secret(state, data)


@pytest.mark.slow
@settings(max_examples=300)
@given(state=openings(), data=st.data())
def test_list_of_a_seat_is_hidden_in_hundreds_of_games(state: State, data: st.DataObject) -> None:
    check_secret(state, data)


TABLE: Final = NewGame(
    RULES.name, "isthmus", players=(Sitting(0, "Ann"), Sitting(1, "Ben")), seed=b"1", name="game"
)
BEGINNING: Final = (
    *("", "send hq at=1", "send spawn at=1 count=2", "send seal"),
    *("", "send hq at=6", "send seal"),
)
"""One turn of both players; at its end, Ben is at the keyboard and writes his next list."""
LISTS: Final = (
    ("send spawn at=6 count=1", "send move path=6>5 count=1"),
    ("send spawn at=4 count=1", "send spawn at=5 count=1", "send drop places=0"),
    (),
)
LOOKING: Final = (
    "look", "where", "map 8", "near", "units", "units enemy", "places", "find a", "next", "foe",
    "danger", "layer danger", "layer price", "layer spawn", "go 1", "look", "do", "press",
    "targets", "release", "status", "seat", "log", "log 3", "again", "luck", "why",
    "send move path=1>2 count=1", "send spawn at=1 count=9", "send unseal", "do 1", "",
    "send spawn at=6 count=2", "undo", "log", "status",
)  # fmt: skip
"""All questions of line mode, and lines that are refused."""


def read_by_the_other(folder: Path, listed: tuple[str, ...]) -> str:
    """Return the text that Ann reads after Ben has sealed this list and left the keyboard."""
    script = (*BEGINNING, *listed, "send seal", "", *LOOKING)
    out = io.StringIO()
    voice = Voice(out, from_stream(io.StringIO("\n".join(script) + "\n")), echo=True)
    lines = Lines(voice, Folder(folder), lambda bug: pytest.fail(str(bug)))
    lines.begin(TABLE)
    with pytest.raises(EOFError):
        lines.play()
    lines.close()
    before, _, after = out.getvalue().rpartition("Press Enter when Ann is here")
    assert all(f"> {line}\n" in before for line in listed)
    assert "GD-" not in before
    return after


@pytest.mark.rule("GD-SECRET-2")
def test_line_mode_hides_a_sealed_list_from_the_next_player(tmp_path: Path) -> None:
    read = []
    for number, listed in enumerate(LISTS):
        folder = tmp_path / str(number)
        folder.mkdir()
        read.append(read_by_the_other(folder, listed))
    assert all(f"> {asked}\n" in read[0] for asked in LOOKING if asked)
    assert "Turn 2 of 12. Waiting for orders of A (you). 2 units to send." in read[0]
    assert read[0] == read[1] == read[2]
