"""What a ruleset supplies to the strategic layer."""

from __future__ import annotations

from dataclasses import dataclass

from engine.strategic.cities.rules import CityRules
from engine.strategic.fighting.rules import FightingRules
from engine.strategic.heroes.rules import HeroRules
from engine.strategic.moving.rules import MovingRules
from engine.strategic.turns.rules import TurnRules


@dataclass(frozen=True, eq=False)
class Book:
    """Values, tables and policies of one rule book under the options of one game, by chapter."""

    moving: MovingRules
    fighting: FightingRules
    cities: CityRules
    heroes: HeroRules
    turns: TurnRules
