"""Facts of a battle: what is counted for the attacker and for the defender."""

from __future__ import annotations

from engine.core.ids import PUBLIC
from engine.rulesets.kaladan.evolve import evolve
from engine.rulesets.kaladan.picture import PRESENTER
from engine.rulesets.kaladan.view import view
from engine.tabletop.fact import Fact
from tests.rulesets.kaladan.battles import PLAIN, statements
from tests.rulesets.kaladan.positions import position
from tui.play.playback import summary

DUEL = "FF FFF FF\nA1 0 sword\nA2 1 shield\nC1 0 crown\nC2 1 crown"


def _facts() -> list[Fact]:
    state = before = position(DUEL, options=PLAIN)
    found: list[Fact] = []
    for event in statements(before, dice=[8, 1]).events:
        after = evolve(state, event)
        found += PRESENTER.facts(event, view(state, PUBLIC), view(after, PUBLIC))
        state = after
    return found


def test_battle_is_an_attack_of_the_attacker_alone() -> None:
    facts = _facts()
    assert [fact.seat for fact in facts if fact.kind == "attack"] == [0]
    assert [fact.seat for fact in facts if fact.kind == "defence"] == [1]
    assert all(fact.odds is not None for fact in facts if fact.kind in {"attack", "defence"})


def test_summary_of_what_others_did_counts_no_attack_for_the_defender() -> None:
    told = [line.text for line in summary(_facts(), ("Benno", "Anna-Lena"))]
    assert [text for text in told if "attack" in text] == ["Benno: 1 attack (1 won), 1 capture."]
