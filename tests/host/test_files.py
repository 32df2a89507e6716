"""Files of a host: readable, not writable, and without a path to the outside."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import asyncssh
import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from host.ssh.files import MOST_HANDLES, clean_name, plain_path
from tests.host.commands import TOY, finished
from tests.host.fakes import ANNA, BERT
from tests.host.shell import OpenSSH, Shell, serving
from tests.programs import needs_ssh


@pytest_asyncio.fixture
async def shell(tmp_path: Path) -> AsyncIterator[Shell]:
    async with serving(tmp_path / "saves") as made:
        yield made


async def test_tree_shows_games_and_saves(shell: Shell) -> None:
    await finished(shell)
    shell.game_server.start(ANNA, TOY)
    async with shell.client("guest") as connection, connection.start_sftp_client() as sftp:
        assert sorted(await sftp.listdir("/")) == [".", "..", "README.txt", "finished", "games"]
        assert sorted(await sftp.listdir("/games"))[2:] == ["1-ford", "2-toy"]
        assert sorted(await sftp.listdir("finished"))[2:] == ["ford.bnr"]
        assert await sftp.isdir("/games/2-toy")
        assert not await sftp.exists("/games/3-nothing")
        assert not await sftp.exists("/README.txt/x")
        assert (await sftp.stat("/README.txt")).size == len(await _read(sftp, "/README.txt"))


async def test_save_is_complete_and_dump_is_redacted(shell: Shell, tmp_path: Path) -> None:
    await finished(shell)
    hosted = shell.game_server.start(ANNA, TOY)
    await hosted.sit(BERT, 1)
    assert (await hosted.submit(ANNA, 0, "order band=1 path=1,0>2,0")).ok
    saved = (tmp_path / "saves" / "ford.bnr").read_bytes()
    for name, secret in (("Anna", True), ("Bert", False), ("guest", False)):
        async with shell.client(name) as connection, connection.start_sftp_client() as sftp:
            text = (await _read(sftp, "/games/2-toy/dump.txt")).decode()
            assert ("order band=1" in text) == secret
            lines = (await _read(sftp, "/games/2-toy/dump.jsonl")).splitlines()
            assert json.loads(lines[0])["count"] == 0
            assert b"1 Eldoin: end-phase" in await _read(sftp, "/games/1-ford/dump.txt")
            await sftp.get("/finished/ford.bnr", tmp_path / name)
            assert (tmp_path / name).read_bytes() == saved


async def _read(sftp: asyncssh.SFTPClient, path: str) -> bytes:
    async with sftp.open(path, "rb", encoding=None) as file:
        return bytes(await file.read())  # type: ignore[arg-type]


Attempt = Callable[[asyncssh.SFTPClient], Awaitable[object]]
ATTEMPTS: tuple[Attempt, ...] = (
    lambda sftp: sftp.open("/README.txt", "wb"),
    lambda sftp: sftp.open("/README.txt", "ab"),
    lambda sftp: sftp.open("/new", "xb"),
    lambda sftp: sftp.remove("/README.txt"),
    lambda sftp: sftp.rename("/README.txt", "/x"),
    lambda sftp: sftp.posix_rename("/README.txt", "/x"),
    lambda sftp: sftp.mkdir("/x"),
    lambda sftp: sftp.rmdir("/games"),
    lambda sftp: sftp.symlink("/etc/passwd", "/x"),
    lambda sftp: sftp.link("/README.txt", "/x"),
    lambda sftp: sftp.readlink("/README.txt"),
    lambda sftp: sftp.chmod("/README.txt", 0o777),
    lambda sftp: sftp.truncate("/README.txt", 0),
    lambda sftp: sftp.statvfs("/"),
)


@pytest.mark.parametrize("version", [3, 6])
async def test_nothing_can_be_changed(shell: Shell, version: int) -> None:
    async with (
        shell.client("Root") as connection,
        connection.start_sftp_client(sftp_version=version) as sftp,
    ):
        for attempt in ATTEMPTS:
            with pytest.raises(asyncssh.SFTPError) as refused:
                await attempt(sftp)
            assert refused.value.reason == "everything here can only be read"
        assert (await _read(sftp, "/README.txt")).startswith(b"Files of a Banneret host")


async def test_no_path_leads_outside(shell: Shell) -> None:
    async with shell.client("Anna") as connection, connection.start_sftp_client() as sftp:
        for path in ("/etc/passwd", "../../etc/passwd", "/games/../../etc/passwd", "/\0", "//x"):
            with pytest.raises(asyncssh.SFTPError):
                await sftp.open(path)
        assert await sftp.realpath("games/../../..") == "/"


async def test_number_of_open_files_is_limited(shell: Shell) -> None:
    async with shell.client("Anna") as connection, connection.start_sftp_client() as sftp:
        files = [await sftp.open("/README.txt") for _ in range(MOST_HANDLES)]
        with pytest.raises(asyncssh.SFTPFailure, match="too many open files"):
            await sftp.open("/README.txt")
        await files[0].close()
        await sftp.open("/README.txt")
        handler = sftp._handler
        for _ in range(MOST_HANDLES):
            await handler.opendir(b"/")
        with pytest.raises(asyncssh.SFTPFailure, match="too many open folders"):
            await handler.opendir(b"/")


@given(st.binary(max_size=60))
def test_plain_path_has_no_dots_and_begins_at_the_root(path: bytes) -> None:
    found = plain_path(path)
    assert found.startswith("/")
    assert not {"", ".", ".."} & set(found.split("/")[1:]) or found == "/"
    assert plain_path(found.encode()) == found


@given(st.text(max_size=200))
def test_clean_name_is_one_file_name(name: str) -> None:
    found = clean_name(name)
    assert 0 < len(found) <= 80
    assert found not in {".", ".."}
    assert "/" not in found
    assert found.isprintable()


@needs_ssh
async def test_real_clients_fetch_files(shell: Shell, tmp_path: Path) -> None:
    await finished(shell)
    real = OpenSSH(shell, tmp_path)
    ended = await real.run(
        "sftp", "-b", "-", "Anna@127.0.0.1", given=b"ls -l /games\nput key /x\nls\n"
    )
    assert b"1-ford" in ended.out
    assert ended.code != 0
    ended = await real.run("scp", "Anna@127.0.0.1:/finished/ford.bnr", str(tmp_path / "got"))
    assert ended.code == 0, ended.err
    assert (tmp_path / "got").read_bytes() == (tmp_path / "saves" / "ford.bnr").read_bytes()
    ended = await real.run("scp", str(tmp_path / "got"), "Anna@127.0.0.1:/finished/new.bnr")
    assert ended.code != 0
    ended = await real.run("scp", "-O", "Anna@127.0.0.1:/README.txt", str(tmp_path))
    assert b"use scp without -O, or sftp" in ended.err
