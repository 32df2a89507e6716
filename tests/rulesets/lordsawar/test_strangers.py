"""Foreign stacks, and the production of foreign cities, are hidden unless options show them."""

from __future__ import annotations

from typing import Final

import pytest

from engine.core.dice import Scripted, Seeded
from engine.core.ids import REFEREE
from engine.core.record import Event, replace
from engine.rulesets.lordsawar.moving import average_army
from engine.rulesets.lordsawar.options import Options
from engine.rulesets.lordsawar.position_tools import TOOLS
from engine.rulesets.lordsawar.rule_settings import settings_of
from engine.rulesets.lordsawar.rules import RULES
from engine.rulesets.lordsawar.state import State
from engine.rulesets.lordsawar.tables import units_by_key
from engine.rulesets.lordsawar.view import VIEWING, imagine, redact, view
from engine.strategic.battle import forecast
from engine.strategic.commands import March, SetFightOrder, Walk
from engine.strategic.events import BattleFought, FightOrderSet
from engine.strategic.pieces import NOBODY, UNKNOWN_TYPE, Army, Item
from engine.tabletop.ask import AskConfirm, AskPlace
from engine.tabletop.focus import Focus
from engine.tabletop.spoken import SpokenMark
from tests.rulesets.lordsawar.fields import army, city, field, played

WIDE: Final = ("." * 8,) * 3
SHOWN: Final = Options(view_enemies="on", view_production="on")


FORECAST: Final = next(tool for tool in TOOLS if tool.name == "forecast")


def border(options: Options | None = None, sides: int = 3) -> State:
    """Return a dragon and a hero of another side beside a stack, and a neutral city."""
    armies = (
        army(1, 0, 0, "elephants"),
        army(2, 1, 0, "dragons", owner=1, medals=2),
        army(3, 1, 0, "hero", owner=1),
        army(4, 7, 2, owner=2),
        army(5, 5, 0, "scouts", owner=NOBODY),
    )
    towns = [city(0, 5, 0), city(1, 2, 1, 1), city(2, 6, 1, 0)]
    return field(WIDE, *armies, cities=towns, sides=sides, options=options)


@pytest.mark.rule("LW-17.9")
def test_view_shows_foreign_armies_without_details() -> None:
    known = view(border(), 0)
    assert known.types[UNKNOWN_TYPE.id] == UNKNOWN_TYPE
    assert known.armies[1].type == units_by_key()["elephants"].id
    for number, owner, at in ((2, 1, (1, 0)), (3, 1, (1, 0)), (5, NOBODY, (5, 0))):
        blank = Army(number, owner, UNKNOWN_TYPE.id, *at, 0, 0, 0, 0)
        assert known.armies[number] == blank


@pytest.mark.rule("LW-17.9")
@pytest.mark.parametrize("viewer", [0, REFEREE])
def test_foreign_armies_are_visible_by_option_and_to_the_referee(viewer: int) -> None:
    options = SHOWN if viewer == 0 else None
    known = view(border(options), viewer)
    assert UNKNOWN_TYPE.id not in known.types
    assert [known.armies[number].type for number in (2, 3)] == [26, 27]
    assert known.armies[2].medals == 2
    assert all(town.slots for town in known.cities.values())


@pytest.mark.rule("LW-17.9", "LW-20")
def test_production_of_foreign_cities_is_hidden() -> None:
    known = view(border(), 0)
    assert [bool(town.slots) for town in known.cities.values()] == [False, False, True]
    half = view(border(Options(view_production="on")), 0)
    assert all(town.slots for town in half.cities.values())
    assert half.armies[2].type == UNKNOWN_TYPE.id


@pytest.mark.rule("LW-17.10")
def test_forecasts_and_imagined_states_use_an_average_army() -> None:
    state = border()
    known, settings = view(state, 0), settings_of(state.options)
    guessed = imagine(known, Seeded(b"guess", 0, "test"))
    assert view(guessed, 0) == known
    assert UNKNOWN_TYPE.id not in guessed.types
    assert guessed.armies[2] == average_army(guessed, known.armies[2])
    mine = (known.armies[1],)
    assert forecast(known, settings, mine, (1, 0)) == forecast(guessed, settings, mine, (1, 0))


@pytest.mark.rule("LW-17.10")
def test_average_army_grows_over_the_rounds_except_for_neutrals() -> None:
    strengths = {}
    for owner in (1, NOBODY):
        stranger = Army(9, owner, UNKNOWN_TYPE.id, 0, 0, 0, 0, 0, 0)
        rounds = [field(WIDE, army(1, 0, 0), turn=turn) for turn in (1, 20, 40, 400)]
        strengths[owner] = [average_army(state, stranger).strength for state in rounds]
    assert strengths[1] == sorted(strengths[1])
    assert strengths[1][0] < strengths[1][2] == strengths[1][3]
    assert len(set(strengths[NOBODY])) == 1
    assert strengths[NOBODY][0] <= strengths[1][0]


def told(state: State, viewer: int) -> tuple[BattleFought, Event | None]:
    """Return the battle of an attack on the dragon, and the event as the viewer sees it."""
    _, events = played(state, (0, Walk((1,), ((1, 0),))), dice=Scripted(()))
    fought = next(event for event in events if isinstance(event, BattleFought))
    return fought, redact(fought, state, state, viewer)


@pytest.mark.rule("LW-17.9", "LW-2.1")
def test_only_the_sides_of_a_battle_learn_its_fighters() -> None:
    state = border()
    fought, heard = told(state, 0)
    assert isinstance(heard, BattleFought)
    assert heard.defenders == fought.defenders
    _, rumour = told(state, 2)
    assert isinstance(rumour, BattleFought)
    assert {one.type for one in (*rumour.attackers, *rumour.defenders)} == {UNKNOWN_TYPE.id}
    assert {one.strength for one in (*rumour.attackers, *rumour.defenders)} == {0}
    assert not any(duel.dice for duel in rumour.duels)
    assert [duel.won for duel in rumour.duels] == [duel.won for duel in fought.duels]
    shown = told(border(SHOWN), 2)
    assert shown[1] == shown[0]


@pytest.mark.rule("LW-17.9")
def test_look_shows_the_number_of_foreign_armies_only() -> None:
    presenter = RULES.presenter
    lines = presenter.look(view(border(), 0), 1, 0)
    text = "\n".join(line.text for line in lines)
    assert "2 armies of side 1" in text
    assert not any(word in text for word in ("Dragon", "hero", "Unknown army", "strength"))
    assert VIEWING.has_fog(border()) is False


# -- forecasts of visible armies -------------------------------------------------------------------


def banners(options: Options) -> State:
    """Return a stack beside a foreign hero with items and its own line of battle."""
    armies = (
        army(1, 0, 0, "dragons"),
        army(2, 0, 0, "elephants"),
        army(3, 1, 0, "hero", owner=1),
        army(4, 1, 0, "giants", owner=1),
        army(5, 1, 0, "scouts", owner=1),
    )
    items = (
        Item(0, "item", 0, "Shield of Courage", "carried", 3),
        Item(50, "standard", 1, "Standard", "carried", 3, side=1),
        Item(38, "item", 38, "Charged", "carried", 3),
    )
    state = field(WIDE, *armies, items=items, options=options)
    state, _ = played(state, (0, SetFightOrder(tuple(reversed(tuple(state.types))))))
    turned = tuple(reversed(state.sides[1].order))
    return replace(state, sides=state.sides.put(replace(state.sides[1], order=turned)))


@pytest.mark.rule("LW-7.2", "LW-17")
def test_forecast_is_exact_if_foreign_armies_are_visible() -> None:
    state = banners(SHOWN)
    known, settings = view(state, 0), settings_of(state.options)
    assert set(known.items) == {0, 50}, "what counts in battle shows, the rest does not"
    assert known.sides[1].order == state.sides[1].order
    for world in (known, imagine(known, Seeded(b"guess", 0, "test"))):
        for group in ((1,), (2,), (1, 2)):
            mine = tuple(state.armies[one] for one in group)
            exact = forecast(state, settings, mine, (1, 0))
            assert forecast(world, settings, mine, (1, 0)) == exact
    assert view(imagine(known, Seeded(b"guess", 0, "test")), 0) == known


@pytest.mark.rule("LW-17.9")
def test_items_and_fight_orders_are_hidden_with_foreign_armies() -> None:
    known = view(banners(Options()), 0)
    assert not known.items
    assert known.sides[1].order == ()


@pytest.mark.rule("LW-17.9")
@pytest.mark.parametrize(("options", "heard"), [(SHOWN, True), (Options(), False)])
def test_new_fight_order_is_visible_if_armies_are(options: Options, heard: bool) -> None:
    state = border(options)
    _, events = played(state, (0, SetFightOrder(tuple(reversed(tuple(state.types))))))
    (event,) = (one for one in events if isinstance(one, FightOrderSet))
    assert redact(event, state, state, 1) == (event if heard else None)


@pytest.mark.rule("LW-7", "LW-17.10")
def test_forecast_against_unknown_armies_is_not_certain() -> None:
    for known in ("on", "off"):
        state = border(Options(military_advisor="on", view_enemies=known))
        shown = RULES.presenter.overlay(view(state, 0), Focus(1, 0, 1))
        (told_of,) = [x.text for x in shown.panel if x.text.startswith(("Win", "Lose"))]
        assert told_of.endswith("certain" if known == "on" else "if they are average armies")


@pytest.mark.rule("LW-7", "LW-17.10")
def test_no_chance_against_unknown_armies_is_a_bare_number() -> None:
    known = view(border(Options(military_advisor="on", view_enemies="off")), 0)
    shown = RULES.presenter.overlay(known, Focus(1, 0, 1))
    (spoken,) = [
        mark.words
        for mark in shown.marks
        if isinstance(mark, SpokenMark) and mark.words and (mark.x, mark.y) == (1, 0)
    ]
    asked = RULES.presenter.ask(known, Focus(0, 0), "march", [])
    assert isinstance(asked, AskPlace)
    listed = asked.hints[asked.cells.index((1, 0))]
    ended = RULES.presenter.ask(known, Focus(0, 0), "end-turn", [])
    assert isinstance(ended, AskConfirm)
    (line,) = [x.text for x in ended.lines if "%" in x.text]
    assert spoken.endswith("% to win if unknown armies are average")
    assert listed.endswith(spoken)
    assert shown.hint.endswith("% if average")
    assert line.rstrip(".").endswith("if unknown armies are average")


@pytest.mark.rule("LW-3.2", "LW-7")
def test_forecast_counts_the_ground_where_the_attacker_will_fight() -> None:
    options = Options(military_advisor="on", view_enemies="on")
    armies = (army(1, 0, 0, "minotaurs"), army(2, 4, 0, "giants", owner=1))
    state = field(WIDE, *armies, cities=[city(0, 0, 0, 0), city(1, 6, 1, 1)], options=options)
    _, events = played(state, (0, March((1,), (4, 0))))
    (battle,) = (one for one in events if isinstance(one, BattleFought))
    shown = RULES.presenter.overlay(view(state, 0), Focus(4, 0, 1))
    strength = battle.attackers[0].strength
    assert f" Minotaurs {strength}" in [line.text for line in shown.panel]
    report = FORECAST.run(state, {"armies": "1", "target": "4,0"})
    assert report.rows[0][3] == strength


# -- dangers from visible armies -------------------------------------------------------------------


@pytest.mark.rule("LW-17")
@pytest.mark.parametrize("options", [Options(), SHOWN])
def test_visible_enemy_beside_an_own_stack_is_a_danger(options: Options) -> None:
    presenter, known = RULES.presenter, view(border(options), 0)
    marks = {(m.x, m.y): m.text for m in presenter.layer(known, Focus(0, 0), "danger")}
    assert int(marks[0, 0]) >= 1
    panel = [line.text for line in presenter.overlay(known, Focus(0, 0)).panel]
    assert any("enemy stack" in text and "can come" in text for text in panel)
    assert any("count as fast as" in text for text in panel) == (options != SHOWN)


@pytest.mark.rule("LW-17")
def test_danger_of_an_unknown_army_covers_all_types_that_cities_make() -> None:
    land = ("." * 5 + "f" * 5 + "." * 5 + "hm" * 4 + "w" * 4,) * 3
    sold = [kind for kind in units_by_key().values() if kind.price > 0]
    for kind in sold:
        foe = army(2, 12, 1, kind.key, owner=1)
        hidden, shown = (
            {
                (mark.x, mark.y)
                for mark in RULES.presenter.layer(
                    view(field(land, army(1, 0, 0), foe, options=options), 0),
                    Focus(0, 0),
                    "danger",
                )
            }
            for options in (Options(), SHOWN)
        )
        assert shown <= hidden, kind.key
