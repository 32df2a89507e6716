"""Describe set-up and turns: sentences and facts, registered by type of event.

All functions see redacted events, so no line and no fact reveals a secret.
``narration_battles`` registers the events of battles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

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
from engine.tabletop.fact import Fact, LossRow
from engine.tabletop.registration import Handlers
from engine.tabletop.roles import Tone

EventTeller: TypeAlias = Callable[[Any, View], Line | Iterable[Line]]
"""Function from a redacted event and the view after it to sentences."""

FactMaker: TypeAlias = Callable[[Any, View], Fact | Iterable[Fact]]
"""Function from a redacted event and the view before it to facts."""

LossMaker: TypeAlias = Callable[[Any, View], Iterable[LossRow]]
"""Function from a redacted event and the view before it to rows of the table of losses."""

TELLERS: Final[Handlers[EventTeller]] = Handlers()
FACTS: Final[Handlers[FactMaker]] = Handlers()
LOSSES: Final[Handlers[LossMaker]] = Handlers()

tells, means, costs = TELLERS.on, FACTS.on, LOSSES.on


def _nothing(_event: Any, _view: View) -> tuple[Line, ...]:
    return ()


TELLERS.on(ev.WorldBagShuffled, ev.MagicDeckShuffled, ev.EventResolved, ev.TurnEnded)(_nothing)


def whose(view: View, seat: int, text: str, rule: str, tile: int = 0) -> Line:
    """Return a line that begins with the name of a seat; quiet if it is not the viewer's."""
    tone = Tone.NORMAL if view.viewer == seat else Tone.QUIET
    return said(view, f"{called(view, seat)} {text}", seat, rule, tile, tone=tone)


# -- set-up ----------------------------------------------------------------------------------------


@tells(ev.GameSet)
def _set(event: ev.GameSet, after: View) -> Line:
    """See: KA-5."""
    seats = len(after.players)
    text = f"{after.title}: {seats} players, a world of {event.layout} tiles"
    return Line(sentence(text), Tone.TITLE, rule="KA-5")


@tells(ev.TurnOrderRolled)
def _order(event: ev.TurnOrderRolled, after: View) -> Iterator[Line]:
    """See: KA-5.1."""
    for number, rolls in enumerate(event.rolls):
        values = [f"{called(after, seat)} {value}" for seat, value in rolls]
        begin = "Tied leaders roll again" if number else "Rolls for the first turn"
        yield Line(sentence(f"{begin}: {', '.join(values)}"), Tone.QUIET, rule="KA-5.1")
    yield whose(after, event.first, "goes first", "KA-5.1")


@tells(ev.TileDrawn)
def _drawn(event: ev.TileDrawn, after: View) -> Line:
    """See: KA-5.2."""
    return whose(after, event.seat, f"draws a {TERRAIN[event.terrain]}", "KA-5.2")


@tells(ev.TilePlaced)
def _placed(event: ev.TilePlaced, after: View) -> tuple[Line, ...]:
    """See: KA-5.2."""
    if event.dealt:
        if any(not tile.terrain for tile in after.tiles.values()):
            return ()
        return (Line("The world is dealt.", Tone.QUIET, rule="KA-5.2"),)
    text = f"puts the {TERRAIN[event.terrain]} on {on(after, event.tile)}"
    return (whose(after, event.seat, text, "KA-5.2", event.tile),)


@tells(ev.RealmChosen)
def _realm(event: ev.RealmChosen, after: View) -> Line:
    """See: KA-5.3."""
    name = realms()[event.realm].name
    return said(after, f"Player {event.seat + 1} leads {name}", event.seat, "KA-5.3")


@tells(ev.MagicDrawn)
def _magic_drawn(event: ev.MagicDrawn, after: View) -> Line:
    """See: KA-5.3, KA-11.1."""
    return whose(after, event.seat, f"draws {_card(event.card)}", "KA-10.1")


def _card(card: str) -> str:
    return "a Magic card" if card == HIDDEN else f"the card {card_name(card)}"


@tells(ev.CastlePlaced)
def _castle(event: ev.CastlePlaced, after: View) -> Line:
    """See: KA-5.4."""
    text = f"builds its Castle on {on(after, event.tile)}"
    return whose(after, event.seat, text, "KA-5.4", event.tile)


@tells(ev.UnitsDeployed)
def _deployed(event: ev.UnitsDeployed, after: View) -> Line:
    """See: KA-5.5."""
    text = f"begins with {company(after, event.units)} on {on(after, event.tile)}"
    return whose(after, event.seat, text, "KA-5.5", event.tile)


@tells(ev.GoldSet)
def _gold(event: ev.GoldSet, after: View) -> Line:
    """See: KA-5.6."""
    return whose(after, event.seat, f"begins with {event.gold} gold", "KA-5.6")


@tells(ev.EventDeckShuffled)
def _shuffled(event: ev.EventDeckShuffled, _after: View) -> Line:
    """See: KA-5.7, KA-6.1."""
    text = f"The event deck is shuffled: {many(len(event.deck), 'card')}."
    return Line(text, Tone.QUIET, rule="KA-6.1")


# -- phases ----------------------------------------------------------------------------------------


@tells(ev.TurnBegan)
def _turn(event: ev.TurnBegan, after: View) -> Line:
    """See: KA-6."""
    tone = Tone.STRONG if after.viewer == event.seat else Tone.NORMAL
    name = called(after, event.seat)
    text = f"Your turn, {name}" if after.viewer == event.seat else f"{name}'s turn"
    return said(after, text, event.seat, "KA-6", tone=tone)


@tells(ev.PhaseBegan)
def _phase(event: ev.PhaseBegan, after: View) -> tuple[Line, ...]:
    """See: KA-6."""
    if event.phase in (*SETUP_PHASES, "event", "income") or after.viewer != event.seat:
        return ()
    line = said(after, PHASES[event.phase], event.seat, "KA-6", tone=Tone.QUIET)
    return (line,)


@means(ev.PhaseBegan)
def _phase_fact(event: ev.PhaseBegan, _before: View) -> Fact:
    return Fact("phase", event.seat, target=PHASES[event.phase])


@tells(ev.RoundEnded)
def _round(event: ev.RoundEnded, _after: View) -> Line:
    """See: KA-6."""
    return Line(f"Round {event.round} is over.", Tone.STRONG, rule="KA-6")


@means(ev.RoundEnded)
def _round_fact(event: ev.RoundEnded, _before: View) -> Fact:
    return Fact("round", amount=event.round)


# -- events and income -----------------------------------------------------------------------------


@tells(ev.EventDrawn)
def _event(event: ev.EventDrawn, after: View) -> Line:
    """See: KA-6.1, KA-11."""
    card = event_cards().get(event.card)
    text = f"Event card: {card_name(event.card)}. {card.text if card else ''}".strip()
    return Line(sentence(text), Tone.STRONG, after.active, "KA-11")


@means(ev.EventDrawn)
def _event_fact(event: ev.EventDrawn, before: View) -> Fact:
    return Fact("other", before.active, target=card_name(event.card))


@tells(ev.EventApplied)
def _applied(event: ev.EventApplied, after: View) -> tuple[Line, ...]:
    """See: KA-11.1."""
    text = _received(event, after)
    return (whose(after, event.seat, text, "KA-11.1", _where(event)),) if text else ()


def _where(event: ev.EventApplied) -> int:
    return event.unit.tile if event.unit is not None else 0


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


@means(ev.EventApplied)
def _applied_fact(event: ev.EventApplied, before: View) -> Iterator[Fact]:
    """Yield a unit that arrived or was upgraded, or changed gold, as a fact."""
    if event.unit is not None and event.option != "retire":
        yield Fact(
            "work",
            event.seat,
            at=spot(before.layout, event.unit.tile),
            target=unit_name(before, event.unit),
        )
    elif event.option in ("gold", "lose_gold"):
        change = event.gold - before.players[event.seat].gold
        yield Fact("other", event.seat, target="gold", amount=change)


@tells(ev.IncomeReceived)
def _income(event: ev.IncomeReceived, after: View) -> Line:
    """See: KA-6.2."""
    held = [many(event.tiles, "tile")]
    if event.castles:
        held.append(many(event.castles, "Castle"))
    text = f"earns from {joined(held)}: {event.gold} gold now"
    return whose(after, event.seat, text, "KA-6.2")


@means(ev.IncomeReceived)
def _income_fact(event: ev.IncomeReceived, before: View) -> Fact:
    amount = event.gold - before.players[event.seat].gold
    return Fact("other", event.seat, target="income", amount=amount)


# -- units -----------------------------------------------------------------------------------------


@tells(ev.UnitSpawned)
def _spawned(event: ev.UnitSpawned, after: View) -> Line:
    """See: KA-6.3."""
    text = f"raises {one(unit_name(after, after.units[event.unit]))} on {on(after, event.tile)}"
    return whose(after, event.seat, text, "KA-6.3", event.tile)


@tells(ev.UnitsMoved)
def _moved(event: ev.UnitsMoved, after: View) -> Line:
    """See: KA-6.4."""
    where = f"from {on(after, event.source)} to {on(after, event.target)}"
    text = f"moves {company(after, event.units)} {where}"
    return whose(after, event.seat, text, "KA-6.4", event.target)


@tells(ev.UnitsMarched)
def _marched(event: ev.UnitsMarched, after: View) -> Line:
    """See: KA-6.6."""
    where = f"from {on(after, event.source)} to {on(after, event.target)}"
    text = f"marches {company(after, event.units)} {where}"
    return whose(after, event.seat, text, "KA-6.6", event.target)


@means(ev.UnitsMoved, ev.UnitsMarched)
def _move_fact(event: ev.UnitsMoved | ev.UnitsMarched, before: View) -> Fact:
    return Fact(
        "move",
        event.seat,
        at=spot(before.layout, event.target),
        source=spot(before.layout, event.source),
        piece=company(before, event.units),
        amount=len(event.units),
    )


@tells(ev.UnitBought, ev.SpecialBroughtIn)
def _bought(event: ev.UnitBought | ev.SpecialBroughtIn, after: View) -> Line:
    """See: KA-6.5, KA-9."""
    name = unit_name(after, after.units[event.unit])
    special = isinstance(event, ev.SpecialBroughtIn)
    what = f"brings in {name}" if special else f"buys {one(name)}"
    text = f"{what} on {on(after, event.tile)}: {event.gold} gold left"
    return whose(after, event.seat, text, "KA-9" if special else "KA-6.5", event.tile)


@tells(ev.UnitUpgraded)
def _upgraded(event: ev.UnitUpgraded, after: View) -> Line:
    """See: KA-2.2, KA-6.5."""
    unit = after.units[event.unit]
    name = unit_name(after, unit).removesuffix("+")
    text = f"upgrades {one(name)} on {on(after, unit.tile)}: {event.gold} gold left"
    return whose(after, event.seat, text, "KA-6.5", unit.tile)


@means(ev.UnitSpawned, ev.UnitBought, ev.SpecialBroughtIn)
def _raised_fact(event: ev.UnitSpawned | ev.UnitBought | ev.SpecialBroughtIn, before: View) -> Fact:
    """Return the arrival of a unit on the board as a fact."""
    name = unit_name(before, before.units[event.unit])
    return Fact("work", event.seat, at=spot(before.layout, event.tile), target=name, amount=1)


@means(ev.UnitUpgraded)
def _upgrade_fact(event: ev.UnitUpgraded, before: View) -> Fact:
    unit = before.units[event.unit]
    at = spot(before.layout, unit.tile)
    return Fact("work", event.seat, at=at, target=f"{unit_name(before, unit)}+", amount=1)


# -- cards -----------------------------------------------------------------------------------------


@tells(ev.CardSwapped)
def _swapped(event: ev.CardSwapped, after: View) -> Line:
    """See: KA-10.4."""
    if event.taken == HIDDEN:
        return whose(after, event.seat, "swaps a Magic card", "KA-10.4")
    text = f"swaps {card_name(event.given)} for {card_name(event.taken)}"
    return whose(after, event.seat, text, "KA-10.4")


@tells(ev.CardBought)
def _card_bought(event: ev.CardBought, after: View) -> Line:
    """See: KA-10.4."""
    text = f"buys {_card(event.card)}: {event.gold} gold left"
    return whose(after, event.seat, text, "KA-10.4")


@means(ev.CardSwapped, ev.CardBought)
def _card_fact(event: ev.CardSwapped | ev.CardBought, _before: View) -> Fact:
    return Fact("work", event.seat, target="Magic card", amount=1)


# -- tiles with their ground -----------------------------------------------------------------------


def place_of(view: View, tile: int) -> str:
    """Describe a tile with its ground, such as ``B2 (Mountain with a Castle)``."""
    return f"{on(view, tile)} ({ground(view, tile)})"
