"""The operator's orders reach the host through its file, at once or at its next start."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.core.ids import PUBLIC
from host.server.admin import admin
from host.server.database import StoreFault
from host.server.people import KeyInfo
from host.server.store import Store
from host.ssh import serving
from host.ssh.serving import Host
from tests.app.cli import arguments
from tests.host.servers import AGAINST_EASY, ANNA, FORD, ports
from tests.patience import until
from tui.console.exits import Exit


@asynccontextmanager
async def obeying(folder: Path) -> AsyncIterator[Host]:
    """Run a host that obeys orders but does not listen."""
    host = Host(folder, ports(folder), arguments("host"))
    if not host.store.people():
        host.store.enrol(host.store.invite(0), ANNA.name, KeyInfo("SHA256:anna"))
    await host.game_server.open_all()
    task = asyncio.create_task(host._obey())
    try:
        yield host
    finally:
        task.cancel()
        await host.game_server.close()
        host.store.close()


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_ORDERS", 0.01)


def order(folder: Path, *words: str) -> None:
    """Give an order as another process does."""
    store = Store.open(folder / "host.sqlite3")
    try:
        assert admin(words, store, "")[0] is Exit.OK
    finally:
        store.close()


async def test_running_host_closes_a_game_on_order(tmp_path: Path) -> None:
    async with obeying(tmp_path) as host:
        game = await host.game_server.begin(ANNA, FORD)
        order(tmp_path, "close", str(game.number))
        await until(lambda: not host.game_server.games())
        assert game.is_closed
        assert host.game_server.ports.archive.read(game.info.name).log


async def test_renamed_person_has_the_new_name_in_all_games(tmp_path: Path) -> None:
    async with obeying(tmp_path) as host:
        server = host.game_server
        opened, closed = [await server.begin(ANNA, AGAINST_EASY) for _ in range(2)]
        await closed.stand(ANNA, 0, "easy")
        assert closed.info.paused == "until Anna is back at the table"
        await server._close(closed.number)
        order(tmp_path, "rename", "Anna", "Anja")
        await until(lambda: [one.seats[0].person for one in server.games()] == ["Anja"] * 2)
        assert server.games()[0].paused == "until Anja is back at the table"
        opened.say(ANNA, "hello")
        assert opened.talk()[-1].name == "Anja"
        assert server.current_name(ANNA) == "Anja"
    async with obeying(tmp_path) as host:
        assert [one.seats[0].person for one in host.game_server.games()] == ["Anja"] * 2


async def test_rename_while_no_host_runs_applies_to_closed_games(
    tmp_path: Path,
) -> None:
    async with obeying(tmp_path) as host:
        game = await host.game_server.begin(ANNA, FORD)
        while not game.is_over:
            seat = min(game.owes)
            if not game.seats_of(ANNA) or seat not in game.seats_of(ANNA):
                await game.sit(ANNA, seat)
            assert (await game.submit(ANNA, seat, "end-phase")).ok
    order(tmp_path, "rename", "Anna", "Anja")
    async with obeying(tmp_path) as host:
        server = host.game_server
        await until(lambda: {one.person for one in server.games()[0].seats} == {"Anja"})


async def test_failed_order_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with obeying(tmp_path) as host:

        def full() -> None:
            raise StoreFault("the disk is full")

        monkeypatch.setattr(host.store, "all_seats", full)
        order(tmp_path, "rename", "Anna", "Anja")
        order(tmp_path, "stop")
        await until(host.done.is_set)


async def test_game_closed_by_order_while_no_host_ran_is_closed(tmp_path: Path) -> None:
    async with obeying(tmp_path) as host:
        game = await host.game_server.begin(ANNA, FORD)
    order(tmp_path, "close", str(game.number))
    order(tmp_path, "stop")
    async with obeying(tmp_path) as host:
        await until(lambda: not host.game_server.games())
        assert not host.done.is_set()  # that was meant for another host
    async with obeying(tmp_path) as host:
        assert not host.game_server.games()


async def test_watchers_of_a_closed_game_are_notified(tmp_path: Path) -> None:
    async with obeying(tmp_path) as host:
        game = await host.game_server.begin(ANNA, FORD)
        told: list[bool] = []
        game.place(ANNA).link(PUBLIC)
        game.on_change(lambda: told.append(game.is_closed))
        order(tmp_path, "close", str(game.number))
        await until(lambda: told[-1:] == [True])
