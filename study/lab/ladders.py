"""``banneret lab ladder``: test the levels of each ruleset, version by version.

The ladder is a file with an entry for each tested version of a ruleset's computer players, the last
one for the current version. ``check`` compares the hash of the players with that of the last entry.
If they are equal, nothing has changed and nothing is played. If not, each level plays pairs of
games against its earlier version. Another copy of the program plans for that one: a folder, a wheel
or a revision, by default the revision in which the ladder was last written. A level has dropped if
a sequential test accepts that it is weaker by ``drop`` Elo rather than not weaker.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from engine.core.codec import decoder, encode, encode_json, json_decoder
from engine.core.ids import Seat
from engine.core.record import Command, Record, replace
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.core.sources import players_code
from study.debug.trees import Repository, find_tree, own_tree
from study.farm.runs import Done
from study.farm.supervisor import Farm
from study.lab.bot_code import asked
from study.lab.bots import BotFault, BotSpec, LabPlayer, PlanMoment, PlanningPlayer
from study.lab.games import ReportedGame, play_game, player_of
from study.lab.old_levels import OldFault, end_copies, old_copy
from study.lab.pentanomial import PairCounts, estimate_pairs
from study.lab.plans import GameLimits, GameTask, LabPlan, LabSetup, meetings, schedule, setup_of
from study.lab.running import lost_game
from study.lab.scoring import PairLedger, half_points
from study.lab.sprt import OrderedSprt, SprtPlan
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.files import content, put_file
from tui.console.printing import columns, say
from tui.play.scenarios import find_rules

LADDER_FORM: Final = 1
ALIKE_PAIRS: Final = 20
"""Minimum number of pairs, all equal, after which a level counts as playing as before."""

_MOST: Final = 1 << 24
_BEFORE: Final = "-before"
"""End of the name of a level's earlier version."""


class LevelTest(Record, frozen=True):
    """Test of a level against its earlier version, from the new one's point of view."""

    level: str
    verdict: str
    """``plays as before``, ``no drop``, ``dropped``, ``undecided`` or ``cannot be compared``."""
    counts: PairCounts = (0, 0, 0, 0, 0)
    """Pairs with 0, 1/2, 1, 3/2 and 2 points."""
    alike: int = 0
    """Number of pairs whose games were equal, move by move."""
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    remark: str = ""


class LadderEntry(Record, frozen=True):
    """A version of a ruleset's computer players."""

    label: str
    players: str
    """Hash of their code."""
    levels: tuple[LevelTest, ...] = ()
    """Tests against the entry before; the first entry has none."""


class LadderRow(Record, frozen=True):
    """Ladder of a ruleset: where it is tested, and its entries, oldest first."""

    scenario: str
    entries: tuple[LadderEntry, ...] = ()


class LadderFile(Record, frozen=True):
    """The ladder as stored in its file."""

    form: int
    rulesets: dict[str, LadderRow]


class LadderTask(Record, frozen=True):
    """Level against its earlier version, as sent to another process."""

    setup: LabSetup
    tree: str


# -- a level against itself --------------------------------------------------------------------


class _OldPlayer(PlanningPlayer):
    """A level of another copy of the program, in one game."""

    def __init__(self, rules: AnyRuleset, bot: BotSpec, tree: Path) -> None:
        super().__init__(rules, None, bot.name, is_foreign=False)
        self._old_rules, self._level, self._tree = rules, bot.code, tree

    def plan(self, moment: PlanMoment) -> Sequence[Command]:
        """Return the next commands.

        Raises:
            BotFault: the other copy gave none.
        """
        view, seat, seed, entry, rests = moment
        try:
            copy = old_copy(self._tree, self._old_rules.name)
            answer = copy.plan(self._level, encode(view), seat, seed, entry, rests)
            read = decoder(self._old_rules.command_type)
            return [read.decode(command) for command in answer]
        except (OldFault, msgspec.MsgspecError, ValueError) as problem:
            raise BotFault(moment.seat, "python", str(problem)) from None


def play_ladder_games(task: LadderTask) -> Callable[[GameTask], ReportedGame]:
    """Return the work function of a farm that plays games between levels and earlier versions."""
    rules, tree = find(task.setup.ruleset), Path(task.tree)

    def seated(
        rules: AnyRuleset, bot: BotSpec, seat: Seat, names: Sequence[str], limits: GameLimits
    ) -> LabPlayer:
        if bot.name.endswith(_BEFORE):
            return _OldPlayer(rules, bot, tree)
        return player_of(rules, bot, seat, names, limits)

    return lambda game: play_game(rules, task.setup, game, seated=seated)


class LadderTest(NamedTuple):
    """Settings of the tests of levels."""

    drop: float = 50.0
    """Normalized Elo by which a level must be weaker to have dropped."""
    pairs: int = 200
    """Maximum number of pairs per level."""
    jobs: int | None = None


def level_test(
    ruleset: str, level: str, scenario: str, tree: Path, settings: LadderTest
) -> LevelTest:
    """Test a level against its earlier version in a tree.

    Raises:
        FarmFault: no worker can be set up.
        Wrong: the ruleset, the level or the scenario is missing here.
    """
    plan = LabPlan(ruleset, (level,), (scenario,), seats=2, pairs=settings.pairs)
    setup = setup_of(plan)
    bot = setup.bots[0]
    before = replace(bot, name=f"{bot.name}{_BEFORE}")
    setup = replace(setup, bots=(bot, before), hashes=(*setup.hashes, f"in {tree.name}"))
    tasks = list(schedule(plan, setup, meetings("round-robin", 2, 2)))
    ledger = PairLedger(tasks, "void")
    test = OrderedSprt(SprtPlan(-settings.drop, 0.0))
    counted = alike = 0
    work = asked(LadderTask(setup, str(tree)), setup.bots)
    deadline = None if settings.jobs == 0 else setup.limits.game
    with Farm(play_ladder_games, work, workers=settings.jobs, deadline=deadline) as farm:
        for result in farm.run(tasks):
            played = result.value if isinstance(result, Done) else lost_game(setup, result)
            if (fault := played.result.fault) is not None:
                return LevelTest(level, "cannot be compared", remark=f"{fault.kind}: {fault.text}")
            ledger.add(tasks[result.number].pair, played.result)
            for pair in ledger.next_pairs():
                test.add(counted, half_points(pair, bot.name) / 2)
                counted, alike = counted + 1, alike + pair.is_alike
            if test.state.verdict != "undecided" or alike == counted >= ALIKE_PAIRS:
                break
    return _level_test(level, test, alike)


def _level_test(level: str, test: OrderedSprt, alike: int) -> LevelTest:
    state = test.state
    names = {"accepted H0": "dropped", "accepted H1": "no drop", "undecided": "undecided"}
    verdict = "plays as before" if alike == state.pairs else names[state.verdict]
    found = estimate_pairs(state.counts)
    elo, low, high = (
        None if value is None else round(value, 1) for value in (found.elo, found.low, found.high)
    )
    return LevelTest(level, verdict, state.counts, alike, elo, low, high)


# -- the file ----------------------------------------------------------------------------------


def read_ladder(path: Path) -> LadderFile:
    """Read the ladder from a file.

    Raises:
        Wrong: the file cannot be read, or is not a ladder.
    """
    try:
        found: LadderFile = json_decoder(LadderFile).decode(content(path, _MOST))
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise Wrong(f"{path}: {problem}") from None
    if found.form != LADDER_FORM:
        raise Wrong(f"{path}: its form is {found.form}, and {LADDER_FORM} is known here")
    return found


def write_ladder(path: Path, ladder: LadderFile) -> None:
    """Write a ladder as indented JSON, which is easy to compare.

    Raises:
        Wrong: it cannot be written.
    """
    put_file(path, msgspec.json.format(encode_json(ladder), indent=2) + b"\n")


def changed_rulesets(ladder: LadderFile, names: Sequence[str] = ()) -> list[str]:
    """Return the rulesets whose players differ from the last entry; of some names, or of all.

    Raises:
        Wrong: a ruleset is missing in the ladder, or here.
    """
    for name in names:
        if name not in ladder.rulesets:
            raise Wrong(f"{name!r} is not in the ladder; there are {', '.join(ladder.rulesets)}")
    return [
        name
        for name, row in ladder.rulesets.items()
        if (not names or name in names)
        and (not row.entries or row.entries[-1].players != players_code(find_rules(name)))
    ]


# -- the verb ----------------------------------------------------------------------------------


def ladder_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Show the ladder, check the levels against it, or add the current ones.

    Raises:
        Wrong: the file is not a ladder, or the earlier levels are not available.
    """
    path = Path(args.file)
    ladder = read_ladder(path)
    if args.action == "show":
        lines = [encode_json(ladder).decode()] if args.json else list(_shown(ladder))
        say(*lines)
        return Exit.OK
    fresh: dict[str, LadderEntry] = {}
    try:
        for name in changed_rulesets(ladder, args.ruleset):
            label = args.label or ports.version
            fresh[name] = _entry(args, name, ladder.rulesets[name], label)
            if not args.json:
                say(*_entry_lines(name, fresh[name]))
    finally:
        end_copies()
    if args.json:
        say(encode_json(fresh).decode())
    elif not fresh:
        say(f"{path}: no players have changed since the last entry")
    if args.action == "add" and fresh:
        rows = {
            name: replace(row, entries=(*row.entries, fresh[name])) if name in fresh else row
            for name, row in ladder.rulesets.items()
        }
        write_ladder(path, replace(ladder, rulesets=rows))
    has_dropped = any(one.verdict == "dropped" for entry in fresh.values() for one in entry.levels)
    return Exit.REFUSED if has_dropped else Exit.OK


def _entry(args: Namespace, name: str, row: LadderRow, label: str) -> LadderEntry:
    """Return the entry of a ruleset's current players.

    Raises:
        Wrong: the players of the last entry are not available.
    """
    rules = find_rules(name)
    players = players_code(rules)
    if not row.entries:
        return LadderEntry(label, players)
    tree = _tree(args, name, row.entries[-1])
    settings = LadderTest(args.drop, args.pairs, args.jobs)
    named = [level for text in args.levels for level in text.split(",")]
    levels = [level for level in named or rules.bots if level in rules.bots]
    tests = tuple(level_test(name, level, row.scenario, tree, settings) for level in levels)
    return LadderEntry(label, players, tests)


def _tree(args: Namespace, name: str, last: LadderEntry) -> Path:
    """Return the folder with the players of an entry.

    Raises:
        Wrong: the folder is not available, or has other players.
    """
    text = args.tree or _last_written(Path(args.file))
    if not text:
        raise Wrong(f"{name} has changed; --with names a copy of {last.label} to compare with")
    tree = find_tree(text).path
    try:
        copy = old_copy(tree, name)
    except OldFault as problem:
        raise Wrong(f"--with {text}: {problem}") from None
    if copy.players != last.players:
        raise Wrong(f"--with {text}: its players of {name} are not those of {last.label}")
    return tree


def _last_written(path: Path) -> str:
    """Return the revision of this program in which a file was last written; empty if unknown.

    Code of another repository runs only if ``--with`` names it.
    """
    repository = Repository.find(path.absolute().parent)
    if repository is None or repository.top.resolve() != own_tree().path:
        return ""
    return repository.ask("log", "-1", "--format=%H", "--", str(path.absolute())).strip()


def _shown(ladder: LadderFile) -> Iterator[str]:
    for name, row in ladder.rulesets.items():
        yield f"{name}, from {row.scenario}; Elo of each level over the entry before"
        for entry in row.entries:
            yield from _entry_lines("", entry)


def _entry_lines(name: str, entry: LadderEntry) -> list[str]:
    title = " ".join(filter(None, (name, entry.label, entry.players[:8])))
    if not entry.levels:
        return [f"{title}: the first entry"]
    head = ["level", "verdict", "Elo", "95 %", "pairs", "alike", ""]
    rows = [
        [
            one.level,
            one.verdict,
            _number(one.elo),
            f"{_number(one.low)} to {_number(one.high)}",
            str(sum(one.counts)),
            str(one.alike),
            one.remark,
        ]
        for one in entry.levels
    ]
    return [title, *(f"  {line}" for line in columns([head, *rows]))]


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.1f}"
