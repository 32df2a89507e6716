"""Eldoin's Bewegungsphase: the commander out of danger, the others where the enemy will be."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets.weltendaemmerung.bot.blocking import blocks
from engine.rulesets.weltendaemmerung.bot.board import Paths
from engine.rulesets.weltendaemmerung.bot.goals import FAR
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS, NUMBER, WALLS
from engine.rulesets.weltendaemmerung.bot.maps import Grid, disc, summed
from engine.rulesets.weltendaemmerung.bot.moving_dailor import March
from engine.rulesets.weltendaemmerung.bot.numbers import WORTH
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.bot.style import Style
from engine.rulesets.weltendaemmerung.bot.threat import Threat, threat_of
from engine.rulesets.weltendaemmerung.state import Terrain

BATCH = 6
"""After so many units the map of what is still worth covering is made anew."""

FADE = 0.8
"""What is left of a tile's worth of cover for the next unit, after one that covers it."""

HIGH = WALLS | {Terrain.MOUNTAIN}


@dataclass
class _Ground:
    """What the tiles mean; ``cover`` holds a map per range and is renewed as units are placed."""

    sit: Situation
    style: Style
    threat: Threat
    harm: list[float]
    odds: list[float]
    cover: dict[int, list[float]]
    rest: Grid
    posts: dict[int, list[int]]


def eldoin_marches(sit: Situation, style: Style) -> list[March]:
    """All moves of the phase, in order; the board is left as it will be then."""
    board = sit.board
    threat = threat_of(sit)
    harm: list[float] = threat.harm.ravel().tolist()
    if not style.foresight:
        harm = [0.0] * len(harm)
    ground = _Ground(sit, style, threat, harm, sit.odds, {}, threat.presence.copy(), {})
    marches: list[March] = []
    if sit.commander >= 0 and style.foresight:
        _move_commander(ground, marches)
    done = {sit.commander}
    if threat.runners and style.foresight:
        for (slot, tile), paths in blocks(board, threat.runners, sit.commander):
            marches.append(March(slot, board.trail(paths[1], tile)))
            done.add(slot)
    reserve = _reserve(sit, style)
    placed: list[int] = []
    for slot in _order(sit):
        if slot in done:
            continue
        if len(placed) % BATCH == 0:
            _renew(ground, placed[-BATCH:])
        paths = board.reach(slot, board.b[slot])
        tile = _best(ground, slot, paths, slot in reserve)
        _go(ground, slot, tile, paths, marches)
        placed.append(slot)
    return marches


def _go(ground: _Ground, slot: int, tile: int, paths: Paths, marches: list[March]) -> None:
    board = ground.sit.board
    if tile == board.at[slot]:
        return
    marches.append(March(slot, board.trail(paths[1], tile)))
    board.b[slot] = max(0, board.b[slot] - paths[0][tile])
    board.move(slot, tile)


def _order(sit: Situation) -> list[int]:
    """Far shots first, for they have the best choice of tiles; then by place from the west."""
    board = sit.board
    return sorted(
        sit.eldoin,
        key=lambda s: (-KINDS[board.kind[s]].range, board.at[s] % board.stride, s),
    )


def _move_commander(ground: _Ground, marches: list[March]) -> None:
    """Where the least harm can fall on him, and away from what comes later."""
    sit, board = ground.sit, ground.sit.board
    slot = sit.commander
    paths = board.reach(slot, board.b[slot])
    strikers: list[float] = ground.threat.strikers.ravel().tolist()
    enemies = [divmod(board.at[foe], board.stride) for foe in sit.dailor]
    here = divmod(board.at[slot], board.stride)
    nearest = min(max(abs(r - here[0]), abs(c - here[1])) for r, c in enemies)
    flee = nearest <= 36
    best, best_score = board.at[slot], float("-inf")
    for tile, paid in paths[0].items():
        row, column = divmod(tile, board.stride)
        score = -3.0 * ground.harm[tile] - 6.0 * strikers[tile] - 0.01 * paid
        if flee:
            away = sorted(max(abs(r - row), abs(c - column)) for r, c in enemies)[:6]
            score += 0.4 * sum(min(distance, 40) for distance in away) / len(away)
        if score > best_score:
            best, best_score = tile, score
    _go(ground, slot, best, paths, marches)


def _reserve(sit: Situation, style: Style) -> frozenset[int]:
    """The units that stay near the west edge from round 4 on: archers and cavalry nearest it."""
    board = sit.board
    if not style.reserve or board.completed < 3:
        return frozenset()
    fit = {NUMBER["bow_e"], NUMBER["horse"], NUMBER["eagle"]}
    those = [slot for slot in sit.eldoin if board.kind[slot] in fit]
    those.sort(key=lambda slot: (board.at[slot] % board.stride, slot))
    return frozenset(those[: len(sit.eldoin) // style.reserve])


def _renew(ground: _Ground, placed: list[int]) -> None:
    """Let the worth of covering a tile fade with the units that cover it, and sum it anew."""
    sit, board = ground.sit, ground.sit.board
    for slot in placed:
        kind = KINDS[board.kind[slot]]
        mask = disc(kind.range, exact=sit.exact)
        row, column = divmod(board.at[slot], board.stride)
        reach = kind.range
        low_row, low_column = max(0, row - reach), max(0, column - reach)
        part = ground.rest[low_row : row + reach + 1, low_column : column + reach + 1]
        shown = mask[
            low_row - row + reach : low_row - row + reach + part.shape[0],
            low_column - column + reach : low_column - column + reach + part.shape[1],
        ]
        part[shown] *= FADE
    for reach in {KINDS[board.kind[slot]].range for slot in sit.eldoin}:
        grid = summed(ground.rest, reach, exact=sit.exact)
        ground.cover[reach] = grid.ravel().tolist()


def _post(ground: _Ground, slot: int, *, reserve: bool) -> list[int]:
    """Distances of a unit's type to its post: the commander, or columns before the edge."""
    sit, board = ground.sit, ground.sit.board
    kind = board.kind[slot]
    if reserve:
        column = min(5, board.width - 1)
        goals = tuple(board.tile(column, y) for y in range(board.height))
        return sit.field_to(kind, goals)
    return sit.field_to(kind, (board.at[sit.commander],))


def _best(ground: _Ground, slot: int, paths: Paths, reserve: bool) -> int:  # noqa: FBT001
    style, board = ground.style, ground.sit.board
    kind = KINDS[board.kind[slot]]
    cover, harm, odds = ground.cover[kind.range], ground.harm, ground.odds
    post = _post(ground, slot, reserve=reserve)
    gain = style.cover * kind.mean / 10
    fear = style.caution * WORTH[kind.number] / board.v[slot]
    pull = style.home / max(1, board.b_max[slot])
    high = kind.kind == "flyer"
    best, best_score = board.at[slot], float("-inf")
    for tile, paid in paths[0].items():
        score = gain * cover[tile] - 0.005 * paid
        far = post[tile]
        if far > style.leash and far < FAR:
            score -= pull * (far - style.leash)
        if harm[tile]:
            score -= fear * min(harm[tile], board.v[slot]) * odds[tile]
        if high and board.ground[tile] in HIGH:
            score += 0.5
        if score > best_score:
            best, best_score = tile, score
    return best
