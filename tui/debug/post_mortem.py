"""Bundles about games that broke a promise or a rule while they were played."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from engine.core.archive import Archive, Header, Opened
from engine.core.log import EventLog
from tui.console.exits import Wrong
from tui.debug.bundle import game_bundle
from tui.debug.debugger import Debugger


def keeper(archive: Archive) -> Callable[[Header, EventLog[Any, Any]], str]:
    """A function that writes a bundle about the end of a log into the current folder."""

    def keep(header: Header, log: EventLog[Any, Any]) -> str:
        bench = Debugger(Opened("", header, log), archive=archive)
        return str(write_new(game_bundle(bench, len(bench.line))))

    return keep


def write_new(data: bytes) -> Path:
    """A new file ``post-mortem.zip`` in the current folder, with a number if there is one.

    Raises:
        Wrong: it cannot be written.
    """
    for number in count(1):
        path = Path("post-mortem.zip" if number == 1 else f"post-mortem-{number}.zip")
        try:
            with path.open("xb") as file:
                file.write(data)
        except FileExistsError:
            continue
        except OSError as problem:
            raise Wrong(f"{path}: {problem.strerror}") from None
        return path
    raise AssertionError
