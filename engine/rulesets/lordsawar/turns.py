"""Turns and rounds (sections 13.1, 16 and 17) as settings of the strategic layer."""

from __future__ import annotations

from typing import Final

from engine.core.dice import shuffle
from engine.kit.grid import Place
from engine.rulesets.lordsawar import conditions, moving
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.tables import armyset
from engine.strategic import cities, heroes, sight, turns, victory
from engine.strategic.decision import Decision
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.settings import GameVerdict, RuleSettings, TurnRules
from engine.strategic.world import World, armies_of

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


_MOST_DOUBLINGS: Final = 10
"""Items of one stack that double its moves: a factor of 1024 at most. Rules: LW-11."""


def turn_rules(options: Options) -> TurnRules:
    """Settings of turns and treaties under the options. Rules: LW-13.1, LW-16, LW-17."""
    at_round_end = options.upkeep_phase == "round_end"
    return TurnRules(
        opening=(heroes.offer,) if at_round_end else (upkeep_phase, heroes.offer),
        rest=(look,),
        closing=(moving.fill_gaps,),
        round_end=(victory.eliminate, victory.check),
        between=(upkeep_for_all if at_round_end else neutral_rest,),
        order=shuffled if options.random_turns == "on" else by_number,
        verdict=verdict,
        yields=lambda _world: None,
        refill=rested,
        every_speed=True,
        builds_on=builds_on,
        may_burn=options.razing_cities != "never",
        diplomacy=options.diplomacy == "on",
        betrayal={},
        titles=TITLES,
        heals=conditions.still_lost,
    )


# -- the upkeep phase ------------------------------------------------------------------------------


def upkeep_for_all(decision: Decision, settings: RuleSettings) -> None:
    """Upkeep phase of all living sides, in the order of their numbers. Rules: LW-13.1, D13."""
    for side in decision.state.sides.values():
        if side.alive:
            upkeep_phase(decision, settings, side.id)
    conditions.recover(decision, settings, NOBODY)


def neutral_rest(decision: Decision, settings: RuleSettings) -> None:
    """Rest of the armies of neutral cities where each side has an upkeep phase of its own.

    Rules: LW-13.1, D13.
    """
    conditions.recover(decision, settings, NOBODY)


def upkeep_phase(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Accounts, moves, arrivals and production of a side. Rules: LW-13.1."""
    cities.keep_accounts(decision, settings, side)
    turns.refill_points(decision, settings, side)
    conditions.recover(decision, settings, side)
    cities.receive_transits(decision, settings, side)
    cities.pass_turn(decision, settings, side)


def rested(army: Army, bearers: int) -> int:
    """Movement points of an army after an upkeep phase.

    ``bearers`` is the number of items in its stack that double moves. Rules: LW-11, LW-12.1.
    """
    numbers = armyset().movement
    if army.aboard:
        return numbers.ship_points
    rest = min(numbers.most_rest, army.points)
    return (army.max_move + rest) << min(bearers, _MOST_DOUBLINGS)


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
