"""Rounds: their order, score, elimination, victory, surrender and resigning (section 17)."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.dice import Seeded
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.lordsawar import turns
from engine.rulesets.lordsawar.events import RoundScored
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.picture import PRESENTER
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.view import VIEWING, view
from engine.strategic import commands as do
from engine.strategic.events import GameEnded, RoundBegan, SideOut, TurnBegan
from engine.strategic.pieces import NOBODY, Item, Question
from tests.rulesets.lordsawar.realm import army, city, desk, ordered, realm

DICE: Final = Seeded(b"rounds", 0, "test")


# -- order -----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-17.1")
def test_first_round_follows_side_numbers_and_is_never_shuffled() -> None:
    state = realm([city(k, 3 * k, 0, k) for k in range(3)], gold=(1, 1, 1), order=())
    for options in (Options(), Options(random_turns="on")):
        work, settings = desk(replace(state, options=options))
        assert settings.turns.order(work) == (0, 1, 2)


@pytest.mark.rule("LW-17.1", "LW-20")
def test_random_turns_shuffle_every_later_round() -> None:
    towns = [city(k, 3 * k, 0, k) for k in range(4)]
    state = realm(towns, gold=(1,) * 4, at=3, options=Options(random_turns="on"))
    orders = set()
    for number in range(12):
        _, events = ordered(state, 3, do.EndTurn(), Seeded(b"turns", number, "test"))
        begun = next(event for event in events if isinstance(event, RoundBegan))
        assert sorted(begun.order) == [0, 1, 2, 3]
        orders.add(begun.order)
    assert len(orders) > 5


# -- score -----------------------------------------------------------------------------------------


SCORES = [
    # cities, gold and armies of both sides, neutral cities and ruins, score of the first side
    ((1, 1), (0, 0), (0, 0), 0, 35),
    ((1, 1), (0, 0), (0, 0), 2, 17),
    ((1, 0), (10, 0), (1, 0), 0, 100),
    ((2, 1), (50, 50), (1, 3), 0, 56),
    ((0, 3), (1, 2), (0, 1), 0, 3),
    ((1, 2), (2, 1), (2, 1), 0, 43),
]


@pytest.mark.rule("LW-17.6")
@pytest.mark.parametrize(("cities", "gold", "armies", "others", "score"), SCORES)
def test_the_score_counts_shares_of_cities_gold_and_armies(
    cities: tuple[int, int],
    gold: tuple[int, int],
    armies: tuple[int, int],
    others: int,
    score: int,
) -> None:
    owners = [*([0] * cities[0]), *([1] * cities[1])]
    towns = [city(k, 2 * k, 0, owner) for k, owner in enumerate(owners)]
    towns += [city(9 - k, 2 * k, 4, NOBODY, razed=k == 0) for k in range(others)]
    ranks = [*([0] * armies[0]), *([1] * armies[1]), NOBODY]
    stacks = [army(k, 0, 8, owner=owner) for k, owner in enumerate(ranks, 1)]
    state = realm(towns, stacks, gold=gold)
    assert turns.score(state, 0) == score


@pytest.mark.rule("LW-17.6")
def test_defeated_side_has_no_score_and_its_gold_does_not_count() -> None:
    state = realm([city(0, 0, 0), city(1, 4, 0, 1)], gold=(5, 5, 90))
    gone = replace(state.sides[2], alive=False)
    state = replace(state, sides=state.sides.put(gone))
    assert [turns.score(state, side) for side in range(3)] == [40, 40, 0]


@pytest.mark.rule("LW-17.6")
def test_scores_are_visible_to_all_at_the_round_end() -> None:
    state = realm([city(0, 0, 0), city(1, 4, 0, 1)], at=1)
    assert RULES.statistics(state)["score"] == (0, 0)
    state, events = ordered(state, 1, do.EndTurn(), DICE)
    told = next(event for event in events if isinstance(event, RoundScored))
    assert told.scores == (40, 40)
    assert told.redacted(*(VIEWING.seen(state, 0),) * 2) == told
    assert RULES.statistics(state)["score"] == (40, 40)
    assert PRESENTER.numbers(view(state, 0))["score"] == (40, 40)
    assert [line.text for line in PRESENTER.tell(told, view(state, 0))] == [
        "Scores: side 0 40 and side 1 40."
    ]


# -- elimination and victory -----------------------------------------------------------------------


def three(*owners: int, **more: object) -> State:
    """Return three sides, some of them with cities."""
    towns = [city(k, 3 * k, 0, owner, razed=False) for k, owner in enumerate(owners)]
    stacks = [army(1, 5, 5, owner=0), army(2, 6, 6, "hero", owner=1), army(3, 7, 7, owner=2)]
    bag = Item(0, "weapon", 1, "Sword", "carried", holder=2)
    return replace(
        realm(towns, stacks, gold=(10, 10, 10), transits=[]),
        items=realm().items.put(bag),
        **more,
    )


@pytest.mark.rule("LW-17.3")
def test_side_without_a_city_is_out_at_the_end_of_the_turn() -> None:
    after, events = ordered(three(0, 0, 2), 0, do.EndTurn(), DICE)
    assert [event.side.id for event in events if isinstance(event, SideOut)] == [1]
    assert (after.sides[1].alive, after.sides[1].gold) == (False, 0)
    assert 2 not in after.armies
    bag = after.items[0]
    assert (bag.where, bag.x, bag.y) == ("ground", 6, 6)
    assert [event.side for event in events if isinstance(event, TurnBegan)] == [2]
    assert after.current == 2


@pytest.mark.rule("LW-17.3")
def test_the_last_living_side_wins_at_once() -> None:
    after, events = ordered(three(0, 0, 0), 0, do.EndTurn(), DICE)
    assert GameEnded((0,), "conquest") in events
    assert not any(isinstance(event, TurnBegan) for event in events)
    assert (after.reason, after.winners) == ("conquest", (0,))


@pytest.mark.rule("LW-17.3", "LW-13.3")
def test_side_that_razes_its_last_city_is_out_at_turn_end() -> None:
    state, _ = ordered(three(0, 1, 2), 0, do.Raze(0))
    assert state.sides[0].alive
    state, _ = ordered(state, 0, do.EndTurn(), DICE)
    assert not state.sides[0].alive
    assert state.current == 1


# -- surrender -------------------------------------------------------------------------------------


def before_one_human(own: int, razed: int = 0, refused: int = 0, humans: int = 1) -> State:
    """Return four cities, ``own`` of them of the first side, in the last turn of a round."""
    towns = [
        city(k, 3 * k % 9, 3 * (k // 3), 0 if k < own else 1 + k % 2, razed=k >= 4 - razed)
        for k in range(4)
    ]
    state = realm(towns, gold=(0, 0, 0), at=2)
    rows = [replace(side, human=side.id < humans) for side in state.sides.values()]
    rows[0] = replace(rows[0], deeds=replace(rows[0].deeds, refused=refused))
    return replace(state, sides=state.sides.put(*rows))


YIELDS = [
    (before_one_human(3), 0),
    (before_one_human(2), None),
    (before_one_human(2, razed=1), None),
    (before_one_human(3, refused=3), None),
    (before_one_human(3, humans=2), None),
    (before_one_human(3, humans=0), None),
]


@pytest.mark.rule("LW-17.4")
@pytest.mark.parametrize(("state", "offered"), YIELDS)
def test_computers_surrender_to_a_single_human_with_most_cities(
    state: State, offered: int | None
) -> None:
    assert turns.yields(state) == offered


@pytest.mark.rule("LW-17.4")
def test_surrender_is_offered_once() -> None:
    state = before_one_human(3)
    towns = [*state.cities.values()][:3]
    one, two = city(3, 0, 6, 1), city(4, 4, 6, 2)
    state = realm([*towns, one, two], gold=(0, 0, 0), at=2)
    rows = [replace(side, human=side.id == 0) for side in state.sides.values()]
    state = replace(state, sides=state.sides.put(*rows))
    asked, _ = ordered(state, 2, do.EndTurn(), DICE)
    assert asked.question == Question("yield", 0)
    won, _ = ordered(asked, 0, do.AnswerYield(), DICE)
    assert (won.reason, won.winners) == ("surrender", (0,))
    fights, _ = ordered(asked, 0, do.AnswerYield(accept=False), DICE)
    assert fights.turn == 2
    assert turns.yields(fights) is None


# -- resigning -------------------------------------------------------------------------------------


@pytest.mark.rule("LW-17.5")
@pytest.mark.parametrize("burn", [False, True])
@pytest.mark.parametrize("razing", ["always", "never"])
def test_resigned_side_loses_armies_and_gold_and_leaves_ruins(burn: bool, razing: str) -> None:
    options = Options(razing_cities=razing)  # type: ignore[arg-type] # one of its words
    state = three(0, 1, 2, options=options)
    after, _ = ordered(state, 0, do.Resign(burn), DICE)
    assert (after.sides[0].alive, after.sides[0].gold) == (False, 0)
    assert (after.cities[0].razed, after.cities[0].defence) == (True, 0)
    assert 1 not in after.armies
    assert after.current == 1


@pytest.mark.rule("LW-17.3")
def test_side_without_cities_is_out_after_a_resignation() -> None:
    after, _ = ordered(three(0, 0, 2), 0, do.Resign(), DICE)
    assert [side.alive for side in after.sides.values()] == [False, False, True]
    assert after.winners == (2,)


@pytest.mark.rule("LW-17.3")
def test_defeated_side_cannot_give_orders() -> None:
    after, _ = ordered(three(0, 1, 2), 0, do.Resign(), DICE)
    with pytest.raises(Refused):
        ordered(after, 0, do.EndTurn())
