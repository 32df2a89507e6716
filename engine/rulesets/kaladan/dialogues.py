"""Offer the intents of a player, and turn them into commands by dialogues."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from engine.core import notation
from engine.core.record import Command
from engine.rulesets.kaladan import battle_dialogues, cursor, panels, shop
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan.actions import spawn_kinds, spawn_tiles
from engine.rulesets.kaladan.asking import Dialogue, ask_tile, picked, some_units, tile_of, units_of
from engine.rulesets.kaladan.board import (
    controlled,
    controller,
    crown,
    has_castle,
    neighbours,
    room,
    standing,
    tile_name,
)
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
    Phase,
    View,
)
from engine.rulesets.kaladan.tables import event_cards, magic_cards, realms, tables
from engine.rulesets.kaladan.turns import may_end_phase
from engine.rulesets.kaladan.words import (
    PHASES,
    called,
    card_name,
    kind_name,
    many,
    on,
    one,
    said,
    unit_name,
)
from engine.tabletop.ask import (
    AnyAsk,
    AskConfirm,
    AskOne,
    AskSome,
    Choice,
    Intent,
)
from engine.tabletop.board import Line
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

ASKED: Final[Mapping[str, str]] = {
    "realm": "Choose a realm",
    "deploy": "Choose the first units",
    "event": "Answer the event",
    "magic": "Magic: in or out",
    "aim": "Aim your card",
    "losses": "Choose casualties",
    "after": "Magic after the battle",
    "invasion": "Choose who moves in",
}
"""Intents that answer a question of the game, with their labels."""


# -- intents ---------------------------------------------------------------------------------------


def intents(view: View, focus: Focus) -> tuple[Intent, ...]:
    """Return the intents at the focus, with a reason if one is not possible."""
    if not cursor.is_asked(view):
        return ()
    return (
        *_of_phase(view, focus),
        *_ending(view),
        Intent("resign", "Give up …", "R", ends="game"),
    )


def _of_phase(view: View, focus: Focus) -> tuple[Intent, ...]:
    if asked := cursor.asked_intent(view):
        return (Intent(asked, ASKED[asked], "c"),)
    of_phase = _PHASE_INTENTS.get(view.phase)
    return of_phase(view, focus) if of_phase is not None else ()


def _of_world(view: View, focus: Focus) -> tuple[Intent, ...]:
    fits = cursor.here(view, focus) in tile_places(view)
    reason = "" if fits else "The terrain must touch another tile."
    return (Intent("place", "Place the terrain", "c", reason),)


def _of_castles(view: View, focus: Focus) -> tuple[Intent, ...]:
    fits = cursor.here(view, focus) in castle_places(view)
    reason = "" if fits else "The Castle cannot stand here."
    return (Intent("castle", "Build the Castle", "c", reason),)


def _of_spawns(view: View, _focus: Focus) -> tuple[Intent, ...]:
    reason = "" if spawn_tiles(view, view.viewer) else "No Castle can raise a unit."
    return (Intent("raise", "Raise a unit", "r", reason),)


def _source(view: View, focus: Focus) -> int:
    """Return the tile that sends units: the held one, or the one under the cursor."""
    return focus.held if focus.held != NOTHING else cursor.here(view, focus)


def _of_action(view: View, focus: Focus) -> tuple[Intent, ...]:
    source = _source(view, focus)
    move = "" if cursor.ways(view, source) else "No units here can move."
    fight = "" if cursor.attacks(view, source) else "Nothing to attack from here."
    if view.battle_used:
        fight = "You have fought this turn."
    return Intent("move", "Move", "m", move), Intent("attack", "Attack", "a", fight)


def _of_shop(view: View, _focus: Focus) -> tuple[Intent, ...]:
    reason = "" if may_buy(view, view.viewer) else "You can buy nothing now."
    return (Intent("buy", "Buy", "g", reason, repeats=True),)


def _of_marches(view: View, focus: Focus) -> tuple[Intent, ...]:
    fits = cursor.can_hold(view, _source(view, focus))
    return (Intent("march", "March", "m", "" if fits else "No march is possible from here."),)


_PHASE_INTENTS: Final[Mapping[Phase, Callable[[View, Focus], tuple[Intent, ...]]]] = {
    "world": _of_world,
    "castles": _of_castles,
    "spawn": _of_spawns,
    "action": _of_action,
    "purchase": _of_shop,
    "reinforcement": _of_marches,
}


def _ending(view: View) -> tuple[Intent, ...]:
    if not may_end_phase(view):
        return ()
    last = view.phase == TURN_PHASES[-1]
    label = "End the turn" if last else "End the phase"
    return (Intent("end", label, "e", ends="turn"),)


def _why_not_named(view: View, intent: str) -> str:
    """Reason why an intent is not offered."""
    return why_not(view, _KEY_OF.get(intent, "c")) or "That is not possible now."


def why_not(view: View, key: str) -> str:
    """Return why an intent's key does nothing now; empty if no intent has that key."""
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


def why_not_at(view: View, focus: Focus, intent: str, tile: int) -> str:
    """Reason why a tile cannot be chosen in the dialogue of an intent; empty without one."""
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
        ValueError: the intent is not possible here.
    """
    wanted = {found.name: found for found in intents(view, focus)}.get(intent)
    if wanted is None or wanted.reason:
        raise ValueError(wanted.reason if wanted else _why_not_named(view, intent))
    found = _DIALOGUES[intent](view, focus, answers)
    return notation.write(found) if isinstance(found, Command) else found


# -- set-up ----------------------------------------------------------------------------------------


def _place(view: View, focus: Focus, _answers: Sequence[str]) -> Command:
    return do.PlaceTile(tile_name(view.layout, cursor.here(view, focus)))


def _castle(view: View, focus: Focus, _answers: Sequence[str]) -> Command:
    return do.PlaceCastle(tile_name(view.layout, cursor.here(view, focus)))


def _realm(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    choices = tuple(
        Choice(realm, f"{realms()[realm].name}: {panels.special_text(realm)}")
        for realm in free_realms(view)
    )
    if not answers:
        return AskOne("Which realm do you lead?", choices)
    return do.ChooseRealm(picked(choices, answers[0]))


def _deploy(_view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    count = tables().setup.deploy_basic
    choices = tuple(
        Choice(f"{kind}{number}", f"{kind_name(kind)} {number}: {panels.kind_text(kind)}")
        for kind in BASIC
        for number in range(1, count + 1)
    )
    if not answers:
        title = f"Which {count} Basic units stand beside the Crown?"
        return AskSome(title, choices, count, count)
    chosen = answers[0].split(">")
    kinds: tuple[BasicKind, ...] = tuple(
        kind for kind in BASIC for word in chosen if word.startswith(kind)
    )
    return do.Deploy(kinds)


# -- events ----------------------------------------------------------------------------------------

_OPTIONS: Final[Mapping[str, str]] = {
    "add": "Add a unit",
    "upgrade": "Upgrade a unit",
    "resurrect": "Bring a unit back",
    "retire": "Return a unit to the reserve",
    "swap_magic": "Swap a Magic card",
    "nothing": "Take nothing",
}


def _event(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for option, unit or card, and tile; skip questions without a choice. Rules: KA-11.1."""
    left, rest = list(event_offers(view, view.viewer)), list(answers)
    title = card_name(view.event.card) if view.event else "Event"
    steps: tuple[tuple[str, Callable[[do.AnswerEvent], str]], ...] = (
        (title, lambda offer: offer.option),
        ("Which unit?", lambda offer: str(offer.unit)),
        ("Which card do you give?", lambda offer: offer.card),
    )
    for question, field in steps:
        values = list(dict.fromkeys(field(offer) for offer in left))
        if len(values) > 1:
            choices = tuple(Choice(value, _event_label(view, value)) for value in values)
            if not rest:
                return AskOne(question, choices)
            chosen = picked(choices, rest.pop(0))
            left = [offer for offer in left if field(offer) == chosen]
    names = [offer.tile for offer in left]
    if len(left) > 1:
        tiles = [panels.number_of(view, name) for name in names]
        if not rest:
            return ask_tile(view, "On which tile?", tiles, action="Choose")
        name = on(view, tile_of(view, tiles, rest.pop(0)))
        left = [offer for offer in left if offer.tile == name]
    return left[0]


def _event_label(view: View, value: str) -> str:
    if value == "gold" and view.event is not None:
        options = event_cards()[view.event.card].options
        return f"Take {next(option.n for option in options if option.op == 'gold')} gold"
    if value in _OPTIONS:
        return _OPTIONS[value]
    if value.isdigit() and int(value) in view.units:
        unit = view.units[int(value)]
        where = f" on {on(view, unit.tile)}" if unit.tile else ""
        return f"{unit_name(view, unit)}{where}"
    card = magic_cards().get(value)
    return f"{card.name}: {card.text}" if card is not None else value


# -- spawns, moves, marches ------------------------------------------------------------------------


def _raise(view: View, focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    tiles, rest = spawn_tiles(view, view.viewer), list(answers)
    tile = cursor.here(view, focus)
    if tile not in tiles:
        if len(tiles) > 1 and not rest:
            return ask_tile(view, "In which Castle?", tiles, action="Raise a unit on")
        tile = tiles[0] if len(tiles) == 1 else tile_of(view, tiles, rest.pop(0))
    kinds = spawn_kinds(view, view.viewer)
    choices = tuple(Choice(kind, _stocked(view, kind)) for kind in kinds)
    if len(kinds) == 1:
        return do.Spawn(tile_name(view.layout, tile), kinds[0])
    if not rest:
        return AskOne("Which unit?", choices)
    chosen = picked(choices, rest[0])
    return do.Spawn(tile_name(view.layout, tile), next(kind for kind in kinds if kind == chosen))


def _stocked(view: View, kind: str) -> str:
    left = sum(
        unit.kind == kind and unit.place == "reserve" and unit.owner == view.viewer
        for unit in view.units.values()
    )
    return f"{kind_name(kind)}, {panels.kind_text(kind)}, {left} left"


def _move(view: View, focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for target tile and units; skip questions without a choice. Rules: KA-6.4, KA-6.6."""
    source, rest = _source(view, focus), list(answers)
    tiles = cursor.ways(view, source)
    target = cursor.here(view, focus) if focus.held != NOTHING else 0
    if target not in tiles:
        if len(tiles) > 1 and not rest:
            return ask_tile(view, "Move where?", tiles, action="Move to")
        target = tiles[0] if len(tiles) == 1 else tile_of(view, tiles, rest.pop(0))
    units = cursor.sendable(view, source)
    most = min(len(units), room(view, target))
    if len(units) > 1 and not rest:
        return some_units(view, f"Who goes to {on(view, target)}?", units, 1, most)
    chosen = units_of(rest.pop(0)) if len(units) > 1 else (units[0].id,)
    ends = tile_name(view.layout, source), tile_name(view.layout, target)
    if view.phase != "reinforcement":
        return do.MoveUnits(*ends, chosen)
    if not rest:
        lines = (Line("After the march your turn ends.", rule="KA-6.6"),)
        return AskConfirm(f"March to {ends[1]}, and end the turn?", lines)
    return do.March(*ends, chosen)


def _attack(view: View, focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """Ask for an enemy tile, then show the forecast for confirmation. Rules: KA-7.2."""
    source, rest = _source(view, focus), list(answers)
    tiles = cursor.attacks(view, source)
    target = cursor.here(view, focus) if focus.held != NOTHING else 0
    if target not in tiles:
        if len(tiles) > 1 and not rest:
            labels = [panels.chance_text(view, source, tile) for tile in tiles]
            return ask_tile(view, "Attack which tile?", tiles, labels, action="Attack")
        target = tiles[0] if len(tiles) == 1 else tile_of(view, tiles, rest.pop(0))
    if not rest:
        title = f"Attack {on(view, target)} from {on(view, source)}?"
        return AskConfirm(
            title, (*panels.forecast(view, source, target), _PACE), "attack", "not now"
        )
    return do.Attack(tile_name(view.layout, source), tile_name(view.layout, target))


_PACE: Final = Line("All dice are thrown at once, and paired.", Tone.QUIET, rule="KA-7.6")
"""Line shown before an attack: how a battle runs."""


# -- ends ------------------------------------------------------------------------------------------


def _end(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    """End the phase; ask first if a Crown or Castle is in danger or units can act. Rules: KA-6."""
    left = _left(view)
    lines = [*dangers(view)] if view.phase in {"action", "reinforcement"} else []
    lines += [Line(left, rule="KA-6")] if left else []
    if lines and not answers:
        return AskConfirm(f"End the {PHASES[view.phase]}?", tuple(lines), "end it", "go back")
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
    """Describe the gold that can still buy a unit; empty if it cannot. Rules: KA-6.5."""
    seat = view.viewer
    sold = for_sale(view, seat) if purchase_places(view, seat) else ()
    if not sold:
        return ""
    dearest = max(sold, key=lambda row: row.price)
    gold = view.players[seat].gold
    return f"Your {gold} gold would buy {one(kind_name(dearest.id))}. It is kept for later."


def _resign(view: View, _focus: Focus, answers: Sequence[str]) -> AnyAsk | Command:
    if not answers:
        count = sum(len(standing(view, tile)) for tile in controlled(view, view.viewer))
        text = f"Your Crown and {many(count, 'unit')} leave the war. This cannot be taken back."
        return AskConfirm("Give up for good?", (Line(text, Tone.BAD, rule="KA-8.4"),))
    return do.Resign()


_DIALOGUES: Final[Mapping[str, Dialogue]] = {
    "place": _place,
    "castle": _castle,
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
    Rules: KA-8.2, KA-18.1.
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
