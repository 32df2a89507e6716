"""Rules of another source tree, deciding cases in a process of their own.

The process has the engine of that tree and, of this one, only the module that decides cases; so
the other tree may be of a time before it had one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import GenericAlias, TracebackType
from typing import Any, Final, Self

import msgspec

from engine.core.codec import convert, decoder
from engine.core.record import Record
from engine.core.ruleset import AnyRuleset
from engine.debug import cases
from engine.debug.cases import Case, Outcome, packed
from tui.console.exits import Wrong

_LENGTH: Final = 4
"""Bytes of the length before each message."""

_SERVE: Final = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("banneret_cases", sys.argv[1])
cases = importlib.util.module_from_spec(spec)
sys.modules["banneret_cases"] = cases
spec.loader.exec_module(cases)
from engine.core.codec import encode
from engine.core.registry import find
rules = find(sys.argv[2])
source, out = sys.stdin.buffer, sys.stdout.buffer
while length := int.from_bytes(source.read(4), "big"):
    data = source.read(length)
    try:
        told = encode([tuple(cases.outcomes(rules, cases.unpacked(rules, data))), ""])
    except Exception as problem:
        told = encode([(), f"{type(problem).__name__}: {problem}"])
    out.write(len(told).to_bytes(4, "big") + told)
    out.flush()
"""


class _Told(Record, frozen=True, array_like=True):
    """An answer of the process: outcomes with plain events, or why there are none."""

    outcomes: tuple[dict[str, Any], ...]
    problem: str


class OtherTree:
    """A decider with the rules of another tree."""

    def __init__(self, tree: Path, rules: AnyRuleset) -> None:
        """Name a tree; the process starts with the first case.

        Raises:
            Wrong: there is no engine in that folder.
        """
        if not (tree / "engine" / "core" / "registry.py").is_file():
            raise Wrong(f"{tree}: there are no sources of the program in it")
        self.tree = tree.resolve()
        self._rules = rules
        self._process: subprocess.Popen[bytes] | None = None
        self._has_answered = False

    def __call__(self, case: Case) -> Iterator[Outcome]:
        """Outcomes of a case under the other rules.

        Raises:
            Wrong: the process cannot be started.
        """
        try:
            told = self._asked(packed(case))
        except (OSError, msgspec.DecodeError):
            self.close()
            if not self._has_answered:
                raise Wrong(f"{self.tree}: the rules in it cannot be started") from None
            yield Outcome(fault="the other rules ended")
            return
        self._has_answered = True
        for outcome in told.outcomes:
            yield self._typed(outcome)

    def _asked(self, data: bytes) -> _Told:
        process = self._running()
        assert process.stdin is not None  # noqa: S101 - tells the type checker
        assert process.stdout is not None  # noqa: S101 - tells the type checker
        process.stdin.write(len(data).to_bytes(_LENGTH, "big") + data)
        process.stdin.flush()
        length = int.from_bytes(process.stdout.read(_LENGTH), "big")
        told: _Told = decoder(_Told).decode(process.stdout.read(length))
        return told

    def _typed(self, raw: dict[str, Any]) -> Outcome:
        try:
            events = convert(raw["events"], GenericAlias(tuple, (self._rules.event_type, ...)))
        except msgspec.ValidationError as problem:
            return Outcome(fault=f"events of another form: {problem}")
        return (
            convert({**raw, "events": ()}, Outcome)
            if not events
            else Outcome(events, throws=convert(raw["throws"], tuple[tuple[int, int], ...]))
        )

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter
                [sys.executable, "-P", "-c", _SERVE, str(cases.__file__), self._rules.name],
                env={**os.environ, "PYTHONPATH": str(self.tree), "PYTHONDONTWRITEBYTECODE": "1"},
                cwd=self.tree,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the one who asks
            )
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        """The decider itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        self.close()
