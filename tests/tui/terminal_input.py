"""Streams of terminal input: real keys among replies, reports, pastes and rubbish."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

from tui.terminal.input_units import LONGEST, SILENCE

KEYS: Final = (
    (b"\x1bOP", "f1"),
    (b"\x1b[20~", "f9"),
    (b"\x1b[2~", "insert"),
    (b"\x1b[57;1:1u", "9"),
    (b"\x1b[64;;64u", "at"),
    (b"\x1b[98:66:110;2:2;66u", "B"),
    (b"\x1b[99;197u", "ctrl+c"),
    (b"\x1b[27;5;119~", "ctrl+w"),
    (b"\x1b[1;5A", "ctrl+up"),
    (b"\x1b[1;129B", "down"),
    (b"\x1bOB", "down"),
    (b"\x9bC", "right"),
    (b"\x1bx", "alt+x"),
    (b"\x1b\xc3\xa9", "alt+é"),
    (b"k", "k"),
    (b"@", "at"),
    (b" ", "space"),
    (b"\x17", "ctrl+w"),
    (b"\r", "enter"),
    ("é".encode(), "é"),
    ("王".encode(), "王"),
    ("\U0001f701".encode(), "alchemical_symbol_for_air"),
)
"""Real keys: the bytes that send one, and its name."""

HARMLESS: Final = tuple(
    row for row in KEYS if row[1] in {"f9", "insert", "ctrl+w", "alt+x", "alt+é", "王"}
)
"""Keys that do nothing at the title."""

REPLIES: Final = (
    *(
        b"\x1b[?62;22c",
        b"\x1b[>1;10;0c",
        b"\x1b[0n",
        b"\x1b[?997;1n",
        b"\x1b[24;80R",
        b"\x1b[?7;9R",
    ),
    *(b"\x1b[?2026;2$y", b"\x1b[?25u", b"\x1b[8;24;80t", b"\x1b[48;50;9000;0;0t", b"\x1b[3;1x"),
    *(b"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", b"\x1b]10;rgb:ff/ff/ff\x07", b"\x9d4;1;rgb:0/0/0\x9c"),
    *(b"\x1b]52;c;cXF1aXQK\x07", b"\x1b]l\xc3\x9cbung\x1b\\", b"\xc2\x9d11;?\xc2\x9c"),
    *(b"\x1bP>|XTerm(390)\x1b\\", b"\x1bP1+r544e=6b\x1b\\", b"\x1bP1$r0m\x1b\\", b"\x90q#0~-\x9c"),
    *(b"\x1b_Gi=31;OK\x1b\\", b"\x1b^quit\x1b\\", b"\x1bXquit\x1b\\", b"\x1bO~"),
    *(b"\x1b[97;1:3u", b"\x1b[13;129:3u", b"\x1b[1;1:3A", b"\x1b[99999999999u", b"\x1b[1114112u"),
    *(b"\x1b[55296u", b"\x1b[97;1:7u", b"\x1b[;;;u", b"\x1b[" + b"9" * 300 + b"z", b"\x1b[?$ q"),
)
"""Replies of terminals, key releases, and other sequences; none of them acts."""

REPORTS: Final = (
    *(b"\x1b[<35;10;5M", b"\x1b[<35;1920;1080M", b"\x1b[<0;-1;3M", b"\x1b[M\x43\xf0\xff"),
    *(b"\x1b[M\x43\x80\xc3", b"\x1b[67;9;9M", b"\x1b[I", b"\x1b[O", b"\x1b[<999999;1;1M"),
)
"""Reports of mouse and focus."""

RUBBISH: Final = (
    *(
        b"\xe4\xf6",
        b"\xff\xfe",
        b"\xc3",
        b"\xf0\x9f\x98",
        b"\xed\xa0\x80",
        b"\xc0\xaf",
        b"\x80\x9c",
    ),
    *(b"\xe4\x9b", b"\xf4\x90\x80\x80"),
)
"""Invalid UTF-8 that cannot continue in ASCII."""

_MARKS: Final = b"\x1b[200~", b"\x1b[201~"
_CANCEL: Final = b"\x18"
_WITHOUT_KEYS: Final = bytes(range(0x20, 0x7F)) + b"\r\n\t\x03\xe4\xc3\xa9"
"""Contents of strings and pastes."""


class Part(NamedTuple):
    """A piece of input, and the resulting keys."""

    data: bytes
    keys: tuple[str, ...] = ()
    silence: float = 0.0
    """Seconds without input afterwards."""


class Typist:
    """A person who types real keys among the output of a terminal."""

    def __init__(
        self,
        chance: random.Random,
        *,
        keys: tuple[tuple[bytes, str], ...] = KEYS,
        silences: bool = True,
    ) -> None:
        """Set up the typist. With ``silences``, unfinished sequences also end by time, not only
        by CAN.
        """
        self.chance = chance
        self.keys = keys
        self.silences = silences

    def parts(self, size: int) -> Iterator[Part]:
        """Yield parts of at least ``size`` bytes in total."""
        makers = (
            self._key,
            self._key,
            self._key,
            self._whole,
            self._cut,
            self._string,
            self._paste,
        )
        before = b""
        while size > 0:
            part = self.chance.choice(makers)()
            if before in RUBBISH and 0x80 <= part.data[0] < 0xC0:
                continue  # together they would be a character
            before = part.data
            size -= len(before)
            yield part

    def _key(self) -> Part:
        data, name = self.chance.choice(self.keys)
        return Part(data, (name,))

    def _whole(self) -> Part:
        data = self.chance.choice((*REPLIES, *REPORTS, *RUBBISH))
        return Part(data, (), 0.2 if self.silences and self.chance.random() < 0.02 else 0.0)

    def _cut(self) -> Part:
        """Make a sequence that breaks off after its first three bytes or later."""
        data = self.chance.choice(
            [
                each
                for each in (*REPLIES, *REPORTS, *_MARKS[:1])
                if each[0] == 0x1B and len(each) > 4
            ]
        )
        return self._open(data[: self.chance.randint(3, len(data) - 1)])

    def _open(self, data: bytes) -> Part:
        if data.startswith(_MARKS[0]):
            return Part(data + _MARKS[1])
        if self.silences and self.chance.random() < 0.05:
            return Part(data, (), SILENCE + 0.1)
        return Part(data + (b"\x1b[0n" if self.chance.random() < 0.5 else _CANCEL))

    def _string(self) -> Part:
        """Make a string that is too long or unfinished."""
        begin = self.chance.choice((b"\x1bP", b"\x1b_", b"\x1b^", b"\x1bX", b"\x90"))
        size = LONGEST if self.chance.random() < 0.02 else self.chance.randint(1, 60)
        content = bytes(self.chance.choices(_WITHOUT_KEYS, k=size))
        # Input after an overlong string counts as typed: here a key, and no ST.
        return (
            Part(begin + content + b"k", ("k",)) if size == LONGEST else self._open(begin + content)
        )

    def _paste(self) -> Part:
        content = bytes(self.chance.choices(_WITHOUT_KEYS, k=self.chance.randint(0, 90)))
        inside = self.chance.choice((b"", *REPLIES))
        return Part(_MARKS[0] + content + inside + b"\x00" + content + _MARKS[1])


_SIZES: Final = (1, 1, 2, 3, 7, 100, 4096, 65_536)


class Stream:
    """Input in chunks of all sizes, generated from a seed."""

    def __init__(
        self,
        seed: int,
        size: int,
        *,
        keys: tuple[tuple[bytes, str], ...] = KEYS,
        silences: bool = True,
    ) -> None:
        """Make a stream of at least ``size`` bytes."""
        self._chance = random.Random(seed)  # noqa: S311 - nothing secret
        self._parts = Typist(self._chance, keys=keys, silences=silences).parts(size)
        self.keys: list[str] = []
        """Keys planted in the chunks so far."""

    def __iter__(self) -> Iterator[tuple[bytes, float]]:
        """Yield chunks, and the seconds of silence after each."""
        waiting, size = b"", 1
        for part in self._parts:
            self.keys += part.keys
            waiting += part.data
            at = 0
            while len(waiting) - at > size:
                yield waiting[at : at + size], 0.0
                at += size
                if self._chance.random() < 0.05:
                    size = self._chance.choice(_SIZES)
            waiting = waiting[at:]
            if part.silence:
                yield waiting, part.silence
                waiting = b""
        yield waiting, 0.0
