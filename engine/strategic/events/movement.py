"""Events of movement: marches, goals, discovery, towers."""

from __future__ import annotations

from typing import ClassVar, Self, TypeAlias

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic.events.base import OwnGroupEvent, OwnSideEvent, StrategicEvent
from engine.strategic.pieces import Tower
from engine.strategic.seen import Seen


class GroupMoved(StrategicEvent, frozen=True, tag="moved"):
    """March of armies along ``path``, without its first tile, to its end.

    In the order of ``armies``, ``points`` are the points left, and ``aboard`` is true for each army
    that is embarked afterwards (never for boats and flyers).
    """

    armies: tuple[int, ...]
    path: tuple[Place, ...]
    points: tuple[int, ...]
    aboard: tuple[bool, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event; for other sides' armies only the visible path, without points."""
        if before.owns_army(self.armies[0]):
            return self
        path = tuple((x, y) for x, y in self.path if after.visible[y, x])
        start = before.world.armies[self.armies[0]]
        if not path and not before.sees(start):
            return None
        return replace(self, path=path, points=(0,) * len(self.points))


class MarchStopped(OwnGroupEvent, frozen=True, tag="stopped"):
    """Stop of armies in front of an army that they had not seen, or of an obstacle."""

    irreversible: ClassVar[bool] = True

    before: Place


class GoalSet(OwnGroupEvent, frozen=True, tag="goal-set"):
    """New goal of armies, or none if ``to`` and ``flag`` are not set."""

    to: Place | None = None
    flag: bool = False


class DefendSet(OwnGroupEvent, frozen=True, tag="defend-set"):
    """Start or end of the defending of armies."""

    on: bool


class TilesFound(OwnSideEvent, frozen=True, tag="found"):
    """Discovery of tiles by a side, numbered ``y * width + x``."""

    irreversible: ClassVar[bool] = True

    tiles: tuple[int, ...]


class GroundSighted(OwnSideEvent, frozen=True, tag="sighted"):
    """New tiles in sight of a side, with or without armies on them; the order cannot be undone."""

    irreversible: ClassVar[bool] = True


class FogLifted(StrategicEvent, frozen=True, tag="fog-lifted"):
    """End of the fog for all sides."""

    irreversible: ClassVar[bool] = True


class TowersBuilt(StrategicEvent, frozen=True, tag="towers-built"):
    """New towers where armies defend."""

    towers: tuple[Tower, ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event with the towers that the viewer sees, or None."""
        towers = tuple(tower for tower in self.towers if after.sees_tower(tower))
        return replace(self, towers=towers) if towers else None


class TowersFell(StrategicEvent, frozen=True, tag="towers-fell"):
    """Removal of towers."""

    towers: tuple[int, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event with the towers that the viewer saw, or None."""
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
"""Events of this module."""
