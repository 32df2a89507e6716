"""A person whose seat a computer plays may look at the game, and a line says so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.host.servers import ANNA, BERT, FORD, game_server
from tests.host.shell import Shell, serving
from tests.host.test_game_server import SECRET
from tui.console.exits import Exit
from tui.play.setup import NewGame

NOTICE = "The computer (Squire) plays {} for you; take it back with: sit 1 {}\n"


@pytest_asyncio.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    async with game_server(tmp_path) as home, serving(tmp_path / "unused", home) as made:
        yield made


async def stood_in(shell: Shell, start: NewGame) -> None:
    """Begin a game of Anna's and Bert's in which a computer plays for Anna."""
    game = await shell.served.begin(ANNA, start)
    assert await game.sit(BERT, 1) == ""
    assert await game.stand(ANNA, 0, "easy") == ""


@pytest.mark.parametrize("start", [SECRET, FORD])
@pytest.mark.parametrize("command", ["dump 1", "debug 1 where", "dump 1 --json"])
async def test_owner_of_a_seat_looks_while_a_computer_plays_it(
    shell: Shell, start: NewGame, command: str
) -> None:
    await stood_in(shell, start)
    name = "A" if start is SECRET else "Eldoin"
    ended = await shell.run("Anna", command)
    assert (ended.exit_status, ended.stderr) == (Exit.OK, NOTICE.format(name, name))
    assert ended.stdout
    other = await shell.run("Bert", command)
    assert (other.exit_status, other.stderr) == (Exit.OK, "")


async def test_owner_watches_with_the_eyes_of_a_seat_that_a_computer_plays(shell: Shell) -> None:
    await stood_in(shell, SECRET)
    async with shell.client("Anna") as connection:
        process = await connection.create_process("watch 1")
        assert "Turn 1 of 30" in await process.stdout.readline()
        assert await process.stderr.readline() == NOTICE.format("A", "A")
        process.close()


async def test_owner_plays_in_lines_and_is_not_called_while_a_computer_plays(shell: Shell) -> None:
    await stood_in(shell, SECRET)
    ended = await shell.run("Anna", "play --plain 1", given="status\nquit\n")
    text = " ".join(str(ended.stdout).split())
    assert ended.exit_status == Exit.OK, ended.stderr
    assert " ".join(NOTICE.format("A", "A").split()) in text
    assert "A (you)" in text
    assert "It is your turn." not in text


async def test_seat_is_played_again_after_it_was_taken_back_in_another_connection(
    shell: Shell,
) -> None:
    await stood_in(shell, SECRET)
    async with shell.client("Anna") as connection:
        process = await connection.create_process("play --plain 1")
        await process.stdout.readuntil("take it back with: sit 1 A")
        assert (await shell.run("Anna", "sit 1 A")).exit_status == Exit.OK
        assert "have changed" in await process.stdout.readuntil("have changed.")
        assert "It is your turn." in await process.stdout.readuntil("your turn.")
        process.stdin.write("quit\n")
        await process.wait()


async def test_spectator_of_a_seat_played_by_a_computer_still_sees_only_the_public_view(
    shell: Shell,
) -> None:
    await stood_in(shell, SECRET)
    ended = await shell.run("Root", "dump 1 --seat A")
    assert (ended.exit_status, ended.stderr) == (1, "banneret: The seat of A is not yours.\n")


async def test_person_who_plays_in_lines_is_here_until_leaving(shell: Shell) -> None:
    game = await shell.served.begin(ANNA, FORD)
    async with shell.client("Anna") as connection:
        process = await connection.create_process("play --plain 1")
        await process.stdout.readuntil("help lists what you can type.")
        assert game.info.seats[0].is_here
        process.stdin.write("quit\n")
        await process.wait()
    assert not game.info.seats[0].is_here


async def test_side_that_a_computer_plays_has_the_name_of_the_game(shell: Shell) -> None:
    await stood_in(shell, FORD)
    place = (await shell.served.game(1)).place(BERT)
    assert [place.side_name(seat) for seat in (0, 1)] == ["Eldoin", place.player(1).name]
    assert place.player(0).name != "Eldoin"
