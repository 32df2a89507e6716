"""Policies of cities and turns that Warlords II leaves at their defaults, with the toy book."""

from __future__ import annotations

from dataclasses import replace as changed

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.strategic import victory
from engine.strategic.commands import EndTurn, Raze, Resign, Settle, SetVector, Walk
from engine.strategic.events import CitySettled, SideOut, TransitsLost, TurnBegan
from engine.strategic.pieces import NONE, City, Transit
from engine.strategic.refusal import Refusal
from engine.strategic.settings import Fate
from engine.strategic.world import World
from tests.strategic.toy.rule_book import TOY, played
from tests.strategic.toy.world import GUARD, RIDER, ToyWorld, army, land, town

ROW = ("........", "........")


def realm() -> ToyWorld:
    """Return a rider of side 0 beside a city of side 1, which has another city."""
    towns = town(1, 0, 0, 0), town(2, 4, 0, 1), town(3, 6, 0, 1)
    return land(ROW, army(1, 3, 0, RIDER), towns=towns)


def test_book_can_define_seizure_and_fates_of_a_taken_city() -> None:
    def seized(city: City) -> City:
        return replace(city, making=0, left=3, defence=9)

    def fates(_world: World, _city: int) -> tuple[Fate, ...]:
        return ("occupy", "pillage")

    def plunder(_world: World, city: City, _fate: Fate) -> tuple[City, int]:
        return replace(city, name="Empty"), 13

    rules = changed(TOY.cities, seized=seized, fates=fates, plunder=plunder)
    settings = changed(TOY, cities=rules)
    asked, _ = played(realm(), (0, Walk((1,), ((4, 0),))), settings=settings)
    town = asked.cities[2]
    assert (town.making, town.left, town.defence) == (0, 3, 9)
    with pytest.raises(Refused) as refused:
        played(asked, (0, Settle("sack")), settings=settings)
    assert refused.value.code == Refusal.NOT_ALLOWED
    after, events = played(asked, (0, Settle("pillage")), settings=settings)
    assert after.cities[2].name == "Empty"
    assert [event.gain for event in events if isinstance(event, CitySettled)] == [13]


@pytest.mark.parametrize(("loses", "lost"), [(True, [11, 12]), (False, [12])])
def test_armies_sent_by_a_taken_city_can_be_lost(loses: bool, lost: list[int]) -> None:
    settings = changed(TOY, cities=changed(TOY.cities, loses_sent=loses))
    sent = replace(army(11, 0, 0, GUARD, owner=1), home=2)
    coming = replace(army(12, 0, 0, GUARD, owner=1), home=3)
    ways = Transit(11, sent, 3, 5), Transit(12, coming, 2, 5)
    world = realm()
    world = replace(world, transits=world.transits.put(*ways))
    _, events = played(world, (0, Walk((1,), ((4, 0),))), settings=settings)
    gone = [event.transits for event in events if isinstance(event, TransitsLost)]
    assert gone == [tuple(lost)]


@pytest.mark.parametrize("loses", [True, False])
def test_armies_in_transit_to_a_razed_city_can_be_lost(loses: bool) -> None:
    spoils = changed(TOY.fighting.spoils, may_raze=True)
    settings = changed(
        TOY,
        cities=changed(TOY.cities, loses_sent=loses),
        fighting=changed(TOY.fighting, spoils=spoils),
    )
    world = realm()
    way = Transit(11, replace(army(11, 0, 0, GUARD), home=1), 1, 5)
    world = replace(world, transits=world.transits.put(way))
    after, _ = played(world, (0, Raze(1)), settings=settings)
    assert bool(after.transits) != loses


def test_several_cities_can_get_a_new_target_at_once() -> None:
    rules = changed(TOY.cities, together=True, sources=2)
    settings = changed(TOY, cities=rules)
    rows = "." * 12, "." * 12
    towns = [replace(town(k, 2 * k - 2, 0, 0), vector=4 if k < 3 else NONE) for k in range(1, 6)]
    world = land(rows, towns=(*towns, town(6, 10, 0, 1)))
    after, _ = played(world, (0, SetVector(1, 2)), settings=settings)
    assert [city.vector for city in after.cities.values()][:3] == [2, NONE, NONE]
    both, _ = played(world, (0, SetVector(1, 5)), settings=settings)
    assert [city.vector for city in both.cities.values()][:3] == [5, 5, NONE]
    busy = replace(both, cities=both.cities.put(replace(both.cities[3], vector=4)))
    with pytest.raises(Refused) as refused:
        played(busy, (0, SetVector(1, 4)), settings=settings)
    assert refused.value.code == Refusal.TOO_MANY


def test_sides_can_be_eliminated_at_the_end_of_a_turn() -> None:
    phases = changed(TOY.turns, round_end=(), turn_end=(victory.eliminate, victory.judge))
    settings = changed(TOY, turns=phases)
    world = land(ROW, towns=(town(1, 0, 0, 0),))
    after, events = played(world, (0, EndTurn()), settings=settings)
    assert [event.side.id for event in events if isinstance(event, SideOut)] == [1]
    assert not any(isinstance(event, TurnBegan) for event in events)
    assert after.winners == (0,)


def test_cities_of_a_resigning_side_can_always_be_razed() -> None:
    world = realm()
    burnt = changed(TOY, turns=changed(TOY.turns, may_burn=True, always_burns=True))
    after, _ = played(world, (0, Resign()), settings=burnt)
    assert after.cities[1].razed
    usual, _ = played(world, (0, Resign()))
    assert not usual.cities[1].razed


def test_rounds_in_transit_can_depend_on_the_distance() -> None:
    def rounds(_world: World, city: City, end: Place) -> int:
        return 1 + end[0] - city.x

    settings = changed(TOY, cities=changed(TOY.cities, journey_to=rounds))
    sends = replace(town(1, 0, 0, 0), making=0, left=1, vector=4)
    world = land(ROW, towns=(sends, town(4, 4, 0, 0), town(3, 6, 0, 1)))
    after, _ = played(world, (0, EndTurn()), (1, EndTurn()), settings=settings)
    assert [transit.due for transit in after.transits.values()] == [2 + 5]
