"""Whole lists by plain rules: level 1, and the starting point of the other levels."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, get_args

from engine.core.record import replace
from engine.rulesets.gd6.bot.board import BotBoard, PlayStyle, value
from engine.rulesets.gd6.bot.moves import ARMY, ListSketch, MovePlanner, attack, pulls, rally
from engine.rulesets.gd6.commands import (
    CONSTRUCTS,
    AnyOrder,
    Build,
    Buy,
    Construct,
    PlaceHq,
    UseCrop,
)
from engine.rulesets.gd6.construction import construct_cost, per_territories
from engine.rulesets.gd6.inventory import crop_size
from engine.rulesets.gd6.lists import project, with_list
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import NOBODY, Player, State, StateOrView, View
from engine.rulesets.gd6.turns import StageName
from engine.rulesets.gd6.view import imagine

EVERY_STAGE: Final = frozenset(get_args(StageName))

NO_HOMES: Final[Mapping[int, int]] = MappingProxyType({})


class PlanningScene:
    """A position for planning lists. ``homes`` are the sites of seats that settle this turn."""

    def __init__(
        self,
        state: State,
        due: frozenset[StageName] = EVERY_STAGE,
        seat: int = NOBODY,
        homes: Mapping[int, int] = NO_HOMES,
    ) -> None:
        self.state = state
        self.board = BotBoard(state)
        self.due = due
        self.seat = seat
        self.homes = homes

    def settles(self, seat: int) -> bool:
        """Return whether a seat must choose a site now."""
        return "hq" in self.due and self.state.players[seat].status == "unsettled"

    def with_homes(self, homes: Mapping[int, int]) -> PlanningScene:
        """Return the scene with other sites for the seats that settle this turn."""
        return PlanningScene(self.state, self.due, self.seat, homes)


def scene_of(view: View) -> PlanningScene:
    """Return the scene of a view: the position after the Natural Phase. See: GD-TURN-1."""
    before = project(with_list(view, ())).before
    state = before.get("hq") or before.get("move") or imagine(view)
    if state.phase == "natural":
        state = replace(state, phase="construction")
    return PlanningScene(state, frozenset(before), view.viewer)


def list_of(scene: PlanningScene, seat: int, style: PlayStyle) -> ListSketch:
    """Plan the list of a seat by plain rules, without dice."""
    board, sketch = scene.board.copy(), ListSketch()
    home = scene.homes.get(seat, 0)
    if home:
        sketch.works.append(PlaceHq(home))
        board.claim(home, seat)
        board.hq[home] = True
    worth, due, player = worths(board, seat, style), scene.due, scene.state.players[seat]
    if "spawn" in due:
        sketch.spawns = spawn(board, seat, worth, spreads=not style.pace)
    if "build" in due and player.ip:
        sketch.works += spend(scene.state, board, player, style)
    if "crop" in due and player.crop:
        _supply(board, sketch, player, worth)
    moves = MovePlanner(board, seat, style, worth)
    moves.spread(_most_fresh(scene, board, seat, style))
    if scene.state.turn > style.peace:
        attack(moves)
    rally(moves)
    sketch.moves = [*moves.fodder, *moves.moves]
    return sketch


def _most_fresh(scene: PlanningScene, board: BotBoard, seat: int, style: PlayStyle) -> int:
    """Return the maximum number of neutral territories to take this turn, at the style's pace."""
    if not style.pace:
        return board.geo.size
    return max(0, 1 + style.pace * scene.state.turn // 2 - len(board.lands(seat)))


def worths(board: BotBoard, seat: int, style: PlayStyle) -> list[int]:
    """Return the worth of each territory to a seat; 0 for its own land."""
    worth = [0] * (board.geo.size + 1)
    for at in range(1, board.geo.size + 1):
        if board.owner[at] != seat:
            worth[at] = value(board, at, seat, style)
    return worth


def _supply(board: BotBoard, sketch: ListSketch, player: Player, worth: list[int]) -> None:
    """Use all crop supplies at the territory with the largest pull. See: GD-CROP-1, GD-CROP-2."""
    lands = board.lands(player.id)
    if not lands:
        return
    field = pulls(board, player.id, worth)
    best = max(lands, key=lambda at: (field[at], -at))
    count = crop_size(len(lands))
    for _ in range(player.crop):
        sketch.works.append(UseCrop(((best, count),)))
        board.units[best][ARMY] += count


# -- spawning --------------------------------------------------------------------------------------


def spawn(board: BotBoard, seat: int, worth: list[int], *, spreads: bool = True) -> dict[int, int]:
    """Spawn all allowed armies on the board; return their numbers by territory.

    With ``spreads``, each army goes where it brings the most unclaimed neutral land into reach. The
    rest go to own land with the largest pull. Mined neutral land is never used.
    See: GD-SPAWN-1 to GD-SPAWN-3.
    """
    places = [
        at for at in board.spawn_places(seat) if board.owner[at] != NOBODY or not board.mines[at]
    ]
    left = per_territories(board.opened.get(seat, 0))
    raised: dict[int, int] = {}
    if not places:
        return raised
    if not board.has_hq(seat):
        field = pulls(board, seat, worth)
        best = max(places, key=lambda at: (field[at], -at))
        raised[best] = left
        board.units[best][ARMY] += left
        return raised
    for _ in range(left if spreads else 0):
        at = _neutral_place(board, seat, places)
        if not at:
            break
        _raise(board, seat, at, raised)
    rest = left - sum(raised.values())
    if rest:
        field = pulls(board, seat, worth)
        own = [at for at in places if board.owner[at] == seat]
        best = max(own, key=lambda at: (field[at], -at), default=places[0])
        _raise(board, seat, best, raised, rest)
    return raised


def _raise(board: BotBoard, seat: int, at: int, raised: dict[int, int], count: int = 1) -> None:
    board.claim(at, seat)
    board.units[at][ARMY] += count
    raised[at] = raised.get(at, 0) + count


def _neutral_place(board: BotBoard, seat: int, places: list[int]) -> int:
    """Return the place where one more army takes most neutral land; 0 if it would take none."""
    best, most = 0, 0
    for at in places:
        fresh = board.owner[at] == NOBODY
        takers = 0 if fresh else board.units[at][ARMY]
        ahead = _neutral_ahead(board, seat, at) - 2 * takers
        gain = 3 * fresh + max(0, min(2, ahead))
        if gain > most:
            best, most = at, gain
    return best


def _neutral_ahead(board: BotBoard, seat: int, at: int) -> int:
    """Count the neutral territories within two borders, over own or neutral land."""
    owner, near = board.owner, board.geo.near
    found: set[int] = set()
    for one in near[at]:
        if owner[one] not in (NOBODY, seat):
            continue
        found.update(other for other in (one, *near[one]) if owner[other] == NOBODY)
    found.discard(at)
    return len(found)


# -- buildings and purchases -----------------------------------------------------------------------

INVESTMENT_HORIZON = 9
"""Maximum number of turns for which an investment counts."""

ARMY_WORTH = 4
"""Worth of an army in IP."""

SAVINGS = 30
"""IP that a player who is not thrifty keeps for the next building."""


def spend(seen: StateOrView, board: BotBoard, player: Player, style: PlayStyle) -> list[AnyOrder]:
    """Return the buildings and purchases that a seat can afford. See: GD-BUILD-2, GD-BUY-1."""
    purse = Budget(seen, board, player)
    purse.towers()
    if style.thrifty:
        purse.invest()
        purse.supply()
    else:
        purse.first_things()
        purse.supply(SAVINGS)
    return purse.orders


class Budget:
    """IP of a seat in one turn, and the orders paid with it."""

    def __init__(self, seen: StateOrView, board: BotBoard, player: Player) -> None:
        self.seat = player.id
        self.left = player.ip
        self.board = board
        self.orders: list[AnyOrder] = []
        self.costs = {kind: construct_cost(seen, player.id, kind) for kind in CONSTRUCTS}
        self.turns = min(INVESTMENT_HORIZON, board.turns_left)
        lands = board.lands(player.id)
        self.danger = {at: board.threat(player.id, at) for at in lands}
        self.free = [at for at in lands if board.construct[at] is None and not board.wasteland[at]]

    def build(self, kind: Construct, at: int) -> None:
        """Order a construct, and pay for it from the budget."""
        self.orders.append(Build(at, kind))
        self.left -= self.costs[kind]
        self.free.remove(at)

    def quiet(self) -> list[int]:
        """Return the territories without a construct, the safest first."""
        board = self.board
        return sorted(
            self.free,
            key=lambda at: (
                self.danger[at] - board.health(at),
                sum(board.owner[other] != self.seat for other in board.geo.near[at]),
                board.hq[at],
                at,
            ),
        )

    def towers(self) -> None:
        """Build watchtowers at headquarters that they can save."""
        if self.turns < 2:
            return
        for at in list(self.free):
            short = self.danger[at] - self.board.health(at)
            if self.board.hq[at] and 0 < short < 4 and self.left >= self.costs["watchtower"]:
                self.build("watchtower", at)

    def first_things(self) -> None:
        """Build a library if it pays, then a bivouac on safe land."""
        sites = self.quiet()
        table = numbers()
        income = table.ip_per_library.value * self.turns
        if sites and self.left >= self.costs["library"] < 2 * income:
            self.build("library", sites[0])
        sites = [at for at in self.quiet() if not self.danger[at]]
        income = ARMY_WORTH * table.bivouac_yield.value * self.turns
        if sites and self.left >= self.costs["bivouac"] < 2 * income:
            self.build("bivouac", sites[0])

    def invest(self) -> None:
        """Build as many libraries and bivouacs as pay; the price is constant within a turn."""
        table = numbers()
        income = table.ip_per_library.value * self.turns
        if 4 * income > 5 * self.costs["library"]:
            self._build_many("library")
        supplied = self.turns * table.bivouac_yield.value * table.crop_supply_price.value
        if supplied > self.costs["bivouac"] * crop_size(len(self.board.lands(self.seat))):
            self._build_many("bivouac")

    def _build_many(self, kind: Construct) -> None:
        sites = [at for at in self.quiet() if self.danger[at] <= self.board.health(at) + 2]
        for at in sites[: self.left // self.costs[kind]]:
            self.build(kind, at)

    def supply(self, kept: int = 0) -> None:
        """Buy crop supplies for later turns, but keep ``kept`` IP."""
        price = numbers().crop_supply_price.value
        while self.turns > 1 and self.left >= price + kept:
            self.orders.append(Buy("crop"))
            self.left -= price
