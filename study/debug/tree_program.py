"""The program of a process that works with the rules of another tree of sources.

``python -P tree_program.py TREE WORK WORDS`` with ``PYTHONPATH=TREE`` runs as a file, so that one
version of this program can start it with the rules of another. A work greets, and then yields the
answers to each request until standard input ends. All are MessagePack values, each with its length
in front; the length 0 ends the answers to a request. What the rules print goes to standard error.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Final

import msgspec

LENGTH: Final = 4
"""Number of bytes in front of each value that hold its length."""

Work = tuple[Any, Callable[[Any], Iterator[Any]]]
"""A greeting, and a function that yields the answers to a request."""

_HOME: Final = Path(__file__).resolve().parents[2]


def main(tree: str, work: str, *words: str) -> None:
    """Do a work with the rules of a tree: greet, then answer requests until input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        greeting, answers = _WORKS[work](Path(tree).resolve(), *words)
    except Exception as problem:  # noqa: BLE001 - a tree may be broken in any way
        sys.exit(f"{type(problem).__name__}: {problem}"[:300])
    _write(out, greeting)
    source = sys.stdin.buffer
    while len(length := source.read(LENGTH)) == LENGTH:
        for answer in answers(msgspec.msgpack.decode(source.read(int.from_bytes(length, "big")))):
            _write(out, answer)
        out.write(bytes(LENGTH))
        out.flush()


def _write(out: IO[bytes], answer: Any) -> None:
    data = msgspec.msgpack.encode(answer, enc_hook=str)
    out.write(len(data).to_bytes(LENGTH, "big") + data)
    out.flush()


def _check(tree: Path, what: str) -> None:
    """End this process if the engine that it imports is not that of the tree."""
    from engine.core import codec  # noqa: PLC0415 - of the tree, as everything of the engine here

    if not Path(codec.__file__).is_relative_to(tree):
        sys.exit(f"its {what} are not found; those of {codec.__file__} would be used")


def _module(name: str, path: Path) -> ModuleType:
    """Load a module of this version from its file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # noqa: PT018, S101 - it is a Python file
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _saves(tree: Path) -> Work:
    """Decide saves again; see ``decider_program``."""
    deciding = _module("banneret_decider", Path(__file__).with_name("decider_program.py"))
    work: Work = None, deciding.answers_with(tree)
    return work


def _branches(tree: Path) -> Work:
    """Decide the entries of a branch: ruleset, seed, start and entries, the last two encoded.

    This version's ``engine.debug`` does it; it uses only the oldest parts of the engine.
    """
    debug = ModuleType("engine.debug")
    debug.__path__ = [str(_HOME / "engine" / "debug")]
    sys.modules["engine.debug"] = debug
    _check(tree, "rules")
    from engine.core import codec  # noqa: PLC0415
    from engine.core.registry import find  # noqa: PLC0415
    from engine.core.ruleset import entry_type  # noqa: PLC0415
    from engine.debug.branching import branched  # noqa: PLC0415

    def answers(request: Any) -> Iterator[Any]:
        ruleset, seed, start, entries = request
        rules = find(ruleset)
        before = codec.decoder(rules.state_type).decode(start)
        recorded = [codec.decoder(entry_type(rules)).decode(entry) for entry in entries]
        played = branched(rules, seed, before, recorded)
        illegal = played.illegal
        yield {
            "entries": [codec.encode(entry) for entry in played.entries],
            "illegal": illegal
            and {name: getattr(illegal, name) for name in illegal.__struct_fields__},
            "left": played.left,
        }

    return None, answers


def _cases(tree: Path, ruleset: str) -> Work:
    """Decide packed cases with this version's ``cases``: encoded outcomes, or the fault."""
    _check(tree, "rules")
    cases = _module("banneret_cases", _HOME / "engine" / "debug" / "cases.py")
    from engine.core.codec import encode  # noqa: PLC0415
    from engine.core.registry import find  # noqa: PLC0415

    rules: Any = find(ruleset)

    def answers(request: Any) -> Iterator[Any]:
        try:
            yield encode([tuple(cases.outcomes(rules, cases.unpacked(rules, request))), ""])
        except Exception as problem:  # noqa: BLE001 - whatever those rules make of it
            yield encode([(), f"{type(problem).__name__}: {problem}"])

    return None, answers


def _levels(tree: Path, ruleset: str) -> Work:
    """Plan for levels: level, encoded view, seat, seed, entry, and True if the turn must end.

    The greeting is the hash of the tree's players.
    """
    _check(tree, "players")
    from engine.core import codec  # noqa: PLC0415
    from engine.core.dice import Seeded  # noqa: PLC0415
    from engine.core.registry import find  # noqa: PLC0415
    from engine.core.sources import players_code  # noqa: PLC0415

    rules: Any = find(ruleset)
    read = codec.decoder(rules.view_type)

    def answers(request: Any) -> Iterator[Any]:
        level, data, seat, seed, entry, rests = request
        view = read.decode(data)

        def offers(about: int | None = None) -> Any:
            return rules.offers(view, about)

        bot = rules.bots[level]
        commands = (
            bot.rest(view, offers)
            if rests
            else bot.plan(view, offers, Seeded(seed, entry, f"bot:{seat}"))
        )
        yield [codec.encode(command) for command in commands]

    return players_code(rules), answers


_WORKS: Final[dict[str, Callable[..., Work]]] = {
    "branches": _branches,
    "cases": _cases,
    "levels": _levels,
    "saves": _saves,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
