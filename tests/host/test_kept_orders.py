"""Orders of a person whose time runs out are kept; a stand-in plays only the rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.core.ids import Seat
from host.server.game_server import GRACE, GameServer
from host.server.hosted import HostedGame
from tests.host.servers import ANNA, BERT, FORD, game_server
from tests.host.test_game_server import SECRET
from tests.host.test_pauses import TIMED, let_time_run_out
from tests.patience import until

SITE = 1
GIVEN = (f"hq at={SITE}", f"spawn at={SITE} count=1")


@pytest.fixture(autouse=True)
def _no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computer players act without delays."""
    monkeypatch.setattr("host.server.computers.REST", 0)


async def secret_game(home: GameServer, *given: str) -> HostedGame:
    """Begin a game with secret lists in which the first player has given some orders."""
    game = await home.begin(ANNA, SECRET, TIMED)
    await game.sit(BERT, 1)
    for line in given:
        assert (await game.submit(ANNA, 0, line)).ok
    return game


def orders_of(game: HostedGame, seat: Seat) -> tuple[Any, ...]:
    """Return the orders in the list of a seat."""
    orders: tuple[Any, ...] = game.table.game.state.players[seat].orders
    return orders


async def test_list_is_sealed_as_it_is_when_the_clock_runs_out(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await secret_game(home, *GIVEN)
        given = orders_of(game, 0)
        let_time_run_out(game, 0)
        await until(lambda: game.owes == {1})
        assert orders_of(game, 0) == given
        assert (await game.submit(BERT, 1, "seal")).ok
        assert game.table.game.state.territories[SITE].owner == 0
        assert game.stand_in(0) == ""


async def test_stand_in_writes_a_list_when_the_player_has_given_none(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await secret_game(home)
        let_time_run_out(game, 0)
        await until(lambda: game.owes == {1})
        assert len(orders_of(game, 0)) > 1


async def test_notice_of_a_lapsed_clock_does_not_reveal_orders(tmp_path: Path) -> None:
    notices = []
    for given in ((), GIVEN):
        async with game_server(tmp_path / str(len(given))) as home:
            game = await secret_game(home, *given)
            let_time_run_out(game, 0)
            await until(lambda at=game: at.owes == {1})  # type: ignore[misc]
            notices.append([said.text for said in game.talk()])
    assert notices[0] == notices[1]
    assert notices[0][-1].endswith("plays the rest of this turn.")


async def test_list_is_kept_when_another_player_calls_a_stand_in(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await secret_game(home, *GIVEN)
        given = orders_of(game, 0)
        home._began -= GRACE
        assert await game.seat_computer(0, "normal", BERT) == ""
        await until(lambda: game.owes == {1})
        assert orders_of(game, 0) == given


async def test_moves_of_a_turn_stay_when_the_clock_runs_out(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, TIMED)
        await game.sit(BERT, 1)
        assert (await game.submit(ANNA, 0, "step unit=1 direction=right")).ok
        log = game.table.game.log
        mine, before = log.line()[-1], len(log)
        let_time_run_out(game, 0)
        await until(lambda: game.owes == {1})
        assert log.line()[before - 1] is mine
        assert {entry.seat for entry in log.line()[before:]} == {0}
