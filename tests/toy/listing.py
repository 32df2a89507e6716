"""A clan's orders as text, one line of notation each."""

from __future__ import annotations

from engine.core import notation
from engine.tabletop.listing import ListLine
from tests.toy.commands import GiveOrder, SealOrders
from tests.toy.orders import is_open
from tests.toy.state import View


def listed(view: View) -> str:
    """Return the orders that the viewer has given, one per line. See: T-ORDER-1."""
    orders = (GiveOrder(order.id, order.path) for order in view.orders.values())
    return "".join(f"{notation.write(order)}\n" for order in orders)


def closing(view: View) -> tuple[str, ...]:
    """Return the line that seals the viewer's orders, or () if there are none. See: T-ORDER-1."""
    is_due = bool(view.orders) and is_open(view, view.viewer)
    return (notation.write(SealOrders()),) if is_due else ()


def unlisted(text: str) -> tuple[ListLine, ...]:
    """Parse a text of orders, each line on its own."""
    lines = enumerate(text.splitlines(), 1)
    return tuple(_read(number, line.strip()) for number, line in lines if line.strip())


def _read(number: int, line: str) -> ListLine:
    try:
        return ListLine(number, line, notation.write(notation.read(line, GiveOrder)))
    except notation.BadNotation as problem:
        return ListLine(number, line, fault=problem.text)
