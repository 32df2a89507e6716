"""Sentences about results, checked against the states of games with every kind of ending."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import pytest

from engine.core.archive import SeatPlayer
from engine.core.game import Game
from engine.core.ids import REFEREE
from engine.core.notation import read
from engine.core.record import tag
from engine.core.refused import Refused
from engine.core.registry import find
from engine.core.replay import apply
from engine.tabletop.board import NOBODY
from engine.tabletop.presenter import presenter_of
from tests.contract.aids import NEVER, Ending, aids_of
from tests.contract.chosen import names
from tests.contract.plans import carry_out, plan
from tests.contract.walks import AnyGame, grounds
from tui.play.outcome import endings, numbers
from tui.replay.timeline import Story
from tui.screens.result import tale, verdict


class Course(NamedTuple):
    """A game of a ruleset, played to one of its endings."""

    name: str
    ending: Ending

    def __str__(self) -> str:
        return "-".join(map(str, (self.name, *self.ending)))


USUAL: Final = tuple(
    Course(name, ending) for name in names() for ending in aids_of(find(name)).endings
)
MANY: Final = tuple(
    Course(name, Ending(ground, seed, limited=bool(seed % 2), resigns=resigns))
    for name in names()
    for ground in range(len(grounds(find(name))))
    for seed in range(4)
    for resigns in ((NEVER, 5, 40) if seed < 2 else (15 * seed,))
)


@cache
def played(course: Course) -> AnyGame:
    rules, (ground, seed, limited, resigns, stops) = find(course.name), course.ending
    chance = random.Random(seed)  # noqa: S311 - who gives up
    options = aids_of(rules).limits if limited else {}
    game: AnyGame = Game.begin(rules, grounds(rules)[ground], options, b"%d" % seed)
    while rules.owes(game.state) and len(game.log) < stops:
        seat = min(rules.owes(game.state))
        if len(game.log) >= resigns and gives_up(game, seat):
            resigns = len(game.log) + chance.randrange(40)
            continue
        level = chance.choice([*rules.bots][: 1 + (seed > 1)])
        carry_out(game, seat, plan(rules, level, game.view(seat), seat, len(game.log)))
    return game


def gives_up(game: AnyGame, seat: int) -> bool:
    try:
        game.submit(seat, read("resign", game.rules.command_type))
    except (Refused, ValueError):
        return False
    return True


class Ledger:
    """Leaders, losses and attacks of a game, counted from its states one by one."""

    def __init__(self, game: AnyGame) -> None:
        rules, presenter = game.rules, presenter_of(game.rules)
        self.leaders: list[int] = []
        self.rounds: list[int] = []
        """Round in which each entry was played."""
        self.losses: Counter[tuple[int, int]] = Counter()
        self.worth: Counter[tuple[int, int]] = Counter()
        """Strength of the pieces lost to other seats, by (seat, round)."""
        self.lost = self.attacks = self.captures = 0
        """Pieces of any owner, neutral ones too; attacks; places taken or destroyed."""
        state: Any = rules.empty()
        for number, entry in enumerate(game.log.line()):
            before, state = state, apply(rules, state, entry)
            status = presenter.status(rules.view(before if number else state, REFEREE))
            self.rounds.append(max(1, status.round))
            values = rules.statistics(state)[presenter.lead]
            top = [seat for seat, value in enumerate(values) if value >= max(values)]
            self.leaders.append(top[0] if len(top) == 1 else NOBODY)
            self._count(presenter, rules, before, entry)
        self.last = presenter.status(rules.view(state, REFEREE)).round
        if (battles := aids_of(rules).battles) is not None:
            told = (event for entry in game.log.line() for event in entry.events)
            assert self.attacks == sum(map(battles, told)), "battles of the log"

    def _count(self, presenter: Any, rules: Any, state: Any, entry: Any) -> None:
        for event in entry.events:
            seen, state = rules.view(state, REFEREE), rules.evolve(state, event)
            for fact in presenter.facts(event, seen, rules.view(state, REFEREE)):
                if fact.kind == "loss":
                    self.lost += fact.amount or 1
                if fact.kind == "loss" and fact.seat != NOBODY and fact.worth != 0:
                    at = max(1, presenter.status(seen).round)
                    self.losses[fact.seat, at] += fact.amount or 1
                    self.worth[fact.seat, at] += fact.worth or 0
                self.attacks += fact.kind == "attack"
                self.captures += fact.kind == "capture"


def seat_of(text: str) -> int:
    return int(text.removeprefix("Side"))


def leads(text: str, ledger: Ledger) -> bool:
    """Return whether a sentence about the lead is true of a game."""
    led, changed = ledger.leaders, -1
    alone = [seat for seat in led if seat != NOBODY]
    changes = sum(a != b for a, b in itertools.pairwise(alone))
    if said := re.match(r"The lead changed (once|twice|(\d+) times)\. ", text):
        changed = {"once": 1, "twice": 2}.get(said[1]) or int(said[2])
        text = text[said.end() :]
    if changed not in {-1, changes} or (changed == -1 and changes):
        return False
    if text == "No side ever led.":
        return not alone
    if said := re.fullmatch(r"(Side\d+) led from beginning to end\.", text):
        return {*led} == {seat_of(said[1])}
    pattern = r"(Side\d+) took (?:it|the lead) (for good in|in) \w+ (\d+)( and kept it)?\."
    if said := re.fullmatch(pattern, text):
        seat = seat_of(said[1])
        start = max(n for n, leader in enumerate(led) if leader != seat) + 1
        first = alone[0] == seat and led.index(seat) == start
        return (
            led[-1] == seat
            and ledger.rounds[start] == int(said[3])
            and (first if said[4] else not first or bool(changes))
        )
    said = re.fullmatch(r"(Side\d+) led last, until \w+ (\d+); at the end no side led\.", text)
    assert said is not None, text
    end = max(n for n, leader in enumerate(led) if leader != NOBODY) + 1
    return (
        led[-1] == NOBODY and alone[-1] == seat_of(said[1]) and ledger.rounds[end] == int(said[2])
    )


def check(course: Course) -> None:
    game = played(course)
    rules, presenter, ledger = game.rules, presenter_of(game.rules), Ledger(game)
    count = len(next(iter(rules.statistics(game.state).values())))
    people = [SeatPlayer(seat, f"Side{seat}") for seat in range(count)]
    story = Story(rules, game.log.line())
    for _ in story.walk():
        pass
    said = [line.text for line in tale(story, presenter, [one.name for one in people])]
    gone = [entry.seat for entry in game.log.line() if gave_up(entry)]
    if gone:
        named = re.findall(r"Side(\d+) gave up in", said.pop(0))
        assert [*map(int, named)] == gone
    lead, *rest = said
    assert leads(lead, ledger), lead
    check_losses(rest, ledger, presenter.round_word)
    check_winners(game, people)


def check_losses(said: list[str], ledger: Ledger, word: str) -> None:
    heaviest = [text for text in said if text.startswith("The heaviest")]
    assert bool(heaviest) is bool(ledger.losses)
    for text in heaviest:
        found = re.fullmatch(r"The heaviest loss was (\w+)'s: (.+) in \w+ (\d+)\.", text)
        assert found is not None, text
        key = seat_of(found[1]), int(found[3])
        lost, worth = ledger.losses[key], ledger.worth[key]
        assert worth == max(ledger.worth.values())
        assert worth or lost == max(ledger.losses.values())
        of = f" of strength {worth}" if worth else ""
        assert found[2].endswith(of)
        assert lost == 1 or found[2] == f"{lost} pieces{of}"
    rounds = max(1, ledger.last) - ledger.rounds[0] + 1
    parts = [
        (ledger.attacks, "attack"),
        (ledger.lost, "piece"),
        (ledger.captures, "place"),
    ]
    assert said[-1].startswith(f"{rounds} {word}{'s' if rounds > 1 else ''}")
    assert {word: int(n) for n, word in re.findall(r"(\d+) (attack|piece|place)", said[-1])} == {
        word: n for n, word in parts if n
    }


def check_winners(game: AnyGame, people: list[SeatPlayer]) -> None:
    rules, presenter = game.rules, presenter_of(game.rules)
    outcome, view = rules.outcome(game.state), game.view(REFEREE)
    status = presenter.status(view)
    assert status.over is (outcome is not None)
    won = outcome.winners if outcome is not None else ()
    table = numbers(presenter.numbers(view), people, outcome)
    assert {int(seat) for seat in re.findall(r"\* Side(\d+)", table[0].text)} == {*won}
    for seat in range(len(people)):
        assert verdict(outcome, people, [seat]).is_won == ((seat in won) if won else None)
    if outcome is not None:
        assert endings(presenter, view, [one.name for one in people])
        assert ("obody" in status.text) is not bool(won)
        called = [presenter.status(state).side for state in turns(game)]
        for text in {*called} - {""}:
            assert text not in status.text or winner_called(game, text) in won


def gave_up(entry: Any) -> bool:
    return entry.command is not None and tag(entry.command) in {"resign", "concede"}


def turns(game: AnyGame) -> Iterator[Any]:
    state = game.rules.empty()
    for entry in game.log.line():
        state = apply(game.rules, state, entry)
        yield game.rules.view(state, REFEREE)


def winner_called(game: AnyGame, text: str) -> int:
    """Return the seat that acts while the status names the side ``text``."""
    found = (
        presenter_of(game.rules).status(view).seat
        for view in turns(game)
        if presenter_of(game.rules).status(view).side == text
    )
    return next(found)


@pytest.mark.parametrize("course", USUAL, ids=str)
def test_sentences_of_the_results_hold_in_every_entry(course: Course) -> None:
    check(course)


@pytest.mark.slow
@pytest.mark.parametrize("course", MANY, ids=str)
def test_sentences_of_the_results_hold_in_many_games(course: Course) -> None:
    check(course)
