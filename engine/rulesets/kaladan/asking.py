"""Ask for tiles and units, for all dialogues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.rulesets.kaladan.boxes import spot, tile_at
from engine.rulesets.kaladan.panels import dice_text
from engine.rulesets.kaladan.state import Unit, View
from engine.rulesets.kaladan.words import on, unit_name
from engine.tabletop.ask import AskPlace, Choice
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, choose_some, read_cell


def ask_tile(
    view: View,
    title: str,
    tiles: Sequence[int],
    chance: Callable[[int], str] | None = None,
    *,
    action: str,
) -> Dialogue[int]:
    """Ask for one of some tiles, unless there is only one.

    ``action`` begins the description of a tile, such as ``Move to``; ``chance`` returns the chance
    to clear it.

    Raises:
        ValueError: the answer is not one of the tiles.
    """
    if len(tiles) == 1:
        return tiles[0]
    cells = tuple(spot(view.layout, tile) for tile in tiles)
    labels = tuple(map(chance, tiles)) if chance else ()
    names = [f"{action} {on(view, tile)}" for tile in tiles]
    hints = [f"{name}, {label} to clear it" for name, label in zip(names, labels, strict=False)]
    answer = yield AskPlace(title, cells, labels, hints=tuple(hints or names))
    if (tile := tile_at(view.layout, *read_cell(answer))) not in tiles:
        raise ValueError("that tile cannot be chosen")
    return tile


def ask_units(
    view: View,
    title: str,
    units: Sequence[Unit],
    least: int,
    most: int,
    lines: Iterable[Line] = (),
) -> Dialogue[tuple[int, ...]]:
    """Ask for some units, shown with their dice and, if they are apart, their tiles.

    Return their ids in ascending order.

    Raises:
        ValueError: the answer has too few, too many or other units.
    """
    are_apart = len({unit.tile for unit in units}) > 1

    def choice(unit: Unit) -> Choice:
        where = f" on {on(view, unit.tile)}" if are_apart else ""
        return Choice(str(unit.id), f"{unit_name(view, unit)} {dice_text(view, unit)}{where}")

    chosen = yield from choose_some(title, units, choice, least, most, lines)
    return tuple(sorted(unit.id for unit in chosen))
