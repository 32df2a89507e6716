"""Events: facts with their results. A star of the rule book is a redacted field. Rules: KA-14."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from engine.core.record import Event
from engine.rulesets.kaladan.state import (
    BattleStep,
    BattleVerdict,
    Die,
    End,
    Options,
    Phase,
    Player,
    Terrain,
    Tile,
    Unit,
    War,
)


class Chance(Event, frozen=True):
    """Base of events that tell of chance, or of something that cannot be unheard."""

    irreversible: ClassVar[bool] = True


class Turning(Chance, frozen=True):
    """Base of events with which a phase, a turn or the game ends."""

    ends_phase: ClassVar[bool] = True


# -- set-up ----------------------------------------------------------------------------------------


class GameSet(Chance, frozen=True, tag="game-set"):
    """A game begins: its scenario, options and layout, and what the scenario fixes."""

    scenario: War
    options: Options
    layout: int
    tiles: tuple[Tile, ...]
    players: tuple[Player, ...]
    units: tuple[Unit, ...]


class TurnOrderRolled(Chance, frozen=True, tag="turn-order-rolled"):
    """Rolls of a d10 for the first turn: (seat, value) round by round, and the First Player."""

    rolls: tuple[tuple[tuple[int, int], ...], ...]
    first: int


class WorldBagShuffled(Chance, frozen=True, tag="world-bag-shuffled"):
    """The terrain bag from the top; secret."""

    bag: tuple[str, ...]


class TileDrawn(Chance, frozen=True, tag="tile-drawn"):
    """A seat drew a terrain tile, which it must place now."""

    seat: int
    terrain: Terrain


class TilePlaced(Chance, frozen=True, tag="tile-placed"):
    """A terrain tile lies on a position; ``dealt`` straight from the bag."""

    tile: int
    terrain: Terrain
    seat: int
    dealt: bool = False


class RealmChosen(Chance, frozen=True, tag="realm-chosen"):
    """A seat took a realm, and its army came into its reserve."""

    seat: int
    realm: str
    units: tuple[Unit, ...]


class MagicDeckShuffled(Chance, frozen=True, tag="magic-deck-shuffled"):
    """A realm's Magic deck from the top; secret."""

    seat: int
    deck: tuple[str, ...]


class MagicDrawn(Chance, frozen=True, tag="magic-drawn"):
    """A seat drew the top card of its Magic deck; the card is secret."""

    seat: int
    card: str


class CastlePlaced(Chance, frozen=True, tag="castle-placed"):
    """A Castle stands on a tile."""

    seat: int
    tile: int


class UnitsDeployed(Chance, frozen=True, tag="units-deployed"):
    """First units stand on the castle tile."""

    seat: int
    tile: int
    units: tuple[int, ...]


class GoldSet(Chance, frozen=True, tag="gold-set"):
    """A seat has its first gold."""

    seat: int
    gold: int


class EventDeckShuffled(Chance, frozen=True, tag="event-deck-shuffled"):
    """The event deck from the top, made of all cards or of the discard pile; secret."""

    deck: tuple[str, ...]


# -- turn ------------------------------------------------------------------------------------------


class TurnBegan(Chance, frozen=True, tag="turn-began"):
    """A seat's turn begins; all its units can act, and no battle has been fought."""

    seat: int
    round: int


class PhaseBegan(Turning, frozen=True, tag="phase-began"):
    """A phase begins, of the set-up or of a turn; ``seat`` is the one that acts in it."""

    phase: Phase
    seat: int


class EventDrawn(Chance, frozen=True, tag="event-drawn"):
    """The top event card is turned over; ``asked`` are the seats that have to choose, in order."""

    card: str
    asked: tuple[int, ...]


class EventApplied(Chance, frozen=True, tag="event-applied"):
    """A seat received its part of the event card.

    ``unit`` as it is afterwards, or None; ``gold`` is the seat's new total. ``asked``: it had been
    asked, and has answered now. Cards that were drawn or swapped are told by events of their own.
    """

    seat: int
    card: str
    option: str
    gold: int
    unit: Unit | None = None
    asked: bool = False


class EventResolved(Chance, frozen=True, tag="event-resolved"):
    """The event card is on the discard pile."""

    card: str


class IncomeReceived(Chance, frozen=True, tag="income-received"):
    """A seat has its income; ``gold`` is its new total."""

    seat: int
    tiles: int
    castles: int
    gold: int


class UnitSpawned(Event, frozen=True, tag="unit-spawned"):
    """A Basic unit came onto a castle tile for nothing."""

    seat: int
    unit: int
    tile: int


class UnitsMoved(Event, frozen=True, tag="units-moved"):
    """Units went to an adjacent tile and are done."""

    seat: int
    source: int
    target: int
    units: tuple[int, ...]


class UnitBought(Event, frozen=True, tag="unit-bought"):
    """A unit came from the reserve; ``gold`` is what is left."""

    seat: int
    unit: int
    tile: int
    gold: int


class UnitUpgraded(Event, frozen=True, tag="unit-upgraded"):
    """A unit is upgraded; ``gold`` is what is left."""

    seat: int
    unit: int
    gold: int


class SpecialBroughtIn(Event, frozen=True, tag="special-brought-in"):
    """A Special Unit came in for gold; ``gold`` is what is left."""

    seat: int
    unit: int
    tile: int
    gold: int


class CardSwapped(Chance, frozen=True, tag="card-swapped"):
    """A Magic card went back and another came; both and the new order of the deck are secret."""

    seat: int
    given: str
    taken: str
    deck: tuple[str, ...]
    gold: int


class CardBought(Chance, frozen=True, tag="card-bought"):
    """A Magic card was bought; the card is secret, ``gold`` is what is left."""

    seat: int
    card: str
    gold: int


class UnitsMarched(Event, frozen=True, tag="units-marched"):
    """Units marched along own tiles."""

    seat: int
    source: int
    target: int
    units: tuple[int, ...]


class TurnEnded(Turning, frozen=True, tag="turn-ended"):
    """A seat's turn is over, and its units are no longer done."""

    seat: int


class RoundEnded(Turning, frozen=True, tag="round-ended"):
    """Every living seat has played."""

    round: int


# -- battle ----------------------------------------------------------------------------------------


class BattleDeclared(Chance, frozen=True, tag="battle-declared"):
    """An attack is declared: seats and tiles of attacker and defender."""

    attacker: int
    defender: int
    source: int
    target: int


class BattleWaits(Chance, frozen=True, tag="battle-waits"):
    """A battle waits for a decision of a seat."""

    step: BattleStep
    seat: int


class MagicDeclared(Chance, frozen=True, tag="magic-declared"):
    """A side said in or out; the committed card is secret until both have spoken."""

    seat: int
    joins: bool
    card: str = ""


class MagicRevealed(Chance, frozen=True, tag="magic-revealed"):
    """Committed cards are turned over: those of attacker and defender, empty where there is none.

    They are spent now.
    """

    cards: tuple[str, str]


class MagicApplied(Chance, frozen=True, tag="magic-applied"):
    """A card took effect, or was ``cancelled``, or had none.

    ``moved`` are units as they are afterwards (shifted, levied, taken back), ``removed`` enemy
    units that were removed, ``gold`` (seat, new total) of purses that changed. ``after``: it is
    an after-battle card.
    """

    seat: int
    card: str
    cancelled: bool = False
    moved: tuple[Unit, ...] = ()
    removed: tuple[int, ...] = ()
    gold: tuple[tuple[int, int], ...] = ()
    after: bool = False


class DiceRolled(Chance, frozen=True, tag="dice-rolled"):
    """All dice of both sides are thrown at once."""

    dice: tuple[Die, ...]


class DiceRerolled(Chance, frozen=True, tag="dice-rerolled"):
    """Dice of a side were thrown once more: all dice as they lie now."""

    seat: int
    dice: tuple[Die, ...]


class PairsCompared(Chance, frozen=True, tag="pairs-compared"):
    """Pairs of values (attacker, defender), high to low, with dice ignored and set aside.

    ``lost`` are the pairs lost by attacker and defender, ``losses`` their casualties to choose.
    """

    pairs: tuple[tuple[int, int], ...]
    ignored: tuple[tuple[int, ...], tuple[int, ...]]
    dropped: tuple[tuple[int, ...], tuple[int, ...]]
    lost: tuple[int, int]
    losses: tuple[int, int]


class CasualtiesChosen(Chance, frozen=True, tag="casualties-chosen"):
    """A side's casualties left the tile and wait for the end of the battle."""

    seat: int
    units: tuple[int, ...]


class AfterMagicPlayed(Chance, frozen=True, tag="after-magic-played"):
    """A side played an after-battle card, or none; it is spent now."""

    seat: int
    card: str = ""
    units: tuple[int, ...] = ()


class UnitsDied(Chance, frozen=True, tag="units-died"):
    """Removals are final: units that are dead, and Special Units that are fallen."""

    dead: tuple[int, ...]
    fallen: tuple[int, ...]


class CrownFell(Chance, frozen=True, tag="crown-fell"):
    """A Crown fell in battle; ``by`` is the victor, or NOBODY."""

    seat: int
    unit: int
    by: int


class SeatEliminated(Chance, frozen=True, tag="seat-eliminated"):
    """A seat is out: its units leave the game but for the Special Units that the victor takes.

    ``specials`` are those, in the order in which they find a place. ``resigned`` if it gave up.
    """

    seat: int
    by: int = -1
    specials: tuple[int, ...] = ()
    resigned: bool = False


class BattleJudged(Chance, frozen=True, tag="battle-judged"):
    """The outcome of a battle, and the number of units that must move in."""

    verdict: BattleVerdict
    invaders: int


class Invaded(Chance, frozen=True, tag="invaded"):
    """Units moved into the conquered tile."""

    seat: int
    source: int
    target: int
    units: tuple[int, ...]


class SpecialTransferred(Chance, frozen=True, tag="special-transferred"):
    """A Special Unit serves the victor: on the battle tile, or fallen where ``tile`` is 0."""

    seat: int
    unit: int
    tile: int


class BattleEnded(Chance, frozen=True, tag="battle-ended"):
    """A battle is over; survivors that took part are done.

    ``returned`` are units that were removed in it and stand on their tile again, as they are then:
    those of the other side if a side resigned before removals were final.
    """

    verdict: BattleVerdict
    done: tuple[int, ...]
    returned: tuple[Unit, ...] = ()


class GameEnded(Turning, frozen=True, tag="game-ended"):
    """The game is over."""

    reason: End
    winners: tuple[int, ...]


AnyEvent: TypeAlias = (
    GameSet
    | TurnOrderRolled
    | WorldBagShuffled
    | TileDrawn
    | TilePlaced
    | RealmChosen
    | MagicDeckShuffled
    | MagicDrawn
    | CastlePlaced
    | UnitsDeployed
    | GoldSet
    | EventDeckShuffled
    | TurnBegan
    | PhaseBegan
    | EventDrawn
    | EventApplied
    | EventResolved
    | IncomeReceived
    | UnitSpawned
    | UnitsMoved
    | UnitBought
    | UnitUpgraded
    | SpecialBroughtIn
    | CardSwapped
    | CardBought
    | UnitsMarched
    | TurnEnded
    | RoundEnded
    | BattleDeclared
    | BattleWaits
    | MagicDeclared
    | MagicRevealed
    | MagicApplied
    | DiceRolled
    | DiceRerolled
    | PairsCompared
    | CasualtiesChosen
    | AfterMagicPlayed
    | UnitsDied
    | CrownFell
    | SeatEliminated
    | BattleJudged
    | Invaded
    | SpecialTransferred
    | BattleEnded
    | GameEnded
)
