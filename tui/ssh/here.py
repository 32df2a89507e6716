"""Whose code is running, in a process that runs the programs of many people."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from tui.ssh.driver import SshDriver


class Sitter(Protocol):
    """Somebody's place in this process."""

    stuck: str
    """Where it kept everybody waiting; empty as long as it has not."""

    def take_driver(self, driver: SshDriver) -> None:
        """The program at this place writes to this driver."""
        ...


HERE: Final[ContextVar[Sitter | None]] = ContextVar("here", default=None)
"""Set in every task of somebody's program, and in whatever those call later; else nobody's."""
