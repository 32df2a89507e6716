"""Positions for planning: flat lists by territory, styles of play, and the worth of positions."""

from __future__ import annotations

from typing import Final

from engine.core.record import Record
from engine.kit.memo import recent
from engine.rulesets.gd6.forces import Forces, longest_way
from engine.rulesets.gd6.state import NOBODY, Seen, State, Territory, World
from engine.rulesets.gd6.world import distances

# -- positions -------------------------------------------------------------------------------------


FAR: Final = 999
"""The distance of what cannot be reached."""


class Geometry:
    """A map: neighbours and distances by territory number; index 0 means nothing."""

    __slots__ = ("apart", "near", "size", "within")

    def __init__(self, world: World) -> None:
        self.size = len(world.lands)
        self.near: list[tuple[int, ...]] = [(), *(land.neighbours for land in world.lands)]
        self.apart: list[list[int]] = [
            [FAR if steps < 0 else steps for steps in row]
            for row in distances(world).cells.tolist()
        ]
        self.within: list[tuple[tuple[int, ...], ...]] = [
            tuple(
                tuple(at for at in range(1, self.size + 1) if 0 < row[at] <= reach)
                for reach in range(4)
            )
            for row in self.apart
        ]
        """The territories within so many borders, up to 3, without the territory itself."""


@recent
def geometry(world: World) -> Geometry:
    """The geometry of a map, worked out once for each map."""
    return Geometry(world)


class BotBoard(Forces):
    """Owners and garrisons, and the numbers that a plan needs besides."""

    __slots__ = ("geo", "hq", "longest", "loyalty", "opened", "seats", "turns_left", "wasteland")

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen)
        self.geo = geometry(seen.world)
        self.longest = longest_way(seen.options)
        """Borders that the fastest units cross in a turn."""
        rows = (Territory(0), *seen.territories.rows())
        self.hq = [here.hq != NOBODY for here in rows]
        self.loyalty = [here.loyalty for here in rows]
        self.wasteland = [here.wasteland for here in rows]
        playing = [player for player in seen.players.values() if player.status != "eliminated"]
        self.seats = tuple(player.id for player in playing)
        self.opened = {
            player.id: player.opened.territories if player.opened is not None else 0
            for player in playing
        }
        limit = seen.options.turn_limit
        self.turns_left = max(0, limit - seen.turn) if limit else FAR

    def lands(self, seat: int) -> list[int]:
        """The territories of a seat."""
        return [at for at, owner in enumerate(self.owner) if owner == seat and at]

    def spawn_places(self, seat: int) -> list[int]:
        """Where a seat may raise armies. Rules: GD-SPAWN-2, GD-SPAWN-3."""
        lands = self.lands(seat)
        sites = [at for at in lands if self.hq[at]]
        if sites:
            near = {other for at in sites for other in (at, *self.geo.near[at])}
            return [at for at in sorted(near) if self.owner[at] in (NOBODY, seat)]
        most = max((self.loyalty[at] for at in lands), default=0)
        return [at for at in lands if self.loyalty[at] == most]

    def has_hq(self, seat: int) -> bool:
        """Whether a seat owns a headquarters."""
        return any(self.hq[at] for at in self.lands(seat))

    def claim(self, at: int, seat: int) -> None:
        """The land becomes the seat's."""
        if self.owner[at] != seat:
            self.owner[at] = seat
            self.loyalty[at] = 0

    def copy(self) -> BotBoard:
        """One that can be changed by itself."""
        other = object.__new__(BotBoard)
        for slot in ("geo", "around", "longest", "seats", "opened", "turns_left"):
            setattr(other, slot, getattr(self, slot))
        for slot in ("owner", "construct", "hq", "loyalty", "wasteland", "mines"):
            setattr(other, slot, getattr(self, slot).copy())
        other.units = [row.copy() for row in self.units]
        return other


# -- styles ----------------------------------------------------------------------------------------


class PlayStyle(Record, frozen=True):
    """Worths are in tenths of a plain territory."""

    margin: int = 1
    """Damage sent to an invasion beyond what today's garrison asks for."""

    contest: int = 0
    """Units more than one on neutral land that a rival can reach too."""

    joint: bool = True
    """Attacks may come from several territories at once."""

    respect: int = 0
    """Percent of what the owner has near a target that an invasion must be able to beat too."""

    surge: bool = False
    """All units of a territory go along with an invasion that some of them make."""

    guard: int = 0
    """Percent of the strongest threat to its headquarters that stays there."""

    cover: int = 0
    """Percent of the threat that stays on other land it is worth to hold, as far as it can."""

    hq: int = 60
    library: int = 20
    bivouac: int = 30
    """Worth of what stands on a territory, beside the 10 of the land."""

    rival: int = 5
    """Worth of taking a territory away from somebody, beside having it."""

    grudge: int = -1
    """The seat whose land is worth half as much again."""

    thrifty: bool = True
    """Money is laid out where it brings most; otherwise on the first thing it suffices for."""


EASY: Final = PlayStyle(margin=3, joint=False, guard=60, thrifty=False)
USUAL: Final = PlayStyle(margin=1, contest=1, guard=100, cover=30)
BOLD: Final = PlayStyle(margin=1, contest=1, surge=True, guard=40)
KEEPER: Final = PlayStyle(margin=3, contest=1, respect=50, guard=100, cover=100)
SWARM: Final = PlayStyle(margin=1, guard=0, rival=15)


# -- worth of territories --------------------------------------------------------------------------


LAND = 10
"""Worth of a plain territory; all other worths are measured by it."""


def value(board: BotBoard, at: int, seat: int, style: PlayStyle) -> int:
    """What taking a territory is worth to a seat, in tenths of a plain territory."""
    worth = LAND
    if board.hq[at]:
        worth += style.hq
    if board.construct[at] == "library":
        worth += style.library
    owner = board.owner[at]
    for other in board.geo.near[at]:
        if board.owner[other] == NOBODY:
            worth += 5
        elif board.owner[other] == seat:
            worth += 2
    if owner not in (NOBODY, seat):
        worth += style.rival
        if board.construct[at] == "bivouac":
            worth += style.bivouac
        if owner == style.grudge:
            worth += worth // 2
    if board.wasteland[at]:
        worth //= 2
    return worth


# -- worth of positions ----------------------------------------------------------------------------


INCOME_HORIZON: Final = 8
"""Turns for which income is reckoned."""

VICTORY: Final = 100_000


class MeritWeights(Record, frozen=True):
    """Worth in tenths of an army; of what brings income, for the whole horizon."""

    army: int = 10
    land: int = 15
    land_income: int = 30
    hq: int = 20
    hq_income: int = 90
    home: int = 120
    """Having a headquarters at all."""
    library: int = 30
    bivouac: int = 70
    risk: int = 40
    """Percent of what can be taken that is reckoned as lost."""


WEIGHTS: Final = MeritWeights()


def merits(state: State, weights: MeritWeights = WEIGHTS) -> dict[int, int]:
    """The merit of each seat when a turn has been opened; 0 of one that is out."""
    board = BotBoard(state)
    turns = min(INCOME_HORIZON, board.turns_left + 1)
    found = dict.fromkeys(state.players, 0)
    for seat in state.winners:
        found[seat] = VICTORY // len(state.winners)
    if state.reason:
        return found
    for seat in board.seats:
        lands = board.lands(seat)
        found[seat] = sum(_held(board, at, seat, turns, weights) for at in lands)
        if any(board.hq[at] for at in lands):
            found[seat] += weights.home * turns // INCOME_HORIZON
    return found


def _held(board: BotBoard, at: int, seat: int, turns: int, weights: MeritWeights) -> int:
    """What a territory and the units on it are worth to its owner."""
    income = weights.land_income
    worth = weights.land
    if board.hq[at]:
        worth += weights.hq
        income += weights.hq_income
    if board.construct[at] == "library":
        income += weights.library
    elif board.construct[at] == "bivouac" and not board.wasteland[at]:
        income += weights.bivouac
    if board.wasteland[at]:
        income //= 2
    worth += income * turns // INCOME_HORIZON
    if income > weights.land_income:
        worth -= _risk(board, at, seat, worth) * weights.risk // 100
    return worth + weights.army * board.health(at)


def _risk(board: BotBoard, at: int, seat: int, worth: int) -> int:
    """What is lost if the strongest rival in reach comes here."""
    spare = board.threat(seat, at) - board.price(at)
    return worth * min(4, spare) // 4 if spare > 0 else 0


def relative_merit(found: dict[int, int], seat: int) -> int:
    """What the merits come to for one seat: its own against the others' mean and best."""
    others = [merit for other, merit in found.items() if other != seat]
    own = found.get(seat, 0)
    if not others:
        return 2 * own
    return 2 * own - sum(others) // len(others) - max(others)
