"""Press keys in bursts, without waiting, on every screen of every game, alone and on a host.

``python -m tests.tui.bursts --keys 50000`` presses 50,000 keys and prints what it found: faults
of screens, unanswered keys, saves that differ from the game. Keys are pressed as fast as the
event loop takes them, or a few of its rounds apart, so they meet screens that are opening,
filling or closing. In every third run keys also overtake each other, as on a slow machine. The
exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from time import monotonic, process_time
from traceback import format_exception
from typing import Any, Final
from unittest.mock import patch

from textual import _wait, events
from textual.geometry import Size
from textual.keys import key_to_character
from textual.pilot import Pilot
from textual.worker import WorkerState

from engine.core import codec, registry
from host.screens.lobby import LobbyScreen
from host.screens.remote import RemoteApp
from saves.archive import Folder
from study.screens.reasons import ReplayReasons
from tests import toy
from tests.host.servers import ANNA, BERT, game_server
from tests.tui.piloted_app import InProcess
from tests.tui.scenes import RUNS, Run
from tests.tui.test_any_keys import BOUND, MOVES, SIGNS, SIZES, UNBOUND
from tui.app.base import BaseApp
from tui.app.local import LocalApp
from tui.play.players import PlanRequest
from tui.play.setup import NewGame
from tui.play.table import Table
from tui.screens.saves import SavesScreen
from tui.settings.preferences import Preferences
from tui.terminal import key_queue
from tui.terminal.capabilities import USUAL

ANSWER: Final = 2.0
"""Maximum seconds of processor time for the answer to a key."""
PATIENCE: Final = 60.0
"""Seconds to wait for an answer, however busy the machine is."""
ROUNDS: Final = (0, 0, 0, 1, 2, 3, 5, 8, 13, 40)
"""Rounds of the event loop between two keys of a burst."""
_POLL: Final = 0.005
"""Seconds between two checks whether all keys are answered."""
LEAVING: Final = frozenset({"lobby.leave", "title.leave"})
"""Bindings that end the program; they are pressed rarely."""


class Fault(Exception):
    """A failed check, with the last keys."""


class Thinking(InProcess):
    """Computer players in this process, whose thinking time is counted separately."""

    def __init__(self) -> None:
        super().__init__()
        self.spent = 0.0
        """Seconds of processor time spent thinking so far."""

    async def plan(self, request: PlanRequest) -> tuple[str, ...]:
        """Plan in this process, and count the time."""
        began = process_time()
        try:
            return await super().plan(request)
        finally:
            self.spent += process_time() - began


class Hands:
    """A person who presses keys without waiting."""

    def __init__(
        self, app: BaseApp, pilot: Pilot[int], chance: random.Random, thinking: Thinking
    ) -> None:
        self.app, self.pilot, self.chance, self.thinking = app, pilot, chance, thinking
        self.pressed: list[str] = []
        self.slowest = 0.0
        """Seconds of processor time that the slowest key took."""
        self._since = self._now()
        app.hear = self._hear  # type: ignore[method-assign]  # every key comes by there
        self._usual_hear = type(app).hear

    def _now(self) -> float:
        return process_time() - self.thinking.spent

    def _hear(self, event: events.Key) -> None:
        self._take_time()
        self._usual_hear(self.app, event)

    def _take_time(self) -> None:
        now = self._now()
        self.slowest, self._since = max(self.slowest, now - self._since), now

    @property
    def has_left(self) -> bool:
        """True if the program has ended."""
        return self.app.return_value is not None or not self.app.is_running

    async def burst(self) -> int:
        """Press a few keys and wait for the answer to the last; return their number."""
        if self.chance.random() < 0.05:
            await self._resize()
        keys = self._some_keys()
        self._since = self._now()
        for key in keys:
            self.pressed.append(key)
            self.app.post_message(events.Key(key, key_to_character(key)))
            for _ in range(self.chance.choice(ROUNDS)):
                await asyncio.sleep(0)
        await self._answered()
        if self.slowest > ANSWER:
            raise Fault(f"a key took {self.slowest:.1f} s: {self._last}")
        return len(keys)

    @property
    def _last(self) -> str:
        return " ".join(self.pressed[-40:])

    def _some_keys(self) -> list[str]:
        """Return a key that does something here, then keys for whatever it has opened."""
        chance = self.chance
        pools = chance.choices((BOUND, MOVES, SIGNS, UNBOUND), (6, 6, 2, 1), k=chance.randint(1, 7))
        keys = [chance.choice(pool) for pool in pools]
        if chance.random() < 0.7:
            keys.insert(0, chance.choice(self._own_keys() or BOUND))
        return keys

    def _own_keys(self) -> list[str]:
        """Return the keys that the top screen listens to."""
        active = self.app.screen.active_bindings.items()
        leaves = self.chance.random() < 0.02
        return [
            key
            for key, found in active
            if key in BOUND and (leaves or found.binding.id not in LEAVING)
        ]

    async def _resize(self) -> None:
        size = self.chance.choice(SIZES)
        self.pressed.append(f"{size[0]}x{size[1]}")
        self.app.post_message(events.Resize(Size(*size), Size(*size)))
        await asyncio.sleep(0)

    async def _answered(self) -> None:
        """Wait until every key is handled and the top screen is up to date."""
        app, began = self.app, monotonic()
        while not self.has_left and app._exception is None:
            if not app.backlog and not app.screen.message_queue_size:
                break
            late, waited = self._now() - self._since, monotonic() - began
            if late > ANSWER or waited > PATIENCE:
                raise Fault(
                    f"no answer in {late:.1f} s, {waited:.1f} s by the clock; {self._why()}"
                )
            await asyncio.sleep(_POLL)
        self._take_time()

    def _why(self) -> str:
        """Describe a hang: the top screen, its stack, the waiting keys and the last ones
        pressed.
        """
        screen, text = self.app.screen, StringIO()
        if screen._task is not None:
            screen._task.print_stack(file=text)
        waiting = f"{self.app.backlog} wait, {screen.message_queue_size} of them on {screen!r}"
        return f"{waiting}: {self._last}\n{text.getvalue()}"

    def look(self) -> None:
        """Check that nothing has failed and that the saves match the games.

        Raises:
            Fault: something is wrong.
        """
        app = self.app
        if app._exception is not None:
            trace = "".join(format_exception(app._exception))
            raise Fault(f"{app.broken_by.screens if app.broken_by else ()}: {self._last}\n{trace}")
        for worker in app.workers:
            if worker.state is WorkerState.ERROR:
                raise Fault(f"a worker failed: {self._last}\n{worker.error!r}")
        if isinstance(app, LocalApp):
            for table in app._tables:
                self._compare(table)

    def _compare(self, table: Table) -> None:
        if table.file is not None:
            assert isinstance(self.app, LocalApp)
            opened = self.app.archive.read(table.file.name)
            kept = Table.resume(table.rules, opened).game
            if kept.state != table.game.state:
                raise Fault(f"the save holds something else: {self._last}")


@asynccontextmanager
async def alone(folder: Path, wanted: Any, thinking: Thinking) -> AsyncIterator[Any]:
    """Run the program of one person."""
    app = LocalApp(
        Folder(folder), lambda: ReplayReasons, computer=thinking, **{"glyphs": "box", **wanted}
    )
    app.speed = 5
    try:
        async with app.run_test(size=USUAL) as pilot:
            yield app, pilot
    finally:
        app.close_all()


async def in_a_run(run: Run, folder: Path, chance: random.Random, keys: int) -> tuple[int, float]:
    """Press about ``keys`` keys on a screen of a run; return their number and the time of the
    slowest.
    """
    wanted = await run.begin(folder)
    scene = chance.randrange(len(run.scenes))
    way = [key for before in run.scenes[: scene + 1] for key in before.keys]
    thinking, count = Thinking(), 0
    async with alone(folder, wanted, thinking) as (app, pilot):
        await pilot.press(*way)
        hands = Hands(app, pilot, chance, thinking)
        hands.pressed += [run.name, run.scenes[scene].name]
        count = await _press(hands, keys)
    archive = Folder(folder)
    for info in archive.listing():
        opened = archive.read(info.name)
        Table.resume(registry.find(opened.header.ruleset), opened)
    return count, hands.slowest


async def on_a_host(folder: Path, chance: random.Random, keys: int) -> tuple[int, float]:
    """Press keys in the lobby and the games of a host, as two people in turn; return as
    ``in_a_run``.
    """
    async with game_server(folder) as home:
        for name in chance.sample(sorted(registry.names()), 2):
            game = await home.begin(ANNA, NewGame(name, seed=b"1"))
            for seat in game.info.seats[1:2]:
                await game.sit(BERT, seat.seat)
        async with contextlib.AsyncExitStack() as stack:
            both = []
            for person in (ANNA, BERT):
                app = RemoteApp(home, person, preferences=Preferences(folder / "own"))
                home.come(person)
                pilot = await stack.enter_async_context(app.run_test(size=USUAL))
                await pilot.pause()
                both.append(Hands(app, pilot, chance, Thinking()))
                both[-1].pressed.append(person.name)
            count = 0
            while count < keys and not any(hands.has_left for hands in both):
                hands = chance.choice(both)
                count += await hands.burst()
                for each in both:
                    each.look()
                if isinstance(hands.app.screen, LobbyScreen):
                    hands.app.post_message(events.Key("enter", "\r"))
            return count, max(hands.slowest for hands in both)


async def _press(hands: Hands, keys: int) -> int:
    count = bursts = 0
    while count < keys and not hands.has_left:
        count += await hands.burst()
        bursts += 1
        if hands.app._exception is not None or bursts % 10 == 0:
            hands.look()
    if not hands.has_left:
        hands.look()
    return count


async def press(folder: Path, run: Run | None, seed: str, keys: int) -> tuple[int, float]:
    """Press keys in a run, or on a host if ``run`` is None; return as ``in_a_run``.

    Raises:
        Fault: something is wrong.
    """
    chance = random.Random(seed)  # noqa: S311 - only picks keys
    patience = chance.choice((key_queue.PATIENCE, key_queue.PATIENCE, 0.001))
    saves = folder / "saves"
    with patch.object(key_queue, "PATIENCE", patience), patch.object(SavesScreen, "pause", 0.01):
        if run is None:
            return await on_a_host(saves, chance, keys)
        return await in_a_run(run, saves, chance, keys)


def once(run: Run | None, seed: str, keys: int) -> tuple[int, float, str]:
    """Call ``press`` in a separate folder; also return what was found, or ""."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("CONFIG", "STATE", "DATA"):
            os.environ[f"XDG_{name}_HOME"] = place
        os.environ["HOME"] = place
        os.chdir(place)
        (folder / "saves").mkdir()
        try:
            return *asyncio.run(press(folder, run, seed, keys)), ""
        except Fault as fault:
            return 0, 0.0, str(fault)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
            before = error.__context__  # of which Textual tells again when it ends
            told = before if isinstance(before, Fault) else error
            return 0, 0.0, "".join(format_exception(told)) if told is error else str(told)
        finally:
            os.chdir("/")


def main(argv: Sequence[str] | None = None) -> int:
    """Press ``--keys`` keys; print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.tui.bursts", description=__doc__)
    parser.add_argument("--keys", type=int, default=50_000, help="how many in all")
    parser.add_argument("--each", type=int, default=250, help="before the program is begun anew")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--run", help="only this run; 'host' for the one on a host")
    args = parser.parse_args(argv)
    registry.register(toy.RULES)
    _wait.SLEEP_GRANULARITY, _wait.SLEEP_IDLE = 0.01, 0.0005
    runs: list[Run | None] = [run for run in RUNS if args.run in (None, run.name)]
    runs += [None] if args.run in (None, "host") else []
    done = number = found = 0
    slowest = 0.0
    while done < args.keys:
        run = runs[number % len(runs)]
        seed = f"{run.name if run is not None else 'host'} {args.seed} {number // len(runs)}"
        count, longest, fault = once(run, seed, args.each)
        done, slowest = done + (count or args.each), max(slowest, longest)
        number += 1
        if number % 50 == 0:
            sys.stdout.write(f"{done} keys so far\n")
            sys.stdout.flush()
        if fault:
            found += 1
            sys.stdout.write(f"-- {seed}\n{fault}\n")
            sys.stdout.flush()
    sys.stdout.write(
        f"{done} keys in {number} runs, {found} faults;"
        f" the slowest key took {slowest:.2f} s of processor time\n"
    )
    return 1 if found else 0


if __name__ == "__main__":
    from threading import RLock

    codec.share(RLock())
    sys.exit(main())
