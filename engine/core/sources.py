"""Sources of a ruleset: the modules that decide its games or play them, and a hash of each set.

The rules hash is in every save: it identifies the rules of the game. The players hash also covers
the computer players: if it is equal, the same seed gives the same game.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from engine.core.base_ruleset import BaseRuleset
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
"""Imports for type checkers, and methods of a ruleset's class that only show, import, export or
play a game."""
_PLAYERS: Final = "bot.toml"
"""Table that only computer players read."""
_NO_RULES: Final = frozenset({"scenarios", "lessons", "rule_index.toml"})
"""Tables that no rule reads: a save holds its scenario, and the index only names functions."""


def rules_hash(rules: AnyRuleset) -> str:
    """Return a hash of a ruleset's deciding modules and tables, as 32 hex digits."""
    return _hash_of(type(rules).__module__)


def players_hash(rules: AnyRuleset) -> str:
    """Return a hash of the modules that decide or play a ruleset's games, and of all tables."""
    return _players_hash_of(type(rules).__module__, _playing_modules(rules))


def _playing_modules(rules: AnyRuleset) -> frozenset[str]:
    """Return the modules of a ruleset's computer players, which import all others that play."""
    players = {type(bot).__module__ for bot in rules.bots.values()}
    if isinstance(rules, BaseRuleset):
        players.add(f"{rules.package}.{rules.bots_module}")
    return frozenset(players)


def players_code(rules: AnyRuleset) -> str:
    """Return a hash like ``players_hash``, but without docstrings, comment lines and blank lines.

    Comments after code count. It takes some ten times as long, and is the same on every version of
    Python.
    """
    return _players_code_of(type(rules).__module__, _playing_modules(rules))


@cache
def _players_code_of(module: str, players: frozenset[str]) -> str:
    code = {name: bare(source) for name, source in _modules(module, *players).items()}
    return hash_of_files(code | _tables_of(module, _NO_RULES))


def bare(source: bytes) -> bytes:
    """Return the lines of a source without docstrings, comment lines and blank lines.

    >>> bare(b"'About.'; x = 1".replace(b"; ", bytes([10])))
    b'x = 1'
    """
    lines = source.splitlines()
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.update(range(node.lineno - 1, node.end_lineno or node.lineno))
    kept = (line for number, line in enumerate(lines) if number not in left_out)
    return b"\n".join(line for line in kept if line.strip() and not line.lstrip().startswith(b"#"))


@cache
def _hash_of(module: str) -> str:
    tables = _tables_of(module, _NO_RULES | {_PLAYERS})
    return hash_of_files(deciding_modules(module) | tables)


@cache
def _players_hash_of(module: str, players: frozenset[str]) -> str:
    return hash_of_files(_modules(module, *players) | _tables_of(module, _NO_RULES))


def hash_of_files(contents: Mapping[str, bytes]) -> str:
    """Return a hash of files by their names, as 32 hex digits."""
    total = hashlib.blake2b(digest_size=16)
    for name, content in sorted(contents.items()):
        total.update(name.encode() + b"\0" + content + b"\0")
    return total.hexdigest()


def deciding_modules(module: str) -> dict[str, bytes]:
    """Return the sources, by name, of a ruleset's module and of all modules that it imports.

    Imports are followed through the engine and the ruleset's own top package, without importing
    anything. Imports for type checkers and those of the ruleset's ports are skipped.
    """
    return _modules(module)


def _modules(module: str, *others: str) -> dict[str, bytes]:
    """Return the sources of modules and of their imports."""
    roots = frozenset({"engine", module.partition(".")[0]})
    found: dict[str, bytes] = {}
    packages = set(roots)
    waiting = deque([module, *others])
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


def _tables_of(module: str, left_out: frozenset[str]) -> dict[str, bytes]:
    """Return the tables in the ruleset's folder, by name; a module outside packages has none."""
    package = module.rpartition(".")[0]
    return dict(_tables(files(package), package, left_out)) if package else {}


def _source(name: str) -> Traversable | None:
    """Return the file of a module or package; None for a name inside a module."""
    root, *parts = name.split(".")
    place = files(root).joinpath(*parts)
    package = place.joinpath("__init__.py")
    if package.is_file():
        return package
    above = files(root).joinpath(*parts[:-1])
    source = above.joinpath(f"{parts[-1]}.py") if parts else place
    return source if source.is_file() else None


def _imports(text: str, package: str) -> Iterator[str]:
    """Yield the names that a source imports; each may be a module, or something in one.

    It uses a regular expression, because parsing all modules takes ten times as long. A docstring
    with such a line can add a module, but not hide one.
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


def _tables(
    folder: Traversable, above: str, left_out: frozenset[str]
) -> Iterator[tuple[str, bytes]]:
    for item in folder.iterdir():
        name = f"{above}/{item.name}"
        if item.name in left_out:
            continue
        if item.is_dir():
            yield from _tables(item, name, left_out)
        elif item.name.endswith(".toml"):
            yield name, item.read_bytes()
