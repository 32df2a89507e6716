"""What has a name, what can be jumped to, and where the cursor begins."""

from __future__ import annotations

from collections.abc import Iterator

from engine.kit.grid import Place
from engine.strategic.picture.holding import is_enemy
from engine.strategic.picture.marks import idle
from engine.strategic.picture.scene import Scene, seat_of
from engine.strategic.picture.words import company, effect, side_name, spot
from engine.strategic.pieces import NONE
from engine.tabletop.board import Find
from engine.tabletop.focus import Focus


def finds(scene: Scene) -> tuple[Find, ...]:
    """Cities, sites, signposts, items, heroes and stacks that the viewer knows of."""
    return (*_places(scene), *_things(scene), *_stacks(scene))


def _places(scene: Scene) -> Iterator[Find]:
    world = scene.world
    for city in world.cities.values():
        word = "ruin" if city.razed else "city"
        text = f"{city.name} ({'razed' if city.razed else side_name(scene, city.owner)})"
        yield Find(text, word, (city.x, city.y), seat_of(city.owner))
    for site in world.sites.values():
        yield Find(f"{site.name or site.kind} {site.x},{site.y}", "site", (site.x, site.y))
    for post in world.signs:
        text = " ".join(post.text.split()) or "signpost"
        yield Find(f"{text} {post.x},{post.y}", "sign", (post.x, post.y))


def _things(scene: Scene) -> Iterator[Find]:
    for item in scene.world.items.values():
        bearer = scene.world.armies.get(item.holder) if item.where == "carried" else None
        site = scene.world.sites.get(item.holder) if item.where == "site" else None
        at: Place | None = None
        if item.where in {"ground", "planted"}:
            at = item.x, item.y
        elif bearer is not None:
            at = bearer.at
        elif site is not None:
            at = site.x, site.y
        if at is not None:
            yield Find(f"{item.name} {item.id} ({effect(item)})", "item", at)


def _stacks(scene: Scene) -> Iterator[Find]:
    for at, stack in scene.stacks.items():
        owner = stack[0].owner
        whose = side_name(scene, owner)
        for army in stack:
            if army.hero is not None:
                yield Find(f"{army.hero.name} {army.id} ({whose})", "hero", at, seat_of(owner))
        rest = [army for army in stack if army.hero is None]
        if rest:
            text = f"{company(scene, rest)} {spot(at)} ({whose})"
            yield Find(text, "stack", at, seat_of(owner))


def jumps(scene: Scene, _focus: Focus, kind: str) -> tuple[Place, ...]:
    """Cells to jump between.

    ``idle``: own stacks that wait, and cities that make nothing. ``enemy``: stacks and cities of
    others. ``site``: sites not searched, temples, items that lie about.
    """
    match kind:
        case "idle":
            return tuple(dict.fromkeys((*idle(scene), *_lazy(scene))))
        case "enemy":
            return tuple(dict.fromkeys(_enemies(scene)))
        case "site":
            return tuple(dict.fromkeys(_sites(scene)))
        case _:
            return ()


def _lazy(scene: Scene) -> Iterator[Place]:
    if scene.may_order:
        lazy = (c for c in scene.own_cities if c.making == NONE and c.slots)
        yield from ((city.x, city.y) for city in lazy)


def _enemies(scene: Scene) -> Iterator[Place]:
    for at, stack in scene.stacks.items():
        if is_enemy(scene, stack[0].owner):
            yield at
    for city in scene.world.cities.values():
        if not city.razed and is_enemy(scene, city.owner):
            yield city.x, city.y


def _sites(scene: Scene) -> Iterator[Place]:
    for site in scene.world.sites.values():
        if not site.searched or site.kind == "temple":
            yield site.x, site.y
    for item in scene.world.items.values():
        if item.where == "ground":
            yield item.x, item.y


def start(scene: Scene) -> Focus:
    """The viewer's capital, one of its cities or armies, else the middle of the map."""
    side = scene.world.sides.get(scene.viewer)
    if side is not None and side.capital is not None:
        return Focus(*side.capital)
    if scene.own_cities:
        return Focus(scene.own_cities[0].x, scene.own_cities[0].y)
    if scene.own_armies:
        return Focus(*scene.own_armies[0].at)
    return Focus(scene.world.width // 2, scene.world.height // 2)
