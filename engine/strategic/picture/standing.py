"""How the game stands: the status line, the reports, what has a name, what can be jumped to."""

from __future__ import annotations

from collections.abc import Iterator

from engine.strategic import cities as economy
from engine.strategic import diplomacy
from engine.strategic.heroes import title
from engine.strategic.picture.marks import idle
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.tell_turns import ending
from engine.strategic.picture.words import (
    TREATIES,
    army_name,
    city_name,
    company,
    item_name,
    joined,
    many,
    quest_text,
    say,
    side_name,
    type_name,
    where,
)
from engine.strategic.pieces import NONE, City, Side
from engine.strategic.world import armies_of, cities_of, items_of, treaty
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Line, Status
from engine.tabletop.roles import Tone

# -- the status ------------------------------------------------------------------------------------


def status(scene: Scene) -> Status:
    """Whose turn of which round; there is no last round. Rules: W2-13.1, W2-13.3."""
    world, over = scene.world, scene.is_over
    turn = max(1, world.turn)
    return Status(
        round=turn,
        rounds=turn,
        phase="End" if over else _phase(scene),
        seat=NO_SEAT if over else scene.actor,
        text=_text(scene),
        todo=len(idle(scene)),
        over=over,
    )


def _phase(scene: Scene) -> str:
    question = scene.world.question
    return question.kind if question is not None else "orders"


def _text(scene: Scene) -> str:
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


def opening(scene: Scene) -> tuple[Line, ...]:
    """What is said when a game is set up: what it is about, and how it stands."""
    about = " ".join(scene.world.about.split())
    lines = list(_headed(scene))
    if about:
        lines.append(say(scene, about, "victory", tone=Tone.QUIET))
    return (*lines, *(_side(scene, side) for side in ranked(scene)))


# -- the reports -----------------------------------------------------------------------------------


def summary(scene: Scene) -> tuple[Line, ...]:
    """The sides, then what the viewer has: money, cities, armies, heroes, quest. Rules: W2-13.3."""
    lines = list(_headed(scene))
    lines.append(say(scene, _text(scene), "turn", tone=Tone.STRONG))
    lines += [_side(scene, side) for side in ranked(scene)]
    if scene.is_player:
        lines += reports(scene)
    return tuple(lines)


def _headed(scene: Scene) -> Iterator[Line]:
    """The title and what wins, or at the end who has won. Rules: W2-13.3."""
    world = scene.world
    if world.reason is not None:
        yield from ending(scene, world.winners, world.reason)
    elif world.title:
        yield say(scene, world.title, "victory", tone=Tone.TITLE)
        aim = "Whoever is the last with cities, and has more than half of them, wins"
        yield say(scene, aim, "victory", tone=Tone.QUIET)


def ranked(scene: Scene) -> list[Side]:
    """The sides from who has most known cities on."""
    sides = scene.world.sides.values()
    return sorted(sides, key=lambda s: (-len(cities_of(scene.world, s.id)), s.id))


def _side(scene: Scene, side: Side) -> Line:
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


def reports(scene: Scene) -> Iterator[Line]:
    """Money, cities, armies by type, heroes with their items, the quest of the viewer."""
    side = scene.world.sides[scene.viewer]
    comes = economy.income(scene.world, side.id)
    goes = economy.upkeep(scene.world, scene.book, side.id)
    text = f"You have {side.gold} gold; {comes} come in and {goes} go out each turn"
    yield say(scene, text, "economy", side.id, tone=Tone.STRONG)
    for city in scene.own_cities:
        yield _city(scene, city)
    yield from _armies(scene)
    for hero in scene.own_armies:
        if hero.hero is not None:
            rank = title(scene.book.heroes.levels, hero)
            carries = joined([item_name(i) for i in items_of(scene.world, hero.id)]) or "nothing"
            text = f"{army_name(scene, hero)}, {rank}, {hero.xp} experience, at"
            text += f" {where(scene, hero.at)}, carries {carries}"
            yield say(scene, text, "level", side.id, at=hero.at)
    if side.quest is not None:
        text = f"Your quest: {quest_text(scene, side.quest)}"
        yield say(scene, text, "quest", side.id)


def _city(scene: Scene, city: City) -> Line:
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


def _armies(scene: Scene) -> Iterator[Line]:
    """Rules: W2-7, W2-9.5."""
    if scene.own_armies:
        text = f"Armies: {company(scene, scene.own_armies)}"
        yield say(scene, text, "unit", scene.viewer)
    for way in scene.world.transits.values():
        if way.army.owner == scene.viewer:
            text = f"{army_name(scene, way.army)} are on the way to"
            text += f" {city_name(scene, way.target)}, there in round {way.due}"
            yield say(scene, text, "vector", scene.viewer)
