"""Import of a scenario file of the original (section 16.4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from struct import unpack_from
from typing import Final, NamedTuple

import numpy as np

from engine.core.containers import Plane, Roster
from engine.core.options import Value
from engine.core.ruleset import Imported, Importer, ScenarioFault
from engine.kit.records import alike
from engine.rulesets.warlords2 import setup
from engine.rulesets.warlords2.imports.image import (
    CityRow,
    Image,
    ImageSide,
    ItemRow,
    image_of,
    left_over,
    read_units,
    set_of,
    text,
)
from engine.rulesets.warlords2.imports.resources import (
    KINDS,
    Blurbs,
    Pool,
    blurbs,
    looks_like_fork,
    numbered,
    read_pool,
    resources,
    signs,
)
from engine.rulesets.warlords2.land import sign_rows
from engine.rulesets.warlords2.scene import CityPlaced, Map, SidePlaced, SitePlaced
from engine.rulesets.warlords2.tables import HERO, RUIN_GROUND, city_art, translated, unit_types
from engine.rulesets.warlords2.tile_codec import read_map, read_roads
from engine.strategic.land_rows import hex_rows, road_rows
from engine.strategic.pieces import NOBODY, Item, UnitType

RULE: Final = "W2-16.4"

_SCEN: Final = 84
_CITY_NAME: Final = 15
"""Characters of the name of a city."""
_SWITCHES: Final = {6: "diplomacy", 7: "quests", 9: "random_turns", 10: "hidden_map"} | {
    2: "raze_allowed",
    11: "intense_combat",
    12: "quick_start",
    15: "novice_hero_shield",
}
"""Options that are on if the number is not 0. See: W2-16.3."""

_COMPANION: Final = (
    "; this is the file of a terrain or army set: name it after --with, beside a scenario"
)

_NEUTRALS: Final = ("average", "strong", "active")


class OriginalImporter:
    """Importer of scenario files of the original. See: W2-16.1."""

    name = "a Warlords II scenario (resource fork of the classic Macintosh, saved as a file)"
    companion = (
        "the file of its terrain or army set, for types of unit; without it the book's are used"
    )

    def sniff(self, data: bytes) -> bool:
        """Return whether the data is a resource fork with a scenario or a set of unit types."""
        if not looks_like_fork(data):
            return False
        try:
            return "SCN" in resources(data) or bool(set_of(numbered(data)))
        except ScenarioFault:
            return False

    def read(self, data: bytes, companion: bytes | None = None) -> Imported:
        """Decode the scenario of a file; unit types come from the companion, else from the file.

        Raises:
            ScenarioFault: one of them is broken; it names the first fault found.
        """
        whole = numbered(data)
        parts = resources(data)
        for name in NEEDED:
            if name not in parts:
                hint = _COMPANION if set_of(whole) else ""
                raise ScenarioFault(name, f"this resource is missing{hint}", "W2-16.2")
        image = image_of(parts["SCN"])
        check_counts(image, parts["SCEN"])
        found = Found(
            parts=parts,
            own_units=bool(set_of(whole)),
            units=_units(whole, companion),
            cities=blurbs(parts.get("CTY", b""), "CTY", len(image.cities)),
            sites=blurbs(parts.get("SPC", b""), "SPC", len(image.sites)),
            pool=read_pool(parts["ITM"]) if "ITM" in parts else Pool((), ()),
        )
        scene = scene_of(image, found)
        setup.check(scene)
        return Imported(scene, tuple(remarks(image, found, scene)))


def _units(whole: Mapping[tuple[str, int], bytes], companion: bytes | None) -> bytes:
    """Return the set of unit types to use; empty for the book's own.

    Raises:
        ScenarioFault: the companion has none.
    """
    if companion is None:
        return set_of(whole)
    data = set_of(numbered(companion))
    if not data:
        raise ScenarioFault("DAT", "the second file has no set of unit types", "W2-16.2")
    return data


def check_counts(image: Image, told: bytes) -> None:
    """Refuse a file whose summary gives other counts than its image. Rules: W2-16.4.

    Raises:
        ScenarioFault: naming the counts that differ.
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


def scene_of(image: Image, found: Found) -> Map:
    """Build the scenario from an image and the other contents of its file. Rules: W2-16.4.

    Raises:
        ScenarioFault: a city or a site is not where its pictures are, or a type is unknown.
    """
    table, parts = translated(image.table), found.parts
    art, ports = read_map(parts["MAP"], table)
    _check_pictures(image, art)
    terrain = Plane(np.frombuffer(table, dtype=np.uint8)[art.cells])
    sides = _in_play(image)
    units = read_units(found.units) if found.units else ()
    things = [row for row in image.items if not found.pool.items or is_standard(row)]
    items = tuple(_items(things, [image.sides.index(side) for side in sides]))
    title = text(parts["SCEN"], 0, 20) or "Imported"
    return Map(
        name=re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "imported",
        title=title,
        about=text(parts["SCEN"], 28, 30),
        rows=sign_rows(terrain),
        roads=road_rows(read_roads(parts["RD"], terrain)),
        sides=tuple(alike(SidePlaced, side, human=not side.computer) for side in sides),
        cities=tuple(_cities(image, found.cities.told, Roster(units) if units else unit_types())),
        sites=tuple(_sites(image, found.sites.told)),
        ports=ports,
        signs=signs(parts["SGN"]) if "SGN" in parts else (),
        items=items,
        pool=found.pool.items,
        units=() if Roster(units) == unit_types() else units,
        guardians=image.guardians if all(row.name for row in image.guardians) else (),
        neutral_order=image.neutral_order,
        options=_options(image.options),
        art=hex_rows(art),
        table=table.hex(),
    )


def _in_play(image: Image) -> tuple[ImageSide, ...]:
    """Return the sides that are in use and have a city at their capital. See: W2-16.4."""
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


def _cities(image: Image, told: Mapping[int, str], kinds: Roster[UnitType]) -> Iterator[CityPlaced]:
    for number, city in enumerate(image.cities):
        yield alike(
            CityPlaced,
            city,
            name=city.name[:_CITY_NAME].rstrip(),
            slots=tuple(_keys(city, f"cities[{number}].slots", kinds)),
            about=told.get(number, ""),
        )


def _keys(city: CityRow, place: str, kinds: Roster[UnitType]) -> Iterator[str]:
    """Yield the keys of a city's slots; the file has type numbers. See: W2-16.4."""
    for kind in city.types:
        if kind not in kinds or kind == HERO:
            raise ScenarioFault(place, f"there is no unit type {kind}", RULE)
        yield kinds[kind].key


def _sites(image: Image, told: Mapping[int, str]) -> Iterator[SitePlaced]:
    for number, site in enumerate(image.sites):
        kind = "temple" if site.kind == 1 else "unknown"
        yield alike(SitePlaced, site, kind=kind, about=told.get(number, ""))


def _items(rows: Sequence[ItemRow], seats: Sequence[int]) -> Iterator[Item]:
    """Yield the items of the game, without rows that have no name or no known kind.

    Each standard belongs to the side with its number in the file, counted from 0; ``seats`` are
    the numbers of the sides that play.
    """
    standards = number = 0
    for row in rows:
        kind = KINDS.get(row.kind)
        if kind is None or not row.name:
            continue
        owner = NOBODY
        if kind == "standard":
            owner = seats.index(standards) if standards in seats else NOBODY
            standards += 1
        yield Item(number, kind, max(row.value, 1), row.name, side=owner)
        number += 1


def _options(numbers: Sequence[int]) -> dict[str, Value]:
    """Return the options as set in the file. See: W2-16.3."""
    made: dict[str, Value] = {
        name: "on" if numbers[place] else "off" for place, name in sorted(_SWITCHES.items())
    }
    if numbers[5] >= len(_NEUTRALS):
        raise ScenarioFault("SCN", f"there is no neutral strength {numbers[5]}", "W2-16.3")
    return made | {"neutral_strength": _NEUTRALS[numbers[5]], "bonus_cap": numbers[1]}


# -- other contents of the file --------------------------------------------------------------------


NEEDED: Final = ("MAP", "RD", "SCN", "SCEN")
"""Types of resources without which a file has no scenario. See: W2-16.2."""

_KNOWN: Final = frozenset(
    (*NEEDED, "SGN", "ITM", "CTY", "SPC", "DAT", "AI", "PICT", "NAME", "vers", "GFX")
)
"""Types of resources that are read, or known to be irrelevant here."""


class Found(NamedTuple):
    """Contents besides the image: the resources, and the decoded text resources.

    ``own_units`` is True if the file itself has a set of unit types. ``units`` is the set in use.
    """

    parts: Mapping[str, bytes]
    own_units: bool
    units: bytes
    cities: Blurbs
    sites: Blurbs
    pool: Pool


def is_standard(row: ItemRow) -> bool:
    """Return whether an item is a side's standard. See: W2-10.3."""
    return KINDS.get(row.kind) == "standard"


def remarks(image: Image, found: Found, scene: Map) -> Iterator[str]:
    """Yield a line for each omitted part, with the reason. See: W2-16.2, W2-16.4."""
    if len(scene.sides) < sum(side.used for side in image.sides):
        yield "sides without a city at their capital are left out"
    yield from found.pool.notes
    if found.pool.items and any(row.name and not is_standard(row) for row in image.items):
        yield "SCN: only its standards are kept, the other things are drawn from ITM"
    yield from _of_image(image, scene)
    if not scene.items and not scene.pool:
        yield "the file tells of no things; this game's own are drawn"
    yield from (*found.cities.notes, *found.sites.notes)
    if spare := left_over(found.units):
        yield f"DAT: {spare} bytes after the types of unit are not read"
    if unknown := sorted(set(found.parts) - _KNOWN):
        yield f"resources of these types are not read: {', '.join(unknown)}"
    if found.own_units:
        yield "DAT: to play another scenario with these types of unit, name this file after --with"
    yield "column=classic plays it by the rules of the original program"


def _of_image(image: Image, scene: Map) -> Iterator[str]:
    """Yield remarks on the rows of the image that were left out or changed."""
    if strange := [row.name for row in image.items if row.name and row.kind not in KINDS]:
        yield f"SCN: things of unknown kinds are left out: {', '.join(strange)}"
    if not scene.guardians and any(row.name for row in image.guardians):
        yield "SCN: guardians are left out, since not all have names; this game's own are used"
    for row, city in zip(image.cities, scene.cities, strict=True):
        if row.name != city.name:
            limit = f"names have up to {_CITY_NAME} signs"
            yield f"the city {row.name!r} is called {city.name!r}: {limit}"


IMPORTERS: Final[tuple[Importer, ...]] = (OriginalImporter(),)
