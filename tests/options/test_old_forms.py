"""Command lines of earlier versions do the same as those of today, and no help shows them."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from host.ssh.calls import seconds
from tests.app.cli import banneret_here
from tests.options.fixtures import make, seen
from tests.options.rows import tables
from tui.console.commands import ArgumentSpec, CommandSpec, RemoteParser
from tui.console.exits import Exit

FORMS: Final = [
    ("play --new gd6 --scenario west", "play gd6 --scenario west"),
    ("play --plain --new=gd6 --seed 2", "play gd6 --plain --seed 2"),
    ("run --ruleset gd6 --scenario west -", "run gd6 --scenario west -"),
    ("run script.txt --ruleset gd6", "run gd6 script.txt"),
    ("run --seed 3 --ruleset=gd6 -", "run gd6 - --seed 3"),
    ("run gd6 - --save new.bnr", "run gd6 - -o new.bnr"),
    ("bot --ruleset gd6 --seat B", "bot gd6 --seat B"),
    ("bot gd6 --save new.bnr", "bot gd6 --output new.bnr"),
    ("simulate gd6 --processes 2", "simulate gd6 --jobs 2"),
    ("host --thinkers 3", "host --jobs 3"),
    ("ssh stand 3 Dailor --bot easy", "ssh stand 3 Dailor --level easy"),
    ("ssh bot --game 3 --seat Dailor", "ssh bot 3 --seat Dailor"),
    ("debug SAVE bisect --good a --bad b --log c", "debug SAVE bisect --good a --bad b -o c"),
    ("debug SAVE fate --who easy", "debug SAVE fate --level easy"),
    ("debug SAVE whatif --set a=1 --keep b", "debug SAVE whatif --set a=1 -o b"),
    ("debug SAVE whatif --set a=1 --keep", "debug SAVE whatif --set a=1 -o"),
    ("lab part gd6 easy hard --by normal", "lab part gd6 easy hard --level normal"),
    ("lab ladder --level easy --level hard", "lab ladder --levels easy --levels hard"),
]
"""Old command lines, each with the one of today."""

PLAYED: Final = [
    (
        "play --plain --new weltendaemmerung --scenario ford --seed 3",
        "play weltendaemmerung --scenario ford --seed 3 --plain",
    ),
    (
        "run --ruleset weltendaemmerung --scenario ford --seed 3 --save new.bnr -",
        "run weltendaemmerung - --scenario ford --seed 3 -o new.bnr",
    ),
    (
        "bot --ruleset gd6 --scenario west --opponent bot:easy --save new.bnr",
        "bot gd6 --scenario west --opponent easy -o new.bnr",
    ),
    (
        "simulate weltendaemmerung --scenario ford --levels easy --games 1 --processes 3",
        "simulate weltendaemmerung --scenario ford --levels easy --games 1 --jobs 3",
    ),
    (
        "debug ./ford.bnr fate --at 9 --runs 2 --who bot:easy",
        "debug ./ford.bnr fate --at 9 --runs 2 --level easy",
    ),
]
"""Old command lines that run here, each with the one of today."""


def commands() -> Iterator[tuple[str, CommandSpec]]:
    """Yield every command, with the words that lead to it."""
    for prefix, table in tables().items():
        for one in table:
            yield f"{prefix}{one.name}", one
            yield from ((f"{prefix}{one.name} {each.name}", each) for each in one.commands)


COMMANDS: Final = dict(commands())


def parsed(line: str) -> Namespace:
    """Parse a command line with the parser of its command."""
    name = max((one for one in COMMANDS if f"{line} ".startswith(f"{one} ")), key=len)
    parser = COMMANDS[name].parser(name, RemoteParser, {"span": seconds, "hours": float})
    return parser.parse_args(shlex.split(line.removeprefix(name)))


def old_names(spec: CommandSpec) -> set[str]:
    """Return the old names of a command's arguments."""
    given = [
        each
        for one in spec.arguments
        for each in ([one] if isinstance(one, ArgumentSpec) else one.arguments)
    ]
    return {old for one in given for old in one.old}


@pytest.mark.parametrize(("old", "new"), FORMS)
def test_old_form_means_the_same(old: str, new: str) -> None:
    assert parsed(old) == parsed(new)


def test_every_old_name_has_a_form_here() -> None:
    for name, spec in COMMANDS.items():
        for old in old_names(spec):
            lines = [line for line, _ in FORMS if line.startswith(f"{name} ")]
            assert any(old in line.replace("=", " ").split() for line in lines), (name, old)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the files on which the commands run."""
    folder = tmp_path_factory.mktemp("old") / "home"
    folder.mkdir()
    make(folder)
    return folder


@pytest.mark.parametrize(("old", "new"), PLAYED)
def test_old_form_has_the_same_effect(old: str, new: str, home: Path) -> None:
    given = '{"t":"hello","protocol":1}\n' if old.startswith("bot") else "end-phase\n"
    was, now, again = (seen(tuple(shlex.split(line)), given, home) for line in (old, new, old))
    assert now in (was, again)  # a save names the second in which it was begun
    assert now[0] == Exit.OK


@pytest.mark.parametrize("name", COMMANDS)
def test_help_begins_with_an_example_and_has_no_old_form(name: str) -> None:
    spec = COMMANDS[name]
    text = spec.parser(name, RemoteParser, {"span": seconds, "hours": float}).format_help()
    head, usage, _ = text.partition("usage: ")
    assert head.startswith("example:\n  ")
    assert spec.examples.splitlines()[0] in head
    assert usage
    assert not {*text.replace("=", " ").replace(",", " ").split()} & old_names(spec)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("run", "chess", "-"), "no ruleset 'chess'"),
        (("run", "script.txt", "gd6"), "script.txt"),
        (("run", "gd6"), "required: SCRIPT"),
        (("run", "a", "b", "--ruleset", "gd6"), "unrecognized arguments: b"),
        (("play", "chess", "--plain"), "no such save"),
        (("play", "chess", "--plain"), "no ruleset: "),
        (("play", "gd6", "--ascii"), "--plain"),
    ],
)
def test_word_that_is_no_ruleset_is_named(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    ended = banneret_here(*words, folder=tmp_path)
    assert ended.returncode in {Exit.USAGE, Exit.DAMAGED}
    assert told in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_save_with_the_name_of_a_ruleset_is_opened_by_its_file(home: Path) -> None:
    kept = home / "gd6.bnr"
    kept.write_bytes((home / "ford.bnr").read_bytes())
    try:
        for word, title in (("gd6", "Global Domination"), ("./gd6.bnr", "Weltend")):
            words = ("play", word, "--plain", "--saves", ".", "--ascii")
            code, text = seen(words, "quit\n", home)
            assert code == Exit.OK
            assert title in text
    finally:
        kept.unlink()
