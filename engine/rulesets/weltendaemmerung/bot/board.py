"""Mutable board for bots: flat lists with a rim, so that no neighbour is out of bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from engine.rulesets.weltendaemmerung.bot.kinds import OFF, PROFILES
from engine.rulesets.weltendaemmerung.phases import GIVES_ATTACKS, LAST
from engine.rulesets.weltendaemmerung.state import ELDOIN, State, Terrain, View

EMPTY: Final = -1

Paths = tuple[dict[int, int], dict[int, int]]
"""Points paid to reach each tile, and the tile from which it is entered."""


@dataclass(frozen=True)
class PlannedMove:
    """Move of a unit: the tiles of its path, as (x, y)."""

    slot: int
    path: tuple[tuple[int, int], ...]


class BotBoard:
    """Position as flat lists; a tile is ``(y + 1) * stride + x + 1``.

    A unit is a *slot*, its index in the roster. ``who`` holds the slot on each tile or EMPTY.
    """

    def __init__(self, view: View | State) -> None:
        """Copy a position into flat lists, so that moves leave the position unchanged."""
        cells = view.terrain.cells
        self.height, self.width = int(cells.shape[0]), int(cells.shape[1])
        self.stride = self.width + 2
        rimmed = np.full((self.height + 2, self.stride), OFF, dtype=np.int16)
        rimmed[1:-1, 1:-1] = cells
        self.ground: list[int] = rimmed.ravel().tolist()
        self.frontier = view.frontier
        self.origin = view.options.price_tile == "origin"
        self.afford = view.options.last_step == "must_afford"
        self.eight = view.options.steps == "eight"
        self.exact = view.options.reach == "exact"
        self.edge_wins = view.options.west_edge_win == "on"
        self.rounds, self.completed = view.rounds, view.completed
        self.phase, self.player = view.phase, view.player
        self.winner = view.winner
        self.sites = [(self.tile(site.x, site.y), site.ruined) for site in view.sites.values()]
        rows = view.units.rows()
        self.ids = [unit.id for unit in rows]
        self.kind = [unit.type for unit in rows]
        self.at = [self.tile(unit.x, unit.y) for unit in rows]
        self.v = [unit.v for unit in rows]
        self.b = [unit.b for unit in rows]
        self.b_max = [unit.b_max for unit in rows]
        self.alive = [unit.alive for unit in rows]
        self.who = [EMPTY] * len(self.ground)
        for slot, tile in enumerate(self.at):
            if self.alive[slot]:
                self.who[tile] = slot

    def copy(self) -> Self:
        """Return a copy; changes to it leave this board unchanged."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        for name in ("at", "v", "b", "alive", "who", "ground", "sites"):
            setattr(new, name, list(getattr(self, name)))
        return new

    def tile(self, x: int, y: int) -> int:
        """Return the number of the tile at (x, y)."""
        return (y + 1) * self.stride + x + 1

    def place(self, tile: int) -> tuple[int, int]:
        """Return (x, y) of a tile."""
        row, column = divmod(tile, self.stride)
        return column - 1, row - 1

    def side(self, slot: int) -> int:
        """Return the side of a unit."""
        return PROFILES[self.kind[slot]].side

    def living(self, side: int) -> list[int]:
        """Return the slots of a side's living units, in order."""
        alive = self.alive
        return [
            slot
            for slot, kind in enumerate(self.kind)
            if alive[slot] and PROFILES[kind].side == side
        ]

    def find(self, kind: int) -> int:
        """Return the first living unit of a type, or -1."""
        for slot, its in enumerate(self.kind):
            if its == kind and self.alive[slot]:
                return slot
        return -1

    def move(self, slot: int, tile: int) -> None:
        """Put a unit on a free tile, without paying."""
        self.who[self.at[slot]] = EMPTY
        self.who[tile] = slot
        self.at[slot] = tile

    def march(self, slot: int, tile: int, paths: Paths) -> PlannedMove:
        """Move a unit along its path to a tile in reach, and pay for it; return the move."""
        paid, came = paths
        made = PlannedMove(slot, self.trail(came, tile))
        self.b[slot] = max(0, self.b[slot] - paid[tile])
        self.move(slot, tile)
        return made

    def remove(self, slot: int) -> None:
        """Take a destroyed unit off the board."""
        self.who[self.at[slot]] = EMPTY
        self.alive[slot] = False

    def neighbours(self) -> tuple[int, ...]:
        """Return the offsets of the four neighbours of a tile."""
        return (-self.stride, self.stride, -1, 1)

    def reach(self, slot: int, points: int) -> Paths:
        """Return the paths of a unit with ``points`` points; its own tile is included.

        See: WD-MOVE-2, WD-MOVE-3, WD-MOVE-7, WD-MOVE-8.
        """
        kind = PROFILES[self.kind[slot]]
        enter, price = kind.enter, kind.price
        ground, who, steps, origin = self.ground, self.who, self.neighbours(), self.origin
        start = self.at[slot]
        paid, came = {start: 0}, {start: start}
        queues: list[list[int]] = [[] for _ in range(points)]
        if points:
            queues[0].append(start)
        for spent, queue in enumerate(queues):
            for tile in queue:
                if paid[tile] != spent:
                    continue
                leaving = spent + price[ground[tile]]
                for step in steps if not self.eight else self._eight(tile, enter):
                    to = tile + step
                    if who[to] >= 0 or not enter[ground[to]]:
                        continue
                    cost = leaving if origin else spent + price[ground[to]]
                    if self.afford and cost > points:
                        continue
                    if to not in paid or cost < paid[to]:
                        paid[to] = cost
                        came[to] = tile
                        if cost < points:
                            queues[cost].append(to)
        return paid, came

    def _eight(self, tile: int, enter: tuple[bool, ...]) -> list[int]:
        """Return offsets of steps and diagonals; a diagonal needs one enterable tile beside it."""
        wide, ground = self.stride, self.ground
        steps = [-wide, wide, -1, 1]
        steps.extend(
            vertical + sideways
            for vertical in (-wide, wide)
            for sideways in (-1, 1)
            if enter[ground[tile + vertical]] or enter[ground[tile + sideways]]
        )
        return steps

    def trail(self, came: dict[int, int], tile: int) -> tuple[tuple[int, int], ...]:
        """Return the path to a tile in reach as (x, y), without the unit's own tile."""
        path: list[tuple[int, int]] = []
        while came[tile] != tile:
            path.append(self.place(tile))
            tile = came[tile]
        return tuple(reversed(path))

    def is_western(self, tile: int) -> bool:
        """Return whether a tile is on Eldoin's land. See: WD-GATE-2, WD-SIEGE-4."""
        return tile % self.stride - 1 < self.frontier

    def break_down(self, tile: int) -> None:
        """Turn a gate or wall into pavement, and ruin its site. See: WD-SIEGE-3, WD-SIEGE-5."""
        self.ground[tile] = Terrain.PAVEMENT
        self.sites = [(site, ruined or site == tile) for site, ruined in self.sites]

    def usable(self, side: int) -> list[int]:
        """Return the gate sites that a side may work. See: WD-GATE-2, WD-GATE-5."""
        return [
            tile
            for tile, ruined in self.sites
            if not ruined and self.is_western(tile) == (side == ELDOIN)
        ]

    def work(self, tile: int, side: int) -> None:
        """Shut an open gate site, or open a shut one; ``side`` works it. See: WD-GATE-3."""
        shut = self.ground[tile] == Terrain.GATE
        opened = Terrain.PAVEMENT if side == ELDOIN else Terrain.MEADOW
        self.ground[tile] = opened if shut else Terrain.GATE

    def end_phase(self) -> None:
        """End the phase, and if due the round and the game. See: WD-TURN-1."""
        ended = 2 * self.phase + self.player + 1
        if ended == LAST:
            self.b = list(self.b_max)
            self.completed += 1
            if self.completed >= self.rounds:
                self.winner = ELDOIN
                return
            ended = 0
        elif ended in GIVES_ATTACKS:
            self.b = [1] * len(self.b)
        self.player, self.phase = ended % 2, ended // 2
