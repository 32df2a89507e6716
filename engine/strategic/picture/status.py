"""Status of the game: the status line, the summary, named things and targets of jumps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engine.kit.grid import Place
from engine.strategic.picture.acting import GoalMarch, bound_groups, march_of
from engine.strategic.picture.cities import heart
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.heroes import item_place
from engine.strategic.picture.report_armies import army_lines, hero_lines
from engine.strategic.picture.report_realm import city_line, money_line, ranked, side_line
from engine.strategic.picture.turns import ending
from engine.strategic.picture.words import gold, seat_of, spot
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Find, Line, Status
from engine.tabletop.english import joined, many
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

# -- status line -----------------------------------------------------------------------------------

_NAMED: Final = 6
"""Maximum number of stacks and of cities named before a turn ends; the others are counted."""


def status(context: PictureContext) -> Status:
    """Return the status line. Games have no last round."""
    world, over, asked = context.world, context.is_over, context.world.question
    turn = max(1, world.turn)
    stacks = len({army.at for army in context.own_armies}) if context.may_order else 0
    return Status(
        round=turn,
        rounds=turn,
        phase="End" if over else asked.kind if asked is not None else "orders",
        seat=NO_SEAT if over else context.actor,
        text=_status_text(context),
        todo=len(context.idle_stacks),
        over=over,
        endless=True,
        side="" if over else context.side_name(context.actor),
        todo_of=stacks,
        todo_word="stack to move" if stacks == 1 else "stacks to move",
        stock=_stock(context),
    )


def _stock(context: PictureContext) -> str:
    """Return the viewer's gold, with its name while another side acts; empty for spectators."""
    if not context.is_player:
        return ""
    own = gold(context.own_side.gold)
    if context.viewer == context.actor or context.is_over:
        return own
    return f"{context.side_name(context.viewer)} has {own}"


def _status_text(context: PictureContext) -> str:
    world = context.world
    if context.is_over:
        names = joined([context.side_name(side) for side in world.winners])
        return f"{names or 'Nobody'} won in round {world.turn}"
    parts = [context.side_name(context.actor)]
    if world.question is not None:
        parts[0] += " decides"
    parts += [f"round {max(1, world.turn)}", _stock(context)]
    return " · ".join(filter(None, parts))


def opening(context: PictureContext) -> tuple[Line, ...]:
    """Return the lines for the start of a game: its subject and the sides."""
    about = " ".join(context.world.about.split())
    lines = list(_headline(context))
    if about:
        lines.append(context.say(about, "victory", tone=Tone.QUIET))
    return (*lines, *(side_line(context, side) for side in ranked(context)))


# -- summary ---------------------------------------------------------------------------------------


def summary(context: PictureContext) -> tuple[Line, ...]:
    """Describe the sides, then the viewer's money, cities, armies, heroes and quest."""
    lines = list(_headline(context))
    lines.append(context.say(_status_text(context), "turn", tone=Tone.STRONG))
    lines += [side_line(context, side) for side in ranked(context)]
    if context.is_player:
        lines.append(money_line(context))
        lines += [city_line(context, city) for city in context.own_cities]
        lines += [*army_lines(context), *hero_lines(context)]
        more = context.style.summary
        lines += more(context) if more is not None else ()
    return tuple(lines)


def _headline(context: PictureContext) -> Iterator[Line]:
    """Yield the title and the condition of victory, or the result of a finished game."""
    world = context.world
    if world.reason is not None:
        yield from ending(context, world.winners, world.reason)
    elif world.title:
        yield context.say(world.title, "victory", tone=Tone.TITLE)
        yield context.say(context.style.aim, "victory", tone=Tone.QUIET)


# -- named things ----------------------------------------------------------------------------------


def finds(context: PictureContext) -> tuple[Find, ...]:
    """Return the cities, sites, signposts, items, heroes and stacks that the viewer knows."""
    return (*_find_places(context), *_find_items(context), *_find_stacks(context))


def _find_places(context: PictureContext) -> Iterator[Find]:
    world = context.world
    for city in world.cities.values():
        word = "ruin" if city.razed else "city"
        text = f"{city.name} ({'razed' if city.razed else context.side_name(city.owner)})"
        yield Find(text, word, heart(context, city), seat_of(city.owner))
    for site in world.sites.values():
        yield Find(f"{site.name or site.kind} {site.x},{site.y}", "site", (site.x, site.y))
    for post in world.signs:
        text = ": ".join(filter(None, (f"signpost {post.x},{post.y}", " ".join(post.text.split()))))
        yield Find(text, "sign", (post.x, post.y))


def _find_items(context: PictureContext) -> Iterator[Find]:
    names = Counter(item.name for item in context.world.items.values())
    for item in context.world.items.values():
        name = item.name if names[item.name] == 1 else f"{item.name} {item.id}"
        site = context.world.sites.get(item.holder) if item.where == "site" else None
        at = (site.x, site.y) if site is not None else item_place(context, item)
        if at is not None:
            yield Find(f"{name} ({context.effect(item)})", "item", at)


def _find_stacks(context: PictureContext) -> Iterator[Find]:
    heroes = [army.hero.name for army in context.world.armies.values() if army.hero is not None]
    names = Counter(heroes)
    for at, stack in context.stacks.items():
        owner = stack[0].owner
        whose = context.side_name(owner)
        for army in stack:
            if army.hero is not None:
                name = army.hero.name
                name = name if names[name] == 1 else f"{name} {army.id}"
                yield Find(f"{name} ({whose})", "hero", at, seat_of(owner))
        rest = [army for army in stack if army.hero is None]
        if rest:
            text = f"{context.company(rest)} {spot(at)} ({whose})"
            yield Find(text, "stack", at, seat_of(owner))


def jumps(context: PictureContext, _focus: Focus, kind: str) -> tuple[Place, ...]:
    """Return the tiles to jump between; empty for an unknown kind.

    ``idle``: idle own stacks and cities. ``enemy``: stacks and cities of enemies. ``site``:
    unsearched sites, temples, items on the ground.
    """
    match kind:
        case "idle":
            idle = context.idle_cities if context.may_order else ()
            return tuple(dict.fromkeys((*context.idle_stacks, *((c.x, c.y) for c in idle))))
        case "enemy":
            return tuple(dict.fromkeys(_enemy_places(context)))
        case "site":
            return tuple(dict.fromkeys(_open_sites(context)))
        case _:
            found = context.style.jumps.get(kind)
            return () if found is None else tuple(dict.fromkeys(found(context)))


def undone(context: PictureContext) -> Iterator[Line]:
    """Yield lines about idle stacks, armies that can go on to their goals, and idle cities."""
    side, waiting = context.viewer, context.idle_stacks
    if waiting:
        text = f"{many(len(waiting), 'stack')} could still move:"
        yield context.say(text, "march", side)
    for at in waiting[:_NAMED]:
        text = f"{context.company(context.movers[at])} {context.place(at)}"
        yield context.say(text, "march", side, at=at, tone=Tone.QUIET)
    yield from _more_line(context, len(waiting))
    yield from marches(context)
    lazy = context.idle_cities
    if lazy:
        text = f"{many(len(lazy), 'city', 'cities')} could produce armies:"
        yield context.say(text, "produce", side)
    for city in lazy[:_NAMED]:
        at = city.x, city.y
        yield context.say(city.name, "produce", side, at=at, tone=Tone.QUIET)
    yield from _more_line(context, len(lazy))


def marches(context: PictureContext) -> Iterator[Line]:
    """Yield lines with the numbers of own armies that can go on to their goal, or have no route."""
    side = context.viewer
    found = Counter[GoalMarch]()
    for group in bound_groups(context.world, side):
        found[march_of(context.world, context.settings, side, group)] += len(group)
    if going := found["goes"]:
        text = f"{many(going, 'army', 'armies')} with a goal could go on (c)"
        yield context.say(text, "goal", side)
    if lost := found["lost"]:
        its = "its goal" if lost == 1 else "their goals"
        text = f"{many(lost, 'army', 'armies')} can no longer reach {its}"
        yield context.say(text, "goal", side)


def _more_line(context: PictureContext, count: int) -> Iterator[Line]:
    if count > _NAMED:
        yield context.say(f"and {count - _NAMED} more", "turn", tone=Tone.QUIET)


def _enemy_places(context: PictureContext) -> Iterator[Place]:
    for at, stack in context.stacks.items():
        if context.is_enemy(stack[0].owner):
            yield at
    for city in context.world.cities.values():
        if not city.razed and context.is_enemy(city.owner):
            yield city.x, city.y


def _open_sites(context: PictureContext) -> Iterator[Place]:
    for site in context.world.sites.values():
        if not site.searched or site.kind == "temple":
            yield site.x, site.y
    for item in context.world.items.values():
        if item.where == "ground":
            yield item.x, item.y


def first_focus(context: PictureContext) -> Focus:
    """Return the focus on the viewer's capital, else on a city or army of its own, else mid-map."""
    side = context.world.sides.get(context.viewer)
    if side is not None and side.capital is not None:
        return Focus(*side.capital)
    if context.own_cities:
        return Focus(context.own_cities[0].x, context.own_cities[0].y)
    if context.own_armies:
        return Focus(*context.own_armies[0].at)
    return Focus(context.world.width // 2, context.world.height // 2)
