"""``ssh HOST COMMAND``: answers, refusals, and that nothing breaks the server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.archive import SeatPlayer
from host.server.ports import GameInfo
from host.ssh.ssh_commands import HANDLERS
from study.lab.plans import LabPlan
from study.lab.store import RunFolder
from tests.app.cli import ROOT
from tests.host.commands import FORD, TOY, WEST, finished, said
from tests.host.fakes import ANNA, BERT
from tests.host.shell import OpenSSH, Shell
from tests.patience import PATIENCE
from tests.programs import needs_ssh
from tui.console.commands import SSH
from tui.console.exits import Exit
from tui.play.setup import NewGame


async def test_status_shows_the_state_of_the_host(shell: Shell) -> None:
    shell.game_server.start(ANNA, FORD)
    text = said(await shell.run("Anna", "status"))
    assert "1:01:01" in text
    assert "here      Anna, Bert" in text
    assert "games     1 open, 0 running, 0 finished" in text
    told = json.loads(said(await shell.run("guest", "status --json")))
    assert told["uptime"] == 3661
    assert told["games"] == {"open": 1, "running": 0, "finished": 0}


async def test_games_are_listed_with_their_seats(shell: Shell) -> None:
    shell.game_server.start(ANNA, FORD)
    shell.game_server.start(BERT, TOY)
    text = said(await shell.run("Anna", "games"))
    assert "1  ford: " in text
    assert "Eldoin: Anna, to act, Dailor: free" in text
    assert "2  toy" not in said(await shell.run("Anna", "games --mine"))
    found = json.loads(said(await shell.run("Anna", "games --json --open")))
    assert [game["number"] for game in found] == [2, 1]


async def test_status_sentence_has_one_full_stop(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, WEST)
    assert hosted.info.status.endswith(".")
    async with shell.client("guest") as connection:
        process = await connection.create_process("watch 1")
        watched = await process.stdout.readline()
    listed = said(await shell.run("Anna", "games")).splitlines()[0]
    assert watched.rstrip().endswith("Turn 1 of 30. Waiting for orders of A, B and C.")
    assert listed.endswith("Turn 1 of 30. Waiting for orders of A, B and C.")


async def test_whoami_shows_account_and_seats(shell: Shell) -> None:
    shell.game_server.start(ANNA, FORD)
    text = said(await shell.run("Anna", "whoami"))
    assert text == "Anna: account 1\ngame 1, ford: Eldoin\n"
    assert "administrator" in said(await shell.run("Root", "whoami"))
    assert "only watch" in said(await shell.run("guest", "whoami"))


@pytest.mark.parametrize(
    ("command", "code", "text"),
    [
        ("sing", Exit.USAGE, "there is no command 'sing'; help lists them"),
        ("watch", Exit.USAGE, "the following arguments are required: N; see help watch"),
        ("watch 7", Exit.USAGE, "there is no game 7; games lists them"),
        ("watch -1", Exit.USAGE, "no number of a game"),
        ("watch 99999999999999999999", Exit.USAGE, "no number of a game"),
        ("dump 1 --sea Amber", Exit.USAGE, "unrecognized arguments: --sea Amber; see help dump"),
        ("sit 1 Nobody", Exit.USAGE, "game 1 has no seat 'Nobody'"),
        ("sit 1 2", Exit.USAGE, "game 1 has no seat '2'; it has Amber (seat 0), Birch (seat 1)"),
        ("new chess", Exit.USAGE, "chess"),
        ("new toy --option x", Exit.USAGE, "x"),
        ("say 1", Exit.USAGE, "say what?"),
        ("games 'a", Exit.USAGE, "no closing quotation; see help"),
        ("admin list", Exit.REFUSED, "Only administrators may do that."),
        ("x" * 3000, Exit.USAGE, "a command may have 2000 characters"),
    ],
)
async def test_wrong_command_is_one_line_and_an_exit_code(
    shell: Shell, command: str, code: Exit, text: str
) -> None:
    shell.game_server.start(ANNA, TOY)
    ended = await shell.run("Anna", command)
    assert ended.exit_status == code
    assert ended.stdout == ""
    assert str(ended.stderr).startswith("banneret: ")
    assert text in str(ended.stderr)
    assert str(ended.stderr).count("\n") == 1


async def test_guests_may_only_watch(shell: Shell) -> None:
    shell.game_server.start(ANNA, FORD)
    for command in ("new toy", "sit 1 Dailor", "bot --game 1 --seat Dailor"):
        ended = await shell.run("guest", command)
        assert (ended.exit_status, ended.stderr) == (1, "banneret: You may only watch here.\n")


async def test_administrators_reach_the_operators_commands(shell: Shell) -> None:
    assert said(await shell.run("Root", "admin ban Anna --why 'too loud'")) == "done\n"
    assert shell.administered == [(("ban", "Anna", "--why", "too loud"), "Root")]
    wrong = await shell.run("Root", "admin")
    assert (wrong.exit_status, wrong.stderr) == (Exit.USAGE, "what?\n")


async def test_administrators_see_the_runs_of_the_lab(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("study.lab.status.default_runs", lambda: tmp_path / "lab")
    RunFolder.create(tmp_path / "lab" / "night", LabPlan("toy", ("easy",)))
    assert "never begun" in said(await shell.run("Root", "lab status"))
    assert said(await shell.run("Root", "lab status night --ascii")).startswith("night  toy - ")
    for name, command, text in (
        ("Anna", "lab status", "Only administrators may do that."),
        ("Root", "lab status ../lab/night", "there is no run"),
        ("Root", "lab run toy", "invalid choice"),
    ):
        ended = await shell.run(name, command)
        assert ended.exit_status != Exit.OK
        assert text in str(ended.stderr)


async def test_ascii_is_written_on_request(shell: Shell) -> None:
    players = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"))
    start = NewGame("weltendaemmerung", "ford", players=players, name="Dämmerung")
    shell.game_server.start(ANNA, start)
    assert "1  Dämmerung: " in said(await shell.run("Anna", "games"))
    assert said(await shell.run("Anna", "games --ascii")).isascii()


async def test_help_lists_all_commands_each_with_an_example(shell: Shell) -> None:
    text = said(await shell.run("guest", "help"))
    listed = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
    assert listed == [one.name for one in SSH] == list(HANDLERS)
    assert said(await shell.run("guest", "--help")) == text
    for one in SSH:
        more = said(await shell.run("guest", f"help {one.name}"))
        assert f"usage: {one.usage}" in " ".join(more.split())
        assert one.examples in more
        if one.name != "admin":
            assert said(await shell.run("guest", f"{one.name} --help")) == more


def test_documentation_has_exactly_these_commands() -> None:
    text = (ROOT / "docs" / "hosting-commands.md").read_text(encoding="utf-8")
    headings = [line.removeprefix("### ") for line in text.splitlines() if line.startswith("### ")]
    assert headings == [one.name for one in SSH]
    for one in SSH:
        assert one.examples in text
        assert f"`{one.usage}`" in text


WORDS = st.sampled_from(
    [*HANDLERS, "1", "2", "-1", "--json", "--seat", "--game", "--bot", "Amber", "toy", "--", "'"]
)
STRINGS = st.lists(WORDS | st.text(max_size=8), max_size=6).map(" ".join)


async def never_breaks(shell: Shell, commands: list[str]) -> None:
    """Check that each command ends with an exit code and at most one error line, and the server
    lives.
    """
    async with shell.client("Anna") as connection:
        for command in commands:
            sent = command.replace("\0", " ")
            ended = await connection.run(sent, input=b"", encoding=None, timeout=PATIENCE)
            assert ended.exit_status in set(Exit), command
            assert isinstance(ended.stderr, bytes)
            assert ended.stderr.count(b"\n") == (ended.exit_status != Exit.OK), command
            assert b"Traceback" not in ended.stderr, command
        assert (await connection.run("status")).exit_status == Exit.OK


async def drawn(shell: Shell, many: int) -> None:
    hosted = await finished(shell)
    assert hosted.is_over
    shell.game_server.start(ANNA, TOY)
    commands: list[str] = []

    @settings(max_examples=many)
    @given(STRINGS)
    def draw(command: str) -> None:
        commands.append(command)

    draw()
    await never_breaks(shell, [one for one in commands if not one.startswith("watch")])


async def test_no_command_breaks_the_server(shell: Shell) -> None:
    await drawn(shell, 60)


@pytest.mark.slow
async def test_none_of_many_commands_breaks_the_server(shell: Shell) -> None:
    await drawn(shell, 5000)


async def test_output_holds_no_control_characters(shell: Shell) -> None:
    async with shell.client("Anna") as connection:
        for command in ("\x1b]0;x\x07", "sit 1 \x1b[2J", "help \x9b2J", "new \u202ex", "a\rb\nc"):
            ended = await connection.run(command)
            told = str(ended.stdout) + str(ended.stderr)
            assert all(sign.isprintable() or sign == "\n" for sign in told), repr(told)


@needs_ssh
async def test_real_ssh_gives_commands(shell: Shell, tmp_path: Path) -> None:
    await finished(shell)
    real = OpenSSH(shell, tmp_path)
    ended = await real.run("ssh", "Anna@127.0.0.1", "games")
    assert b"1  ford: " in ended.out
    ended = await real.run("ssh", "Anna@127.0.0.1", "save 1")
    assert ended.out == (tmp_path / "ford.bnr").read_bytes()
    ended = await real.run("ssh", "Anna@127.0.0.1", "sing")
    assert (ended.code, ended.out) == (Exit.USAGE, b"")
    assert b"there is no command 'sing'" in ended.err
    ended = await real.run("ssh", "-tt", "Anna@127.0.0.1", "save 1")
    assert b"without -t" in ended.out + ended.err


async def test_internal_fault_is_logged_and_not_revealed(shell: Shell) -> None:
    def broken() -> tuple[GameInfo, ...]:
        raise ZeroDivisionError("secret")

    shell.game_server.games = broken  # type: ignore[method-assign]
    ended = await shell.run("Anna", "games")
    assert ended.stderr == "banneret: a fault of this host; the operator is told\n"
    assert [type(fault) for fault in shell.faults] == [ZeroDivisionError]
    shell.faults.clear()
