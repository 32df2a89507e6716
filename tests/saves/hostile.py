"""Hostile files through every command that opens files.

    python -m tests.saves.hostile --count 10000 --seed 1 [--first N] [--ruleset R] [--keep DIR]

Case N of a seed is always the same file. Commands run as in the program, through
``app.main``, in a process limited to 400 MB more than it has at the start. A finding is an
uncaught exception, a control character on either output, more than 2 s of processor time,
a failed allocation, an undocumented exit code, or an error of more than one line.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, NamedTuple

from rich.segment import Segment
from textual.strip import Strip

from app import main as banneret
from engine.core.printable import CONTROLS
from engine.core.registry import find
from saves.archive import Folder
from tests.saves import mutations
from tests.saves.mutations import Sample
from tui.console.exits import Exit
from tui.play.saved_games import look_into
from tui.terminal.cells import cells_of

SECONDS: Final = 2.0
MEGABYTES: Final = 400
GIVEN_UP: Final = 20
"""Seconds of processor time after which a command is stopped."""
PORTION: Final = 500
"""Number of cases per process."""
EACH: Final = 3
"""Number of commands that each file goes through."""

TALK: Final = "look\nwho\nstatus\nlog\nluck\nhelp\nnext\nwants\nend\nundo\n"
_MEMORY: Final = re.compile("MemoryError|Unable to allocate")

SAVES: Final[tuple[tuple[str, ...], ...]] = (
    ("verify", "FILE"),
    ("verify", "FILE", "--json"),
    ("dump", "FILE"),
    ("dump", "FILE", "--json"),
    ("dump", "FILE", "--seat", "1"),
    ("dump", "FILE", "--seat", "0", "--json"),
    ("dump", "FILE", "--where", "loss or round > 0"),
    ("saves", "show", "FILE"),
    ("saves", "--json", "show", "FILE"),
    ("saves", "--saves", "FOLDER"),
    ("saves", "--saves", "FOLDER", "--json"),
    ("saves", "repair", "FILE"),
    ("export", "FILE"),
    ("export", "FILE", "--at", "1"),
    ("export", "FILE", "--format", "text"),
    ("export", "FILE", "--format", "svg"),
    ("export", "FILE", "--format", "cast"),
    ("export", "FILE", "--format", "jsonl"),
    ("export", "FILE", "--format", "OWN"),
    ("calc", "RULES", "TOOL", "0", "1", "--save", "FILE"),
    ("play", "--plain", "FILE"),
    ("play", "--plain", "FILE"),
    ("import", "FILE", "-o", "OUT"),
    ("(preview)", "FILE"),
    ("(preview)", "FILE"),
)
SCENARIOS: Final[tuple[tuple[str, ...], ...]] = (
    ("run", "--ruleset", "RULES", "--scenario", "FILE", "--state", "-"),
    ("run", "--ruleset", "RULES", "--scenario", "FILE", "--save", "OUT", "-"),
    ("calc", "RULES", "TOOL", "0", "1", "--scenario", "FILE"),
    ("play", "--plain", "--new", "RULES", "--scenario", "FILE", "--seed", "1", "--saves", "FOLDER"),
    ("import", "FILE", "-o", "OUT"),
    ("bot", "--ruleset", "RULES", "--scenario", "FILE"),
)
FOREIGN: Final[tuple[tuple[str, ...], ...]] = (
    ("import", "FILE", "-o", "OUT"),
    ("import", "FILE", "--with", "PROGRAM", "-o", "OUT"),
    ("import", "PROGRAM", "--with", "FILE", "-o", "OUT"),
    ("run", "--ruleset", "RULES", "FILE"),
)


class Finding(NamedTuple):
    """Result of a command on a file, if it is wrong."""

    case: int
    words: str
    what: str
    where: str


class Stopped(BaseException):
    """Raised to stop a command; no handler of expected faults catches it."""


def case(seed: int, number: int, only: str = "") -> tuple[Sample, bytes, list[tuple[str, ...]]]:
    """Return a file, of ruleset ``only`` if given, and the commands to run on it."""
    dice = Random(f"{seed}/{number}")  # noqa: S311 - chooses files, guards nothing
    kinds = [
        [one for one in kind if not only or one.ruleset == only]
        for kind in (mutations.saves(), mutations.scenarios(), mutations.foreign())
    ]
    weights = (2, 3, 4) if only else (6, 3, 1)
    found = [weight if kind else 0 for weight, kind in zip(weights, kinds, strict=True)]
    sample = dice.choice(dice.choices(kinds, weights=found)[0])
    words = {"save": SAVES, "scenario": SCENARIOS, "foreign": FOREIGN}[sample.kind]
    return sample, mutations.changed(sample, dice), dice.sample(words, EACH)


def tried(seed: int, number: int, folder: Path, only: str = "") -> Iterator[Finding]:
    """Yield the findings of one case."""
    sample, data, commands = case(seed, number, only)
    place = folder / str(number)
    place.mkdir()
    path = place / f"evil{sample.suffix}"
    dice = Random(f"{seed}/{number}/words")  # noqa: S311 - chooses words, guards nothing
    (place / "program").write_bytes(mutations.program())
    ruleset = sample.ruleset or dice.choice([name for name, _, _ in mutations.GAMES])
    rules = find(ruleset)
    given = {
        "FILE": str(path),
        "FOLDER": str(place),
        "OUT": str(place / "out.json"),
        "PROGRAM": str(place / "program"),
        "RULES": ruleset,
        "TOOL": dice.choice([tool.name for tool in rules.tools]),
        "OWN": next((one.name for one in rules.exporters), "position"),
    }
    for words in commands:
        path.write_bytes(data)
        (place / "out.json").unlink(missing_ok=True)
        line = [given.get(word, word) for word in words]
        shown = " ".join(words).replace("RULES", ruleset).replace("TOOL", given["TOOL"])
        for what, where in answer(line):
            yield Finding(number, shown, what, where)
    for left in place.iterdir():
        left.unlink()
    place.rmdir()


def answer(words: Sequence[str]) -> list[tuple[str, str]]:
    """Run a command; return each fault in its answer with its source."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(TALK), out, err
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, GIVEN_UP)
    try:
        code = preview(words[1]) if words[0] == "(preview)" else banneret(list(words))
    except SystemExit as ended:
        code = 2 if ended.code == 2 else 99
    except Stopped as stopped:
        return [("stopped", _last(stopped))]
    except Exception as problem:  # noqa: BLE001 - this is what is looked for
        return [(f"{type(problem).__name__}: {str(problem)[:150]}", _last(problem))]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        taken = time.process_time() - begun
        sys.stdin, sys.stdout, sys.stderr = streams
    slow = [("slow", f"{taken:.1f} s")] if taken > SECONDS else []
    return [*slow, *_wrong(_written(out), _written(err), code)]


def preview(path: str) -> int:
    """Print the preview of a save as the screen shows it."""
    shown = asyncio.run(look_into(Folder(Path(path).parent), path))
    cells = cells_of([Strip([Segment(line.text)]) for line in shown.lines], "256")
    sys.stdout.write("".join(sign for sign, _ in cells))
    return 0


def _wrong(said: str, faults: str, code: int) -> Iterator[tuple[str, str]]:
    """Yield the faults of an output and an exit code."""
    found = set(CONTROLS.findall(said + faults)) - {"\n", "\t"}
    if found:
        yield "control characters", ascii(sorted(found))
    if _MEMORY.search(said + faults):
        yield "memory", faults[:200]
    if code not in list(Exit):
        yield "exit code", str(code)
    is_line = faults.startswith("banneret: ") and faults.count("\n") == 1
    if code in (Exit.USAGE, Exit.DAMAGED) and not is_line:
        yield "fault", faults[:200]


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8", "surrogateescape")


def _last(problem: BaseException) -> str:
    """Return the innermost places of an exception in our own code."""
    root = str(Path(__file__).parents[2])
    ours = [
        f"{Path(frame.filename).relative_to(root)}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(problem.__traceback__)
        if frame.filename.startswith(root) and "/.venv/" not in frame.filename
    ]
    return " < ".join(reversed(ours[-3:]))


# -- processes ----------------------------------------------------------------------------------


def work(seed: int, first: int, count: int, only: str = "") -> None:
    """Try cases in this process, and print findings as lines of JSON."""
    mutations.saves(), mutations.scenarios(), mutations.foreign()
    limit_memory()
    signal.signal(signal.SIGPROF, _stop)
    with TemporaryDirectory() as name:
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[variable] = name
        for number in range(first, first + count):
            for finding in tried(seed, number, Path(name), only):
                sys.stdout.write(json.dumps(finding) + "\n")
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


def limit_memory() -> None:
    """Limit this process to MEGABYTES more than it has, if the system says how much that is."""
    status = Path("/proc/self/status")
    if not status.exists():
        return
    has = re.search(r"VmData:\s+(\d+) kB", status.read_text(encoding="ascii"))
    if has is not None:
        most = int(has[1]) * 1024 + (MEGABYTES << 20)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise Stopped


def tried_there(seed: int, first: int, count: int, only: str = "") -> tuple[list[Finding], int]:
    """Try cases in another process, whose death is a finding too.

    Return the findings and the number of the next case.
    """
    words = [sys.executable, "-m", "tests.saves.hostile", "--work"]
    words += ["--seed", str(seed), "--first", str(first), "--count", str(count)]
    words += ["--ruleset", only] if only else []
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    found: list[Finding] = []
    after = first
    for line in ended.stdout.splitlines():
        told: Any = json.loads(line)
        if isinstance(told, int):
            after = told + 1
        else:
            found.append(Finding(*told))
    if ended.returncode:
        found.append(Finding(after, "", f"ended with {ended.returncode}", ended.stderr[-600:]))
        after += 1
    return found, after


def main(argv: Sequence[str] | None = None) -> int:
    """Try cases and report them; return 1 if anything is found."""
    parser = argparse.ArgumentParser(description="Hostile files through every command.")
    parser.add_argument("--count", type=int, default=1000, help="files; default 1000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--ruleset", default="", help="files of this ruleset only")
    parser.add_argument("--keep", type=Path, help="a folder for the files of findings")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.work:
        work(args.seed, args.first, args.count, args.ruleset)
        return 0
    number, end, begun = args.first, args.first + args.count, time.monotonic()
    known: Counter[tuple[str, str]] = Counter()
    while number < end:
        found, number = tried_there(args.seed, number, min(PORTION, end - number), args.ruleset)
        for one in found:
            key = (one.what.partition(":")[0], one.where)
            known[key] += 1
            if known[key] == 1:
                sys.stdout.write(f"case {one.case}: {one.words}\n    {one.what}\n    {one.where}\n")
                _keep(args.keep, args.seed, one.case, args.ruleset)
        sys.stdout.flush()
    seconds = time.monotonic() - begun
    for (what, where), times in known.most_common():
        sys.stdout.write(f"{times} times: {what}, {where[:200]}\n")
    done = f"{args.count} files, {EACH} commands each, seed {args.seed}, {seconds:.0f} s"
    sys.stdout.write(f"{done}: {sum(known.values())} findings\n")
    return 1 if known else 0


def _keep(folder: Path | None, seed: int, number: int, only: str) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        sample, data, _ = case(seed, number, only)
        (folder / f"{seed}-{number}{sample.suffix}").write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
