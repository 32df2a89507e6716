"""A host with nothing but a small screen, to have beside one with games: ``python -m bench.small``.

The server, the desks and the driver are those of the real one. What is shown is as little as a
program of Textual can show, so what games take beyond it is theirs.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from typing import Any

import asyncssh
from textual.app import ComposeResult
from textual.driver import Driver
from textual.widgets import Static

from tui.app.base import BaseApp
from tui.host.people import Person
from tui.settings.preferences import Preferences
from tui.ssh.probe import Remembered
from tui.ssh.responsiveness import Watchdog
from tui.ssh.server import Server, ServerSettings
from tui.ssh.ssh_connection import AccessControl, Key, LimitKind
from tui.ssh.terminal_session import TerminalSessions
from tui.terminal.capabilities import Terminal


class Small(BaseApp):
    """A field of letters with a cursor on it."""

    def __init__(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> None:
        super().__init__(preferences=Preferences(), terminal=terminal, driver_class=driver_class)
        self.person = person
        self.at = 0

    def compose(self) -> ComposeResult:
        """The field, and where the cursor is."""
        yield Static("\n".join("." * 100 for _ in range(35)))
        yield Static("0", id="at")

    def on_mount(self) -> None:
        """Look as set."""
        self.apply_settings()

    def on_key(self) -> None:
        """Any key goes on by one."""
        self.at += 1
        self.query_one("#at", Static).update(f"step {self.at}")


class Open(AccessControl):
    """A reception that knows everybody."""

    def __init__(self) -> None:
        self.known: dict[str, Person] = {}

    def ask(self, kind: LimitKind, address: str, fingerprint: str) -> str:  # noqa: ARG002 - a Reception
        """Everything is allowed."""
        return ""

    def note(self, kind: str, address: str, fingerprint: str, text: str) -> None:  # noqa: ARG002
        """Say it."""
        sys.stderr.write(f"{kind}: {text}\n")

    async def person(self, key: Key) -> Person | None:
        """Everybody who comes with a key has an account."""
        number = len(self.known) + 1
        return self.known.setdefault(key.fingerprint, Person(number, f"P{number}"))

    async def ban(self, key: Key) -> str:  # noqa: ARG002 - the same
        """Nobody is banned."""
        return ""

    async def enrol(self, key: Key, code: str, name: str) -> Person | str:  # noqa: ARG002
        """Nobody needs it."""
        return ""

    async def remembered(self, key: Key, term: str) -> Remembered | None:  # noqa: ARG002
        """Nothing is kept."""
        return None

    async def remember(self, key: Key, term: str, told: Remembered) -> None:
        """Nothing is kept."""


async def _serve(port: int) -> None:
    async def nothing(command: str, person: Person, process: Any) -> int:  # noqa: ARG001 - Commands
        return 0

    server = Server(Open(), TerminalSessions(Small), nothing, settings=ServerSettings(guests=True))
    await server.start("127.0.0.1", port, asyncssh.generate_private_key("ssh-ed25519"))
    Watchdog().start()
    rarely_collect()
    await asyncio.Event().wait()


def rarely_collect() -> None:
    """Leave what is imported alone, and look rarely for what points at itself."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)


def main() -> None:
    """Serve until it is ended."""
    parser = argparse.ArgumentParser(prog="python -m bench.small", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(_serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
