"""Keys that arrive together are handled in order, and their effects are drawn."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from math import inf
from pathlib import Path
from string import ascii_lowercase
from threading import Thread
from time import sleep

import pytest
from textual import events
from textual.keys import key_to_character
from textual.widgets import Input, OptionList

from tests.tui.piloted_app import FORD, Desk, desk

THAINFAL = replace(FORD, scenario="thainfal")


async def at_once(at: Desk, *keys: str) -> None:
    """Send keys in one packet."""
    for key in keys:
        at.app.post_message(events.Key(key, key_to_character(key)))
    await at.rest()


async def test_steps_at_once_end_where_single_steps_end(tmp_path: Path) -> None:
    chance = random.Random(1)  # noqa: S311 - only picks keys
    keys = chance.choices(("up", "down", "left", "right", "tab"), k=40)
    async with desk(tmp_path / "one", start=FORD) as at:
        await at.press(*keys)
        alone, text = at.cursor, at.text
    async with desk(tmp_path / "all", start=FORD) as at:
        await at_once(at, *keys)
        assert at.cursor == alone
        assert at.text == text


@pytest.mark.parametrize(
    "keys",
    [
        "up p",
        "right up p f left T",
        "left D right w w tab f D o o space o space left D o p space x D",
        "x M left T x w left tab v tab p up T space M w o M tab",
        "M left D",
    ],
)
async def test_keys_at_once_show_what_single_keys_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    """However many keys are drawn together: remarks stay, and the panel fits its place."""
    shown = []
    for seconds in (0.0, inf):
        monkeypatch.setattr("tui.screens.map._BREATH", seconds)
        async with desk(tmp_path / f"{seconds}", start=THAINFAL) as at:
            pressed = [*keys.split(), "question_mark"]
            await (at_once(at, *pressed) if seconds else at.press(*pressed))
            await at.press("escape")
            shown.append(at.text)
    assert shown[0] == shown[1]


async def test_letter_after_the_key_that_opens_a_field_goes_into_it(
    tmp_path: Path,
) -> None:
    async with desk(tmp_path, start=FORD) as at:
        await at_once(at, "right", "slash", "a", "b", "backspace", "c")
        assert isinstance(at.app.focused, Input)
        assert at.app.focused.value == "ac"


async def test_key_kept_by_the_screen_does_not_delay_the_next(tmp_path: Path) -> None:
    """The screen takes letters of labels; they never come back to the app."""
    async with desk(tmp_path, start=FORD) as at:
        await at.press("right")
        for _ in range(2):
            at.game.action_labels()
            await at.press("j")
            after_jump = at.cursor
            await at_once(at, "right", "right")
            assert at.cursor == (after_jump[0] + 2, after_jump[1])


async def test_effect_of_a_key_is_drawn_when_the_next_opens_a_screen(tmp_path: Path) -> None:
    async with desk(tmp_path, start=FORD) as at:
        game = at.game
        await at_once(at, "right", "question_mark")
        assert at.app.screen is not game
        assert game.board.cursor == (game.session.focus.x, game.session.focus.y)


def type_from_a_thread(at: Desk, seconds: float, *keys: str) -> asyncio.Event:
    """Send keys as a terminal does, whatever the program is doing; return what marks the last."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def send() -> None:
        for key in keys:
            event = events.Key(key, key_to_character(key))
            loop.call_soon_threadsafe(at.app.post_message, event)
            sleep(seconds)
        loop.call_soon_threadsafe(done.set)

    Thread(target=send).start()
    return done


async def test_keys_typed_while_a_window_opens_keep_their_order(tmp_path: Path) -> None:
    """Keys that waited for the window come before one that arrives when it is ready."""
    async with desk(tmp_path, start=FORD) as at:
        for seconds in (0.002, 0.004, 0.01, 0.02) * 2:
            await type_from_a_thread(at, seconds, "slash", *ascii_lowercase).wait()
            await at.rest()
            assert isinstance(at.app.focused, Input)
            assert at.app.focused.value == ascii_lowercase
            await at.press("escape")


async def test_keys_for_a_menu_stay_in_it(tmp_path: Path) -> None:
    """Arrows typed while a menu opens move neither the map's cursor nor a later choice."""
    async with desk(tmp_path, start=FORD) as at:
        before = at.cursor
        for seconds in (0, 0.002, 0.01, 0.02):
            await type_from_a_thread(at, seconds, "i", "down", "down", "up").wait()
            await at.rest()
            assert at.app.screen.query_one(OptionList).highlighted == 1
            await at.press("escape")
            assert at.cursor == before
