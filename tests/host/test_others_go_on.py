"""A screen that breaks closes alone: its person returns to the lobby, others notice nothing."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from host.screens import remote
from host.server.hosted import HostedGame
from host.ssh.terminal_session import BROKEN
from tests.host.test_secrecy import ANNA, BERT, CARL, GD6, At, connected, hosting, sent
from tests.tui.planted import F_KEYS, KINDS, PRIVATE, BrokenHosted
from tui.console.faults import reports


def listeners(game: HostedGame) -> int:
    """Return the number of screens linked to a game."""
    return sum(len(ear._links) for ear in game.feeds._feeds.values())


async def test_fault_of_any_kind_returns_its_person_to_the_lobby(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(remote, "HostedScreen", BrokenHosted)
    async with hosting(tmp_path / "host", monkeypatch) as (host, keys):
        game = await host.game_server.begin(ANNA, GD6)
        assert await game.sit(BERT, 1) == ""
        bert, carl = At(host, BERT), At(host, CARL)
        await carl.press(b"\r")
        before = listeners(game)
        for number, key in enumerate(F_KEYS, 1):
            await bert.press(b"\r")
            assert BROKEN.encode() not in await bert.picture()
            with caplog.at_level(logging.ERROR):
                await bert.breaks(key)
            shown = await bert.picture()
            assert b"Bert in the lobby" in shown
            assert BROKEN.encode()[:40] in shown
            assert len(reports()) == number
        assert PRIVATE.encode() not in bert.tape.sent
        assert caplog.text.count("planted.py") >= len(KINDS)
        assert all(PRIVATE not in path.read_text() for path in reports())
        assert listeners(game) == before
        await carl.quiet()
        assert (await game.submit(ANNA, 0, "seal")).ok
        await carl.quiet()
        assert b"A seals its orders." in carl.tape.taken()
        async with connected(host, keys["Bert"]) as line:
            assert b"Anna" in await sent(line, "games")
        await bert.press(b"\r")
        assert b"A seals its orders." in await bert.picture()
        await bert.leave()
        await carl.leave()
