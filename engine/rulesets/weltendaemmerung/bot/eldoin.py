"""Eldoin's movement phase and gates: the commander to safety, the rest where the enemy will be."""

from __future__ import annotations

from dataclasses import dataclass

from engine.rulesets.weltendaemmerung.bot.board import BotBoard, Paths, PlannedMove
from engine.rulesets.weltendaemmerung.bot.fields import (
    FAR,
    TileValues,
    disc,
    field,
    flat,
    flood,
    summed,
    window,
)
from engine.rulesets.weltendaemmerung.bot.kinds import NUMBER, PROFILES, WORTH, Posture
from engine.rulesets.weltendaemmerung.bot.situation import Assessment, ThreatMap, present, threat_of
from engine.rulesets.weltendaemmerung.fighting import WALLS
from engine.rulesets.weltendaemmerung.state import ELDOIN, Terrain

BATCH = 6
"""Number of units after which the cover maps are recomputed."""

FADE = 0.8
"""Factor on a tile's worth of cover for each unit that covers it already."""

FLIGHT = 36
"""Distance in tiles to the nearest enemy at which the commander begins to flee."""

NEARLY = 6
"""Points by which a tile may fall short of the safest and still be a refuge."""

HIGH = WALLS | {Terrain.MOUNTAIN}

TRIES = 12
"""Maximum number of units that block one enemy."""

Placing = tuple[int, int]
"""A unit and its destination tile."""

WARNING = 2
"""Rounds of march of the nearest enemy from which a gate is shut."""


@dataclass
class _EldoinPlan:
    """Maps for the whole phase; ``cover`` has one by range, updated as units are placed."""

    sit: Assessment
    style: Posture
    threat: ThreatMap
    harm: list[float]
    odds: list[float]
    cover: dict[int, list[float]]
    rest: TileValues


def eldoin_marches(sit: Assessment, style: Posture) -> list[PlannedMove]:
    """Return the moves of the phase, in order, and make them on the board."""
    board = sit.board
    if not sit.dailor or not sit.eldoin:
        return []
    threat = threat_of(sit) if style.foresight else present(sit)
    ground = _EldoinPlan(
        sit, style, threat, flat(threat.harm), sit.odds, {}, threat.presence.copy()
    )
    marches: list[PlannedMove] = []
    if sit.commander >= 0 and style.foresight:
        _move_commander(ground, marches)
    done = {sit.commander}
    if threat.runners and style.foresight:
        for (slot, tile), paths in blocks(board, threat.runners, sit.commander):
            marches.append(PlannedMove(slot, board.trail(paths[1], tile)))
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


def _go(
    ground: _EldoinPlan, slot: int, tile: int, paths: Paths, marches: list[PlannedMove]
) -> None:
    board = ground.sit.board
    if tile != board.at[slot]:
        marches.append(board.march(slot, tile, paths))


def _order(sit: Assessment) -> list[int]:
    """Return the units by range, the longest first, then from west to east."""
    board = sit.board
    return sorted(
        sit.eldoin,
        key=lambda s: (-PROFILES[board.kind[s]].range, board.at[s] % board.stride, s),
    )


def _best(ground: _EldoinPlan, slot: int, paths: Paths, posts: tuple[int, ...]) -> int:
    """Return the tile from which a unit covers most, near its post and out of harm."""
    style, board = ground.style, ground.sit.board
    kind = PROFILES[board.kind[slot]]
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


def _renew(ground: _EldoinPlan, placed: list[int]) -> None:
    """Reduce the worth of tiles that placed units cover, and recompute the cover maps."""
    sit, board = ground.sit, ground.sit.board
    for slot in placed:
        kind = PROFILES[board.kind[slot]]
        mask = disc(kind.range, exact=sit.exact)
        part, shown = window(ground.rest, *divmod(board.at[slot], board.stride), mask)
        part[shown] *= FADE
    for reach in {PROFILES[board.kind[slot]].range for slot in sit.eldoin}:
        ground.cover[reach] = flat(summed(ground.rest, reach, exact=sit.exact))


# -- the commander and the reserve -------------------------------------------------------


def _move_commander(ground: _EldoinPlan, marches: list[PlannedMove]) -> None:
    """Move the commander to the tile with the least harm, toward his refuge."""
    sit, board, style = ground.sit, ground.sit.board, ground.style
    slot = sit.commander
    paths = board.reach(slot, board.b[slot])
    strikers = flat(ground.threat.strikers)
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


def _refuge(sit: Assessment) -> list[int]:
    """Return the commander's distances to the tiles that take the enemy on foot longest."""
    board = sit.board
    foes = tuple(s for s in sit.dailor if PROFILES[board.kind[s]].kind == "ground")
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


def _reserve(sit: Assessment, style: Posture) -> dict[int, tuple[int, ...]]:
    """Return the units that stay near the west edge from round 4 on, and the tiles of their posts.

    They are the nearest flyers, cavalry and archers, and more of them if the enemy has many flyers.
    Their posts spread over all rows, because flyers come where no unit waits.
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
        enter = PROFILES[board.kind[slot]].enter
        posts[slot] = tuple(
            tile
            for y in range(max(0, row - 1), min(board.height, row + 2))
            for tile in range(board.tile(low, y), board.tile(high, y) + 1)
            if enter[board.ground[tile]]
        )
    return posts


def _flies(board: BotBoard, slot: int) -> bool:
    return PROFILES[board.kind[slot]].kind == "flyer"


# -- blocks before the west edge ---------------------------------------------------------


def blocks(board: BotBoard, runners: list[int], held: int) -> list[tuple[Placing, Paths]]:
    """Return moves, in order, that block enemies on their way to the west edge.

    The moves are made on the board. ``runners`` are the enemies; one that cannot be blocked is
    left out. ``held`` is the unit that may not be used, the commander.
    See: WD-MOVE-6, WD-WIN-4.
    """
    made: list[tuple[Placing, Paths]] = []
    used = {held}
    for runner in runners:
        trial = board.copy()
        tried = _stop(trial, runner, set(used))
        if tried is None:
            continue
        for placing, paths in tried:
            board.move(*placing)
            board.b[placing[0]] = 0
            used.add(placing[0])
            made.append((placing, paths))
    return made


def _way(board: BotBoard, runner: int) -> list[int]:
    """Return the tiles of an enemy's path to the west edge in one phase; empty if it has none."""
    paid, came = board.reach(runner, board.b_max[runner])
    goals = [tile for tile in paid if tile % board.stride == 1]
    if not goals:
        return []
    tile = min(goals, key=lambda goal: (paid[goal], goal))
    way = []
    while came[tile] != tile:
        way.append(tile)
        tile = came[tile]
    return way


def _stop(board: BotBoard, runner: int, used: set[int]) -> list[tuple[Placing, Paths]] | None:
    """Return moves that leave an enemy no path; None if ``TRIES`` units do not suffice."""
    helpers = [
        (slot, board.reach(slot, board.b[slot]))
        for slot in board.living(1 - board.side(runner))
        if slot not in used and board.b[slot] > 0
    ]
    made: list[tuple[Placing, Paths]] = []
    for _ in range(TRIES):
        way = _way(board, runner)
        if not way:
            return made
        choices = [
            (paths[0][tile], slot, tile, paths)
            for slot, paths in helpers
            for tile in way
            if slot not in used and tile in paths[0] and board.at[slot] != tile
        ]
        if not choices:
            return None
        _, slot, tile, paths = min(choices, key=lambda choice: choice[:3])
        paths = board.reach(slot, board.b[slot])
        if tile not in paths[0]:
            used.add(slot)
            continue
        board.move(slot, tile)
        used.add(slot)
        made.append(((slot, tile), paths))
    return None


# -- gates -------------------------------------------------------------------------------


def gate_work(sit: Assessment, side: int) -> list[int]:
    """Return the sites to work now: Eldoin shuts gates near the enemy, Dailor opens his."""
    board = sit.board
    made: list[int] = []
    for tile in board.usable(side):
        shut = board.ground[tile] == Terrain.GATE
        if shut != (side == ELDOIN and _is_near(sit, tile)):
            made.append(tile)
    return made


def _is_near(sit: Assessment, where: int) -> bool:
    """Return whether an enemy on foot could be on an open site within ``WARNING`` rounds."""
    board = sit.board
    axe = NUMBER["axe"]
    walk = sit.walk(axe)
    extra = [0 if walk.enter[code] else FAR for code in board.ground]
    for tile, code in enumerate(board.ground):
        if code == Terrain.GATE and not board.is_western(tile):
            extra[tile] = 0
    extra[where] = 0
    foes = [slot for slot in sit.dailor if PROFILES[board.kind[slot]].kind == "ground"]
    limit = WARNING * max((board.b_max[slot] for slot in foes), default=0)
    far = flood(walk, (where,), extra, limit)
    return any(far[board.at[slot]] <= WARNING * board.b_max[slot] for slot in foes)
