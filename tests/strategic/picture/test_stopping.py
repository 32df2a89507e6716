"""Danger for a group that stops on a tile, compared with danger layer and battle forecast."""

from __future__ import annotations

import pytest

from engine.core.record import replace
from engine.rulesets.warlords2.state import State
from engine.strategic.battle import forecast
from engine.strategic.picture.overlay import danger
from engine.strategic.picture.stopping import attackers_of, chance_to_hold
from engine.strategic.reach import reach
from engine.tabletop.board import Gauge
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone
from tests.strategic import ground
from tests.strategic.picture.stage import PICTURE, context, shown, texts


def front(*, hidden: bool = False) -> State:
    """Return heavy infantry with two weak enemy stacks nearby and one far away."""
    armies = [
        ground.army(1, 2, 0, ground.HEAVY),
        ground.army(2, 6, 0, ground.LIGHT, owner=1),
        ground.army(3, 2, 2, ground.MOB, owner=1),
        ground.army(4, 2, 2, ground.MOB, owner=1),
        ground.army(5, 39, 1, ground.MOB, owner=1),
    ]
    return ground.world(["." * 40] * 3, armies=armies, hidden=hidden)


@pytest.mark.parametrize("hidden", [False, True])
def test_attackers_of_a_tile_equal_the_danger_layer(*, hidden: bool) -> None:
    scene = context(front(hidden=hidden))
    counts = danger(scene)
    for y in range(3):
        for x in range(40):
            assert len(attackers_of(scene, (x, y))) == counts[y, x]


@pytest.mark.rule("W2-8.3")
def test_chance_to_hold_is_against_the_strongest_attacker() -> None:
    state = front()
    scene = context(state)
    strongest = scene.stacks[attackers_of(scene, (2, 0))[0]]
    lost = forecast(state, scene.settings, strongest, (2, 0)).chance
    assert chance_to_hold(scene, ((1,), (2, 0))) == round(100 * (1 - lost))
    moved = replace(state, armies=state.armies.put(replace(state.armies[1], x=4, y=1)))
    strongest = scene.stacks[attackers_of(scene, (4, 1))[0]]
    lost = forecast(moved, scene.settings, strongest, (4, 1)).chance
    assert chance_to_hold(scene, ((1,), (4, 1))) == round(100 * (1 - lost))


def test_panel_shows_the_danger_for_own_stacks_only() -> None:
    seen = shown(front())
    panel = PICTURE.overlay(seen, Focus(2, 0)).panel
    said = texts(panel)
    at = said.index("If you stop here")
    assert panel[at].tone is Tone.HEADING
    assert said[at + 1] == "2 enemy stacks can come"
    chance = int(said[at + 3].removeprefix("Holds against it ").removesuffix(" %"))
    assert panel[at + 3].gauge == Gauge(chance, 100, "chance")
    assert "If you stop here" not in texts(PICTURE.overlay(seen, Focus(2, 2)).panel)
    assert "If you stop here" not in texts(PICTURE.overlay(seen, Focus(20, 0)).panel)


def test_panel_shows_the_danger_where_the_group_can_stop() -> None:
    seen = shown(front())
    assert "If you stop here" in texts(PICTURE.overlay(seen, Focus(3, 0, 1)).panel)
    assert "If you stop here" not in texts(PICTURE.overlay(seen, Focus(30, 0, 1)).panel)


def test_forces_count_only_visible_armies() -> None:
    whole = [line.text for line in PICTURE.forces(shown(front()))]
    assert "Side 1: armies 4" in whole
    fogged = [line.text for line in PICTURE.forces(shown(front(hidden=True)))]
    assert "Side 0: armies seen 1" in fogged
    assert "Side 1: armies seen 4" not in fogged


def test_unseen_enemies_are_no_danger() -> None:
    state = front(hidden=True)
    far = replace(state, armies=state.armies.put(replace(state.armies[2], x=12)))
    seen = {army.at for army in context(far).world.armies.values() if army.owner == 1}
    assert (12, 0) not in seen
    assert all(start in seen for start in attackers_of(context(far), (2, 0)))


@pytest.mark.parametrize(
    ("mine", "foe", "is_danger"), [((2, 1), (3, 1), True), ((3, 1), (2, 1), False)]
)
def test_enemy_fleet_beside_a_harbour_is_a_danger_as_its_reach_says(
    mine: tuple[int, int], foe: tuple[int, int], *, is_danger: bool
) -> None:
    armies = [
        ground.army(1, *mine, aboard=mine[0] == 3),
        ground.army(2, *foe, owner=1, aboard=foe[0] == 3),
    ]
    state = ground.world(["...~~~"] * 3, armies=armies, ports=((2, 1),))
    scene = context(state)
    targets = reach(state, scene.settings, 1, (state.armies[2],)).targets
    assert (mine in targets) == is_danger
    assert attackers_of(scene, mine) == ((foe,) if is_danger else ())
