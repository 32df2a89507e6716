"""What is computed once per phase from a position: distances, fire, strengths, odds."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine.rulesets.weltendaemmerung.bot.board import Board
from engine.rulesets.weltendaemmerung.bot.goals import FAR, Walk, field, tolls_of
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS, NUMBER
from engine.rulesets.weltendaemmerung.bot.maps import Grid, disc, halves, raise_to, stamp
from engine.rulesets.weltendaemmerung.bot.numbers import WORTH
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN

GATE_TOLL = 9
"""Points a shut gate in the way counts as: about a round for the siege units to come up."""

WALL_TOLL = 14
"""The same for a wall, which fewer can break."""

NEAR = 9
"""How far round a tile the strengths that meet there are counted."""


class Situation:
    """A position and what follows from it. Everything is computed when first asked for."""

    def __init__(self, board: Board) -> None:
        """Look at a board as it is now."""
        self.board = board
        self.exact = board.exact
        self.edge_wins = board.edge_wins
        self.rounds_left = board.rounds - board.completed
        self.commander = board.find(NUMBER["lord_e"])
        self._ground = bytes(board.ground)
        self._walks: dict[int, Walk] = {}
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
        gates = any(KINDS[kind].breaks_gates for kind in kinds)
        return gates, any(KINDS[kind].breaks_walls for kind in kinds)

    def walk(self, kind: int) -> Walk:
        """How a type walks here."""
        if kind not in self._walks:
            its = KINDS[kind]
            gates, walls = self._breakers
            self._walks[kind] = Walk(
                self._ground,
                self.board.stride,
                self.board.frontier,
                its.side,
                its.kind == "flyer",
                its.enter,
                its.price,
                GATE_TOLL if gates else FAR,
                WALL_TOLL if walls else FAR,
            )
        return self._walks[kind]

    def tolls(self, kind: int) -> list[int]:
        """What each tile costs a type on top, or FAR."""
        return tolls_of(self.walk(kind))

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

    def blank(self) -> Grid:
        """An empty map with the board's rim."""
        return np.zeros((self.board.height + 2, self.board.stride))

    def fire(self, side: int) -> list[float]:
        """The damage that a side's units can do to each tile from where they stand."""
        grid = self.blank()
        board = self.board
        for slot in board.living(side):
            kind = KINDS[board.kind[slot]]
            mask = disc(kind.range, exact=self.exact)
            stamp(grid, *divmod(board.at[slot], board.stride), mask, kind.mean)
        flat: list[float] = grid.ravel().tolist()
        return flat

    def prizes(self, kind: int) -> list[float]:
        """The best that one hit of a type on an enemy in range of each tile is worth."""
        board, its = self.board, KINDS[kind]
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
            kind = KINDS[board.kind[slot]]
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
