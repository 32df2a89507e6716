"""Dialogues: the questions that a ruleset asks a player until a command is complete."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from engine.core.record import Record
from engine.kit.grid import Place
from engine.tabletop.board import Line


class Choice(Record, frozen=True):
    """Option of a question; ``reason`` says why it cannot be chosen, and is empty if it can."""

    value: str
    label: str
    reason: str = ""


class Ask(Record, frozen=True, tag_field="ask"):
    """Question; the answer is a string, handed back together with the earlier ones."""

    title: str


class AskPlace(Ask, frozen=True, tag="place"):
    """Choice of one of these cells on the board; the answer is ``x,y``.

    ``labels`` are shown beside the cells, one for each: a price, a chance. ``shorts`` are the same
    in one character, for narrow cells; if empty, the label is used if it fits. ``hints`` describe
    the effect of each cell: ``March to Farrowgate (takes 3 armies)``.

    ``beyond`` is the effect of choosing any other cell that has no reason against it
    (``why_not_at``); if it is empty, no other cell can be chosen.
    """

    cells: tuple[tuple[int, int], ...]
    labels: tuple[str, ...] = ()
    shorts: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    beyond: str = ""


class AskPath(Ask, frozen=True, tag="path"):
    """Choice of neighbouring cells one after the other; the answer is ``x,y>x,y``."""

    start: tuple[int, int]
    longest: int


class AskOne(Ask, frozen=True, tag="one"):
    """Choice of one option, below lines to read; the answer is its value."""

    choices: tuple[Choice, ...]
    lines: tuple[Line, ...] = ()


class AskSome(Ask, frozen=True, tag="some"):
    """Choice of ``least`` to ``most`` options, below lines to read.

    The answer is their values joined by ``>``.
    """

    choices: tuple[Choice, ...]
    least: int
    most: int
    lines: tuple[Line, ...] = ()

    @property
    def range(self) -> str:
        """Number of options to choose, in words."""
        if self.least == self.most:
            return f"Exactly {self.least}"
        return f"At least {self.least}, at most {self.most}"


class AskOrder(Ask, frozen=True, tag="order"):
    """Order of all options; the answer is their values joined by ``>``."""

    choices: tuple[Choice, ...]


class AskAmount(Ask, frozen=True, tag="amount"):
    """Choice of a number; the answer is its digits."""

    least: int
    most: int
    preset: int


class AskText(Ask, frozen=True, tag="text"):
    """Text of at most ``longest`` characters; the answer is the text."""

    longest: int
    preset: str = ""


class AskConfirm(Ask, frozen=True, tag="confirm"):
    """Confirmation after a forecast; the answer is ``yes``. Without an answer nothing happens.

    ``yes`` and ``no`` are the labels of the two, in a word or two.
    """

    lines: tuple[Line, ...] = ()
    yes: str = "yes"
    no: str = "no"


AnyAsk: TypeAlias = (
    AskPlace | AskPath | AskOne | AskSome | AskOrder | AskAmount | AskText | AskConfirm
)


class Intent(Record, frozen=True):
    """Intent of a player at a focus: a word, a label and a default key.

    ``reason`` says why it is not possible now, and is empty if it is. ``ends`` is ``turn`` if it
    ends the player's turn or phase, ``game`` if the player resigns with it. ``repeats`` is True if
    a screen asks again after each of its commands until the player leaves it, as in a shop. ``due``
    is True if it follows from the player's last action, so that a screen opens it automatically.
    ``at`` is the cell that a due intent is about, to which the cursor goes.
    """

    name: str
    label: str
    key: str
    reason: str = ""
    ends: Literal["", "turn", "game"] = ""
    repeats: bool = False
    due: bool = False
    at: Place | None = None


def in_menu(intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """Return intents sorted for a menu: those that end the turn come later, resigning last."""
    return tuple(sorted(intents, key=lambda intent: ("", "turn", "game").index(intent.ends)))


def in_row(intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """Return intents sorted for a row of keys: those that end the turn first, without resigning."""
    kept = [intent for intent in intents if intent.ends != "game"]
    return tuple(sorted(kept, key=lambda intent: intent.ends != "turn"))
