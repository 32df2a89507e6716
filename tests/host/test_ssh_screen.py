"""Screens over SSH, with a client in the same process."""

from __future__ import annotations

from tests.host.ground import hosting, screen


async def test_a_screen_is_painted_and_listens_to_keys() -> None:
    async with hosting() as ground, ground.connection(ground.ada) as line:
        at = await screen(line)
        await at.until("80x24 truecolor")
        at.press("aa")
        await at.until("Ada: 2")
        at.press("q")
        await at.over()
        assert at.process.exit_status == 0
        assert at.raw.rstrip().endswith(b"\x1b[?1049l")
