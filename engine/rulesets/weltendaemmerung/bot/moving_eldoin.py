"""Eldoin's Bewegungsphase: the commander out of danger, the others where the enemy will be."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets.weltendaemmerung.bot.blocking import blocks
from engine.rulesets.weltendaemmerung.bot.board import Board, Paths
from engine.rulesets.weltendaemmerung.bot.goals import FAR, field
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS, NUMBER, WALLS
from engine.rulesets.weltendaemmerung.bot.maps import Grid, disc, summed
from engine.rulesets.weltendaemmerung.bot.moving_dailor import March
from engine.rulesets.weltendaemmerung.bot.numbers import WORTH
from engine.rulesets.weltendaemmerung.bot.situation import Situation
from engine.rulesets.weltendaemmerung.bot.style import Style
from engine.rulesets.weltendaemmerung.bot.threat import Threat, present, threat_of
from engine.rulesets.weltendaemmerung.state import Terrain

BATCH = 6
"""After so many units the map of what is still worth covering is made anew."""

FADE = 0.8
"""What is left of a tile's worth of cover for the next unit, after one that covers it."""

FLIGHT = 36
"""Tiles from the nearest enemy at which the commander begins to keep away."""

NEARLY = 6
"""How many points less than the safest tile are still safe."""

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


def eldoin_marches(sit: Situation, style: Style) -> list[March]:
    """All moves of the phase, in order; the board is left as it will be then."""
    board = sit.board
    if not sit.dailor or not sit.eldoin:
        return []
    threat = threat_of(sit) if style.foresight else present(sit)
    harm: list[float] = threat.harm.ravel().tolist()
    ground = _Ground(sit, style, threat, harm, sit.odds, {}, threat.presence.copy())
    marches: list[March] = []
    if sit.commander >= 0 and style.foresight:
        _move_commander(ground, marches)
    done = {sit.commander}
    if threat.runners and style.foresight:
        for (slot, tile), paths in blocks(board, threat.runners, sit.commander):
            marches.append(March(slot, board.trail(paths[1], tile)))
            done.add(slot)
    reserve = _reserve(sit, style)
    home = (board.at[sit.commander],) if sit.commander >= 0 else ()
    placed: list[int] = []
    for slot in _order(sit):
        if slot in done:
            continue
        if len(placed) % BATCH == 0:
            _renew(ground, placed[-BATCH:])
        paths = board.reach(slot, board.b[slot])
        tile = _best(ground, slot, paths, reserve.get(slot) or home)
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
    """Where the least harm can fall on him, on the way to his refuge."""
    sit, board, style = ground.sit, ground.sit.board, ground.style
    slot = sit.commander
    paths = board.reach(slot, board.b[slot])
    strikers: list[float] = ground.threat.strikers.ravel().tolist()
    enemies = [divmod(board.at[foe], board.stride) for foe in sit.dailor]
    here = divmod(board.at[slot], board.stride)
    nearest = min(max(abs(r - here[0]), abs(c - here[1])) for r, c in enemies)
    flee = nearest <= FLIGHT
    refuge = _refuge(sit) if style.refuge else []
    best, best_score = board.at[slot], float("-inf")
    for tile, paid in paths[0].items():
        row, column = divmod(tile, board.stride)
        score = -3.0 * ground.harm[tile] - 6.0 * strikers[tile] - 0.01 * paid
        if flee:
            away = sorted(max(abs(r - row), abs(c - column)) for r, c in enemies)[:6]
            score += 0.4 * sum(min(distance, 40) for distance in away) / len(away)
        if refuge:
            score -= style.refuge * min(refuge[tile], FAR)
        if score > best_score:
            best, best_score = tile, score
    _go(ground, slot, best, paths, marches)


def _refuge(sit: Situation) -> list[int]:
    """The commander's distances to the tiles that the enemy on foot needs longest to reach."""
    board = sit.board
    foes = tuple(s for s in sit.dailor if KINDS[board.kind[s]].kind == "ground")
    if not foes:
        return []
    walk = sit.walk(NUMBER["axe"])
    lone = field(walk, tuple(sorted(board.at[slot] for slot in foes)))
    mine = sit.to_commander(NUMBER["lord_e"])
    safest = max(far - mine[tile] // 4 for tile, far in enumerate(lone) if far < FAR > mine[tile])
    goals = tuple(
        tile
        for tile, far in enumerate(lone)
        if far < FAR > mine[tile] and far - mine[tile] // 4 >= safest - NEARLY
    )
    return sit.field_to(NUMBER["lord_e"], goals)


def _reserve(sit: Situation, style: Style) -> dict[int, tuple[int, ...]]:
    """The units that stay near the west edge from round 4 on, and the tiles of their posts.

    Flyers, cavalry and archers nearest to it, more if the enemy has many flyers, spread
    over all rows, because flyers come where nobody waits.
    """
    board = sit.board
    if not style.reserve or not sit.edge_wins or board.completed < 3:
        return {}
    fit = {NUMBER["bow_e"], NUMBER["horse"], NUMBER["eagle"]}
    those = [slot for slot in sit.eldoin if board.kind[slot] in fit]
    those.sort(key=lambda s: (board.at[s] % board.stride + 6 * (not _flies(board, s)), s))
    flyers = sum(_flies(board, slot) for slot in sit.dailor)
    wanted = max(len(sit.eldoin) // style.reserve, int(flyers * style.watch))
    those = sorted(those[:wanted], key=lambda slot: (board.at[slot], slot))
    low, high = min(3, board.width - 1), min(11, board.width - 1)
    posts: dict[int, tuple[int, ...]] = {}
    for number, slot in enumerate(those):
        row = (2 * number + 1) * board.height // (2 * len(those))
        enter = KINDS[board.kind[slot]].enter
        posts[slot] = tuple(
            tile
            for y in range(max(0, row - 1), min(board.height, row + 2))
            for tile in range(board.tile(low, y), board.tile(high, y) + 1)
            if enter[board.ground[tile]]
        )
    return posts


def _flies(board: Board, slot: int) -> bool:
    return KINDS[board.kind[slot]].kind == "flyer"


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


def _best(ground: _Ground, slot: int, paths: Paths, posts: tuple[int, ...]) -> int:
    """The tile from which a unit covers most, near its post and out of harm."""
    style, board = ground.style, ground.sit.board
    kind = KINDS[board.kind[slot]]
    cover, harm, odds = ground.cover[kind.range], ground.harm, ground.odds
    post = ground.sit.field_to(kind.number, posts)
    leash = style.leash if len(posts) == 1 else 2
    gain = style.cover * kind.mean / 10
    fear = style.caution * WORTH[kind.number] / board.v[slot]
    pull = style.home / max(1, board.b_max[slot])
    high = kind.kind == "flyer"
    best, best_score = board.at[slot], float("-inf")
    for tile, paid in paths[0].items():
        score = gain * cover[tile] - 0.005 * paid
        far = post[tile]
        if leash < far < FAR:
            score -= pull * (far - leash)
        if harm[tile]:
            score -= fear * min(harm[tile], board.v[slot]) * odds[tile]
        if high and board.ground[tile] in HIGH:
            score += 0.5
        if score > best_score:
            best, best_score = tile, score
    return best
