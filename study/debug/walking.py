"""Walking through a game both ways: ``go``, ``on``, ``back``, ``until``, ``mark``, ``where``."""

from __future__ import annotations

import re
from argparse import Namespace
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from engine.core.archive import SaveFault
from engine.debug.difference import differences
from study.debug.change_lines import change_lines
from study.debug.debugger import Answer, Debugger
from tui.console.exits import Wrong

_NAME: Final = re.compile(r"[^\W\d][\w-]{0,39}")
"""Name of a mark."""


def go(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go to the place that the arguments name."""
    yield from arrived(bench, bench.step_at(args.place))


def on(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go forward by a number of events."""
    yield from arrived(bench, min(len(bench.line), bench.at + args.count))


def where(bench: Debugger, args: Namespace) -> Iterator[Answer]:  # noqa: ARG001 - as all verbs
    """Report the present place, its event, and the changes by it."""
    step, place = bench.at, bench.place()
    yield Answer(bench.heading(step), place, bench.event_data(step))
    if step > 1:  # the set-up changes everything
        before, after = bench.line.state(step - 1), bench.line.state(step)
        yield from change_lines(list(differences(before, after)), place)


def arrived(bench: Debugger, step: int) -> Iterator[Answer]:
    """Go to a step and report its event."""
    bench.at = step
    yield from where(bench, Namespace())


def back(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go back by a number of events, or to the latest event that matches a query."""
    words = list(args.words)
    query = args.until
    if words[:1] == ["until"] and len(words) > 1 and query is None:
        query = " ".join(words[1:])
    elif words and (query is not None or len(words) > 1 or not _is_count(words[0])):
        raise Wrong("back: a number of events, or until QUERY")
    if query is None:
        if args.fence:
            raise Wrong("back: --fence goes with until QUERY")
        step = max(0, bench.at - int(words[0] if words else 1))
    else:
        step = last_match(bench, query, bench.step_at(args.fence) if args.fence else 0)
    yield from arrived(bench, step)


def _is_count(word: str) -> bool:
    return word.isdecimal() and len(word) < 10 and int(word) > 0


def last_match(bench: Debugger, query: str, fence: int) -> int:
    """Return the latest step before the present one that matches a query, not before ``fence``.

    Raises:
        Wrong: the query cannot be read, or no such step exists.
    """
    found = bench.matches(query)
    at = bisect_left(found, bench.at) - 1
    if at < 0 or found[at] < fence:
        raise Wrong(f"nothing between {bench.place(fence)} and {bench.place()} fits {query}")
    return found[at]


def until(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go forward to the next event that matches a query."""
    yield from arrived(bench, bench.next_match(" ".join(args.query), bench.at))


def mark(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Give the present place a name, or list the names."""
    if args.name is None:
        for name, step in bench.marks.items():
            yield Answer(f"@{name}  {bench.heading(step)}", bench.place(step), {"mark": name})
        return
    name = args.name.removeprefix("@")
    if _NAME.fullmatch(name) is None:
        raise Wrong(f"{args.name[:50]!r} is no name of a mark: a letter, then letters and digits")
    before = bench.place(bench.marks[name]) if name in bench.marks else bench.place()
    moved = "" if before == bench.place() else f", no longer {before}"
    try:
        bench.mark(name)
        limit = ""
    except SaveFault as fault:
        limit = f", in this session only: {fault}"
    yield Answer(f"@{name} is {bench.place()}{moved}{limit}", bench.place(), {"mark": name})
