"""Places of a host: strangers, guests and a full disk never cost an account its place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from asyncssh.channel import SSHClientChannel

from engine.core.archive import SaveFault
from engine.core.record import replace
from host.server.database import StoreFault
from host.server.people import Guest, KeyInfo
from host.server.rate_limits import HostLimits, Rate, RateLimiter, Taken
from host.server.security import SecurityLog
from host.server.store import Store
from host.ssh import server as server_module
from host.ssh import ssh_connection
from host.ssh.probe import Remembered
from host.ssh.ssh_connection import AccessControl, Key, _thin_out
from tests.host.ground import Ground, Screen, hosting, screen
from tests.host.servers import ANNA, BERT, FORD, game_server
from tests.patience import until

FEW = replace(HostLimits(), sessions=10)
"""Ten sessions for accounts. Two for guests and two for newcomers, at most one per network."""

GUEST = Guest(number=-1, name="guest 1", may_play=True, origin="192.0.2.1")
NEIGHBOUR = Guest(number=-2, name="guest 2", may_play=True, origin="192.0.2.1")
FAR_GUEST = Guest(number=-3, name="guest 3", may_play=True, origin="198.51.100.1")


@asynccontextmanager
async def small_host(*, guests: bool = False) -> AsyncIterator[Ground]:
    """Run a server with few places."""
    async with hosting(guests=guests) as ground:
        ground.server.full = FEW.full_session
        yield ground


async def stranger(ground: Ground, stack: AsyncExitStack) -> Screen:
    """Connect to a terminal with a key without an account."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    line = await stack.enter_async_context(ground.connection(key))
    return await screen(line)


# -- a full disk -----------------------------------------------------------------------------------


def fill(store: Store) -> None:
    """Refuse all later writes of a store, as a full disk does."""
    store._db.execute("PRAGMA query_only = ON")


async def test_known_key_is_admitted_when_nothing_can_be_written(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "host.sqlite3")
    store.enrol(store.invite(by=0, admin=True), "Anna", KeyInfo("SHA256:anna"))
    access = AccessControl(store, RateLimiter(HostLimits()), SecurityLog(tmp_path / "log"))
    fill(store)
    key = Key("SHA256:anna", "ssh-ed25519")
    found = await access.person(key)
    assert found is not None
    assert (found.name, found.is_admin) == ("Anna", True)
    await access.remember(key, "xterm", Remembered("16", "ascii"))
    assert await access.remembered(key, "xterm") is None
    store.keep_place(found.number, 1, 0, 2, 3)
    store.close()


async def test_unreadable_accounts_are_one_line_and_not_a_ban() -> None:
    async with hosting() as ground:

        async def fails(_key: Key) -> str:
            raise StoreFault("disk image is malformed")

        ground.hall.ban = fails  # type: ignore[assignment,method-assign]
        async with ground.connection(ground.ben) as line:
            done = await line.run("x", encoding=None)
            assert done.stderr == f"{ssh_connection.NO_ACCOUNTS}\n".encode()


async def test_seats_and_terms_are_unchanged_when_they_cannot_be_written(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        before = game.terms
        fill(home.store)
        for deed in (
            game.sit(BERT, 1),
            game.stand(ANNA, 0),
            home.consent(game, ANNA, 0),
            home.agree(game.number, ANNA, 60, 0),
            home.begin(BERT, FORD),
        ):
            with pytest.raises(SaveFault, match="nothing has changed"):
                await deed
        assert game.seats_of(ANNA) == (0,)
        assert game.seating.free == (1,)
        assert not game.consents
        assert game.terms == before
        home.store._db.execute("PRAGMA query_only = OFF")
        assert await game.sit(BERT, 1) == ""


# -- newcomers -------------------------------------------------------------------------------------


async def test_waiting_newcomers_cost_no_account_its_place() -> None:
    async with small_host() as ground, AsyncExitStack() as stack:
        first = await stranger(ground, stack)
        await first.until("Code:")
        second = await stranger(ground, stack)
        await second.over()
        assert "Too many newcomers are at the door." in second.text
        async with ground.connection(ground.ben) as line:
            assert (await line.run("x", encoding=None)).stdout == b"Ben said x\n"


def test_one_network_gets_half_of_the_places_of_newcomers() -> None:
    taken = Taken("newcomer", total=1, own=0, near=1)
    assert FEW.full_session(taken)
    assert not FEW.full_session(taken._replace(near=0))
    assert FEW.full_session(taken._replace(total=2, near=0))


async def test_silent_newcomer_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_connection, "SILENT", 1000.0)
    async with small_host() as ground, AsyncExitStack() as stack:
        at = await stranger(ground, stack)
        await at.until("Code:")
        (newcomer,) = ground.server._connections
        came = newcomer.heard
        at.press("x")
        await until(lambda: newcomer.heard > came)
        newcomer.tick(came + 1000.0)
        typed = newcomer.heard
        at.press("x")
        await until(lambda: newcomer.heard > typed)
        newcomer.tick(newcomer.heard + 1000.1)
        await at.over()


async def test_session_without_a_request_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "TICK", 0.02)
    monkeypatch.setattr(ssh_connection, "SILENT", 0.1)
    async with hosting() as ground, ground.connection(ground.ben) as line:
        loop = asyncio.get_running_loop()
        silent: Any = SSHClientChannel(line, loop, "strict", None, "strict", 2**16, 2**15)
        await silent._open(b"session")
        assert ground.server.connections == 1
        await until(lambda: ground.server.connections == 0)


class Waiting:
    """A waiting connection, with the parts that thinning out uses."""

    is_admitted = False

    def __init__(self, address: str, since: float) -> None:
        self.address, self.since, self.is_dropped = address, since, False

    def abort(self) -> None:
        self.is_dropped = True


def test_crowd_at_the_door_loses_its_longest_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssh_connection, "MOST_WAITING", 3)
    crowd = [Waiting("192.0.2.1", at) for at in (5.0, 4.0, 6.0)]
    early = Waiting("198.51.100.1", 1.0)
    _thin_out({*crowd})  # type: ignore[arg-type]
    assert not any(one.is_dropped for one in crowd)
    _thin_out({*crowd, early})  # type: ignore[arg-type]
    assert [one.is_dropped for one in (*crowd, early)] == [False, True, False, False]


# -- guests ----------------------------------------------------------------------------------------


async def test_guests_cost_no_account_its_place() -> None:
    async with small_host(guests=True) as ground, AsyncExitStack() as stack:
        first = await screen(await stack.enter_async_context(ground.connection(None, "guest")))
        await first.until("guest: 0")
        second = await screen(await stack.enter_async_context(ground.connection(None, "guest")))
        await second.over()
        assert "The host has as many guests as it takes." in second.text
        ben = await screen(await stack.enter_async_context(ground.connection(ground.ben)))
        await ben.until("Ben: 0")
        assert not first.is_over


async def test_silent_guest_makes_room_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    async with small_host(guests=True) as ground, AsyncExitStack() as stack:
        first = await screen(await stack.enter_async_context(ground.connection(None, "guest")))
        await first.until("guest: 0")
        monkeypatch.setattr(server_module, "SILENT", 0.0)
        second = await screen(await stack.enter_async_context(ground.connection(None, "guest")))
        await second.until("guest: 0")
        await first.over()
        assert first.raw.endswith(b"Others wait for your place.\r\n")
        assert not second.is_over


async def test_guests_of_a_network_share_one_limit_of_games(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        few = replace(HostLimits(), games=10, games_a_person=1)
        home.limits = lambda: few
        await home.begin(GUEST, FORD)
        with pytest.raises(LookupError, match="You have begun 1 games"):
            await home.begin(NEIGHBOUR, FORD)
        await home.begin(FAR_GUEST, FORD)
        with pytest.raises(LookupError, match="Guests have begun too many games"):
            await home.begin(replace(FAR_GUEST, number=-4, origin="203.0.113.9"), FORD)
        await home.begin(ANNA, FORD)


async def test_game_of_guests_is_deleted_with_the_last_of_them(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        alone = await home.begin(GUEST, FORD)
        shared = await home.begin(GUEST, FORD)
        assert await shared.sit(ANNA, 1) == ""
        home.let_go(GUEST)
        await until(lambda: len(home.games()) == 1)
        assert [info.number for info in home.games()] == [shared.number]
        assert shared.seating.free == (0,)
        assert [info.name for info in home.ports.archive.listing()] == [shared.info.name]
        assert alone.is_closed
        assert [row.number for row in home.store.games()] == [shared.number]


async def test_restart_of_the_host_deletes_only_games_of_guests(
    tmp_path: Path,
) -> None:
    async with game_server(tmp_path) as home:
        await home.begin(GUEST, FORD)
        kept = await home.begin(ANNA, FORD)
    async with game_server(tmp_path) as home:
        assert [info.number for info in home.games()] == [kept.number]
        assert len(home.ports.archive.listing()) == 1


async def test_watching_guests_leave_room_for_accounts(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        few = replace(HostLimits(), watchers_a_game=1)
        home.limits = lambda: few
        game = await home.begin(ANNA, FORD)
        game.place(GUEST)
        assert "watch this game already" in game.may_watch(NEIGHBOUR)
        assert game.may_watch(BERT) == ""


# -- rates and methods -----------------------------------------------------------------------------


def test_rates_are_counted_by_account_and_for_guests_by_network() -> None:
    limiter = RateLimiter(replace(HostLimits(), chat=Rate(1, 1)), clock=lambda: 10**12)
    for person in (ANNA, BERT, GUEST, FAR_GUEST):
        assert not limiter.ask("chat", *person.counted_as)
    for person in (ANNA, BERT, GUEST, FAR_GUEST, NEIGHBOUR):
        assert limiter.ask("chat", *person.counted_as)


async def test_methods_with_sha1_are_refused() -> None:
    async with hosting() as ground:
        for weak in (
            {"kex_algs": ["diffie-hellman-group14-sha1"]},
            {"mac_algs": ["hmac-sha1"], "encryption_algs": ["aes128-ctr"]},
        ):
            with pytest.raises(asyncssh.KeyExchangeFailed):
                await asyncssh.connect(
                    "127.0.0.1", ground.server.port, known_hosts=None, config=None, **weak
                )
