"""Magic in battles: declarations, playable cards, stages, and each effect before the roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import HIDDEN, State
from engine.rulesets.kaladan.tables import magic_cards
from engine.rulesets.kaladan.view import redact, view
from tests.rulesets.kaladan.battles import (
    Fight,
    asked,
    fight,
    offered,
    statements,
    told,
    waiting,
)
from tests.rulesets.kaladan.positions import position, stand

ATTACK = do.Attack("A1", "A2")
PLAIN_LAND = """
FF FFF FF
A1 0 sword archer
A2 1 shield sword
C1 0 crown
C2 1 crown
"""

CROWDED = PLAIN_LAND.replace("FF F", "WF F").replace("archer", "archer shield")


def _facing(text: str, first: str = "", second: str = "", **more: Any) -> State:
    """Return a position in which each side holds the named card and has its realm."""
    cards = magic_cards()
    realm = tuple(
        cards[card].realm if card else other
        for card, other in ((first, "khalisia"), (second, "ironmarch"))
    )
    hands = {0: (first,) if first else (), 1: (second,) if second else ()}
    return position(text, realm=realm, hands=hands, **more)


def _play(state: State, dice: Sequence[int] = ()) -> Fight:
    """Attack A2 from A1; each side commits its card if it has one."""
    hands = [state.players[seat].hand for seat in (0, 1)]
    first, second = (hand[0] if hand else "" for hand in hands)
    return statements(state, first, second, dice)


# -- declarations ----------------------------------------------------------------------------------


@pytest.mark.rule("KA-7.3")
def test_cards_are_revealed_after_both_sides_have_declared() -> None:
    state = _facing(PLAIN_LAND, "purse_cutters", "iron_discipline", gold=(0, 3))
    done = fight(state, 0, ATTACK)
    assert asked(done) == ("magic", 0)
    done = fight(done.state, 0, do.DeclareMagic("purse_cutters"))
    assert asked(done) == ("magic", 1)
    seen = view(done.state, 1)
    assert seen.battle is not None
    assert (seen.battle.sides[0].statement, seen.battle.sides[0].card) == ("in", HIDDEN)
    (said, _) = done.events
    assert redact(said, state, done.state, 1) == ev.MagicDeclared(0, joins=True, card=HIDDEN)
    assert done.state.players[0].hand == ("purse_cutters",)
    with pytest.raises(Refused):
        fight(done.state, 0, do.DeclareMagic())
    done = fight(done.state, 1, do.DeclareMagic(), [1, 1, 1, 1])
    assert told(done, ev.MagicRevealed).cards == ("purse_cutters", "")
    assert done.state.players[0].spent == ("purse_cutters",)
    assert done.state.players[1].hand == ("iron_discipline",)
    assert [done.state.players[seat].gold for seat in (0, 1)] == [2, 1]


@pytest.mark.rule("KA-7.3")
def test_empty_hand_passes_automatically_and_any_other_is_asked() -> None:
    state = _facing(PLAIN_LAND, "", "salvage")
    done = fight(state, 0, ATTACK)
    assert asked(done) == ("magic", 1), "a hand is asked even if no card of it fits"
    assert told(done, ev.MagicDeclared) == ev.MagicDeclared(0, joins=False)
    assert offered(done.state, 1) == [do.DeclareMagic()]
    assert offered(done.state, 0) == []


@pytest.mark.rule("KA-7.3")
@pytest.mark.parametrize(
    ("card", "text", "seat", "fits"),
    [
        ("dawns_sword", PLAIN_LAND, 0, True),
        ("rain_of_shafts", PLAIN_LAND, 1, False),
        ("hidden_paths", PLAIN_LAND, 0, False),
        ("hidden_paths", PLAIN_LAND.replace("FF F", "FM F"), 0, True),
        ("hidden_paths", PLAIN_LAND.replace("FF F", "FM F"), 1, False),
        ("hidden_paths", PLAIN_LAND.replace("FF F", "WF F"), 1, True),
        ("thorn_snare", PLAIN_LAND, 0, True),
        ("thorn_snare", PLAIN_LAND.replace("shield sword", "general"), 0, False),
        ("veiled_blade", PLAIN_LAND.replace("shield sword", "general"), 0, True),
        ("living_wall", PLAIN_LAND, 0, False),
        ("living_wall", PLAIN_LAND, 1, True),
        ("massed_charge", PLAIN_LAND, 0, True),
        ("massed_charge", PLAIN_LAND, 1, False),
        ("stone_oath", PLAIN_LAND, 0, False),
        ("hidden_garrison", PLAIN_LAND, 0, True),
        ("hidden_garrison", CROWDED, 0, False),
        ("wide_muster", CROWDED, 0, True),
        ("long_ride", PLAIN_LAND, 0, False),
        ("long_ride", PLAIN_LAND.replace("C1 0", "B1 0"), 0, True),
        ("broken_seal", PLAIN_LAND, 0, True),
        ("keep_of_khalisia", PLAIN_LAND.replace("A2 1", "A2 1 #"), 1, False),
        ("deep_vaults", PLAIN_LAND, 0, False),
    ],
)  # fmt: skip
def test_card_is_committed_only_if_it_has_an_effect(
    card: str, text: str, seat: int, fits: bool
) -> None:
    state = _facing(text, *(("", card) if seat else (card, "")))
    done = fight(state, 0, ATTACK)
    assert asked(done) == ("magic", seat)
    assert (do.DeclareMagic(card) in offered(done.state, seat)) == fits
    if fits:
        joined = fight(done.state, seat, do.DeclareMagic(card), [1] * 9)
        assert told(joined, ev.MagicRevealed).cards[seat] == card
    else:
        with pytest.raises(Refused) as refused:
            fight(done.state, seat, do.DeclareMagic(card))
        assert refused.value.code == Refusal.CARD_UNFIT
    with pytest.raises(Refused) as refused:
        fight(done.state, seat, do.DeclareMagic("fog_of_doubt"))
    assert refused.value.code == Refusal.NO_CARD


# -- negation --------------------------------------------------------------------------------------


@pytest.mark.rule("KA-7.4", "KA-10.2", "KA-10.3")
@pytest.mark.parametrize("negation", ["broken_seal", "borrowed_faces"])
def test_negation_cancels_the_other_card_but_it_is_spent(negation: str) -> None:
    done = _play(_facing(PLAIN_LAND, negation, "dawns_sword"), [1, 1, 1, 1])
    applied = [event for event in done.events if isinstance(event, ev.MagicApplied)]
    assert [(event.card, event.cancelled) for event in applied] == [
        (negation, False),
        ("dawns_sword", True),
    ]
    assert told(done, ev.DiceRolled).dice[2].sides == 8, "the Sword keeps its own die"
    assert done.state.players[1].spent == ("dawns_sword",)


@pytest.mark.rule("KA-7.4")
def test_two_negations_cancel_each_other() -> None:
    done = _play(_facing(PLAIN_LAND, "broken_seal", "borrowed_faces"), [1, 1, 1, 1])
    applied = [event for event in done.events if isinstance(event, ev.MagicApplied)]
    assert [event.cancelled for event in applied] == [True, True]


# -- shift, levy, assassination --------------------------------------------------------------------

SHIFTING = """
WF FFF FF
A1 0 sword archer
B1 0 general* crown shield
A2 1 shield sword
C2 1 crown
"""


@pytest.mark.rule("KA-10.2", "KA-7.4", "KA-10.3")
@pytest.mark.parametrize("card", ["harmony_of_the_sun", "long_ride", "forced_march"])
def test_shift_moves_units_both_ways_between_two_own_tiles(card: str) -> None:
    done = _play(_facing(SHIFTING, card))
    assert asked(done) == ("aim", 0)
    for wrong in (
        *(
            do.AimCard(("A1", "A2"), (11,)),
            do.AimCard(("A1", "C2"), ()),
            do.AimCard(("A1",), (11,)),
        ),
        *(do.AimCard(("A1", "B1"), (51, 61)), do.AimCard(("A1", "B1"), (11, 21))),
        *(do.AimCard(("A1", "B1"), (111,)), do.AimCard(("A1", "B1"), (11, 11))),
        *(do.AimCard(("A1", "B1"), (11,), ("sword",)), do.AimCard((), (11,))),
    ):
        with pytest.raises(Refused) as refused:
            fight(done.state, 0, wrong)
        assert refused.value.code == Refusal.BAD_TARGET
    done = fight(done.state, 0, do.AimCard(("B1", "A1"), (51, 11)), [1, 12, 1, 1, 8])
    assert stand(done.state, "B1") == ["sword", "shield", "crown"]
    rolled = told(done, ev.DiceRolled)
    assert [die.unit for die in rolled.dice if die.side == 0] == [21, 51, 0]
    assert not done.state.units[11].done, "what left the battle has not fought"


@pytest.mark.rule("KA-10.2")
def test_shift_may_move_nothing() -> None:
    done = _play(_facing(SHIFTING, "long_ride"))
    done = fight(done.state, 0, do.AimCard(), [1, 1, 1, 1, 1])
    assert told(done, ev.MagicApplied) == ev.MagicApplied(0, "long_ride")
    assert stand(done.state, "B1") == ["shield", "general", "crown"]


@pytest.mark.rule("KA-10.2", "KA-10.3")
@pytest.mark.parametrize("card", ["foundry_levies", "wide_muster"])
def test_levy_puts_reserve_units_on_one_own_tile(card: str) -> None:
    done = _play(_facing(SHIFTING, card))
    assert asked(done) == ("aim", 0)
    for wrong in (
        *(do.AimCard(("A2",), (), ("sword",)), do.AimCard(("A1", "B1"), (), ("sword",))),
        *(do.AimCard(("A1",), (), ("sword", "sword")), do.AimCard(("A1",), ())),
        *(do.AimCard(("A1",), (11,), ("sword",)), do.AimCard(("B1",), (), ("sword",) * 3)),
    ):
        with pytest.raises(Refused):
            fight(done.state, 0, wrong)
    done = fight(done.state, 0, do.AimCard(("A1",), (), ("shield",)), [1] * 6)
    assert stand(done.state, "A1") == ["sword", "archer", "shield"]
    assert len(told(done, ev.DiceRolled).dice) == 6


@pytest.mark.rule("KA-10.2", "KA-10.3")
def test_hidden_garrison_joins_only_the_battle() -> None:
    done = _play(_facing(SHIFTING, "hidden_garrison"))
    with pytest.raises(Refused):
        fight(done.state, 0, do.AimCard(("B1",), (), ("sword",)))
    with pytest.raises(Refused) as refused:
        fight(done.state, 0, do.AimCard(("A1",), (), ("sword", "sword")))
    assert refused.value.code == Refusal.BAD_COUNT
    done = fight(done.state, 0, do.AimCard(("A1",), (), ("sword",)), [1] * 6)
    assert stand(done.state, "A1") == ["sword", "sword", "archer"]


@pytest.mark.rule("KA-10.2", "KA-2.1")
def test_levy_takes_only_units_in_the_reserve() -> None:
    text = SHIFTING + "dead 0 archer archer archer"
    done = _play(_facing(text, "hidden_garrison"))
    with pytest.raises(Refused) as refused:
        fight(done.state, 0, do.AimCard(("A1",), (), ("archer",)))
    assert refused.value.code == Refusal.NOT_IN_RESERVE


@pytest.mark.rule("KA-10.2", "KA-10.3")
def test_assassination_removes_a_unit_but_never_a_crown() -> None:
    text = PLAIN_LAND.replace("shield sword", "shield general crown").replace("C2 1 crown", "")
    done = _play(_facing(text, "thorn_snare"))
    assert offered(done.state, 0) == [do.AimCard(), do.AimCard(units=(131,))]
    for wrong in ((151,), (161,), (11,), (131, 131)):
        with pytest.raises(Refused):
            fight(done.state, 0, do.AimCard(units=wrong))
    done = _play(_facing(text, "veiled_blade"))
    assert offered(done.state, 0) == [
        do.AimCard(),
        do.AimCard(units=(131,)),
        do.AimCard(units=(151,)),
    ]
    done = fight(done.state, 0, do.AimCard(units=(151,)), [1, 1, 1, 1])
    assert len(told(done, ev.DiceRolled).dice) == 4, "the General does not fight"
    assert done.state.units[151].place == "dead"


@pytest.mark.rule("KA-7.4", "KA-7.9")
@pytest.mark.parametrize(
    ("first", "second", "aims", "verdict"),
    [
        ("veiled_blade", "", [(0, 131)], "attacker_wins"),
        ("", "veiled_blade", [(1, 31)], "defender_wins"),
        ("veiled_blade", "thorn_snare", [(0, 131), (1, 31)], "both_destroyed"),
    ],
)
def test_battle_without_units_on_a_tile_has_no_roll(
    first: str, second: str, aims: list[tuple[int, int]], verdict: str
) -> None:
    text = "WM FFF FF\nA1 0 shield\nA2 1 shield\nC1 0 crown\nC2 1 crown"
    done = _play(_facing(text, first, second))
    judged = []
    for seat, unit in aims:
        assert asked(done) == ("aim", seat)
        done = fight(done.state, seat, do.AimCard(units=(unit,)))
        judged += [event for event in done.events if isinstance(event, ev.BattleEnded)]
        assert not any(isinstance(event, ev.DiceRolled) for event in done.events)
    assert [event.verdict for event in judged] == [verdict]


@pytest.mark.rule("KA-7.4")
def test_card_without_remaining_targets_is_spent_silently() -> None:
    text = "FF FFF FF\nA1 0 shield\nA2 1 shield general\nC1 0 crown\nC2 1 crown\nB1 0 general"
    done = _play(_facing(text, "long_ride", "thorn_snare"))
    done = fight(done.state, 0, do.AimCard(("A1", "B1"), (31, 51)), [1, 1, 1])
    assert done.state.battle is None
    applied = [event for event in done.events if isinstance(event, ev.MagicApplied)]
    assert applied[1] == ev.MagicApplied(1, "thorn_snare")


@pytest.mark.rule("KA-10.2", "KA-10.3")
@pytest.mark.parametrize(("purse", "taken"), [(0, 0), (1, 1), (5, 2)])
def test_purse_cutters_take_up_to_two_gold(purse: int, taken: int) -> None:
    done = _play(_facing(PLAIN_LAND, "purse_cutters", gold=(1, purse)), [1, 1, 1, 1])
    gold = [done.state.players[seat].gold for seat in (0, 1)]
    assert gold == [1 + taken, purse - taken]


# -- dice ------------------------------------------------------------------------------------------


@pytest.mark.rule("KA-7.5", "KA-10.3")
@pytest.mark.parametrize(
    ("first", "second", "sides"),
    [
        ("dawns_sword", "", [12, 10, 8, 10]),
        ("rain_of_shafts", "", [8, 12, 8, 10]),
        ("", "wall_of_shields", [8, 10, 8, 12]),
        ("massed_charge", "living_wall", [8, 10, 12, 8, 10, 10]),
    ],
)
def test_pool_cards_apply_before_the_roll(first: str, second: str, sides: list[int]) -> None:
    done = _play(_facing(PLAIN_LAND, first, second), [1] * 6)
    assert [die.sides for die in told(done, ev.DiceRolled).dice] == sides


@pytest.mark.rule("KA-7.5", "KA-10.3")
def test_catapults_roll_two_large_dice_and_terrain_can_be_struck() -> None:
    text = PLAIN_LAND.replace("FF F", "FM F").replace("sword archer", "catapult")
    done = _play(_facing(text, "engineers_hour"), [1] * 5)
    assert [die.sides for die in told(done, ev.DiceRolled).dice] == [12, 12, 8, 10, 10]
    done = _play(_facing(text, "hidden_paths"), [1] * 4)
    assert [die.sides for die in told(done, ev.DiceRolled).dice] == [10, 10, 8, 10]


@pytest.mark.rule("KA-7.6", "KA-10.3")
def test_second_wave_rerolls_low_dice() -> None:
    done = _play(_facing(PLAIN_LAND, "second_wave"), [2, 3, 1, 1, 1])
    again = told(done, ev.DiceRerolled).dice
    assert [(die.value, die.first) for die in again] == [(1, 2), (3, 0), (1, 0), (1, 0)]
    assert told(done, ev.PairsCompared).pairs == ((3, 1), (1, 1))


@pytest.mark.rule("KA-7.6", "KA-10.3")
@pytest.mark.parametrize("card", ["rockfall", "fog_of_doubt"])
def test_highest_die_of_the_opponent_is_set_aside(card: str) -> None:
    done = _play(_facing(PLAIN_LAND, card), [4, 5, 7, 3])
    compared = told(done, ev.PairsCompared)
    assert compared.dropped == ((), (7,))
    assert compared.pairs == ((5, 3),)
    assert compared.ignored == ((4,), ())


@pytest.mark.rule("KA-7.6")
def test_battle_may_have_no_pairs() -> None:
    text = PLAIN_LAND.replace("shield sword", "sword")
    done = _play(_facing(text, "rockfall"), [4, 5, 7])
    assert told(done, ev.PairsCompared).pairs == ()
    assert told(done, ev.BattleEnded).verdict == "defender_holds"


@pytest.mark.rule("KA-10.2", "KA-10.3")
@pytest.mark.parametrize(
    ("first", "second", "lost"),
    [
        ("oath_of_the_ranks", "", (0, 1)),
        ("", "iron_discipline", (1, 0)),
        ("oath_of_the_ranks", "iron_discipline", (0, 0)),
    ],
)
def test_opponent_loses_ties_unless_both_cards_claim_them(
    first: str, second: str, lost: tuple[int, int]
) -> None:
    text = "FF FFF FF\nA1 0 sword\nA2 1 sword\nC1 0 crown\nC2 1 crown"
    done = _play(_facing(text, first, second), [4, 4])
    assert told(done, ev.PairsCompared).lost == lost


@pytest.mark.rule("KA-7.7", "KA-10.3")
def test_stone_oath_caps_casualties() -> None:
    done = _play(_facing(PLAIN_LAND, "", "stone_oath"), [8, 9, 1, 1])
    compared = told(done, ev.PairsCompared)
    assert (compared.lost, compared.losses) == ((0, 2), (0, 1))
    assert asked(done) == ("losses", 1)
    assert waiting(done).sides[1].losses == 1
