"""The numbers and words of the map generator (section 15)."""

from __future__ import annotations

from functools import cache

from engine.core.record import Record
from engine.kit.grid import Place
from engine.kit.tables import load
from engine.rulesets.warlords2.tables import PACKAGE
from engine.strategic.generate.terrain import Coasts

Dial = tuple[int, int]
"""The least, and how much is added for each step of a dial."""


class Heights(Record, frozen=True):
    """Ridges. Rules: W2-15.3."""

    seeds: Dial
    reach: int


class Rivers(Record, frozen=True):
    """Rivers and arms of the sea. Rules: W2-15.4."""

    count: Dial
    channels: int


class Woods(Record, frozen=True):
    """Forest. Rules: W2-15.5."""

    percent: Dial


class Marsh(Record, frozen=True):
    """Marsh. Rules: W2-15.6."""

    clusters: int


class Cities(Record, frozen=True):
    """Cities and capitals. Rules: W2-15.7."""

    count: Dial
    per_side: int
    margin: int
    gap: int
    income: tuple[int, int]
    most_income: int
    capital_income: int
    apart: int
    turns: int
    points: int
    neighbours: int
    spread: int
    slots: tuple[tuple[str, ...], ...]
    capital_slots: tuple[tuple[str, ...], ...]


class Sites(Record, frozen=True):
    """Sites. Rules: W2-15.8."""

    count: int
    temples: int
    across: int
    gap: int


class Roads(Record, frozen=True):
    """Roads and bridges. Rules: W2-15.9."""

    reach: int
    bridge: int
    price: tuple[int, ...]


class Signs(Record, frozen=True):
    """Signposts. Rules: W2-15.11."""

    count: int
    from_cities: int


class Names(Record, frozen=True):
    """Words that names are made of."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    sites: tuple[str, ...]
    temples: tuple[str, ...]


class Recipe(Record, frozen=True):
    """Everything."""

    full: Place
    land: Dial
    tries: int
    least_area: int
    coasts: Coasts
    heights: Heights
    rivers: Rivers
    woods: Woods
    marsh: Marsh
    cities: Cities
    sites: Sites
    roads: Roads
    signs: Signs
    names: Names


@cache
def recipe() -> Recipe:
    """The table. Rules: W2-15."""
    return load(PACKAGE, "generator", Recipe)
