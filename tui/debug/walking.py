"""Walking through a game both ways: ``go``, ``on``, ``back``, ``until``, ``mark``, ``where``."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from tui.console.exits import Wrong
from tui.debug.debugger import Answer, Debugger


def go(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go to a place."""
    bench.at = bench.step_at(args.place)
    yield from where(bench, args)


def on(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go some events on."""
    bench.at = min(len(bench.line), bench.at + args.count)
    yield from where(bench, args)


def where(bench: Debugger, args: Namespace) -> Iterator[Answer]:  # noqa: ARG001 - as all verbs
    """Tell the present place and what happened there."""
    yield Answer(bench.heading(bench.at), bench.place())


def back(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go some events back, or back to where a query was true last."""
    if args.until is None:
        bench.at = max(0, bench.at - args.count)
    else:
        fence = bench.step_at(args.fence) if args.fence else 0
        found = [step for step in bench.matches(args.until) if fence <= step < bench.at]
        if not found:
            raise Wrong(f"nothing between {bench.place(fence)} and {bench.place()} fits")
        bench.at = found[-1]
    yield from where(bench, args)


def until(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Go on to where a query is true next."""
    bench.at = bench.step_at(f"?{args.query}")
    yield from where(bench, args)


def mark(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Give the present place a name."""
    bench.marks[args.name] = bench.at
    yield Answer(f"@{args.name} is {bench.place()}", bench.place())
