"""Sentences about single events: their words, their place and their tone."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.ids import PUBLIC
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.boxes import spot
from engine.rulesets.kaladan.narration import NARRATION
from engine.rulesets.kaladan.picture import PRESENTER
from engine.rulesets.kaladan.state import HIDDEN
from engine.rulesets.kaladan.tables import unit_id
from engine.rulesets.kaladan.view import view
from engine.tabletop.roles import Tone
from tests.rulesets.kaladan.positions import position

STATE: Final = position("FF WFM FF\nA1 0 # crown sword sword+ archer\nC2 1 # crown shield")
CROWN, ARCHER = unit_id(0, "crown", 1), unit_id(0, "archer", 1)
SWORD, BETTER = unit_id(0, "sword", 1), unit_id(0, "sword", 2)
SPECIAL: Final = unit_id(0, "special", 1)
A1, C2 = 1, 7

SAID: Final = (
    (ev.TileDrawn(0, "forest"), "draws a Forest."),
    (ev.MagicDrawn(0, HIDDEN), "draws a Magic card."),
    (ev.CastlePlaced(0, A1), "builds its Castle on A1."),
    (ev.UnitsDeployed(0, A1, (CROWN, SWORD)), "begins with 1 Sword and 1 Crown on A1."),
    (ev.GoldSet(0, 5), "begins with 5 gold."),
    (ev.IncomeReceived(0, 1, 0, 7), "earns from 1 tile: 7 gold now."),
    (ev.IncomeReceived(0, 3, 1, 9), "earns from 3 tiles and 1 Castle: 9 gold now."),
    (ev.UnitSpawned(0, ARCHER, A1), "raises an Archer on A1."),
    (ev.UnitsMoved(0, A1, C2, (SWORD, BETTER)), "moves 1 Sword and 1 Sword+ from A1 to C2."),
    (ev.UnitsMarched(0, A1, C2, (ARCHER,)), "marches 1 Archer from A1 to C2."),
    (ev.UnitBought(0, SWORD, A1, 2), "buys a Sword on A1: 2 gold left."),
    (ev.SpecialBroughtIn(0, SPECIAL, A1, 0), "brings in Nanchi on A1: 0 gold left."),
    (ev.CardBought(0, HIDDEN, 1), "buys a Magic card: 1 gold left."),
    (ev.Invaded(0, A1, C2, (SWORD,)), "moves 1 Sword into C2."),
)


def test_every_event_has_a_teller() -> None:
    assert NARRATION.tellers.missing(ev.AnyEvent) == ()


@pytest.mark.parametrize(("event", "said"), SAID, ids=[type(row[0]).__name__ for row in SAID])
def test_event_gives_this_sentence(event: ev.AnyEvent, said: str) -> None:
    (line,) = PRESENTER.tell(event, view(STATE, PUBLIC))
    assert line.text == f"Khalisia {said}"
    assert (line.seat, line.tone) == (0, Tone.QUIET)


def test_line_of_a_march_leads_to_its_goal_and_stands_out_for_its_seat() -> None:
    (line,) = PRESENTER.tell(ev.UnitsMoved(0, A1, C2, (SWORD,)), view(STATE, 0))
    assert line.at == spot(STATE.layout, C2)
    assert line.tone == Tone.NORMAL


def test_names_of_upgraded_units_have_their_sign_behind_the_plural() -> None:
    state = position("FF WFM FF\nA1 0 # crown sword+ sword+\nC2 1 # crown")
    swords = tuple(unit.id for unit in state.units.values() if unit.upgraded)
    (line,) = PRESENTER.tell(ev.UnitsMoved(0, A1, C2, swords), view(state, PUBLIC))
    assert "moves 2 Swords+ from" in line.text
