"""Strength of armies in a battle, checked against the tables of the rule book."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.record import replace
from engine.strategic.battle import Soldier
from engine.strategic.battle_records import Battleground, Lineup, Support
from engine.strategic.events.battle import Part
from engine.strategic.pieces import CLASSES
from tests.strategic.fighting.sides import OPEN, RULES, against, soldier, strengths
from tests.strategic.ground import (
    ARCHERS,
    ARCHONS,
    BATS,
    CATAPULTS,
    DEVILS,
    DRAGONS,
    DWARVES,
    ELEPHANTS,
    GIANTS,
    HEAVY,
    HERO,
    LIGHT,
    LIGHT_CAVALRY,
    NAVY,
    PEGASI,
    SCOUTS,
    TYPES,
)

CITY = Battleground("city", defence=2)
SEA = Battleground("open", at_sea=True, mounts_last=True)


def attack(lineup: Lineup) -> tuple[int, ...]:
    return strengths(lineup.attackers)


def defence(lineup: Lineup) -> tuple[int, ...]:
    return strengths(lineup.defenders)


def worth(support: Support) -> dict[str, int]:
    return {part.source: part.value for part in support.parts if not part.cancelled}


def cancelled(support: Support) -> set[str]:
    return {part.source for part in support.parts if part.cancelled}


@pytest.mark.rule("W2-8.3")
@pytest.mark.parametrize(
    ("strength", "lead"),
    [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (6, 1), (7, 2), (8, 2), (9, 3)],
)
def test_the_leader_adds_by_its_strength(strength: int, lead: int) -> None:
    lineup = against([soldier(HERO, strength=strength), soldier(HEAVY)], [soldier(LIGHT)])
    assert lineup.attackers.support.total == lead
    assert attack(lineup) == (3 + lead, strength + lead)


@pytest.mark.rule("W2-8.3")
def test_leadership_is_not_half_the_heros_strength() -> None:
    """A note of the companion material, strength / 2, is wrong (section 18.4)."""
    lineup = against([soldier(HERO, strength=6), soldier(HEAVY)], [soldier(LIGHT)])
    assert lineup.attackers.support.total == 1


@pytest.mark.rule("W2-8.3")
@pytest.mark.parametrize(
    ("weapons", "support", "own"), [(0, 1, 6), (2, 2, 9), (3, 2, 10), (4, 3, 12), (9, 3, 15)]
)
def test_weapons_raise_the_heros_strength_and_leadership(
    weapons: int, support: int, own: int
) -> None:
    lineup = against([soldier(HERO, weapons=weapons)], [soldier(LIGHT)])
    assert lineup.attackers.support.total == support
    assert attack(lineup) == (own,)


@pytest.mark.rule("W2-8.3")
def test_only_the_best_hero_leads_but_items_of_all_count() -> None:
    heroes = [
        soldier(HERO, strength=7, command=1),
        soldier(HERO, strength=4, standards=1),
        soldier(HERO, strength=9),
    ]
    support = against(heroes, [soldier(LIGHT)]).attackers.support
    assert sum(part.value for part in support.parts) == 3 + 1 + 1
    assert [part.army for part in support.parts if part.source == "leader"] == [3]


@pytest.mark.rule("W2-8.3")
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("ground", CLASSES)
def test_types_have_their_own_and_pack_bonus_on_each_ground(kind: int, ground: Any) -> None:
    row = TYPES[kind]
    place = CLASSES.index(ground)
    lineup = against([soldier(kind), soldier(SCOUTS)], [soldier(BATS)], Battleground(ground))
    found = dict(zip([f.type for f in lineup.attackers.fighters], attack(lineup), strict=True))
    leader = 1 if kind == HERO else 0
    assert found.get(SCOUTS) == 1 + row.pack[place] + leader
    assert found[kind] == row.strength + row.own[place] + row.pack[place] + leader


@pytest.mark.rule("W2-8.3")
def test_only_the_best_pack_bonus_counts() -> None:
    lineup = against([soldier(PEGASI), soldier(DRAGONS), soldier(PEGASI)], [soldier(LIGHT)])
    assert lineup.attackers.support.parts == (Part("pack", 2, 2),)


@pytest.mark.rule("W2-8.3")
def test_first_of_equals_leads_and_gives_the_pack_bonus() -> None:
    twice = [soldier(HERO), soldier(HERO), soldier(DRAGONS), soldier(DRAGONS)]
    support = against(twice, [soldier(ELEPHANTS), soldier(ELEPHANTS)]).attackers.support
    givers = {part.source: part.army for part in support.parts}
    assert givers == {"leader": 1, "pack": 3, "foe": 101}


@pytest.mark.rule("W2-8.3")
def test_cap_applies_before_the_foes_malus() -> None:
    strong = [soldier(HERO, strength=9, command=3), soldier(DRAGONS), soldier(LIGHT)]
    lineup = against(strong, [soldier(ELEPHANTS), soldier(ELEPHANTS)])
    assert worth(lineup.attackers.support) == {
        "leader": 3,
        "command": 3,
        "pack": 2,
        "cap": -3,
        "foe": -1,
    }
    assert lineup.attackers.support.total == 4
    assert attack(lineup) == (2 + 4, 9 + 4, 9 + 4)


@pytest.mark.rule("W2-8.3")
def test_the_cap_is_data_of_a_scenario() -> None:
    loose = replace_cap(7)
    strong = [soldier(HERO, strength=9, command=3), soldier(DRAGONS)]
    lineup = against(strong, [soldier(LIGHT)], rules=loose)
    assert lineup.attackers.support.total == 7
    assert attack(lineup) == (15, 15)


def replace_cap(cap: int) -> Any:
    from dataclasses import replace as changed  # noqa: PLC0415 - records have a replace, too

    return changed(RULES, cap=cap)


@pytest.mark.rule("W2-8.3")
def test_strength_is_capped_at_fifteen_with_a_reason() -> None:
    strong = [soldier(HERO, strength=9, weapons=3, command=3), soldier(DRAGONS)]
    lineup = against(strong, [soldier(LIGHT)])
    assert attack(lineup) == (14, 15)
    assert Part("limit", -2) in lineup.attackers.reasons[1]


@pytest.mark.rule("W2-8.3")
def test_strength_is_at_least_one() -> None:
    lineup = against([soldier(SCOUTS), soldier(BATS)], [soldier(ELEPHANTS)])
    assert lineup.attackers.support.total == -1
    assert attack(lineup) == (1, 1)
    assert lineup.attackers.reasons[0] == (Part("limit", 1),)


@pytest.mark.rule("W2-8.3")
def test_archons_cancel_leadership_and_items_of_heroes() -> None:
    hero = soldier(HERO, strength=9, weapons=2, command=2, standards=1)
    lineup = against([hero, soldier(DRAGONS)], [soldier(ARCHONS)])
    assert cancelled(lineup.attackers.support) == {"leader", "command", "standard"}
    assert lineup.attackers.support.total == 2
    assert attack(lineup) == (11, 13), "the hero keeps its own weapons"


@pytest.mark.rule("W2-8.3")
def test_devils_cancel_the_pack_bonus_only() -> None:
    lineup = against([soldier(HERO), soldier(DRAGONS)], [soldier(DEVILS)])
    assert cancelled(lineup.attackers.support) == {"pack"}
    assert lineup.attackers.support.total == 1


@pytest.mark.rule("W2-8.3")
@pytest.mark.parametrize(
    ("field", "neutral", "siege", "expected"),
    [
        (Battleground("city", 1), False, False, 1),
        (Battleground("city", 2), False, False, 2),
        (Battleground("city", 1), True, False, 0),
        (Battleground("city", 2), True, False, 1),
        (Battleground("city", 2), False, True, 0),
        (Battleground("city", 2), True, True, 0),
        (Battleground("hills", 0), False, False, 0),
        (Battleground("woods", 0), False, False, 0),
    ],
)
def test_walls_help_defenders_without_siege_and_neutrals_half(
    field: Battleground, neutral: bool, siege: bool, expected: int
) -> None:
    attackers = [soldier(CATAPULTS if siege else HEAVY)]
    lineup = against(attackers, [soldier(LIGHT)], field, neutral=neutral)
    assert lineup.defenders.support.total == expected
    assert lineup.attackers.support.total == 0, "walls help nobody else"


def sappers(strength: int = 3) -> Soldier:
    """Return a soldier with field works, which no default type has."""
    digger = replace(TYPES[HEAVY], traits=("works",))
    return replace(soldier(HEAVY, strength=strength), type=digger)


@pytest.mark.rule("W2-8.3", "W2-7")
def test_field_works_help_both_attackers_and_defenders_unless_besieged() -> None:
    assert against([sappers()], [soldier(LIGHT)]).attackers.support.total == 1
    assert against([soldier(LIGHT)], [sappers()]).defenders.support.total == 1
    assert against([soldier(LIGHT)], [sappers()], neutral=True).defenders.support.total == 0
    assert against([sappers()], [soldier(CATAPULTS)]).attackers.support.total == 0
    assert against([soldier(CATAPULTS)], [sappers()]).defenders.support.total == 0


@pytest.mark.rule("W2-8.3")
def test_field_works_add_nothing_to_walls() -> None:
    assert against([soldier(LIGHT)], [sappers()], CITY).defenders.support.total == 2


@pytest.mark.rule("W2-8.3", "W2-6.6")
def test_embarked_army_fights_at_sea_with_strength_four() -> None:
    afloat = [soldier(GIANTS, aboard=True), soldier(HERO, aboard=True, strength=9, command=2)]
    lineup = against([*afloat, soldier(NAVY)], [soldier(ELEPHANTS)], SEA)
    found = {f.type: f.strength for f in lineup.attackers.fighters}
    assert found == {GIANTS: 4, HERO: 4, NAVY: 4 + 5 - 1}
    assert any(part.source == "aboard" for part in lineup.attackers.reasons[0])


@pytest.mark.rule("W2-8.3")
def test_landing_army_fights_with_its_own_strength() -> None:
    lineup = against([soldier(GIANTS, aboard=True)], [soldier(LIGHT)], OPEN)
    assert attack(lineup) == (5,)


@pytest.mark.rule("W2-8.3")
def test_ground_helps_types_with_a_bonus_there() -> None:
    hills, woods = Battleground("hills"), Battleground("woods")
    assert attack(against([soldier(DWARVES)], [soldier(ARCHERS)], hills)) == (4,)
    assert defence(against([soldier(DWARVES)], [soldier(ARCHERS)], woods)) == (4,)
    assert attack(against([soldier(LIGHT_CAVALRY)], [soldier(ARCHERS)], OPEN)) == (3,)


SOLDIERS = st.builds(
    soldier,
    st.sampled_from(sorted(TYPES)),
    strength=st.integers(1, 9),
    aboard=st.booleans(),
)
LEADERS = st.builds(
    soldier,
    st.just(HERO),
    strength=st.integers(1, 9),
    weapons=st.integers(0, 9),
    command=st.integers(0, 6),
    standards=st.integers(0, 2),
)
SIDES = st.lists(SOLDIERS | LEADERS, min_size=1, max_size=8)
FIELDS = st.builds(
    Battleground, st.sampled_from(CLASSES), st.integers(0, 2), st.booleans(), st.booleans()
)


@given(SIDES, SIDES, FIELDS, st.booleans())
def test_strengths_stay_in_bounds_and_their_reasons_add_up(
    attackers: list[Soldier], defenders: list[Soldier], field: Battleground, neutral: bool
) -> None:
    lineup = against(attackers, defenders, field, neutral=neutral)
    for line, side in ((lineup.attackers, attackers), (lineup.defenders, defenders)):
        counting = [part for part in line.support.parts if not part.cancelled]
        assert sum(part.value for part in counting if part.source != "foe") <= 5
        assert line.support.total == sum(part.value for part in counting)
        own = {f.army: f for f in line.fighters}
        first = min(own)
        for fighter, why in zip(line.fighters, line.reasons, strict=True):
            bare = side[fighter.army - first].army.strength
            assert 1 <= fighter.strength <= 15
            assert fighter.strength == bare + line.support.total + sum(p.value for p in why)
