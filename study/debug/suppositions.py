"""Suppositions about a recorded game, and the branches that follow from them.

One thing changes: a throw, a command, an option, a value or the rules. Then the later recorded
entries are played again as far as possible, or computer players continue.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec

from engine.core.codec import decoder, encode
from engine.core.dice import unpack
from engine.core.feed import AnyChange
from engine.core.ids import REFEREE
from engine.core.log import AnyEntry
from engine.core.notation import write
from engine.core.options import OptionFault, parse_options
from engine.core.record import Command, Record, replace
from engine.core.refused import Refused
from engine.core.replay import BrokenLog, apply
from engine.core.ruleset import AnyRuleset, ScenarioFault, entry_type
from engine.debug.branching import (
    BranchChange,
    IllegalEntry,
    NoBranch,
    PlayedBranch,
    begun_anew,
    branched,
    renumbered,
    with_value,
)
from engine.debug.paths import NoPath
from study.debug.debugger import Debugger
from study.debug.other_side import OtherSide, other_branch
from study.debug.trees import find_tree
from tui.console.exits import Wrong
from tui.play.continuation import Continuation, usual_level
from tui.play.place_names import read_command
from tui.play.seats import seat_name

_THROW: Final = re.compile(r"(\d{1,6})=(\d{1,9})", re.ASCII)
_VALUE: Final = re.compile(r"([^=]+)=(.*)", re.DOTALL)


SuppositionKind: TypeAlias = Literal["nothing", "throw", "command", "option", "value", "rules"]


class Supposition(Record, frozen=True):
    """One change to a recorded game, to see what would follow."""

    kind: SuppositionKind
    text: str = ""
    """``2=6`` of a throw, a command in notation, ``rounds=6`` of an option, and so on.

    A value is ``PATH=VALUE``; for rules it is the folder of the other rules.
    """
    step: int | None = None
    """Step of the entry that is played differently, or of the position with another value.

    None means the present one; for options and rules, the beginning.
    """
    bots: bool = False
    """True to let computer players continue; False to play the recorded entries again."""


@dataclasses.dataclass(frozen=True)
class WhatIf:
    """A branch with one change, and the recorded line; both from the beginning of the game."""

    title: str
    """The change, as the end of a sentence that begins with "what if"."""
    recorded: tuple[AnyEntry, ...]
    entries: tuple[AnyEntry, ...]
    """Entries of the branch, numbered from 0."""
    first: int
    """Position in ``recorded`` of the first entry that was decided again."""
    alike: tuple[int, int]
    """Positions in ``recorded`` and in ``entries`` from which the two can be compared."""
    played: PlayedBranch
    bots: Continuation | None = None
    """Computer players that continued the branch; None if there were none."""
    stuck: str = ""
    """Reason why computer players abandoned the branch; empty if they did not."""

    @property
    def end(self) -> Any:
        """State at the end of the branch."""
        return self.bots.state if self.bots is not None else self.played.end


def imagined(bench: Debugger, asked: Supposition) -> WhatIf:
    """Return the branch of a supposition.

    Raises:
        Wrong: the change cannot be made.
    """
    if not bench.line.entries:
        raise Wrong("this game has no entry yet")
    try:
        match asked.kind:
            case "option":
                return _other_option(bench, asked)
            case "value":
                return _other_value(bench, asked)
            case "rules":
                return _other_rules(bench, asked)
            case "nothing" | "throw" | "command":
                return _other_entry(bench, asked)
    except (NoBranch, NoPath, OptionFault, OtherSide, ScenarioFault) as problem:
        raise Wrong(str(problem)) from None


def _recorded(bench: Debugger) -> tuple[AnyEntry, ...]:
    return tuple(bench.opened.log.line(bench.head))


def _step(bench: Debugger, asked: Supposition) -> int:
    return bench.at if asked.step is None else asked.step


def _other_entry(bench: Debugger, asked: Supposition) -> WhatIf:
    """Return the branch from an entry on: another throw, another command, or no change."""
    recorded = _recorded(bench)
    first = max(0, bench.line.index_at(_step(bench, asked)))
    entry = recorded[first]
    premise, title = BranchChange(), f"nothing were changed from entry {entry.seq} on"
    if asked.kind == "throw":
        premise, title = _other_throw(entry, asked.text)
    if asked.kind == "command":
        premise, title = _other_command(bench, entry, asked)
    changed = 0 if asked.kind == "nothing" else 1
    again = recorded[first : first + changed] if asked.bots else recorded[first:]
    start = bench.line.state(bench.line.starts[first])
    played = branched(bench.rules, bench.opened.header.seed, start, again, premise)
    return _ended(bench, asked, WhatIf(title, recorded, recorded[:first], first, (0, 0), played))


def _other_throw(entry: AnyEntry, text: str) -> tuple[BranchChange, str]:
    found = _THROW.fullmatch(text)
    if found is None:
        raise Wrong(f"a throw is written NUMBER=VALUE, such as 2=6, not {text[:40]!r}")
    number, wanted = int(found[1]), int(found[2])
    throws = list(unpack(entry.throws))
    was = f", not {throws[number - 1][1]}" if 1 <= number <= len(throws) else ""
    return BranchChange((number, wanted)), f"throw {number} of entry {entry.seq} were {wanted}{was}"


def command_of(bench: Debugger, asked: Supposition) -> Command:
    """Parse the command of a supposition, in the position in which it would be given.

    Raises:
        Wrong: the command cannot be parsed.
    """
    start = bench.line.starts[max(0, bench.line.index_at(_step(bench, asked)))]
    view = bench.rules.view(bench.line.state(start), REFEREE)
    try:
        return read_command(bench.rules, view, asked.text)
    except Refused as bad:
        raise Wrong(bad.text) from None


def _other_command(
    bench: Debugger, entry: AnyEntry, asked: Supposition
) -> tuple[BranchChange, str]:
    command = command_of(bench, asked)
    who = seat_name(bench.seats, entry.seat)
    title = f"{who} gave another command in entry {entry.seq}: {write(command)}"
    return BranchChange(command=command), title


def _other_option(bench: Debugger, asked: Supposition) -> WhatIf:
    """Play the whole game again with another option."""
    if asked.step is not None:
        raise Wrong("an option is set when a game begins; leave --at out")
    recorded = _recorded(bench)
    given = parse_options([asked.text])
    again = recorded[:1] if asked.bots else recorded
    start = bench.rules.empty()
    seed = bench.opened.header.seed
    played = branched(bench.rules, seed, start, again, BranchChange(options=given))
    title = f"the game had begun with the option {asked.text}"
    return _ended(bench, asked, WhatIf(title, recorded, (), 0, (1, 1), played))


def _other_value(bench: Debugger, asked: Supposition) -> WhatIf:
    """Begin a new game from a position with another value, and play the later entries in it."""
    found = _VALUE.fullmatch(asked.text)
    if found is None:
        raise Wrong(f"a value is written PATH=VALUE, not {asked.text[:40]!r}")
    recorded, step = _recorded(bench), _step(bench, asked)
    if step not in bench.line.starts[1:]:
        entry = bench.line.entries[max(0, bench.line.index_at(step))].seq
        raise Wrong(f"a value is set between two entries: at {entry}, or at {entry}^ before it")
    rules, seed = bench.rules, bench.opened.header.seed
    state = with_value(rules, bench.line.state(step), found[1], found[2])
    begun, start = begun_anew(rules, seed, state, recorded[0])
    first = bench.line.index_at(step) + 1
    again = () if asked.bots else recorded[first:]
    played = branched(rules, seed, start, again)
    title = f"{found[1]} were {found[2]} at {bench.place(step)}; a new game from there"
    return _ended(bench, asked, WhatIf(title, recorded, (begun,), first, (first, 1), played))


def _other_rules(bench: Debugger, asked: Supposition) -> WhatIf:
    """Return the branch that other rules decide, from an entry on; by default from the first."""
    if asked.bots:
        raise Wrong("other rules play recorded commands again; leave --then out")
    recorded, rules = _recorded(bench), bench.rules
    first = 0 if asked.step is None else max(0, bench.line.index_at(_step(bench, asked)))
    start, seed = bench.line.state(bench.line.starts[first]), bench.opened.header.seed
    given = [encode(entry) for entry in recorded[first:]]
    tree = find_tree(asked.text).path
    answer = other_branch(tree, rules.name, seed, encode(start), given)
    entries, states = _read_branch(rules, start, answer["entries"])
    illegal = answer["illegal"] and IllegalEntry(**answer["illegal"])
    played = PlayedBranch(tuple(states), entries, illegal, answer["left"])
    title = f"the rules in {asked.text} had decided from entry {recorded[first].seq} on"
    return _ended(bench, asked, WhatIf(title, recorded, recorded[:first], first, (0, 0), played))


def _read_branch(
    rules: AnyRuleset, start: Any, given: Sequence[bytes]
) -> tuple[tuple[AnyEntry, ...], list[Any]]:
    """Return entries of other rules, with the states around them.

    Raises:
        OtherSide: these rules do not know such events.
    """
    states = [start]
    try:
        entries = tuple(decoder(entry_type(rules)).decode(entry) for entry in given)
        for entry in entries:
            states.append(apply(rules, states[-1], entry))
    except (msgspec.ValidationError, BrokenLog) as problem:
        raise OtherSide(f"the other rules tell of unknown events: {problem}") from None
    return entries, states


def _ended(bench: Debugger, asked: Supposition, made: WhatIf) -> WhatIf:
    """Append the new entries to the branch, and play it to the end if requested."""
    entries = [*made.entries, *made.played.entries]
    game, stuck = None, ""

    def keep(change: AnyChange) -> None:
        entries.extend(entry for entry in (change.entry,) if entry is not None)

    if asked.bots and made.played.illegal is None:
        number = entries[-1].seq + 1 if entries else 0
        seed, end = bench.opened.header.seed, made.played.end
        levels = levels_of(bench)
        game = Continuation(bench.rules, end, levels, seed, number, booked=keep)
        stuck = _played_on(game)
    return dataclasses.replace(made, entries=renumbered(entries), bots=game, stuck=stuck)


def _played_on(game: Continuation) -> str:
    """Let computer players play to the end; return why they fail, or an empty text."""
    try:
        return game.play()
    except Exception as problem:  # noqa: BLE001 - a fault in the rules is a finding, not an end
        return f"a fault in the rules: {type(problem).__name__}: {problem}"


def levels_of(bench: Debugger) -> tuple[str, ...]:
    """Return the level of each seat's computer player: the recorded one, or the default."""
    known = {player.seat: player.bot for player in bench.opened.header.players}
    usual = usual_level(bench.rules)
    return tuple(known.get(seat) or usual for seat in range(len(bench.seats)))


def kept(bench: Debugger, entries: Sequence[AnyEntry], name: str) -> str:
    """Write a line of entries as a new save; return its name.

    Args:
        bench: the debugger of the game.
        entries: the line, numbered from 0.
        name: name of the save; empty to derive it from the game's.

    Raises:
        Wrong: saves are not allowed here.
        SaveFault: it cannot be written.
    """
    header = replace(bench.opened.header, rules_hash="")
    file = bench.archive.create(name or f"{bench.opened.name} what if", header)
    try:
        file.patient = True
        for entry in entries:
            file.entry(entry)
        file.sync()
    finally:
        file.close()
    return file.name
