"""Magic after the fight: questions to the seats, saved units, and payments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import State
from tests.rulesets.kaladan.battles import Fight, asked, fight, offered, told
from tests.rulesets.kaladan.positions import position, stand

ATTACK = do.Attack("A1", "A2")
DUEL = "FF FFF FF\nA1 0 sword\nA2 1 shield\nC1 0 crown\nC2 1 crown"
STORM = "FF FFF FF\nA1 0 sword sword sword\nA2 1 # shield+ general crown\nC1 0 crown"


def _with(text: str, *hands: Sequence[str], **more: Any) -> State:
    realm = ("highfells", "khalisia")
    return position(text, realm=realm, hands=dict(enumerate(hands)), **more)


def _thrown(state: State, dice: Sequence[int]) -> Fight:
    """Roll for the attack of A1 on A2; both sides decline Magic before the roll."""
    done = fight(state, 0, ATTACK, dice)
    while done.state.battle is not None and done.state.battle.step == "magic":
        done = fight(done.state, done.state.battle.asked, do.DeclareMagic(), dice)
    return done


# -- questions ------------------------------------------------------------------------------------


@pytest.mark.rule("KA-7.8")
def test_every_seat_with_a_hand_is_asked_after_removals() -> None:
    state = _with(DUEL, ["rockfall"], ["dawns_sword"])
    done = _thrown(state, [8, 1])
    assert asked(done) == ("after", 0), "asked although no card of it can be played"
    assert offered(done.state, 0) == [do.AfterMagic()]
    done = fight(done.state, 0, do.AfterMagic())
    assert asked(done) == ("after", 1)
    done = fight(done.state, 1, do.AfterMagic())
    assert done.state.battle is None
    assert done.state.players[0].hand == ("rockfall",)


@pytest.mark.rule("KA-7.8")
def test_no_seat_is_asked_without_removals_or_without_a_hand() -> None:
    assert _thrown(_with(DUEL, ["deep_vaults"], ["dawns_sword"]), [4, 4]).state.battle is None
    done = _thrown(_with(DUEL, [], ["keep_of_khalisia"]), [8, 1])
    assert asked(done) == ("after", 1)


@pytest.mark.rule("KA-7.3", "KA-7.8")
def test_side_that_has_played_a_card_is_not_asked_again() -> None:
    text = DUEL.replace("A2 1 shield", "A2 1 sword sword")
    done = fight(_with(text, ["rockfall", "deep_vaults"], []), 0, ATTACK)
    done = fight(done.state, 0, do.DeclareMagic("rockfall"), [8, 2, 1])
    assert told(done, ev.UnitsDied).dead == (111,), "somebody might be asked"
    assert done.state.battle is None
    assert done.state.players[0].hand == ("deep_vaults",)


@pytest.mark.rule("KA-7.8")
def test_unfit_cards_are_refused_after_the_battle() -> None:
    done = _thrown(_with(DUEL, ["rockfall"], ["keep_of_khalisia"]), [8, 1])
    for card, code in (("rockfall", Refusal.CARD_UNFIT), ("salvage", Refusal.NO_CARD)):
        with pytest.raises(Refused) as refused:
            fight(done.state, 0, do.AfterMagic(card))
        assert refused.value.code == code
    with pytest.raises(Refused):
        fight(done.state, 0, do.AfterMagic("", (11,)))
    done = fight(done.state, 0, do.AfterMagic())
    with pytest.raises(Refused) as refused:
        fight(done.state, 1, do.AfterMagic("keep_of_khalisia", (131,)))
    assert refused.value.code == Refusal.CARD_UNFIT, "A2 has no Castle"


# -- saves -----------------------------------------------------------------------------------------


@pytest.mark.rule("KA-10.2", "KA-10.3", "KA-7.9", "KA-2.2")
def test_keep_of_khalisia_returns_units_and_holds_the_castle() -> None:
    state = _with(STORM, [], ["keep_of_khalisia"])
    done = _thrown(state, [8, 8, 8, 1, 1, 1])
    assert asked(done) == ("after", 1)
    for wrong in ((), (131, 131), (11,), (132,)):
        with pytest.raises(Refused):
            fight(done.state, 1, do.AfterMagic("keep_of_khalisia", wrong))
    assert len(offered(done.state, 1)) == 1 + 7
    done = fight(done.state, 1, do.AfterMagic("keep_of_khalisia", (161, 131, 151)))
    assert told(done, ev.BattleEnded).verdict == "defender_holds"
    assert stand(done.state, "A2") == ["shield+", "general", "crown"]
    assert done.state.players[1].alive
    assert done.state.players[1].spent == ("keep_of_khalisia",)
    assert not any(isinstance(event, ev.UnitsDied) for event in done.events)


@pytest.mark.rule("KA-10.2", "KA-8.1")
def test_unsaved_crown_falls_with_the_saved_units() -> None:
    done = _thrown(_with(STORM, [], ["keep_of_khalisia"]), [8, 8, 8, 1, 1, 1])
    done = fight(done.state, 1, do.AfterMagic("keep_of_khalisia", (131, 151)))
    assert told(done, ev.BattleEnded).verdict == "attacker_wins"
    assert stand(done.state, "A2") == ["sword", "sword", "sword", "special"]
    assert not done.state.players[1].alive


@pytest.mark.rule("KA-7.4", "KA-10.2")
def test_saved_unit_holds_a_tile_emptied_without_a_roll() -> None:
    text = "FF FFF FF\nA1 0 sword\nA2 1 # shield\nC1 0 crown\nC2 1 crown"
    state = position(
        text,
        realm=("mistcourt", "khalisia"),
        hands={0: ["veiled_blade"], 1: ["keep_of_khalisia"]},
    )
    done = fight(state, 0, ATTACK)
    done = fight(done.state, 0, do.DeclareMagic("veiled_blade"))
    done = fight(done.state, 1, do.DeclareMagic())
    done = fight(done.state, 0, do.AimCard(units=(131,)))
    assert asked(done) == ("after", 1)
    done = fight(done.state, 1, do.AfterMagic("keep_of_khalisia", (131,)))
    assert told(done, ev.BattleEnded).verdict == "defender_holds"
    assert not any(isinstance(event, ev.DiceRolled) for event in done.events)
    assert stand(done.state, "A2") == ["shield"]


@pytest.mark.rule("KA-10.2", "KA-10.3", "KA-2.2", "KA-12")
@pytest.mark.parametrize(
    ("realm", "card", "units", "saved", "refused"),
    [
        ("weald", "melt_away", "sword+ archer", (11, 21), (51,)),
        ("ironmarch", "salvage", "catapult+", (41,), (51,)),
    ],
)
def test_saved_units_return_to_the_reserve_without_upgrades(
    realm: str, card: str, units: str, saved: tuple[int, ...], refused: tuple[int, ...]
) -> None:
    text = f"FF FFF FF\nA1 0 {units} general\nA2 1 sword sword sword sword\nC1 0 crown\nC2 1 crown"
    state = position(text, realm=(realm, "khalisia"), hands={0: [card], 1: []})
    done = _thrown(state, [1, 1, 1, 8, 8, 8, 8])
    with pytest.raises(Refused):
        fight(done.state, 0, do.AfterMagic(card, refused))
    done = fight(done.state, 0, do.AfterMagic(card, saved))
    assert told(done, ev.UnitsDied).dead == (51,)
    for unit in saved:
        back = done.state.units[unit]
        assert (back.place, back.upgraded, back.done, back.tile) == ("reserve", False, False, 0)


# -- gold ------------------------------------------------------------------------------------------


@pytest.mark.rule("KA-10.2", "KA-10.3")
@pytest.mark.parametrize(("dice", "gold"), [([8, 1], 2), ([1, 8], 0)])
def test_deep_vaults_pay_an_attacker_that_took_the_tile(dice: list[int], gold: int) -> None:
    done = _thrown(_with(DUEL, ["deep_vaults"], []), dice)
    done = fight(done.state, 0, do.AfterMagic("deep_vaults"))
    assert done.state.players[0].gold == gold
    assert done.state.players[0].spent == ("deep_vaults",)


@pytest.mark.rule("KA-10.2", "KA-10.3")
@pytest.mark.parametrize(
    ("defenders", "dice", "gold"),
    [("shield", [8, 1], 0), ("shield", [1, 8], 2), ("shield shield", [8, 1, 2], 2)],
)
def test_deep_vaults_pay_a_defender_that_held_the_tile(
    defenders: str, dice: list[int], gold: int
) -> None:
    text = DUEL.replace("A2 1 shield", f"A2 1 {defenders}")
    state = position(text, realm=("khalisia", "highfells"), hands={0: [], 1: ["deep_vaults"]})
    done = _thrown(state, dice)
    done = fight(done.state, 1, do.AfterMagic("deep_vaults"))
    assert done.state.players[1].gold == gold


@pytest.mark.rule("KA-10.2", "KA-10.3", "KA-8.1")
def test_plunder_takes_gold_before_the_loser_is_eliminated() -> None:
    text = "FF FFF FF\nA1 0 sword\nA2 1 crown\nC1 0 crown\nC2 1 sword"
    state = position(
        text, realm=("plainsmark", "khalisia"), hands={0: ["plunder"], 1: []}, gold=(0, 5)
    )
    done = _thrown(state, [8, 1])
    done = fight(done.state, 0, do.AfterMagic("plunder"))
    assert [done.state.players[seat].gold for seat in (0, 1)] == [2, 0]
    assert not done.state.players[1].alive
    lost = _thrown(state, [1, 6])
    lost = fight(lost.state, 0, do.AfterMagic("plunder"))
    assert [lost.state.players[seat].gold for seat in (0, 1)] == [0, 5]


@pytest.mark.rule("KA-10.2", "KA-7.8")
def test_save_is_resolved_before_gold_that_needs_a_victory() -> None:
    done = _thrown(_with(STORM, ["deep_vaults"], ["keep_of_khalisia"]), [8, 8, 8, 1, 1, 1])
    done = fight(done.state, 0, do.AfterMagic("deep_vaults"))
    done = fight(done.state, 1, do.AfterMagic("keep_of_khalisia", (161,)))
    assert done.state.players[0].gold == 0
    assert stand(done.state, "A2") == ["crown"]


@pytest.mark.rule("KA-10.2", "KA-10.3")
@pytest.mark.parametrize(("lost", "gold"), [(1, 1), (3, 3), (4, 3)])
def test_grave_bargain_pays_for_each_unit_up_to_three(lost: int, gold: int) -> None:
    armies = f"A1 0 {'sword ' * lost}\nA2 1 shield shield shield shield"
    text = f"FF FFF FF\n{armies}\nC1 0 crown\nC2 1 crown"
    state = position(text, realm=("mistcourt", "khalisia"), hands={0: ["grave_bargain"], 1: []})
    done = _thrown(state, [1] * lost + [10] * 4)
    done = fight(done.state, 0, do.AfterMagic("grave_bargain"))
    assert done.state.players[0].gold == gold


@pytest.mark.rule("KA-7.8")
def test_grave_bargain_needs_a_removed_unit() -> None:
    state = position(DUEL, realm=("mistcourt", "khalisia"), hands={0: ["grave_bargain"], 1: []})
    done = _thrown(state, [8, 1])
    with pytest.raises(Refused) as refused:
        fight(done.state, 0, do.AfterMagic("grave_bargain"))
    assert refused.value.code == Refusal.CARD_UNFIT


@pytest.mark.rule("KA-10.2", "KA-10.3", "KA-8")
@pytest.mark.parametrize(("card", "saves"), [("melt_away", 111), ("salvage", 141)])
def test_only_the_keep_of_khalisia_saves_a_crown(card: str, saves: int) -> None:
    text = "FF FFF FF\nA1 0 sword sword sword\nA2 1 crown sword catapult\nC1 0 crown"
    realm = ("highfells", "weald" if card == "melt_away" else "ironmarch")
    state = position(text, realm=realm, hands={0: (), 1: (card,)})
    done = _thrown(state, [8, 8, 8, 1, 1, 1])
    assert asked(done) == ("after", 1)
    assert offered(done.state, 1) == [do.AfterMagic(), do.AfterMagic(card, (saves,))]
    with pytest.raises(Refused) as refused:
        fight(done.state, 1, do.AfterMagic(card, (161,)))
    assert refused.value.code == Refusal.BAD_TARGET
    done = fight(done.state, 1, do.AfterMagic(card, (saves,)))
    assert told(done, ev.CrownFell).unit == 161
