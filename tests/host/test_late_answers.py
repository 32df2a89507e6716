"""Questions still open when their turn ends close automatically and give the reason."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from host.screens.hosted import HostedScreen
from host.server.hosted import HostedGame
from tests.host.servers import ANNA, BERT, game_server
from tests.host.test_game_server import SECRET
from tests.host.test_pauses import TIMED, let_time_run_out
from tests.host.test_visitor import Seen, visit
from tests.patience import until

WENT_ON = "The game went on before you answered."


@asynccontextmanager
async def asked(folder: Path, key: str, title: str) -> AsyncIterator[tuple[HostedGame, Seen]]:
    """Begin a game with secret lists; yield it and a player's screen with an open question."""
    async with game_server(folder) as home:
        game = await home.begin(ANNA, SECRET, TIMED)
        await game.sit(BERT, 1)
        assert (await game.submit(BERT, 1, "seal")).ok
        async with visit(home, ANNA, folder) as anna:
            await anna.press("enter")
            await anna.shows("A ►")
            await anna.press(key)
            await anna.shows(title)
            yield game, anna


async def test_open_confirmation_closes_when_the_turn_ends(tmp_path: Path) -> None:
    async with asked(tmp_path, "s", "Seal your orders?") as (game, anna):
        assert (await game.submit(ANNA, 0, "seal")).ok  # at another screen of the same person
        await until(lambda: anna.game.session.note == WENT_ON)
        assert isinstance(anna.app.screen, HostedScreen)
        before = len(game.table.game.log)
        await anna.press("y")
        assert len(game.table.game.log) == before
        assert game.owes == {0, 1}


async def test_open_confirmation_closes_when_the_clock_runs_out(tmp_path: Path) -> None:
    async with asked(tmp_path, "s", "Seal your orders?") as (game, anna):
        let_time_run_out(game, 0)
        await anna.shows("The computer took over before you answered.")
        assert isinstance(anna.app.screen, HostedScreen)


async def test_open_menu_closes_when_the_turn_ends(tmp_path: Path) -> None:
    async with asked(tmp_path, "i", "What now?") as (game, anna):
        assert (await game.submit(ANNA, 0, "seal")).ok
        await until(lambda: anna.game.session.note == WENT_ON)
        assert isinstance(anna.app.screen, HostedScreen)


async def test_giving_up_may_be_confirmed_in_the_next_turn(tmp_path: Path) -> None:
    async with asked(tmp_path, "o", "") as (game, anna):
        anna.game.asking.ask("concede")
        await anna.shows("Give up for good?")
        assert (await game.submit(ANNA, 0, "seal")).ok
        await until(lambda: anna.game.session.status.round == 2)
        await anna.pilot.pause()
        assert "Give up for good?" in anna.text
        await anna.press("y")
        await until(lambda: game.table.game.state.players[0].conceding)


async def test_pasted_list_is_not_added_to_the_next_turn(tmp_path: Path) -> None:
    async with asked(tmp_path, "o", "") as (game, anna):
        anna.game.lists.take("Con 1 Hq\n")
        await anna.shows("to your list?")
        assert (await game.submit(ANNA, 0, "seal")).ok
        await until(lambda: anna.game.session.note == WENT_ON)
        assert not game.table.game.state.players[0].orders
