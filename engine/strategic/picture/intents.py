"""Intents of a player: the list for a focus, and the dialogue that leads to the command.

Frequent intents have letters that the map's keys leave free. The others are for the menu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from engine.core.record import replace
from engine.strategic import item_records
from engine.strategic.picture import dialogues_armies, dialogues_realm
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.selection import idle_reason, selected
from engine.strategic.pieces import NONE, Army, City
from engine.strategic.world import city_at, items_of, site_at
from engine.tabletop.ask import AnyAsk, AskPlace, Intent
from engine.tabletop.focus import Focus

Dialogue = Callable[[PictureContext, Focus, Sequence[str]], AnyAsk | str]

_DIALOGUES: Final[Mapping[str, Dialogue]] = {
    "march": dialogues_armies.march,
    "group": dialogues_armies.group,
    "walk": dialogues_armies.walk,
    "goal": dialogues_armies.goal,
    "go-on": dialogues_armies.go_on,
    "defend": dialogues_armies.defend,
    "disband": dialogues_armies.disband,
    "search": dialogues_armies.search,
    "bless": dialogues_armies.bless,
    "quest": dialogues_armies.quest,
    "pick-up": dialogues_armies.pick_up,
    "drop": dialogues_armies.drop,
    "plant": dialogues_armies.plant,
    "hire": dialogues_armies.hire,
    "sage": dialogues_armies.sage,
    "produce": dialogues_realm.produce,
    "stop": dialogues_realm.stop,
    "buy": dialogues_realm.buy,
    "vector": dialogues_realm.vector,
    "rename": dialogues_realm.rename,
    "raze": dialogues_realm.raze,
    "settle": dialogues_realm.settle,
    "order": dialogues_realm.order,
    "stance": dialogues_realm.stance,
    "yield": dialogues_realm.answer_yield,
    "resign": dialogues_realm.resign,
    "end-turn": dialogues_realm.end_turn,
}

_WANTED: Final = "mgrdcst"
"""Letters of the frequent intents, the most frequent first."""

_ANSWERS: Final = {
    "fate": ("settle", "Decide the city's fate …"),
    "hero": ("hire", "Hire the hero …"),
    "sage": ("sage", "Ask the sage …"),
    "yield": ("yield", "Answer the surrender …"),
}

_ELSEWHERE: Final = {
    "m": "You have no army here.",
    "g": "You have no army here.",
    "d": "You have no army here.",
    "r": "You have no city here.",
    "s": "You have no army at a site or temple here.",
    "t": "You have no army at a temple here.",
    "a": "There is nothing to decide.",
    "c": "",
    "e": "",
}
"""Reason to show if the key of an intent does nothing here; empty for keys that need none."""

_END_TURN: Final = Intent("end-turn", "End the turn", "e", ends="turn")
_GIVE_UP: Final = Intent("resign", "Give up …", "R", ends="game")


def intents(context: PictureContext, focus: Focus) -> tuple[Intent, ...]:
    """Return the intents at a focus; an impossible one has a reason."""
    if not context.is_player or context.is_over:
        return ()
    if context.question is not None:
        kind = context.question.kind
        own = context.style.questions.get(kind)
        usual = ("answer", "Answer …") if own is None else (own.intent, own.label)
        name, label = _ANSWERS.get(kind, usual)
        return Intent(name, label, "a", due=kind == "fate"), _GIVE_UP
    if not context.may_order:
        return (replace(_END_TURN, reason=idle_reason(context)),)
    found = (
        *_army_intents(context, focus),
        *_hero_intents(context, dialogues_armies.selected_stack(context, focus)),
        *_city_intents(context, city_at(context.world, (focus.x, focus.y))),
        *_side_intents(context),
        *(context.style.intents(context, focus) if context.style.intents else ()),
    )
    return tuple(sorted(found, key=_weight))


def why_not(context: PictureContext, key: str) -> str:
    """Return the reason why the key of an intent does nothing here; empty for other keys."""
    if key not in _ELSEWHERE:
        return ""
    if key == "t" and not context.settings.heroes.quests.on:
        return "There are no quests in this game."
    return idle_reason(context) or _ELSEWHERE[key]


def _weight(intent: Intent) -> int:
    """Return the sort key of an intent: frequent ones come first."""
    at = _WANTED.find(intent.key)
    return at if at >= 0 else len(_WANTED)


def _army_intents(context: PictureContext, focus: Focus) -> Iterator[Intent]:
    stack = dialogues_armies.selected_stack(context, focus)
    tired = "" if any(army.points > 0 for army in stack) else "They have no moves left."
    group = selected(context, focus)
    if stack:
        here = "here" if group and group[0].at != (focus.x, focus.y) else "to"
        yield Intent("march", f"March {here} …", "m", tired)
        yield Intent("group", "Choose armies and march …", "g", tired)
        on = "Leave guard" if all(army.defends for army in stack) else "Stand guard"
        yield Intent("defend", on, "d")
        yield Intent("walk", "March step by step …", "W", tired)
        yield Intent("goal", "Goal for later turns …", "G")
        yield Intent("disband", "Disband …", "D")
    waiting = any(army.goal is not None or army.to_flag for army in context.own_armies)
    none = "" if waiting else "No army has a goal."
    yield Intent("go-on", "Continue all marches", "c", none)


def _hero_intents(context: PictureContext, stack: tuple[Army, ...]) -> Iterator[Intent]:
    if not stack:
        return
    heroes = [army for army in stack if army.hero is not None]
    site = site_at(context.world, stack[0].at)
    if site is not None and site.kind == "temple":
        blessed = "" if dialogues_armies.unblessed(context, stack) else "All of them are blessed."
        yield Intent("bless", "Take the blessing", "s", blessed)
        if context.settings.heroes.quests.on:
            yield Intent("quest", "Take a quest …", "t", dialogues_armies.no_quest(context, stack))
    elif site is not None:
        yield Intent("search", "Search the site …", "s", dialogues_armies.no_search(context, stack))
    if not heroes:
        return
    if item_records.lying(context.world, stack[0].at):
        yield Intent("pick-up", "Pick up an item …", "P")
    if any(items_of(context.world, hero.id) for hero in heroes):
        wet = dialogues_armies.no_ground(context, stack[0].at)
        yield Intent("drop", "Drop an item …", "L", wet)
        if dialogues_armies.bearers(context, stack):
            yield Intent("plant", "Plant the standard", "F", wet)


def _city_intents(context: PictureContext, city: City | None) -> Iterator[Intent]:
    if city is None or city.owner != context.viewer:
        return
    yield Intent("produce", "Produce armies …", "r", dialogues_realm.no_slots(city))
    if city.making != NONE:
        yield Intent("stop", "Stop production", "E")
    yield Intent("buy", "Buy an army type …", "B", dialogues_realm.no_buying(context, city))
    yield Intent("vector", "Send new armies to …", "A", dialogues_realm.no_vector(context, city))
    yield Intent("rename", "Rename the city …", "N")
    if context.settings.fighting.spoils.may_raze:
        yield Intent("raze", "Raze the city …", "Z")


def _side_intents(context: PictureContext) -> Iterator[Intent]:
    yield Intent("order", "Line of battle …", "O")
    if context.settings.turns.diplomacy and context.other_sides:
        yield Intent("stance", context.style.stance_label, "S")
    yield _END_TURN
    yield _GIVE_UP


def ask(context: PictureContext, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """Return the next question of an intent, or the line of notation once all is answered.

    Raises:
        ValueError: the intent does not exist, or is not possible here.
    """
    dialogue = context.style.dialogues.get(intent) or _DIALOGUES.get(intent)
    if dialogue is None:
        raise ValueError(f"there is no intent {intent!r}")
    found = {one.name: one for one in intents(context, focus)}.get(intent)
    if found is None:
        raise ValueError("That is not possible here.")
    if found.reason:
        return AskPlace(found.reason, ())
    return dialogue(context, focus, answers)
