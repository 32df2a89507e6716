"""The Event Phase: draw a card, and give each affected seat its part. See: KA-6.1, KA-11."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from engine.core.dice import shuffle
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.board import (
    Decision,
    check_room,
    controlled,
    controller,
    has_castle,
    in_reserve,
    is_basic,
    on_board,
    owned,
    room,
    tile_name,
    tile_names,
    tile_number,
    turn_order,
)
from engine.rulesets.kaladan.purchases import (
    check_swap,
    check_upgradable,
    may_swap,
    swap,
    upgradable,
)
from engine.rulesets.kaladan.refusal import Refusal
from engine.rulesets.kaladan.state import NOWHERE, State, StateOrView, Unit
from engine.rulesets.kaladan.tables import EventCard, EventOption, event_cards

NOTHING = EventOption("nothing")

# -- drawing ---------------------------------------------------------------------------------------


def draw(decision: Decision) -> bool:
    """Draw the top event card; return False if events are off or no card is left.

    Refill an empty deck from the discard pile first. Seats with a choice are asked, the active one
    first, then in turn order; parts without a choice are applied at once. The parts of two seats
    never affect each other, so this order makes no difference. Rules: KA-6.1. See: KA-11, KA-11.1.
    """
    if decision.state.options.events == "off":
        return False
    if not decision.state.event_deck and decision.state.event_discard:
        again = shuffle(decision.dice, decision.state.event_discard)
        decision.emit(ev.EventDeckShuffled(again))
    state = decision.state
    if not state.event_deck:
        return False
    card = event_cards()[state.event_deck[0]]
    found = {seat: distinct(state, seat, card) for seat in touched(state, card)}
    asked = tuple(seat for seat, parts in found.items() if len(parts) > 1)
    decision.emit(ev.EventDrawn(card.id, asked))
    for seat, parts in found.items():
        if seat not in asked:
            _take(decision, seat, card, parts[0], asked=False)
    return True


def touched(seen: StateOrView, card: EventCard) -> tuple[int, ...]:
    """Return the seats that a card affects: the active one, then in turn order. Rules: KA-11."""
    seats = turn_order(seen, seen.active) if card.scope == "all" else (seen.active,)
    return tuple(seat for seat in seats if meets(seen, seat, card.condition))


def meets(seen: StateOrView, seat: int, condition: str) -> bool:
    """Return whether a seat meets the condition of a card. Rules: KA-11.1.

    Raises:
        ValueError: no card has this condition.
    """
    units = on_board(seen, seat)
    match condition.split():
        case []:
            met = True
        case ["has", "catapult" | "general" as kind]:
            met = any(unit.kind == kind for unit in units)
        case ["has", "dead", "basic" | "catapult" as kind]:
            met = bool(dead(seen, seat, kind))
        case ["controls", "field" | "forest" | "mountain" as terrain]:
            met = any(seen.tiles[tile].terrain == terrain for tile in controlled(seen, seat))
        case ["crown", "on", "castle"]:
            met = any(unit.kind == "crown" and has_castle(seen, unit.tile) for unit in units)
        case ["units", ">=", number]:
            met = len(units) >= int(number)
        case ["deck", "not", "empty"]:
            met = bool(seen.players[seat].deck)
        case _:
            raise ValueError(f"no event card has the condition {condition!r}")
    return met


# -- choices ---------------------------------------------------------------------------------------


def distinct(seen: StateOrView, seat: int, card: EventCard) -> tuple[do.AnswerEvent, ...]:
    """Return a seat's possible answers to a card, one for units that are alike.

    Leave out options that the seat cannot carry out; if none is left, the answer is ``nothing``.
    See: KA-11.1.
    """
    found = tuple(answer for option in card.options for answer in _answers(seen, seat, option))
    return found or (do.AnswerEvent(NOTHING.op),)


def _answers(seen: StateOrView, seat: int, option: EventOption) -> Iterator[do.AnswerEvent]:
    """Yield the answers by which a seat can take an option. See: KA-11.1."""
    op, names = option.op, tile_names(seen.layout)
    match op:
        case "add" | "resurrect":
            tiles = open_tiles(seen, seat)
            for unit in _candidates(seen, seat, option):
                yield from (do.AnswerEvent(op, names[tile - 1], unit) for tile in tiles)
        case "upgrade" | "retire":
            for unit in _candidates(seen, seat, option):
                yield do.AnswerEvent(op, unit=unit)
        case "swap_magic":
            cards = seen.players[seat].hand if may_swap(seen, seat) else ()
            yield from (do.AnswerEvent(op, card=card) for card in cards)
        case "draw_magic":
            yield from (do.AnswerEvent(op) for _ in seen.players[seat].deck[:1])
        case "gold" | "lose_gold" | "nothing":
            yield do.AnswerEvent(op)
        case _:
            assert_never(op)


def _candidates(seen: StateOrView, seat: int, option: EventOption) -> tuple[int, ...]:
    """Return the ids of units that an option can take, one of those that are alike.

    0 means the unit that is added; the card names its type. See: KA-11.1.
    """
    match option.op:
        case "add":
            return (0,) if in_reserve(seen, seat, option.unit) is not None else ()
        case "upgrade":
            found = upgradable(seen, seat)
        case "retire":
            found = retirable(seen, seat, option.units)
        case _:
            found = dead(seen, seat, option.units)
    return tuple(unit.id for unit in _unlike(found))


def open_tiles(seen: StateOrView, seat: int) -> tuple[int, ...]:
    """Return a seat's tiles with room. See: KA-11.1."""
    return tuple(tile for tile in controlled(seen, seat) if room(seen, tile) > 0)


def dead(seen: StateOrView, seat: int, units: str) -> tuple[Unit, ...]:
    """Return a seat's dead units of the type ``units``; ``basic`` is every Basic type.

    See: KA-11.1.
    """
    return tuple(u for u in owned(seen, seat) if u.place == "dead" and _is_of(u, units))


def retirable(seen: StateOrView, seat: int, units: str) -> tuple[Unit, ...]:
    """Return a seat's units on the board of the type ``units``, as in ``dead``. See: KA-11.1."""
    return tuple(unit for unit in on_board(seen, seat) if _is_of(unit, units))


def _is_of(unit: Unit, units: str) -> bool:
    return is_basic(unit) if units == "basic" else unit.kind == units


def _unlike(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Return the first of units that are alike: same type, upgrade and tile."""
    first: dict[tuple[str, bool, int], Unit] = {}
    for unit in units:
        upgraded = unit.upgraded and unit.place == "board"
        first.setdefault((unit.kind, upgraded, unit.tile), unit)
    return tuple(first.values())


def event_offers(seen: StateOrView, seat: int) -> tuple[do.AnswerEvent, ...]:
    """Return the answers to the open card if ``seat`` is asked now, else (). See: KA-11.1."""
    if seen.event is None or seen.event.asked[:1] != (seat,):
        return ()
    return distinct(seen, seat, event_cards()[seen.event.card])


# -- answers ---------------------------------------------------------------------------------------


def answer(decision: Decision, seat: int, command: do.AnswerEvent) -> None:
    """Choose an option of the event card.

    Fields that the option does not need are ignored. Rules: KA-11.1.

    Raises:
        Refused: no card is being resolved, it has no such option, the seat cannot carry it out, or
            its tile, unit or Magic card does not fit.
    """
    state = decision.state
    if state.event is None or state.battle is not None:
        raise Refused(Refusal.WRONG_PHASE, "No event waits for your answer.", "KA-6.1")
    card = event_cards()[state.event.card]
    option = next((one for one in card.options if one.op == command.option), None)
    if option is None:
        known = ", ".join(one.op for one in card.options)
        text = f"{card.name} leaves you the choice of {known}."
        raise Refused(Refusal.BAD_OPTION, text, "KA-11.1")
    if not any(_answers(state, seat, option)):
        text = f"You cannot take that part of {card.name} now."
        raise Refused(Refusal.BAD_OPTION, text, "KA-11.1")
    _check(state, seat, option, command)
    _take(decision, seat, card, command, asked=True)


def _check(state: State, seat: int, option: EventOption, command: do.AnswerEvent) -> None:
    """Check the tile, unit or Magic card of an answer."""
    if option.op in ("add", "resurrect"):
        tile = tile_number(state.layout, command.tile)
        if controller(state, tile) != seat:
            text = f"{tile_name(state.layout, tile)} is not yours."
            raise Refused(Refusal.NOT_OWN, text, "KA-11.1")
        check_room(state, tile, 1)
    if option.op == "upgrade":
        check_upgradable(state, seat, command.unit)
    if option.op == "resurrect" and command.unit not in _ids(dead(state, seat, option.units)):
        text = "Name a dead unit of yours that the card can bring back."
        raise Refused(Refusal.NO_UNIT, text, "KA-11.1")
    if option.op == "retire" and command.unit not in _ids(retirable(state, seat, option.units)):
        text = "Name a unit of yours on the board that the card can send home."
        raise Refused(Refusal.NO_UNIT, text, "KA-11.1")
    if option.op == "swap_magic":
        check_swap(state, seat, command.card)


def _ids(units: tuple[Unit, ...]) -> set[int]:
    return {unit.id for unit in units}


def _take(
    decision: Decision, seat: int, card: EventCard, command: do.AnswerEvent, *, asked: bool
) -> None:
    """Apply a seat's part of a card; ``asked`` if the seat had a choice. Rules: KA-11.1."""
    state = decision.state
    option = next((one for one in card.options if one.op == command.option), NOTHING)
    gold = state.players[seat].gold
    match option.op:
        case "gold":
            gold += option.n
        case "lose_gold":
            gold = max(0, gold - option.n)
        case "draw_magic":
            for top in state.players[seat].deck[: option.n]:
                decision.emit(ev.MagicDrawn(seat, top))
        case "swap_magic":
            swap(decision, seat, command.card, gold)
        case _:
            pass
    unit = _changed(state, seat, option, command)
    decision.emit(ev.EventApplied(seat, card.id, option.op, gold, unit, asked))


def _changed(state: State, seat: int, option: EventOption, command: do.AnswerEvent) -> Unit | None:
    """Return the unit of an answer in its new state, or None. See: KA-2.2, KA-11.1."""
    match option.op:
        case "add":
            fresh = in_reserve(state, seat, option.unit)
            assert fresh is not None  # noqa: S101 - the option was possible
            tile = tile_number(state.layout, command.tile)
            return replace(fresh, place="board", tile=tile)
        case "upgrade":
            return replace(state.units[command.unit], upgraded=True)
        case "resurrect":
            tile = tile_number(state.layout, command.tile)
            risen = state.units[command.unit]
            return replace(risen, place="board", tile=tile, upgraded=False, done=False)
        case "retire":
            gone = state.units[command.unit]
            return replace(gone, place="reserve", tile=NOWHERE, upgraded=False, done=False)
        case _:
            return None
