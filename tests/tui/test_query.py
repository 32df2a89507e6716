"""The language that finds moments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tabletop.fact import Fact, Odds
from tui.replay.query import EXAMPLES, BadQuery, Scope, described, examples, parse, per_cent
from tui.replay.timeline import Moment

SEATS = ("Eldoin", "Dailor")
BLOW = Fact(
    "attack", seat=0, other=1, at=(52, 29), source=(46, 34), piece="great eagle", target="knights",
    won=False, chance=(5, 6), amount=3, odds=Odds(((3, 1), (9, 1))),
)  # fmt: skip
STEP = Fact("move", seat=1, at=(4, 5), source=(4, 4), piece="Bogenschützen")


def fits(query: str, fact: Fact = BLOW) -> bool:
    moment = Moment(11, 0, fact, 7, "Attack", 12, "12.1")
    return parse(query, SEATS, ("units",)).test(Scope(moment, {"units": (4, 5)}))


@pytest.mark.parametrize(
    "query",
    [
        "attack",
        "attack where chance > 80% and lost",
        "attack where chance > 80",
        "attack where chance >= 5/6 and chance <= 5/6",
        "attack where chance < 0.9",
        "ATTACK WHERE Lost AND NOT Won",
        "attack where damage >= 10 or luck <= -3",
        "loss or attack",
        "not loss",
        "not (won or move)",
        "amount < expected",
        "seat = Eldoin and other = dailor",
        "seat != Dailor",
        "seat ~ eld",
        "piece ~ eagle",
        'piece = "great eagle"',
        "target != archers",
        "kind = attack",
        "phase ~ att",
        "round = 7 and entry = 12",
        "x = 52 and y = 29 and from.x = 46",
        "units = 4 and units.dailor > units.eldoin",
        "luck = -3",
    ],
)
def test_matching_queries(query: str) -> None:
    assert fits(query)


@pytest.mark.parametrize(
    "query",
    [
        "loss",
        "won",
        "attack where won",
        "chance > 84%",
        "seat = Dailor",
        "piece ~ archer",
        "units > 4",
        "attack and loss or move",
        "round < 7",
    ],
)
def test_queries_without_a_match(query: str) -> None:
    assert not fits(query)


@pytest.mark.parametrize("query", ["chance < 100%", "chance != 50%", "amount >= 0", "luck = 0"])
def test_moment_without_a_number_matches_no_comparison_with_it(query: str) -> None:
    assert not fits(query, STEP)


@pytest.mark.parametrize(
    ("query", "chance", "is_found"),
    [
        ("chance = 2", (2, 100), True),
        ("chance > 2", (2, 100), False),
        ("chance >= 2", (2, 100), True),
        ("chance = 1.5", (3, 200), True),
        ("chance = 1", (1, 1), True),
        ("chance = 1", (1, 100), False),
        ("chance = 1%", (1, 100), True),
        ("chance = 0.5", (1, 2), True),
    ],
)
def test_bare_number_above_1_is_percent_and_1_is_certainty(
    query: str, chance: tuple[int, int], is_found: bool
) -> None:
    assert fits(query, Fact("attack", chance=chance)) is is_found


def test_moment_without_an_outcome_is_neither_won_nor_lost() -> None:
    assert not fits("won", STEP)
    assert not fits("lost", STEP)
    assert fits("piece ~ schützen", STEP)


def test_and_binds_closer_than_or_and_where_least() -> None:
    assert fits("attack or loss and won")
    assert not fits("(attack or loss) and won")
    assert not fits("attack or loss where won")


@pytest.mark.parametrize(
    ("query", "column", "word"),
    [
        ("", 1, "missing"),
        ("attack where", 13, "missing"),
        ("chance >", 9, "missing"),
        ("(attack", 8, "missing"),
        ("attack attack", 8, "attack"),
        ("lost)", 5, ")"),
        ("attack § lost", 8, "§"),
        ("foo", 1, "foo"),
        ("attack and foo = 3", 12, "foo"),
        ("attack and chance", 12, "comparison"),
        ("chance ~ 3", 8, "number"),
        ("chance > often", 10, "often"),
        ("chance > 1/0", 12, "divided"),
        ("seat = Bob", 8, "Eldoin, Dailor"),
        ("seat < 1", 6, "seat"),
        ("piece > a", 7, "words"),
        ("units.bob = 3", 1, "units.bob"),
    ],
)
def test_bad_query_reports_its_column_in_one_line(query: str, column: int, word: str) -> None:
    with pytest.raises(BadQuery) as caught:
        parse(query, SEATS, ("units",))
    assert caught.value.column == column
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_examples_can_be_parsed() -> None:
    found = examples(SEATS)
    assert len(found) == len(EXAMPLES)
    for example in found:
        parse(example, SEATS)


def test_moment_is_described_in_a_line() -> None:
    text = described(Moment(11, 0, BLOW, 7, "", 12, "12.1"), SEATS)
    assert " ".join(text.split()) == "7 #12.1 attack Eldoin great eagle > knights lost (83%) 3"


def test_chance_is_not_rounded_to_certainty() -> None:
    assert per_cent((1, 1)) == "100%"
    assert per_cent((999, 1000)) == ">99%"
    assert per_cent((1, 1000)) == "<1%"
    assert per_cent((0, 5)) == "0%"
    assert per_cent((5, 6)) == "83%"


WORDS = [
    *("attack", "loss", "won", "where", "and", "or", "not", "(", ")", "chance", "seat", "piece"),
    *("=", "!=", "<", "~", "80%", "1/4", "1/0", "-5", "Eldoin", "'x'", "units", "round", "§", " "),
]


def fault_of(text: str) -> BadQuery | None:
    """Return the fault of a query, or None if it can be parsed and evaluated."""
    try:
        fits(text)
    except BadQuery as bad:
        return bad
    return None


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_text_is_parsed_or_refused_in_one_line(text: str) -> None:
    fault = fault_of(text)
    assert fault is None or 1 <= fault.column <= len(text) + 1
    assert fault is None or "\n" not in str(fault)


def test_brackets_and_nots_may_nest_up_to_the_length_limit() -> None:
    assert fault_of("(" * 198 + "won" + ")" * 198) is None
    assert fault_of("not " * 99 + "won") is None
    assert "longer" in str(fault_of("(" * 300 + "won" + ")" * 300))
