"""Describe set-up and turns: sentences and facts, registered by type of event.

All functions see redacted events, so no line and no fact reveals a secret.
``narration_battles`` registers the events of battles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.core.record import Event
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.boxes import spot
from engine.rulesets.kaladan.state import HIDDEN, SETUP_PHASES, View
from engine.rulesets.kaladan.tables import event_cards, realms
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
    one,
    said,
    sentence,
    unit_name,
)
from engine.tabletop.board import Line
from engine.tabletop.fact import Fact
from engine.tabletop.narration import EventWords, Narration, Phrase, fill
from engine.tabletop.roles import Tone

NARRATION: Final = Narration[View, View]()
"""Sentences from the view after an event; facts and losses from the view before it."""

tells, facts, losses, fact = NARRATION.tells, NARRATION.facts, NARRATION.losses, NARRATION.fact

NARRATION.silent(ev.WorldBagShuffled, ev.MagicDeckShuffled, ev.EventResolved, ev.TurnEnded)


def whose(view: View, seat: int, text: str, rule: str, tile: int = 0) -> Line:
    """Return a line that begins with the name of a seat; quiet if it is not the viewer's."""
    tone = Tone.NORMAL if view.viewer == seat else Tone.QUIET
    return said(view, f"{called(view, seat)} {text}", seat, rule, tile, tone=tone)


# -- simple sentences ------------------------------------------------------------------------------


def _card(card: str) -> str:
    return "a Magic card" if card == HIDDEN else f"the card {card_name(card)}"


def _holdings(event: ev.IncomeReceived) -> str:
    castles = [many(event.castles, "Castle")] if event.castles else []
    return joined([many(event.tiles, "tile"), *castles])


_WORDS: Final[EventWords[View]] = {
    "tile": on,
    "source": on,
    "target": on,
    "units": company,
    "unit": lambda view, unit: one(unit_name(view, view.units[unit])),
    "special": lambda view, event: unit_name(view, view.units[event.unit]),
    "card": lambda _, card: _card(card),
    "terrain": lambda _, terrain: TERRAIN[terrain],
    "holdings": lambda _, event: _holdings(event),
}


def _say(phrase: Phrase, event: Any, after: View) -> Line:
    tile = getattr(event, "tile", 0) or getattr(event, "target", 0)
    text = fill(phrase.text, event, _WORDS, after)
    return whose(after, event.seat, text, phrase.rule, tile)


_PHRASES: Final[Mapping[type[Event], Phrase]] = {
    ev.TileDrawn: Phrase("draws a {terrain}", "KA-5.2"),
    ev.MagicDrawn: Phrase("draws {card}", "KA-10.1"),
    ev.CastlePlaced: Phrase("builds its Castle on {tile}", "KA-5.4"),
    ev.UnitsDeployed: Phrase("begins with {units} on {tile}", "KA-5.5"),
    ev.GoldSet: Phrase("begins with {gold} gold", "KA-5.6"),
    ev.IncomeReceived: Phrase("earns from {holdings}: {gold} gold now", "KA-6.2"),
    ev.UnitSpawned: Phrase("raises {unit} on {tile}", "KA-6.3"),
    ev.UnitsMoved: Phrase("moves {units} from {source} to {target}", "KA-6.4"),
    ev.UnitBought: Phrase("buys {unit} on {tile}: {gold} gold left", "KA-6.5"),
    ev.UnitsMarched: Phrase("marches {units} from {source} to {target}", "KA-6.6"),
    ev.Invaded: Phrase("moves {units} into {target}", "KA-7.10"),
    ev.SpecialBroughtIn: Phrase("brings in {special} on {tile}: {gold} gold left", "KA-9"),
    ev.CardBought: Phrase("buys {card}: {gold} gold left", "KA-10.4"),
}
"""Sentences of events about their seat, whose name comes first."""

NARRATION.phrases(_say, _PHRASES)


# -- set-up ----------------------------------------------------------------------------------------


@tells(ev.GameSet)
def _set(event: ev.GameSet, after: View) -> Line:
    seats = len(after.players)
    text = f"{after.title}: {seats} players, a world of {event.layout} tiles"
    return Line(sentence(text), Tone.TITLE, rule="KA-5")


@tells(ev.TurnOrderRolled)
def _order(event: ev.TurnOrderRolled, after: View) -> Iterator[Line]:
    for number, rolls in enumerate(event.rolls):
        values = [f"{called(after, seat)} {value}" for seat, value in rolls]
        begin = "Tied leaders roll again" if number else "Rolls for the first turn"
        yield Line(sentence(f"{begin}: {', '.join(values)}"), Tone.QUIET, rule="KA-5.1")
    yield whose(after, event.first, "goes first", "KA-5.1")


@tells(ev.TilePlaced)
def _placed(event: ev.TilePlaced, after: View) -> Iterator[Line]:
    if not event.dealt:
        text = f"puts the {TERRAIN[event.terrain]} on {on(after, event.tile)}"
        yield whose(after, event.seat, text, "KA-5.2", event.tile)
    elif all(tile.terrain for tile in after.tiles.values()):
        yield Line("The world is dealt.", Tone.QUIET, rule="KA-5.2")


@tells(ev.RealmChosen)
def _realm(event: ev.RealmChosen, after: View) -> Line:
    name = realms()[event.realm].name
    return said(after, f"Player {event.seat + 1} leads {name}", event.seat, "KA-5.3")


@tells(ev.EventDeckShuffled)
def _shuffled(event: ev.EventDeckShuffled, _after: View) -> Line:
    """See: KA-5.7, KA-6.1."""
    text = f"The event deck is shuffled: {many(len(event.deck), 'card')}."
    return Line(text, Tone.QUIET, rule="KA-6.1")


# -- phases ----------------------------------------------------------------------------------------


@tells(ev.TurnBegan)
def _turn(event: ev.TurnBegan, after: View) -> Line:
    tone = Tone.STRONG if after.viewer == event.seat else Tone.NORMAL
    name = called(after, event.seat)
    text = f"Your turn, {name}" if after.viewer == event.seat else f"{name}'s turn"
    return said(after, text, event.seat, "KA-6", tone=tone)


@tells(ev.PhaseBegan)
def _phase(event: ev.PhaseBegan, after: View) -> Iterator[Line]:
    if event.phase not in (*SETUP_PHASES, "event", "income") and after.viewer == event.seat:
        yield said(after, PHASES[event.phase], event.seat, "KA-6", tone=Tone.QUIET)


fact(ev.PhaseBegan, lambda event, _: Fact("phase", event.seat, target=PHASES[event.phase]))


@tells(ev.RoundEnded)
def _round(event: ev.RoundEnded, _after: View) -> Line:
    return Line(f"Round {event.round} is over.", Tone.STRONG, rule="KA-6")


fact(ev.RoundEnded, lambda event, _: Fact("round", amount=event.round))


# -- events and income -----------------------------------------------------------------------------


@tells(ev.EventDrawn)
def _event(event: ev.EventDrawn, after: View) -> Line:
    """See: KA-6.1, KA-11."""
    card = event_cards().get(event.card)
    text = f"Event card: {card_name(event.card)}. {card.text if card else ''}".strip()
    return Line(sentence(text), Tone.STRONG, after.active, "KA-11")


@facts(ev.EventDrawn)
def _event_fact(event: ev.EventDrawn, before: View) -> Fact:
    return Fact("other", before.active, target=card_name(event.card))


@tells(ev.EventApplied)
def _applied(event: ev.EventApplied, after: View) -> Iterator[Line]:
    if text := _received(event, after):
        tile = event.unit.tile if event.unit is not None else 0
        yield whose(after, event.seat, text, "KA-11.1", tile)


def _received(event: ev.EventApplied, after: View) -> str:
    """Describe the gain of a seat; empty if there is nothing to say."""
    if event.option in ("gold", "lose_gold"):
        return f"has {event.gold} gold now"
    if event.unit is None:
        return "takes nothing" if event.option == "nothing" and event.asked else ""
    name = unit_name(after, event.unit)
    where = on(after, event.unit.tile) if event.unit.tile else ""
    return {
        "add": f"adds {one(name)} on {where}",
        "upgrade": f"upgrades {one(name.removesuffix('+'))} on {where}",
        "resurrect": f"brings back {one(name)} on {where}",
        "retire": f"returns {one(name)} to its reserve",
    }.get(event.option, "")


@facts(ev.EventApplied)
def _applied_fact(event: ev.EventApplied, before: View) -> Iterator[Fact]:
    """Yield a unit that arrived or was upgraded, or changed gold, as a fact."""
    if event.unit is not None and event.option != "retire":
        at, name = spot(before.layout, event.unit.tile), unit_name(before, event.unit)
        yield Fact("work", event.seat, at=at, target=name)
    elif event.option in ("gold", "lose_gold"):
        change = event.gold - before.players[event.seat].gold
        yield Fact("other", event.seat, target="gold", amount=change)


@facts(ev.IncomeReceived)
def _income_fact(event: ev.IncomeReceived, before: View) -> Fact:
    amount = event.gold - before.players[event.seat].gold
    return Fact("other", event.seat, target="income", amount=amount)


# -- units -----------------------------------------------------------------------------------------


@facts(ev.UnitsMoved, ev.UnitsMarched)
def _move_fact(event: ev.UnitsMoved | ev.UnitsMarched, before: View) -> Fact:
    return Fact(
        "move",
        event.seat,
        at=spot(before.layout, event.target),
        source=spot(before.layout, event.source),
        piece=company(before, event.units),
        amount=len(event.units),
    )


@tells(ev.UnitUpgraded)
def _upgraded(event: ev.UnitUpgraded, after: View) -> Line:
    """See: KA-2.2, KA-6.5."""
    unit = after.units[event.unit]
    name = unit_name(after, unit).removesuffix("+")
    text = f"upgrades {one(name)} on {on(after, unit.tile)}: {event.gold} gold left"
    return whose(after, event.seat, text, "KA-6.5", unit.tile)


@facts(ev.UnitSpawned, ev.UnitBought, ev.SpecialBroughtIn)
def _raised_fact(event: ev.UnitSpawned | ev.UnitBought | ev.SpecialBroughtIn, before: View) -> Fact:
    """Return the arrival of a unit on the board as a fact."""
    name = unit_name(before, before.units[event.unit])
    return Fact("work", event.seat, at=spot(before.layout, event.tile), target=name, amount=1)


@facts(ev.UnitUpgraded)
def _upgrade_fact(event: ev.UnitUpgraded, before: View) -> Fact:
    unit = before.units[event.unit]
    at = spot(before.layout, unit.tile)
    return Fact("work", event.seat, at=at, target=f"{unit_name(before, unit)}+", amount=1)


# -- cards -----------------------------------------------------------------------------------------


@tells(ev.CardSwapped)
def _swapped(event: ev.CardSwapped, after: View) -> Line:
    if event.taken == HIDDEN:
        return whose(after, event.seat, "swaps a Magic card", "KA-10.4")
    text = f"swaps {card_name(event.given)} for {card_name(event.taken)}"
    return whose(after, event.seat, text, "KA-10.4")


fact(ev.CardSwapped, lambda event, _: Fact("work", event.seat, target="Magic card", amount=1))
fact(ev.CardBought, lambda event, _: Fact("work", event.seat, target="Magic card", amount=1))


# -- tiles with their ground -----------------------------------------------------------------------


def place_of(view: View, tile: int) -> str:
    """Describe a tile with its ground, such as ``B2 (Mountain with a Castle)``."""
    return f"{on(view, tile)} ({ground(view, tile)})"
