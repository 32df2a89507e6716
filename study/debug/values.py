"""Values of a game over time, and between two places: ``last``, ``history``, ``diff``."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from operator import is_
from typing import Any, Final, NamedTuple

from engine.core.archive import SaveFault
from engine.core.log import AnyEntry
from engine.core.record import Record
from engine.debug.difference import differences, fork, is_same_entry, patch
from engine.debug.history import ValueChange, curve, is_number, last_change, value_changes
from study.debug.change_lines import board_lines, change_lines, parts_text, value_data, value_text
from study.debug.debugger import Answer, Debugger
from tui.console.exits import Wrong

_SHOWN: Final = 200
"""Maximum differences that a comparison lists; the others are counted."""


def last(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go back to the latest change of a value; repeated, to the change before that."""
    what = bench.followed(args.path)
    again = bench.last_asked == (what.text, bench.at)
    found = last_change(bench.line, what, bench.at - again)
    if found is None:
        raise Wrong(f"{what.text} did not change before {bench.place()}")
    bench.at, bench.last_asked = found.step, (what.text, found.step)
    yield _change(bench, what.text, found)


_TRACED: Final = 40
"""Maximum changes of a history that name their rule; finding it takes longer than the rest."""


def history(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Report every change of a value, with a curve if it is a number."""
    what = bench.followed(args.path)
    first = bench.step_at(args.since) if args.since else 0
    start = what.in_state(bench.line.state(first))
    if first:
        yield Answer(
            f"{bench.place(first)}  {what.text} is {value_text(start)}",
            bench.place(first),
            {"path": what.text, "value": value_data(start)},
        )
    found: list[ValueChange] = []
    for change in value_changes(bench.line, what, first):
        found.append(change)
        yield _change(bench, what.text, change, rules=len(found) <= _TRACED)
    if not found:
        yield Answer(f"{what.text} has not changed", data={"path": what.text, "changes": 0})
        return
    steps = range(first + 1, len(bench.line) + 1)
    bars = curve(start, found, steps, ascii_only=bench.ascii_only)
    if bars.strip():
        numbers = [one.new for one in found if is_number(one.new)]
        numbers += [start] if is_number(start) else []
        span = f"{min(numbers)} to {max(numbers)}"
        yield Answer(f"{bars}  {span}", data={"path": what.text, "changes": len(found)})


def _change(bench: Debugger, path: str, one: ValueChange, *, rules: bool = True) -> Answer:
    """Return a change in a line: place, values, event, command, and its rule if ``rules``."""
    place = bench.place(one.step)
    data = {"path": path, "old": value_data(one.old), "new": value_data(one.new)}
    text = parts_text(one.old, one.new)
    if isinstance(one.old, Record) or isinstance(one.new, Record):
        turn = one.turn(bench.rules.field_meanings)
        data |= {"turn": turn}
        if not text.startswith(f"{turn}: "):
            text = f"{turn}: {text}"
    heading = bench.heading(one.step, rules=rules).removeprefix(place).strip()
    data |= bench.event_data(one.step, rules=rules)
    return Answer(f"{place}  {text}  {heading}", place, data)


# -- two places ------------------------------------------------------------------------------------


_SIDE: Final = re.compile(r"(?P<save>[^@?][^@]*)@(?P<place>.+)")


class _Side(NamedTuple):
    """One of two places that are compared."""

    bench: Debugger
    step: int

    @property
    def state(self) -> Any:
        """State or view there."""
        return self.bench.line.state(self.step)

    @property
    def entries(self) -> Sequence[AnyEntry]:
        """Entries up to there; the last one may have happened in part."""
        line = self.bench.line
        return line.entries[: line.index_at(self.step) + 1]


def diff(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Report what differs between two places: of one line, of two branches, or of two saves."""
    sides = [_side(bench, text) for text in (args.one, args.other)]
    one, other = sides
    if one.bench.opened.header.ruleset != other.bench.opened.header.ruleset:
        names = [side.bench.rules.title for side in sides]
        raise Wrong(f"these are two games: {' and '.join(names)}")
    if args.form == "patch":
        yield from (Answer(line, data={"patch": line}) for line in patch(one.state, other.state))
        return
    yield from _forked(one, other)
    place = other.bench.place(other.step)
    found = list(differences(one.state, other.state))
    yield from change_lines(found[:_SHOWN], place)
    if len(found) > _SHOWN:
        yield Answer(f"    and {len(found) - _SHOWN} more")
    if not found:
        yield Answer("no differences", data={"differences": 0})
    if all(side.step for side in sides):  # before the set-up there is no board
        views = [side.bench.view(side.step) for side in sides]
        yield from (Answer(row) for row in board_lines(bench.presenter, *views))


def _side(bench: Debugger, text: str) -> _Side:
    """Return a place of this save or of another, which may be on another branch.

    Raises:
        Wrong: the place or the save does not exist.
    """
    found = _SIDE.fullmatch(text)
    if found is not None:
        other = _other_save(bench, found["save"])
        return _Side(other, _on_any_branch(other, found["place"])[1])
    return _Side(*_on_any_branch(bench, text))


def _other_save(bench: Debugger, name: str) -> Debugger:
    try:
        opened = bench.archive.read(name)
    except SaveFault as fault:
        raise Wrong(str(fault)) from None
    return Debugger(opened, bench.viewer, archive=bench.archive)


def _on_any_branch(bench: Debugger, text: str) -> tuple[Debugger, int]:
    """Return a step, on this line or on the branch of an entry of that number.

    Raises:
        Wrong: the place does not exist.
    """
    number = re.match(r"\d{1,9}", text)
    if number is None or not bench.knows_all:
        return bench, bench.step_at(text)
    seq = int(number[0])
    is_elsewhere = bench.line.index_of(seq) is None and seq < len(bench.opened.log)
    if not is_elsewhere or text.endswith("%"):
        return bench, bench.step_at(text)
    other = bench.branch(seq)
    return other, other.step_at(text)


def _forked(one: _Side, other: _Side) -> Iterator[Answer]:
    """Yield the fork of two lines with the first entries after it; nothing without a fork.

    If both are one line, the shorter part is the beginning of the longer one.
    """
    in_one_log = one.bench.opened is other.bench.opened and one.bench.knows_all
    common = fork(one.entries, other.entries, is_ if in_one_log else is_same_entry)
    if common in (len(one.entries), len(other.entries)):
        return
    if common == 0:
        yield Answer("the two games begin differently", data={"fork": None})
        return
    last_common = str(other.entries[common - 1].seq)
    yield Answer(f"they part after {last_common}", last_common, {"fork": last_common})
    for name, side in (("first", one), ("second", other)):
        step = side.bench.line.starts[common] + 1
        data = {"side": name, **side.bench.event_data(step)}
        yield Answer(f"    the {name}  {side.bench.heading(step)}", data=data)
