"""Rules of another copy of this program: a branch that they decide, in a process of their own.

Run as a script, it is that process. It loads the engine of the other copy, and this copy's
``engine.debug`` over it, which uses only the oldest parts of the engine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

_HOME: Final = Path(__file__).resolve().parents[2]
_LONGEST: Final = 600.0
"""Seconds after which the other rules are stopped."""


class OtherSide(Exception):
    """The other copy cannot decide this game; the text is the reason in one line."""


def other_branch(
    tree: Path, ruleset: str, seed: bytes, start: bytes, entries: Sequence[bytes]
) -> dict[str, Any]:
    """Return a branch decided by the rules of another copy of this program.

    Args:
        tree: folder of the other copy, which contains ``engine``.
        ruleset: name of the ruleset.
        seed: seed of the game.
        start: the state before the branch, encoded.
        entries: the recorded entries, each encoded.

    Returns:
        ``entries`` (each encoded), ``illegal`` (None, or its fields by name) and ``left``.

    Raises:
        OtherSide: the copy is missing, or cannot read the game.
    """
    from tui.console.lifeline import completed  # noqa: PLC0415 - the script runs without it

    if not (tree / "engine" / "core").is_dir():
        raise OtherSide(f"{tree}: there is no copy of this program with its rules")
    asked = msgspec.msgpack.encode([ruleset, seed, start, entries])
    own = {"PYTHONPATH": str(tree.resolve()), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = completed(
            (sys.executable, "-P", str(Path(__file__).resolve()), str(tree.resolve())),
            given=asked,
            env={**os.environ, **own},
            timeout=_LONGEST,
        )
    except subprocess.TimeoutExpired:
        raise OtherSide(f"{tree}: no answer within {_LONGEST:.0f} s") from None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise OtherSide(f"{tree}: {' '.join(last) or f'ended with {done.returncode}'}")
    answer: dict[str, Any] = msgspec.msgpack.decode(done.stdout)
    return answer


def main(tree: Path) -> None:
    """Decide the branch on standard input with the rules in a folder."""
    debug = ModuleType("engine.debug")
    debug.__path__ = [str(_HOME / "engine" / "debug")]
    sys.modules["engine.debug"] = debug
    from engine.core import codec  # noqa: PLC0415 - of the other copy, as all of these

    if not Path(codec.__file__).is_relative_to(tree):
        sys.exit(f"its rules are not found; {codec.__file__} would decide")
    from engine.core.registry import find  # noqa: PLC0415
    from engine.core.ruleset import entry_type  # noqa: PLC0415
    from engine.debug.branching import branched  # noqa: PLC0415

    ruleset, seed, start, entries = msgspec.msgpack.decode(sys.stdin.buffer.read())
    rules = find(ruleset)
    before = codec.decoder(rules.state_type).decode(start)
    recorded = [codec.decoder(entry_type(rules)).decode(entry) for entry in entries]
    played = branched(rules, seed, before, recorded)
    illegal = played.illegal
    told = illegal and {name: getattr(illegal, name) for name in illegal.__struct_fields__}
    answer = {
        "entries": [codec.encode(entry) for entry in played.entries],
        "illegal": told,
        "left": played.left,
    }
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
