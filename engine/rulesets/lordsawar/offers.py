"""Offers: commands of this game alone that may be worth trying in a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.rulesets.lordsawar.commands import ChooseGain, HireAs, OwnCommand, UseItem
from engine.rulesets.lordsawar.levels import GAINS
from engine.rulesets.lordsawar.state import State
from engine.strategic.pieces import NOBODY, Army, Item
from engine.strategic.world import armies_of, items_of

_CITIES: Final = 2


def offered(state: State, side: int, about: int | None) -> Iterator[OwnCommand]:
    """Own commands that a side might give now; ``about``: those with this army only.

    Rules: LW-10, LW-11.
    """
    question = state.question
    if question is not None:
        if question.side == side and about is None:
            yield from _answers(question.kind, question.name)
        return
    for army in armies_of(state, side):
        if army.hero is not None and about in {None, army.id}:
            for item in items_of(state, army.id):
                yield from _uses(state, army, item)


def _answers(kind: str, name: str) -> Iterator[OwnCommand]:
    if kind == "level":
        yield from (ChooseGain(gain) for gain in GAINS)
    elif kind == "hero":
        yield HireAs(name[::-1].title(), female=True)


def _uses(state: State, hero: Army, item: Item) -> Iterator[OwnCommand]:
    """Uses of an item: by itself, on some cities, and against each other side."""
    if not item.powers or item.powers.charges <= 0:
        return
    yield UseItem(hero.id, item.id)
    for other in state.sides.values():
        if other.alive and other.id not in {hero.owner, NOBODY}:
            yield UseItem(hero.id, item.id, side=other.id)
    near = sorted(
        (city for city in state.cities.values() if not city.razed),
        key=lambda city: (max(abs(city.x - hero.x), abs(city.y - hero.y)), city.id),
    )
    for owned in (True, False):
        for city in [c for c in near if (c.owner == hero.owner) is owned][:_CITIES]:
            yield UseItem(hero.id, item.id, city=city.id)
