"""Plans of the lab: who plays whom, from where, how often, and with which limits.

A plan is a TOML file, ``plan.toml`` in the folder of its run, or the arguments of a command line.
It has a *meeting* for each set of bots at one table. A meeting is played in *pairs*: games with one
seed and one start, in which every bot has every seat in turn. With two seats a pair is two games,
with three seats it is three.
"""

from __future__ import annotations

import hashlib
import tomllib
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
import tomlkit

from engine.core.codec import convert, encode, encode_json
from engine.core.dice import Seeded
from engine.core.options import OptionFault, Value, parse_options
from engine.core.record import Record, field
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from engine.core.scenarios import fitted, parse
from engine.core.sources import rules_hash
from engine.tabletop.english import many
from study.lab.bot_code import allow, bot_hash, check_bots
from study.lab.bots import BotSpec, read_bot
from study.lab.endings import Endings, checked_endings
from tui.console.exits import Wrong
from tui.console.files import content
from tui.play.players import LONGEST
from tui.play.scenarios import find_rules, resolve_scenario
from tui.play.seats import left_out

PLAN_FILE: Final = "plan.toml"
KEY_FORM: Final = 1
"""Form of game keys. Raise it if games with equal keys would have different results."""

_MOST_PLAN: Final = 1 << 20
_MOST_BOOK: Final = 1 << 28
_MOST_SEED: Final = 10**18
_MOST: Final = 10**9
"""Default upper limit of numbers and seconds."""
_MOST_ELO: Final = 3000

_FIELDS: Final = (
    *("seats", "format", "pairs", "rounds", "seed", "book"),
    *("keep", "fault", "longest"),
)
"""Fields of a plan that are arguments of the same name."""

MeetingForm = Literal["round-robin", "gauntlet", "swiss"]
Keeping = Literal["none", "crashed", "lost", "upset", "all"]
FaultScore = Literal["forfeit", "void"]


class GameLimits(Record, frozen=True):
    """Limits of one game. They do not change the result of a game that keeps to them."""

    answer: Annotated[float, msgspec.Meta(gt=0, le=_MOST)] = 60.0
    """Seconds that a command may take for an answer."""
    game: Annotated[float, msgspec.Meta(gt=0, le=_MOST)] = 3600.0
    """Seconds that a game may take."""
    memory: Annotated[int, msgspec.Meta(ge=16, le=1 << 30)] = 2048
    """MiB of memory of a worker, and of a command."""
    processes: Annotated[int, msgspec.Meta(ge=1, le=_MOST)] = 64
    """Maximum simultaneous processes of a command."""


class SequentialTest(Record, frozen=True):
    """Test of the first bot against the second, which ends as soon as the answer is known."""

    elo0: Annotated[float, msgspec.Meta(ge=-_MOST_ELO, le=_MOST_ELO)] = 0.0
    """Strength that is rejected if the test passes."""
    elo1: Annotated[float, msgspec.Meta(ge=-_MOST_ELO, le=_MOST_ELO)] = 10.0
    """Strength that is rejected if the test fails."""
    model: Literal["normalized", "logistic"] = "normalized"
    alpha: Annotated[float, msgspec.Meta(gt=0, lt=0.5)] = 0.05
    beta: Annotated[float, msgspec.Meta(gt=0, lt=0.5)] = 0.05


class LabPlan(Record, frozen=True):
    """Plan of a run."""

    ruleset: str
    bots: tuple[str, ...]
    """Bots, as written on a command line."""
    scenarios: tuple[str, ...] = ()
    """Names or files; empty means the ruleset's first scenario."""
    options: dict[str, Value] = field(default_factory=dict)
    seats: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    """Seats at a table; 0 means the scenario's minimum."""
    format: MeetingForm = "round-robin"
    pairs: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 100
    """Pairs of each meeting from each start."""
    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 5
    """Rounds of the Swiss system."""
    seed: Annotated[int, msgspec.Meta(ge=-_MOST_SEED, le=_MOST_SEED)] = 1
    """Seed of the first pair; each later one is higher by one."""
    book: str = ""
    """File of start positions, in place of the scenarios."""
    vary: dict[str, Annotated[tuple[Value, ...], msgspec.Meta(min_length=1)]] = field(
        default_factory=dict
    )
    """Values of options; all combinations are played."""
    keep: Keeping = "crashed"
    fault: FaultScore = "forfeit"
    longest: Annotated[int, msgspec.Meta(ge=1, le=_MOST)] = LONGEST
    """Turns after which a game is abandoned."""
    limits: GameLimits = GameLimits()
    endings: Endings = Endings()
    test: SequentialTest | None = None
    """Sequential test; ``pairs`` is then the maximum."""


# -- messages to workers -----------------------------------------------------------------------


class Start(Record, frozen=True):
    """Position from which games begin, with their options."""

    name: str
    scenario: bytes
    """The scenario as JSON, fitted to the number of seats."""
    seats: int
    options: dict[str, Value] = field(default_factory=dict)


class LabSetup(Record, frozen=True):
    """Common part of the games of a run, as sent to another process."""

    ruleset: str
    seats: int
    """Seats at a table."""
    starts: tuple[Start, ...]
    bots: tuple[BotSpec, ...]
    hashes: tuple[str, ...]
    """Hash of the rules, then of each bot. With different code no game is played."""
    keep: Keeping
    longest: int
    limits: GameLimits
    endings: Endings


class GameTask(Record, frozen=True):
    """One game to be played."""

    pair: int
    """Number of its pair in the run."""
    start: int
    """Number of its start in the setup."""
    seats: tuple[int, ...]
    """Number of the bot on each seat."""
    seed: int


# -- reading and writing -----------------------------------------------------------------------


def read_plan(path: Path) -> LabPlan:
    """Read a plan from a file.

    Raises:
        Wrong: it cannot be read; names the file and the field.
    """
    try:
        return plan_of(tomllib.loads(content(path, _MOST_PLAN).decode()))
    except (ValueError, RecursionError) as problem:
        raise Wrong(f"{path}: {problem}") from None


def plan_of(raw: Mapping[str, Any]) -> LabPlan:
    """Convert a table to a plan.

    Raises:
        ValueError: a field is unknown or does not fit.
    """
    parts = {"limits": GameLimits, "endings": Endings, "test": SequentialTest}
    tables = [
        ("", raw, LabPlan),
        *((f"{name}.", raw.get(name), kind) for name, kind in parts.items()),
    ]
    for prefix, table, kind in tables:
        given = set(table) if isinstance(table, Mapping) else set()
        unknown = sorted(given - set(kind.__struct_fields__))
        if unknown:
            raise ValueError(f"there is no field {prefix + unknown[0]!r} in a plan")
    found: LabPlan = convert(dict(raw), LabPlan)
    return found


def write_plan(plan: LabPlan, path: Path) -> None:
    """Write a plan; fields with default values are left out."""
    usual = msgspec.to_builtins(LabPlan(plan.ruleset, plan.bots))
    fields = {
        name: value
        for name, value in msgspec.to_builtins(plan).items()
        if name in {"ruleset", "bots", "seed", "pairs"} or value != usual[name]
    }
    path.write_text(tomlkit.dumps(fields), encoding="utf-8")


def plan_from(args: Namespace, bots: Sequence[str] = ()) -> LabPlan:
    """Return the plan of a command line: a file, or a ruleset with bots. Allow its bots to start.

    Args:
        args: arguments; they override what the file says.
        bots: replace those of the arguments and the file.

    Raises:
        Wrong: it cannot be read, or a field does not fit.
    """
    is_file = args.plan.endswith(".toml")
    plan = read_plan(Path(args.plan)) if is_file else LabPlan(args.plan, ())
    fields = msgspec.to_builtins(plan)
    fields["bots"] = bots or _bots(args, plan)
    fields["scenarios"] = args.scenario or fields["scenarios"]
    fields["options"] |= _options(args.option)
    fields["limits"] |= _given(args, ("answer", "game", "memory"))
    fields["endings"] |= _given(args, ("end_when", "resign", "max_rounds", "audit", "lead"))
    fields |= _given(args, _FIELDS)
    try:
        found = plan_of(fields)
    except ValueError as problem:
        raise Wrong(str(problem)) from None
    allow(map(read_bot, found.bots))
    return found


def _given(args: Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the arguments that were given, by name."""
    found = ((name, getattr(args, name, None)) for name in names)
    return {name: value for name, value in found if value is not None}


def _bots(args: Namespace, plan: LabPlan) -> list[str]:
    """Return the bots of the arguments, or those of the plan, or all levels.

    Raises:
        Wrong: ``--bots`` names no bot.
    """
    words = getattr(args, "bots", None)
    bots = list(plan.bots) if words is None else [word for word in words.split(",") if word]
    bots += args.bot
    if words is not None and not bots:
        raise Wrong(f"--bots {words!r} names no bot")
    return bots or list(find_rules(plan.ruleset).bots)


def _options(words: Sequence[str]) -> Mapping[str, Value]:
    try:
        return parse_options(words)
    except OptionFault as fault:
        raise Wrong(str(fault)) from None


# -- from a plan to games ----------------------------------------------------------------------


def setup_of(plan: LabPlan) -> LabSetup:
    """Return the setup of a plan's games.

    Raises:
        Wrong: the ruleset, a scenario, an option, a bot or the book is not available, or a rule of
            early ends cannot be read.
    """
    rules = find_rules(plan.ruleset)
    bots = tuple(map(read_bot, plan.bots))
    check_bots(rules, bots)
    if not bots:
        raise Wrong("a plan needs a bot")
    starts = tuple(_starts(rules, plan))
    if not plan.book:
        _check_starts(starts)
    hashes = (rules_hash(rules), *(bot_hash(rules, bot) for bot in bots))
    numbers = sorted({start.seats for start in starts})
    if len(numbers) > 1:
        raise Wrong(f"the starts are for {numbers[0]} and for {numbers[-1]} seats; say how many")
    tables = (rules.seat_names(parse(rules, start.scenario)) for start in starts)
    return LabSetup(
        ruleset=rules.name,
        seats=numbers[0],
        starts=starts,
        bots=bots,
        hashes=hashes,
        keep=plan.keep,
        longest=plan.longest,
        limits=plan.limits,
        endings=checked_endings(rules, plan.endings, tables),
    )


def seats_remark(plan: LabPlan) -> str:
    """Return a remark on scenarios played with fewer seats than intended; empty if none is.

    Always empty if the plan gives the number of seats.
    """
    if plan.seats or plan.book:
        return ""
    rules = find_rules(plan.ruleset)
    scenarios = [resolve_scenario(rules, text) for text in plan.scenarios or (None,)]
    found = (left_out(rules, one, rules.seat_range(one)[0]) for one in scenarios)
    remarks = "; ".join(filter(None, found))
    return f"{remarks}; --seats adds more" if remarks else ""


def _check_starts(starts: Sequence[Start]) -> None:
    """Check that no two starts are equal, as their games would count twice.

    Raises:
        Wrong: two starts are equal.
    """
    known = set()
    for start in starts:
        content_ = start.scenario, *sorted(start.options.items())
        if content_ in known:
            raise Wrong(f"the start {start.name!r} is there twice")
        known.add(content_)


def _starts(rules: AnyRuleset, plan: LabPlan) -> Iterator[Start]:
    if plan.book:
        yield from _book(rules, plan)
        return
    for text in plan.scenarios or (None,):
        scenario = resolve_scenario(rules, text)
        for options in _variants(plan.vary):
            yield _start(rules, plan, scenario, {**plan.options, **options}, options)


def _variants(vary: Mapping[str, Sequence[Value]]) -> list[dict[str, Value]]:
    """Return all combinations of the values of options."""
    found: list[dict[str, Value]] = [{}]
    for name, values in vary.items():
        found = [{**one, name: value} for one in found for value in values]
    return found


def _start(
    rules: AnyRuleset,
    plan: LabPlan,
    scenario: Scenario,
    options: dict[str, Value],
    varied: Mapping[str, Value],
) -> Start:
    name = " ".join((scenario.name, *(f"{key}={value}" for key, value in varied.items())))
    try:
        return start_of(rules, scenario, name, plan.seats, options)
    except (ScenarioFault, OptionFault) as fault:
        raise Wrong(f"{scenario.name}: {fault}") from None


def start_of(
    rules: AnyRuleset,
    scenario: Scenario,
    name: str,
    seats: int = 0,
    options: Mapping[str, Value] | None = None,
) -> Start:
    """Build a start from a scenario and try to begin it; 0 seats means the scenario's minimum.

    Raises:
        ScenarioFault: it cannot be played, or not with this number of seats.
        OptionFault: an option is unknown or invalid.
    """
    least, _ = rules.seat_range(scenario)
    seats = seats or least
    seated = fitted(rules, scenario, seats, frozenset(range(seats)))
    rules.begin(seated, options or {}, Seeded(b"", 0, "decide"))
    return Start(name, encode_json(seated), seats, dict(options or {}))


def _book(rules: AnyRuleset, plan: LabPlan) -> Iterator[Start]:
    """Yield the positions of a book, one scenario per line, named by line number."""
    if plan.scenarios or plan.vary:
        raise Wrong("a book takes the place of scenarios, and none of its options can be varied")
    path = Path(plan.book)
    lines = content(path, _MOST_BOOK).splitlines()
    for number, line in enumerate(lines, 1):
        try:
            scenario = parse(rules, line)
            yield start_of(rules, scenario, f"{path.stem} {number}", plan.seats, plan.options)
        except (ScenarioFault, OptionFault) as fault:
            raise Wrong(f"{plan.book}, line {number}: {fault}") from None
    if not lines:
        raise Wrong(f"{plan.book}: no position is in it")


def book_remark(plan: LabPlan, setup: LabSetup) -> str:
    """Return a remark on a book with fewer positions than pairs; empty if it has enough."""
    count = len(setup.starts)
    if not plan.book or plan.pairs <= count:
        return ""
    pairs, positions = f"{plan.pairs} pairs", many(count, "position")
    return f"{plan.book}: {pairs} come from {positions}, those of one position with other seeds"


Meeting = tuple[tuple[int, ...], ...]
"""Seatings of one table's bots, each the number of a bot by seat; a pair plays all of them."""


def meetings(form: MeetingForm, bots: int, seats: int) -> list[Meeting]:
    """Return the meetings of some bots; each bot has each seat equally often.

    A round robin has every set of ``seats`` bots; if there are fewer bots, one meeting has them
    all, in turn. In a gauntlet the first bot meets each other one, which takes all other seats.

    >>> meetings("round-robin", 3, 2)
    [((0, 1), (1, 0)), ((0, 2), (2, 0)), ((1, 2), (2, 1))]
    >>> meetings("gauntlet", 3, 3)[1]
    ((0, 2, 2), (2, 0, 2), (2, 2, 0))
    >>> len(meetings("round-robin", 2, 3)[0])
    6
    """
    if bots == 1:
        return [((0,) * seats,)]
    if form == "gauntlet":
        return [_turned((0, *(other,) * (seats - 1))) for other in range(1, bots)]
    if bots >= seats:
        return [_turned(some) for some in combinations(range(bots), seats)]
    shifted = (tuple((seat + shift) % bots for seat in range(seats)) for shift in range(bots))
    return [tuple(dict.fromkeys(way for one in shifted for way in _turned(one)))]


def _turned(bots: tuple[int, ...]) -> Meeting:
    """Rotate bots over the seats, so that each has each seat once."""
    turned = ((*bots[-shift:], *bots[:-shift]) for shift in range(len(bots)))
    return tuple(dict.fromkeys(turned))


def schedule(
    plan: LabPlan, setup: LabSetup, met: Sequence[Meeting], first: int = 0
) -> Iterator[GameTask]:
    """Yield the games of meetings, pair by pair: the first of every meeting, then the second.

    Pairs are numbered from ``first``. With a book, each pair begins from its next position.
    """
    pair = first
    for number in range(plan.pairs):
        starts = [number % len(setup.starts)] if plan.book else range(len(setup.starts))
        for start in starts:
            for meeting in met:
                for seats in meeting:
                    yield GameTask(pair, start, seats, plan.seed + number)
                pair += 1


def game_key(setup: LabSetup, task: GameTask) -> str:
    """Return the key of a game: a hash of everything that its result depends on, 32 hex digits."""
    start = setup.starts[task.start]
    players = [setup.hashes[1 + bot] for bot in task.seats]
    content_ = (
        KEY_FORM,
        setup.hashes[0],
        setup.ruleset,
        _digest_of(start.scenario),
        sorted(start.options.items()),
        task.seed,
        players,
        setup.longest,
        setup.endings,
    )
    return hashlib.blake2b(encode(content_), digest_size=16).hexdigest()


@cache
def _digest_of(scenario: bytes) -> bytes:
    return hashlib.blake2b(scenario, digest_size=16).digest()
