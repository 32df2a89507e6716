"""Entering a long game does not delay the others while its log is folded."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.core import replay
from engine.core.ids import PUBLIC
from engine.core.notation import write
from host.server import hosted
from host.server.clocks import Terms
from host.server.game_server import GameServer
from host.server.hosted import HostedGame, Past
from tests.host.servers import ANNA, BERT, FORD, game_server
from tests.host.test_visitor import visit
from tui.play import session

EVERY = 8
LATELY = 4


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shrink the limits of nearby entries and earlier lines to the size of a test game."""
    monkeypatch.setattr(hosted, "NEAR", 8)
    monkeypatch.setattr(session, "_EARLIER", LATELY)


async def long_game(home: GameServer) -> HostedGame:
    """Play a game of many entries, with one event or a few each, and with few states kept."""
    game = await home.begin(ANNA, FORD, Terms(pace=0))
    await game.sit(BERT, 1)
    while len(game.table.game.log) < 48:
        (seat,) = game.owes
        wanted = next(game.rules.offers(game.table.game.view(seat)))
        assert (await game.submit((ANNA, BERT)[seat], seat, write(wanted))).ok
    game.past = Past(game.table, EVERY)
    return game


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> Counter[bool]:
    """Number of entries applied to a state: in the event loop (True) and in other threads
    (False).
    """
    counted: Counter[bool] = Counter()
    usual = replay.apply

    def counting(*given: Any) -> Any:
        counted[threading.current_thread() is threading.main_thread()] += 1
        return usual(*given)

    monkeypatch.setattr(replay, "apply", counting)
    return counted


async def test_log_is_folded_in_a_thread_before_a_screen_opens(
    tmp_path: Path, applied: Counter[bool]
) -> None:
    async with game_server(tmp_path) as home:
        game = await long_game(home)
        applied.clear()
        async with visit(home, ANNA, tmp_path) as anna:
            await anna.press("enter")
            await anna.shows("Eldoin")
            assert anna.game.game is game
        assert applied[False] >= len(game.table.game.log)
        assert applied[True] <= LATELY + EVERY


async def test_kept_states_give_the_same_lines_and_scenes(
    tmp_path: Path, applied: Counter[bool]
) -> None:
    async with game_server(tmp_path) as home:
        game = await long_game(home)
        place = game.place(ANNA)
        before = list(place.chronicle(PUBLIC).told(5))
        stop = len(game.table.game.log)
        start = stop - 5
        scenes = list(place.chronicle(PUBLIC).scenes(start, stop))
        game.past = Past(game.table, EVERY)
        await game.prepare()
        applied.clear()
        assert list(place.chronicle(PUBLIC).told(5)) == before
        assert list(place.chronicle(PUBLIC).scenes(start, stop)) == scenes
        assert applied[True] <= 2 * (EVERY + 5)
        place.leave()


async def test_barely_advanced_game_is_not_folded_again(
    tmp_path: Path, applied: Counter[bool]
) -> None:
    async with game_server(tmp_path) as home:
        game = await long_game(home)
        await game.prepare()
        applied.clear()
        await game.prepare()
        assert applied == Counter()
