"""Table of the rules that the games of a folder exercised: ``rules``.

Every entry is decided again with its recorded throws, and a rule has fired in an entry if one of
the functions that name it ran. No save contains refused commands, so they are not covered.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from engine.core.archive import Archive, Opened, SaveFault
from engine.core.codec import decoder, encode
from engine.core.record import Record
from engine.core.registry import find
from engine.core.replay import BrokenLog
from engine.core.ruleset import entry_type
from engine.debug.line import GameLine, line_of
from engine.debug.tracing import trace_of
from engine.tabletop.presenter import presenter_of
from study.debug.debugger import Answer, Debugger
from study.debug.impact import saves_in
from study.farm.runs import Done
from study.farm.supervisor import Farm
from tui.console.exits import Wrong
from tui.console.printing import raw

_FEW: Final = 3
"""Maximum number of saves that are traced in this process; more are given to workers."""
_SENTENCE: Final = 60
_PLACES: Final = 200
"""Maximum places of a rule that are listed without ``--all``."""


class RecordedGame(Record, frozen=True):
    """A game to trace: the ruleset, and the entries of its line, encoded."""

    name: str
    ruleset: str
    entries: bytes


class RuleUse(Record, frozen=True):
    """A rule with the numbers of the entries of a game in which it fired."""

    rule: str
    entries: tuple[int, ...]


class GameUse(Record, frozen=True):
    """The rules that fired in a game, by id.

    ``otherwise`` is the number of entries that the present rules decide differently; they are not
    traced.
    """

    entries: int
    otherwise: int
    uses: tuple[RuleUse, ...]


def uses_of(line: GameLine) -> GameUse:
    """Decide a game again; return the rules that fired in it.

    Raises:
        BrokenLog: an event of the line cannot be applied.
    """
    found: dict[str, list[int]] = {}
    otherwise = 0
    for index, entry in enumerate(line.entries):
        trace = trace_of(line, index)
        otherwise += trace is None
        for rule in trace.ran if trace is not None else ():
            found.setdefault(rule, []).append(entry.seq)
    uses = tuple(RuleUse(rule, tuple(found[rule])) for rule in sorted(found))
    return GameUse(len(line.entries), otherwise, uses)


def tracing(setup: None) -> Callable[[RecordedGame], GameUse]:
    """Return the work function of a farm that finds the rules fired in games."""
    del setup

    def traced(game: RecordedGame) -> GameUse:
        rules = find(game.ruleset)
        entries = decoder(tuple[entry_type(rules), ...]).decode(game.entries)  # type: ignore[misc]
        return uses_of(line_of(rules, entries))

    return traced


# -- the verb --------------------------------------------------------------------------------------


def rules(folder: Path, args: Namespace, archive: Archive) -> Iterator[Answer]:
    """Report which rules fired in the saves of a folder, or where one of them did."""
    saves: list[Opened] = []
    for path in saves_in(folder):
        try:
            saves.append(archive.read(str(path)))
        except SaveFault as fault:
            yield Answer(f"{path.stem} cannot be read: {fault}", data={"save": path.stem})
    if args.rule is not None:
        yield from _places(saves, args.rule, archive, everything=args.all)
        return
    names = sorted({save.header.ruleset for save in saves})
    for name in names:
        yield from _table(name, [save for save in saves if save.header.ruleset == name], args.jobs)


def _table(ruleset: str, saves: Sequence[Opened], jobs: int | None) -> Iterator[Answer]:
    """Yield the rules of a rule book: how often each fired, in how many saves, and where first."""
    fired: dict[str, list[tuple[str, RuleUse]]] = {}
    entries = otherwise = 0
    games = [RecordedGame(save.name, ruleset, encode(tuple(save.log.line()))) for save in saves]
    workers = 0 if len(games) <= _FEW else jobs
    with Farm(tracing, None, workers=workers) as farm:
        for number, result in enumerate(farm.run(games), start=1):
            _progress(f"{number}/{len(games)} saves")
            name = Path(games[result.number].name).stem
            if not isinstance(result, Done):
                text = f"{name} cannot be traced: {result.cause}"
                yield Answer(text, data={"save": name, "fault": result.cause})
                continue
            entries += result.value.entries
            otherwise += result.value.otherwise
            for use in result.value.uses:
                fired.setdefault(use.rule, []).append((name, use))
    _progress("")
    yield from _rows(ruleset, fired, (len(saves), entries, otherwise))


def _rows(
    ruleset: str, fired: dict[str, list[tuple[str, RuleUse]]], counts: tuple[int, int, int]
) -> Iterator[Answer]:
    book = sentences_of(ruleset)
    saves, entries, otherwise = counts
    never = [rule for rule in book if rule not in fired]
    head = f"{ruleset}: {saves} saves, {entries:,} entries; "
    head += f"{len(book) - len(never)} of {len(book)} rules fired, {len(never)} never"
    data = {"ruleset": ruleset, "saves": saves, "entries": entries, "otherwise": otherwise}
    yield Answer(head, data=data)
    if otherwise:
        text = f"  {otherwise} entries are decided otherwise by the present rules; not counted"
        yield Answer(text, data={"otherwise": otherwise})
    width = max(map(len, book), default=0)
    for rule, text in book.items():
        uses = fired.get(rule, [])
        count = sum(len(use.entries) for _, use in uses)
        first = f"{uses[0][0]} {uses[0][1].entries[0]}" if uses else ""
        often = f"{count:>7,} in {len(uses)}" if uses else "  never"
        yield Answer(
            f"  {rule:<{width}} {often:<14} {_clipped(text)}",
            data={"rule": rule, "fired": count, "saves": len(uses), "first": first, "text": text},
        )


def sentences_of(ruleset: str) -> dict[str, str]:
    """Return the sentence of each rule in a ruleset's book, by id, in the order of the book."""
    chapters = presenter_of(find(ruleset)).manual
    return {rule.id: rule.text for chapter in chapters for rule in chapter.rules}


def _clipped(text: str) -> str:
    return text if len(text) <= _SENTENCE else f"{text[: _SENTENCE - 3]}..."


# -- the places of one rule ------------------------------------------------------------------------


def _places(
    saves: Sequence[Opened], rule: str, archive: Archive, *, everything: bool
) -> Iterator[Answer]:
    """Yield the entries in which a rule fired, each with the events emitted under the rule."""
    books = {name: sentences_of(name) for name in {save.header.ruleset for save in saves}}
    sentence = next((book[rule] for book in books.values() if rule in book), None)
    if sentence is None:
        known = [one for book in books.values() for one in book]
        close = get_close_matches(rule, known, 1)
        hint = f"; the nearest is {close[0]}" if close else ""
        raise Wrong(f"no rule book of these saves has a rule {rule}{hint}")
    yield Answer(f"{rule}: {sentence}", data={"rule": rule, "text": sentence})
    count = 0
    for save in saves:
        if rule not in books[save.header.ruleset]:
            continue
        try:
            bench = Debugger(save, archive=archive)
            for answer in _of_game(bench, Path(save.name).stem, rule):
                count += 1
                if everything or count <= _PLACES:
                    yield answer
        except BrokenLog as broken:
            yield Answer(f"{save.name}: {broken}", data={"save": save.name})
    if count > _PLACES and not everything:
        yield Answer(f"and {count - _PLACES:,} more (--all)", data={"more": count - _PLACES})
    yield Answer(f"{count:,} entries" if count else "it never fired", data={"entries": count})


def _of_game(bench: Debugger, name: str, rule: str) -> Iterator[Answer]:
    line = bench.line
    for index in range(len(line.entries)):
        trace = trace_of(line, index)
        if trace is None or rule not in trace.ran:
            continue
        steps = [
            step
            for step, event in zip(line.span(index), trace.events, strict=True)
            if rule in event.rules
        ]
        shown = steps[0] if steps else line.starts[index + 1]
        places = [bench.place(step) for step in steps]
        more = f"  (and {', '.join(places[1:])})" if len(places) > 1 else ""
        yield Answer(
            f"{name}  {bench.heading(shown)}{more}",
            bench.place(shown),
            {"save": name, "entry": line.entries[index].seq, "events": places},
        )


def _progress(text: str) -> None:
    """Show progress on standard error, if that is a terminal."""
    stream = raw(sys.stderr)
    if stream.isatty():
        stream.write(f"\r\x1b[K{text}")
        stream.flush()
