"""Security log: logins, refusals, bans and operator's commands, for the operator.

JSON lines in a file of its own, private to its owner; a long file is rotated. It never contains
invitation codes or keys, only fingerprints.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from engine.core.codec import encode_json
from host.server.cleaning import clean, cut
from host.server.rate_limits import network

SPARSE: Final = frozenset({"enrolled", "kicked", "admin", "stuck-session", "began", "ended"})
"""Rare events, always written: new keys, kicks, operator's commands, start and end."""

FREQUENT: Final = frozenset(
    {
        "connection-refused",
        "enrolment-failed",
        "banned-person-refused",
        "limit-hit",
        "slow-reader",
        "slow-reader-dropped",
        "idle",
    }
)
"""Events that can be caused at will from outside.

At most one line per second is written for each kind and address.
"""

MOST_BYTES: Final = 1_000_000
FILES: Final = 5
"""Number of files: the current one, and earlier ones with ``.1`` (the latest) to ``.4``."""

_MOST_IN_TEXT: Final = 200
_MOST_IN_NAME: Final = 80
_MOST_QUIET: Final = 1000
"""Maximum number of addresses remembered for having had their line in this second."""

_SECRET = re.compile(
    r"(?P<fingerprint>SHA256:[A-Za-z0-9+/]{43}(?![A-Za-z0-9+/=]))"  # reveals nothing
    r"|(?P<key>[A-Za-z0-9+/=]{60,})"
    r"|(?<![0-9A-Za-z])(?P<code>[0-9A-Za-z]{4}(?:[- ]?[0-9A-Za-z]{4}){4,})(?![0-9A-Za-z])"
)

_log = logging.getLogger(__name__)


class SecurityLog:
    """Writes the security log, from any thread; a full or missing disk stops no game."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.time,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Write to a file, which is created with the first line.

        Args:
            path: path of the file.
            clock: returns seconds since 1970.
            most_bytes: maximum size of one file.
        """
        self.path = path
        self._clock = clock
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._quiet: dict[tuple[str, str], tuple[int, int]] = {}
        """By event and address: the second of its last line, and the number omitted since."""

    def note(
        self,
        what: str,
        text: str = "",
        *,
        address: str = "",
        fingerprint: str = "",
        person: int = 0,
        name: str = "",
    ) -> None:
        """Write a line, unless its kind is frequent and was written a moment ago.

        Args:
            what: the event: a word or words of the program's own.
            text: details; anything that looks like a code or a key is removed.
            address: address of its source.
            fingerprint: fingerprint of the key.
            person: number of the person concerned.
            name: name of the person concerned.
        """
        with self._lock:
            now = self._clock()
            what = what.replace(" ", "-")
            missed = 0 if what in SPARSE else self._missed(what, address, now)
            if missed is None:
                return
            line: dict[str, str | int] = {"time": _written(now), "what": what}
            line |= {"address": clean(address, _MOST_IN_NAME)} if address else {}
            line |= {"key": clean(fingerprint, _MOST_IN_NAME)} if fingerprint else {}
            line |= {"person": person} if person else {}
            line |= {"name": _safe(name, _MOST_IN_NAME)} if name else {}
            line |= {"text": _safe(text, _MOST_IN_TEXT)} if text else {}
            line |= {"missed": missed} if missed else {}
            self._write(encode_json(line) + b"\n")

    def _missed(self, what: str, address: str, now: float) -> int | None:
        """Return the number of lines omitted before this one; None if this one is omitted too."""
        second = int(now)
        whose = (what, network(address) if address else "")
        if whose not in self._quiet and len(self._quiet) >= _MOST_QUIET:
            self._quiet = {who: last for who, last in self._quiet.items() if last[0] == second}
            if len(self._quiet) >= _MOST_QUIET:
                whose = (what, "elsewhere")  # at most one more for each kind
        last, missed = self._quiet.get(whose, (-1, 0))
        if last == second:
            self._quiet[whose] = (last, missed + 1)
            return None
        self._quiet[whose] = (second, 0)
        return missed

    def _write(self, line: bytes) -> None:
        try:
            self._turn_over(len(line))
            # Opened for each line: an operator may move or remove the file at any time.
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.write(file, line)
            finally:
                os.close(file)
        except OSError as wrong:
            _log.error("%s: %s", self.path, wrong.strerror)

    def _turn_over(self, more: int) -> None:
        """Begin a new file if this one would become too long."""
        try:
            if self.path.stat().st_size + more <= self._most_bytes:
                return
        except FileNotFoundError:
            return
        for number in range(FILES - 1, 0, -1):
            earlier = self._numbered(number - 1)
            with contextlib.suppress(FileNotFoundError):
                earlier.replace(self._numbered(number))

    def _numbered(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}") if number else self.path


def _safe(text: str, most: int) -> str:
    """Return a text without codes and keys."""

    def hidden(found: re.Match[str]) -> str:
        return found[0] if found["fingerprint"] else f"({found.lastgroup})"

    return cut(_SECRET.sub(hidden, clean(text, 4 * most)), most)


def _written(now: float) -> str:
    """Return a time as ISO 8601 in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
