"""Status of the game: the status line, the summary, named things and where to jump."""

from __future__ import annotations

from collections.abc import Iterator

from engine.kit.grid import Place
from engine.strategic.cities import economy
from engine.strategic.heroes import goods
from engine.strategic.heroes.levels import title
from engine.strategic.picture.context import PictureContext, seat_of
from engine.strategic.picture.overlay import idle_stacks
from engine.strategic.picture.selection import is_enemy
from engine.strategic.picture.turns import ending
from engine.strategic.picture.words import (
    TREATIES,
    army_name,
    city_name,
    company,
    effect,
    item_name,
    joined,
    many,
    quest_text,
    say,
    side_name,
    spot,
    type_name,
    where,
)
from engine.strategic.pieces import NONE, City, Side
from engine.strategic.turns import diplomacy
from engine.strategic.world import armies_of, cities_of, treaty
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Find, Line, Status
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

# -- the status ------------------------------------------------------------------------------------


def status(scene: PictureContext) -> Status:
    """Whose turn of which round; there is no last round. Rules: W2-13.1, W2-13.3."""
    world, over = scene.world, scene.is_over
    turn = max(1, world.turn)
    return Status(
        round=turn,
        rounds=turn,
        phase="End" if over else _phase(scene),
        seat=NO_SEAT if over else scene.actor,
        text=_status_text(scene),
        todo=len(idle_stacks(scene)),
        over=over,
    )


def _phase(scene: PictureContext) -> str:
    question = scene.world.question
    return question.kind if question is not None else "orders"


def _status_text(scene: PictureContext) -> str:
    world = scene.world
    if scene.is_over:
        names = joined([side_name(scene, side) for side in world.winners])
        return f"{names or 'Nobody'} won in round {world.turn}"
    own = f"{world.sides[scene.viewer].gold} gold" if scene.is_player else ""
    text = f"Round {max(1, world.turn)}: {side_name(scene, scene.actor)}"
    if own and scene.viewer == scene.actor:
        text += f" ({own})"
    if world.question is not None:
        text += " decides"
    if own and scene.viewer != scene.actor:
        text += f"; {side_name(scene, scene.viewer)} has {own}"
    return text


def opening(scene: PictureContext) -> tuple[Line, ...]:
    """What is said when a game is set up: what it is about, and how it stands."""
    about = " ".join(scene.world.about.split())
    lines = list(_headline(scene))
    if about:
        lines.append(say(scene, about, "victory", tone=Tone.QUIET))
    return (*lines, *(_side_line(scene, side) for side in ranked(scene)))


# -- the reports -----------------------------------------------------------------------------------


def summary(scene: PictureContext) -> tuple[Line, ...]:
    """The sides, then what the viewer has: money, cities, armies, heroes, quest. Rules: W2-13.3."""
    lines = list(_headline(scene))
    lines.append(say(scene, _status_text(scene), "turn", tone=Tone.STRONG))
    lines += [_side_line(scene, side) for side in ranked(scene)]
    if scene.is_player:
        lines += _own_lines(scene)
    return tuple(lines)


def _headline(scene: PictureContext) -> Iterator[Line]:
    """The title and what wins, or at the end who has won. Rules: W2-13.3."""
    world = scene.world
    if world.reason is not None:
        yield from ending(scene, world.winners, world.reason)
    elif world.title:
        yield say(scene, world.title, "victory", tone=Tone.TITLE)
        aim = "Whoever is the last with cities, and has more than half of them, wins"
        yield say(scene, aim, "victory", tone=Tone.QUIET)


def ranked(scene: PictureContext) -> list[Side]:
    """The sides from who has most known cities on."""
    sides = scene.world.sides.values()
    return sorted(sides, key=lambda s: (-len(cities_of(scene.world, s.id)), s.id))


def _side_line(scene: PictureContext, side: Side) -> Line:
    """Rules: W2-12.1, W2-12.3, W2-13.1."""
    world = scene.world
    if not side.alive:
        return say(scene, f"{side_name(scene, side.id)}: out of the game", "round", side.id)
    count = len(cities_of(world, side.id))
    if scene.sees_all or side.id == scene.viewer:
        parts = [many(count, "city", "cities")]
    else:
        parts = [many(count, "known city", "known cities") if count else "no known city"]
    if side.id == scene.viewer or (scene.sees_all and not scene.is_player):
        parts.append(many(len(armies_of(world, side.id)), "army", "armies"))
    if scene.book.turns.diplomacy:
        rank = diplomacy.titles(world, scene.book).get(side.id)
        parts += [rank] if rank else []
        if scene.is_player and side.id != scene.viewer:
            parts.append(f"{TREATIES[treaty(world, scene.viewer, side.id)]} with you")
    parts += ["computer"] if not side.human else []
    text = f"{side_name(scene, side.id)}: {', '.join(parts)}"
    return say(scene, text, "victory", side.id)


def _own_lines(scene: PictureContext) -> Iterator[Line]:
    """Money, cities, armies by type, heroes with their items, the quest of the viewer."""
    side = scene.world.sides[scene.viewer]
    comes = economy.income(scene.world, side.id)
    goes = economy.upkeep(scene.world, scene.book, side.id)
    text = f"You have {side.gold} gold; {comes} come in and {goes} go out each turn"
    yield say(scene, text, "economy", side.id, tone=Tone.STRONG)
    for city in scene.own_cities:
        yield _city_line(scene, city)
    yield from _army_lines(scene)
    for hero in scene.own_armies:
        if hero.hero is not None:
            rank = title(scene.book.heroes.levels, hero)
            carries = joined([item_name(i) for i in goods.bag(scene.world, hero.id)]) or "nothing"
            text = f"{army_name(scene, hero)}, {rank}, {hero.xp} experience, at"
            text += f" {where(scene, hero.at)}, carries {carries}"
            yield say(scene, text, "level", side.id, at=hero.at)
    if side.quest is not None:
        text = f"Your quest: {quest_text(scene, side.quest)}"
        yield say(scene, text, "quest", side.id)


def _city_line(scene: PictureContext, city: City) -> Line:
    """Rules: W2-9.1, W2-9.3, W2-9.5."""
    made = "makes nothing"
    if city.making != NONE:
        what = type_name(scene, city.slots[city.making].type)
        made = f"makes {what}, {many(city.left, 'turn')}"
    if city.vector != NONE:
        made += f", sent to {city_name(scene, city.vector)}"
    text = f"{city.name}: income {city.income}, defence {city.defence}, {made}"
    tone = Tone.BAD if city.making == NONE else Tone.NORMAL
    return say(scene, text, "city", city.owner, at=(city.x, city.y), tone=tone)


def _army_lines(scene: PictureContext) -> Iterator[Line]:
    """Rules: W2-7, W2-9.5."""
    if scene.own_armies:
        text = f"Armies: {company(scene, scene.own_armies)}"
        yield say(scene, text, "unit", scene.viewer)
    for way in scene.world.transits.values():
        if way.army.owner == scene.viewer:
            text = f"{army_name(scene, way.army)} are on the way to"
            text += f" {city_name(scene, way.target)}, there in round {way.due}"
            yield say(scene, text, "vector", scene.viewer)


# -- named things ----------------------------------------------------------------------------------


def finds(scene: PictureContext) -> tuple[Find, ...]:
    """Cities, sites, signposts, items, heroes and stacks that the viewer knows of."""
    return (*_find_places(scene), *_find_items(scene), *_find_stacks(scene))


def _find_places(scene: PictureContext) -> Iterator[Find]:
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


def _find_items(scene: PictureContext) -> Iterator[Find]:
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


def _find_stacks(scene: PictureContext) -> Iterator[Find]:
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


def jumps(scene: PictureContext, _focus: Focus, kind: str) -> tuple[Place, ...]:
    """Cells to jump between.

    ``idle``: own stacks that wait, and cities that make nothing. ``enemy``: stacks and cities of
    others. ``site``: sites not searched, temples, items that lie about.
    """
    match kind:
        case "idle":
            return tuple(dict.fromkeys((*idle_stacks(scene), *_idle_cities(scene))))
        case "enemy":
            return tuple(dict.fromkeys(_enemy_places(scene)))
        case "site":
            return tuple(dict.fromkeys(_open_sites(scene)))
        case _:
            return ()


def _idle_cities(scene: PictureContext) -> Iterator[Place]:
    if scene.may_order:
        lazy = (c for c in scene.own_cities if c.making == NONE and c.slots)
        yield from ((city.x, city.y) for city in lazy)


def _enemy_places(scene: PictureContext) -> Iterator[Place]:
    for at, stack in scene.stacks.items():
        if is_enemy(scene, stack[0].owner):
            yield at
    for city in scene.world.cities.values():
        if not city.razed and is_enemy(scene, city.owner):
            yield city.x, city.y


def _open_sites(scene: PictureContext) -> Iterator[Place]:
    for site in scene.world.sites.values():
        if not site.searched or site.kind == "temple":
            yield site.x, site.y
    for item in scene.world.items.values():
        if item.where == "ground":
            yield item.x, item.y


def first_focus(scene: PictureContext) -> Focus:
    """The viewer's capital, one of its cities or armies, else the middle of the map."""
    side = scene.world.sides.get(scene.viewer)
    if side is not None and side.capital is not None:
        return Focus(*side.capital)
    if scene.own_cities:
        return Focus(scene.own_cities[0].x, scene.own_cities[0].y)
    if scene.own_armies:
        return Focus(*scene.own_armies[0].at)
    return Focus(scene.world.width // 2, scene.world.height // 2)
