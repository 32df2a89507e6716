"""New games in words: opponents by name and temper, lengths of scenarios, labels of statistics."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from engine.core.codec import convert
from engine.core.record import Record

LEVEL_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"easy": "Squire", "normal": "Captain", "hard": "Warlord"}
)
"""Names for people of the levels that all games share; commands and files use the levels."""


def level_name(level: str) -> str:
    """Return the name of a level of computer players, for people."""
    return LEVEL_NAMES.get(level) or level.replace("_", " ").replace("-", " ").capitalize()


def full_level(level: str) -> str:
    """Return the name of a level with its word in commands, if they differ: ``Squire, easy``."""
    name = level_name(level)
    return name if name.casefold() == level.casefold() else f"{name}, {level}"


def level_of(word: str, levels: Iterable[str]) -> str:
    """Return the level that a word names, in commands or for people; empty if none of ``levels``.

    >>> level_of("Squire", ["easy", "hard"]), level_of("hard", ["easy", "hard"])
    ('easy', 'hard')
    """
    said = word.casefold()
    return next((one for one in levels if said in (one, level_name(one).casefold())), "")


def listed_levels(levels: Iterable[str]) -> str:
    """Return levels by their words in commands, with their names for people if they differ.

    >>> listed_levels(["easy", "wild"])
    'easy (Squire), wild'
    """
    named = ((level, level_name(level)) for level in levels)
    return ", ".join(
        level if level.casefold() == name.casefold() else f"{level} ({name})"
        for level, name in named
    )


def player_name(level: str) -> str:
    """Return the name of a level, or "person" if the level is empty."""
    return level_name(level) if level else "person"


class OpponentText(Record, frozen=True):
    """Temper of a level of computer players in a word or two, and its way of playing."""

    level: str
    temper: str
    text: str
    """Sentences that are true of this level in this game."""


class ScenarioText(Record, frozen=True):
    """Length and difficulty of a scenario in a few words each; empty if unknown."""

    name: str = ""
    length: str = ""
    difficulty: str = ""


class NewGameTexts(Record, frozen=True):
    """Texts of a game for the player who begins one."""

    first: str = ""
    """Scenario to begin with: one that a beginner can win, and a short one if possible."""
    opponents: tuple[OpponentText, ...] = ()
    scenarios: tuple[ScenarioText, ...] = ()
    statistics: tuple[tuple[str, str], ...] = ()
    """Label of each statistic by its name."""

    def opponent(self, level: str) -> OpponentText:
        """Return the texts of a level; empty ones if it has none."""
        found = (one for one in self.opponents if one.level == level)
        return next(found, OpponentText(level, "", ""))

    def scenario(self, name: str) -> ScenarioText:
        """Return the texts of a scenario; empty ones if it has none."""
        return next((one for one in self.scenarios if one.name == name), ScenarioText())

    def statistic(self, name: str) -> str:
        """Return the label of a statistic, or its name if it has none."""
        return dict(self.statistics).get(name, name)


class _NewGameFile(Record, frozen=True):
    """The file ``data/new_game.toml`` of a ruleset."""

    first: str
    opponents: tuple[OpponentText, ...]
    scenarios: tuple[ScenarioText, ...]
    statistics: Mapping[str, str]


@lru_cache(maxsize=16)
def new_game_texts(package: str) -> NewGameTexts:
    """Return the texts in ``data/new_game.toml`` of a package; empty ones if the file is missing.

    Raises:
        msgspec.ValidationError: a field is invalid.
    """
    found = files(package).joinpath("data", "new_game.toml") if package else None
    if found is None or not found.is_file():
        return NewGameTexts()
    made = convert(tomllib.loads(found.read_text(encoding="utf-8")), _NewGameFile)
    return NewGameTexts(made.first, made.opponents, made.scenarios, tuple(made.statistics.items()))
