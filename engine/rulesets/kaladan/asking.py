"""Ask for tiles and units, and read the answers, for all dialogues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from engine.core.record import Command
from engine.rulesets.kaladan.boxes import spot, tile_at
from engine.rulesets.kaladan.panels import dice_text
from engine.rulesets.kaladan.state import Unit, View
from engine.rulesets.kaladan.words import on, unit_name
from engine.tabletop.ask import AnyAsk, AskPlace, AskSome, Choice
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus

Dialogue: TypeAlias = Callable[[View, Focus, Sequence[str]], AnyAsk | Command]
"""Function from a view, a focus and the answers so far to the next question or the command."""


def picked(choices: Iterable[Choice], answer: str) -> str:
    """Return the answer if it is a choice that is possible now.

    Raises:
        ValueError: it is not.
    """
    if answer not in [choice.value for choice in choices if not choice.reason]:
        raise ValueError(f"{answer!r} cannot be chosen")
    return answer


def tile_of(view: View, tiles: Sequence[int], answer: str) -> int:
    """Return the tile of an answer ``x,y``.

    Raises:
        ValueError: it is none of ``tiles``.
    """
    x, _, y = answer.partition(",")
    tile = tile_at(view.layout, int(x), int(y))
    if tile not in tiles:
        raise ValueError("that tile cannot be chosen")
    return tile


def ask_tile(
    view: View, title: str, tiles: Sequence[int], labels: Sequence[str] = (), *, action: str
) -> AskPlace:
    """Build the question for a tile; ``action`` begins the description, such as ``Move to``."""
    cells = tuple(spot(view.layout, tile) for tile in tiles)
    notes = [f", {label} to clear it" for label in labels] or [""] * len(tiles)
    hints = tuple(
        f"{action} {on(view, tile)}{note}" for tile, note in zip(tiles, notes, strict=True)
    )
    return AskPlace(title, cells, tuple(labels), hints=hints)


def unit_choices(view: View, units: Sequence[Unit], *, placed: bool = False) -> tuple[Choice, ...]:
    """Turn units into choices that show their dice and, if ``placed``, their tile."""
    return tuple(
        Choice(
            str(unit.id),
            f"{unit_name(view, unit)} {dice_text(view, unit)}"
            + (f" on {on(view, unit.tile)}" if placed and unit.tile else ""),
        )
        for unit in units
    )


def some_units(
    view: View,
    title: str,
    units: Sequence[Unit],
    least: int,
    most: int,
    lines: Iterable[Line] = (),
) -> AskSome:
    """Build the question for some units, below lines of text."""
    return AskSome(title, unit_choices(view, units), least, most, tuple(lines))


def units_of(answer: str) -> tuple[int, ...]:
    """Return the unit ids of an answer to ``some_units``.

    Raises:
        ValueError: it is not a list of numbers.
    """
    return tuple(sorted(int(word) for word in answer.split(">") if word))
