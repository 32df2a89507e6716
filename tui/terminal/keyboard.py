"""Keys, clicks and pastes, parsed from the bytes that a terminal sends, local or over SSH.

``UnitReader`` cuts the bytes into units; here the meaningful ones become Textual's events, under
Textual's own names of keys. Replies of terminals and all other units give no events.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from time import monotonic
from typing import Final

from textual import constants, events
from textual._keyboard_protocol import FUNCTIONAL_KEYS, MODIFIER_FUNCTIONAL_KEYS
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from tui.terminal.input_units import LONGEST_PASTE, InputKind, InputUnit, UnitReader
from tui.terminal.internals import key_of, keys_of_sequence, mouse_event

_KEY: Final = re.compile(
    r"(?P<code>\d{0,7})(?::(?P<shifted>\d{0,7}))?(?::\d{0,7})?"
    r"(?:;(?P<modifiers>\d{0,3})(?::(?P<type>\d?))?(?:;(?P<text>[\d:]{0,60}))?)?"
    r"(?P<final>[u~A-FHPQRS])"
)
"""A key in the form of xterm and the kitty protocol."""

_OTHER_KEY: Final = re.compile(r"27;(?P<modifiers>\d{1,3});(?P<code>\d{1,7})~")
"""A key in the form of xterm's ``modifyOtherKeys``."""

_MOUSE: Final = re.compile(r"<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])")
_URXVT_MOUSE: Final = re.compile(r"(\d{1,5});(\d{1,5});(\d{1,5})M")
_CURSOR: Final = re.compile(r"\d*;\d*R")
"""Report of the cursor's position; F3 with modifiers looks like it, and has no binding."""

_SYNC: Final = re.compile(r"\?2026;[1-4]\$y")

_SHIFT, _ALT = 1, 2
_MODIFIERS: Final = ("shift", "alt", "ctrl", "super", "hyper", "meta")
"""Modifiers by bit. Caps Lock and Num Lock follow, which do not change the key."""

_TYPES: Final = {None, "", "1", "2"}
"""Types of key events that act: a press, and a repeat."""

_OLD: Final = 32
"""Number added to each value in an old mouse report."""

_WHEEL, _MOVED, _NO_BUTTON = 64, 32, 3


class Keyboard:
    """Turns a terminal's input into Textual's events; never raises, for any bytes."""

    def __init__(
        self, longest_paste: int = LONGEST_PASTE, *, clock: Callable[[], float] = monotonic
    ) -> None:
        """Make a reader; pastes longer than ``longest_paste`` bytes are dropped."""
        self.was_too_much = False
        """True if the last ``feed`` or ``tick`` dropped a paste."""
        self._reader = UnitReader(
            escape_delay=constants.ESCAPE_DELAY, longest_paste=longest_paste, clock=clock
        )
        self._mouse = MouseReader()

    @property
    def wait(self) -> float | None:
        """Seconds until ``tick`` is due; None if nothing is open."""
        return self._reader.wait

    def feed(self, data: bytes) -> list[Message]:
        """Take the next bytes of input; return the events that they complete."""
        return self._events(self._reader.feed(data))

    def tick(self) -> list[Message]:
        """Return the events of a sequence that has timed out; [] if there is none."""
        return self._events(self._reader.tick())

    def _events(self, units: Iterable[InputUnit]) -> list[Message]:
        self.was_too_much = False
        return [event for unit in units for event in self._events_of(unit)]

    def _events_of(self, unit: InputUnit) -> Iterator[Message]:
        match unit.kind:
            case InputKind.TEXT:
                for sign in unit.text:
                    yield events.Key(*_typed(sign))
            case InputKind.ESCAPE:
                yield events.Key("escape", "\x1b")
            case InputKind.ALT:
                yield from _keys(_with_alt(unit.text))
            case InputKind.CONTROL:
                yield from self._controlled(unit.text)
            case InputKind.SHIFT:
                yield from _keys(_shifted(unit.text))
            case InputKind.MOUSE:
                code, x, y = (ord(sign) - _OLD for sign in unit.text)
                yield from self._mouse.old(code, x, y)
            case InputKind.PASTE:
                yield events.Paste(unit.text.replace("\x00", ""))
            case InputKind.CUT_PASTE:
                self.was_too_much = True

    def _controlled(self, text: str) -> Iterator[Message]:
        if found := _MOUSE.fullmatch(text):
            code, x, y = map(int, found.group(1, 2, 3))
            yield from self._mouse.event(code, x, y, found[4])
        elif found := _URXVT_MOUSE.fullmatch(text):
            code, x, y = map(int, found.groups())
            yield from self._mouse.old(code - _OLD, x, y)
        elif text == "I":
            yield events.AppFocus()
        elif text == "O":
            yield events.AppBlur()
        elif _SYNC.fullmatch(text):
            yield TerminalSupportsSynchronizedOutput()
        elif not _CURSOR.fullmatch(text):
            yield from _keys(_pressed(text))


class MouseReader:
    """Turns mouse reports into events."""

    def __init__(self) -> None:
        self._event = mouse_event()
        self._held = 0

    def event(self, code: int, x: int, y: int, state: str) -> list[Message]:
        """Return the events of a report in SGR form; ``state`` is ``m`` for a release."""
        found = self._event(f"\x1b[<{code};{x};{y}{state}") if x and y else None
        return [found] if found is not None else []

    def old(self, code: int, x: int, y: int) -> list[Message]:
        """Return the events of an old report, which does not name the released button."""
        if code < 0 or x < 0 or y < 0:
            return []
        if code & (_WHEEL | _MOVED):
            return self.event(code, x, y, "M")
        if code & _NO_BUTTON == _NO_BUTTON:
            return self.event(code & ~_NO_BUTTON | self._held, x, y, "m")
        self._held = code & _NO_BUTTON
        return self.event(code, x, y, "M")


# -- keys ------------------------------------------------------------------------------------------

NamedKey = tuple[str, str | None]
"""Textual's name of a key, and the character that it types, if any."""


def _keys(named: Iterable[NamedKey]) -> Iterator[Message]:
    for key in named:
        yield events.Key(*key)


@lru_cache(maxsize=2048)
def _typed(sign: str) -> NamedKey:
    """Return the key of a character."""
    known = keys_of_sequence(sign)
    return (known[0] if known else key_of(sign)), sign


@lru_cache(maxsize=512)
def _with_alt(sign: str) -> tuple[NamedKey, ...]:
    """Return the key that sends a character after an ``ESC``, ignoring Ctrl."""
    if known := _known(f"\x1b{sign}"):
        return known
    if not sign.isprintable():
        return (_typed(sign),)
    name = f"shift+{sign.lower()}" if sign.isupper() else _typed(sign)[0]
    return ((f"alt+{name}", None),)


@lru_cache(maxsize=512)
def _known(sequence: str) -> tuple[NamedKey, ...]:
    """Return the keys of a sequence that Textual knows, or the character that it means."""
    keys = keys_of_sequence(sequence)
    if keys is None:
        return ()
    if len(keys) == 2 and keys[0] == "escape":
        return ((f"alt+{keys[1]}", None),)
    return tuple(_typed(key) if len(key) == 1 else (key, None) for key in keys)


@lru_cache(maxsize=512)
def _shifted(text: str) -> tuple[NamedKey, ...]:
    """Return the keys of a sequence after SS3, in which some terminals send modifiers."""
    numbers, final = text[:-1], text[-1]
    return _pressed(f"1;{numbers.rpartition(';')[2]}{final}") if numbers else _known(f"\x1bO{text}")


@lru_cache(maxsize=512)
def _pressed(text: str) -> tuple[NamedKey, ...]:
    """Return the keys of a control sequence; none for a release, or if it is no key."""
    if found := _OTHER_KEY.fullmatch(text):
        return _modified(found["code"], found["code"], found["modifiers"], "", "u")
    found = _KEY.fullmatch(text)
    if found is None:
        return _known(f"\x1b[{text}")
    if found["type"] not in _TYPES:
        return ()
    code, modifiers = found["code"] or "1", found["modifiers"] or "1"
    if found["final"] == "u" and not found["code"]:
        return ()
    return _modified(
        code, found["shifted"] or "", modifiers, found["text"] or "", found["final"]
    ) or _known(f"\x1b[{text}")


def _modified(
    code: str, shifted: str, modifiers: str, text: str, final: str
) -> tuple[NamedKey, ...]:
    """Return keys of the kitty protocol: one per typed character, or one that types nothing."""
    bits = max(0, int(modifiers) - 1) & (1 << len(_MODIFIERS)) - 1
    name = FUNCTIONAL_KEYS.get(f"{int(code)}{final}")
    if name in MODIFIER_FUNCTIONAL_KEYS:
        return ((name, None),)
    if name is None and final != "u":
        return ()
    typed = [sign for number in text.split(":") if (sign := _sign(number))]
    if not typed and name is None and bits & ~_SHIFT == 0:
        typed = _guessed(_sign(code), _sign(shifted), is_shifted=bool(bits))
    if typed:
        return tuple((_combined(name or key_of(sign), sign, bits), sign) for sign in typed)
    if name is None:
        sign = _sign(code)
        return ((_combined(key_of(sign), None, bits), None),) if sign else ()
    return ((_combined(name, None, bits), None if bits else _CHARACTERS.get(name)),)


_CHARACTERS: Final = {"backspace": "\x7f", "enter": "\r", "tab": "\t", "escape": "\x1b"}


def _guessed(sign: str, shifted: str, *, is_shifted: bool) -> list[str]:
    """Guess the character that a key types, as the terminal does not report it; none if unknown.

    ``sign`` and ``shifted`` are the key's characters without and with Shift, as far as reported.
    """
    if not is_shifted:
        return [sign] if sign else []
    if shifted:
        return [shifted]
    return [sign.upper()] if len(sign.upper()) == 1 and sign.upper() != sign else []


def _combined(name: str, sign: str | None, bits: int) -> str:
    """Return a key with its modifiers, as Textual names it: a character implies Shift and Alt."""
    held = [word for bit, word in enumerate(_MODIFIERS) if bits >> bit & 1]
    if sign is not None:
        held = [word for word in held if word != "alt" and (word != "shift" or sign.isspace())]
    return "+".join((*sorted(held), name))


def _sign(number: str) -> str:
    """Return the character of a number, or an empty text if it cannot be typed."""
    code = int(number or 0)
    if code < 32 or 127 <= code < 160 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return ""
    return chr(code)
