"""Convert between scenario and state, without dice.

Each ruleset has its own records of a scenario. What they share is converted here; the ruleset adds
the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from engine.core.codec import plain
from engine.core.containers import Plane, Roster
from engine.core.record import UNSET, Record, replace
from engine.kit.records import alike
from engine.strategic.land_rows import hex_rows, numbers_of, road_rows
from engine.strategic.pieces import NOBODY, City, Side, Site, Slot, UnitType, usual_order
from engine.strategic.world import World

S = TypeVar("S", bound=World)
M = TypeVar("M", bound=Record)


class Defence(Protocol):
    """Defence level of a city."""

    def __call__(self, slots: int, /, *, neutral: bool, razed: bool) -> int:
        """Return the level of a city with a number of slots."""
        ...


@dataclass(frozen=True, eq=False)
class ScenarioCodec(Generic[S, M]):
    """Records of a ruleset's scenarios and states, and its defaults for omitted values."""

    state: type[S]
    scene: type[M]
    now: type[Record]
    side: type[Record]
    city: type[Record]
    site: type[Record]
    slot: type[Any]
    names: tuple[str, ...]
    """Default names of sides."""

    site_name: str
    """First word of a site's default name."""

    book_types: Callable[[], Roster[UnitType]]
    slot_of: Callable[[UnitType], Slot]
    defence: Defence
    sign_rows: Callable[[Plane], tuple[str, ...]]
    rule: str
    """Rule about the rows of discovered tiles."""

    # -- from scenario to state

    def described(
        self, scene: Any, terrain: Plane, types: Roster[UnitType], options: Record, **own: object
    ) -> S:
        """Return the state that a scenario describes without its ``now``; draw no omitted value.

        ``own`` are fields that the ruleset fills in.
        """
        fields: dict[str, object] = {
            "terrain": terrain,
            "discovered": Plane(np.full(terrain.cells.shape, 255, dtype=np.uint8)),
            "types": types,
            "sides": Roster(self._side(row, n, types) for n, row in enumerate(scene.sides)),
            "cities": Roster(self._city(scene, n, types) for n in range(len(scene.cities))),
            "sites": Roster(
                alike(Site, row, id=number, name=row.name or f"{self.site_name} {number + 1}")
                for number, row in enumerate(scene.sites)
            ),
            "items": Roster(scene.items),
            "options": options,
        }
        return alike(self.state, scene, **fields | own)

    def continued(self, state: S, now: Any, **own: object) -> S:
        """Return the state at a moment in mid-game; ``own`` are fields of the ruleset."""
        size = (state.width, state.height)
        seen = now.discovered
        moment = {name: getattr(now, name) for name in self.now.__struct_fields__}
        moment |= {name: Roster(moment[name]) for name in self._rosters(state)}
        moment["discovered"] = (
            numbers_of(seen, "now.discovered", size, self.rule) if seen else state.discovered
        )
        moment["sides"] = Roster(
            side if side.stances else replace(side, stances=now.treaties[side.id])
            for side in state.sides.values()
        )
        return replace(state, **moment | own)

    def _rosters(self, state: S) -> tuple[str, ...]:
        """Return the fields of a moment that are rosters in a state."""
        fields = self.now.__struct_fields__
        return tuple(name for name in fields if isinstance(getattr(state, name), Roster))

    def _side(self, row: Any, number: int, types: Roster[UnitType]) -> Side:
        return alike(
            Side,
            row,
            id=number,
            name=row.name or self.names[number],
            gold=row.gold or 0,
            order=row.order or usual_order(types.values()),
        )

    def _city(self, scene: Any, number: int, types: Roster[UnitType]) -> City:
        row = scene.cities[number]
        keys = {kind.key: kind for kind in types.values()}
        slots = tuple(self._slot(slot, keys) for slot in row.slots)
        capitals = {side.capital: seat for seat, side in enumerate(scene.sides)}
        owner = row.owner if scene.now else capitals.get((row.x, row.y), row.owner)
        return alike(
            City,
            row,
            id=number,
            name=row.name or f"City {number + 1}",
            owner=owner,
            slots=slots,
            defence=self.defence(len(slots), neutral=owner == NOBODY, razed=row.razed),
            original=NOBODY if row.original is None else row.original,
        )

    def _slot(self, slot: Any, keys: Mapping[str, UnitType]) -> Slot:
        if isinstance(slot, str):
            return self.slot_of(keys[slot])
        told = {name: getattr(slot, name) for name in self._own_numbers()}
        changed = {name: value for name, value in told.items() if value is not None}
        return replace(self.slot_of(keys[slot.unit]), **changed)

    # -- from state to scenario

    def position(self, state: Any, **own: object) -> M:
        """Return a state as a scenario that begins there; ``own`` are fields of the ruleset."""
        everything = bool((state.discovered.cells == 255).all())
        usual = type(state.options)()
        fields: dict[str, object] = {
            "rows": self.sign_rows(state.terrain),
            "roads": road_rows(state.roads),
            "sides": tuple(alike(self.side, side) for side in state.sides.values()),
            "cities": tuple(self._city_placed(city, state.types) for city in state.cities.values()),
            "sites": tuple(alike(self.site, site) for site in state.sites.values()),
            "items": state.items.rows(),
            "units": () if state.types == self.book_types() else state.types.rows(),
            "options": {
                name: value
                for name, value in plain(state.options).items()
                if value != getattr(usual, name)
            },
            "now": alike(
                self.now,
                state,
                **{name: getattr(state, name).rows() for name in self._rosters(state)},
                discovered=() if everything else hex_rows(state.discovered),
            ),
        }
        return alike(self.scene, state, **fields | own)

    def _city_placed(self, city: City, types: Roster[UnitType]) -> Record:
        slots = tuple(self._made(slot, types[slot.type]) for slot in city.slots)
        original = None if city.original == NOBODY else city.original
        return alike(self.city, city, slots=slots, original=original)

    def _made(self, slot: Slot, kind: UnitType) -> Any:
        if slot == self.slot_of(kind):
            return kind.key
        told = {name: getattr(slot, name) for name in self._own_numbers()}
        return self.slot(
            unit=kind.key, **{name: value for name, value in told.items() if value is not UNSET}
        )

    def _own_numbers(self) -> Iterator[str]:
        """Yield the fields of a city's slot with numbers of its own."""
        return (name for name in self.slot.__struct_fields__ if name != "unit")
