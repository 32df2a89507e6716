"""Checks of workers by equality: a greeting, known pieces, and pieces that two workers carry out.

A worker elsewhere may have other rules, another library or a faulty memory. Results depend on the
piece and the setup alone, so one that comes out otherwise proves that something is wrong there.
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
from tui.farm.protocol import Failed, Finished
from tui.farm.runs import Void

S = TypeVar("S")
P = TypeVar("P")
R = TypeVar("R")

_LONGEST_GREETING = 160
"""Characters of a greeting in a line for people."""


class Checks(Record, Generic[P], frozen=True):
    """Proofs that workers give before their results count, and while they do."""

    greet: Callable[[], bytes] | None = None
    """Function at the top of a module; a worker's greeting must be equal to this process's."""
    proofs: tuple[tuple[P, bytes], ...] = ()
    """Pieces and their encoded values, which a worker must get before it is given others."""
    twice: int = 0
    """One piece in so many is given to two workers, which must agree; 0: none is."""
    local: bool = False
    """True if workers on this machine are checked as well."""
    void: Callable[[Void[P]], None] | None = None
    """Told of each result that was handed on and counts no longer."""


def proofs_of(
    work: Callable[[S], Callable[[P], R]], setup: S, pieces: tuple[P, ...]
) -> tuple[tuple[P, bytes], ...]:
    """Proofs of pieces: their encoded values, as this process gets them."""
    function = work(setup)
    return tuple((piece, encode(function(piece))) for piece in pieces)


def other_greeting(here: bytes, there: bytes) -> str:
    """Line that says how greetings differ."""
    own, other = (
        " ".join(clipped(each.decode("utf-8", "replace"), _LONGEST_GREETING).split()) or "nothing"
        for each in (here, there)
    )
    return f"it has other versions: {other}; here: {own}"


class Ruling(NamedTuple):
    """Decision over a piece that several workers have carried out."""

    answer: Finished | Failed | None
    """The answer of two of them; None if no two agree."""
    agreed: tuple[str, ...]
    """Workers whose answer it is."""
    odd: tuple[str, ...]
    """Workers that got another."""


class Agreements:
    """Pieces that two workers carry out, and the answers so far."""

    MOST_VOTES = 3

    def __init__(self, twice: int) -> None:
        """One piece in ``twice`` is such a piece."""
        self._twice = twice
        self._votes: dict[int, dict[str, Finished | Failed]] = {}

    def concerns(self, number: int) -> bool:
        """True if two workers are to carry out the piece of this number."""
        return zlib.crc32(number.to_bytes(8, "big")) % self._twice == 0

    def vote(self, name: str, answer: Finished | Failed) -> Ruling | None:
        """Take in the answer of a worker; None if others have to give theirs."""
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
        """Workers that have given their answer."""
        return tuple(self._votes.get(number, ()))

    def only_vote(self, number: int) -> Finished | Failed | None:
        """The answer to a piece that others died over, if there is just one; it stands."""
        votes = self._votes.pop(number, {})
        return next(iter(votes.values())) if len(votes) == 1 else None

    def forget(self, name: str) -> None:
        """Drop the answers of a worker to pieces that are not decided."""
        for number, votes in tuple(self._votes.items()):
            votes.pop(name, None)
            if not votes:
                del self._votes[number]

    def clear(self) -> None:
        """Drop all answers."""
        self._votes.clear()


def _content(answer: Finished | Failed) -> tuple[bool, bytes | str]:
    if isinstance(answer, Finished):
        return True, answer.value
    return False, answer.cause


class Spool:
    """Pieces that one worker alone has carried out in a run, in a file of their own.

    So the memory of the supervisor does not grow with their number.
    """

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is open for a whole run
        self.count = 0

    def add(self, number: int, data: bytes, *, was_done: bool) -> None:
        """Note a piece."""
        record = msgspec.msgpack.encode((number, data, was_done))
        self._file.write(len(record).to_bytes(4, "big") + record)
        self.count += 1

    def pieces(self, decode: Callable[[bytes], P]) -> Iterator[tuple[int, P, bool]]:
        """The pieces, read as they are needed; nothing is noted any more."""
        reader = msgspec.msgpack.Decoder(tuple[int, bytes, bool])
        self._file.seek(0)
        while length := self._file.read(4):
            number, data, was_done = reader.decode(self._file.read(int.from_bytes(length, "big")))
            yield number, decode(data), was_done

    def clear(self) -> None:
        """Forget the pieces, for another run."""
        self._file.seek(0)
        self._file.truncate()
        self.count = 0

    def close(self) -> None:
        """Delete the file."""
        self._file.close()
