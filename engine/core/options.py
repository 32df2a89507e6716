"""Options of a game: declared by the ruleset, checked once, stored in the first event."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from engine.core.record import Record

Value: TypeAlias = int | str
"""A value of an option."""


_WHOLE = re.compile(r"-?[0-9]{1,9}")


class OptionFault(ValueError):
    """Raised if an option is unknown or has an invalid value; the text is one line for people."""


class Option(Record, frozen=True):
    """A setting that is chosen before the game.

    ``choices`` lists its words; if empty, the value is a whole number from ``low`` to ``high``. A
    ``default`` of None leaves it to the scenario.
    """

    name: str
    default: Value | None
    text: str
    rule: str = ""
    choices: tuple[str, ...] = ()
    explained: tuple[str, ...] = ()
    """Meanings of the choices, in the same order."""
    low: int = 0
    high: int = 0
    label: str = ""
    """Name for people, such as ``Cities razed``; if empty, derived from ``name``."""
    phrases: tuple[str, ...] = ()
    """Choices in a few words each, in the same order; if empty, ``explained`` is short enough."""
    unit: str = ""
    """Plural after a number, such as ``rounds``; also ``%``."""
    words: tuple[tuple[int, str], ...] = ()
    """Numbers shown as their own text, such as 0 as ``no limit``."""

    def check(self, value: Value) -> Value:
        """Return the value in its type; numbers may come as text.

        Raises:
            OptionFault: the value is invalid.
        """
        if self.choices:
            if value in self.choices:
                return value
            raise OptionFault(f"option {self.name}: {value!r} is none of {', '.join(self.choices)}")
        if isinstance(value, str) and not _WHOLE.fullmatch(value):
            raise OptionFault(f"option {self.name}: {value[:40]!r} is not a whole number")
        number = int(value)
        if not self.low <= number <= self.high:
            raise OptionFault(f"option {self.name}: {number} is not from {self.low} to {self.high}")
        return number

    @property
    def title(self) -> str:
        """Name for people: ``label``, or ``name`` as words."""
        return self.label or self.name.replace("_", " ").capitalize()

    def phrase(self, value: str) -> str:
        """Return a value in a few words; ``meaning`` explains it at length."""
        return self._of_choice(value, self.phrases) or self.meaning(value)

    def _of_number(self, value: str) -> str:
        """Return a number as its own text or with its unit; empty if the value is not a number."""
        if self.choices or not _WHOLE.fullmatch(value):
            return ""
        number = int(value)
        unit = self.unit.removesuffix("s") if number == 1 else self.unit
        return dict(self.words).get(number, f"{number} {unit}".rstrip())

    def meaning(self, value: str) -> str:
        """Return the meaning of a value at length."""
        told = self._of_choice(value, self.explained) or self._of_number(value)
        return told or value.replace("_", " ")

    def _of_choice(self, value: str, texts: tuple[str, ...]) -> str:
        known = value in self.choices and len(texts) == len(self.choices)
        return texts[self.choices.index(value)] if known else ""


def settle(declared: Iterable[Option], given: Mapping[str, Value]) -> dict[str, Value]:
    """Return the given options, checked, and the defaults of the others that have one.

    Raises:
        OptionFault: an option is unknown or cannot have that value.
    """
    known = {option.name: option for option in declared}
    for name in given:
        if name not in known:
            raise OptionFault(f"there is no option {name!r}; known: {', '.join(known)}")
    settled: dict[str, Value] = {}
    for name, option in known.items():
        if name in given:
            settled[name] = option.check(given[name])
        elif option.default is not None:
            settled[name] = option.default
    return settled


def parse_options(words: Iterable[str]) -> dict[str, Value]:
    """Parse words such as ``["rounds=6", "steps=eight"]`` into a mapping.

    Raises:
        OptionFault: a word has no ``=``, or an option occurs twice.
    """
    given: dict[str, Value] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name:
            raise OptionFault(f"an option is written NAME=VALUE, not {word!r}")
        if name in given:
            raise OptionFault(f"option {name} stands twice")
        given[name] = value
    return given
