"""The whole log in pages: everything, each side, losses, chances; searched and jumped from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal, TypeAlias

from textual.binding import BindingType

from engine.core.ids import Seat, Viewer
from engine.core.record import replace
from engine.tabletop.board import NOBODY, Line, concerns
from engine.tabletop.roles import Tone
from tui.replay import losses_table
from tui.replay.losses_table import Booked
from tui.screens.pages import Page, PagesScreen
from tui.settings import keys
from tui.settings.keymap import known, shown

Leads: TypeAlias = Literal["place", "moment"]


class LogScreen(PagesScreen[tuple[Leads, Line]]):
    """Ends with a line, and whether its place or its moment is to be gone to."""

    BINDINGS: ClassVar[list[BindingType]] = list(keys.LOG)
    pointing = True

    def __init__(self, pages: Sequence[Page], *, at_end: bool = True) -> None:
        super().__init__(pages, 0, len(pages[0].lines) - 1 if at_end else 1)

    @property
    def keys_text(self) -> str:
        """Which keys matter here."""
        watch = shown(self.shell.keymap.of(known()["log.moment"])[0])
        return f"Tab: filter  /: search  n, N: again  Enter: go there  {watch}: watch it  Esc: back"

    def pointed(self, at: int) -> None:
        """Say where the line leads."""
        lines = self.pages[self.page].lines
        if at < len(lines) and self.is_mounted:
            line = lines[at]
            where = f"Enter: to {line.at[0]},{line.at[1]}" if line.at is not None else ""
            when = f"entry {line.entry + 1}" if line.entry >= 0 else ""
            self.hint("   ".join(part for part in (line.rule, where, when) if part))

    def action_choose(self) -> None:
        """Go to the place that the line speaks of."""
        lines = self.pages[self.page].lines
        if lines and lines[self.pager.at].at is not None:
            self.dismiss(("place", lines[self.pager.at]))

    def action_moment(self) -> None:
        """Watch the moment that the line tells of."""
        lines = self.pages[self.page].lines
        if lines and lines[self.pager.at].entry >= 0:
            self.dismiss(("moment", lines[self.pager.at]))
        else:
            self.hint("This line tells of no moment of the game.")


def filtered(lines: Sequence[Line], names: Sequence[str], viewer: Viewer) -> list[Page]:
    """Pages of a log: all of it, what concerns the viewer and what each other seat, losses."""
    whole = repeats(lines)
    pages = [Page("All", whole)]
    seats = sorted(range(len(names)), key=lambda seat: (seat != viewer, seat))
    for seat in seats:
        title = f"{names[seat]}: mine" if seat == viewer else names[seat]
        pages.append(Page(title, [line for line in whole if _is_for(line, seat)]))
    pages.append(Page("Losses", _those(whole, lambda line: line.tone is Tone.BAD)))
    marked = (Tone.TITLE, Tone.STRONG)
    pages.append(Page("Phases", _those(whole, lambda line: line.tone in marked)))
    nothing = [Line("Nothing of that kind yet.", Tone.QUIET)]
    return [page if page.lines else Page(page.title, nothing) for page in pages]


def _those(lines: Sequence[Line], wanted: Callable[[Line], bool]) -> list[Line]:
    return [line for line in lines if wanted(line)]


def _is_for(line: Line, seat: Seat) -> bool:
    """Whether a line concerns a seat, or is a heading for everybody."""
    return concerns(line, seat) or (line.tone is Tone.TITLE and line.seat == NOBODY)


def reckoned(rows: Sequence[Booked], names: Sequence[str], viewer: Viewer) -> list[Page]:
    """Pages of who lost what and why: the last round with losses, all, each seat's."""
    last = max((row.round for row in rows), default=0)
    pages = [Page(f"Round {last}", losses_table.lines([r for r in rows if r.round == last], names))]
    pages.append(Page("All", losses_table.by_rounds(rows, names)))
    seats = sorted(range(len(names)), key=lambda seat: (seat != viewer, seat))
    for seat in seats:
        title = f"{names[seat]}: mine" if seat == viewer else names[seat]
        own = losses_table.concerned(rows, seat)
        pages.append(Page(title, losses_table.by_rounds(own, names)))
    return pages


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
    return replace(line, text=f"{line.text} (x{count})")
