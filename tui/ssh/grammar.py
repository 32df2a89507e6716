"""The SSH command line: reads a command, and helps with it."""

from __future__ import annotations

import argparse
import shlex
from typing import Final

from tui.console.commands import (
    SSH,
    CommandSpec,
    HelpRequest,
    Misuse,
    RemoteParser,
    find_command,
    listed,
)
from tui.console.exits import Wrong
from tui.host.clocks import span

LONGEST: Final = 2_000
"""Most characters of a command."""


def seconds(text: str) -> int:
    """Seconds of a span of time such as ``90s``, ``5m``, ``12h`` or ``1d``.

    Raises:
        ArgumentTypeError: it is none.
    """
    try:
        return span(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def parse(command: str) -> argparse.Namespace:
    """A command with its arguments; ``command`` is its name.

    Raises:
        Wrong: it is none.
        HelpRequest: it only asks for help.
    """
    if len(command) > LONGEST:
        raise Wrong(f"a command may have {LONGEST} characters; see help")
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise Wrong(f"{str(problem).lower().rstrip('.')}; see help") from None
    if not words or words[0] in ("-h", "--help"):
        raise HelpRequest(overview())
    found = spec_of(words[0])
    args = argparse.Namespace(command=found.name)
    if found.name == "admin":
        args.words = words[1:]
        return args
    try:
        return _parser(found).parse_args(words[1:], args)
    except Misuse as problem:
        raise Wrong(f"{problem}; see help {found.name}") from None


def spec_of(name: str) -> CommandSpec:
    """The command of a name.

    Raises:
        Wrong: there is none.
    """
    found = find_command(SSH, name)
    if found is not None:
        return found
    if name == "scp":
        raise Wrong("the old protocol of scp is not spoken here; use scp without -O, or sftp")
    raise Wrong(f"there is no command {name[:30]!r}; help lists them")


def help_of(name: str) -> str:
    """Help of a command.

    Raises:
        Wrong: there is none of that name.
    """
    return _parser(spec_of(name)).format_help()


def _parser(spec: CommandSpec) -> RemoteParser:
    usage = spec.usage.replace("%", "%%")
    return spec.parser(spec.name, RemoteParser, {"span": seconds}, usage)


def overview() -> str:
    """All commands, a line each."""
    return (
        "usage: ssh HOST [COMMAND ...]\n\n"
        "Without a command the screen opens (from a terminal).\n\n"
        f"commands:\n{listed(SSH)}\n"
        "'help COMMAND' tells more, with an example. Files: sftp HOST, scp HOST:/README.txt .\n"
    )
