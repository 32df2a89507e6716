"""Data tables of a ruleset's package."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, TypeVar

from engine.core.codec import convert
from engine.core.options import Option
from engine.core.record import Record

R = TypeVar("R", bound=Record)


def load(package: str, name: str, kind: type[R]) -> R:
    """Return the table ``data/NAME.toml`` of a package as one record.

    Raises:
        msgspec.ValidationError: a field is invalid.
    """
    made = convert(_raw(package, name), kind)
    assert isinstance(made, kind)  # noqa: S101 - tells the type checker
    return made


def load_rows(package: str, name: str, kind: type[R]) -> tuple[R, ...]:
    """Return the records of the list NAME in ``data/NAME.toml`` of a package.

    Raises:
        msgspec.ValidationError: a field is invalid.
    """
    made: tuple[R, ...] = convert(_raw(package, name)[name], tuple[kind, ...])  # type: ignore[valid-type]
    return made


def _raw(package: str, name: str) -> dict[str, Any]:
    text = files(package).joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class _OptionRow(Record, frozen=True):
    """Option in a file: ``choices`` holds the meaning of each word; it is empty for a number.

    ``short`` has shorter forms of long meanings, and ``words`` the texts of certain numbers.
    """

    name: str
    label: str
    text: str
    rule: str
    choices: Mapping[str, str] = {}
    short: Mapping[str, str] = {}
    low: int = 0
    high: int = 0
    unit: str = ""
    words: Mapping[str, str] = {}


def options(package: str) -> tuple[Option, ...]:
    """Return the options in ``data/options.toml`` of a package; the scenario sets their defaults.

    Raises:
        msgspec.ValidationError: a field is invalid.
    """
    return tuple(
        Option(
            row.name,
            None,
            row.text,
            row.rule,
            tuple(row.choices),
            tuple(row.choices.values()),
            row.low,
            row.high,
            row.label,
            tuple(row.short.get(word, meaning) for word, meaning in row.choices.items()),
            row.unit,
            tuple((int(number), phrase) for number, phrase in row.words.items()),
        )
        for row in load_rows(package, "options", _OptionRow)
    )
