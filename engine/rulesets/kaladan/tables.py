"""Tables of the game, from ``data/game.toml``: units, terrains, layouts, realms and cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

from engine.core.record import Record
from engine.kit.tables import load
from engine.rulesets.kaladan.state import UNIT_KINDS, Terrain, UnitKind

PACKAGE: Final = "engine.rulesets.kaladan"

CardRole = Literal["any", "attacker", "defender"]
CardTiming = Literal["declare", "after"]
MagicOp = Literal[
    "die", "extra_die", "strip_terrain", "reroll", "drop_highest", "ties_win", "loss_cap",
    "shift", "levy", "assassinate", "negate", "steal", "gold", "gold_per_loss", "save",
]  # fmt: skip
EventOp = Literal[
    "add", "gold", "lose_gold", "upgrade", "resurrect", "retire", "draw_magic", "swap_magic",
    "nothing",
]  # fmt: skip


class Prices(Record, frozen=True):
    """Prices in gold of everything except units. See: KA-6.5."""

    special: int
    swap_card: int
    buy_card: int


class SetupNumbers(Record, frozen=True):
    """Numbers of the set-up. See: KA-5."""

    start_gold: int
    deploy_basic: int
    magic_hand: int


class TurnNumbers(Record, frozen=True):
    """Numbers of a turn. See: KA-6."""

    income_per_tile: int
    income_per_castle_extra: int
    free_spawns_per_castle: int
    battles_per_turn: int
    steps_per_unit: int
    marches_per_turn: int


class TerrainRow(Record, frozen=True):
    """A terrain: capacity, bonus dice, number of tiles in the bag. See: KA-1.2, KA-3.3."""

    id: Terrain
    capacity: int
    capacity_with_castle: int
    attack_bonus_dice: tuple[int, ...]
    defence_bonus_dice: tuple[int, ...]
    bag: int
    origin: str


class UnitRow(Record, frozen=True, rename={"kind": "class"}):
    """A type of unit: number in an army, price and dice. See: KA-2.1, KA-2.2."""

    id: UnitKind
    kind: Literal["basic", "advanced", "crown"]
    count: int
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    origin: str
    price: int = 0
    upgraded_attack: tuple[int, ...] = ()
    upgraded_defence: tuple[int, ...] = ()
    upgrade_price: int = 0
    defence_on_castle: tuple[int, ...] = ()


class LayoutRow(Record, frozen=True):
    """A layout: number of tiles, players, and rows by width and first x. See: KA-3.1, KA-3.2."""

    tiles: int
    players: tuple[int, ...]
    row_widths: tuple[int, ...]
    row_first_x: tuple[int, ...]
    origin: str


class RealmRow(Record, frozen=True):
    """A realm with its Special Unit, and the condition for better dice. See: KA-2.3."""

    id: str
    name: str
    name_origin: str
    special: str
    special_name: str
    dice: tuple[int, ...]
    bonus_dice: tuple[int, ...]
    bonus_role: Literal["attack", "defence", "both"]
    bonus_when: Literal[
        "own_tile_castle", "own_terrain_field", "own_terrain_forest", "own_terrain_mountain",
        "with_own_general_or_crown", "enemy_tile_castle",
    ]  # fmt: skip
    bonus_origin: str


class MagicCard(Record, frozen=True):
    """A Magic card with its effect and parameters. Rules: KA-10.3. See: KA-10.2."""

    id: str
    name: str
    realm: str
    timing: CardTiming
    role: CardRole
    op: MagicOp
    text: str
    origin: str
    n: int = 0
    size: int = 0
    at_most: int = 0
    max: int = 0
    unit: str = ""
    units: Literal["", "basic", "catapult", "any"] = ""
    crown: bool = False
    to: Literal["", "battle_tile", "reserve"] = ""
    where: Literal["", "own", "battle"] = ""
    needs: Literal["", "castle", "won"] = ""


class EventOption(Record, frozen=True):
    """One option of an event card. See: KA-11.1."""

    op: EventOp
    n: int = 1
    unit: str = ""
    units: Literal["", "basic", "catapult"] = ""


class EventCard(Record, frozen=True):
    """An event card. See: KA-11."""

    id: str
    name: str
    scope: Literal["self", "all"]
    options: tuple[EventOption, ...]
    text: str
    origin: str
    copies: int
    condition: str = ""


class GameTables(Record, frozen=True):
    """All tables of the game."""

    schema: int
    prices: Prices
    setup: SetupNumbers
    turn: TurnNumbers
    terrain: tuple[TerrainRow, ...]
    unit: tuple[UnitRow, ...]
    layout: tuple[LayoutRow, ...]
    realm: tuple[RealmRow, ...]
    magic: tuple[MagicCard, ...]
    event: tuple[EventCard, ...]


@cache
def tables() -> GameTables:
    """Return all tables of the game."""
    return load(PACKAGE, "game", GameTables)


@cache
def terrains() -> Mapping[str, TerrainRow]:
    """Return the terrains by id."""
    return {row.id: row for row in tables().terrain}


@cache
def unit_rows() -> Mapping[str, UnitRow]:
    """Return the types of units by id; Special Units are in ``realms`` instead."""
    return {row.id: row for row in tables().unit}


@cache
def realms() -> Mapping[str, RealmRow]:
    """Return the realms by id, in table order."""
    return {row.id: row for row in tables().realm}


@cache
def magic_cards() -> Mapping[str, MagicCard]:
    """Return the Magic cards by id."""
    return {row.id: row for row in tables().magic}


@cache
def event_cards() -> Mapping[str, EventCard]:
    """Return the event cards by id, in table order."""
    return {row.id: row for row in tables().event}


@cache
def realm_deck(realm: str) -> tuple[str, ...]:
    """Return the Magic cards of a realm, in table order. Rules: KA-10.1."""
    return tuple(card.id for card in tables().magic if card.realm == realm)


def first_seat(unit: int) -> int:
    """Return the seat whose army a unit was made for, from the unit's id."""
    return unit // 100


def unit_id(seat: int, kind: UnitKind, number: int) -> int:
    """Return a unit's id: 100 times the seat, plus 10 times the type, plus a number from 1."""
    return 100 * seat + 10 * (UNIT_KINDS.index(kind) + 1) + number
