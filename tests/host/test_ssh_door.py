"""Authentication over SSH, and the requests that the host grants."""

from __future__ import annotations

import asyncio
import logging
import stat
from pathlib import Path

import asyncssh
import pytest

from host.server.people import GUEST, Person
from host.ssh.hostkey import fingerprint, host_key, known_hosts_line
from host.ssh.ssh_connection import TRIES, Key
from host.ssh.terminal_session import BROKEN
from tests.host.ground import ADA, Ground, hosting, screen
from tests.patience import PATIENCE, until
from tests.programs import needs_ssh, program


async def run(line: asyncssh.SSHClientConnection, command: str) -> tuple[int | None, bytes, bytes]:
    """Run a command; return its exit code, output and error output."""
    done = await line.run(command, encoding=None)
    assert isinstance(done.stdout, bytes)
    assert isinstance(done.stderr, bytes)
    return done.exit_status, done.stdout, done.stderr


@pytest.mark.portable
async def test_command_runs_for_the_owner_of_the_key() -> None:
    async with hosting() as ground, ground.connection(ground.ben) as line:
        assert await run(line, "status --json") == (3, b"Ben said status --json\n", b"")


async def test_broken_command_prints_one_line_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with hosting() as ground, ground.connection(ground.ben) as line:
        with caplog.at_level(logging.ERROR):
            code, out, err = await run(line, "raise")
        assert (code, out, err) == (70, b"", BROKEN.encode() + b"\n")
        assert "a secret of the command" in caplog.text
        assert (await run(line, "x"))[0] == 3


async def test_session_without_terminal_and_command_is_explained() -> None:
    async with hosting() as ground, ground.connection(ground.ben) as line:
        process = await line.create_process(encoding=None)
        _, err = await process.communicate()
        assert err.startswith(b"This is played on a terminal")
        assert err.count(b"\n") == 1


async def test_unknown_key_with_a_command_gets_one_line() -> None:
    async with hosting() as ground:
        stranger = asyncssh.generate_private_key("ssh-ed25519")
        async with ground.connection(stranger) as line:
            code, out, err = await run(line, "games")
            assert (code, out) == (1, b"")
            assert err.startswith(b"This key is not known here")


@pytest.mark.portable
async def test_unknown_key_becomes_a_person_with_a_code_and_a_name() -> None:
    async with hosting() as ground:
        ground.hall.codes["good-code"] = Person(7, "")
        stranger = asyncssh.generate_private_key("ssh-ed25519")
        async with ground.connection(stranger) as line:
            at = await screen(line)
            await at.until("Code:")
            at.press("bad\x7f\x7f\x7fwrong\r")
            await at.until("There is no such invitation.")
            assert "Your name" not in at.text, "a wrong code is refused at once"
            await at.until(lambda: at.text.count("Code:") == 2)
            at.press("good-code\rEve\r")
            await at.until("Eve: 0")
        async with ground.connection(stranger) as line:
            assert (await run(line, "x"))[1] == b"Eve said x\n"


async def test_taken_name_is_asked_again_without_the_code() -> None:
    async with hosting() as ground:
        ground.hall.codes["good-code"] = Person(7, "")
        stranger = asyncssh.generate_private_key("ssh-ed25519")
        async with ground.connection(stranger) as line:
            at = await screen(line)
            await at.until("Code:")
            at.press("bad\r" * (TRIES - 1))
            await at.until(lambda: at.text.count("Code:") == TRIES)
            at.press(f"good-code\r{ADA.name}\r")
            await at.until("Choose another.")
            await at.until(lambda: at.text.count("Your name") == 2)
            assert at.text.count("Code:") == TRIES, "wrong names do not use up the tries of codes"
            at.press("Eve\r")
            await at.until("Eve: 0")


async def test_number_of_enrolment_attempts_is_limited() -> None:
    stranger = asyncssh.generate_private_key("ssh-ed25519")
    async with hosting() as ground, ground.connection(stranger) as line:
        at = await screen(line)
        for _ in range(TRIES):
            at.press("x\ry\r")
        await at.over()
        assert at.raw.count(b"There is no such invitation.") == TRIES
        assert at.process.exit_status == 1


@pytest.mark.portable
async def test_only_keys_give_access() -> None:
    async with hosting() as ground:
        with pytest.raises(asyncssh.PermissionDenied):
            async with ground.connection(None, "guest"):
                pass


async def test_guests_need_no_key_if_allowed() -> None:
    async with hosting(guests=True) as ground:
        async with ground.connection(None, "guest") as line:
            at = await screen(line)
            await at.until("guest: 0")
        with pytest.raises(asyncssh.PermissionDenied):
            async with ground.connection(None, "somebody"):
                pass


async def test_key_that_was_only_offered_does_not_make_a_guest_its_owner() -> None:
    async with hosting(guests=True) as ground:
        door = ground.server._connection()
        door.begin_auth("ada")
        assert door.validate_public_key("ada", ground.ada.convert_to_public())
        assert not door.begin_auth("guest")
        assert door.key is None


async def test_banned_person_reads_the_reason() -> None:
    async with hosting() as ground:
        ground.hall.bans[ground.ben.get_fingerprint()] = "cheating"
        async with ground.connection(ground.ben) as line:
            assert (await run(line, "x"))[2] == b"You may not come here: cheating\n"
            at = await screen(line)
            await at.over()
            assert at.raw == b"You may not come here: cheating\r\n"


@pytest.mark.parametrize("kind", ["connection", "session", "exec"])
async def test_rate_limits_are_checked(kind: str) -> None:
    async with hosting() as ground:
        ground.hall.refused.add(kind)
        if kind == "connection":
            with pytest.raises((asyncssh.Error, OSError)):
                async with ground.connection(ground.ben):
                    pass
        else:
            async with ground.connection(ground.ben) as line:
                if kind == "session":
                    with pytest.raises(asyncssh.ChannelOpenError, match="Too many of session"):
                        await run(line, "x")
                else:
                    assert (await run(line, "x"))[2] == b"Too many of exec, wait a minute.\n"
        assert ground.hall.notes


async def test_forwarding_and_environment_are_refused() -> None:
    async with hosting() as ground, ground.connection(ground.ben) as line:
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.open_connection("127.0.0.1", ground.server.port)
        with pytest.raises(asyncssh.ChannelListenError):
            await line.forward_remote_port("", 0, "127.0.0.1", 1)
        with pytest.raises(asyncssh.ChannelOpenError):
            await line.open_unix_connection("/nowhere")
        seen: list[object] = []
        ground.watch = lambda process: seen.append(dict(process.env))
        await line.run("x", env={"LD_PRELOAD": "evil"}, encoding=None)
        assert seen == [{}]


async def test_kicked_person_reads_the_reason() -> None:
    async with hosting() as ground, ground.connection(ground.ben) as line:
        at = await screen(line)
        await at.until("Ben: 0")
        ground.server.kick(2, "Take a rest.")
        await at.over()
        assert at.raw.endswith(b"Take a rest.\r\n")


async def test_connection_lost_during_the_account_lookup_breaks_nothing(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def slow(key: Key) -> Person | None:
        asked.set()
        await may_answer.wait()
        return ground.hall.people.get(key.fingerprint)

    async with hosting() as ground:
        monkeypatch.setattr(ground.hall, "person", slow)
        async with ground.connection(ground.ben) as line:
            await screen(line)
            await asked.wait()
            line.abort()
        await until(lambda: not ground.server.connections)
        may_answer.set()
        async with ground.connection(ground.ada) as line:
            await (await screen(line)).until("Ada: 0")
    assert "broke" not in caplog.text


async def test_watching_guests_are_kicked_together() -> None:
    async with (
        hosting(guests=True) as ground,
        ground.connection(None, "guest") as one,
        ground.connection(ground.ben) as other,
    ):
        at, ben = await screen(one), await screen(other)
        await at.until("guest: 0")
        await ben.until("Ben: 0")
        ground.server.kick(GUEST, "Take a rest.")
        await at.over()
        assert at.raw.endswith(b"Take a rest.\r\n")
        ben.press("a")
        await ben.until("Ben: 1")


def test_host_keeps_its_key(tmp_path: Path) -> None:
    made = host_key(tmp_path / "host")
    assert host_key(tmp_path / "host") == made
    mode = stat.S_IMODE((tmp_path / "host" / "host_key").stat().st_mode)
    assert mode == 0o600
    assert fingerprint(made).startswith("SHA256:")
    line = known_hosts_line(made, "example.org", 8022)
    assert line.startswith("[example.org]:8022 ssh-ed25519 AAAA")
    assert known_hosts_line(made, "example.org", 22).startswith("example.org ssh-ed25519 ")


# -- the real client -------------------------------------------------------------------------------


@needs_ssh
async def test_openssh_runs_commands_and_is_refused_forwarding(tmp_path: Path) -> None:
    async with hosting() as ground:
        code, out, err = await usual(
            ground, tmp_path, "-R", "0:127.0.0.1:1", "-A", "-X", "-C", "hi"
        )
        assert (code, out) == (3, b"Ada said hi\n"), err
        assert b"remote port forwarding failed" in err


@needs_ssh
async def test_openssh_shows_a_screen(tmp_path: Path) -> None:
    async with hosting() as ground:
        process = await client(ground, tmp_path, "-tt")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\x1b[1;2R\x1bP1$r48;5;16m\x1b\\\x1b[?1;2c")
        async with asyncio.timeout(PATIENCE):
            await process.stdout.readuntil(b"Ada: 0")
            process.stdin.write(b"aq")
            left = await process.stdout.read()
            assert await process.wait() == 0
        assert left.endswith(b"\x1b[?25h\x1b[?1049l")


async def usual(ground: Ground, folder: Path, *words: str) -> tuple[int | None, bytes, bytes]:
    """Run a command with OpenSSH's client."""
    process = await client(ground, folder, *words)
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    return process.returncode, out, err


async def client(ground: Ground, folder: Path, *words: str) -> asyncio.subprocess.Process:
    """Start OpenSSH's client, with the host's key as documented for people."""
    key, known = folder / "key", folder / "known"
    key.write_bytes(ground.ada.export_private_key("openssh"))
    key.chmod(0o600)
    known.write_text(known_hosts_line(ground.host_key, "127.0.0.1", ground.server.port) + "\n")
    options = [
        *("-F", "none", "-i", str(key), "-p", str(ground.server.port)),
        *("-o", f"UserKnownHostsFile={known}", "-o", "StrictHostKeyChecking=yes"),
        *("-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none"),
    ]
    flags = [word for word in words if word.startswith("-") or ":" in word]
    command = [word for word in words if word not in flags]
    return await asyncio.create_subprocess_exec(
        program("ssh"),
        *options,
        *flags,
        "127.0.0.1",
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"TERM": "xterm-256color", "HOME": str(folder), "PATH": "/usr/bin:/bin"},
    )
