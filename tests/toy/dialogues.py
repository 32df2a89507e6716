"""Intents of a player, and the questions before each becomes a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core import notation
from engine.core.record import Command
from engine.tabletop.ask import (
    AnyAsk,
    AskAmount,
    AskConfirm,
    AskOrder,
    AskPath,
    AskPlace,
    AskText,
    Choice,
    Intent,
)
from engine.tabletop.board import Line
from engine.tabletop.dialogue import (
    Dialogue,
    choose,
    choose_some,
    confirm,
    enter,
    follow,
    read_cell,
)
from tests.toy import commands as do
from tests.toy.canvas import cell_of, hex_at
from tests.toy.fights import refuges
from tests.toy.hexes import Hex, standing
from tests.toy.numbers import numbers
from tests.toy.orders import highest_stake, is_open, living
from tests.toy.sentences import describe
from tests.toy.state import Band, View


def intents(view: View, at: Hex | None) -> tuple[Intent, ...]:
    """Return what the viewer can do at a hex, each with a reason if it is not possible now."""
    playing = view.viewer in view.clans and view.clans[view.viewer].playing and not view.reason
    if not playing:
        return ()
    closed = "" if is_open(view, view.viewer) else "Orders are sealed."
    here = "" if at is not None and _own(view, at) else "No band of yours is here."
    ordered = "" if view.orders else "No band has an order."
    cried = "One cry a round." if view.clans[view.viewer].cried else ""
    own = view.lost and view.lost[0].clan == view.viewer
    return (
        Intent("march", "Order to march", "m", closed or here),
        Intent("drop", "Drop orders", "d", closed or ordered),
        Intent("rank", "Form ranks", "r", closed),
        Intent("cry", "Raise a cry", "c", closed or cried),
        Intent("seal", "Seal the orders", "s", closed, ends="turn"),
        Intent("retreat", "Retreat", "t", "" if own else "Nobody must retreat."),
        Intent("resign", "Resign", "q", ends="game"),
    )


def ask(view: View, at: Hex | None, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """Return the next question of an intent after some answers, or its line of notation.

    Raises:
        ValueError: there is no such intent here, or an answer does not fit.
    """
    wanted = {found.name: found for found in intents(view, at)}.get(intent)
    if wanted is None or wanted.reason:
        raise ValueError(wanted.reason if wanted else f"nobody can {intent} here")
    found = follow(_DIALOGUES[intent](view, at or (0, 0)), answers)
    return notation.write(found) if isinstance(found, Command) else found


def _march(view: View, at: Hex) -> Dialogue[Command]:
    own = _own(view, at)
    band = own[0] if len(own) == 1 else (yield from choose("Which band?", own, _choice))
    cells = yield AskPath("Where to?", cell_of(at), longest=numbers().march.value)
    path = tuple(found for cell in cells.split(">") if (found := _hex(view, cell)) != at)
    return do.GiveOrder(band.id, tuple(dict.fromkeys(path)))


def _drop(view: View, at: Hex) -> Dialogue[Command]:
    ordered = [view.bands[band] for band in view.orders]
    bands = yield from choose_some("Whose orders?", ordered, _choice, 1, len(ordered))
    return do.DropOrders(tuple(band.id for band in bands))


def _rank(view: View, at: Hex) -> Dialogue[Command]:
    own = [view.bands[band] for band in living(view, view.viewer)]
    order = yield AskOrder("Who falls first?", tuple(map(_choice, own)))
    return do.SetRanks(tuple(map(int, order.split(">"))))


def _cry(view: View, at: Hex) -> Dialogue[Command]:
    return do.RaiseCry((yield AskText("What do you cry?", longest=numbers().cry.value)))


def _seal(view: View, at: Hex) -> Dialogue[Command]:
    stake = 0
    if most := highest_stake(view, view.viewer):
        title = "How many lanterns do you stake?"
        stake = yield from enter(AskAmount(title, least=0, most=most, preset=0))
    idle = [band for band in living(view, view.viewer) if band not in view.orders]
    lines = (Line(f"{len(view.orders)} bands march, {len(idle)} stay."),)
    yield from confirm(AskConfirm("Seal the orders?", lines))
    return do.SealOrders(stake)


def _retreat(view: View, at: Hex) -> Dialogue[Command]:
    cells = tuple(cell_of(free) for free in refuges(view, view.lost[0]))
    return do.Retreat(_hex(view, (yield AskPlace("Retreat where to?", cells))))


def _resign(view: View, at: Hex) -> Dialogue[Command]:
    yield from confirm(AskConfirm("Resign?", (Line("All your bands leave the map."),)))
    return do.Resign()


_DIALOGUES: Final[Mapping[str, Callable[[View, Hex], Dialogue[Command]]]] = {
    "march": _march,
    "drop": _drop,
    "rank": _rank,
    "cry": _cry,
    "seal": _seal,
    "retreat": _retreat,
    "resign": _resign,
}


def _own(view: View, at: Hex) -> tuple[Band, ...]:
    return tuple(band for band in standing(view, at) if band.clan == view.viewer)


def _choice(band: Band) -> Choice:
    return Choice(str(band.id), describe(band))


def _hex(view: View, cell: str) -> Hex:
    x, y = read_cell(cell)
    return hex_at(view, x, y) or (x, y)
