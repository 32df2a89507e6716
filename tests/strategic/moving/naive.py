"""A naive implementation of sections 4 and 5 of the rule book, tile by tile, for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain, terrain_rows
from engine.strategic.pieces import NOBODY
from engine.strategic.world import armies_at, city_at, treaty

GROUND, FLY, NAVAL = 0, 1, 2

AFLOAT = {
    Terrain.CITY: 1,
    Terrain.OCEAN: 1,
    Terrain.SHORE: 2,
    Terrain.BRIDGE: 1,
    Terrain.RIVER: 2,
}
"""Costs in the classic column for boats and armies aboard (sections 4.1 and 5.2)."""


class Group(NamedTuple):
    """Properties of a group that affect its path."""

    side: int
    mode: int
    flags: int
    aboard: bool
    boats: bool


class Rules:
    """The costs and fields of a single position."""

    def __init__(self, state: State, group: Group, *, wary: bool) -> None:
        self.state, self.group, self.wary = state, group, wary
        self.options: Options = state.options
        self._seen = {at: self._sees(at) for at in self.tiles()}

    def cat(self, at: Place) -> Terrain:
        return Terrain(self.state.terrain[at[1], at[0]])

    def tiles(self) -> Iterator[Place]:
        for y in range(self.state.height):
            for x in range(self.state.width):
                yield x, y

    def beside(self, at: Place) -> list[Place]:
        steps = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
        near = [(at[0] + dx, at[1] + dy) for dx, dy in steps]
        return [(x, y) for x, y in near if 0 <= x < self.state.width and 0 <= y < self.state.height]

    def road(self, at: Place) -> bool:
        return self.state.roads[at[1], at[0]] == 1

    def foot(self, at: Place) -> int:
        row = terrain_rows()[self.cat(at)]
        return row.seed if self.options.cost_table == "seed" else row.classic

    def _sees(self, at: Place) -> bool:
        if self.options.hidden_map == "off" or self.state.lifted:
            return True
        for army in self.state.armies.values():
            city = city_at(self.state, army.at)
            far = "fly" in self.state.types[army.type].traits or city is not None
            near = max(abs(army.x - at[0]), abs(army.y - at[1])) <= (2 if far else 1)
            if army.owner == self.group.side and near:
                return True
        return False

    def stranger(self, at: Place) -> int | None:
        stack = armies_at(self.state, at) if self._seen[at] else ()
        return stack[0].owner if stack and stack[0].owner != self.group.side else None

    def hostile(self, at: Place) -> bool:
        owner = self.stranger(at)
        return owner is not None and (
            owner == NOBODY or treaty(self.state, self.group.side, owner) > 0
        )

    def in_zone(self, at: Place) -> bool:
        if self.hostile(at):
            return False
        owners = (self.stranger(near) for near in self.beside(at))
        return any(
            owner not in (None, NOBODY) and treaty(self.state, self.group.side, owner or 0) == 2
            for owner in owners
        )

    def star_zone(self, at: Place) -> bool:
        return self.in_zone(at) and not self.road(at)

    def foreign_city(self, at: Place) -> bool:
        city = city_at(self.state, at)
        return city is not None and city.owner != self.group.side

    def harbour(self, at: Place) -> bool:
        city = city_at(self.state, at)
        if city is None:
            return False
        wet = {Terrain.OCEAN, Terrain.SHORE, Terrain.BRIDGE}
        return any(self.cat(near) in wet for tile in city.tiles for near in self.beside(tile))

    def port(self, at: Place) -> bool:
        listed = at in self.state.ports
        return listed or self.harbour(at) or self.cat(at) == Terrain.BRIDGE

    def water(self, at: Place) -> bool:
        return self.cat(at) in (Terrain.OCEAN, Terrain.SHORE)

    def quay(self, at: Place) -> bool:
        """Return whether a tile is a classic port on the shore, passable on foot (section 6.6)."""
        listed = self.options.cost_table == "classic" and at in self.state.ports
        return listed and self.cat(at) == Terrain.SHORE

    def opened(self, at: Place) -> bool:
        """Return whether a classic road opens closed land (section 4.1)."""
        land = not self.foot(at) and not self.water(at) and self.cat(at) != Terrain.VOID
        return self.options.road_rule == "cost1" and land and self.road(at)

    def enterable(self, at: Place, mode: int) -> bool:
        if mode == GROUND:
            return self.foot(at) != 0 or self.quay(at) or self.opened(at)
        if mode == FLY:
            return self.cat(at) != Terrain.VOID
        return self.cat(at) >= Terrain.OCEAN or self.harbour(at)

    def byte(self, at: Place, mode: int) -> int:
        if mode == GROUND and self.quay(at):
            base = 2
        elif mode != FLY:
            base = 1 if self.opened(at) else self.foot(at)
        elif self.options.flying_step == "one":
            base = int(self.cat(at) != Terrain.VOID)
        else:
            base = 0 if self.cat(at) == Terrain.VOID else (min(self.foot(at), 2) or 2)
        if self.hostile(at) and self.enterable(at, mode):
            base = 1
        found = base & 7
        if self.road(at):
            found |= 0x10
            joined = {Terrain.CITY, Terrain.BRIDGE}
            if any(self.road(near) or self.cat(near) in joined for near in self.beside(at)):
                found |= 0x20
        if self.cat(at) == Terrain.BRIDGE:
            found |= 0x40
        if self.in_zone(at):
            found |= 0x08
        return found

    def step(self, at: Place, mode: int) -> int:
        """Return the cost of a step onto a tile, or 0 if it is blocked."""
        if not self.enterable(at, mode):
            return 0
        found = self.byte(at, mode)
        price = found & 7
        if mode == NAVAL and self.options.cost_table == "classic":
            price = AFLOAT[self.cat(at)]
        elif mode == NAVAL:
            price = 2 if found & 0x08 and not found & 0x10 else min(price or 2, 2)
        if self.options.road_rule == "cost1":
            if found & 0x10:
                return 1
        elif self.group.flags & 1 and found & 0x20:
            price = min(price, 2)
        if self.group.flags & 2 and found & 0x40:
            price = min(price, 2)
        if self.group.flags & 4 and self.cat(at) == Terrain.FOREST:
            price = min(price, 2)
        if self.group.flags & 8 and self.cat(at) == Terrain.HILLS:
            price = min(price, 2)
        return price

    def coast(self, at: Place) -> bool:
        if self.group.mode == GROUND:
            return self.water(at) and not self.quay(at)
        return self.group.mode == NAVAL and self.group.aboard and not self.water(at)

    def entry(self, dst: Place) -> int:
        """Return the cost of the last step without foes and tolls, or 0 if it is impossible."""
        if not self.coast(dst):
            return self.step(dst, self.group.mode)
        if self.group.mode == GROUND:
            return 0 if self.stranger(dst) is not None else 2
        native = self.step(dst, NAVAL)
        return native or (0 if self.group.boats else self.step(dst, GROUND))

    def through(self, at: Place) -> bool:
        """Return whether a path may pass through a tile."""
        if not self.step(at, self.group.mode) or self.stranger(at) is not None:
            return False
        known = self.state.discovered[at[1], at[0]] >> self.group.side & 1
        hidden = self.options.hidden_map == "on" and not self.state.lifted and not known
        if self.foreign_city(at) or (self.wary and hidden):
            return False
        return not (self.group.aboard and self.group.mode == NAVAL and not self.water(at))

    def allowed(self, here: Place, dst: Place) -> bool:
        return not self.coast(dst) or self.port(here) or self.port(dst)

    def own(self, src: Place) -> int:
        """Return the cost of the group's own tile."""
        return 1 if self.group.mode == FLY else self.step(src, self.group.mode) or 1

    def attack(self, at: Place) -> bool:
        return self.stranger(at) is not None or self.foreign_city(at)

    def goals(self, src: Place, dst: Place) -> list[Place]:
        """Return the tiles that end a path: all four of a foreign city, or the tile itself."""
        city = city_at(self.state, dst)
        named = city.tiles if city is not None and self.foreign_city(dst) else (dst,)
        return [at for at in named if at != src and self.entry(at)]

    def field(self, src: Place, dst: Place, box: list[Place]) -> dict[Place, int]:
        """Return D of all tiles that have one, by iteration until nothing changes."""
        inside, goals = set(box), self.goals(src, dst)
        zone = {at: self.star_zone(at) for at in box}
        zone |= {at: zone[at] and not self.attack(at) for at in goals}
        price = {at: self.own(src) if at == src else self.step(at, self.group.mode) for at in box}
        passable = {at for at in box if at == src or self.through(at)} - set(goals)
        found = dict.fromkeys(goals, 1)
        changed = True
        while changed:
            changed = False
            for far in passable:
                for near in self.beside(far):
                    if near not in inside or near not in found:
                        continue
                    if near in goals and not self.allowed(far, near):
                        continue
                    penalty = self.options.zoc_penalty if zone[far] and not zone[near] else 0
                    total = found[near] + price[far] + penalty
                    if total < found.get(far, 1 << 20):
                        found[far] = total
                        changed = True
        return found
