"""Offer the intents of a player, and turn them into commands by dialogues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

from engine.core import notation
from engine.core.record import Command
from engine.rulesets.kaladan import battle_dialogues, cursor, panels, shop
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.actions import spawn_kinds, spawn_tiles
from engine.rulesets.kaladan.asking import ask_tile, ask_units
from engine.rulesets.kaladan.board import (
    controlled,
    controller,
    crown,
    has_castle,
    neighbours,
    on_board,
    room,
)
from engine.rulesets.kaladan.boxes import tile_at
from engine.rulesets.kaladan.event_phase import event_offers
from engine.rulesets.kaladan.founding import castle_places, free_realms, tile_places
from engine.rulesets.kaladan.odds import battle_odds
from engine.rulesets.kaladan.panels import percent
from engine.rulesets.kaladan.purchases import for_sale, may_buy, purchase_places
from engine.rulesets.kaladan.state import (
    BASIC,
    NOBODY,
    SETUP_PHASES,
    TURN_PHASES,
    BasicKind,
    View,
)
from engine.rulesets.kaladan.tables import event_cards, magic_cards, realms, tables
from engine.rulesets.kaladan.turns import may_end_phase
from engine.rulesets.kaladan.words import (
    PHASES,
    called,
    card_name,
    joined,
    kind_name,
    many,
    on,
    one,
    said,
    unit_name,
)
from engine.tabletop.ask import AnyAsk, AskConfirm, Choice, Intent
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, choose, choose_some, confirm, follow
from engine.tabletop.english import capital
from engine.tabletop.focus import NOTHING, Focus
from engine.tabletop.roles import Tone

_KEYS: Final = "marctgeR"
"""Keys of all intents."""

_ELSEWHERE: Final[Mapping[str, str]] = {
    "m": "Units move in the Action and in the Reinforcement Phase.",
    "a": "Battles are fought in the Action Phase.",
    "r": "Units are raised in the Free Spawn Phase.",
    "g": "Units and cards are bought in the Purchase Phase.",
    "c": "There is nothing to choose now.",
    "e": "First answer what is asked.",
}
"""Reason why the key of an intent does nothing in a phase of a turn."""

_KEY_OF: Final[Mapping[str, str]] = {
    "move": "m",
    "march": "m",
    "attack": "a",
    "raise": "r",
    "buy": "g",
    "end": "e",
}
"""Keys of the intents that do not answer a question of the game."""


# -- intents ---------------------------------------------------------------------------------------


def intents(view: View, focus: Focus) -> tuple[Intent, ...]:
    """Return the intents at the focus, with a reason if one is not possible."""
    return tuple(_offered(view, focus)) if cursor.is_asked(view) else ()


def _offered(view: View, focus: Focus) -> Iterator[Intent]:
    if asked := cursor.asked_intent(view):
        yield Intent(asked, cursor.ASKED[asked], "c")
    else:
        yield from _of_phase(view, focus)
    if may_end_phase(view):
        last = view.phase == TURN_PHASES[-1]
        yield Intent("end", "End the turn" if last else "End the phase", "e", ends="turn")
    yield Intent("resign", "Give up …", "R", ends="game")


def _of_phase(view: View, focus: Focus) -> Iterator[Intent]:
    tile, source = cursor.here(view, focus), _source(view, focus)
    match view.phase:
        case "world":
            reason = "" if tile in tile_places(view) else "The terrain must touch another tile."
            yield Intent("place", "Place the terrain", "c", reason)
        case "castles":
            reason = "" if tile in castle_places(view) else "The Castle cannot stand here."
            yield Intent("castle", "Build the Castle", "c", reason)
        case "spawn":
            reason = "" if spawn_tiles(view, view.viewer) else "No Castle can raise a unit."
            yield Intent("raise", "Raise a unit", "r", reason)
        case "action":
            reason = "" if cursor.ways(view, source) else "No units here can move."
            yield Intent("move", "Move", "m", reason)
            reason = "" if cursor.attacks(view, source) else "Nothing to attack from here."
            fought = "You have fought this turn." if view.battle_used else ""
            yield Intent("attack", "Attack", "a", fought or reason)
        case "purchase":
            reason = "" if may_buy(view, view.viewer) else "You can buy nothing now."
            yield Intent("buy", "Buy", "g", reason, repeats=True)
        case "reinforcement":
            reason = "" if cursor.can_hold(view, source) else "No march is possible from here."
            yield Intent("march", "March", "m", reason)
        case _:
            pass


def _source(view: View, focus: Focus) -> int:
    """Return the tile that sends units: the held one, or the one under the cursor."""
    return focus.held if focus.held != NOTHING else cursor.here(view, focus)


def _why_not_named(view: View, intent: str) -> str:
    """Return the reason why an intent is not offered."""
    return why_not(view, _KEY_OF.get(intent, "c")) or "That is not possible now."


def why_not(view: View, key: str) -> str:
    """Return the reason why an intent's key does nothing now; empty if no intent has that key."""
    if key not in _KEYS:
        return ""
    if view.reason or view.viewer not in view.players:
        return "The war is over." if view.reason else "You only watch."
    if not cursor.is_asked(view):
        alive = view.players[view.viewer].alive
        return "It is another realm's turn." if alive else "You are out of the war."
    if view.battle is not None:
        return "First finish the battle."
    if view.phase in SETUP_PHASES and key not in "c":
        return "The war has not begun yet."
    return _ELSEWHERE.get(key, f"Not in the {PHASES[view.phase]}.")


def why_not_at(
    view: View,
    focus: Focus,
    intent: str,
    answers: Sequence[str],  # noqa: ARG001 - of the protocol
    at: tuple[int, int],
) -> str:
    """Return the reason why a tile cannot be chosen in an intent's dialogue; empty if it can."""
    tile = tile_at(view.layout, *at)
    if not tile:
        return "The world ends here."
    source, name = _source(view, focus), on(view, tile)
    match intent:
        case "move" | "march":
            return cursor.why_no_way(view, source, tile)
        case "attack":
            beside = tile in neighbours(view.layout, source)
            return f"No enemy stands on {name}." if beside else f"{name} is not beside your units."
        case "buy":
            full = controller(view, tile) == view.viewer and room(view, tile) < 1
            usual = "New units come to your Castles and to your Crown."
            return f"{name} is full." if full else usual
        case _:
            return _NOT_AT.get(intent, "").format(name)


_NOT_AT: Final[Mapping[str, str]] = {
    "raise": "No Castle of yours can raise a unit on {}.",
    "event": "The event does not reach {}.",
}


def ask(view: View, focus: Focus, intent: str, answers: Sequence[str]) -> AnyAsk | str:
    """Return the next question of an intent, or its command in notation.

    Raises:
        ValueError: the intent is not possible here, or an answer does not fit.
    """
    wanted = {found.name: found for found in intents(view, focus)}.get(intent)
    if wanted is None or wanted.reason:
        raise ValueError(wanted.reason if wanted else _why_not_named(view, intent))
    if place := _ON_TILE.get(intent):
        return notation.write(place(on(view, cursor.here(view, focus))))
    found = follow(_DIALOGUES[intent](view, focus), answers)
    return notation.write(found) if isinstance(found, Command) else found


# -- set-up ----------------------------------------------------------------------------------------

_ON_TILE: Final[Mapping[str, Callable[[str], Command]]] = {
    "place": do.PlaceTile,
    "castle": do.PlaceCastle,
}
"""Commands on the tile under the cursor, for which nothing is asked."""


def _realm(view: View, _focus: Focus) -> Dialogue[Command]:
    realm = yield from choose(
        "Which realm do you lead?",
        free_realms(view),
        lambda realm: Choice(realm, f"{realms()[realm].name}: {panels.special_text(realm)}"),
    )
    return do.ChooseRealm(realm)


def _deploy(_view: View, _focus: Focus) -> Dialogue[Command]:
    count = tables().setup.deploy_basic
    units = [(kind, number) for kind in BASIC for number in range(1, count + 1)]

    def choice(unit: tuple[BasicKind, int]) -> Choice:
        kind, number = unit
        return Choice(f"{kind}{number}", f"{kind_name(kind)} {number}: {panels.kind_text(kind)}")

    title = f"Which {count} Basic units stand beside the Crown?"
    chosen = yield from choose_some(title, units, choice, count, count)
    return do.Deploy(tuple(kind for kind, _ in sorted(chosen, key=units.index)))


# -- events ----------------------------------------------------------------------------------------

_OPTIONS: Final[Mapping[str, str]] = {
    "add": "Add a unit",
    "upgrade": "Upgrade a unit",
    "resurrect": "Bring a unit back",
    "retire": "Return a unit to the reserve",
    "swap_magic": "Swap a Magic card",
    "nothing": "Take nothing",
}


def _event(view: View, _focus: Focus) -> Dialogue[Command]:
    """Ask for option, unit or card, and tile; skip questions without a choice. See: KA-11.1."""
    left: Sequence[do.AnswerEvent] = event_offers(view, view.viewer)
    steps: tuple[tuple[str, Callable[[do.AnswerEvent], str]], ...] = (
        (card_name(view.event.card) if view.event else "Event", lambda offer: offer.option),
        ("Which unit?", lambda offer: str(offer.unit)),
        ("Which card do you give?", lambda offer: offer.card),
    )
    for question, field in steps:
        values = tuple(dict.fromkeys(map(field, left)))
        if len(values) > 1:
            chosen = yield from choose(question, values, partial(_event_choice, view))
            left = [offer for offer in left if field(offer) == chosen]
    if len(left) == 1:
        return left[0]
    tiles = [panels.number_of(view, offer.tile) for offer in left]
    tile = yield from ask_tile(view, "On which tile?", tiles, action="Choose")
    return left[tiles.index(tile)]


def _event_choice(view: View, value: str) -> Choice:
    """Return the choice of an option, a unit or a card of an event."""
    label, card = _OPTIONS.get(value, value), magic_cards().get(value)
    if value == "gold" and view.event is not None:
        options = event_cards()[view.event.card].options
        label = f"Take {next(option.n for option in options if option.op == 'gold')} gold"
    elif value.isdigit() and int(value) in view.units:
        unit = view.units[int(value)]
        label = unit_name(view, unit) + (f" on {on(view, unit.tile)}" if unit.tile else "")
    elif card is not None:
        label = f"{card.name}: {card.text}"
    return Choice(value, label)


# -- spawns, moves, marches ------------------------------------------------------------------------


def _raise(view: View, focus: Focus) -> Dialogue[Command]:
    tiles, tile = spawn_tiles(view, view.viewer), cursor.here(view, focus)
    if tile not in tiles:
        tile = yield from ask_tile(view, "In which Castle?", tiles, action="Raise a unit on")
    kinds = spawn_kinds(view, view.viewer)
    if len(kinds) > 1:
        kinds = ((yield from choose("Which unit?", kinds, partial(_kind_choice, view))),)
    return do.Spawn(on(view, tile), kinds[0])


def _kind_choice(view: View, kind: BasicKind) -> Choice:
    left = sum(
        unit.kind == kind and unit.place == "reserve" and unit.owner == view.viewer
        for unit in view.units.values()
    )
    return Choice(kind, f"{kind_name(kind)}, {panels.kind_text(kind)}, {left} left")


def _move(view: View, focus: Focus) -> Dialogue[Command]:
    """Ask for target tile and units; skip questions without a choice. See: KA-6.4, KA-6.6."""
    source = _source(view, focus)
    target, tiles = _aimed_at(view, focus), cursor.ways(view, source)
    if target not in tiles:
        target = yield from ask_tile(view, "Move where?", tiles, action="Move to")
    units = cursor.sendable(view, source)
    chosen = tuple(unit.id for unit in units)
    if len(units) > 1:
        title, most = f"Who goes to {on(view, target)}?", min(len(units), room(view, target))
        chosen = yield from ask_units(view, title, units, 1, most)
    ends = on(view, source), on(view, target)
    if view.phase != "reinforcement":
        return do.MoveUnits(*ends, chosen)
    lines = (Line("After the march your turn ends.", rule="KA-6.6"),)
    yield from confirm(AskConfirm(f"March to {ends[1]}, and end the turn?", lines))
    return do.March(*ends, chosen)


def _attack(view: View, focus: Focus) -> Dialogue[Command]:
    """Ask for an enemy tile, then show the forecast for confirmation. See: KA-7.2."""
    source = _source(view, focus)
    target, tiles = _aimed_at(view, focus), cursor.attacks(view, source)
    if target not in tiles:
        chance = partial(panels.chance_text, view, source)
        target = yield from ask_tile(view, "Attack which tile?", tiles, chance, action="Attack")
    title = f"Attack {on(view, target)} from {on(view, source)}?"
    lines = (*panels.forecast(view, source, target), _PACE)
    yield from confirm(AskConfirm(title, lines, "attack", "not now"))
    return do.Attack(on(view, source), on(view, target))


def _aimed_at(view: View, focus: Focus) -> int:
    """Return the tile under the cursor if it is the target of a held stack, else 0."""
    return cursor.here(view, focus) if focus.held != NOTHING else 0


_PACE: Final = Line("All dice are thrown at once, and paired.", Tone.QUIET, rule="KA-7.6")
"""Line shown before an attack: how a battle runs."""


# -- ends ------------------------------------------------------------------------------------------


def _end(view: View, _focus: Focus) -> Dialogue[Command]:
    """End the phase; ask first if a Crown or Castle is in danger or units can act. See: KA-6."""
    lines = [*dangers(view)] if view.phase in {"action", "reinforcement"} else []
    if left := _left(view):
        lines.append(Line(left, rule="KA-6"))
    if lines:
        title = f"End the {PHASES[view.phase]}?"
        yield from confirm(AskConfirm(title, tuple(lines), "end it", "go back"))
    return do.EndPhase()


def _left(view: View) -> str:
    """Describe what can still be done in the phase; empty if nothing important."""
    if view.phase == "action" and (count := len(cursor.idle(view))):
        fight = "" if view.battle_used else " You have not fought yet."
        return f"{many(count, 'tile')} can still act.{fight}"
    if view.phase == "purchase":
        return _unspent(view)
    if view.phase == "spawn" and spawn_tiles(view, view.viewer):
        return "A Castle can still raise a free unit."
    return ""


def _unspent(view: View) -> str:
    """Describe the gold that can still buy a unit; empty if it cannot. See: KA-6.5."""
    seat = view.viewer
    sold = for_sale(view, seat) if purchase_places(view, seat) else ()
    if not sold:
        return ""
    dearest = max(sold, key=lambda row: row.price)
    gold = view.players[seat].gold
    return f"Your {gold} gold would buy {one(kind_name(dearest.id))}. It is kept for later."


def _resign(view: View, _focus: Focus) -> Dialogue[Command]:
    text = f"{_leaving(view)} the war. This cannot be taken back."
    line = Line(text, Tone.BAD, rule="KA-8.4")
    yield from confirm(AskConfirm("Give up for good?", (line,)))
    return do.Resign()


def _leaving(view: View) -> str:
    """Describe what leaves with the viewer: its Crown and other units on the board, or nothing."""
    own = on_board(view, view.viewer)
    units = sum(unit.kind != "crown" for unit in own)
    parts = ["your Crown"] if len(own) > units else []
    parts += [many(units, "unit")] if units else []
    leaves = "leave" if units > 1 or len(parts) > 1 else "leaves"
    return f"{capital(joined(parts))} {leaves}" if parts else "You leave"


_DIALOGUES: Final[Mapping[str, Callable[[View, Focus], Dialogue[Command]]]] = {
    "realm": _realm,
    "deploy": _deploy,
    "event": _event,
    "raise": _raise,
    "move": _move,
    "march": _move,
    "attack": _attack,
    "buy": shop.buy,
    "end": _end,
    "resign": _resign,
    **battle_dialogues.DIALOGUES,
}


# -- dangers for Crown and Castles -----------------------------------------------------------------


def dangers(view: View) -> Iterator[Line]:
    """Yield lines about the viewer's Crown and Castles that adjacent enemies can strike.

    The Crown comes first, then the Castles by danger; each shows its most dangerous attacker.
    See: KA-8.2, KA-18.1.
    """
    own = crown(view, view.viewer)
    home = own.tile if own is not None else 0
    found: list[tuple[bool, Fraction, int, int]] = []
    for tile in controlled(view, view.viewer):
        if tile != home and not has_castle(view, tile):
            continue
        for source in neighbours(view.layout, tile):
            if controller(view, source) not in (NOBODY, view.viewer):
                roll = battle_odds(view, source, tile).roll
                lost = roll.crowns[1] if tile == home else roll.clears
                found.append((tile != home, -lost, tile, source))
    named = set[int]()
    for not_home, chance, tile, source in sorted(found):
        if chance and tile not in named:
            named.add(tile)
            what = f"Castle of {on(view, tile)}" if not_home else "Your Crown"
            enemy = called(view, controller(view, source))
            text = f"{what} can fall to {enemy}: {percent(-chance)}."
            rule = "KA-18.1" if not_home else "KA-8.2"
            yield said(view, text, view.viewer, rule, tile, tone=Tone.BAD)
