"""Field towers (section 6.7)."""

from __future__ import annotations

import pytest

from engine.core.containers import Roster
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.strategic import turns
from engine.strategic.events import TowersBuilt, TowersFell
from engine.strategic.pieces import NOBODY
from tests.strategic.ground import army, city, desk, site, tower, world

BOOK = settings_of(Options())


def built(sign: str, *, road: bool = False) -> bool:
    state = world([f".{sign}"], armies=[army(1, 1, 0, defends=True)], roads=[(1, 0)] * road)
    work = desk(state)
    turns.build_towers(work, BOOK, 0)
    return len(work.state.towers) == 1


@pytest.mark.rule("W2-6.7")
@pytest.mark.parametrize("sign", list(".#fhs=x"))
def test_towers_can_be_built_on_open_ground(sign: str) -> None:
    assert built(sign)


@pytest.mark.rule("W2-6.7")
@pytest.mark.parametrize("sign", list("mdtcr~w"))
def test_towers_on_other_ground_need_a_road(sign: str) -> None:
    assert not built(sign)
    assert built(sign, road=True)


@pytest.mark.rule("W2-6.7", "W2-3.1")
def test_no_tower_is_built_on_ruins_or_razed_cities() -> None:
    armies = [army(1, 0, 0, defends=True), army(2, 1, 1, defends=True), army(3, 3, 0, defends=True)]
    state = world(
        ["..xx", "...."],
        armies=armies,
        cities=[city(1, 0, 0, NOBODY, razed=True)],
        sites=[site(0, 3, 0, "temple")],
    )
    work = desk(state)
    turns.build_towers(work, BOOK, 0)
    assert work.events == ()


@pytest.mark.rule("W2-6.7")
def test_only_own_defending_armies_ashore_build_towers() -> None:
    armies = [
        army(1, 0, 0),
        army(2, 1, 0, defends=True, aboard=True),
        army(3, 2, 0, defends=True, owner=1),
        army(4, 3, 0, defends=True),
        army(5, 3, 0, defends=True),
    ]
    work = desk(world(["...."], armies=armies))
    turns.build_towers(work, BOOK, 0)
    assert work.events == (TowersBuilt(towers=(tower(3, 0, 4),)),)
    turns.build_towers(work, BOOK, 0)
    assert len(work.events) == 1


@pytest.mark.rule("W2-2.4", "W2-6.7")
def test_towers_without_an_army_of_their_owner_fall() -> None:
    standing = [tower(0, 0, 4), tower(1, 0, 4), tower(2, 0, 4, owner=1)]
    armies = [army(1, 0, 0), army(2, 1, 0, owner=1)]
    work = desk(world(["...."], armies=armies, towers=Roster(standing)))
    turns.drop_unmanned(work)
    assert work.events == (TowersFell(towers=(1, 2)),)
    turns.drop_unmanned(work)
    assert len(work.events) == 1
