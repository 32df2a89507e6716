"""The lines beside the map: the tile under the cursor, who is there, the purse.

Lines are short, most of them at most 25 characters, so that they fit beside the map on a screen of
80 columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.grid import Place
from engine.kit.memo import recent
from engine.strategic import cities as economy
from engine.strategic import item_records as goods
from engine.strategic.heroes import title
from engine.strategic.item_records import guardian_of
from engine.strategic.picture.canvas import known_as
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import (
    army_name,
    city_name,
    effect,
    many,
    note,
    quest_text,
    side_name,
    spot,
    type_name,
)
from engine.strategic.pieces import NONE, Army, City, Site
from engine.strategic.world import city_at, items_of, site_at, tower_at
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def panel(scene: Scene, at: Place) -> Iterator[Line]:
    """What matters of a tile, then the viewer's purse. Rules: W2-3.1, W2-9.1, W2-9.6."""
    yield from tile(scene, at)
    city, site = city_at(scene.world, at), site_at(scene.world, at)
    if city is not None:
        yield from of_city(scene, city)
    if site is not None:
        yield from of_site(scene, site)
    yield from of_stack(scene, at)
    yield from _lying(scene, at)
    yield from purse(scene)


# -- the land --------------------------------------------------------------------------------------


def tile(scene: Scene, at: Place) -> Iterator[Line]:
    """The terrain, road, port, tower and signpost. Rules: W2-3.1, W2-2.5, W2-11."""
    if not scene.knows(at):
        yield note(scene, f"Unknown {spot(at)}", "fog", at=at, tone=Tone.QUIET)
        return
    name = ground_name(scene, at)
    yield note(scene, f"{name[:1].upper()}{name[1:]} {spot(at)}", "tile", at=at)
    if not scene.sees(at):
        yield note(scene, "not in sight now", "fog", at=at, tone=Tone.QUIET)
    tower = tower_at(scene.world, at)
    if tower is not None:
        yield note(scene, "Tower, defence 1", "tower", tower.owner, at=at)
    for post in scene.world.signs:
        if (post.x, post.y) == at and post.text.strip():
            text = " ".join(post.text.split())
            yield note(scene, f"Sign: {text}", "tile", at=at, tone=Tone.QUIET)


def ground_name(scene: Scene, at: Place) -> str:
    """The terrain with its road or port."""
    world = scene.world
    name = scene.style.grounds[world.terrain[at[1], at[0]]].name
    if world.roads[at[1], at[0]]:
        name += ", road"
    if at in world.ports:
        name += ", port"
    return name


# -- cities and sites ------------------------------------------------------------------------------


def of_city(scene: Scene, city: City) -> Iterator[Line]:
    """Owner, defence, income, what it makes and for whom. Rules: W2-9.1, W2-9.3, W2-9.5."""
    at, owner = (city.x, city.y), city.owner
    yield note(scene, city.name, "city", owner, at=at, tone=Tone.STRONG)
    yield note(scene, f"{side_name(scene, owner)}, defence {city.defence}", "city", owner, at=at)
    count = sum(len(scene.stacks.get(tile, ())) for tile in city.tiles)
    text = f"income {city.income}, {many(count, 'army', 'armies')}"
    yield note(scene, text, "economy", owner, at=at)
    if owner == scene.viewer:
        yield from _works(scene, city, at)
    else:
        kinds = ", ".join(type_name(scene, slot.type) for slot in city.slots)
        if kinds:
            yield note(scene, f"can make {kinds}", "produce", at=at, tone=Tone.QUIET)


def _works(scene: Scene, city: City, at: Place) -> Iterator[Line]:
    for number, slot in enumerate(city.slots):
        made = type_name(scene, slot.type)
        if number == city.making:
            text = f"> {made}: {many(city.left, 'turn')}"
            yield note(scene, text, "produce", city.owner, at=at)
        else:
            yield note(scene, f"  {made} ({slot.turns})", "produce", at=at, tone=Tone.QUIET)
    if city.making == NONE:
        yield note(scene, "makes nothing", "produce", at=at, tone=Tone.BAD)
    if city.vector != NONE:
        text = f"to {city_name(scene, city.vector)}"
        yield note(scene, text, "vector", city.owner, at=at)
    for way in scene.world.transits.values():
        if way.target == city.id:
            due = way.due - scene.world.turn
            text = f"{army_name(scene, way.army)} come in {many(due, 'turn')}"
            yield note(scene, text, "vector", city.owner, at=at, tone=Tone.QUIET)


_KINDS: Final = {
    "unknown": "not searched yet",
    "temple": "a temple",
    "relic": "holds a relic",
    "sage": "a sage lives here",
    "gold": "holds gold",
    "allies": "allies wait here",
    "searched": "searched",
}


def of_site(scene: Scene, site: Site) -> Iterator[Line]:
    """What is known of a site. Rules: W2-10.4."""
    at = site.x, site.y
    yield note(scene, site.name or "A site", "site", at=at, tone=Tone.STRONG)
    yield note(scene, _KINDS[known_as(site)], "site", at=at)
    guardian = guardian_of(scene.world, site.guardian)
    if guardian is not None:
        text = f"kept by {guardian.name} {guardian.strength}"
        yield note(scene, text, "search", at=at, tone=Tone.BAD)


# -- armies ----------------------------------------------------------------------------------------


def of_stack(scene: Scene, at: Place) -> Iterator[Line]:
    """Army by army: strength, points, medals; heroes with what they carry.

    Rules: W2-6.1, W2-6.3, W2-7, W2-10.2, W2-10.3.
    """
    stack = scene.stacks.get(at, ())
    if not stack:
        return
    owner = stack[0].owner
    text = f"{side_name(scene, owner)}: {many(len(stack), 'army', 'armies')}"
    yield note(scene, text, "stack", owner, at=at, tone=Tone.STRONG)
    for army in stack:
        yield note(scene, in_short(scene, army), "unit", owner, at=at)
        if army.hero is not None:
            yield from _hero(scene, army)
    goal = next((army for army in stack if army.goal is not None or army.to_flag), None)
    if goal is not None:
        where = "the flag" if goal.goal is None else spot(goal.goal)
        yield note(scene, f"on the way to {where}", "goal", owner, at=goal.goal, tone=Tone.QUIET)


def in_short(scene: Scene, army: Army) -> str:
    """An army in a line of the panel: ``Archers 3, 12/12 +1 def``."""
    text = f"{army_name(scene, army)} {army.strength}"
    if army.owner == scene.viewer:
        text += f", {army.points}/{army.max_move}"
    text += f" {'*' * army.medals}" if army.medals else ""
    text += " def" if army.defends else ""
    return text + (" aboard" if army.aboard else "")


def _hero(scene: Scene, army: Army) -> Iterator[Line]:
    rank = title(scene.book.heroes.levels, army)
    text = f" {rank}, {army.xp} xp" if army.owner == scene.viewer else f" {rank}"
    yield note(scene, text, "level", army.owner, at=army.at, tone=Tone.QUIET)
    for item in items_of(scene.world, army.id):
        text = f" {item.name}: {effect(item)}"
        yield note(scene, text, "item", army.owner, at=army.at, tone=Tone.QUIET)


def _lying(scene: Scene, at: Place) -> Iterator[Line]:
    """What lies on the tile. Rules: W2-10.3."""
    for item in goods.lying(scene.world, at):
        lies = "planted" if item.where == "planted" else "here"
        yield note(scene, f"{lies}: {item.name}, {effect(item)}", "item", item.side, at=at)


# -- the purse -------------------------------------------------------------------------------------


def purse(scene: Scene) -> tuple[Line, ...]:
    """The viewer's gold, income and upkeep, and its quest. Rules: W2-9.6, W2-10.6."""
    return _purse(scene) if scene.is_player else ()


@recent
def _purse(scene: Scene) -> tuple[Line, ...]:
    side = scene.world.sides[scene.viewer]
    comes = economy.income(scene.world, side.id)
    goes = economy.upkeep(scene.world, scene.book, side.id)
    lines = [note(scene, f"Gold {side.gold}: +{comes} -{goes}", "economy", side.id)]
    if side.quest is not None:
        lines.append(note(scene, f"Quest: {quest_text(scene, side.quest)}", "quest", side.id))
    return tuple(lines)
