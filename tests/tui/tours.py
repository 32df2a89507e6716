"""Record a newcomer's first minutes in each game, and make the pages from them.

``python -m tests.tui.tours`` writes ``docs/tour.md`` and its pictures.
"""

from __future__ import annotations

import asyncio
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.tui import pictures
from tests.tui.piloted_app import Desk, desk

SIZE = (100, 30)
"""Columns and rows of the screens of a tour."""
LARGE = (160, 50)
"""Columns and rows of the picture of a game in the README."""
PAGE = Path("docs/tour.md")
FOLDER = Path("docs/tour")
PICTURES = Path("docs/pictures")
_SEED = 7
_NAMES = {
    "left": "←", "right": "→", "up": "↑", "down": "↓", "space": "Space", "enter": "Enter",
    "tab": "Tab", "escape": "Esc",
}  # fmt: skip
_HEADING = """# A first look

The first minutes of each game, step by step: the keys, and the screen after them. These pictures
use seed 7; your own games will have other dice. The keys are the default ones.
"""


class Step(NamedTuple):
    """Keys of a newcomer, and the screen after them."""

    title: str
    says: str
    """One or two sentences for the newcomer."""
    keys: tuple[str, ...]
    shows: tuple[str, ...]
    """Texts that must be on the screen."""


class Tour(NamedTuple):
    """Recording of the first minutes of a game."""

    ruleset: str
    title: str
    moment: tuple[str, ...]
    """Keys from the title to the moment of the README's picture."""
    steps: tuple[Step, ...]

    def picture(self, number: int) -> Path:
        """Return the file of the picture of a step, counted from 1."""
        return FOLDER / f"{self.ruleset}-{number}.svg"


def pressed(keys: str) -> Iterator[str]:
    """Yield keys one by one: ``down*3`` means three times."""
    for key in keys.split():
        name, _, times = key.partition("*")
        yield from [name] * int(times or 1)


def tours() -> tuple[Tour, ...]:
    """Return the recordings of all games, in the order of the new-game form."""
    raw = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return tuple(_tour(row) for row in raw["tour"])


def _tour(row: dict[str, Any]) -> Tour:
    steps = tuple(_step(step) for step in row["step"])
    return Tour(row["ruleset"], row["title"], tuple(pressed(row["moment"])), steps)


def _step(row: dict[str, Any]) -> Step:
    return Step(row["title"], row["says"], tuple(pressed(row.get("keys", ""))), (*row["shows"],))


def same_seed(patch: pytest.MonkeyPatch) -> None:
    """Give all new games the same seed."""
    patch.setattr("tui.play.setup.secrets.randbelow", lambda _: _SEED)


async def walk(tour: Tour, folder: Path, look: Callable[[int, Step, Desk], None]) -> None:
    """Take a tour; call ``look`` at each step with its number, the step and the program."""
    async with desk(folder, SIZE, glyphs="rich") as at:
        for number, step in enumerate(tour.steps, 1):
            await at.press(*step.keys)
            look(number, step, at)


def missing(step: Step, at: Desk) -> list[str]:
    """Return the texts of a step that the screen does not show."""
    return [text for text in step.shows if text not in at.text]


def read_aloud(keys: tuple[str, ...]) -> str:
    """Return keys as a player reads them."""
    runs = [(key, len(list(same))) for key, same in groupby(keys)]
    names = [(_NAMES.get(key, key), times) for key, times in runs]
    return " ".join(f"`{name}`" + (f" {times} times" if times > 1 else "") for name, times in names)


def page() -> str:
    """Return the text of the page of all tours."""
    return "\n".join([_HEADING, *(line for tour in tours() for line in _chapter(tour))])


def _chapter(tour: Tour) -> Iterator[str]:
    yield f"## {tour.title}\n"
    for number, step in enumerate(tour.steps, 1):
        yield f"### {number}. {step.title}\n"
        if step.keys:
            yield f"Keys: {read_aloud(step.keys)}\n"
        yield f"{step.says}\n"
        picture = tour.picture(number).relative_to(PAGE.parent)
        yield f"![{tour.title}: {step.title}]({picture.as_posix()})\n"


async def _draw(tour: Tour, folder: Path) -> None:
    def draw(number: int, step: Step, at: Desk) -> None:
        if lost := missing(step, at):
            raise SystemExit(f"{tour.ruleset}, step {number}: no {lost} in\n{at.text}")
        tour.picture(number).write_text(pictures.drawn(at), "utf-8")

    await walk(tour, folder, draw)
    async with desk(folder, LARGE, glyphs="rich") as at:
        await at.press(*tour.moment)
        (PICTURES / f"{tour.ruleset}.svg").write_text(pictures.drawn(at), "utf-8")


def main() -> None:
    """Write the page and its pictures, and those of the README."""
    for folder in (FOLDER, PICTURES):
        folder.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), "utf-8")
    for tour in tours():
        with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as own:
            for name in ("CONFIG", "STATE", "DATA"):
                patch.setenv(f"XDG_{name}_HOME", str(Path(own, name)))
            patch.setenv("COLORTERM", "truecolor")
            patch.setenv("TERM", "xterm-256color")
            same_seed(patch)
            asyncio.run(_draw(tour, Path(own)))


if __name__ == "__main__":
    main()
