"""How a game ended, in words and numbers. Knows no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from engine.core.archive import Player
from engine.core.ids import Seat
from engine.core.ruleset import Outcome
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone


def numbers(
    values: Mapping[str, Sequence[int]], players: Sequence[Player], outcome: Outcome | None
) -> list[Line]:
    """A small table: a column for each side, a row for each number, the winners marked."""
    if not values:
        return []
    won = outcome.winners if outcome is not None else ()
    first = max(len(name) for name in values) + 1
    names = [("* " if player.seat in won else "") + player.name[:10] for player in players]
    widths = [max(7, len(name) + 2) for name in names]
    head = "".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    lines = [Line(" " * first + head, Tone.STRONG)]
    for name, row in values.items():
        cells = "".join(f"{value:>{width}}" for value, width in zip(row, widths, strict=True))
        lines.append(Line(f"{name:<{first}}{cells}"))
    if won:
        lines.append(Line("* has won", Tone.QUIET))
    return lines


def luck(facts: Iterable[Fact], players: Sequence[Player]) -> list[Line]:
    """For each side what chance gave it and what was to be expected; nothing without chance."""
    sums: dict[Seat, tuple[int, Fraction, int]] = {}
    for fact in facts:
        if fact.odds is None or fact.amount is None or fact.seat == NOBODY:
            continue
        got, expected, count = sums.get(fact.seat, (0, Fraction(0), 0))
        sums[fact.seat] = got + fact.amount, expected + fact.odds.mean, count + 1
    lines = []
    for player in players:
        if player.seat in sums:
            got, expected, count = sums[player.seat]
            text = (
                f"Luck of {player.name}: {got} in {count} throws, {_one_place(expected)} expected"
            )
            lines.append(Line(text, Tone.NORMAL, player.seat))
    return lines


def _one_place(number: Fraction) -> str:
    tenths = round(number * 10)
    return f"{tenths // 10}.{tenths % 10}"
