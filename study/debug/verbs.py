"""The verbs of the debugger: reading one, running it, printing its answers."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

from engine.core.archive import Archive
from study.debug.debugger import Answer, Debugger
from tui.console.commands import (
    DEBUGGER,
    CommandSpec,
    Misuse,
    RemoteParser,
    find_command,
    listed,
)
from tui.console.exits import Wrong

Verb = Callable[[Debugger, Namespace], Iterator[Answer]]
"""Function of a verb; it yields its answers, so that long work can be watched and stopped."""

FolderVerb = Callable[[Path, Namespace, Archive], Iterator[Answer]]
"""Function of a verb about a folder of saves."""

OF_FOLDERS: Final = frozenset({"impact", "rules"})
"""Verbs about all saves of a folder; the others are about one save."""

_PLACES: Final[Mapping[str, str]] = {
    "go": "walking",
    "on": "walking",
    "back": "walking",
    "until": "walking",
    "mark": "walking",
    "where": "walking",
    "fate": "fate",
    "whatif": "whatif",
    "last": "values",
    "history": "values",
    "diff": "values",
    "heavy": "heavy",
    "bundle": "bundle",
    "why": "why",
    "rules": "rules_used",
    "compare": "comparing",
    "impact": "impact",
    "bisect": "bisecting",
    "shrink": "shrink",
    "test": "test_writer",
}
"""The module of ``study.debug`` that defines each verb, as a function of its name."""

_FOR_ALL: Final = frozenset(
    {"go", "on", "back", "until", "mark", "where", "last", "history", "diff", "bundle", "fate"}
)
"""Verbs that a seat may use, as they show only what it knows; others need the whole game."""

ALL: Final = frozenset(_PLACES)
"""All verbs."""

REMOTE: Final = frozenset({"go", "on", "back", "until", "mark", "where", "last", "history", "diff"})
"""Verbs that a host answers, each named here: none starts a process, or reads or writes a file."""


def read(words: Sequence[str], prog: str = "") -> tuple[CommandSpec, Namespace]:
    """Parse a verb with its arguments; ``prog`` is typed before it.

    Raises:
        Wrong: the verb does not exist, or does not take these words.
        HelpRequest: the words ask for help.
    """
    spec = find_command(DEBUGGER, words[0]) if words else None
    if spec is None:
        problem = f"there is no verb {words[0][:30]!r}" if words else "no verb"
        raise Wrong(f"{problem}; see {prog}help")
    try:
        return spec, _parser(spec.name).parse_args(list(words[1:]))
    except Misuse as misuse:
        raise Wrong(f"{spec.name}: {misuse}; see {prog}{spec.name} --help") from None


def answers(bench: Debugger, words: Sequence[str], prog: str = "") -> Iterator[Answer]:
    """Yield the answers of a verb; ``prog`` is typed before it.

    Raises:
        Wrong: it cannot be read or answered; the text is one line.
        HelpRequest: the words ask for help.
    """
    spec, args = read(words, prog)
    if spec.name in OF_FOLDERS:
        raise Wrong(f"{spec.name} is asked about a folder of saves: debug FOLDER {spec.name}")
    if spec.name not in _FOR_ALL and (bench.is_running or not bench.knows_all):
        raise Wrong(f"{spec.name} tells what is hidden; it can be asked when the game is over")
    verb: Verb = getattr(import_module(f"study.debug.{_PLACES[spec.name]}"), spec.name)
    return verb(bench, args)


def answers_of_folder(
    folder: Path, archive: Archive, words: Sequence[str], prog: str = ""
) -> Iterator[Answer]:
    """Yield the answers of a verb about a folder of saves; ``prog`` is typed before the verb.

    Raises:
        Wrong: it cannot be read or answered; the text is one line.
        HelpRequest: the words ask for help.
    """
    spec, args = read(words, prog)
    if spec.name not in OF_FOLDERS:
        known = ", ".join(sorted(OF_FOLDERS & set(_PLACES)))
        raise Wrong(f"{spec.name} is asked about one save; about a folder: {known}")
    verb: FolderVerb = getattr(import_module(f"study.debug.{_PLACES[spec.name]}"), spec.name)
    return verb(folder, args, archive)


def take_options(args: Namespace) -> None:
    """Move the command's own options, which argparse leaves before the verb, into ``args``.

    Raises:
        Wrong: a name is missing.
    """
    while args.verb and args.verb[0] in {"--json", "--ascii", "--plain", "--seat"}:
        word, *args.verb = args.verb
        if word != "--seat":
            setattr(args, word[2:], True)
        elif args.verb:
            args.seat, *args.verb = args.verb
        else:
            raise Wrong("--seat needs a name")


def help_text(words: Sequence[str], names: Container[str]) -> str:
    """Return the help of the named verb, or a list of the verbs in ``names``, one per line.

    Raises:
        Wrong: the verb does not exist.
    """
    if not words:
        return listed([spec for spec in DEBUGGER if spec.name in names])
    spec = find_command(DEBUGGER, words[0])
    if spec is None or spec.name not in names:
        raise Wrong(f"there is no verb {words[0][:30]!r}; see help")
    return _parser(spec.name).format_help()


@cache
def _parser(verb: str) -> RemoteParser:
    """Return the parser for the words after a verb."""
    (spec,) = (each for each in DEBUGGER if each.name == verb)
    return spec.parser(verb, RemoteParser)


def split(line: str) -> list[str]:
    """Split a line into words, with quotes as a shell reads them.

    Raises:
        Wrong: a quote is not closed.
    """
    try:
        return shlex.split(line)
    except ValueError as problem:
        raise Wrong(f"{problem}") from None
