"""Rounds, turns and treaties by the rule book (sections 6.3, 6.7, 12, 13 and 17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.tables import SEATS
from engine.rulesets.warlords2.terrain import Terrain
from engine.strategic import cities, diplomacy, heroes, quests, sight, turns, victory
from engine.strategic.decision import Decision
from engine.strategic.pieces import Army
from engine.strategic.settings import GameVerdict, RuleSettings, TurnRules
from engine.strategic.world import HOSTILE, PEACE, World, armies_of, site_at

SWAPS: Final = 20
"""How often two places change in a random order. Rules: W2-13.1."""

CARRIED: Final = 2
"""Points that an army keeps from the turn before. Rules: W2-6.3."""

AT_SEA: Final = 20
"""Points of an embarked army. Rules: W2-6.3, W2-6.6."""

POINTS: Final = 99
"""The most points. Rules: W2-6.3."""

MARGIN: Final = 8
"""Computers give up before who has an eighth of all cities more than the best. Rules: W2-13.3."""

MORE: Final = 4
"""After a refusal computers ask again when there are a quarter more cities. Rules: W2-13.3.

The sources only say that the war goes on then. Without a limit the same question would come every
round, though nothing has changed; a quarter is a step that a war takes in some rounds.
"""

BETRAYAL: Final[Mapping[int, tuple[int, int]]] = {PEACE: (100, 100), HOSTILE: (15, 10)}
"""By treaty: sides of the die, and plus, that treachery adds to the rating. Rules: W2-12.3."""

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
"""Reputations, the best first. Rules: W2-12.3."""

TOWER_GROUND: Final = frozenset(
    {Terrain.PLAINS, Terrain.FOREST, Terrain.HILLS, Terrain.MARSH, Terrain.BRIDGE}
)
"""Where towers can be built besides roads and mounds. Rules: W2-6.7."""


def turn_rules(options: Options) -> TurnRules:
    """The chapters on turns and treaties under some options. Rules: W2-12.1, W2-13.1, W2-0.1."""
    return TurnRules(
        opening=(
            diplomacy.apply,
            turns.refill_points,
            turns.build_towers,
            cities.keep_accounts,
            heroes.level_up,
            heroes.offer,
        ),
        rest=(produce, quests.check, look),
        closing=(),
        round_end=(victory.eliminate, victory.check),
        between=(cities.refill_neutrals,),
        order=shuffled if options.random_turns == "on" else by_number,
        verdict=verdict,
        yields=yields,
        refill=rested,
        builds_on=builds_on,
        may_burn=options.raze_allowed == "on",
        diplomacy=options.diplomacy == "on",
        betrayal=BETRAYAL,
        titles=TITLES,
    )


def produce(work: Decision, book: RuleSettings, side: int) -> None:
    """Production and arrivals; in the first turn there are none yet. Rules: W2-13.2, W2-9.3."""
    if work.state.turn > 1:
        cities.pass_turn(work, book, side)
        cities.receive_transits(work, book, side)


def look(work: Decision, book: RuleSettings, side: int) -> None:
    """Armies see what is around them; fog may be gone since somebody is out. Rules: W2-11."""
    armies = armies_of(work.state, side)
    if armies:
        sight.look_around(work, book, side, armies)
    sight.lift(work, book)


def by_number(work: Decision) -> tuple[int, ...]:
    """The usual order of a round. Rules: W2-13.1."""
    return tuple(work.state.sides)


def shuffled(work: Decision) -> tuple[int, ...]:
    """A random order: places change again and again, empty ones too. Rules: W2-13.1."""
    places = list(range(SEATS))
    for _ in range(SWAPS):
        one, other = work.dice.roll(SEATS) - 1, work.dice.roll(SEATS) - 1
        places[one], places[other] = places[other], places[one]
    return tuple(side for side in places if side in work.state.sides)


def verdict(world: World) -> GameVerdict | None:
    """Who has won, if anybody has or all human players are out. Rules: W2-13.3."""
    living = victory.living(world)
    if not living:
        return (), "all_out"
    last = world.sides[living[0]]
    if len(living) == 1 and (not last.human or victory.has_most(world, last.id)):
        return living, "conquest"
    humans = [side for side in world.sides.values() if side.human]
    if humans and not any(side.alive for side in humans):
        return living, "humans_out"
    return None


def yields(world: World) -> int | None:
    """Before whom the computers give up now. Rules: W2-13.3."""
    return victory.surrenders_to(world, MARGIN, MORE)


def rested(army: Army, bearers: int) -> int:
    """The points of an army at its owner's turn start; ``bearers`` of speed are with it.

    Rules: W2-6.3.
    """
    usual = AT_SEA if army.aboard else army.max_move
    return min(POINTS, usual + min(CARRIED, army.points) + bearers * army.max_move)


def builds_on(world: World, at: Place) -> bool:
    """Whether an army that defends builds a tower on a tile. Rules: W2-6.7."""
    x, y = at
    code = world.terrain[y, x]
    return code in TOWER_GROUND or bool(world.roads[y, x]) or is_mound(world, at)


def is_mound(world: World, at: Place) -> bool:
    """Whether a tile is ground for a tower: no ruin, no temple, no razed city. Rules: W2-3.1."""
    if world.terrain[at[1], at[0]] != Terrain.SITE or site_at(world, at) is not None:
        return False
    return not any(city.razed and at in city.tiles for city in world.cities.values())
