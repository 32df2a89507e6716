"""Wrong arguments give one line that names them, the command, and its help."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.cli import banneret_here, is_one_line_fault
from tests.saves import games
from tui.console.commands import (
    DEBUGGER,
    OPERATOR,
    PROGRAM,
    ArgumentSpec,
    CommandSpec,
    lab_verbs,
)
from tui.console.exits import Exit

_ODD = "--no-such-option"


def _verbs() -> Iterator[tuple[tuple[str, ...], CommandSpec]]:
    """Yield every command of the program with the words before its arguments."""
    for spec in PROGRAM:
        yield (spec.name,), spec
        for one in spec.commands:
            yield (spec.name, one.name), one
    for spec in lab_verbs():
        yield ("lab", spec.name), spec
    for spec in OPERATOR.commands:
        yield ("host", "admin", spec.name), spec
    for spec in DEBUGGER:
        yield ("debug", "./one.bnr", spec.name), spec


VERBS = {verb: spec for verb, spec in _verbs() if verb not in {("lab",), ("debug",)}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with a save."""
    place = tmp_path_factory.mktemp("misuse")
    games.saved(place, "one", entries=3)
    return place


def _misused(folder: Path, *words: str) -> str:
    """Run wrong arguments; return the one line of error output."""
    ended = banneret_here(*words, folder=folder)
    assert ended.returncode == Exit.USAGE, ended.stderr
    assert ended.stdout == ""
    assert is_one_line_fault(ended.stderr), ended.stderr
    return ended.stderr


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_unknown_option_is_one_line_that_names_it_and_the_help(
    folder: Path, verb: tuple[str, ...]
) -> None:
    shown = " ".join("SAVE" if word == "./one.bnr" else word for word in verb)
    told = _misused(folder, *verb, *_needed(VERBS[verb]), _ODD)
    assert _ODD in told or "required: " in told
    assert told.endswith(f"; see banneret {shown} --help\n")
    assert verb[-1] in told


def _needed(spec: CommandSpec) -> list[str]:
    """Return a word for each required positional argument."""
    return [
        "1"
        for one in spec.arguments
        if isinstance(one, ArgumentSpec) and one.is_needed and not one.names[0].startswith("-")
    ]


@pytest.mark.parametrize(
    "verb", [verb for verb, spec in VERBS.items() if _needed(spec)], ids=" ".join
)
def test_missing_argument_is_one_line_that_names_it_and_the_help(
    folder: Path, verb: tuple[str, ...]
) -> None:
    told = _misused(folder, *verb)
    assert "required: " in told
    assert " --help\n" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("run", "--ruleset", "gd6", "--seed", "x", "-"),
            "banneret: run: argument --seed: 'x' is no whole number; see banneret run --help\n",
        ),
        (
            ("saves", "rename", "one"),
            "arguments are required: NEW; see banneret saves rename --help\n",
        ),
        (("calc",), "arguments are required: RULESET; see banneret calc --help\n"),
        (("saves", "burn"), "; see banneret saves --help\n"),
        (("lab", "dance"), "banneret: there is no verb 'dance'; see banneret lab help\n"),
        (("host", "admin", "dance"), "; see banneret host admin --help\n"),
        (("debug", "./one.bnr", "dance"), "; see banneret debug SAVE help\n"),
        (("verify", "a", "x" * 9_000), "...; see banneret verify --help\n"),
        (("verify", "a", "two\nlines"), "two lines; see banneret verify --help\n"),
    ],
)
def test_wrong_word_is_named_with_its_command(
    folder: Path, words: tuple[str, ...], told: str
) -> None:
    assert _misused(folder, *words).endswith(told)
