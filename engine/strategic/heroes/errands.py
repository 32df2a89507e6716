"""Which quests a temple has for a hero."""

from __future__ import annotations

from typing import Literal

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.pieces import Army, City, Quest, QuestKind
from engine.strategic.world import HOSTILE, WAR, World, armies_of, has_discovered, treaty


def possible(world: World, book: Book, hero: Army) -> dict[QuestKind, tuple[Quest, ...]]:
    """The quests that a hero could be sent out for, by kind, without how much is wanted.

    Those about people need an enemy, those about cities one that may be attacked and is known.

    Rules: W2-10.6.
    """
    found: dict[QuestKind, tuple[Quest, ...]] = {
        "kill-hero": _hero_quests(world, hero),
        "fetch-item": _item_quests(world, hero),
        "kill-type": _type_quests(world, hero),
        "kill-armies": tuple(
            Quest("kill-armies", hero.id, foe, name=world.sides[foe].name)
            for foe in enemies(world, hero.owner)
        ),
        "keep-city": _city_quests(world, hero, "keep-city"),
        "raze-city": _city_quests(world, hero, "raze-city"),
        "plunder": (Quest("plunder", hero.id),) if _targets(world, hero.owner) else (),
    }
    if not book.heroes.quests.may_raze:
        del found["raze-city"]
    return {kind: listed for kind, listed in found.items() if listed}


def enemies(world: World, side: int) -> tuple[int, ...]:
    """The other sides in the game that are at least hostile. Rules: W2-4.2, W2-12.1."""
    return tuple(
        other.id
        for other in world.sides.values()
        if other.id != side and other.alive and treaty(world, side, other.id) >= HOSTILE
    )


def _hero_quests(world: World, hero: Army) -> tuple[Quest, ...]:
    return tuple(
        Quest("kill-hero", hero.id, foe, army.id, army.hero.name)
        for foe in enemies(world, hero.owner)
        for army in armies_of(world, foe)
        if army.hero is not None
    )


def _item_quests(world: World, hero: Army) -> tuple[Quest, ...]:
    return tuple(
        Quest("fetch-item", hero.id, target=item.id, name=item.name)
        for item in world.items.values()
        if item.where == "site"
    )


def _type_quests(world: World, hero: Army) -> tuple[Quest, ...]:
    return tuple(
        Quest("kill-type", hero.id, foe, type_, world.types[type_].name)
        for foe in enemies(world, hero.owner)
        for type_ in sorted({army.type for army in armies_of(world, foe) if army.hero is None})
    )


def _city_quests(
    world: World, hero: Army, kind: Literal["keep-city", "raze-city"]
) -> tuple[Quest, ...]:
    return tuple(
        Quest(kind, hero.id, city.owner, city.id, city.name) for city in _targets(world, hero.owner)
    )


def _targets(world: World, side: int) -> tuple[City, ...]:
    """Cities that a side knows and is at war about."""
    return tuple(
        city
        for city in world.cities.values()
        if not city.razed
        and city.owner != side
        and treaty(world, side, city.owner) == WAR
        and any(has_discovered(world, side, at) for at in city.tiles)
    )


def measured(work: Desk, book: Book, quest: Quest) -> Quest:
    """A quest with how much is wanted. Rules: W2-10.6."""
    rules = book.heroes.quests
    if quest.kind == "kill-armies":
        return replace(quest, count=rules.kills.made(work.dice))
    if quest.kind == "plunder":
        return replace(quest, count=rules.plunder.made(work.dice))
    return quest
