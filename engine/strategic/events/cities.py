"""Events of cities: capture, production, transits."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self, TypeAlias

from engine.core.record import replace
from engine.strategic.events.base import SeenArmiesEvent, StrategicEvent, own_cities, shown
from engine.strategic.pieces import NONE, Army, City, Transit
from engine.strategic.seen import Seen


class CityTaken(StrategicEvent, frozen=True, tag="city-taken"):
    """Capture of a city.

    ``gold`` lists (side, gold) for each side whose gold changed. ``city`` is the city afterwards;
    ``others`` are the cities whose vector led to it, with the vector cleared.
    """

    irreversible: ClassVar[bool] = True

    city: City
    loser: int
    loot: int
    gold: tuple[tuple[int, int], ...]
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event if the city is known; show loot and gold to the two parties only."""
        if not after.knows_city(self.city):
            return None
        gold = tuple((side, left) for side, left in self.gold if side in after.secrets)
        return replace(
            self,
            city=after.city(self.city),
            loot=self.loot if gold else 0,
            gold=gold,
            others=own_cities(self.others, after),
        )


class CitySettled(StrategicEvent, frozen=True, tag="city-settled"):
    """Fate of a captured city: the city afterwards, the gold gained and the side's gold."""

    irreversible: ClassVar[bool] = True

    city: City
    side: int
    fate: Literal["occupy", "pillage", "sack"]
    gain: int
    gold: int

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event if the city is known; show the gain to the captor only.

        A sack that removes a single slot looks like a pillage, so other viewers see it as one.
        """
        if not after.knows_city(self.city):
            return None
        if self.side in after.secrets:
            return self
        taken = len(before.world.cities[self.city.id].slots) - len(self.city.slots)
        fate = "pillage" if self.fate == "sack" and taken == 1 else self.fate
        return replace(self, city=after.city(self.city), fate=fate, gain=0, gold=0)


class CityRazed(StrategicEvent, frozen=True, tag="city-razed"):
    """Destruction of a city for good, with the new ``terrain`` and ``art`` of its four tiles."""

    irreversible: ClassVar[bool] = True

    city: City
    side: int
    terrain: int
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event if the city is known, otherwise None."""
        if not after.knows_city(self.city):
            return None
        return replace(self, city=after.city(self.city), others=own_cities(self.others, after))


class CityChanged(StrategicEvent, frozen=True, tag="city-changed"):
    """A city after an order of its owner about production, vector or name."""

    city: City
    what: Literal["produce", "stop", "vector", "name"]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event for the owner; other viewers see only the new names of known cities."""
        if self.city.owner in after.secrets:
            return self
        told = self.what == "name" and after.knows_city(self.city)
        return replace(self, city=after.city(self.city)) if told else None


class SlotBought(StrategicEvent, frozen=True, tag="slot-bought"):
    """A city that can make another type. ``slot`` is NONE for viewers who must not know it."""

    city: City
    slot: int
    price: int
    gold: int

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event if a known city looks changed; show the gold to the owner only.

        If production is secret, other viewers see only a change of the city's defence, if there is
        one.
        """
        if self.city.owner in after.secrets:
            return self
        look = after.city(self.city)
        if not after.knows_city(self.city) or before.city(before.world.cities[look.id]) == look:
            return None
        if not after.secrecy.slots:
            return replace(self, city=look, gold=0)
        return replace(self, city=look, slot=NONE, price=0, gold=0)


class Counted(StrategicEvent, frozen=True, tag="counted"):
    """Turns left until cities complete their armies, as (city, turns left)."""

    lefts: tuple[tuple[int, int], ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event with the counts of the viewer's own cities, or None."""
        cities = after.world.cities
        lefts = tuple(one for one in self.lefts if cities[one[0]].owner in after.secrets)
        return replace(self, lefts=lefts) if lefts else None


# -- Armies ----------------------------------------------------------------------------------------


class ArmyMade(StrategicEvent, frozen=True, tag="made"):
    """An army that a city has made and that is in the city."""

    city: int
    left: int
    army: Army

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Return the event if the army is seen, without the count of another side's city."""
        if self.army.owner in after.secrets:
            return self
        armies = shown((self.army,), before, after)
        return replace(self, left=0, army=armies[0]) if armies else None


class ArmySent(StrategicEvent, frozen=True, tag="sent"):
    """An army that a city has made and sent elsewhere; army and transit have the same id."""

    city: int
    left: int
    transit: Transit

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event if the army belongs to the viewer, otherwise None."""
        return self if after.owns(self.transit) else None


class TransitsMoved(StrategicEvent, frozen=True, tag="transits"):
    """Transits that found no room and turn back, as they are afterwards."""

    transits: tuple[Transit, ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Return the event with the viewer's own armies, or None."""
        own = tuple(transit for transit in self.transits if after.owns(transit))
        return replace(self, transits=own) if own else None


class ArmyArrived(StrategicEvent, frozen=True, tag="arrived"):
    """Arrival of an army in transit on the map."""

    transit: int
    army: Army

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Return the event for the owner; for other viewers an ``ArmiesPlaced`` or None."""
        if self.army.owner in after.secrets:
            return self
        return out_of_nothing((self.army,), "arrived", before, after)


class TransitsLost(StrategicEvent, frozen=True, tag="transits-lost"):
    """Loss of armies in transit."""

    transits: tuple[int, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Return the event with the viewer's own armies, or None."""
        rows = before.world.transits
        lost = tuple(transit for transit in self.transits if before.owns(rows[transit]))
        return replace(self, transits=lost) if lost else None


PlacingReason: TypeAlias = Literal["allies", "neutral", "hero", "reward", "arrived"]


class ArmiesPlaced(SeenArmiesEvent, frozen=True, tag="placed"):
    """Armies that appear on the map, such as allies and garrisons."""

    irreversible: ClassVar[bool] = True

    reason: PlacingReason

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Return the event for the owner; for other viewers the armies in sight, or None."""
        if any(army.owner in after.secrets for army in self.armies):
            return super().redacted(before, after)
        return out_of_nothing(self.armies, self.reason, before, after)


def out_of_nothing(
    armies: tuple[Army, ...], reason: PlacingReason, before: Seen, after: Seen
) -> ArmiesPlaced | None:
    """Return an ``ArmiesPlaced`` with the armies that a viewer sees appear, or None.

    If the types of armies are secret, the reason is hidden too, as it would give hints about them.
    """
    looks = shown(armies, before, after)
    if after.secrecy.armies:
        reason = "arrived"
    return ArmiesPlaced(looks, reason) if looks else None


CityEvent: TypeAlias = (
    CityTaken
    | CitySettled
    | CityRazed
    | CityChanged
    | SlotBought
    | Counted
    | ArmyMade
    | ArmySent
    | TransitsMoved
    | ArmyArrived
    | TransitsLost
    | ArmiesPlaced
)
"""Events of this module."""
