"""Scenarios: rows of terrain, Castles, and checks of worlds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.core.ruleset import ScenarioFault
from engine.rulesets.kaladan.board import is_edge, layouts, neighbours, tile_names
from engine.rulesets.kaladan.founding import most_castles
from engine.rulesets.kaladan.state import NOBODY, Terrain, Tile, War
from engine.rulesets.kaladan.tables import realms, terrains

LETTERS: Final[Mapping[str, str]] = {"field": "F", "forest": "W", "mountain": "M", "": "."}
"""Letters of terrains in rows; a dot is a position without a tile. See: KA-19."""

_TERRAIN: Final[dict[str, Terrain]] = {"F": "field", "W": "forest", "M": "mountain"}


def demand(holds: bool, place: str, text: str, rule: str) -> None:  # noqa: FBT001
    """Raise a fault at ``place`` of a scenario unless ``holds``.

    Raises:
        ScenarioFault: ``holds`` is False.
    """
    if not holds:
        raise ScenarioFault(place, text, rule)


# -- worlds ----------------------------------------------------------------------------------------


def check_world(war: War, layout: int) -> None:
    """Check the world of a scenario. See: KA-3.1, KA-3.3, KA-5.4.

    Raises:
        ScenarioFault: the world has a fault; it names the place of the first.
    """
    known = ", ".join(str(tiles) for tiles in layouts())
    demand(layout in layouts(), "tiles", f"there are layouts of {known} tiles", "KA-3.1")
    most = most_castles(layout)
    demand(war.seats <= most, "seats", f"{layout} tiles hold {most} Castles at most", "KA-5.4")
    widths = layouts()[layout].row_widths
    fits = not war.rows or tuple(len(row) for row in war.rows) == widths
    demand(fits, "rows", f"must be of {', '.join(map(str, widths))} letters", "KA-3.1")
    for number, row in enumerate(war.rows):
        letters = "FWM." if war.now is not None else "FWM"
        text = "is written with F, W and M (field, wood, mountain)"
        demand({*row} <= {*letters}, f"rows[{number}]", text, "KA-3.3")
    counts = Counter(_TERRAIN[letter] for row in war.rows for letter in row if letter != ".")
    for row_of in terrains().values():
        text = f"there are {row_of.bag} tiles of each terrain"
        demand(counts[row_of.id] <= row_of.bag, "rows", text, "KA-3.3")
    _check_realms(war)
    _check_castles(war, layout)


def _check_realms(war: War) -> None:
    fits = not war.realms or len(war.realms) == war.seats
    demand(fits, "realms", f"must be {war.seats}, one for each seat", "KA-5.3")
    known = ", ".join(realms())
    demand({*war.realms} <= {*realms()}, "realms", f"must be of {known}", "KA-5.3")
    demand(len({*war.realms}) == len(war.realms), "realms", "name one twice", "KA-5.3")


def _check_castles(war: War, layout: int) -> None:
    fits = not war.castles or len(war.castles) == war.seats
    demand(fits, "castles", f"must be {war.seats}, one for each seat", "KA-5.4")
    names, built = tile_names(layout), set[int]()
    for number, name in enumerate(war.castles):
        if not name and war.now is not None:
            continue
        place = f"castles[{number}]"
        demand(name in names, place, f"there is no tile {name[:8]!r}", "KA-3.1")
        tile = names.index(name) + 1
        demand(is_edge(layout, tile), place, f"{name} is no edge tile", "KA-5.4")
        apart = tile not in built and not built.intersection(neighbours(layout, tile))
        demand(apart, place, f"{name} touches another Castle", "KA-5.4")
        built.add(tile)


def tiles_of(war: War, layout: int) -> tuple[Tile, ...]:
    """Return the tiles of a scenario, with its fixed terrain and Castles. See: KA-3.1."""
    letters = "".join(war.rows) or "." * layout
    names = tile_names(layout)
    builders = {names.index(name) + 1: seat for seat, name in enumerate(war.castles) if name}
    return tuple(
        Tile(number, _TERRAIN.get(letter, ""), builders.get(number, NOBODY))
        for number, letter in enumerate(letters, 1)
    )
