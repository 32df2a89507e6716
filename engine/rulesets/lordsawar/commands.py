"""Commands: those of the strategic layer, and those of this game only."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.core.record import Command
from engine.strategic import commands as strategic
from engine.strategic.pieces import NONE


class ChooseGain(Command, frozen=True, tag="gain"):
    """Choose what a hero gains with its new level. See: LW-10."""

    gain: Literal["strength", "moves", "sight", "hit_points"]


class UseItem(Command, frozen=True, tag="use"):
    """Use a charge of a hero's item, against a city or side if it needs one. See: LW-11."""

    army: int
    item: int
    city: int = NONE
    side: int = NONE


class HireAs(Command, frozen=True, tag="hire-as"):
    """Accept the hero on offer under another name, or as a man or a woman. See: LW-10."""

    name: str
    female: bool = False


class Propose(Command, frozen=True, tag="propose"):
    """Propose a treaty to a side: 0 peace, 1 war in the field, 2 war, -1 nothing. See: LW-16."""

    side: int
    treaty: int


class Park(Command, frozen=True, tag="park"):
    """Park armies: until they move, they are not offered as the next to move. See: LW-1."""

    armies: tuple[int, ...]


OwnCommand: TypeAlias = ChooseGain | UseItem | HireAs | Propose | Park
"""Commands that only this game has."""

AnyCommand: TypeAlias = strategic.AnyCommand | OwnCommand
