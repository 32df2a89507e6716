"""A position as a computer player has it in mind: flat lists by territory, cheap to change."""

from __future__ import annotations

from typing import Final

from engine.kit.memo import recent
from engine.rulesets.gd6.forces import Forces, longest_way
from engine.rulesets.gd6.state import NOBODY, Seen, Territory, World
from engine.rulesets.gd6.world import distances

FAR: Final = 999
"""The distance of what cannot be reached."""


class Geometry:
    """A map: neighbours and distances by territory number; index 0 means nothing."""

    __slots__ = ("apart", "near", "size", "within")

    def __init__(self, world: World) -> None:
        self.size = len(world.lands)
        self.near: list[tuple[int, ...]] = [(), *(land.neighbours for land in world.lands)]
        self.apart: list[list[int]] = [
            [FAR if steps < 0 else steps for steps in row]
            for row in distances(world).cells.tolist()
        ]
        self.within: list[tuple[tuple[int, ...], ...]] = [
            tuple(
                tuple(at for at in range(1, self.size + 1) if 0 < row[at] <= reach)
                for reach in range(4)
            )
            for row in self.apart
        ]
        """The territories within so many borders, up to 3, without the territory itself."""


@recent
def geometry(world: World) -> Geometry:
    """The geometry of a map, worked out once for each map."""
    return Geometry(world)


class Board(Forces):
    """Owners and garrisons, and the numbers that a plan needs besides."""

    __slots__ = ("geo", "hq", "longest", "loyalty", "opened", "seats", "turns_left", "wasteland")

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen)
        self.geo = geometry(seen.world)
        self.longest = longest_way(seen.options)
        """Borders that the fastest units cross in a turn."""
        rows = (Territory(0), *seen.territories.rows())
        self.hq = [here.hq != NOBODY for here in rows]
        self.loyalty = [here.loyalty for here in rows]
        self.wasteland = [here.wasteland for here in rows]
        playing = [player for player in seen.players.values() if player.status != "eliminated"]
        self.seats = tuple(player.id for player in playing)
        self.opened = {
            player.id: player.opened.territories if player.opened is not None else 0
            for player in playing
        }
        limit = seen.options.turn_limit
        self.turns_left = max(0, limit - seen.turn) if limit else FAR

    def lands(self, seat: int) -> list[int]:
        """The territories of a seat."""
        return [at for at, owner in enumerate(self.owner) if owner == seat and at]

    def spawn_places(self, seat: int) -> list[int]:
        """Where a seat may raise armies. Rules: GD-SPAWN-2, GD-SPAWN-3."""
        lands = self.lands(seat)
        sites = [at for at in lands if self.hq[at]]
        if sites:
            near = {other for at in sites for other in (at, *self.geo.near[at])}
            return [at for at in sorted(near) if self.owner[at] in (NOBODY, seat)]
        most = max((self.loyalty[at] for at in lands), default=0)
        return [at for at in lands if self.loyalty[at] == most]

    def has_hq(self, seat: int) -> bool:
        """Whether a seat owns a headquarters."""
        return any(self.hq[at] for at in self.lands(seat))

    def claim(self, at: int, seat: int) -> None:
        """The land becomes the seat's."""
        if self.owner[at] != seat:
            self.owner[at] = seat
            self.loyalty[at] = 0

    def copy(self) -> Board:
        """One that can be changed by itself."""
        other = object.__new__(Board)
        for slot in ("geo", "around", "longest", "seats", "opened", "turns_left"):
            setattr(other, slot, getattr(self, slot))
        for slot in ("owner", "construct", "hq", "loyalty", "wasteland", "mines"):
            setattr(other, slot, getattr(self, slot).copy())
        other.units = [row.copy() for row in self.units]
        return other
