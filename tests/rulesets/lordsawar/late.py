"""A position late in a war, close to orders and questions that come only then."""

from __future__ import annotations

from typing import Any, Literal

from engine.core.record import replace
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scene import Map, SitePlaced
from engine.strategic.pieces import Item
from engine.tabletop.presenter import presenter_of

HERO = 4
_STAFF = 41
_OWN = ("Millrace", "Fernrest")


def late(hero_at: Literal["temple", "sage"]) -> Map:
    """Return the lesson's land in round 9, with the hero at a site.

    The person has all cities but one. The hero carries an item with charges. The sage is beside the
    temple.
    """
    (lesson,) = presenter_of(RULES).lessons
    land: Any = lesson.scenario
    assert land.now is not None
    temple = next(site for site in land.sites if site.kind == "temple")
    armies = (
        replace(army, x=temple.x - (hero_at == "sage"), y=temple.y) if army.id == HERO else army
        for army in land.now.armies
    )
    found: Map = replace(
        land,
        cities=tuple(replace(city, owner=0) if city.name in _OWN else city for city in land.cities),
        sites=(*land.sites, SitePlaced(temple.x - 1, temple.y, "the Owl", "sage")),
        items=(
            *land.items,
            Item(2, "item", _STAFF, "Staff of Many Steps", where="carried", holder=HERO),
        ),
        now=replace(land.now, turn=9, armies=tuple(armies)),
    )
    return found
