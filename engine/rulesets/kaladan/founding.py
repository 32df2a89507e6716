"""Set up a game: turn order, world, realms, castles, first units, gold. See: KA-5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import assert_never

from engine.core.dice import Dice, shuffle
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import (
    Decision,
    is_edge,
    living,
    neighbours,
    owned,
    reserve_basic,
    tile_name,
    tile_names,
    tile_number,
    turn_order,
)
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import (
    BASIC,
    NOBODY,
    UNIT_KINDS,
    BasicKind,
    Phase,
    State,
    StateOrView,
    Terrain,
    Unit,
    View,
)
from engine.rulesets.kaladan.tables import (
    event_cards,
    realm_deck,
    realms,
    tables,
    terrains,
    unit_id,
    unit_rows,
)

_ORDER_DIE = 10
"""Number of sides of the die for the turn order. See: KA-5.1."""


# -- steps without a choice ------------------------------------------------------------------------


def go_on(decision: Decision) -> None:
    """Continue the set-up until a seat has to choose, or round 1 begins. Rules: KA-5."""
    while len(living(decision.state)) > 1 and (waits := _next(decision.state)) is not None:
        phase, seat = waits
        if (decision.state.phase, decision.state.active) != waits:
            decision.emit(ev.PhaseBegan(phase, seat))
        if not _carried_out(decision, phase, seat):
            return
    if len(living(decision.state)) > 1:
        _begin_round_one(decision)


def _next(state: State) -> tuple[Phase, int] | None:
    """Return the current step of the set-up and its seat; None when the set-up is done."""
    order = turn_order(state, state.first)
    if any(not tile.terrain for tile in state.tiles.values()):
        return "world", _builder(state)
    for seat in order:
        if not state.players[seat].realm:
            return "realms", seat
    built = {tile.castle for tile in state.tiles.values()}
    for seat in reversed(order):
        if seat not in built:
            return "castles", seat
    for seat in order:
        if not any(unit.place == "board" for unit in owned(state, seat)):
            return "deployment", seat
    return None


def _builder(state: State) -> int:
    """Return the seat that draws or places a tile now: each seat in turn. See: KA-5.2."""
    placed = any(tile.terrain for tile in state.tiles.values())
    if state.drawn or not placed:
        return turn_order(state, state.active)[0]
    return turn_order(state, state.active + 1)[0]


def _carried_out(decision: Decision, phase: Phase, seat: int) -> bool:
    """Do what needs no choice of the seat; return False if it has to choose."""
    state = decision.state
    match phase:
        case "world":
            return _build_world(decision, seat)
        case "realms":
            left = free_realms(state)
            if len(left) == 1:
                take_realm(decision, seat, left[0])
        case "castles":
            places = castle_places(state)
            if len(places) == 1:
                decision.emit(ev.CastlePlaced(seat, places[0]))
        case _:
            return False
    return decision.state is not state


def _build_world(decision: Decision, seat: int) -> bool:
    """Shuffle the bag; deal or draw a tile; return False if a seat must place it.

    Rules: KA-5.2, KA-3.3.
    """
    state = decision.state
    if not state.bag and not state.drawn:
        every = [row.id for row in terrains().values() for _ in range(row.bag)]
        decision.emit(ev.WorldBagShuffled(shuffle(decision.dice, every)))
        return True
    empty = [tile.id for tile in state.tiles.values() if not tile.terrain]
    if state.options.world_building == "dealt":
        decision.emit(ev.TilePlaced(empty[0], _terrain(state.bag[0]), NOBODY, dealt=True))
        return True
    if not state.drawn:
        decision.emit(ev.TileDrawn(seat, _terrain(state.bag[0])))
    terrain = decision.state.drawn
    if len(empty) == 1 and terrain:
        decision.emit(ev.TilePlaced(empty[0], terrain, seat))
        return True
    return False


def _terrain(card: str) -> Terrain:
    return terrains()[card].id


def _begin_round_one(decision: Decision) -> None:
    """Give the first gold, shuffle the event deck, and begin round 1. Rules: KA-5.6, KA-5.7."""
    state = decision.state
    for place, seat in enumerate(turn_order(state, state.first)):
        decision.emit(ev.GoldSet(seat, state.options.start_gold + place))
    if state.options.events == "on":
        cards = [row.id for row in event_cards().values() for _ in range(row.copies)]
        decision.emit(ev.EventDeckShuffled(shuffle(decision.dice, cards)))
    first = turn_order(state, state.first)[0]
    decision.emit(ev.TurnBegan(first, 1))
    decision.emit(ev.PhaseBegan("event", first))


def roll_for_turn_order(dice: Dice, seats: int) -> ev.TurnOrderRolled:
    """Roll for the First Player: the highest value wins, tied leaders roll again. Rules: KA-5.1."""
    rolls: list[tuple[tuple[int, int], ...]] = []
    rolling: Sequence[int] = range(seats)
    while len(rolling) > 1:
        thrown = tuple((seat, dice.roll(_ORDER_DIE)) for seat in rolling)
        rolls.append(thrown)
        highest = max(value for _, value in thrown)
        rolling = [seat for seat, value in thrown if value == highest]
    return ev.TurnOrderRolled(tuple(rolls), rolling[0])


# -- choices ---------------------------------------------------------------------------------------


def tile_places(seen: StateOrView) -> list[int]:
    """Return the positions for the drawn tile: beside placed ones, or all. Rules: KA-5.2."""
    empty = [tile.id for tile in seen.tiles.values() if not tile.terrain]
    beside = [
        tile
        for tile in empty
        if any(seen.tiles[other].terrain for other in neighbours(seen.layout, tile))
    ]
    return beside or empty


def free_realms(seen: StateOrView) -> list[str]:
    """Return the realms still free, in table order. See: KA-5.3."""
    taken = {player.realm for player in seen.players.values()}
    return [realm for realm in realms() if realm not in taken]


def castle_places(seen: StateOrView) -> list[int]:
    """Return the tiles for the next Castle that leave room for all later ones. Rules: KA-5.4."""
    built = frozenset(tile.id for tile in seen.tiles.values() if tile.castle != NOBODY)
    owners = {tile.castle for tile in seen.tiles.values()}
    later = sum(seat not in owners for seat in living(seen)) - 1
    return [
        tile
        for tile in _open_edges(seen.layout, built)
        if _completes(seen.layout, built | {tile}, later)
    ]


def _open_edges(layout: int, built: frozenset[int]) -> list[int]:
    """Return the edge tiles that neither have a Castle nor touch one."""
    return [
        tile
        for tile in range(1, layout + 1)
        if is_edge(layout, tile)
        and tile not in built
        and not built.intersection(neighbours(layout, tile))
    ]


@cache
def _completes(layout: int, built: frozenset[int], more: int) -> bool:
    """Return whether ``more`` further Castles can be placed."""
    return more <= 0 or any(
        _completes(layout, built | {tile}, more - 1) for tile in _open_edges(layout, built)
    )


def most_castles(layout: int) -> int:
    """Return the maximum number of Castles in a layout. See: KA-5.4."""
    return max(count for count in range(layout) if _completes(layout, frozenset(), count))


def army(seat: int) -> tuple[Unit, ...]:
    """Return the units of a seat's army, all in its reserve. Rules: KA-2.1. See: KA-5.3."""
    counts = {row.id: row.count for row in unit_rows().values()} | {"special": 1}
    return tuple(
        Unit(unit_id(seat, kind, number), seat, kind)
        for kind in UNIT_KINDS
        for number in range(1, counts[kind] + 1)
    )


def founding_offers(view: View) -> Iterator[do.AnyCommand]:
    """Yield every choice of the seat that must choose in the set-up. See: KA-5."""
    names = tile_names(view.layout)
    match view.phase:
        case "world":
            yield from (do.PlaceTile(names[tile - 1]) for tile in tile_places(view))
        case "realms":
            yield from (do.ChooseRealm(realm) for realm in free_realms(view))
        case "castles":
            yield from (do.PlaceCastle(names[tile - 1]) for tile in castle_places(view))
        case "deployment":
            count = tables().setup.deploy_basic
            yield from (do.Deploy(kinds) for kinds in combinations_with_replacement(BASIC, count))
        case _:
            return


# -- commands --------------------------------------------------------------------------------------


def found(
    decision: Decision,
    seat: int,
    command: do.PlaceTile | do.ChooseRealm | do.PlaceCastle | do.Deploy,
) -> None:
    """Execute a command of the set-up. See: KA-5.

    Raises:
        Refused: it is another step of the set-up, or the choice is not allowed.
    """
    match command:
        case do.PlaceTile():
            _check_phase(decision.state, "world", "No terrain waits to be placed.")
            _place_tile(decision, seat, command.tile)
        case do.ChooseRealm():
            _check_phase(decision.state, "realms", "Realms are not being chosen now.")
            _choose_realm(decision, seat, command.realm)
        case do.PlaceCastle():
            _check_phase(decision.state, "castles", "Castles are not being placed now.")
            _place_castle(decision, seat, command.tile)
        case do.Deploy():
            _check_phase(decision.state, "deployment", "First units are not being placed now.")
            _deploy(decision, seat, command.units)
        case _:
            assert_never(command)


def _check_phase(state: State, phase: Phase, text: str) -> None:
    if state.phase != phase:
        raise Refused(Refusal.WRONG_PHASE, text, "KA-5")


def _place_tile(decision: Decision, seat: int, name: str) -> None:
    state = decision.state
    tile = tile_number(state.layout, name)
    if state.tiles[tile].terrain:
        raise Refused(Refusal.TILE_TAKEN, f"{name.upper()} has its terrain already.", "KA-5.2")
    if tile not in tile_places(state) or not state.drawn:
        text = f"{name.upper()} touches no placed tile; terrain must touch another."
        raise Refused(Refusal.BAD_PLACE, text, "KA-5.2")
    decision.emit(ev.TilePlaced(tile, state.drawn, seat))


def _choose_realm(decision: Decision, seat: int, realm: str) -> None:
    if realm not in realms():
        text = f"There is no realm {realm[:20]!r}; they are {', '.join(realms())}."
        raise Refused(Refusal.NO_REALM, text, "KA-5.3")
    if realm not in free_realms(decision.state):
        text = f"{realms()[realm].name} has been taken by another player."
        raise Refused(Refusal.NO_REALM, text, "KA-5.3")
    take_realm(decision, seat, realm)


def take_realm(decision: Decision, seat: int, realm: str) -> None:
    """Take a realm with its army, shuffle its Magic deck, draw the first card. Rules: KA-5.3."""
    decision.emit(ev.RealmChosen(seat, realm, army(seat)))
    if decision.state.options.magic == "off":
        return
    deck = shuffle(decision.dice, realm_deck(realm))
    decision.emit(ev.MagicDeckShuffled(seat, deck))
    for card in deck[: tables().setup.magic_hand]:
        decision.emit(ev.MagicDrawn(seat, card))


def _place_castle(decision: Decision, seat: int, name: str) -> None:
    state = decision.state
    tile = tile_number(state.layout, name)
    if not is_edge(state.layout, tile):
        text = f"{name.upper()} is not at the edge of the world."
        raise Refused(Refusal.BAD_PLACE, text, "KA-5.4")
    if tile not in castle_places(state):
        fit = ", ".join(tile_name(state.layout, other) for other in castle_places(state))
        text = f"Castles must not touch, and leave room for the others: {fit}."
        raise Refused(Refusal.BAD_PLACE, text, "KA-5.4")
    decision.emit(ev.CastlePlaced(seat, tile))


def _deploy(decision: Decision, seat: int, kinds: Sequence[BasicKind]) -> None:
    """Put the Crown and the chosen Basic units on the castle tile. Rules: KA-5.5."""
    state, wanted = decision.state, tables().setup.deploy_basic
    if len(kinds) != wanted:
        text = f"Name {wanted} Basic units, not {len(kinds)}."
        raise Refused(Refusal.BAD_COUNT, text, "KA-5.5")
    chosen = [unit_id(seat, "crown", 1)]
    for kind in BASIC:
        first = reserve_basic(state, seat, kind).id
        chosen += range(first, first + list(kinds).count(kind))
    castle = next(tile.id for tile in state.tiles.values() if tile.castle == seat)
    decision.emit(ev.UnitsDeployed(seat, castle, tuple(sorted(chosen))))
