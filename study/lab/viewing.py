"""``banneret lab games`` and ``open``: show any game of a run, even if it was not saved.

A game is replayed from its key, entry for entry. If the replay differs, because a bot is not
deterministic, the game can be shown only if it was saved.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from engine.core.archive import Archive, Opened
from engine.core.codec import decoder, encode_json
from engine.core.record import Record, replace
from engine.core.registry import find
from engine.core.ruleset import AnyRuleset
from engine.core.scenarios import parse as parse_scenario
from study.debug.debugger import Debugger
from study.debug.fate import shown_progress
from study.debug.turning_points import FateQuestion, end_sought, fate_curve
from study.farm.runs import Lost
from study.farm.supervisor import Farm
from study.lab.bot_code import allow, asked, check_bots
from study.lab.games import GameResult, ReportedGame, play_game, play_games
from study.lab.plans import GameTask, LabSetup
from study.lab.scoring import winning_seats
from study.lab.stages import ScheduledGame, games_of
from study.lab.store import RunFolder, entries_type, run_named, write_save
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.printing import columns, say, say_json
from tui.play.continuation import usual_level
from tui.replay.query import BadQuery, Query, parse
from tui.replay.timeline import Story

_SHORTEST: Final = 4
"""Minimum digits of a key that name a game."""

_FATE_RUNS: Final = 20
"""Continuations from each point of the search for the turning point."""


class ListedGame(Record, frozen=True):
    """A game of a run in a list."""

    number: int
    """Number of the game, from 1, in the order of the plan."""
    key: str
    start: str
    bots: tuple[str, ...]
    seed: int
    winners: tuple[str, ...]
    reason: str
    entries: int
    fault: str = ""
    kept: bool = False
    places: tuple[str, ...] = ()
    """Moments that fit the query."""


# -- games that are made again -----------------------------------------------------------------


def game_named(games: Sequence[ScheduledGame], name: str) -> tuple[int, ScheduledGame]:
    """Find a game by its number or by the first digits of its key; return its number and the game.

    Raises:
        Wrong: no game or several games fit, or it was not played.
    """
    if name.isascii() and name.isdecimal() and 1 <= int(name) <= len(games):
        found = [int(name)]
    else:
        is_key = len(name) >= _SHORTEST
        found = [at for at, game in enumerate(games, 1) if is_key and game.key.startswith(name)]
    keys = {games[at - 1].key for at in found}
    if len(keys) != 1:
        several = f"{len(keys)} games" if keys else "no game"
        raise Wrong(f"{name!r} names {several}; 'lab games' lists them by number and key")
    game = games[found[0] - 1]
    if game.row is None:
        raise Wrong(f"game {name} was not played yet")
    return found[0], game


def made_again(setup: LabSetup, game: ScheduledGame) -> ReportedGame:
    """Play a game again, with its log.

    Raises:
        Wrong: the code has changed, a bot may not run, or the game had another result.
    """
    rules = find(setup.ruleset)
    _check_code(setup)
    asked(setup, setup.bots)
    played = play_game(rules, setup, game.task, keeps=True)
    if game.row is not None and played.result.digest != game.row.digest:
        raise Wrong(
            f"game {game.key} came out otherwise; a bot does not always answer alike, and the game"
            " was not kept"
        )
    return played


def _check_code(setup: LabSetup) -> None:
    """Refuse to replay games if the code has changed. No bot is started for that.

    Raises:
        Wrong: the code has changed, or a bot is missing.
    """
    check_bots(find(setup.ruleset), setup.bots)
    try:
        play_games(setup)
    except ValueError as problem:
        raise Wrong(
            f"{problem}; files of a bot are looked for from the folder in which the run was started"
        ) from None


def allow_tested(setup: LabSetup) -> None:
    """Allow the bots of a run to start if their code has not changed since.

    Raises:
        Wrong: the code has changed, or a bot is missing.
    """
    _check_code(setup)
    allow(setup.bots)


def save_of(folder: RunFolder, game: ScheduledGame, archive: Archive) -> str:
    """Return the name of a game's save; replay and save the game if it was not kept.

    Raises:
        Wrong: it cannot be replayed.
        SaveFault: it cannot be written.
    """
    if game.key not in _kept(folder):
        setup = folder.setup
        return write_save(archive, setup, made_again(setup, game))
    return game.key


def _kept(folder: RunFolder) -> frozenset[str]:
    """Return the keys of the games that are kept."""
    return frozenset(path.stem for path in (folder.path / "games").glob("*.bnr"))


# -- games that fit a query --------------------------------------------------------------------


class GameSearch(Record, frozen=True):
    """Query on all games of a run, as sent to another process."""

    setup: LabSetup
    query: str


def search_games(search: GameSearch) -> Callable[[GameTask], tuple[str, ...]]:
    """Return the work function of a farm that replays games and searches them.

    The result of a game is the places at which the query is true.
    """
    rules, setup = find(search.setup.ruleset), search.setup
    play_games(setup)

    def places(task: GameTask) -> tuple[str, ...]:
        played = play_game(rules, setup, task, keeps=True)
        line = decoder(entries_type(rules)).decode(played.log)
        return _places(rules, query_of(rules, setup, search.query), line)

    return places


def query_of(rules: AnyRuleset, setup: LabSetup, text: str) -> Query:
    """Parse a query about the games of a run.

    Raises:
        BadQuery: it cannot be read.
    """
    scenario = parse_scenario(rules, setup.starts[0].scenario)
    return parse(text, rules.seat_names(scenario), tuple(rules.statistics(rules.empty())))


def _places(rules: AnyRuleset, query: Query, line: Iterable[Any]) -> tuple[str, ...]:
    """Return the places of a line at which a query is true."""
    story = Story(rules, tuple(line))
    for _ in story.walk():
        pass
    return tuple(moment.place for moment in query.search(story))


def found_places(
    folder: RunFolder, games: Sequence[ScheduledGame], text: str, archive: Archive, jobs: int | None
) -> dict[str, tuple[str, ...]]:
    """Return the places where a query is true, by key of the played game.

    Saved games are read, others are replayed.

    Raises:
        Wrong: the query cannot be read, or a game cannot be replayed.
    """
    setup = folder.setup
    rules = find(setup.ruleset)
    try:
        query = query_of(rules, setup, text)
    except BadQuery as problem:
        raise Wrong(f"--where: {problem}") from None
    kept = _kept(folder)
    played = {game.key: game for game in games if game.row is not None and game.row.digest}
    found = {
        key: _places(rules, query, archive.read(key).log.line()) for key in played if key in kept
    }
    missing = [game for key, game in played.items() if key not in kept]
    if not missing:
        return found
    _check_code(setup)
    search = asked(GameSearch(setup, text), setup.bots)
    with Farm(search_games, search, workers=jobs) as farm:
        for result in farm.run(game.task for game in missing):
            key = missing[result.number].key
            if isinstance(result, Lost):
                raise Wrong(f"game {key} cannot be made again: {result.cause}")
            found[key] = result.value
    return found


# -- games -------------------------------------------------------------------------------------


def games_verb(args: Namespace, ports: LabPorts) -> Exit:
    """List the games of a run, all or some.

    Raises:
        Wrong: the run does not exist, or the query cannot be read.
    """
    folder = RunFolder.read(run_named(args.run, args.runs))
    if args.run_bots:
        allow_tested(folder.setup)
    games = games_of(folder.plan, folder.setup, folder.rows)
    listed = list(_listed(folder, games))
    wanted = [row for row in listed if _is_wanted(row, args)]
    if args.where:
        some = [games[row.number - 1] for row in wanted]
        archive = ports.archive(folder.path / "games")
        places = found_places(folder, some, args.where, archive, args.jobs)
        fitting = ((row, places.get(row.key, ())) for row in wanted)
        wanted = [_with_places(row, found) for row, found in fitting if found]
    if args.json:
        say_json(*(encode_json(row).decode() for row in wanted))
    else:
        say(*_table(wanted), f"{len(wanted)} of {len(listed)} games")
    return Exit.OK


def _listed(folder: RunFolder, games: Sequence[ScheduledGame]) -> Iterator[ListedGame]:
    kept = _kept(folder)
    for number, game in enumerate(games, 1):
        if (row := game.row) is None:
            continue
        yield ListedGame(
            number=number,
            key=row.key,
            start=row.start,
            bots=row.bots,
            seed=row.seed,
            winners=tuple(row.bots[seat] for seat in winning_seats(row, folder.plan.fault) or ()),
            reason=row.reason,
            entries=row.entries,
            fault=_fault(row),
            kept=row.key in kept,
        )


def _fault(row: GameResult) -> str:
    if row.fault is None:
        return ""
    who = row.bots[row.fault.seat] if row.fault.seat >= 0 else "nobody"
    return f"{who}: {row.fault.kind}: {row.fault.text}"


def _with_places(row: ListedGame, places: tuple[str, ...]) -> ListedGame:
    return replace(row, places=places)


def _is_wanted(row: ListedGame, args: Namespace) -> bool:
    return (
        (not args.won or args.won in row.winners)
        and (not args.lost or (args.lost in row.bots and args.lost not in row.winners))
        and (not args.faults or bool(row.fault))
    )


def _table(rows: Sequence[ListedGame]) -> list[str]:
    if not rows:
        return []
    head = ["game", "key", "start", "bots", "seed", "won", "reason", "entries", "kept", ""]
    return columns([head, *map(_cells, rows)])


def _cells(row: ListedGame) -> list[str]:
    return [
        str(row.number),
        row.key[:8],
        row.start,
        ", ".join(row.bots),
        str(row.seed),
        ", ".join(row.winners) or "nobody",
        row.reason,
        str(row.entries),
        "yes" if row.kept else "",
        row.fault or " ".join((*row.places[:6], *["…"] * (len(row.places) > 6))),
    ]


# -- open --------------------------------------------------------------------------------------


def open_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Save a game and, if there is a screen, show its replay at its turning point.

    Raises:
        Wrong: the run or the game does not exist, or it cannot be replayed.
    """
    folder = RunFolder.read(run_named(args.run, args.runs))
    if args.run_bots:
        allow_tested(folder.setup)
    number, game = game_named(games_of(folder.plan, folder.setup, folder.rows), args.game)
    output = Path(f"{args.output.removesuffix('.bnr')}.bnr").absolute() if args.output else None
    path = output.parent if output else folder.path / "games"
    archive = ports.archive(path)
    if output:
        name = write_save(archive, folder.setup, made_again(folder.setup, game), name=str(output))
    else:
        name = save_of(folder, game, archive)
    opened = archive.read(name)
    assert game.row is not None  # noqa: S101 - it was played
    say(f"game {number}, {', '.join(game.row.bots)}, seed {game.row.seed}: {path / name}.bnr")
    entry = -1
    if not args.no_fate:
        entry = _turn(opened, args.jobs)
    if args.no_screen or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Exit.OK
    return ports.show(path, name, entry)


def _turn(opened: Opened, jobs: int | None) -> int:
    """Print the steepest turning point of a game and return its entry; -1 without one."""
    bench = Debugger(opened)
    if bench.rules.outcome(bench.line.state(len(bench.line))) is None:
        return -1
    question = FateQuestion(end_sought(bench), usual_level(bench.rules), _FATE_RUNS)
    sys.stderr.write(
        "banneret: looking for the place where it was decided, by games that are played on from"
        " several places; this can take some minutes, and --no-fate skips it\n"
    )
    sys.stderr.flush()
    with shown_progress() as progress:
        curve = fate_curve(bench, question, jobs=jobs or 1, progress=progress)
    if not curve.turning_points:
        say("no entry decided it more than others")
        return -1
    point = curve.turning_points[0]
    command = f", {point.command}" if point.command else ""
    shares = f"{point.before.share:.0%} before, {point.after.share:.0%} after"
    say(f"it turned at {point.after.place}: {shares}{command}")
    return bench.line.entries[point.after.index].seq
