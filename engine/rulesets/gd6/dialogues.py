"""Intents of a player, and the dialogues that turn them into lines of notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from engine.core import notation
from engine.core.record import Command
from engine.rulesets.gd6 import commands as do
from engine.rulesets.gd6 import cursor
from engine.rulesets.gd6.canvas import spot, territory_at
from engine.rulesets.gd6.commands import CONSTRUCTS, UNITS, Construct, InventoryItem, Unit
from engine.rulesets.gd6.construction import spawn_places
from engine.rulesets.gd6.forces import units_for
from engine.rulesets.gd6.inventory import crop_limit, item_price
from engine.rulesets.gd6.list_dialogues import sealing, the_list
from engine.rulesets.gd6.lists import may_unseal, project, with_list
from engine.rulesets.gd6.numbers import numbers, unit_rows
from engine.rulesets.gd6.state import Player, View
from engine.rulesets.gd6.territories import owned
from engine.rulesets.gd6.words import ITEMS, land, many, units
from engine.tabletop.ask import AnyAsk, AskAmount, AskConfirm, AskPlace, Choice, Intent
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, choose, confirm, enter, follow, read_cell
from engine.tabletop.roles import Tone

K = TypeVar("K")

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
    """Return the reason why an intent is not offered."""
    key = "d" if intent in {"promote", "mine"} else "c" if intent == "settle" else "m"
    return why_not(view, key) or "That is not possible now."


def why_not(view: View, key: str) -> str:
    """Return why an intent's key does nothing at this time, such as after sealing.

    Empty if there is no such reason, or no intent has that key.
    """
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
    """Return the reason why a territory cannot be chosen in an intent's dialogue; empty if it can.

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
    opened = _DIALOGUES[intent](view, at)
    reached = opened if isinstance(opened, Command) else follow(opened, answers)
    return notation.write(reached) if isinstance(reached, Command) else reached


# -- moves -----------------------------------------------------------------------------------------


def _move(view: View, at: int) -> Dialogue[Command]:
    """Ask for the type of unit, the path hop by hop and the number. See: GD-MOVE-1, GD-MOVE-2."""
    free = cursor.free_units(view, at)
    unit = next(iter(free))
    if len(free) > 1:
        unit = yield from choose(
            "Which units?", free, lambda one: Choice(one, units(free[one], one))
        )
    path = [at]
    while len(path) <= unit_rows()[unit].speed:
        there = _territory(view, (yield _hop(view, path, unit, free[unit])))
        if there != path[-1]:
            path.append(there)
        elif len(path) > 1:
            break
    title = f"Send how many to {land(view, path[-1])}?{_needed(view, path, unit)}"
    count = yield from enter(AskAmount(title, 1, most=free[unit], preset=free[unit]))
    return do.Move(tuple(path), count, unit)


def _needed(view: View, path: Sequence[int], unit: Unit) -> str:
    """Say how many units a march needs to reach its end; empty if just one. See: GD-INVADE-5."""
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

    ``lost`` if no number suffices. Assumes that no other seat moves. See: GD-INVADE-5.
    """
    least = units_for(view, path, unit)
    if least is None:
        return "lost"
    return str(min(least, 99)) if least > count else "ok"


# -- building, raising, items ----------------------------------------------------------------------


def _spawn(view: View, at: int) -> Dialogue[Command]:
    most = cursor.spawn_left(view)
    question = AskAmount(f"Raise how many armies at {land(view, at)}?", 1, most, most)
    return do.Spawn(at, (yield from enter(question)))


def _why_no_spawn(view: View, at: int) -> str:
    if cursor.spawn_left(view) < 1:
        return "You can raise no more armies this turn."
    places = spawn_places(cursor.when_raising(view), view.viewer)
    return "" if at in places else "You cannot raise armies here."


def _build(view: View, at: int) -> Dialogue[Command]:
    barred = _unless_all({kind: _refused(view, do.Build(at, kind)) for kind in CONSTRUCTS})

    def choice(kind: Construct) -> Choice:
        return Choice(kind, kind.capitalize(), barred[kind])

    return do.Build(at, (yield from choose(f"Build what at {land(view, at)}?", CONSTRUCTS, choice)))


def _refused(view: View, order: do.Build | do.Buy | do.UseDynamite | do.UseToxic) -> str:
    """Return why an order would be refused if it were added now; empty if it would be accepted."""
    judged = project(with_list(view, (*view.players[view.viewer].orders, order))).judged[-1]
    return judged.text if judged.codes else ""


def _unless_all(reasons: Mapping[K, str]) -> Mapping[K, str]:
    """Return the reasons. If all choices have one, drop them, so that the refusal gives it."""
    return dict.fromkeys(reasons, "") if all(reasons.values()) else reasons


def _buy(view: View, _at: int) -> Dialogue[Command]:
    barred = _unless_all({item: _refused(view, do.Buy(item)) for item in do.ITEMS})

    def choice(item: InventoryItem) -> Choice:
        return Choice(item, f"{ITEMS[item].capitalize()}, {item_price(item)} IP", barred[item])

    return do.Buy((yield from choose("Buy what, for later turns?", do.ITEMS, choice)))


def _stock(view: View) -> dict[InventoryItem, int]:
    """Return the viewer's items, without those that its list uses."""
    player = view.players[view.viewer]
    orders = cursor.sent(view)
    return {
        "crop": player.crop - sum(isinstance(order, do.UseCrop) for order in orders),
        "dynamite": player.dynamite - sum(isinstance(order, do.UseDynamite) for order in orders),
        "toxic": player.toxic - sum(isinstance(order, do.UseToxic) for order in orders),
    }


def _use(view: View, _at: int) -> Dialogue[Command]:
    stock = _stock(view)

    def choice(item: InventoryItem) -> Choice:
        label = f"{ITEMS[item].capitalize()} ({stock[item]})"
        return Choice(item, label, "" if stock[item] else "You have none.")

    item = yield from choose("Use what?", stock, choice)
    own = [here.id for here in owned(view, view.viewer)]
    if item == "crop":
        at = yield from _one_land(view, "Raise armies where?", own, "Raise armies at")
        most = crop_limit(view, view.viewer)
        question = AskAmount(f"Raise how many armies at {land(view, at)}?", 1, most, most)
        return do.UseCrop(((at, (yield from enter(question))),))
    source = yield from _one_land(view, "Use it from where?", own, "Use it from")
    targets = [*([source] if item == "toxic" else []), *view.world.beside(source)]
    target = yield from _one_land(view, "Use it on which territory?", targets, "Use it on")
    return do.UseToxic(source, target) if item == "toxic" else do.UseDynamite(source, target)


def _one_land(view: View, title: str, places: Sequence[int], action: str) -> Dialogue[int]:
    """Ask for a territory, and describe the effect of each."""
    hints = tuple(f"{action} {land(view, at)}" for at in places)
    cells = tuple(spot(view.world, at) for at in places)
    return _territory(view, (yield AskPlace(title, cells, hints=hints)))


def _promote(view: View, at: int) -> Dialogue[Command]:
    def choice(unit: Unit) -> Choice:
        return Choice(unit, f"{unit.capitalize()}, {unit_rows()[unit].cost} IP each")

    kinds = [unit for unit in UNITS if unit != "army"]
    unit = yield from choose("Train armies as what?", kinds, choice)
    question = AskAmount("Train how many?", 1, max(1, view.territories[at].army), 1)
    return do.Promote(at, unit, (yield from enter(question)))


def _mine(view: View, at: int) -> Dialogue[Command]:
    most = max(1, view.players[view.viewer].ip // numbers().mine_price.value)
    question = AskAmount(f"Lay how many mines at {land(view, at)}?", 1, most, 1)
    return do.LayMines(at, (yield from enter(question)))


def _concede(view: View, _at: int) -> Dialogue[Command]:
    """Ask for confirmation, since conceding cannot be undone. See: GD-END-6."""
    count = len(owned(view, view.viewer))
    lost = f", and lose {many(count, 'territory', 'territories')} with all units" if count else ""
    text = f"You are out when the next turn begins{lost}."
    line = Line(text, Tone.BAD, rule="GD-END-6")
    yield from confirm(AskConfirm("Give up for good?", (line,)))
    return do.Concede()


_DIALOGUES: Final[Mapping[str, Callable[[View, int], Dialogue[Command] | Command]]] = {
    "move": _move,
    "settle": cursor.settling,
    "spawn": _spawn,
    "build": _build,
    "use": _use,
    "buy": _buy,
    "promote": _promote,
    "mine": _mine,
    "list": the_list,
    "seal": sealing,
    "unseal": lambda _view, _at: do.UnsealList(),
    "concede": _concede,
}


def _territory(view: View, answer: str) -> int:
    return territory_at(view.world, *read_cell(answer))
