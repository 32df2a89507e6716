"""Checks of workers by equality: a greeting, known pieces, and pieces given to two workers.

A worker elsewhere may have other rules, another library or faulty memory. Results depend only on
the piece and the setup, so a different result proves that something is wrong there.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable, Iterator
from typing import Generic, NamedTuple, TypeVar

import msgspec

from engine.core.codec import encode
from engine.core.printable import clipped
from engine.core.record import Record
from study.farm.protocol import Failed, Finished
from study.farm.runs import Void

S = TypeVar("S")
P = TypeVar("P")
R = TypeVar("R")

_LONGEST_GREETING = 160
"""Maximum characters of a greeting in a line for people."""


class Checks(Record, Generic[P], frozen=True):
    """Proofs that workers must give before their results count, and while they do."""

    greet: Callable[[], bytes] | None = None
    """Function at the top of a module. A worker's greeting must equal that of this process."""
    proofs: tuple[tuple[P, bytes], ...] = ()
    """Pieces with their encoded values. A worker must compute these before it is given others."""
    twice: int = 0
    """About one in ``twice`` pieces is done by two workers, which must agree; 0 turns this off."""
    local: bool = False
    """True if workers on this machine are checked as well."""
    void: Callable[[Void[P]], None] | None = None
    """Called with each delivered result that no longer counts."""


def proofs_of(
    work: Callable[[S], Callable[[P], R]], setup: S, pieces: tuple[P, ...]
) -> tuple[tuple[P, bytes], ...]:
    """Return (piece, its encoded value) for known pieces, computed in this process."""
    function = work(setup)
    return tuple((piece, encode(function(piece))) for piece in pieces)


def other_greeting(here: bytes, there: bytes) -> str:
    """Describe in one line how two greetings differ."""
    own, other = (
        " ".join(clipped(each.decode("utf-8", "replace"), _LONGEST_GREETING).split()) or "nothing"
        for each in (here, there)
    )
    return f"it has other versions: {other}; here: {own}"


class Ruling(NamedTuple):
    """Decision on a piece that several workers have done."""

    answer: Finished | Failed | None
    """Answer that two workers share; None if no two agree."""
    agreed: tuple[str, ...]
    """Workers that gave this answer."""
    odd: tuple[str, ...]
    """Workers that gave another answer."""


class Agreements:
    """Pieces that are given to two workers, and the answers so far."""

    MOST_VOTES = 3

    def __init__(self, twice: int) -> None:
        """Select about one in ``twice`` pieces."""
        self._twice = twice
        self._votes: dict[int, dict[str, Finished | Failed]] = {}

    def concerns(self, number: int) -> bool:
        """Return whether the piece with this number is given to two workers."""
        return zlib.crc32(number.to_bytes(8, "big")) % self._twice == 0

    def vote(self, name: str, answer: Finished | Failed) -> Ruling | None:
        """Add the answer of a worker; return the ruling, or None if more answers are needed."""
        votes = self._votes.setdefault(answer.number, {})
        same = [other for other, earlier in votes.items() if _content(earlier) == _content(answer)]
        votes[name] = answer
        if not same and len(votes) < self.MOST_VOTES:
            return None
        del self._votes[answer.number]
        if not same:
            return Ruling(None, (), tuple(votes))
        odd = tuple(other for other in votes if other != name and other not in same)
        return Ruling(answer, (*same, name), odd)

    def voters(self, number: int) -> tuple[str, ...]:
        """Return the workers that have answered."""
        return tuple(self._votes.get(number, ()))

    def only_vote(self, number: int) -> Finished | Failed | None:
        """Remove and return the only answer to a piece that killed other workers, or None.

        That answer then counts without confirmation.
        """
        votes = self._votes.pop(number, {})
        return next(iter(votes.values())) if len(votes) == 1 else None

    def forget(self, name: str) -> None:
        """Drop the answers of a worker to pieces that are not decided yet."""
        for number, votes in tuple(self._votes.items()):
            votes.pop(name, None)
            if not votes:
                del self._votes[number]

    def clear(self) -> None:
        """Drop the answers of all workers."""
        self._votes.clear()


def _content(answer: Finished | Failed) -> tuple[bool, bytes | str]:
    if isinstance(answer, Finished):
        return True, answer.value
    return False, answer.cause


class Spool:
    """Pieces that a single worker has done in a run, in a temporary file.

    The file keeps the supervisor's memory small for any number of pieces.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is open for a whole run
        self.count = 0

    def add(self, number: int, data: bytes, *, was_done: bool) -> None:
        """Add a piece; ``was_done`` is False if it was lost."""
        record = msgspec.msgpack.encode((number, data, was_done))
        self._file.write(len(record).to_bytes(4, "big") + record)
        self.count += 1

    def pieces(self, decode: Callable[[bytes], P]) -> Iterator[tuple[int, P, bool]]:
        """Yield (number, piece, False if it was lost), read as needed; ``add`` may not follow."""
        reader = msgspec.msgpack.Decoder(tuple[int, bytes, bool])
        self._file.seek(0)
        while length := self._file.read(4):
            number, data, was_done = reader.decode(self._file.read(int.from_bytes(length, "big")))
            yield number, decode(data), was_done

    def clear(self) -> None:
        """Forget the pieces before the next run."""
        self._file.seek(0)
        self._file.truncate()
        self.count = 0

    def close(self) -> None:
        """Delete the temporary file."""
        self._file.close()
