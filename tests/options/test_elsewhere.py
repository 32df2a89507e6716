"""Options that choose a screen, a host or a worker; the tests stop before that begins."""

from __future__ import annotations

import io
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

import app
from engine.core.archive import SeatPlayer
from engine.core.registry import find
from host.ssh import serving as host
from saves.archive import Folder
from study.debug import bisecting, heavy, impact, prompt
from study.lab import ladders, live, viewing
from study.lab.plans import LabPlan
from study.lab.store import RunFolder
from study.lab.verify import sampled
from tests.app.cli import arguments, banneret_here
from tests.host.fakes import ANNA, BERT
from tests.host.shell import Shell, serving
from tests.options.fixtures import done
from tui.console.commands import DEBUGGER, CommandParser, find_command, lab_verbs
from tui.console.exits import Exit
from tui.play.setup import NewGame
from tui.terminal.capabilities import here

FORD = ("run", "--ruleset", "weltendaemmerung", "--scenario", "ford")


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Arguments with which the screen was started."""
    found: list[Any] = []

    def show(archive: Folder, glyphs: str | None, **chosen: Any) -> Exit:
        found.append((archive.path.name, glyphs, chosen))
        return Exit.OK

    monkeypatch.setattr(app, "_on_screen", show)
    return found


def test_glyphs_reach_the_screen(shown: list[Any], tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    done(tmp_path, *FORD, "--save", "kept/game.bnr", "-")
    for command in ("play", "replay"):
        done(tmp_path, command, "--saves", "kept", "game", "--glyphs", "ascii")
    assert [glyphs for _, glyphs, _ in shown] == ["ascii", "ascii"]


def test_saves_are_replayed_from_another_folder(shown: list[Any], tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    done(tmp_path, *FORD, "--save", "kept/game.bnr", "-")
    assert banneret_here("replay", "game", folder=tmp_path).returncode == Exit.DAMAGED
    done(tmp_path, "replay", "game", "--saves", "kept")
    assert shown == [("kept", None, {"replay": "game"})]


@pytest.mark.parametrize("is_wanted", [True, False])
def test_rules_fault_leaves_a_bundle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_wanted: bool
) -> None:
    def fail(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(type(find("weltendaemmerung")), "decide", fail)
    words = (*FORD, *["--post-mortem"] * is_wanted, "-")
    banneret_here(*words, given="end-phase\n", folder=tmp_path)
    assert (tmp_path / "post-mortem.zip").exists() == is_wanted


@pytest.mark.parametrize("words", [(), ("--plain",)])
def test_plain_shows_a_prompt_instead_of_the_debugger(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: tuple[str, ...]
) -> None:
    done(tmp_path, *FORD, "--save", "game.bnr", "-")
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    screens: list[Any] = []

    def show(*bench: Any) -> Exit:
        screens.append(bench)
        return Exit.OK

    prompt.main(arguments("debug", *words, str(tmp_path / "game.bnr")), Folder(), show)
    assert bool(screens) == ("--plain" not in words)


@pytest.mark.parametrize("jobs", ["--jobs", "--thinkers"])
def test_host_is_started_with_its_options(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, jobs: str
) -> None:
    begun: list[Any] = []

    async def begin(folder: Path, args: Any, _ports: Any) -> None:
        begun.append((folder.name, vars(args)))

    monkeypatch.setattr(host, "_main", begin)
    where = ("--folder", "here", "--listen", "::1", "--port", "0", "--guests", "watch")
    done(tmp_path, "host", *where, "--away", "3", "--idle", "4", jobs, "5")
    ((folder, chosen),) = begun
    del chosen["folder"]
    assert folder == "here"
    assert chosen == {
        "listen": "::1",
        "port": 0,
        "guests": "watch",
        "away": 3.0,
        "idle": 4.0,
        "thinkers": 5,
    }


def test_plain_progress_is_shown_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """``--plain`` prints lines where a terminal could redraw a block."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    real = here()
    known = {name: getattr(real, name) for name in dir(real) if not name.startswith("_")}
    monkeypatch.setattr(live, "here", lambda: SimpleNamespace(**known | {"usable": True}))
    kinds = []
    for plain in (False, True):
        with ExitStack() as stack:
            kinds.append(type(live.display_of(stack, json=False, plain=plain)))
    assert kinds == [live.BlockDisplay, live.LineDisplay]


def test_lab_opens_a_screen_unless_declined(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = ("lab", "run", "weltendaemmerung", "--scenario", "ford", "--bots", "easy")
    done(tmp_path, *run, "--pairs", "1", "-o", "night")
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys, "stdout", Terminal())
    screens: list[Any] = []
    ports: Any = SimpleNamespace(
        archive=Folder, version="test", show=lambda *at: screens.append(at)
    )
    for words in (("--no-screen",), ()):
        spec = find_command(lab_verbs(), "open")
        assert spec is not None
        parser = spec.parser("open", CommandParser)
        viewing.open_verb(
            parser.parse_args([str(tmp_path / "night"), "1", "--no-fate", *words]), ports
        )
        assert len(screens) == (not words)


def test_sample_depends_on_its_seed() -> None:
    """``lab verify --sample 3 --seed N`` draws it like this."""
    games: Any = range(20)
    assert sampled(games, 3, 1) != sampled(games, 3, 2)
    assert sampled(games, 3, 1) == sampled(games, 3, 1)


def verb(name: str, *words: str) -> Any:
    """Parse the arguments of a verb of the debugger."""
    spec = find_command(DEBUGGER, name)
    assert spec is not None
    return spec.parser(name, CommandParser).parse_args(words)


class Begun(Exception):
    """Raised with its arguments where the work would begin."""


def test_comparison_has_a_deadline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def begin(*given: Any) -> Any:
        raise Begun(*given)

    monkeypatch.setattr(impact, "saves_in", lambda _: [])
    monkeypatch.setattr(impact, "tree_named", lambda _: None)
    monkeypatch.setattr(impact, "ImpactRun", begin)
    given = verb("impact", "--with", "x", "--deadline", "7", "--jobs", "2")
    with pytest.raises(Begun) as begun:
        next(iter(impact.impact(tmp_path, given, Folder())))
    assert begun.value.args == (None, 2, 7.0)
    judge = SimpleNamespace(start=begin, close=lambda: None)
    monkeypatch.setattr(bisecting, "PartingJudge", lambda *_: judge)
    search: Any = SimpleNamespace(
        repository=SimpleNamespace(tree=str), good=("a",), bad="b", builds=0
    )
    given = verb("bisect", "--good", "a", "--bad", "b", "--deadline", "7")
    with pytest.raises(Begun) as begun:
        next(iter(bisecting._searched(search, tmp_path, given)))
    assert begun.value.args == (7.0,)


def test_every_event_is_checked_only_on_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(heavy, "checked", lambda *given: iter(given[-1:]))
    bench: Any = SimpleNamespace(archive=None, opened=None, line=None)
    found: list[Any] = [
        [*heavy.heavy(bench, verb("heavy", *words))] for words in ((), ("--every", "event"))
    ]
    assert found == [["entry"], ["event"]]


def test_ladder_check_uses_the_given_pairs_and_jobs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ladders, "level_test", lambda *given: given[-1])
    monkeypatch.setattr(ladders, "_tree", lambda *_: Path())
    monkeypatch.setattr(ladders, "LadderEntry", lambda *given: given[-1])
    spec = find_command(lab_verbs(), "ladder")
    assert spec is not None
    words = ("check", "--pairs", "7", "--jobs", "3", "--level", "easy", "--drop", "9")
    args = spec.parser("ladder", CommandParser).parse_args(words)
    row: Any = SimpleNamespace(entries=(None,), scenario="ford")
    found: Any = ladders._entry(args, "weltendaemmerung", row, "x")
    assert found == (ladders.LadderTest(9.0, 7, 3),)


def test_ladder_check_plays_the_given_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []
    monkeypatch.setattr(ladders, "level_test", lambda *given: played.append(given[1]))
    monkeypatch.setattr(ladders, "_tree", lambda *_: Path())
    monkeypatch.setattr(ladders, "LadderEntry", lambda *_: None)
    spec = find_command(lab_verbs(), "ladder")
    assert spec is not None
    words = ("check", "--levels", "easy,hard", "--level", "normal")
    args = spec.parser("ladder", CommandParser).parse_args(words)
    row: Any = SimpleNamespace(entries=(None,), scenario="ford")
    ladders._entry(args, "weltendaemmerung", row, "x")
    assert played == ["easy", "hard", "normal"]


# -- over SSH --------------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    async with serving(tmp_path) as made:
        yield made


async def test_hosted_game_has_the_given_number_of_seats(shell: Shell) -> None:
    for seats in (2, 4):
        ended = await shell.run("Anna", f"new gd6 --scenario west --seats {seats}")
        assert ended.exit_status == Exit.OK
        newest = max(shell.game_server.games(), key=lambda info: info.number)
        assert len(newest.seats) == seats


async def test_every_host_command_writes_ascii_on_request(shell: Shell) -> None:
    names = ("D\u00e4mmer", "Dailor")
    players = tuple(SeatPlayer(seat, name) for seat, name in enumerate(names))
    start = NewGame("weltendaemmerung", "ford", players=players, name="D\u00e4mmerung", seed=b"1")
    game = shell.game_server.start(ANNA, start)
    await game.submit(ANNA, 0, "end-phase")
    for command in ("dump 1", "debug 1 go 1", "play --plain 1"):
        wide, narrow = [
            str((await shell.run("Anna", words, "quit\n")).stdout)
            for words in (command, f"{command.split()[0]} --ascii {command.split(' ', 1)[1]}")
        ]
        assert wide
        assert narrow.isascii(), command


async def test_watched_game_is_ascii_on_request(shell: Shell) -> None:
    players = (SeatPlayer(0, "D\u00e4mmer"), SeatPlayer(1, "Dailor"))
    start = NewGame("weltendaemmerung", "ford", players=players, name="x", seed=b"1")
    game = shell.game_server.start(ANNA, start)
    await game.sit(BERT, 1)
    while not game.is_over:
        await game.submit(ANNA if 0 in game.owing else BERT, min(game.owing), "end-phase")
    wide, narrow = [
        str((await shell.run("guest", f"watch {words}1 --from-start")).stdout)
        for words in ("", "--ascii ")
    ]
    assert wide
    assert narrow.isascii()


async def test_host_answers_in_json(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("study.lab.status.default_runs", lambda: tmp_path / "lab")
    RunFolder.create(tmp_path / "lab" / "night", LabPlan("toy", ("easy",)))
    players = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))
    game = NewGame("weltendaemmerung", "ford", players=players, name="x", seed=b"1")
    shell.game_server.start(ANNA, game)
    for person, command in (("Root", "lab --json status"), ("Anna", "debug --json 1 where")):
        assert str((await shell.run(person, command)).stdout).startswith(("{", "["))
