"""Lists on the screen: the table of orders, questions before sealing, lists as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.core import notation
from engine.core.record import Command
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import cursor
from engine.rulesets.gd6.commands import UNITS, AnyOrder, read_order
from engine.rulesets.gd6.fights import needed
from engine.rulesets.gd6.forces import health, threat
from engine.rulesets.gd6.gdl.documents import read_list, write_list
from engine.rulesets.gd6.gdl.lines import READERS, WrongText
from engine.rulesets.gd6.lists import Judged, project, with_list
from engine.rulesets.gd6.numbers import numbers
from engine.rulesets.gd6.state import View
from engine.rulesets.gd6.territories import counts, headquarters
from engine.rulesets.gd6.words import ORDER_RULES, land, many, said, sentence, spelt
from engine.tabletop.ask import AskAmount, AskConfirm, AskOrder, Choice
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, choose, confirm, enter
from engine.tabletop.listing import ListLine
from engine.tabletop.roles import Tone


def the_list(view: View, _at: int) -> Dialogue[Command]:
    """Show the table of orders, and ask for an action on one or all of them.

    See: GD-LIST-1, GD-LIST-2.
    """
    player = view.players[view.viewer]
    title = "Your orders: the first acts and dies first"
    what = (yield from choose(title, _choices(view), lambda one: one)).value
    match what:
        case "last":
            return _written(player.last)
        case "clear":
            return _written(())
        case "order":
            return _written((yield from _in_order(view)))
        case _:
            return (yield from _on_line(view, int(what)))


def _written(orders: Iterable[AnyOrder]) -> Command:
    return do.WriteList(tuple(map(notation.write, orders)))


def _in_order(view: View) -> Dialogue[Iterable[AnyOrder]]:
    orders = {str(n): order for n, order in enumerate(view.players[view.viewer].orders)}
    choices = tuple(Choice(place, spelt(view, order)) for place, order in orders.items())
    places = (yield AskOrder("The first acts and dies first", choices)).split(">")
    if sorted(places) != sorted(orders):
        raise ValueError("The list has each order once.")
    return map(orders.__getitem__, places)


def _on_line(view: View, place: int) -> Dialogue[Command]:
    """Ask for an action on an order of the list."""
    order = view.players[view.viewer].orders[place]
    verdict = project(view).judged[place].text
    title = sentence(spelt(view, order)) + (f" {verdict}" if verdict else "")
    action = (yield from choose(title, _line_choices(view, place), lambda one: one)).value
    goals = {"first": 0, "up": place - 1, "down": place + 1}
    if action == "drop":
        return do.DropOrders((place,))
    if action in goals:
        return do.ShiftOrder(place, goals[action])
    question = AskAmount("How many?", 1, numbers().most_units.value, getattr(order, "count", 1))
    return do.ChangeCount(place, (yield from enter(question)))


def _choices(view: View) -> list[Choice]:
    player = view.players[view.viewer]
    judged = project(view).judged
    found = [
        Choice(str(place), f"{place + 1:>3}. {spelt(view, order)}{_told(judged[place])}")
        for place, order in enumerate(player.orders)
    ]
    one = "" if len(player.orders) > 1 else "only one order"
    none = "" if player.last else "there was none"
    return [
        *found,
        Choice("order", "Change their order", one),
        Choice("last", "Repeat last turn's orders", none),
        Choice("clear", "Delete them all", "" if player.orders else "there are none"),
    ]


def _told(judged: Judged) -> str:
    """Return the verdict on a line in short, to append to it in the table."""
    if judged.codes:
        return "  (refused)"
    return f"  (only {judged.kept})" if judged.kept >= 0 else ""


def _line_choices(view: View, place: int) -> tuple[Choice, ...]:
    orders = view.players[view.viewer].orders
    last = len(orders) - 1
    number = "" if hasattr(orders[place], "count") else "it has no number"
    return (
        Choice("drop", "Delete it"),
        Choice("first", "Move it to the top", "" if place else "it is the first"),
        Choice("up", "Move it up", "" if place else "it is the first"),
        Choice("down", "Move it down", "" if place < last else "it is the last"),
        Choice("count", "Change its number", number),
    )


def sealing(view: View, _at: int) -> Dialogue[Command]:
    """Seal the list; ask first if it looks incomplete or leaves a danger. See: GD-LIST-3."""
    lines = (*_dangers(view), *_left_idle(view))
    if lines:
        when = Line("All orders are carried out when the last seat has sealed.", Tone.QUIET)
        question = AskConfirm("Seal your orders?", (*lines, when), "seal them", "go back")
        yield from confirm(question)
    return do.SealList()


def closing(view: View) -> tuple[str, ...]:
    """Return the lines that seal the viewer's list, without the orders that are refused.

    Empty if no order is left, or if the list would do nothing without a headquarters.

    See: GD-LIST-3, GD-LIST-6, GD-CHECK-2, GD-HQ-7.
    """
    if not cursor.is_open(view):
        return ()
    player = view.players[view.viewer]
    kept = player.orders
    while refused := project(with_list(view, kept)).refused:
        kept = tuple(order for place, order in enumerate(kept) if place not in refused)
    if not kept or not (player.hq_built or any(isinstance(one, do.PlaceHq) for one in kept)):
        return ()
    commands = (do.SealList(),) if kept == player.orders else (_written(kept), do.SealList())
    return tuple(map(notation.write, commands))


def _left_idle(view: View) -> tuple[Line, ...]:
    player = view.players[view.viewer]
    count = len(player.orders)
    found = [Line(f"You have given {many(count, 'order')}.")]
    left = cursor.left_to_send(view)
    if left:
        found.append(Line(f"{many(left, 'unit')} without an order.", Tone.STRONG))
    if cursor.to_raise_at(view):
        text = f"You can still raise {many(cursor.spawn_left(view), 'army', 'armies')}."
        found.append(Line(text, Tone.STRONG, rule="GD-SPAWN-1"))
        if cursor.is_settling(view):
            text = "Raised armies can march in the same turn, and take the land they enter."
            found.append(Line(text, rule="GD-MOVE-2"))
    if not player.hq_built and not any(isinstance(one, do.PlaceHq) for one in player.orders):
        found.append(Line("Without a headquarters you do nothing this turn.", Tone.STRONG))
    reduced = [place for place, line in enumerate(project(view).judged) if line.kept >= 0]
    found += [Line(f"Order {place + 1} gets fewer units.", Tone.STRONG) for place in reduced]
    return tuple(found) if len(found) > 1 else ()


# -- lists as text ---------------------------------------------------------------------------------

_TAGS: Final = frozenset(str(kind.__struct_config__.tag) for kind in ORDER_RULES)
"""First words of orders in notation."""


def listed(view: View) -> str:
    """Return the viewer's list in the order language, line by line. See: GD-GDL-3, GD-GDL-5."""
    return write_list(view.players[view.viewer].orders) if view.viewer in view.players else ""


def unlisted(view: View, text: str) -> tuple[ListLine, ...]:
    """Parse the lines of a text as orders, each on its own. See: GD-GDL-3, GD-GDL-4.

    Also accepts notation, since scripts and saved scenarios hold lists in notation.
    """
    found = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.strip()
        if line and line.split()[0] in _TAGS:
            found.append(_noted(number, line))
        elif line:
            found += _spoken(view, number, line)
    return tuple(found)


def _noted(number: int, line: str) -> ListLine:
    try:
        return ListLine(number, line, notation.write(read_order(line)))
    except notation.BadNotation as problem:
        return ListLine(number, line, fault=problem.text)


def _spoken(view: View, number: int, line: str) -> list[ListLine]:
    """Parse the orders of a line in the order language; none for a comment."""
    try:
        orders = read_list(line, len(view.territories))
    except WrongText as wrong:
        fault = wrong.faults[0].text
        if line.split(maxsplit=1)[0] not in READERS:
            fault += f"; a list has lines that begin with {', '.join(READERS)}"
        return [ListLine(number, line, fault=fault)]
    return [ListLine(number, line, notation.write(order)) for order in orders]


# -- dangers for headquarters ----------------------------------------------------------------------


def _dangers(view: View) -> Iterator[Line]:
    """Yield lines on the viewer's headquarters that one rival could take, the worst first.

    The garrison is what the list leaves there. Rivals are assumed to send everything they have.
    See: GD-HQ-3, GD-INVADE-5, GD-MOVE-2.
    """
    found = [(threat(view, at), _takes(view, at), at) for at in headquarters(view, view.viewer)]
    worst = sorted(
        (takes - force, at, force, takes) for force, takes, at in found if force >= takes
    )
    for _, at, force, takes in worst:
        text = f"Headquarters at {land(view, at)} can fall: {many(force, 'army', 'armies')}"
        text += f" could come, {takes} take it."
        yield said(view, text, view.viewer, "GD-MOVE-2", at, tone=Tone.BAD)


def _takes(view: View, at: int) -> int:
    """Return the armies needed to take a viewer's territory with the units that stay in it."""
    after = project(view).after
    here = after.territories[at]
    left = list(counts(here))
    for squad in after.squads.values():  # units stand in their territory until the march begins
        if squad.seat == view.viewer and squad.path[0] == at:
            left[UNITS.index(squad.unit)] -= squad.count
    tower = here.construct == "watchtower"
    return needed(health(left), tower=tower, mines=here.mines, guided=False).take
