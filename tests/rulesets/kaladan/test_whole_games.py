"""Random whole games: the invariants of section 21, and statements of whole chapters."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from engine.core.record import tag
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan import evolve
from engine.rulesets.kaladan.board import controller
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import NOBODY, Phase, State
from engine.rulesets.kaladan.tables import event_cards
from tests.rulesets.kaladan import hostile_positions, secrecy
from tests.rulesets.kaladan.positions import position, refusal
from tests.rulesets.kaladan.soak import ROWS, Report

Told = tuple[State, ev.AnyEvent, State]


@cache
def games() -> tuple[Report, ...]:
    """Return some random games in which everything was checked after each event.

    ``python -m tests.rulesets.kaladan.soak`` plays any number of them.
    """
    return tuple(hostile_positions.game_of(seed) for seed in range(1, hostile_positions.GAMES + 1))


@cache
def told() -> tuple[tuple[Told, ...], ...]:
    """Return the events of these games with the states around them."""
    return tuple(tuple(_around(report)) for report in games())


def _around(report: Report) -> Iterator[Told]:
    state = RULES.empty()
    for entry in report.game.log.line():
        for event in entry.events:
            now = RULES.evolve(state, event)
            yield state, event, now
            state = now


@pytest.mark.rule("KA-21")
def test_all_invariants_hold_in_random_games() -> None:
    """The games are checked while being played; here, assert that there was enough to check."""
    assert {*range(2, 7)} == {row["seats"] for row in ROWS}
    kinds = sum((report.kinds for report in games()), Counter[str]())
    for kind in ("battle-ended", "magic-revealed", "crown-fell", "invaded", "game-ended"):
        assert kinds[kind] > 0
    assert sum(report.refused for report in games()) > 100
    assert sum(report.begun_again for report in games()) > 50


@pytest.mark.rule("KA-21")
def test_changed_positions_are_refused_or_can_be_played() -> None:
    found = Counter(hostile_positions.tried(number) for number in range(30))
    assert min(found["refused"], found["played"]) > 0


# -- 7: battles as the only way into an enemy tile -------------------------------------------------

BORDER: Final = """
FF WFM FF
A1 0 # crown sword
A2 1 # crown sword
"""


@pytest.mark.rule("KA-7", "KA-6.4")
@pytest.mark.parametrize(
    ("phase", "command", "code"),
    [
        ("action", do.MoveUnits("A1", "A2", (11,)), Refusal.ENEMY_THERE),
        ("reinforcement", do.March("A1", "A2", (11,)), None),
        ("spawn", do.Spawn("A2", "sword"), None),
        ("purchase", do.BuyUnit("sword", "A2"), None),
        ("purchase", do.BringIn(71, "A2"), None),
    ],
)
def test_only_a_battle_leads_into_an_enemy_tile(
    phase: Phase, command: do.AnyCommand, code: Refusal | None
) -> None:
    found, rule = refusal(position(BORDER, phase=phase, gold=(9, 9)), 0, command)
    assert rule.startswith("KA-")
    assert code is None or found == code


@pytest.mark.rule("KA-7", "KA-1.1")
def test_tile_changes_hands_only_in_battles_or_by_leaving() -> None:
    """Other events never take a tile from a seat: it leaves, falls or resigns."""
    for events in told():
        for before, event, after in events:
            for tile in after.tiles if before.tiles else ():
                old, new = controller(before, tile), controller(after, tile)
                assert old in (new, NOBODY) or new == NOBODY, tag(event)
                if new not in (old, NOBODY) and before.battle is not None:
                    back = isinstance(event, ev.MagicApplied | ev.BattleEnded)
                    conquest = isinstance(event, ev.Invaded | ev.SpecialTransferred)
                    assert conquest or back, tag(event)


# -- 8: Crowns that fall ---------------------------------------------------------------------------


@pytest.mark.rule("KA-8")
def test_crown_falls_exactly_if_removed_and_not_saved() -> None:
    fell, saved = 0, 0
    for events in told():
        for before, event, after in events:
            for unit in before.units.values():
                if unit.kind != "crown" or unit.place != "removed":
                    continue
                now = after.units[unit.id]
                match event:
                    case ev.CrownFell() if event.seat == unit.owner:
                        assert now.place == "dead"
                        fell += 1
                    case ev.MagicApplied() if now.place == "board":
                        assert event.after
                        saved += 1
                    case ev.SeatEliminated() if event.resigned:
                        pass
                    case _:
                        assert now.place == "removed"
                        assert not isinstance(event, ev.BattleJudged)
            if isinstance(event, ev.CrownFell):
                assert before.units[event.unit].place == "removed"
            if isinstance(event, ev.SeatEliminated) and not event.resigned:
                assert not any(
                    unit.owner == event.seat and unit.place not in ("dead", "out")
                    for unit in after.units.values()
                )
    assert fell > 0


# -- 10: Magic in battles only ---------------------------------------------------------------------


@pytest.mark.rule("KA-10")
@pytest.mark.parametrize("phase", ["spawn", "action", "purchase", "reinforcement"])
@pytest.mark.parametrize(
    "command", [do.DeclareMagic("dawns_sword"), do.AimCard(), do.AfterMagic("keep_of_khalisia")]
)
def test_magic_is_refused_outside_of_battles(phase: Phase, command: do.AnyCommand) -> None:
    state = position(BORDER, phase=phase, hands={0: ("dawns_sword", "keep_of_khalisia")})
    assert refusal(state, 0, command) == (Refusal.WRONG_PHASE, "KA-7.1")


@pytest.mark.rule("KA-10", "KA-7.3")
def test_each_side_plays_at_most_one_card_per_battle() -> None:
    seen = 0
    for events in told():
        cards = Counter[int]()
        for before, event, _ in events:
            match event:
                case ev.BattleDeclared():
                    cards.clear()
                case ev.MagicDeclared(seat=seat, joins=True) | ev.AfterMagicPlayed(seat=seat):
                    assert before.battle is not None
                    assert seat in {side.seat for side in before.battle.sides}
                    cards[seat] += isinstance(event, ev.MagicDeclared) or bool(event.card)
                    assert cards[seat] <= 1
                    seen += 1
                case ev.MagicApplied() | ev.MagicRevealed():
                    assert before.battle is not None
                case _:
                    pass
            if isinstance(event, ev.BattleEnded):
                spent = sum(len(player.spent) for player in before.players.values())
                assert spent <= 5 * len(before.players)
    assert seen > 0


@pytest.mark.rule("KA-7.3", "KA-15", "KA-21")
def test_others_learn_no_cards_while_a_seat_decides() -> None:
    """Invariant 13: other hands, decks and committed cards make no visible difference."""
    pairs, faults = secrecy.search(300)
    assert pairs >= 300
    assert not faults, "\n".join(faults)


# -- 14: events ------------------------------------------------------------------------------------

LISTED: Final = frozenset(
    (
        "turn-order-rolled", "world-bag-shuffled", "tile-placed", "realm-chosen",
        "magic-deck-shuffled", "magic-drawn", "castle-placed", "units-deployed", "gold-set",
        "event-deck-shuffled", "turn-began", "phase-began", "event-drawn", "event-applied",
        "income-received", "unit-spawned", "units-moved", "unit-bought", "unit-upgraded",
        "special-brought-in", "card-swapped", "card-bought", "units-marched", "turn-ended",
        "round-ended", "battle-declared", "magic-declared", "magic-revealed", "magic-applied",
        "dice-rolled", "dice-rerolled", "pairs-compared", "casualties-chosen",
        "after-magic-played", "units-died", "crown-fell", "seat-eliminated", "invaded",
        "special-transferred", "battle-ended", "game-ended",
    )
)  # fmt: skip
"""Events of section 14 of the book."""


@pytest.mark.rule("KA-14")
def test_every_event_of_the_book_occurs_in_some_game() -> None:
    kinds = {tag(event) for events in told() for _, event, _ in events}
    assert LISTED - kinds <= {"dice-rerolled"}, "that needs one card of the Plainsmark"


@pytest.mark.rule("KA-14", "KA-4")
def test_events_hold_results_and_need_no_rules_to_apply() -> None:
    """The code that applies events imports neither tables nor dice; no amount is a difference."""
    tree = ast.parse(Path(evolve.__file__).read_text(encoding="utf-8"))
    sources = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    own = {name for name in sources if name and name.startswith("engine.rulesets")}
    assert own == {"engine.rulesets.kaladan", "engine.rulesets.kaladan.state"}
    assert not any(name and name.endswith("dice") for name in sources)
    for events in told():
        for before, event, after in events:
            match event:
                case ev.IncomeReceived() | ev.UnitBought() | ev.EventApplied() | ev.GoldSet():
                    assert after.players[event.seat].gold == event.gold
                case ev.EventDrawn():
                    assert event.card == before.event_deck[0]
                    assert event.card in event_cards()
                case ev.DiceRolled() | ev.DiceRerolled():
                    assert after.battle is not None
                    assert after.battle.dice == event.dice
                case _:
                    pass
