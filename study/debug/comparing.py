"""``compare``: where a saved game gives a different result with the rules of another tree."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from engine.core.ids import REFEREE
from engine.core.notation import write
from engine.core.record import Record
from engine.debug.parting import (
    OutcomeDifference,
    Parting,
    PartingCause,
    cause,
    first_difference,
    short_name,
    throws_text,
)
from engine.tabletop.presenter import presenter_of
from study.debug.debugger import Answer, Debugger
from study.debug.decider_process import DEADLINE, Decider, SaveSigns, Unready
from study.debug.tree_process import TreeFault
from study.debug.trees import SourceTree, find_tree, own_tree
from tui.console.exits import Wrong
from tui.play.seats import seat_name

_UNCOMPARED: Final = "-"
_RADIUS: Final = (12, 4)
"""Cells of a board excerpt on each side of its middle, across and down."""


class Compared(Record, frozen=True):
    """A save decided by two sets of rules: how many entries both decided, and the first parting.

    ``fault`` is the reason why this side cannot decide the save at all. ``more`` is the number of
    later entries that also part, each decided from what is recorded before it.
    """

    entries: int
    parting: Parting | None = None
    more: int = 0
    fault: str = ""
    throws: tuple[str, str] = ("", "")
    """Throws that were requested at the parting entry, by this side and by the other."""


class RuleComparison:
    """Two processes that decide the same saves: one with this program's rules, one with others."""

    def __init__(
        self, there: SourceTree, deadline: float = DEADLINE, here: SourceTree | None = None
    ) -> None:
        """Compare with a tree; each side has ``deadline`` seconds for a save.

        ``here`` replaces this program if given.
        """
        self.here = Decider(here or own_tree(), deadline)
        self.there = Decider(there, deadline)
        self._pool = ThreadPoolExecutor(2)

    def start(self) -> None:
        """Start both processes.

        Raises:
            Wrong: one of them cannot be started.
        """
        try:
            for _ in self._pool.map(Decider.start, (self.here, self.there)):
                pass
        except Unready as unready:
            raise Wrong(str(unready)) from None

    def exchange(self, there: SourceTree) -> None:
        """Replace the other side by another tree.

        Raises:
            Wrong: it cannot be started.
        """
        self.there.close()
        self.there = Decider(there, self.there.deadline)
        self.start()

    def compare(self, save: Path) -> Compared:
        """Compare the decisions of both sides on a save.

        Raises:
            Wrong: a side cannot be restarted.
        """
        try:
            return self._compare(save)
        except Unready as unready:
            raise Wrong(str(unready)) from None

    def close(self) -> None:
        """End both processes."""
        self.here.stop()
        self.there.stop()
        self._pool.shutdown()
        self.here.close()
        self.there.close()

    # -- one save --------------------------------------------------------------------------------

    def _compare(self, save: Path) -> Compared:
        here, there = self._pool.map(lambda side: side.signs(save), (self.here, self.there))
        if here.fault or here.ended:
            return Compared(len(here.decisions), fault=here.fault or here.ended)
        if there.fault:
            unread = OutcomeDifference(0, "cannot read the save", "", "read", there.fault)
            return Compared(0, Parting(0, unread))
        numbers = list(_parted(here, there))
        for place, seq in enumerate(numbers):
            try:
                found = self._explained(seq, here, there)
            except TreeFault as died:
                ended = _ended(died, seq)
                return Compared(len(here.decisions), ended)
            if found is not None:
                parting, throws = found
                more = len(numbers) - place - 1
                return Compared(len(here.decisions), parting, more, throws=throws)
        if there.ended:
            return Compared(len(there.decisions), _ended(there.ended, len(there.decisions)))
        return Compared(len(here.decisions))

    def _explained(
        self, seq: int, here: SaveSigns, there: SaveSigns
    ) -> tuple[Parting, tuple[str, str]] | None:
        """Return (parting at an entry with its cause, requested throws of both sides), or None."""
        if here.decisions[seq] == there.decisions[seq]:
            seq = self._first_state(seq, here)
        told = self._both(explain=seq)
        difference = first_difference(*told)
        if difference is None and told[0]["state"] != told[1]["state"]:
            digests = (str(side["state"])[:8] for side in told)
            difference = OutcomeDifference(0, "another state after it", "", *digests)
        if difference is None:
            return None
        one, other = self._both(trace=seq)
        found = cause(one.get("steps", ()), other.get("steps", ()), other.get("functions", {}))
        first, second = (throws_text(side.get("throws", ())) for side in told)
        return Parting(seq, difference, found), (first, second)

    def _first_state(self, seq: int, here: SaveSigns) -> int:
        """Return the first entry whose state differs, after the last one compared so far."""
        before = range(seq - 1, -1, -1)
        known = next((at for at in before if here.states[at] != _UNCOMPARED), -1)
        numbers = list(range(known + 1, seq + 1))
        one, other = self._both(states=numbers)
        pairs = zip(numbers, one.get("states", ()), other.get("states", ()), strict=False)
        return next((number for number, a, b in pairs if a != b), seq)

    def _both(self, **request: Any) -> list[dict[str, Any]]:
        return list(self._pool.map(lambda side: side.ask(**request), (self.here, self.there)))


def _parted(here: SaveSigns, there: SaveSigns) -> Iterator[int]:
    """Yield the numbers of the entries that may have been decided differently."""
    same_layout = here.layout == there.layout
    for seq, (one, other) in enumerate(zip(here.decisions, there.decisions, strict=False)):
        if one != other or (same_layout and here.states[seq] != there.states[seq]):
            yield seq


def _ended(how: object, seq: int) -> Parting:
    """Return the parting of a game at the entry at which the other side ended."""
    kind = str(how).partition(",")[0]
    return Parting(seq, OutcomeDifference(0, kind, "", "decided", str(how)))


@contextmanager
def comparison(there: SourceTree, deadline: float = DEADLINE) -> Iterator[RuleComparison]:
    """Yield a running comparison with a tree; its processes end with the ``with`` block.

    Raises:
        Wrong: one of the two sides cannot be started.
    """
    running = RuleComparison(there, deadline)
    try:
        running.start()
        yield running
    finally:
        running.close()


# -- the verb --------------------------------------------------------------------------------------


def compare(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Report where a game gives a different result with the rules of another tree."""
    tree = tree_named(args)
    with comparison(tree, args.deadline or DEADLINE) as running:
        found = running.compare(path_of(bench))
    if found.fault:
        raise Wrong(f"{bench.opened.name} cannot be decided here: {found.fault}")
    if found.parting is None:
        text = f"{found.entries} entries, no difference with {tree.name}"
        yield Answer(text, data={"entries": found.entries, "with": tree.name, "parts": False})
        return
    yield from _told(bench, found, found.parting, tree)


def tree_named(args: Namespace) -> SourceTree:
    """Return the tree named by the arguments of a verb.

    Raises:
        Wrong: no tree has that name.
    """
    return find_tree(args.other, Path(args.repository) if args.repository else None)


def cause_text(why: PartingCause) -> str:
    """Return the cause of a parting in one line: rules, function, difference, file and line."""
    rules = f"{', '.join(why.rules)}: " if why.rules else ""
    return f"{rules}{short_name(why.function)} {why.how} ({why.at})"


def path_of(bench: Debugger) -> Path:
    """Return the file of the open save.

    Raises:
        Wrong: the save is not a file.
    """
    path = getattr(bench.opened, "path", "")
    if not path:
        raise Wrong(f"{bench.opened.name} is in no file, which the other side could read")
    return Path(path).resolve()


def _told(bench: Debugger, found: Compared, parting: Parting, tree: SourceTree) -> Iterator[Answer]:
    difference, data = parting.difference, as_data(parting)
    entry = bench.opened.log[parting.seq]
    data |= {"with": tree.name, "entries": found.entries, "more": found.more}
    data["throws"] = {"here": found.throws[0], "there": found.throws[1]}
    place = _place(bench, parting)
    head = f"parts from {tree.name} at {place}"
    if entry.command is not None:
        head += f"  {seat_name(bench.seats, entry.seat)}  {write(entry.command)}"
    yield Answer(head, place, data)
    yield Answer(f"  {_field(difference)}: {difference.here} here, {difference.there} there")
    if parting.cause is not None:
        yield Answer(f"  {cause_text(parting.cause)}")
    if found.throws[0] or found.throws[1]:
        yield Answer(f"  throws asked here: {found.throws[0]}; there: {found.throws[1]}")
    for row in excerpt_at(bench, parting):
        yield Answer(f"  {row}")
    if found.more:
        yield Answer(f"  {found.more} later entries part too, each from what is recorded before it")


def _place(bench: Debugger, parting: Parting) -> str:
    """Return the place of a parting as the other verbs print it."""
    step = _step(bench, parting)
    return parting.place if step is None or not parting.difference.event else bench.place(step)


def _field(difference: OutcomeDifference) -> str:
    if not difference.is_of_event:
        return str(difference)
    return f"event {difference.event}, {difference.tag} {difference.field}".rstrip()


def as_data(parting: Parting) -> dict[str, Any]:
    """Return a parting as a dict for ``--json``."""
    difference = parting.difference
    data: dict[str, Any] = {
        "parts": True,
        "entry": parting.seq,
        "event": difference.event,
        "tag": difference.tag,
        "field": difference.field,
        "here": difference.here,
        "there": difference.there,
    }
    if parting.cause is not None:
        why = parting.cause
        data |= {"function": why.function, "rules": list(why.rules), "at": why.at, "how": why.how}
    return data


# -- board excerpts --------------------------------------------------------------------------------


def excerpt_at(bench: Debugger, parting: Parting) -> list[str]:
    """Return rows of the board around the cell where results part; empty without a cell."""
    step = _step(bench, parting)
    at = None if step is None else place_of(bench, step)
    return [] if step is None or at is None else excerpt(bench, step - 1, at)


def _step(bench: Debugger, parting: Parting) -> int | None:
    """Return the step after the event where a game parts, or the last one of its entry.

    None if the entry is not on the line.
    """
    index = bench.line.index_of(parting.seq)
    if index is None or not bench.line.entries[index].events:
        return None
    steps = bench.line.span(index)
    return min(steps[0] + max(0, parting.difference.event - 1), steps[-1])


def place_of(bench: Debugger, step: int) -> tuple[int, int] | None:
    """Return the cell of the event before a step, by its facts, or None."""
    presenter, rules = presenter_of(bench.rules), bench.rules
    before, after = (rules.view(bench.line.state(one), REFEREE) for one in (step - 1, step))
    facts = presenter.facts(bench.line.step(step).event, before, after)
    return next((fact.at for fact in facts if fact.at is not None), None)


def excerpt(bench: Debugger, step: int, at: tuple[int, int]) -> list[str]:
    """Return rows of the board at a step around the cell ``at``, which is marked with ``>``."""
    presenter = presenter_of(bench.rules)
    board = presenter.board(bench.rules.view(bench.line.state(step), REFEREE), presenter.zooms[0])
    columns = _span(at[0], _RADIUS[0], board.width)
    rows = _span(at[1], _RADIUS[1], board.height)
    signs: Sequence[Any] = presenter.symbols
    found = []
    for y in rows:
        cells = "".join(
            (">" if (x, y) == at else " ")
            + signs[int(board.piece[y, x]) or int(board.ground[y, x])].ascii
            for x in columns
        )
        found.append(f"{y:>3}{cells}".rstrip())
    return found


def _span(middle: int, radius: int, length: int) -> range:
    return range(max(0, middle - radius), min(length, middle + radius + 1))
