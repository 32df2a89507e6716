"""Assessment of a position: distances, fire, odds and threats, computed once per phase."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from engine.rulesets.weltendaemmerung.bot.board import BotBoard
from engine.rulesets.weltendaemmerung.bot.fields import (
    FAR,
    TileValues,
    WalkProfile,
    disc,
    field,
    flat,
    halves,
    raise_to,
    stamp,
    surcharges,
    widened,
)
from engine.rulesets.weltendaemmerung.bot.kinds import NUMBER, PROFILES, WORTH
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN

GATE_COST = 9
"""Surcharge of a shut gate in points: about a round for the siege units to arrive."""

WALL_COST = 14
"""Surcharge of a wall, which fewer types can break."""

NEAR = 9
"""Radius around a tile in which strengths are counted for its odds."""

RUNNER = 60.0
"""Worth of hitting a unit that could step onto the west edge in the next round."""

OUTLOOK = 34
"""Distance in tiles to Eldoin's nearest unit beyond which a Dailor unit is no threat this round."""


class Assessment:
    """Derived numbers of a position, computed on first use."""

    def __init__(self, board: BotBoard) -> None:
        """Assess a board as it is now."""
        self.board = board
        self.exact = board.exact
        self.edge_wins = board.edge_wins
        self.rounds_left = board.rounds - board.completed
        self.commander = board.find(NUMBER["lord_e"])
        self._ground = bytes(board.ground)
        self._walks: dict[int, WalkProfile] = {}
        self._fields: dict[tuple[int, tuple[int, ...]], list[int]] = {}

    @cached_property
    def eldoin(self) -> list[int]:
        """Eldoin's living units at the first use of this property."""
        return self.board.living(ELDOIN)

    @cached_property
    def dailor(self) -> list[int]:
        """Dailor's living units at the first use of this property."""
        return self.board.living(DAILOR)

    @cached_property
    def _breakers(self) -> tuple[bool, bool]:
        kinds = {self.board.kind[slot] for slot in self.dailor}
        gates = any(PROFILES[kind].breaks_gates for kind in kinds)
        return gates, any(PROFILES[kind].breaks_walls for kind in kinds)

    def walk(self, kind: int) -> WalkProfile:
        """Return the movement of a type over this terrain."""
        if kind not in self._walks:
            its = PROFILES[kind]
            gates, walls = self._breakers
            self._walks[kind] = WalkProfile(
                self._ground,
                self.board.stride,
                self.board.frontier,
                its.side,
                its.kind == "flyer",
                its.enter,
                its.price,
                GATE_COST if gates else FAR,
                WALL_COST if walls else FAR,
            )
        return self._walks[kind]

    def surcharges(self, kind: int) -> list[int]:
        """Return the surcharge of each tile for a type, or FAR."""
        return surcharges(self.walk(kind))

    def field_to(self, kind: int, goals: tuple[int, ...]) -> list[int]:
        """Return a type's distances to the nearest goal; types that move alike share them."""
        key = (kind, goals)
        if key not in self._fields:
            self._fields[key] = field(self.walk(kind), goals)
        return self._fields[key]

    def to_edge(self, kind: int) -> list[int]:
        """Return a type's distances to the west edge; FAR if the edge does not win."""
        board = self.board
        if not self.edge_wins:
            return [FAR] * len(board.ground)
        return self.field_to(kind, tuple(board.tile(0, y) for y in range(board.height)))

    def to_commander(self, kind: int) -> list[int]:
        """Return a type's distances to Eldoin's commander; FAR if he is dead."""
        if self.commander < 0:
            return [FAR] * len(self.board.ground)
        return self.field_to(kind, (self.board.at[self.commander],))

    def to_goal(self, kind: int) -> list[int]:
        """Return a type's distances to the nearer of Dailor's two goals."""
        key = (kind, ())
        if key not in self._fields:
            pairs = zip(self.to_edge(kind), self.to_commander(kind), strict=True)
            self._fields[key] = [min(pair) for pair in pairs]
        return self._fields[key]

    def blank(self) -> TileValues:
        """Return a new map of zeros, one for each tile of the board with its rim."""
        return np.zeros((self.board.height + 2, self.board.stride))

    def fire(self, side: int) -> list[float]:
        """Return the damage that a side's units can do to each tile from their positions."""
        grid = self.blank()
        board = self.board
        for slot in board.living(side):
            kind = PROFILES[board.kind[slot]]
            mask = disc(kind.range, exact=self.exact)
            stamp(grid, *divmod(board.at[slot], board.stride), mask, kind.mean)
        return flat(grid)

    def prizes(self, kind: int) -> list[float]:
        """Return the worth of the best hit that a type can make from each tile."""
        board, its = self.board, PROFILES[kind]
        mask = disc(its.range, exact=self.exact)
        grid = self.blank()
        for slot in board.living(1 - its.side):
            share = min(1.0, its.mean / board.v[slot])
            value = WORTH[board.kind[slot]] * share * (1.3 if share >= 1 else 1.0)
            raise_to(grid, *divmod(board.at[slot], board.stride), mask, value)
        return flat(grid)

    @cached_property
    def odds(self) -> list[float]:
        """Dailor's chance, 0 to 1, in a fight around each tile in which Eldoin strikes first.

        It follows from both sides' life and damage in the neighbourhood, as in Lanchester's square
        law.
        """
        board = self.board
        life = [self.blank(), self.blank()]
        harm = [self.blank(), self.blank()]
        for slot in (*self.eldoin, *self.dailor):
            kind = PROFILES[board.kind[slot]]
            spread = NEAR + (kind.points // 2 if kind.side == DAILOR else 0)
            mask = disc(spread, exact=True)
            where = divmod(board.at[slot], board.stride)
            stamp(life[kind.side], *where, mask, board.v[slot])
            stamp(harm[kind.side], *where, mask, kind.mean)
        rest = np.maximum(life[DAILOR] - harm[ELDOIN], 0)
        ours = rest * rest / np.maximum(life[DAILOR], 1) * harm[DAILOR]
        theirs = life[ELDOIN] * harm[ELDOIN]
        return flat(ours / np.maximum(ours + theirs, 1))

    def in_range(self, reach: int, one: int, other: int) -> bool:
        """Return whether two tiles are within a range. See: WD-ATT-2."""
        row, column = divmod(one, self.board.stride)
        other_row, other_column = divmod(other, self.board.stride)
        dx, dy = column - other_column, row - other_row
        square = dx * dx + dy * dy
        return square <= reach * reach if self.exact else square < (reach + 1) * (reach + 1)


# -- threats -----------------------------------------------------------------------------


@dataclass
class ThreatMap:
    """Maps of Dailor's possible next actions.

    ``harm``: damage that can fall on a tile. ``strikers``: number of units that can strike it.
    ``presence``: worth of having it under fire, by the units that may be there. ``runners``: units
    that could be on the west edge after their next move.
    """

    harm: TileValues
    strikers: TileValues
    presence: TileValues
    runners: list[int]


def threat_of(sit: Assessment) -> ThreatMap:
    """Return the threat of Dailor's units, with full points from their positions."""
    board = sit.board
    made = ThreatMap(sit.blank(), sit.blank(), sit.blank(), [])
    presence = made.presence.reshape(-1)
    height, stride = board.height + 2, board.stride
    homes = np.array([board.at[slot] for slot in sit.eldoin], dtype=np.int64)
    rows, columns = homes // stride, homes % stride
    for slot in sit.dailor:
        row, column = divmod(board.at[slot], stride)
        away = np.maximum(np.abs(rows - row), np.abs(columns - column)).min()
        if away > OUTLOOK:
            continue
        kind = PROFILES[board.kind[slot]]
        paid, _ = board.reach(slot, board.b_max[slot])
        tiles = np.fromiter(paid, dtype=np.int64, count=len(paid))
        if sit.edge_wins and any(tile % stride == 1 for tile in paid):
            made.runners.append(slot)
        window, mask = widened(tiles, stride, height, halves(kind.range, exact=sit.exact))
        made.harm[window] += kind.mean * mask
        made.strikers[window] += mask
        presence[tiles] += _presence(sit, slot, tiles)
    return made


def present(sit: Assessment) -> ThreatMap:
    """Return the threat map of the easy level: enemies at their positions, and no harm."""
    board = sit.board
    made = ThreatMap(sit.blank(), sit.blank(), sit.blank(), [])
    presence = made.presence.reshape(-1)
    for slot in sit.dailor:
        presence[board.at[slot]] += WORTH[board.kind[slot]]
    return made


def _presence(sit: Assessment, slot: int, tiles: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Spread the worth of a unit over its possible tiles by their likelihood."""
    board = sit.board
    kind = board.kind[slot]
    goal = sit.to_goal(kind)
    far = np.array([goal[tile] for tile in tiles.tolist()], dtype=np.float64)
    near = far.min()
    if near >= FAR:
        return np.full(len(tiles), WORTH[kind] / len(tiles))
    likely = np.exp2((near - far) / 3)
    made: npt.NDArray[np.float64] = WORTH[kind] * likely / likely.sum()
    if sit.edge_wins:
        edge = sit.to_edge(kind)
        last = np.array([edge[tile] <= board.b_max[slot] for tile in tiles.tolist()])
        if last.any():
            made += RUNNER * last / last.sum()
    return made
