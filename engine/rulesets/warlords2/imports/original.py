"""A scenario file of the original as a scenario of this game (section 16.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from struct import unpack_from
from typing import Final

import numpy as np

from engine.core.containers import Plane
from engine.core.options import Value
from engine.core.ruleset import Imported, ScenarioFault
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.imports import texts
from engine.rulesets.warlords2.imports.fork import looks_like_fork, resources
from engine.rulesets.warlords2.imports.grids import read_map, read_roads
from engine.rulesets.warlords2.imports.image import CityRow, Image, ItemRow, SideRow, image_of, text
from engine.rulesets.warlords2.land import hex_rows, road_rows, sign_rows
from engine.rulesets.warlords2.scene import CityPlaced, Map, SidePlaced, SitePlaced
from engine.rulesets.warlords2.tables import RUIN_GROUND, city_art, translated
from engine.rulesets.warlords2.units import HERO, types
from engine.strategic.pieces import NOBODY, Guardian, Item, ItemKind

RULE: Final = "W2-16.4"

_NEEDED: Final = ("MAP", "RD", "SCN", "SCEN")
_SCEN: Final = 84
_KINDS: Final[Mapping[int, ItemKind]] = {
    1: "weapon",
    2: "command",
    5: "flight",
    6: "speed",
    7: "purse",
    8: "standard",
}
"""The kinds of things by their numbers. Rules: W2-10.3."""

_SWITCHES: Final = {6: "diplomacy", 7: "quests", 9: "random_turns", 10: "hidden_map"} | {
    2: "raze_allowed",
    11: "intense_combat",
    12: "quick_start",
    15: "novice_hero_shield",
}
"""Options that are on where the number is not 0. Rules: W2-16.3."""

_NEUTRALS: Final = ("average", "strong", "active")


class OriginalImporter:
    """A scenario file of the original. Rules: W2-16.1."""

    name = "a Warlords II scenario (resource fork of the classic Macintosh, saved as a file)"
    companion = ""

    def sniff(self, data: bytes) -> bool:
        """Whether it is a resource fork with the game's resources in it."""
        if not looks_like_fork(data):
            return False
        try:
            return "SCN" in resources(data)
        except ScenarioFault:
            return False

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:  # noqa: ARG002 - port
        """The scenario in it.

        Raises:
            ScenarioFault: it is broken, with the first fault found.
        """
        parts = resources(data)
        for name in _NEEDED:
            if name not in parts:
                raise ScenarioFault(name, "this resource is missing", "W2-16.2")
        image = image_of(parts["SCN"])
        check_counts(image, parts["SCEN"])
        scene = scene_of(image, parts)
        setup.check(scene)
        return Imported(scene, tuple(_remarks(image, scene)))


def check_counts(image: Image, told: bytes) -> None:
    """Refuse a file whose summary counts something else. Rules: W2-16.4.

    Raises:
        ScenarioFault: naming what differs.
    """
    if len(told) != _SCEN:
        raise ScenarioFault("SCEN", f"{len(told)} bytes, not {_SCEN}", "W2-16.2")
    cities, sites, sides = unpack_from("<3H", told, 76)
    used = sum(side.used for side in image.sides)
    counts = {
        "cities": (cities, len(image.cities)),
        "sites": (sites, len(image.sites)),
        "sides": (sides, used),
    }
    for what, (wanted, found) in counts.items():
        if wanted != found:
            raise ScenarioFault("SCEN", f"{wanted} {what}, but SCN has {found}", RULE)


def scene_of(image: Image, parts: Mapping[str, bytes]) -> Map:
    """The scenario of an image and its maps and texts. Rules: W2-16.4.

    Raises:
        ScenarioFault: a city or a site is not where its pictures are, or a type is unknown.
    """
    table = translated(image.table)
    art, ports = read_map(parts["MAP"], table)
    _check_pictures(image, art)
    terrain = Plane(np.frombuffer(table, dtype=np.uint8)[art.cells])
    sides = _in_play(image)
    title = text(parts["SCEN"], 0, 20) or "Imported"
    return Map(
        name=re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "imported",
        title=title,
        about=text(parts["SCEN"], 28, 30),
        rows=sign_rows(terrain),
        roads=road_rows(read_roads(parts["RD"], terrain)),
        sides=tuple(_side(side) for side in sides),
        cities=tuple(_cities(image, texts.blurbs(parts.get("CTY", b"")))),
        sites=tuple(_sites(image, texts.blurbs(parts.get("SPC", b"")))),
        ports=ports,
        signs=texts.signs(parts["SGN"]) if "SGN" in parts else (),
        items=tuple(_items(image.items, [image.sides.index(side) for side in sides])),
        guardians=_guardians(image),
        neutral_order=image.neutral_order,
        options=_options(image.options),
        art=hex_rows(art),
        table=table.hex(),
    )


def _in_play(image: Image) -> tuple[SideRow, ...]:
    """Sides that are used and have a city at their capital. Rules: W2-16.4."""
    anchors = {(city.x, city.y) for city in image.cities}
    return tuple(side for side in image.sides if side.used and side.capital in anchors)


def _check_pictures(image: Image, art: Plane) -> None:
    for number, city in enumerate(image.cities):
        place = f"cities[{number}]"
        if city.owner != NOBODY:
            raise ScenarioFault(place, "has an owner: this is a game that runs", RULE)
        if not art.has(city.x + 1, city.y + 1):
            raise ScenarioFault(place, f"({city.x}, {city.y}) is off the map", RULE)
        block = art.cells[city.y : city.y + 2, city.x : city.x + 2].ravel().tolist()
        if tuple(block) != city_art(NOBODY):
            raise ScenarioFault(place, f"no pictures of a city at ({city.x}, {city.y})", RULE)
    for number, site in enumerate(image.sites):
        place = f"sites[{number}]"
        if not art.has(site.x, site.y):
            raise ScenarioFault(place, f"({site.x}, {site.y}) is off the map", RULE)
        picture = art[site.y, site.x]
        if picture >= len(image.table) or image.table[picture] != RUIN_GROUND:
            raise ScenarioFault(place, f"no ruin or temple at ({site.x}, {site.y})", RULE)


def _side(side: SideRow) -> SidePlaced:
    return SidePlaced(
        name=side.name,
        capital=side.capital,
        gold=side.gold,
        human=not side.computer,
        level=side.level,
        enhanced=side.enhanced,
        order=side.order,
    )


def _cities(image: Image, told: Mapping[int, str]) -> Iterator[CityPlaced]:
    for number, city in enumerate(image.cities):
        yield CityPlaced(
            x=city.x,
            y=city.y,
            name=city.name[:15],
            income=city.income,
            slots=tuple(_keys(city, f"cities[{number}].slots")),
            about=told.get(number, ""),
        )


def _keys(city: CityRow, place: str) -> Iterator[str]:
    """What a city can make, with the numbers of the unit table. Rules: W2-16.4."""
    for kind in city.types:
        if kind not in types() or kind == HERO:
            raise ScenarioFault(place, f"there is no unit type {kind}", RULE)
        yield types()[kind].key


def _sites(image: Image, told: Mapping[int, str]) -> Iterator[SitePlaced]:
    for number, site in enumerate(image.sites):
        yield SitePlaced(
            x=site.x,
            y=site.y,
            name=site.name,
            kind="temple" if site.kind == 1 else "unknown",
            about=told.get(number, ""),
        )


def _items(rows: Sequence[ItemRow], seats: Sequence[int]) -> Iterator[Item]:
    """The things of the game; standards belong to the sides in the order of the file.

    Rows without a name or a known kind are left out.
    """
    standards = number = 0
    for row in rows:
        kind = _KINDS.get(row.kind)
        if kind is None or not row.name:
            continue
        owner = NOBODY
        if kind == "standard":
            owner = seats.index(standards) if standards in seats else NOBODY
            standards += 1
        yield Item(number, kind, max(row.value, 1), row.name, side=owner)
        number += 1


def _guardians(image: Image) -> tuple[Guardian, ...]:
    if not all(row.name for row in image.guardians):
        return ()
    return tuple(Guardian(row.name, row.strength) for row in image.guardians)


def _options(numbers: Sequence[int]) -> dict[str, Value]:
    """Options as the file has them set. Rules: W2-16.3."""
    made: dict[str, Value] = {
        name: "on" if numbers[place] else "off" for place, name in sorted(_SWITCHES.items())
    }
    if numbers[5] >= len(_NEUTRALS):
        raise ScenarioFault("SCN", f"there is no neutral strength {numbers[5]}", "W2-16.3")
    return made | {"neutral_strength": _NEUTRALS[numbers[5]], "bonus_cap": numbers[1]}


def _remarks(image: Image, scene: Map) -> Iterator[str]:
    if len(scene.sides) < sum(side.used for side in image.sides):
        yield "sides without a city at their capital are left out"
    if not scene.items:
        yield "the file tells of no things; this game's own are drawn"
    yield "column=classic plays it by the rules of the original program"
