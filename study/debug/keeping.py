"""Tests of cases for ``shrink``: what has to stay while a game is made smaller.

``parts``, ``fault``, ``exit:COMMAND`` or a query. Each process that runs trials builds a test from
its setup; cases are sent to it as bytes. Rules of another tree decide in a process of their own,
which has the engine of that tree and, of this one, only the module that decides cases. So the other
tree may be older than that module.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from time import monotonic
from types import GenericAlias, TracebackType
from typing import Any, Final, Self

import msgspec

from engine.core.archive import Archive, Header, SaveFault
from engine.core.codec import convert, decoder
from engine.core.record import Record
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.debug.cases import (
    Case,
    CaseOutcome,
    CaseVerdict,
    Keep,
    keep_fault,
    keep_parting,
    log_of,
    outcomes,
    packed,
    trimmed,
    unpacked,
)
from engine.debug.shrinking import ShrinkTrial
from study.debug.bundle import write_save
from study.debug.tree_process import TreeFault, TreeProcess
from study.farm.runs import Done
from study.farm.supervisor import Farm
from tui.console.exits import Wrong
from tui.console.lifeline import completed
from tui.replay.query import BadQuery, parse
from tui.replay.timeline import Story

EXIT: Final = "exit:"
_ALSO: Final = 101
"""Exit code of a command for a case that is interesting, but not the one sought."""


class KeepSetup(Record, frozen=True):
    """Setup of a test: the ruleset, the text of ``--keep``, and the path of the other tree."""

    ruleset: str
    keep: str
    tree: str = ""


class FoundCase(Record, frozen=True):
    """A verdict in encoded form: its signature (empty for no verdict) and the packed case."""

    signature: str = ""
    case: bytes = b""

    def verdict(self, rules: AnyRuleset) -> CaseVerdict | None:
        """Decode the verdict; None if the test found nothing."""
        return CaseVerdict(self.signature, unpacked(rules, self.case)) if self.signature else None


def found_of(verdict: CaseVerdict | None) -> FoundCase:
    """Encode a verdict, for another process or the journal."""
    return FoundCase() if verdict is None else FoundCase(verdict.signature, packed(verdict.case))


def keeper(setup: KeepSetup) -> Callable[[bytes], FoundCase]:
    """Return the test of a setup, for packed cases: the work of a process that runs trials."""
    rules = find(setup.ruleset)
    keep = sound(rules, keep_of(setup))

    def tried(case: bytes) -> FoundCase:
        return found_of(keep(unpacked(rules, case)))

    return tried


def sound(rules: AnyRuleset, keep: Keep) -> Keep:
    """Return a test that also finds nothing if the rules refuse the case's position."""

    def kept(case: Case) -> CaseVerdict | None:
        try:
            rules.check(case.scenario)
        except Exception:  # noqa: BLE001 - such as a position that is none at all
            return None
        return keep(case)

    return kept


def keep_of(setup: KeepSetup) -> Keep:
    """Return the test of a setup that needs no files.

    Raises:
        Wrong: its text cannot be read, or needs another tree.
    """
    rules = find(setup.ruleset)
    if setup.keep == "fault":
        return keep_fault(rules)
    if setup.keep == "parts":
        return keep_parting(rules, OtherTree(Path(setup.tree), rules))
    return keep_query(rules, setup.keep)


def keep_query(rules: AnyRuleset, text: str) -> Keep:
    """Return a test for a moment that matches a query; its signature is the kind of the fact."""

    def keep(case: Case) -> CaseVerdict | None:
        try:
            log = log_of(rules, case)
        except ValueError:
            return None
        story = Story(rules, log.line())
        for _ in story.walk():
            pass
        numbers = tuple(rules.statistics(rules.empty()))
        try:
            query = parse(text, rules.seat_names(case.scenario), numbers)
        except BadQuery:
            return None
        moment = next(iter(query.search(story)), None)
        if moment is None:
            return None
        known = list(outcomes(rules, case))
        return CaseVerdict(moment.fact.kind, trimmed(case, known, moment.index - 1))

    return keep


def keep_exit(rules: AnyRuleset, command: str, archive: Archive, header: Header) -> Keep:
    """Return a test that runs a command with the path of a save, last or in place of ``{}``.

    Exit code 0 keeps a case, 101 marks one that is also interesting.

    Raises:
        Wrong: the command cannot be read.
    """
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise Wrong(f"--keep {EXIT}: {problem}") from None
    if not words:
        raise Wrong(f"--keep {EXIT} needs a command")

    def keep(case: Case) -> CaseVerdict | None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "case.bnr"
            try:
                log = log_of(rules, case)
                write_save(archive, path, header, log.entries)
            except (ValueError, SaveFault):
                return None
            code = _exit_code(words, path)
        known = list(outcomes(rules, case))
        if code not in {0, _ALSO}:
            return None
        return CaseVerdict(f"exit code {code}", trimmed(case, known, len(case.steps) - 1))

    return keep


def _exit_code(words: list[str], path: Path) -> int:
    """Run a command with a path, in place of ``{}`` or last, and return its exit code.

    Raises:
        Wrong: it cannot be started.
    """
    told = [word.replace("{}", str(path)) for word in words]
    told += [] if told != words else [str(path)]
    try:
        return completed(told).returncode
    except OSError as problem:
        raise Wrong(f"{told[0]}: {problem.strerror}") from None


# -- rules of another tree -------------------------------------------------------------------------


class _Outcomes(Record, frozen=True, array_like=True):
    """An answer of the process: outcomes with plain events, or why there are none."""

    outcomes: tuple[dict[str, Any], ...]
    problem: str


class OtherTree:
    """A decider with the rules of another tree."""

    def __init__(self, tree: Path, rules: AnyRuleset) -> None:
        """Use a tree; the process starts with the first case.

        Raises:
            Wrong: the folder has no engine.
        """
        if not (tree / "engine" / "core" / "registry.py").is_file():
            raise Wrong(f"{tree}: there are no sources of the program in it")
        self.tree = tree.resolve()
        self._rules = rules
        self._process: TreeProcess | None = None
        self._has_answered = False

    def __call__(self, case: Case) -> Iterator[CaseOutcome]:
        """Yield the outcomes of a case under the other rules.

        Raises:
            Wrong: the process cannot be started.
        """
        try:
            self._process = self._process or TreeProcess(self.tree, "cases", self._rules.name)
            told = decoder(_Outcomes).decode(self._process.answer(packed(case)))
        except (TreeFault, msgspec.DecodeError) as fault:
            self.close()
            if not self._has_answered:
                raise Wrong(f"{self.tree}: the rules in it cannot be started: {fault}") from None
            yield CaseOutcome(fault="the other rules ended")
            return
        self._has_answered = True
        for outcome in told.outcomes:
            yield self._typed(outcome)

    def _typed(self, raw: dict[str, Any]) -> CaseOutcome:
        try:
            events = convert(raw["events"], GenericAlias(tuple, (self._rules.event_type, ...)))
        except msgspec.ValidationError as problem:
            return CaseOutcome(fault=f"events of another form: {problem}")
        return (
            convert({**raw, "events": ()}, CaseOutcome)
            if not events
            else CaseOutcome(events, throws=convert(raw["throws"], tuple[tuple[int, int], ...]))
        )

    def close(self) -> None:
        """End the process of the other tree."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process of the other tree."""
        self.close()


# -- trials in other processes ---------------------------------------------------------------------

_QUICK: Final = 0.05
"""Seconds of a trial below which sending it to another process would take longer."""
_LARGEST_WAVE: Final = 64


@contextmanager
def trials(setup: KeepSetup, keep: Keep, jobs: int) -> Iterator[ShrinkTrial]:
    """Run trials in this process if they are quick, or else in ``jobs`` processes.

    Where a trial runs, and how many run ahead, changes no verdict and no order.
    """
    rules = find(setup.ruleset)
    with Farm(keeper, setup, workers=jobs) as farm:

        def trial(cases: Iterator[Case]) -> Iterator[CaseVerdict | None]:
            seconds, wave = 0.0, jobs
            while seconds < _QUICK and (case := next(cases, None)) is not None:
                began = monotonic()
                verdict = keep(case)
                seconds = monotonic() - began
                yield verdict
            while waiting := list(islice(cases, wave)):
                for result in list(farm.run(map(packed, waiting))):
                    yield result.value.verdict(rules) if isinstance(result, Done) else None
                wave = min(2 * wave, _LARGEST_WAVE)

        yield trial
