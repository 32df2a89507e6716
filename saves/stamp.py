"""Stamps of saves: the version of the program that writes, and a hash of its rules."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import deque
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from engine.core.ruleset import AnyRuleset

_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<dots>\.*)(?P<base>[\w.]*)[ \t]+import[ \t]*"
    r"(?P<names>\([^)]*\)|[^\n]*)|import[ \t]+(?P<plain>[^\n#]+))",
    re.MULTILINE,
)
_NAME: Final = re.compile(r"(?<!as )\b[^\W\d]\w*")
_UNREAD: Final = re.compile(
    r"^(?P<indent>[ \t]*)"
    r"(?:if TYPE_CHECKING:|def (?:presenter|importers|exporters|tools|bots)\(self)[^\n]*\n"
    r"(?:(?P=indent)[ \t]+[^\n]*\n|[ \t]*\n)*",
    re.MULTILINE,
)
"""Imports for type checkers, and the members of a ruleset's class that only show, import, export or
play a game."""
_NO_RULES: Final = frozenset({"scenarios", "lessons", "bot.toml"})
"""Tables that no rule reads; a save holds the whole scenario that it was begun from."""

_PROJECT: Final = Path(__file__).resolve().parents[1] / "pyproject.toml"
"""Project file of a checkout; missing where the program is installed."""


@cache
def engine_version() -> str:
    """Version of this program: that of the sources in a checkout, else the installed one.

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
    """Version in a project file.

    Raises:
        LookupError: there is none, or it is the file of another project.
        ValueError: this is no TOML.
    """
    project = tomllib.loads(text)["project"]
    if project["name"] != "banneret":
        raise LookupError("another project's file")
    return str(project["version"])


def rules_hash(rules: AnyRuleset) -> str:
    """Hash of the modules that a ruleset decides with and of its tables, as 32 hex digits."""
    return _hash_of(type(rules).__module__)


@cache
def _hash_of(module: str) -> str:
    total = hashlib.blake2b(digest_size=16)
    for name, content in sorted(_contents(module)):
        total.update(name.encode() + b"\0" + content + b"\0")
    return total.hexdigest()


def deciding_modules(module: str) -> dict[str, bytes]:
    """Sources, by name, of a ruleset's module and of all modules that it imports.

    Imports are followed through the engine and the ruleset's own top package, without importing
    anything. Imports for type checkers and those of the ruleset's ports are left out.
    """
    roots = frozenset({"engine", module.partition(".")[0]})
    found: dict[str, bytes] = {}
    packages = set(roots)
    waiting = deque([module])
    while waiting:
        name = waiting.popleft()
        above = name.rpartition(".")[0]
        if name in found or (above in found and above not in packages):
            continue
        source = _source(name) if name.partition(".")[0] in roots else None
        if source is not None:
            found[name] = source.read_bytes()
            if source.name == "__init__.py":
                packages.add(name)
            waiting += _imports(found[name].decode(), name if name in packages else above)
    return found


def _contents(module: str) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of the deciding modules and of the tables in the ruleset's folder."""
    yield from deciding_modules(module).items()
    package = module.rpartition(".")[0]
    if package:
        yield from _tables(files(package), package)


def _source(name: str) -> Traversable | None:
    """File of a module or package; None for the name of something in a module."""
    root, *parts = name.split(".")
    place = files(root).joinpath(*parts)
    package = place.joinpath("__init__.py")
    if package.is_file():
        return package
    above = files(root).joinpath(*parts[:-1])
    source = above.joinpath(f"{parts[-1]}.py") if parts else place
    return source if source.is_file() else None


def _imports(text: str, package: str) -> Iterator[str]:
    """Names that a source imports; each may be a module, or something in one.

    Found by a regular expression, as parsing all modules takes ten times as long. A docstring with
    such a line can add a module, but not leave one out.
    """
    for found in _IMPORT.finditer(_UNREAD.sub("", text)):
        if found["plain"]:
            yield from (part.split()[0] for part in found["plain"].split(",") if part.strip())
            continue
        dots = len(found["dots"])
        above = package.rsplit(".", dots - 1)[0] if dots else ""
        base = ".".join(part for part in (above, found["base"]) if part)
        yield base
        yield from (f"{base}.{name}" for name in _NAME.findall(found["names"]))


def _tables(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        name = f"{above}/{item.name}"
        if item.name in _NO_RULES:
            continue
        if item.is_dir():
            yield from _tables(item, name)
        elif item.name.endswith(".toml"):
            yield name, item.read_bytes()
