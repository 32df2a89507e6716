"""A position on which a computer player tries things: stacks, reserves, gold, and battles.

A board changes in place; ``copy`` it first. Dice come from ``pools`` and forecasts from ``odds``;
both are cached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from engine.core.record import replace
from engine.kit.dice_pools import DicePool
from engine.rulesets.kaladan.board import capacity, has_castle, living, neighbours, stacks
from engine.rulesets.kaladan.odds import RollTerms, roll_odds
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE, terrain_dice, unit_dice
from engine.rulesets.kaladan.state import NOBODY, StateOrView, Unit
from engine.rulesets.kaladan.tables import first_seat, realms

WORTH: Final[Mapping[str, float]] = {
    "sword": 1.0,
    "archer": 1.0,
    "shield": 1.0,
    "catapult": 2.0,
    "special": 2.2,
    "general": 2.6,
    "crown": 0.0,
}
"""Worth of a unit, in about its price in gold; a Crown is valued separately."""

RENEWED: Final[Mapping[str, float]] = {**WORTH, "special": 0.4}
"""Worth of a unit if Special Units fall first; all others stay dead. See: KA-9, KA-12."""

UPGRADE: Final = 0.5
"""Share of its worth that an upgrade adds to a unit."""

_MOST_ROLLS: Final = 8192
_MOST_LANDS: Final = 16


def worth(unit: Unit, worths: Mapping[str, float] = WORTH) -> float:
    """Return the worth of a unit."""
    return worths[unit.kind] * (1 + UPGRADE * unit.upgraded)


def total_worth(units: Iterable[Unit], worths: Mapping[str, float] = WORTH) -> float:
    """Return the total worth of some units."""
    return sum(worth(unit, worths) for unit in units)


def dearest_last(units: Iterable[Unit], worths: Mapping[str, float] = WORTH) -> list[Unit]:
    """Return the units in the order in which they are given up, the Crown last.

    Of units with equal worth, Archers go first, because they defend worst. See: KA-18.2.
    """

    def reluctance(unit: Unit) -> tuple[bool, float, int, int]:
        crown, place = unit.kind == "crown", _KEPT.index(unit.kind)
        return crown, worth(unit, worths), place, unit.id

    return sorted(units, key=reluctance)


_KEPT: Final = ("archer", "sword", "shield", "catapult", "special", "general", "crown")


# -- rolls -----------------------------------------------------------------------------------------


class Roll(NamedTuple):
    """Forecast of a roll: casualties of both sides with their chance, and the main chances.

    ``clears`` is the chance that no defender is left, ``beaten`` that no attacker is left.
    """

    rows: tuple[tuple[int, int, float], ...]
    clears: float
    beaten: float


@lru_cache(maxsize=_MOST_ROLLS)
def rolled(attack: DicePool, defence: DicePool, attackers: int, defenders: int) -> Roll:
    """Forecast a roll of two sorted pools for these numbers of units."""
    odds = roll_odds(attack, defence, terms=RollTerms((attackers, defenders), (True, True)))
    rows = tuple((one, other, float(chance)) for one, other, chance in odds.losses)
    return Roll(rows, float(odds.crowns[DEFENCE]), float(odds.crowns[ATTACK]))


# -- land ------------------------------------------------------------------------------------------


class BotLand:
    """All that never changes in a game: neighbours, capacities, Castles, and dice of units."""

    def __init__(self, seen: StateOrView) -> None:
        self.tiles = tuple(seen.tiles)
        self.beside = {tile: neighbours(seen.layout, tile) for tile in self.tiles}
        self.places = {tile: capacity(seen.tiles[tile]) for tile in self.tiles}
        self.castles = frozenset(tile for tile in self.tiles if has_castle(seen, tile))
        self.realms = {player.id: player.realm for player in seen.players.values()}
        self._seen = seen
        self._dice: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._ground: dict[tuple[int, int, int], tuple[int, ...]] = {}

    def dice(
        self, unit: Unit, side: int, source: int, target: int, *, court: bool
    ) -> tuple[int, ...]:
        """Return the dice of a unit in an attack; ``court`` if a General or Crown is with it."""
        special = unit.kind == "special"
        name: object = (unit.id, court) if special else unit.kind
        key = name, unit.upgraded, side, source, target
        found = self._dice.get(key)
        if found is None:
            realm = realms()[self.realms[first_seat(unit.id)]] if special else None
            if realm is not None and realm.bonus_when == "with_own_general_or_crown":
                found = realm.bonus_dice if court else realm.dice
            else:
                found = unit_dice(self._seen, unit, side, (source, target))
            self._dice[key] = found
        return found

    def pool(self, units: Sequence[Unit], side: int, source: int, target: int) -> DicePool:
        """Return the sorted sizes of one side's dice in an attack. See: KA-7.5."""
        key = side, source, target
        ground = self._ground.get(key)
        if ground is None:
            ground = terrain_dice(self._seen, side, (source, target))
            if side == DEFENCE and target in self.castles and self._seen.options.castle_die == "d8":
                ground = (*ground, 8)
            self._ground[key] = ground
        court = any(unit.kind in ("general", "crown") for unit in units)
        found = [*ground]
        for unit in units:
            found += self.dice(unit, side, source, target, court=court)
        return tuple(sorted(found))

    def roll(
        self, attackers: Sequence[Unit], source: int, defenders: Sequence[Unit], target: int
    ) -> Roll:
        """Forecast an attack of some units on others, without cards."""
        return rolled(
            self.pool(attackers, ATTACK, source, target),
            self.pool(defenders, DEFENCE, source, target),
            len(attackers),
            len(defenders),
        )


_lands: dict[tuple[object, ...], BotLand] = {}


def land_of(seen: StateOrView) -> BotLand:
    """Return the land of a game, cached for the last few games."""
    key = (
        seen.layout,
        seen.options.castle_die,
        tuple((tile.terrain, tile.castle) for tile in seen.tiles.values()),
        tuple(player.realm for player in seen.players.values()),
    )
    found = _lands.get(key)
    if found is None:
        found = BotLand(seen)
        if len(_lands) >= _MOST_LANDS:
            _lands.clear()
        _lands[key] = found
    return found


# -- boards ----------------------------------------------------------------------------------------


class BotBoard:
    """Stacks by tile, reserves and gold by seat, units that are done, and the worths of units."""

    __slots__ = ("alive", "done", "fought", "gold", "land", "reserve", "stacks", "worths")

    def __init__(
        self,
        land: BotLand,
        stacks: dict[int, tuple[Unit, ...]],
        reserve: dict[int, tuple[Unit, ...]],
        gold: dict[int, int],
        worths: Mapping[str, float],
    ) -> None:
        self.land = land
        self.stacks = stacks
        self.reserve = reserve
        self.gold = gold
        self.worths = worths
        self.alive = tuple(gold)
        self.done: frozenset[int] = frozenset()
        self.fought = False

    def copy(self) -> BotBoard:
        """Return an independent copy of the board."""
        stacks, reserve, gold = self.stacks.copy(), self.reserve.copy(), self.gold.copy()
        made = BotBoard(self.land, stacks, reserve, gold, self.worths)
        made.done, made.fought, made.alive = self.done, self.fought, self.alive
        return made

    def owner(self, tile: int) -> int:
        """Return the seat that controls a tile, or NOBODY."""
        here = self.stacks.get(tile)
        return here[0].owner if here else NOBODY

    def held(self, seat: int) -> list[int]:
        """Return the tiles that a seat controls."""
        return [tile for tile, units in self.stacks.items() if units[0].owner == seat]

    def room(self, tile: int) -> int:
        """Return the number of units for which a tile still has room."""
        return self.land.places[tile] - len(self.stacks.get(tile, ()))

    def crown_tile(self, seat: int) -> int:
        """Return the tile of a seat's Crown; 0 if it has none."""
        for tile, units in self.stacks.items():
            if units[0].owner == seat and any(unit.kind == "crown" for unit in units):
                return tile
        return 0

    def put(self, tile: int, units: Iterable[Unit]) -> None:
        """Replace the units of a tile."""
        row = tuple(units)
        if row:
            self.stacks[tile] = row
        else:
            self.stacks.pop(tile, None)

    def move(self, source: int, target: int, units: Sequence[Unit]) -> None:
        """Move units; they are done afterwards."""
        ids = {unit.id for unit in units}
        self.put(source, (unit for unit in self.stacks[source] if unit.id not in ids))
        self.put(target, (*self.stacks.get(target, ()), *units))
        self.done |= ids

    def muster(self, unit: Unit, tile: int, price: int) -> None:
        """Put a unit from the reserve on a tile and pay for it."""
        seat = unit.owner
        self.reserve[seat] = tuple(other for other in self.reserve[seat] if other.id != unit.id)
        self.put(tile, (*self.stacks.get(tile, ()), unit))
        self.gold[seat] -= price

    def upgrade(self, unit: Unit, tile: int, price: int) -> None:
        """Upgrade a unit on a tile and pay for it."""
        better = replace(unit, upgraded=True)
        row = (better if other.id == unit.id else other for other in self.stacks[tile])
        self.put(tile, row)
        self.gold[unit.owner] -= price

    def eliminate(self, seat: int, heir: int, tile: int) -> None:
        """Remove a seat; a Special Unit in its reserve appears for the heir if there is room."""
        for at in self.held(seat):
            del self.stacks[at]
        special = [u for u in self.reserve.get(seat, ()) if u.kind == "special"]
        self.alive = tuple(other for other in self.alive if other != seat)
        if heir != NOBODY and special and self.room(tile) > 0:
            risen = replace(special[0], owner=heir, place="board", tile=tile)
            self.put(tile, (*self.stacks.get(tile, ()), risen))

    def strike(self, source: int, target: int, lost: tuple[int, int]) -> None:
        """Run a battle with these casualties: choose the losses and the invaders.

        See: KA-7.7, KA-7.10, KA-8.1.
        """
        attackers, defenders = (
            dearest_last(self.stacks[tile], self.worths) for tile in (source, target)
        )
        seat, foe = attackers[0].owner, defenders[0].owner
        left, held = attackers[lost[0] :], defenders[lost[1] :]
        fallen = [
            units[0].owner
            for units, stay in ((attackers, left), (defenders, held))
            if not stay and units[-1].kind == "crown"
        ]
        self.put(source, left)
        self.put(target, held)
        if left and not held:
            places = self.land.places[target] - (foe in fallen)
            going = invaders_of(left, places, self.worths)
            self.move(source, target, going)
        for loser in fallen:
            heir = NOBODY if len(fallen) > 1 else foe if loser == seat else seat
            self.eliminate(loser, heir, target)
        self.done |= {unit.id for unit in (*left, *held)}
        self.fought = True


def invaders_of(
    units: Sequence[Unit], places: int, worths: Mapping[str, float] = WORTH
) -> list[Unit]:
    """Return the units that move into a conquered tile: best defenders, the Crown only if it must.

    If the stack has a Crown that stays, its best guards stay too. See: KA-18.2.
    """
    count = min(len(units), places)
    ordered = dearest_last(units, worths)
    if any(unit.kind == "crown" for unit in ordered):
        return ordered[:count]
    guards = sorted(ordered, key=lambda unit: _GUARD.index(unit.kind))
    return guards[:count]


_GUARD: Final = ("general", "shield", "special", "sword", "archer", "catapult", "crown")
"""Types of units, best defenders first."""


def board_of(seen: StateOrView, worths: Mapping[str, float] = WORTH) -> BotBoard:
    """Return the board of a view."""
    alive = living(seen)
    reserve: dict[int, list[Unit]] = {seat: [] for seat in alive}
    for unit in seen.units.values():
        waiting = unit.place == "reserve" or (unit.place == "fallen" and unit.kind == "special")
        if waiting and unit.owner in reserve:
            reserve[unit.owner].append(unit)
    board = BotBoard(
        land_of(seen),
        stacks(seen).copy(),
        {seat: tuple(units) for seat, units in reserve.items()},
        {seat: seen.players[seat].gold for seat in alive},
        worths,
    )
    board.done = frozenset(unit.id for unit in seen.units.values() if unit.done)
    board.fought = seen.battle_used
    return board


def losses_by_count(
    units: Iterable[Unit], worths: Mapping[str, float] = WORTH
) -> tuple[float, ...]:
    """Return the worth lost with each number of casualties, starting at 0."""
    return (0.0, *accumulate(worth(unit, worths) for unit in dearest_last(units, worths)))
