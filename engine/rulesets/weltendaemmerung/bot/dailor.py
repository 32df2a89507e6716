"""Dailor's movement phase and sieges: to the commander or the west edge, in force under fire."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets.weltendaemmerung.bot.board import BotBoard, Paths, PlannedMove
from engine.rulesets.weltendaemmerung.bot.fields import FAR
from engine.rulesets.weltendaemmerung.bot.kinds import PROFILES, WORTH, Posture
from engine.rulesets.weltendaemmerung.bot.situation import Assessment
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.state import ELDOIN, Terrain

BEHIND = 3.0
"""Factor by which siege units fear fire more than others."""


@dataclass
class _DailorPlan:
    """Maps and weights for the whole phase."""

    sit: Assessment
    style: Posture
    fire: list[float]
    odds: list[float]
    courage: float
    dash: dict[int, int]
    prizes: dict[int, list[float]]


def dailor_marches(sit: Assessment, style: Posture) -> list[PlannedMove]:
    """Return the moves of the phase, in order, and make them on the board."""
    if not sit.dailor:
        return []
    win = _winning_step(sit)
    if win is not None:
        return [win]
    board = sit.board
    ground = _survey(sit, style)
    order = sorted(sit.dailor, key=lambda s: (sit.to_goal(board.kind[s])[board.at[s]], s))
    marches: list[PlannedMove] = []
    waiting = [slot for slot in order if not _march(ground, slot, marches)]
    for slot in waiting:
        _march(ground, slot, marches)
    return marches


def _winning_step(sit: Assessment) -> PlannedMove | None:
    """Return a move of a unit onto the west edge, or None. See: WD-WIN-4."""
    board = sit.board
    if not sit.edge_wins:
        return None
    for slot in sit.dailor:
        if board.at[slot] % board.stride - 1 > board.b[slot]:
            continue
        _, came = board.reach(slot, board.b[slot])
        goals = [tile for tile in came if tile % board.stride == 1 and tile != board.at[slot]]
        if goals:
            return PlannedMove(slot, board.trail(came, min(goals)))
    return None


def _survey(sit: Assessment, style: Posture) -> _DailorPlan:
    board = sit.board
    fire = sit.fire(ELDOIN) if style.foresight else [0.0] * len(board.ground)
    odds = sit.odds if style.foresight else fire
    kinds = sorted({board.kind[slot] for slot in sit.dailor})
    prizes = {kind: sit.prizes(kind) for kind in kinds}
    dash = _dash(sit, fire) if style.foresight else {}
    return _DailorPlan(sit, style, fire, odds, _courage(sit, style), dash, prizes)


def _courage(sit: Assessment, style: Posture) -> float:
    """Return the minimum odds demanded; they fall as the rounds run out. See: WD-WIN-3."""
    board = sit.board
    needed = min(
        sit.to_goal(board.kind[slot])[board.at[slot]] / max(1, board.b_max[slot])
        for slot in sit.dailor
    )
    slack = sit.rounds_left - 1 - needed
    return style.courage * max(0.0, min(1.0, slack / 4))


def _dash(sit: Assessment, fire: list[float]) -> dict[int, int]:
    """Return tiles, by unit, for a run to the west edge; empty if Eldoin can shoot all runners.

    A unit that is one march from the edge after Eldoin's attack usually wins.
    """
    board = sit.board
    if not sit.edge_wins:
        return {}
    runs: dict[int, int] = {}
    for slot in sit.dailor:
        kind, b = board.kind[slot], board.b[slot]
        edge = sit.to_edge(kind)
        if edge[board.at[slot]] > b + board.b_max[slot]:
            continue
        paid, _ = board.reach(slot, b)
        last = [tile for tile in paid if edge[tile] <= board.b_max[slot]]
        taken = set(runs.values())
        last = [tile for tile in last if tile not in taken]
        if last:
            runs[slot] = min(last, key=lambda tile: (fire[tile], edge[tile], tile))
    if not runs:
        return {}
    shots = 0
    for slot in sit.eldoin:
        reach = PROFILES[board.kind[slot]].range
        at = board.at[slot]
        shots += any(sit.in_range(reach, at, tile) for tile in runs.values())
    needed = sum(-(-board.v[slot] // 7) for slot in runs)
    alone = any(fire[tile] < board.v[slot] * 0.8 for slot, tile in runs.items())
    return runs if needed > shots or alone else {}


def _march(ground: _DailorPlan, slot: int, marches: list[PlannedMove]) -> bool:
    """Move a unit to its best tile; return False if it stays."""
    board = ground.sit.board
    if board.b[slot] <= 0:
        return False
    paths = board.reach(slot, board.b[slot])
    tile = ground.dash.get(slot, -1)
    if tile not in paths[0]:
        tile = _best(ground, slot, paths)
    if tile == board.at[slot]:
        return False
    marches.append(board.march(slot, tile, paths))
    return True


def _best(ground: _DailorPlan, slot: int, paths: Paths) -> int:
    sit, style, board = ground.sit, ground.style, ground.sit.board
    kind = PROFILES[board.kind[slot]]
    goal, prize = sit.to_goal(kind.number), ground.prizes[kind.number]
    fire, odds, courage = ground.fire, ground.odds, ground.courage
    target = breach(sit, slot) if kind.besieges else -1
    pace = style.progress / max(1, board.b_max[slot])
    fear = style.caution * WORTH[kind.number] / board.v[slot]
    if kind.besieges and kind.key != "wyrm":
        fear *= BEHIND
    best, best_score = board.at[slot], float("-inf")
    for tile in paths[0]:
        score = style.hunger * prize[tile] - pace * min(goal[tile], FAR)
        if target >= 0:
            score -= _standoff(board, kind.range, tile, target)
        if fire[tile]:
            risk = fire[tile] if odds[tile] < courage else 0.1 * fire[tile]
            score -= fear * min(risk, 1.5 * board.v[slot])
        if score > best_score or (score == best_score and tile < best):
            best, best_score = tile, score
    return best


def _standoff(board: BotBoard, reach: int, tile: int, target: int) -> float:
    """Return the penalty of a siege unit that is closer to its target than its range."""
    row, column = divmod(tile, board.stride)
    target_row, target_column = divmod(target, board.stride)
    away = max(abs(row - target_row), abs(column - target_column))
    return 2.0 * abs(away - reach) if away < reach else 0.0


# -- sieges ------------------------------------------------------------------------------


def obstacles(sit: Assessment, slot: int) -> list[int]:
    """Return the buildings to break on a unit's cheapest path to its goal, nearest first."""
    board = sit.board
    kind = PROFILES[board.kind[slot]]
    goal, extra = sit.to_goal(kind.number), sit.surcharges(kind.number)
    tile = board.at[slot]
    found: list[int] = []
    if goal[tile] >= FAR:
        return found
    steps = board.neighbours()
    while goal[tile]:
        tile = min(
            (tile + step for step in steps if extra[tile + step] < FAR),
            key=lambda to: (goal[to] + extra[to], to),
        )
        code = board.ground[tile]
        if code in WALLS or (code == Terrain.GATE and board.is_western(tile)):
            found.append(tile)
    return found


def can_break(sit: Assessment, slot: int, tile: int) -> bool:
    """Return whether a unit can break the building on a tile. See: WD-SIEGE-1, WD-SIEGE-4."""
    board = sit.board
    code = board.ground[tile]
    kind = PROFILES[board.kind[slot]]
    if board.who[tile] >= 0:
        return False
    if code == Terrain.GATE:
        return kind.breaks_gates and board.is_western(tile)
    return kind.breaks_walls and code in WALLS


def breach(sit: Assessment, slot: int) -> int:
    """Return the tile of the building that a siege unit should break next, or -1."""
    return next((tile for tile in obstacles(sit, slot) if can_break(sit, slot, tile)), -1)


def sieges(sit: Assessment) -> list[tuple[int, int]]:
    """Return units and the buildings they break now: those on their paths and within range."""
    board = sit.board
    made: list[tuple[int, int]] = []
    taken: set[int] = set()
    for slot in sit.dailor:
        kind = PROFILES[board.kind[slot]]
        if not kind.besieges or board.b[slot] <= 0:
            continue
        for tile in obstacles(sit, slot):
            if tile in taken or not can_break(sit, slot, tile):
                continue
            if sit.in_range(kind.range, board.at[slot], tile):
                taken.add(tile)
                made.append((slot, tile))
                break
    return made
