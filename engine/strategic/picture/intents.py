"""What a player may want: the list for a focus, and which dialogue leads to the command.

Letters that the map's keys leave free are for what is wanted most; the others are for the menu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from engine.core.record import replace
from engine.strategic import item_records as goods
from engine.strategic.aftermath import fates
from engine.strategic.picture import ask_cities, ask_heroes, ask_moving, ask_realm
from engine.strategic.picture.holding import held, idle_reason
from engine.strategic.picture.scene import Scene
from engine.strategic.pieces import NONE, Army, City
from engine.strategic.world import city_at, items_of, site_at
from engine.tabletop.ask import AnyAsk, AskPlace, Intent
from engine.tabletop.focus import Focus

Dialogue = Callable[[Scene, Focus, Sequence[str]], AnyAsk | str]

_DIALOGUES: Final[Mapping[str, Dialogue]] = {
    "march": ask_moving.march,
    "group": ask_moving.group,
    "walk": ask_moving.walk,
    "goal": ask_moving.goal,
    "go-on": ask_moving.go_on,
    "defend": ask_moving.defend,
    "disband": ask_moving.disband,
    "search": ask_heroes.search,
    "bless": ask_heroes.bless,
    "quest": ask_heroes.quest,
    "pick-up": ask_heroes.pick_up,
    "drop": ask_heroes.drop,
    "plant": ask_heroes.plant,
    "hire": ask_heroes.hire,
    "sage": ask_heroes.sage,
    "produce": ask_cities.produce,
    "stop": ask_cities.stop,
    "buy": ask_cities.buy,
    "vector": ask_cities.vector,
    "rename": ask_cities.rename,
    "raze": ask_cities.raze,
    "settle": ask_cities.settle,
    "order": ask_realm.order,
    "stance": ask_realm.stance,
    "yield": ask_realm.answer_yield,
    "resign": ask_realm.resign,
    "end-turn": ask_realm.end_turn,
}

_WANTED: Final = "mgrdcst"
"""Letters of what is wanted often, most often the first."""

_ANSWERS: Final = {
    "fate": ("settle", "What becomes of the city …"),
    "hero": ("hire", "Hire the hero or not …"),
    "sage": ("sage", "Ask the sage …"),
    "yield": ("yield", "Accept the surrender or not …"),
}

_ELSEWHERE: Final = {
    "m": "No army of yours stands here.",
    "g": "No army of yours stands here.",
    "d": "No army of yours stands here.",
    "r": "No city of yours is here.",
    "s": "No army of yours stands at a site or a temple here.",
    "t": "No army of yours stands at a temple here.",
    "a": "Nothing is asked of you.",
    "c": "",
    "e": "",
}
"""The reason that is told where the key of an intent does nothing; some need none."""

_END_TURN: Final = Intent("end-turn", "End the turn", "e", ends="turn")
_GIVE_UP: Final = Intent("resign", "Give up …", "R", ends="game")


def intents(scene: Scene, focus: Focus) -> tuple[Intent, ...]:
    """What may be wanted at a focus, with the reason where it cannot be done. Rules: W2-17."""
    if not scene.is_player or scene.is_over:
        return ()
    if scene.question is not None:
        name, label = _ANSWERS[scene.question.kind]
        return Intent(name, label, "a"), _GIVE_UP
    if not scene.may_order:
        return (replace(_END_TURN, reason=idle_reason(scene)),)
    found = (
        *_of_armies(scene, focus),
        *_of_heroes(scene, ask_moving.stack(scene, focus)),
        *_of_city(scene, city_at(scene.world, (focus.x, focus.y))),
        *_of_side(scene),
    )
    return tuple(sorted(found, key=_weight))


def why_not(scene: Scene, key: str) -> str:
    """Why the key of an intent that is not offered here does nothing; empty if there is none."""
    if key not in _ELSEWHERE:
        return ""
    if key == "t" and not scene.book.heroes.quests.on:
        return "There are no quests in this game."
    return idle_reason(scene) or _ELSEWHERE[key]


def _weight(intent: Intent) -> int:
    """The place of an intent: what is wanted often comes first."""
    at = _WANTED.find(intent.key)
    return at if at >= 0 else len(_WANTED)


def _of_armies(scene: Scene, focus: Focus) -> Iterator[Intent]:
    """Rules: W2-6.4, W2-6.5, W2-6.7."""
    stack = ask_moving.stack(scene, focus)
    tired = "" if any(army.points > 0 for army in stack) else "They have no points left."
    if stack:
        yield Intent("march", _march_label(scene, focus), "m", tired)
        yield Intent("group", "Choose armies and march …", "g", tired)
        on = "Defend no more" if all(army.defends for army in stack) else "Defend here"
        yield Intent("defend", on, "d")
        yield Intent("walk", "March step by step …", "W", tired)
        yield Intent("goal", "Goal for later turns …", "G")
        yield Intent("disband", "Disband …", "D")
    waiting = any(army.goal is not None or army.to_flag for army in scene.own_armies)
    none = "" if waiting else "No army has a goal."
    yield Intent("go-on", "Continue all marches", "c", none)


def _march_label(scene: Scene, focus: Focus) -> str:
    group = held(scene, focus)
    return "March here …" if group and group[0].at != (focus.x, focus.y) else "March to …"


def _of_heroes(scene: Scene, stack: tuple[Army, ...]) -> Iterator[Intent]:
    """Rules: W2-10.3, W2-10.5, W2-10.6."""
    if not stack:
        return
    heroes = [army for army in stack if army.hero is not None]
    site = site_at(scene.world, stack[0].at)
    if site is not None and site.kind == "temple":
        blessed = "" if ask_heroes.unblessed(scene, stack) else "All of them are blessed."
        yield Intent("bless", "Be blessed", "s", blessed)
        if scene.book.heroes.quests.on:
            yield Intent("quest", "Take a quest …", "t", ask_heroes.no_quest(scene, stack))
    elif site is not None:
        yield Intent("search", "Search the site …", "s", ask_heroes.no_search(scene, stack))
    if not heroes:
        return
    if goods.lying(scene.world, stack[0].at):
        yield Intent("pick-up", "Pick up …", "P")
    if any(items_of(scene.world, hero.id) for hero in heroes):
        wet = ask_heroes.no_ground(scene, stack[0].at)
        yield Intent("drop", "Lay down …", "L", wet)
        if ask_heroes.bearers(scene, stack):
            yield Intent("plant", "Plant the standard", "F", wet)


def _of_city(scene: Scene, city: City | None) -> Iterator[Intent]:
    """Rules: W2-9.3, W2-9.4, W2-9.5."""
    if city is None or city.owner != scene.viewer:
        return
    yield Intent("produce", "Make …", "r", ask_cities.no_slots(city))
    if city.making != NONE:
        yield Intent("stop", "Make nothing", "E")
    yield Intent("buy", "Buy a type …", "B", ask_cities.no_buying(scene, city))
    yield Intent("vector", "Send armies to …", "A", ask_cities.no_vector(scene, city))
    yield Intent("rename", "Rename the city …", "N")
    if "raze" in fates(scene.world, scene.book, city.id):
        yield Intent("raze", "Raze the city …", "Z")


def _of_side(scene: Scene) -> Iterator[Intent]:
    """Rules: W2-8.4, W2-12.2, W2-13.2."""
    yield Intent("order", "Line of battle …", "O")
    if scene.book.turns.diplomacy and ask_realm.others(scene):
        yield Intent("stance", "Stances …", "S")
    yield _END_TURN
    yield _GIVE_UP


def ask(scene: Scene, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """The next question of an intent, or the line of notation when there is none left.

    Raises:
        ValueError: there is no such intent here, with the reason.
    """
    if intent not in _DIALOGUES:
        raise ValueError(f"there is no intent {intent!r}")
    found = {one.name: one for one in intents(scene, focus)}.get(intent)
    if found is None:
        raise ValueError("That cannot be done here.")
    if found.reason:
        return AskPlace(found.reason, ())
    return _DIALOGUES[intent](scene, focus, answers)
