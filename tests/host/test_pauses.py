"""Clocks that run out, stand-ins, and games that pause when all their people are away."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from engine.core.ids import Seat
from engine.core.registry import find
from engine.tabletop.presenter import presenter_of
from host.server.absences import rounds_in_words
from host.server.admin import _stage
from host.server.attendance import MOST_LAPSES, Attendance, GameStatus
from host.server.clocks import OVERTIME, Clock, Terms
from host.server.game_server import GameServer
from host.server.gamebook import UNOPENED, StoredGame
from host.server.hosted import HostedGame
from host.server.people import Person
from host.server.ports import GameInfo
from host.server.seating import GameSeats
from host.ssh.ssh_commands import _listed
from tests.host.servers import AGAINST_EASY, ANNA, BERT, CARL, FORD, game_server
from tests.patience import until
from tui.play.setup import NewGame

TIMED = Terms(turn=600, pace=0)
PAUSED = "until Anna is back at the table"

UNSEEN = 2
"""Lapsed turns after which a game without watching players pauses."""


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computer players act without delays."""
    monkeypatch.setattr("host.server.computers.REST", 0)


def game_against_easy(ruleset: str, scenario: str, seats: int = 2) -> NewGame:
    """Return a game of one person, on the first seat, against the weakest computer players."""
    others = tuple(SeatPlayer(seat, f"Computer {seat}", "easy") for seat in range(1, seats))
    return NewGame(ruleset, scenario, players=(SeatPlayer(0, "Person"), *others), name="game")


def let_time_run_out(game: HostedGame, seat: Seat = 0) -> None:
    """Make the clock of a seat run out now."""
    game._timing.clock._since[seat] -= 100_000
    game._timing._ring()


async def lapsed(game: HostedGame, seat: Seat = 0) -> None:
    """Let the clock of a seat run out in its turn; wait for its next turn or the pause."""
    turn = game._status.turn
    let_time_run_out(game, seat)
    await until(
        lambda: (
            game.info.paused
            or (game._status.turn != turn and seat in game.waited_for and game.left(seat))
        )
    )


def host_lines(game: HostedGame) -> list[str]:
    """Return the lines of the table log about pauses."""
    words = ("The game is paused", "The game goes on")
    return [said.text for said in game.talk() if said.text.startswith(words)]


@pytest.mark.parametrize(
    ("ruleset", "scenario", "seats"),
    [
        ("weltendaemmerung", "ford", 2),
        ("gd6", "west", 3),
        ("kaladan", "duel", 2),
        pytest.param("warlords2", "skirmish", 2, marks=pytest.mark.slow),
        pytest.param("lordsawar", "ford", 2, marks=pytest.mark.slow),
    ],
)
async def test_stand_in_plays_one_turn_when_a_clock_runs_out(
    tmp_path: Path, ruleset: str, scenario: str, seats: int
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, game_against_easy(ruleset, scenario, seats), TIMED)
        await until(lambda: 0 in game.waited_for)
        await lapsed(game)
        assert not game.is_over
        assert game.stand_in(0) == ""
        await until(lambda: not game._computers.are_acting)
        assert 0 in game.waited_for
        assert (game.left(0) or 0) > 599
        assert game._status.round <= 2


async def test_game_pauses_after_two_lapsed_clocks_without_a_person(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY, TIMED)
        for _ in range(UNSEEN):
            assert game.info.paused == ""
            await lapsed(game)
        assert game.info.paused == PAUSED
        assert host_lines(game) == [f"The game is paused {PAUSED}."]
        assert game.owes == {0}
        assert game.stand_in(0) == ""
        assert game._timing.alarm is None
        await until(lambda: game.is_idle)


@pytest.mark.parametrize("way", ["look", "sit", "submit"])
async def test_paused_game_continues_when_its_person_is_back(tmp_path: Path, way: str) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY, TIMED)
        for _ in range(UNSEEN):
            await lapsed(game)
        game.place(CARL).look()
        assert game.info.paused == PAUSED
        match way:
            case "look":
                game.place(ANNA).look()
            case "sit":
                assert await game.sit(ANNA, 0) == ""
            case _:
                assert (await game.submit(ANNA, 0, "end-phase")).ok
        assert host_lines(game)[-1] == "The game goes on."
        await until(lambda: 0 in game.waited_for)
        assert game.info.paused == ""
        assert (game.left(0) or 0) > 599
        await lapsed(game)
        assert game.info.paused == ""


async def test_active_person_keeps_a_game_with_an_absent_one_going(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        for _ in range(MOST_LAPSES + 2):
            let_time_run_out(game, 0)
            await until(lambda: 1 in game.waited_for)
            assert (await game.submit(BERT, 1, "end-phase")).ok
            await until(lambda: 0 in game.waited_for)
        assert host_lines(game) == []
        let_time_run_out(game, 0)
        await until(lambda: 1 in game.waited_for)
        let_time_run_out(game, 1)
        await until(lambda: game.info.paused)
        assert game.info.paused == "until Anna or Bert is back at the table"
        game.place(ANNA).look()
        assert game.waited_for == {1}


async def test_last_seat_given_to_a_bot_plays_only_while_its_person_watches(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY)
        assert await game.stand(ANNA, 0, "easy") == ""
        assert game.info.paused == PAUSED
        before = len(game.table.game.log)
        await until(lambda: not game._computers.are_acting)
        assert len(game.table.game.log) <= before + 1
        place = game.place(ANNA)
        place.look()
        await until(lambda: len(game.table.game.log) > before + 5)
        place.look_away()
        assert game.info.paused == PAUSED
        place.look()
        assert game.info.paused == ""
        place.leave()
        await until(lambda: not game._computers.are_acting)
        assert not game.is_over
        pause = f"The game is paused {PAUSED}."
        assert host_lines(game) == [pause, *2 * ("The game goes on.", pause)]


async def test_seat_given_to_a_bot_plays_on_while_another_person_plays(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        assert await game.stand(ANNA, 0, "easy") == ""
        for _ in range(5):
            await until(lambda: game.owes == {1})
            assert (await game.submit(BERT, 1, "end-phase")).ok
        assert game.info.paused == ""
        assert game.stand_in(0) == "easy"


async def test_game_begun_between_computers_continues(tmp_path: Path) -> None:
    players = (SeatPlayer(0, "Eldoin", "easy"), SeatPlayer(1, "Dailor", "easy"))
    start = NewGame("weltendaemmerung", "ford", players=players, name="alone")
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, start)
        await until(lambda: len(game.table.game.log) > 10)
        assert game.info.paused == ""


async def test_paused_game_stays_paused_after_a_restart_of_the_host(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY, TIMED)
        for _ in range(UNSEEN):
            await lapsed(game)
        number, entries = game.number, len(game.table.game.log)
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        assert game.info.paused == PAUSED
        assert host_lines(game) == [f"The game is paused {PAUSED}."]
        assert len(game.table.game.log) == entries
        game.place(ANNA).look()
        assert game.waited_for == {0}
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        assert game.info.paused == PAUSED
        game.place(ANNA).look()
        assert game.waited_for == {0}


@pytest.mark.parametrize("way", ["look", "submit", "sit"])
async def test_no_clock_runs_after_a_start_of_the_host_until_a_player_is_back(
    tmp_path: Path, way: str
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        number = game.number
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        game.place(CARL).look()
        assert game.info.paused == "until Anna or Bert is back at the table"
        assert game._timing.alarm is None
        assert game.waited_for == frozenset()
        await home._close(number)
        game = await home.game(number)
        assert game.info.paused
        match way:
            case "look":
                game.place(BERT).look()
            case "submit":
                assert (await game.submit(ANNA, 0, "end-phase")).ok
            case _:
                assert await game.stand(ANNA, 0) == ""
                assert await game.sit(CARL, 0) == ""
        assert game.info.paused == ""
        assert len(game.waited_for) == 1
        assert game._timing.alarm is not None
        await home._close(number)
        assert (await home.game(number)).info.paused == ""


async def test_no_computer_plays_after_a_start_of_the_host_until_a_player_is_back(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY)
        game.stop_acting()
        reply = await game.table.link(0).submit("end-phase")
        assert reply.ok
        number, entries = game.number, len(game.table.game.log)
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        assert game.owes == {1}
        assert not game._computers.are_acting
        assert len(game.table.game.log) == entries
        game.place(ANNA).look()
        await until(lambda: game.owes == {0})


async def test_running_turn_keeps_its_times_across_restarts_and_pauses(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        assert await home.agree(game.number, ANNA, 60, 30) == ""
        assert await game.stand(BERT, 1) == ""
        assert game.waited_for == frozenset()
        assert await game.sit(BERT, 1) == ""
        assert (game.left(0) or 0) > 599
        number = game.number
    for _ in range(2):
        async with game_server(tmp_path) as home:
            game = await home.game(number)
            game.place(BERT).look()
            assert (game.left(0) or 0) > 599
            assert game.left(1) == 90
            assert "from the next turn of each." in game.times(ANNA)[0]
            assert game.info.clock == "1:00 a turn, and 30s to spare, from the next turn of each"
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        for person, seat in ((ANNA, 0), (BERT, 1)):
            assert (await game.submit(person, seat, "end-phase")).ok
        assert game.left(0) == pytest.approx(90, abs=2)
        await home._close(number)
        game = await home.game(number)
        assert (game.left(0) or 0) > 89


@pytest.mark.parametrize("order", [((ANNA, 0), (BERT, 1)), ((BERT, 1), (ANNA, 0))])
async def test_times_changed_in_a_turn_of_all_reach_whichever_seat_seals_first(
    tmp_path: Path, order: tuple[tuple[Person, Seat], ...]
) -> None:
    async with game_server(tmp_path) as home:
        people = (SeatPlayer(0, "A"), SeatPlayer(1, "B"))
        game = await home.begin(ANNA, NewGame("gd6", "west", players=people, seed=b"1"), TIMED)
        await game.sit(BERT, 1)
        assert await home.agree(game.number, ANNA, 60, 1200) == ""
        (first, seat), last = order
        assert (await game.submit(first, seat, "seal")).ok
        assert game.left(seat) == 1260, "the next turn of a seat that waits for it"
        assert (await game.submit(*last, "seal")).ok
        await until(lambda: game.owes == {0, 1})
        assert [game.left(one) for one in (0, 1)] == [pytest.approx(1260, abs=2)] * 2
        assert game.info.clock == "1:00 a turn, and 20:00 to spare"


async def test_person_is_told_which_turns_a_computer_played(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY, TIMED)
        game.place(ANNA).look()
        for _ in range(2):
            await lapsed(game)
        late = "our time ran out, and the computer (Squire, easy) played on for you."
        rounds = f"Rounds 1 to 2: y{late}" if game._status.round > 2 else f"Round 1: y{late}"
        assert game.absent_turns(ANNA) == (rounds,)
        assert game.absent_turns(ANNA, late_only=True) == (rounds,)
        assert game.absent_turns(BERT) == ()
        number = game.number
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        game.place(ANNA).look()
        assert game.absent_turns(ANNA) == (rounds,)
        await until(lambda: 0 in game.waited_for)
        assert (await game.submit(ANNA, 0, "end-phase")).ok
        assert game.absent_turns(ANNA) == ()
        await home._close(number)
        assert (await home.game(number)).absent_turns(ANNA) == ()


async def test_person_is_told_of_turns_of_a_seat_that_was_given_back(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        assert await game.stand(ANNA, 0, "easy") == ""
        await until(lambda: game.owes == {1})
        assert await game.sit(ANNA, 0) == ""
        assert game.absent_turns(ANNA) == ("Round 1: the computer (Squire, easy) played for you.",)
        assert game.absent_turns(ANNA, late_only=True) == ()
        assert await game.stand(ANNA, 0) == ""
        assert await game.sit(CARL, 0) == ""
        assert game.absent_turns(CARL) == ()


def test_rounds_are_listed_in_words() -> None:
    assert rounds_in_words("turn", [0]) == "turn 1"
    assert rounds_in_words("turn", [3, 4, 5, 8]) == "turns 3 to 5 and 8"


async def test_time_of_a_seat_that_is_out_is_not_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        assert game.times(BERT)[-1] == "Your time as Dailor: 10:00."
        presenter = presenter_of(game.rules)
        game._going_on.clear()
        gone = {presenter.lead: (5, 0)}
        monkeypatch.setattr(type(presenter), "numbers", lambda *_: gone)
        assert not any("Your time" in said for said in game.times(BERT))
        assert game.time_of(1) is None


async def test_game_with_free_seats_is_open_rather_than_paused_after_a_restart(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        await home.begin(ANNA, FORD, TIMED)
    async with game_server(tmp_path) as home:
        (info,) = home.games()
        assert (info.stage, info.paused) == ("open", "")


def test_closed_game_is_watched_by_nobody_whatever_was_stored() -> None:
    info = GameInfo(1, "a", "gd6", "A", "finished", "", (), watchers=2)
    seen = StoredGame(info=info).seen(())
    assert seen is not None
    assert seen.watchers == StoredGame(info=info).unopened(1, "a").watchers == 0


async def test_game_without_its_save_is_listed_as_such(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        number, save = game.number, game.info.name
    (tmp_path / "games" / f"{save}.bnr").rename(tmp_path / "away")
    async with game_server(tmp_path) as home:
        (info,) = home.games()
        assert info.status == UNOPENED
        assert next(_listed(StoredGame().unopened(8, "gg"))) == f"8  gg; lost. {UNOPENED}"
        assert len([*_listed(StoredGame().unopened(8, "gg"))]) == 1
        assert home.waiting_for(ANNA) == []
        assert _table_of(home) == "its save is missing"
        (tmp_path / "away").rename(tmp_path / "games" / f"{save}.bnr")
        await home.game(number)
        assert "round 1" in home.games()[0].status
        assert _table_of(home) == ""


def _table_of(home: GameServer) -> str:
    """Return what the operator's list says about the first game."""
    (row,) = home.store.games()
    return _stage(row, home.store.path.parent / "games")


async def test_person_has_a_whole_turn_after_a_restart_of_the_host(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY, TIMED)
        await lapsed(game)
        number = game.number
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        place = game.place(ANNA)
        place.look()
        place.leave()
        assert game.stand_in(0) == ""
        assert game.waited_for == {0}
        assert (game.left(0) or 0) > 599
        for _ in range(UNSEEN):
            await lapsed(game)
        assert game.info.paused == PAUSED


def test_game_pauses_when_its_last_person_is_out_until_they_watch() -> None:
    players = (SeatPlayer(0, "A"), SeatPlayer(1, "B", "easy"), SeatPlayer(2, "C", "easy"))
    seating = GameSeats(find("gd6"), "ABC", players, {0: ANNA.number}, lambda _: "Anna")
    attendance = Attendance(seating, {}, GameStatus(frozenset({0}), "", over=False, entries=1))
    paused = []
    for number in range(4):
        status = GameStatus(frozenset({1, 2}), "", False, 2 + number, number, number)
        attendance.follow(status, together=True)
        paused.append(attendance.paused)
    assert paused == ["", "", PAUSED, PAUSED]
    attendance.come("place", ANNA)
    assert attendance.paused == ""
    assert attendance.go("place")
    assert attendance.paused == PAUSED


def test_empty_bank_leaves_half_a_minute_for_each_turn() -> None:
    clock = Clock(Terms(bank=60), {})
    clock.wait_for({0}, 0)
    assert clock.late(60) == (0,)
    assert clock.wait_for({1}, 60) == {0: 0}
    clock.wait_for({0}, 70)
    assert clock.left(0, 70) == OVERTIME
    assert clock.late(70 + OVERTIME) == (0,)


def test_empty_bank_is_not_filled_by_taking_back_the_end_of_a_turn() -> None:
    clock = Clock(Terms(bank=60), {0: 0})
    clock.wait_for({0, 1}, 0, 0)
    clock.wait_for({1}, 10, 0)
    clock.wait_for({0, 1}, 20, 0)
    assert clock.left(0, 20) == OVERTIME - 10
