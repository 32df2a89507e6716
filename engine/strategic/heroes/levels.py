"""Experience and what it makes of heroes."""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.record import replace
from engine.strategic.book import Book
from engine.strategic.desk import Desk
from engine.strategic.events import ArmiesGrew
from engine.strategic.heroes.rules import LevelRules
from engine.strategic.pieces import Army
from engine.strategic.world import armies_of


def title(rules: LevelRules, hero: Army) -> str:
    """What a hero of its level is called. Rules: W2-10.2."""
    female = hero.hero is not None and hero.hero.female
    titles = rules.titles_female if female else rules.titles
    return titles[min(hero.level, len(titles) - 1)]


def learned(rules: LevelRules, army: Army, xp: int) -> Army:
    """An army with more experience if it is a hero. Rules: W2-10.2."""
    if army.hero is None:
        return army
    return replace(army, xp=min(army.xp + xp, rules.most_xp))


def gain(work: Desk, book: Book, armies: Iterable[int], xp: int) -> None:
    """Those among armies that are heroes learn. Rules: W2-10.2."""
    before = [work.state.armies[army] for army in armies]
    after = (learned(book.heroes.levels, army, xp) for army in before)
    grown = tuple(new for old, new in zip(before, after, strict=True) if new != old)
    if grown:
        work.emit(ArmiesGrew(grown, "experience"))


def level_up(work: Desk, book: Book, side: int) -> None:
    """Each hero that has learned enough gains one level. Rules: W2-10.2, W2-13.2."""
    rules = book.heroes.levels
    grown = tuple(
        raised(rules, army) for army in armies_of(work.state, side) if is_due(rules, army)
    )
    if grown:
        work.emit(ArmiesGrew(grown, "level"))


def is_due(rules: LevelRules, army: Army) -> bool:
    """Whether a hero has learned enough for the next level. Rules: W2-10.2."""
    if army.hero is None or army.level >= len(rules.thresholds):
        return False
    return army.xp >= rules.thresholds[army.level]


def raised(rules: LevelRules, hero: Army) -> Army:
    """A hero one level higher. Rules: W2-10.2."""
    return replace(
        hero,
        level=hero.level + 1,
        strength=min(hero.strength + rules.strength, rules.most_strength),
        max_move=hero.max_move + rules.move,
    )
