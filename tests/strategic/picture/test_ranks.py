"""Battles as two ranks: the rounds with hits, the fighters, and the survivors."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.strategic.duels import chance_of_duel
from engine.strategic.events.battle import BattleFought
from engine.tabletop.fact import EventMoment
from engine.tabletop.roles import MarkSign
from tests.strategic.picture.sentence_cases import BATTLE, LAND
from tests.strategic.picture.stage import PICTURE, shown


def moments(event: BattleFought = BATTLE) -> tuple[EventMoment, ...]:
    return PICTURE.moments(event, shown(LAND, 0))


def panel(moment: EventMoment) -> list[str]:
    return [line.text.rstrip() for line in moment.lines]


@pytest.mark.rule("W2-8.5")
def test_battle_is_shown_round_by_round() -> None:
    titles = [panel(moment)[0] for moment in moments()]
    assert titles == [
        "The battle begins",
        *["Duel 1 of 2"] * 2,
        *["Duel 2 of 2"] * 2,
        "Won: Red",
    ]
    assert panel(moments()[1]) == [
        "Duel 1 of 2",
        "Red             2 of 2",
        "> Archers 4       *.",
        "  hero 1 6        **",
        "Blue            1 of 1",
        "< L. Infantry 2   **",
        "77 %, dice 20 to 1, round 1",
    ]
    assert panel(moments()[-1])[1:] == [
        "Red             1 of 2",
        "x Archers 4       fell",
        "  hero 1 6        **",
        "Blue            0 of 1",
        "x L. Infantry 2   fell",
        "",
    ]


def test_tiles_of_a_battle_keep_their_marks() -> None:
    (marks,) = {moment.marks for moment in moments()}
    assert [mark.sign for mark in marks] == [MarkSign.HELD, MarkSign.TARGET]


def test_battle_without_known_fighters_or_dice_has_no_ranks() -> None:
    strange = tuple(replace(one, type=-1, strength=0) for one in BATTLE.defenders)
    afar = replace(BATTLE, defenders=strange)
    silent = replace(BATTLE, duels=tuple(replace(duel, dice=()) for duel in BATTLE.duels))
    assert moments(afar) == ()
    assert moments(silent) == ()


def test_chance_of_a_duel_follows_from_its_hits() -> None:
    assert chance_of_duel(0.5, 2, 2) == 0.5
    assert chance_of_duel(1.0, 1, 2) == 1.0
    assert chance_of_duel(0.5, 1, 2) == 0.25
