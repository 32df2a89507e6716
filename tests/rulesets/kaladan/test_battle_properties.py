"""Properties of battles over random positions, hands, choices and dice. Rules: KA-21."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.dice import Seeded
from engine.core.record import replace
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import capacity, controller, neighbours, stacks, standing
from engine.rulesets.kaladan.evolve import evolve
from engine.rulesets.kaladan.magic import can_join
from engine.rulesets.kaladan.pools import NO_CARDS, comparison
from engine.rulesets.kaladan.state import HIDDEN, NOBODY, Die, Options, State
from engine.rulesets.kaladan.tables import magic_cards, realm_deck, realms
from engine.rulesets.kaladan.view import imagine, knows, redact, view
from tests.rulesets.kaladan.battles import Fight, fight, offered
from tests.rulesets.kaladan.positions import position

ATTACK = do.Attack("A1", "A2")
_ARMY = ["sword", "archer", "shield", "catapult", "sword+", "catapult+", "general", "special"]
_TILES = ("A1", "A2", "B1", "B3")
_OWNERS = (0, 1, 0, 1)


@st.composite
def positions(draw: st.DrawFn, magic: bool = True) -> State:
    """Draw seat 0 on A1 and B1 against seat 1 on A2 and B3, with hands of up to three cards."""
    land = "".join(draw(st.sampled_from("FWM")) for _ in range(7))
    homes = draw(st.sampled_from(["A1", "B1"])), draw(st.sampled_from(["A2", "B3"]))
    lines = [land]
    named = {0: list[str](), 1: list[str]()}
    for tile, seat in zip(_TILES, _OWNERS, strict=True):
        fixed = ["crown"] if tile == homes[seat] else []
        more = draw(st.lists(st.sampled_from(_ARMY), min_size=1 - len(fixed), max_size=3))
        castle = draw(st.booleans())
        room = (4 if land[_number(tile) - 1] == "F" else 3) + castle
        units = fixed
        for unit in more:
            if len(units) < room and _left([*named[seat], *units], unit):
                units = [*units, unit]
        units = units or ["archer"]
        named[seat] += units
        lines.append(f"{tile} {seat} {'#' if castle else ''} {' '.join(units)}")
    chosen = draw(st.lists(st.sampled_from(list(realms())), min_size=2, max_size=2, unique=True))
    hands = {
        seat: draw(st.lists(st.sampled_from(realm_deck(realm)), max_size=3, unique=True))
        for seat, realm in enumerate(chosen)
    }
    options = Options(
        magic="on" if magic else "off", castle_die=draw(st.sampled_from(["none", "d8"]))
    )
    gold = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    return position("\n".join(lines), realm=chosen, hands=hands, gold=gold, options=options)


def _number(tile: str) -> int:
    return {"A1": 1, "A2": 2, "B1": 3, "B3": 5}[tile]


def _left(named: Sequence[str], unit: str) -> bool:
    """Return whether an army has another unit of this type; one Archer always stays in reserve."""
    kind = unit.rstrip("+")
    most = {"catapult": 2, "general": 1, "special": 1, "archer": 2}.get(kind, 3)
    return sum(word.rstrip("+") == kind for word in named) < most


def _battle(state: State, picks: Sequence[int], seed: int) -> Iterator[tuple[State, Fight]]:
    """Yield each decision of a battle with the state before it; picks are indices of offers."""
    done = fight(state, 0, ATTACK, Seeded(b"battle", seed, "attack"))
    yield state, done
    for number, pick in enumerate(picks):
        now = done.state
        if now.battle is None:
            return
        offers = offered(now, now.battle.asked)
        command = offers[pick % len(offers)]
        done = fight(now, now.battle.asked, command, Seeded(b"battle", seed, str(number)))
        yield now, done
    raise AssertionError("a battle does not end")


_PICKS = st.lists(st.integers(0, 1000), min_size=14, max_size=14)
_SEEDS = st.integers(0, 1 << 16)


@pytest.mark.rule("KA-21", "KA-1.2", "KA-7.1", "KA-10.2")
@given(positions(), _PICKS, _SEEDS)
def test_battle_ends_and_keeps_capacity_cards_and_crowns(
    state: State, picks: list[int], seed: int
) -> None:
    for _, done in _battle(state, picks, seed):
        for tile, units in stacks(done.state).items():
            assert len(units) <= capacity(done.state.tiles[tile])
            assert len({unit.owner for unit in units}) == 1
        for player in done.state.players.values():
            assert player.gold >= 0
            if player.alive:
                cards = (*player.hand, *player.deck, *player.spent)
                assert sorted(cards) == sorted(realm_deck(player.realm))
    assert not any(unit.place == "removed" for unit in done.state.units.values())
    for player in done.state.players.values():
        crowns = [
            unit
            for unit in done.state.units.values()
            if unit.owner == player.id and unit.kind == "crown" and unit.place == "board"
        ]
        assert len(crowns) == player.alive
        if not player.alive:
            assert not any(
                unit.place in ("board", "reserve")
                for unit in done.state.units.values()
                if unit.owner == player.id
            )


@pytest.mark.rule("KA-21", "KA-7.2", "KA-7.6", "KA-7.7", "KA-7.10")
@given(positions(), _PICKS, _SEEDS)
def test_pairs_casualties_and_invaders_follow_the_rules(
    state: State, picks: list[int], seed: int
) -> None:
    played = False
    for before, done in _battle(state, picks, seed):
        now = before
        for event in done.events:
            played = played or (isinstance(event, ev.MagicRevealed) and any(event.cards))
            _check_event(now, event, played=played)
            now = evolve(now, event)
        ended = [event for event in done.events if isinstance(event, ev.BattleEnded)]
        if ended:
            owners = {"attacker_wins": (0,), "both_destroyed": (0, 1, NOBODY)}
            assert controller(done.state, 2) in owners.get(ended[0].verdict, (1,))
            assert all(done.state.units[unit].done for unit in ended[0].done)


def _check_event(now: State, event: ev.AnyEvent, *, played: bool) -> None:
    """Check an event against the state before it."""
    match event:
        case ev.BattleDeclared():
            assert event.target in neighbours(now.layout, event.source)
            assert controller(now, event.source) == event.attacker == 0
            assert controller(now, event.target) == event.defender == 1
        case ev.PairsCompared():
            _check_pairs(now, event, played=played)
        case ev.CasualtiesChosen():
            assert len(event.units) <= len(standing(now, _tile(now, event.seat)))
        case ev.BattleJudged():
            _check_judged(now, event)
        case _:
            pass


def _tile(state: State, seat: int) -> int:
    assert state.battle is not None
    return state.battle.sides[seat].tile


def _check_pairs(now: State, event: ev.PairsCompared, *, played: bool) -> None:
    assert now.battle is not None
    counts = [sum(die.side == side for die in now.battle.dice) for side in (0, 1)]
    used = [count - len(event.dropped[side]) for side, count in enumerate(counts)]
    assert len(event.pairs) == max(0, min(used))
    assert sum(event.lost) <= len(event.pairs)
    assert [len(rest) for rest in event.ignored] == [count - len(event.pairs) for count in used]
    if not played:
        ties = sum(one == other for one, other in event.pairs)
        assert sum(event.lost) + ties == len(event.pairs)
        for side in (0, 1):
            units = len(standing(now, _tile(now, side)))
            assert event.losses[side] == min(event.lost[side], units)


def _check_judged(now: State, event: ev.BattleJudged) -> None:
    assert now.battle is not None
    left = len(standing(now, 1))
    if event.verdict == "attacker_wins":
        kept = 1 if now.battle.arrivals else 0
        assert event.invaders == min(left, capacity(now.tiles[2]) - kept)
        assert not standing(now, 2)
    else:
        assert event.invaders == 0


@pytest.mark.rule("KA-7.9", "KA-21")
@given(positions(magic=False), _PICKS, _SEEDS)
def test_only_a_winning_attacker_moves_without_magic(
    state: State, picks: list[int], seed: int
) -> None:
    for _, done in _battle(state, picks, seed):
        if done.state.battle is None:
            moved = {
                unit.id
                for unit in done.state.units.values()
                if unit.place == "board" and unit.tile != state.units[unit.id].tile
            }
            invaded = {
                unit
                for event in done.events
                if isinstance(event, ev.Invaded)
                for unit in event.units
            }
            assert {unit for unit in moved if done.state.units[unit].kind != "special"} <= invaded


@pytest.mark.rule("KA-7.1", "KA-7.3")
@given(positions(), _PICKS, _SEEDS)
def test_battle_offers_are_valid_and_only_for_the_asked_seat(
    state: State, picks: list[int], seed: int
) -> None:
    for _, done in _battle(state, picks, seed):
        battle = done.state.battle
        if battle is None:
            return
        assert battle.asked in (0, 1)
        assert offered(done.state, 1 - battle.asked) == []
        offers = offered(done.state, battle.asked)
        assert 0 < len(offers) < 200
        assert len(offers) == len({*offers})
        for command in offers[:: 1 + len(offers) // 12]:
            fight(done.state, battle.asked, command, Seeded(b"offer", seed, "offer"))


@pytest.mark.rule("KA-7.3", "KA-15", "KA-21")
@given(positions(), _PICKS, _SEEDS)
def test_committed_card_is_hidden_until_both_have_declared(
    state: State, picks: list[int], seed: int
) -> None:
    for before, done in _battle(state, picks, seed):
        now = before
        for event in done.events:
            after = evolve(now, event)
            for viewer in (0, 1, -2):
                shown = redact(event, now, after, viewer)
                if isinstance(shown, ev.MagicDeclared) and shown.card:
                    assert (shown.card == HIDDEN) == (viewer != shown.seat)
                seen = view(after, viewer)
                if seen.battle is not None and not seen.battle.revealed:
                    for side in seen.battle.sides:
                        assert side.card in ("", HIDDEN) or knows(viewer, side.seat)
                guess = imagine(seen, Seeded(b"guess", seed, "guess"))
                assert view(guess, viewer) == seen
            now = after


@pytest.mark.rule("KA-7.3", "KA-21")
@given(positions(), _PICKS, _SEEDS)
def test_hidden_card_makes_no_visible_difference_until_revealed(
    state: State, picks: list[int], seed: int
) -> None:
    player = state.players[0]
    both = player.hand + player.deck
    if not player.hand:
        return
    turned = replace(player, hand=both[-len(player.hand) :], deck=both[: len(player.deck)])
    other = replace(state, players=state.players.put(turned))
    first, second = (fight(game, 0, ATTACK, Seeded(b"", seed, "")) for game in (state, other))
    for joins in (False, True):
        choices = []
        for done in (first, second):
            assert done.state.battle is not None
            fits = [
                command
                for command in offered(done.state, 0)
                if isinstance(command, do.DeclareMagic) and bool(command.card) == joins
            ]
            choices.append(fits)
        if not all(choices):
            continue
        seen = []
        for done, fits in zip((first, second), choices, strict=True):
            told = fight(done.state, 0, fits[picks[0] % len(fits)], Seeded(b"", seed, "said"))
            until = next(
                (
                    number
                    for number, event in enumerate(told.events)
                    if isinstance(event, ev.MagicRevealed) and any(event.cards)
                ),
                len(told.events),
            )
            now, shown = done.state, []
            for event in told.events[:until]:
                after = evolve(now, event)
                shown.append((redact(event, now, after, 1), view(after, 1)))
                now = after
            seen.append(shown)
        assert seen[0] == seen[1]


_VALUES = st.lists(st.integers(1, 12), min_size=1, max_size=6)


@pytest.mark.rule("KA-7.6", "KA-21")
@given(_VALUES, _VALUES)
def test_comparison_is_symmetric(first: list[int], second: list[int]) -> None:
    def lost(attack: list[int], defence: list[int]) -> tuple[int, int]:
        dice = [Die(0, 0, "card", 12, value) for value in attack]
        dice += [Die(1, 0, "card", 12, value) for value in defence]
        return comparison(tuple(dice), NO_CARDS).lost

    here, there = lost(first, second), lost(second, first)
    assert here == there[::-1]
    assert sum(here) <= min(len(first), len(second))
    if len(first) >= len(second):
        assert lost([*first, min(first)], second) == here
    raised = lost([min(12, first[0] + 3), *first[1:]], second)
    assert raised[0] <= here[0]
    assert raised[1] >= here[1]


def test_spectator_is_offered_nothing_in_a_battle() -> None:
    state = position("FF FFF FF\nA1 0 crown sword\nA2 1 crown sword")
    done = fight(state, 0, ATTACK)
    assert done.state.battle is not None
    assert done.state.battle.asked != NOBODY
    assert offered(done.state, -2) == []


@pytest.mark.rule("KA-15", "KA-7.3")
@given(positions(), _PICKS, _SEEDS)
def test_imagined_state_commits_only_playable_cards(
    state: State, picks: list[int], seed: int
) -> None:
    for _, done in _battle(state, picks, seed):
        battle = done.state.battle
        if battle is None or battle.step != "magic" or battle.asked != 1:
            continue
        guess = imagine(view(done.state, 1), Seeded(b"guess", seed, "guess"))
        assert guess.battle is not None
        card = guess.battle.sides[0].card
        if battle.sides[0].card:
            assert card in guess.players[0].hand
            assert can_join(guess, guess.battle, 0, magic_cards()[card])
        else:
            assert card == ""
