"""Questions that several dialogues ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.kit.grid import Place
from engine.strategic.picture.context import PictureContext
from engine.strategic.pieces import Army, Question
from engine.strategic.world import city_at
from engine.tabletop.ask import AskPlace, AskText, Choice
from engine.tabletop.dialogue import Dialogue, choose, choose_some, read_cell

K = TypeVar("K", bound=int | str)


def one_of(
    title: str, labels: Mapping[K, str], barred: Mapping[K, str] | None = None
) -> Dialogue[K]:
    """Ask for a key by its label; ``barred`` has the reasons why keys cannot be chosen."""
    reasons = barred or {}
    return choose(title, labels, lambda key: Choice(str(key), labels[key], reasons.get(key, "")))


def one_place(context: PictureContext, question: AskPlace) -> Dialogue[Place]:
    """Ask for one of the question's cells; any tile of a city means the cell of that city.

    Raises:
        ValueError: the answer is no cell of the question, nor a tile of a city that has one.
    """
    there = read_cell((yield question))
    city = city_at(context.world, there)
    for at in (there, (city.x, city.y) if city is not None else there):
        if at in question.cells:
            return at
    raise ValueError("That tile cannot be chosen.")


def some_armies(
    context: PictureContext, title: str, armies: Sequence[Army]
) -> Dialogue[tuple[Army, ...]]:
    """Ask for one or more of the armies, and return them in their order."""

    def choice(army: Army) -> Choice:
        return Choice(str(army.id), army_label(context, army))

    chosen = yield from choose_some(title, armies, choice, 1, len(armies))
    return tuple(army for army in armies if army in chosen)


def name_for(title: str, longest: int, preset: str) -> Dialogue[str]:
    """Ask for a name, and cut it to its greatest length.

    Raises:
        ValueError: the answer is blank.
    """
    answer = yield AskText(title, longest, preset[:longest])
    if name := answer.strip()[:longest]:
        return name
    raise ValueError("A name has at least one letter.")


def army_label(context: PictureContext, army: Army) -> str:
    """Describe an army as a choice, with strength and points."""
    text = f"{context.army_name(army)} {army.strength}, {army.points}/{army.max_move} moves"
    return text + (", on guard" if army.defends else "") + context.army_words(army).short


def pending(context: PictureContext) -> Question:
    """Return the open question of the rules that the viewer must answer.

    Raises:
        ValueError: no question is open for the viewer.
    """
    if context.question is None:
        raise ValueError("There is nothing to decide.")
    return context.question
