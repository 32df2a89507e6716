"""Path of one command through the code: ``python -m bench.walk [--files | --calls]``.

In a small game of Warlords II an army walks three tiles and storms a city. Between the call of
``Game.submit`` and its return every entered Python function of ``engine/`` is counted: the distinct
files, the distinct functions, and the changes of file from one entered function to the next. The
command is first given in another game, so that tables are loaded. The numbers are printed by layer,
together with those of the same walk when every chapter was a package of small modules, and with
those of a march in the open, which needs no battle.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.record import Command
from engine.core.scenarios import fitted
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.scene import CityPlaced, Map, Now, SidePlaced
from engine.rulesets.warlords2.tables import unit_types
from engine.strategic.commands import Walk
from engine.strategic.pieces import Army
from engine.strategic.world import WAR

ENGINE: Final = Path(__file__).parents[1] / "engine"

MOST_FILES: Final = 15
"""Maximum number of files that an attack after a walk may run through."""

BEFORE: Final = "35 files, 240 functions, 639 changes of file"
"""The walk in numbers when every chapter was a package of small modules."""

LIGHT_INFANTRY: Final = 2

ROWS: Final = (
    "cc..........",
    "cc..........",
    ".......cc...",
    ".......cc...",
    "............",
    "............",
    "..........cc",
    "..........cc",
)


class Trace(NamedTuple):
    """Functions that a call entered, in order: (file, function)."""

    entered: tuple[tuple[str, str], ...]

    @property
    def files(self) -> Counter[str]:
        """Calls into each file, by its path below ``engine``."""
        return Counter(file for file, _ in self.entered)

    @property
    def layers(self) -> Counter[str]:
        """Number of files of each layer of the engine."""
        return Counter(file.partition("/")[0] for file in self.files)

    @property
    def functions(self) -> int:
        """Number of distinct functions."""
        return len(set(self.entered))

    @property
    def changes(self) -> int:
        """Number of steps from a function to one in another file."""
        line = [file for file, _ in self.entered]
        return sum(one != other for one, other in pairwise(line))


def traced(call: Callable[[], object], folder: Path = ENGINE) -> Trace:
    """Return the trace of a call, without generated code and code outside a folder."""
    entered: list[tuple[str, str]] = []
    root = f"{folder}/"

    def enter(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root):
            entered.append((code.co_filename.removeprefix(root), code.co_qualname))

    sys.setprofile(enter)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Trace(tuple(entered))


def scenario() -> Any:
    """Return a scenario where side 0 can walk along row 3 to a city of side 1 at (7, 2)."""
    slots = tuple(unit_types()[kind].key for kind in (LIGHT_INFANTRY,))
    scene = Map(
        name="walk",
        title="Walk",
        about="",
        rows=ROWS,
        sides=(SidePlaced("White", (0, 0), 100), SidePlaced("Black", (10, 6), 100)),
        cities=(
            CityPlaced(0, 0, "Home", slots=slots),
            CityPlaced(7, 2, "Target", slots=slots, owner=1),
            CityPlaced(10, 6, "Away", slots=slots),
        ),
        options={"hidden_map": "off"},
        now=Now(
            order=(0, 1),
            treaties=((0, WAR), (WAR, 0)),
            armies=(
                *(_army(number, 0, 4, 3) for number in range(1, 5)),
                _army(5, 1, 7, 2),
                _army(6, 0, 1, 0),
            ),
            next_id=10,
        ),
    )
    return fitted(RULES, scene, len(scene.sides))


def _army(number: int, owner: int, x: int, y: int) -> Army:
    kind = unit_types()[LIGHT_INFANTRY]
    rest = kind.strength, kind.move, kind.move, kind.cost // 2
    return Army(number, owner, kind.id, x, y, *rest)


def game() -> Game[Any, Any, Any, Any]:
    """Begin the game of the scenario."""
    return Game.begin(RULES, scenario(), {}, b"walk")


def submitted(command: Command) -> Trace:
    """Return the trace of a command of side 0.

    The command is first given in another game, so that tables are loaded.
    """
    game().submit(Seat(0), command)
    played = game()
    return traced(lambda: played.submit(Seat(0), command))


def attack() -> Trace:
    """Return the trace of four armies that walk to a city and storm it."""
    return submitted(Walk((1, 2, 3, 4), ((5, 3), (6, 3), (7, 3))))


def march() -> Trace:
    """Return the trace of the same armies on a walk in the open."""
    return submitted(Walk((1, 2, 3, 4), ((4, 4), (4, 5))))


def main() -> int:
    """Print the numbers; return 1 if the attack runs through too many files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", action="store_true", help="list the files of the attack")
    parser.add_argument("--calls", action="store_true", help="list every function it enters")
    args = parser.parse_args()
    found = attack()
    print(f"attack on a city: {_told(found)} (bar: {MOST_FILES} files; before: {BEFORE})")
    print(f"walk in the open: {_told(march())}")
    if args.files:
        for file, count in found.files.most_common():
            print(f"{count:6} {file}")
    if args.calls:
        for file, function in found.entered:
            print(f"{file}: {function}")
    return int(len(found.files) > MOST_FILES)


def _told(found: Trace) -> str:
    layers = ", ".join(f"{count} {layer}" for layer, count in found.layers.most_common())
    files = f"{len(found.files)} files ({layers})"
    return f"{files}, {found.functions} functions, {found.changes} changes of file"


if __name__ == "__main__":
    sys.exit(main())
