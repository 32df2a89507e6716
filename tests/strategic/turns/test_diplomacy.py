"""Treaties, stances, treachery and reputation (section 12), and the line of battle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.refused import Refused
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import diplomacy
from engine.strategic.commands import SetFightOrder, SetStance
from engine.strategic.events import RatingChanged, TreatyChanged
from engine.strategic.pieces import NOBODY
from engine.strategic.refusal import Refusal
from engine.strategic.world import HOSTILE, PEACE, WAR, World
from tests.strategic.ground import TYPES, army, city, desk, side, world

TALKS = Options(diplomacy="on")
BOOK = settings_of(TALKS)
STATES = st.integers(PEACE, WAR)


def pair(state: int, ours: int, theirs: int, **more: Any) -> State:
    """Return two sides with a treaty and the stance of each."""
    sides = (side(0, stances=(0, ours)), side(1, stances=(theirs, 0)))
    return world(
        ["......", "......"],
        sides=sides,
        options=TALKS,
        **({"treaties": ((0, state), (state, 0))} | more),
    )


def settled(state: int, ours: int, theirs: int) -> tuple[int, int, int]:
    """Return treaty and stances after the turn start of side 0."""
    work = desk(pair(state, ours, theirs))
    diplomacy.apply(work, BOOK, 0)
    after = work.state
    assert after.treaties[0][1] == after.treaties[1][0]
    return after.treaties[0][1], after.sides[0].stances[1], after.sides[1].stances[0]


@pytest.mark.rule("W2-12.2")
@pytest.mark.parametrize(
    ("state", "ours", "theirs", "expected"),
    [
        (PEACE, PEACE, PEACE, (PEACE, PEACE, PEACE)),
        (PEACE, HOSTILE, PEACE, (HOSTILE, HOSTILE, HOSTILE)),
        (PEACE, WAR, PEACE, (WAR, WAR, WAR)),
        (PEACE, HOSTILE, WAR, (HOSTILE, HOSTILE, WAR)),
        (HOSTILE, WAR, PEACE, (WAR, WAR, WAR)),
        (WAR, PEACE, WAR, (WAR, PEACE, WAR)),
        (WAR, PEACE, HOSTILE, (WAR, PEACE, HOSTILE)),
        (WAR, PEACE, PEACE, (PEACE, PEACE, PEACE)),
        (WAR, HOSTILE, PEACE, (HOSTILE, HOSTILE, PEACE)),
        (HOSTILE, PEACE, PEACE, (PEACE, PEACE, PEACE)),
        (HOSTILE, HOSTILE, PEACE, (HOSTILE, HOSTILE, PEACE)),
        (WAR, WAR, PEACE, (WAR, WAR, PEACE)),
    ],
)
def test_war_needs_one_side_and_peace_both(
    state: int, ours: int, theirs: int, expected: tuple[int, int, int]
) -> None:
    assert settled(state, ours, theirs) == expected


@pytest.mark.rule("W2-12.2")
@given(state=STATES, ours=STATES, theirs=STATES)
def test_worse_treaty_needs_one_side_and_better_both(state: int, ours: int, theirs: int) -> None:
    treaty, *stances = settled(state, ours, theirs)
    assert stances[0] == ours
    assert treaty == max(state, ours) or (treaty == ours and theirs <= ours)
    assert stances[1] in {theirs, max(theirs, treaty)}


@pytest.mark.rule("W2-12.1")
def test_treaties_do_not_change_without_diplomacy() -> None:
    work = desk(pair(WAR, PEACE, PEACE))
    diplomacy.apply(work, settings_of(Options()), 0)
    assert work.events == ()


@pytest.mark.rule("W2-12.2")
def test_defeated_side_makes_no_treaties() -> None:
    sides = (side(0, stances=(0, WAR)), side(1, stances=(0, 0), alive=False))
    work = desk(world(["..."], sides=sides, peace=True, options=TALKS))
    diplomacy.apply(work, BOOK, 0)
    assert work.events == ()


@pytest.mark.rule("W2-12.3")
@pytest.mark.parametrize(
    ("state", "field", "town"),
    [(PEACE, False, False), (HOSTILE, True, False), (WAR, True, True)],
)
def test_hostile_sides_may_attack_in_the_field_cities_only_at_war(
    state: int, *, field: bool, town: bool
) -> None:
    foes = [army(1, 0, 0, owner=1), army(2, 2, 0, owner=1), army(3, 5, 1, owner=NOBODY)]
    cities = [city(1, 2, 0, 1), city(2, 4, 0, NOBODY)]
    here = pair(state, state, state)
    place = world(
        ["......", "......"],
        armies=foes,
        cities=cities,
        options=TALKS,
        treaties=here.treaties,
    )
    asked = [diplomacy.may_attack(place, BOOK, 0, at) for at in ((0, 0), (2, 0), (3, 1))]
    assert asked == [field, town, town]
    assert diplomacy.may_attack(place, BOOK, 0, (5, 1))
    assert diplomacy.may_attack(place, BOOK, 0, (0, 1))
    assert diplomacy.may_attack(place, settings_of(Options()), 0, (2, 0))


@pytest.mark.rule("W2-12.3")
@pytest.mark.parametrize(
    ("state", "sides", "die", "rating"), [(PEACE, 100, 35, 135), (HOSTILE, 15, 4, 14)]
)
def test_treachery_causes_war_and_worsens_the_rating(
    state: int, sides: int, die: int, rating: int
) -> None:
    work = desk(pair(state, PEACE, PEACE), [die])
    diplomacy.betray(work, BOOK, 0, 1)
    assert work.dice.thrown == ((sides, die),)
    (event,) = work.events
    assert isinstance(event, TreatyChanged)
    assert (event.treaty, event.betrayal) == (WAR, True)
    after = work.state
    assert (after.sides[0].stances[1], after.sides[1].stances[0]) == (WAR, WAR)
    assert (after.sides[0].rating, after.sides[1].rating) == (rating, 0)


@pytest.mark.rule("W2-12.3")
def test_a_foe_at_war_cannot_be_betrayed() -> None:
    work = desk(pair(WAR, PEACE, PEACE))
    diplomacy.betray(work, BOOK, 0, 1)
    assert work.events == ()


@pytest.mark.rule("W2-12.3")
def test_bad_deeds_worsen_the_rating_only_with_diplomacy() -> None:
    work = desk(pair(WAR, WAR, WAR), [7])
    diplomacy.worsen(work, BOOK, 0, (1, 15, 10))
    assert work.events == (RatingChanged(side=0, rating=17),)
    still = desk(pair(WAR, WAR, WAR))
    diplomacy.worsen(still, settings_of(Options()), 0, (1, 15, 10))
    assert still.events == ()


@pytest.mark.rule("W2-12.3")
@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        ((3, 1), {0: "Running Dog", 1: "Statesman"}),
        ((5, 5, 2), {2: "Statesman", 0: "Diplomat", 1: "Running Dog"}),
    ],
)
def test_titles_go_from_the_best_to_the_worst(
    ratings: tuple[int, ...], expected: dict[int, str]
) -> None:
    sides = [side(k, rating=rating) for k, rating in enumerate(ratings)]
    assert diplomacy.titles(world(["."], sides=sides), BOOK) == expected


@pytest.mark.rule("W2-12.3")
def test_eight_sides_have_eight_titles_and_dead_ones_none() -> None:
    sides = [side(k, rating=8 - k) for k in range(8)]
    called = list(diplomacy.titles(world(["."], sides=sides), BOOK).values())
    assert (len(set(called)), called[0], called[-1]) == (8, "Statesman", "Running Dog")
    last = [side(0, alive=False), side(1, rating=99)]
    assert diplomacy.titles(world(["."], sides=last), BOOK) == {1: "Statesman"}


def stanced(state: World, command: SetStance, options: Options = TALKS) -> World:
    work = desk(state)  # type: ignore[arg-type]
    diplomacy.set_stance(work, settings_of(options), 0, command)
    return work.state


@pytest.mark.rule("W2-12.1", "W2-12.2")
def test_a_stance_changes_no_treaty_at_once() -> None:
    after = stanced(pair(PEACE, PEACE, PEACE), SetStance(1, WAR))
    assert (after.sides[0].stances[1], after.treaties[0][1]) == (WAR, PEACE)


@pytest.mark.rule("W2-12.1", "W2-12.2")
@pytest.mark.parametrize(
    ("command", "options", "code"),
    [
        (SetStance(1, WAR), Options(), Refusal.NOT_ALLOWED),
        (SetStance(0, WAR), TALKS, Refusal.NO_SUCH_SIDE),
        (SetStance(7, WAR), TALKS, Refusal.NO_SUCH_SIDE),
        (SetStance(NOBODY, WAR), TALKS, Refusal.NO_SUCH_SIDE),
        (SetStance(1, 3), TALKS, Refusal.NOT_ALLOWED),
        (SetStance(1, -1), TALKS, Refusal.NOT_ALLOWED),
        (SetStance(1, PEACE), TALKS, Refusal.NOTHING_TO_DO),
    ],
)
def test_impossible_stance_is_refused(command: SetStance, options: Options, code: Refusal) -> None:
    with pytest.raises(Refused) as refused:
        stanced(pair(PEACE, PEACE, PEACE), command, options)
    assert refused.value.code is code


def lined(types: tuple[int, ...]) -> World:
    work = desk(world(["..."]))
    diplomacy.set_fight_order(work, BOOK, 0, SetFightOrder(types))
    return work.state


@pytest.mark.rule("W2-8.4", "W2-17.4")
def test_a_line_of_battle_gives_each_type_its_place() -> None:
    line = tuple(reversed(tuple(TYPES)))
    order = lined(line).sides[0].order
    assert tuple(sorted(TYPES, key=lambda kind: order[kind])) == line


@pytest.mark.rule("W2-8.4")
@pytest.mark.parametrize(
    ("types", "code"),
    [
        ((), Refusal.BAD_ORDER),
        (tuple(TYPES)[1:], Refusal.BAD_ORDER),
        ((*tuple(TYPES)[1:], 1), Refusal.BAD_ORDER),
        ((*tuple(TYPES)[1:], 99), Refusal.BAD_ORDER),
        (tuple(sorted(TYPES, key=lambda k: (TYPES[k].order, k))), Refusal.NOTHING_TO_DO),
    ],
)
def test_invalid_line_of_battle_is_refused(types: tuple[int, ...], code: Refusal) -> None:
    with pytest.raises(Refused) as refused:
        lined(types)
    assert refused.value.code is code
