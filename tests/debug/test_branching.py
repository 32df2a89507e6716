"""Branches in memory: unchanged, or with another throw, command, option or value."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.codec import encode
from engine.core.dice import Scripted, Seeded, unpack
from engine.core.log import AnyEntry
from engine.core.notation import read
from engine.core.options import OptionFault
from engine.core.replay import fold
from engine.core.ruleset import AnyRuleset
from engine.debug.branching import (
    BranchChange,
    NoBranch,
    ReplayedDice,
    begun_anew,
    branched,
    parting,
    renumbered,
    with_value,
)
from engine.debug.paths import NoPath, value
from tests.contract.walks import SEED
from tests.debug.games import branched as game_with_two_lines
from tests.debug.games import game

FORD = "weltendaemmerung"


def state_before(rules: AnyRuleset, line: list[AnyEntry], first: int) -> Any:
    return fold(rules, line[:first])


def first_with_throws(line: list[AnyEntry]) -> int:
    return next(index for index, entry in enumerate(line) if entry.throws and entry.command)


# -- nothing changed -------------------------------------------------------------------------------


def test_unchanged_branch_ends_byte_for_byte_the_same(rules: AnyRuleset) -> None:
    line = game(rules.name).log.line()
    for first in (0, 1, len(line) // 2, len(line) - 1):
        played = branched(rules, SEED, state_before(rules, line, first), line[first:])
        assert played.illegal is None
        assert encode(played.entries) == encode(line[first:])
        assert encode(played.end) == encode(game(rules.name).state)
        assert parting(line[first:], played.entries) is None


def test_unchanged_branch_of_a_branched_game_ends_the_same(rules: AnyRuleset) -> None:
    made = game_with_two_lines(rules.name)
    line = made.log.line()
    played = branched(rules, SEED, rules.empty(), line)
    assert encode(played.entries) == encode(line)
    kept = renumbered(played.entries)
    assert [entry.seq for entry in kept] == list(range(len(line)))
    assert [entry.parent for entry in kept] == list(range(-1, len(line) - 1))
    assert [entry.events for entry in kept] == [entry.events for entry in line]


# -- dice ------------------------------------------------------------------------------------------


def test_replayed_dice_follow_the_record_while_it_fits() -> None:
    own = Seeded(b"a", 3, "decide")
    would_be = [own.roll(sides) for sides in (6, 6, 8, 6)]
    dice = ReplayedDice(Seeded(b"a", 3, "decide"), [(6, 5), (6, 2), (6, 1)])
    assert [dice.roll(sides) for sides in (6, 6, 8, 6)] == [5, 2, *would_be[2:]]
    assert [sides for sides, _ in dice.thrown] == [6, 6, 8, 6]


def test_forced_throw_leaves_the_others_alone() -> None:
    dice = ReplayedDice(Scripted([1, 1, 1]), [(6, 5), (6, 2), (6, 3)], {2: 6})
    assert [dice.roll(6) for _ in range(3)] == [5, 6, 3]


def test_changed_throw_changes_nothing_before_it() -> None:
    made = game(FORD)
    rules, line = made.rules, made.log.line()
    first = first_with_throws(line)
    sides, got = next(unpack(line[first].throws))
    other = got % sides + 1
    start = state_before(rules, line, first)
    played = branched(rules, SEED, start, line[first:], BranchChange(throw=(1, other)))
    assert next(unpack(played.entries[0].throws)) == (sides, other)
    found = parting(line, [*line[:first], *played.entries])
    assert found is not None
    assert (found.index, found.event) == (first, 1)


@pytest.mark.parametrize(("throw", "text"), [((9, 1), "no throw 9"), ((1, 99), "cannot be 99")])
def test_impossible_throw_cannot_be_changed(throw: tuple[int, int], text: str) -> None:
    made = game(FORD)
    line = made.log.line()
    first = first_with_throws(line)
    start = state_before(made.rules, line, first)
    with pytest.raises(NoBranch, match=text):
        branched(made.rules, SEED, start, line[first:], BranchChange(throw=throw))


# -- commands, options, values ---------------------------------------------------------------------


def test_first_illegal_entry_ends_the_branch() -> None:
    made = game(FORD)
    rules, line = made.rules, made.log.line()
    mover = line[1].seat
    end = read("end-phase", rules.command_type)
    start = state_before(rules, line, 1)
    played = branched(rules, SEED, start, line[1:], BranchChange(command=end))
    assert played.illegal is not None
    assert played.illegal.seq == line[1 + len(played.entries)].seq
    assert played.left == len(line) - 1 - len(played.entries)
    assert played.illegal.reason
    assert len(played.states) == len(played.entries) + 1
    assert played.entries[0].seat == mover


def test_refused_command_is_the_illegal_entry() -> None:
    made = game(FORD)
    rules, line = made.rules, made.log.line()
    absurd = read("move unit=999 path=1,1", rules.command_type)
    played = branched(rules, SEED, rules.empty(), line[:1])
    again = branched(rules, SEED, played.end, line[1:], BranchChange(command=absurd))
    assert again.entries == ()
    assert again.illegal is not None
    assert again.illegal.command == "move unit=999 path=1,1"
    assert again.illegal.rule


def test_changed_option_applies_from_the_start() -> None:
    made = game(FORD)
    rules, line = made.rules, made.log.line()
    played = branched(rules, SEED, rules.empty(), line, BranchChange(options={"rounds": 2}))
    assert value(played.states[1], ("rounds",)) == 2
    with pytest.raises(OptionFault):
        branched(rules, SEED, rules.empty(), line, BranchChange(options={"rounds": -1}))


def test_changed_value_must_fit_the_state() -> None:
    state = game(FORD).state
    rules = game(FORD).rules
    unit = next(iter(state.units.values())).id
    changed = with_value(rules, state, f"units[{unit}].x", "3")
    assert value(changed, ("units", unit, "x")) == 3
    with pytest.raises(NoBranch, match="cannot be high"):
        with_value(rules, state, f"units[{unit}].x", "high")
    with pytest.raises(NoBranch, match="name for ever"):
        with_value(rules, state, f"units[{unit}].id", "3")
    with pytest.raises(NoBranch, match="cannot be x"):
        with_value(rules, state, "terrain[0,0]", "x")
    with pytest.raises(NoPath, match="nearest"):
        with_value(rules, state, f"units[{unit}].z", "3")


def test_position_begins_an_equivalent_game(rules: AnyRuleset) -> None:
    made = game(rules.name)
    line = made.log.line()
    middle = state_before(rules, line, len(line) // 2)
    entry, after = begun_anew(rules, SEED, middle, line[0])
    assert (entry.seq, entry.parent, entry.command) == (0, -1, None)
    assert rules.owes(after) == rules.owes(middle)
    assert rules.statistics(after) == rules.statistics(middle)
