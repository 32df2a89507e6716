"""Battles of LordsAWar and their forecasts: ``python -m bench.lordsawar_battles``.

A battle of eight against eight is decided hit by hit, including its strengths, and a thousand
forecasts of neighbouring stacks are made in the manner of a computer player's turn. They are
compared, in the same run and in turns, with a direct transcription of the rule book's loop: names
of flags, fractions of hit points. Both must have the same results. Bars: 2 ms for the battle, 1 s
for the forecasts.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import Final

from engine.core.dice import Scripted
from engine.rulesets.lordsawar.battle import battle, forecast
from engine.rulesets.lordsawar.battle_records import (
    DEFAULT_OPTIONS,
    HIT_POINT,
    BattleTerms,
    Combatant,
    TileClass,
)
from engine.rulesets.lordsawar.strength import battle_strengths, line_up
from engine.rulesets.lordsawar.tables import default_fight_order, unit_types
from tests.rulesets.lordsawar import naive

ROUNDS: Final = 7
BATTLES: Final = 40
FORECASTS: Final = 1000
STACKS: Final = 80
MOST_BATTLE: Final = 0.002
MOST_FORECASTS: Final = 1.0
_GROUNDS: Final[tuple[TileClass, ...]] = ("open", "forest", "hills", "city")

Line = tuple[Combatant, ...]
Meeting = tuple[Line, Line, BattleTerms]
End = tuple[bool, tuple[Fraction, ...]]


def stacks(chance: random.Random, count: int, sizes: Sequence[int]) -> list[Line]:
    """Return random stacks of ordinary types, some wounded, about half of them led by a hero."""
    kinds, order = unit_types(), default_fight_order()
    found = []
    for number in range(count):
        armies = []
        for place in range(chance.choice(sizes)):
            is_hero = not place and chance.random() < 0.5
            kind = kinds[27 if is_hero else chance.randrange(27)]
            hp = chance.choice((2 * HIT_POINT, 2 * HIT_POINT, chance.randint(1, 2 * HIT_POINT)))
            armies.append(
                Combatant(
                    10 * number + place,
                    kind.id,
                    kind.strength,
                    hp,
                    kind.max_hp,
                    kind.flags,
                    hero=is_hero,
                    commanding=chance.randrange(3) if is_hero else 0,
                )
            )
        found.append(line_up(armies, order))
    return found


def meetings(chance: random.Random, count: int, sizes: Sequence[int]) -> list[Meeting]:
    """Return pairs drawn from a few stacks, each pair on a random ground."""
    all_stacks = stacks(chance, STACKS, sizes)
    pairs = (chance.sample(all_stacks, 2) for _ in range(count))
    return [(*pair, _ground(chance)) for pair in pairs]  # type: ignore[misc]  # two of them


def _ground(chance: random.Random) -> BattleTerms:
    on = chance.choice(_GROUNDS)
    return BattleTerms(on, on, 2 if on == "city" else 0, chance.random() < 0.3)


def fought(meeting: Meeting) -> End:
    """Fight a battle hit by hit, with the records that a log keeps."""
    own, other, terms = meeting
    course = battle(Scripted(), battle_strengths(own, other, terms), DEFAULT_OPTIONS)
    return course.attackers_won, _fractions((*course.attackers_hp, *course.defenders_hp))


def foreseen(meeting: Meeting) -> End:
    """Forecast a battle, starting from the armies."""
    own, other, terms = meeting
    found = forecast(battle_strengths(own, other, terms), DEFAULT_OPTIONS)
    return bool(found.chance), _fractions((*found.attackers_hp, *found.defenders_hp))


def naively(meeting: Meeting) -> End:
    """Fight the same battle as a straightforward loop over fractions."""
    own, other = naive.fighters(meeting[0]), naive.fighters(meeting[1])
    everybody = (*own, *other)
    naive.strengths(own, other, meeting[2], DEFAULT_OPTIONS)
    naive.fight(own, other, 20)
    return bool(own), tuple(one.hp for one in everybody)


def _fractions(units: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(hp, HIT_POINT) for hp in units)


def bare(work: str, meeting: Meeting) -> object:
    """Run a battle or a forecast without the comparison."""
    own, other, terms = meeting
    strengths = battle_strengths(own, other, terms)
    if work == "battle":
        return battle(Scripted(), strengths, DEFAULT_OPTIONS)
    return forecast(strengths, DEFAULT_OPTIONS)


def timed(works: Mapping[str, Callable[[], object]]) -> dict[str, list[float]]:
    """Return the seconds of processor time of each work, in shuffled turns."""
    chance = random.Random(1)  # noqa: S311 - an order
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name in chance.sample(list(works), len(works)):
            began = time.process_time()
            works[name]()
            took[name].append(time.process_time() - began)
    return took


def measured(name: str, met: Sequence[Meeting], work: str, each: int) -> float:
    """Print the time of ``each`` meetings, extrapolated from ``met``, and the loop's; return it."""
    took = timed(
        {
            "ours": lambda: [bare(work, meeting) for meeting in met],
            "loop": lambda: [naively(meeting) for meeting in met],
        }
    )
    ratio = median(b / a for a, b in zip(took["ours"], took["loop"], strict=True))
    seconds = median(took["ours"]) * each / len(met)
    loop = median(took["loop"]) * each / len(met)
    print(f"{name:48}{1000 * seconds:9.3f} ms   loop {1000 * loop:9.3f} ms   {ratio:6.1f} times")
    return seconds


def main() -> int:
    """Compare, measure and print; return 1 if results differ or a bar is missed."""
    chance = random.Random(14)  # noqa: S311 - armies by lot
    full = meetings(chance, BATTLES, (8,))
    mixed = meetings(chance, FORECASTS, range(1, 9))
    for meeting in (*full, *mixed):
        if not naively(meeting) == fought(meeting) == foreseen(meeting):
            print("a battle comes to another end than in the loop")
            return 1
    single = measured("a battle of 8 against 8, hit by hit", full, "battle", 1)
    ahead = measured("a forecast of 8 against 8", full, "forecast", 1)
    many = measured(f"{FORECASTS} forecasts of neighbouring stacks", mixed, "forecast", FORECASTS)
    return int(single > MOST_BATTLE or ahead > MOST_BATTLE or many > MOST_FORECASTS)


if __name__ == "__main__":
    sys.exit(main())
