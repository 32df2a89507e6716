"""Intents of a player, and the dialogues that turn them into lines of notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from engine.core import notation
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import cursor
from engine.rulesets.gd6.canvas import spot, territory_at
from engine.rulesets.gd6.commands import CONSTRUCTS, UNITS, InventoryItem, Unit
from engine.rulesets.gd6.construction import spawn_places
from engine.rulesets.gd6.forces import units_for
from engine.rulesets.gd6.inventory import crop_limit, item_price
from engine.rulesets.gd6.list_dialogues import sealing, the_list
from engine.rulesets.gd6.lists import may_unseal, project, with_list
from engine.rulesets.gd6.numbers import numbers, unit_rows
from engine.rulesets.gd6.state import Player, View
from engine.rulesets.gd6.territories import owned
from engine.rulesets.gd6.words import ITEMS, land, many, units
from engine.tabletop.ask import (
    AnyAsk,
    AskAmount,
    AskConfirm,
    AskOne,
    AskPlace,
    Choice,
    Intent,
)
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone

K = TypeVar("K", bound=str)

_KEYS: Final = "mrcagdetsR"
"""Keys of all intents."""


def intents(view: View, at: int) -> tuple[Intent, ...]:
    """Return the intents at a territory (0: the sea). An impossible intent has a reason.

    Empty for spectators, eliminated seats and finished games.
    """
    if view.viewer not in view.players or view.reason:
        return ()
    player = view.players[view.viewer]
    if player.status == "eliminated":
        return ()
    if not cursor.is_open(view):
        reason = "" if may_unseal(view, view.viewer) else "It cannot be changed any more."
        return Intent("unseal", "Change your orders again", "s", reason), _giving_up(player)
    here = "" if at else "This is the sea."
    move = here or ("" if cursor.can_send(view, at) else "No unit of yours waits here.")
    spawn = here or _why_no_spawn(view, at)
    sending = Intent("move", "Move units", "m", move), Intent("spawn", "Raise armies", "r", spawn)
    if cursor.is_settling(view):
        sited = any(isinstance(order, do.PlaceHq) for order in player.orders)
        return (
            Intent("settle", "Settle here", "c", here or _why_not_settle(view, at)),
            *(sending if sited else ()),
            *_about_the_list(view),
            _giving_up(player),
        )
    own = here or ("" if view.territories[at].owner == view.viewer else "This is not your land.")
    advanced = view.options.variant == "advanced"
    items = "" if any(_stock(view).values()) else "You have no items."
    return (
        *sending,
        Intent("build", "Build", "c", own),
        Intent("use", "Use an item", "a", items),
        Intent("buy", "Get an item", "g", ""),
        *([Intent("promote", "Train armies", "d", own)] if advanced else []),
        *([Intent("mine", "Lay mines", "e", here)] if advanced else []),
        *_about_the_list(view),
        _giving_up(player),
    )


def _why_not_settle(view: View, at: int) -> str:
    try:
        cursor.settling(view, at)
    except ValueError as refused:
        return str(refused)
    return ""


def _why_not_named(view: View, intent: str) -> str:
    """Reason why an intent is not offered."""
    key = "d" if intent in {"promote", "mine"} else "c" if intent == "settle" else "m"
    return why_not(view, key) or "That is not possible now."


def why_not(view: View, key: str) -> str:
    """Explain why the key of an intent does nothing now; empty if no intent has that key."""
    if key not in _KEYS:
        return ""
    player = view.players.get(view.viewer)
    if view.reason or player is None:
        return "The game is over." if view.reason else "You only watch."
    if player.status == "eliminated":
        return "You are out of the game."
    if not cursor.is_open(view):
        return "You have given up." if player.conceding else "Your orders are sealed."
    if cursor.is_settling(view):
        return "First choose where to settle (c)."
    return "" if view.options.variant == "advanced" else "Only in the advanced variant."


def why_not_at(view: View, at: int, intent: str, answers: Sequence[str], there: int) -> str:
    """Reason why a territory cannot be chosen in the dialogue of an intent; empty without one.

    ``at`` is where the dialogue began.
    """
    if not there:
        return "This is the sea."
    cells = [answer for answer in answers if "," in answer]
    if intent == "move":
        return _not_beside(view, _territory(view, cells[-1]) if cells else at, there)
    if intent != "use":
        return ""
    if not cells:
        return f"{land(view, there)} is not your land."
    return _not_beside(view, _territory(view, cells[0]), there)


def _not_beside(view: View, here: int, there: int) -> str:
    if there == here:
        return "They are there already."
    beside = there in view.world.beside(here)
    return "" if beside else f"{land(view, there)} is not beside {land(view, here)}."


def _about_the_list(view: View) -> tuple[Intent, ...]:
    player = view.players[view.viewer]
    empty = "" if player.orders or player.last else "You have no orders yet."
    return (
        Intent("list", "Your orders", "t", empty),
        Intent("seal", "Seal your orders", "s", _why_no_seal(view), ends="turn"),
    )


def _why_no_seal(view: View) -> str:
    """Return the first refused order with its reason, or an empty text."""
    known = project(view)
    if not known.refused:
        return ""
    place = known.refused[0]
    return f"Order {place + 1} cannot be done (t: change it). {known.judged[place].text}"


def _giving_up(player: Player) -> Intent:
    reason = "You have given up." if player.conceding else ""
    return Intent("concede", "Give up …", "R", reason, ends="game")


def ask(view: View, at: int, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """Return the next question of an intent, or the finished line of notation.

    Raises:
        ValueError: the intent is not possible here.
    """
    wanted = {found.name: found for found in intents(view, at)}.get(intent)
    if wanted is None or wanted.reason:
        raise ValueError(wanted.reason if wanted else _why_not_named(view, intent))
    return _DIALOGUES[intent](view, at, answers)


# -- moves -----------------------------------------------------------------------------------------


def _move(view: View, at: int, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the type of unit, the path hop by hop and the number. Rules: GD-MOVE-1, GD-MOVE-2."""
    free = cursor.free_units(view, at)
    rest = list(answers)
    unit = next(iter(free))
    if len(free) > 1:
        if not rest:
            choices = tuple(Choice(kind, units(n, kind)) for kind, n in free.items())
            return AskOne("Which units?", choices)
        unit = _picked(UNITS, rest.pop(0))
    path = [at]
    while rest and "," in rest[0]:
        there = _territory(view, rest.pop(0))
        if there == path[-1]:
            break
        path.append(there)
    else:
        if len(path) <= unit_rows()[unit].speed and not rest:
            return _hop(view, path, unit, free[unit])
    if len(path) == 1:
        return _hop(view, path, unit, free[unit])
    if not rest:
        title = f"Send how many to {land(view, path[-1])}?{_needed(view, path, unit)}"
        return AskAmount(title, least=1, most=free[unit], preset=free[unit])
    return notation.write(do.Move(tuple(path), int(rest[0]), unit))


def _needed(view: View, path: Sequence[int], unit: Unit) -> str:
    """Say how many units a march needs to reach its end; empty if just one. Rules: GD-INVADE-5."""
    least = units_for(view, path, unit)
    if least is None:
        return " None would arrive."
    return f" {least} take it." if least > 1 else ""


def _hop(view: View, path: list[int], unit: Unit, count: int) -> AskPlace:
    """Ask for the next hop: a neighbour, or the present territory to end the path."""
    here = path[-1]
    ends = [here] if len(path) > 1 else []
    found = [*ends, *view.world.beside(here)]
    title = "March where?" if len(path) == 1 else f"March on from {land(view, here)}, or stop"
    labels = tuple(
        "ok" if there in ends else _price(view, [*path, there], unit, count) for there in found
    )
    hints = tuple(
        f"Stop at {land(view, there)}" if there in ends else _effect(view, there, label, unit)
        for there, label in zip(found, labels, strict=True)
    )
    return AskPlace(title, tuple(spot(view.world, there) for there in found), labels, hints=hints)


def _effect(view: View, at: int, label: str, unit: Unit) -> str:
    """Describe a march and its price, such as ``March to 14 Eastfen (takes 3 armies)``."""
    march = f"March to {land(view, at)}"
    if label.isdecimal():
        return f"{march} (takes {units(int(label), unit)})"
    return f"{march} (too strong for you)" if label == "lost" else march


def _price(view: View, path: list[int], unit: Unit, count: int) -> str:
    """Label a path: ``ok``, or the number of units needed if ``count`` is too small.

    ``lost`` if no number suffices. Assumes that no other seat moves. Rules: GD-INVADE-5.
    """
    least = units_for(view, path, unit)
    if least is None:
        return "lost"
    return str(min(least, 99)) if least > count else "ok"


# -- building, raising, items ----------------------------------------------------------------------


def _spawn(view: View, at: int, answers: Sequence[str]) -> AnyAsk | str:
    most = cursor.spawn_left(view)
    if not answers:
        return AskAmount(f"Raise how many armies at {land(view, at)}?", 1, most, most)
    return notation.write(do.Spawn(at, int(answers[0])))


def _why_no_spawn(view: View, at: int) -> str:
    if cursor.spawn_left(view) < 1:
        return "You can raise no more armies this turn."
    return (
        ""
        if at in spawn_places(cursor.when_raising(view), view.viewer)
        else "You cannot raise armies here."
    )


def _build(view: View, at: int, answers: Sequence[str]) -> AnyAsk | str:
    if not answers:
        choices = tuple(
            Choice(kind, kind.capitalize(), _refused(view, do.Build(at, kind)))
            for kind in CONSTRUCTS
        )
        return AskOne(f"Build what at {land(view, at)}?", _free_at_all(choices))
    return notation.write(do.Build(at, _picked(CONSTRUCTS, answers[0])))


def _refused(view: View, order: do.Build | do.Buy | do.UseDynamite | do.UseToxic) -> str:
    """Return why an order would be refused if it were added now; empty if it would be accepted."""
    judged = project(with_list(view, (*view.players[view.viewer].orders, order))).judged[-1]
    return judged.text if judged.codes else ""


def _free_at_all(choices: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """Return the choices. If none is enabled, enable all, so that the refusal gives the reason."""
    if all(choice.reason for choice in choices):
        return tuple(Choice(choice.value, choice.label) for choice in choices)
    return choices


def _buy(view: View, _at: int, answers: Sequence[str]) -> AnyAsk | str:
    if not answers:
        choices = tuple(
            Choice(
                item,
                f"{ITEMS[item].capitalize()}, {item_price(item)} IP",
                _refused(view, do.Buy(item)),
            )
            for item in do.ITEMS
        )
        return AskOne("Buy what, for later turns?", _free_at_all(choices))
    return notation.write(do.Buy(_picked(do.ITEMS, answers[0])))


def _stock(view: View) -> dict[InventoryItem, int]:
    """Return the viewer's items, without those that its list uses."""
    player = view.players[view.viewer]
    orders = cursor.sent(view)
    return {
        "crop": player.crop - sum(isinstance(order, do.UseCrop) for order in orders),
        "dynamite": player.dynamite - sum(isinstance(order, do.UseDynamite) for order in orders),
        "toxic": player.toxic - sum(isinstance(order, do.UseToxic) for order in orders),
    }


def _use(view: View, _at: int, answers: Sequence[str]) -> AnyAsk | str:
    if not answers:
        choices = tuple(
            Choice(item, f"{ITEMS[item].capitalize()} ({count})", "" if count else "You have none.")
            for item, count in _stock(view).items()
        )
        return AskOne("Use what?", choices)
    item = _picked(do.ITEMS, answers[0])
    if item == "crop":
        return _use_crop(view, answers[1:])
    return _use_on(view, item, answers[1:])


def _use_crop(view: View, answers: Sequence[str]) -> AnyAsk | str:
    own = [here.id for here in owned(view, view.viewer)]
    if not answers:
        return _picking(view, "Raise armies where?", own, "Raise armies at")
    at = _territory(view, answers[0])
    if len(answers) == 1:
        most = crop_limit(view, view.viewer)
        return AskAmount(f"Raise how many armies at {land(view, at)}?", 1, most, most)
    return notation.write(do.UseCrop(((at, int(answers[1])),)))


def _use_on(view: View, item: InventoryItem, answers: Sequence[str]) -> AnyAsk | str:
    own = [here.id for here in owned(view, view.viewer)]
    if not answers:
        return _picking(view, "Use it from where?", own, "Use it from")
    source = _territory(view, answers[0])
    targets = [*([source] if item == "toxic" else []), *view.world.beside(source)]
    if len(answers) == 1:
        return _picking(view, "Use it on which territory?", targets, "Use it on")
    target = _territory(view, answers[1])
    order = do.UseToxic(source, target) if item == "toxic" else do.UseDynamite(source, target)
    return notation.write(order)


def _picking(view: View, title: str, places: Sequence[int], action: str) -> AskPlace:
    """Ask for a territory, and describe the effect of each."""
    hints = tuple(f"{action} {land(view, at)}" for at in places)
    return AskPlace(title, tuple(spot(view.world, at) for at in places), hints=hints)


def _promote(view: View, at: int, answers: Sequence[str]) -> AnyAsk | str:
    kinds = [unit for unit in UNITS if unit != "army"]
    if not answers:
        rows = unit_rows()
        choices = tuple(
            Choice(unit, f"{unit.capitalize()}, {rows[unit].cost} IP each") for unit in kinds
        )
        return AskOne("Train armies as what?", choices)
    if len(answers) == 1:
        most = max(1, view.territories[at].army)
        return AskAmount("Train how many?", 1, most, 1)
    return notation.write(do.Promote(at, _picked(UNITS, answers[0]), int(answers[1])))


def _mine(view: View, at: int, answers: Sequence[str]) -> AnyAsk | str:
    if not answers:
        most = max(1, view.players[view.viewer].ip // numbers().mine_price.value)
        return AskAmount(f"Lay how many mines at {land(view, at)}?", 1, most, 1)
    return notation.write(do.LayMines(at, int(answers[0])))


def _concede(view: View, _at: int, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for confirmation, since conceding cannot be undone. Rules: GD-END-6."""
    if answers:
        return notation.write(do.Concede())
    count = len(owned(view, view.viewer))
    lost = f", and lose {many(count, 'territory', 'territories')} with all units" if count else ""
    text = f"You are out when the next turn begins{lost}."
    return AskConfirm("Give up for good?", (Line(text, Tone.BAD, rule="GD-END-6"),))


_DIALOGUES: Final[Mapping[str, Callable[[View, int, Sequence[str]], AnyAsk | str]]] = {
    "move": _move,
    "settle": lambda view, at, _: cursor.settling(view, at),
    "spawn": _spawn,
    "build": _build,
    "use": _use,
    "buy": _buy,
    "promote": _promote,
    "mine": _mine,
    "list": the_list,
    "seal": sealing,
    "unseal": lambda _view, _at, _: notation.write(do.UnsealList()),
    "concede": _concede,
}

# -- answers ---------------------------------------------------------------------------------------


def _picked(kinds: Sequence[K], answer: str) -> K:
    return next(kind for kind in kinds if kind == answer)


def _territory(view: View, answer: str) -> int:
    x, y = (int(part) for part in answer.split(","))
    return territory_at(view.world, x, y)
