"""The set-up: layouts, turn order, world, realms, castles, first units and gold."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from engine.core.decision import BaseDecision
from engine.core.dice import Scripted, Seeded
from engine.core.record import replace
from engine.core.refused import Refused
from engine.core.ruleset import ScenarioFault
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan import founding, setup
from engine.rulesets.kaladan.board import (
    crown,
    distance,
    is_edge,
    layout_for,
    layouts,
    neighbours,
    standing,
    tile_name,
    tile_names,
    tile_number,
)
from engine.rulesets.kaladan.evolve import EMPTY, evolve
from engine.rulesets.kaladan.state import HIDDEN, State, War
from engine.rulesets.kaladan.tables import realm_deck, unit_rows
from engine.rulesets.kaladan.view import imagine, redact, view

WAR = War(name="test", title="Test", about="")
SEED = bytes(16)


def begun(seats: int, seed: int = 0, **options: Any) -> State:
    """Return a game at its first choice."""
    state = EMPTY
    for event in setup.begin(replace(WAR, seats=seats), options, Seeded(SEED, seed, "begin")):
        state = evolve(state, event)
    return state


def ordered(state: State, command: do.AnyCommand, *throws: int) -> State:
    """Return the state after a set-up command of the active seat."""
    dice = Scripted(throws) if throws else Seeded(SEED, 7, "order")
    decision = BaseDecision(state, evolve, dice)
    founding.found(decision, state.active, command)  # type: ignore[arg-type]
    founding.go_on(decision)
    return decision.state


def settled(seats: int, seed: int = 0, **options: Any) -> State:
    """Return a game after the set-up, with the first offer taken at each choice."""
    state = begun(seats, seed, **options)
    while state.phase in ("world", "realms", "castles", "deployment"):
        offer = next(founding.founding_offers(view(state, state.active)))
        state = ordered(state, offer)
    return state


@pytest.mark.rule("KA-3.1")
@pytest.mark.parametrize(
    ("tiles", "widths", "links", "edges", "inner"),
    [
        (7, (2, 3, 2), 12, 6, "B2"),
        (13, (4, 5, 4), 26, 10, "B2 B3 B4"),
        (14, (2, 3, 4, 3, 2), 29, 10, "B2 C2 C3 D2"),
        (19, (3, 4, 5, 4, 3), 42, 12, "B2 B3 C2 C3 C4 D2 D3"),
    ],
)
def test_layouts_have_the_right_shape(
    tiles: int, widths: tuple[int, ...], links: int, edges: int, inner: str
) -> None:
    every = range(1, tiles + 1)
    assert layouts()[tiles].row_widths == widths
    assert sum(len(neighbours(tiles, tile)) for tile in every) == 2 * links
    assert sum(is_edge(tiles, tile) for tile in every) == edges
    found = [tile_name(tiles, tile) for tile in every if not is_edge(tiles, tile)]
    assert found == inner.split()
    assert [tile_number(tiles, name) for name in tile_names(tiles)] == list(every)


@pytest.mark.rule("KA-3.1")
def test_each_number_of_seats_has_its_layout() -> None:
    assert [layout_for(seats) for seats in range(2, 7)] == [7, 7, 13, 14, 19]


@pytest.mark.rule("KA-3.2")
def test_neighbours_and_distances_of_seven_tiles() -> None:
    names = tile_names(7)

    def beside(name: str) -> set[str]:
        return {names[tile - 1] for tile in neighbours(7, tile_number(7, name))}

    assert beside("B2") == {*names} - {"B2"}
    assert beside("A1") == {"A2", "B1", "B2"}
    assert beside("B1") == {"A1", "B2", "C1"}
    assert distance(7, tile_number(7, "A1"), tile_number(7, "C2")) == 2
    assert distance(7, tile_number(7, "B1"), tile_number(7, "B3")) == 2


@pytest.mark.rule("KA-5.1")
def test_tied_leaders_roll_again() -> None:
    rolled = founding.roll_for_turn_order(Scripted([4, 9, 9, 3, 9, 2, 5, 5, 10, 1]), 4)
    assert rolled.rolls == (
        ((0, 4), (1, 9), (2, 9), (3, 3)),
        ((1, 9), (2, 2)),
    )
    assert rolled.first == 1


@pytest.mark.rule("KA-3.3", "KA-5.2")
@pytest.mark.parametrize("seats", range(2, 7))
def test_world_is_dealt_from_the_bag_in_order(seats: int) -> None:
    state = begun(seats)
    assert state.phase == "realms"
    assert state.active == state.first
    laid = [tile.terrain for tile in state.tiles.values()]
    assert len(laid) == state.layout == layout_for(seats)
    assert Counter([*laid, *state.bag]) == {"field": 7, "forest": 7, "mountain": 7}


@pytest.mark.rule("KA-5.2")
def test_drawn_tiles_are_placed_in_turn_next_to_others() -> None:
    state = begun(3, world_building="drawn")
    placed: list[str] = []
    seats: list[int] = []
    while state.phase == "world":
        places = [offer.tile for offer in founding.founding_offers(view(state, state.active))]  # type: ignore[union-attr]
        far = [name for name in tile_names(state.layout) if name not in places]
        if placed and (open_far := [name for name in far if name not in placed]):
            with pytest.raises(Refused, match="touch"):
                ordered(state, do.PlaceTile(open_far[0]))
        if placed:
            with pytest.raises(Refused, match="already"):
                ordered(state, do.PlaceTile(placed[0]))
        seats.append(state.active)
        placed.append(places[-1])
        state = ordered(state, do.PlaceTile(places[-1]))
    # the last position is filled automatically
    assert len(placed) == state.layout - 1
    first = state.first
    assert seats == [(first + step) % 3 for step in range(len(placed))]


@pytest.mark.rule("KA-5.3", "KA-2.1", "KA-10.1")
def test_realm_comes_with_its_army_and_one_card() -> None:
    state = begun(2)
    chooser = state.active
    state = ordered(state, do.ChooseRealm("ironmarch"))
    player = state.players[chooser]
    assert {*player.hand, *player.deck} == {*realm_deck("ironmarch")}
    assert (len(player.hand), len(player.deck)) == (1, 4)
    kinds = Counter(unit.kind for unit in state.units.values() if unit.owner == chooser)
    assert kinds == {row.id: row.count for row in unit_rows().values()} | {"special": 1}
    assert {unit.place for unit in state.units.values()} == {"reserve"}
    assert state.units[100 * chooser + 13].kind == "sword"
    with pytest.raises(Refused, match="taken"):
        ordered(state, do.ChooseRealm("ironmarch"))
    with pytest.raises(Refused, match="no realm"):
        ordered(state, do.ChooseRealm("atlantis"))


@pytest.mark.rule("KA-5.3")
def test_sixth_seat_gets_the_last_realm_without_a_choice() -> None:
    state = begun(6)
    asked = 0
    while state.phase == "realms":
        state = ordered(state, do.ChooseRealm(founding.free_realms(state)[-1]))
        asked += 1
    assert asked == 5
    assert all(player.realm for player in state.players.values())


@pytest.mark.rule("KA-5.4")
@pytest.mark.parametrize("seats", range(2, 7))
def test_castles_are_placed_in_reverse_without_blocking_others(seats: int) -> None:
    state = begun(seats)
    while state.phase == "realms":
        state = ordered(state, do.ChooseRealm(founding.free_realms(state)[0]))
    assert state.phase == "castles"
    order = [(state.first + step) % seats for step in range(seats)]
    assert state.active == order[-1]

    def walk(state: State) -> None:
        if state.phase != "castles":
            built = [tile.id for tile in state.tiles.values() if tile.castle >= 0]
            assert len(built) == seats
            assert all(is_edge(state.layout, tile) for tile in built)
            assert not any(b in neighbours(state.layout, a) for a, b in combinations(built, 2))
            return
        places = founding.castle_places(state)
        assert places
        for tile in places if seats < 5 else places[:2]:
            walk(ordered(state, do.PlaceCastle(tile_name(state.layout, tile))))

    walk(state)


@pytest.mark.rule("KA-5.4")
@pytest.mark.parametrize(("layout", "count", "patterns"), [(7, 3, 2), (14, 5, 2), (19, 6, 2)])
def test_full_worlds_have_two_castle_patterns(layout: int, count: int, patterns: int) -> None:
    edges = [tile for tile in range(1, layout + 1) if is_edge(layout, tile)]
    apart = [
        chosen
        for chosen in combinations(edges, count)
        if not any(b in neighbours(layout, a) for a, b in combinations(chosen, 2))
    ]
    assert len(apart) == patterns
    assert founding.most_castles(layout) == count


@pytest.mark.rule("KA-5.4")
def test_castle_must_be_at_the_edge_away_from_others() -> None:
    state = begun(2)
    while state.phase == "realms":
        state = ordered(state, do.ChooseRealm(founding.free_realms(state)[0]))
    with pytest.raises(Refused, match="edge"):
        ordered(state, do.PlaceCastle("B2"))
    state = ordered(state, do.PlaceCastle("A1"))
    with pytest.raises(Refused, match="touch"):
        ordered(state, do.PlaceCastle("A2"))
    with pytest.raises(Refused, match="no tile"):
        ordered(state, do.PlaceCastle("Z9"))


@pytest.mark.rule("KA-5.5", "KA-5.6", "KA-5.7", "KA-0")
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_first_units_and_gold(seats: int) -> None:
    state = settled(seats, start_gold=5)
    assert (state.phase, state.round, state.active) == ("event", 1, state.first)
    assert len(state.event_deck) == 24
    for place in range(seats):
        seat = (state.first + place) % seats
        assert state.players[seat].gold == 5 + place
        king = crown(state, seat)
        assert king is not None
        assert state.tiles[king.tile].castle == seat
        kinds = [unit.kind for unit in standing(state, king.tile)]
        assert kinds == ["sword", "sword", "sword", "crown"]


@pytest.mark.rule("KA-5.5")
def test_exactly_three_basic_units_are_deployed() -> None:
    state = begun(2)
    while state.phase != "deployment":
        state = ordered(state, next(founding.founding_offers(view(state, state.active))))
    with pytest.raises(Refused, match="3 Basic units, not 2"):
        ordered(state, do.Deploy(("sword", "archer")))
    state = ordered(state, do.Deploy(("shield", "archer", "shield")))
    king = crown(state, state.first)
    assert king is not None
    kinds = [unit.kind for unit in standing(state, king.tile)]
    assert kinds == ["archer", "shield", "shield", "crown"]


@pytest.mark.rule("KA-0")
def test_disabled_cards_do_not_exist() -> None:
    state = settled(3, magic="off", events="off")
    assert not state.event_deck
    assert all(not (p.hand or p.deck or p.spent) for p in state.players.values())


@pytest.mark.rule("KA-15", "KA-4")
def test_hidden_decks_and_hands_are_masked_for_others() -> None:
    dice = Seeded(SEED, 3, "begin")
    decision = BaseDecision(EMPTY, evolve, dice)
    for event in setup.begin(replace(WAR, seats=2, realms=("khalisia", "weald")), {}, dice):
        before = decision.state
        decision.emit(event)
        seen = redact(event, before, decision.state, 0)
        match seen:
            case ev.WorldBagShuffled(bag):
                assert {*bag} == {HIDDEN}
            case ev.MagicDeckShuffled(_, deck):
                assert deck == (HIDDEN,) * 5
            case ev.MagicDrawn(seat, card):
                assert (card == HIDDEN) == (seat == 1)
            case _:
                pass
    seen_state = view(decision.state, 0)
    assert {*seen_state.bag} == {HIDDEN}
    assert seen_state.players[1].hand == (HIDDEN,)
    assert seen_state.players[0].hand != (HIDDEN,)
    assert view(imagine(seen_state, Seeded(SEED, 5, "guess")), 0) == seen_state


# -- positions -------------------------------------------------------------------------------------


@pytest.mark.rule("KA-5")
@pytest.mark.parametrize("building", ["dealt", "drawn"])
def test_every_step_of_the_setup_is_a_valid_position(building: str) -> None:
    state = begun(4, world_building=building)
    while state.phase in ("world", "realms", "castles", "deployment"):
        again = EMPTY
        war = setup.position(state)
        for event in setup.begin(war, {}, Scripted()):
            again = evolve(again, event)
        assert again == state
        state = ordered(state, next(founding.founding_offers(view(state, state.active))))


@pytest.mark.rule("KA-3.1", "KA-5.3", "KA-5.4")
@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"tiles": 8}, "tiles"),
        ({"seats": 4, "tiles": 7}, "seats"),
        ({"rows": ("FF", "WWW")}, "rows"),
        ({"rows": ("FX", "WWW", "MM")}, r"rows\[0\]"),
        ({"rows": ("WW", "WWW", "WWW"), "tiles": 7}, "rows"),
        ({"realms": ("khalisia",)}, "realms"),
        ({"realms": ("khalisia", "khalisia")}, "realms"),
        ({"realms": ("khalisia", "atlantis")}, "realms"),
        ({"castles": ("A1",)}, "castles"),
        ({"castles": ("A1", "A2")}, r"castles\[1\]"),
        ({"castles": ("A1", "B2")}, r"castles\[1\]"),
        ({"castles": ("A1", "Q7")}, r"castles\[1\]"),
        ({"seats": 7}, "seats"),
    ],
)
def test_faulty_worlds_are_refused(changes: dict[str, Any], place: str) -> None:
    with pytest.raises(ScenarioFault, match=f"^{place}"):
        setup.check(replace(WAR, **changes))
