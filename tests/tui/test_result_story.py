"""The summary of a finished game, and its verdict for the people at one screen."""

from __future__ import annotations

from types import SimpleNamespace

from engine.core.archive import SeatPlayer
from engine.core.feed import RedactedEvent, changes
from engine.core.ids import REFEREE
from engine.core.record import replace
from engine.core.registry import find
from engine.core.ruleset import Outcome
from engine.rulesets.kaladan.events import PairsCompared
from engine.tabletop.board import NOBODY
from engine.tabletop.fact import GAVE_UP, Fact
from engine.tabletop.presenter import presenter_of
from saves.archive import Folder
from tests.app.cli import ROOT
from tui.replay.timeline import Moment, Story
from tui.screens.result import ResultVerdict, tale, verdict

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


def test_verdict_for_players_is_victory_or_defeat() -> None:
    assert verdict(WON, PEOPLE, [1]) == ResultVerdict(("Victory",), True, 1)
    assert verdict(WON, PEOPLE, [0]) == ResultVerdict(("Defeat",), False, 1)
    assert verdict(WON, PEOPLE, [0, 2]).words == ("Defeat",)
    assert verdict(Outcome("x", ()), PEOPLE, [0]) == ResultVerdict(("Draw",), None, NOBODY)


def test_verdict_for_watchers_or_a_shared_screen_is_the_winner() -> None:
    assert verdict(WON, PEOPLE, []).words[0] == "Dailor"
    assert verdict(WON, PEOPLE, [0, 1]).words[0] == "Dailor"
    assert verdict(Outcome("x", (2,)), PEOPLE, []).words == ("Ula Rex", "Ula", "Victory")
    assert verdict(Outcome("x", (0, 1)), PEOPLE, []).words[0] == "Eldoin and Dailor"


def test_heaviest_loss_is_that_of_a_seat_in_a_round() -> None:
    made = story(
        Moment(1, 0, Fact("loss", 0, piece="axe fighter"), 1),
        Moment(6, 0, Fact("loss", 1, piece="army", amount=4), 2),
        Moment(7, 0, Fact("loss", 1, piece="army", amount=2), 2),
        Moment(8, 0, Fact("attack", 0, 1), 2),
        Moment(9, 0, Fact("capture", 0, 1, target="gate"), 3),
    )
    assert told(made) == [
        "The heaviest loss was Dailor's: 6 pieces in round 2.",
        "3 rounds: 1 attack, 7 pieces lost, 1 place taken or destroyed.",
    ]
    alone = story(Moment(1, 0, Fact("loss", 0, piece="axe fighter"), 1))
    assert told(alone)[0] == "The heaviest loss was Eldoin's: axe fighter in round 1."
    assert told(story()) == ["3 rounds, without a blow."]


def test_the_heaviest_loss_is_the_strongest_one_that_an_enemy_caused() -> None:
    made = story(
        Moment(1, 0, Fact("loss", 0, piece="Scouts", amount=4, worth=4), 1),
        Moment(6, 0, Fact("loss", 1, piece="Heavy Cavalry", amount=2, worth=8), 2),
        Moment(9, 0, Fact("loss", 0, piece="Archers", amount=9, worth=0), 3),
    )
    assert told(made)[0] == "The heaviest loss was Dailor's: 2 pieces of strength 8 in round 2."


def lead(*rows: tuple[int, tuple[int, ...]]) -> str:
    made = story()
    made.leads += rows
    return told(made)[0]


def test_lead_names_the_only_side_ahead() -> None:
    assert lead((0, (1,))) == "Dailor led from beginning to end."
    assert lead((0, (0, 1)), (6, (1,))) == "Dailor took the lead in round 2 and kept it."
    assert lead((0, (0, 1))) == "No side ever led."
    changed = "The lead changed once. Eldoin took it for good in round 2."
    assert lead((0, (1,)), (5, (0, 1)), (9, (0,))) == changed
    again = lead((0, (1,)), (2, (0,)), (4, (1,)))
    assert again == "The lead changed twice. Dailor took it for good in round 1."


def test_tie_ends_the_lead_of_a_side() -> None:
    assert lead((0, (1,)), (9, (0, 1))) == "Dailor led last, until round 2; at the end no side led."
    interrupted = lead((0, (1,)), (3, (0, 1)), (6, (1,)))
    assert interrupted == "Dailor took the lead for good in round 2."


def test_length_counts_the_played_rounds() -> None:
    made = Story(find("toy"), (), REFEREE)
    made.rounds += [(0, 7), (5, 8)]
    assert told(made) == ["2 rounds, without a blow."]


def test_last_blow_of_a_battle_is_one_that_hit() -> None:
    opened = Folder(ROOT / "saves" / "samples").read("kaladan-1")
    rules, line = find(opened.header.ruleset), opened.log.line()
    change, known = next(
        (change, known)
        for change in changes(rules, line)
        for known in change.events(REFEREE)
        if isinstance(known.event, PairsCompared)
    )
    repelled = replace(known.event, lost=(1, 0), losses=(1, 0))
    told_of_it = RedactedEvent(change, REFEREE, known.number, repelled)
    fought = SimpleNamespace(
        entry=change.entry, after=change.after, events=lambda _viewer: (told_of_it,)
    )
    made = Story(rules, line, REFEREE)
    made.take(fought)  # type: ignore[arg-type]  # what a story reads of a change
    assert "The last blow: The Weald loses 1 pair and 1 unit." in told(made)


def test_result_says_who_gave_up_and_when() -> None:
    gone = Fact("other", 2, target=GAVE_UP)
    assert told(story(Moment(5, 0, gone, 2)))[0] == "Ula Rex gave up in round 2."
    both = told(story(Moment(5, 0, gone, 2), Moment(9, 0, replace(gone, seat=0), 3)))
    assert both[0] == "Ula Rex gave up in round 2 and Eldoin gave up in round 3."
