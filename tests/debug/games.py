"""Recorded games of every ruleset, played once for all tests of a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from engine.core import registry
from engine.core.archive import Header, Opened, SeatPlayer
from engine.core.ids import REFEREE, Viewer
from engine.core.ruleset import AnyRuleset
from engine.debug.line import GameLine, seat_line
from saves.archive import Folder
from saves.reader import Reading
from study.debug.debugger import Answer, Debugger
from study.debug.verbs import answers, split
from tests.contract.plans import carry_out, first_plan
from tests.contract.walks import SEED, AnyGame, begun
from tests.saves.games import saved

ENTRIES = 80
"""Minimum entries of a game, unless it ends earlier."""


@cache
def game(name: str, ground: int = 0, entries: int = ENTRIES) -> AnyGame:
    """Return a game between the weakest computer players, of about ``entries`` entries."""
    rules = registry.find(name)
    made = begun(rules, [ground])
    while rules.owes(made.state) and len(made.log) < entries:
        carry_out(made, *first_plan(made, next(iter(rules.bots))))
    return made


def branched(name: str) -> AnyGame:
    """Return that game with a second line, played from the middle with other commands."""
    rules, first = registry.find(name), game(name)
    made = begun(rules, [0])
    for entry in first.log.entries[1:]:
        made.submit(entry.seat, entry.command)
    middle = len(made.log) // 2
    made.go(middle)
    while rules.owes(made.state) and len(made.log) < len(first.log) + middle // 2:
        seat = max(rules.owes(made.state))
        made.submit(seat, next(iter(rules.offers(made.view(seat)))))
    return made


def opened(made: AnyGame) -> Opened:
    """Return a game as if read from a save."""
    rules = made.rules
    scenario, _ = rules.setup(made.log[0].events[0])
    names = rules.seat_names(scenario)[: rules.default_seats(scenario)]
    players = tuple(SeatPlayer(seat, name) for seat, name in enumerate(names))
    return Opened("game", Header(rules.name, rules.schema, SEED, players), made.log)


def line_of(rules: AnyRuleset, viewer: Viewer) -> GameLine:
    """Return the line of a ruleset's recorded game as one viewer saw it."""
    return seat_line(rules, game(rules.name).log, viewer)


def bench_of(name: str, viewer: Viewer = REFEREE) -> Debugger:
    """Return a debugger of the recorded game of a ruleset."""
    found = opened(game(name))
    return Debugger(found, viewer)


def ask(bench: Debugger, line: str) -> list[Answer]:
    """Return the answers to a line."""
    return list(answers(bench, split(line)))


def texts(bench: Debugger, line: str) -> list[str]:
    """Return the answers to a line as text."""
    return [answer.text for answer in ask(bench, line)]


def ford(folder: Path) -> Reading:
    """Save a short game to a folder and read it."""
    return Folder(folder).read(str(saved(folder, entries=60)))
