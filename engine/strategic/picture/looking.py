"""A tile in sentences, for those who see the map and for those who hear it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kit.grid import Place
from engine.strategic import item_records as goods
from engine.strategic import sites as searching
from engine.strategic.heroes import title
from engine.strategic.item_records import guardian_of
from engine.strategic.picture.canvas import known_as
from engine.strategic.picture.panel import ground_name
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import (
    army_name,
    city_name,
    item_name,
    joined,
    many,
    say,
    side_name,
    spot,
    traits,
    type_name,
)
from engine.strategic.pieces import NONE, Army, City, Site
from engine.strategic.world import city_at, items_of, site_at, tower_at
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def look(scene: Scene, at: Place) -> tuple[Line, ...]:
    """What is known of a tile. Rules: W2-3.1, W2-7, W2-9.1, W2-10.4, W2-11."""
    if not scene.knows(at):
        dark = say(scene, f"{spot(at)} has not been discovered", "fog", at=at, tone=Tone.QUIET)
        told = site_at(scene.world, at)
        return (dark, *(_site(scene, told) if told is not None else ()))
    return (*_ground(scene, at), *_built(scene, at), *_armies(scene, at), *_lying(scene, at))


def _ground(scene: Scene, at: Place) -> Iterator[Line]:
    """Rules: W2-3.1, W2-6.6, W2-11."""
    yield say(scene, f"{spot(at)}: {ground_name(scene, at)}, {_price(scene, at)}", "price", at=at)
    if not scene.sees(at):
        text = "It is not in sight now: others could be there"
        yield say(scene, text, "fog", at=at, tone=Tone.QUIET)
    for post in scene.world.signs:
        if (post.x, post.y) == at and post.text.strip():
            text = f"A signpost says: {' '.join(post.text.split())}"
            yield say(scene, text, "tile", at=at, tone=Tone.QUIET)


def _price(scene: Scene, at: Place) -> str:
    """What entering costs on foot, without roads and abilities. Rules: W2-4.1."""
    terrain = scene.world.terrain[at[1], at[0]]
    cost = scene.book.moving.foot[terrain]
    if cost:
        return f"{many(cost, 'point')} on foot"
    return "for ships and flyers" if terrain in scene.style.water else "closed on foot"


def _built(scene: Scene, at: Place) -> Iterator[Line]:
    city, site = city_at(scene.world, at), site_at(scene.world, at)
    if city is not None:
        yield from _city(scene, city)
    if site is not None:
        yield from _site(scene, site)
    tower = tower_at(scene.world, at)
    if tower is not None:
        text = f"A tower of {side_name(scene, tower.owner)}, defence 1"
        yield say(scene, text, "tower", tower.owner, at=at)
    for side in scene.world.sides.values():
        if side.flag == at:
            text = f"The rally flag of {side_name(scene, side.id)} stands here"
            yield say(scene, text, "item", side.id, at=at)


def _city(scene: Scene, city: City) -> Iterator[Line]:
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


def _site(scene: Scene, site: Site) -> Iterator[Line]:
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


def survival(scene: Scene, hero: Army) -> str:
    """How likely a hero lives through a search where it stands. Rules: W2-10.5."""
    site = site_at(scene.world, hero.at)
    die = scene.book.heroes.search.guardian_die
    if site is None or guardian_of(scene.world, site.guardian) is None:
        return "100 %"
    most = searching.chance(scene.world, scene.book, hero, site)
    return f"{100 * min(max(most, 0), die) // die} %"


def _armies(scene: Scene, at: Place) -> Iterator[Line]:
    stack = scene.stacks.get(at, ())
    if stack:
        owner = stack[0].owner
        text = f"{many(len(stack), 'army', 'armies')} of {side_name(scene, owner)}"
        yield say(scene, text, "stack", owner, at=at, tone=Tone.STRONG)
        yield from (_army(scene, army) for army in stack)


def _army(scene: Scene, army: Army) -> Line:
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
    parts += [item_name(item) for item in items_of(scene.world, army.id)]
    return say(scene, ", ".join(parts), "unit", army.owner, at=army.at)


def _lying(scene: Scene, at: Place) -> Iterator[Line]:
    for item in goods.lying(scene.world, at):
        verb = "is planted" if item.where == "planted" else "lies"
        yield say(scene, f"{item_name(item)} {verb} here", "item", item.side, at=at)
