"""Rows of keys: which keys fit, which do not, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.segment import Segment

from engine.tabletop.ask import Intent, in_row
from tui.settings.keymap import Keymap
from tui.style.palette import Palette

NamedKeys = tuple[str, str, str]
"""(id of a binding or "", id of another binding or "", word for their effect)."""

_ARROWS: Final = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}
"""Signs of keys, for terminals with arrows."""


class KeyWord(NamedTuple):
    """Text of one or more keys, and a few words for their effect."""

    key: str
    word: str

    def __str__(self) -> str:
        return f"{self.key} {self.word}".strip()


def read(text: str) -> list[KeyWord]:
    """Parse a text such as ``Enter: choose   Esc: back`` into keys and words.

    A part without a colon is a word without a key.
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split("  "))):
        key, colon, word = part.partition(": ")
        found.append(KeyWord(f"{key}:", word) if colon else KeyWord("", part))
    return found


def segments_of(row: Sequence[KeyWord], palette: Palette) -> list[Segment]:
    """Return a row of keys as segments for a bar; the keys are highlighted."""
    segments: list[Segment] = []
    for key, word in row:
        if segments:
            segments.append(Segment("  ", palette.heading))
        segments.append(Segment(key, palette.key))
        segments.append(Segment(f" {word}" if key else word, palette.faint))
    return segments


def named(
    shown: Sequence[NamedKeys], names: Mapping[str, str], *, ascii_only: bool
) -> list[KeyWord]:
    """Return ids of bindings with their present keys; ``names`` is the key of each id.

    Without ``ascii_only``, arrow keys are signs.
    """

    def key(name: str) -> str:
        found = names.get(name, "?") if name else ""
        return found if ascii_only else _ARROWS.get(found, found)

    return [KeyWord(_pair(key(back), key(on)), word) for back, on, word in shown]


def _pair(back: str, on: str) -> str:
    """Return two keys as they are shown: signs side by side, letters and words apart."""
    return f"{back}/{on}" if on and (back + on).isalnum() else back + on


def columns(row: Sequence[KeyWord]) -> int:
    """Return the columns that a row of keys takes."""
    return sum(cell_len(str(part)) + 2 for part in row) - 2 if row else 0


def row_of(
    parts: Sequence[KeyWord], always: Sequence[KeyWord], width: int
) -> tuple[list[KeyWord], list[KeyWord]]:
    """Return the parts that fit with ``always`` into ``width`` columns, then the other parts.

    The first list ends with ``always``.
    """
    row: list[KeyWord] = []
    rest = list(parts)
    while rest and columns([*row, rest[0], *always]) <= width:
        row.append(rest.pop(0))
    return [*row, *always], rest


def packed(parts: Sequence[KeyWord], width: int) -> list[str]:
    """Distribute parts over as few rows of ``width`` columns as their order allows."""
    rows: list[str] = []
    for part in map(str, parts):
        if rows and len(rows[-1]) + len(part) + 2 <= width:
            rows[-1] += f"  {part}"
        else:
            rows.append(part)
    return rows


# -- the row below a board -------------------------------------------------------------------------


_LONGEST: Final = 28
"""Maximum characters of a label in the row."""

_MORE: Final = (
    ("game.intents", "more"),
    ("game.look", "look"),
    ("jump.enemy", "enemy"),
    ("game.fast", "fast"),
    ("game.reports", "reports"),
    ("app.find", "find"),
    ("show.layer", "danger"),
)
"""Bindings after those that matter now, if they fit."""

_WATCHING: Final = (
    ("jump.enemy", "piece"),
    ("jump.site", "site"),
    ("game.look", "look"),
    ("game.summary", "standings"),
    ("log.all", "log"),
    ("host.talk", "talk"),
    ("host.table", "table"),
)
"""Bindings for spectators; those of a host are active only there."""

_ALWAYS: Final = (("app.help", "help"), ("game.leave", "leave"))
"""Bindings with which the row always ends."""


def short(label: str) -> str:
    """Return the label of an intent or of the button as it is written in the row.

    >>> short("March here …"), short("End movement")
    ('march here', 'end movement')
    """
    text = label.removesuffix("…").strip()
    if text[:1].isupper() and not text[1:2].isupper():
        text = text[0].lower() + text[1:]
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def keys_of(
    wanted: Sequence[tuple[str, str]], names: Mapping[str, str], *, unknown: bool = True
) -> list[KeyWord]:
    """Return bindings with their keys and words; without ``unknown`` only those that have a key."""
    return [KeyWord(names.get(i, "?"), word) for i, word in wanted if unknown or i in names]


def for_watching(names: Mapping[str, str], width: int) -> list[KeyWord]:
    """Return the keys of a spectator that fit into ``width`` columns."""
    shown = keys_of(_WATCHING, names, unknown=False)
    return row_of(shown, keys_of(_ALWAYS, names), width)[0]


def for_waiting(names: Mapping[str, str]) -> list[KeyWord]:
    """Return the keys while a computer acts."""
    wanted = (("game.let-go", "skip"), ("game.faster", "faster"), ("game.slower", "slower"))
    return keys_of((*wanted, *_ALWAYS), names)


def for_picking(names: Mapping[str, str]) -> list[KeyWord]:
    """Return the keys while a cell of the board is being chosen."""
    wanted = (("game.fire", "choose"), ("jump.idle", "next"), ("game.let-go", "cancel"))
    return keys_of(wanted, names)


class PlayerSituation(NamedTuple):
    """Situation of the player to act."""

    hint: str
    """Effect of the button; empty if it has none."""
    intents: Sequence[Intent]
    jumps: bool
    """True if pieces can still act."""
    holding: bool


def for_playing(
    now: PlayerSituation, names: Mapping[str, str], keymap: Keymap, width: int
) -> list[KeyWord]:
    """Return the keys of the player to act: the button, what is possible here, ending the phase.

    Intents whose letters work only in the menu are left out. With nothing left to do the end of the
    phase comes first, with a held piece last.
    """
    possible = [i for i in in_row(now.intents) if not i.reason and keymap.on_map(i.key)]
    ending = [KeyWord(keymap.on_map(i.key), short(i.label)) for i in possible if i.ends]
    others = [KeyWord(keymap.on_map(i.key), short(i.label)) for i in possible if not i.ends]
    others = [part for part in others if part.word != short(now.hint)]
    fire = keys_of((("game.fire", short(now.hint)),), names) if now.hint else []
    following = keys_of((("jump.idle", "next"),), names) if now.jumps else []
    free = keys_of((("game.let-go", "let go"),), names) if now.holding else []
    if now.holding:
        first = [*fire, *free, *following, *others, *ending]
    else:
        first = [*fire, *following, *ending, *others]
    always = keys_of((("game.undo", "undo"), *_ALWAYS), names)
    return row_of([*first, *keys_of(_MORE, names)], always, width)[0]
