"""Choice of attacks: kills first, with the weakest units that suffice, then the best wounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.rulesets.weltendaemmerung.bot.board import BotBoard
from engine.rulesets.weltendaemmerung.bot.dailor import sieges
from engine.rulesets.weltendaemmerung.bot.kinds import PROFILES, WORTH, Posture
from engine.rulesets.weltendaemmerung.bot.situation import Assessment
from engine.rulesets.weltendaemmerung.fighting import MODIFIERS
from engine.rulesets.weltendaemmerung.lookup import COMMANDER
from engine.rulesets.weltendaemmerung.state import DAILOR, ELDOIN

SPREAD = max(MODIFIERS)
"""Largest modifier. See: WD-RNG-1."""


@dataclass
class Fight:
    """Attack phase of a side: the attackers in range of each victim, and each victim's worth.

    ``free`` holds the attackers without a target.
    """

    sit: Assessment
    side: int
    free: set[int]
    victims: dict[int, list[int]] = field(default_factory=dict)
    worth: dict[int, float] = field(default_factory=dict)

    def targets(self, slot: int) -> list[int]:
        """Return the victims within an attacker's range."""
        return [victim for victim, those in self.victims.items() if slot in those]


def fight_of(sit: Assessment, side: int, *, wise: bool) -> Fight:
    """Return a side's attack phase, prepared; ``wise`` adds a victim's danger to its worth."""
    board = sit.board
    attackers = [slot for slot in board.living(side) if board.b[slot] > 0]
    victims = board.living(1 - side)
    fight = Fight(sit, side, set(attackers))
    if not attackers or not victims:
        return fight
    stride = board.stride
    mine = np.array([board.at[slot] for slot in attackers])
    theirs = np.array([board.at[slot] for slot in victims])
    reach = np.array([PROFILES[board.kind[slot]].range for slot in attackers])
    limit = reach * reach if sit.exact else (reach + 1) * (reach + 1) - 1
    rows = mine[:, None] // stride - theirs[None, :] // stride
    columns = mine[:, None] % stride - theirs[None, :] % stride
    hits = rows * rows + columns * columns <= limit[:, None]
    for index in np.flatnonzero(hits.any(axis=0)).tolist():
        victim = victims[index]
        fight.victims[victim] = [attackers[one] for one in np.flatnonzero(hits[:, index]).tolist()]
        fight.worth[victim] = float(WORTH[board.kind[victim]])
    if wise:
        for victim in fight.victims:
            fight.worth[victim] += _danger(sit, side, victim)
    return fight


def _danger(sit: Assessment, side: int, victim: int) -> float:
    """Return a victim's worth beyond its type, because it may soon decide the game."""
    board = sit.board
    kind = PROFILES[board.kind[victim]]
    if side == DAILOR:
        return 0.0
    worth = 0.0
    if sit.edge_wins:
        rounds = sit.to_edge(kind.number)[board.at[victim]] / max(1, board.b_max[victim])
        worth += 100.0 if rounds <= 1 else 12.0 / rounds
    if sit.commander >= 0 and sit.in_range(kind.range, board.at[victim], board.at[sit.commander]):
        worth += 60.0 * kind.mean / board.v[sit.commander]
    return worth


def _enough(fight: Fight, victim: int) -> list[int]:
    """Return the weakest free units that kill a victim on average; empty if they cannot."""
    board = fight.sit.board
    v = board.v[victim]
    able = [slot for slot in fight.victims[victim] if slot in fight.free]
    able.sort(key=lambda slot: (PROFILES[board.kind[slot]].attack, slot))
    sure = [slot for slot in able if PROFILES[board.kind[slot]].attack >= v]
    if sure:
        return sure[:1]
    chosen: list[int] = []
    while able and v > 0:
        fitting = [slot for slot in able if PROFILES[board.kind[slot]].mean >= v]
        slot = fitting[0] if fitting else able[-1]
        able.remove(slot)
        chosen.append(slot)
        v -= PROFILES[board.kind[slot]].mean
    return chosen if v <= 0 else []


def kills(fight: Fight) -> list[tuple[int, list[int]]]:
    """Return (victim, its killers) of planned kills, best first; take the killers from ``free``."""
    board = fight.sit.board
    made: list[tuple[int, list[int]]] = []
    open_ = {victim: _enough(fight, victim) for victim in fight.victims}
    while True:
        best, best_rate = -1, 0.0
        for victim, known in open_.items():
            fits = fight.free.issuperset(known)
            team = open_[victim] = known if fits else _enough(fight, victim)
            if not team:
                continue
            spent = sum(WORTH[board.kind[slot]] for slot in team)
            rate = fight.worth[victim] / (len(team) + 0.01 * spent)
            if rate > best_rate:
                best, best_rate = victim, rate
        if best < 0:
            return made
        team = open_.pop(best)
        made.append((best, team))
        fight.free.difference_update(team)


def wounds(fight: Fight) -> list[tuple[int, int]]:
    """Return attacks (unit, victim) of the free units, by life taken and the victim's worth."""
    board = fight.sit.board
    made: list[tuple[int, int]] = []
    left = {victim: board.v[victim] for victim in fight.victims}
    for slot in sorted(fight.free):
        mean = PROFILES[board.kind[slot]].mean
        best, best_rate = -1, 0.0
        for victim in fight.targets(slot):
            rate = fight.worth[victim] * min(mean, left[victim]) / left[victim]
            if rate > best_rate:
                best, best_rate = victim, rate
        if best >= 0:
            made.append((slot, best))
            left[best] = max(1, left[best] - mean)
    return made


def blows(fight: Fight) -> list[tuple[int, int]]:
    """Return an attack (unit, victim) for each free unit separately, by damage and kill."""
    board = fight.sit.board
    made: list[tuple[int, int]] = []
    for slot in sorted(fight.free):
        mean = PROFILES[board.kind[slot]].mean
        best, best_rate = -1, 0
        for victim in fight.targets(slot):
            v = board.v[victim]
            rate = 2 * mean if mean >= v else mean
            if rate > best_rate:
                best, best_rate = victim, rate
        if best >= 0:
            made.append((slot, best))
    return made


def certain(fight: Fight, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the attacks whose victim is certainly still alive, whatever the dice show."""
    board = fight.sit.board
    left = {victim: board.v[victim] for victim in fight.victims}
    made = []
    for slot, victim in pairs:
        if left[victim] > 0:
            made.append((slot, victim))
            left[victim] -= PROFILES[board.kind[slot]].attack + SPREAD
    return made


def strikes(sit: Assessment, side: int, style: Posture) -> list[tuple[int, int]]:
    """Return a side's next attacks (unit, victim), in an order allowed whatever the dice show."""
    fight = fight_of(sit, side, wise=style.foresight)
    if not fight.victims:
        return []
    if not style.focus:
        return certain(fight, blows(fight))
    if side == DAILOR and sit.commander in fight.victims:
        those = fight.victims[sit.commander]
        board = sit.board
        if (
            sum(PROFILES[board.kind[slot]].attack + SPREAD for slot in those)
            >= board.v[sit.commander]
        ):
            those = sorted(those, key=lambda slot: (-PROFILES[board.kind[slot]].attack, slot))
            return certain(fight, [(slot, sit.commander) for slot in those])
    teams = kills(fight)
    if teams:
        return certain(fight, [(slot, victim) for victim, team in teams for slot in team])
    return certain(fight, wounds(fight))


def volley(sit: Assessment, side: int, style: Posture, roll: Callable[[], int]) -> None:
    """Execute a side's attacks on the board; ``roll`` returns a modifier."""
    board = sit.board
    if side == DAILOR:
        for slot, tile in sieges(sit):
            board.break_down(tile)
            board.b[slot] = 0
    fight = fight_of(sit, side, wise=style.foresight)
    for victim, team in kills(fight) if style.focus else ():
        for slot in team:
            if board.alive[victim]:
                _hit(board, slot, victim, roll())
            else:
                fight.free.add(slot)
    for victim in [one for one in fight.victims if not board.alive[one]]:
        del fight.victims[victim]
    for slot, victim in wounds(fight) if style.focus else blows(fight):
        if board.alive[victim]:
            _hit(board, slot, victim, roll())


def _hit(board: BotBoard, slot: int, victim: int, modifier: int) -> None:
    """Apply the damage of one attack, and the victory it may bring. See: WD-WIN-1, WD-WIN-2."""
    board.b[slot] = 0
    board.v[victim] -= PROFILES[board.kind[slot]].attack + modifier
    if board.v[victim] > 0:
        return
    board.remove(victim)
    if board.kind[victim] == COMMANDER:
        board.winner = DAILOR
    elif board.side(victim) == DAILOR and not board.living(DAILOR):
        board.winner = ELDOIN
