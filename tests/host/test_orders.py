"""Orders of the operator by the host's file reach the host that runs, now or next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.core.ids import PUBLIC
from tests.app.cli import arguments
from tests.host.servers import ANNA, FORD, ports, until
from tui.console.exits import Exit
from tui.host.admin import admin
from tui.host.people import KeyInfo
from tui.host.store import Store
from tui.ssh import serving
from tui.ssh.serving import Host


@asynccontextmanager
async def obeying(folder: Path) -> AsyncIterator[Host]:
    """A host that looks for orders and does not listen."""
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


async def test_a_game_is_closed_by_the_host_that_runs(tmp_path: Path) -> None:
    async with obeying(tmp_path) as host:
        game = await host.game_server.begin(ANNA, FORD)
        order(tmp_path, "close", str(game.number))
        await until(lambda: not host.game_server.games())
        assert game.is_closed
        assert host.game_server.ports.archive.read(game.info.name).log


async def test_a_game_is_closed_that_was_ordered_so_while_no_host_ran(tmp_path: Path) -> None:
    async with obeying(tmp_path) as host:
        game = await host.game_server.begin(ANNA, FORD)
    order(tmp_path, "close", str(game.number))
    order(tmp_path, "stop")
    async with obeying(tmp_path) as host:
        await until(lambda: not host.game_server.games())
        assert not host.done.is_set()  # that was meant for another host
    async with obeying(tmp_path) as host:
        assert not host.game_server.games()


async def test_whoever_watches_a_game_that_is_closed_is_told(tmp_path: Path) -> None:
    async with obeying(tmp_path) as host:
        game = await host.game_server.begin(ANNA, FORD)
        told: list[bool] = []
        game.place(ANNA).link(PUBLIC)
        game.on_change(lambda: told.append(game.is_closed))
        order(tmp_path, "close", str(game.number))
        await until(lambda: told[-1:] == [True])
