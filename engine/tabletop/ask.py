"""Dialogues: what a ruleset can ask a player before a command is complete."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from engine.core.record import Record
from engine.tabletop.board import Line


class Choice(Record, frozen=True):
    """One thing to choose; ``reason`` says why it cannot be chosen, empty if it can."""

    value: str
    label: str
    reason: str = ""


class Ask(Record, frozen=True, tag_field="ask"):
    """A question; the answer is a string that is handed back with the ones before it."""

    title: str


class AskPlace(Ask, frozen=True, tag="place"):
    """Choose one of these cells on the board; the answer is ``x,y``.

    ``labels`` stand beside the cells, one for each: a price, a chance. ``shorts`` are the same in
    one character, for where there is no room for more; an empty one: the label if that fits.
    """

    cells: tuple[tuple[int, int], ...]
    labels: tuple[str, ...] = ()
    shorts: tuple[str, ...] = ()


class AskPath(Ask, frozen=True, tag="path"):
    """Choose cells one after the other, each beside the one before; the answer is ``x,y>x,y``."""

    start: tuple[int, int]
    longest: int


class AskOne(Ask, frozen=True, tag="one"):
    """Choose one; the answer is its value."""

    choices: tuple[Choice, ...]


class AskSome(Ask, frozen=True, tag="some"):
    """Choose from ``least`` to ``most``; the answer is their values joined by ``>``."""

    choices: tuple[Choice, ...]
    least: int
    most: int


class AskOrder(Ask, frozen=True, tag="order"):
    """Put in order; the answer is all values joined by ``>``."""

    choices: tuple[Choice, ...]


class AskAmount(Ask, frozen=True, tag="amount"):
    """Choose a number; the answer is its digits."""

    least: int
    most: int
    preset: int


class AskText(Ask, frozen=True, tag="text"):
    """Type a text of at most ``longest`` characters; the answer is the text."""

    longest: int
    preset: str = ""


class AskConfirm(Ask, frozen=True, tag="confirm"):
    """Go on or not, after reading a forecast; the answer is ``yes``. No answer: nothing is done.

    ``yes`` and ``no`` are what the two are called, in a word or two.
    """

    lines: tuple[Line, ...] = ()
    yes: str = "yes"
    no: str = "no"


AnyAsk: TypeAlias = (
    AskPlace | AskPath | AskOne | AskSome | AskOrder | AskAmount | AskText | AskConfirm
)


class Intent(Record, frozen=True):
    """Something a player may want at a focus: a word, a label, a key that suggests itself.

    ``reason`` says why it cannot be done now; empty if it can. ``ends`` is ``turn`` where it ends
    the player's turn or phase, ``game`` where the player gives the game up.
    """

    name: str
    label: str
    key: str
    reason: str = ""
    ends: Literal["", "turn", "game"] = ""


def in_menu(intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """Intents in the order of a menu: in their own, then what ends the turn, then giving up."""
    return tuple(sorted(intents, key=lambda intent: ("", "turn", "game").index(intent.ends)))


def in_row(intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """Intents in the order of a row of keys: what ends the turn, then the others in their order.

    Giving up is not among them.
    """
    kept = [intent for intent in intents if intent.ends != "game"]
    return tuple(sorted(kept, key=lambda intent: intent.ends != "turn"))
