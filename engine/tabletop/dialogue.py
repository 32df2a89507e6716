"""Dialogues as generators: they ask questions one after the other, then return a result.

``answer = yield AskText("What do you cry?", longest=40)`` asks, and gets the answer as a text;
``band = yield from choose("Which band?", bands, label)`` gets the option that was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeAlias, TypeVar

from engine.tabletop.ask import AnyAsk, AskAmount, AskConfirm, AskOne, AskSome, Choice
from engine.tabletop.board import Line

T = TypeVar("T")

Dialogue: TypeAlias = Generator[AnyAsk, str, T]
"""Generator that yields questions, is sent their answers, and returns a result.

It is run again from its start for each answer, so it may depend on nothing but its arguments.
"""


def follow(dialogue: Dialogue[T], answers: Sequence[str]) -> AnyAsk | T:
    """Return the next question after these answers, or the dialogue's result if all are answered.

    Answers after its end are ignored.

    Raises:
        ValueError: the dialogue refuses an answer.
    """
    try:
        question = next(dialogue)
        for answer in answers:
            question = dialogue.send(answer)
    except StopIteration as ended:
        result: T = ended.value
        return result
    return question


def choose(
    title: str, options: Iterable[T], choice: Callable[[T], Choice], lines: Iterable[Line] = ()
) -> Dialogue[T]:
    """Ask for one option, and return it; ``choice`` makes the choice of each.

    Raises:
        ValueError: the answer is no option that is possible now.
    """
    by_choice = [(choice(option), option) for option in options]
    answer = yield AskOne(title, tuple(made for made, _ in by_choice), tuple(lines))
    return _option(by_choice, answer)


def choose_some(
    title: str,
    options: Iterable[T],
    choice: Callable[[T], Choice],
    least: int,
    most: int,
    lines: Iterable[Line] = (),
) -> Dialogue[tuple[T, ...]]:
    """Ask for ``least`` to ``most`` options, and return them in the order of the answer.

    Raises:
        ValueError: the answer has too few or too many, one twice, or one that is not possible now.
    """
    by_choice = [(choice(option), option) for option in options]
    question = AskSome(title, tuple(made for made, _ in by_choice), least, most, tuple(lines))
    words = [word for word in (yield question).split(">") if word]
    if not least <= len({*words}) == len(words) <= most:
        raise ValueError(f"{question.range} of them, each once")
    return tuple(_option(by_choice, word) for word in words)


def _option(by_choice: Iterable[tuple[Choice, T]], answer: str) -> T:
    for choice, option in by_choice:
        if choice.value == answer and not choice.reason:
            return option
    raise ValueError(f"{answer!r} cannot be chosen")


def enter(question: AskAmount) -> Dialogue[int]:
    """Ask for a number, and return it.

    Raises:
        ValueError: the answer is no number, or out of bounds.
    """
    answer, least, most = (yield question), question.least, question.most
    if not answer.removeprefix("-").isdecimal() or not least <= int(answer) <= most:
        raise ValueError(f"{answer!r} is no number from {least} to {most}")
    return int(answer)


def confirm(question: AskConfirm) -> Dialogue[None]:
    """Ask again and again until the answer is ``yes``."""
    while (yield question) != "yes":
        pass


def read_cell(answer: str) -> tuple[int, int]:
    """Parse an answer ``x,y`` as (x, y).

    Raises:
        ValueError: the answer has another form.
    """
    x, _, y = answer.partition(",")
    if not (x.isdecimal() and y.isdecimal()):
        raise ValueError(f"{answer!r} is no cell x,y")
    return int(x), int(y)
