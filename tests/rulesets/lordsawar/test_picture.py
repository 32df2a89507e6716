"""The presentation of LordsAWar: hit points, conditions, forecasts, treaties, the lesson."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core import notation
from engine.core.feed import changes
from engine.core.record import replace
from engine.rulesets.lordsawar import RULES, describing
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.commands import ChooseGain, Propose
from engine.rulesets.lordsawar.picture import PRESENTER, STYLE
from engine.rulesets.lordsawar.state import Condition, State
from engine.rulesets.lordsawar.tables import armyset, unit_types
from engine.rulesets.lordsawar.view import view
from engine.strategic.pieces import UNKNOWN_TYPE, Army, HitPoints, Item, Question
from engine.strategic.world import WAR
from engine.tabletop.focus import Focus
from engine.tabletop.roles import MarkSign
from tests.contract.test_lessons import taken
from tests.rulesets.lordsawar.test_diplomacy import beginning, proposed, with_army
from tui.terminal.ascii_fallback import in_ascii

(LESSON,) = PRESENTER.lessons
WHOLE = 2 * HIT_POINT


def lesson_view(beginning_of_text: str) -> Any:
    """Return the learner's view at the step whose text begins so."""
    found = {p.step.text: p.game.view(0) for p in taken(RULES, LESSON)}
    (seen,) = [one for text, one in found.items() if text.startswith(beginning_of_text)]
    return seen


def panel(seen: Any, focus: Focus) -> list[str]:
    """Return the lines of the panel."""
    return [line.text for line in PRESENTER.overlay(seen, focus).panel]


def wounded(lost: int, **condition: Any) -> State:
    """Return a position with a wounded army of side 0 at 5,1."""
    state = with_army(beginning())
    (army,) = state.armies.values()
    hurt = replace(army, hp=HitPoints(WHOLE, lost))
    noted = Condition(army.id, **condition)
    return replace(state, armies=state.armies.put(hurt), conditions=state.conditions.put(noted))


# -- hit points ------------------------------------------------------------------------------------


@pytest.mark.rule("LW-8.3")
@pytest.mark.parametrize(
    ("lost", "text", "bar", "plain"),
    [
        (0, "2/2", "████", "####"),
        (1, "2/2", "███▌", "###="),
        (HIT_POINT, "1/2", "██··", "##.."),
        (HIT_POINT * 3 // 2, "1/2", "█···", "#..."),
        (WHOLE - 1, "1/2", "▌···", "=..."),
    ],
)
def test_hit_points_are_shown_as_number_and_bar(lost: int, text: str, bar: str, plain: str) -> None:
    left = WHOLE - lost
    assert describing.hp_text(left, WHOLE) == text
    assert describing.bar(left, WHOLE) == bar
    assert in_ascii(bar) == plain


@pytest.mark.rule("LW-8")
@pytest.mark.rule("LW-3.2")
def test_panel_and_look_show_wounds_and_conditions() -> None:
    seen = view(wounded(HIT_POINT, fortified=True, tower=True, xp="10/3"), 0)
    assert "Heavy Cav. 9 █· 1/2 fort twr, 20/20" in panel(seen, Focus(5, 1))
    look = " ".join(line.text for line in PRESENTER.look(seen, 5, 1))
    assert "hit points 1/2 (1.00 left, whole in 1 round), fortified, in a tower" in look


@pytest.mark.rule("LW-8")
@pytest.mark.parametrize(("lost", "left"), [(0, 100), (1, 99), (HIT_POINT, 50), (WHOLE - 1, 1)])
def test_board_shows_hit_points_of_stacks_in_percent(lost: int, left: int) -> None:
    seen = view(wounded(lost), 0)
    board = PRESENTER.board(seen, "map")
    assert board.life is not None
    assert board.count is not None
    assert (board.life[1, 5], board.count[1, 5]) == (left, 1)
    assert int((board.life.cells > 0).sum()) == len({army.at for army in seen.armies.values()})


@pytest.mark.rule("LW-8")
def test_unknown_army_shows_no_hit_points() -> None:
    state = wounded(HIT_POINT)
    (army,) = state.armies.values()
    strange = replace(army, type=UNKNOWN_TYPE.id)
    assert describing.life_left([strange]) == 0
    assert describing.life_left([strange, army]) == describing.life_left([army]) == 50


@pytest.mark.rule("LW-6.5")
def test_wounded_armies_are_found_by_key_layer_symbol_and_report() -> None:
    seen, healthy = view(wounded(HIT_POINT), 0), view(with_army(beginning()), 0)
    assert PRESENTER.jumps(seen, Focus(0, 0), "wounded") == ((5, 1),)
    assert PRESENTER.jumps(healthy, Focus(0, 0), "wounded") == ()
    (mark,) = PRESENTER.layer(seen, Focus(0, 0), "wounds")
    assert (mark.x, mark.y, mark.text, mark.short) == (5, 1, "50", "5")
    board = PRESENTER.board(seen, "map")
    symbol = PRESENTER.symbols[int(board.piece[1, 5])]
    assert symbol.name == "heavy cav., wounded"
    assert (symbol.rich2, symbol.plain2) == (f"{symbol.rich}▄", f"{symbol.ascii}-")
    assert symbol.struck
    (muster,) = [one for one in PRESENTER.reports(seen) if one.name == "muster"]
    assert muster.rows[0].cells[:6] == ("Heavy Cav.", "5,1", 9, "1/2", "██··", 1)


@pytest.mark.rule("LW-1")
def test_jumps_skip_parked_armies() -> None:
    assert PRESENTER.jumps(view(wounded(0), 0), Focus(0, 0), "idle")
    parked = view(wounded(0, parked=True), 0)
    assert (5, 1) not in PRESENTER.jumps(parked, Focus(0, 0), "idle")


# -- texts -----------------------------------------------------------------------------------------


@pytest.mark.rule("LW-9")
def test_types_have_unique_letters_and_described_abilities() -> None:
    letters = [STYLE.letters[row.id] for row in unit_types().values()]
    assert len(set(letters)) == len(letters) == 28
    assert all(len(letter) == 1 and letter.isascii() for letter in letters)
    words = " ".join(PRESENTER.manual[-1].words)
    assert "Scouts: strength 1, moves 16, 1 turn, upkeep 2, 10 gold, at ease in forest" in words
    assert "flies" in words


@pytest.mark.rule("LW-11")
def test_every_item_shows_its_effect_and_uses() -> None:
    for row in armyset().items:
        item = Item(0, "item", row.id, row.name)
        text = describing.item_effect(item)
        assert "{" not in text
        assert text.endswith(("use", "uses")) == (row.charges > 0)
    assert describing.item_effect(Item(0, "item", 0, "Shield of Courage")) == "strength +1"


# -- forecast --------------------------------------------------------------------------------------


@pytest.mark.rule("LW-7")
@pytest.mark.rule("LW-5")
def test_forecast_shows_the_course_of_the_battle() -> None:
    lines = panel(lesson_view("You still hold them"), Focus(10, 5, 1))
    at = lines.index("Win for certain")
    # 4 against 2 in a city: three blows of 0.90 each against two blows of 0.40 each.
    assert lines[at + 1 : at + 7] == [
        "Left then:",
        " Heavy Cav. 2/2 hp ██▌·",
        " Heavy Cav. 2/2 hp ████",
        " Heavy Cav. 2/2 hp ████",
        "Blow by blow:",
        " Heavy Cav. beat Orcish Mob: 3 blows of 0.90 against 2 of 0.40",
    ]


@pytest.mark.rule("LW-5")
def test_a_battle_is_shown_blow_by_blow() -> None:
    *_, last = taken(RULES, LESSON)
    line = last.game.log.line()
    known = [told for change in changes(RULES, line) for told in change.events(0)]
    shown = [PRESENTER.moments(told.event, told.before) for told in known]
    first = next(moments for moments in shown if moments)
    panels = [[line.text.rstrip() for line in moment.lines] for moment in first]
    assert [panel[0] for panel in panels[:2]] == ["The battle begins", "Blow 1 of 5"]
    assert panels[1][1:] == [
        "Linden          3 of 3",
        "> Heavy Cav. 4    ████ 2/2",
        "  Heavy Cav. 4    ████ 2/2",
        "  Heavy Cav. 4    ████ 2/2",
        "The neutrals    1 of 1",
        "< Orcish Mob 2    ██▌· 2/2",
        "damage 0.90",
    ]
    assert panels[-1][0] == "Won: Linden"
    assert panels[-1][-2:] == ["x Orcish Mob 2    fell", ""]
    marks = [(mark.x, mark.y, mark.sign) for mark in first[1].marks]
    assert marks == [(9, 5, MarkSign.HELD), (10, 5, MarkSign.TARGET)]


# -- treaties and questions ------------------------------------------------------------------------


@pytest.mark.rule("LW-16")
def test_treaty_dialogue_shows_opinions() -> None:
    state = proposed(beginning(), (2, 0, WAR))
    seen = view(state, 0)
    ask: Any = PRESENTER.ask(seen, Focus(0, 0), "stance", [])
    told = {choice.value: choice.label for choice in ask.choices}
    assert told["2"] == "Side 2: at peace, opinion 8 of you, yours 8, it proposes war"
    ask = PRESENTER.ask(seen, Focus(0, 0), "stance", ["1"])
    assert [choice.value for choice in ask.choices] == ["0", "1", "2", "-1"]
    line: Any = PRESENTER.ask(seen, Focus(0, 0), "stance", ["1", "2"])
    assert notation.read(line, RULES.command_type) == Propose(1, WAR)
    (report,) = [one for one in PRESENTER.reports(seen) if one.name == "treaties"]
    assert report.rows[1].cells[3:6] == ("at peace", "nothing", "war")


@pytest.mark.rule("LW-10.6")
def test_a_new_level_asks_for_a_gain() -> None:
    state = with_army(beginning())
    (army,) = state.armies
    state = replace(state, question=Question("level", 0, army=army))
    seen = view(state, 0)
    intent = PRESENTER.intents(seen, Focus(0, 0))[0]
    assert (intent.name, intent.key) == ("gain", "a")
    ask: Any = PRESENTER.ask(seen, Focus(0, 0), "gain", [])
    assert [choice.label for choice in ask.choices] == [
        "Strength +1",
        "Moves +4",
        "Sight +1",
        "Hit points +4",
    ]
    assert ask.choices[0].reason, "it has strength 9"
    line: Any = PRESENTER.ask(seen, Focus(0, 0), "gain", ["moves"])
    assert notation.read(line, RULES.command_type) == ChooseGain("moves")


# -- the lesson ------------------------------------------------------------------------------------


def test_lesson_has_its_steps_and_is_won() -> None:
    assert len(LESSON.steps) >= 20
    *_, last = taken(RULES, LESSON)
    outcome = RULES.outcome(last.game.state)
    assert outcome is not None
    assert outcome.winners == (0,)


def test_march_along_the_road_costs_as_the_lesson_says() -> None:
    before, rested = lesson_view("With the cursor on them"), lesson_view("That cost 6 of their 16")
    assert (before.armies[1].points, rested.armies[1].points) == (16, 10)


def army() -> Army:
    """Return an army without wounds."""
    return Army(1, 0, 12, 0, 0, 4, 16, 16, 8)


@pytest.mark.rule("LW-1.1")
def test_unhurt_army_has_the_hit_points_of_its_type() -> None:
    assert describing.health(army()) == (WHOLE, WHOLE)
    assert describing.wound_step((army(),)) == 0


@pytest.mark.rule("LW-8", "LW-17")
def test_health_of_unknown_armies_is_hidden() -> None:
    stranger = replace(army(), type=UNKNOWN_TYPE.id)
    assert describing.health(stranger) == (0, 0)
    assert describing.wound_step((stranger, army())) == 0
    seen: Any = None
    assert describing.army_words(seen, stranger) == ("", ())
