"""Playing without a screen over SSH: lines at a terminal and through a pipe, and programs."""

from __future__ import annotations

import asyncio
import json
import os
import pty
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import asyncssh
import pytest
import pytest_asyncio

from engine.core.archive import SeatPlayer
from host.server.ports import Said
from host.ssh.console import Editor, Interrupted
from host.ssh.text import Backlog, TooSlow, lines_from, visible_json
from tests.host.commands import FORD, TOY
from tests.host.fakes import ANNA, BERT, FakeHosted
from tests.host.servers import game_server
from tests.host.shell import OpenSSH, Shell, serving
from tests.patience import PATIENCE, until
from tests.programs import needs_ssh
from tui.console.exits import Exit
from tui.play.setup import NewGame

AGAINST_EASY = NewGame(
    "weltendaemmerung",
    "ford",
    players=(SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor", "easy")),
    seed=b"1",
    name="easy",
)


@pytest_asyncio.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    async with serving(tmp_path / "saves") as made:
        yield made


async def two(shell: Shell, start: NewGame = FORD) -> FakeHosted:
    hosted = shell.game_server.start(ANNA, start)
    assert await hosted.sit(BERT, 1) == ""
    return hosted


class Terminal:
    """A person at a terminal."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self.process = process
        self.text = ""

    def type(self, text: str) -> None:
        self.process.stdin.write(text)

    async def sees(self, text: str) -> str:
        """Wait for a text; return all output since the text of the previous call."""
        while text not in self.text:
            got = await asyncio.wait_for(self.process.stdout.read(4096), PATIENCE)
            assert got, self.text
            self.text += got
        before, found, self.text = self.text.partition(text)
        return before + found


async def at_terminal(
    connection: asyncssh.SSHClientConnection, command: str, columns: int = 80
) -> Terminal:
    process = await connection.create_process(
        command, term_type="vt220", term_size=(columns, 24), encoding="utf-8"
    )
    return Terminal(process)


# -- lines ---------------------------------------------------------------------------------------


async def test_script_plays_through_a_pipe(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, AGAINST_EASY)
    script = "units idle\nnext\nmove 3 north\nundo\nend yes\nagain\nwhy\nluck\nsave\nquit\n"
    ended = await shell.run("Anna", "play --plain 1", given=script)
    text = str(ended.stdout)
    assert ended.exit_status == Exit.OK, ended.stderr
    assert "Taken back: Eldoin" in text
    assert "This game is called 'easy'." in text
    assert text.endswith("The game goes on without you.\n")
    assert len(hosted.table.game.log) > 3
    assert all(len(row) <= 78 for row in text.splitlines() if not row.startswith("> "))
    assert hosted.watching == []
    assert hosted.listeners == {}


async def test_end_of_input_leaves_the_game(shell: Shell) -> None:
    shell.game_server.start(ANNA, AGAINST_EASY)
    ended = await shell.run("Anna", "play --plain", given="look")
    assert ended.exit_status == Exit.OK
    assert str(ended.stdout).endswith("The input has ended. The game goes on without you.\n")


async def test_typed_lines_are_echoed_and_can_be_edited(shell: Shell) -> None:
    await two(shell)
    async with shell.client("Anna") as connection:
        anna = await at_terminal(connection, "play --plain 1")
        await anna.sees("> ")
        anna.type("wherx\x7fe\r")
        assert "wherx\b \be\r\n" in await anna.sees("The cursor is at")
        await anna.sees("> ")
        anna.type("nonsense\x15stat\x1b[A\x1bOPus\r")
        await anna.sees("status\r\n")
        await anna.sees("Dailor: person.")
        await anna.sees("> ")
        anna.type("\x03")
        await anna.sees("Interrupted. The game goes on without you.\r\n")
        await anna.process.wait()
        assert anna.process.exit_status == Exit.INTERRUPTED


async def test_news_of_others_arrive_while_a_line_is_typed(shell: Shell) -> None:
    hosted = await two(shell)
    async with shell.client("Bert") as connection:
        bert = await at_terminal(connection, "play --plain 1")
        await bert.sees("> ")
        bert.type("sta")
        await bert.sees("sta")
        assert (await hosted.submit(ANNA, 0, "step unit=0 direction=up")).ok
        before = await bert.sees("> sta")
        assert before.startswith("\r\nEldoin's commander moves to 4,4, 9 moves left.\r\n")
        bert.type("tus\r")
        await bert.sees("Dailor: person, you.")
        assert (await hosted.submit(ANNA, 0, "end-phase")).ok
        await bert.sees("It is your turn.")
        await bert.sees("> ")
        hosted.say(ANNA, "Hurry.")
        await bert.sees("Anna: Hurry.")
        await bert.sees("> ")
        bert.type("say I do\x04.\r")
        await bert.sees("Bert: I do.")
        bert.type("end yes\rquit\r")
        await bert.sees("The game goes on without you.")
        await bert.process.wait()
    assert 0 in hosted.owing


async def test_secrets_are_visible_to_their_seat_only(shell: Shell) -> None:
    hosted = await two(shell, TOY)
    script = "march 1; e e\nlog 99\nquit\n"
    mine = str((await shell.run("Anna", "play --plain 1", given=script)).stdout)
    assert "Press Enter" not in mine
    assert "will march" in mine
    other = str((await shell.run("Bert", "play --plain 1", given="log 99\nquit\n")).stdout)
    assert "will march" not in other
    assert 0 in hosted.owing


async def test_loss_of_a_seat_is_noticed(shell: Shell) -> None:
    hosted = await two(shell)
    async with shell.client("Anna") as connection:
        anna = await at_terminal(connection, "play --plain 1", columns=40)
        await anna.sees("> ")
        await hosted.stand(ANNA, 0)
        await anna.sees("Your seats in this game have changed.")
        await anna.sees("> ")
        anna.type("end-phase\rundo\r")
        await anna.sees("Spectators give no commands.")
        anna.type("\x04quit\r")
        await anna.process.wait()


async def test_open_question_ends_with_its_turn(shell: Shell) -> None:
    hosted = await two(shell)
    async with shell.client("Anna") as connection:
        anna = await at_terminal(connection, "play --plain 1")
        await anna.sees("> ")
        anna.type("end\r")
        await anna.sees("Type yes or no.")
        assert (await hosted.submit(ANNA, 0, "end-phase")).ok  # at another screen of hers
        await anna.sees("The game went on before you answered.")
        await anna.sees("> ")
        assert len(hosted.table.game.log) == 2
        anna.type("quit\r")
        await anna.process.wait()


async def test_notice_of_the_host_has_no_speaker(shell: Shell) -> None:
    hosted = await two(shell)
    hosted.said.append(Said("", "Bert plays Dailor.", 0.0))
    script = "say Well.\ntalk\nquit\n"
    ended = str((await shell.run("Anna", "play --plain 1", given=script)).stdout)
    assert "\nBert plays Dailor.\nAnna: Well.\n" in ended


async def test_number_of_players_in_lines_is_limited(shell: Shell) -> None:
    await two(shell)
    shell.slots = asyncio.Semaphore(0)
    ended = await shell.run("Anna", "play --plain 1")
    assert ended.stderr == "banneret: Too many play in lines now. Come back later.\n"


async def test_play_asks_for_the_game_if_ambiguous(shell: Shell) -> None:
    ended = await shell.run("Anna", "play --plain")
    assert "you play none" in str(ended.stderr)
    shell.game_server.start(ANNA, FORD)
    shell.game_server.start(ANNA, TOY)
    ended = await shell.run("Anna", "play --plain")
    assert ended.stderr == "banneret: which game? 2 toy, 1 ford\n"
    assert "for the screen" in str((await shell.run("Anna", "play 1")).stderr)


async def test_lost_connection_ends_the_playing_thread(shell: Shell) -> None:
    hosted = await two(shell)
    async with shell.client("Anna") as connection:
        anna = await at_terminal(connection, "play --plain 1")
        await anna.sees("> ")
        connection.abort()
    await until(lambda: not hosted.watching and not hosted.listeners)


@needs_ssh
async def test_real_ssh_plays_at_a_terminal(shell: Shell, tmp_path: Path) -> None:
    hosted = await two(shell)
    real = OpenSSH(shell, tmp_path)
    there, here = pty.openpty()
    seen = b""
    task = asyncio.ensure_future(
        real.run("ssh", "-tt", "Anna@127.0.0.1", "play --plain 1", terminal=here)
    )
    os.set_blocking(there, False)

    async def sees(text: bytes) -> None:
        nonlocal seen
        async with asyncio.timeout(PATIENCE):
            while text not in seen:
                await asyncio.sleep(0.01)
                try:
                    seen += os.read(there, 4096)
                except BlockingIOError:
                    continue
        seen = seen.partition(text)[2]

    await sees(b"> ")
    os.write(there, b"step unit=0 direction=upp\x7f\r")
    await sees(b"moves to 4,4")
    os.write(there, b"quit\r")
    await sees(b"The game goes on without you.")
    assert (await task).code == Exit.OK
    os.close(there)
    os.close(here)
    assert len(hosted.table.game.log) == 2


# -- programs ------------------------------------------------------------------------------------


class Program:
    """A program that speaks the bot protocol."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self.process = process

    def say(self, **message: Any) -> None:
        self.process.stdin.write(json.dumps(message) + "\n")

    async def hears(self, kind: str) -> dict[str, Any]:
        line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)
        message: dict[str, Any] = json.loads(line)
        assert message["type"] == kind, message
        return message


async def test_program_takes_a_free_seat_and_plays_with_a_person(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, FORD)
    async with shell.client("Bert") as connection:
        bot = Program(await connection.create_process("bot --game 1 --seat Dailor"))
        assert (await bot.hears("hello"))["seat"] == 1
        bot.say(type="ready")
        await bot.hears("state")
        await hosted.submit(ANNA, 0, "end-phase")
        await bot.hears("events")
        await bot.hears("turn")
        bot.say(type="act", id=1, command="attack unit=0 at=1,1")
        assert (await bot.hears("error"))["id"] == 1
        bot.say(type="act", id=2, command="end-phase")
        await bot.hears("events")
        assert (await bot.hears("done"))["id"] == 2
        bot.say(type="bye")
        await bot.hears("bye")
        await bot.process.wait()
        assert bot.process.exit_status == Exit.OK
    assert hosted.watching == []


async def test_end_of_the_game_is_sent_after_the_last_answer(shell: Shell) -> None:
    hosted = await two(shell)
    async with shell.client("Bert") as connection:
        bot = Program(await connection.create_process("bot --game 1 --seat 1"))
        await bot.hears("hello")
        bot.say(type="ready")
        await bot.hears("state")
        kinds: list[str] = []
        while True:
            if 0 in hosted.owing:
                await hosted.submit(ANNA, 0, "end-phase")
            message = json.loads(await asyncio.wait_for(bot.process.stdout.readline(), PATIENCE))
            kinds.append(message["type"])
            if message["type"] == "turn":
                bot.say(type="act", command="end-phase")
            if message["type"] == "bye":
                break
        assert kinds[-3:] == ["events", "done", "bye"]
        assert message["winners"] == [0]
        assert message["won"] is False
        assert await bot.process.stdout.read() == ""


async def test_program_that_loses_its_seat_is_notified(shell: Shell) -> None:
    hosted = await two(shell)
    async with shell.client("Bert") as connection:
        bot = Program(await connection.create_process("bot --game 1 --seat Dailor"))
        await bot.hears("hello")
        bot.say(type="ready")
        await bot.hears("state")
        await hosted.stand(BERT, 1)
        assert "somebody else" in (await bot.hears("bye"))["reason"]
        await bot.process.wait()


async def test_program_at_another_persons_seat_is_refused(shell: Shell) -> None:
    await two(shell)
    ended = await shell.run("Anna", "bot --game 1 --seat Dailor")
    assert (ended.exit_status, ended.stderr) == (1, "banneret: That seat is taken.\n")


async def test_floods_and_rubbish_are_answered_one_by_one(shell: Shell) -> None:
    await two(shell)
    rubbish = ["{", "[" * 5000, "x" * 70_000, '{"type":"sing"}', "\x00\x1b[2J", "7"]
    shell.refusals = ["wait"]
    ended = await shell.run(
        "Bert", "bot --game 1 --seat Dailor", given="\n".join([*rubbish * 50, '{"type":"bye"}'])
    )
    said = [json.loads(line) for line in str(ended.stdout).splitlines()]
    assert [one["type"] for one in said] == ["hello", *["error"] * 250, "bye"]
    assert {one["code"] for one in said[1:-1]} == {"NO_JSON", "TOO_LONG"}
    assert ended.exit_status == Exit.OK


async def test_client_that_never_reads_is_dropped_with_a_note(shell: Shell) -> None:
    hosted = await two(shell)
    shell.most_waiting = 20
    for command in ("bot --game 1 --seat Dailor", "watch 1"):
        async with shell.client("Bert") as connection:
            process = await connection.create_process(command, window=4096, max_pktsize=1024)
            process.stdin.write('{"type":"ready"}\n')
            await until(lambda: hosted.watching)
            process.channel.pause_reading()
            await asyncio.sleep(0.05)
            for _ in range(40):
                await hosted.submit(ANNA, 0, "step unit=0 direction=up")
                await hosted.submit(ANNA, 0, "undo")
            await until(lambda: not hosted.watching)
    assert shell.notes == ["slow-reader"] * 2


# -- the whole host ------------------------------------------------------------------------------


async def test_person_and_program_play_on_a_real_game_server(tmp_path: Path) -> None:
    async with game_server(tmp_path) as real, serving(tmp_path / "games", real) as shell:
        new = "new weltendaemmerung --scenario ford --seat Dailor=person --name real"
        begun = await shell.run("Anna", new)
        assert begun.exit_status == Exit.OK, begun.stderr
        async with shell.client("Bert") as connection:
            bot = await connection.create_process("bot --game 1 --seat Dailor")
            person = await connection.create_process("watch 1")
            bot.stdin.write('{"type":"ready"}\n')
            script = asyncio.ensure_future(_act_at_every_turn(bot))
            anna = ["end yes", *["end yes"] * 17]
            async with shell.client("Anna") as own:
                playing = Terminal(await own.create_process("play --plain 1", term_type="vt100"))
                for line in anna:
                    await playing.sees("It is your turn.")
                    await playing.sees("> ")
                    playing.type(f"{line}\r")
                await playing.sees("The game is over.")
                await playing.sees("> ")
                playing.type("luck\rquit\r")
                await playing.sees("The game goes on without you.")
            assert (await script)["won"] is False
            assert str(await person.stdout.read()).endswith("The game is over.\n")
        assert "1 Eldoin: end-phase" in str((await shell.run("guest", "dump 1")).stdout)
        saved = await shell.run("Anna", "games")
        assert "1  real: " in str(saved.stdout)
        assert "; 0 watching" in str(saved.stdout)


async def _act_at_every_turn(bot: asyncssh.SSHClientProcess[str]) -> dict[str, Any]:
    """End the phase at every turn; return the goodbye."""
    while True:
        message: dict[str, Any] = json.loads(await bot.stdout.readline())
        if message["type"] == "turn":
            bot.stdin.write('{"type":"act","command":"end-phase"}\n')
        if message["type"] == "bye":
            return message


# -- parts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "echo", "lines"),
    [
        ("ab\r", "ab\n", ["ab"]),
        ("a\r\nb\n", "a\nb\n", ["a", "b"]),
        ("one two\x17x\r", "one two" + "\b \b" * 3 + "x\n", ["one x"]),
        ("漢\x7fa\r", "漢" + "\b \b" * 2 + "a\n", ["a"]),
        ("\x7f", "\a", []),
        ("\x1b[1;5Aa\x1bxb\r", "ab\n", ["ab"]),
        ("a\x1b]11;rgb:1e/1e/1e\x1b\\\x1bP>|x\x1b\\b\r", "ab\n", ["ab"]),
        ("a\x04\r", "a\a\n", ["a"]),
        ("a\tb\r", "a b\n", ["a b"]),
    ],
)
def test_line_editor_echoes_and_returns_typed_lines(
    typed: str, echo: str, lines: list[str]
) -> None:
    editor = Editor()
    done = [editor.press(sign) for byte in typed.encode() for sign in editor.signs(bytes([byte]))]
    assert "".join(one.echo for one in done) == echo
    assert [one.line for one in done if one.line is not None] == lines


def test_ctrl_c_and_ctrl_d_leave() -> None:
    editor = Editor()
    editor.press("a")
    with pytest.raises(Interrupted):
        editor.press("\x03")
    editor.press("\x15")
    with pytest.raises(EOFError):
        editor.press("\x04")


@pytest.mark.parametrize("only_ascii", [False, True])
def test_visible_json_keeps_its_meaning(*, only_ascii: bool) -> None:
    line = json.dumps({"text": "\x9b2J\u202eä漢\U0001f3f0\x7f"}, ensure_ascii=False)
    shown = visible_json(line, only_ascii=only_ascii)
    assert json.loads(shown) == json.loads(line)
    assert shown.isprintable()
    assert shown.isascii() == only_ascii


async def test_backlog_is_bounded() -> None:
    backlog: Backlog[int] = Backlog(4)
    for number in range(3):
        backlog.put(number)
    assert await backlog.get() == (0, 1, 2)
    for number in range(5):
        backlog.put(number)
    with pytest.raises(TooSlow):
        await backlog.get()


class Pieces:
    """A reader that returns the given pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)

    async def read(self, n: int = -1) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""


async def test_lines_are_cut_from_arriving_pieces() -> None:
    reader = Pieces(b"one\r\ntw", b"o\n\xff\xc3", b"\xa4\n", b"x" * 30, b"y\nz" * 2, b"\nend")
    found = [line async for line in lines_from(cast("Any", reader), 8)]
    assert found == ["one", "two", "\ufffdä", None, "zy", "z", "end"]
