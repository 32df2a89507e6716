"""Description of a tile: short lines for the panel beside the map, sentences for looking at it.

Lines of the panel are short, most of them at most 25 characters, to fit beside the map on a screen
of 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.grid import Place
from engine.kit.memo import recent
from engine.strategic.cities import economy
from engine.strategic.heroes import goods, searching
from engine.strategic.heroes.levels import title
from engine.strategic.heroes.sites import guardian_of
from engine.strategic.picture.board import known_as
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.words import (
    army_name,
    city_name,
    effect,
    item_name,
    joined,
    many,
    note,
    quest_text,
    say,
    side_name,
    spot,
    traits,
    type_name,
)
from engine.strategic.pieces import NONE, Army, City, Site
from engine.strategic.world import city_at, site_at, tower_at
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

# -- panel -----------------------------------------------------------------------------------------


def panel_lines(scene: PictureContext, at: Place) -> Iterator[Line]:
    """What matters of a tile, then the viewer's purse. Rules: W2-3.1, W2-9.1, W2-9.6."""
    yield from terrain_lines(scene, at)
    city, site = city_at(scene.world, at), site_at(scene.world, at)
    if city is not None:
        yield from _panel_city(scene, city)
    if site is not None:
        yield from _panel_site(scene, site)
    yield from _panel_stack(scene, at)
    yield from _panel_items(scene, at)
    yield from _panel_purse(scene)


# -- the land --------------------------------------------------------------------------------------


def terrain_lines(scene: PictureContext, at: Place) -> Iterator[Line]:
    """The terrain, road, port, tower and signpost. Rules: W2-3.1, W2-2.5, W2-11."""
    if not scene.knows(at):
        yield note(scene, f"Unknown {spot(at)}", "fog", at=at, tone=Tone.QUIET)
        return
    name = _terrain_name(scene, at)
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


def _terrain_name(scene: PictureContext, at: Place) -> str:
    """The terrain with its road or port."""
    world = scene.world
    name = scene.style.grounds[world.terrain[at[1], at[0]]].name
    if world.roads[at[1], at[0]]:
        name += ", road"
    if at in world.ports:
        name += ", port"
    return name


# -- cities and sites ------------------------------------------------------------------------------


def _panel_city(scene: PictureContext, city: City) -> Iterator[Line]:
    """Owner, defence, income, what it makes and for whom. Rules: W2-9.1, W2-9.3, W2-9.5."""
    at, owner = (city.x, city.y), city.owner
    yield note(scene, city.name, "city", owner, at=at, tone=Tone.STRONG)
    yield note(scene, f"{side_name(scene, owner)}, defence {city.defence}", "city", owner, at=at)
    count = sum(len(scene.stacks.get(tile, ())) for tile in city.tiles)
    text = f"income {city.income}, {many(count, 'army', 'armies')}"
    yield note(scene, text, "economy", owner, at=at)
    if owner == scene.viewer:
        yield from _panel_production(scene, city, at)
    else:
        kinds = ", ".join(type_name(scene, slot.type) for slot in city.slots)
        if kinds:
            yield note(scene, f"can make {kinds}", "produce", at=at, tone=Tone.QUIET)


def _panel_production(scene: PictureContext, city: City, at: Place) -> Iterator[Line]:
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


_PANEL_SITES: Final = {
    "unknown": "not searched yet",
    "temple": "a temple",
    "relic": "holds a relic",
    "sage": "a sage lives here",
    "gold": "holds gold",
    "allies": "allies wait here",
    "searched": "searched",
}


def _panel_site(scene: PictureContext, site: Site) -> Iterator[Line]:
    """What is known of a site. Rules: W2-10.4."""
    at = site.x, site.y
    yield note(scene, site.name or "A site", "site", at=at, tone=Tone.STRONG)
    yield note(scene, _PANEL_SITES[known_as(site)], "site", at=at)
    guardian = guardian_of(scene.world, site.guardian)
    if guardian is not None:
        text = f"kept by {guardian.name} {guardian.strength}"
        yield note(scene, text, "search", at=at, tone=Tone.BAD)


# -- armies ----------------------------------------------------------------------------------------


def _panel_stack(scene: PictureContext, at: Place) -> Iterator[Line]:
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
        yield note(scene, _army_in_short(scene, army), "unit", owner, at=at)
        if army.hero is not None:
            yield from _panel_hero(scene, army)
    goal = next((army for army in stack if army.goal is not None or army.to_flag), None)
    if goal is not None:
        where = "the flag" if goal.goal is None else spot(goal.goal)
        yield note(scene, f"on the way to {where}", "goal", owner, at=goal.goal, tone=Tone.QUIET)


def _army_in_short(scene: PictureContext, army: Army) -> str:
    """An army in a line of the panel: ``Archers 3, 12/12 +1 def``."""
    text = f"{army_name(scene, army)} {army.strength}"
    if army.owner == scene.viewer:
        text += f", {army.points}/{army.max_move}"
    text += f" {'*' * army.medals}" if army.medals else ""
    text += " def" if army.defends else ""
    return text + (" aboard" if army.aboard else "")


def _panel_hero(scene: PictureContext, army: Army) -> Iterator[Line]:
    rank = title(scene.book.heroes.levels, army)
    text = f" {rank}, {army.xp} xp" if army.owner == scene.viewer else f" {rank}"
    yield note(scene, text, "level", army.owner, at=army.at, tone=Tone.QUIET)
    for item in goods.bag(scene.world, army.id):
        text = f" {item.name}: {effect(item)}"
        yield note(scene, text, "item", army.owner, at=army.at, tone=Tone.QUIET)


def _panel_items(scene: PictureContext, at: Place) -> Iterator[Line]:
    """What lies on the tile. Rules: W2-10.3."""
    for item in goods.lying(scene.world, at):
        lies = "planted" if item.where == "planted" else "here"
        yield note(scene, f"{lies}: {item.name}, {effect(item)}", "item", item.side, at=at)


# -- the purse -------------------------------------------------------------------------------------


def _panel_purse(scene: PictureContext) -> tuple[Line, ...]:
    """The viewer's gold, income and upkeep, and its quest. Rules: W2-9.6, W2-10.6."""
    return _purse_lines(scene) if scene.is_player else ()


@recent
def _purse_lines(scene: PictureContext) -> tuple[Line, ...]:
    side = scene.world.sides[scene.viewer]
    comes = economy.income(scene.world, side.id)
    goes = economy.upkeep(scene.world, scene.book, side.id)
    lines = [note(scene, f"Gold {side.gold}: +{comes} -{goes}", "economy", side.id)]
    if side.quest is not None:
        lines.append(note(scene, f"Quest: {quest_text(scene, side.quest)}", "quest", side.id))
    return tuple(lines)


# -- sentences -------------------------------------------------------------------------------------


def look_lines(scene: PictureContext, at: Place) -> tuple[Line, ...]:
    """What is known of a tile. Rules: W2-3.1, W2-7, W2-9.1, W2-10.4, W2-11."""
    if not scene.knows(at):
        dark = say(scene, f"{spot(at)} has not been discovered", "fog", at=at, tone=Tone.QUIET)
        told = site_at(scene.world, at)
        return (dark, *(_site_sentences(scene, told) if told is not None else ()))
    return (
        *_terrain_sentences(scene, at),
        *_building_sentences(scene, at),
        *_army_sentences(scene, at),
        *_item_sentences(scene, at),
    )


def _terrain_sentences(scene: PictureContext, at: Place) -> Iterator[Line]:
    """Rules: W2-3.1, W2-6.6, W2-11."""
    yield say(
        scene,
        f"{spot(at)}: {_terrain_name(scene, at)}, {_price_on_foot(scene, at)}",
        "price",
        at=at,
    )
    if not scene.sees(at):
        text = "It is not in sight now: others could be there"
        yield say(scene, text, "fog", at=at, tone=Tone.QUIET)
    for post in scene.world.signs:
        if (post.x, post.y) == at and post.text.strip():
            text = f"A signpost says: {' '.join(post.text.split())}"
            yield say(scene, text, "tile", at=at, tone=Tone.QUIET)


def _price_on_foot(scene: PictureContext, at: Place) -> str:
    """What entering costs on foot, without roads and abilities. Rules: W2-4.1."""
    terrain = scene.world.terrain[at[1], at[0]]
    cost = scene.book.moving.foot[terrain]
    if cost:
        return f"{many(cost, 'point')} on foot"
    return "for ships and flyers" if terrain in scene.style.water else "closed on foot"


def _building_sentences(scene: PictureContext, at: Place) -> Iterator[Line]:
    city, site = city_at(scene.world, at), site_at(scene.world, at)
    if city is not None:
        yield from _city_sentences(scene, city)
    if site is not None:
        yield from _site_sentences(scene, site)
    tower = tower_at(scene.world, at)
    if tower is not None:
        text = f"A tower of {side_name(scene, tower.owner)}, defence 1"
        yield say(scene, text, "tower", tower.owner, at=at)
    for side in scene.world.sides.values():
        if side.flag == at:
            text = f"The rally flag of {side_name(scene, side.id)} stands here"
            yield say(scene, text, "item", side.id, at=at)


def _city_sentences(scene: PictureContext, city: City) -> Iterator[Line]:
    """Rules: W2-9.1, W2-9.3, W2-9.5."""
    at, owner = (city.x, city.y), city.owner
    text = f"{city.name}, a city of {side_name(scene, owner)}: defence {city.defence}"
    yield say(scene, f"{text}, income {city.income}", "city", owner, at=at)
    kinds = [type_name(scene, slot.type) for slot in city.slots]
    if kinds:
        yield say(scene, f"It can make {joined(kinds)}", "produce", owner, at=at, tone=Tone.QUIET)
    if owner == scene.viewer and city.making != NONE:
        what = kinds[city.making]
        text = f"It makes {what}, done in {many(city.left, 'turn')}"
        yield say(scene, text, "produce", owner, at=at)
    elif owner == scene.viewer:
        yield say(scene, "It makes nothing", "produce", owner, at=at, tone=Tone.BAD)
    if owner == scene.viewer and city.vector != NONE:
        text = f"Its armies go to {city_name(scene, city.vector)}"
        yield say(scene, text, "vector", owner, at=at)
    if city.about.strip():
        about = " ".join(city.about.split())
        yield say(scene, about, "city", owner, at=at, tone=Tone.QUIET)


_SITES: Final = {
    "unknown": "nobody of yours has searched it",
    "temple": "a temple, which blesses armies and sends heroes out",
    "relic": "a relic is hidden in it",
    "sage": "a sage lives there",
    "gold": "gold is hidden in it",
    "allies": "allies wait there",
    "searched": "it has been searched",
}


def _site_sentences(scene: PictureContext, site: Site) -> Iterator[Line]:
    """What is known of a site, and who keeps it. Rules: W2-10.4, W2-10.5."""
    at = site.x, site.y
    yield say(scene, f"{site.name or 'A site'}: {_SITES[known_as(site)]}", "site", at=at)
    guardian = guardian_of(scene.world, site.guardian)
    if guardian is not None:
        text = f"It is kept by {guardian.name}, strength {guardian.strength}"
        heroes = [army for army in scene.stacks.get(at, ()) if army.hero is not None]
        if heroes and heroes[0].owner == scene.viewer:
            text += f"; {army_name(scene, heroes[0])} survives with {survival(scene, heroes[0])}"
        yield say(scene, text, "search", at=at)
    if site.about.strip():
        yield say(scene, " ".join(site.about.split()), "site", at=at, tone=Tone.QUIET)


def survival(scene: PictureContext, hero: Army) -> str:
    """How likely a hero lives through a search where it stands. Rules: W2-10.5."""
    site = site_at(scene.world, hero.at)
    die = scene.book.heroes.search.guardian_die
    if site is None or guardian_of(scene.world, site.guardian) is None:
        return "100 %"
    most = searching.chance(scene.world, scene.book, hero, site)
    return f"{100 * min(max(most, 0), die) // die} %"


def _army_sentences(scene: PictureContext, at: Place) -> Iterator[Line]:
    stack = scene.stacks.get(at, ())
    if stack:
        owner = stack[0].owner
        text = f"{many(len(stack), 'army', 'armies')} of {side_name(scene, owner)}"
        yield say(scene, text, "stack", owner, at=at, tone=Tone.STRONG)
        yield from (_army_sentence(scene, army) for army in stack)


def _army_sentence(scene: PictureContext, army: Army) -> Line:
    """Rules: W2-7, W2-10.2, W2-10.3."""
    parts = [f"{army_name(scene, army)}: strength {army.strength}"]
    if army.hero is not None:
        parts[0] = f"{parts[0]}, {title(scene.book.heroes.levels, army)}"
    if army.owner == scene.viewer:
        parts.append(f"{army.points} of {army.max_move} points")
        parts.append(f"upkeep {scene.book.cities.upkeep(army)}")
    if army.medals:
        parts.append(many(army.medals, "medal"))
    if army.hero is not None and army.owner == scene.viewer:
        parts.append(f"{army.xp} experience")
    kind = scene.world.types.get(army.type)
    parts += traits(kind) if kind is not None else []
    parts += ["defends"] if army.defends else []
    parts += ["aboard"] if army.aboard else []
    parts += [item_name(item) for item in goods.bag(scene.world, army.id)]
    return say(scene, ", ".join(parts), "unit", army.owner, at=army.at)


def _item_sentences(scene: PictureContext, at: Place) -> Iterator[Line]:
    for item in goods.lying(scene.world, at):
        verb = "is planted" if item.where == "planted" else "lies"
        yield say(scene, f"{item_name(item)} {verb} here", "item", item.side, at=at)
