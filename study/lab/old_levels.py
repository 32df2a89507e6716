"""Levels of another copy of this program, which play by the rules of this one.

Run as a script, it is the process that plans for them. It loads the engine of the other copy,
receives views from this one, and answers with commands. Each copy decodes them with its own types.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

_LENGTH: Final = 4
"""Number of bytes in front of each message that hold its length."""


class OldFault(Exception):
    """The other copy cannot plan; the text is one line with the reason."""


class OldCopy:
    """Process of another copy of this program that plans for its levels."""

    def __init__(self, tree: Path, ruleset: str) -> None:
        """Start the process.

        Raises:
            OldFault: the tree is not such a copy, or does not know the ruleset.
        """
        from tui.console.lifeline import TiedProcess  # noqa: PLC0415 - the script runs without it

        own = {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
        self._tree, self._said = tree, tempfile.TemporaryFile()  # noqa: SIM115 - as long as it runs
        self._process: TiedProcess[bytes] = TiedProcess(  # the folder that was asked for
            (sys.executable, "-P", str(Path(__file__).resolve()), str(tree), ruleset),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env={**os.environ, **own},
        )
        self.players: str = self._answer()
        """Hash of its players."""

    def plan(self, *moment: Any) -> Sequence[bytes]:
        """Return commands, each encoded.

        Args:
            moment: level, encoded view, seat, seed, number of the entry, and True if the level must
                end its turn.

        Raises:
            OldFault: it gave none.
        """
        data = msgspec.msgpack.encode(moment)
        pipe = self._process.stdin
        assert pipe is not None  # noqa: S101 - it was asked for
        try:
            pipe.write(len(data).to_bytes(_LENGTH, "big") + data)
            pipe.flush()
        except OSError:
            raise OldFault(self._last_words()) from None
        commands: Sequence[bytes] = self._answer()
        return commands

    def close(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.communicate()
        self._said.close()

    def _answer(self) -> Any:
        pipe = self._process.stdout
        assert pipe is not None  # noqa: S101 - it was asked for
        length = pipe.read(_LENGTH)
        data = pipe.read(int.from_bytes(length, "big")) if len(length) == _LENGTH else b""
        if not data:
            raise OldFault(self._last_words())
        return msgspec.msgpack.decode(data)

    def _last_words(self) -> str:
        self._process.kill()
        self._process.communicate()
        self._said.seek(0)
        last = self._said.read().decode(errors="replace").strip().splitlines()[-1:]
        self._said.close()
        return f"{self._tree}: {' '.join(last) or f'ended with {self._process.returncode}'}"


_copies: dict[tuple[Path, str], OldCopy] = {}


def old_copy(tree: Path, ruleset: str) -> OldCopy:
    """Return the copy in a folder, shared by all games of this process.

    Raises:
        OldFault: it is not such a copy, or does not know the ruleset.
    """
    if (tree, ruleset) not in _copies:
        _copies[tree, ruleset] = OldCopy(tree, ruleset)
    return _copies[tree, ruleset]


def end_copies() -> None:
    """Kill all copies of this process; they also end with it."""
    while _copies:
        _copies.popitem()[1].close()


# -- the other process -------------------------------------------------------------------------


def main(tree: Path, ruleset: str) -> None:
    """Plan for the levels of the copy in a folder, until standard input ends."""
    from engine.core import codec  # noqa: PLC0415 - of the other copy, as all of these

    if not Path(codec.__file__).is_relative_to(tree):
        sys.exit(f"its players are not found; those of {codec.__file__} would plan")
    from engine.core.dice import Seeded  # noqa: PLC0415
    from engine.core.registry import find  # noqa: PLC0415
    from engine.core.sources import players_code  # noqa: PLC0415

    rules: Any = find(ruleset)
    _write(players_code(rules))
    read = codec.decoder(rules.view_type)
    while (asked := _read()) is not None:
        level, data, seat, seed, entry, rests = msgspec.msgpack.decode(asked)
        view = read.decode(data)

        def offers(about: int | None = None, view: Any = view) -> Any:
            return rules.offers(view, about)

        if rests:
            commands = rules.bots[level].rest(view, offers)
        else:
            commands = rules.bots[level].plan(view, offers, Seeded(seed, entry, f"bot:{seat}"))
        _write([codec.encode(command) for command in commands])


def _read() -> bytes | None:
    length = sys.stdin.buffer.read(_LENGTH)
    return sys.stdin.buffer.read(int.from_bytes(length, "big")) if len(length) == _LENGTH else None


def _write(answer: Any) -> None:
    data = msgspec.msgpack.encode(answer)
    sys.stdout.buffer.write(len(data).to_bytes(_LENGTH, "big") + data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
