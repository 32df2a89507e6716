"""``heavy``: all self-checks on a game, or on random games, and the line that machines compare."""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.core.archive import Archive, Opened
from engine.core.dice import Seeded, pick
from engine.core.game import Game
from engine.core.options import Value
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Scenario
from engine.debug.line import GameLine, whole_line
from engine.debug.selfchecks import CHECKS, Pace, SelfCheckFault, SelfChecks
from study.debug.bundle import write_save
from study.debug.debugger import Answer, Debugger
from tui.console.exits import Wrong
from tui.console.lifeline import completed
from tui.console.printing import raw
from tui.play.scenarios import seed_bytes
from tui.play.seats import header_of, players_of
from tui.play.table import save_at

OTHER_MACHINE: Final = {
    "PYTHONHASHSEED": "4242",
    "LC_ALL": "tr_TR.UTF-8",
    "PYTHONUTF8": "1",
    "TZ": "Pacific/Kiritimati",
}
"""Environment of the process that decides the game once more."""

_PROGRAM: Final = (sys.executable, "-m", "app", "verify", "--json")
_HOME: Final = Path(__file__).resolve().parents[2]
_LONGEST_RANDOM: Final = 200
"""Maximum number of commands of a random game."""
_OFFERS: Final = 40
"""Number of offers among which a random command is chosen."""


def heavy(bench: Debugger, args: Namespace) -> Iterator[Answer]:
    """Check the game of the debugger, or random games with its scenario and options."""
    if not args.random:
        yield from checked(bench.archive, bench.opened, bench.line, args.every)
        return
    scenario, options = bench.rules.setup(bench.opened.log[0].events[0])
    for seed in range(1, args.random + 1):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"random-{seed}.bnr"
            opened = random_game(bench.archive, bench.rules, scenario, options, seed, path)
            line = whole_line(bench.rules, opened.log)
            yield Answer(f"random game {seed}: {len(opened.log)} entries, {len(line)} events")
            yield from checked(bench.archive, opened, line, args.every)


def checked(
    archive: Archive, opened: Opened, line: GameLine, pace: Pace, program: Sequence[str] = _PROGRAM
) -> Iterator[Answer]:
    """Yield a line for each fault of a game, and at the end the line that machines compare.

    Args:
        archive: writes the copy that another process reads.
        opened: the save.
        line: its whole line.
        pace: pace of the checks of states and views.
        program: command that verifies a save, given by its path, in a process of its own.
    """
    checks = SelfChecks(line.rules, line, pace)
    broken = 0
    for found in checks.run():
        if isinstance(found, int):
            _progress(found, len(line))
            continue
        broken += 1
        yield _told(line, found)
    elsewhere = other_machine(archive, opened, program)
    if elsewhere is not None:
        broken += 1
        yield elsewhere
    tried = len(CHECKS) + 1
    result = f"{broken} of {tried} checks failed" if broken else f"all {tried} checks passed"
    text = f"{result}; unseed {checks.unseed}"
    yield Answer(text, data={"failed": broken, "checks": tried, "unseed": str(checks.unseed)})


def _told(line: GameLine, found: SelfCheckFault) -> Answer:
    place = line.place(found.step)
    return Answer(
        f"{place}  {found.check}: {found.text}",
        place,
        {"check": found.check, "text": found.text},
    )


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty() and (done % 50 == 0 or done == total):
        raw(sys.stderr).write(f"\r{done}/{total} events" + ("\r\x1b[K" if done == total else ""))
        sys.stderr.flush()


def other_machine(
    archive: Archive, opened: Opened, program: Sequence[str] = _PROGRAM
) -> Answer | None:
    """Return the first difference with another hash seed, locale and time zone, or None."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.bnr"
        write_save(archive, path, opened.header, opened.log.entries)
        words = [*program, str(path)]
        done = completed(words, env={**os.environ, **OTHER_MACHINE}, cwd=_HOME)
    try:
        told: Any = msgspec.json.decode(done.stdout)
        parted = told["verdict"]["divergence"]
    except (ValueError, KeyError, TypeError):
        said = done.stderr.decode(errors="replace").strip().splitlines()
        last = said[-1] if said else "it said nothing"
        return Answer(f"other machine: {last}", data={"check": "other machine", "text": last})
    if parted is None:
        return None
    place = parted["place"]
    text = f"{parted['field']}: recorded {parted['recorded']}, there {parted['now']}"
    return Answer(
        f"{place}  other machine: {text}", place, {"check": "other machine", "text": text}
    )


# -- random games ----------------------------------------------------------------------------------


def random_game(
    archive: Archive,
    rules: AnyRuleset,
    scenario: Scenario,
    options: dict[str, Value] | Any,
    seed: int,
    path: Path,
) -> Opened:
    """Play and save a game of commands drawn from the offers.

    Raises:
        Wrong: none of a seat's offers is accepted.
    """
    header = header_of(rules, scenario, players_of(rules, scenario, ()), seed)
    with save_at(archive, str(path), header) as file:
        game: Game[Any, Any, Any, Any] = Game.begin(
            rules, scenario, options, header.seed, journal=file
        )
        while rules.owes(game.state) and len(game.log) <= _LONGEST_RANDOM:
            _random_command(game)
    return archive.read(str(path))


def _random_command(game: Game[Any, Any, Any, Any]) -> None:
    """Play one command, drawn with dice that depend only on the game."""
    rules, dice = game.rules, Seeded(seed_bytes(len(game.log)), game.head, "random command")
    for seat in sorted(rules.owes(game.state)):
        offers = [
            one for one, _ in zip(rules.offers(game.view(seat)), range(_OFFERS), strict=False)
        ]
        while offers:
            command = pick(dice, offers)
            try:
                game.submit(seat, command)
            except Refused:
                offers.remove(command)
            else:
                return
    raise Wrong(f"entry {game.head}: nobody is offered a command that is accepted")
