"""Where Dailor may stand and strike before Eldoin moves again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.rulesets.weltendaemmerung.bot.goals import FAR
from engine.rulesets.weltendaemmerung.bot.kinds import KINDS
from engine.rulesets.weltendaemmerung.bot.maps import Grid, widened
from engine.rulesets.weltendaemmerung.bot.numbers import WORTH
from engine.rulesets.weltendaemmerung.bot.situation import Situation

RUNNER = 60.0
"""What it is worth to hit a unit that could step on the west edge the round after."""

ASSASSIN = 40.0
"""What it is worth to hit a unit that can strike the commander, if it kills him alone."""

OUTLOOK = 34
"""Tiles from Eldoin's nearest unit beyond which a Dailor unit matters to nobody this round."""


@dataclass
class Threat:
    """``harm``: damage that can fall on a tile; ``strikers``: by how many units.

    ``presence``: how much it is worth to have a tile under fire, from who may stand there.
    ``runners``: units that could be on the west edge after their coming move.
    """

    harm: Grid
    strikers: Grid
    presence: Grid
    runners: list[int]


def threat_of(sit: Situation) -> Threat:
    """What Dailor can do with full points from where he stands."""
    board = sit.board
    made = Threat(sit.blank(), sit.blank(), sit.blank(), [])
    flat = made.presence.reshape(-1)
    height, stride = board.height + 2, board.stride
    homes = np.array([board.at[slot] for slot in sit.eldoin], dtype=np.int64)
    rows, columns = homes // stride, homes % stride
    for slot in sit.dailor:
        row, column = divmod(board.at[slot], stride)
        away = np.maximum(np.abs(rows - row), np.abs(columns - column)).min()
        if away > OUTLOOK:
            continue
        kind = KINDS[board.kind[slot]]
        paid, _ = board.reach(slot, board.b_max[slot])
        tiles = np.fromiter(paid, dtype=np.int64, count=len(paid))
        if sit.edge_wins and any(tile % stride == 1 for tile in paid):
            made.runners.append(slot)
        window, mask = widened(tiles, stride, height, sit.discs(kind.range))
        made.harm[window] += kind.mean * mask
        made.strikers[window] += mask
        flat[tiles] += _presence(sit, slot, tiles)
    return made


def present(sit: Situation) -> Threat:
    """What a short-sighted player sees: the enemy where he stands, and no harm in sight."""
    board = sit.board
    made = Threat(sit.blank(), sit.blank(), sit.blank(), [])
    flat = made.presence.reshape(-1)
    for slot in sit.dailor:
        flat[board.at[slot]] += WORTH[board.kind[slot]]
    return made


def _presence(sit: Situation, slot: int, tiles: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """How a unit's worth spreads over the tiles it may go to, the most likely ones first."""
    board = sit.board
    kind = board.kind[slot]
    goal = sit.to_goal(kind)
    far = np.array([goal[tile] for tile in tiles.tolist()], dtype=np.float64)
    near = far.min()
    if near >= FAR:
        return np.full(len(tiles), WORTH[kind] / len(tiles))
    likely = np.exp2((near - far) / 3)
    made: npt.NDArray[np.float64] = WORTH[kind] * likely / likely.sum()
    if sit.edge_wins:
        edge = sit.to_edge(kind)
        last = np.array([edge[tile] <= board.b_max[slot] for tile in tiles.tolist()])
        if last.any():
            made += RUNNER * last / last.sum()
    return made
