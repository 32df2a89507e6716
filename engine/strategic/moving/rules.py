"""What rule books differ in about moving."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.strategic.pieces import Trait


@dataclass(frozen=True, eq=False)
class MovingRules:
    """Values, tables and policies. Prices of 0 mean that a terrain is closed."""

    foot: tuple[int, ...]
    """What entering each terrain costs on foot."""

    air: tuple[int, ...]
    """What it costs in the air."""

    boats: frozenset[int]
    """Terrains that boats, and armies aboard, may enter; tiles of port cities besides."""

    water: frozenset[int]
    """Terrains where who neither flies nor is a boat must be aboard."""

    bridges: frozenset[int]
    """Terrains that are ports, and whose price is capped for who has the bridge bonus."""

    roadside: frozenset[int]
    """Terrains that roads connect to as to other roads."""

    seaside: frozenset[int]
    """Terrains beside a city that make it a port."""

    wise: tuple[tuple[Trait, int], ...]
    """The traits that cap the price of a terrain."""

    all_wise: bool
    """Whether all walkers of a group need such a trait, or one of them will do."""

    cap: int
    """The most that connected roads, bridges, water and terrains one is wise in cost."""

    road_price: int | None
    """What every road costs who does not fly; None: connected roads cap the price."""

    zone_toll: int
    """Points for entering the zone around armies one is at war with."""

    riders: bool
    """Whether heroes fly along with a flyer."""

    attack: Callable[[int], int]
    """What an attack costs, by what the step would cost without foes."""

    boarding: int
    """What the step aboard costs."""

    near: int
    """How far beyond start and goal a way is looked for at first."""

    far_human: int
    """How far then, for human players."""

    far_computer: int
    """How far then, for computer players."""

    longest: int
    """Most steps of a way that is kept in mind."""

    fog: bool
    """Whether tiles must be discovered, and armies are seen only from near."""

    sight: int
    """How far armies see."""

    far_sight: int
    """How far they see in the air, in a city and on a tower."""
