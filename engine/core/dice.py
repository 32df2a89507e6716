"""Dice: the only source of chance."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

T = TypeVar("T")

Throw: TypeAlias = tuple[int, int]
"""(sides, value) with a value from 1 to ``sides``."""

Run: TypeAlias = tuple[int, tuple[int, ...]]
"""(sides, values): successive throws of the same die, as a log stores them."""


class Dice(Protocol):
    """A source of random numbers that records its throws."""

    @property
    def thrown(self) -> tuple[Throw, ...]:
        """All throws so far, in order."""
        ...

    def roll(self, sides: int) -> int:
        """Roll once and return a value from 1 to ``sides``."""
        ...


class WrongThrow(LookupError):
    """Raised if a scripted throw is missing or does not fit the requested die."""


class Seeded:
    """Dice for play: a stream determined by the game's seed, the entry's number and the purpose.

    Every word is a keyed BLAKE2b hash of its position in the stream. So there is no generator state
    to save, and the same three arguments always give the same stream.
    """

    def __init__(self, seed: bytes, seq: int, purpose: str) -> None:
        label = b"%d/%s" % (seq, purpose.encode())
        key = hashlib.blake2b(seed, digest_size=32).digest()
        self._key = hashlib.blake2b(label, key=key, digest_size=32).digest()
        self._words: list[int] = []
        self._block = 0
        self._thrown: list[Throw] = []

    @property
    def thrown(self) -> tuple[Throw, ...]:
        """All throws so far, in order."""
        return tuple(self._thrown)

    def roll(self, sides: int) -> int:
        """Roll once, with every value equally likely.

        Raises:
            ValueError: ``sides`` is not from 1 to 2**32.
        """
        if not 1 <= sides <= 1 << 32:
            raise ValueError(f"a die cannot have {sides} sides")
        limit = (1 << 64) // sides * sides
        while (word := self._word()) >= limit:
            pass
        value = word % sides + 1
        self._thrown.append((sides, value))
        return value

    def _word(self) -> int:
        if not self._words:
            place = self._block.to_bytes(8, "big")
            digest = hashlib.blake2b(place, key=self._key, digest_size=64).digest()
            self._block += 1
            self._words = [int.from_bytes(digest[i : i + 8], "big") for i in range(56, -8, -8)]
        return self._words.pop()


class Scripted:
    """Dice for tests and verification that return scripted throws.

    ``throws`` are values, or (sides, value) pairs that must fit the requested die.
    """

    def __init__(self, throws: Iterable[int | Throw] = ()) -> None:
        self._rest: Iterator[int | Throw] = iter(throws)
        self._thrown: list[Throw] = []

    @property
    def thrown(self) -> tuple[Throw, ...]:
        """All throws so far, in order."""
        return tuple(self._thrown)

    def roll(self, sides: int) -> int:
        """Return the next scripted throw.

        Raises:
            WrongThrow: the script is exhausted, or the throw does not fit the die.
        """
        told = next(self._rest, None)
        if told is None:
            raise WrongThrow(f"a throw of d{sides} is asked for, but none is left")
        wanted, value = told if isinstance(told, tuple) else (sides, told)
        if wanted != sides or not 1 <= value <= sides:
            raise WrongThrow(f"a throw of d{sides} is asked for, but d{wanted}={value} is next")
        self._thrown.append((sides, value))
        return value

    def left(self) -> int:
        """Return the number of unused throws, and consume them."""
        return sum(1 for _ in self._rest)


def pick(dice: Dice, things: Sequence[T]) -> T:
    """Draw one of ``things``, all equally likely."""
    return things[dice.roll(len(things)) - 1]


def shuffle(dice: Dice, things: Iterable[T]) -> tuple[T, ...]:
    """Return ``things`` in an order drawn with the dice, all orders equally likely."""
    left = list(things)
    for last in range(len(left) - 1, 0, -1):
        other = dice.roll(last + 1) - 1
        left[last], left[other] = left[other], left[last]
    return tuple(left)


def pack(throws: Iterable[Throw]) -> tuple[Run, ...]:
    """Return throws grouped into runs of the same die, as a log stores them.

    >>> pack([(6, 1), (6, 4), (8, 2)])
    ((6, (1, 4)), (8, (2,)))
    """
    runs: list[tuple[int, list[int]]] = []
    for sides, value in throws:
        if runs and runs[-1][0] == sides:
            runs[-1][1].append(value)
        else:
            runs.append((sides, [value]))
    return tuple((sides, tuple(values)) for sides, values in runs)


def unpack(runs: Iterable[Run]) -> Iterator[Throw]:
    """Yield the throws of runs, the inverse of ``pack``.

    It is lazy, because a short run can represent a great many throws.
    """
    return ((sides, value) for sides, values in runs for value in values)
