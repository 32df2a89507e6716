"""Play random games: ``python -m tests.rulesets.lordsawar.soak --games 20 --turns 200 [--seed 1]``.

Some sides are computer players, the others give random orders. After every event the invariants of
section 22 are checked; at the end the log must fold to the position and verify. The game of a seed
is always the same.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.record import Command
from engine.core.refused import Refused
from engine.core.replay import fold, verify
from engine.core.ruleset import Scenario
from engine.core.scenarios import fitted
from engine.rulesets.lordsawar.battle_records import BattleHit
from engine.rulesets.lordsawar.lineup import hits_of, units_left
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.scene import Map
from engine.rulesets.lordsawar.state import State
from engine.strategic.commands import Disband, EndTurn, Raze, Resign
from engine.strategic.events import BattleFought, CityTaken
from engine.strategic.events.battle import Fighter
from engine.strategic.pieces import NOBODY, STACK
from engine.strategic.world import stacks
from tests.contract import computer_games
from tests.contract.walks import AnyGame
from tui.play.players import think

_ORDERS: Final = 12
"""Mean number of random orders before a turn is ended."""


_KEPT: Final[Mapping[type[Command], float]] = {Resign: 0, Disband: 0.02, Raze: 0.02}
"""Probability of keeping an order. Without it games would soon run out of pieces."""


class Fault(Exception):
    """Raised for a violated invariant."""


def main() -> int:
    """Play the games; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--turns", type=int, default=200, help="rounds of a game")
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    args = parser.parse_args()
    faults, rounds, entries = 0, 0, 0
    for seed in range(args.seed, args.seed + args.games):
        try:
            game = played(seed, args.turns)
        except Fault as fault:
            faults += 1
            sys.stdout.write(f"seed {seed}: {fault}\n")
            continue
        rounds, entries = rounds + game.state.turn, entries + len(game.log)
    sys.stdout.write(f"{args.games} games, {rounds} rounds, {entries} entries, {faults} faults\n")
    return 1 if faults else 0


def played(seed: int, rounds: int, *, cells: int = 10_000) -> AnyGame:
    """Play a random game on a scenario of up to ``cells`` tiles and check all invariants.

    Raises:
        Fault: an invariant is violated.
    """
    drawn = computer_games.drawn_of(RULES, seed)
    scenario = RULES.scenarios()[drawn.scenario]
    if _tiles(scenario) > cells:
        small = min(RULES.scenarios().values(), key=lambda one: _tiles(one) or cells)
        drawn = computer_games.Drawn(RULES.name, small.name, {}, drawn.levels[:2], seed)
        scenario = small
    seats = len(drawn.levels)
    key, chance = str(seed).encode(), random.Random(seed)  # noqa: S311 - what is tried
    minds = [chance.random() < 0.25 for _ in range(seats)]
    scenario = fitted(RULES, scenario, seats, frozenset(k for k in range(seats) if minds[k]))
    game = Game.begin(RULES, scenario, drawn.options, key)
    while (owes := RULES.owes(game.state)) and game.state.turn <= rounds:
        seat = min(owes)
        if minds[seat]:
            plan: Sequence[Any] = think(
                RULES, drawn.levels[seat], game.view(seat), seat, key, len(game.log)
            )
        else:
            plan = _by_lot(game, seat, chance)
        _carry_out(game, seat, plan)
    if fold(RULES, game.log.line()) != game.state:
        raise Fault("the log folds to another position")
    if (found := verify(RULES, game.log).divergence) is not None:
        raise Fault(f"replayed, it comes out otherwise: {found}")
    return game


def _tiles(scenario: Scenario) -> int:
    """Return the number of tiles of a scenario; 0 for a new map."""
    return sum(map(len, cast("Map", scenario).rows))


def _by_lot(game: AnyGame, seat: Seat, chance: random.Random) -> Sequence[Any]:
    """Return a random offer, or sometimes the end of the turn."""
    offers = list(RULES.offers(game.view(seat)))
    ends = [one for one in offers if isinstance(one, EndTurn)]
    if ends and chance.random() < 1 / _ORDERS:
        return ends
    lasting = [one for one in offers if chance.random() < _KEPT.get(type(one), 1)]
    return [chance.choice(lasting or offers)]


def _carry_out(game: AnyGame, seat: Seat, plan: Sequence[Any]) -> None:
    for command in plan:
        before: State = game.state
        try:
            entry = game.submit(seat, command)
        except Refused:
            return
        state = before
        for event in entry.events:
            now = RULES.evolve(state, event)
            for wrong in (*of_position(now), *of_event(state, event, now)):
                raise Fault(f"round {now.turn}, {type(event).__name__}: {wrong}")
            state = now
        if state != game.state:
            raise Fault("the events of an entry lead to another position")


def of_position(state: State) -> Iterator[str]:
    """Yield faults of a position, by numbers 23 to 28 of section 22."""
    yield from _armies(state)
    for side in state.sides.values():
        if side.gold < 0:
            yield f"side {side.id} has {side.gold} gold"
    for city in state.cities.values():
        if city.razed and (city.owner != NOBODY or city.slots or city.defence):
            yield f"the razed city {city.id} has an owner, slots or a defence"


def _armies(state: State) -> Iterator[str]:
    for at, stack in stacks(state.armies).items():
        if len(stack) > STACK:
            yield f"{len(stack)} armies on {at}"
        if len({army.owner for army in stack}) > 1:
            yield f"armies of two sides on {at}"
    for army in state.armies.values():
        if army.points < 0:
            yield f"army {army.id} has {army.points} points left"
        if army.hp and not 0 <= army.hp.lost < army.hp.most:
            yield f"army {army.id} lives with {army.hp}"
    if twice := set(state.armies) & set(state.transits):
        yield f"armies {sorted(twice)} are on the map and on their way"


_LEAST_DAMAGE: Final = 288
"""Minimum damage of a hit in units."""


def of_battle(before: State, event: BattleFought) -> Iterator[str]:
    """Yield faults of a battle by numbers 4, 5, 10, 12 to 15 and 18 of section 22."""
    lines = event.attackers, event.defenders
    fighters = {one.army: one for line in lines for one in line}
    for one in fighters.values():
        ship = before.armies[one.army].aboard and before.options.ship_strength == "fixed4"
        least, greatest = (4, 4) if ship else (1, 14)
        if not least <= one.strength <= greatest:
            yield f"army {one.army} fights with {one.strength}"
    if any(part.source == "defence" for part in event.helped):
        yield "the attackers have a defence"
    hits = hits_of(*lines, event.duels)
    if before.options.combat_rule != "dice":
        yield from _of_hits(before, fighters, hits)
    left = {army: units_left(one) for army, one in fighters.items()}
    most = sum(-(-units // _LEAST_DAMAGE) for units in left.values())
    if len(hits) > most:
        yield f"{len(hits)} hits, {most} are possible"
    for hit in hits:
        if left[hit.hitter] == 0 or left[hit.target] == 0:
            yield f"hit {hit.time} is by or on a dead army"
        left[hit.target] = max(0, left[hit.target] - hit.damage)
    alive = [[left[one.army] > 0 for one in line] for line in lines]
    if any(alive[0]) == any(alive[1]) or event.won != any(alive[0]):
        yield "not exactly one side survives"
    if alive != [sorted(row) for row in alive]:
        yield "the dead are not the first of their line"


def _of_hits(
    before: State, fighters: Mapping[int, Fighter], hits: Sequence[BattleHit]
) -> Iterator[str]:
    """Yield faults of the order and the damage of hits without dice."""
    sides = 24 if before.options.intense_combat == "on" else 20
    for number, hit in enumerate(hits):
        a, d = fighters[hit.hitter].strength, fighters[hit.target].strength
        if hit.by_attacker != (number % 2 == 0):
            yield f"hit {number} is out of turn"
        if hit.damage != max(5 * 2880 * a * (sides - d) // sides**2, _LEAST_DAMAGE):
            yield f"{a} on {d} does {hit.damage}"


def of_event(before: State, event: object, after: State) -> Iterator[str]:
    """Yield faults of an event: a battle, or loot that is not half of the owner's loss."""
    if isinstance(event, BattleFought):
        yield from of_battle(before, event)
    if not isinstance(event, CityTaken):
        return
    old, new = before.cities[event.city.id].owner, event.city.owner
    if old == NOBODY or new == NOBODY:
        return
    gained = after.sides[new].gold - before.sides[new].gold
    lost = before.sides[old].gold - after.sides[old].gold
    if 2 * gained != lost:
        yield f"side {new} gains {gained}, side {old} loses {lost}"


if __name__ == "__main__":
    sys.exit(main())
