"""Who writes: the version of the program and a hash of the rules it plays by."""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from engine.core.ruleset import AnyRuleset

_SUFFIXES: Final = (".py", ".toml")
_NO_RULES: Final = frozenset({"__pycache__", "scenarios", "bot", "bot.py", "picture.py"})
"""Parts of a ruleset's folder that decide nothing."""


_PROJECT: Final = Path(__file__).resolve().parents[1] / "pyproject.toml"
"""Beside the packages in a checkout; not there where the program is installed."""


@cache
def engine_version() -> str:
    """The version of this program: in a checkout that of its sources, else the installed one.

    What is known of an installation in place was written when it was made, and may be older.
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
    """The version in a project file.

    Raises:
        LookupError: there is none, or it is the file of another project.
        ValueError: it is no TOML.
    """
    project = tomllib.loads(text)["project"]
    if project["name"] != "banneret":
        raise LookupError("another project's file")
    return str(project["version"])


def rules_hash(rules: AnyRuleset) -> str:
    """32 hex digits that name the rules: the ruleset's source files and tables."""
    return _hash_of(type(rules).__module__.rpartition(".")[0])


@cache
def _hash_of(package: str) -> str:
    total = hashlib.blake2b(digest_size=16)
    for name, item in sorted(_sources(files(package), "")):
        total.update(name.encode() + b"\0" + item.read_bytes() + b"\0")
    return total.hexdigest()


def _sources(folder: Traversable, above: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for item in folder.iterdir():
        name = f"{above}/{item.name}"
        if item.name in _NO_RULES:
            continue
        if item.is_dir():
            found.extend(_sources(item, name))
        elif item.name.endswith(_SUFFIXES):
            found.append((name, item))
    return found
