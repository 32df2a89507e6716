"""Events of movement: marches, goals, discovery, towers."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from engine.core.record import Event
from engine.kit.grid import Place
from engine.strategic.pieces import Tower


class GroupMoved(Event, frozen=True, tag="moved"):
    """Armies went along ``path`` (without where they came from) and stand at its end.

    ``points`` are what each army has left, in the order of ``armies``; ``aboard`` whether they are
    embarked now (boats and flyers never are): one flag for each army.
    """

    armies: tuple[int, ...]
    path: tuple[Place, ...]
    points: tuple[int, ...]
    aboard: tuple[bool, ...]


class MarchStopped(Event, frozen=True, tag="stopped"):
    """Armies stopped before somebody who had not been seen, or before what bars the way."""

    lasting: ClassVar[bool] = True

    armies: tuple[int, ...]
    before: Place


class GoalSet(Event, frozen=True, tag="goal-set"):
    """Armies have a goal, or none (neither ``to`` nor ``flag``)."""

    armies: tuple[int, ...]
    to: Place | None = None
    flag: bool = False


class DefendSet(Event, frozen=True, tag="defend-set"):
    """Armies defend, or do not any more."""

    armies: tuple[int, ...]
    on: bool


class TilesFound(Event, frozen=True, tag="found"):
    """A side discovers tiles, numbered ``y * width + x``."""

    lasting: ClassVar[bool] = True

    side: int
    tiles: tuple[int, ...]


class GroundSighted(Event, frozen=True, tag="sighted"):
    """Ground came in sight of a side, whoever stands there or not: what it saw stays seen."""

    lasting: ClassVar[bool] = True

    side: int


class FogLifted(Event, frozen=True, tag="fog-lifted"):
    """Everybody sees everything from now on."""

    lasting: ClassVar[bool] = True


class TowersBuilt(Event, frozen=True, tag="towers-built"):
    """Towers stand where armies defend."""

    towers: tuple[Tower, ...]


class TowersFell(Event, frozen=True, tag="towers-fell"):
    """Towers are gone."""

    towers: tuple[int, ...]


MovementEvent: TypeAlias = (
    GroupMoved
    | MarchStopped
    | GoalSet
    | DefendSet
    | TilesFound
    | GroundSighted
    | FogLifted
    | TowersBuilt
    | TowersFell
)
"""Events of this chapter."""
