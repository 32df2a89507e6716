"""Intents of a player, and the questions before each becomes a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core import notation
from engine.tabletop.ask import (
    AnyAsk,
    AskAmount,
    AskConfirm,
    AskOne,
    AskOrder,
    AskPath,
    AskPlace,
    AskSome,
    AskText,
    Choice,
    Intent,
)
from engine.tabletop.board import Line
from tests.toy import commands as do
from tests.toy.canvas import cell_of, hex_at
from tests.toy.fights import refuges
from tests.toy.hexes import Hex, standing
from tests.toy.numbers import numbers
from tests.toy.orders import highest_stake, is_open, living
from tests.toy.sentences import describe
from tests.toy.state import Band, View

Answers = Sequence[str]


def intents(view: View, at: Hex | None) -> tuple[Intent, ...]:
    """Intents of the viewer here, each with the reason why not."""
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


def ask(view: View, at: Hex | None, intent: str, answers: Answers) -> AnyAsk | str:
    """The next question, or the line of notation.

    Raises:
        ValueError: there is no such intent here.
    """
    wanted = {found.name: found for found in intents(view, at)}.get(intent)
    if wanted is None or wanted.reason:
        raise ValueError(wanted.reason if wanted else f"nobody can {intent} here")
    return _DIALOGUES[intent](view, at or (0, 0), answers)


def _march(view: View, at: Hex, answers: Answers) -> AnyAsk | str:
    own = _own(view, at)
    if len(own) > 1 and not answers:
        return AskOne("Which band?", tuple(_choice(band) for band in own))
    band, rest = (int(answers[0]), answers[1:]) if len(own) > 1 else (own[0].id, answers)
    if not rest:
        return AskPath("Where to?", cell_of(at), longest=numbers().march.value)
    path = tuple(found for cell in rest[0].split(">") if (found := _hex(view, cell)) != at)
    return notation.write(do.GiveOrder(band, tuple(dict.fromkeys(path))))


def _drop(view: View, at: Hex, answers: Answers) -> AnyAsk | str:
    if not answers:
        choices = tuple(_choice(view.bands[band]) for band in view.orders)
        return AskSome("Whose orders?", choices, least=1, most=len(choices))
    return notation.write(do.DropOrders(_ids(answers[0])))


def _rank(view: View, at: Hex, answers: Answers) -> AnyAsk | str:
    if not answers:
        own = living(view, view.viewer)
        return AskOrder("Who falls first?", tuple(_choice(view.bands[band]) for band in own))
    return notation.write(do.SetRanks(_ids(answers[0])))


def _cry(view: View, at: Hex, answers: Answers) -> AnyAsk | str:
    if not answers:
        return AskText("What do you cry?", longest=numbers().cry.value)
    return notation.write(do.RaiseCry(answers[0]))


def _seal(view: View, at: Hex, answers: Answers) -> AnyAsk | str:
    most = highest_stake(view, view.viewer)
    if most and not answers:
        return AskAmount("How many lanterns do you stake?", least=0, most=most, preset=0)
    stake = int(answers[0]) if most else 0
    if len(answers) <= bool(most):
        idle = [band for band in living(view, view.viewer) if band not in view.orders]
        lines = (Line(f"{len(view.orders)} bands march, {len(idle)} stay."),)
        return AskConfirm("Seal the orders?", lines)
    return notation.write(do.SealOrders(stake))


def _retreat(view: View, at: Hex, answers: Answers) -> AnyAsk | str:
    if not answers:
        cells = tuple(cell_of(free) for free in refuges(view, view.lost[0]))
        return AskPlace("Retreat where to?", cells)
    return notation.write(do.Retreat(_hex(view, answers[0])))


def _resign(view: View, at: Hex, answers: Answers) -> AnyAsk | str:
    if not answers:
        return AskConfirm("Resign?", (Line("All your bands leave the map."),))
    return notation.write(do.Resign())


_DIALOGUES: Final[Mapping[str, Callable[[View, Hex, Answers], AnyAsk | str]]] = {
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


def _ids(answer: str) -> tuple[int, ...]:
    return tuple(int(part) for part in answer.split(">"))


def _hex(view: View, cell: str) -> Hex:
    x, y = (int(part) for part in cell.split(","))
    return hex_at(view, x, y) or (x, y)
