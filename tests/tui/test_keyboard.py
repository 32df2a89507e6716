"""Arbitrary bytes: every real key acts, and nothing else does."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from host.ssh import driver as drivers
from host.ssh.driver import MOST_PASTED, SshDriver
from tests.tui.terminal_input import KEYS, REPLIES, REPORTS, RUBBISH, Stream
from tui.terminal.driver import LocalDriver
from tui.terminal.input_units import ESCAPE_DELAY, LONGEST, SILENCE
from tui.terminal.keyboard import Keyboard

SHORT = 100_000
"""Bytes of the stream that is read in every run."""

WHOLE = (*(data for data, _ in KEYS), *REPLIES, *REPORTS, *RUBBISH)
PIECES = st.sampled_from(
    (
        *WHOLE,
        *(b"\x1b", b"[", b"]", b"P", b"O", b"\\", b"\x1b[200~", b"\x1b[201~", b"\x1b[M", b"\x1b[["),
        *(b"\x9b", b"\x9c", b"\xc2", b"\x18", b"\x1a", b"\x07", b";", b":", b"9", b"$", b"\x7f"),
    )
)
INPUT = st.lists(PIECES | st.binary(max_size=4), max_size=30).map(b"".join)


class Clock:
    """Clock that a test moves forward."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(found: Iterable[Any]) -> list[tuple[str, ...]]:
    """Return events as texts."""
    return [
        (
            type(event).__name__,
            *(str(getattr(event, name, "")) for name in ("key", "x", "y", "text")),
        )
        for event in found
    ]


def keys(found: Iterable[Any]) -> list[str]:
    return [event.key for event in found if isinstance(event, events.Key)]


def typed(*chunks: bytes | float) -> list[str]:
    """Return the keys of some chunks; numbers are seconds between them. A long silence follows."""
    clock = Clock()
    keyboard = Keyboard(clock=clock)
    found: list[Any] = []
    for chunk in (*chunks, 9.0):
        if isinstance(chunk, float):
            clock.now += chunk
            found += keyboard.tick()
        else:
            found += keyboard.feed(chunk)
    return keys(found)


# -- keys in every form ----------------------------------------------------------------------------


@pytest.mark.parametrize(("sent", "key"), KEYS)
def test_key_is_read_in_each_form(sent: bytes, key: str) -> None:
    assert typed(sent) == [key]


@pytest.mark.parametrize(
    ("sent", "key", "character"),
    [
        (b"\x1b[97;1:1u", "a", "a"),
        (b"\x1b[97:65:99;2;65u", "A", "A"),
        (b"\x1b[97::99;1u", "a", "a"),
        (b"\x1b[97;;229u", "å", "å"),
        (b"\x1b[0;;229u", "å", "å"),
        (b"\x1b[97;2u", "A", "A"),
        (b"\x1b[97;129u", "a", "a"),
        (b"\x1b[97;69u", "ctrl+a", None),
        (b"\x1b[97;7u", "alt+ctrl+a", None),
        (b"\x1b[13;129u", "enter", "\r"),
        (b"\x1b[57414;;13u", "enter", "\r"),
        (b"\x1b[57441;2u", "left_shift", None),
        (b"\x1b[27;5;9~", "ctrl+tab", None),
        (b"\x1b[27;2;65~", "A", "A"),
        (b"\x1b[5;5~", "ctrl+pageup", None),
        (b"\x1b[[A", "f1", None),
        (b"\x1bO5P", "ctrl+f1", None),
        (b"\x1b[25~", "f13", None),
        (b"\x1b[23$", "f23", None),
    ],
)
def test_key_has_the_character_that_it_types(sent: bytes, key: str, character: str | None) -> None:
    keyboard = Keyboard(clock=(clock := Clock()))
    found = keyboard.feed(sent)
    clock.now = ESCAPE_DELAY
    (event,) = [*found, *keyboard.tick()]
    assert isinstance(event, events.Key)
    assert (event.key, event.character) == (key, character)


@pytest.mark.parametrize("sent", [*REPLIES, *REPORTS, *RUBBISH])
def test_non_keys_give_no_key_whole_or_byte_by_byte(sent: bytes) -> None:
    assert typed(sent, b"k") == ["k"]
    slowly: list[bytes | float] = []
    for byte in sent:
        slowly += [bytes((byte,)), ESCAPE_DELAY / 2]
    assert typed(*slowly, b"k") == ["k"]


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        (b"\x1b[<0;3;4M", ("MouseDown", 2, 3)),
        (b"\x1b[<0;3;4m", ("MouseUp", 2, 3)),
        (b"\x1b[M\x20\xc3\x24", ("MouseDown", 162, 3)),
        (b"\x1b[32;163;4M", ("MouseDown", 162, 3)),
        (b"\x1b[96;3;4M", ("MouseScrollUp", 2, 3)),
    ],
)
def test_old_and_new_mouse_reports_agree(sent: bytes, found: tuple[str, float, float]) -> None:
    (event,) = Keyboard().feed(sent)
    assert isinstance(event, events.MouseEvent)
    assert (type(event).__name__, event.x, event.y) == found


def test_old_release_report_names_the_pressed_button() -> None:
    down, up = Keyboard().feed(b"\x1b[M\x22\x24\x24\x1b[M\x23\x24\x24")
    assert isinstance(down, events.MouseDown)
    assert isinstance(up, events.MouseUp)
    assert down.button == up.button == 3


# -- unfinished sequences --------------------------------------------------------------------------


def test_lone_escape_is_a_key_after_a_delay_else_alt() -> None:
    assert typed(b"\x1b", ESCAPE_DELAY, b"k") == ["escape", "k"]
    assert typed(b"\x1b", ESCAPE_DELAY / 2, b"k") == ["alt+k"]
    assert typed(b"\x1b\x1b[A") == ["escape", "up"]
    assert typed(b"\x1b[", ESCAPE_DELAY, b"k") == ["alt+left_square_bracket", "k"]
    assert typed(b"\x1bP", ESCAPE_DELAY, b"k") == ["alt+shift+p", "k"]


@pytest.mark.parametrize(
    "begun", [b"\x1b]11;", b"\x1bPq", b"\x1b_G", b"\x1b^a", b"\x1bXa", b"\x9d1"]
)
def test_unfinished_string_ends_by_length_silence_or_cancel(begun: bytes) -> None:
    assert typed(begun + b"x" * LONGEST * 2)[-1:] == ["x"]
    assert typed(begun, SILENCE - 0.1, b"k" * 9) == []
    assert typed(begun, SILENCE, b"k") == ["k"]
    for cancel in (b"\x18", b"\x1a", b"\x1b\\", b"\x1b[0n"):
        assert typed(begun + cancel + b"k") == ["k"]
    assert typed(begun, b"\x1b", SILENCE / 2, b"\\k") == ["k"]


def test_sequence_is_cut_short_by_a_foreign_byte() -> None:
    assert typed(b"\x1b[1;\x03") == ["ctrl+c"]
    assert typed("\x1b[1;é".encode()) == ["é"]
    assert typed(b"\x1b[1;\x1b[A") == ["up"]
    assert typed(b"\x1b[" + b"1" * LONGEST + b"k") == []
    assert typed(b"\x1b[1;", SILENCE, b"k") == ["k"]


def test_paste_keeps_any_content_and_needs_an_end() -> None:
    inside = b"q\x1b[A\x1b]11;x\x07\xe4\x00q"
    (pasted,) = Keyboard().feed(b"\x1b[200~" + inside + b"\x1b[201~")
    assert isinstance(pasted, events.Paste)
    assert pasted.text == "q\x1b[A\x1b]11;x\x07\ufffdq"
    keyboard = Keyboard(clock=(clock := Clock()))
    assert keyboard.feed(b"\x1b[200~qqq") == []
    clock.now = SILENCE
    assert keyboard.tick() == []
    assert keyboard.was_too_much
    assert keys(keyboard.feed(b"k")) == ["k"]


# -- any bytes -------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(INPUT, st.lists(st.integers(1, 9), min_size=1, max_size=20))
def test_chunks_make_no_difference(data: bytes, sizes: list[int]) -> None:
    whole, pieces = Keyboard(), Keyboard()
    found: list[Any] = []
    at = turn = 0
    while at < len(data):
        size = sizes[turn % len(sizes)]
        found += pieces.feed(data[at : at + size])
        at, turn = at + size, turn + 1
    assert told(found) == told(whole.feed(data))


@settings(max_examples=50, deadline=None)
@given(st.lists(INPUT | st.sampled_from((ESCAPE_DELAY, SILENCE)), max_size=6))
def test_key_after_any_bytes_and_a_silence_is_read(chunks: list[bytes | float]) -> None:
    assert typed(*chunks, SILENCE, b"k")[-1:] == ["k"]


def read_keyboard(stream: Stream) -> list[str]:
    """Return the keys that a keyboard reads from a stream, with the stream's timing."""
    clock = Clock()
    keyboard = Keyboard(clock=clock)
    found: list[str] = []
    for chunk, silence in stream:
        found += keys(keyboard.feed(chunk))
        clock.now += silence or ESCAPE_DELAY / 20
        found += keys(keyboard.tick())
    return found


class Program:
    """A stand-in for a driver's program that keeps the keys."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.backlog = 0
        self.faults: list[Exception] = []

    def post_message(self, message: Message) -> None:
        self.keys += keys([message])

    def fail_input(self, error: Exception) -> None:
        self.faults.append(error)


class Local(LocalDriver):
    """The driver of this process, for a pipe in place of its terminal."""

    def read(self, descriptor: int) -> None:
        """Read keys to the end of the input, with a stopped clock."""
        self.fileno = descriptor
        self._read_keys(Keyboard(clock=Clock()))


async def read_locally(stream: Stream) -> list[str]:
    """Return the keys that come through the local driver and its thread."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    program = Program()
    reading, writing = os.pipe()
    try:
        driver = Local(program)

        def write() -> None:
            for chunk, _ in stream:
                rest = chunk
                while rest:
                    rest = rest[os.write(writing, rest) :]
            os.close(writing)

        await asyncio.gather(asyncio.to_thread(write), asyncio.to_thread(driver.read, reading))
        await asyncio.sleep(0)
    finally:
        os.close(reading)
        for number, handler in handlers.items():
            signal.signal(number, handler)
    return program.keys


class Hosted(SshDriver):
    """The driver of a host's screens, without a screen."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._keyboard = Keyboard(MOST_PASTED, clock=Clock())
        self._is_started = True

    def _backlog(self) -> int:
        return 0


async def read_hosted(stream: Stream) -> list[str]:
    """Return the keys that come through the driver of screens over SSH."""
    program = Program()
    driver = Hosted(program)
    for chunk, _ in stream:
        await driver.hear(chunk)
    driver.detach()
    return program.keys


def test_exactly_the_planted_keys_are_read() -> None:
    stream = Stream(1, SHORT)
    assert read_keyboard(stream) == stream.keys
    assert len(stream.keys) > SHORT // 100


async def test_exactly_the_planted_keys_come_through_both_drivers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drivers, "FASTEST", 1 << 40)
    for read in (read_locally, read_hosted):
        stream = Stream(2, SHORT // 2, silences=False)
        assert await read(stream) == stream.keys


@pytest.mark.slow
async def test_ten_million_bytes_come_through_both_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "FASTEST", 1 << 40)
    for seed in range(10):
        for read in (read_locally, read_hosted):
            stream = Stream(seed, 1_000_000, silences=False)
            assert await read(stream) == stream.keys
        stream = Stream(seed, 1_000_000)
        assert read_keyboard(stream) == stream.keys
