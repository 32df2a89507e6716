"""``banneret lab sample``: training data from games of bots, from runs and from saves.

A sample is a position in which a seat gave a command: its view, its offers, its command, and its
result in the game.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import zipfile
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from engine.core import registry
from engine.core.archive import SaveFault
from engine.core.codec import decoder, encode_json
from engine.core.feed import changes
from engine.core.ids import Seat
from engine.core.log import AnyEntry
from engine.core.notation import write
from engine.core.record import Command, replace
from engine.core.replay import BrokenLog, fold
from engine.core.ruleset import AnyRuleset, Outcome
from engine.tabletop.english import many
from study.lab.bot_code import allow
from study.lab.bots import read_bot
from study.lab.env_game import Menu, read_options, victory_shares
from study.lab.games import play_game
from study.lab.plans import PLAN_FILE, GameTask, LabPlan, plan_of, setup_of
from study.lab.positions import ViewLayout
from study.lab.stages import games_of
from study.lab.store import RunFolder, entries_type, run_named
from study.lab.verbs import LabPorts
from study.lab.viewing import allow_tested, made_again
from tui.console.exits import Exit, Wrong
from tui.console.files import is_file, is_folder, is_there, whole
from tui.console.printing import say
from tui.play.continuation import usual_level
from tui.play.players import LONGEST
from tui.play.seats import seat_named

_SAVES: Final = "*.bnr"


class PastMoves(NamedTuple):
    """A game whose moves become samples."""

    name: str
    rules: AnyRuleset
    line: Sequence[AnyEntry]

    @property
    def seats(self) -> tuple[str, ...]:
        """Names of the game's seats."""
        scenario, _ = self.rules.setup(self.line[0].events[0])
        return tuple(self.rules.seat_names(scenario))


class Sample(NamedTuple):
    """A position, the command that was given in it, and the result of the game."""

    game: str
    ruleset: str
    entry: int
    seat: Seat
    seats: int
    """Number of seats in the game."""
    view: Any
    """View of the seat."""
    offers: tuple[Command, ...]
    command: Command
    """The command that was given."""
    place: int
    """Its index among the offers; -1 if it is not an offer."""
    outcome: Outcome | None
    result: float
    """Share of the seat in the victory, from -1 to 1."""

    def to_json(self) -> str:
        """Return the sample as a line of JSON."""
        outcome = self.outcome or Outcome("", ())
        fields = {
            "game": self.game,
            "ruleset": self.ruleset,
            "entry": self.entry,
            "seat": self.seat,
            "move": write(self.command),
            "index": self.place,
            "offers": [write(command) for command in self.offers],
            "result": self.result,
            "winners": outcome.winners,
            "reason": outcome.reason,
            "view": self.view,
        }
        return encode_json(fields).decode()


class SampleChoice(NamedTuple):
    """Which moves of games become samples."""

    seat: str = ""
    """Only moves of this seat; empty means all seats."""
    every: int = 1
    """Only every n-th move."""
    winners: bool = False
    """True for moves of winning seats only."""


def samples(game: PastMoves, choice: SampleChoice) -> Iterator[Sample]:
    """Yield the samples of a game, in order.

    Raises:
        BrokenLog: an event cannot be applied.
        Wrong: the seat does not exist.
    """
    rules, seats = game.rules, game.seats
    end = fold(rules, game.line)
    count = max(map(len, rules.statistics(end).values()), default=len(seats))
    outcome = rules.outcome(end)
    results = victory_shares(outcome, count)
    wanted = seat_named(seats[:count], choice.seat) if choice.seat else None

    def is_chosen(entry: AnyEntry) -> bool:
        if entry.command is None or not 0 <= entry.seat < count:
            return False
        if choice.winners and (outcome is None or entry.seat not in outcome.winners):
            return False
        return wanted in {None, entry.seat}

    known = zip(game.line, changes(rules, game.line), strict=True)
    chosen = ((entry, change) for entry, change in known if is_chosen(entry))
    for entry, change in islice(chosen, 0, None, choice.every):
        assert entry.command is not None  # noqa: S101 - tells the type checker
        view = change.view(entry.seat, 0)
        offers = tuple(rules.offers(view))
        place = offers.index(entry.command) if entry.command in offers else -1
        yield Sample(
            game=game.name,
            ruleset=rules.name,
            entry=entry.seq,
            seat=entry.seat,
            seats=count,
            view=view,
            offers=offers,
            command=entry.command,
            place=place,
            outcome=outcome,
            result=results[entry.seat],
        )


# -- games -------------------------------------------------------------------------------------


def played_games(plan: LabPlan, games: int) -> Iterator[PastMoves]:
    """Let bots play games, every bot on every seat in turn, and yield each.

    Raises:
        Wrong: the plan cannot be played.
    """
    bots = tuple(dict.fromkeys(plan.bots))
    setup = setup_of(replace(plan, bots=bots))
    by_seat = tuple(bots.index(plan.bots[seat % len(plan.bots)]) for seat in range(setup.seats))
    turned = tuple(dict.fromkeys((*by_seat[n:], *by_seat[:n]) for n in range(len(by_seat))))
    rules = registry.find(setup.ruleset)
    for number in range(games):
        pair, at = divmod(number, len(turned))
        task = GameTask(pair, 0, turned[at], plan.seed + pair)
        played = play_game(rules, setup, task, keeps=True)
        name = f"{'-'.join(played.result.bots)} seed {task.seed}"
        if (fault := played.result.fault) is not None:
            sys.stderr.write(f"banneret lab sample: {name} broke off: {fault.text}\n")
        yield PastMoves(name, rules, decoder(entries_type(rules)).decode(played.log))


def run_games(path: Path, *, run_bots: bool = False) -> Iterator[PastMoves]:
    """Replay the finished games of a run from their keys, and yield each.

    Raises:
        Wrong: the code has changed since, a bot may not run, or a game had another result.
    """
    folder = RunFolder.read(path)
    setup = folder.setup
    if run_bots:
        allow_tested(setup)
    rules = registry.find(setup.ruleset)
    for number, game in enumerate(games_of(folder.plan, setup, folder.rows), 1):
        if game.row is not None:
            log = made_again(setup, game).log
            yield PastMoves(f"game {number}", rules, decoder(entries_type(rules)).decode(log))


def saved_games(source: str, ports: LabPorts) -> Iterator[PastMoves]:
    """Yield the game of a save, or those of a folder in the order of their names.

    A save of a folder that cannot be read is skipped, with a line on standard error.

    Raises:
        Wrong: the folder has no save.
        SaveFault: the save cannot be read.
    """
    path = Path(source)
    if not is_folder(path):
        yield _saved(path, ports)
        return
    found = sorted(path.rglob(_SAVES))
    if not found:
        raise Wrong(f"{source}: no save is in it")
    for file in found:
        try:
            yield _saved(file, ports)
        except SaveFault as fault:
            sys.stderr.write(f"banneret lab sample: {fault}; left out\n")


def _saved(path: Path, ports: LabPorts) -> PastMoves:
    opened = ports.archive(path.parent).read(str(path.absolute()))
    rules = registry.find(opened.header.ruleset)
    return PastMoves(path.stem, rules, opened.log.line())


# -- files of samples --------------------------------------------------------------------------


def write_lines(found: Iterator[Sample], file: IO[str]) -> int:
    """Write samples as lines of JSON; return their number."""
    count = 0
    for sample in found:
        file.write(sample.to_json() + "\n")
        count += 1
    return count


def write_arrays(found: Iterator[Sample], path: Path, actions: int) -> int:
    """Write samples as arrays, in the form of environments; return their number.

    The arrays of views have their names after ``view.``. ``mask`` marks the actions that were
    offers, and ``action`` is the chosen one (-1: none of these). Then follow ``result``, ``seat``,
    ``entry`` and ``game``, an index into ``games``. ``columns.NAME`` are names of columns. Only one
    sample is in memory at a time.

    Raises:
        Wrong: samples are of several rulesets.
    """
    count, layout, ruleset = 0, None, ""
    games: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stores: dict[str, _ArrayFile] = {}
        for sample in found:
            count += 1
            if layout is None:
                ruleset = sample.ruleset
                layout = ViewLayout(registry.find(ruleset), sample.view, sample.seats)
            if sample.ruleset != ruleset:
                raise Wrong(f"arrays are of one ruleset, not of {ruleset} and {sample.ruleset}")
            number = games.setdefault(sample.game, len(games))
            for name, value in _arrays(sample, number, layout, actions):
                if name not in stores:
                    file = _ArrayFile(Path(folder) / name, value)
                    stores[name] = stack.enter_context(file)
                stores[name].add(value)
        _zip(path, stores, {"games": tuple(games), **_column_names(layout)})
    return count


def _arrays(
    sample: Sample, game: int, layout: ViewLayout, actions: int
) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    menu = Menu(sample.offers, (), actions)
    for name, cells in layout.arrays(sample.view).items():
        yield f"view.{name}", cells
    yield "mask", menu.mask
    yield "action", np.array(sample.place if sample.place < len(menu.offers) else -1, np.int32)
    yield "result", np.array(sample.result, np.float32)
    for name, number in (("seat", sample.seat), ("entry", sample.entry), ("game", game)):
        yield name, np.array(number, np.int32)


def _column_names(layout: ViewLayout | None) -> dict[str, tuple[str, ...]]:
    columns = {} if layout is None else layout.columns
    return {f"columns.{name}": names for name, names in columns.items()}


class _ArrayFile:
    """File that collects arrays of one shape, to become one array."""

    def __init__(self, path: Path, like: npt.NDArray[Any]) -> None:
        self._path, self._shape, self._kind = path, like.shape, like.dtype
        self._count = 0

    def __enter__(self) -> Self:
        self._file = self._path.open("w+b")
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, value: npt.NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(value, self._kind).tobytes())
        self._count += 1

    def copy_to(self, target: IO[bytes]) -> None:
        """Write all of them as one ``.npy`` file."""
        header = {
            "descr": np.lib.format.dtype_to_descr(self._kind),
            "fortran_order": False,
            "shape": (self._count, *self._shape),
        }
        np.lib.format.write_array_header_1_0(target, header)
        self._file.seek(0)
        shutil.copyfileobj(self._file, target)


def _zip(
    path: Path, stores: Mapping[str, _ArrayFile], words: Mapping[str, tuple[str, ...]]
) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, store in stores.items():
            with pack.open(f"{name}.npy", "w", force_zip64=True) as target:
                store.copy_to(target)
        for name, listed in words.items():
            with pack.open(f"{name}.npy", "w") as target:
                np.lib.format.write_array(target, np.array(listed, np.str_))


# -- banneret lab sample -----------------------------------------------------------------------


def sample_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Write training data from games of bots and from saves.

    Raises:
        Wrong: a source, a bot or a seat is missing, or the file cannot be written.
        SaveFault: a save cannot be read.
    """
    choice = SampleChoice(args.seat or "", args.every, args.winners)
    counted: list[str] = []
    found = _all_samples(args, ports, choice, counted)
    if args.output == "-":
        write_lines(found, sys.stdout)
        return Exit.OK
    try:
        with whole(Path(args.output)) as path:
            count = _write(found, path, args.actions)
            if not counted:
                raise Wrong("there is no game to take samples from")
    except OSError as problem:
        raise Wrong(f"{args.output}: {problem.strerror}") from None
    say(f"{args.output}: {count} positions of {many(len(counted), 'game')}")
    return Exit.OK


def _write(found: Iterator[Sample], path: Path, actions: int) -> int:
    if path.suffix == ".npz":
        return write_arrays(found, path, actions)
    with path.open("w", encoding="utf-8") as file:
        return write_lines(found, file)


def _all_samples(
    args: Namespace, ports: LabPorts, choice: SampleChoice, counted: list[str]
) -> Iterator[Sample]:
    """Yield the samples of all sources; add the names of the games to ``counted``."""
    for source in args.sources:
        for game in _games(args, ports, source):
            counted.append(game.name)
            try:
                yield from samples(game, choice)
            except BrokenLog as broken:
                sys.stderr.write(f"banneret lab sample: {game.name}: {broken}; left out\n")


def _games(args: Namespace, ports: LabPorts, source: str) -> Iterator[PastMoves]:
    if source in registry.names():
        return played_games(_plan(args, source), args.games)
    if is_there(source) and not is_file(Path(source) / PLAN_FILE):
        return saved_games(source, ports)
    try:
        return run_games(run_named(source, args.runs), run_bots=args.run_bots)
    except Wrong:
        known = ", ".join(registry.names())
        raise Wrong(f"{source}: no such run, save, folder or ruleset; games: {known}") from None


def _plan(args: Namespace, ruleset: str) -> LabPlan:
    """Return the plan of games to be played.

    Raises:
        Wrong: an argument does not fit.
    """
    bots = tuple(filter(None, (args.bots or "").split(",")))
    fields = {
        "ruleset": ruleset,
        "bots": bots or (usual_level(registry.find(ruleset)),),
        "scenarios": (args.scenario,) if args.scenario else (),
        "options": dict(read_options(args.option)),
        "seats": args.seats or 0,
        "pairs": args.games,
        "seed": args.seed,
        "longest": args.longest or LONGEST,
    }
    try:
        plan = plan_of(fields)
    except ValueError as problem:
        raise Wrong(str(problem)) from None
    allow(map(read_bot, plan.bots))
    return plan
