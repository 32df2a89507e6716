"""Diplomacy: stances, treaties, treachery and reputation; and the fight order of a side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.commands import SetFightOrder, SetStance
from engine.strategic.decision import Decision, roll
from engine.strategic.events.turns import FightOrderSet, RatingChanged, StanceSet, TreatyChanged
from engine.strategic.pieces import UNKNOWN_TYPE, Side
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import HOSTILE, WAR, World, armies_at, city_at, treaty

TITLES: Final = (
    "Statesman",
    "Diplomat",
    "Pragmatist",
    "Politician",
    "Deceiver",
    "Scoundrel",
    "Turncoat",
    "Running Dog",
)
"""Titles of reputation, the best first."""


def apply(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Update the treaties of the side whose turn begins, by the stances of both sides."""
    if not settings.turns.diplomacy:
        return
    for other in decision.state.sides.values():
        if other.alive and other.id != side:
            _agree(decision, side, other.id)


def _agree(decision: Decision, side: int, other: int) -> None:
    """Update the treaty of two sides.

    The stance of ``side`` alone can worsen it; to improve it, the other side must agree.
    """
    world = decision.state
    one, two = world.sides[side], world.sides[other]
    now, stance, theirs = treaty(world, side, other), one.stances[other], two.stances[side]
    if stance > now:
        decision.emit(
            TreatyChanged(sides=(one, toward(two, side, max(theirs, stance))), treaty=stance)
        )
    elif stance < now and theirs <= stance:
        decision.emit(TreatyChanged(sides=(one, two), treaty=stance))


def settle_proposals(decision: Decision, settings: RuleSettings) -> None:
    """Update all treaties at the end of a round, then reset the stances to them.

    A stance that differs from the treaty is a proposal. The new treaty is the more hostile of both
    stances.
    """
    living = [side.id for side in decision.state.sides.values() if side.alive]
    for one, other in combinations(living if settings.turns.diplomacy else (), 2):
        first, second = decision.state.sides[one], decision.state.sides[other]
        agreed = max(first.stances[other], second.stances[one])
        now = treaty(decision.state, one, other)
        if {first.stances[other], second.stances[one], agreed} != {now}:
            sides = toward(first, other, agreed), toward(second, one, agreed)
            decision.emit(TreatyChanged(sides=sides, treaty=agreed))


def toward(side: Side, other: int, stance: int) -> Side:
    """Return a side with a new stance toward another."""
    stances = (*side.stances[:other], stance, *side.stances[other + 1 :])
    return replace(side, stances=stances)


def may_attack(world: World, settings: RuleSettings, side: int, at: Place) -> bool:
    """Return whether treaties allow an attack on a tile.

    An attack in the field needs a hostile treaty, one on a city needs war. Neutrals and empty tiles
    can always be attacked.
    """
    if not settings.turns.diplomacy:
        return True
    city = city_at(world, at)
    if city is not None:
        return city.owner == side or treaty(world, side, city.owner) >= WAR
    stack = armies_at(world, at)
    return not stack or stack[0].owner == side or treaty(world, side, stack[0].owner) >= HOSTILE


def betray(decision: Decision, settings: RuleSettings, side: int, other: int) -> None:
    """Commit a treachery: put both sides at war and raise the traitor's rating."""
    world = decision.state
    penalty = settings.turns.betrayal.get(treaty(world, side, other))
    if penalty is None:
        return
    one, two = world.sides[side], world.sides[other]
    rating = one.rating + roll(decision.dice, 1, *penalty)
    traitor = replace(toward(one, other, WAR), rating=rating)
    sides = (traitor, toward(two, side, WAR))
    decision.emit(TreatyChanged(sides=sides, treaty=WAR, betrayal=True))
    if settings.turns.betrayed is not None:
        settings.turns.betrayed(decision, settings, side, other)


def worsen(
    decision: Decision, settings: RuleSettings, side: int, penalty: tuple[int, int, int]
) -> None:
    """Raise the rating of a side, which is bad, by dice: (count, sides, plus)."""
    if settings.turns.diplomacy:
        rating = decision.state.sides[side].rating + roll(decision.dice, *penalty)
        decision.emit(RatingChanged(side=side, rating=rating))


def titles(world: World, settings: RuleSettings) -> Mapping[int, str]:
    """Return the title of each living side, by side; the best reputation has the first title.

    If there are fewer sides than titles, titles from the middle are left out.
    """
    reputation = settings.turns.reputation or (lambda world, side: world.sides[side].rating)
    living = sorted(
        (side for side in world.sides.values() if side.alive),
        key=lambda side: reputation(world, side.id),
    )
    names, count = settings.turns.titles, len(living)
    best = (count + 1) // 2
    called = (*names[:best], *names[len(names) - (count - best) :])
    return {side.id: title for side, title in zip(living, called, strict=True)}


def set_stance(decision: Decision, settings: RuleSettings, side: int, command: SetStance) -> None:
    """Set the stance of a side toward another; treaties follow at the next start of a turn.

    Raises:
        Refused: The game has no treaties, there is no such side or stance, or nothing would change.
    """
    if not settings.turns.diplomacy:
        refuse(Refusal.NOT_ALLOWED, "There is no diplomacy in this game.", "treaty")
    own, other = decision.state.sides[side], decision.state.sides.get(command.side)
    if other is None or not other.alive or other.id == side:
        refuse(Refusal.NO_SUCH_SIDE, "There is no such side to treat with.", "stance")
    if not 0 <= command.stance <= WAR:
        refuse(Refusal.NOT_ALLOWED, "A stance is 0 (peace), 1 (hostile) or 2 (war).", "stance")
    if own.stances[other.id] == command.stance:
        refuse(Refusal.NOTHING_TO_DO, "That is your stance already.", "stance")
    decision.emit(StanceSet(side=side, stances=toward(own, other.id, command.stance).stances))


def set_fight_order(
    decision: Decision, _settings: RuleSettings, side: int, command: SetFightOrder
) -> None:
    """Set the fight order of a side.

    Raises:
        Refused: The list does not name every type once, or nothing would change.
    """
    line = command.types
    kinds = [kind for kind in decision.state.types if kind != UNKNOWN_TYPE.id]
    if len(line) != len(kinds) or set(line) != set(kinds):
        refuse(Refusal.BAD_ORDER, "Name every type once.", "order")
    places = {kind: place for place, kind in enumerate(line)}
    order = tuple(places.get(kind, 0) for kind in range(max(kinds, default=-1) + 1))
    if order == decision.state.sides[side].order:
        refuse(Refusal.NOTHING_TO_DO, "That is your line of battle already.", "order")
    decision.emit(FightOrderSet(side=side, order=order))
