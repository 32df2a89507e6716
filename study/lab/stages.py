"""Games of a run in their order, with the rows of those that were played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.core.record import replace
from study.lab.games import GameResult
from study.lab.plans import (
    GameTask,
    LabPlan,
    LabSetup,
    Meeting,
    game_key,
    meetings,
    schedule,
)
from study.lab.scoring import scored_pairs
from study.lab.swiss import next_round


class ScheduledGame(NamedTuple):
    """Game of a run: its task, its key, and its row once it is known."""

    task: GameTask
    key: str
    row: GameResult | None


def games_of(plan: LabPlan, setup: LabSetup, rows: Mapping[str, GameResult]) -> list[ScheduledGame]:
    """Return the games of a plan that are known so far, in their order.

    In the Swiss system the games of a round are known once the previous round is over.
    """
    found: list[ScheduledGame] = []
    for stage in _stages(plan, setup, found):
        for task in stage:
            key = game_key(setup, task)
            row = rows.get(key)
            found.append(ScheduledGame(task, key, row and named(setup, task, row)))
        if any(game.row is None for game in found):
            break
    return found


def named(setup: LabSetup, task: GameTask, row: GameResult) -> GameResult:
    """Return the row of a game with this run's names of its start and its bots."""
    bots = tuple(setup.bots[bot].name for bot in task.seats)
    return replace(row, start=setup.starts[task.start].name, bots=bots)


def _stages(
    plan: LabPlan, setup: LabSetup, known: Sequence[ScheduledGame]
) -> Iterator[list[GameTask]]:
    """Yield stages of games that can be played in parallel; ``known`` are the games before."""
    if plan.format != "swiss":
        yield list(schedule(plan, setup, meetings(plan.format, len(setup.bots), setup.seats)))
        return
    pair = 0
    met: list[Meeting] = []
    for number in range(plan.rounds):
        pairs = scored_pairs(((game.task, game.row) for game in known), plan.fault)
        fresh = next_round([bot.name for bot in setup.bots], setup.seats, pairs, met)
        met += fresh
        # Bots that meet again play other games: the same ones would count twice.
        seeded = replace(plan, seed=plan.seed + number * plan.pairs)
        yield list(schedule(seeded, setup, fresh, pair))
        pair += plan.pairs * len(fresh) * (1 if plan.book else len(setup.starts))
