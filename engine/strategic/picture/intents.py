"""Intents of a player: the list for a focus, and the dialogue that leads to the command.

Frequent intents have letters that the map's keys leave free. The others are for the menu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from engine.core.notation import write
from engine.core.record import Command, replace
from engine.kit.grid import Place
from engine.strategic import item_records
from engine.strategic.cities import sources
from engine.strategic.picture import dialogues_armies, dialogues_realm
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.heroes import question_place
from engine.strategic.picture.moving import reach_of, way_to
from engine.strategic.picture.selection import group_at, idle_reason, selected
from engine.strategic.picture.style import Opening
from engine.strategic.pieces import NONE, STACK, Army, City
from engine.strategic.world import city_at, is_on_map, items_of, site_at
from engine.tabletop.ask import AnyAsk, AskPlace, Intent
from engine.tabletop.dialogue import follow
from engine.tabletop.english import many
from engine.tabletop.focus import Focus

_DIALOGUES: Final[Mapping[str, Opening]] = {
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

_WANTED: Final = "smgrdct"
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

_KEYS: Final = {
    "march": "m",
    "group": "g",
    "defend": "d",
    "produce": "r",
    "search": "s",
    "bless": "s",
    "quest": "t",
    "settle": "a",
    "hire": "a",
    "sage": "a",
    "yield": "a",
}
"""Keys by intent, for the reasons above."""

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
        at = question_place(context) if kind == "fate" else None
        return Intent(name, label, "a", due=kind in {"fate", "yield"}, at=at), _GIVE_UP
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
    at = _WANTED.find(intent.key) if not (intent.key == "s" and intent.reason) else -1
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
    yield Intent("go-on", "Continue all marches", "c", dialogues_armies.no_march_on(context))


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

    A question whose answer is refused is asked again.

    Raises:
        ValueError: the intent does not exist, or is not possible here.
    """
    dialogue = context.style.dialogues.get(intent) or _DIALOGUES.get(intent)
    if dialogue is None:
        raise ValueError(f"there is no intent {intent!r}")
    found = {one.name: one for one in intents(context, focus)}.get(intent)
    if found is None:
        raise ValueError(why_not(context, _KEYS.get(intent, "")) or "That is not possible here.")
    if found.reason:
        return AskPlace(found.reason, ())
    opened = dialogue(context, focus)
    try:
        reached = opened if isinstance(opened, Command) else follow(opened, answers)
    except ValueError:
        if not answers:
            raise
        return ask(context, focus, intent, answers[:-1])
    return write(reached) if isinstance(reached, Command) else reached


# -- tiles that cannot be chosen -------------------------------------------------------------------

WhyNotAt: TypeAlias = Callable[[PictureContext, Focus, Sequence[str], Place], str]
"""Function that returns the reason why a tile cannot be the next answer of a dialogue; empty if it
can.
"""


def why_not_at(
    context: PictureContext, focus: Focus, intent: str, answers: Sequence[str], at: Place
) -> str:
    """Return the reason why a tile cannot be the next answer of an intent; empty if it can."""
    if not is_on_map(context.world, at):
        return "There is no such tile."
    reason = context.style.why_not_at.get(intent) or _REASONS.get(intent)
    return reason(context, focus, answers, at) if reason is not None else ""


def _march(context: PictureContext, focus: Focus, _answers: Sequence[str], at: Place) -> str:
    armies = selected(context, focus) or group_at(context, (focus.x, focus.y))
    return _no_march(context, armies, at)


def _group(context: PictureContext, focus: Focus, answers: Sequence[str], at: Place) -> str:
    stack = dialogues_armies.selected_stack(context, focus)
    chosen = answers[0].split(">") if answers else ()
    return _no_march(context, tuple(army for army in stack if str(army.id) in chosen), at)


def _no_march(context: PictureContext, armies: tuple[Army, ...], at: Place) -> str:
    """Return the reason why armies cannot march to a tile, not even in several turns."""
    if not armies or at == armies[0].at:
        return "They are there already." if armies else ""
    stops = way_to(context, armies, at)
    if not stops:
        return "No way that you know leads there."
    if stops[-1].turn:
        return ""
    if at in reach_of(context, armies).crowded:
        return f"Too many armies: a tile holds {STACK}."
    return "They cannot stop there."


def _goal(context: PictureContext, focus: Focus, _answers: Sequence[str], at: Place) -> str:
    armies = selected(context, focus) or dialogues_armies.selected_stack(context, focus)
    if armies and at == armies[0].at:
        return "They are there already."
    return f"Too far: a goal is at most {context.settings.moving.far_human} tiles away."


def _vector(context: PictureContext, focus: Focus, _answers: Sequence[str], at: Place) -> str:
    """Return the reason why a city cannot send its armies to a tile."""
    city, target = (city_at(context.world, there) for there in ((focus.x, focus.y), at))
    if target is None or city is None:
        return "Armies are sent to your cities, and to your rally flag."
    if target.owner != context.viewer:
        return f"{target.name} is not your city."
    if target.id == city.id:
        return f"{city.name} keeps its new armies already."
    if target.id == city.vector:
        return f"{city.name} sends its armies there already."
    count = len(sources(context.world, context.viewer, target.id))
    return f"{many(count, 'city sends', 'cities send')} armies there already; no more can."


_REASONS: Final[Mapping[str, WhyNotAt]] = {
    "march": _march,
    "group": _group,
    "goal": _goal,
    "vector": _vector,
}
