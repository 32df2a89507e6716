"""A supposition that a player types, and its course beside the recorded one in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from textwrap import wrap
from typing import Any, Final

from engine.core import notation
from engine.core.dice import unpack
from engine.core.feed import recorded
from engine.core.log import AnyEntry
from engine.core.printable import clipped
from engine.core.record import tag
from study.debug.debugger import Debugger
from study.debug.suppositions import Supposition, WhatIf, command_of
from study.debug.verbs import read, split
from study.debug.whatif import supposition
from tui.console.exits import Wrong
from tui.play.seats import seat_name

_KINDS: Final = ("throw", "command", "option", "set")
"""First words of suppositions, as the options of ``whatif``."""

_THEN: Final = "then bots"

_ROWS: Final = 200
"""Maximum number of entries side by side."""

_COMMANDS: Final = 4
"""Maximum number of other commands that are suggested."""


def read_supposition(bench: Debugger, text: str) -> Supposition:
    """Parse a line such as ``throw 1=6`` or ``command end-phase then bots``.

    It also takes the options of the verb ``whatif``, except those that write or read files.

    Raises:
        Wrong: it cannot be read, or is not allowed here.
    """
    line = text.strip()
    if line.startswith("--"):
        words = split(line)
    else:
        is_played = line.endswith(_THEN)
        kind, _, rest = line.removesuffix(_THEN).strip().partition(" ")
        if kind not in _KINDS or not rest.strip():
            raise Wrong(f"it begins with {', '.join(_KINDS[:-1])} or {_KINDS[-1]}, and says which")
        words = [f"--{kind}", rest.strip(), *(("--then", "bots") if is_played else ())]
    _, args = read(["whatif", *words])
    if args.output is not None or args.rules is not None:
        raise Wrong("nothing is written here, and no other rules are read; the debugger does that")
    asked = supposition(bench, args)
    if asked.kind == "nothing":
        raise Wrong("say what would have been otherwise")
    _check(bench, asked)
    return asked


def _check(bench: Debugger, asked: Supposition) -> None:
    """Refuse text that cannot be read, before anything is played.

    Raises:
        Wrong: it cannot be read.
    """
    if asked.kind == "command":
        command_of(bench, asked)
    elif "=" not in asked.text:
        raise Wrong(f"a {asked.kind} is written with =, such as 1=6, not {asked.text[:40]!r}")


def suggestions(bench: Debugger) -> list[str]:
    """Return suppositions about the present entry: other throws, then other commands."""
    index = max(0, bench.line.index_at(bench.at))
    entry = bench.line.entries[index]
    found = []
    throws = list(unpack(entry.throws))
    for number, (sides, face) in list(enumerate(throws, 1))[:2]:
        found += [f"throw {number}={other}" for other in (sides, 1) if other != face]
    if entry.command is None:
        return found
    state, seat = bench.line.state(bench.line.starts[index]), entry.seat
    offers = bench.rules.offers(bench.rules.view(state, seat)) if seat >= 0 else iter(())
    others = (command for command in offers if command != entry.command)
    commands = [f"command {notation.write(command)}" for command in islice(others, _COMMANDS)]
    return [*found, *commands, f"command {notation.write(entry.command)} {_THEN}"]


def both_lines(bench: Debugger, made: WhatIf, width: int) -> list[str]:
    """Return the recorded and the supposed course side by side, from the entry where they part.

    Entries with the same text are written once, across the row.
    """
    half = (width - 3) // 2
    old, new = made.alike
    shift = made.first - old
    left = list(_sentences(bench, made.recorded, made.first))
    right = list(_sentences(bench, made.entries, new + shift))
    rows = [*_beside("As it was", "What if", half)]
    for number in range(min(_ROWS, max(len(left), len(right)))):
        one = left[number] if number < len(left) else ""
        other = right[number] if number < len(right) else ""
        rows += [clipped(f"  {one}", width)] if one == other else _beside(one, other, half)
    return [f"What if {made.title}?"[:width], *rows]


def _beside(one: str, other: str, half: int) -> Iterator[str]:
    """Yield two texts beside each other, each wrapped to its half of the row."""
    broken = zip_longest(wrap(one, half), wrap(other, half), fillvalue="")
    yield from (f"{left:<{half}} | {right}" for left, right in broken)


def _sentences(bench: Debugger, entries: Sequence[AnyEntry], first: int) -> Iterator[str]:
    """Yield the entries from a position on, each in a sentence of its game."""
    rules, state = bench.rules, bench.rules.empty()
    for index, entry in enumerate(entries[: first + _ROWS]):
        change = recorded(rules, state, entry)
        state = change.states[-1]
        if index >= first:
            yield _sentence(bench, entry, change.states)


def _sentence(bench: Debugger, entry: AnyEntry, states: Sequence[Any]) -> str:
    for event, after in zip(entry.events, states[1:], strict=True):
        view = bench.rules.view(after, bench.viewer)
        for line in bench.presenter.tell(event, view):
            if line.text:
                return line.text
    if entry.command is None:
        return "The game begins."
    return f"{seat_name(bench.seats, entry.seat)}: {tag(entry.command).replace('-', ' ')}"
