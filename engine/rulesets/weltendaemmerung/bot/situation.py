"""Assessment of a position: distances, fire, odds and threats, computed once a phase."""

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
    halves,
    raise_to,
    stamp,
    surcharges,
    widened,
)
from engine.rulesets.weltendaemmerung.bot.kinds import NUMBER, PROFILES, WORTH
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN

GATE_COST = 9
"""Points a shut gate in the way counts as: about a round for the siege units to come up."""

WALL_COST = 14
"""The same for a wall, which fewer can break."""

NEAR = 9
"""How far round a tile the strengths that meet there are counted."""

RUNNER = 60.0
"""What it is worth to hit a unit that could step on the west edge the round after."""

OUTLOOK = 34
"""Tiles from Eldoin's nearest unit beyond which a Dailor unit matters to nobody this round."""


class Assessment:
    """A position and what follows from it. Everything is computed when first asked for."""

    def __init__(self, board: BotBoard) -> None:
        """Look at a board as it is now."""
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
        """Eldoin's living units when this was computed."""
        return self.board.living(ELDOIN)

    @cached_property
    def dailor(self) -> list[int]:
        """Dailor's living units when this was computed."""
        return self.board.living(DAILOR)

    @cached_property
    def _breakers(self) -> tuple[bool, bool]:
        kinds = {self.board.kind[slot] for slot in self.dailor}
        gates = any(PROFILES[kind].breaks_gates for kind in kinds)
        return gates, any(PROFILES[kind].breaks_walls for kind in kinds)

    def walk(self, kind: int) -> WalkProfile:
        """How a type walks here."""
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

    def tolls(self, kind: int) -> list[int]:
        """What each tile costs a type on top, or FAR."""
        return surcharges(self.walk(kind))

    def field_to(self, kind: int, goals: tuple[int, ...]) -> list[int]:
        """The field of a type to some tiles; types that walk alike share it."""
        key = (kind, goals)
        if key not in self._fields:
            self._fields[key] = field(self.walk(kind), goals)
        return self._fields[key]

    def to_edge(self, kind: int) -> list[int]:
        """Distances to the west edge."""
        board = self.board
        if not self.edge_wins:
            return [FAR] * len(board.ground)
        return self.field_to(kind, tuple(board.tile(0, y) for y in range(board.height)))

    def to_commander(self, kind: int) -> list[int]:
        """Distances to the tile of Eldoin's commander."""
        if self.commander < 0:
            return [FAR] * len(self.board.ground)
        return self.field_to(kind, (self.board.at[self.commander],))

    def to_goal(self, kind: int) -> list[int]:
        """Distances to whichever of Dailor's two goals is nearer."""
        key = (kind, ())
        if key not in self._fields:
            pairs = zip(self.to_edge(kind), self.to_commander(kind), strict=True)
            self._fields[key] = [min(pair) for pair in pairs]
        return self._fields[key]

    def blank(self) -> TileValues:
        """An empty map with the board's rim."""
        return np.zeros((self.board.height + 2, self.board.stride))

    def fire(self, side: int) -> list[float]:
        """The damage that a side's units can do to each tile from where they stand."""
        grid = self.blank()
        board = self.board
        for slot in board.living(side):
            kind = PROFILES[board.kind[slot]]
            mask = disc(kind.range, exact=self.exact)
            stamp(grid, *divmod(board.at[slot], board.stride), mask, kind.mean)
        flat: list[float] = grid.ravel().tolist()
        return flat

    def prizes(self, kind: int) -> list[float]:
        """The best that one hit of a type on an enemy in range of each tile is worth."""
        board, its = self.board, PROFILES[kind]
        mask = disc(its.range, exact=self.exact)
        grid = self.blank()
        for slot in board.living(1 - its.side):
            share = min(1.0, its.mean / board.v[slot])
            value = WORTH[board.kind[slot]] * share * (1.3 if share >= 1 else 1.0)
            raise_to(grid, *divmod(board.at[slot], board.stride), mask, value)
        flat: list[float] = grid.ravel().tolist()
        return flat

    @cached_property
    def odds(self) -> list[float]:
        """Dailor's chance, 0 to 1, in a fight round each tile, Eldoin striking first.

        Both sides' life and damage in the neighbourhood, as in Lanchester's square law.
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
        flat: list[float] = (ours / np.maximum(ours + theirs, 1)).ravel().tolist()
        return flat

    def discs(self, reach: int) -> tuple[int, ...]:
        """The half widths of a range under the game's option for reach."""
        return halves(reach, exact=self.exact)

    def in_range(self, reach: int, one: int, other: int) -> bool:
        """Whether two tiles are within a range. Rules: WD-ATT-2."""
        row, column = divmod(one, self.board.stride)
        other_row, other_column = divmod(other, self.board.stride)
        dx, dy = column - other_column, row - other_row
        square = dx * dx + dy * dy
        return square <= reach * reach if self.exact else square < (reach + 1) * (reach + 1)


# -- threats -----------------------------------------------------------------------------


@dataclass
class ThreatMap:
    """``harm``: damage that can fall on a tile; ``strikers``: by how many units.

    ``presence``: how much it is worth to have a tile under fire, from who may stand there.
    ``runners``: units that could be on the west edge after their coming move.
    """

    harm: TileValues
    strikers: TileValues
    presence: TileValues
    runners: list[int]


def threat_of(sit: Assessment) -> ThreatMap:
    """What Dailor can do with full points from where he stands."""
    board = sit.board
    made = ThreatMap(sit.blank(), sit.blank(), sit.blank(), [])
    flat = made.presence.reshape(-1)
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
        window, mask = widened(tiles, stride, height, sit.discs(kind.range))
        made.harm[window] += kind.mean * mask
        made.strikers[window] += mask
        flat[tiles] += _presence(sit, slot, tiles)
    return made


def present(sit: Assessment) -> ThreatMap:
    """What a short-sighted player sees: the enemy where he stands, and no harm in sight."""
    board = sit.board
    made = ThreatMap(sit.blank(), sit.blank(), sit.blank(), [])
    flat = made.presence.reshape(-1)
    for slot in sit.dailor:
        flat[board.at[slot]] += WORTH[board.kind[slot]]
    return made


def _presence(sit: Assessment, slot: int, tiles: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """How a unit's worth spreads over the tiles it may go to, the most likely ones first."""
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
