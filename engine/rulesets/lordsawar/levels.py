"""Levels of heroes (section 10): share experience, and let the owner choose a gain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

from engine.core.decision import BaseDecision
from engine.core.record import replace
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.commands import AnyCommand, ChooseGain
from engine.rulesets.lordsawar.events import ConditionsSet
from engine.rulesets.lordsawar.experience import (
    level_gains,
    level_reached,
    read,
    share,
    stored,
    value_at,
)
from engine.rulesets.lordsawar.pieces import type_value
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic.decision import answer, ask, asked_of, grow_armies
from engine.strategic.pieces import Army, HitPoints, Question, UnitType
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings

OwnDecision: TypeAlias = BaseDecision[Any, Any]
"""Decision about a state of this ruleset."""

Gain: TypeAlias = Literal["strength", "moves", "sight", "hit_points"]
"""Gains of a level. See: LW-10."""

GAINS: Final[tuple[Gain, ...]] = ("strength", "moves", "sight", "hit_points")

# -- experience ------------------------------------------------------------------------------------


def value_of(state: State, army: Army) -> Fraction:
    """Return the experience value of an army: its own or its type's.

    Rules: LW-9.2. See: LW-6.2, LW-10.
    """
    told = state.condition(army.id).value
    return read(told) if told else type_value(state.types[army.type])


def earn(decision: OwnDecision, armies: Sequence[Army], values: Iterable[Fraction]) -> None:
    """Share the values of killed armies equally among ``armies``. See: LW-6.2."""
    state: State = decision.state
    each = share(values, len(armies))
    if not each:
        return
    rows = (state.condition(army.id) for army in armies)
    grown = tuple(
        replace(row, xp=stored(read(row.xp) + each), battles=row.battles + 1) for row in rows
    )
    decision.emit(ConditionsSet(grown, "experience"))


# -- levels ----------------------------------------------------------------------------------------


def is_due(state: State, army: Army) -> bool:
    """Return whether a hero has reached the next level. Rules: LW-10.5."""
    if army.hero is None:
        return False
    level = max(1, army.level)
    return level_reached(read(state.condition(army.id).xp), level) > level


def due(state: State) -> tuple[Army, ...]:
    """Return the heroes with a new level; those of the current side are first. See: LW-10."""
    heroes = [army for army in state.armies.values() if army.hero is not None]
    found = [hero for hero in heroes if hero.id in state.conditions and is_due(state, hero)]
    return tuple(sorted(found, key=lambda army: (army.owner != state.current, army.id)))


def ask_due(decision: OwnDecision) -> None:
    """Ask the owner of a hero with a new level for its gain, if no question is open.

    Each answer leads to the next question, for the same hero or another one. Rules: LW-10.5.
    """
    state: State = decision.state
    if state.question is not None or state.reason is not None:
        return
    heroes = [army for army in due(state) if army.owner in state.sides]
    if heroes:
        ask(decision, Question("level", heroes[0].owner, army=heroes[0].id))


def gains_of(army: Army) -> tuple[Gain, ...]:
    """Return the gains from which a hero can choose. See: LW-10."""
    gains = {
        "strength" if gain.strength else "moves" if gain.moves else "sight" if gain.sight else "hp"
        for gain in level_gains(army.strength)
    }
    return tuple(gain for gain in GAINS if gain in gains or gain == "hit_points")


def choose_gain(
    decision: OwnDecision, settings: RuleSettings, side: int, order: ChooseGain
) -> None:
    """Give a hero the chosen gain of its new level; its value rises too. Rules: LW-10.6.

    Raises:
        Refused: nothing was asked, or the hero cannot gain that.
    """
    del settings
    state: State = decision.state
    question = asked_of(state, side, "level")
    if question is None:
        refuse(Refusal.NO_QUESTION, "None of your heroes has reached a level.", "level")
    hero = state.armies[question.army]
    if order.gain not in gains_of(hero):
        refuse(Refusal.NOT_ALLOWED, "That hero cannot grow stronger.", "level")
    answer(decision, question, order.gain)
    risen = replace(raised(state, hero, order.gain), level=max(1, hero.level) + 1)
    before = state.condition(hero.id)
    more = armyset().levels.sight_gain if order.gain == "sight" else 0
    value = stored(value_at(value_of(state, hero), 1))
    grow_armies(decision, (risen,), "level")
    after = replace(before, value=value, sight=before.sight + more)
    decision.emit(ConditionsSet((after,), "level"))


def raised(state: State, hero: Army, gain: Gain) -> Army:
    """Return a hero with a gain; more hit points raise only the maximum. Rules: LW-10.6."""
    numbers = armyset().levels
    match gain:
        case "strength":
            most = armyset().combat.most_strength
            return replace(hero, strength=min(most, hero.strength + numbers.strength_gain))
        case "moves":
            return replace(hero, max_move=hero.max_move + numbers.moves_gain)
        case "hit_points":
            more = HIT_POINT * numbers.hit_points_gain
            had = hero.hp or usual_hp(state.types[hero.type])
            return replace(hero, hp=HitPoints(had.most + more, had.lost + more))
        case _:
            return hero


def usual_hp(kind: UnitType) -> HitPoints:
    """Return the hit points of an unhurt army of a type. Rules: LW-1.1. See: LW-4.2."""
    return HitPoints(kind.hp or HIT_POINT * armyset().units[0].max_hp)


# -- computer players ------------------------------------------------------------------------------


def usual_choice(army: Army) -> AnyCommand:
    """Return a computer player's choice: strength until it is eight, then moves. See: LW-18."""
    return ChooseGain("strength" if army.strength < _STRONG else "moves")


_STRONG: Final = 8
