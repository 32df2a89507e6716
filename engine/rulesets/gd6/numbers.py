"""Numbers of the rules, from ``data/numbers.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.core.record import Record
from engine.kit.tables import load


class Number(Record, frozen=True):
    """A number and its source."""

    value: int
    source: str


class UnitRow(Record, frozen=True):
    """A type of unit: health, speed in borders per turn, damage, cost of a promotion in IP.

    ``loyalty`` is the least loyalty of a territory for a promotion, ``line`` the position in a
    defence.
    """

    name: str
    letter: str
    health: int
    speed: int
    damage: int
    cost: int
    loyalty: int
    line: int
    source: str


class Numbers(Record, frozen=True):
    """All numbers of the rules. Rules: GD-NUM-1."""

    spawn_base: Number
    spawn_per_territories: Number
    hq_min_distance: Number
    hq_max_rounds: Number
    crop_minimum: Number
    crop_supply_price: Number
    dynamite_price: Number
    toxic_waste_price: Number
    mine_price: Number
    watchtower_cost: Number
    bivouac_cost: Number
    bivouac_surcharge: Number
    library_cost: Number
    library_surcharge: Number
    invasion_penalty: Number
    watchtower_strength: Number
    bivouac_yield: Number
    ip_per_territory: Number
    ip_per_hq: Number
    ip_per_library: Number
    armies_per_ip: Number
    domination_percent: Number
    turn_limit: Number
    most_seats: Number
    fewest_seats: Number
    longest_list: Number
    most_territories: Number
    most_units: Number
    colours: tuple[str, ...]
    units: tuple[UnitRow, ...]


@cache
def numbers() -> Numbers:
    """The table, read once."""
    return load("engine.rulesets.gd6", "numbers", Numbers)


@cache
def unit_rows() -> Mapping[str, UnitRow]:
    """Types of units by name. Rules: GD-UNIT-1."""
    return {row.name: row for row in numbers().units}


@cache
def line_up() -> tuple[str, ...]:
    """Names of the types of units in the order of a defence, front first. Rules: GD-UNIT-2."""
    return tuple(row.name for row in sorted(numbers().units, key=lambda row: row.line))
