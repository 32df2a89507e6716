"""Events of movement: marches, goals, discovery, towers."""

from __future__ import annotations

from typing import ClassVar, Self, TypeAlias

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.events.base import OwnGroupEvent, OwnSideEvent, StrategicEvent
from engine.strategic.pieces import Tower
from engine.strategic.seen import Seen


class GroupMoved(StrategicEvent, frozen=True, tag="moved"):
    """Armies went along ``path`` (without where they came from) and stand at its end.

    ``points`` are what each army has left, in the order of ``armies``; ``aboard`` whether they are
    embarked now (boats and flyers never are): one flag for each army.
    """

    armies: tuple[int, ...]
    path: tuple[Place, ...]
    points: tuple[int, ...]
    aboard: tuple[bool, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Ways of others as far as they lie in sight, without the points that are left."""
        if before.owns_army(self.armies[0]):
            return self
        path = tuple((x, y) for x, y in self.path if after.visible[y, x])
        start = before.world.armies[self.armies[0]]
        if not path and not before.sees(start):
            return None
        return replace(self, path=path, points=(0,) * len(self.points))


class MarchStopped(OwnGroupEvent, frozen=True, tag="stopped"):
    """Armies stopped before somebody who had not been seen, or before what bars the way."""

    irreversible: ClassVar[bool] = True

    before: Place


class GoalSet(OwnGroupEvent, frozen=True, tag="goal-set"):
    """Armies have a goal, or none (neither ``to`` nor ``flag``)."""

    to: Place | None = None
    flag: bool = False


class DefendSet(OwnGroupEvent, frozen=True, tag="defend-set"):
    """Armies defend, or do not any more."""

    on: bool


class TilesFound(OwnSideEvent, frozen=True, tag="found"):
    """A side discovers tiles, numbered ``y * width + x``."""

    irreversible: ClassVar[bool] = True

    tiles: tuple[int, ...]


class GroundSighted(OwnSideEvent, frozen=True, tag="sighted"):
    """Ground came in sight of a side, whoever stands there or not: what it saw stays seen."""

    irreversible: ClassVar[bool] = True


class FogLifted(StrategicEvent, frozen=True, tag="fog-lifted"):
    """Everybody sees everything from now on."""

    irreversible: ClassVar[bool] = True


class TowersBuilt(StrategicEvent, frozen=True, tag="towers-built"):
    """Towers stand where armies defend."""

    towers: tuple[Tower, ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Towers that are seen."""
        towers = tuple(tower for tower in self.towers if after.sees_tower(tower))
        return replace(self, towers=towers) if towers else None


class TowersFell(StrategicEvent, frozen=True, tag="towers-fell"):
    """Towers are gone."""

    towers: tuple[int, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Towers that were seen."""
        rows = before.world.towers
        fallen = tuple(tower for tower in self.towers if before.sees_tower(rows[tower]))
        return replace(self, towers=fallen) if fallen else None


MovementEvent: TypeAlias = (
    GroupMoved
    | MarchStopped
    | GoalSet
    | DefendSet
    | TilesFound
    | FogLifted
    | GroundSighted
    | TowersBuilt
    | TowersFell
)
"""Events of this chapter."""
