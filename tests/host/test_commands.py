"""``ssh HOST COMMAND``: answers, refusals, and that nothing breaks the server."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncIterator
from pathlib import Path

import asyncssh
import pytest
import pytest_asyncio
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.archive import SeatPlayer
from engine.core.notation import write
from host.server.clocks import Terms
from host.server.ports import GameInfo
from host.ssh.ssh_commands import HANDLERS
from study.lab.plans import LabPlan
from study.lab.store import RunFolder
from tests.app.cli import ROOT
from tests.host.fakes import ANNA, BERT, FakeHosted
from tests.host.shell import OpenSSH, Shell, serving
from tests.patience import PATIENCE
from tests.programs import needs_ssh
from tui.console.commands import SSH
from tui.console.exits import Exit
from tui.play.players import think
from tui.play.setup import NewGame

FORD = NewGame(
    "weltendaemmerung",
    "ford",
    players=(SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor")),
    seed=b"1",
    name="ford",
)
WEST = NewGame(
    "gd6",
    "west",
    players=tuple(SeatPlayer(seat, "ABC"[seat]) for seat in range(3)),
    seed=b"1",
    name="west",
)
TOY = NewGame(
    "toy", players=(SeatPlayer(0, "Amber"), SeatPlayer(1, "Birch")), seed=b"1", name="toy"
)


@pytest_asyncio.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    async with serving(tmp_path) as made:
        yield made


async def finished(shell: Shell) -> FakeHosted:
    """Play a game of Anna and Bert to its end."""
    hosted = shell.game_server.start(ANNA, FORD)
    await hosted.sit(BERT, 1)
    while not hosted.is_over:
        person = ANNA if 0 in hosted.owing else BERT
        assert (await hosted.submit(person, min(hosted.owing), "end-phase")).ok
    return hosted


def said(ended: asyncssh.SSHCompletedProcess) -> str:
    assert ended.exit_status == Exit.OK, ended.stderr
    assert isinstance(ended.stdout, str)
    return ended.stdout


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


@pytest.mark.parametrize("option", ["--level", "--bot"])
async def test_game_is_begun_joined_and_left(shell: Shell, option: str) -> None:
    new = "new weltendaemmerung --scenario ford --seat Dailor=person --name 'Our Ford'"
    assert said(await shell.run("Anna", new)).startswith("Game 1, Our Ford: ")
    assert "You play Dailor" in said(await shell.run("Bert", "sit 1 dailor"))
    taken = await shell.run("Root", "sit 1 Dailor")
    assert (taken.exit_status, taken.stderr) == (1, "banneret: That seat is taken.\n")
    left = said(await shell.run("Bert", f"stand 1 Dailor {option} easy"))
    assert left == "The computer (Squire) plays Dailor for you; take it back with: sit 1 Dailor\n"
    assert "game 1, Our Ford: Dailor" in said(await shell.run("Bert", "whoami"))
    assert "Dailor: computer, easy" in said(await shell.run("Bert", "games"))


async def test_new_knows_a_game_by_its_title_too(shell: Shell) -> None:
    for number, name in enumerate(("global-domination", "GlobalDomination", "gd6"), 1):
        begun = said(await shell.run("Anna", f"new {name} --scenario west"))
        assert begun.startswith(f"Game {number}, ")
        assert "Global Domination" in begun


NEW_KALADAN = "new kaladan --seats 3 --seat"


async def test_answer_to_new_lists_the_player_of_each_seat(shell: Shell) -> None:
    told = said(await shell.run("Anna", f"{NEW_KALADAN} Player3=bot:easy"))
    rows = told.splitlines()
    assert rows[1] == "   Player 1: you; Player 2: open for a person; Player 3: computer, easy"


async def test_seat_is_named_without_blanks_as_ssh_sends_no_quotes(shell: Shell) -> None:
    torn = await shell.run("Anna", f"{NEW_KALADAN} Player 2=person")
    assert torn.exit_status == Exit.USAGE
    assert "leave out the blanks of a seat's name, as in Player2" in str(torn.stderr)
    said(await shell.run("Anna", f"{NEW_KALADAN} player-1=person --seat Player2=person"))
    taken = "You play Player 3 (seat 2) in game 1.\n"
    assert said(await shell.run("Bert", "sit 1 Player 3")) == taken
    left = said(await shell.run("Bert", "stand 1 2"))
    assert left.startswith("You have left the seat of Player 3 (seat 2) in game 1")


async def test_new_names_only_seats_that_the_scenario_has(shell: Shell) -> None:
    refused = await shell.run("Anna", "new kaladan --scenario duel --seat Weald=person")
    assert refused.exit_status == Exit.USAGE
    assert "known: Player 1 (seat 0), Player 2 (seat 1); blanks" in str(refused.stderr)


async def test_new_game_takes_terms(shell: Shell) -> None:
    new = "new weltendaemmerung --scenario ford --seat Dailor=person"
    said(await shell.run("Anna", f"{new} --turn 90s --bank 1d --late easy --unwatched"))
    assert shell.game_server.terms == Terms(90, 86_400, "easy", watched=False)
    for wrong in ("--turn 5", "--turn m", "--bank -1h", "--turn 99999999999999d", "--late best"):
        assert (await shell.run("Anna", f"{new} {wrong}")).exit_status == Exit.USAGE


async def test_clock_is_changed_only_with_permission(shell: Shell) -> None:
    shell.game_server.start(ANNA, FORD)
    assert "5:00 a turn, and 1h 0m to spare" in said(await shell.run("Anna", "clock 1 5m 1h"))
    assert shell.game_server.terms == Terms(300, 3600)
    assert "no clock" in said(await shell.run("Anna", "clock 1 0"))
    other = await shell.run("Bert", "clock 1 5m")
    assert (other.exit_status, other.stderr) == (1, "banneret: Not you.\n")
    for wrong in ("clock 1", "clock 1 soon", "clock 9 5m"):
        assert (await shell.run("Anna", wrong)).exit_status == Exit.USAGE


async def test_name_of_a_new_game_is_never_a_path(shell: Shell, tmp_path: Path) -> None:
    new = "new toy --name '../../../tmp/x\x1b[2J'"
    assert said(await shell.run("Anna", new)).startswith("Game 1, tmp x 2J: ")
    assert [path.name for path in tmp_path.glob("*.bnr")] == ["tmp x 2J.bnr"]
    scenario = await shell.run("Anna", "new toy --scenario /etc/passwd")
    assert scenario.exit_status == Exit.USAGE
    assert "no scenario" in str(scenario.stderr)


async def test_say_is_heard_and_rate_limited(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, FORD)
    said(await shell.run("Anna", "say 1 Back in --an 'hour'."))
    assert [(one.name, one.text) for one in hosted.talk()] == [("Anna", "Back in --an hour.")]
    assert shell.asked == ["chat"]
    shell.refusals = ["Too much talk."]
    ended = await shell.run("Anna", "say 1 more")
    assert (ended.exit_status, ended.stderr) == (1, "banneret: Too much talk.\n")


async def test_dump_is_redacted_until_the_game_is_over(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, TOY)
    await hosted.sit(BERT, 1)
    assert (await hosted.submit(ANNA, 0, "order band=1 path=1,0>2,0")).ok
    own = said(await shell.run("Anna", "dump 1"))
    assert "order band=1" in own
    for name in ("Bert", "guest"):
        assert "order" not in said(await shell.run(name, "dump 1"))
    other = await shell.run("Bert", "dump 1 --seat Amber")
    assert (other.exit_status, other.stderr) == (
        1,
        "banneret: The seat of Amber is not yours.\n",
    )
    lines = said(await shell.run("Anna", "dump 1 --json")).splitlines()
    assert [json.loads(line)["count"] for line in lines] == list(range(len(lines)))


async def test_debug_answers_from_the_view_of_the_seat(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, TOY)
    await hosted.sit(BERT, 1)
    assert (await hosted.submit(ANNA, 0, "order band=1 path=0,1")).ok
    own = said(await shell.run("Anna", "debug 1 where"))
    assert own.startswith("1  r1 Amber  order band=1 path=0,1")
    for name in ("Bert", "guest"):
        assert "order" not in said(await shell.run(name, "debug 1 where"))
        assert said(await shell.run(name, "debug 1 history orders")).endswith("has not changed\n")
    other = await shell.run("Bert", "debug 1 --seat Amber where")
    assert (other.exit_status, other.stderr) == (1, "banneret: The seat of Amber is not yours.\n")


async def test_debug_reads_verbs_from_input_for_a_finished_game(shell: Shell) -> None:
    await finished(shell)
    ended = await shell.run("guest", "debug 1", given="go 3\n\nback\nlast nothing\nquit\nwhere\n")
    assert ended.exit_status == Exit.REFUSED
    assert str(ended.stdout).startswith("3  ")
    assert "the nearest is" in str(ended.stderr)
    numbers = said(await shell.run("guest", "debug 1 history units.Eldoin"))
    assert numbers.startswith("0  0 -> ")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("shrink --keep loss", "is no verb of a host"),
        ("go 9999", "there is no entry 9999"),
        ("diff other.bnr@3 .", "no other files are read or written here"),
        ("'", "No closing quotation"),
        ("go", "go: the following arguments are required"),
    ],
)
async def test_debug_refuses_a_wrong_verb_in_one_line(shell: Shell, words: str, told: str) -> None:
    await finished(shell)
    quoted = words.replace("'", "\\'")
    ended = await shell.run("guest", f"debug 1 {quoted}")
    if words == "'":
        ended = await shell.run("guest", "debug 1", given="'\n")
    assert ended.exit_status != Exit.OK
    assert told in str(ended.stderr)
    assert len(str(ended.stderr).splitlines()) == 1


async def test_debug_lists_its_verbs(shell: Shell) -> None:
    await finished(shell)
    text = said(await shell.run("guest", "debug 1 help"))
    assert "history" in text
    assert "shrink" not in text
    assert "usage: history" in said(await shell.run("guest", "debug 1 help history"))


async def test_dump_needs_a_seat_from_a_player_with_two(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, TOY)
    await hosted.sit(ANNA, 1)
    ended = await shell.run("Anna", "dump 1")
    assert "Amber, Birch; name one with --seat" in str(ended.stderr)
    assert "# Amber" in said(await shell.run("Anna", "dump 1 --seat Birch"))


async def test_finished_game_is_fully_available(shell: Shell, tmp_path: Path) -> None:
    await finished(shell)
    assert "1 Eldoin: end-phase" in said(await shell.run("guest", "dump 1"))
    async with shell.client("guest") as connection:
        ended = await connection.run("save 1", encoding=None)
    assert ended.stdout == (tmp_path / "ford.bnr").read_bytes()


async def test_save_of_a_running_game_is_refused(shell: Shell) -> None:
    shell.game_server.start(ANNA, FORD)
    ended = await shell.run("Anna", "save 1")
    assert ended.exit_status == Exit.REFUSED
    assert ended.stdout == ""
    assert "ssh HOST dump 1" in str(ended.stderr)


async def test_watch_follows_the_game_to_its_end(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, FORD)
    await hosted.sit(BERT, 1)
    assert (await hosted.submit(ANNA, 0, "step unit=0 direction=up")).ok
    async with shell.client("guest") as connection:
        process = await connection.create_process("watch 1 --from-start")
        before = [await process.stdout.readline() for _ in range(11)]
        assert before[-1] == "    Eldoin's commander moves to 4,4, 9 moves left.\n"
        while not hosted.is_over:
            person = ANNA if 0 in hosted.owing else BERT
            await hosted.submit(person, min(hosted.owing), "end-phase")
        rest = await process.stdout.read()
        await process.wait()
    assert rest.endswith("The game is over.\n")
    assert process.exit_status == Exit.OK
    again = said(await shell.run("guest", "watch 1"))
    assert again.endswith("The game is over.\n")


async def test_watch_says_of_a_turn_what_the_dump_says_later(shell: Shell) -> None:
    bots = tuple(SeatPlayer(seat, "ABC"[seat], bot="easy") for seat in (1, 2))
    players = (SeatPlayer(0, "A"), *bots)
    hosted = shell.game_server.start(ANNA, dataclasses.replace(WEST, players=players))
    async with shell.client("guest") as connection:
        process = await connection.create_process("watch 1")
        await process.stdout.readline()
        for turn in (1, 2):
            seen = hosted.table.game.view(0)
            for command in think(hosted.rules, "easy", seen, 0, b"1", turn):
                assert (await hosted.submit(ANNA, 0, write(command))).ok
        live = await process.stdout.readuntil("Turn 2 of 30.")
    dumped = {line.strip() for line in said(await shell.run("guest", "dump 1")).splitlines()}
    sent = [line for line in live.splitlines() if " sends " in line and " to " in line]
    assert len(sent) == 3
    assert set(sent) <= dumped


async def test_pause_is_shown_in_lists_and_to_watchers(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, TOY)
    async with shell.client("guest") as connection:
        process = await connection.create_process("watch 1")
        await process.stdout.readline()
        for paused in ("until Anna is back", ""):
            hosted.paused = paused
            hosted.changed()
            told = await process.stdout.readline()
            assert told.rstrip() == (f"Paused {paused}." if paused else "The game goes on.")
            told = said(await shell.run("guest", "games"))
            assert ("Paused until Anna is back." in told) == bool(paused)


async def test_watching_a_seat_is_reserved_for_its_owner(shell: Shell) -> None:
    shell.game_server.start(ANNA, TOY)
    ended = await shell.run("Bert", "watch 1 --seat Amber")
    assert (ended.exit_status, ended.stderr) == (
        1,
        "banneret: The seat of Amber is not yours.\n",
    )


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
