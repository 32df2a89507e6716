"""Numbers of the rules, from ``data/numbers.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engine.core.record import Record
from engine.kit.tables import load
from engine.rulesets.gd6.commands import UNITS, Unit


class SourcedNumber(Record, frozen=True):
    """A number and its source."""

    value: int
    source: str


class UnitNumbers(Record, frozen=True):
    """A type of unit: health, speed in borders per turn, damage, cost of a promotion in IP.

    ``loyalty`` is the minimum loyalty of a territory for a promotion, ``line`` the position in the
    line of defence.
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


class RuleNumbers(Record, frozen=True):
    """All numbers of the rules. Rules: GD-NUM-1."""

    spawn_base: SourcedNumber
    spawn_per_territories: SourcedNumber
    hq_min_distance: SourcedNumber
    hq_max_rounds: SourcedNumber
    crop_minimum: SourcedNumber
    crop_supply_price: SourcedNumber
    dynamite_price: SourcedNumber
    toxic_waste_price: SourcedNumber
    mine_price: SourcedNumber
    watchtower_cost: SourcedNumber
    bivouac_cost: SourcedNumber
    bivouac_surcharge: SourcedNumber
    library_cost: SourcedNumber
    library_surcharge: SourcedNumber
    invasion_penalty: SourcedNumber
    watchtower_strength: SourcedNumber
    bivouac_yield: SourcedNumber
    ip_per_territory: SourcedNumber
    ip_per_hq: SourcedNumber
    ip_per_library: SourcedNumber
    armies_per_ip: SourcedNumber
    domination_percent: SourcedNumber
    turn_limit: SourcedNumber
    most_seats: SourcedNumber
    fewest_seats: SourcedNumber
    longest_list: SourcedNumber
    most_territories: SourcedNumber
    most_units: SourcedNumber
    colours: tuple[str, ...]
    units: tuple[UnitNumbers, ...]


@cache
def numbers() -> RuleNumbers:
    """Return all numbers of the rules; their file is read once."""
    return load("engine.rulesets.gd6", "numbers", RuleNumbers)


@cache
def unit_rows() -> Mapping[str, UnitNumbers]:
    """Return the types of units by name. Rules: GD-UNIT-1."""
    return {row.name: row for row in numbers().units}


@cache
def units_in_line() -> tuple[Unit, ...]:
    """Return the types of units in their order of defence, the front first. Rules: GD-UNIT-2."""
    return tuple(sorted(UNITS, key=lambda unit: unit_rows()[unit].line))
