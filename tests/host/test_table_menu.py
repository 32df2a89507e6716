"""The table of a hosted game on the screen: clocks, stand-ins, lent eyes, another game."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.screens.lobby import LobbyScreen, _named_seats, seats_in
from host.server.clocks import Terms
from host.server.people import Person
from host.server.ports import SeatInfo
from tests.host.servers import AGAINST_EASY, ANNA, BERT, CARL, FORD, game_server
from tests.host.test_begun_again import finished
from tests.host.test_pauses import let_time_run_out
from tests.host.test_visitor import duel, visit
from tests.patience import until
from tui.screens.new_game import NewGameScreen

TIMED = Terms(turn=600, bank=300, pace=0)


async def test_times_of_the_awaited_and_of_oneself_are_shown(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        async with visit(home, BERT, tmp_path) as bert:
            await bert.shows("10:00 a turn, and 5:00 to spare")
            await bert.shows("Eldoin: Anna (1")
            await bert.press("enter")
            await bert.shows("your time 15:00")
            await bert.shows("Waiting for Anna (away, 1")
            await bert.press("H")
            await bert.shows("Anna (Eldoin) has 1")
            await bert.shows("Your time as Dailor: 15:00.")


async def test_times_are_said_in_lines(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        said = game.place(BERT).times()
        assert said[0] == "The clock: 10:00 a turn, and 5:00 to spare."
        assert said[1].startswith("Anna (Eldoin) has 1")
        assert said[2] == "Your time as Dailor: 15:00."
        assert len(game.place(CARL).times()) == 2
        assert [one.left is not None for one in game.info.seats] == [True, False]


@pytest.mark.parametrize("terms", [TIMED, Terms(pace=0)], ids=["clock", "no clock"])
async def test_running_clock_leaves_a_refusal_in_place(tmp_path: Path, terms: Terms) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, terms)
        await game.sit(BERT, 1)
        async with visit(home, BERT, tmp_path) as bert:
            await bert.press("enter")
            await bert.shows("Waiting for Anna")
            bert.game.remark("Anna is here, or was a moment ago.")
            time = "your time 15:00"
            assert (time in bert.text) == terms.has_clock
            bert.game.turns._tick()
            bert.game.turns._tick()
            await bert.shows("Anna is here, or was a moment ago.")
            await bert.press("right")
            await bert.shows("Waiting for Anna")


async def test_eyes_are_lent_after_a_question_and_all_hear_of_it(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows(" MOVE ")
            for answer in "ny":
                await anna.press("H")
                await anna.shows("Let others watch with my eyes, at once")
                at = [choice.value for choice in anna.game.turns.choices()].index("lend 0")
                await anna.press("home", *["down"] * at, "enter")
                await anna.shows("Let others watch with your eyes?")
                await anna.press(answer)
                assert not game.consents or answer == "y"
            await until(lambda: game.consents == {0: 0})
            await anna.shows("Others may watch with the eyes of Anna now, at once.")
            assert game.talk()[-1].text == "Others may watch with the eyes of Anna now, at once."
            await anna.press("H")
            await anna.shows("Let others watch with my eyes, at once (as now)")


async def test_seat_is_given_up_after_a_question_that_names_it(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows(" MOVE ")
            for answer in "ny":
                await anna.press("H")
                await anna.shows("Give Eldoin up")
                await anna.press("end", "enter")
                await anna.shows("Give Eldoin up?")
                await anna.press(answer)
                assert answer == "y" or game.seats_of(ANNA) == (0,)
            await until(lambda: not game.seats_of(ANNA))


async def test_rows_of_the_table_keep_their_places_as_others_come_and_go(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows(" MOVE ")
            rows = [choice.value for choice in anna.game.turns.choices()]
            await game.stand(BERT, 1, "easy")
            assert [choice.value for choice in anna.game.turns.choices()] == rows
            await home.consent(game, ANNA, 0)
            assert [choice.value for choice in anna.game.turns.choices()] == rows


async def test_person_back_at_a_seat_of_the_computer_is_told_and_takes_it_back_first(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        await game.stand(BERT, 1, "easy")
        async with visit(home, BERT, tmp_path) as bert:
            await bert.press("enter")
            await bert.shows("The computer (Squire) plays Dailor for you; H takes it")
            await bert.press("H")
            await bert.shows("Play Dailor myself again")
            await bert.press("enter")
            await until(lambda: not game.stand_in(1))


async def test_another_game_with_the_same_settings_is_begun_from_the_result(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        game = await finished(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows("Again with the same settings")
            await anna.press("down", "down", "enter")
            await until(lambda: len(home.games()) == 2)
            await until(lambda: anna.app.last_game != game.number)
        async with visit(home, Person(-4, "guest", may_play=False), tmp_path) as guest:
            await guest.shows("over")
            assert "new game" not in guest.text
            await guest.press("end", "enter")
            await guest.shows("Watch the replay")
            assert "why" in guest.text
            assert "when it was decided" not in guest.text, "a host plays no games to find out"
            await guest.press("F")
            await guest.shows("Watch the replay")
            assert "Again with" not in guest.text


async def test_sentence_has_one_full_stop_after_a_name_that_ends_in_one(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        home.store.rename(ANNA.number, "Ann B.")
        await home.renew(ANNA.number)
        home.come(ANNA)
        async with visit(home, BERT, tmp_path) as bert:
            await bert.press("enter")
            await bert.shows("Waiting for Ann B.")
            assert "B.." not in bert.text
            assert game.info.seats[0].person == "Ann B."


async def test_pause_is_no_longer_shown_to_those_who_are_back(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY, Terms(pace=0))
        await game.stand(ANNA, 0, "easy")
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows("for you; H takes it")
            assert "Paused until" not in anna.text


async def test_spectator_is_told_so_whatever_they_press(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        assert (await game.submit(ANNA, 0, "step unit=0 direction=up")).ok
        async with visit(home, CARL, tmp_path) as carl:
            await carl.press("enter")
            await carl.shows("Press R to see what has happened so far")
            assert " talk  " in carl.text
            assert "H table" not in carl.text
            for key in ("enter", "m", "g"):
                carl.game.session.note = ""
                await carl.press(key)
                assert carl.game.session.note == "You only watch."
            await carl.press("H")
            assert "You only watch. There is nothing to arrange" in carl.game.session.note


async def test_cancelled_clock_leads_back_to_the_new_game_as_it_was(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home, visit(home, ANNA, tmp_path) as anna:
        await anna.press("n")
        await anna.shows("New game")
        await anna.press("right")
        assert isinstance(anna.app.screen, NewGameScreen)
        chosen = anna.app.screen.form
        await anna.press("s")
        await anna.shows("If a player is late, a computer")
        await anna.press("escape")
        await anna.shows("New game")
        assert isinstance(anna.app.screen, NewGameScreen)
        assert anna.app.screen.form is chosen
        await anna.press("escape")
        assert isinstance(anna.app.screen, LobbyScreen)


async def test_leaving_is_noted_with_the_account(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        anna = home.store.people()[0].person
        home.come(anna)
        before = home.store.people()[0].seen
        home.go(anna)
        await until(lambda: home.store.people()[0].seen > before)


def test_seats_of_a_game_are_counted_where_they_have_no_room() -> None:
    people = [SeatInfo(0, "A", "Anna", is_here=True), SeatInfo(1, "B", "Bert", bot="hard")]
    bots = [SeatInfo(seat, f"Player {seat}", bot="easy") for seat in range(2, 7)]
    free = [SeatInfo(7, "H"), SeatInfo(8, "I")]
    seats = [*bots, *free, *people]
    assert seats_in(seats[:2], 34) == "Squire, Squire"
    assert seats_in(seats, 60) == "Anna*, Bert (Warlord), 2 free, 5 Squire"
    assert seats_in(seats, 34) == "Anna*, Bert (Warlord), 7 more"
    assert seats_in(seats, 10) == "9 seats"
    said = _named_seats(seats, 100)
    assert said == "H: free; I: free; A: Anna*; B: Bert (Warlord); 5 x Squire"
    assert _named_seats(people, 10) == "A: Anna*; B: Bert (Warlord)"


async def test_connected_player_is_told_what_the_computer_played(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        said = "Round 1: your time ran out, and the computer (Squire, easy) played on for you."
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows(" MOVE ")
            let_time_run_out(game)
            await until(lambda: game.owes == {1})
            await anna.shows(said)
            assert anna.game.session.note == said
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.shows(said)
            await anna.press("n", "escape")
            assert (await game.submit(BERT, 1, "end-phase")).ok
            assert (await game.submit(ANNA, 0, "end-phase")).ok
            assert game.absent_turns(ANNA) == ()
