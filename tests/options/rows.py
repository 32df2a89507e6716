"""Rows of the table of options: what each option of a command is seen to do."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
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
    """An option, and how its effect is seen.

    Either ``seen_by`` names a test, or the command is run with the option and without it. What is
    seen of a run is its exit code, its output, and the names and texts of the files that it wrote.
    """

    command: str
    option: str
    base: str = ""
    """The command without the option, as it is typed; ``{}`` is where the option goes."""
    given: str = ""
    """Standard input."""
    use: str = ""
    """The option with its value, as it is typed."""
    instead: str = ""
    """Its replacement in the other run; empty: none."""
    shows: str = ""
    """Pattern that is seen with the option only."""
    hides: str = ""
    """Pattern that is seen without it only."""
    code: int = 0
    """Exit code with the option."""
    seen_by: str = ""
    """Test that sees the effect, as ``tests/file.py::test_name``."""
    slow: bool = False

    @property
    def words(self) -> tuple[list[str], list[str]]:
        """The words of the run without the option, and those of the run with it."""
        text = self.base if "{}" in self.base else f"{self.base} {{}}"
        without, used = (text.replace("{}", part) for part in (self.instead, self.use))
        return shlex.split(without), shlex.split(used)

    def __str__(self) -> str:
        """Name of the row as a test case."""
        return f"{self.command} {self.option}"


def rows() -> list[OptionRow]:
    """All rows of the table."""
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


def options() -> set[tuple[str, str]]:
    """Every option of every command: the words of the command, and the option's long name."""
    tables: dict[str, Iterable[CommandSpec]] = {
        "": PROGRAM,
        "ssh ": SSH,
        "debug SAVE ": DEBUGGER,
        "lab ": lab_verbs(),
        "host ": (OPERATOR,),
    }
    return {
        (prefix + command, option)
        for prefix, table in tables.items()
        for one in table
        for command, option in _options(one, one.name)
    }


def _options(spec: CommandSpec, name: str) -> Iterator[tuple[str, str]]:
    for argument in spec.arguments:
        for one in [argument] if isinstance(argument, ArgumentSpec) else argument.arguments:
            if one.names[0].startswith("-"):
                yield name, one.names[-1]
    for command in spec.commands:
        yield from _options(command, f"{name} {command.name}")


def mentions(text: str, option: str) -> bool:
    """True if a text has an option as a word, by its long or its short name."""
    short = {"--output": "-o"}.get(option, option)
    return any(re.search(rf"(?<![\w-]){re.escape(one)}(?![\w-])", text) for one in (option, short))
