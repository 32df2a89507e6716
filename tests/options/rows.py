"""Rows of the table of options: an option of a command and its visible effect."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tui.console.commands import (
    DEBUGGER,
    OPERATOR,
    PROGRAM,
    SSH,
    ArgumentSpec,
    CommandSpec,
    lab_verbs,
)

HERE = Path(__file__).parent


@dataclass(frozen=True)
class OptionRow:
    """An option, and how to see its effect.

    Either ``seen_by`` names a test, or the command runs with and without the option. Compared are
    the exit code, the output, and the names and texts of written files.
    """

    command: str
    option: str
    base: str = ""
    """The command without the option, as typed; ``{}`` marks the place of the option."""
    given: str = ""
    """Standard input."""
    use: str = ""
    """The option with its value, as typed."""
    instead: str = ""
    """Replacement of the option in the other run; empty for none."""
    shows: str = ""
    """Pattern that appears only with the option."""
    hides: str = ""
    """Pattern that appears only without the option."""
    code: int = 0
    """Exit code with the option."""
    seen_by: str = ""
    """Test of the effect, as ``tests/file.py::test_name``."""
    slow: bool = False
    needs: str = ""
    """Foreign program without which the option has no effect."""

    @property
    def words(self) -> tuple[list[str], list[str]]:
        """Words of the run without the option, and of the run with it."""
        text = self.base if "{}" in self.base else f"{self.base} {{}}"
        without, used = (text.replace("{}", part) for part in (self.instead, self.use))
        return shlex.split(without), shlex.split(used)

    def __str__(self) -> str:
        """Return the name of the row as a test case."""
        return f"{self.command} {self.option}"


def rows() -> list[OptionRow]:
    """Return all rows of the table."""
    return [row for path in sorted(HERE.glob("*.toml")) for row in _read(path)]


def _read(path: Path) -> Iterator[OptionRow]:
    for command, section in tomllib.loads(path.read_text(encoding="utf-8")).items():
        shared = {name: section[name] for name in ("base", "given") if name in section}
        for option, row in section.items():
            if option in shared:
                continue
            for one in row if isinstance(row, list) else [row]:
                yield _row(
                    command, option, shared, {"seen_by": one} if isinstance(one, str) else one
                )


def _row(
    command: str, option: str, shared: Mapping[str, str], fields: Mapping[str, Any]
) -> OptionRow:
    return OptionRow(command, option, **{"use": option, **shared, **fields})


def tables() -> dict[str, Sequence[CommandSpec]]:
    """Return all tables of commands, by the words before each command."""
    return {
        "": PROGRAM,
        "ssh ": SSH,
        "debug SAVE ": DEBUGGER,
        "lab ": lab_verbs(),
        "host ": (OPERATOR,),
    }


def options() -> set[tuple[str, str]]:
    """Return every option, old ones too: the words of its command, and its long name."""
    return {
        (prefix + command, option)
        for prefix, table in tables().items()
        for one in table
        for command, option in _options(one, one.name)
    }


def _options(spec: CommandSpec, name: str) -> Iterator[tuple[str, str]]:
    for argument in spec.arguments:
        for one in [argument] if isinstance(argument, ArgumentSpec) else argument.arguments:
            if one.is_option:
                yield name, one.names[-1]
            for option in one.old:
                yield name, option
    for command in spec.commands:
        yield from _options(command, f"{name} {command.name}")


def mentions(text: str, option: str) -> bool:
    """Return whether a text has an option as a word, by its long or short name."""
    short = {"--output": "-o"}.get(option, option)
    return any(re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", text) for one in (option, short))
