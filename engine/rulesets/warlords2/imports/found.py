"""What was found in a file of the original, and what of it is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine.rulesets.warlords2.imports.image import Image, ItemRow
from engine.rulesets.warlords2.imports.pool import KINDS, Pool
from engine.rulesets.warlords2.imports.texts import Blurbs
from engine.rulesets.warlords2.imports.units import left_over
from engine.rulesets.warlords2.scene import Map

NEEDED: Final = ("MAP", "RD", "SCN", "SCEN")
"""The types of resources without which there is no scenario. Rules: W2-16.2."""

_KNOWN: Final = frozenset(
    (*NEEDED, "SGN", "ITM", "CTY", "SPC", "DAT", "AI", "PICT", "NAME", "vers", "GFX")
)
"""Types of resources that are read, or of which is known that nothing in them is for this game."""


class Found(NamedTuple):
    """Finds beside the image: the resources, and what those with texts in them say.

    ``own_units``: the file itself has a set of unit types, and ``units`` are those that are used.
    """

    parts: Mapping[str, bytes]
    own_units: bool
    units: bytes
    cities: Blurbs
    sites: Blurbs
    pool: Pool


def is_standard(row: ItemRow) -> bool:
    """Whether a thing is a side's standard. Rules: W2-10.3."""
    return KINDS.get(row.kind) == "standard"


def remarks(image: Image, found: Found, scene: Map) -> Iterator[str]:
    """What was left out, and why, in a line each. Rules: W2-16.2, W2-16.4."""
    if len(scene.sides) < sum(side.used for side in image.sides):
        yield "sides without a city at their capital are left out"
    yield from found.pool.notes
    if found.pool.items and any(row.name and not is_standard(row) for row in image.items):
        yield "SCN: only its standards are kept, the other things are drawn from ITM"
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
