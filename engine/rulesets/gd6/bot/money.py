"""What is built and bought."""

from __future__ import annotations

from engine.rulesets.gd6.bot.board import Board
from engine.rulesets.gd6.bot.style import Style
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.orders import AnyOrder, Build, Buy, Construct
from engine.rulesets.gd6.stages_build import cost
from engine.rulesets.gd6.stages_spawn import per_territories
from engine.rulesets.gd6.state import Player, Seen

HORIZON = 9
"""Turns that an investment is reckoned to last at most."""

ARMY_WORTH = 4
"""What an army is worth, in IP."""

SAVINGS = 30
"""What a player who is not thrifty keeps for the next building, in IP."""


def spend(seen: Seen, board: Board, player: Player, style: Style) -> list[AnyOrder]:
    """Builds and purchases of a seat, within its purse. Rules: GD-BUILD-2, GD-BUY-1."""
    purse = Purse(seen, board, player)
    purse.towers()
    if style.thrifty:
        purse.invest()
        purse.supply()
    else:
        purse.first_things()
        purse.supply(SAVINGS)
    return purse.orders


class Purse:
    """The money of a seat in one turn, and what has been ordered with it."""

    def __init__(self, seen: Seen, board: Board, player: Player) -> None:
        self.seat = player.id
        self.left = player.ip
        self.board = board
        self.orders: list[AnyOrder] = []
        self.costs = {kind: cost(seen, player.id, kind) for kind in _KINDS}
        self.turns = min(HORIZON, board.turns_left)
        lands = board.lands(player.id)
        self.danger = {at: board.threat(player.id, at) for at in lands}
        self.free = [at for at in lands if board.construct[at] is None and not board.wasteland[at]]

    def build(self, kind: Construct, at: int) -> None:
        """Order a construct."""
        self.orders.append(Build(at, kind))
        self.left -= self.costs[kind]
        self.free.remove(at)

    def quiet(self) -> list[int]:
        """Where something can be built, the safest first."""
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
        """A watchtower where it makes the difference on what is dear."""
        if self.turns < 2:
            return
        for at in list(self.free):
            short = self.danger[at] - self.board.health(at)
            if self.board.hq[at] and 0 < short < 4 and self.left >= self.costs["watchtower"]:
                self.build("watchtower", at)

    def first_things(self) -> None:
        """A library as soon as there is money, then a bivouac in a quiet place."""
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
        """As many libraries and bivouacs as pay; all of one turn have the same price."""
        table = numbers()
        income = table.ip_per_library.value * self.turns
        if 4 * income > 5 * self.costs["library"]:
            self._build_many("library")
        supplied = self.turns * table.bivouac_yield.value * table.crop_supply_price.value
        if supplied > self.costs["bivouac"] * self.armies():
            self._build_many("bivouac")

    def _build_many(self, kind: Construct) -> None:
        sites = [at for at in self.quiet() if self.danger[at] <= self.board.health(at) + 2]
        for at in sites[: self.left // self.costs[kind]]:
            self.build(kind, at)

    def armies(self) -> int:
        """Armies that a crop supply gives. Rules: GD-CROP-2."""
        owned = len(self.board.lands(self.seat))
        return max(numbers().crop_minimum.value, per_territories(owned))

    def supply(self, kept: int = 0) -> None:
        """Crop supplies for the next turn; some money may be kept."""
        price = numbers().crop_supply_price.value
        while self.turns > 1 and self.left >= price + kept:
            self.orders.append(Buy("crop"))
            self.left -= price


_KINDS: tuple[Construct, ...] = ("watchtower", "bivouac", "library")
