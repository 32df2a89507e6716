"""The screens of a host: the lobby, a game with others, talk, the table, reconnecting."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from textual.pilot import Pilot

from engine.core.ids import PUBLIC
from host.screens.hosted import HostedScreen
from host.screens.lobby import LobbyScreen
from host.screens.remote import RemoteApp
from host.server.clocks import Terms
from host.server.game_server import GameServer
from host.server.hosted import HostedGame
from host.server.people import GUEST, Guest, Person
from tests.host.servers import AGAINST_EASY, ANNA, BERT, CARL, FORD, game_server
from tests.host.test_game_server import SECRET
from tests.patience import until
from tui.screens.find import FindScreen
from tui.screens.result import ResultScreen
from tui.settings.preferences import Preferences


class Seen:
    """A visitor's program and its screen."""

    def __init__(self, app: RemoteApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)

    @property
    def game(self) -> HostedScreen:
        found = [each for each in self.app.screen_stack if isinstance(each, HostedScreen)]
        return found[-1]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def shows(self, text: str) -> None:
        """Wait until a text is on the screen."""
        await self.pilot.pause()
        try:
            await until(lambda: text in self.text, between=0.03)
        except TimeoutError:
            raise AssertionError(f"{text!r} is not shown:\n{self.text}") from None
        await self.pilot.pause()


@asynccontextmanager
async def visit(
    home: GameServer, person: Person, folder: Path, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Seen]:
    """Run a person's program on a game server."""
    app = RemoteApp(
        home,
        person,
        preferences=Preferences(folder / person.name),
    )
    home.come(person)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Seen(app, pilot)
    home.go(person)


async def duel(home: GameServer) -> HostedGame:
    game = await home.begin(ANNA, FORD, Terms(pace=0))
    await game.sit(BERT, 1)
    return game


async def test_visitor_takes_a_free_seat_from_the_lobby(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        async with visit(home, BERT, tmp_path) as bert:
            await bert.shows("Anna, free")
            await bert.press("enter")
            await bert.shows("Play Dailor")
            await bert.press("enter")
            await bert.shows("Waiting for Anna (away)")
            assert game.info.seats[1].person == "Bert"


async def test_each_game_has_one_row_in_the_lobby(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        await (await home.begin(ANNA, SECRET)).sit(BERT, 1)
        await duel(home)
        async with visit(home, CARL, tmp_path) as carl:
            await carl.shows("turn 1 of 30")
            assert re.search(r"\n +2 ford .* round 1 of 6\n +1 west .* turn 1 of 30\n\n", carl.text)


async def test_game_is_begun_with_a_clock(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home, visit(home, ANNA, tmp_path) as anna:
        await anna.shows("There is no game yet")
        await anna.press("n", "s")
        await anna.shows("How much time is there?")
        await anna.press("down", "enter")
        await until(lambda: re.search(r"(left|to move) +your time [45]:\d\d", anna.text))
        game = await home.game(1)
        assert game.terms == Terms(turn=300)
        assert isinstance(anna.app.screen, HostedScreen)


async def test_game_is_begun_with_custom_terms(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home, visit(home, ANNA, tmp_path) as anna:
        await anna.press("n", "s")
        await anna.shows("Other times")
        await anna.press("end", "enter")
        await anna.shows("as in 5m 1h")
        await anna.press(*"[/b]", "enter")
        await anna.shows("'[/b]' is no span of time: 90s, 5m, 12h or 1d")
        await anna.press("ctrl+u", *"2m", "space", *"3h", "enter")
        await until(lambda: re.search(r"(left|to move) +", anna.text))
        assert (await home.game(1)).terms == Terms(turn=120, bank=10800)


async def test_moves_of_one_player_are_visible_to_the_others(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with (
            visit(home, ANNA, tmp_path) as anna,
            visit(home, BERT, tmp_path) as bert,
            visit(home, CARL, tmp_path) as carl,
        ):
            for each in (anna, bert, carl):
                await each.press("enter")
            await carl.shows("watching")
            await bert.shows("Waiting for Anna.")
            await anna.press("e")
            await anna.shows("?")
            await anna.press("enter")
            await until(lambda: len(game.table.game.log) > 1)
            for each in (bert, carl):
                await each.shows("Dailor ►  MOVE")
            before = len(game.table.game.log)
            await anna.press("e", "enter")
            await carl.press("e", "enter")
            assert len(game.table.game.log) == before


async def test_player_is_notified_of_the_own_turn(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, BERT, tmp_path) as bert:
            await bert.press("enter")
            while 0 in game.owes:
                assert (await game.submit(ANNA, 0, "end-phase")).ok
            await bert.shows("It is your turn.")


async def test_note_of_waiting_goes_when_the_own_turn_comes(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, BERT, tmp_path) as bert:
            await bert.press("enter")
            await bert.shows("Waiting for Anna")
            bert.game.note("Another side acts now.")
            await bert.shows("Another side acts now.")
            while 0 in game.owes:
                assert (await game.submit(ANNA, 0, "end-phase")).ok
            await bert.shows("It is your turn.")
            assert "acts now" not in bert.text


async def test_talk_reaches_everyone_at_the_table(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        await duel(home)
        async with visit(home, ANNA, tmp_path) as anna, visit(home, BERT, tmp_path) as bert:
            await anna.press("enter")
            await bert.press("enter")
            await anna.press("quotation_mark", *"hello", "enter")
            await bert.shows('Anna: "hello"')
            await bert.press("quotation_mark")
            await bert.press("h", "i", "enter")
            await anna.shows('Bert: "hi"')


async def test_bot_stands_in_and_the_person_takes_the_seat_back(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.press("H")
            await anna.shows("Let the computer play for me: Squire")
            await anna.press("enter")
            await until(lambda: game.stand_in(0) == "easy")
            await until(lambda: game.owes == {1})
            await anna.shows("Waiting for Bert (away).")
            await anna.press("H")
            await anna.shows("Play Eldoin myself again")
            await anna.press("enter")
            await until(lambda: game.stand_in(0) == "")


async def test_games_waiting_elsewhere_are_counted_and_reachable(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        first = await duel(home)
        second = await home.begin(ANNA, replace(AGAINST_EASY, name="second"))
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows("1 game waiting")
            other = first.number + second.number - anna.game.game.number
            await home._close(other)
            home.tell_all()
            await anna.pilot.pause(0.4)
            await anna.shows("1 game waiting")
            here = anna.game.game.number
            await anna.press("N")
            await until(lambda: anna.game.game.number != here)
            assert {here, anna.game.game.number} == {first.number, second.number}


async def test_new_program_continues_where_the_last_one_was_cut_off(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        await duel(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.press("right", "right", "down")
            at = anna.game.session.focus
            anna.app.keep_place()
            await until(lambda: not anna.app._tasks)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.shows(" MOVE ")
            focus = anna.game.session.focus
            assert (focus.x, focus.y) == (at.x, at.y)
            await anna.press("q")
            await until(lambda: isinstance(anna.app.screen, LobbyScreen))
            await until(lambda: not anna.app._tasks)
        async with visit(home, ANNA, tmp_path) as anna:
            assert isinstance(anna.app.screen, LobbyScreen)


async def test_returning_player_is_offered_the_missed_turns(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, BERT, tmp_path) as bert:
            await bert.press("enter")
            await bert.shows("Waiting for Anna (away).")
            bert.app.go_away()
            bert.app.come_back()
            await bert.pilot.pause()
            assert "Play it back?" not in bert.text
            bert.app.go_away()
            assert (await game.submit(ANNA, 0, "step unit=1 direction=right")).ok
            while 0 in game.owes:
                assert (await game.submit(ANNA, 0, "end-phase")).ok
            await bert.shows("It is your turn.")
            bert.app.come_back()
            await bert.shows("Play it back?")
            await bert.press("n")
            bert.app.come_back()
            await bert.pilot.pause()
            assert "Play it back?" not in bert.text


async def test_guests_watch_and_cannot_begin_games(tmp_path: Path) -> None:
    guest = Person(GUEST, "a guest", may_play=False)
    async with game_server(tmp_path) as home:
        await home.begin(ANNA, FORD)
        async with visit(home, guest, tmp_path) as seen:
            await seen.press("n")
            await seen.shows("Guests may only watch here.")
            await seen.press("enter")
            await seen.shows("watching")
            keys = seen.text.splitlines()[-1]
            assert "Space" not in keys
            assert "undo" not in keys
            assert "o standings" in keys
            assert '" talk' in keys
            await seen.press("question_mark")
            await seen.shows("The table: seats")
            assert "Select, put down" not in seen.text
            await seen.press("escape")
            await seen.press("quotation_mark", "x", "enter")
            await seen.shows("Guests who watch are silent.")


async def test_map_keys_are_listed_in_a_game_with_others(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        await duel(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows(" MOVE ")
            await anna.press("colon")
            await anna.shows("What now?")
            assert isinstance(anna.app.screen, FindScreen)
            found = {entry.text: entry.reason for entry in anna.app.screen._entries}
            assert found["Losses and their causes"] == ""
            assert found["Talk"] == ""


async def test_giving_up_a_seat_is_last_in_the_table_menu(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        await duel(home)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows(" MOVE ")
            choices = [choice.label for choice in anna.game.turns.choices()]
            assert choices[-1] == "Give Eldoin up"


async def test_escape_in_the_lobby_asks_before_it_leaves(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home, visit(home, ANNA, tmp_path) as anna:
        await anna.press("escape")
        await anna.shows("Leave the host?")
        await anna.press("escape")
        assert isinstance(anna.app.screen, LobbyScreen)
        await anna.press("escape", "y")
        await until(lambda: anna.app.return_value == 0)


async def test_guest_is_asked_before_leaving_deletes_a_game(tmp_path: Path) -> None:
    guest = Guest(number=-1, name="guest 1", may_play=True, origin="192.0.2.1")
    async with game_server(tmp_path) as home:
        game = await home.begin(guest, FORD)
        assert not game.is_idle  # the seat of a guest is stored nowhere else
        async with visit(home, guest, tmp_path) as seen:
            for key in ("escape", "q"):
                await seen.press(key)
                await seen.shows("Your game ford will be deleted")
                await seen.press("escape")
            await game.sit(ANNA, 1)
            await seen.press("escape")
            await seen.shows("Your seats become free.")
            assert "deleted" not in seen.text
            await seen.press("escape", "q")
            await until(lambda: seen.app.return_value == 0)


async def test_account_keeps_its_seats_when_it_leaves(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        await home.begin(ANNA, FORD)
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("escape")
            await anna.shows("Your seats stay yours.")
            assert "deleted" not in anna.text


async def test_lobby_shows_the_new_name_of_a_renamed_person(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, ANNA, tmp_path) as anna, visit(home, BERT, tmp_path) as bert:
            await anna.shows("your turn")
            home.store.rename(ANNA.number, "Anja")
            await home.renew(ANNA.number)
            await anna.shows("Anja in the lobby")
            await anna.shows("your turn")
            await bert.shows("Anja*, Bert*")
            assert [player.name for player in game.players] == ["Anja", "Bert"]


async def test_consent_to_a_view_shows_the_past(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, SECRET)
        await game.sit(BERT, 1)
        await home.consent(game, ANNA, 1)
        async with visit(home, CARL, tmp_path) as carl:
            await carl.press("enter")
            await until(lambda: carl.game.session.viewer == PUBLIC)
            await carl.press("H")
            await carl.shows("See what Anna sees")
            await carl.press("enter")
            await until(lambda: carl.game.session.viewer == 0)


async def test_lobby_and_spectators_see_that_a_game_is_paused(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY)
        await game.stand(ANNA, 0, "easy")
        async with visit(home, CARL, tmp_path) as carl:
            await carl.shows("paused until Anna is back")
            await carl.press("enter")
            await carl.shows("Paused until Anna is back at the table.")
            async with visit(home, ANNA, tmp_path) as anna:
                await anna.press("enter")
                await carl.shows("The game goes on.")
            assert not game.is_over


async def test_replay_on_a_host_offers_only_keys_that_work_there(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        while not game.is_over:
            seat = min(game.owes)
            assert (await game.submit((ANNA, BERT)[seat], seat, "end-phase")).ok
        async with visit(home, ANNA, tmp_path, (120, 40)) as anna:
            await anna.press("enter")
            await anna.shows("Watch the replay")
            await anna.press("enter")
            await anna.shows("losses")
            for word in ("decided", "what if", "go on", "export", " comment "):
                assert word not in anna.text


async def test_finished_game_shows_its_result_and_replay(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY)
        place = game.place(ANNA)
        place.look()  # without any of its people the game would pause
        await game.stand(ANNA, 0, "easy")
        await until(lambda: game.is_over)
        place.leave()
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await until(lambda: isinstance(anna.app.screen, ResultScreen))
            await anna.press("enter")
            await anna.shows("entry 0 of")
            await anna.press("E")
            await anna.shows("Not on a host")


async def test_terms_of_a_game_are_changed_at_the_table(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await duel(home)
        async with visit(home, ANNA, tmp_path) as anna, visit(home, BERT, tmp_path) as bert:
            for each in (anna, bert):
                await each.press("enter")
                await each.shows(" MOVE ")
            await bert.press("H")
            await bert.shows("The table")
            assert "Change the times" not in bert.text
            await bert.press("escape")
            await anna.press("H")
            await anna.shows("Change the times (no clock)")
            await anna.press("end", "up", "enter")
            await anna.shows("How much time is there?")
            await anna.press("down", "enter")
            await bert.shows("Anna has changed the times")
            assert game.terms == Terms(turn=300, pace=0)
