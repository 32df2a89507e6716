"""The presenter: glyphs, words and rule ids of this game for the strategic layer's picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from engine.rulesets.warlords2.events import GameSet
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.scene import Map
from engine.rulesets.warlords2.tables import PACKAGE, WATER, Terrain, terrain_rows, unit_rows
from engine.strategic.picture.presenter import StrategicPicture
from engine.strategic.picture.style import PictureStyle, TerrainSign
from engine.tabletop.lesson import shipped
from engine.tabletop.presenter import AnyPresenter
from engine.tabletop.roles import Role

_GROUND: Final[Mapping[Terrain, tuple[Role, str, str, str] | tuple[Role, str, str, str, str]]] = {
    Terrain.VOID: (Role.BLANK, " ", " ", " "),
    Terrain.PLAINS: (Role.PLAIN, "·", "·", "."),
    Terrain.FOREST: (Role.FOREST, "♠", "♠", "&"),
    Terrain.HILLS: (Role.MOUNTAIN, "∩", "∩", "%", "HILL"),
    Terrain.MOUNTAINS: (Role.MOUNTAIN, "▲", "▲", "^"),
    Terrain.MARSH: (Role.SWAMP, "„", '"', '"'),
    Terrain.DESERT: (Role.ROAD, "∷", ":", ":", "desert"),
    Terrain.TUNDRA: (Role.PLAIN, "'", "'", "`", "tundra"),
    Terrain.SITE: (Role.PLAIN, "°", "°", ","),
    Terrain.CITY: (Role.WALL, "▒", "▒", "#", "city"),
    Terrain.OCEAN: (Role.WATER, "≈", "≈", "~"),
    Terrain.SHORE: (Role.WATER, "~", "~", "(", "shore"),
    Terrain.BRIDGE: (Role.ROAD, "═", "═", "=", "bridge"),
    Terrain.RIVER: (Role.WATER, "≋", "∞", ";", "river"),
}
"""Role and glyphs of each terrain; also its picture, if the role does not say enough.

See: W2-3.1.
"""

_LETTERS: Final[Mapping[str, str]] = {
    "scouts": "s",
    "giant_bats": "b",
    "light_infantry": "i",
    "orcish_mob": "o",
    "light_cavalry": "c",
    "catapults": "k",
    "heavy_infantry": "I",
    "archers": "a",
    "dwarves": "d",
    "pikemen": "p",
    "heavy_cavalry": "C",
    "wolfriders": "w",
    "navy": "N",
    "giants": "g",
    "minotaurs": "m",
    "spiders": "x",
    "pegasi": "P",
    "griffins": "G",
    "unicorns": "U",
    "elephants": "E",
    "wizards": "W",
    "giant_worms": "Z",
    "ghosts": "H",
    "demons": "M",
    "elementals": "L",
    "devils": "V",
    "archons": "A",
    "dragons": "D",
    "hero": "@",
}
"""Letters of the unit types; capitals mark strong and special ones. See: W2-7."""

STYLE: Final = PictureStyle(
    grounds=tuple(
        TerrainSign(row.key, row.name, *_GROUND[Terrain(code)])
        for code, row in enumerate(terrain_rows())
    ),
    bridge=Terrain.BRIDGE,
    city=Terrain.CITY,
    site=Terrain.SITE,
    water=frozenset(WATER),
    types=unit_rows(),
    letters={row.id: _LETTERS[row.key] for row in unit_rows()},
    package=PACKAGE,
    battle_pace="Fought at once, one against one; two hits fell an army",
    aim="The last side wins, if it holds over half of all cities",
)
"""Tables of this game for the presenter."""


PRESENTER: AnyPresenter = StrategicPicture(
    STYLE, lambda view: settings_of(view.options), GameSet, partial(shipped, PACKAGE, Map)
)
"""The presenter of this ruleset."""
