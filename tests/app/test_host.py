"""A host and its clients as people use them: ``ssh`` in a terminal, programs, dropped lines.

Everything waits for what it needs to see; how long that takes is asserted nowhere.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.host_program import (
    PATIENCE,
    Glass,
    HostProgram,
    Line,
    hosting,
    needs_ssh,
    real_terminal,
)

EVERYBODY = ("Root", "Anna", "Bert", "Carl", "Dora", "Emil", "Frida", "Gert", "Hans", "Ida")


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostProgram]:
    """One host for many tests; each of them has people of its own."""
    with hosting(tmp_path_factory.mktemp("host"), *EVERYBODY) as running:
        yield running


async def begun(line: Line, words: str) -> int:
    """Begin a game; its number."""
    found = re.match(r"Game (\d+),", await line.run(f"new {words}"))
    assert found is not None
    return int(found[1])


async def entered(glass: Glass, name: str, seen: str) -> None:
    """Go from the lobby into the game of a name, where something is to be seen then."""
    await glass.until("in the lobby", f" {name} ")

    def is_marked(text: str) -> bool:
        rows = text.splitlines()
        at = next(y for y, row in enumerate(rows) if re.match(rf" +>? *\d+ {name} ", row))
        return glass.back(10, at) != glass.back(10, 1)

    while not is_marked(glass.text):
        glass.press("j")
        await glass.news()
    glass.press("\r")
    await glass.until(seen)


async def ended_phase(glass: Glass, after: str) -> None:
    """End a phase by its key, also if units could still act."""

    def has_ended(text: str) -> bool:
        return text.startswith(f" {after}")

    glass.press("e")
    await glass.until(lambda text: has_ended(text) or "Enter or y: yes" in text)
    if not has_ended(glass.text):
        glass.press("y")
    await glass.until(has_ended)


def board(text: str) -> list[str]:
    """The map of Weltendämmerung, as it is shown."""
    return [line[:43] for line in text.splitlines()[1:13]]


def real(host: HostProgram, program: str, name: str, *words: str, given: str = "") -> str:
    """What a program of OpenSSH prints; it must succeed."""
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
        await entered(at, "Round", "Eldoin Bewegungsphase, round 1")
        watching = await carl.screen()
        await entered(watching, "Round", "watching")
        at.press("\t 8 ")
        await at.until("meadow 8,4", "B=9", "Space: pick up")
        for glass in (anna, watching):
            await glass.until(lambda text: board(text) == board(at.text))
        for phase in ("Bewegungsphase", "Angriffsphase", "Torphase"):
            await at.until(lambda text, phase=phase: text.startswith(f" Eldoin {phase}"))  # type: ignore[misc]
            await ended_phase(at, f"Dailor {phase}")
            await anna.until(lambda text, phase=phase: text.startswith(f" Dailor {phase}"))  # type: ignore[misc]
            await ended_phase(anna, "Eldoin")
        for glass in (at, watching):
            await glass.until("Eldoin Bewegungsphase, round 2", "Dailor: Torphase.")

        ssh = await asyncio.to_thread(real, host, "ssh", "Anna", "127.0.0.1", f"dump {number}")
        assert "sword bearers went to 8,4" in ssh
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
async def test_a_turn_of_secret_orders_by_keys_by_a_program_and_in_lines(
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
        await gert.until("Gert plays B", "awaited from A, B (you) and C")
        watching = await frida.screen()
        await entered(watching, "Secret", "watching")

        program = await dora.bot(number, "A")
        await program.ready()
        for line in ("hq at=7", "seal"):
            assert (await program.act(line))["type"] == "done"
        gert.press("c")
        await gert.until("1. settle")
        gert.press("s")
        await gert.until("awaited from C")
        assert "settle at 7" not in gert.text + watching.text
        assert "settle at 1 " not in watching.text
        lines = await emil.run(f"play --plain {number}", "hq at=12\nseal\nquit\n")
        assert "settle at 7" not in lines
        assert "settle at 1 " not in lines
        for glass in (gert, watching):
            await glass.until("Turn 2 of 30")
        told = await frida.run(f"dump {number}")
        for settled in ("A settles at 7", "B settles at 1", "C settles at 12"):
            assert settled in told
        while not any(
            event["t"] == "hq-built" for event in (await program.until("events"))["events"]
        ):
            pass
