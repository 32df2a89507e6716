"""Dice pools of both sides with their sources, and the effects of cards on them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kit.dice_pools import pair_losses, total
from engine.rulesets.kaladan.board import standing
from engine.rulesets.kaladan.pools import NO_CARDS, CardPair, casualties, pools, rerolls, sizes
from engine.rulesets.kaladan.state import Options
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.positions import position


def _text(land: str, attackers: str, defenders: str) -> str:
    """Return a position in which both seats have a Crown, in the battle or behind it."""
    lines = [f"{land} FFF FF", f"A1 0 {attackers}", f"A2 1 {defenders}"]
    lines += ["C1 0 crown"] * ("crown" not in attackers)
    lines += ["C2 1 crown"] * ("crown" not in defenders)
    return "\n".join(lines)


def _pools(
    land: str,
    attackers: str,
    defenders: str,
    cards: CardPair = NO_CARDS,
    options: Options = Options(),  # noqa: B008 - frozen
    realm: tuple[str, ...] = ("ironmarch", "khalisia"),
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    state = position(_text(land, attackers, defenders), options=options, realm=realm)
    attack, defence = pools(state, 1, 2, cards)
    assert pools(view(state, 1), 1, 2, cards) == (attack, defence)
    return sizes(attack), sizes(defence)


@pytest.mark.rule("KA-2.1", "KA-7.5", "KA-1.2")
@pytest.mark.parametrize(
    ("land", "attackers", "defenders", "attack", "defence"),
    [
        ("FF", "sword archer", "sword archer", (8, 10), (8, 6)),
        ("FF", "shield catapult", "shield catapult", (6, 10, 10), (10, 6)),
        ("FF", "general crown", "general crown", (12, 6), (12, 6)),
        ("FF", "sword+ archer+", "sword+ archer+", (10, 12), (10, 8)),
        ("FF", "shield+ catapult+", "shield+ catapult+", (8, 12, 12), (12, 8)),
        ("WW", "sword", "sword", (8, 10), (8,)),
        ("MM", "sword", "sword", (8,), (8, 10)),
        ("WM", "sword sword", "sword sword", (8, 8, 10), (8, 8, 10)),
        ("FF", "# crown", "# crown", (6,), (8,)),
        ("FM", "# sword", "# sword", (8,), (8, 10)),
    ],
)
def test_units_and_terrain_give_dice(
    land: str, attackers: str, defenders: str, attack: tuple[int, ...], defence: tuple[int, ...]
) -> None:
    assert _pools(land, attackers, defenders) == (attack, defence)


@pytest.mark.rule("KA-7.11")
@pytest.mark.parametrize(
    ("land", "attackers", "defenders", "counts"),
    [
        ("FF", "sword", "sword", {(0, 0): 8, (0, 1): 28, (1, 0): 28}),
        ("MF", "shield shield", "sword", {(0, 0): 36, (0, 1): 125, (1, 0): 127}),
        (
            *("FW", "sword sword sword sword", "archer general"),
            {
                (0, 0): 3924,
                (0, 1): 29566,
                (0, 2): 121163,
                (1, 0): 21378,
                (1, 1): 92460,
                (2, 0): 26421,
            },
        ),
        (
            *("WM", "general catapult shield", "# special crown shield"),
            {(0, 4): 150809964, (4, 0): 54520307, (2, 2): 53751404, (0, 0): 846245},
        ),
    ],
)
def test_examples_have_the_counts_of_the_rule_book(
    land: str, attackers: str, defenders: str, counts: dict[tuple[int, int], int]
) -> None:
    attack, defence = _pools(land, attackers, defenders)
    found = pair_losses(attack, defence)
    assert {lost: found[lost] for lost in counts} == counts
    if len(counts) != 4:
        assert total(found) == sum(counts.values())


@pytest.mark.rule("KA-2.3")
@pytest.mark.parametrize(
    ("realm", "land", "attackers", "defenders", "attack", "defence"),
    [
        ("khalisia", "FF", "# special", "special", 10, 10),
        ("khalisia", "FF", "special", "# special", 10, 12),
        ("weald", "WF", "special", "special", 12, 10),
        ("weald", "FW", "special", "special", 10, 10),
        ("highfells", "MM", "special", "special", 10, 12),
        ("highfells", "FF", "special", "special", 10, 10),
        ("plainsmark", "FF", "special", "special", 12, 10),
        ("plainsmark", "MF", "special", "special", 10, 10),
        ("ironmarch", "FF", "special", "special", 10, 10),
        ("ironmarch", "FF", "special general", "special crown", 12, 12),
        ("mistcourt", "FF", "special", "# special", 12, 10),
        ("mistcourt", "FF", "# special", "special", 10, 10),
    ],
)
def test_special_unit_has_a_better_die_under_its_condition(
    realm: str, land: str, attackers: str, defenders: str, attack: int, defence: int
) -> None:
    state = position(_text(land, attackers, defenders), realm=(realm, realm))
    found = pools(state, 1, 2)
    special = [next(die.sides for die in pool if die.unit % 100 == 71) for pool in found]
    assert special == [attack, defence]


@pytest.mark.rule("KA-2.3", "KA-8.3")
def test_captured_special_unit_keeps_its_condition() -> None:
    text = _text("WF", "special:1", "sword")
    attack, _ = pools(position(text, realm=("khalisia", "weald")), 1, 2)
    assert sizes(attack) == (12, 10)


@pytest.mark.rule("KA-7.5")
def test_castle_die_option_gives_the_defender_a_die() -> None:
    options = Options(castle_die="d8")
    assert _pools("FF", "# sword", "# sword", options=options) == ((8,), (8, 8))
    assert _pools("FF", "# sword", "sword", options=options) == ((8,), (8,))
    stripped = _pools("FM", "sword", "# sword", ("hidden_paths", ""), options)
    assert stripped == ((8,), (8, 8)), "the die of a Castle is no die of terrain"


@pytest.mark.rule("KA-7.5", "KA-10.2", "KA-10.3")
@pytest.mark.parametrize(
    ("cards", "attack", "defence"),
    [
        (("dawns_sword", ""), (12, 10, 6, 10, 10, 10), (10, 6, 10, 6, 10)),
        (("", "rain_of_shafts"), (8, 10, 6, 10, 10, 10), (10, 12, 10, 6, 10)),
        (("wall_of_shields", ""), (8, 10, 12, 10, 10, 10), (10, 6, 10, 6, 10)),
        (("engineers_hour", ""), (8, 10, 6, 12, 12, 10), (10, 6, 10, 6, 10)),
        (("", "engineers_hour"), (8, 10, 6, 10, 10, 10), (10, 6, 10, 12, 10)),
        (("", "dawns_sword"), (8, 10, 6, 10, 10, 10), (12, 6, 10, 6, 10)),
        (("hidden_paths", ""), (8, 10, 6, 10, 10, 10), (10, 6, 10, 6)),
        (("", "hidden_paths"), (8, 10, 6, 10, 10), (10, 6, 10, 6, 10)),
        (("massed_charge", "living_wall"), (8, 10, 6, 10, 10, 10, 12), (10, 6, 10, 6, 10, 10)),
    ],
)
def test_cards_change_the_pools(
    cards: CardPair, attack: tuple[int, ...], defence: tuple[int, ...]
) -> None:
    army = "sword archer shield catapult"
    assert _pools("WM", army, army.replace("sword", "sword+"), cards) == (attack, defence)


@pytest.mark.rule("KA-7.7", "KA-10.2")
def test_casualties_are_capped_by_units_and_by_card() -> None:
    assert casualties(4, 3, NO_CARDS, 1) == 3
    assert casualties(4, 3, ("", "stone_oath"), 1) == 1
    assert casualties(0, 3, ("", "stone_oath"), 1) == 0
    assert casualties(4, 3, ("", "stone_oath"), 0) == 3
    assert rerolls(("second_wave", "")) == (2, 0)


_KINDS = ["sword", "archer", "shield", "catapult", "general", "crown", "special"]
_ARMIES = st.lists(st.sampled_from(_KINDS), min_size=1, max_size=3, unique=True)


@pytest.mark.rule("KA-7.5")
@given(st.sampled_from(["FF", "FW", "FM", "WF", "WM", "MW", "MM"]), _ARMIES, _ARMIES)
def test_pool_size_counts_units_catapults_and_terrain(
    land: str, attackers: list[str], defenders: list[str]
) -> None:
    state = position(_text(land, " ".join(attackers), " ".join(defenders)))
    attack, defence = pools(state, 1, 2)
    assert len(attack) == len(attackers) + ("catapult" in attackers) + (land[0] == "W")
    assert len(defence) == len(defenders) + (land[1] == "M")
    assert {die.unit for die in attack if die.unit} == {unit.id for unit in standing(state, 1)}
    assert pools(state, 3, 4) == ((), ()), "a side without units has no dice"
