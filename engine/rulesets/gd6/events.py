"""Events, by phase of the turn. They carry results; evolve applies them without any rule."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from engine.core.record import Event
from engine.rulesets.gd6 import state
from engine.rulesets.gd6.commands import AnyOrder, Construct, InventoryItem, Unit


class Lasting(Event, frozen=True):
    """An event that cannot be undone; visible to all unless ``view`` registers a redaction."""

    irreversible: ClassVar[bool] = True


class Closing(Lasting, frozen=True):
    """The end of a phase or turn."""

    ends_phase: ClassVar[bool] = True


class Secret(Lasting, frozen=True):
    """An event that is visible to its seat only."""

    seat: int


class Draft(Event, frozen=True):
    """An edit of a list: undoable, and visible to its seat only."""

    seat: int


class GameStarted(Lasting, frozen=True, tag="game-started"):
    """The game is set up. See: GD-MAP-2.

    ``scenario`` lacks map, seats and territories; ``world``, ``players`` and ``territories`` hold
    them in full.
    """

    scenario: state.Setting
    options: state.Options
    world: state.World
    players: tuple[state.Player, ...]
    territories: tuple[state.Territory, ...]


class OrderAdded(Draft, frozen=True, tag="order-added"):
    """A seat added a line to the end of its list. Secret."""

    order: AnyOrder


class ListWritten(Draft, frozen=True, tag="list-written"):
    """A seat changed its list; ``orders`` is the whole new list. Secret."""

    orders: tuple[AnyOrder, ...]


class ListSealed(Lasting, frozen=True, tag="list-sealed"):
    """A seat sealed its list."""

    seat: int


class ListUnsealed(Lasting, frozen=True, tag="list-unsealed"):
    """A seat unsealed its list."""

    seat: int


class Conceded(Lasting, frozen=True, tag="conceded"):
    """A seat concedes; it leaves when the next turn opens."""

    seat: int


class TurnClosed(Closing, frozen=True, tag="turn-closed"):
    """The lists are executed. ``idle`` seats had not sealed theirs and do nothing."""

    turn: int
    idle: tuple[int, ...]


class PhaseBegan(Lasting, frozen=True, tag="phase-began"):
    """A phase of the turn begins."""

    phase: state.Phase


class OrderRefused(Secret, frozen=True, tag="order-refused"):
    """A line of a list is not executed; the first code is the primary reason. Secret."""

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
    """A seat paid ``amount`` IP and has ``left`` IP now. Secret."""

    amount: int
    left: int


class WastelandLoss(Lasting, frozen=True, tag="wasteland-loss"):
    """A wasteland killed a unit. The loss of a spy is hidden from other seats."""

    at: int
    unit: Unit
    left: int
    """Units of that type left."""


class HqBuilt(Lasting, frozen=True, tag="hq-built"):
    """A seat settled and owns the land."""

    seat: int
    at: int


class HqRoundFailed(Closing, frozen=True, tag="hq-round-failed"):
    """Some seats cannot settle where they want. The ``failed`` ones choose again.

    ``orders`` are pairs (seat, territory) of all seats that wanted to settle.
    """

    orders: tuple[tuple[int, int], ...]
    failed: tuple[int, ...]
    rounds: int
    """Number of failed rounds this turn, including this one."""


class Promoted(Lasting, frozen=True, tag="promoted"):
    """Armies became other units. ``at`` and ``count`` are 0 if they are hidden from the viewer."""

    seat: int
    at: int
    unit: Unit
    count: int


class Claimed(Lasting, frozen=True, tag="claimed"):
    """A seat owns a territory now; its loyalty is 0."""

    seat: int
    at: int


class Neutralised(Lasting, frozen=True, tag="neutralised"):
    """A territory lost its owner, and its bivouac if it had one."""

    at: int
    lost: Construct | None
    owner: int = state.NOBODY
    """Previous owner; NOBODY in games older than this field."""


class Spawned(Lasting, frozen=True, tag="spawned"):
    """Armies were raised. ``armies`` is the total in the territory now."""

    seat: int
    at: int
    count: int
    armies: int


class MinesExploded(Lasting, frozen=True, tag="mines-exploded"):
    """Mines exploded under a seat's units. ``left`` mines remain and are public from now on."""

    at: int
    seat: int
    exploded: int
    left: int
    losses: tuple[state.Loss, ...]
    spawned_lost: int = 0
    """Newly spawned armies among the killed units."""


class ConstructBuilt(Lasting, frozen=True, tag="construct-built"):
    """A construct was built."""

    seat: int
    at: int
    construct: Construct


class MinesLaid(Secret, frozen=True, tag="mines-laid"):
    """A seat laid mines. Secret."""

    at: int
    count: int


class ItemSpent(Secret, frozen=True, tag="item-spent"):
    """A seat used an item and has ``left`` of them now. Secret."""

    item: InventoryItem
    left: int


class CropUsed(Lasting, frozen=True, tag="crop-used"):
    """A crop supply gave armies: (territory, armies given, armies now) for each territory."""

    seat: int
    lots: tuple[tuple[int, int, int], ...]


class DynamiteUsed(Lasting, frozen=True, tag="dynamite-used"):
    """Dynamite destroyed a construct and killed one ``unit``; ``left`` units of its type remain.

    ``unit`` or ``construct`` is None if nothing of the kind was hit, or it is hidden from the
    viewer.
    """

    seat: int
    source: int
    target: int
    unit: Unit | None
    left: int
    construct: Construct | None


class ToxicUsed(Lasting, frozen=True, tag="toxic-used"):
    """A territory became a wasteland."""

    seat: int
    source: int
    target: int


class ItemBought(Secret, frozen=True, tag="item-bought"):
    """A seat bought an item and has ``stock`` of them now. Secret."""

    item: InventoryItem
    stock: int


class SquadsBound(Lasting, frozen=True, tag="squads-bound"):
    """Units were assigned to moves. Viewers see their own only."""

    squads: tuple[state.Squad, ...]


class StepStarted(Lasting, frozen=True, tag="step-started"):
    """All squads make their n-th hop."""

    step: int


class LiftedOff(Lasting, frozen=True, tag="lifted-off"):
    """Squads left their territories, all at once. Spies of other seats are hidden."""

    hops: tuple[state.Hop, ...]


class Arrived(Lasting, frozen=True, tag="arrived"):
    """Squads of a seat reached a territory without a fight.

    ``units`` counts the arrivals; spies of other seats are hidden.
    """

    seat: int
    at: int
    kind: Literal["distribution", "expansion", "landing"]
    squads: tuple[int, ...]
    units: state.UnitCounts


class LoopFound(Lasting, frozen=True, tag="loop-found"):
    """Attacks form a circle through ``places``, in order, the lowest number first."""

    places: tuple[int, ...]


class Skirmish(Lasting, frozen=True, tag="skirmish"):
    """Squads of several seats met in transit. Each round hit the front unit of every seat once.

    ``sides`` are (seat, units before, units after), without spies.
    """

    kind: Literal["target", "loop"]
    places: tuple[int, ...]
    rounds: int
    sides: tuple[tuple[int, int, int], ...]
    losses: tuple[state.Loss, ...]


class InvasionBegan(Lasting, frozen=True, tag="invasion-began"):
    """A seat attacks a territory. Attackers and defenders count only units that can fight."""

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
    """The attackers paid the penalty of an invasion. No damage means that a spy guided them."""

    at: int
    seat: int
    damage: int
    losses: tuple[state.Loss, ...]


class WatchtowerHeld(Lasting, frozen=True, tag="watchtower-fought"):
    """A watchtower took ``hits`` and dealt as many; it may have been destroyed."""

    at: int
    seat: int
    hits: int
    destroyed: bool
    losses: tuple[state.Loss, ...]


class Defended(Lasting, frozen=True, tag="invasion-fought"):
    """Attackers and defenders fought.

    ``losses`` are those of the attackers. ``garrison`` counts all fallen defenders, passing squads
    included; ``passing`` lists the losses of those squads only.
    """

    at: int
    seat: int
    owner: int
    rounds: int
    losses: tuple[state.Loss, ...]
    garrison: state.UnitCounts
    passing: tuple[state.Loss, ...]


class InvasionRepelled(Lasting, frozen=True, tag="invasion-repelled"):
    """No attacker is left, and the owner keeps the territory."""

    at: int
    seat: int
    owner: int


class MovementEnded(Lasting, frozen=True, tag="movement-ended"):
    """All squads have reached their destinations."""


class BivouacYielded(Lasting, frozen=True, tag="bivouac-yielded"):
    """A bivouac gave armies. ``armies`` is the total in the territory now."""

    at: int
    count: int
    armies: int


class LoyaltyGrown(Lasting, frozen=True, tag="loyalty-grown"):
    """Pairs (territory, loyalty now) of all owned territories."""

    grown: tuple[tuple[int, int], ...]


class IncomeEarned(Secret, frozen=True, tag="income-earned"):
    """The IP that a seat earned, by source, and its IP now. Secret."""

    territories: int
    hqs: int
    libraries: int
    armies: int
    ip: int


class Disbanded(Lasting, frozen=True, tag="disbanded"):
    """The units of a seat that conceded left a territory."""

    seat: int
    at: int
    units: state.UnitCounts


class Eliminated(Lasting, frozen=True, tag="eliminated"):
    """A seat is out: it has no land or no site to settle, or it conceded."""

    seat: int
    why: Literal["no_land", "no_site", "conceded"]


class TurnOpened(Closing, frozen=True, tag="turn-opened"):
    """A turn begins. ``owned`` are (seat, territories, bivouacs, libraries), as owned now."""

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
