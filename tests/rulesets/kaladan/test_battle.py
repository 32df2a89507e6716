"""Battles without Magic: declaration, roll, casualties, outcome and invasion."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.offers import attack_offers
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.battles import PLAIN, asked, fight, offered, told, waiting
from tests.rulesets.kaladan.positions import position, stand, tile

CROWNS = """
C1 0 crown
C2 1 crown
"""

FIRST = """
WM FFF FF
A1 0 shield catapult general
A2 1 # shield crown special
C1 0 crown
"""
SECOND = f"""
FW FFF FF
A1 0 sword sword sword sword
A2 1 archer general
{CROWNS}
"""
THIRD = f"""
MF FFF FF
A1 0 shield shield
A2 1 sword
{CROWNS}
"""
ATTACK = do.Attack("A1", "A2")


# -- declaring -------------------------------------------------------------------------------------


@pytest.mark.rule("KA-7.2")
@pytest.mark.parametrize(
    ("source", "target", "code"),
    [
        ("B3", "A2", Refusal.NOT_OWN),
        ("A2", "A1", Refusal.NOT_OWN),
        ("A1", "C2", Refusal.NOT_ADJACENT),
        ("A1", "B1", Refusal.NOT_ENEMY),
        ("C1", "A1", Refusal.NOT_ADJACENT),
        ("A1", "Z9", Refusal.NO_TILE),
    ],
)
def test_attack_goes_from_an_own_to_an_adjacent_enemy_tile(
    source: str, target: str, code: Refusal
) -> None:
    with pytest.raises(Refused) as refused:
        fight(position(THIRD, options=PLAIN), 0, do.Attack(source, target))
    assert refused.value.code == code


@pytest.mark.rule("KA-7.2", "KA-6.4")
def test_one_battle_a_turn_only_in_the_action_phase() -> None:
    state = position(THIRD, options=PLAIN)
    used = fight(state, 0, ATTACK, [1, 1, 8]).state
    assert used.battle is None
    assert used.battle_used
    with pytest.raises(Refused) as refused:
        fight(used, 0, ATTACK)
    assert refused.value.code == Refusal.BATTLE_USED
    for wrong in (replace(state, phase="purchase"), replace(state, active=1)):
        with pytest.raises(Refused) as refused:
            fight(wrong, 0, ATTACK)
        assert refused.value.code == Refusal.WRONG_PHASE


@pytest.mark.rule("KA-7.2")
def test_moved_units_may_still_fight() -> None:
    state = position(THIRD.replace("shield shield", "shield* shield*"), options=PLAIN)
    assert list(attack_offers(view(state, 0))) == [ATTACK, do.Attack("C1", "C2")]
    assert fight(state, 0, ATTACK, [1, 1, 8]).state.battle is None


def test_battle_commands_are_refused_unless_the_battle_waits() -> None:
    state = position(SECOND, options=PLAIN)
    for command in (
        *(do.DeclareMagic(), do.AimCard(), do.ChooseLosses((211,))),
        *(do.AfterMagic(), do.Invade((11,))),
    ):
        with pytest.raises(Refused) as refused:
            fight(state, 0, command)
        assert refused.value.code == Refusal.WRONG_PHASE


# -- the three examples ----------------------------------------------------------------------------


@pytest.mark.rule("KA-7.11", "KA-7.5", "KA-7.6")
def test_example_1_ignores_the_lowest_die_of_the_attacker() -> None:
    state = position(FIRST, options=PLAIN, realm=("weald", "khalisia"))
    dice = [(6, 1), (10, 10), (10, 9), (12, 12), (10, 8), (10, 7), (8, 6), (12, 5), (10, 4)]
    done = fight(state, 0, ATTACK, dice)
    rolled = told(done, ev.DiceRolled)
    assert [die.sides for die in rolled.dice] == [6, 10, 10, 12, 10, 10, 8, 12, 10]
    assert [die.source for die in rolled.dice].count("terrain") == 2
    compared = told(done, ev.PairsCompared)
    assert compared.pairs == ((12, 7), (10, 6), (9, 5), (8, 4))
    assert compared.ignored == ((1,), ())
    assert compared.lost == (0, 4)
    assert compared.losses == (0, 3)


@pytest.mark.rule("KA-7.11", "KA-7.10", "KA-7.7")
def test_example_2_moves_three_swords_into_the_forest() -> None:
    state = position(SECOND, options=PLAIN)
    done = fight(state, 0, ATTACK, [8, 7, 1, 2, 6, 3])
    assert told(done, ev.PairsCompared).pairs == ((8, 6), (7, 3))
    assert told(done, ev.BattleJudged) == ev.BattleJudged("attacker_wins", 3)
    assert len(told(done, ev.Invaded).units) == 3, "Swords are all alike, so nobody is asked"
    assert stand(done.state, "A2") == ["sword"] * 3
    assert stand(done.state, "A1") == ["sword"]
    dead = {unit.kind for unit in done.state.units.values() if unit.place == "dead"}
    assert dead == {"archer", "general"}
    assert all(unit.done for unit in done.state.units.values() if unit.tile in (1, 2))


@pytest.mark.rule("KA-7.11")
def test_example_3_moves_both_shields() -> None:
    done = fight(position(THIRD, options=PLAIN), 0, ATTACK, [3, 6, 5])
    assert told(done, ev.PairsCompared).ignored == ((3,), ())
    assert stand(done.state, "A2") == ["shield", "shield"]
    assert stand(done.state, "A1") == []


@pytest.mark.rule("KA-7.6")
def test_tie_costs_no_unit() -> None:
    done = fight(position(THIRD, options=PLAIN), 0, ATTACK, [3, 5, 5])
    assert told(done, ev.PairsCompared).lost == (0, 0)
    assert told(done, ev.BattleEnded).verdict == "defender_holds"
    assert stand(done.state, "A1") == ["shield", "shield"]


# -- outcomes --------------------------------------------------------------------------------------


@pytest.mark.rule("KA-7.9")
@pytest.mark.parametrize(
    ("attackers", "defenders", "dice", "verdict", "left"),
    [
        ("sword", "sword", [5, 4], "attacker_wins", (["sword"], [])),
        ("sword", "sword", [4, 5], "defender_wins", ([], ["sword"])),
        ("sword", "sword sword", [5, 4, 3], "defender_holds", (["sword"], ["sword"])),
        ("sword", "sword", [4, 4], "defender_holds", (["sword"], ["sword"])),
        ("sword sword", "sword", [1, 2, 8], "defender_holds", (["sword"], ["sword"])),
        ("catapult", "sword sword", [1, 1, 8, 8], "defender_wins", ([], ["sword", "sword"])),
        ("catapult", "sword sword", [10, 1, 8, 8], "defender_wins", ([], ["sword"])),
        ("catapult", "sword", [10, 1, 8], "attacker_wins", (["catapult"], [])),
    ],
)
def test_outcome_follows_from_the_survivors(
    attackers: str,
    defenders: str,
    dice: Sequence[int],
    verdict: str,
    left: tuple[list[str], list[str]],
) -> None:
    text = f"FF FFF FF\nA1 0 {attackers}\nA2 1 {defenders}\n{CROWNS}"
    done = fight(position(text, options=PLAIN), 0, ATTACK, dice)
    assert told(done, ev.BattleEnded).verdict == verdict
    stayed, there = left
    if verdict == "attacker_wins":
        stayed, there = [], stayed
    assert (stand(done.state, "A1"), stand(done.state, "A2")) == (stayed, there)


@pytest.mark.rule("KA-7.9")
def test_both_sides_can_be_destroyed() -> None:
    text = f"WM FFF FF\nA1 0 sword\nA2 1 sword\n{CROWNS}"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [3, 8, 7, 4])
    assert told(done, ev.PairsCompared).pairs == ((8, 7), (3, 4))
    assert told(done, ev.BattleJudged) == ev.BattleJudged("both_destroyed", 0)
    assert not any(isinstance(event, ev.Invaded) for event in done.events)
    assert (stand(done.state, "A1"), stand(done.state, "A2")) == ([], [])


@pytest.mark.rule("KA-7.10", "KA-1.2")
@pytest.mark.parametrize(
    ("land", "attackers", "castle", "count"),
    [
        ("FW", "sword sword archer shield", "", 3),
        ("WF", "sword archer shield", "", 3),
        ("WM", "sword archer shield", "#", 3),
        ("MF", "sword archer", "", 2),
        ("FF", "# sword sword archer shield general", "", 4),
    ],
)
def test_invasion_fills_the_tile_up_to_its_capacity(
    land: str, attackers: str, castle: str, count: int
) -> None:
    text = f"{land} FFF FF\nA1 0 {attackers}\nA2 1 {castle} sword\n{CROWNS}"
    state = position(text, options=PLAIN)
    units = [unit for unit in state.units.values() if unit.tile == tile(state, "A1")]
    high = [12 if unit.kind == "general" else 6 for unit in units]
    bonus = [1] * (land[0] == "W")
    done = fight(state, 0, ATTACK, [*high, *bonus, 1, *([1] * (land[1] == "M"))])
    if count < len(units):
        assert asked(done) == ("invasion", 0)
        assert waiting(done).invaders == count
        for wrong in (units[: count - 1], units):
            with pytest.raises(Refused) as refused:
                fight(done.state, 0, do.Invade(tuple(unit.id for unit in wrong)))
            assert refused.value.code == Refusal.WRONG_INVADERS
        with pytest.raises(Refused):
            fight(done.state, 0, do.Invade((units[0].id,) * count))
        done = fight(done.state, 0, offered(done.state, 0)[0])
    assert len(stand(done.state, "A2")) == count
    assert len(stand(done.state, "A1")) == len(units) - count


# -- casualties ------------------------------------------------------------------------------------


@pytest.mark.rule("KA-7.7")
def test_attacker_chooses_casualties_before_the_defender() -> None:
    text = f"FF FFF FF\nA1 0 sword archer shield\nA2 1 sword archer shield\n{CROWNS}"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [8, 1, 5, 7, 6, 1])
    assert told(done, ev.PairsCompared).pairs == ((8, 7), (5, 6), (1, 1))
    assert asked(done) == ("losses", 0)
    assert offered(done.state, 1) == []
    assert len(offered(done.state, 0)) == 3
    with pytest.raises(Refused) as refused:
        fight(done.state, 0, do.ChooseLosses((11, 21)))
    assert refused.value.code == Refusal.WRONG_CASUALTIES
    with pytest.raises(Refused):
        fight(done.state, 0, do.ChooseLosses((111,)))
    done = fight(done.state, 0, do.ChooseLosses((21,)))
    assert done.state.units[21].place == "removed"
    assert asked(done) == ("losses", 1)
    done = fight(done.state, 1, do.ChooseLosses((131,)))
    assert done.state.battle is None
    assert [done.state.units[unit].place for unit in (21, 131)] == ["dead", "dead"]
    assert stand(done.state, "A1") == ["sword", "shield"]


@pytest.mark.rule("KA-7.7")
@pytest.mark.parametrize(
    ("defenders", "dialogue"),
    [("sword sword", False), ("sword sword+", True), ("sword shield", True)],
)
def test_casualties_without_a_choice_are_not_asked_for(defenders: str, dialogue: bool) -> None:
    text = f"FF FFF FF\nA1 0 general\nA2 1 {defenders}\n{CROWNS}"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [12, 1, 1])
    assert (done.state.battle is not None) == dialogue


@pytest.mark.rule("KA-12")
def test_removed_special_unit_is_fallen() -> None:
    text = f"FF FFF FF\nA1 0 general\nA2 1 special\n{CROWNS}"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [12, 1])
    assert told(done, ev.UnitsDied).fallen == (171,)
    assert done.state.units[171].place == "fallen"


@pytest.mark.rule("KA-7.9", "KA-7.6")
@pytest.mark.parametrize(
    ("dice", "won"), [([6, 2, 1], (1, 0)), ([1, 1, 8], (0, 1)), ([3, 2, 3], (0, 1))]
)
def test_battles_and_dice_are_counted_for_both_sides(dice: list[int], won: tuple[int, int]) -> None:
    """A defender that holds its tile has won; the expected sum is stored doubled."""
    done = fight(position(THIRD, options=PLAIN), 0, ATTACK, dice)
    one, other = (done.state.players[seat] for seat in (0, 1))
    assert (one.battles, other.battles) == (1, 1)
    assert (one.battles_won, other.battles_won) == won
    assert (one.dice, one.dice_sum, one.dice_expected) == (2, sum(dice[:2]), 14)
    assert (other.dice, other.dice_sum, other.dice_expected) == (1, dice[2], 9)
