"""The tale of a finished game, and its verdict for those at one screen."""

from __future__ import annotations

from engine.core.archive import SeatPlayer
from engine.core.ids import REFEREE
from engine.core.registry import find
from engine.core.ruleset import Outcome
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import Fact
from engine.tabletop.presenter import presenter_of
from tui.play.tale import ScreenVerdict, tale, verdict
from tui.replay.timeline import Marker, Moment, Story

PEOPLE = (SeatPlayer(0, "Eldoin"), SeatPlayer(1, "Dailor"), SeatPlayer(2, "Ula Rex"))
NAMES = [player.name for player in PEOPLE]
WON = Outcome("x", (1,))


def story(*moments: Moment) -> Story:
    made = Story(find("toy"), (), REFEREE)
    made.moments += moments
    made.rounds += [(0, 1), (5, 2), (9, 3)]
    return made


def told(made: Story) -> list[str]:
    return [line.text for line in tale(made, presenter_of(made.rules), NAMES)]


def test_who_played_here_has_won_or_lost() -> None:
    assert verdict(WON, PEOPLE, [1]) == ScreenVerdict(("Victory",), True, 1)
    assert verdict(WON, PEOPLE, [0]) == ScreenVerdict(("Defeat",), False, 1)
    assert verdict(WON, PEOPLE, [0, 2]).words == ("Defeat",)
    assert verdict(Outcome("x", ()), PEOPLE, [0]) == ScreenVerdict(("Draw",), None, NOBODY)


def test_who_watched_or_shared_a_screen_is_told_the_winner() -> None:
    assert verdict(WON, PEOPLE, []).words[0] == "Dailor"
    assert verdict(WON, PEOPLE, [0, 1]).words[0] == "Dailor"
    assert verdict(Outcome("x", (2,)), PEOPLE, []).words == ("Ula Rex", "Ula", "Victory")
    assert verdict(Outcome("x", (0, 1)), PEOPLE, []).words[0] == "Eldoin and Dailor"


def test_the_heaviest_loss_is_that_of_a_seat_in_a_round() -> None:
    made = story(
        Moment(1, 0, Fact("loss", 0, piece="axe fighter"), 1),
        Moment(6, 0, Fact("loss", 1, piece="army", amount=4), 2),
        Moment(7, 0, Fact("loss", 1, piece="army", amount=2), 2),
        Moment(8, 0, Fact("attack", 0, 1), 2),
        Moment(9, 0, Fact("capture", 0, 1, target="gate"), 3),
    )
    assert told(made) == [
        "The heaviest loss was Dailor's: 6 pieces in round 2.",
        "3 rounds: 1 attack, 7 pieces lost, 1 place taken.",
    ]
    alone = story(Moment(1, 0, Fact("loss", 0, piece="axe fighter"), 1))
    assert told(alone)[0] == "The heaviest loss was Eldoin's: axe fighter in round 1."
    assert told(story()) == ["3 rounds, without a blow."]


def test_the_lead_is_told_by_its_changes() -> None:
    made = story()
    made.markers.append(Marker(6, "lead", 0, 1))
    assert told(made)[0] == "Dailor took the lead in round 2 and kept it."
    made.markers.append(Marker(9, "lead", 0, 0))
    assert told(made)[0] == "The lead changed 2 times; Eldoin took it last, in round 3."
