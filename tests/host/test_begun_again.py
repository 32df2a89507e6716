"""Games that are over: begun again with the same settings, and who is here in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from host.server.clocks import Terms
from host.server.game_server import GameServer
from host.server.hosted import HostedGame
from tests.host.servers import ANNA, BERT, FORD, game_server
from tests.host.test_game_server import SECRET
from tui.play.setup import NewGame


@pytest.mark.parametrize(
    "start",
    [
        SECRET,
        FORD,
        NewGame("kaladan", "duel", players=(SeatPlayer(0, "Red"), SeatPlayer(1, "Blue", "easy"))),
        NewGame("gd6", "west", {"turn_limit": 20}, (SeatPlayer(0, "A"), SeatPlayer(1, "B"))),
    ],
    ids=["gd6", "weltendaemmerung", "kaladan", "options"],
)
async def test_game_is_begun_again_with_the_same_settings(tmp_path: Path, start: NewGame) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, start, Terms(turn=60, pace=0))
        again = await home.begin_again(ANNA, game)
        assert again.number != game.number
        assert again.terms == game.terms
        assert [seat.bot for seat in again.info.seats] == [seat.bot for seat in game.info.seats]
        setups = [rules_setup(one) for one in (game, again)]
        assert setups[0] == setups[1]
        assert again.table.header.seed != game.table.header.seed


def rules_setup(game: HostedGame) -> object:
    """Scenario and options of a game."""
    return game.rules.setup(game.table.game.log[0].events[0])


async def finished(home: GameServer) -> HostedGame:
    """A game of Anna's and Bert's that is over."""
    game = await home.begin(ANNA, FORD)
    await game.sit(BERT, 1)
    while not game.is_over:
        seat = min(game.owes)
        assert (await game.submit((ANNA, BERT)[seat], seat, "end-phase")).ok
    return game


async def test_only_those_who_are_connected_are_here_in_a_finished_game(tmp_path: Path) -> None:
    def here(home: GameServer) -> list[bool]:
        return [seat.is_here for seat in home.games()[0].seats]

    async with game_server(tmp_path) as home:
        home.come(ANNA)
        game = await finished(home)
        await home._close(game.number)
        assert here(home) == [True, False]
        home.go(ANNA)
        assert here(home) == [False, False]
        home.come(ANNA)
    async with game_server(tmp_path) as home:
        assert here(home) == [False, False]
        home.come(BERT)
        assert here(home) == [False, True]
