"""Sentences on events for each viewer, and the rule behind each event."""

from __future__ import annotations

from typing import get_args

import pytest

from engine.core.record import Message, replace
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.picture import STYLE
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic import events as ev
from engine.strategic.battle import line_up
from engine.strategic.events.battle import Part
from engine.strategic.picture.context import NARRATION
from engine.strategic.pieces import Question
from engine.strategic.refusal import Topic
from engine.tabletop.board import condensed
from engine.tabletop.manual import manual
from engine.tabletop.registration import UNKNOWN_EVENT
from engine.tabletop.roles import Tone
from tests.strategic import ground
from tests.strategic.picture.sentence_cases import BATTLE, LAND, SAID, land
from tests.strategic.picture.stage import PICTURE, shown, told


def test_every_event_type_has_a_sentence_and_a_case() -> None:
    assert NARRATION.tellers.missing(ev.AnyEvent) == ()
    assert {type(event) for _, event, _ in SAID} == set(get_args(ev.AnyEvent))


@pytest.mark.parametrize(
    ("state", "event", "wanted"),
    SAID,
    ids=[f"{number}-{type(row[1]).__name__}" for number, row in enumerate(SAID)],
)
def test_event_has_its_expected_sentences(
    state: State, event: ev.AnyEvent, wanted: list[str]
) -> None:
    assert told(state, event) == wanted


class Eclipsed(Message, frozen=True, tag="eclipsed"):
    """An event of a later version."""


def test_unknown_event_is_named_unknown_without_facts_or_losses() -> None:
    view, event = shown(LAND), Eclipsed()
    assert PICTURE.tell(event, view) == UNKNOWN_EVENT
    assert PICTURE.facts(event, view, view) == ()
    assert PICTURE.losses(event, view, view) == ()


def test_every_topic_has_a_rule_of_the_book() -> None:
    book = manual(STYLE.package)
    listed = {rule.id for one in book for rule in one.rules} | {one.id for one in book if one.id}
    rules = settings_of(Options()).rules
    assert set(rules) == set(get_args(Topic))
    assert set(rules.values()) <= listed


def test_condensed_battle_has_its_beginning_and_end() -> None:
    lines = condensed(PICTURE.tell(BATTLE, shown(LAND)))
    assert [line.text for line in (lines[0], lines[-1])] == [
        "Red attacks Blue near Stormheim, in the open.",
        "Red wins near Stormheim, slays Light Infantry, loses Archers.",
    ]
    assert len(lines) == 3


def test_whole_log_keeps_every_duel_of_a_battle() -> None:
    told = list(PICTURE.tell(BATTLE, shown(LAND)))
    whole = [line.text for line in condensed(told, details=True)]
    assert whole == [line.text for line in told]
    assert len([text for text in whole if " slay" in text and " in " in text]) == len(BATTLE.duels)


@pytest.mark.parametrize(("viewer", "tone"), [(0, Tone.GOOD), (1, Tone.BAD), (-2, Tone.NORMAL)])
def test_tone_of_a_battle_depends_on_the_viewer(viewer: int, tone: Tone) -> None:
    assert PICTURE.tell(BATTLE, shown(LAND, viewer))[-1].tone is tone


@pytest.mark.rule("W2-8.3")
def test_battle_sentences_give_the_reasons_in_the_event() -> None:
    fought = replace(
        BATTLE,
        helped=(Part("leader", 4, 1), Part("standard", 3, 1), Part("foe", -2, 9)),
        covered=(Part("defence", 1, cancelled=True), Part("pack", 2, 9)),
    )
    assert told(LAND, fought)[3:5] == [
        "Red: bonus +5 (leader +4 hero 1, standard +3 hero 1 and foes' -2 Light Infantry).",
        "Blue: bonus +2 ((walls +1, cancelled) and pack +2 Light Infantry).",
    ]


def test_battle_sentences_omit_missing_reasons() -> None:
    armies = [
        ground.army(1, 4, 3, ground.HERO),
        ground.army(2, 4, 3, ground.PEGASI),
        ground.army(9, 8, 0, ground.LIGHT, owner=1),
    ]
    state = land(armies=armies)
    met = line_up(state, settings_of(state.options), armies[:2], (8, 0))
    assert met.attackers.support.total == 3
    fought = replace(
        BATTLE,
        at=(8, 0),
        ground="city",
        attackers=met.attackers.fighters,
        defenders=met.defenders.fighters,
        duels=(ev.Duel(2, 9, (20, 1, 20, 1), won=True),),
        city=3,
    )
    said = told(state, fought)
    assert said[:3] == [
        "Red attacks Blue at Stormheim, behind walls.",
        "Red: Pegasi 8 (5+3), hero 1 8 (5+3).",
        "Blue: Light Infantry 3 (2+1).",
    ]
    assert not [text for text in said if "side bonus" in text]


def test_only_the_asked_side_sees_the_question() -> None:
    offer = ev.Asked(Question("hero", 0, 1, price=400, name="Iolan", ally=27, allies=2))
    assert told(LAND, offer, 0) == [
        "Iolan offers to join you at Marthos for 400 gold, with 2 Devils."
    ]
    assert told(LAND, offer, 1) == ["Red has a decision to make."]


def test_only_the_owner_sees_points_and_purses() -> None:
    march = ev.GroupMoved((2,), ((4, 2),), (7,), (False,))
    assert told(LAND, march, 0) == ["Archers move near Marthos, 7 moves left."]
    assert told(LAND, march, 1) == ["Archers of Red move near Marthos."]
    income = ev.IncomeCame(0, 40, 6, 134)
    assert told(LAND, income, 1) == []


def test_march_out_of_sight_has_its_own_sentence() -> None:
    hidden = ev.GroupMoved((9,), (), (0,), (False,))
    said = PICTURE.tell(hidden, shown(LAND))
    assert [line.text for line in said] == ["Light Infantry of Blue vanish from sight."]


def test_long_duel_shows_only_its_last_rounds() -> None:
    long = ev.BattleFought(
        at=(6, 3),
        start=(4, 3),
        attacker=0,
        defender=1,
        ground="hills",
        attackers=BATTLE.attackers[:1],
        defenders=BATTLE.defenders,
        duels=(ev.Duel(2, 9, (20, 20) * 40 + (20, 1, 20, 1), won=True),),
        won=True,
        betrayal=True,
    )
    said = told(LAND, long)
    assert said[0] == "Red attacks Blue near Stormheim, in hills, and breaks the treaty."
    assert said[3].startswith("Archers (4) slay Light Infantry (2) in 42 rounds: … 20:20 ")
    assert said[3].endswith("20:20 1:20 1:20.")
