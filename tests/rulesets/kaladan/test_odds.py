"""Forecasts of battles, compared with brute force, the examples, and the effects of cards."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.record import replace
from engine.core.ruleset import ToolReport
from engine.kit.dice_pools import compare
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.odds import (
    RollTerms,
    battle_odds,
    current_odds,
    enemy_magic,
    fitting_cards,
    possible_cards,
    roll_odds,
    worst_magic,
)
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE, sizes
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import State
from engine.rulesets.kaladan.tables import realm_deck
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.positions import after, position, tile

FIRST = """
FF WMM FF
B1 0 general catapult shield
B2 1 # special crown shield
A1 0 crown
"""
"""The first example: an attack from a Forest on a Castle in the Mountains."""

SECOND = """
FF WFM FF
A1 0 sword sword sword sword
B1 1 archer general
C1 0 crown
C2 1 # crown
"""

THIRD = """
FF WFM FF
B3 0 shield shield
C2 1 sword
A1 0 crown
C1 1 # crown
"""


def between(state: State, source: str, target: str) -> tuple[int, int]:
    """Return the numbers of two tiles."""
    return tile(state, source), tile(state, target)


def brute(
    attack: tuple[int, ...], defence: tuple[int, ...], units: tuple[int, int]
) -> dict[tuple[int, int], Fraction]:
    """Return the chances of casualties by trying all rolls."""
    found: Counter[tuple[int, int]] = Counter()
    for values in product(*(range(1, size + 1) for size in (*attack, *defence))):
        lost = compare(values[: len(attack)], values[len(attack) :]).lost
        found[min(lost[0], units[0]), min(lost[1], units[1])] += 1
    return {row: Fraction(count, found.total()) for row, count in found.items()}


@pytest.mark.rule("KA-7.11")
@pytest.mark.parametrize(
    ("text", "source", "target", "pools", "rolls", "counts"),
    [
        (
            FIRST, "B1", "B2", ((12, 10, 10, 10, 6), (12, 10, 10, 8)), 691200000,
            {(0, 4): 0, (0, 0): 846245},
        ),
        (
            SECOND, "A1", "B1", ((8, 8, 8, 8), (12, 10, 6)[::2]), 294912,
            {(0, 0): 3924, (0, 1): 29566, (0, 2): 121163, (1, 0): 21378, (1, 1): 92460,
             (2, 0): 26421},
        ),
        (THIRD, "B3", "C2", ((6, 6), (8,)), 288, {(0, 0): 36, (0, 1): 125, (1, 0): 127}),
    ],
    ids=["first", "second", "third"],
)  # fmt: skip
def test_examples_have_their_exact_counts(
    text: str,
    source: str,
    target: str,
    pools: tuple[tuple[int, ...], tuple[int, ...]],
    rolls: int,
    counts: dict[tuple[int, int], int],
) -> None:
    state = position(text, realm=("weald", "khalisia"))
    odds = battle_odds(state, *between(state, source, target))
    one, other = (tuple(sorted(sizes(pool), reverse=True)) for pool in odds.pools)
    assert (one, other) == pools
    found = {(lost, fallen): chance * rolls for lost, fallen, chance in odds.roll.losses}
    assert {row: found.get(row, 0) for row in counts} == counts


@pytest.mark.rule("KA-7.11", "KA-7.7")
def test_losses_are_capped_by_the_units_present() -> None:
    state = position(FIRST)
    odds = battle_odds(state, *between(state, "B1", "B2"))
    assert odds.roll.pairs == len(odds.pools[DEFENCE])
    assert max(row[1] for row in odds.roll.losses) == len(odds.units[DEFENCE])
    assert odds.roll.clears == odds.roll.crowns[DEFENCE] > 0
    assert odds.roll.crowns[ATTACK] == 0
    assert odds.roll.expected[0] < odds.roll.expected[1]


@pytest.mark.rule("KA-18.1", "KA-18.2")
@given(
    st.lists(st.sampled_from((2, 3, 4)), min_size=1, max_size=3),
    st.lists(st.sampled_from((2, 3, 4)), min_size=1, max_size=3),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
)
def test_forecasts_equal_brute_force_on_small_pools(
    attack: list[int], defence: list[int], units: tuple[int, int]
) -> None:
    odds = roll_odds(tuple(attack), tuple(defence), terms=RollTerms(units, (True, True), places=2))
    want = brute(tuple(attack), tuple(defence), units)
    assert {(one, other): chance for one, other, chance in odds.losses} == want
    cleared = {row: chance for row, chance in want.items() if row[1] == units[1]}
    assert odds.clears == odds.crowns[1] == sum(cleared.values())
    assert odds.crowns[0] == sum(chance for row, chance in want.items() if row[0] == units[0])
    taken = {row: chance for row, chance in cleared.items() if row[0] < units[0]}
    assert odds.takes == sum(taken.values())
    moving = [min(units[0] - row[0], 2) for row in taken] or [0]
    assert odds.invaders == (min(moving), max(moving))


# -- terms of the tiles ----------------------------------------------------------------------------


@pytest.mark.rule("KA-7.10")
def test_invaders_fill_the_battle_tile() -> None:
    state = position(SECOND)
    odds = battle_odds(state, *between(state, "A1", "B1"))
    # At most two pairs: the tile is taken without a loss, and holds three of the four units.
    assert odds.roll.invaders == (3, 3)


@pytest.mark.rule("KA-7.10", "KA-8.3")
def test_room_is_kept_for_the_special_unit_of_a_falling_crown() -> None:
    text = """
    FF WFM FF
    A1 0 # crown sword sword sword sword
    B1 1 crown
    """
    state = position(text)
    odds = battle_odds(state, *between(state, "A1", "B1"))
    assert odds.roll.invaders == (2, 2)
    assert odds.roll.crowns == (Fraction(0), odds.roll.clears)


# -- cards -----------------------------------------------------------------------------------------

CASTLES = """
FF MFW FF
A1 0 # crown sword shield
B2 1 sword archer catapult
B3 1 # crown special
"""


@pytest.mark.rule("KA-10.2", "KA-18.2")
@pytest.mark.parametrize(
    ("card", "better"),
    [
        ("dawns_sword", True),
        ("oath_of_the_ranks", True),
        ("rockfall", False),
        ("second_wave", True),
        ("massed_charge", True),
        ("foundry_levies", True),
        ("thorn_snare", True),
        ("veiled_blade", True),
        ("purse_cutters", False),
        ("broken_seal", False),
    ],
)
def test_attacker_cards_raise_its_chances_unless_a_pair_is_lost(card: str, better: bool) -> None:
    state = position(CASTLES)
    tiles = between(state, "A1", "B2")
    plain = battle_odds(state, *tiles).roll
    helped = battle_odds(state, *tiles, (card, "")).roll
    assert (helped.clears > plain.clears) is better
    assert helped.clears >= plain.clears or helped.pairs < plain.pairs


@pytest.mark.rule("KA-10.2")
@pytest.mark.parametrize(
    "card", ["stone_oath", "living_wall", "wall_of_shields", "hidden_garrison"]
)
def test_defender_cards_save_its_crown(card: str) -> None:
    state = position(CASTLES, active=1)
    tiles = between(state, "B2", "A1")
    plain = battle_odds(state, *tiles).roll
    helped = battle_odds(state, *tiles, ("", card)).roll
    assert helped.crowns[DEFENCE] < plain.crowns[DEFENCE]


@pytest.mark.rule("KA-7.6", "KA-10.2")
def test_winning_ties_costs_the_attacker_but_saves_no_crown() -> None:
    state = position(CASTLES, active=1)
    tiles = between(state, "B2", "A1")
    plain = battle_odds(state, *tiles).roll
    helped = battle_odds(state, *tiles, ("", "iron_discipline")).roll
    assert helped.crowns == plain.crowns
    assert helped.expected[ATTACK] > plain.expected[ATTACK]


@pytest.mark.rule("KA-7.4")
def test_negation_leaves_the_odds_of_no_cards() -> None:
    state = position(CASTLES)
    tiles = between(state, "A1", "B2")
    struck = battle_odds(state, *tiles, ("dawns_sword", "broken_seal"))
    assert struck.roll == battle_odds(state, *tiles).roll


@pytest.mark.rule("KA-10.2")
def test_keep_holds_a_castle_cleared_by_the_dice() -> None:
    state = position(CASTLES, active=1)
    odds = battle_odds(state, *between(state, "B2", "A1"), ("", "keep_of_khalisia"))
    assert odds.roll.clears == odds.roll.takes == 0
    assert odds.roll.crowns == (Fraction(0), Fraction(0))


@pytest.mark.rule("KA-15", "KA-18.2")
def test_feared_cards_exclude_those_known_to_be_elsewhere() -> None:
    state = position(CASTLES, spent={1: ("thorn_snare",)}, hands={1: ("living_wall",)})
    theirs = possible_cards(view(state, 0), 1)
    assert theirs == tuple(card for card in realm_deck("weald") if card != "thorn_snare")
    assert possible_cards(view(state, 1), 1) == ("living_wall",)
    assert possible_cards(view(position(CASTLES, hands={1: ()}), 0), 1) == ()


@pytest.mark.rule("KA-18.2", "KA-19")
def test_worst_card_gives_the_attacker_the_lowest_chance() -> None:
    state = position(CASTLES)
    tiles = between(state, "A1", "B2")
    every = enemy_magic(view(state, 0), *tiles, ATTACK)
    worst = worst_magic(view(state, 0), *tiles, ATTACK)
    assert worst.roll.clears == min(odds.roll.clears for odds in every)
    assert worst.cards[ATTACK] == ""
    assert worst.cards[DEFENCE] in fitting_cards(view(state, 0), *tiles, DEFENCE)
    assert worst.roll.clears < battle_odds(state, *tiles).roll.clears


@pytest.mark.rule("KA-18.2", "KA-19")
def test_worst_card_for_the_defender_strikes_its_crown() -> None:
    state = position(CASTLES, active=1)
    tiles = between(state, "B2", "A1")
    worst = worst_magic(view(state, 0), *tiles, DEFENCE, fear="crown")
    assert worst.cards == ("thorn_snare", "")
    assert worst.roll.crowns[DEFENCE] > battle_odds(state, *tiles).roll.crowns[DEFENCE]


@pytest.mark.rule("KA-7.3")
def test_odds_in_battle_use_declarations_and_revealed_cards() -> None:
    state = position(CASTLES, hands={0: ("dawns_sword",), 1: ("living_wall",)})
    tiles = between(state, "A1", "B2")
    state = after(state, 0, do.Attack("A1", "B2"))
    asked = current_odds(view(state, 0), "dawns_sword")
    assert asked is not None
    assert asked.roll == battle_odds(state, *tiles, ("dawns_sword", "")).roll
    state = after(state, 0, do.DeclareMagic("dawns_sword"))
    seen = view(state, 1)
    assert "" not in [odds.cards[ATTACK] for odds in enemy_magic(seen, *tiles, DEFENCE)]
    quiet = replace(state, battle=None)
    assert "" in [odds.cards[ATTACK] for odds in enemy_magic(view(quiet, 1), *tiles, DEFENCE)]


# -- questions of calc -----------------------------------------------------------------------------


def ask(name: str, **words: str) -> ToolReport:
    """Return the answer of a tool on the tiles of CASTLES."""
    tool = next(tool for tool in RULES.tools if tool.name == name)
    return tool.run(position(CASTLES), words)


@pytest.mark.rule("KA-7.5")
def test_pools_are_listed_with_their_sources() -> None:
    rows = ask("pools", source="A1", target="B2").rows
    assert [row[1:] for row in rows if row[0] == "attacker"] == [
        ("d8", "sword"),
        ("d6", "shield"),
        ("d6", "crown"),
    ]
    assert ("defender", "d8", "sword") in rows


@pytest.mark.rule("KA-18.1")
def test_odds_of_tiles_equal_those_of_their_dice() -> None:
    tiles = ask("odds", attackers="A1", defenders="B2")
    dice = ask("odds", attackers="d8,2d6", defenders="d8,2d6")
    assert tiles.rows == dice.rows
    assert tiles.remarks[:3] == (
        "3 pairs are compared.",
        dice.remarks[1],
        dice.remarks[2],
    )
    assert "Stone Oath" not in " ".join(tiles.remarks)
    assert "At worst" in tiles.remarks[-1]


@pytest.mark.rule("KA-10.2")
def test_odds_of_dice_use_cards_and_units() -> None:
    capped = ask("odds", attackers="3d8", defenders="2d6", answer="stone_oath")
    assert {row[1] for row in capped.rows} == {0, 1}
    single = ask("odds", attackers="3d8", defenders="2d6", units="3,1")
    assert "If the tile is taken" not in " ".join(single.remarks)
    assert {row[1] for row in single.rows} == {0, 1}


@pytest.mark.rule("KA-7.6")
def test_pairs_of_given_dice_are_listed_with_ignored_dice() -> None:
    told = ask("pair", attack="3,8,5", defence="6,5", card="oath_of_the_ranks")
    assert told.rows == ((1, 8, ">", 6, "defender"), (2, 5, "=", 5, "defender"))
    assert told.remarks[0] == "Pairs lost: 0 by the attacker, 2 by the defender, 0 by nobody."
    assert told.remarks[1] == "With oath_of_the_ranks the defender loses ties."
    assert told.remarks[2] == "Ignored of the attacker: 3."


@pytest.mark.rule("KA-7.6")
@pytest.mark.parametrize("side", ["", "card", "answer"])
@pytest.mark.parametrize(
    ("attack", "defence"), [("6,4", "6,4"), ("9,6,2", "6,6"), ("3,1", "5,1,1")]
)
def test_each_pair_names_its_loser_and_the_sums_agree(attack: str, defence: str, side: str) -> None:
    cards = {side: "oath_of_the_ranks"} if side else {}
    told = ask("pair", attack=attack, defence=defence, **cards)
    lost = [sum(row[4] == name for row in told.rows) for name in ("attacker", "defender", None)]
    first = (
        f"Pairs lost: {lost[0]} by the attacker, {lost[1]} by the defender, {lost[2]} by nobody."
    )
    assert told.remarks[0] == first
    ties = {row[4] for row in told.rows if row[2] == "="}
    assert ties <= {{"": None, "card": "defender", "answer": "attacker"}[side]}


@pytest.mark.rule("KA-1.2", "KA-7.10")
def test_capacity_tool_counts_the_units_that_must_move_in() -> None:
    rows = {row[0]: row[1:] for row in ask("capacity", survivors="5").rows}
    assert rows["A1"] == ("field", "yes", 5, 3, 2, 5)
    assert rows["B1"] == ("mountain", "no", 3, 0, 3, 3)
    assert ask("capacity", tile="c1").rows[0][0] == "C1"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("odds", {"attackers": "d8", "defenders": "B2"}),
        ("odds", {"attackers": "A1", "defenders": "A1"}),
        ("odds", {"attackers": "A1", "defenders": "B1"}),
        ("odds", {"attackers": "A1", "defenders": "B3"}),
        ("odds", {"attackers": "30d8", "defenders": "d8"}),
        ("odds", {"attackers": "d8", "defenders": "d8", "card": "thorn_snare"}),
        ("odds", {"attackers": "d8", "defenders": "d8", "card": "living_wall"}),
        ("odds", {"attackers": "d8", "defenders": "d8", "units": "1"}),
        ("odds", {"attackers": "A1", "defenders": "B2", "units": "1,1"}),
        ("pair", {"attack": "8,x", "defence": "1"}),
        ("pair", {"attack": "8", "defence": "1", "card": "nonsense"}),
        ("capacity", {"tile": "Z9"}),
        ("pools", {"source": "A1"}),
    ],
)
def test_bad_arguments_are_refused(name: str, words: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        ask(name, **words)
