"""The combat log, line for line."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.rulesets.lordsawar.battle import fight
from engine.rulesets.lordsawar.battle_records import BattleCourse, BattleHit, BattleStrengths
from engine.rulesets.lordsawar.battle_telling import hit_lines
from engine.rulesets.lordsawar.hit_points import parsed_hp
from engine.rulesets.lordsawar.tables import unit_types
from tests.rulesets.lordsawar.armies import army, met

SEED_LINES = """\
fight.cpp: 302: [COMBAT] === Turn 0 (Attacker's turn) ===
fight.cpp: 671: [COMBAT] Round 0: Warrior (1234) hits Archer (5678) for 1.13 damage. \
Defender HP: 0.88/2
fight.cpp: 302: [COMBAT] === Turn 1 (Defender's turn) ===
fight.cpp: 671: [COMBAT] Round 1: Archer (5678) hits Warrior (1234) for 0.38 damage. \
Defender HP: 1.62/2
fight.cpp: 302: [COMBAT] === Turn 2 (Attacker's turn) ===
fight.cpp: 671: [COMBAT] Round 2: Warrior (1234) hits Archer (5678) for 1.13 damage. \
Defender HP: 0.00/2
fight.cpp: 325: [COMBAT] Archer (5678) DIED!""".splitlines()


def logged(course: BattleCourse, strengths: BattleStrengths, names: Mapping[int, str]) -> list[str]:
    """Return the log lines of a whole battle; ``names`` are those of the armies."""
    lines = (*strengths.attackers.line, *strengths.defenders.line)
    most = {army.id: army.max_hp for army in lines}
    return [
        line
        for hit in course.hits
        for line in hit_lines(hit, names[hit.hitter], names[hit.target], most[hit.target])
    ]


@pytest.mark.rule("LW-8.1")
def test_log_has_the_lines_of_the_original() -> None:
    names = {1234: "Warrior", 5678: "Archer"}
    strengths = met([army(1234, 5)], [army(5678, 2)])
    assert logged(fight(strengths), strengths, names) == SEED_LINES


@pytest.mark.rule("LW-8.1")
def test_killing_hit_by_the_defender_names_the_dead() -> None:
    hit = BattleHit(3, by_attacker=False, hitter=7, target=4, damage=parsed_hp("0.9375"), hp=0)
    turn, blow, death = hit_lines(hit, "Giants", "Hero", 6)
    assert turn == "fight.cpp: 302: [COMBAT] === Turn 3 (Defender's turn) ==="
    assert blow.endswith("Giants (7) hits Hero (4) for 0.94 damage. Defender HP: 0.00/6")
    assert death == "fight.cpp: 325: [COMBAT] Hero (4) DIED!"


@pytest.mark.rule("LW-8.1")
def test_log_has_two_lines_per_hit_and_one_per_death() -> None:
    strengths = met([army(1, 5), army(2, 5)], [army(3, 5), army(4, 5)])
    course = fight(strengths)
    lines = logged(course, strengths, dict.fromkeys(range(1, 5), unit_types()[1].name))
    dead = sum(not hp for hp in (*course.attackers_hp, *course.defenders_hp))
    assert len(lines) == 2 * len(course.hits) + dead
    assert sum(line.endswith("DIED!") for line in lines) == dead
