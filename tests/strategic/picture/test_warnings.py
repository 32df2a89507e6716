"""Warnings before the end of a turn."""

from __future__ import annotations

from typing import Any

from engine.rulesets.warlords2.state import State
from engine.tabletop.ask import AskConfirm
from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.stage import PICTURE, shown, texts


def realm(**more: Any) -> State:
    """Return a position: side 0 has a capital and two more cities, side 1 a strong stack."""
    usual: dict[str, Any] = {
        "armies": [
            ground.army(1, 0, 0, ground.LIGHT),
            ground.army(2, 6, 0, ground.LIGHT),
            *(ground.army(number, 4, 2, ground.ARCHERS, owner=1) for number in (5, 6, 7)),
        ],
        "cities": [
            ground.city(1, 0, 0, 0),
            ground.city(2, 6, 0, 0),
            ground.city(3, 4, 5, 0),
            ground.city(4, 28, 0, 0),
            ground.city(5, 28, 5, 1),
        ],
        "sides": [ground.side(0, gold=60, capital=(6, 0)), ground.side(1)],
    }
    return ground.world(["." * 32] * 8, **(usual | more))


def asked(state: State, viewer: int = 0) -> list[str]:
    question = PICTURE.ask(shown(state, viewer), Focus(0, 0), "end-turn", [])
    assert isinstance(question, AskConfirm)
    return list(texts(question.lines))


def test_warnings_list_the_capital_then_cities_then_idle_armies() -> None:
    told = asked(realm())
    dangers = [text for text in told if "can come" in text]
    assert "(capital): 1 enemy stack can come" in dangers[0]
    assert "% to hold" in dangers[0]
    assert any("nobody guards it" in text for text in dangers)
    assert told[: len(dangers)] == dangers
    assert "could still move" in " ".join(told[len(dangers) :])


def test_warnings_omit_cities_out_of_reach_and_sides_at_peace() -> None:
    away = [ground.army(1, 0, 0, ground.LIGHT), ground.army(5, 30, 7, ground.LIGHT, owner=1)]
    told = [text for text in asked(realm(armies=away)) if "can come" in text]
    assert [text.partition(":")[0] for text in told] == [ground.city(4, 28, 0, 0).name]
    assert not [text for text in asked(realm(armies=away[:1])) if "can come" in text]


def test_cities_beyond_the_first_four_are_named_too() -> None:
    cities = [ground.city(number, 4 * number, 0, 0) for number in range(7)]
    foes = [ground.army(20 + n, 4 * n, 3, ground.ARCHERS, owner=1) for n in range(7)]
    told = asked(realm(cities=[*cities, ground.city(9, 28, 5, 1)], armies=foes))
    rest = [text for text in told if "in danger" in text]
    named = [city.name for city in cities if any(city.name in text for text in told)]
    assert len(named) == 7
    assert rest[0].startswith("3 more cities in danger: ")
