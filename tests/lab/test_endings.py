"""Early ends: each rule ends a game where a naive reading says, and audits expose bad rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

import pytest

from engine.core.codec import decoder
from engine.core.feed import AnyChange, changes
from engine.core.ids import REFEREE
from engine.core.log import AnyEntry
from engine.core.registry import find
from engine.core.ruleset import entry_type
from engine.tabletop.presenter import presenter_of
from study.lab.endings import EarlyEnd, Endings, EndWatch, is_audited
from study.lab.games import GameFault, GameResult, ReportedGame, play_game
from study.lab.plans import (
    GameTask,
    LabPlan,
    LabSetup,
    game_key,
    meetings,
    plan_of,
    schedule,
    setup_of,
)
from study.lab.tallies import AuditReport, RuleAudit
from tui.console.exits import Wrong
from tui.replay.query import parse
from tui.replay.timeline import Story


def setup(**endings: Any) -> LabSetup:
    """Set up short games of two levels."""
    bots = ("easy", "normal")
    return setup_of(
        LabPlan("weltendaemmerung", bots, scenarios=("ford",), endings=Endings(**endings))
    )


def played(seed: int = 3, **endings: Any) -> ReportedGame:
    """Play a game with the weaker level on the better side; keep its log."""
    made = setup(**endings)
    return play_game(find(made.ruleset), made, GameTask(0, 0, (0, 1), seed), keeps=True)


def log_of(ruleset: str, game: ReportedGame) -> list[AnyEntry]:
    kind: Any = list[entry_type(find(ruleset))]  # type: ignore[misc]  # a type known at run time
    entries: list[AnyEntry] = decoder(kind).decode(game.log)
    return entries


@cache
def whole(seed: int = 3) -> tuple[AnyChange, ...]:
    """Return the changes of that game, played to its natural end."""
    return tuple(changes(find("weltendaemmerung"), log_of("weltendaemmerung", played(seed))))


@cache
def three_seats() -> tuple[LabSetup, tuple[AnyChange, ...]]:
    """Return a game of three seats that plan simultaneously."""
    made = setup_of(LabPlan("gd6", ("easy",), scenarios=("ring",)))
    game = play_game(find("gd6"), made, GameTask(0, 0, (0, 0, 0), 1), keeps=True)
    return made, tuple(changes(find("gd6"), log_of("gd6", game)))


def met_in(changes_: Sequence[AnyChange], endings: Endings) -> tuple[int, EarlyEnd] | None:
    """Return entry and early end at which a watch ends the game, or None if it never does."""
    rules = changes_[0].rules
    watch = EndWatch(rules, rules.traits.seat_names, endings, "key")
    for number, change in enumerate(changes_):
        if watch.take(change):
            assert watch.found is not None
            return number, watch.found
    return None


# -- reading -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"resign": "3-10"}, r"resign '3-10': it is written like 3x-10"),
        ({"resign": "0x-10"}, r"resign '0x-10': it is written"),
        ({"resign": "3x-0"}, r"resign '3x-0': it is written"),
        ({"resign": "3x10"}, r"resign '3x10': it is written"),
        ({"resign": "3x-10 luck"}, r"resign: there is no statistic 'luck'; known: units, life"),
        ({"max_rounds": 3, "lead": "fame"}, r"lead: there is no statistic 'fame'; known: units"),
        ({"lead": "fame"}, r"lead: there is no statistic 'fame'"),
        ({"end_when": "rond = 3"}, r"end_when 'rond = 3': column 1: there is nothing called rond"),
        ({"end_when": "seat = Orrin"}, r"end_when .*column 8: there is no seat Orrin"),
        ({"end_when": "round ="}, r"end_when 'round =': column 8"),
    ],
)
def test_bad_rules_are_refused_during_setup(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(Wrong, match=told):
        setup(**fields)


@pytest.mark.parametrize("fields", [{"audit": 1.5}, {"max_rounds": -1}, {"ends": 3}])
def test_numbers_out_of_range_are_refused_when_a_plan_is_read(fields: dict[str, Any]) -> None:
    with pytest.raises(Wrong, match=r"endings"):
        plan_of({"ruleset": "gd6", "bots": ("easy",), "endings": fields})


def test_leading_statistic_is_the_named_one_or_the_default() -> None:
    assert setup(resign="3x-10").endings.lead == "life"
    assert setup(resign="3x-10", lead="UNITS").endings.lead == "units"
    assert setup(resign=" 3x-10  Units ").endings.resign == "3x-10 units"


def test_audit_share_affects_game_keys_only_with_a_rule() -> None:
    task = GameTask(0, 0, (0, 1), 1)
    keys = {game_key(setup(audit=share), task) for share in (0, 0.1, 1)}
    assert len(keys) == 1
    keys |= {game_key(setup(audit=share, max_rounds=9), task) for share in (0, 0.1, 1)}
    assert len(keys) == 4


# -- one game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["loss", "round = 2", "attack where won and round >= 2"])
def test_query_ends_a_game_at_its_first_moment(query: str) -> None:
    rules = whole()[0].rules
    story = Story(rules, [change.entry for change in whole() if change.entry is not None])
    assert all(story.walk())
    names = rules.seat_names(rules.scenarios()["ford"])
    first = parse(query, names, ("units",)).search(story)[0]
    met = met_in(whole(), Endings(end_when=query, audit=0))
    assert met is not None
    assert met[0] == first.entry
    assert met[1] == EarlyEnd(f"end_when {query}", (0,), first.place, is_audited=False)


@pytest.mark.parametrize("rounds", [1, 2])
def test_last_round_is_played_to_its_end(rounds: int) -> None:
    def number(change: AnyChange) -> int:
        view = change.rules.view(change.after, REFEREE)
        return presenter_of(change.rules).status(view).round

    met = met_in(whole(), Endings(max_rounds=rounds, audit=0))
    assert met is not None
    assert [number(change) for change in whole()[met[0] - 1 : met[0] + 1]] == [rounds, rounds + 1]
    assert met[1].place == str(met[0])


def first_resignation(times: int, margin: int, statistic: str) -> tuple[int, int] | None:
    """Return entry and seat of the first resignation by the definition, or None."""
    ends: dict[int, list[bool]] = {0: [], 1: []}
    for number, change in enumerate(whole()):
        entry = change.entry
        if entry is None or entry.seat < 0 or not any(event.ends_phase for event in entry.events):
            continue
        if not change.rules.owes(change.after):
            return None
        values = change.rules.statistics(change.after)[statistic]
        ends[entry.seat].append(values[1 - entry.seat] - values[entry.seat] >= margin)
        last = ends[entry.seat][-times:]
        if len(last) == times and all(last):
            return number, entry.seat
    return None


@pytest.mark.parametrize("statistic", ["life", "units"])
@pytest.mark.parametrize("times", [1, 2, 4])
@pytest.mark.parametrize("margin", [1, 2, 30, 45, 1000])
def test_seat_resigns_where_the_definition_says(times: int, margin: int, statistic: str) -> None:
    met = met_in(whole(), Endings(resign=f"{times}x-{margin} {statistic}", audit=0))
    wanted = first_resignation(times, margin, statistic)
    if wanted is None:
        assert met is None
    else:
        assert met is not None
        assert (met[0], met[1].winners) == (wanted[0], (1 - wanted[1],))


def test_leader_wins_when_one_of_three_seats_resigns() -> None:
    made, line = three_seats()
    met = met_in(line, Endings(resign="2x-1", audit=0))
    assert met is not None
    values = line[0].rules.statistics(line[met[0]].after)["territories"]
    best = [seat for seat, value in enumerate(values) if value == max(values)]
    assert min(values) < max(values)
    assert met[1].winners == (tuple(best) if len(best) == 1 else ())
    assert made.seats == 3


def test_every_seat_has_turn_ends_when_all_plan_at_once() -> None:
    """Seat 2 closes every turn of this game; seat 1 is behind at two turn ends in a row."""
    _, line = three_seats()
    ends = [
        (change.entry.seat, change.rules.statistics(change.after)["territories"])
        for change in line[31:]
        if change.entry is not None and any(event.ends_phase for event in change.entry.events)
    ]
    assert ends[:2] == [(2, (4, 1, 1)), (2, (3, 1, 2))]
    met = met_in(line[31:], Endings(resign="2x-2", audit=0))
    assert met is not None
    assert (met[1].place, met[1].winners) == ("42", (0,))


def test_early_end_without_a_leader_has_no_winner() -> None:
    _, line = three_seats()
    met = met_in(line, Endings(end_when="entry = 18", audit=0))
    assert met is not None
    assert line[0].rules.statistics(line[met[0]].after)["territories"] == (2, 2, 2)
    assert met[1].winners == ()


def test_finished_game_is_not_ended_early() -> None:
    assert met_in(whole(), Endings(end_when="end", audit=0)) is None


def test_adjudicated_game_ends_early_and_audited_game_plays_on() -> None:
    usual = played().result
    short, audited = (played(resign="1x-1", audit=share).result for share in (0, 1))
    assert short.early is not None
    assert audited.early is not None
    assert short.early.winners == audited.early.winners == short.winners == (0,)
    assert (short.reason, short.entries) == ("adjudicated", int(short.early.place) + 1)
    assert (audited.winners, audited.reason) == (usual.winners, usual.reason)
    assert (audited.digest, audited.entries) == (usual.digest, usual.entries)
    assert short.entries < usual.entries


def test_watch_without_rules_never_ends_a_game() -> None:
    assert played().result.early is None
    watch = EndWatch(find("gd6"), (), Endings(), "key")
    line = whole()
    assert not any(watch.take(change) for change in line)


def test_audits_are_chosen_by_key_in_their_share() -> None:
    keys = [f"{number:032x}" for number in range(4000)]
    chosen = {share: [key for key in keys if is_audited(key, share)] for share in (0, 0.1, 0.5, 1)}
    assert chosen[0] == []
    assert chosen[1] == keys
    assert 340 <= len(chosen[0.1]) <= 460
    assert set(chosen[0.1]) < set(chosen[0.5])


# -- many games --------------------------------------------------------------------------------


def row(
    early: EarlyEnd | None, winners: tuple[int, ...] = (0,), fault: GameFault | None = None
) -> GameResult:
    """A result of two seats that ended, or might have ended, early."""
    return GameResult(
        key="",
        start="",
        bots=("easy", "normal"),
        seed=1,
        winners=winners,
        reason="",
        entries=9,
        closed=3,
        refused=(0, 0),
        digest="",
        fault=fault,
        early=early,
    )


def rows(rule: str, adjudicated: int, audited: int, wrong: int) -> Iterator[GameResult]:
    """Yield result rows of a rule that always says that the first seat wins."""
    yield from [row(EarlyEnd(rule, (0,), "9", is_audited=False))] * (adjudicated - audited)
    yield from [row(EarlyEnd(rule, (0,), "9", is_audited=True))] * (audited - wrong)
    yield from [row(EarlyEnd(rule, (0,), "9", is_audited=True), (1,))] * wrong


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ((412, 41, 1), "adjudicated 412, audited 41, wrong 1 (0.1-13 %)"),
        ((50, 10, 0), "adjudicated 50, audited 10, wrong 0 (0-31 %)"),
        ((10, 10, 10), "adjudicated 10, audited 10, wrong 10 (69-100 %)"),
        ((7, 0, 0), "adjudicated 7, audited 0, wrong unknown"),
    ],
)
def test_report_says_how_often_a_rule_is_wrong(counts: tuple[int, int, int], text: str) -> None:
    report = AuditReport.of([row(None), *rows("resign 3x-10", *counts)])
    assert report.lines()[0] == text
    assert report.rules == (RuleAudit("resign 3x-10", *counts),)


def test_report_separates_rules_and_ignores_row_order() -> None:
    some = [*rows("b", 30, 20, 9), *rows("a", 20, 20, 0), row(None)]
    report = AuditReport.of(some)
    assert report == AuditReport.of(reversed(some))
    assert report.lines() == [
        "adjudicated 50, audited 40, wrong 9 (11-38 %)",
        "  a: adjudicated 20, audited 20, wrong 0 (0-17 %)",
        "  b: adjudicated 30, audited 20, wrong 9 (23-68 %)",
        "b: the wrong winner in 23 % of games at least",
    ]


def test_audited_game_without_an_end_does_not_count() -> None:
    early = EarlyEnd("a", (0,), "9", is_audited=True)
    report = AuditReport.of([row(early, (), fault=GameFault(-1, "stuck", "")), row(early)])
    assert report.total == RuleAudit("", 2, 1, 0)


def test_report_is_empty_without_early_ends() -> None:
    assert AuditReport.of([row(None)]).lines() == []


def audited_games(pairs: int, **endings: Any) -> list[GameResult]:
    made = setup(audit=1, **endings)
    plan = LabPlan(made.ruleset, ("easy", "normal"), pairs=pairs)
    tasks = schedule(plan, made, meetings("round-robin", 2, 2))
    rules = find(made.ruleset)
    return [play_game(rules, made, task).result for task in islice(tasks, 2 * pairs)]


def test_planted_bad_rule_is_exposed_and_a_good_one_is_not() -> None:
    bad = AuditReport.of(audited_games(12, resign="1x-1"))
    good = AuditReport.of(audited_games(12, end_when="life.Dailor < 8"))
    assert bad.total.audited == 24
    assert bad.total.is_exposed
    assert good.total.audited >= 5
    assert good.total.wrong == 0
    assert not good.total.is_exposed
