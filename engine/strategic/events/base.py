"""Bases of events: what a viewer is told of each stands on its class.

Equal views imply equal feeds: an event that changes nothing a viewer can see is not told, and what
is told of others is no more than stands in the view.
"""

from __future__ import annotations

from typing import Any, Self

from engine.core.record import Event, replace
from engine.strategic.pieces import Army, City
from engine.strategic.seen import Seen


class StrategicEvent(Event, frozen=True):
    """Event that everybody is told as it is."""

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Event as a viewer may know it (perhaps as one of another class), or None.

        ``before`` and ``after`` are what the viewer knows right before and right after it.
        """
        del before, after
        return self


class OwnSideEvent(StrategicEvent, frozen=True):
    """Event that only the side it is about is told."""

    side: int

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Event, if the viewer knows the business of the side."""
        return self if self.side in before.secrets else None


class OwnGroupEvent(StrategicEvent, frozen=True):
    """Event that only the owner of its armies is told."""

    armies: tuple[int, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Event, if the viewer knows the business of the owner."""
        return self if before.owns_army(self.armies[0]) else None


class SeenArmiesEvent(StrategicEvent, frozen=True):
    """Event with armies as they are now, told of those that are seen to be otherwise."""

    armies: tuple[Army, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Armies that are seen to be otherwise."""
        armies = shown(self.armies, before, after)
        return replace(self, armies=armies) if armies else None


def shown(armies: tuple[Army, ...], before: Seen, after: Seen) -> tuple[Army, ...]:
    """Armies in sight that look otherwise than before, as they look."""
    looks = [after.army(army) for army in armies if after.sees(army)]
    rows = before.world.armies
    return tuple(
        look
        for look in looks
        if look.id not in rows
        or not before.sees(rows[look.id])
        or before.army(rows[look.id]) != look
    )


def own_cities(cities: tuple[City, ...], after: Seen) -> tuple[City, ...]:
    """Cities of sides whose business the viewer knows."""
    return tuple(city for city in cities if city.owner in after.secrets)
