"""Causes of values: deciding throws, checked by brute force, and deciding premises."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from engine.core.containers import Roster
from engine.core.dice import Seeded
from engine.debug.causes import CauseSearch, Denial, OtherDice
from engine.debug.history import Followed, followed, last_change
from engine.debug.line import GameLine
from engine.debug.paths import MISSING, StatePath, value, write
from tests.debug.recorded import SMALL, recorded

CASES, MANY = 10, 30
"""Values tested per ruleset, and in the slow test."""

TRIES = 200
"""Maximum decisions that brute force may take for a case."""

SEEDS = tuple(f"causes {number}".encode() for number in range(12))


class PlainDice:
    """Dice that repeat listed throws and roll fresh ones from the first misfit on."""

    def __init__(self, told: list[tuple[int, int]], seq: int) -> None:
        self.told, self.anew, self.is_anew = list(told), Seeded(b"causes", seq, "anew"), False
        self.thrown: tuple[tuple[int, int], ...] = ()

    def roll(self, sides: int) -> int:
        if not self.told or self.told[0][0] != sides:
            self.is_anew = True
        face = self.anew.roll(sides) if self.is_anew else self.told.pop(0)[1]
        self.thrown += ((sides, face),)
        return face


def plain_value(state: Any, path: StatePath) -> Any:
    """Return the value at a path of fields, ids and numbers, or MISSING."""
    for key in path:
        if isinstance(key, str):
            state = getattr(state, key)
        elif isinstance(state, Roster):
            if key not in state:
                return MISSING
            state = state[key]  # type: ignore[index]
        else:
            return MISSING
    return state


def changed_paths(before: Any, after: Any) -> Iterator[StatePath]:
    """Yield the paths that differ: fields of rows, rows, and fields of the state."""
    for name in after.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if not isinstance(new, Roster):
            if old != new:
                yield (name,)
            continue
        for number in {*old, *new}:
            if (number in old) != (number in new):
                yield name, number
            elif number in new and old[number] != new[number]:
                for field in new[number].__struct_fields__:
                    if getattr(old[number], field) != getattr(new[number], field):
                        yield name, number, field


@cache
def cases(ruleset: str, count: int) -> tuple[tuple[GameLine, int, StatePath], ...]:
    """Return changed values of entries with throws, each as line, entry index and path."""
    by_entry: list[list[tuple[GameLine, int, StatePath]]] = []
    for seed in SEEDS:
        line = recorded(ruleset, seed)
        for index, entry in enumerate(line.entries[1:], start=1):
            tries = sum((sides - 1) * len(faces) for sides, faces in entry.throws)
            if 0 < tries <= TRIES:
                before, after = (line.state(line.starts[at]) for at in (index, index + 1))
                by_entry.append([(line, index, path) for path in changed_paths(before, after)])
        if sum(map(len, by_entry)) >= count * 4:
            break
    rich = [case for listed in by_entry for case in listed if len(throws_of(*case[:2])) > 1]
    poor = [case for listed in by_entry for case in listed if len(throws_of(*case[:2])) == 1]
    spread = rich[:: max(1, 2 * len(rich) // count)][: count // 2]
    others = poor[:: max(1, 2 * len(poor) // count)]
    return tuple(dict.fromkeys([*spread, *others, *rich, *poor]))[:count]


def throws_of(line: GameLine, index: int) -> list[tuple[int, int]]:
    """Return the throws of an entry as pairs of sides and face."""
    return [(sides, face) for sides, faces in line.entries[index].throws for face in faces]


def asked_for(line: GameLine, path: StatePath) -> Followed:
    """Return the followed value of a path."""
    return followed(line.rules, line.states(), write(path))


def changed_at(line: GameLine, index: int, path: StatePath) -> int:
    """Return the step of a path's last change up to the end of an entry."""
    found = last_change(line, asked_for(line, path), line.starts[index + 1])
    assert found is not None
    return found.step


def by_plain_force(line: GameLine, index: int, path: StatePath) -> set[int]:
    """Return the numbers of the throws for which another face gives another value."""
    entry, before = line.entries[index], line.state(line.starts[index])
    throws = throws_of(line, index)
    recorded_value = plain_value(line.state(line.starts[index + 1]), path)
    found = set()
    for number, (sides, face) in enumerate(throws):
        for other in range(1, sides + 1):
            if other == face:
                continue
            told = [*throws[:number], (sides, other), *throws[number + 1 :]]
            state = before
            dice = PlainDice(told, entry.seq)
            for event in line.rules.decide(before, entry.seat, entry.command, dice):
                state = line.rules.evolve(state, event)
            if plain_value(state, path) != recorded_value:
                found.add(number + 1)
    return found


@pytest.mark.parametrize("ruleset", sorted(set(SMALL) - {"gd6"}))
@pytest.mark.parametrize("count", [CASES, pytest.param(MANY, marks=pytest.mark.slow)])
def test_deciding_throws_match_brute_force(ruleset: str, count: int) -> None:
    asked = cases(ruleset, count)
    assert len(asked) == count
    deciding = 0
    for line, index, path in asked:
        step = changed_at(line, index, path)
        assert line.index_at(step) == index
        search = CauseSearch(line, asked_for(line, path), step)
        causes = list(search.throw_causes())
        assert not search.sampled_throws
        assert {one.number for one in causes} == by_plain_force(line, index, path), (index, path)
        deciding += bool(causes)
    assert 0 < deciding < count, "some values are decided by dice, some are not"


def test_game_without_chance_has_no_deciding_throws() -> None:
    line = recorded("gd6")
    assert not any(entry.throws for entry in line.entries)
    step = next(step for step in range(len(line), 0, -1) if line.before(step) > 0)
    before, after = line.state(step - 1), line.state(step)
    path = next(changed_paths(before, after))
    assert list(CauseSearch(line, asked_for(line, path), step).throw_causes()) == []


def test_premise_outcomes_follow_from_the_changed_state() -> None:
    line, index, path = next(
        case for case in cases("weltendaemmerung", CASES) if case[2][-1] == "v"
    )
    search = CauseSearch(line, asked_for(line, path), changed_at(line, index, path))
    premises = {one.path: dict(one.outcomes) for one in search.premise_causes()}
    life = value(search.before, path)
    assert premises[path][life + 1] == search.answer + 1
    assert premises[(*path[:2], "alive")] == {False: Denial("NO_TARGET")}


def test_value_comes_from_the_field_of_its_event() -> None:
    line, index, path = next(
        case for case in cases("weltendaemmerung", CASES) if case[2][-1] == "v"
    )
    step = changed_at(line, index, path)
    search = CauseSearch(line, asked_for(line, path), step)
    event = line.step(step).event
    assert search.origin() == "v_left"
    assert event.v_left == search.answer


def test_cause_inside_an_entry_uses_the_asked_change() -> None:
    line = recorded("weltendaemmerung")
    index = next(
        index for index, entry in enumerate(line.entries) if index and len(entry.events) > 3
    )
    first = line.starts[index] + 1
    unit = line.step(first).event.unit
    path: StatePath = ("units", unit, "b")
    early = CauseSearch(line, asked_for(line, path), first, first)
    late = CauseSearch(line, asked_for(line, path), changed_at(line, index, path))
    assert early.answer == value(line.state(first), path)
    assert late.answer == value(line.state(line.starts[index + 1]), path)
    assert early.answer != late.answer


def test_dice_are_rolled_afresh_from_the_first_misfit() -> None:
    dice = OtherDice([(6, 3), (8, 2), (6, 1)], 5)
    again = OtherDice([(6, 3), (8, 2), (6, 1)], 5)
    assert [dice.roll(6), dice.roll(8)] == [3, 2]
    fresh = Seeded(b"causes", 5, "anew")
    assert [dice.roll(20), dice.roll(6)] == [fresh.roll(20), fresh.roll(6)]
    assert [again.roll(sides) for sides in (6, 8, 20, 6)] == [face for _, face in dice.thrown]
