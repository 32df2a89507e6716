"""March at every tile of every foreign city: ``python -m tests.strategic.moving.sweep``.

Groups of all kinds are placed on random tiles of the shipped scenarios and of new maps, for both
games and both columns of Warlords II. Each path must have the minimum cost that a plain search
finds to any tile of the city, within the windows of the rule book if it has any. If that search
finds a path, the march must find one too. The cost of a path that is cut off after its maximum
number of steps is not compared. ``--groups`` is the number of groups on each map.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, Final, NamedTuple

from engine.core.game import Game
from engine.core.record import replace
from engine.core.registry import find
from engine.core.ruleset import Scenario
from engine.core.scenarios import fitted
from engine.kit.grid import Place
from engine.rulesets.lordsawar import scene as lordsawar
from engine.rulesets.lordsawar.rule_settings import settings_in
from engine.rulesets.lordsawar.state import State as RealmState
from engine.rulesets.warlords2 import scene as warlords2
from engine.rulesets.warlords2.options import CLASSIC
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic import costs, routes, sight
from engine.strategic.costs import Mode, Mover
from engine.strategic.path_cache import PathCache
from engine.strategic.pieces import Army, City
from engine.strategic.settings import RuleSettings
from engine.strategic.world import World, armies_at, city_at, is_boat, is_on_map

_STEPS: Final = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)


class Position(NamedTuple):
    """A position at the start of a game, without fog, and its settings."""

    name: str
    world: World
    settings: RuleSettings


class Sweep(NamedTuple):
    """Number of marches, and the faults found."""

    marches: int
    detours: tuple[str, ...]
    refusals: tuple[str, ...]


def begun(game: str, scene: Scenario, options: Mapping[str, Any], name: str) -> Position:
    """Return the position at the start of a game on a scenario."""
    rules = find(game)
    state = Game.begin(rules, scene, options, b"sweep").state
    settings = settings_in(state) if isinstance(state, RealmState) else settings_of(state.options)
    return Position(name, state, settings)


def shipped(game: str, name: str, options: Mapping[str, Any]) -> Position:
    """Return the position at the start of a game on a shipped scenario."""
    return begun(game, find(game).scenarios()[name], options, f"{game} {name}")


def new_map(game: str, seed: int, size: Place, options: Mapping[str, Any]) -> Position:
    """Return the position at the start of a game on a new map."""
    kind: Any = lordsawar if game == "lordsawar" else warlords2
    made = kind.NewMap(seed=seed, sides=4, width=size[0], height=size[1])
    scene = fitted(find(game), kind.Map("swept", "Swept", "", new=made), 4)
    return begun(game, scene, options, f"{game} new map {seed}")


OPEN: Final = {"hidden_map": "off"}
CLASSIC_OPEN: Final = {**CLASSIC, "hidden_map": "off"}


def positions(size: Place, seeds: Sequence[int]) -> Iterator[Position]:
    """Yield shipped scenarios and new maps, Warlords II in both columns."""
    for game, columns in (("warlords2", (OPEN, CLASSIC_OPEN)), ("lordsawar", (OPEN,))):
        for options in columns:
            for name, scene in find(game).scenarios().items():
                if getattr(scene, "new", None) is None:
                    yield shipped(game, name, options)
            for seed in seeds:
                yield new_map(game, seed, size, options)


def groups(position: Position, number: int, seed: int) -> Iterator[tuple[World, tuple[Army, ...]]]:
    """Yield random groups of the first side on free tiles, each in a world with it."""
    lots = random.Random(seed)  # noqa: S311 - groups by lot
    world, rules = position.world, position.settings.moving
    own = [army for army in world.armies.values() if army.owner == 0]
    kinds = [kind for kind in world.types.values() if kind.move]
    while number:
        at = lots.randrange(world.width), lots.randrange(world.height)
        types = lots.choices(kinds, k=lots.choice((1, 1, 2, 3)))
        group = tuple(
            replace(own[0], id=world.next_id + k, type=kind.id, x=at[0], y=at[1], hero=None)
            for k, kind in enumerate(types)
        )
        placed = replace(world, armies=world.armies.put(*group))
        if costs.is_water(world, rules, at):
            group = tuple(
                replace(army, aboard=costs.boards(placed, army))
                if not is_boat(placed, army)
                else army
                for army in group
            )
            placed = replace(world, armies=world.armies.put(*group))
        who = costs.mover(placed, rules, group)
        held = armies_at(world, at) or city_at(world, at)
        if who is not None and not held and costs.passable(placed, rules, who.mode)[at[1], at[0]]:
            number -= 1
            yield placed, group


def swept(position: Position, number: int, seed: int) -> Sweep:
    """March with random groups at all tiles of all foreign cities."""
    detours, refusals, marches = list[str](), list[str](), 0
    for world, group in groups(position, number, seed):
        who = costs.mover(world, position.settings.moving, group)
        assert who is not None
        search = Search(world, position.settings, who, group[0].at)
        outlook = PathCache(world, position.settings, 0, group, human=True)
        for city in world.cities.values():
            if city.owner == 0 or city.razed:
                continue
            for to in city.tiles:
                marches += 1
                route = routes.ordered(world, position.settings, 0, group, to)
                assert route == outlook.way(to)
                least = search.least(city, to, None if route is None else route.cost)
                told = f"{position.name}: {who} from {group[0].at} to {to}: {route}, least {least}"
                if route is None and least is not None:
                    refusals.append(told)
                elif route is not None and route.path[-1] in city.tiles and route.cost != least:
                    detours.append(told)
    return Sweep(marches, tuple(detours), tuple(refusals))


class Search:
    """Plain search for the cheapest paths of a group."""

    def __init__(self, world: World, settings: RuleSettings, who: Mover, src: Place) -> None:
        """Search the whole map."""
        self._world, self._settings, self._who, self._src = world, settings, who, src
        known = costs.prices(world, settings, who)
        self._steps, self._zone = known.steps.tolist(), known.zone.tolist()
        self._shut = known.shut.tolist()
        self._docks = sight.docks(world, settings.moving)
        self._everywhere = self._spent((0, 0), (world.width - 1, world.height - 1))

    def least(self, city: City, to: Place, found: int | None) -> int | None:
        """Return the lowest cost to any tile of a city, or None without a path.

        The cost is that of the first window with a path. The windows are not searched if the whole
        map has no lower cost than ``found``.
        """
        whole = self._into(city, self._everywhere)
        if whole is None or whole == found:
            return whole
        for radius in routes.windows(self._settings.moving, human=True):
            if radius is None:
                return whole
            (ax, ay), (bx, by) = self._src, to
            low = max(0, min(ax, bx) - radius), max(0, min(ay, by) - radius)
            high = max(ax, bx) + radius, max(ay, by) + radius
            cost = self._into(city, self._spent(low, high))
            if cost is not None:
                return cost
        return None

    def _spent(self, low: Place, high: Place) -> dict[Place, int]:
        """Return the points to each tile of a window from which a path can continue."""
        toll = self._settings.moving.zone_toll
        found, queue = {self._src: 0}, [(0, self._src)]
        while queue:
            spent, (x, y) = heappop(queue)
            if spent > found[x, y]:
                continue
            for dx, dy in _STEPS:
                at = x + dx, y + dy
                if not (low[0] <= at[0] <= high[0] and low[1] <= at[1] <= high[1]):
                    continue
                if not is_on_map(self._world, at) or self._shut[at[1]][at[0]]:
                    continue
                price = self._steps[at[1]][at[0]]
                if not price:
                    continue
                price += toll if self._zone[at[1]][at[0]] and not self._zone[y][x] else 0
                if spent + price < found.get(at, spent + price + 1):
                    found[at] = spent + price
                    heappush(queue, (spent + price, at))
        return found

    def _into(self, city: City, spent: Mapping[Place, int]) -> int | None:
        """Return the lowest cost of an attack on any tile of a city, given costs of tiles."""
        found = []
        for x, y in city.tiles:
            entry = costs.entry(self._world, self._settings, self._who, (x, y))
            beside = ((x + dx, y + dy) for dx, dy in _STEPS)
            for at in (at for at in beside if entry and at in spent):
                lands = self._who.mode is Mode.WATER and self._who.aboard
                if not lands or self._docks[at[1], at[0]] or self._docks[y, x]:
                    attack = costs.attack_price(self._settings.moving, entry)
                    found.append(spent[at] + attack)
        return min(found, default=None)


def main() -> int:
    """Sweep all positions; return 1 if a march is a detour or refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=20, help="on each map")
    parser.add_argument("--maps", type=int, default=4, help="new maps of each game and column")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    marches, wrong = 0, 0
    for position in positions((64, 80), range(args.seed, args.seed + args.maps)):
        found = swept(position, args.groups, args.seed)
        marches, wrong = marches + found.marches, wrong + len(found.detours + found.refusals)
        counts = f"{found.marches} marches, {len(found.detours)} detours"
        sys.stdout.write(f"{position.name}: {counts}, {len(found.refusals)} refusals\n")
        sys.stdout.writelines(f"  {line}\n" for line in (*found.detours, *found.refusals)[:3])
        sys.stdout.flush()
    sys.stdout.write(f"{marches} marches, {wrong} wrong\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
