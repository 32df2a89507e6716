"""Screens over SSH, with clients in the same process."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from typing import Any

import pytest
from textual.app import App

from host.ssh import driver as drivers
from host.ssh.terminal_session import BROKEN, SessionTimes
from tests.host.ground import ADA, DEVICE, Ground, Screen, alone, hosting, screen, together
from tests.patience import PATIENCE, until
from tests.tui.terminal_input import HARMLESS, Stream

LEFT = b"\x1b[?25h\x1b[?1049l"
"""Sequences that show the cursor and restore the main screen."""


@pytest.mark.portable
async def test_screen_is_painted_takes_keys_and_restores_the_terminal() -> None:
    async with hosting() as ground, ground.connection(ground.ada) as line:
        at = await screen(line)
        await at.until("80x24 truecolor")
        at.press("aa")
        await at.until("Ada: 2")
        at.press("q")
        await at.over()
        assert at.process.exit_status == 0
        assert at.raw.endswith(LEFT)
        assert b"\x1b[?1002l" in at.raw


async def test_keys_typed_before_the_first_picture_are_kept() -> None:
    async with hosting() as ground, ground.connection(ground.ada) as line:
        at = await screen(line, answers=b"a\x1b[1;2Ra\x1bP1$r48:2::1:2:3m\x1b\\a" + DEVICE + b"a")
        at.press("a")
        await at.until("Ada: 5")


async def test_keys_of_every_kind_arrive() -> None:
    async with alone() as (_, at):
        for sent, key in (("\x1b", "escape"), ("\x1b[A", "up"), ("\x1bOE", "5"), ("é", "é")):
            at.press(sent)
            await at.until(f"key {key}")
        at.press("\x1b[200~aaa\x1b[201~")
        await at.until("pasted 3")
        assert "Ada: 0" in at.text


async def test_resizes_are_followed_and_impossible_sizes_are_bounded() -> None:
    async with hosting() as ground, ground.connection(ground.ada) as line:
        at = await screen(line)
        await at.until("80x24")
        at.resize(100, 30)
        await at.until("100x30")
        for width in range(1, 300):
            at.process.change_terminal_size(width, 20)
        at.resize(90, 20)
        await at.until("90x20")
        for told, size in (((0, 0), (80, 24)), ((1, 1), (1, 1)), ((10000, 10000), (500, 200))):
            at.process.change_terminal_size(*told)
            await at.until(lambda size=size: ground.apps[0].size == size)  # type: ignore[misc]


async def test_typed_size_report_is_ignored() -> None:
    async with hosting() as ground, ground.connection(ground.ada) as line:
        at = await screen(line)
        await at.until("80x24")
        at.press("\x1b[48;9000;9000;0;0t\x1b[<0;3;3M")
        await press_until(at, "a", "Ada: ")
        assert ground.apps[0].size == (80, 24)


async def test_session_survives_garbage_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "MOST_PASTED", 2000)
    async with alone() as (_, at):
        at.press(b"\x1b[99999999999u\xff\xfe\x00\x1b[\x1bP\x1b[<1;1m\x1b[M\x1b" + b"\x1b[" * 40)
        await press_until(at, "x", "key x")
        at.press(b"\x1b[200~" + b"a" * 5_000 + b"\x1b[201~")
        await at.until(lambda: at.has_rung)
        await press_until(at, "a", "Ada: 1")


@pytest.mark.parametrize(
    "size", [5_000, pytest.param(100_000, marks=pytest.mark.slow)], ids=["", "long"]
)
async def test_exactly_the_planted_keys_act(size: int) -> None:
    async with alone() as (ground, at):
        stream = Stream(size, size, keys=HARMLESS, silences=False)
        for chunk, _ in stream:
            at.press(chunk)
        app = ground.apps[0]
        async with asyncio.timeout(PATIENCE + size / 1000):
            while app.keys < len(stream.keys):
                await asyncio.sleep(0.02)
        await press_until(at, "a", "Ada: 1")
        assert app.names[: len(stream.keys)] == stream.keys
        assert {*app.names[len(stream.keys) :]} == {"a"}


async def test_excess_keys_of_a_flood_are_dropped() -> None:
    async with alone() as (ground, at):
        at.press(b"x" * 8_000 + b"\x1b[<35;5;5M" * 300)
        most = 0
        async with asyncio.timeout(PATIENCE):
            while not at.has_rung:
                most = max(most, ground.apps[0].backlog)
                await asyncio.sleep(0)
        assert 0 < most <= drivers.MOST_KEYS + 8
        await press_until(at, "a", "Ada: 1")


async def test_returning_person_finds_everything_unchanged() -> None:
    async with hosting() as ground:
        async with ground.connection(ground.ada) as line:
            at = await screen(line)
            await at.until("80x24 truecolor")
            at.press("aaa")
            await at.until("Ada: 3")
            line.abort()
        async with ground.connection(ground.ada) as line:
            at = await screen(
                line, size=(60, 20), answers=b"\x1b[1;2R\x1bP1$r48;5;16m\x1b\\\x1b[?1c"
            )
            await at.until("60x20 256")
            await at.until("Ada: 3")
            at.press("a")
            await at.until("Ada: 4")
        assert len(ground.apps) == 1


async def test_second_terminal_takes_the_session_over() -> None:
    async with (
        hosting() as ground,
        ground.connection(ground.ada) as one,
        ground.connection(ground.ada) as other,
    ):
        first = await screen(one)
        await first.until("Ada: 0")
        first.press("a")
        await first.until("Ada: 1")
        second = await screen(other)
        await second.until("Ada: 1")
        await first.over()
        assert LEFT + b"You went on from another terminal.\r\n" in first.raw
        second.press("a")
        await second.until("Ada: 2")


async def test_another_session_opens_on_request() -> None:
    async with (
        hosting() as ground,
        ground.connection(ground.ada) as one,
        ground.connection(ground.ada) as other,
    ):
        first = await screen(one)
        await first.until("Ada: 0")
        second = await screen(other, command="another")
        await second.until("Ada: 0")
        second.press("a")
        await second.until("Ada: 1")
        assert "Ada: 0" in first.text
        assert len(ground.terminals.of(ADA)) == 2


async def test_broken_program_restarts_once_and_then_ends_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with together() as (ada, ben):
        with caplog.at_level(logging.ERROR):
            ada.press("a")
            await ada.until("Ada: 1")
            ada.press("b")
            await ada.until("Ada: 0")
            ada.press("b")
            await ada.over()
        assert ada.raw.endswith(LEFT + BROKEN.encode() + b"\r\n")
        assert b"secret" not in ada.raw
        assert "a secret of the program" in caplog.text
        ben.press("a")
        await ben.until("Ben: 1")


async def test_end_of_the_server_is_announced_and_terminals_are_restored() -> None:
    async with alone() as (ground, at):
        await ground.server.close("The host is going down.")
        await at.over()
        assert at.raw.endswith(LEFT + b"The host is going down.\r\n")


async def test_abandoned_and_idle_sessions_are_closed() -> None:
    async with hosting(SessionTimes(away=0.05, idle=2000.0, warning=1000.0)) as ground:
        async with ground.connection(ground.ada) as line:
            at = await screen(line)
            await at.until("Ada: 0")
            (session,) = ground.terminals
            assert session._driver is not None
            session._driver.heard -= 1000.0
            look(ground)
            assert session.is_warned
            assert not session.has_ended
            session._driver.heard -= 1000.0
            await at.until(lambda: look(ground) and at.is_over)
            assert b"Nothing was typed for a long time. Come back to go on." in at.raw
        async with ground.connection(ground.ada) as line:
            at = await screen(line)
            await at.until("Ada: 0")
            line.abort()
        await until(lambda: look(ground) and len(ground.terminals) == 0)


async def test_client_that_does_not_read_is_bounded_and_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drivers, "PATIENCE", 0.5)
    async with hosting() as ground, ground.connection(ground.ada, room=4096) as line:
        process = await line.create_process(
            term_type="xterm",
            term_size=(200, 60),
            encoding=None,
            request_pty="force",
            window=1 << 30,
        )
        process.stdin.write(b"\x1b[1;2R\x1bP1$r48;5;16m\x1b\\" + DEVICE)
        await until(lambda: any(app.told_size.width for app in ground.apps))
        line._transport.pause_reading()  # type: ignore[union-attr]
        process.stdin.write(b"f")
        most = 0
        async with asyncio.timeout(PATIENCE):
            while not ground.noted:
                wire = next((desk._wire for desk in ground.terminals), None)
                most = max(most, wire.unsent if wire is not None else 0)
                await asyncio.sleep(0.01)
        assert ground.noted[0][0] == "slow reader dropped"
        assert drivers.FULL < most < drivers.BURST
        await until(lambda: not next(iter(ground.terminals)).is_attached)
        line.abort()


async def test_client_that_reads_again_sees_the_current_state() -> None:
    async with hosting() as ground, ground.connection(ground.ada, room=4096) as line:
        at = await screen(line, size=(200, 60))
        await at.until("Ada: 0")
        line._transport.pause_reading()  # type: ignore[union-attr]
        at.press("f")
        desk = next(iter(ground.terminals))
        await until(lambda: desk._driver is not None and desk._driver._looking is not None)
        counted = ground.apps[0].counted
        line._transport.resume_reading()  # type: ignore[union-attr]
        await at.until(lambda: at.number > counted)


async def test_closed_sessions_leave_nothing_behind() -> None:
    gc.collect()
    others = (
        apps()
    )  # of tests before this one, for all it knows; kept, so that none takes its place
    async with hosting() as ground:
        await come_and_go(ground)
        files, tasks, has_output = left_over()
        for _ in range(3):
            await come_and_go(ground)

        def is_clean() -> bool:
            gc.collect()
            now = left_over()
            return now[0] <= files and now[1] <= tasks and now[2] == has_output

        await until(is_clean)
        assert [app for app in apps() if not any(app is other for other in others)] == []


def apps() -> list[App[Any]]:
    """Return all programs in memory."""
    return [thing for thing in gc.get_objects() if isinstance(thing, App)]


async def come_and_go(ground: Ground) -> None:
    async with ground.connection(ground.ada) as line:
        at: Screen = await screen(line)
        await at.until("Ada: 0")
        at.press("a\x1b[1;3A\x1b[97;5uq")
        await at.over()
    ground.apps.clear()
    await until(lambda: ground.server.connections == 0)
    for _ in range(3):
        await asyncio.sleep(0.02)
        gc.collect()


def left_over() -> tuple[int, int, bool]:
    """Return open files, tasks, and whether standard output exists."""
    return len(os.listdir("/proc/self/fd")), len(asyncio.all_tasks()), sys.stdout is not None  # noqa: PTH208


async def press_until(at: Screen, key: str, seen: str) -> None:
    """Press a key until it is no longer dropped as excess."""
    async with asyncio.timeout(PATIENCE):
        while seen not in at.text:
            at.press(key)
            await asyncio.sleep(0.1)


async def test_two_programs_leave_stdout_alone() -> None:
    out = sys.stdout
    async with together() as (ada, ben):
        ada.press("q")
        await ada.over()
        ben.press("q")
        await ben.over()
        assert sys.stdout is out


async def test_silent_terminal_gets_no_screen() -> None:
    async with hosting() as ground, ground.connection(ground.ada) as line:
        at = await screen(line, term="dumb", answers=b"")
        await at.over()
        assert b"Ada said play --plain" in at.raw
        assert b"\x1b" not in at.raw


async def test_unclear_replies_lead_to_one_question_and_are_kept() -> None:
    async with hosting() as ground:
        async with ground.connection(ground.ada) as line:
            at = await screen(line, answers=b"\x1b[1;2R" + DEVICE)
            await at.until("Which of these lines is a smooth ramp")
            at.press(b"\x1b[?6c\x1b]11;rgb:1/1/1\x07")  # replies that come late are no choice
            at.press("2a")
            await at.until("80x24 256")
            await at.until("Ada: 1")
        async with ground.connection(ground.ada) as line:
            at = await screen(line, answers=b"\x1b[1;3R" + DEVICE)
            await at.until("80x24 256")
            assert b"Which of these" not in at.raw
            assert ground.apps[0].glyphs == "ascii"


def look(ground: Ground) -> bool:
    """Let the sessions check the time, as a server does every second."""
    ground.terminals.tick()
    return True
