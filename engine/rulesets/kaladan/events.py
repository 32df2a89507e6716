"""Events: facts with their results. Stars in the rule book mark redacted fields. Rules: KA-14."""

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
    """Base of events that reveal chance, or anything else that cannot be unlearnt."""

    irreversible: ClassVar[bool] = True


class Turning(Chance, frozen=True):
    """Base of events that end a phase, a turn or the game."""

    ends_phase: ClassVar[bool] = True


# -- set-up ----------------------------------------------------------------------------------------


class GameSet(Chance, frozen=True, tag="game-set"):
    """Start of a game: its scenario, options and layout, and all that the scenario fixes."""

    scenario: War
    options: Options
    layout: int
    tiles: tuple[Tile, ...]
    players: tuple[Player, ...]
    units: tuple[Unit, ...]


class TurnOrderRolled(Chance, frozen=True, tag="turn-order-rolled"):
    """Rolls of a d10 for the first turn: (seat, value) by round, and the First Player."""

    rolls: tuple[tuple[tuple[int, int], ...], ...]
    first: int


class WorldBagShuffled(Chance, frozen=True, tag="world-bag-shuffled"):
    """Shuffled terrain bag, from the top; secret."""

    bag: tuple[str, ...]


class TileDrawn(Chance, frozen=True, tag="tile-drawn"):
    """Draw of a terrain tile, which the seat must place now."""

    seat: int
    terrain: Terrain


class TilePlaced(Chance, frozen=True, tag="tile-placed"):
    """Placement of a terrain tile; ``dealt`` if it came straight from the bag."""

    tile: int
    terrain: Terrain
    seat: int
    dealt: bool = False


class RealmChosen(Chance, frozen=True, tag="realm-chosen"):
    """Choice of a realm; ``units`` is the army that is now in the seat's reserve."""

    seat: int
    realm: str
    units: tuple[Unit, ...]


class MagicDeckShuffled(Chance, frozen=True, tag="magic-deck-shuffled"):
    """Shuffled Magic deck of a realm, from the top; secret."""

    seat: int
    deck: tuple[str, ...]


class MagicDrawn(Chance, frozen=True, tag="magic-drawn"):
    """Draw of the top card of a seat's Magic deck; the card is secret."""

    seat: int
    card: str


class CastlePlaced(Chance, frozen=True, tag="castle-placed"):
    """Placement of a seat's Castle on a tile."""

    seat: int
    tile: int


class UnitsDeployed(Chance, frozen=True, tag="units-deployed"):
    """Placement of a seat's first units on its castle tile."""

    seat: int
    tile: int
    units: tuple[int, ...]


class GoldSet(Chance, frozen=True, tag="gold-set"):
    """First gold of a seat."""

    seat: int
    gold: int


class EventDeckShuffled(Chance, frozen=True, tag="event-deck-shuffled"):
    """Shuffled event deck of all cards or of the discard pile, from the top; secret."""

    deck: tuple[str, ...]


# -- turn ------------------------------------------------------------------------------------------


class TurnBegan(Chance, frozen=True, tag="turn-began"):
    """Start of a seat's turn: all its units can act, and no battle has been fought."""

    seat: int
    round: int


class PhaseBegan(Turning, frozen=True, tag="phase-began"):
    """Start of a phase of the set-up or of a turn; ``seat`` acts in it."""

    phase: Phase
    seat: int


class EventDrawn(Chance, frozen=True, tag="event-drawn"):
    """Draw of the top event card; ``asked`` are the seats that must choose, in order."""

    card: str
    asked: tuple[int, ...]


class EventApplied(Chance, frozen=True, tag="event-applied"):
    """Application of the event card to a seat.

    ``unit`` is its new state, or None; ``gold`` is the seat's new total. ``asked`` if the seat had
    been asked and has answered now. Other events report cards that were drawn or swapped.
    """

    seat: int
    card: str
    option: str
    gold: int
    unit: Unit | None = None
    asked: bool = False


class EventResolved(Chance, frozen=True, tag="event-resolved"):
    """Discard of the event card."""

    card: str


class IncomeReceived(Chance, frozen=True, tag="income-received"):
    """Income of a seat; ``gold`` is its new total."""

    seat: int
    tiles: int
    castles: int
    gold: int


class UnitSpawned(Event, frozen=True, tag="unit-spawned"):
    """Free spawn of a Basic unit on a castle tile."""

    seat: int
    unit: int
    tile: int


class UnitsMoved(Event, frozen=True, tag="units-moved"):
    """Move of units to an adjacent tile; they are done now."""

    seat: int
    source: int
    target: int
    units: tuple[int, ...]


class UnitBought(Event, frozen=True, tag="unit-bought"):
    """Purchase of a unit from the reserve; ``gold`` is the amount left."""

    seat: int
    unit: int
    tile: int
    gold: int


class UnitUpgraded(Event, frozen=True, tag="unit-upgraded"):
    """Upgrade of a unit; ``gold`` is the amount left."""

    seat: int
    unit: int
    gold: int


class SpecialBroughtIn(Event, frozen=True, tag="special-brought-in"):
    """Purchase of a Special Unit; ``gold`` is the amount left."""

    seat: int
    unit: int
    tile: int
    gold: int


class CardSwapped(Chance, frozen=True, tag="card-swapped"):
    """Swap of a Magic card; both cards and the new order of the deck are secret."""

    seat: int
    given: str
    taken: str
    deck: tuple[str, ...]
    gold: int


class CardBought(Chance, frozen=True, tag="card-bought"):
    """Purchase of a Magic card; the card is secret, ``gold`` is the amount left."""

    seat: int
    card: str
    gold: int


class UnitsMarched(Event, frozen=True, tag="units-marched"):
    """March of units along tiles of their seat."""

    seat: int
    source: int
    target: int
    units: tuple[int, ...]


class TurnEnded(Turning, frozen=True, tag="turn-ended"):
    """End of a seat's turn; its units are no longer done."""

    seat: int


class RoundEnded(Turning, frozen=True, tag="round-ended"):
    """End of a round, after every living seat has played."""

    round: int


# -- battle ----------------------------------------------------------------------------------------


class BattleDeclared(Chance, frozen=True, tag="battle-declared"):
    """Declaration of an attack: seats and tiles of attacker and defender."""

    attacker: int
    defender: int
    source: int
    target: int


class BattleWaits(Chance, frozen=True, tag="battle-waits"):
    """Pause of a battle until a seat decides."""

    step: BattleStep
    seat: int


class MagicDeclared(Chance, frozen=True, tag="magic-declared"):
    """Answer of a side about Magic; its card is secret until both have answered."""

    seat: int
    joins: bool
    card: str = ""


class MagicRevealed(Chance, frozen=True, tag="magic-revealed"):
    """Reveal of the committed cards of attacker and defender, empty for none; they are spent."""

    cards: tuple[str, str]


class MagicApplied(Chance, frozen=True, tag="magic-applied"):
    """Effect of a card; it may have been ``cancelled``, or have none.

    ``moved`` are units in their new states (shifted, levied, taken back), ``removed`` are enemy
    units that were removed, and ``gold`` are changed treasuries as (seat, new total). ``after``
    marks an after-battle card.
    """

    seat: int
    card: str
    cancelled: bool = False
    moved: tuple[Unit, ...] = ()
    removed: tuple[int, ...] = ()
    gold: tuple[tuple[int, int], ...] = ()
    after: bool = False


class DiceRolled(Chance, frozen=True, tag="dice-rolled"):
    """Roll of all dice of both sides at once."""

    dice: tuple[Die, ...]


class DiceRerolled(Chance, frozen=True, tag="dice-rerolled"):
    """Reroll of dice of a side; ``dice`` are all dice as they lie now."""

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
    """Choice of a side's casualties; they left the tile and wait for the end of the battle."""

    seat: int
    units: tuple[int, ...]


class AfterMagicPlayed(Chance, frozen=True, tag="after-magic-played"):
    """Play of an after-battle card, which is spent now, or of none."""

    seat: int
    card: str = ""
    units: tuple[int, ...] = ()


class UnitsDied(Chance, frozen=True, tag="units-died"):
    """Final removals: units now dead, and Special Units now fallen."""

    dead: tuple[int, ...]
    fallen: tuple[int, ...]


class CrownFell(Chance, frozen=True, tag="crown-fell"):
    """Fall of a Crown in battle; ``by`` is the victor, or NOBODY."""

    seat: int
    unit: int
    by: int


class SeatEliminated(Chance, frozen=True, tag="seat-eliminated"):
    """Elimination of a seat: its units leave the game, except the Special Units for the victor.

    ``specials`` are those, in the order in which they get a place. ``resigned`` if the seat gave
    up.
    """

    seat: int
    by: int = -1
    specials: tuple[int, ...] = ()
    resigned: bool = False


class BattleJudged(Chance, frozen=True, tag="battle-judged"):
    """Outcome of a battle, and the number of units that must move in."""

    verdict: BattleVerdict
    invaders: int


class Invaded(Chance, frozen=True, tag="invaded"):
    """Move of units into the conquered tile."""

    seat: int
    source: int
    target: int
    units: tuple[int, ...]


class SpecialTransferred(Chance, frozen=True, tag="special-transferred"):
    """Transfer of a Special Unit to the victor, onto ``tile``, or fallen if that is 0."""

    seat: int
    unit: int
    tile: int


class BattleEnded(Chance, frozen=True, tag="battle-ended"):
    """End of a battle; survivors that took part are done.

    ``returned`` are removed units that are on their tile again, in their new state: those of the
    other side if a side resigned before removals were final.
    """

    verdict: BattleVerdict
    done: tuple[int, ...]
    returned: tuple[Unit, ...] = ()


class GameEnded(Turning, frozen=True, tag="game-ended"):
    """End of the game."""

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
