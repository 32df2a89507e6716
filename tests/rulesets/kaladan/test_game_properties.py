"""Invariants of the rule book, checked on random games."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.codec import convert, plain
from engine.core.dice import Seeded
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan import rules
from engine.rulesets.kaladan.board import capacity, living, on_board, standing
from engine.rulesets.kaladan.purchases import special_places
from engine.rulesets.kaladan.state import SETUP_PHASES, State
from engine.rulesets.kaladan.tables import first_seat, realm_deck, tables, unit_rows
from engine.rulesets.kaladan.turns import owing
from tests.contract.walks import examples
from tests.rulesets.kaladan.positions import folded
from tests.rulesets.kaladan.walks import Step, begun, walk

GAMES = st.integers(0, 9999 if settings().max_examples > 20 else 15)
"""Numbers of games; few in the default profile, so that all tests share the same games."""


@lru_cache(maxsize=16)
def steps(game: int) -> tuple[Step, ...]:
    """Play the random game of a number, which decides seats, world, length and commands."""
    dice = Seeded(b"games", game, "walk")
    numbers = [dice.roll(1_000_000) for _ in range(60 + dice.roll(140))]
    world = ("dealt", "drawn")[game // 5 % 2]
    seed = game.to_bytes(2, "big")
    return tuple(walk(begun(2 + game % 5, world, seed, round_limit=12), numbers, seed))


def states(game: int) -> list[State]:
    """Return all states of a random game, including those between two events."""
    return [state for *_, around in steps(game) for state in around]


def at_rest(game: int) -> list[State]:
    """Return the states of a random game after the set-up in which a seat has to choose."""
    rests = [around[-1] for *_, around in steps(game)]
    return [state for state in rests if state.phase not in SETUP_PHASES]


def test_random_games_reach_battles_and_ends() -> None:
    told: Counter[type] = Counter()
    for number in range(16):
        for _, _, _, events, _ in steps(number):
            told.update(type(event) for event in events)
    for kind in (ev.BattleEnded, ev.SeatEliminated, ev.GameEnded, ev.Invaded, ev.EventApplied):
        assert told[kind] > 0


@pytest.mark.rule("KA-1", "KA-8.1")
@examples(40)
@given(GAMES)
def test_units_are_neither_made_nor_lost(game: int) -> None:
    """Invariant 1."""
    counts = {kind: row.count for kind, row in unit_rows().items()} | {"special": 1}
    for state in states(game):
        seats = [player.id for player in state.players.values() if player.realm]
        army = Counter((first_seat(unit.id), unit.kind) for unit in state.units.values())
        assert army == {(seat, kind): count for seat in seats for kind, count in counts.items()}
        for unit in state.units.values():
            assert (unit.place == "board") == (unit.tile > 0)
            assert unit.owner == first_seat(unit.id) or unit.kind == "special"


@pytest.mark.rule("KA-1.2", "KA-1.1", "KA-16", "KA-5.4")
@examples(40)
@given(GAMES)
def test_tiles_hold_one_army_within_capacity_and_castles_stay(game: int) -> None:
    """Invariants 2 and 16."""
    built: dict[int, int] = {}
    for state in states(game):
        for tile in state.tiles.values():
            here = standing(state, tile.id)
            assert len({unit.owner for unit in here}) <= 1
            assert not here or len(here) <= capacity(tile)
            assert built.setdefault(tile.id, tile.castle) == tile.castle or built[tile.id] < 0
            built[tile.id] = tile.castle


@pytest.mark.rule("KA-8.1", "KA-8.4")
@examples(40)
@given(GAMES)
def test_living_seats_have_one_crown_and_dead_seats_no_units(game: int) -> None:
    """Invariant 3."""
    for state in at_rest(game):
        for seat, player in state.players.items():
            own = on_board(state, seat)
            if not player.alive:
                assert not own
                assert (player.gold, player.hand, player.deck) == (0, (), ())
            elif state.battle is None:
                assert [unit.kind for unit in own].count("crown") == 1


@pytest.mark.rule("KA-6.5", "KA-10.4", "KA-9")
@examples(40)
@given(GAMES)
def test_gold_is_paid_in_full_and_never_negative(game: int) -> None:
    """Invariants 11 and 15."""
    prices = tables().prices
    for before, seat, command, events, around in steps(game):
        paid = before.players[seat].gold
        after = around[1].players[seat].gold if events else paid
        match command:
            case do.BuyUnit(unit=kind):
                assert paid - after == unit_rows()[kind].price
            case do.UpgradeUnit(unit=number):
                assert paid - after == unit_rows()[before.units[number].kind].upgrade_price
            case do.BringIn(unit=number):
                assert paid - after == prices.special
                assert around[1].units[number].tile in special_places(before, seat)
            case do.SwapCard():
                assert paid - after == prices.swap_card
            case do.BuyCard():
                assert paid - after == prices.buy_card
            case _:
                assert before.phase != "purchase" or paid == after or around[1].active != seat
        for state in around:
            assert all(player.gold >= 0 for player in state.players.values())


@pytest.mark.rule("KA-9", "KA-8.3")
@examples(40)
@given(GAMES)
def test_special_unit_comes_in_only_for_gold_or_by_transfer(game: int) -> None:
    """Invariant 15."""
    allowed = (
        *(ev.SpecialBroughtIn, ev.SpecialTransferred, ev.MagicApplied),
        *(ev.BattleEnded, ev.UnitsMoved, ev.UnitsMarched, ev.Invaded),
    )
    for *_, events, around in steps(game):
        for event, before, after in zip(events, around, around[1:], strict=False):
            came = [
                unit
                for unit in after.units.values()
                if unit.kind == "special"
                and unit.place == "board"
                and before.units[unit.id].place != "board"
            ]
            assert not came or isinstance(event, allowed)


@pytest.mark.rule("KA-10.1", "KA-10.4")
@examples(40)
@given(GAMES)
def test_each_living_seat_has_its_five_cards_once_each(game: int) -> None:
    """Invariant 12. A swap keeps the size of the hand, a purchase adds one card."""
    for before, seat, command, _, around in steps(game):
        for state in around:
            for player in state.players.values():
                cards = (*player.hand, *player.deck, *player.spent)
                assert len({*cards}) == len(cards)
                if player.alive and state.phase not in SETUP_PHASES:
                    assert sorted(cards) == sorted(realm_deck(player.realm))
        held = len(around[1].players[seat].hand) - len(before.players[seat].hand)
        if isinstance(command, do.SwapCard | do.BuyCard):
            assert held == isinstance(command, do.BuyCard)


@pytest.mark.rule("KA-12", "KA-2.1")
@examples(40)
@given(GAMES)
def test_dead_units_return_only_by_events(game: int) -> None:
    """Invariant 14."""
    for *_, events, around in steps(game):
        for event, before, after in zip(events, around, around[1:], strict=False):
            for unit in before.units.values():
                if unit.place != "dead" or after.units[unit.id].place == "dead":
                    continue
                assert unit.kind not in ("general", "crown")
                assert isinstance(event, ev.EventApplied)
                assert after.units[unit.id].place == "board"


@pytest.mark.rule("KA-17.1", "KA-17.2", "KA-17.3")
@examples(40)
@given(GAMES)
def test_game_ends_exactly_with_the_last_crown_or_last_round(game: int) -> None:
    """Invariant 18; here the limit is the end of round 12."""
    for *_, events, around in steps(game):
        last = around[-1]
        limit = any(isinstance(one, ev.RoundEnded) and one.round == 12 for one in events)
        over = (last.battle is None and len(living(last)) <= 1) or limit
        assert bool(last.reason) == over
        assert bool(last.winners) == over
        if last.reason == "last_crown":
            assert last.winners == living(last)
        assert last.round <= 12


@pytest.mark.rule("KA-13", "KA-16")
@examples(40)
@given(GAMES)
def test_one_living_seat_is_asked_until_the_game_is_over(game: int) -> None:
    """Invariant 19. Other tests check that offers exist and are not refused."""
    for *_, around in steps(game):
        last = around[-1]
        asked = owing(last)
        assert len(asked) == (0 if last.reason else 1)
        assert asked <= {*living(last)}


@pytest.mark.rule("KA-16")
@examples(40)
@given(GAMES)
def test_turns_pass_in_order_within_each_round(game: int) -> None:
    turns = [
        event
        for *_, events, _ in steps(game)
        for event in events
        if isinstance(event, ev.TurnBegan)
    ]
    seats = 2 + game % 5
    for one, other in pairwise(turns):
        assert other.round - one.round in (0, 1)
    for number in {turn.round for turn in turns}:
        order = [turn.seat for turn in turns if turn.round == number]
        first = turns[0].seat
        places = [(seat - first) % seats for seat in order]
        assert places == sorted({*places})


@pytest.mark.rule("KA-4", "KA-14")
@examples(20)
@given(GAMES)
def test_events_read_from_plain_data_give_the_same_states(game: int) -> None:
    """Invariant 17."""
    for before, _, _, events, around in steps(game):
        written = [convert(plain(event), rules.RULES.event_type) for event in events]
        assert folded(before, written) == around[-1]
