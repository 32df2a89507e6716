"""Turns and rounds (sections 13.1, 16 and 17) as settings of the strategic layer."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from engine.core.dice import shuffle
from engine.kit.grid import Place
from engine.rulesets.lordsawar import cities, conditions, diplomacy, heroes, moving
from engine.rulesets.lordsawar.events import RoundScored
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic import sight, turns, victory
from engine.strategic import world as strategic
from engine.strategic.decision import Decision
from engine.strategic.diplomacy import TITLES
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.settings import GameVerdict, RuleSettings, TurnPhase, TurnRules
from engine.strategic.world import HOSTILE, PEACE, World, armies_of, cities_of

_CITIES, _GOLD, _ARMIES = 70, 10, 20
"""Maximum points of the score from cities, gold and armies. See: LW-17."""

_MOST_DOUBLINGS: Final = 10
"""Maximum number of items that double a stack's moves: a factor of 1024. See: LW-11."""


def turn_rules(options: Options) -> TurnRules:
    """Return the settings of turns and treaties under the options. See: LW-13.1, LW-16, LW-17."""
    at_round_end = options.upkeep_phase == "round_end"
    accounts = upkeep_for_all if at_round_end else upkeep_of_neutrals
    return TurnRules(
        opening=(heroes.offer,) if at_round_end else (upkeep_at_turn, heroes.offer),
        rest=(look,),
        closing=(moving.fill_gaps,),
        round_end=(victory.check,),
        between=(cities.order_neutrals, accounts, diplomacy.settle, count_scores),
        order=shuffled if options.random_turns == "on" else by_number,
        verdict=verdict,
        yields=yields,
        refill=rested,
        builds_on=builds_on,
        may_burn=True,
        always_burns=True,
        turn_end=(victory.eliminate, victory.judge),
        diplomacy=options.diplomacy == "on",
        betrayal={PEACE: (0, 0), HOSTILE: (0, 0)},
        titles=TITLES,
        heals=conditions.still_lost,
        betrayed=diplomacy.betrayed,
        reputation=diplomacy.reputation,
        razed=diplomacy.razed,
        last_taken=diplomacy.last_taken,
    )


# -- the upkeep phase ------------------------------------------------------------------------------


UPKEEP: Final[tuple[TurnPhase, ...]] = (
    cities.settle_accounts,
    turns.refill_points,
    conditions.recover,
    cities.arrive,
    cities.make_armies,
)
"""Parts of a side's upkeep phase, in order. See: LW-13.1."""


def upkeep_phase(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Run accounts, moves, healing, arrivals and production of a side. Rules: LW-13.1."""
    for phase in UPKEEP:
        phase(decision, settings, side)


def upkeep_for_all(decision: Decision, settings: RuleSettings) -> None:
    """Run the upkeep phase of all living sides, then of the neutral side. Rules: LW-13.1, D13."""
    turns.for_all(upkeep_phase)(decision, settings)
    upkeep_of_neutrals(decision, settings)


def upkeep_of_neutrals(decision: Decision, settings: RuleSettings) -> None:
    """Run the upkeep phase of the neutral side, the last one of a round.

    Rules: LW-13.1. See: LW-17.
    """
    upkeep_phase(decision, settings, NOBODY)


def upkeep_at_turn(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Run the upkeep phase as a side's turn begins, except in round 1. Rules: LW-13.1, D13."""
    if decision.state.turn > 1:
        upkeep_phase(decision, settings, side)


def rested(army: Army, bearers: int) -> int:
    """Return the movement points of an army after an upkeep phase.

    ``bearers`` is the number of items in its stack that double moves. Rules: LW-12.1. See: LW-11.
    """
    numbers = armyset().movement
    if army.aboard:
        return numbers.ship_points
    rest = min(numbers.most_rest, army.points)
    return (army.max_move + rest) << min(bearers, _MOST_DOUBLINGS)


def look(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Uncover the tiles around a side's armies. Rules: LW-17.7."""
    armies = armies_of(decision.state, side)
    if armies:
        sight.look_around(decision, settings, side, armies)


# -- rounds and the end ----------------------------------------------------------------------------


def by_number(decision: Decision) -> tuple[int, ...]:
    """Return the sides in number order as the order of a round. Rules: LW-17.1."""
    return tuple(decision.state.sides)


def shuffled(decision: Decision) -> tuple[int, ...]:
    """Return a random order of a round; the game's first is in number order. Rules: LW-17.1."""
    sides = list(decision.state.sides)
    return tuple(shuffle(decision.dice, sides)) if decision.state.order else tuple(sides)


def verdict(world: World) -> GameVerdict | None:
    """Return the winners and the reason if at most one side is alive, else None. Rules: LW-17.3."""
    living = victory.living(world)
    if not living:
        return (), "all_out"
    return (living, "conquest") if len(living) == 1 else None


def yields(world: World) -> int | None:
    """Return the only living human side if it owns more than half of all cities, else None.

    Razed cities count among all cities. The side is asked only once. Rules: LW-17.4.
    """
    living = [side for side in world.sides.values() if side.alive]
    humans = [side for side in living if side.human]
    if len(humans) != 1 or len(living) == 1 or humans[0].deeds.refused:
        return None
    own = len(cities_of(world, humans[0].id))
    return humans[0].id if 2 * own > len(world.cities) else None


def score(world: World, side: int) -> int:
    """Return the score of a side.

    It depends on the side's share of all cities, and of the gold and armies of living sides.
    Rules: LW-17.6.
    """
    if not world.sides[side].alive:
        return 0
    living = victory.living(world)
    gold = sum(world.sides[one].gold for one in living)
    armies = sum(army.owner != NOBODY for army in world.armies.values())
    shares = (
        (_CITIES, len(cities_of(world, side)), len(world.cities)),
        (_GOLD, world.sides[side].gold, gold),
        (_ARMIES, len(armies_of(world, side)), armies),
    )
    return int(
        sum(
            (Fraction(most * own, whole) for most, own, whole in shares if whole), start=Fraction(0)
        )
    )


def scores(world: World) -> tuple[int, ...]:
    """Return the scores of all sides. See: LW-17."""
    return tuple(score(world, side) for side in world.sides)


def count_scores(decision: Decision, settings: RuleSettings) -> None:
    """Emit the scores of all sides at the end of a round. Rules: LW-17.6."""
    del settings
    decision.emit(RoundScored(scores(decision.state)))


def statistics(state: State) -> Mapping[str, tuple[int, ...]]:
    """Return each side's statistics of the strategic layer, and its last score. See: LW-17."""
    return {**strategic.statistics(state), "score": state.scores or (0,) * len(state.sides)}


def builds_on(world: World, at: Place) -> bool:
    """Return False: armies that defend build nothing. See: LW-3.2."""
    del world, at
    return False
