"""Armies in transit, off the map (section 9.5)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.containers import Roster
from engine.core.record import replace
from engine.core.refused import Refused
from engine.kit.grid import Place
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import cities
from engine.strategic.commands import SetVector
from engine.strategic.events import AnyEvent, ArmyArrived, ArmySent, TransitsLost, TransitsMoved
from engine.strategic.pieces import NOBODY, NONE, TO_FLAG, City, Transit
from engine.strategic.refusal import Refusal
from tests.strategic.ground import BATS, LIGHT, NAVY, army, city, desk, side, slot, world

BOOK = settings_of(Options())
ROWS = ["." * 14] * 4
SOURCE, TARGET = 1, 2


def source(**more: Any) -> City:
    """Return a city that completes an army at the next turn start and sends it to another city."""
    usual: dict[str, Any] = {"making": 0, "left": 1, "vector": TARGET}
    return city(SOURCE, 0, 0, 0, **(usual | more))


def place(*cities: City, **more: Any) -> State:
    given = {"turn": 5} | more
    return world(ROWS, cities=cities or (source(), city(TARGET, 4, 0, 0)), **given)


def turn(state: State) -> tuple[State, tuple[AnyEvent, ...]]:
    """Play a turn start of side 0 and end its round; return the state and the events."""
    work = desk(state)
    cities.pass_turn(work, BOOK, 0)
    cities.receive_transits(work, BOOK, 0)
    assert isinstance(work.state, State)
    return replace(work.state, turn=work.state.turn + 1), work.events


def without_making(state: State, number: int = SOURCE) -> State:
    """Return the position with the city's production stopped."""
    return replace(state, cities=state.cities.put(replace(state.cities[number], making=NONE)))


def after(state: State, count: int) -> State:
    for _ in range(count):
        state, _ = turn(state)
    return state


@pytest.mark.rule("W2-9.5", "W2-9.3")
def test_army_arrives_two_turn_starts_after_departure() -> None:
    left, events = turn(place())
    assert [type(event) for event in events[1:]] == [ArmySent]
    assert (len(left.armies), len(left.transits)) == (0, 1)
    first, events = turn(without_making(left))
    assert (events, len(first.armies)) == ((), 0)
    second, events = turn(first)
    assert [type(event) for event in events] == [ArmyArrived]
    (arrived,) = second.armies.values()
    assert (arrived.at, arrived.points, arrived.home) == ((4, 0), arrived.max_move, SOURCE)
    assert len(second.transits) == 0


@pytest.mark.rule("W2-9.3", "W2-9.5")
def test_arriving_army_has_full_moves() -> None:
    tired = Transit(id=9, army=army(9, 0, 0, points=1), target=TARGET, due=5)
    state, _ = turn(place(transits=Roster([tired])))
    assert state.armies[9].points == state.armies[9].max_move == 12


@pytest.mark.rule("W2-9.5")
def test_an_army_leaves_a_full_city() -> None:
    crowd = [army(k + 1, *at) for k, at in enumerate(t for t in source().tiles for _ in range(8))]
    assert len(turn(place(armies=crowd))[0].transits) == 1


@pytest.mark.rule("W2-9.5")
def test_army_returns_home_in_two_turns_if_the_target_is_full() -> None:
    target = city(TARGET, 4, 0, 0)
    crowd = [army(k + 1, *at) for k, at in enumerate(t for t in target.tiles for _ in range(8))]
    state = without_making(after(place(armies=crowd), 1))
    state, events = turn(after(state, 1))
    assert [type(event) for event in events] == [TransitsMoved]
    assert next(iter(state.transits.values())).homeward
    state, events = turn(state)
    assert events == ()
    state, events = turn(state)
    assert [type(event) for event in events] == [ArmyArrived]
    assert state.armies[max(state.armies)].at == (0, 0)


@pytest.mark.rule("W2-9.5")
def test_army_is_lost_if_target_and_home_are_full() -> None:
    full = [
        army(k + 1, *at)
        for k, at in enumerate(
            t for c in (source(), city(TARGET, 4, 0, 0)) for t in c.tiles for _ in range(8)
        )
    ]
    state = after(without_making(after(place(armies=full), 1)), 3)
    state, events = turn(state)
    assert [type(event) for event in events] == [TransitsLost]
    assert (len(state.transits), len(state.armies)) == (0, 64)


@pytest.mark.rule("W2-9.5")
@pytest.mark.parametrize("owner", [1, NOBODY])
def test_army_is_lost_if_it_cannot_return_home(owner: int) -> None:
    state = without_making(after(place(), 1))
    lost = state.cities.put(
        replace(state.cities[SOURCE], owner=owner), replace(state.cities[TARGET], owner=1)
    )
    _, events = turn(after(replace(state, cities=lost), 1))
    assert [type(event) for event in events] == [TransitsLost]


@pytest.mark.rule("W2-9.5")
def test_a_razed_target_sends_armies_back() -> None:
    state = without_making(after(place(), 1))
    ruin = replace(state.cities[TARGET], razed=True, owner=NOBODY)
    _, events = turn(after(replace(state, cities=state.cities.put(ruin)), 1))
    assert [type(event) for event in events] == [TransitsMoved]


def flagged(at: Place | None, kind: int = LIGHT, **more: Any) -> State:
    """Return a position in which an army has just left for the flag. The flag is now at ``at``."""
    town = source(vector=TO_FLAG, slots=(slot(kind),), making=NONE, left=0)
    going = replace(source(vector=TO_FLAG, slots=(slot(kind),)), left=1)
    state = place(going, sides=(side(0, flag=(9, 3)), side(1)), **more)
    state = replace(after(state, 1), sides=Roster((side(0, flag=at), side(1))))
    return replace(state, cities=state.cities.put(town))


@pytest.mark.rule("W2-9.5")
@pytest.mark.parametrize("at", [(9, 3), (7, 0)])
def test_army_arrives_at_the_current_place_of_the_flag(at: Place) -> None:
    (arrived,) = after(flagged(at), 2).armies.values()
    assert arrived.at == at


@pytest.mark.rule("W2-9.5")
def test_without_a_flag_armies_turn_back() -> None:
    _, events = turn(after(flagged(None), 1))
    assert [type(event) for event in events] == [TransitsMoved]


@pytest.mark.rule("W2-9.5")
def test_army_does_not_arrive_among_foes_or_in_foreign_cities() -> None:
    foes = [army(50, 9, 3, owner=1)]
    _, events = turn(after(flagged((9, 3), armies=foes), 1))
    assert [type(event) for event in events] == [TransitsMoved]
    state = flagged((9, 3))
    taken = replace(state, cities=state.cities.put(city(3, 9, 2, 1)))
    _, events = turn(after(taken, 1))
    assert [type(event) for event in events] == [TransitsMoved]


@pytest.mark.rule("W2-9.5")
@pytest.mark.parametrize(("kind", "expected"), [(LIGHT, TransitsMoved), (BATS, ArmyArrived)])
def test_only_flyers_arrive_over_the_sea(kind: int, expected: type[AnyEvent]) -> None:
    state = flagged((9, 3), kind)
    sea = state.terrain.put(9, 3, 10)
    _, events = turn(after(replace(state, terrain=sea), 1))
    assert [type(event) for event in events] == [expected]


@pytest.mark.rule("W2-9.5", "W2-6.6")
@pytest.mark.parametrize(("coast", "expected"), [("w", ArmyArrived), (".", TransitsMoved)])
def test_boats_arrive_in_port_cities_only(coast: str, expected: type[AnyEvent]) -> None:
    rows = [*ROWS[:2], "." * 4 + coast + "." * 9, ROWS[3]]
    towns = (source(slots=(slot(NAVY),)), city(TARGET, 4, 0, 0))
    state = without_making(after(world(rows, cities=towns, turn=5), 1))
    _, events = turn(after(state, 1))
    assert [type(event) for event in events] == [expected]


@pytest.mark.rule("W2-9.3")
def test_armies_arrive_in_their_order_of_departure() -> None:
    sources = [city(k, 2 * k, 2, 0, making=0, left=1, vector=TARGET) for k in (6, 4, 5)]
    state = place(*sources, city(TARGET, 0, 0, 0), key=77)
    state = after(state, 1)
    for one in (4, 5, 6):
        state = without_making(state, one)
    _, events = turn(after(state, 1))
    assert [event.army.home for event in events if isinstance(event, ArmyArrived)] == [4, 5, 6]


def vectored(state: State, command: SetVector) -> State:
    work = desk(state)
    cities.set_vector(work, BOOK, 0, command)
    assert isinstance(work.state, State)
    return work.state


@pytest.mark.rule("W2-9.5")
def test_at_most_four_cities_send_armies_to_one_target() -> None:
    towns = [city(k, 2 * k - 2, 0, 0) for k in range(1, 7)]
    state = place(*towns, sides=(side(0, flag=(0, 3)), side(1)))
    for number in (2, 3, 4, 5):
        state = vectored(state, SetVector(number, 1))
    with pytest.raises(Refused) as refused:
        vectored(state, SetVector(6, 1))
    assert refused.value.code is Refusal.TOO_MANY
    assert len(cities.sources(state, 0, 1)) == 4
    moved = vectored(vectored(state, SetVector(5, flag=True)), SetVector(6, 1))
    assert (moved.cities[5].vector, moved.cities[6].vector) == (TO_FLAG, 1)


@pytest.mark.rule("W2-9.5")
def test_a_vector_can_be_cleared() -> None:
    assert vectored(place(), SetVector(SOURCE)).cities[SOURCE].vector == NONE


@pytest.mark.rule("W2-9.5")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (SetVector(SOURCE, TARGET), Refusal.NOTHING_TO_DO),
        (SetVector(TARGET), Refusal.NOTHING_TO_DO),
        (SetVector(SOURCE, SOURCE), Refusal.NOT_ALLOWED),
        (SetVector(SOURCE, flag=True), Refusal.NOT_ALLOWED),
        (SetVector(SOURCE, TARGET, flag=True), Refusal.NOT_ALLOWED),
        (SetVector(SOURCE, 3), Refusal.NO_SUCH_CITY),
        (SetVector(SOURCE, 99), Refusal.NO_SUCH_CITY),
        (SetVector(3, TARGET), Refusal.NO_SUCH_CITY),
    ],
)
def test_impossible_vector_is_refused(command: SetVector, code: Refusal) -> None:
    state = place(source(), city(TARGET, 4, 0, 0), city(3, 8, 0, 1))
    with pytest.raises(Refused) as refused:
        vectored(state, command)
    assert refused.value.code is code


@pytest.mark.rule("W2-9.5")
@given(
    rooms=st.lists(st.integers(0, 8), min_size=8, max_size=8),
    keeps=st.booleans(),
    taken=st.booleans(),
)
def test_army_arrives_in_two_turns_or_returns_in_four_or_is_lost(
    rooms: list[int], *, keeps: bool, taken: bool
) -> None:
    target = city(TARGET, 4, 0, 0)
    tiles = (*source().tiles, *target.tiles)
    spots = [at for at, count in zip(tiles, rooms, strict=True) for _ in range(count)]
    state = place(armies=[army(k + 1, *at) for k, at in enumerate(spots)])
    state = without_making(after(state, 1))
    (number,) = state.transits
    if taken:
        state = replace(state, cities=state.cities.put(replace(target, owner=1)))
    seen = [state := after(state, 1) for _ in range(4)]
    if not keeps:
        seen[-1] = state = after(state, 2)
    has_room = min(rooms[4:]) < 8 and not taken
    assert number not in seen[0].armies
    assert (number in seen[1].armies) == has_room
    assert (number in seen[3].armies) == (has_room or min(rooms[:4]) < 8)
    assert not state.transits
