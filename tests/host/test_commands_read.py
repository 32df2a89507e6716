"""``ssh HOST COMMAND``: games are dumped, questioned, saved and watched."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from engine.core.archive import SeatPlayer
from engine.core.notation import write
from tests.host.commands import FORD, TOY, WEST, finished, said
from tests.host.fakes import ANNA, BERT
from tests.host.shell import Shell
from tui.console.exits import Exit
from tui.play.players import think


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
        for paused in ("until Anna is back at the table", ""):
            hosted.paused = paused
            hosted.changed()
            told = await process.stdout.readline()
            assert told.rstrip() == (f"Paused {paused}." if paused else "The game goes on.")
            told = said(await shell.run("guest", "games"))
            assert ("Paused until Anna is back at the table." in told) == bool(paused)


async def test_watching_a_seat_is_reserved_for_its_owner(shell: Shell) -> None:
    shell.game_server.start(ANNA, TOY)
    ended = await shell.run("Bert", "watch 1 --seat Amber")
    assert (ended.exit_status, ended.stderr) == (
        1,
        "banneret: The seat of Amber is not yours.\n",
    )
