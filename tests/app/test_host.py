"""A host and its clients as people use them: ``ssh`` in a terminal, programs, broken connections.

Every step waits for the screen it needs. No test asserts how long that takes.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncssh
import pytest

from tests.app.cli import banneret
from tests.app.games import begun, entered
from tests.app.glass import Glass
from tests.app.host_program import HostProgram, hosting, real_terminal
from tests.app.moves import Moves
from tests.host import soak
from tests.patience import PATIENCE
from tests.programs import needs_ssh
from tui.console.exits import Exit

EVERYBODY = (
    "Root",
    "Anna",
    "Bert",
    "Carl",
    "Dora",
    "Emil",
    "Frida",
    "Gert",
    "Hans",
    "Ida",
    soak.VANDAL,
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostProgram]:
    """One host for many tests; each test uses its own people."""
    with hosting(tmp_path_factory.mktemp("host"), *EVERYBODY) as running:
        yield running


async def ended_phase(glass: Glass, after: str) -> None:
    """End a phase by key, even if units could still act."""

    def has_ended(text: str) -> bool:
        return f" {after}" in text.partition("\n")[0]

    glass.press("e")
    await glass.until(lambda text: has_ended(text) or "Enter or y: end it" in text)
    if not has_ended(glass.text):
        glass.press("y")
    await glass.until(has_ended)


def board(text: str) -> list[str]:
    """Return the map of Weltendämmerung as shown on a screen."""
    return [line[:40].rstrip() for line in text.splitlines()[1:13]]


def real(host: HostProgram, program: str, name: str, *words: str, given: str = "") -> str:
    """Run a program of OpenSSH that must succeed; return its output."""
    command = host.command(program, name, *words)
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# -- real clients ----------------------------------------------------------------------------------


@needs_ssh
async def test_two_people_finish_a_round_while_a_third_watches(
    host: HostProgram, tmp_path: Path
) -> None:
    async with (
        host.line("Bert") as bert,
        host.line("Carl") as carl,
        real_terminal(host, "Anna") as anna,
    ):
        words = "weltendaemmerung --scenario ford --name Round --seat Dailor=person"
        number = await begun(bert, words)
        await entered(anna, "Round", "Play Dailor")
        anna.press("\r")
        await anna.until("Waiting for Bert", "Anna plays Dailor")
        at = await bert.screen()
        await entered(at, "Round", "Round 1 of", "Eldoin ►  MOVE")
        watching = await carl.screen()
        await entered(watching, "Round", "watching")
        await at.until("Space: pick up")
        at.press("llll")
        await at.until(" 8,5\n", "Meadow")
        at.press(" 8 ")
        await at.until(" 8,4\n", "Meadow", " 9/10\n", "Space: pick up")
        for glass in (anna, watching):
            await glass.until(lambda text: board(text) == board(at.text))
        for phase in ("►  MOVE", "► move ►  ATTACK", "► move ► attack ►  GATES"):
            await at.until(lambda text, phase=phase: f"Eldoin {phase}" in text)  # type: ignore[misc]
            await ended_phase(at, f"Dailor {phase}")
            await anna.until(lambda text, phase=phase: f"Dailor {phase}" in text)  # type: ignore[misc]
            await ended_phase(anna, "Eldoin ►")
        for glass in (at, watching):
            await glass.until("Round 2 of", "Eldoin ►  MOVE", "Dailor: Gates.")

        ssh = await asyncio.to_thread(real, host, "ssh", "Anna", "127.0.0.1", f"dump {number}")
        assert "sword bearers move to 8,4" in ssh
        copy = tmp_path / "dump.txt"
        folder = f"{number}-Round"
        await asyncio.to_thread(
            real, host, "scp", "Anna", f"127.0.0.1:/games/{folder}/dump.txt", str(copy)
        )
        assert copy.read_text(encoding="utf-8").split() == ssh.split()
        listed = await asyncio.to_thread(
            real, host, "sftp", "Carl", "-b", "-", "127.0.0.1", given="ls /games\n"
        )
        assert folder in listed


@needs_ssh
async def test_secret_orders_are_given_by_keys_program_and_lines(
    host: HostProgram,
) -> None:
    async with (
        host.line("Dora") as dora,
        host.line("Emil") as emil,
        host.line("Frida") as frida,
        real_terminal(host, "Gert", size=(100, 30)) as gert,
    ):
        people = " ".join(f"--seat {seat}=person" for seat in "ABC")
        number = await begun(dora, f"gd6 --scenario west --name Secret {people}")
        await emil.run(f"sit {number} C")
        await entered(gert, "Secret", "Play B")
        gert.press("\r")
        await gert.until("Gert plays B", "Turn 1 of 30   B ►  ORDERS", "1 left")
        watching = await frida.screen()
        await entered(watching, "Secret", "watching", "Waiting for Dora (away), Gert, Emil (away).")

        program = await dora.bot(number, "A")
        await program.ready()
        for line in ("hq at=7", "seal"):
            assert (await program.act(line))["type"] == "done"
        gert.press("c")
        await gert.until("1. settle", "settle at 1 ")
        gert.press("s")
        await gert.until("You can still raise 2 armies.", "Enter or y: seal them")
        gert.press("y")
        for glass in (gert, watching):
            await glass.until("Waiting for Emil (away).")
        assert "settle at 7" not in gert.text + watching.text
        assert "settle at 1 " not in watching.text
        lines = await emil.run(f"play --plain {number}", "hq at=12\nseal yes\nquit\n")
        assert "settle at 7" not in lines
        assert "settle at 1 " not in lines
        for glass in (gert, watching):
            await glass.until("Turn 2 of 30")
        told = await frida.run(f"dump {number}")
        for settled in ("A builds its headquarters at 7 ", "B builds its headquarters at 1 "):
            assert settled in told
        assert "C builds its headquarters at 12 " in told
        while not any(
            event["t"] == "hq-built" for event in (await program.until("events"))["events"]
        ):
            pass


# -- coming back -----------------------------------------------------------------------------------


class Proxy:
    """A proxy between a client and a host that can stop forwarding without closing anything."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._is_silent = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        """Listen; yield the port."""
        server = await asyncio.start_server(self._met, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            for writer in self._writers:
                writer.close()

    def fall_silent(self) -> None:
        """Stop forwarding without telling either side."""
        self._is_silent = True

    async def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other, to = await asyncio.open_connection("127.0.0.1", self._to)
        self._writers += [writer, to]
        for ear, mouth in ((reader, to), (other, writer)):
            self._tasks.add(asyncio.create_task(self._carry(ear, mouth)))

    async def _carry(self, ear: asyncio.StreamReader, mouth: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await ear.read(65536):
                if not self._is_silent:
                    mouth.write(data)
                    await mouth.drain()


AT = (16, 5)
"""Position of the terminal's cursor for the tile 8,4."""


async def at_an_open_question(glass: Glass, name: str) -> str:
    """Enter a game and leave a question open; return the screen."""
    await entered(glass, name, "Round 1 of", "Eldoin ►  MOVE")
    await glass.until("Space: pick up")
    glass.press("llll")
    await glass.until(" 8,5\n", "Meadow")
    glass.press(" 8 ")
    await glass.until(" 8,4\n", "Meadow", "Space: pick up", lambda _: glass.cursor == AT)
    glass.press("e")
    return await glass.until("Enter or y: end it", lambda _: glass.cursor is None)


async def goes_on(glass: Glass, was: str) -> None:
    """Check that the screen is back where it ``was``, and answer the question."""
    await glass.until(lambda text: text == was and glass.cursor is None)
    glass.press("n")
    await glass.until(lambda _: glass.cursor == AT)
    glass.press("e")
    await glass.until(lambda text: text == was)
    glass.press("y")
    await glass.until("Waiting for somebody to play Dailor")


@needs_ssh
async def test_open_question_returns_after_a_lost_connection(host: HostProgram) -> None:
    async with host.line("Hans") as hans:
        await begun(hans, "weltendaemmerung --scenario ford --name Dropped --seat Dailor=person")
        async with real_terminal(host, "Hans") as first:
            was = await at_an_open_question(first, "Dropped")
            first.process.kill()
            await first.over()
        cut = await hans.screen()
        await cut.until(lambda text: text == was)
        hans.drop()
        async with real_terminal(host, "Hans") as last:
            await goes_on(last, was)


async def test_new_session_takes_over_from_an_unnoticed_dead_line(
    host: HostProgram,
) -> None:
    proxy = Proxy(host.port)
    async with host.line("Ida") as ida, proxy.open() as port:
        await begun(ida, "weltendaemmerung --scenario ford --name Silent --seat Dailor=person")
        async with host.line("Ida", port=port) as dead:
            was = await at_an_open_question(await dead.screen(), "Silent")
            proxy.fall_silent()
            await goes_on(await ida.screen(), was)
            dead.drop()


async def test_acknowledged_moves_survive_a_killed_host(tmp_path: Path) -> None:
    host, moves = HostProgram(tmp_path, ["Anna"]), Moves(1)
    host.start()
    try:
        async with host.line("Anna") as anna:
            number = await begun(anna, "weltendaemmerung --scenario ford --seat Dailor=person")
            await anna.run(f"sit {number} Dailor")
            at = await anna.screen()
            await entered(at, "The Ford", "Round 1 of", "Eldoin ►  MOVE")
            assert await moves.play(anna, number, 10)
            playing = asyncio.create_task(moves.play(anna, number, 10_000))
            while moves.acknowledged < 20:
                await asyncio.sleep(0)
            host.kill()
            with contextlib.suppress(EOFError, asyncssh.Error, OSError):
                await playing
        assert moves.lost(host) == []
        host.start()
        async with host.line("Anna") as anna:
            back = await anna.screen()
            await back.until("THE FORD", "Round ", " ►", "Eldoin")
            assert await moves.play(anna, number, 5)
    finally:
        host.stop()
    assert moves.lost(host) == []
    assert "Traceback" not in host.errors


# -- misbehaving clients ---------------------------------------------------------------------------


async def test_missing_save_is_reported_to_the_operator(tmp_path: Path) -> None:
    host = HostProgram(tmp_path, ("Anna",))
    host.start()
    try:
        async with host.line("Anna") as line:
            new = "new weltendaemmerung --scenario ford --name Night"
            begun = await line.connection.run(new)
            assert begun.exit_status == 0, begun.stderr
        host.stop()
        assert host.last_words.endswith("The host stops; all games are saved.\n")
        (save,) = tmp_path.rglob("Night.bnr")
        save.unlink()
        host.start()
        async with host.line("Anna") as line:
            dumped = await line.connection.run("dump 1")
        assert "the operator is told" in str(dumped.stderr)
        why = f"Night: there is no such save in {save.parent}"
        console = (tmp_path / "stderr").read_text(encoding="utf-8").splitlines()
        assert console == [
            f"banneret: game 1 cannot be opened: {why}",
            f"banneret: a command failed: Anna: dump 1: {why}",
        ]
    finally:
        host.stop()


def test_a_folder_has_one_host(host: HostProgram) -> None:
    ended = banneret("host", "--port", "0", "--folder", str(host.folder))
    assert ended.returncode == Exit.USAGE
    assert ended.stderr == f"banneret: {host.folder}: another host runs with this folder\n"


async def test_misbehaving_clients_do_not_disturb_others(host: HostProgram) -> None:
    chance, seen = random.Random(1), bytearray()  # noqa: S311 - what is sent
    async with host.line("Root") as root:
        at = await root.screen()
        await at.until("in the lobby")
        await asyncio.gather(*(soak.misuse(host, deed, chance, seen) for deed in soak.DEEDS))
        at.press("?")
        await at.until("IN THE LOBBY OF A HOST")
        assert "Vera" in await root.run("admin list")
    assert seen
    assert b"Traceback" not in seen
    assert host.is_up
    assert "Traceback" not in host.errors, host.errors
