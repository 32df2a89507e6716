"""Forecasts of the panel say what the viewer does not know about the enemy."""

from __future__ import annotations

import numpy as np
import pytest

from engine.core.containers import Plane
from engine.core.ids import REFEREE
from engine.core.record import replace
from engine.rulesets.warlords2.state import State
from engine.strategic import events as ev
from engine.strategic.picture.forecast import expected_name, expected_verb
from engine.strategic.pieces import UNKNOWN_TYPE, Hero, Item
from engine.tabletop.ask import AskConfirm
from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.stage import PICTURE, context, shown, texts
from tui.replay import luck

BLADE = Item(0, "weapon", 3, "the Reed Blade", "carried", 9)
UNKNOWN = " +? items of Manfred are not known"


def duel(*, owner: int = 1) -> State:
    """Return elephants beside a hero of side 1, or of the viewer's, who carries a blade."""
    armies = [
        ground.army(1, 2, 0, ground.ELEPHANTS),
        ground.army(2, 2, 0, ground.ELEPHANTS),
        ground.army(9, 3, 0, ground.HERO, owner=owner, hero=Hero("Manfred")),
    ]
    return ground.world(["." * 8] * 3, armies=armies, items=[BLADE])


def panel(state: State, at: tuple[int, int] = (3, 0)) -> list[str]:
    return texts(PICTURE.overlay(shown(state), Focus(*at, held=1)).panel)


def chance(lines: list[str]) -> str:
    return next(text for text in lines if text.startswith("Win "))


def test_chances_against_an_enemy_hero_are_limits_because_its_items_are_hidden() -> None:
    state = duel()
    said = panel(state)
    assert chance(said).startswith("Win at most ")
    assert any(text.startswith("Lose at least ") for text in said)
    assert any(text.startswith("They lose at most ") for text in said)
    assert said.count(UNKNOWN) == 1
    asked = PICTURE.ask(shown(state), Focus(3, 0, held=1), "march", [])
    assert isinstance(asked, AskConfirm)
    assert chance(texts(asked.lines)) == chance(said)
    assert UNKNOWN in texts(asked.lines)


def test_marks_and_the_button_give_no_bare_number_against_an_enemy_hero() -> None:
    seen = shown(duel())
    shows = PICTURE.overlay(seen, Focus(3, 0, held=1))
    (mark,) = [mark for mark in shows.marks if (mark.x, mark.y) == (3, 0) and mark.text]
    assert mark.text.endswith("?")
    assert mark.short == "?"
    assert "at most" in shows.hint
    asked = PICTURE.ask(seen, Focus(2, 0), "march", [])
    assert any("at most" in hint for hint in getattr(asked, "hints", ()))


def test_forecast_is_a_plain_number_against_armies_without_heroes() -> None:
    plain = duel()
    plain = ground.world(
        ["." * 8] * 3,
        armies=[*list(plain.armies.values())[:2], ground.army(9, 3, 0, ground.HEAVY, owner=1)],
    )
    said = panel(plain)
    assert chance(said).removeprefix("Win ")[0].isdecimal()
    assert not any("not known" in text or "at least" in text for text in said)


def test_chances_to_hold_are_limits_if_an_enemy_hero_can_come() -> None:
    state = ground.world(
        ["." * 8] * 3,
        armies=[
            ground.army(1, 2, 0, ground.ELEPHANTS),
            ground.army(9, 5, 0, ground.HERO, owner=1, hero=Hero("Manfred")),
        ],
        cities=[ground.city(0, 1, 0, 0), ground.city(1, 6, 1, 1)],
        items=[BLADE],
    )
    said = texts(PICTURE.overlay(shown(state), Focus(2, 0)).panel)
    assert any(text.startswith("Holds against it at most ") for text in said)
    asked = PICTURE.ask(shown(state), Focus(2, 0), "end-turn", [])
    assert isinstance(asked, AskConfirm)
    assert any(": 1 enemy stack can come, at most " in text for text in texts(asked.lines))


def test_forecast_of_a_tile_out_of_sight_promises_nothing() -> None:
    state = ground.world(
        ["." * 30] * 3,
        armies=[ground.army(1, 2, 0, ground.SCOUTS)],
        cities=[ground.city(1, 24, 0, 1)],
        hidden=True,
        discovered=Plane(np.full((3, 30), 255, dtype=np.uint8)),
    )
    scene = context(state)
    assert scene.knows((24, 0))
    assert not scene.sees((24, 0))
    assert "%" not in PICTURE.overlay(shown(state), Focus(24, 0, held=1)).hint


@pytest.mark.parametrize(("kind", "hidden"), [(ground.HERO, True), (ground.HEAVY, False)])
def test_chance_of_a_fought_battle_is_marked_if_it_counts_hidden_items(
    kind: int, *, hidden: bool
) -> None:
    state = duel()
    state = replace(state, armies=state.armies.put(replace(state.armies[9], type=kind)))
    fought = ev.BattleFought(
        at=(3, 0),
        start=(2, 0),
        attacker=0,
        defender=1,
        ground="open",
        attackers=(ev.Fighter(1, ground.ELEPHANTS, 7),),
        defenders=(ev.Fighter(9, kind, 7),),
        duels=(ev.Duel(1, 9, (1, 2), won=True),),
        won=True,
    )
    seen = shown(state, REFEREE)
    attack = next(fact for fact in PICTURE.facts(fought, seen, seen) if fact.kind == "attack")
    assert attack.in_hindsight is hidden
    told = texts(luck.lines(luck.ledger([attack]), ["Linden", "Crow"]))
    assert ("Chances count all that was hidden from the attackers." in told) is hidden


def test_the_verb_of_a_forecast_agrees_with_the_name() -> None:
    state = duel()
    state = replace(state, armies=state.armies.put(ground.army(7, 4, 0, owner=1)))
    veiled = context(state)
    stranger = replace(veiled.world.armies[7], type=UNKNOWN_TYPE.id)
    seen = PICTURE.context(replace(veiled.world, armies=veiled.world.armies.put(stranger)))

    def said(army: int) -> str:
        one = ev.Fighter(army, seen.world.armies[army].type, 5)
        return f"{expected_name(seen, one)} {expected_verb(seen, one, 'beats', 'beat')}"

    assert [said(army) for army in (1, 7, 9)] == [
        "Elephants beat",
        "an army beats",
        "Manfred beats",
    ]
