"""Hold dialogues: questions in the order in which they are asked, and what they come to."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TypeAlias, TypeVar

from engine.tabletop.ask import AnyAsk

T = TypeVar("T")

Dialogue: TypeAlias = Generator[AnyAsk, str, T]
"""Generator that yields questions, is sent their answers, and returns what they come to.

It is run again from its start for each answer, so it may depend on nothing but its arguments.
"""


def follow(dialogue: Dialogue[T], answers: Sequence[str]) -> AnyAsk | T:
    """Return the next question after these answers, or what the dialogue comes to.

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
