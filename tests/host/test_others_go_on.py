"""A screen that breaks ends alone: whoever else is on the host notices nothing."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tests.host.test_secrecy import ANNA, BERT, CARL, GD6, At, connected, hosting, sent
from tui.ssh.desks import BROKEN


async def test_a_game_screen_that_breaks_ends_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with hosting(tmp_path / "host", monkeypatch) as (host, keys):
        game = await host.house.begin(ANNA, GD6)
        assert await game.sit(BERT, 1) == ""
        bert, carl = At(host, BERT), At(host, CARL)
        for screen in (bert, carl):
            await screen.press(b"\r")
        app = host.desks.of(BERT)[0].app
        assert app is not None
        with caplog.at_level(logging.ERROR):
            app.screen.call_later(_break)
            await bert.gone()
        assert BROKEN.encode() in bert.tape.sent
        assert b"a secret of the program" not in bert.tape.sent
        assert "a secret of the program" in caplog.text
        assert b"Bert (away)" in await carl.picture()
        assert (await game.submit(ANNA, 0, "seal")).ok
        await carl.quiet()
        assert b"A has sealed" in carl.tape.taken()
        async with connected(host, keys["Bert"]) as line:
            assert b"Anna" in await sent(line, "games")
        again = At(host, BERT)
        assert b"A has sealed" in await again.picture()
        await again.leave()
        await carl.leave()


def _break() -> None:
    message = "a secret of the program"
    raise RuntimeError(message)
