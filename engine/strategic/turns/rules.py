"""What rule books differ in about rounds, turns and treaties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.kit.grid import Place
from engine.strategic.desk import Desk
from engine.strategic.pieces import Army
from engine.strategic.world import Reason, World

if TYPE_CHECKING:
    from engine.strategic.book import Book

Phase: TypeAlias = "Callable[[Desk, Book, int], None]"
"""A part of a side's turn: it gets the desk, the book and the side."""

RoundPhase: TypeAlias = "Callable[[Desk, Book], None]"
"""A part of the end of a round."""

Verdict: TypeAlias = "tuple[tuple[int, ...], Reason]"
"""Who has won, and how."""


@dataclass(frozen=True, eq=False)
class TurnRules:
    """Values, tables and policies.

    A turn is ``opening``, ``rest``, the side's orders, ``closing``; the last of ``opening`` may ask
    the side something, and ``rest`` then waits for the answer. After the turns of a round come
    ``round_end``, which may end the game or ask somebody, and ``between``.
    """

    opening: tuple[Phase, ...]
    rest: tuple[Phase, ...]
    closing: tuple[Phase, ...]
    round_end: tuple[RoundPhase, ...]
    between: tuple[RoundPhase, ...]

    order: Callable[[Desk], tuple[int, ...]]
    """All sides in the order in which they play the next round."""

    verdict: Callable[[World], Verdict | None]
    """Who has won, if the game is over."""

    yields: Callable[[World], int | None]
    """The side that the computers surrender to now."""

    refill: Callable[[Army, int], int]
    """The points of an army at the start of a turn; with it are so many bearers of speed."""

    builds_on: Callable[[World, Place], bool]
    """Whether armies that defend build a tower on a tile."""

    may_burn: bool
    """Whether who resigns may raze the cities."""

    diplomacy: bool
    """Whether there are treaties; otherwise everybody is at war with everybody."""

    betrayal: Mapping[int, tuple[int, int]]
    """By treaty: (sides of the die, plus) that an attack against it adds to the rating."""

    titles: tuple[str, ...]
    """What sides are called, from the best to the worst rating."""
