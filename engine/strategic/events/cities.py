"""Events of cities: capture, production, transits."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self, TypeAlias

from engine.core.record import replace
from engine.strategic.events.base import SeenArmiesEvent, StrategicEvent, own_cities, shown
from engine.strategic.pieces import NONE, Army, City, Transit
from engine.strategic.seen import Seen


class CityTaken(StrategicEvent, frozen=True, tag="city-taken"):
    """A city changes hands; ``gold`` is what each side whose purse changed has now.

    ``city`` is as it is now; ``others`` are cities whose vectors led to it, without them.
    """

    irreversible: ClassVar[bool] = True

    city: City
    loser: int
    loot: int
    gold: tuple[tuple[int, int], ...]
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Known cities; loot and gold for both parties only."""
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
    """Fate of the city that was taken: the city as it is now, and what that brought."""

    irreversible: ClassVar[bool] = True

    city: City
    side: int
    fate: Literal["occupy", "pillage", "sack"]
    gain: int
    gold: int

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Known cities; the gain for the winner only.

        A sack that takes one product away looks like a pillage, and is told as one.
        """
        if not after.knows_city(self.city):
            return None
        if self.side in after.secrets:
            return self
        taken = len(before.world.cities[self.city.id].slots) - len(self.city.slots)
        fate = "pillage" if self.fate == "sack" and taken == 1 else self.fate
        return replace(self, city=after.city(self.city), fate=fate, gain=0, gold=0)


class CityRazed(StrategicEvent, frozen=True, tag="city-razed"):
    """A city is a ruin for ever. ``terrain`` and ``art`` are those of its four tiles now."""

    irreversible: ClassVar[bool] = True

    city: City
    side: int
    terrain: int
    art: tuple[int, int, int, int]
    others: tuple[City, ...] = ()

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Known cities."""
        if not after.knows_city(self.city):
            return None
        return replace(self, city=after.city(self.city), others=own_cities(self.others, after))


class CityChanged(StrategicEvent, frozen=True, tag="city-changed"):
    """A city by its owner's order: production, vector or name."""

    city: City
    what: Literal["produce", "stop", "vector", "name"]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Own cities; others by their new names."""
        if self.city.owner in after.secrets:
            return self
        told = self.what == "name" and after.knows_city(self.city)
        return replace(self, city=after.city(self.city)) if told else None


class SlotBought(StrategicEvent, frozen=True, tag="slot-bought"):
    """A city can make something else; ``slot`` is NONE for those who may not know what."""

    city: City
    slot: int
    price: int
    gold: int

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Known cities that look otherwise now; the gold for the owner only.

        Where production is secret, only that the city is harder to take now, if it is.
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
    """Turns until their armies are done pass for cities: (city, turns left now)."""

    lefts: tuple[tuple[int, int], ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Counts of own cities."""
        cities = after.world.cities
        lefts = tuple(one for one in self.lefts if cities[one[0]].owner in after.secrets)
        return replace(self, lefts=lefts) if lefts else None


# -- Armies ----------------------------------------------------------------------------------------


class ArmyMade(StrategicEvent, frozen=True, tag="made"):
    """A city has made an army, which stands in it."""

    city: int
    left: int
    army: Army

    def redacted(self, before: Seen, after: Seen) -> Self | None:
        """Own army; an army of others if it is seen, without its city's count."""
        if self.army.owner in after.secrets:
            return self
        armies = shown((self.army,), before, after)
        return replace(self, left=0, army=armies[0]) if armies else None


class ArmySent(StrategicEvent, frozen=True, tag="sent"):
    """A city has made an army, which is on its way to another place; both have the same id."""

    city: int
    left: int
    transit: Transit

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Event, if the army is the viewer's own."""
        return self if after.owns(self.transit) else None


class TransitsMoved(StrategicEvent, frozen=True, tag="transits"):
    """Armies off the map found no place and turn back: as they are now."""

    transits: tuple[Transit, ...]

    def redacted(self, _before: Seen, after: Seen) -> Self | None:
        """Own armies."""
        own = tuple(transit for transit in self.transits if after.owns(transit))
        return replace(self, transits=own) if own else None


class ArmyArrived(StrategicEvent, frozen=True, tag="arrived"):
    """An army that was on its way is on the map again."""

    transit: int
    army: Army

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Own army; an army of others that is seen comes out of nothing."""
        if self.army.owner in after.secrets:
            return self
        return out_of_nothing((self.army,), "arrived", before, after)


class TransitsLost(StrategicEvent, frozen=True, tag="transits-lost"):
    """Armies on their way are lost."""

    transits: tuple[int, ...]

    def redacted(self, before: Seen, _after: Seen) -> Self | None:
        """Own armies."""
        rows = before.world.transits
        lost = tuple(transit for transit in self.transits if before.owns(rows[transit]))
        return replace(self, transits=lost) if lost else None


PlacingReason: TypeAlias = Literal["allies", "neutral", "hero", "reward", "arrived"]


class ArmiesPlaced(SeenArmiesEvent, frozen=True, tag="placed"):
    """New armies out of nothing: allies, garrisons."""

    irreversible: ClassVar[bool] = True

    reason: PlacingReason

    def redacted(self, before: Seen, after: Seen) -> Any:
        """Own armies as they are; armies of others that are seen come out of nothing."""
        if any(army.owner in after.secrets for army in self.armies):
            return super().redacted(before, after)
        return out_of_nothing(self.armies, self.reason, before, after)


def out_of_nothing(
    armies: tuple[Army, ...], reason: PlacingReason, before: Seen, after: Seen
) -> ArmiesPlaced | None:
    """Event for viewers to whom armies in sight seem to come out of nothing.

    Why they came tells of what they are.
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
"""Events of this chapter."""
