"""Secrets of other players never change a byte that a person on a host receives.

Two hosts differ only in one person's secrets. Everyone who does not know them must receive the
same bytes from both: on the screen, in live events, in dumps of the game, by the bot protocol
and in line mode.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple, cast

import asyncssh
import pytest
from textual.pilot import Pilot

from engine.core.archive import SeatPlayer
from engine.core.dice import Seeded
from engine.core.registry import find
from host.server import played_game
from host.server.hosted import HostedGame
from host.server.people import KeyInfo, Person
from host.server.store import Store
from host.ssh import ssh_connection
from host.ssh.serving import Host
from host.ssh.terminal_session import TerminalSession
from host.ssh.wire import Wire
from tests.app.cli import arguments
from tests.host.servers import ports
from tests.patience import PATIENCE
from tui.play import setup
from tui.play.setup import NewGame
from tui.terminal.capabilities import detect

ANNA, BERT, CARL = (Person(number, name) for number, name in enumerate(("Anna", "Bert", "Carl"), 1))
"""Anna has the secrets, Bert plays too, Carl watches."""

TERMINAL = detect({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, lambda _: 256, "utf-8")

PAINT_ANEW = b"\x0c"
WHOLE = b"\x1b[1;1H"
"""Beginning of a fully repainted picture."""


class Tape:
    """A terminal's wire that keeps its output."""

    size = (80, 24)
    unsent = 0

    def __init__(self) -> None:
        self.is_open = True
        self.sent = b""
        self._typed: asyncio.Queue[bytes] = asyncio.Queue()

    def hear_size(self, told: Callable[[], None] | None) -> None:
        """Do nothing: the size stays."""

    def write(self, data: bytes) -> None:
        self.sent += data

    def taken(self) -> bytes:
        """Return the output since the last call."""
        sent, self.sent = self.sent, b""
        return sent

    async def read(self) -> bytes:
        return await self._typed.get()

    def type(self, data: bytes) -> None:
        self._typed.put_nowait(data)

    def unread(self, data: bytes) -> None:
        raise NotImplementedError

    def close(self, code: int = 0) -> None:
        self.is_open = False
        self._typed.put_nowait(b"")

    abort = close


class At:
    """A person at the screen."""

    def __init__(self, host: Host, person: Person) -> None:
        self.tape = Tape()
        self._host = host
        self._person = person
        attaching = host.terminals.attach(person, cast("Wire", self.tape), TERMINAL)
        self._sitting = asyncio.create_task(attaching)

    async def quiet(self) -> None:
        """Wait until all pending work is done."""
        async with asyncio.timeout(PATIENCE):
            while (desk := self._desk) is None or desk.app is None or not desk.app.screen_stack:
                await asyncio.sleep(0)
            while desk._driver is None or desk._driver._keyboard.wait is not None:
                await asyncio.sleep(0.01)
        for _ in range(2):
            await Pilot(desk.app).pause()

    @property
    def _desk(self) -> TerminalSession | None:
        return next(iter(self._host.terminals.of(self._person)), None)

    async def press(self, keys: bytes) -> None:
        self.tape.type(keys)
        while not self.tape._typed.empty():
            await asyncio.sleep(0)
        await self.quiet()

    async def breaks(self, keys: bytes) -> None:
        """Press keys that break the screen, and wait for the next screen."""
        before = self._desk.app if self._desk is not None else None
        self.tape.type(keys)
        async with asyncio.timeout(PATIENCE):
            while self._desk is not None and self._desk.app in {before, None}:
                await asyncio.sleep(0.01)
        await self.quiet()

    async def picture(self) -> bytes:
        """Repaint the whole screen until it comes out the same twice, and return its bytes.

        Something that was late may be painted before it, between its rows, or after it.
        """
        before = b""
        async with asyncio.timeout(PATIENCE):
            while not (seen := await self._repainted()).startswith(WHOLE) or seen != before:
                before = seen
        return seen

    async def _repainted(self) -> bytes:
        """Ask for a repaint; return all bytes that come."""
        await self.quiet()
        self.tape.taken()
        await self.press(PAINT_ANEW)
        while not self.tape.sent:
            await self.quiet()
        return self.tape.taken()

    async def gone(self) -> None:
        """Wait until the host has closed the screen, or the connection is cut."""
        async with asyncio.timeout(PATIENCE):
            await self._sitting

    async def leave(self) -> None:
        self.tape.close()
        await self.gone()


class Script(NamedTuple):
    """A game in which Anna has secrets."""

    start: NewGame
    before: Sequence[tuple[Person, str]]
    """Actions of all players before anyone watches; the same on both hosts."""
    secret: Sequence[str]
    """Secret actions of Anna; different on the two hosts."""
    after: Sequence[tuple[Person, str]]
    """Later actions; again the same on both hosts."""


@asynccontextmanager
async def hosting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Host, dict[str, asyncssh.SSHKey]]]:
    """Run a host in this process, with a frozen clock; yield it with the keys of its people."""
    folder.mkdir()
    monkeypatch.setattr(
        played_game, "time", SimpleNamespace(time=lambda: 0.0, monotonic=lambda: 0.0)
    )
    monkeypatch.setattr(ssh_connection, "EMPTY", PATIENCE)
    store = Store.open(folder / "host.sqlite3")
    keys = {}
    for person in (ANNA, BERT, CARL):
        key = keys[person.name] = asyncssh.generate_private_key("ssh-ed25519")
        info = KeyInfo(key.get_fingerprint(), key.get_algorithm())
        assert store.enrol(store.invite(0), person.name, info) == person
    for limit in ("connection", "session", "exec"):
        store.set_limits(limit, "1000+1000")
    store.close()
    host = Host(folder, ports(folder), arguments("host"))
    await host.game_server.open_all()
    await host.server.start("127.0.0.1", 0, asyncssh.generate_private_key("ssh-ed25519"))
    try:
        yield host, keys
    finally:
        await host.server.close("")
        await host.game_server.close()
        host.store.close()


@asynccontextmanager
async def connected(
    host: Host, key: asyncssh.SSHKey
) -> AsyncIterator[asyncssh.SSHClientConnection]:
    async with asyncssh.connect(
        "127.0.0.1",
        host.server.port,
        known_hosts=None,
        username="x",
        client_keys=[key],
        agent_path=None,
        config=None,
    ) as connection:
        yield connection


async def sent(connection: asyncssh.SSHClientConnection, command: str, given: str = "") -> bytes:
    """Run a command; return all its output."""
    async with asyncio.timeout(PATIENCE):
        done = await connection.run(command, input=given.encode(), encoding=None)
    assert done.exit_status == 0, done.stderr
    assert isinstance(done.stdout, bytes)
    return done.stdout


async def carry_out(game: HostedGame, deeds: Sequence[tuple[Person, str]]) -> None:
    for person, line in deeds:
        (seat,) = game.seats_of(person)
        reply = await game.submit(person, seat, line)
        assert reply.ok, (line, reply.text)


class Audience:
    """All recipients on a host; Bert and Carl also use screens, live events and lines."""

    def __init__(self, host: Host, lines: Mapping[str, asyncssh.SSHClientConnection]) -> None:
        self.found: dict[str, bytes] = {}
        """All bytes received, by a name that begins with the recipient."""
        self.screens = {"Bert": At(host, BERT), "Carl": At(host, CARL)}
        self._lines = lines
        self._live: dict[str, asyncssh.SSHClientProcess[bytes]] = {}

    async def come(self, seat: str) -> None:
        """Open screens and start the live commands."""
        for who, command in (
            ("Bert watches", f"watch 1 --seat {seat} --from-start"),
            ("Carl watches", "watch 1 --from-start"),
            ("Bert's program", f"bot --game 1 --seat {seat}"),
            ("Bert's lines", "play --plain 1"),
        ):
            line = self._lines[who[:4]]
            self._live[who] = await line.create_process(command, encoding=None)
        self._live["Bert's program"].stdin.write(b'{"type":"ready"}\n')
        self._live["Bert's lines"].stdin.write(b"status\nlook\n")
        for who, process in self._live.items():
            self.found[who] = await process.stdout.readline()
        for who, screen in self.screens.items():
            await screen.press(b"\r")
            self.found[f"{who}'s first picture"] = await screen.picture()
            screen.tape.taken()

    async def look(self, seat: str) -> None:
        """Look at everything while Anna has secrets."""
        for who, screen in self.screens.items():
            await screen.quiet()
            self.found[f"{who}'s screen meanwhile"] = screen.tape.taken()
            self.found[f"{who}'s picture before"] = await screen.picture()
            await screen.press(b"o")
            self.found[f"{who}'s summary"] = await screen.picture()
            await screen.press(b"\x1b")
            await screen.press(b"J")
            self.found[f"{who}'s reports"] = await screen.picture()
            await screen.press(b"\x1b[Z")
            self.found[f"{who}'s history"] = await screen.picture()
            await screen.press(b"\x1b")
        await self._account("before")
        await self._say("Bert", f"bot --game 1 --seat {seat}", TALK)
        for who in ("Bert", "Anna"):
            await self._say(who, "play --plain 1", WORDS)

    async def leave(self) -> None:
        """Look a last time, and close everything."""
        for who, screen in self.screens.items():
            await screen.press(b"\x1b")
            self.found[f"{who}'s picture after"] = await screen.picture()
            await screen.leave()
        await self._account("after")
        self._live["Bert's lines"].stdin.write(b"again\nstatus\nquit\n")
        self._live["Bert's program"].stdin.write(b'{"type":"state"}\n{"type":"bye"}\n')
        async with asyncio.timeout(PATIENCE):
            for who in ("Bert's lines", "Bert's program"):
                self.found[who] += await self._live[who].stdout.read()
            for who in ("Bert watches", "Carl watches"):
                self.found[who] += await self._live[who].stdout.read(1 << 16)

    async def _account(self, when: str) -> None:
        for who in self._lines:
            for command in ("dump 1", "dump 1 --json", "games --json"):
                await self._say(who, command, "", when)
            await self._say(who, "debug 1", VERBS, when)

    async def _say(self, who: str, command: str, given: str, when: str = "") -> None:
        data = await sent(self._lines[who], command, given)
        self.found[f"{who}: {command} {when}"] = data


TALK = '{"type":"ready"}\n{"type":"offers"}\n{"type":"state"}\n{"type":"bye"}\n'
VERBS = "where\nback 2\ngo start\nmark here\ngo 50%\ndiff @here end\nhistory options\n"
WORDS = "status\nlook\nunits\nagain\nlog 40\nluck\nreports\nreports history\nquit\n"


async def told(folder: Path, script: Script, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """Play a script on a host; return everything that its people received."""
    # The founder of a game on a host cannot choose the seed.
    monkeypatch.setattr(setup, "fresh_seed", lambda: script.start.seed)
    async with (
        hosting(folder, monkeypatch) as (host, keys),
        connected(host, keys["Anna"]) as anna,
        connected(host, keys["Bert"]) as bert,
        connected(host, keys["Carl"]) as carl,
    ):
        game = await host.game_server.begin(ANNA, script.start)
        assert await game.sit(BERT, 1) == ""
        await carry_out(game, script.before)
        audience = Audience(host, {"Anna": anna, "Bert": bert, "Carl": carl})
        seat = game.info.seats[1].name
        await audience.come(seat)
        await carry_out(game, [(ANNA, line) for line in script.secret])
        await audience.look(seat)
        await carry_out(game, script.after)
        await audience.leave()
    return audience.found


async def check_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch, scripts: Sequence[Script]
) -> None:
    """Check that only Anna receives different bytes."""
    one, other = [
        await told(folder / str(number), script, monkeypatch)
        for number, script in enumerate(scripts)
    ]
    assert one.keys() == other.keys()
    differ = [who for who in one if one[who] != other[who]]
    own = [who for who in differ if who.startswith("Anna")]
    assert own, "nobody had a secret"
    for who in differ:
        at = next(
            (n for n, (a, b) in enumerate(zip(one[who], other[who], strict=False)) if a != b), 0
        )
        assert who in own, (who, at, one[who][at - 90 : at + 90], other[who][at - 90 : at + 90])
    assert all(data or "meanwhile" in who for who, data in one.items())


GD6 = NewGame(
    "gd6", "spies", players=(SeatPlayer(0, "A"), SeatPlayer(1, "B")), seed=b"1", name="Kept"
)
MARCH = "move path=1>6 count=2"
"""Order that becomes visible to all when executed."""


async def test_secret_orders_change_no_output_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = (
        ("buy item=crop", MARCH),
        (
            "mine at=1 count=2",
            "mine at=6 count=1",
            "buy item=toxic",
            "move path=2>1 count=1 unit=spy",
            MARCH,
            "drop places=1",
        ),
    )
    before = ((BERT, "move path=4>5 count=1"),)
    after = ((ANNA, "seal"), (BERT, "seal"))
    await check_same(tmp_path, monkeypatch, [Script(GD6, before, it, after) for it in lists])


def toy(seed: bytes) -> NewGame:
    players = SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch")
    return NewGame("toy", "crossing", players=players, seed=seed, name="Kept")


def two_deals() -> tuple[bytes, bytes]:
    """Find two seeds that deal equal strengths to the second clan and others to the first."""
    rules = find("toy")
    deals: dict[bytes, tuple[list[int], list[int]]] = {}
    for number in range(200):
        seed = b"%d" % number
        (event,) = rules.begin(rules.scenarios()["crossing"], {}, Seeded(seed, 0, "decide"))
        clans = [[b.strength for b in event.bands if b.clan == clan] for clan in (0, 1)]
        for before, (own, others) in deals.items():
            if others == clans[1] and own != clans[0]:
                return before, seed
        deals[seed] = clans[0], clans[1]
    raise AssertionError("no two seeds will do")


async def test_hidden_strengths_and_drafts_change_no_output_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts = (
        ("order band=1 path=0,1",),
        ("order band=2 path=0,1", "drop bands=2", "rank bands=3>2>1"),
    )
    deals = zip(two_deals(), drafts, strict=True)
    scripts = [Script(toy(seed), (), secret, ()) for seed, secret in deals]
    await check_same(tmp_path, monkeypatch, scripts)


async def test_undo_does_not_reveal_whether_others_have_given_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ((BERT, "move path=4>5 count=1"), (BERT, "buy item=crop"))
    after = ((BERT, "undo"), (BERT, "undo"), (BERT, "buy item=crop"))
    secrets: tuple[tuple[str, ...], ...] = ((), ("mine at=1 count=2", "buy item=crop", "undo"))
    scripts = [Script(GD6, before, secret, after) for secret in secrets]
    await check_same(tmp_path, monkeypatch, scripts)
