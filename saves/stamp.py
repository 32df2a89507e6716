"""Stamps of saves: the version of the program that writes."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).resolve().parents[1] / "pyproject.toml"
"""Project file of a checkout; missing if the program is installed."""


@cache
def engine_version() -> str:
    """Return the version of this program: that of the sources in a checkout, or the installed one.

    The metadata of an editable installation may be older than its sources.
    """
    try:
        return _version_of(_PROJECT.read_text(encoding="utf-8"))
    except (OSError, LookupError, ValueError):
        pass
    try:
        return version("banneret")
    except PackageNotFoundError:
        return "0"


def _version_of(text: str) -> str:
    """Return the version in a project file.

    Raises:
        LookupError: there is none, or it is the file of another project.
        ValueError: this is no TOML.
    """
    project = tomllib.loads(text)["project"]
    if project["name"] != "banneret":
        raise LookupError("another project's file")
    return str(project["version"])
