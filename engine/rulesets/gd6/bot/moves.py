"""Moves of a planned list: expansion, invasions, and reinforcement of the borders."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from engine.core.notation import write
from engine.rulesets.gd6.bot.board import BotBoard, PlayStyle
from engine.rulesets.gd6.commands import (
    UNITS,
    AnyCommand,
    AnyOrder,
    Move,
    SealList,
    Spawn,
    WriteList,
)
from engine.rulesets.gd6.forces import force, speeds
from engine.rulesets.gd6.lists import project, with_list
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import NOBODY, View

# -- planned lists ---------------------------------------------------------------------------------

MovePlan = tuple[tuple[int, ...], int, int]
"""Path, index of the type of unit in UNITS, number of units."""


class ListSketch:
    """Mutable list of a seat: works in order, spawned armies by territory, moves by priority."""

    __slots__ = ("moves", "spawns", "works")

    def __init__(self) -> None:
        self.works: list[AnyOrder] = []
        """Orders other than spawning and moves."""
        self.spawns: dict[int, int] = {}
        self.moves: list[MovePlan] = []

    def copy(self) -> ListSketch:
        """Return an independent copy."""
        other = ListSketch()
        other.works, other.spawns = self.works.copy(), self.spawns.copy()
        other.moves = self.moves.copy()
        return other

    def orders(self) -> tuple[AnyOrder, ...]:
        """Return the orders of the list: works, then spawning, then moves by priority."""
        spawns = (Spawn(at, count) for at, count in sorted(self.spawns.items()) if count > 0)
        moves = (Move(path, count, UNITS[unit]) for path, unit, count in self.moves if count > 0)
        return (*self.works, *spawns, *moves)


def sealed(view: View, orders: tuple[AnyOrder, ...]) -> tuple[AnyCommand, ...]:
    """Return commands that write and seal a list, without the lines that would be refused.

    Lines may depend on removed ones, so the check is repeated until nothing is refused. An empty
    list is always accepted. See: GD-CHECK-1, GD-CHECK-2.
    """
    orders = orders[: numbers().longest_list.value]
    while orders:
        refused = set(project(with_list(view, orders)).refused)
        if not refused:
            break
        orders = tuple(order for place, order in enumerate(orders) if place not in refused)
    if orders == view.players[view.viewer].orders:
        return (SealList(),)
    return WriteList(tuple(write(order) for order in orders)), SealList()


# -- expansion -------------------------------------------------------------------------------------

ARMY: Final = UNITS.index("army")
CAVALRY: Final = UNITS.index("cavalry")
HEAVY: Final = UNITS.index("heavy")
SPY: Final = UNITS.index("spy")

GAIN_STEP: Final = 1000
"""Gain per territory taken; larger than any worth."""

WALKERS: Final = (ARMY, CAVALRY)
"""Types with a speed of at least two borders and a health of one."""


class MovePlanner:
    """Planner for the moves of one seat, on a board with its spawned armies."""

    def __init__(self, board: BotBoard, seat: int, style: PlayStyle, worth: list[int]) -> None:
        self.board = board
        self.seat = seat
        self.style = style
        self.worth = worth
        self.free = {at: board.units[at].copy() for at in board.lands(seat)}
        """Units without an order, by territory."""
        self.gone: set[int] = set()
        """Territories that are already being taken."""
        self.fodder: list[MovePlan] = []
        """Moves of high priority, whose units die first."""
        self.moves: list[MovePlan] = []
        self._keep_guards()

    def _keep_guards(self) -> None:
        for at, units in self.free.items():
            needed = self._guard(at)
            for unit in (HEAVY, ARMY, CAVALRY):
                kept = min(units[unit], needed)
                units[unit] -= kept
                needed -= kept * (2 if unit == HEAVY else 1)
                if needed <= 0:
                    break

    def _guard(self, at: int) -> int:
        """Return the health of the units that stay at a territory."""
        board, style = self.board, self.style
        dear = board.hq[at] or board.construct[at] == "bivouac"
        percent = style.guard if dear else style.cover
        if not percent:
            return 0
        danger = board.threat(self.seat, at) - board.entry_cost(at)
        if danger <= 0 or (not dear and danger > sum(board.units[at])):
            return 0
        return (danger * percent + 99) // 100

    def take(self, path: tuple[int, ...], unit: int, count: int, *, first: bool = False) -> None:
        """Send units along a path; ``first`` gives them high priority, so that they die first."""
        self.free[path[0]][unit] -= count
        (self.fodder if first else self.moves).append((path, unit, count))

    def keep_spies(self, start: int) -> None:
        """Keep spies at and next to the start of an invasion. See: GD-INTEL-1."""
        for at in (start, *self.board.geo.near[start]):
            if at in self.free:
                self.free[at][SPY] = 0

    def walkers(self, at: int) -> int:
        """Return the number of walkers without an order at a territory."""
        units = self.free[at]
        return units[ARMY] + units[CAVALRY]

    def send(self, path: tuple[int, ...], count: int, *, first: bool = False) -> None:
        """Send a number of walkers, armies before cavalry."""
        for unit in WALKERS:
            part = min(count, self.free[path[0]][unit])
            if part:
                self.take(path, unit, part, first=first)
                count -= part

    def spread(self, most: int) -> None:
        """Take up to ``most`` neutral territories: paths that take more first, then by worth.

        Units that mines will kill are sent in addition. See: GD-MINE-2.
        """
        left = most
        heap = [(-gain, path) for gain, path in self._ways()]
        heapify(heap)
        while heap:
            hoped, path = heappop(heap)
            start = path[0]
            if not self.walkers(start):
                continue
            fresh = [at for at in path[1:] if self._is_open(at)]
            if len(fresh) > left:
                continue
            gain = sum(GAIN_STEP + self.worth[at] for at in fresh)
            if gain < -hoped:
                if gain:
                    heappush(heap, (-gain, path))
                continue
            lost = sum(self.board.losses(self.seat, at) for at in fresh)
            if lost < self.walkers(start):
                self.send(path, min(lost + self._wanted(fresh[0]), self.walkers(start)))
                self.gone.update(fresh)
                left -= len(fresh)

    def _wanted(self, at: int) -> int:
        """Return the number of units to send to neutral land. See: GD-SKIRMISH-2."""
        contest = self.style.contest
        return 1 + contest if contest and self.board.is_contested(self.seat, at) else 1

    def _is_open(self, at: int) -> bool:
        return self.board.owner[at] == NOBODY and at not in self.gone

    def _ways(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield (gain, path) for paths of one or two borders to neutral land."""
        near, owner = self.board.geo.near, self.board.owner
        for start in self.free:
            if not self.walkers(start):
                continue
            for one in near[start]:
                gain = 0
                if owner[one] == NOBODY:
                    gain = GAIN_STEP + self.worth[one]
                    yield gain, (start, one)
                elif owner[one] != self.seat:
                    continue
                for two in near[one]:
                    if two != start and owner[two] == NOBODY:
                        yield gain + GAIN_STEP + self.worth[two], (start, one, two)


# -- invasions -------------------------------------------------------------------------------------

AttackPaths = list[tuple[int, ...]]


class PlannedAttack(NamedTuple):
    """A possible invasion: its gain, the damage it must do, and its paths.

    ``starts`` are paths to the target, all of the same length, so that they arrive in one step.
    ``beyond`` is where the survivors move on to, 0 if they stay. ``price`` is the damage that the
    target alone does.
    """

    gain: int
    need: int
    price: int
    target: int
    beyond: int
    starts: AttackPaths


def attack(march: MovePlanner) -> None:
    """Plan invasions in order of gain per damage, as long as one is possible."""
    left_out: set[int] = set()
    while True:
        best = _best_attack(march, left_out)
        if best is None:
            return
        left_out.add(best.target)
        _carry_out(march, best)


def _best_attack(march: MovePlanner, left_out: set[int]) -> PlannedAttack | None:
    best: PlannedAttack | None = None
    for target, groups in sorted(_groups(march).items()):
        if target in left_out or target in march.gone:
            continue
        for starts in filter(None, groups):
            for one in _with_ways_on(march, target, starts):
                if best is None or one.gain * best.need > best.gain * one.need:
                    best = one
    return best


def _groups(march: MovePlanner) -> dict[int, tuple[AttackPaths, AttackPaths]]:
    """Return paths of joint attacks by target: one border long, and two borders long.

    The strongest start of a group comes first. Without joint attacks a group has only that one.
    """
    found: dict[int, tuple[AttackPaths, AttackPaths]] = {}
    for at in _strongest_first(march, 1):
        for target in march.board.geo.near[at]:
            if _is_foreign(march, target):
                found.setdefault(target, ([], []))[0].append((at, target))
    for at in _strongest_first(march, 2):
        for path in _ways_behind(march, at):
            found.setdefault(path[-1], ([], []))[1].append(path)
    if not march.style.joint:
        return {at: (early[:1], behind[:1]) for at, (early, behind) in found.items()}
    return found


def _strongest_first(march: MovePlanner, steps: int) -> list[int]:
    """Return territories with free units that can attack at a distance, the strongest first."""
    armed = ((-force(units, steps), at) for at, units in march.free.items())
    return [at for strength, at in sorted(armed) if strength]


def _is_foreign(march: MovePlanner, at: int) -> bool:
    return march.board.owner[at] not in (NOBODY, march.seat)


def _ways_behind(march: MovePlanner, start: int) -> list[tuple[int, ...]]:
    """Return paths of two borders over own land, one for each foreign territory."""
    near, owner = march.board.geo.near, march.board.owner
    found: dict[int, tuple[int, ...]] = {}
    for middle in near[start]:
        if owner[middle] == march.seat:
            for target in near[middle]:
                if _is_foreign(march, target):
                    found.setdefault(target, (start, middle, target))
    return list(found.values())


def _with_ways_on(march: MovePlanner, target: int, starts: AttackPaths) -> list[PlannedAttack]:
    """Return the attack alone and with each possible continuation; [] if it is too weak."""
    board, style = march.board, march.style
    steps = len(starts[0]) - 1
    strength = sum(force(march.free[path[0]], steps) for path in starts)
    last = starts[0][-2]
    price = board.price(target, guided=board.is_guided(march.seat, last, board.geo.near[last]))
    need = price + max(1, style.margin)
    if style.respect:
        need += board.reach(board.owner[target], target) * style.respect // 100
    if strength < need:
        return []
    gain = march.worth[target]
    found = [PlannedAttack(gain, need, price, target, 0, starts)]
    if steps > 1:
        return found
    walking = sum(march.walkers(path[0]) for path in starts)
    for beyond in board.geo.near[target]:
        owner = board.owner[beyond]
        if owner == march.seat or beyond in march.gone:
            continue
        more = board.losses(march.seat, beyond)
        if strength >= need + more and walking > need + more - price - 1:
            gained = gain + march.worth[beyond]
            found.append(PlannedAttack(gained, need + more, price, target, beyond, starts))
    return found


def _carry_out(march: MovePlanner, chosen: PlannedAttack) -> None:
    """Send the units: heavies first, then as many walkers as needed."""
    need, steps = chosen.need, len(chosen.starts[0]) - 1
    march.gone.add(chosen.target)
    march.keep_spies(chosen.starts[0][-2])
    if chosen.beyond:
        march.gone.add(chosen.beyond)
    through = max(0, need - chosen.price) if chosen.beyond else 0
    if steps == 1:
        for path in chosen.starts:
            count = min(march.free[path[0]][HEAVY], (need - through + 1) // 2)
            if count > 0:
                march.take(path, HEAVY, count, first=True)
                need -= 2 * count
    for path in chosen.starts:
        wanted = march.walkers(path[0]) if march.style.surge else min(need, march.walkers(path[0]))
        if wanted <= 0:
            continue
        march.send((*path, chosen.beyond) if chosen.beyond else path, wanted, first=True)
        need -= wanted
        if need <= 0 and not march.style.surge:
            break


# -- reinforcement ---------------------------------------------------------------------------------

SLOPE = 12
"""Decrease of the pull per border of distance."""

UNREACHED = -10_000
"""Pull of territories without a connection to a border."""


def pulls(board: BotBoard, seat: int, worth: list[int]) -> list[int]:
    """Return the pull of each own territory on units, spread over own land."""
    field = [UNREACHED] * (board.geo.size + 1)
    lands = board.lands(seat)
    for at in lands:
        foreign = [other for other in board.geo.near[at] if board.owner[other] != seat]
        if foreign:
            field[at] = _pull(board, seat, at, max(worth[other] for other in foreign))
    wave = sorted((at for at in lands if field[at] > UNREACHED), key=lambda at: (-field[at], at))
    while wave:
        risen: list[int] = []
        for at in wave:
            for other in board.geo.near[at]:
                if board.owner[other] == seat and field[other] < field[at] - SLOPE:
                    field[other] = field[at] - SLOPE
                    risen.append(other)
        wave = risen
    return field


def _pull(board: BotBoard, seat: int, at: int, best: int) -> int:
    """Return the pull of a border territory itself."""
    pull = best + 2 * min(10, sum(board.units[at]))
    if any(board.owner[other] not in (NOBODY, seat) for other in board.geo.near[at]):
        pull += 20
    if board.hq[at]:
        pull += 4 * max(0, min(10, board.threat(seat, at) - board.health(at)))
    return pull


def rally(march: MovePlanner) -> None:
    """Send the remaining units through own land towards the borders most worth attacking.

    See: GD-MOVE-1, GD-MOVE-2.
    """
    board = march.board
    field = pulls(board, march.seat, march.worth)
    for at, units in march.free.items():
        for unit in range(len(UNITS)):
            if units[unit]:
                path = _uphill(board, march.seat, field, at, speeds()[unit])
                if len(path) > 1:
                    march.take(path, unit, units[unit])


def _uphill(
    board: BotBoard, seat: int, field: list[int], start: int, steps: int
) -> tuple[int, ...]:
    path = [start]
    for _ in range(steps):
        here = path[-1]
        own = [other for other in board.geo.near[here] if board.owner[other] == seat]
        best = max(own, key=lambda other: (field[other], -other), default=here)
        if field[best] <= field[here]:
            break
        path.append(best)
    return tuple(path)
