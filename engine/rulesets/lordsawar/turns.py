"""Turns and rounds (sections 13.1, 16 and 17) as settings of the strategic layer."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from engine.core.dice import shuffle
from engine.kit.grid import Place
from engine.rulesets.lordsawar import diplomacy
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic import cities, heroes, sight, turns, victory
from engine.strategic.decision import Decision
from engine.strategic.pieces import Army
from engine.strategic.settings import GameVerdict, RuleSettings, TurnRules
from engine.strategic.world import HOSTILE, PEACE, World, armies_of, statistics

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
"""Titles by rank, the best first. Rules: LW-16."""


def turn_rules(options: Options) -> TurnRules:
    """Settings of turns and treaties under the options. Rules: LW-13.1, LW-16, LW-17."""
    at_round_end = options.upkeep_phase == "round_end"
    return TurnRules(
        opening=(heroes.offer,) if at_round_end else (upkeep_phase, heroes.offer),
        rest=(look,),
        closing=(),
        round_end=(victory.eliminate, victory.check),
        between=(upkeep_for_all, diplomacy.settle) if at_round_end else (diplomacy.settle,),
        order=shuffled if options.random_turns == "on" else by_number,
        verdict=verdict,
        yields=lambda _world: None,
        refill=rested,
        builds_on=builds_on,
        may_burn=options.razing_cities != "never",
        diplomacy=options.diplomacy == "on",
        betrayal={PEACE: (0, 0), HOSTILE: (0, 0)},
        titles=TITLES,
        betrayed=diplomacy.betrayed,
        reputation=diplomacy.reputation,
        razed=diplomacy.razed,
        last_taken=diplomacy.last_taken,
    )


# -- the upkeep phase ------------------------------------------------------------------------------


def upkeep_for_all(decision: Decision, settings: RuleSettings) -> None:
    """Upkeep phase of all living sides, in the order of their numbers. Rules: LW-13.1, D13."""
    for side in decision.state.sides.values():
        if side.alive:
            upkeep_phase(decision, settings, side.id)


def upkeep_phase(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Accounts, moves, arrivals and production of a side. Rules: LW-13.1."""
    cities.keep_accounts(decision, settings, side)
    turns.refill_points(decision, settings, side)
    cities.receive_transits(decision, settings, side)
    cities.pass_turn(decision, settings, side)


def rested(army: Army, bearers: int) -> int:
    """Movement points of an army after an upkeep phase.

    ``bearers`` is the number of items in its stack that double moves. Rules: LW-12.1.
    """
    numbers = armyset().movement
    if army.aboard:
        return numbers.ship_points
    rest = min(numbers.most_rest, army.points)
    return (army.max_move + rest) << min(bearers, 10)


def look(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Uncover the tiles around a side's armies. Rules: LW-17."""
    armies = armies_of(decision.state, side)
    if armies:
        sight.look_around(decision, settings, side, armies)


# -- rounds and the end ----------------------------------------------------------------------------


def by_number(decision: Decision) -> tuple[int, ...]:
    """Order of a round by number of the side. Rules: LW-17."""
    return tuple(decision.state.sides)


def shuffled(decision: Decision) -> tuple[int, ...]:
    """Random order of a round. Rules: LW-17."""
    return tuple(shuffle(decision.dice, list(decision.state.sides)))


def verdict(world: World) -> GameVerdict | None:
    """Winners and reason if at most one side lives, else None. Rules: LW-17."""
    living = victory.living(world)
    if not living:
        return (), "all_out"
    return (living, "conquest") if len(living) == 1 else None


def builds_on(world: World, at: Place) -> bool:
    """False: armies that defend build nothing. Rules: LW-3.2."""
    del world, at
    return False


# -- score -----------------------------------------------------------------------------------------

_WEIGHTS: Final = (70, 10, 20)
"""Points for all cities, all gold and all armies. Rules: LW-17."""


def scores(world: World) -> tuple[int, ...]:
    """Score of each side: its shares of cities, gold and armies, in points. Rules: LW-17.

    Cities are all that stand, gold and armies those of the living sides.
    """
    counted = tuple(statistics(world)[name] for name in ("cities", "gold", "armies"))
    living = [place for place, side in enumerate(world.sides.values()) if side.alive]
    sums = [sum(row[place] for place in living) for row in counted]
    sums[0] = len(victory.standing(world))
    return tuple(
        int(
            sum(
                Fraction(points * row[place], whole)
                for points, row, whole in zip(_WEIGHTS, counted, sums, strict=True)
                if whole
            )
        )
        for place in range(len(world.sides))
    )
