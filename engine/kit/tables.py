"""Data tables of a ruleset's package."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TypeVar

from engine.core.codec import convert
from engine.core.record import Record

R = TypeVar("R", bound=Record)


def load(package: str, name: str, kind: type[R]) -> R:
    """Table ``data/NAME.toml`` of a package, as one record.

    Raises:
        msgspec.ValidationError: a field does not fit.
    """
    text = files(package).joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    made = convert(tomllib.loads(text), kind)
    assert isinstance(made, kind)  # noqa: S101 - tells the type checker
    return made
