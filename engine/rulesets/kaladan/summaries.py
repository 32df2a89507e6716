"""Status, summary, result, statistics and reports of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.rulesets.kaladan.board import (
    castles,
    controlled,
    controller,
    crown,
    has_castle,
    living,
    on_board,
    owned,
    standing,
)
from engine.rulesets.kaladan.boxes import spot
from engine.rulesets.kaladan.cursor import left_to_move
from engine.rulesets.kaladan.narration_battles import ENDS
from engine.rulesets.kaladan.state import HIDDEN, NOBODY, Phase, Unit, View
from engine.rulesets.kaladan.tables import first_seat, realms
from engine.rulesets.kaladan.turns import owing, statistics
from engine.rulesets.kaladan.view import knows
from engine.rulesets.kaladan.words import (
    PHASES,
    TERRAIN,
    called,
    card_name,
    company,
    ground,
    joined,
    many,
    on,
    said,
    sentence,
    unit_name,
)
from engine.tabletop.board import NOBODY as NO_SEAT
from engine.tabletop.board import Find, Line, Status
from engine.tabletop.report import UNKNOWN, Column, Report, ReportRow, columns
from engine.tabletop.roles import Tone

_STEPS = {
    "magic": "Magic: in or out",
    "aim": "targets of a card",
    "losses": "casualties",
    "after": "Magic after the battle",
    "invasion": "the invasion",
}
"""Decisions that a battle waits for, as text. See: KA-7.1."""

_TASKS: Mapping[Phase, str] = {
    "world": "place the terrain",
    "realms": "choose a realm",
    "castles": "place the Castle",
    "deployment": "choose the first units",
    "event": "answer the event",
    "spawn": "raise units in Castles",
    "action": "move and fight",
    "purchase": "buy",
    "reinforcement": "march, or end the turn",
}


SETUP_TRACK: Mapping[Phase, str] = {
    "world": "World",
    "realms": "Realms",
    "castles": "Castles",
    "deployment": "Units",
}
"""Names of the set-up steps in the progress track. See: KA-5."""

TURN_TRACK: Mapping[Phase, str] = {
    "event": "Event",
    "income": "Income",
    "spawn": "Raise",
    "action": "Move",
    "purchase": "Buy",
    "reinforcement": "Reinforce",
}
"""Names of a turn's phases in the progress track. See: KA-6."""

# -- the status ------------------------------------------------------------------------------------


def status(view: View) -> Status:
    """Return round, phase, the seat that must act, and its units that can still move."""
    waiting = sorted(owing(view))
    seat = waiting[0] if waiting else NO_SEAT
    limit = view.options.round_limit
    track = _track(view)
    return Status(
        round=view.round,
        rounds=max(limit, view.round),
        phase="End" if view.reason else _phase(view),
        seat=seat,
        text=f"{_round(view)}. {_doing(view, seat)}",
        todo=_todo(view, seat),
        over=bool(view.reason),
        track=tuple(track.values()),
        at_track=tuple(track).index(view.phase) if view.phase in track else 0,
        endless=limit < view.round,
        side="" if seat == NO_SEAT else called(view, seat),
        todo_of=len(on_board(view, seat)) if _is_marching(view, seat) else 0,
        todo_word="still to move" if _is_marching(view, seat) else "decision to make",
        stock=_stock(view, seat),
    )


def _stock(view: View, seat: int) -> str:
    """Return the viewer's gold, with its name while another seat acts; empty for spectators."""
    own = view.players.get(view.viewer)
    if own is None:
        return ""
    gold = f"{own.gold} gold"
    return gold if seat in {NO_SEAT, view.viewer} else f"{called(view, view.viewer)} has {gold}"


def _track(view: View) -> dict[Phase, str]:
    """Return the steps of the set-up, or the phases of a turn in this game."""
    if view.phase in SETUP_TRACK:
        return {**SETUP_TRACK}
    left_out = {"event"} if view.options.events == "off" else set[str]()
    return {phase: name for phase, name in TURN_TRACK.items() if phase not in left_out}


def _is_marching(view: View, seat: int) -> bool:
    """Return whether the viewer's seat moves and fights now."""
    return seat == view.viewer and view.phase == "action" and view.battle is None


def _round(view: View) -> str:
    limit = view.options.round_limit
    return f"Round {view.round} of {limit}" if limit >= view.round else f"Round {view.round}"


def _phase(view: View) -> str:
    return "Battle" if view.battle is not None else PHASES[view.phase]


def _doing(view: View, seat: int) -> str:
    if view.reason:
        names = joined([called(view, one) for one in view.winners])
        if len(view.winners) > 1:
            return f"{names} share the end."
        return f"{names} has won." if names else "Nobody has won."
    name = called(view, seat) + (" (you)" if seat == view.viewer else "")
    if view.battle is not None:
        where = on(view, view.battle.sides[1].tile)
        return f"Battle of {where}: {name} decides on {_STEPS[view.battle.step]}."
    return f"{PHASES[view.phase]}: {name} to {_TASKS.get(view.phase, 'act')}."


def _todo(view: View, seat: int) -> int:
    """Return how many units can still move in the Action Phase; 1 for any other choice."""
    if seat == NO_SEAT or seat != view.viewer:
        return 0
    if not _is_marching(view, seat):
        return 1
    return left_to_move(view)


# -- the summary -----------------------------------------------------------------------------------


def summary(view: View) -> tuple[Line, ...]:
    """Return the standings, below the aim of the game or the result."""
    first = ending(view) if view.reason else (Line(f"{_round(view)}.", Tone.TITLE), *aims(view))
    return (*first, *(_seat(view, seat) for seat in view.players))


def aims(view: View) -> tuple[Line, ...]:
    """Return the ways to win this game. See: KA-17."""
    lines = [Line("The last Crown standing wins.", rule="KA-17.1")]
    if limit := view.options.round_limit:
        text = f"After round {limit} most Castles win, then tiles, units, gold."
        lines.append(Line(text, rule="KA-17.3"))
    return tuple(lines)


def _seat(view: View, seat: int) -> Line:
    player = view.players[seat]
    if not player.alive:
        return said(view, f"{called(view, seat)}: out of the war", seat, "KA-16")
    if not player.realm:
        return said(view, f"{called(view, seat)}: no realm yet", seat, "KA-5.3")
    parts = [
        many(len(castles(view, seat)), "Castle"),
        many(len(controlled(view, seat)), "tile"),
        many(len(on_board(view, seat)), "unit"),
        f"{player.gold} gold",
    ]
    if view.options.magic == "on":
        parts.append(many(len(player.hand), "Magic card"))
    return said(view, f"{called(view, seat)}: {', '.join(parts)}", seat, "KA-1.1")


def ending(view: View) -> tuple[Line, ...]:
    """Return the winners and the reason. See: KA-17."""
    winners = view.winners
    seat = winners[0] if len(winners) == 1 else NOBODY
    names = joined([called(view, one) for one in winners]) or "nobody"
    verb = "share the end" if len(winners) > 1 else "wins"
    title = Line(sentence(f"{names} {verb} in round {view.round}"), Tone.TITLE, seat)
    why = {
        "last_crown": "No other Crown stands.",
        "no_crown": "The last Crowns fell in one battle.",
        "round_limit": "The last round is over.",
    }.get(view.reason, "")
    return title, Line(why, Tone.STRONG, seat, ENDS.get(view.reason, "KA-17.1"))


# -- search ------------------------------------------------------------------------------------


def finds(view: View) -> tuple[Find, ...]:
    """Return the search entries: tiles, Crowns, then the other units of each tile."""
    return tuple(_finds(view))


def _finds(view: View) -> Iterator[Find]:
    """Yield entries such as ``B2 Mountain (Khalisia)`` and ``3 Swords of Khalisia on B1``."""
    for tile in view.tiles:
        owner = controller(view, tile)
        whose = called(view, owner) if owner != NOBODY else "free"
        text = f"{on(view, tile)} {ground(view, tile)} ({whose})"
        yield Find(text, "tile", spot(view.layout, tile), owner)
    for seat in living(view):
        if king := crown(view, seat):
            text = f"Crown of {called(view, seat)} on {on(view, king.tile)}"
            yield Find(text, "unit", spot(view.layout, king.tile), seat)
    for tile in view.tiles:
        units = [unit for unit in standing(view, tile) if unit.kind != "crown"]
        if units:
            seat = units[0].owner
            names = company(view, [unit.id for unit in units])
            text = f"{names} of {called(view, seat)} on {on(view, tile)}"
            yield Find(text, "unit", spot(view.layout, tile), seat)


# -- reports ---------------------------------------------------------------------------------------


def reports(view: View) -> tuple[Report, ...]:
    """Return reports on seats, units, tiles, Crowns, cards, battles and dice. See: KA-15."""
    left, used = len(view.event_deck), len(view.event_discard)
    events = f"Event cards: {left} in the deck, {used} on the discard pile."
    return (
        _report("seats", "Realms", _SEATS, _seat_rows(view)),
        _report("units", "Units", _UNITS, _unit_rows(view)),
        _report("tiles", "Tiles", _TILES, _tile_rows(view)),
        _report("crowns", "Crowns", _CROWNS, _crown_rows(view)),
        _report("cards", "Cards", _CARDS, _card_rows(view), events),
        _report("battles", "Battles", _BATTLES, _battle_rows(view)),
        _report("luck", "Luck of the dice", _LUCK, _luck_rows(view), "Rolled again counts once."),
    )


_SEATS: Final = columns("Realm", ">Castles", ">Tiles", ">Units", ">Gold", "Is")
_UNITS: Final = columns("Realm", "Unit", "Where", "This turn")
_TILES: Final = columns("Tile", "Terrain", "Castle", "Held by", "Units")
_CROWNS: Final = columns("Realm", "Crown", ">Guards", "In a Castle", "Special Units")
_CARDS: Final = columns("Realm", ">In hand", "Hand", "Played", ">In the deck")
_BATTLES: Final = columns("Realm", ">Battles", ">Won or held", ">Units lost")
_LUCK: Final = columns("Realm", ">Dice", ">Sum", ">Expected", ">Luck")


def _report(
    name: str, title: str, heads: tuple[Column, ...], rows: Iterable[ReportRow], *notes: str
) -> Report:
    return Report(name, title, heads, tuple(rows), notes)


def _seat_rows(view: View) -> Iterator[ReportRow]:
    counted = statistics(view)
    for seat, player in view.players.items():
        fate = "winner" if seat in view.winners else "" if player.alive else "out"
        numbers = (values[seat] for values in counted.values())
        yield ReportRow((called(view, seat), *numbers, fate), seat=seat)


def _unit_rows(view: View) -> Iterator[ReportRow]:
    for seat in view.players:
        for unit in owned(view, seat):
            if unit.place == "out":
                continue
            where = on(view, unit.tile) if unit.tile else unit.place
            at = spot(view.layout, unit.tile) if unit.tile else None
            state = "no step left" if unit.done else ""
            cells = (called(view, seat), unit_name(view, unit), where, state)
            tone = Tone.QUIET if unit.place in ("dead", "reserve") else Tone.NORMAL
            yield ReportRow(cells, tone, at, seat)


def _tile_rows(view: View) -> Iterator[ReportRow]:
    for tile in view.tiles.values():
        owner = controller(view, tile.id)
        here = company(view, [unit.id for unit in standing(view, tile.id)])
        cells = (
            on(view, tile.id),
            TERRAIN.get(tile.terrain, ""),
            "Castle" if has_castle(view, tile.id) else "",
            called(view, owner) if owner != NOBODY else "",
            here if owner != NOBODY else "",
        )
        yield ReportRow(cells, at=spot(view.layout, tile.id), seat=owner)


def _crown_rows(view: View) -> Iterator[ReportRow]:
    for seat, player in view.players.items():
        king = crown(view, seat) if player.alive else None
        where = on(view, king.tile) if king else "fallen" if not player.alive else "not yet"
        guard = len(standing(view, king.tile)) - 1 if king else 0
        castle = "yes" if king and has_castle(view, king.tile) else ""
        special = [unit for unit in owned(view, seat) if unit.kind == "special"]
        names = joined([_special(view, unit) for unit in special if unit.place != "out"])
        at = spot(view.layout, king.tile) if king else None
        yield ReportRow((called(view, seat), where, guard, castle, names), at=at, seat=seat)


def _special(view: View, unit: Unit) -> str:
    where = on(view, unit.tile) if unit.tile else unit.place
    made = first_seat(unit.id)
    taken = f", taken from {called(view, made)}" if made != unit.owner else ""
    return f"{unit_name(view, unit)} ({where}{taken})"


def _card_rows(view: View) -> Iterator[ReportRow]:
    """Yield hands known to the viewer, played cards, and remaining ones. See: KA-15."""
    for seat, player in view.players.items():
        if player.realm in realms():
            known = [card_name(card) for card in player.hand if card != HIDDEN]
            hand = joined(known) if knows(view.viewer, seat) or view.reason else UNKNOWN
            played = joined([card_name(card) for card in player.spent])
            cells = (called(view, seat), len(player.hand), hand, played, len(player.deck))
            yield ReportRow(cells, seat=seat)


def _battle_rows(view: View) -> Iterator[ReportRow]:
    for seat, player in view.players.items():
        own = (unit for unit in view.units.values() if unit.owner == seat)
        lost = sum(unit.place in ("dead", "fallen") for unit in own)
        cells = (called(view, seat), player.battles, player.battles_won, lost)
        yield ReportRow(cells, seat=seat)


def _luck_rows(view: View) -> Iterator[ReportRow]:
    """Yield dice thrown, their sum, and the expected sum."""
    for seat, player in view.players.items():
        expected = player.dice_expected / 2
        luck = f"{expected:.1f}", f"{player.dice_sum - expected:+.1f}"
        yield ReportRow((called(view, seat), player.dice, player.dice_sum, *luck), seat=seat)
