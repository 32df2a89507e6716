"""Events, by phase of the turn. They carry results; evolve books them without any rule."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.record import Event
from engine.rulesets.gd6 import state
from engine.rulesets.gd6.commands import AnyOrder, Construct, InventoryItem, Unit


class Lasting(Event, frozen=True):
    """An event that cannot be undone, told to everybody unless ``view`` registers a redaction."""

    irreversible: ClassVar[bool] = True


class Closing(Lasting, frozen=True):
    """The end of a phase or turn."""

    ends_phase: ClassVar[bool] = True


class Secret(Lasting, frozen=True):
    """An event that is told to its seat alone."""

    seat: int


class Draft(Event, frozen=True):
    """An edit of a list, which can be undone and is told to its seat alone."""

    seat: int


class GameStarted(Lasting, frozen=True, tag="game-started"):
    """The game is set up. Rules: GD-MAP-2.

    ``scenario`` is without map, seats and territories, which stand beside it and are complete.
    """

    scenario: state.Setting
    options: state.Options
    world: state.World
    players: tuple[state.Player, ...]
    territories: tuple[state.Territory, ...]


class OrderAdded(Draft, frozen=True, tag="order-added"):
    """A seat wrote a line at the end of its list. Secret."""

    order: AnyOrder


class ListWritten(Draft, frozen=True, tag="list-written"):
    """A seat's list is this now. Secret."""

    orders: tuple[AnyOrder, ...]


class ListSealed(Lasting, frozen=True, tag="list-sealed"):
    """A seat is done with its list."""

    seat: int


class ListUnsealed(Lasting, frozen=True, tag="list-unsealed"):
    """A seat took its list up again."""

    seat: int


class Conceded(Lasting, frozen=True, tag="conceded"):
    """A seat gives up; it leaves when the next turn opens."""

    seat: int


class TurnClosed(Closing, frozen=True, tag="turn-closed"):
    """The lists are carried out; ``idle`` seats had not sealed theirs and do nothing."""

    turn: int
    idle: tuple[int, ...]


class PhaseBegan(Lasting, frozen=True, tag="phase-began"):
    """A phase of the turn begins."""

    phase: state.Phase


class OrderRefused(Secret, frozen=True, tag="order-refused"):
    """A line of a list is not carried out; the first of the reasons is the primary one. Secret."""

    place: int
    order: AnyOrder
    codes: tuple[str, ...]
    text: str
    rule: str


class OrderReduced(Secret, frozen=True, tag="order-reduced"):
    """A move is made with fewer units than ordered. Secret."""

    place: int
    order: AnyOrder
    kept: int


class IpPaid(Secret, frozen=True, tag="ip-paid"):
    """A seat paid and has so many IP left. Secret."""

    amount: int
    left: int


class WastelandLoss(Lasting, frozen=True, tag="wasteland-loss"):
    """A wasteland killed a unit. Others are not told of a spy."""

    at: int
    unit: Unit
    left: int
    """Units of that type left."""


class HqBuilt(Lasting, frozen=True, tag="hq-built"):
    """A seat settled and owns the land."""

    seat: int
    at: int


class HqRoundFailed(Closing, frozen=True, tag="hq-round-failed"):
    """Some cannot settle where they want; (seat, territory) of all who wanted to settle.

    ``failed`` seats choose again.
    """

    orders: tuple[tuple[int, int], ...]
    failed: tuple[int, ...]
    rounds: int
    """Number of failed rounds of this turn, this one included."""


class Promoted(Lasting, frozen=True, tag="promoted"):
    """Armies became other units; 0 and 0 where place and number are secret."""

    seat: int
    at: int
    unit: Unit
    count: int


class Claimed(Lasting, frozen=True, tag="claimed"):
    """A seat owns a territory now; its loyalty is 0."""

    seat: int
    at: int


class Neutralised(Lasting, frozen=True, tag="neutralised"):
    """A territory belongs to nobody; a bivouac is gone."""

    at: int
    lost: Construct | None
    owner: int = state.NOBODY
    """Owner until now; NOBODY in games older than this field."""


class Spawned(Lasting, frozen=True, tag="spawned"):
    """Armies were raised; so many armies stand here now."""

    seat: int
    at: int
    count: int
    armies: int


class MinesExploded(Lasting, frozen=True, tag="mines-exploded"):
    """Mines went off under a seat's units; ``left`` are still there, and everybody knows them."""

    at: int
    seat: int
    exploded: int
    left: int
    losses: tuple[state.Loss, ...]
    spawned_lost: int = 0
    """Newly spawned armies among the killed units."""


class ConstructBuilt(Lasting, frozen=True, tag="construct-built"):
    """Something was built."""

    seat: int
    at: int
    construct: Construct


class MinesLaid(Secret, frozen=True, tag="mines-laid"):
    """A seat laid mines. Secret."""

    at: int
    count: int


class ItemSpent(Secret, frozen=True, tag="item-spent"):
    """A seat used an item up and has so many left. Secret."""

    item: InventoryItem
    left: int


class CropUsed(Lasting, frozen=True, tag="crop-used"):
    """A crop supply gave armies: (territory, armies given, armies now) for each."""

    seat: int
    lots: tuple[tuple[int, int, int], ...]


class DynamiteUsed(Lasting, frozen=True, tag="dynamite-used"):
    """Dynamite destroyed a construct and killed a unit of this type, of which ``left`` are left.

    None where there was none, or none the viewer sees.
    """

    seat: int
    source: int
    target: int
    unit: Unit | None
    left: int
    construct: Construct | None


class ToxicUsed(Lasting, frozen=True, tag="toxic-used"):
    """A territory is a wasteland now."""

    seat: int
    source: int
    target: int


class ItemBought(Secret, frozen=True, tag="item-bought"):
    """A seat bought an item and has so many now. Secret."""

    item: InventoryItem
    stock: int


class SquadsBound(Lasting, frozen=True, tag="squads-bound"):
    """Units were bound to moves. A viewer is told of their own."""

    squads: tuple[state.Squad, ...]


class StepStarted(Lasting, frozen=True, tag="step-started"):
    """All make their n-th hop."""

    step: int


class LiftedOff(Lasting, frozen=True, tag="lifted-off"):
    """Squads left their territories, all at once. Others' spies are not told of."""

    hops: tuple[state.Hop, ...]


class Arrived(Lasting, frozen=True, tag="arrived"):
    """Squads of a seat reached a territory without a fight.

    ``units`` is what arrived; of others' arrivals without the spies.
    """

    seat: int
    at: int
    kind: Literal["distribution", "expansion", "landing"]
    squads: tuple[int, ...]
    units: state.UnitCounts


class LoopFound(Lasting, frozen=True, tag="loop-found"):
    """Attacks go round in a circle: these territories in order, the lowest number first."""

    places: tuple[int, ...]


class Skirmish(Lasting, frozen=True, tag="skirmish"):
    """Squads of several seats met on the way; each seat's front unit was hit once a round.

    ``sides`` are (seat, units before, units after), spies not counted.
    """

    kind: Literal["target", "loop"]
    places: tuple[int, ...]
    rounds: int
    sides: tuple[tuple[int, int, int], ...]
    losses: tuple[state.Loss, ...]


class InvasionBegan(Lasting, frozen=True, tag="invasion-began"):
    """A seat attacks a territory with so many units that can fight."""

    at: int
    seat: int
    owner: int
    attackers: int
    defenders: int


class SpiesCaught(Lasting, frozen=True, tag="spies-caught"):
    """Spies among the attackers died when the fight began."""

    at: int
    losses: tuple[state.Loss, ...]


class PenaltyPaid(Lasting, frozen=True, tag="penalty-paid"):
    """The attackers lost what every invasion costs; no damage: a spy had shown them the way."""

    at: int
    seat: int
    damage: int
    losses: tuple[state.Loss, ...]


class WatchtowerHeld(Lasting, frozen=True, tag="watchtower-fought"):
    """A watchtower took so many hits and gave as many; it may have been destroyed."""

    at: int
    seat: int
    hits: int
    destroyed: bool
    losses: tuple[state.Loss, ...]


class Defended(Lasting, frozen=True, tag="invasion-fought"):
    """Attackers and defenders fought: what each squad lost, and what the garrison lost.

    ``garrison`` counts all defenders that fell, those of passing squads among them; ``passing``
    tells of these squads alone.
    """

    at: int
    seat: int
    owner: int
    rounds: int
    losses: tuple[state.Loss, ...]
    garrison: state.UnitCounts
    passing: tuple[state.Loss, ...]


class InvasionRepelled(Lasting, frozen=True, tag="invasion-repelled"):
    """No attacker is left, and the territory is still its owner's."""

    at: int
    seat: int
    owner: int


class MovementEnded(Lasting, frozen=True, tag="movement-ended"):
    """All squads stand where they were sent."""


class BivouacYielded(Lasting, frozen=True, tag="bivouac-yielded"):
    """A bivouac gave armies; so many stand here now."""

    at: int
    count: int
    armies: int


class LoyaltyGrown(Lasting, frozen=True, tag="loyalty-grown"):
    """(territory, loyalty now) of all that are owned."""

    grown: tuple[tuple[int, int], ...]


class IncomeEarned(Secret, frozen=True, tag="income-earned"):
    """IP that a seat earned, by source, and its IP now. Secret."""

    territories: int
    hqs: int
    libraries: int
    armies: int
    ip: int


class Disbanded(Lasting, frozen=True, tag="disbanded"):
    """The units of a seat that gives up left a territory."""

    seat: int
    at: int
    units: state.UnitCounts


class Eliminated(Lasting, frozen=True, tag="eliminated"):
    """A seat is out: it has no land, no site to settle, or conceded."""

    seat: int
    why: Literal["no_land", "no_site", "conceded"]


class TurnOpened(Closing, frozen=True, tag="turn-opened"):
    """A turn begins: (seat, territories, bivouacs, libraries) that each owns now."""

    turn: int
    owned: tuple[tuple[int, int, int, int], ...]


class GameOver(Closing, frozen=True, tag="game-over"):
    """The game is over."""

    reason: state.End
    winners: tuple[int, ...]


ListEvent: TypeAlias = GameStarted | OrderAdded | ListWritten | ListSealed | ListUnsealed | Conceded
TurnStageEvent: TypeAlias = TurnClosed | PhaseBegan | OrderRefused | OrderReduced | IpPaid
SettlingEvent: TypeAlias = (
    WastelandLoss | HqBuilt | HqRoundFailed | Promoted | Claimed | Neutralised
)
BuildingEvent: TypeAlias = Spawned | MinesExploded | ConstructBuilt | MinesLaid
InventoryEvent: TypeAlias = ItemSpent | CropUsed | DynamiteUsed | ToxicUsed | ItemBought
MoveEvent: TypeAlias = SquadsBound | StepStarted | LiftedOff | Arrived | LoopFound | Skirmish
InvasionEvent: TypeAlias = InvasionBegan | SpiesCaught | PenaltyPaid | WatchtowerHeld | Defended
YieldEvent: TypeAlias = InvasionRepelled | MovementEnded | BivouacYielded | LoyaltyGrown
EndEvent: TypeAlias = IncomeEarned | Disbanded | Eliminated | TurnOpened | GameOver
AnyEvent: TypeAlias = (
    ListEvent
    | TurnStageEvent
    | SettlingEvent
    | BuildingEvent
    | InventoryEvent
    | MoveEvent
    | InvasionEvent
    | YieldEvent
    | EndEvent
)
