"""Texts of new games: people see no code name of an option, a level, a scenario or a number."""

from __future__ import annotations

import re

import pytest

from engine.core import registry
from engine.core.game import Game
from engine.core.ids import PUBLIC
from engine.core.options import Option
from engine.core.record import replace
from engine.core.ruleset import AnyRuleset
from engine.tabletop.new_game import LEVEL_NAMES, NewGameTexts, level_name
from engine.tabletop.presenter import presenter_of

RULESETS = [name for name in registry.names() if name != "toy"]

_CODE = re.compile(r"\w_\w")
_RULE = re.compile(r"\b[A-Z]{2}\d?-[A-Z0-9]")

SAME_WORD = {
    ("razing_cities", "never"),
    ("sacking_mode", "never"),
    ("quests", "none"),
    ("open_ground", "grass"),
    ("preset", "beginner"),
    ("preset", "intermediate"),
    ("preset", "advanced"),
    ("steps", "four"),
    ("steps", "eight"),
    ("reach", "exact"),
    ("neutral_strength", "strong"),
    ("neutral_cities", "strong"),
}
"""Values whose name is the plain English word for them."""


def _texts(rules: AnyRuleset) -> NewGameTexts:
    return presenter_of(rules).new_game


def _written(option: Option) -> list[str]:
    """Return everything that people read about an option."""
    numbers = [str(number) for number in (option.low, option.high)] if not option.choices else []
    told = [option.phrase(value) for value in (*option.choices, *numbers)]
    return [option.title, option.text, *told, *option.explained]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_option_has_a_label_and_a_sentence(ruleset: str) -> None:
    for option in registry.find(ruleset).options:
        assert option.label, option.name
        assert option.label != option.name
        assert option.label[0].isupper(), option.name
        assert option.text[0].isupper(), option.name
        assert option.text.endswith("."), option.name
        for text in _written(option):
            assert not _CODE.search(text), (option.name, text)
            assert not _RULE.search(text), (option.name, text)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_value_of_an_option_has_words(ruleset: str) -> None:
    for option in registry.find(ruleset).options:
        if not option.choices:
            assert dict(option.words).keys() <= set(range(option.low, option.high + 1))
            continue
        assert len(option.phrases) == len(option.explained) == len(option.choices), option.name
        for value, phrase, meaning in zip(
            option.choices, option.phrases, option.explained, strict=True
        ):
            assert phrase != value or (option.name, value) in SAME_WORD, (option.name, value)
            assert meaning != value or (option.name, value) in SAME_WORD, (option.name, value)
            assert not meaning.endswith("."), (option.name, value)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_level_has_a_name_a_temper_and_sentences(ruleset: str) -> None:
    rules = registry.find(ruleset)
    levels = [*rules.bots]
    assert [one.level for one in _texts(rules).opponents] == levels
    tempers = {_texts(rules).opponent(level).temper for level in levels}
    assert len(tempers) == len(levels)
    for level in levels:
        told = _texts(rules).opponent(level)
        assert level in LEVEL_NAMES
        assert level not in f"{level_name(level)} {told.temper}".casefold()
        assert told.text.endswith(".")
        assert len(told.text) <= 150


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_scenario_has_a_length_and_a_difficulty(ruleset: str) -> None:
    rules = registry.find(ruleset)
    texts = _texts(rules)
    assert {one.name for one in texts.scenarios} == set(rules.scenarios())
    for name, scenario in rules.scenarios().items():
        told = texts.scenario(name)
        assert told.length
        assert told.difficulty
        assert scenario.title != name
        for text in (scenario.title, scenario.about, told.length, told.difficulty):
            assert not _CODE.search(text), (name, text)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_first_scenario_is_for_beginners(ruleset: str) -> None:
    texts = _texts(registry.find(ruleset))
    assert texts.scenario(texts.first).difficulty == "for beginners"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_number_of_a_game_has_a_label(ruleset: str) -> None:
    rules = registry.find(ruleset)
    labels = dict(_texts(rules).statistics)
    assert [*labels] == [*rules.statistics(rules.empty())]
    for name, label in labels.items():
        assert label != name
        assert label[0].isupper()
        assert "_" not in label


@pytest.mark.parametrize("ruleset", RULESETS)
def test_phases_of_a_game_have_written_names(ruleset: str) -> None:
    rules = registry.find(ruleset)
    presenter = presenter_of(rules)
    for scenario in rules.scenarios().values():
        view = Game.begin(rules, scenario, {}, bytes(16)).view(PUBLIC)
        status = presenter.status(view)
        for text in (status.text, *status.track):
            assert text
            assert not _CODE.search(text), text


def test_numbers_have_a_unit_or_special_words() -> None:
    option = Option("rounds", None, "", high=9, unit="rounds", words=((0, "no limit"),))
    assert [option.phrase(value) for value in "019"] == ["no limit", "1 round", "9 rounds"]
    assert replace(option, unit="%").phrase("1") == "1 %"
    assert replace(option, unit="").phrase("5") == "5"
