"""Lists of orders: forecasting a draft, writing, sealing, conceding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from engine.core import notation
from engine.core.decision import BaseDecision
from engine.core.dice import Scripted
from engine.core.ids import HOUSE, Seat
from engine.core.record import Record, replace
from engine.core.refused import Refused
from engine.kit.identity_cache import identity_cache
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.commands import AnyOrder, read_order
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.movement import bind
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.referee import carry_out
from engine.rulesets.gd6.refusal import Refusal
from engine.rulesets.gd6.state import State, StateOrView, View
from engine.rulesets.gd6.territories import Decision
from engine.rulesets.gd6.turns import MOVEMENT, StageName, close, due, go_on, readable
from engine.rulesets.gd6.view import imagine, view

# -- projection ------------------------------------------------------------------------------------

WHOLE: Final = -1
"""Value of ``Judged.kept`` for a move with all its units, and for other orders."""


class Judged(Record, frozen=True):
    """Verdict on a line: codes, text and rule of a refusal, or the number of units it gets."""

    codes: tuple[str, ...] = ()
    text: str = ""
    rule: str = ""
    kept: int = WHOLE


class Projection(Record, frozen=True):
    """Forecast of a list on the view of its seat, with all other seats idle. See: GD-CHECK-1.

    ``before`` holds the position before each stage, ``after`` the position once moves are bound.
    """

    judged: tuple[Judged, ...]
    before: Mapping[StageName, State]
    after: State

    @property
    def refused(self) -> tuple[int, ...]:
        """Positions of refused lines."""
        return tuple(place for place, line in enumerate(self.judged) if line.codes)


@identity_cache
def project(seen: View) -> Projection:
    """Return the forecast of the viewer's list: a verdict on each line, and positions.

    Rules: GD-CHECK-1.
    """
    seat = seen.viewer
    decision: Decision = BaseDecision(imagine(seen), evolve, Scripted())
    before: dict[StageName, State] = {}
    lists = readable(decision, [seat])
    for stage in due(seen.phase):
        before[stage.name] = decision.state
        (bind if stage is MOVEMENT else stage.run)(decision, lists)
        carry_out(decision, stage.name)
    judged = [Judged()] * len(seen.players[seat].orders)
    for event in decision.events:
        match event:
            case ev.OrderRefused():
                judged[event.place] = Judged(event.codes, event.text, event.rule)
            case ev.OrderReduced():
                judged[event.place] = Judged(kept=event.kept)
            case _:
                pass
    return Projection(tuple(judged), before, decision.state)


def with_list(seen: View, orders: tuple[AnyOrder, ...]) -> View:
    """Return the view with the viewer's list replaced."""
    player = replace(seen.players[seen.viewer], orders=orders)
    return replace(seen, players=seen.players.put(player))


def refusal(seen: View, place: int, projection: Projection) -> Refused:
    """Return the exception for the refused line at ``place``. See: GD-REFUSE-2."""
    judged, order = projection.judged[place], seen.players[seen.viewer].orders[place]
    text = f"Line {place + 1}, {notation.write(order)}: {judged.text}"
    return Refused(Refusal(judged.codes[0]), text, judged.rule)


# -- commands --------------------------------------------------------------------------------------


def may_write(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat's list is open. See: GD-LIST-3, GD-LIST-4, GD-HQ-5."""
    player = seen.players[seat]
    return not player.sealed and not player.conceding and not seen.reason


def may_unseal(seen: StateOrView, seat: int) -> bool:
    """Return whether a seat can unseal its list. Rules: GD-LIST-4. See: GD-HQ-5."""
    player = seen.players[seat]
    fixed = bool(seen.failed_rounds) and seat not in seen.choosing
    return player.sealed and not player.conceding and not fixed and not seen.reason


def check_open(seen: StateOrView, seat: int) -> None:
    """Raise ``Refused`` if a list is sealed. Rules: GD-LIST-4."""
    if not may_write(seen, seat):
        raise Refused(Refusal.LIST_SEALED, "Your list is sealed.", "GD-LIST-4")


def add(decision: Decision, seat: int, order: AnyOrder) -> None:
    """Add a line to the end of a list. Rules: GD-LIST-1. See: GD-CHECK-1.

    Raises:
        Refused: the list is sealed or full, or the order would be refused.
    """
    check_open(decision.state, seat)
    orders = (*decision.state.players[seat].orders, order)
    _check_length(len(orders))
    _check_line(decision, seat, orders, len(orders) - 1)
    decision.emit(ev.OrderAdded(seat, order))


def _check_length(count: int) -> None:
    most = numbers().longest_list.value
    if count > most:
        text = f"A list has at most {most} lines."
        raise Refused(Refusal.LIST_TOO_LONG, text, "GD-LIST-1")


def _check_line(decision: Decision, seat: int, orders: tuple[AnyOrder, ...], place: int) -> None:
    seen = with_list(view(decision.state, seat), orders)
    projection = project(seen)
    if projection.judged[place].codes:
        raise refusal(seen, place, projection)


def _line(decision: Decision, seat: int, place: int) -> AnyOrder:
    orders = decision.state.players[seat].orders
    if not 0 <= place < len(orders):
        text = f"There is no line {place} in your list; lines are counted from 0."
        raise Refused(Refusal.NO_SUCH_LINE, text, "GD-LIST-1")
    return orders[place]


def drop(decision: Decision, seat: int, command: do.DropOrders) -> None:
    """Remove lines from a list. Rules: GD-LIST-1.

    Raises:
        Refused: the list is sealed, or the command names no line, a missing one, or one twice.
    """
    check_open(decision.state, seat)
    for place in command.places:
        _line(decision, seat, place)
    gone = set(command.places)
    if not gone or len(gone) != len(command.places):
        text = "Name lines of your list, each once."
        raise Refused(Refusal.NO_SUCH_LINE, text, "GD-LIST-1")
    orders = enumerate(decision.state.players[seat].orders)
    left = tuple(order for place, order in orders if place not in gone)
    decision.emit(ev.ListWritten(seat, left))


def shift(decision: Decision, seat: int, command: do.ShiftOrder) -> None:
    """Move a line to another position of its list. Rules: GD-LIST-1.

    Raises:
        Refused: the list is sealed, or a position is not one of its lines.
    """
    check_open(decision.state, seat)
    order = _line(decision, seat, command.place)
    _line(decision, seat, command.to)
    orders = list(decision.state.players[seat].orders)
    del orders[command.place]
    orders.insert(command.to, order)
    decision.emit(ev.ListWritten(seat, tuple(orders)))


def change(decision: Decision, seat: int, command: do.ChangeCount) -> None:
    """Change the number of units or mines of a line. Rules: GD-LIST-1. See: GD-CHECK-1.

    Raises:
        Refused: the list is sealed, the line is missing or has no number, or it would be refused.
    """
    check_open(decision.state, seat)
    order = _line(decision, seat, command.place)
    if not isinstance(order, do.Move | do.Spawn | do.Promote | do.LayMines):
        text = f"Line {command.place} has no number to change."
        raise Refused(Refusal.NO_SUCH_LINE, text, "GD-LIST-1")
    orders = list(decision.state.players[seat].orders)
    orders[command.place] = replace(order, count=command.count)
    _check_line(decision, seat, tuple(orders), command.place)
    decision.emit(ev.ListWritten(seat, tuple(orders)))


def write(decision: Decision, seat: int, command: do.WriteList) -> None:
    """Replace the whole list. The orders themselves are checked when the list is sealed.

    Rules: GD-LIST-2.

    Raises:
        Refused: the list is sealed, there are too many lines, or a line is not an order.
    """
    check_open(decision.state, seat)
    _check_length(len(command.lines))
    orders = tuple(_read(number, line) for number, line in enumerate(command.lines))
    decision.emit(ev.ListWritten(seat, orders))


def _read(number: int, line: str) -> AnyOrder:
    try:
        return read_order(line)
    except notation.BadNotation as problem:
        text = f"Line {number} is no order: {problem.text}".replace("!", "?")
        raise Refused(Refusal.MALFORMED_ORDER, text, "GD-LIST-2") from None


def seal(decision: Decision, seat: int) -> None:
    """Seal the list. Rules: GD-CHECK-2.

    Raises:
        Refused: the list is sealed already, or a line of it is refused.
    """
    check_open(decision.state, seat)
    seen = view(decision.state, seat)
    projection = project(seen)
    if projection.refused:
        raise refusal(seen, projection.refused[0], projection)
    decision.emit(ev.ListSealed(seat))


def unseal(decision: Decision, seat: int) -> None:
    """Unseal the list.

    Rules: GD-LIST-4. See: GD-HQ-5.

    Raises:
        Refused: the list is not sealed, or only other seats choose a site again.
    """
    if not decision.state.players[seat].sealed:
        raise Refused(Refusal.LIST_NOT_SEALED, "Your list is not sealed.", "GD-LIST-4")
    if not may_unseal(decision.state, seat):
        text = "Lists stay sealed while others choose another site."
        raise Refused(Refusal.LIST_FIXED, text, "GD-HQ-5")
    decision.emit(ev.ListUnsealed(seat))


def concede(decision: Decision, seat: int) -> None:
    """Announce that a seat gives up; it leaves when the next turn opens. Rules: GD-END-6.

    Raises:
        Refused: the seat has conceded already.
    """
    if decision.state.players[seat].conceding:
        raise Refused(Refusal.ALREADY_CONCEDED, "You have given up.", "GD-END-6")
    decision.emit(ev.Conceded(seat))


# -- decisions -------------------------------------------------------------------------------------


def may_act(state: State, seat: Seat) -> bool:
    """Return whether the game is still on and the seat takes part in it."""
    known = seat in state.players and not state.reason
    return known and state.players[seat].status != "eliminated"


def decide(state: State, seat: Seat, command: do.AnyCommand) -> tuple[ev.AnyEvent, ...]:
    """Return the events of a command, in a game without dice.

    Rules: GD-LIST-5. See: GD-LIST-3, GD-REFUSE-4.

    Raises:
        Refused: with the primary reason.
    """
    decision: Decision = BaseDecision(state, evolve, Scripted())
    _check_seat(state, seat, command)
    if seat == HOUSE:
        close(decision)
        return decision.events
    match command:
        case do.ListOrder():
            add(decision, seat, command)
        case do.DropOrders():
            drop(decision, seat, command)
        case do.ShiftOrder():
            shift(decision, seat, command)
        case do.ChangeCount():
            change(decision, seat, command)
        case do.WriteList():
            write(decision, seat, command)
        case do.SealList():
            seal(decision, seat)
            go_on(decision)
        case do.UnsealList():
            unseal(decision, seat)
        case do.Concede():
            concede(decision, seat)
            go_on(decision)
        case _:
            assert_never(command)
    return decision.events


def _check_seat(state: State, seat: Seat, command: do.AnyCommand) -> None:
    """Refuse a command that its seat may not give now. Rules: GD-REFUSE-4. See: GD-LIST-5."""
    if state.reason:
        raise Refused(Refusal.GAME_OVER, "The game is over.", "GD-REFUSE-4")
    if seat == HOUSE and not isinstance(command, do.SealList):
        text = "The house can close the turn with seal, and nothing else."
        raise Refused(Refusal.NOT_FOR_THE_HOUSE, text, "GD-LIST-5")
    if seat != HOUSE and not may_act(state, seat):
        raise Refused(Refusal.SEAT_ELIMINATED, "You have no part in the game.", "GD-REFUSE-4")
