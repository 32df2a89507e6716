"""A session with a hanging game is ended by the host; other sessions continue."""

from __future__ import annotations

import json
from pathlib import Path

from host.ssh.terminal_session import BROKEN
from tests.app.games import begun, entered
from tests.app.glass import Glass
from tests.app.host_program import HostProgram


async def answered(glass: Glass) -> None:
    """Press two keys in the lobby, and wait for the effect of each."""
    glass.press("?")
    await glass.until("IN THE LOBBY OF A HOST")
    glass.press("q")
    await glass.until("in the lobby")


async def test_hanging_session_is_ended_and_others_are_served(
    tmp_path: Path,
) -> None:
    host = HostProgram(tmp_path, ["Anna", "Bert"], module="tests.app.stuck_host")
    host.start()
    try:
        async with host.line("Anna") as anna, host.line("Bert") as bert:
            await begun(anna, "toy --name Lanterns")
            at, other = await anna.screen(), await bert.screen()
            await entered(at, "Lanterns", "Round 1")
            await answered(other)
            at.press("j")
            other.press("?")
            await at.over()
            await other.until("IN THE LOBBY OF A HOST")
            other.press("q")
            await answered(other)
            assert BROKEN.encode() in at.raw
            assert "Lanterns" in await anna.run("games --mine")
            assert "Anna plays" in await (await anna.screen()).until("Round 1")
        assert host.is_up
    finally:
        host.stop()
    noted = [json.loads(line) for line in (tmp_path / "security.log").read_text().splitlines()]
    stuck = [note for note in noted if note["what"] == "stuck-session"]
    assert [note["name"] for note in stuck] == ["Anna"]
    assert "stuck_host.py" in host.errors
