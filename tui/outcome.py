"""How a game ended, in numbers. Knows no widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core.archive import Player
from engine.core.ruleset import Outcome
from engine.tabletop.board import Line
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
