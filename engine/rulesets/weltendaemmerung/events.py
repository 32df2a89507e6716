"""Events (section 17). They carry results, and every viewer gets all of them unredacted."""

from __future__ import annotations

from typing import ClassVar, Final, TypeAlias

from engine.core.containers import Plane
from engine.core.record import Event
from engine.rulesets.weltendaemmerung.state import EndReason, Map, Options, Site, Unit

SCHEMA: Final = 1
"""Version of the commands' and events' schema; raised on changes beyond new optional fields."""


class GameSet(Event, frozen=True, tag="game-set"):
    """The board is set up: the whole scenario, and the results of the tables for it.

    ``terrain`` is uint8 of shape (height, width); ``units`` and ``sites`` are in id order.
    """

    irreversible: ClassVar[bool] = True

    scenario: Map
    rounds: int
    options: Options
    terrain: Plane
    units: tuple[Unit, ...]
    sites: tuple[Site, ...]


class UnitStepped(Event, frozen=True, tag="unit-stepped"):
    """A unit moved to a tile and has ``b_left`` points left."""

    unit: int
    x: int
    y: int
    b_left: int


class AttackMade(Event, frozen=True, tag="attack-made"):
    """A unit hit another; ``index`` is the draw 0 to 7, or None if only a modifier is drawn."""

    irreversible: ClassVar[bool] = True

    unit: int
    victim: int
    index: int | None
    modifier: int
    damage: int
    v_left: int
    b_left: int


class UnitDestroyed(Event, frozen=True, tag="unit-destroyed"):
    """A unit is permanently lost."""

    irreversible: ClassVar[bool] = True

    unit: int


class BuildingBroken(Event, frozen=True, tag="building-broken"):
    """A gate or wall became pavement; ``site`` is its gate site, now ruined, or -1."""

    unit: int
    x: int
    y: int
    terrain: int
    site: int
    b_left: int


class GateShut(Event, frozen=True, tag="gate-shut"):
    """A gate site was shut."""

    site: int
    x: int
    y: int
    terrain: int


class GateOpened(Event, frozen=True, tag="gate-opened"):
    """A gate site was opened: its gate became open terrain."""

    site: int
    x: int
    y: int
    terrain: int


class AttacksGiven(Event, frozen=True, tag="attacks-given"):
    """Every unit has one attack."""

    irreversible: ClassVar[bool] = True


class PointsRestored(Event, frozen=True, tag="points-restored"):
    """Every unit has its full points."""

    irreversible: ClassVar[bool] = True


class RoundEnded(Event, frozen=True, tag="round-ended"):
    """A round ended; ``completed`` rounds are finished."""

    irreversible: ClassVar[bool] = True

    completed: int


class PhaseBegan(Event, frozen=True, tag="phase-began"):
    """A side's phase begins."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    phase: int
    player: int


class GameWon(Event, frozen=True, tag="game-won"):
    """The game is over."""

    irreversible: ClassVar[bool] = True
    ends_phase: ClassVar[bool] = True

    side: int
    reason: EndReason


AnyEvent: TypeAlias = (
    GameSet
    | UnitStepped
    | AttackMade
    | UnitDestroyed
    | BuildingBroken
    | GateShut
    | GateOpened
    | AttacksGiven
    | PointsRestored
    | RoundEnded
    | PhaseBegan
    | GameWon
)
