"""Quests (section 15): the tasks that temples give to heroes, and how they end.

The events of a command decide about quests, no matter which side gave the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from engine.core.dice import Dice
from engine.core.record import replace
from engine.rulesets.lordsawar.events import HeroQuestSet
from engine.rulesets.lordsawar.levels import OwnDecision
from engine.rulesets.lordsawar.sites import drawn_reward, give, reward_kinds
from engine.rulesets.lordsawar.state import HeroQuest, QuestGoal, State
from engine.rulesets.lordsawar.tables import DrawRange, armyset
from engine.strategic.aftermath import settled_in
from engine.strategic.battle import Slain, slain_by
from engine.strategic.commands import TakeQuest
from engine.strategic.decision import pick
from engine.strategic.pieces import NOBODY, Army, City
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import armies_of, own_hero, site_at

QuestStep: TypeAlias = Literal["open", "step", "done", "void"]

_SACKED: Final = 2
"""Minimum number of filled slots of a city that can be sacked."""


def span(kind: str) -> DrawRange:
    """Return the minimum and maximum count of a kind of quest. Rules: LW-15.2."""
    return next(row.range for row in armyset().quests if row.kind == kind)


# -- taking a quest --------------------------------------------------------------------------------


def take(decision: OwnDecision, settings: RuleSettings, side: int, order: TakeQuest) -> None:
    """Take a quest from a temple; draw its kind, then its target and count. Rules: LW-15.1.

    Raises:
        Refused: there are no quests, no such hero, no temple, no moves left, a quest already, or
          no possible quest.
    """
    state = decision.state
    if not settings.heroes.quests.on:
        refuse(Refusal.NOT_ALLOWED, "There are no quests in this game.", "quest")
    hero = own_hero(state, side, order.army, "quest")
    site = site_at(state, hero.at)
    if site is None or site.kind != "temple":
        refuse(Refusal.NO_SITE, "Only temples give quests.", "quest")
    if hero.points <= 0:
        refuse(Refusal.NO_POINTS, "That hero has no moves left.", "quest")
    if not _is_free(state, hero):
        refuse(Refusal.TOO_MANY, "You have a quest already.", "quest")
    found = possible(state, hero)
    if not found:
        refuse(Refusal.NOTHING_TO_DO, "The temple has no quest for you now.", "quest")
    kind = pick(decision.dice, tuple(found))
    quest = _measured(decision.dice, pick(decision.dice, found[kind]))
    decision.emit(HeroQuestSet(side, quest, "taken"))


def may_take(state: State, settings: RuleSettings, hero: Army) -> bool:
    """Return whether a hero at a temple can take a quest. Rules: LW-15.1."""
    del settings
    return hero.points > 0 and _is_free(state, hero) and bool(possible(state, hero))


def _is_free(state: State, hero: Army) -> bool:
    """Return whether a hero has no quest, nor its side if quests are per player. Rules: LW-15.1."""
    if state.options.quests == "per_hero":
        return hero.id not in state.quests
    return not quests_of(state, hero.owner)


def quests_of(state: State, side: int) -> tuple[HeroQuest, ...]:
    """Return the quests of a side's heroes. See: LW-15."""
    armies = state.armies
    return tuple(q for q in state.quests.values() if q.id in armies and armies[q.id].owner == side)


def _measured(dice: Dice, quest: HeroQuest) -> HeroQuest:
    """Draw the count of a quest if its kind has one. See: LW-15."""
    kinds = {"kill-armies": "kill-armies", "plunder": "pillage-gold"}
    if quest.kind not in kinds:
        return quest
    low, high = span(kinds[quest.kind])
    return replace(quest, count=low - 1 + dice.roll(high - low + 1))


def possible(state: State, hero: Army) -> Mapping[QuestGoal, tuple[HeroQuest, ...]]:
    """Return the possible quests of a hero, by kind and without counts. Rules: LW-15.2."""
    foes = [s for s in state.sides.values() if s.alive and s.id not in {hero.owner, NOBODY}]
    rivals = [army for foe in foes for army in armies_of(state, foe.id) if army.hero is not None]
    cities = [
        city
        for city in state.cities.values()
        if not city.razed and city.owner in {foe.id for foe in foes}
    ]
    sacks = state.options.sacking_mode != "never"
    razes = state.options.razing_cities != "never"
    large = [city for city in cities if len(city.slots) >= _SACKED]
    found: dict[QuestGoal, tuple[HeroQuest, ...]] = {
        "kill-hero": tuple(
            HeroQuest(hero.id, "kill-hero", army.owner, army.id, army.hero.name)
            for army in rivals
            if army.hero is not None
        ),
        "kill-armies": tuple(
            HeroQuest(hero.id, "kill-armies", foe.id, name=foe.name) for foe in foes
        ),
        "sack-city": _of_cities(hero, "sack-city", large if sacks else ()),
        "raze-city": _of_cities(hero, "raze-city", cities if razes else ()),
        "occupy-city": _of_cities(hero, "occupy-city", cities),
        "kill-type": _of_types(state, hero),
        "plunder": (HeroQuest(hero.id, "plunder"),) if sacks else (),
    }
    return {kind: listed for kind, listed in found.items() if listed}


def _of_cities(hero: Army, kind: QuestGoal, cities: Iterable[City]) -> tuple[HeroQuest, ...]:
    return tuple(HeroQuest(hero.id, kind, city.owner, city.id, city.name) for city in cities)


def _of_types(state: State, hero: Army) -> tuple[HeroQuest, ...]:
    """Return quests to kill an army of an awardable type that other sides have. See: LW-15."""
    kinds = {army.type for army in state.armies.values() if army.owner != hero.owner}
    return tuple(
        HeroQuest(hero.id, "kill-type", target=row.id, name=row.name)
        for row in state.types.values()
        if row.id in kinds and row.special > 0
    )


# -- progress of quests ----------------------------------------------------------------------------


def follow(decision: OwnDecision, settings: RuleSettings, before: State) -> None:
    """Update the quests open before a command according to its events. See: LW-15.4."""
    happened: Sequence[Any] = decision.events
    for quest in before.quests.values():
        hero = before.armies.get(quest.id)
        if hero is None or quest.id not in decision.state.quests:
            continue
        step, now = _judged(decision.state, quest, happened)
        if step != "open":
            decision.emit(HeroQuestSet(hero.owner, now, step))
        if step == "done":
            _reward(decision, settings, decision.state.armies[quest.id])


def _reward(decision: OwnDecision, settings: RuleSettings, hero: Army) -> None:
    """Give a random reward for a quest; it is never a hidden ruin. Rules: LW-15.5."""
    state = decision.state
    kinds = reward_kinds(settings, state, ruins=False)
    found = drawn_reward(decision.dice, state, hero.owner, hero.at, kinds)
    give(decision, settings, hero, found, "reward")


def _judged(after: State, quest: HeroQuest, happened: Sequence[Any]) -> tuple[QuestStep, HeroQuest]:
    """Return a quest's step after a command, and the quest then. Rules: LW-15.3, LW-15.4, D19."""
    hero = after.armies.get(quest.id)
    if hero is None:
        return "void", quest
    if quest.kind in {"sack-city", "raze-city", "occupy-city"}:
        return _of_city(after, hero, quest, happened), quest
    if quest.kind == "plunder":
        return _counted(quest, _plunder(hero, happened), above=True)
    step, now = _counted(quest, _kills(quest, happened), above=False)
    return ("void", quest) if step != "done" and _is_lost(after, quest) else (step, now)


def _counted(quest: HeroQuest, more: int, *, above: bool) -> tuple[QuestStep, HeroQuest]:
    """Add ``more`` to what is done; if ``above``, the quest ends only beyond its count."""
    if more <= 0:
        return "open", quest
    now = replace(quest, done=quest.done + more)
    return ("done" if now.done >= now.count + above else "step"), now


def _is_lost(after: State, quest: HeroQuest) -> bool:
    """Return whether the hero or the side to be beaten is gone. Rules: LW-15.4."""
    if quest.kind == "kill-hero":
        return quest.target not in after.armies
    return quest.kind == "kill-armies" and not after.sides[quest.side].alive


def _kills(quest: HeroQuest, happened: Sequence[Any]) -> int:
    """Count the wanted armies that fell in battles of the hero's stack. Rules: LW-15.3, D19."""
    return sum(_COUNTS[quest.kind](quest, one) for one in slain_by(happened, quest.id))


_COUNTS: Final[Mapping[str, Callable[[HeroQuest, Slain], bool]]] = {
    "kill-hero": lambda quest, one: one.army == quest.target,
    "kill-type": lambda quest, one: one.type == quest.target,
    "kill-armies": lambda quest, one: one.owner == quest.side,
}


def _of_city(after: State, hero: Army, quest: HeroQuest, happened: Sequence[Any]) -> QuestStep:
    """Return the step of a quest about a city. Rules: LW-15.4."""
    wanted = {"sack-city": "sack", "raze-city": "raze", "occupy-city": "occupy"}[quest.kind]
    for one in settled_in(happened):
        if one.city.id != quest.target:
            continue
        if one.side == hero.owner:
            there = hero.at in one.city.tiles
            return "done" if there and one.fate == wanted else "void"
        if one.fate in {"sack", "raze"}:
            return "void"
    city = after.cities.get(quest.target)
    return "void" if city is None or city.razed else "open"


def _plunder(hero: Army, happened: Sequence[Any]) -> int:
    """Sum the gold from sacking and pillaging the city where the hero is. See: LW-15."""
    return sum(
        one.gain
        for one in settled_in(happened)
        if one.side == hero.owner and one.fate in {"sack", "pillage"} and hero.at in one.city.tiles
    )
