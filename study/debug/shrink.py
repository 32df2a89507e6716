"""``shrink``: make a game as small as possible while a test still finds the same in it.

Every verdict is written to a journal beside the output, so that the same command can be resumed
after any interruption.
"""

from __future__ import annotations

import os
import re
import sys
import time
from argparse import Namespace
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from zlib import compress, decompress

import msgspec

from engine.core.archive import Archive, Header
from engine.core.codec import encode_json
from engine.core.record import Record, replace
from engine.core.ruleset import AnyRuleset
from engine.debug.cases import (
    Case,
    CaseVerdict,
    Keep,
    case_of,
    from_first_position,
    log_of,
    packed,
)
from engine.debug.scenario_tree import pieces
from engine.debug.shrinking import PASSES, Shrinker, ShrinkProgress, ShrinkTrial, here
from engine.tabletop.english import many
from study.debug.bundle import write_save
from study.debug.debugger import Answer, Debugger
from study.debug.keeping import (
    EXIT,
    FoundCase,
    KeepSetup,
    found_of,
    keep_exit,
    keep_of,
    sound,
    trials,
)
from study.debug.test_writer import written_test
from study.debug.trees import find_tree, own_tree
from tui.console.exits import Wrong
from tui.console.files import is_file, is_there
from tui.console.printing import raw

_JOURNAL: Final = ".shrink"

_LONGEST_KEY: Final = 10_000
"""Maximum bytes of a journal's first line."""

_EVERY: Final = 0.5
"""Seconds between two reports of the progress."""


def shrink(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Shrink the game of the debugger to a new save.

    Raises:
        Wrong: files and programs are not allowed here, or the arguments make no sense.
    """
    archive = bench.archive
    out, test = Path(args.output), Path(args.test) if args.test else None
    for path in filter(None, (out, test)):
        if is_there(path):
            raise Wrong(f"{path}: is there already")
    _check_passes(args.no_pass)
    setup = _setup(bench, args)
    keep = sound(bench.rules, _keep(bench, archive, setup))
    case = case_of(bench.rules, bench.opened.log.line(bench.head))
    start = _start(bench.rules, keep, case)
    yield Answer(f"{_size(case)}: {start.signature}", data={"signature": start.signature})
    jobs = 1 if setup.keep.startswith(EXIT) else args.jobs or os.cpu_count() or 1
    key = _key(case, setup, args)
    with _trials(setup, keep, jobs) as trial, ShrinkJournal(out, bench.rules, key) as journal:
        shrinker = Shrinker(
            bench.rules, start, trial, skipped=args.no_pass or (), prefer=args.prefer
        )
        shrinker.with_kinds_of(case)
        journal.join(shrinker)
        with _shown(shrinker):
            best = shrinker.run()
            notes = shrinker.notes()
        if keep(replace(best, steps=())) is not None:
            raise Wrong("what is left is trivial: it passes without any entry; ask --keep for more")
        yield from _kept(bench, out, shrinker)
        if test is not None:
            yield from written_test(bench, best, setup.keep, test)
        yield from (Answer(f"  {note}", data={"note": note}) for note in notes)
    journal.remove()


def _check_passes(names: list[str] | None) -> None:
    unknown = sorted({*(names or ())} - {*PASSES})
    if unknown:
        raise Wrong(f"there is no pass {unknown[0]!r}; there are {', '.join(PASSES)}")


def _setup(bench: Debugger, args: Namespace) -> KeepSetup:
    if (args.keep == "parts") != bool(args.other):
        raise Wrong("--keep parts and --with TREE belong together")
    tree = str(find_tree(args.other).path) if args.other else ""
    if args.keep not in {"parts", "fault"} and not args.keep.startswith(EXIT):
        bench.query(args.keep)
    return KeepSetup(bench.rules.name, args.keep, tree)


def _keep(bench: Debugger, archive: Archive, setup: KeepSetup) -> Keep:
    if setup.keep.startswith(EXIT):
        command = setup.keep.removeprefix(EXIT)
        return keep_exit(bench.rules, command, archive, bench.opened.header)
    return keep_of(setup)


@contextmanager
def _trials(setup: KeepSetup, keep: Keep, jobs: int) -> Iterator[ShrinkTrial]:
    """Run trials in this process with one job or if the test needs files, or else in others."""
    with nullcontext(here(keep)) if jobs == 1 else trials(setup, keep, jobs) as trial:
        yield trial


def _start(rules: AnyRuleset, keep: Keep, case: Case) -> CaseVerdict:
    """Return the verdict on the whole game.

    Raises:
        Wrong: the test finds nothing in it, or already passes before the first entry.
    """
    if keep(replace(case, steps=())) is not None:
        raise Wrong("--keep is true before the first entry; nothing would be left of the game")
    found = keep(case) or keep(from_first_position(rules, case))
    if found is None or not found.case.steps:
        raise Wrong("nothing in this game is what --keep asks for")
    return found


def _key(case: Case, setup: KeepSetup, args: Namespace) -> str:
    """Return a hash of everything that determines a shrink, including the code of the rules."""
    asked = (setup.keep, sorted(args.no_pass or ()), args.prefer)
    hashed = blake2b(packed(case) + repr(asked).encode(), digest_size=16)
    for tree in (own_tree().path, *([Path(setup.tree)] if setup.tree else ())):
        for path in sorted((tree / "engine").rglob("*")):
            if path.suffix in {".py", ".toml"}:
                hashed.update(path.read_bytes())
    return hashed.hexdigest()


def _kept(bench: Debugger, out: Path, shrinker: Shrinker) -> Iterator[Answer]:
    """Write the smallest case, and other interesting ones into ``also/`` beside it."""
    best = shrinker.best
    _write(bench, out, best)
    data = {
        "entries": len(best.steps),
        "pieces": pieces(best.scenario),
        "tries": shrinker.trials,
        "file": str(out),
    }
    yield Answer(f"{_size(best)}, {shrinker.trials} tries: {out}", data=data)
    for signature, case in shrinker.also.items():
        path = out.parent / "also" / f"{_slug(signature)}.bnr"
        if is_there(path):
            continue
        path.parent.mkdir(exist_ok=True)
        _write(bench, path, case)
        yield Answer(
            f"  also met, {signature}: {path}", data={"also": signature, "file": str(path)}
        )


def _write(bench: Debugger, path: Path, case: Case) -> None:
    known: Header = bench.opened.header
    header = Header(
        ruleset=known.ruleset, schema=bench.rules.schema, seed=known.seed, players=known.players
    )
    write_save(bench.archive, path, header, log_of(bench.rules, case).entries)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:80] or "case"


def _size(case: Case) -> str:
    entries, count = len(case.steps), pieces(case.scenario)
    return f"{many(entries, 'entry', 'entries')}, {many(count, 'piece')}"


# -- the journal -----------------------------------------------------------------------------------


class JournalLine(Record, frozen=True, omit_defaults=True):
    """A line of the journal: the key of the shrink, or a case's digest with its verdict."""

    digest: str = ""
    signature: str = ""
    case: str = ""
    key: str = ""


class ShrinkJournal:
    """File of verdicts beside the output, for one shrink of one game."""

    def __init__(self, out: Path, rules: AnyRuleset, key: str) -> None:
        """Name the journal of the output ``out``; ``key`` identifies the shrink."""
        self.path = out.with_name(out.name + _JOURNAL)
        self._rules = rules
        self._key = key
        self._lines: dict[str, FoundCase] = {}
        self._file: Any = None

    def __enter__(self) -> ShrinkJournal:
        """Read the present verdicts, and append after them.

        Raises:
            Wrong: the file cannot be written, or is no journal.
        """
        try:
            good = self._read()
            if not good and self._is_foreign():
                raise Wrong(f"{self.path}: is no journal of a shrink; move it away or name another")
            self._file = self.path.open("r+b" if good else "wb")
            self._file.truncate(good)
            self._file.seek(good)
            if not good:
                self._append(JournalLine(key=self._key))
        except OSError as problem:
            raise Wrong(f"{self.path}: {problem.strerror}") from None
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def join(self, shrinker: Shrinker) -> None:
        """Give a shrinker the stored verdicts, and store each new one."""
        known = self._lines.items()
        shrinker.known.update((digest, found.verdict(self._rules)) for digest, found in known)
        shrinker.on_verdict = self._note

    def remove(self) -> None:
        """Remove the file of a finished shrink."""
        self.path.unlink(missing_ok=True)

    def _note(self, digest: str, verdict: CaseVerdict | None) -> None:
        found = found_of(verdict)
        self._append(JournalLine(digest, found.signature, b64encode(compress(found.case)).decode()))

    def _append(self, line: JournalLine) -> None:
        self._file.write(encode_json(line) + b"\n")
        self._file.flush()

    def _is_foreign(self) -> bool:
        """Return whether the journal's path has a file that no shrink has written."""
        if not self.path.exists() or not self.path.stat().st_size:
            return False
        with self.path.open("rb") as file:
            first = file.readline(_LONGEST_KEY)
        try:
            return not msgspec.json.decode(first, type=JournalLine).key
        except msgspec.DecodeError:
            return True

    def _read(self) -> int:
        """Read whole lines; return the length of the valid ones."""
        if not is_file(self.path):
            return 0
        good = 0
        for number, text in enumerate(self.path.read_bytes().splitlines(keepends=True)):
            try:
                line = msgspec.json.decode(text, type=JournalLine)
            except msgspec.DecodeError:
                break
            if not text.endswith(b"\n") or (number == 0 and line.key != self._key):
                break
            if number:
                self._lines[line.digest] = FoundCase(
                    line.signature, decompress(b64decode(line.case))
                )
            good += len(text)
        return good


# -- progress --------------------------------------------------------------------------------------


@contextmanager
def _shown(shrinker: Shrinker) -> Iterator[None]:
    """Show pass, size and speed of a shrink on standard error during a ``with`` block."""
    began = time.monotonic()
    told = began

    def tell(progress: ShrinkProgress) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told < _EVERY:
            return
        told = now
        speed = progress.trials / (now - began)
        line = f"{progress.name}: {_size(progress.case)}, {progress.trials} tries, {speed:.0f}/s"
        raw(sys.stderr).write(f"\r{line:<70}" if sys.stderr.isatty() else f"{line}\n")
        sys.stderr.flush()

    shrinker.on_progress = tell
    try:
        yield
    finally:
        if told != began and sys.stderr.isatty():
            raw(sys.stderr).write("\r" + " " * 70 + "\r")
