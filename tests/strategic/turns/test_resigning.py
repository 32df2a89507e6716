"""Resigning from a game (section 17)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.containers import Roster
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.tables import Terrain, city_art
from engine.strategic import events as ev
from engine.strategic import victory
from engine.strategic.commands import Resign
from engine.strategic.pieces import NOBODY, NONE, Question, Transit
from engine.strategic.refusal import Refusal
from engine.strategic.world import HOSTILE, PEACE, WAR, World, cities_of
from tests.strategic.ground import army
from tests.strategic.turns.realm import at_desk, realm, sides


def resigned(state: State, side: int = 0, *, burn: bool = False) -> tuple[World, list[Any]]:
    work, settings = at_desk(state)
    victory.resign(work, settings, side, Resign(burn))
    return work.state, [type(event) for event in work.events]


def three(**more: Any) -> State:
    """Return three sides with two cities each; those of side 0 are producing."""
    state = realm((2, 2, 2), sides(True, True, True), **more)
    busy = (replace(state.cities[k], making=0, left=1, vector=3 - k) for k in (1, 2))
    away = Transit(id=9, army=army(9, 0, 0), target=1, due=4)
    own = [army(1, 0, 0), army(2, 5, 8), army(3, 0, 2, owner=1)]
    return replace(
        state,
        cities=state.cities.put(*busy),
        armies=Roster(own),
        transits=Roster([away]),
        next_id=10,
    )


@pytest.mark.rule("W2-17.5")
def test_cities_become_neutral_without_garrisons() -> None:
    state, _ = resigned(three())
    for number in (1, 2):
        city = state.cities[number]
        assert (city.owner, city.making, city.vector, city.razed) == (NOBODY, NONE, NONE, False)
        assert tuple(state.art[y, x] for x, y in city.tiles) == city_art(NOBODY)
    assert list(state.armies) == [3]
    assert not state.transits
    assert (state.sides[0].alive, state.sides[0].gold) == (False, 0)


@pytest.mark.rule("W2-13.1", "W2-17")
def test_treaties_of_a_resigned_side_are_hostile() -> None:
    state, _ = resigned(three())
    assert state.sides[0].stances == (WAR, HOSTILE, HOSTILE)
    assert state.treaties == ((PEACE, 1, 1), (1, PEACE, WAR), (1, WAR, PEACE))


@pytest.mark.rule("W2-17.5")
def test_resigning_with_burn_razes_all_cities() -> None:
    state, _ = resigned(three(), burn=True)
    assert cities_of(state, NOBODY) == ()
    for number in (1, 2):
        assert state.cities[number].razed
        assert {state.terrain[y, x] for x, y in state.cities[number].tiles} == {Terrain.SITE}
    assert len(cities_of(state, 1)) == 2


@pytest.mark.rule("W2-17.5", "W2-0.1")
def test_resigning_with_burn_is_refused_if_razing_is_off() -> None:
    with pytest.raises(Refused) as refused:
        resigned(three(options=Options(raze_allowed="off")), burn=True)
    assert refused.value.code is Refusal.NOT_ALLOWED


@pytest.mark.rule("W2-17", "W2-13.1")
def test_next_side_plays_after_a_resignation() -> None:
    state, events = resigned(three())
    assert (state.current, state.stage, state.turn) == (1, "orders", 3)
    assert events.count(ev.TurnBegan) == 1


@pytest.mark.rule("W2-17", "W2-13.1")
def test_side_out_of_turn_resigns_without_ending_the_turn() -> None:
    state, events = resigned(three(), 1)
    assert (state.current, state.sides[1].alive) == (0, False)
    assert ev.TurnBegan not in events


@pytest.mark.rule("W2-17", "W2-13.3")
def test_game_ends_when_the_last_human_resigns() -> None:
    state, events = resigned(realm((2, 2, 2), sides(True, False, False)))
    assert (state.reason, state.winners) == ("humans_out", (1, 2))
    assert events[-1] is ev.GameEnded


@pytest.mark.rule("W2-17", "W2-13.2")
@pytest.mark.parametrize("kind", ["fate", "hero"])
def test_resigning_settles_the_sides_own_question(kind: Any) -> None:
    stage = "offer" if kind == "hero" else "orders"
    asked = Question(kind, 0, city=1)
    state, events = resigned(three(question=asked, stage=stage))
    assert (state.question, state.current, state.stage) == (None, 1, "orders")
    assert events[0] is ev.Answered


@pytest.mark.rule("W2-17")
def test_resigning_keeps_the_question_of_another_side() -> None:
    asked = Question("fate", 0, city=1)
    state, _ = resigned(three(question=asked), 1)
    assert (state.question, state.current) == (asked, 0)


@pytest.mark.rule("W2-17", "W2-13.3")
def test_resigning_before_a_surrender_is_accepted_ends_the_round() -> None:
    humans = sides(True, True, False)
    waiting = realm((6, 1, 1), humans, at=2, question=Question("yield", 0))
    state, _ = resigned(waiting)
    assert (state.question, state.turn, state.current) == (None, 4, 1)
