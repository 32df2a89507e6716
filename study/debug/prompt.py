"""``banneret debug``: one verb from the command line, or a prompt that takes many."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

from engine.core.archive import Archive, Opened
from engine.core.ids import REFEREE
from engine.core.printable import BYTE_ORDER_MARK
from engine.core.registry import find
from engine.core.scenarios import names_in
from engine.core.soundness import log_faults
from engine.debug.paths import complete, write
from study.debug import bundle
from study.debug.debugger import Debugger
from study.debug.verbs import answers, answers_of_folder, help_text, split, take_options
from tui.console.commands import DEBUGGER, HelpRequest
from tui.console.exits import Exit, Wrong
from tui.console.files import is_folder
from tui.console.printing import say, say_json, warn
from tui.play.seats import seat_named
from tui.terminal.capabilities import is_poor

_PROMPT = "debug> "

_ONE_VERB: Final = "banneret debug SAVE "
"""Words of the command line before a verb."""

_OF_PATHS: Final = frozenset({"last", "history", "why", "whatif"})
"""Verbs that take a path."""


Show = Callable[[Debugger, Callable[[], Debugger]], Exit]
"""Opens the debugger's screen; the function that it gets reads the game again."""


def main(args: Namespace, archive: Archive, show: Show) -> Exit:
    """Answer a verb; without one, show the screen, or read verbs if there is no terminal.

    Raises:
        Wrong: a verb cannot be read or answered, and there is no prompt.
        SaveFault: the save cannot be read.
        BrokenLog: its events cannot be applied.
    """
    take_options(args)
    if is_folder(args.save):
        if args.seat:
            raise Wrong("a folder of saves is asked about as a whole, not through a seat's eyes")
        told((Path(args.save), archive), args.verb or ["help"], json=args.json, prog=_ONE_VERB)
        return Exit.OK
    opened = _opened(args.save, archive)
    rules = find(opened.header.ruleset)
    with log_faults(rules, opened.log):
        names = names_in(rules, opened.log)
        viewer = REFEREE if args.seat is None else seat_named(names, args.seat)
        bench = Debugger(opened, viewer, archive=archive)
        bench.ascii_only = not (sys.stdout.encoding or "").casefold().startswith("utf")
        if args.verb:
            told(bench, args.verb, json=args.json, prog=_ONE_VERB)
            return Exit.OK
        if not args.plain and not is_poor() and sys.stdin.isatty() and sys.stdout.isatty():

            def again() -> Debugger:
                return Debugger(_opened(args.save, archive), viewer, archive=archive)

            return show(bench, again)
        return asked(bench, sys.stdin, json=args.json)


def _opened(save: str, archive: Archive) -> Opened:
    """Read a save, or the one in a bundle."""
    found = bundle.opened(archive, save) if save.endswith(".zip") else archive.read(save)
    warn(save, found.remarks)
    return found


def told(
    bench: Debugger | tuple[Path, Archive], words: Sequence[str], *, json: bool, prog: str = ""
) -> None:
    """Print the answers of a verb about a save, or about a folder of saves.

    ``prog`` is typed before the verb.

    Raises:
        Wrong: it cannot be read or answered.
    """
    json = json or "--json" in words
    words = [word for word in words if word != "--json"]
    if words[:1] == ["help"]:
        say(*help_text(words[1:], [spec.name for spec in DEBUGGER]).splitlines())
        return
    try:
        if isinstance(bench, tuple):
            found = answers_of_folder(*bench, words, prog)
        else:
            found = answers(bench, words, prog)
        for answer in found:
            (say_json if json else say)(answer.json() if json else answer.text)
    except HelpRequest as request:
        say(*str(request).splitlines())


def asked(bench: Debugger, lines: Iterable[str] | TextIO, *, json: bool) -> Exit:
    """Answer verbs, a line each, until the lines end or a line is ``quit``.

    A line that cannot be answered is reported on standard error, and Ctrl-C stops an answer; both
    leave the place unchanged. At a prompt, an empty line repeats the previous one.
    """
    is_shown = sys.stdin.isatty() and lines is sys.stdin
    if isinstance(lines, TextIOWrapper):
        lines.reconfigure(errors="replace")
    failed, before = False, ""
    for given in _prompted(bench) if is_shown else lines:
        said = given.removeprefix(BYTE_ORDER_MARK)
        line = said if said.strip() or not is_shown else before
        before, at = line, bench.at
        try:
            words = split(line)
            if words[:1] in (["quit"], ["q"]):
                break
            if words:
                told(bench, words, json=json)
        except Wrong as wrong:
            bench.at, failed = at, True
            sys.stderr.write(f"{wrong}\n")
        except KeyboardInterrupt:
            bench.at = at
            sys.stderr.write("stopped\n")
        sys.stdout.flush()
    return Exit.REFUSED if failed and not is_shown else Exit.OK


def _prompted(bench: Debugger) -> Iterable[str]:
    """Yield lines typed at a prompt, with editing, completion and a history."""
    with suppress(ImportError):
        import readline  # noqa: PLC0415 - not everywhere, and it changes what input() does

        found: list[str] = []

        def completed(text: str, number: int) -> str | None:
            if number == 0:
                found[:] = completions(bench, readline.get_line_buffer(), text)
            return found[number] if number < len(found) else None

        readline.set_completer(completed)
        readline.set_completer_delims(" \t'")
        readline.parse_and_bind("tab: complete")
    while True:
        try:
            yield input(_PROMPT)
        except EOFError:
            return
        except KeyboardInterrupt:
            sys.stdout.write("\n")


def completions(bench: Debugger, line: str, text: str) -> list[str]:
    """Return completions of the last word of a line: verbs, marks, or paths and statistics.

    Args:
        bench: the debugger.
        line: the line as typed so far.
        text: its last word.
    """
    first = line.split(maxsplit=1)[0] if line.strip() else ""
    if first == text and line.rstrip() == line.lstrip():
        return [spec.name for spec in DEBUGGER if spec.name.startswith(text)]
    if text.startswith("@"):
        return [f"@{name}" for name in bench.marks if name.startswith(text[1:])]
    if first not in _OF_PATHS:
        return []
    counted = bench.rules.statistics(bench.line.state(bench.at)) if bench.knows_all else {}
    names = (write((name, seat)) for name in counted for seat in bench.seats)
    return complete(bench.state, text) + [name for name in names if text and name.startswith(text)]
