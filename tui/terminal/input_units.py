"""Units of terminal input: typed text, escape sequences and pastes, parsed from any bytes.

A state machine modelled on ECMA-48 and the parser of the VT500 series. Each state has a pattern for
the bytes that stay in it, so that a run of them costs one match. Unknown sequences are consumed
whole: a cut or unknown sequence never becomes letters. The division of the bytes into chunks makes
no difference. Keys and Textual are not used here.

Three rules differ from a terminal's own parser, since the bytes come from a keyboard:

- A control character or a byte above 7F cuts a control sequence short, and is read as typed.
- ``ESC`` and a character are one unit (Alt). Alone for a moment, ``ESC`` is the key; a sequence
  that ends after its first character is Alt with this character.
- An open sequence ends after ``LONGEST`` bytes, or ``SILENCE`` seconds without a byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import Enum, auto
from time import monotonic
from typing import Final, NamedTuple

LONGEST: Final = 4096
"""Bytes of an open sequence after which it ends."""

SILENCE: Final = 1.0
"""Seconds without a byte after which an open sequence or paste ends."""

ESCAPE_DELAY: Final = 0.1
"""Seconds after which ``ESC``, or the beginning of a sequence alone, is a key."""

LONGEST_PASTE: Final = 1 << 20
"""Maximum bytes of a paste; a longer one is dropped."""


class InputKind(Enum):
    """Kind of a unit."""

    TEXT = auto()
    """Typed characters, including control characters."""
    ESCAPE = auto()
    """The escape key; without text."""
    ALT = auto()
    """The character after an ``ESC``."""
    CONTROL = auto()
    """A control sequence without its introducer: ``1;5A``."""
    SHIFT = auto()
    """A sequence after SS3, without its introducer: ``P``."""
    MOUSE = auto()
    """An old mouse report: three characters, one per byte."""
    PASTE = auto()
    """The text of a paste."""
    CUT_PASTE = auto()
    """A paste that was too long or never ended; without text."""


class InputUnit(NamedTuple):
    """A unit of input."""

    kind: InputKind
    text: str = ""


def typed_text(units: Iterable[InputUnit]) -> str:
    """Return the characters that were typed or pasted; the escape key is ``ESC``."""
    texts = {InputKind.TEXT, InputKind.PASTE}
    return "".join(
        "\x1b" if unit.kind is InputKind.ESCAPE else unit.text
        for unit in units
        if unit.kind in texts or unit.kind is InputKind.ESCAPE
    )


class _State(Enum):
    """State of the reader: inside the sequence that has begun, if any."""

    GROUND = auto()
    ESCAPE = auto()
    CONTROL = auto()
    CONSOLE_KEY = auto()
    """After ``ESC [ [``: the Linux console's function keys have another letter."""
    SHIFT = auto()
    MOUSE = auto()
    STRING = auto()
    STRING_ESCAPE = auto()
    """After an ``ESC`` in a string, which ends it: ST, or the next sequence."""
    PASTE = auto()


_ESC, _BEL, _CONTINUES = 0x1B, 0x07, 0x9C
_ABORTS: Final = b"\x18\x1a"
"""CAN and SUB."""

_CHARACTER: Final = re.compile(
    rb"(?:[\x00-\x1a\x1c-\x7f]"
    rb"|\xc2[\xa0-\xbf]|[\xc3-\xdf][\x80-\xbf]"
    rb"|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3})"
)
"""A character in UTF-8, except ``ESC`` and the controls of C1."""

_TYPED: Final = re.compile(_CHARACTER.pattern + rb"+")

_BEGUN: Final = re.compile(
    rb"[\xc2-\xdf]|\xe0[\xa0-\xbf]?|\xed[\x80-\x9f]?|[\xe1-\xec\xee\xef][\x80-\xbf]?"
    rb"|\xf0(?:[\x90-\xbf][\x80-\xbf]?)?|\xf4(?:[\x80-\x8f][\x80-\xbf]?)?|[\xf1-\xf3][\x80-\xbf]{0,2}"
)
"""The beginning of a character."""

_BROKEN: Final = re.compile(rb"[\xa0-\xff][\x80-\xbf]*")
"""Bytes that are no character, with those that would belong to it: they begin no sequence."""

_NO_CHARACTER: Final = b"\xff"

_UNFINISHED: Final = re.compile(
    rb"(?:[\xc3-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})\Z"
)
"""A character that continues with the next byte."""

_C1: Final = re.compile(rb"\xc2?([\x80-\x9f])")
_PARAMETERS: Final = re.compile(rb"[ -?]*")
_DIGITS: Final = re.compile(rb"[0-9;]*")
_MOUSE_BYTES: Final = re.compile(rb"[\x00\x20-\xff]{0,3}")
_RXVT: Final = frozenset({b"3$", b"7$", b"8$", b"23$", b"24$"})
"""Keys of rxvt with Shift: in ECMA-48 a final byte would follow."""

_IN_STRING: Final = re.compile(rb"[^\x18\x1a\x1b\x9c]*")
_IN_COMMAND: Final = re.compile(rb"[^\x07\x18\x1a\x1b\x9c]*")
"""Matches the content of an OSC, which a BEL also ends."""

_INTRODUCERS: Final = {
    0x8F: _State.SHIFT,
    0x90: _State.STRING,
    0x98: _State.STRING,
    0x9B: _State.CONTROL,
    0x9D: _State.STRING,
    0x9E: _State.STRING,
    0x9F: _State.STRING,
}
"""Controls of C1 that begin a sequence: SS3, DCS, SOS, CSI, OSC, PM and APC."""

_WITH_ALT: Final = frozenset({_State.CONTROL, _State.SHIFT, _State.STRING})

_OSC: Final = 0x9D
_PASTE_BEGINS: Final = b"200"
_PASTE_ENDS: Final = b"\x1b[201~"


class UnitReader:
    """Splits input into units. ``feed`` and ``tick`` never raise, for any bytes."""

    def __init__(
        self,
        *,
        escape_delay: float = ESCAPE_DELAY,
        longest_paste: int = LONGEST_PASTE,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Make a reader in the ground state; ``clock`` returns seconds."""
        self._escape_delay = escape_delay
        self._longest_paste = longest_paste
        self._clock = clock
        self._state = _State.GROUND
        self._held = bytearray()
        """Bytes of the unit that has begun."""
        self._introducer = ""
        """Character that would be typed with Alt if the sequence does not continue."""
        self._is_command = False
        """True in an OSC."""
        self._is_too_long = False
        """True in a paste whose beginning was dropped."""
        self._due: float | None = None
        """Time at which an open unit ends."""
        self._units: list[InputUnit] = []
        self._steps: Final[dict[_State, Callable[[bytes, int], int]]] = {
            _State.GROUND: self._ground,
            _State.ESCAPE: self._after_escape,
            _State.CONTROL: self._control,
            _State.CONSOLE_KEY: self._console_key,
            _State.SHIFT: self._shift,
            _State.MOUSE: self._mouse,
            _State.STRING: self._string,
            _State.STRING_ESCAPE: self._string_escape,
            _State.PASTE: self._paste,
        }

    @property
    def wait(self) -> float | None:
        """Seconds until ``tick`` is due; None if nothing is open."""
        return None if self._due is None else max(0.0, self._due - self._clock())

    def feed(self, data: bytes) -> list[InputUnit]:
        """Take the next bytes of input; return the units that they complete."""
        if self._held and self._state in {_State.GROUND, _State.ESCAPE}:
            data = bytes(self._held) + data
            self._held.clear()
        at, end, steps = 0, len(data), self._steps
        while at < end:
            at = steps[self._state](data, at)
        self._due = self._next_due()
        return self._taken()

    def tick(self) -> list[InputUnit]:
        """Return the units of an open sequence that has timed out; [] if there is none."""
        if self._due is None or self._clock() < self._due:
            return []
        if self._state is _State.ESCAPE:
            self._units.append(InputUnit(InputKind.ESCAPE))
        elif self._state is _State.PASTE:
            self._units.append(InputUnit(InputKind.CUT_PASTE))
        elif self._is_introduced:
            self._units.append(InputUnit(InputKind.ALT, self._introducer))
        elif self._is_rxvt:
            self._units.append(InputUnit(InputKind.CONTROL, self._held.decode()))
        self._go(_State.GROUND)
        self._due = None
        return self._taken()

    def _next_due(self) -> float | None:
        if self._state is _State.GROUND and not self._held:
            return None
        short = self._state is _State.ESCAPE or self._is_introduced or self._is_rxvt
        return self._clock() + (self._escape_delay if short else SILENCE)

    @property
    def _is_introduced(self) -> bool:
        """True after the two characters that begin a sequence, which may be Alt and a key."""
        return bool(self._introducer) and not self._held and self._state in _WITH_ALT

    @property
    def _is_rxvt(self) -> bool:
        return self._state is _State.CONTROL and bytes(self._held) in _RXVT

    def _taken(self) -> list[InputUnit]:
        units, self._units = self._units, []
        return units

    def _go(self, state: _State, introducer: str = "") -> None:
        """Enter a state; anything open before is dropped."""
        self._state = state
        self._introducer = introducer
        self._held.clear()

    def _unit(self, kind: InputKind, text: bytes, code: str = "ascii") -> None:
        self._units.append(InputUnit(kind, text.decode(code)))
        self._go(_State.GROUND)

    # -- states: each reads from ``at`` on and returns the place of the next byte to read ----------

    def _ground(self, data: bytes, at: int) -> int:
        run = _TYPED.match(data, at)
        if run is not None:
            self._units.append(InputUnit(InputKind.TEXT, run.group().decode()))
            return run.end()
        if data[at] == _ESC:
            self._go(_State.ESCAPE)
            return at + 1
        if control := _C1.match(data, at):
            self._begin(control[1][0])
            return control.end()
        if self._holds_beginning(data, at):
            return len(data)
        broken = _BROKEN.match(data, at)
        at = at + 1 if broken is None else broken.end()
        if at == len(data):
            self._held += _NO_CHARACTER
        return at

    def _begin(self, control: int, introducer: str = "") -> None:
        """Begin the sequence of a control of C1; other controls mean nothing."""
        self._go(_INTRODUCERS.get(control, _State.GROUND), introducer)
        self._is_command = control == _OSC

    def _after_escape(self, data: bytes, at: int) -> int:
        byte = data[at]
        if byte == _ESC:
            self._units.append(InputUnit(InputKind.ESCAPE))
            return at + 1
        if byte in _ABORTS or byte == ord("\\"):  # a string may have ended before its ST came
            self._go(_State.GROUND)
            return at + 1
        if byte + 0x40 in _INTRODUCERS:
            self._begin(byte + 0x40, chr(byte))
            return at + 1
        typed = _CHARACTER.match(data, at)
        if typed is not None:
            self._unit(InputKind.ALT, typed.group(), "utf-8")
            return typed.end()
        if self._holds_beginning(data, at):
            return len(data)
        self._units.append(InputUnit(InputKind.ESCAPE))
        self._go(_State.GROUND)
        return at

    def _holds_beginning(self, data: bytes, at: int) -> bool:
        """Return whether a character continues in the next chunk; if so, keep its bytes."""
        begun = _BEGUN.match(data, at)
        if begun is None or begun.end() < len(data):
            return False
        self._held += begun.group()
        return True

    def _control(self, data: bytes, at: int) -> int:
        run = _PARAMETERS.match(data, at, at + LONGEST - len(self._held))
        assert run is not None  # noqa: S101 - it matches nothing at all, too
        self._held += run.group()
        at = run.end()
        if at == len(data):
            return at
        byte = data[at]
        if not 0x40 <= byte <= 0x7E:
            return self._cut(data, at)
        self._end_control(bytes(self._held), byte)
        return at + 1

    def _end_control(self, held: bytes, final: int) -> None:
        if final == ord("~") and held == _PASTE_BEGINS:
            self._go(_State.PASTE)
            self._is_too_long = False
        elif final == ord("M") and not held:
            self._go(_State.MOUSE)
        elif final == ord("[") and not held:
            self._go(_State.CONSOLE_KEY)
        else:
            self._unit(InputKind.CONTROL, held + bytes((final,)))

    def _cut(self, data: bytes, at: int) -> int:
        """Drop an open sequence at a byte that cannot belong to it, and is read after it."""
        self._go(_State.GROUND)
        return at + 1 if data[at] in _ABORTS else at

    def _console_key(self, data: bytes, at: int) -> int:
        if not 0x41 <= data[at] <= 0x45:
            return self._cut(data, at)
        self._unit(InputKind.CONTROL, b"[" + data[at : at + 1])
        return at + 1

    def _shift(self, data: bytes, at: int) -> int:
        run = _DIGITS.match(data, at, at + LONGEST - len(self._held))
        assert run is not None  # noqa: S101 - it matches nothing at all, too
        self._held += run.group()
        at = run.end()
        if at == len(data):
            return at
        if not 0x20 <= data[at] <= 0x7E or len(self._held) == LONGEST:
            return self._cut(data, at)
        self._unit(InputKind.SHIFT, bytes(self._held) + data[at : at + 1])
        return at + 1

    def _mouse(self, data: bytes, at: int) -> int:
        run = _MOUSE_BYTES.match(data, at, at + 3 - len(self._held))
        assert run is not None  # noqa: S101 - it matches nothing at all, too
        self._held += run.group()
        at = run.end()
        if len(self._held) == 3:
            self._unit(InputKind.MOUSE, bytes(self._held), "latin-1")
        elif at < len(data):
            return self._cut(data, at)
        return at

    def _string(self, data: bytes, at: int) -> int:
        """Skip the content of a string; the bytes held are its content so far."""
        inside = _IN_COMMAND if self._is_command else _IN_STRING
        run = inside.match(data, at, at + LONGEST - len(self._held))
        assert run is not None  # noqa: S101 - it matches nothing at all, too
        self._held += run.group()
        at = run.end()
        if at == len(data):
            return at
        byte = data[at]
        if byte == _ESC:
            self._state = _State.STRING_ESCAPE
        elif byte == _CONTINUES and _UNFINISHED.search(self._held[-3:]):
            if len(self._held) == LONGEST:
                return self._cut(data, at)
            self._held.append(byte)
        elif byte in _ABORTS or byte == _CONTINUES or (byte == _BEL and self._is_command):
            self._go(_State.GROUND)
        else:  # it is too long
            return self._cut(data, at)
        return at + 1

    def _string_escape(self, data: bytes, at: int) -> int:
        self._go(_State.ESCAPE)
        return at + 1 if data[at] == _ESC else self._after_escape(data, at)

    def _paste(self, data: bytes, at: int) -> int:
        held = self._held
        seen = len(held)
        held += data[at:]
        end = held.find(_PASTE_ENDS, max(0, seen - len(_PASTE_ENDS) + 1))
        if end < 0:
            if len(held) > self._longest_paste + len(_PASTE_ENDS):
                self._is_too_long = True
                del held[: -len(_PASTE_ENDS)]
            return len(data)
        at += end + len(_PASTE_ENDS) - seen
        text = bytes(held[:end]).decode("utf-8", "replace")
        self._go(_State.GROUND)
        cut = self._is_too_long or end > self._longest_paste
        self._units.append(
            InputUnit(InputKind.CUT_PASTE) if cut else InputUnit(InputKind.PASTE, text)
        )
        return at
