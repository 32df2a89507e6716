"""Sentences on items, quests, rewards and scores, for the acting side and its victims."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import notation
from engine.core.dice import Scripted
from engine.core.record import Command, replace
from engine.rulesets.lordsawar import RULES
from engine.rulesets.lordsawar.events import HeroQuestSet, RewardGiven, RoundScored
from engine.rulesets.lordsawar.evolve import evolve
from engine.rulesets.lordsawar.picture import PRESENTER
from engine.rulesets.lordsawar.state import HeroQuest, Reward, State
from engine.rulesets.lordsawar.view import view
from engine.strategic.pieces import Question
from engine.tabletop.focus import Focus
from tests.rulesets.lordsawar.hero_positions import HERO, WORMS, army, position, with_item

HERE = Focus(5, 4)


def land(item: int = 41) -> State:
    """Return a hero with an item on a bridge; South has a ship and worms."""
    ship = army(4, 5, 5, owner=1, aboard=True)
    people = (army(1, 5, 4, HERO), army(2, 5, 4), ship, army(7, 9, 0, WORMS, 1))
    return with_item(position(*people), item, 1)


def told(state: State, command: Command, viewer: int) -> list[str]:
    """Return the sentences that a viewer reads about a command of side 0."""
    texts = []
    for event in RULES.decide(state, 0, command, Scripted([1] * 8)):  # type: ignore[arg-type]
        now = evolve(state, event)
        seen: Any = RULES.redact(event, state, now, viewer)
        if seen is not None:
            before, after = view(state, viewer), view(now, viewer)
            texts += [line.text for line in PRESENTER.tell(seen, after)]
            assert all(fact.kind for fact in PRESENTER.facts(seen, before, after))
        state = now
    return texts


@pytest.mark.rule("LW-11")
@pytest.mark.parametrize(
    ("item", "answers", "own", "others"),
    [
        (38, ("1",), "uses Scroll of Thievery and steals 50 % of South's gold.", "some of"),
        (39, ("1",), "uses Scroll of Great Tides and sinks the ships of South.", "to an item"),
        (41, (), "Staff of Many Steps has 10 uses left.", ""),
        (42, (), "Staff of Saint Patrick has 2 uses left.", "falls to an item"),
        (43, (), "The bridge burns down.", "The bridge burns down."),
        (46, ("6,1",), "a plague on a city of South", ""),
        (47, ("1,1",), "3 Ghosts join North at Alder.", "3 armies arrive"),
        (48, ("0,6",), "Corrin belongs to North now.", "Corrin belongs to North now."),
        (49, ("1,1",), "takes its stack to a city", ""),
    ],
)
def test_item_use_has_a_dialogue_and_sentences(
    item: int, answers: tuple[str, ...], own: str, others: str
) -> None:
    state = land(item)
    for count in range(len(answers)):
        asked = PRESENTER.ask(view(state, 0), HERE, "use", [str(item), *answers[:count]])
        assert not isinstance(asked, str)
    line = PRESENTER.ask(view(state, 0), HERE, "use", [str(item), *answers])
    assert isinstance(line, str)
    command = notation.read(line, RULES.command_type)
    assert own in " ".join(told(state, command, 0))
    assert others in " ".join(told(state, command, 1))


@pytest.mark.rule("LW-15")
def test_quests_have_sentences_a_report_and_a_summary() -> None:
    quest = HeroQuest(1, "kill-armies", 1, name="South", count=3, done=1)
    state = replace(land(), quests=land().quests.put(quest))
    seen = view(state, 0)
    (line,) = PRESENTER.tell(HeroQuestSet(0, quest, "step"), seen)
    assert line.text == "Hero 1 is still out to destroy 3 armies of South, 1 so far."
    (report,) = [one for one in PRESENTER.reports(seen) if one.name == "quests"]
    assert report.rows[0].cells == (
        "hero 1",
        "Destroy 3 armies of South",
        "1 of 3",
    )
    assert any("out to destroy" in one.text for one in PRESENTER.summary(seen))
    assert not any("out to destroy" in one.text for one in PRESENTER.summary(view(state, 1)))


@pytest.mark.rule("LW-14")
def test_only_rewards_without_another_event_have_a_sentence() -> None:
    seen = view(land(), 0)
    (line,) = PRESENTER.tell(RewardGiven(0, 1, Reward(0, "map")), seen)
    assert line.text == "Hero 1 finds a map of the land."
    assert PRESENTER.tell(RewardGiven(0, 1, Reward(0, "gold", gold=9)), seen) == ()


@pytest.mark.rule("LW-17")
def test_scores_are_visible_to_all_sides() -> None:
    state = evolve(land(), RoundScored((31, 12)))
    for viewer in (0, 1):
        (report,) = [one for one in PRESENTER.reports(view(state, viewer)) if one.name == "score"]
        assert [row.cells for row in report.rows] == [("North", 31), ("South", 12)]


@pytest.mark.rule("LW-10.4")
def test_hero_can_be_hired_under_another_name() -> None:
    offer = Question("hero", 0, city=0, name="Ada", female=True)
    seen = view(replace(land(), question=offer), 0)
    asked: Any = PRESENTER.ask(seen, HERE, "hire", [])
    assert asked.title == "Ada offers to join you at Alder for free."
    assert [choice.value for choice in asked.choices] == ["yes", "name", "other", "no"]
    assert PRESENTER.ask(seen, HERE, "hire", ["name", "Bea"]) == 'hire-as name="Bea" female=yes'
