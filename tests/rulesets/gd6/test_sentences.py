"""Sentences about events, the state of the game and its end."""

from __future__ import annotations

import re
from typing import Final, get_args

import pytest
from hypothesis import given

from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.narration import NARRATION
from engine.rulesets.gd6.picture import PRESENTER
from engine.rulesets.gd6.state import State
from engine.rulesets.gd6.words import called, joined, land, spot
from engine.tabletop.board import NOBODY, Line, condensed
from engine.tabletop.manual import manual
from engine.tabletop.roles import Tone
from tests.rulesets.gd6.sentence_cases import INVASION, QUIET, SAID
from tests.rulesets.gd6.table import Play, begin, say, seal
from tests.rulesets.gd6.turn_positions import turns
from tests.rulesets.gd6.words_table import (
    BLUE,
    EVERYBODY,
    GREEN,
    MIDDLE,
    RED,
    Told,
    told,
    told_of_turn,
    walked,
)


def texts(state: State, event: ev.AnyEvent, viewer: Viewer = REFEREE) -> list[str]:
    """Return the sentences that a viewer reads about an event."""
    return [line.text for line in lines(state, event, viewer)]


def lines(state: State, event: ev.AnyEvent, viewer: Viewer = REFEREE) -> tuple[Line, ...]:
    after = RULES.evolve(state, event)
    seen = RULES.redact(event, state, after, viewer)
    return PRESENTER.tell(seen, RULES.view(after, viewer)) if seen is not None else ()


def test_every_event_is_in_the_table_of_sentences() -> None:
    listed = {type(event) for _, event, _ in SAID} | {ev.GameStarted}
    assert listed == set(get_args(ev.AnyEvent))


def test_every_event_has_a_teller() -> None:
    assert NARRATION.tellers.missing(ev.AnyEvent) == ()


@pytest.mark.parametrize(
    ("state", "event", "wanted"),
    SAID,
    ids=[f"{n}-{type(row[1]).__name__}" for n, row in enumerate(SAID)],
)
def test_event_gives_these_sentences(state: State, event: ev.AnyEvent, wanted: list[str]) -> None:
    assert texts(state, event) == wanted


def test_first_lines_explain_the_aim_of_the_game() -> None:
    game = begin(MIDDLE)
    (first, *_) = game.log.line()
    said = texts(RULES.empty(), first.events[0], BLUE)
    assert said[0] == "A table"
    assert "6 of 9 territories (60 %) win." in said
    assert "After turn 30 the most territories win." in said


@pytest.mark.rule("GD-HQ-6")
def test_stand_off_ends_with_a_warning() -> None:
    said = texts(QUIET, ev.HqRoundFailed(((BLUE, 2), (RED, 3)), (BLUE, RED), 5))
    assert said[-1] == "From now on the first letter wins a contested site."


def test_new_turn_reports_what_a_seat_owns() -> None:
    said = texts(QUIET, ev.TurnOpened(2, ((BLUE, 2, 0, 1), (RED, 3, 1, 0), (GREEN, 1, 0, 0))), RED)
    assert said == ["Turn 2 of 30.", "Red (B) owns 3 territories."]


# -- for whom ------------------------------------------------------------------------------------

TURN: Final = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
options = { variant = "advanced", domination = 0 }
players = [
  { id = 0, name = "blue", ip = 99, crop = 1, dynamite = 1 },
  { id = 1, name = "red", ip = 50 },
]
territories = [
  { id = 1, owner = 0, army = 4, spy = 1, loyalty = 3, hq = 0 },
  { id = 2, owner = 0, army = 2, spy = 1 },
  { id = 5, owner = 1, army = 3, hq = 1 },
]
"""


def turn() -> Play:
    """Play a turn in which blue uses every secret order."""
    game = begin(TURN)
    say(game, BLUE, "promote at=1 unit=spy count=1", "mine at=2 count=2", "buy item=toxic")
    say(game, BLUE, "crop lots=1,2", "move path=2>3 count=1 unit=spy", "move path=1>2 count=1")
    seal(game, BLUE, RED)
    return game


def heard(game: Play, viewer: Viewer) -> list[str]:
    """Return everything that a viewer reads in a game."""
    return [
        line.text
        for each in told(game, (viewer,))
        for line in PRESENTER.tell(each.event, each.after)
    ]


@pytest.mark.rule("GD-SECRET-2", "GD-SECRET-3", "GD-SECRET-4", "GD-MINE-5")
@pytest.mark.parametrize("viewer", [RED, PUBLIC])
def test_others_read_no_secrets(viewer: Viewer) -> None:
    of_blue = [text for text in heard(turn(), viewer) if "lue (A)" in text]
    assert of_blue == [
        "Blue (A) seals its orders.",
        "Blue (A) trains spies somewhere.",
        "A crop supply gives blue (A) 2 armies at territory 1, 5 there now.",
        "Step 1: blue (A) sends 1 army from territory 1 to territory 2.",
        "Step 1, territory 2: blue (A) arrives with 1 army.",
        "Step 1, territory 3: blue (A) takes it.",
    ]


@pytest.mark.rule("GD-SECRET-2")
def test_seat_reads_its_own_secrets() -> None:
    said = heard(turn(), BLUE)
    assert "Blue (A) lays 2 mines at territory 2." in said
    assert "Blue (A) buys toxic waste, 1 in stock." in said
    assert "Step 1: blue (A) sends 1 spy from territory 2 to territory 3." in said
    assert "Blue (A) sends 2 units with 2 orders." in said


def test_tone_depends_on_the_viewers_side() -> None:
    event = ev.InvasionRepelled(4, BLUE, RED)
    tones = [lines(INVASION, event, viewer)[0].tone for viewer in (BLUE, RED, GREEN, PUBLIC)]
    assert tones == [Tone.BAD, Tone.GOOD, Tone.NORMAL, Tone.NORMAL]


# -- whole games ---------------------------------------------------------------------------------

_KNOWN: Final = {rule.id for chapter in manual("engine.rulesets.gd6") for rule in chapter.rules}
_ODD: Final = re.compile(r"None|Traceback|[{}\[\]<_]|  |\(\)|\.\.|: \.|,\.|-1|^[a-z]|[^.:]$")


def assert_well_put(line: Line) -> None:
    """Assert that a sentence has no odd parts and cites a known rule."""
    assert not _ODD.search(line.text), line.text
    assert line.rule in _KNOWN, line


@given(state=turns())
def test_sentences_of_a_random_turn_are_well_formed(state: State) -> None:
    for each in told_of_turn(state, EVERYBODY):
        for line in PRESENTER.tell(each.event, each.after):
            assert_well_put(line)
            assert line.at is None or line.at in {
                spot(each.after, at) for at in each.after.territories
            }


@pytest.mark.parametrize("name", ["isthmus", "ring", "spies"])
def test_sentences_of_whole_games_are_well_formed(name: str) -> None:
    for each in told(walked(name, 150), EVERYBODY):
        for line in PRESENTER.tell(each.event, each.after):
            if not isinstance(each.event, ev.GameStarted):
                assert_well_put(line)
            assert line.rule in _KNOWN


@given(state=turns(advanced=False))
def test_every_fight_ends_with_a_sentence_on_its_outcome(state: State) -> None:
    """After an invasion, the owner holds the land or it becomes neutral."""
    open_fight = 0
    for each in told_of_turn(state, (PUBLIC,)):
        if isinstance(each.event, ev.InvasionBegan):
            open_fight = each.event.at
        elif open_fight and isinstance(each.event, ev.InvasionRepelled | ev.Neutralised):
            said = PRESENTER.tell(each.event, each.after)[0].text
            assert each.event.at == open_fight
            assert "holds it" in said or "neutral now" in said
            open_fight = 0
    assert not open_fight


def test_lost_land_is_bad_news_for_its_former_owner() -> None:
    lost = ev.Neutralised(5, None, RED)
    tones = {
        seat: PRESENTER.tell(lost, RULES.view(QUIET, seat))[0].tone for seat in (BLUE, RED, PUBLIC)
    }
    assert tones == {BLUE: Tone.STRONG, RED: Tone.BAD, PUBLIC: Tone.STRONG}
    assert PRESENTER.tell(lost, RULES.view(QUIET, BLUE))[0].seat == RED


def test_claim_is_reported_once_together_with_the_arrival() -> None:
    game = begin(TURN)
    say(game, BLUE, "move path=2>3 count=1")
    seal(game, BLUE, RED)
    said = [
        line for each in told(game, (PUBLIC,)) for line in PRESENTER.tell(each.event, each.after)
    ]
    of_three = [line.text for line in condensed(said) if line.text.startswith("Step 1, terr")]
    assert of_three == ["Step 1, territory 3: blue (A) arrives with 1 army and takes it."]


# -- names ---------------------------------------------------------------------------------------


def test_seats_and_lands_are_called_by_name_if_they_have_one() -> None:
    seen = RULES.view(QUIET, BLUE)
    assert [called(seen, seat) for seat in (BLUE, GREEN, NOBODY)] == [
        "blue (A)",
        "C",
        "nobody",
    ]
    assert [land(seen, at) for at in (0, 4, 99)] == ["territory 0", "territory 4", "territory 99"]
    assert spot(seen, 99) is None
    board = walked("world", 0).view(PUBLIC)
    assert land(board, 1) == "1 Skerrow"
    assert [joined(part) for part in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_public_sees_no_secret_events() -> None:
    """No line for the public comes from a hidden event, and no line mentions moving spies."""
    game = walked("spies", 120, "given")
    for each in told(game, (PUBLIC,)):
        assert not isinstance(
            each.event,
            ev.OrderAdded | ev.IpPaid | ev.MinesLaid | ev.ItemBought | ev.OrderRefused,
        )
        assert isinstance(each, Told)
        assert " spy" not in " ".join(
            line.text
            for line in PRESENTER.tell(each.event, each.after)
            if isinstance(each.event, ev.LiftedOff | ev.Arrived | ev.WastelandLoss)
        )
