"""Description of a tile: short lines for the panel beside the map, and full sentences.

Most panel lines have at most 25 characters, to fit beside the map on a screen of 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.record import replace
from engine.kit.grid import Place
from engine.kit.identity_cache import identity_cache
from engine.strategic import costs, item_records
from engine.strategic.heroes import title
from engine.strategic.item_records import guardian_of
from engine.strategic.picture.board import known_as
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.heroes import risk, site_text
from engine.strategic.picture.words import abilities, plain_kind, spot, verb
from engine.strategic.pieces import NONE, UNKNOWN_TYPE, Army, City, Site
from engine.strategic.world import city_at, items_of, site_at, tower_at
from engine.tabletop.board import Line
from engine.tabletop.english import capital, joined, many
from engine.tabletop.panel import gauge
from engine.tabletop.roles import Tone

_ROAD_SKILLS: Final = costs.ROADS | costs.BRIDGES

# -- panel lines -----------------------------------------------------------------------------------


def panel_lines(context: PictureContext, at: Place) -> Iterator[Line]:
    """Yield the panel lines about a tile: its ground, its city and its armies."""
    yield from terrain_lines(context, at)
    city, site = city_at(context.world, at), site_at(context.world, at)
    if city is not None:
        yield from _panel_city(context, city)
    if site is not None:
        yield from _panel_site(context, site)
    yield from _panel_stack(context, at)
    yield from _panel_items(context, at)


def terrain_lines(context: PictureContext, at: Place) -> Iterator[Line]:
    """Yield lines about terrain, road, port, tower and signpost."""
    if not context.knows(at):
        yield context.note("Unknown land", "fog", at=at, tone=Tone.QUIET)
        return
    yield context.note(capital(_terrain_name(context, at)), "tile", at=at)
    if not context.sees(at):
        yield context.note("not in sight now", "fog", at=at, tone=Tone.QUIET)
    tower = tower_at(context.world, at)
    if tower is not None:
        yield context.note("Tower, defence 1", "tower", tower.owner, at=at)
    for post in context.world.signs:
        if (post.x, post.y) == at and post.text.strip():
            text = " ".join(post.text.split())
            yield context.note(f"Sign: {text}", "tile", at=at, tone=Tone.QUIET)


def _terrain_name(context: PictureContext, at: Place) -> str:
    """Return the terrain's name, with its road or port."""
    world = context.world
    name = context.style.grounds[world.terrain[at[1], at[0]]].name
    if world.roads[at[1], at[0]]:
        name += ", road"
    if at in world.ports:
        name += ", port"
    return name


def _panel_city(context: PictureContext, city: City) -> Iterator[Line]:
    """Yield lines about a city's owner, defence, income, production and destination."""
    at, owner = (city.x, city.y), city.owner
    yield context.note(city.name, "city", owner, at=at, tone=Tone.HEADING)
    yield context.note(f"{context.side_title(owner)}, defence {city.defence}", "city", owner, at=at)
    count = sum(len(context.stacks.get(tile, ())) for tile in city.tiles)
    text = f"income {city.income}, {many(count, 'army', 'armies')}"
    yield context.note(text, "economy", owner, at=at)
    if owner == context.viewer:
        yield from _panel_production(context, city, at)
    else:
        kinds = ", ".join(context.type_name(slot.type) for slot in city.slots)
        if kinds:
            yield context.note(f"can make {kinds}", "produce", at=at, tone=Tone.QUIET)


def _panel_production(context: PictureContext, city: City, at: Place) -> Iterator[Line]:
    for number, slot in enumerate(city.slots):
        made = context.type_name(slot.type)
        if number == city.making:
            text = f"> {made}: {many(city.left, 'turn')}{context.slot_price(slot)}"
            yield context.note(text, "produce", city.owner, at=at)
        else:
            text = f"  {made} ({many(slot.turns, 'turn')}){context.slot_price(slot)}"
            yield context.note(text, "produce", at=at, tone=Tone.QUIET)
    if city.making == NONE:
        yield context.note("makes nothing", "produce", at=at, tone=Tone.BAD)
    if city.vector != NONE:
        text = f"to {context.city_name(city.vector)}"
        yield context.note(text, "vector", city.owner, at=at)
    for way in context.world.transits.values():
        if way.target == city.id:
            due = way.due - context.world.turn
            text = f"{context.army_name(way.army)} come in {many(due, 'turn')}"
            yield context.note(text, "vector", city.owner, at=at, tone=Tone.QUIET)


def _panel_site(context: PictureContext, site: Site) -> Iterator[Line]:
    at = site.x, site.y
    yield context.note(site.name or "A site", "site", at=at, tone=Tone.HEADING)
    yield context.note(site_text(site, "here"), "site", at=at)
    guardian = guardian_of(context.world, site.guardian)
    if guardian is not None:
        text = f"kept by {guardian.name} {guardian.strength}"
        yield context.note(text, "search", at=at, tone=Tone.BAD)
    if context.style.site_lines is not None:
        yield from context.style.site_lines(context, site)


def _panel_stack(context: PictureContext, at: Place) -> Iterator[Line]:
    """Yield lines about armies with strength, points and medals, and heroes with their items."""
    stack = context.stacks.get(at, ())
    if not stack:
        return
    owner = stack[0].owner
    text = f"{context.side_title(owner)}: {many(len(stack), 'army', 'armies')}"
    yield context.note(text, "stack", owner, at=at, tone=Tone.HEADING)
    for army in stack if stack[0].type != UNKNOWN_TYPE.id else ():
        yield _army_in_short(context, army)
        if army.hero is not None:
            yield from _panel_hero(context, army)
    goal = next((army for army in stack if army.goal is not None or army.to_flag), None)
    if goal is not None:
        where_to = "the flag" if goal.goal is None else context.where(goal.goal)
        yield context.note(
            f"on the way to {where_to}", "goal", owner, at=goal.goal, tone=Tone.QUIET
        )


def _army_in_short(context: PictureContext, army: Army) -> Line:
    """Return an army's panel line: ``Archers 3 ** def, 12/12``."""
    text = f"{context.army_name(army)} {army.strength}"
    text += f" {'*' * army.medals}" if army.medals else ""
    text += " def" if army.defends else ""
    text += (" aboard" if army.aboard else "") + context.army_words(army).short
    if army.owner != context.viewer:
        return context.note(text, "unit", army.owner, at=army.at)
    line = context.note(f"{text}, {army.points}/{army.max_move}", "unit", army.owner, at=army.at)
    return replace(line, gauge=gauge("moves", army.points, army.max_move))


def _panel_hero(context: PictureContext, army: Army) -> Iterator[Line]:
    rank = title(context.settings.heroes.levels, army)
    known = context.style.experience(context, army)
    text = f" {rank}, {known} xp" if army.owner == context.viewer else f" {rank}"
    yield context.note(text, "level", army.owner, at=army.at, tone=Tone.QUIET)
    for item in items_of(context.world, army.id):
        text = f" {item.name}: {context.effect(item)}"
        yield context.note(text, "item", army.owner, at=army.at, tone=Tone.QUIET)


def _panel_items(context: PictureContext, at: Place) -> Iterator[Line]:
    for item in item_records.lying(context.world, at):
        lies = "planted" if item.where == "planted" else "here"
        yield context.note(f"{lies}: {item.name}, {context.effect(item)}", "item", item.side, at=at)


@identity_cache
def purse_lines(context: PictureContext) -> tuple[Line, ...]:
    """Return lines about the viewer's gold, income, upkeep and quest; empty for observers."""
    if not context.is_player:
        return ()
    side = context.own_side
    comes, goes = context.money_per_turn(side.id)
    lines = [context.note(f"Gold {side.gold}: +{comes} -{goes}", "economy", side.id)]
    if side.quest is not None:
        lines.append(context.note(f"Quest: {context.quest_text(side.quest)}", "quest", side.id))
    return tuple(lines)


# -- sentences -------------------------------------------------------------------------------------


def look_lines(context: PictureContext, at: Place) -> tuple[Line, ...]:
    """Return everything known about a tile, in sentences."""
    if not context.knows(at):
        dark = context.say(f"{spot(at)} has not been discovered", "fog", at=at, tone=Tone.QUIET)
        told = site_at(context.world, at)
        return (dark, *(_site_sentences(context, told) if told is not None else ()))
    return (
        *_terrain_sentences(context, at),
        *_building_sentences(context, at),
        *_army_sentences(context, at),
        *_item_sentences(context, at),
    )


def _terrain_sentences(context: PictureContext, at: Place) -> Iterator[Line]:
    yield context.say(
        f"{spot(at)}: {_terrain_name(context, at)}, {_price_on_foot(context, at)}",
        "price",
        at=at,
    )
    if not context.sees(at):
        text = "It is not in sight now: others could be there"
        yield context.say(text, "fog", at=at, tone=Tone.QUIET)
    for post in context.world.signs:
        if (post.x, post.y) == at and post.text.strip():
            text = f"A signpost says: {' '.join(post.text.split())}"
            yield context.say(text, "tile", at=at, tone=Tone.QUIET)


def _price_on_foot(context: PictureContext, at: Place) -> str:
    """Describe the cost of entering a tile on foot, without abilities but those for roads."""
    (x, y), world = at, context.world
    plain, skilled = (int(steps[y, x]) for steps in _prices_on_foot(context))
    if not plain:
        is_water = world.terrain[y, x] in context.style.water
        return "for ships and flyers" if is_water else "closed on foot"
    by = "by road" if world.roads[y, x] else "over the bridge"
    return f"{many(plain, 'move')} on foot{f', {skilled} {by}' if skilled < plain else ''}"


@identity_cache
def _prices_on_foot(context: PictureContext) -> tuple[costs.PriceGrid, costs.PriceGrid]:
    """Return the costs of empty tiles on foot, without and with road skills."""
    empty = replace(context.world, armies=context.world.armies.drop(*context.world.armies))
    walkers = (costs.Mover(0, costs.Mode.GROUND, flags) for flags in (0, _ROAD_SKILLS))
    plain, skilled = (costs.prices(empty, context.settings, walker).steps for walker in walkers)
    return plain, skilled


def _building_sentences(context: PictureContext, at: Place) -> Iterator[Line]:
    city, site = city_at(context.world, at), site_at(context.world, at)
    if city is not None:
        yield from _city_sentences(context, city)
    if site is not None:
        yield from _site_sentences(context, site)
    tower = tower_at(context.world, at)
    if tower is not None:
        text = f"A tower of {context.side_name(tower.owner)}, defence 1"
        yield context.say(text, "tower", tower.owner, at=at)
    for side in context.world.sides.values():
        if side.flag == at:
            text = f"The rally flag of {context.side_name(side.id)} stands here"
            yield context.say(text, "item", side.id, at=at)


def _city_sentences(context: PictureContext, city: City) -> Iterator[Line]:
    at, owner = (city.x, city.y), city.owner
    text = f"{city.name}, a city of {context.side_name(owner)}: defence {city.defence}"
    yield context.say(f"{text}, income {city.income}", "city", owner, at=at)
    kinds = [context.type_name(slot.type) for slot in city.slots]
    if kinds:
        yield context.say(f"It can make {joined(kinds)}", "produce", owner, at=at, tone=Tone.QUIET)
    if owner == context.viewer and city.making != NONE:
        what = kinds[city.making]
        text = f"It makes {what}, done in {many(city.left, 'turn')}"
        yield context.say(text, "produce", owner, at=at)
    elif owner == context.viewer:
        yield context.say("It makes nothing", "produce", owner, at=at, tone=Tone.BAD)
    if owner == context.viewer and city.vector != NONE:
        text = f"Its armies go to {context.city_name(city.vector)}"
        yield context.say(text, "vector", owner, at=at)
    if city.about.strip():
        about = " ".join(city.about.split())
        yield context.say(about, "city", owner, at=at, tone=Tone.QUIET)


_SITES: Final = {
    "unknown": "nobody of yours has searched it",
    "temple": "a temple, which blesses armies and sends heroes out",
    "relic": "a relic is hidden in it",
    "sage": "a sage lives there",
    "gold": "gold is hidden in it",
    "allies": "allies wait there",
    "searched": "it has been searched",
}


def _site_sentences(context: PictureContext, site: Site) -> Iterator[Line]:
    at = site.x, site.y
    known = known_as(site)
    text = f"{site.name or 'A site'}: {_SITES.get(known, plain_kind(known))}"
    yield context.say(text, "site", at=at)
    guardian = guardian_of(context.world, site.guardian)
    heroes = [army for army in context.stacks.get(at, ()) if army.hero is not None]
    danger = risk(context, heroes[0]) if heroes and heroes[0].owner == context.viewer else ""
    if guardian is not None:
        text = f"It is kept by {guardian.name}, strength {guardian.strength}"
        yield context.say(f"{text}; {danger}" if danger else text, "search", at=at)
    elif danger:
        yield context.say(danger, "search", at=at)
    if site.about.strip():
        yield context.say(" ".join(site.about.split()), "site", at=at, tone=Tone.QUIET)


def _army_sentences(context: PictureContext, at: Place) -> Iterator[Line]:
    stack = context.stacks.get(at, ())
    if stack:
        owner = stack[0].owner
        text = f"{many(len(stack), 'army', 'armies')} of {context.side_name(owner)}"
        yield context.say(text, "stack", owner, at=at, tone=Tone.STRONG)
        shown = stack if stack[0].type != UNKNOWN_TYPE.id else ()
        yield from (_army_sentence(context, army) for army in shown)
        yield from _goal_sentences(context, shown)


def _goal_sentences(context: PictureContext, stack: Sequence[Army]) -> Iterator[Line]:
    """Yield a sentence for each goal that armies of a stack have, as far as it is known."""
    goals = dict.fromkeys((army.goal, army.to_flag) for army in stack)
    for goal, to_flag in goals:
        if goal is None and not to_flag:
            continue
        group = [army for army in stack if (army.goal, army.to_flag) == (goal, to_flag)]
        where_to = "the flag" if goal is None else context.where(goal)
        text = f"{context.company(group)} {verb(group, 'heads', 'head')} for {where_to}"
        yield context.say(text, "goal", group[0].owner, at=goal)


def _army_sentence(context: PictureContext, army: Army) -> Line:
    parts = [f"{context.army_name(army)}: strength {army.strength}"]
    if army.hero is not None:
        parts[0] = f"{parts[0]}, {title(context.settings.heroes.levels, army)}"
    if army.owner == context.viewer:
        parts.append(f"{army.points} of {army.max_move} moves")
        parts.append(f"upkeep {context.settings.cities.upkeep(army)}")
    if army.medals:
        parts.append(many(army.medals, "medal"))
    if army.hero is not None and army.owner == context.viewer:
        parts.append(f"{context.style.experience(context, army)} experience")
    kind = context.world.types.get(army.type)
    parts += abilities(context.style, kind) if kind is not None else []
    parts += context.army_words(army).full
    parts += ["defends"] if army.defends else []
    parts += ["aboard"] if army.aboard else []
    parts += [context.item_name(item) for item in items_of(context.world, army.id)]
    return context.say(", ".join(parts), "unit", army.owner, at=army.at)


def _item_sentences(context: PictureContext, at: Place) -> Iterator[Line]:
    for item in item_records.lying(context.world, at):
        verb = "is planted" if item.where == "planted" else "lies"
        yield context.say(f"{context.item_name(item)} {verb} here", "item", item.side, at=at)
