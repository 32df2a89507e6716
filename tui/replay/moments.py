"""Moments of a game in words, and questions to learn asking for them by. Knows no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from engine.tabletop.board import NOBODY
from tui.replay.timeline import Moment

EXAMPLES: Final = (
    "attack where chance > 80% and lost",
    "attack where damage >= 10 or luck < -5",
    "loss where seat = {seat}",
    "capture or end",
    "attack where chance < 1/4 and won",
    "loss where round >= 5 and round <= 8",
)
"""Shown where a query is typed; ``{seat}`` stands for the name of a seat."""


def described(moment: Moment, seats: Sequence[str]) -> str:
    """A moment in one line, as lists show it."""
    fact = moment.fact
    parts = [f"{moment.round:>3}", f"#{moment.index + 1:<5}", fact.kind.ljust(7)]
    parts += [seat_name(seats, fact.seat)] if fact.seat != NOBODY else []
    parts += [part for part in (fact.piece, fact.target and f"> {fact.target}") if part]
    if fact.won is not None:
        parts.append("won" if fact.won else "lost")
    if fact.chance is not None:
        parts.append(f"({per_cent(fact.chance)})")
    if fact.amount is not None:
        parts.append(str(fact.amount))
    return " ".join(parts)


def per_cent(chance: tuple[int, int]) -> str:
    """A chance of so many in so many, never rounded to certainty."""
    share = Fraction(*chance)
    shown = round(share * 100)
    if share not in {0, 1} and shown in {0, 100}:
        return "<1%" if shown == 0 else ">99%"
    return f"{shown}%"


def seat_name(seats: Sequence[str], seat: int) -> str:
    """The name of a seat; empty for nobody."""
    return seats[seat] if 0 <= seat < len(seats) else ""


def examples(seats: Sequence[str]) -> list[str]:
    """Queries to learn from, about this game."""
    return [example.format(seat=seats[0]) for example in EXAMPLES]
