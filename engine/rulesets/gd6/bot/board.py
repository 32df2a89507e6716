"""Positions for planning: flat lists by territory, styles of play, and the worth of positions."""

from __future__ import annotations

from typing import Final

from engine.core.record import Record, replace
from engine.kit.identity_cache import identity_cache
from engine.rulesets.gd6.forces import Forces, longest_way
from engine.rulesets.gd6.state import NOBODY, State, StateOrView, Territory, World
from engine.rulesets.gd6.world import distances

# -- positions -------------------------------------------------------------------------------------

FAR: Final = 999
"""Distance of unreachable territories, and turns left without a turn limit."""


class Geometry:
    """Neighbours and distances by territory number; index 0 is unused."""

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
        """Territories within a distance of 0 to 3 borders, without the territory itself."""


@identity_cache
def geometry(world: World) -> Geometry:
    """Return the geometry of a map, cached."""
    return Geometry(world)


class BotBoard(Forces):
    """Mutable position for planning: forces, headquarters, loyalty, wastelands."""

    __slots__ = ("geo", "hq", "longest", "loyalty", "opened", "seats", "turns_left", "wasteland")

    def __init__(self, seen: StateOrView) -> None:
        super().__init__(seen)
        self.geo = geometry(seen.world)
        self.longest = longest_way(seen.options)
        """Speed of the fastest units."""
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
        """Return the territories of a seat."""
        return [at for at, owner in enumerate(self.owner) if owner == seat and at]

    def spawn_places(self, seat: int) -> list[int]:
        """Return the territories where a seat may spawn. See: GD-SPAWN-2, GD-SPAWN-3."""
        lands = self.lands(seat)
        sites = [at for at in lands if self.hq[at]]
        if sites:
            near = {other for at in sites for other in (at, *self.geo.near[at])}
            return [at for at in sorted(near) if self.owner[at] in (NOBODY, seat)]
        most = max((self.loyalty[at] for at in lands), default=0)
        return [at for at in lands if self.loyalty[at] == most]

    def has_hq(self, seat: int) -> bool:
        """Return whether a seat owns a headquarters."""
        return any(self.hq[at] for at in self.lands(seat))

    def claim(self, at: int, seat: int) -> None:
        """Give a territory to a seat."""
        if self.owner[at] != seat:
            self.owner[at] = seat
            self.loyalty[at] = 0

    def copy(self) -> BotBoard:
        """Return an independent copy."""
        other = object.__new__(BotBoard)
        for slot in ("geo", "around", "longest", "seats", "opened", "turns_left"):
            setattr(other, slot, getattr(self, slot))
        for slot in ("owner", "construct", "hq", "loyalty", "wasteland", "mines"):
            setattr(other, slot, getattr(self, slot).copy())
        other.units = [row.copy() for row in self.units]
        return other


# -- styles ----------------------------------------------------------------------------------------


class PlayStyle(Record, frozen=True):
    """Parameters of a computer player's lists. Worths are in tenths of a plain territory."""

    margin: int = 1
    """Extra damage sent to an invasion, beyond the present garrison."""

    contest: int = 0
    """Extra units sent to neutral land that a rival can reach too."""

    joint: bool = True
    """True if attacks may start from several territories at once."""

    respect: int = 0
    """Percentage of the owner's forces in reach of a target that an invasion must also beat."""

    surge: bool = False
    """True if all units of a territory join its invasions."""

    guard: int = 0
    """Units kept at headquarters and bivouacs, as a percentage of the strongest threat."""

    cover: int = 0
    """Units kept on other land that can be held, as a percentage of the strongest threat."""

    hq: int = 60
    library: int = 20
    bivouac: int = 30
    """Worth of a construct on a territory, in addition to 10 for the land."""

    rival: int = 5
    """Worth of taking a territory from a rival, in addition to owning it."""

    grudge: int = -1
    """Seat whose land counts half as much again; -1 for none."""

    thrifty: bool = True
    """True if IP go to the best investments. If not, they go to the first affordable ones."""

    pace: int = 0
    """Maximum neutral territories taken per two turns; 0 means as many as there are armies for."""

    peace: int = 0
    """Last turn in which it leaves the land of other seats alone."""


EASY: Final = PlayStyle(margin=3, joint=False, guard=60, thrifty=False)
GENTLE: Final = replace(EASY, pace=3, peace=5)
"""For opponents of beginners, who need some turns to learn what armies are for."""
USUAL: Final = PlayStyle(margin=1, contest=1, guard=100, cover=30)
BOLD: Final = PlayStyle(margin=1, contest=1, surge=True, guard=40)
KEEPER: Final = PlayStyle(margin=3, contest=1, respect=50, guard=100, cover=100)
SWARM: Final = PlayStyle(margin=1, guard=0, rival=15)


# -- worth of territories --------------------------------------------------------------------------

LAND = 10
"""Worth of a plain territory; all worths are in tenths of it."""


def value(board: BotBoard, at: int, seat: int, style: PlayStyle) -> int:
    """Return the worth for a seat of taking a territory, in tenths of a plain territory."""
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
"""Maximum number of turns for which income counts."""

VICTORY: Final = 100_000


class MeritWeights(Record, frozen=True):
    """Worths in tenths of an army. Those of income cover the whole horizon."""

    army: int = 10
    land: int = 15
    land_income: int = 30
    hq: int = 20
    hq_income: int = 90
    home: int = 120
    """Worth of owning any headquarters."""
    library: int = 30
    bivouac: int = 70
    risk: int = 40
    """Percentage of the worth at risk that counts as lost."""


WEIGHTS: Final = MeritWeights()


def merits(state: State) -> dict[int, int]:
    """Return the merit of each seat in a position with an open turn; 0 for eliminated seats."""
    board = BotBoard(state)
    turns = min(INCOME_HORIZON, board.turns_left + 1)
    found = dict.fromkeys(state.players, 0)
    for seat in state.winners:
        found[seat] = VICTORY // len(state.winners)
    if state.reason:
        return found
    for seat in board.seats:
        lands = board.lands(seat)
        found[seat] = sum(_held(board, at, seat, turns) for at in lands)
        if any(board.hq[at] for at in lands):
            found[seat] += WEIGHTS.home * turns // INCOME_HORIZON
    return found


def _held(board: BotBoard, at: int, seat: int, turns: int) -> int:
    """Return the worth of a territory and its units to the owner."""
    income = WEIGHTS.land_income
    worth = WEIGHTS.land
    if board.hq[at]:
        worth += WEIGHTS.hq
        income += WEIGHTS.hq_income
    if board.construct[at] == "library":
        income += WEIGHTS.library
    elif board.construct[at] == "bivouac" and not board.wasteland[at]:
        income += WEIGHTS.bivouac
    if board.wasteland[at]:
        income //= 2
    worth += income * turns // INCOME_HORIZON
    if income > WEIGHTS.land_income:
        worth -= _risk(board, at, seat, worth) * WEIGHTS.risk // 100
    return worth + WEIGHTS.army * board.health(at)


def _risk(board: BotBoard, at: int, seat: int, worth: int) -> int:
    """Return the worth at risk if the strongest rival in reach attacks."""
    spare = board.threat(seat, at) - board.price(at)
    return worth * min(4, spare) // 4 if spare > 0 else 0


def relative_merit(found: dict[int, int], seat: int) -> int:
    """Return twice the merit of a seat, minus the mean and the best merit of the others."""
    others = [merit for other, merit in found.items() if other != seat]
    own = found.get(seat, 0)
    if not others:
        return 2 * own
    return 2 * own - sum(others) // len(others) - max(others)
