"""Bases of events. The class of an event defines what each viewer sees of it.

Equal views imply equal feeds. An event that changes nothing in a viewer's view is not sent to that
viewer, and what is sent about other sides is no more than the view shows.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from engine.core.record import Event, replace
from engine.strategic.pieces import Army, City
from engine.strategic.seen import Seen


class FirstEvent(Event, frozen=True):
    """Set-up of a game; a ruleset adds the scenario, the options and the first state ``start``."""

    irreversible: ClassVar[bool] = True


class StrategicEvent(Event, frozen=True):
    """Event that every viewer sees in full."""

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Return the event as a viewer may know it, perhaps of another class, or None.

        ``before`` and ``after`` are the viewer's knowledge just before and just after the event.
        """
        del before, after
        return self


class OwnSideEvent(StrategicEvent, frozen=True):
    """Event that is visible to its own side only."""

    side: int

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event if the viewer knows the side's private information, otherwise None."""
        return self if self.side in before.secrets else None


class OwnGroupEvent(StrategicEvent, frozen=True):
    """Event that is visible to the owner of its armies only."""

    armies: tuple[int, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event if the viewer knows the owner's private information, otherwise None."""
        return self if before.owns_army(self.armies[0]) else None


class SeenArmiesEvent(StrategicEvent, frozen=True):
    """Event with armies as they are afterwards; it shows those that look changed to the viewer."""

    armies: tuple[Army, ...]

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event with the armies that look changed, or None if none does."""
        armies = shown(self.armies, before, after)
        return replace(self, armies=armies) if armies else None


def shown(armies: tuple[Army, ...], before: Seen, after: Seen) -> tuple[Army, ...]:
    """Return the visible armies that look different from before, as the viewer sees them."""
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
    """Return the cities of the sides whose private information the viewer knows."""
    return tuple(city for city in cities if city.owner in after.secrets)
