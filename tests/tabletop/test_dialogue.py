"""Tests of dialogues: what follows some answers, and how an answer is read."""

from __future__ import annotations

from typing import TypeVar

import pytest

from engine.tabletop.ask import (
    AnyAsk,
    AskAmount,
    AskConfirm,
    AskOne,
    AskSome,
    AskText,
    Choice,
)
from engine.tabletop.board import Line
from engine.tabletop.dialogue import (
    Dialogue,
    choose,
    choose_some,
    confirm,
    enter,
    follow,
    read_cell,
)

T = TypeVar("T")

COUNT = AskAmount("How many?", least=-2, most=12, preset=0)
SURE = AskConfirm("Sure?")


def label(number: int) -> Choice:
    """The choice of a number; 3 is not possible now."""
    return Choice(f"n{number}", f"Number {number}", "spent" if number == 3 else "")


def greeting(*, formal: bool) -> Dialogue[str]:
    """Ask for a name and, if ``formal``, for a title before it."""
    title = f"{(yield AskText('Title?', longest=9))} " if formal else ""
    name = yield AskText(f"Name of {title.strip() or 'whom'}?", longest=9)
    return f"Hail {title}{name}"


def agreed() -> Dialogue[int]:
    """Ask for a number, then for agreement."""
    number = yield from enter(COUNT)
    yield from confirm(SURE)
    return number


def refused(dialogue: Dialogue[T], *answers: str) -> str:
    """Text of the fault of the last answer; those before it are accepted."""
    with pytest.raises(ValueError, match=r".") as fault:
        follow(dialogue, answers)
    return str(fault.value)


@pytest.mark.parametrize(
    ("formal", "answers", "found"),
    [
        (True, [], AskText("Title?", longest=9)),
        (True, ["Lady"], AskText("Name of Lady?", longest=9)),
        (True, ["Lady", "Ada"], "Hail Lady Ada"),
        (True, ["Lady", "Ada", "more", "answers"], "Hail Lady Ada"),
        (False, [], AskText("Name of whom?", longest=9)),
        (False, ["Ada"], "Hail Ada"),
    ],
)
def test_answers_lead_to_the_next_question_or_the_end(
    formal: bool, answers: list[str], found: AnyAsk | str
) -> None:
    assert follow(greeting(formal=formal), answers) == found


def test_a_dialogue_without_questions_is_at_its_end() -> None:
    def silent() -> Dialogue[int]:
        yield from ()
        return 7

    assert follow(silent(), []) == follow(silent(), ["answer"]) == 7


def test_one_option_is_chosen_by_the_value_of_its_choice() -> None:
    lines = (Line("Three is spent."),)
    asked = AskOne("Which?", (label(2), label(3)), lines)
    assert follow(choose("Which?", (2, 3), label, lines), []) == asked
    assert follow(choose("Which?", (2, 3), label), ["n2"]) == 2
    assert refused(choose("Which?", (2, 3), label), "n3") == "'n3' cannot be chosen"
    assert refused(choose("Which?", (2, 3), label), "2") == "'2' cannot be chosen"


def test_some_options_keep_the_order_of_the_answer() -> None:
    def some(least: int) -> Dialogue[tuple[int, ...]]:
        return choose_some("Which?", iter((1, 2, 3, 4)), label, least, 2)

    every = tuple(map(label, (1, 2, 3, 4)))
    assert follow(some(0), []) == AskSome("Which?", every, 0, 2)
    assert follow(some(0), [""]) == ()
    assert follow(some(1), ["n4>n1"]) == (4, 1)
    assert refused(some(1), "n1>n3") == "'n3' cannot be chosen"


@pytest.mark.parametrize("answer", ["", "n1>n2>n4", "n1>n1"])
def test_too_few_or_too_many_options_are_refused(answer: str) -> None:
    some = choose_some("Which?", (1, 2, 4), label, 1, 2)
    assert refused(some, answer) == "At least 1, at most 2 of them, each once"


def test_a_number_within_its_bounds_is_entered() -> None:
    assert follow(enter(COUNT), []) == COUNT
    assert follow(enter(COUNT), ["12"]) == 12
    assert follow(enter(COUNT), ["-2"]) == -2


@pytest.mark.parametrize("answer", ["13", "-3", "", "-", "--1", "four", "1.5", "²"])
def test_a_number_out_of_bounds_or_none_is_refused(answer: str) -> None:
    assert refused(enter(COUNT), answer) == f"{answer!r} is no number from -2 to 12"


def test_only_yes_confirms_and_anything_else_asks_again() -> None:
    assert follow(agreed(), ["4"]) == SURE
    assert follow(agreed(), ["4", "no"]) == SURE
    assert follow(agreed(), ["4", "no", "yes"]) == follow(agreed(), ["4", "yes"]) == 4


def test_a_cell_is_read() -> None:
    assert read_cell("12,0") == (12, 0)


@pytest.mark.parametrize("answer", ["", "12", "12,", ",1", "1,2,3", "-1,2", "x,y"])
def test_what_is_no_cell_is_refused(answer: str) -> None:
    with pytest.raises(ValueError, match="is no cell x,y"):
        read_cell(answer)
