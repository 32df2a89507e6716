"""Code of bots: find it, hash it, and control whether it may start.

A bot's program runs, and its class is imported, only if the user asked for that bot: on the command
line, in a plan that is to be played, through the library, or with ``--run-bots``. Runs and reports
name bots too, and may come from anyone; reading them starts nothing. Checking a bot and hashing it
only read files, so that a recorded hash can be compared before an import.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final, TypeVar

from engine.core.ruleset import AnyRuleset
from engine.core.sources import hash_of_files, players_hash
from study.farm.protocol import is_worker
from study.lab.bots import BotKind, BotSpec
from study.lab.families import guard_workers
from tui.console.exits import Wrong
from tui.console.files import is_file

S = TypeVar("S")

_MOST_CODE: Final = 1 << 24
"""Bytes of a program's file from which it is hashed by its size and its beginning."""

_SHOWN: Final = 300
"""Maximum characters of a bot that a refusal quotes."""

_allowed: set[tuple[BotKind, str]] = set()
"""Kind and code of the bots that the user asked for."""


# -- the door ----------------------------------------------------------------------------------


def allow(bots: Iterable[BotSpec]) -> None:
    """Let these bots start in this process from now on, since the user asked for them."""
    _allowed.update((bot.kind, bot.code) for bot in bots)


def is_allowed(bot: BotSpec) -> bool:
    """Return whether a bot may start. A worker may start whatever its supervisor sends.

    Only kind and code count: parameters are plain values for an import or a command line.
    """
    return bot.kind == "level" or (bot.kind, bot.code) in _allowed or is_worker()


def asked(setup: S, bots: Iterable[BotSpec]) -> S:
    """Check that all bots of a setup may start, and return the setup for the workers.

    Raises:
        Wrong: the user did not ask for one of the bots.
    """
    for bot in bots:
        _check_allowed(bot)
        if bot.kind == "python":
            guard_workers()
    return setup


def _check_allowed(bot: BotSpec) -> None:
    if not is_allowed(bot):
        text = str(bot)
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise Wrong(f"this would run {shown}; --run-bots allows it")


# -- checks ------------------------------------------------------------------------------------


def check_bots(rules: AnyRuleset, bots: Sequence[BotSpec]) -> None:
    """Refuse bots that a plan cannot have. A class is tried only if it may start.

    Raises:
        Wrong: a level is unknown, two bots have the same name, or a class or a program is missing.
    """
    names = [bot.name for bot in bots]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Wrong(f"two bots are called {twice!r}; write NAME=… before one of them")
    for bot in bots:
        if bot.kind == "level":
            if bot.code not in rules.bots:
                raise Wrong(f"there is no level {bot.code!r}; known: {', '.join(rules.bots)}")
            if bot.parameters:
                raise Wrong(f"{bot}: a level has no parameters")
        elif bot.kind == "command":
            command_words(bot)
        elif is_allowed(bot):
            python_bot(bot)
        else:
            _module_file(bot.code)


# -- hashes ------------------------------------------------------------------------------------


def bot_hash(rules: AnyRuleset, bot: BotSpec) -> str:
    """Return the hash of a bot's code and parameters, as 32 hex digits.

    For a class, the code is its module's file, with the files beside it in a package. For a
    command, it is the command line and those of its words that are files. Nothing is imported or
    started.
    """
    if bot.kind == "level":
        content = players_hash(rules).encode()
    elif bot.kind == "python":
        content = hash_of_files(_python_files(bot)).encode()
    else:
        content = hash_of_files(_command_files(bot)).encode()
    text = f"{bot.kind}\0{bot.code}\0{sorted(bot.parameters.items())}\0".encode()
    return hashlib.blake2b(text + content, digest_size=16).hexdigest()


def _python_files(bot: BotSpec) -> dict[str, bytes]:
    """Return the file of a bot's module, and the Python files beside it in a package."""
    path = _module_file(bot.code)
    if path is None:
        return {}
    beside = path.parent.glob("*.py") if (path.parent / "__init__.py").is_file() else [path]
    files = sorted(file for file in beside if file.is_file())
    return {str(file.relative_to(path.parent)): _content(file) for file in files}


def _module_file(code: str) -> Path | None:
    """Return the file of the module in ``FILE.py:CLASS`` or ``MODULE:CLASS``, without an import.

    None if the module has no file, because it is built in or was made by this process.

    Raises:
        Wrong: the module is missing.
    """
    home = code.rpartition(":")[0]
    if home.endswith(".py"):
        path = Path(home)
        if not is_file(path):
            raise Wrong(f"py:{code}: there is no file {path}")
        return path
    if home in sys.modules:
        known = getattr(sys.modules[home], "__file__", None)
        return Path(known) if known else None
    found: ModuleSpec | None = None
    places: list[str] | None = None
    name = ""
    for part in home.split("."):
        name = f"{name}.{part}" if name else part
        found = _spec_of(name, places) if part.isidentifier() else None
        if found is None:
            raise Wrong(f"py:{code}: there is no module {name!r}")
        places = list(found.submodule_search_locations or ())
    assert found is not None  # noqa: S101 - a split text has a part
    return Path(found.origin) if found.has_location and found.origin else None


def _spec_of(name: str, places: Sequence[str] | None) -> ModuleSpec | None:
    """Return the spec of a module or None; unlike ``find_spec``, without importing packages."""
    specs = (finder.find_spec(name, places) for finder in sys.meta_path)
    return next((spec for spec in specs if spec is not None), None)


def _command_files(bot: BotSpec) -> dict[str, bytes]:
    words = command_words(bot)
    paths = ((word, Path(shutil.which(word) or word)) for word in words)
    return {word: _content(path) for word, path in paths if is_file(path)}


def _content(path: Path) -> bytes:
    """Return the bytes of a file; of a large one, its size and its beginning."""
    with path.open("rb") as file:
        data = file.read(_MOST_CODE)
    return data if len(data) < _MOST_CODE else b"%d " % path.stat().st_size + data


# -- programs and classes ----------------------------------------------------------------------


def program_of(bot: BotSpec) -> list[str]:
    """Return the words that start a bot's program.

    Raises:
        Wrong: the user did not ask for the bot, or its program is missing.
    """
    _check_allowed(bot)
    return command_words(bot)


def command_words(bot: BotSpec) -> list[str]:
    """Return the words of a bot's command line, with its parameters filled in.

    Raises:
        Wrong: it cannot be split, lacks a parameter, or its program is missing.
    """
    line = bot.code
    for name, value in bot.parameters.items():
        if f"{{{name}}}" not in line:
            raise Wrong(f"{bot}: the command has no {{{name}}}")
        line = line.replace(f"{{{name}}}", shlex.quote(str(value)))
    try:
        words = shlex.split(line)
    except ValueError as problem:
        raise Wrong(f"{bot}: {problem}") from None
    if not words or shutil.which(words[0]) is None:
        raise Wrong(f"{bot}: there is no program {words[0] if words else ''!r}")
    if os.sep in words[0]:
        words[0] = str(Path(words[0]).absolute())
    return words


def python_bot(bot: BotSpec) -> Any:
    """Create an object of a bot's class.

    Raises:
        Wrong: the user did not ask for the bot, or its class is missing or cannot be created.
    """
    _check_allowed(bot)
    found = _class_of(bot.code)
    try:
        made = found(**bot.parameters)
    except (Exception, SystemExit) as problem:
        raise Wrong(f"{bot}: {type(problem).__name__}: {problem}") from problem
    if not callable(getattr(made, "plan", None)):
        raise Wrong(f"{bot}: it has no method plan(view, offers, dice)")
    return made


@cache
def _class_of(code: str) -> Callable[..., Any]:
    """Return the class named by ``FILE.py:CLASS`` or ``MODULE:CLASS``.

    Raises:
        Wrong: it is missing or cannot be imported.
    """
    home, _, name = code.rpartition(":")
    try:
        module = _module_of_file(Path(home)) if home.endswith(".py") else import_module(home)
    except (Exception, SystemExit) as problem:
        raise Wrong(f"py:{code}: {type(problem).__name__}: {problem}") from problem
    found: Callable[..., Any] | None = getattr(module, name, None)
    if not callable(found):
        raise Wrong(f"py:{code}: there is no class {name!r} in {home}")
    return found


def _module_of_file(path: Path) -> Any:
    """Import a Python file under a unique module name."""
    if not is_file(path):
        raise FileNotFoundError(f"there is no file {path}")
    name = (
        f"banneret_bot_{hashlib.blake2b(str(path.absolute()).encode(), digest_size=6).hexdigest()}"
    )
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
