"""The whole log in pages: everything, each side, losses, chances; searched and jumped from."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.screens.pages import Page, PagesScreen


class LogScreen(PagesScreen[Line]):
    """Ends with the line whose place is to be gone to."""

    pointing = True

    def __init__(self, lines: Sequence[Line], names: Sequence[str]) -> None:
        pages = filtered(lines, names)
        super().__init__(pages, 0, len(pages[0].lines) - 1)

    @property
    def keys_text(self) -> str:
        """Which keys matter here."""
        return "Tab: filter   /: search   n, N: again   Enter: go there   Esc: back"

    def pointed(self, at: int) -> None:
        """Say where the line leads."""
        lines = self.pages[self.page].lines
        if at < len(lines) and self.is_mounted:
            line = lines[at]
            where = f"Enter: to {line.at[0]},{line.at[1]}" if line.at is not None else ""
            self.hint(f"{line.rule}   {where}".strip())

    def action_choose(self) -> None:
        """Go to the place that the line speaks of."""
        lines = self.pages[self.page].lines
        if lines and lines[self.pager.at].at is not None:
            self.dismiss(lines[self.pager.at])


def filtered(lines: Sequence[Line], names: Sequence[str]) -> list[Page]:
    """Pages of a log: all of it, what each seat did, losses."""
    whole = repeats(lines)
    pages = [Page("All", whole)]
    for seat, name in enumerate(names):
        pages.append(Page(name, [line for line in whole if line.seat == seat]))
    pages.append(Page("Losses", _those(whole, lambda line: line.tone is Tone.BAD)))
    marked = (Tone.TITLE, Tone.STRONG)
    pages.append(Page("Phases", _those(whole, lambda line: line.tone in marked)))
    nothing = [Line("Nothing of that kind yet.", Tone.QUIET)]
    return [page if page.lines else Page(page.title, nothing) for page in pages]


def _those(lines: Sequence[Line], wanted: Callable[[Line], bool]) -> list[Line]:
    return [line for line in lines if wanted(line)]


def repeats(lines: Sequence[Line]) -> list[Line]:
    """Lines that say the same again are counted instead."""
    found: list[tuple[Line, int]] = []
    for line in lines:
        if found and found[-1][0].text == line.text and found[-1][0].seat == line.seat:
            found[-1] = line, found[-1][1] + 1
        else:
            found.append((line, 1))
    return [line if count == 1 else _counted(line, count) for line, count in found]


def _counted(line: Line, count: int) -> Line:
    return Line(f"{line.text} (x{count})", line.tone, line.seat, line.rule, line.at, line.group)
