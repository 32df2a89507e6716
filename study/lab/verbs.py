"""``banneret lab VERB``: parse a verb and run it. Each verb is a function of a module here."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from engine.core.archive import Archive
from tui.console.commands import CommandParser, find_command, lab_verbs, listed
from tui.console.exits import Exit, Wrong
from tui.console.printing import say


def note(*lines: str) -> None:
    """Write lines about a run to standard error, except empty ones."""
    for line in filter(None, lines):
        sys.stderr.write(f"banneret lab: {line}\n")


def no_screen(folder: Path, name: str, entry: int) -> Exit:
    """Refuse to show a replay.

    Raises:
        Wrong: always.
    """
    raise Wrong(f"{folder}, {name} from entry {entry} on: there is no screen here")


class LabPorts(NamedTuple):
    """Ports of the lab to the rest of the program."""

    archive: Callable[[Path | None], Archive]
    """Returns the store of saves in a folder; None means the user's own folder."""
    version: str
    """Version of the program."""
    show: Callable[[Path, str, int], Exit] = no_screen
    """Shows the replay of a save in a folder on the screen, from an entry on."""


LabVerb = Callable[[Namespace, LabPorts], Exit]
"""Function of a verb; called with its arguments."""

_MODULES: Final[Mapping[str, str]] = {
    "run": "running",
    "status": "status",
    "test": "testing",
    "rate": "rate",
    "check": "checking",
    "games": "viewing",
    "open": "viewing",
    "feed": "feeding",
    "part": "part",
    "book": "books",
    "balance": "balance",
    "tune": "tuning",
    "worker": "machines",
    "env-check": "environments",
    "sample": "samples",
    "report": "reporting",
    "verify": "verify",
    "ladder": "ladders",
}
"""The module of ``study.lab`` that has the function of each verb."""


def main(words: Sequence[str], ports: LabPorts) -> Exit:
    """Run a verb; without a verb, list all.

    Raises:
        Wrong: the verb is unknown, or cannot be done.
        Misuse: the verb does not take these words.
    """
    if not words or words[0] in {"help", "-h", "--help"}:
        say(*f"{listed(lab_verbs())}'banneret lab VERB --help' tells more.".splitlines())
        return Exit.OK
    spec = find_command(lab_verbs(), words[0])
    if spec is None:
        raise Wrong(f"there is no verb {words[0]!r}; see banneret lab help")
    args = spec.parser(f"banneret lab {spec.name}", CommandParser).parse_args(list(words[1:]))
    return verb_of(spec.name)(args, ports)


def verb_of(name: str) -> LabVerb:
    """Return the function of a verb: its name with ``_`` for ``-``, and ``_verb`` after it."""
    found: LabVerb = getattr(
        import_module(f"study.lab.{_MODULES[name]}"), f"{name}_verb".replace("-", "_")
    )
    return found
