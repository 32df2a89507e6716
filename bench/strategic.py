"""Large games of the strategic layer: ``python -m bench.strategic [--game NAME] [--seed N]``.

``--game`` is ``warlords2`` or ``lordsawar``; ``--cities`` is the number of cities of a LordsAWar
land (its stress test has 20); ``--alone`` skips the comparison. Eight normal computer players play
on a new map of 112 x 156 tiles, up to 100 rounds, with a few seeds; the game with the most rounds
is used. Player turns per second of processor time are compared with those of LordsAWar's own
computer players (Debian's package ``lordsawar`` with ``xvfb``), if they are installed: its stress
test runs on a map of the same size. Its rounds count with all eight sides, although some may be
out, which favours it. Then the game is measured as a save: its size, opening it, stepping back,
folding.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final, NamedTuple

from engine.core.archive import Header, SeatPlayer
from engine.core.notation import write
from engine.core.registry import find
from engine.core.replay import Cursor, Keyframes, fold
from engine.core.ruleset import Scenario
from engine.core.scenarios import fitted
from engine.rulesets.lordsawar import scene as lordsawar
from engine.rulesets.warlords2 import scene as warlords2
from saves.archive import Folder
from saves.reader import Reading
from tui.play.players import think
from tui.play.table import Table

SIDES: Final = 8
FOREIGN: Final = "/usr/games/lordsawar"
FOREIGN_ROUNDS: Final = 30

MOST_BYTES: Final = 12_000_000
MOST_PACKED: Final = 3_000_000
MOST_OPENING: Final = 2.0
MOST_FRESH: Final = 6.0
MOST_STEP: Final = 0.100
FEWEST_EVENTS: Final = 30_000
STEPS: Final = 400


class Played(NamedTuple):
    """A game: its rounds and player turns, and the processor time for thinking and for the rest."""

    rounds: int
    turns: int
    seconds: float
    thinking: float

    @property
    def speed(self) -> float:
        """Player turns per second of processor time."""
        return self.turns / self.seconds


def main() -> int:
    """Measure, print, and return 1 if a bar is missed."""
    args = _arguments()
    archive = Folder(Path(tempfile.mkdtemp()))
    games = []
    for seed in range(args.seed, args.seed + args.games):
        played = play(archive, f"game {seed}", land(args.game, seed, args.cities), args.rounds)
        games.append((played.rounds, -seed, played))
        _tell_game(seed, played)
        if played.rounds >= args.rounds:
            break
    longest = max(games)
    ours = median(played.speed for *_, played in games)
    if not args.alone:
        _tell_foreign(ours, args.seed)
    return int(measure_save(archive, archive.read(f"game {-longest[1]}")))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=("warlords2", "lordsawar"), default="warlords2")
    parser.add_argument("--cities", type=int, default=20, help="of a new land of LordsAWar")
    parser.add_argument("--seed", type=int, default=1, help="of the first map and game")
    parser.add_argument("--games", type=int, default=4, help="most games to look for a long one")
    parser.add_argument("--rounds", type=int, default=100, help="most rounds of a game")
    parser.add_argument("--alone", action="store_true", help="without LordsAWar")
    return parser.parse_args()


class Land(NamedTuple):
    """A land to play on, its game, and the seed of both."""

    game: str
    seed: int
    scene: Scenario


def land(game: str, seed: int, cities: int) -> Land:
    """Return a new land of the full size; ``cities`` is for LordsAWar only."""
    if game == "lordsawar":
        made = lordsawar.NewMap(seed=seed, sides=SIDES, width=112, height=156, cities=cities)
        return Land(game, seed, lordsawar.Map("bench", "Measured", "", new=made))
    new = warlords2.NewMap(seed=seed, sides=SIDES, width=112, height=156)
    return Land(game, seed, warlords2.Map("bench", "Measured", "", new=new))


def play(archive: Folder, name: str, on: Land, rounds: int) -> Played:
    """Play a game with a log; the cost of the log is not counted as thinking."""
    rules = find(on.game)
    scene = fitted(rules, on.scene, SIDES, frozenset(range(SIDES)))
    players = tuple(SeatPlayer(seat, f"Side {seat}", "normal") for seat in range(SIDES))
    key = str(on.seed).encode()
    header = Header(on.game, rules.schema, key, players)
    file = archive.create(name, header)
    file.patient = True
    table = Table.begin(rules, scene, {}, header, file=file)
    began, thinking, turns, last = time.process_time(), 0.0, 0, (0, -1)
    while (seat := table.to_act()) is not None and table.game.state.turn <= rounds:
        turns += last != (table.game.state.turn, seat)
        last = table.game.state.turn, seat
        view, before = table.game.view(seat), time.process_time()
        plan = think(rules, "normal", view, seat, key, len(table.game.log))
        thinking += time.process_time() - before
        for command in plan:
            if not table.submit(seat, write(command)).ok:
                break
    seconds = time.process_time() - began
    table.close()
    return Played(min(table.game.state.turn, rounds), turns, seconds, thinking)


def _tell_game(seed: int, played: Played) -> None:
    print(
        f"seed {seed}: {played.rounds} rounds, {played.turns} player turns, "
        f"{played.speed:.1f} a second of processor time, {played.thinking / played.seconds:.0%} of "
        "it thinking"
    )


def _tell_foreign(ours: float, seed: int) -> None:
    """Print LordsAWar's speed and the ratio."""
    if not (Path(FOREIGN).exists() and shutil.which("xvfb-run") and shutil.which("stdbuf")):
        print("LordsAWar or xvfb is not installed: nothing to compare with")
        return
    theirs = foreign(seed)
    print(f"LordsAWar: at most {theirs:.1f} player turns a second of processor time")
    print(f"ours : LordsAWar {ours / theirs:34.2f}")


def foreign(seed: int) -> float:
    """Return the player turns per second of LordsAWar's stress test.

    All sides count in all rounds, even after their defeat.
    """
    with tempfile.TemporaryDirectory() as home:
        test = ("--stress-test", "--seed", str(seed))
        command = ("xvfb-run", "-a", "stdbuf", "-o0", FOREIGN, *test)
        running = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home},
            text=True,
            start_new_session=True,
        )
        try:
            assert running.stdout is not None  # noqa: S101 - tells the type checker
            for line in running.stdout:
                if line.startswith(f"starting round {FOREIGN_ROUNDS + 1}!"):
                    break
            return SIDES * FOREIGN_ROUNDS / _used(running.pid)
        finally:
            os.killpg(running.pid, 15)
            running.wait()


def _used(session: int) -> float:
    """Return the processor time of the game in a session, including its start and map.

    Raises:
        RuntimeError: the game has ended.
    """
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = stat.read_text().rpartition(")")
        if fields[0].endswith("(lordsawar") and int(fields[2].split()[3]) == session:
            user, system = fields[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    raise RuntimeError("LordsAWar has ended before it was measured")


def measure_save(archive: Folder, found: Reading) -> bool:
    """Measure size and speed of a game's save; return whether a bar is missed."""
    rules, line = find(found.header.ruleset), found.log.line()
    path = Path(found.path)
    events = sum(len(entry.events) for entry in line)
    print(f"{len(line):,} entries, {events:,} events")
    data = path.read_bytes()
    missed = _tell("bytes of the save", len(data), MOST_BYTES)
    missed |= _tell("bytes packed by zlib", len(zlib.compress(data, 6)), MOST_PACKED)
    whole = _timed(lambda: fold(rules, line))
    missed |= _tell("events folded a second", events / whole, FEWEST_EVENTS, least=True)
    walked: Cursor[Any, Any, Any] = Cursor(rules, line)
    walked.seek(len(line) - 1)
    fresh = _timed(lambda: Cursor(rules, archive.read(found.name).log.line()).seek(len(line)))
    missed |= _tell("opening without keyframes, s", fresh, MOST_FRESH)
    archive.keep_keyframes(found, walked.keyframes.states)
    opening = _timed(lambda: _open(archive, found))
    missed |= _tell("opening with keyframes, s", opening, MOST_OPENING)
    steps = [_timed(lambda: walked.step(-1)) for _ in range(min(STEPS, len(line) - 1))]
    late = quantiles(steps, n=20, method="inclusive")[-1]
    return missed | _tell("a step back, p95, s", late, MOST_STEP)


def _open(archive: Folder, found: Reading) -> None:
    """Read a save and go to its end with the stored states beside it."""
    rules, opened = find(found.header.ruleset), archive.read(found.name)
    kept: Keyframes[Any] = Keyframes()
    kept.states.update(archive.keyframes(opened, rules.state_type))
    line = opened.log.line()
    Cursor(rules, line, kept).seek(len(line))


def _tell(name: str, value: float, bar: float, *, least: bool = False) -> bool:
    """Print a row; return whether it misses the bar."""
    number, limit = (f"{n:,.3f}" if bar < 100 else f"{n:,.0f}" for n in (value, bar))
    print(f"{name:32}{number:>14}   at {'least' if least else 'most'} {limit}")
    return value < bar if least else value > bar


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
