"""A host with only a small screen, for comparison with real games: ``python -m bench.small``.

The server, the desks and the driver are those of the real host. The screen shows the minimum that a
Textual program can show, so that any further cost is due to the games.
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

from host.server.people import Person
from host.ssh.probe import Remembered
from host.ssh.responsiveness import Watchdog
from host.ssh.server import Server, ServerSettings
from host.ssh.ssh_connection import AccessControl, Key, LimitKind
from host.ssh.terminal_session import TerminalSessions
from tui.app.base import BaseApp
from tui.settings.preferences import Preferences
from tui.terminal.capabilities import Terminal


class Small(BaseApp):
    """A field of letters with a cursor on it."""

    def __init__(self, person: Person, terminal: Terminal, driver_class: type[Driver]) -> None:
        super().__init__(preferences=Preferences(), terminal=terminal, driver_class=driver_class)
        self.person = person
        self.at = 0

    def compose(self) -> ComposeResult:
        """Yield the field and the place of the cursor."""
        yield Static("\n".join("." * 100 for _ in range(35)))
        yield Static("0", id="at")

    def on_mount(self) -> None:
        """Apply the settings."""
        self.apply_settings()

    def on_key(self) -> None:
        """Move the cursor by one cell at any key."""
        self.at += 1
        self.query_one("#at", Static).update(f"step {self.at}")


class Open(AccessControl):
    """Access control that accepts all keys."""

    def __init__(self) -> None:
        self.known: dict[str, Person] = {}

    def ask(self, kind: LimitKind, address: str, fingerprint: str) -> str:  # noqa: ARG002 - a Reception
        """Return an empty text: every request is allowed."""
        return ""

    def note(self, kind: str, address: str, fingerprint: str, text: str) -> None:  # noqa: ARG002
        """Write the event to standard error."""
        sys.stderr.write(f"{kind}: {text}\n")

    async def person(self, key: Key) -> Person | None:
        """Return an account for every key."""
        number = len(self.known) + 1
        return self.known.setdefault(key.fingerprint, Person(number, f"P{number}"))

    async def ban(self, key: Key) -> str:  # noqa: ARG002 - the same
        """Return an empty text: no key is banned."""
        return ""

    async def enrol(self, key: Key, code: str, name: str) -> Person | str:  # noqa: ARG002
        """Return an empty fault, as accounts need no enrolment."""
        return ""

    async def remembered(self, key: Key, term: str) -> Remembered | None:  # noqa: ARG002
        """Return None: no answers about terminals are stored."""
        return None

    async def remember(self, key: Key, term: str, told: Remembered) -> None:
        """Do nothing: no answers about terminals are stored."""


async def _serve(port: int) -> None:
    async def nothing(command: str, person: Person, process: Any) -> int:  # noqa: ARG001 - Commands
        return 0

    server = Server(Open(), TerminalSessions(Small), nothing, settings=ServerSettings(guests=True))
    await server.start("127.0.0.1", port, asyncssh.generate_private_key("ssh-ed25519"))
    Watchdog().start()
    rarely_collect()
    await asyncio.Event().wait()


def rarely_collect() -> None:
    """Exclude imported objects from garbage collection, and collect rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(prog="python -m bench.small", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    asyncio.run(_serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
