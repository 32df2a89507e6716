"""The list of saved games, beside a picture of the one under the cursor."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Input

from engine.core.archive import Archive, SaveFault, SaveInfo
from engine.tabletop.ask import AskText
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone
from tui.play.saved_games import ORDERS, Preview, chosen, look_into, people, row
from tui.screens.dialog import ChoiceList, option
from tui.screens.frame import ask
from tui.screens.menu import MenuScreen
from tui.settings import keys
from tui.widgets.jobs import begin
from tui.widgets.overview import BoardPicture
from tui.widgets.panels import Rows

Purpose = Literal["load", "replay"]


class SavesScreen(MenuScreen[str]):
    """List of saves. It closes with the name of the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("saves")
    keys_text = (
        "Enter: open  {key:saves.search}: search  {key:saves.order}: order  "
        "{key:saves.rename}: rename  {key:saves.copy}: copy  {key:saves.delete}: delete  "
        "{key:saves.leave}: back"
    )
    pause = 0.15
    """Seconds that the cursor must rest on a save before its log is read."""

    def __init__(self, archive: Archive, purpose: Purpose) -> None:
        super().__init__()
        self._archive = archive
        self.heading = "Load a game" if purpose == "load" else "Replay a game"
        self.order = next(iter(ORDERS))
        self._all: tuple[SaveInfo, ...] = ()
        self._found: tuple[SaveInfo, ...] = ()
        self._known: dict[tuple[str, float], Preview] = {}
        self._pictured = Preview()
        self._timer: Timer | None = None

    def middle(self) -> ComposeResult:
        """Yield the search, the list, and the save under the cursor."""
        with Vertical(id="saves"):
            yield Input(placeholder="Search", id="search", compact=True)
            yield ChoiceList()
        with Vertical(id="aside"):
            yield BoardPicture(id="picture")
            yield Rows(id="facts")

    def on_mount(self) -> None:
        """List the saves."""
        self.fill()
        self.choices.focus()

    # -- the list --------------------------------------------------------------------------------

    def fill(self) -> None:
        """Read the list of saves from the archive."""
        try:
            self._all = self._archive.listing()
        except SaveFault as fault:
            self.fault(str(fault))
            return
        self.list_again(self._chosen)

    def list_again(self, at: SaveInfo | None) -> None:
        """List the matching saves in the chosen order, with the cursor on the save ``at``."""
        self._found = chosen(self._all, self.order, self.query_one(Input).value)
        now = datetime.datetime.now().astimezone()
        self.choices.clear_options()
        self.choices.add_options([option(row(info, now)) for info in self._found])
        names = [info.name for info in self._found]
        place = names.index(at.name) if at is not None and at.name in names else 0
        self.choices.highlighted = place if self._found else None
        if not self._found:
            self.note("Nothing is saved yet." if not self._all else "No save has all these words.")
            self._show(Preview())

    @property
    def _chosen(self) -> SaveInfo | None:
        at = self.choices.highlighted
        return self._found[at] if at is not None and at < len(self._found) else None

    def on_option_list_option_highlighted(self) -> None:
        """Show the players of the save, or its fault; the picture follows once the cursor rests."""
        info = self._chosen
        if info is None:
            return
        place = f"{self._found.index(info) + 1} of {len(self._found)}, by {self.order}"
        if info.fault:
            self.note(f"{info.fault}\nEnter: try to repair it.")
        else:
            count = f"{info.entries} entries" if info.entries != 1 else "1 entry"
            size = f"{count}, {-(-info.bytes // 1024)} KB"
            self.note(f"{info.title or info.ruleset}\n{people(info)}\n{size}   ({place})")
        self._preview(info)

    def on_option_list_option_selected(self) -> None:
        """Close with the save, or offer to repair it."""
        info = self._chosen
        if info is None:
            return
        known = self._known.get((info.name, info.modified))
        if info.fault or (known is not None and known.damaged):
            self._repair(info.name)
        else:
            self.dismiss(info.name)

    # -- searching and sorting -------------------------------------------------------------------

    def action_search(self) -> None:
        """Focus the search; the list follows what is typed."""
        self.query_one(Input).focus()
        self.put_keys("Type what the save must have   Enter, down: to the list   Esc: all saves")

    def on_input_changed(self) -> None:
        """Filter the list with every letter."""
        self.list_again(self._chosen)

    def on_input_submitted(self) -> None:
        """Go back to the list."""
        self.action_to_list()

    def action_to_list(self) -> None:
        """Go back to the list, and keep its filter."""
        self.choices.focus()
        self.put_keys(self.keys_text)

    def action_order(self) -> None:
        """Sort the list by the next of its orders."""
        names = list(ORDERS)
        self.order = names[(names.index(self.order) + 1) % len(names)]
        self.list_again(self._chosen)

    def action_leave(self) -> None:
        """Leave the search, then the screen."""
        entry = self.query_one(Input)
        if entry.has_focus or entry.value:
            entry.value = ""
            self.action_to_list()
        else:
            super().action_leave()

    # -- the picture -----------------------------------------------------------------------------

    def _preview(self, info: SaveInfo) -> None:
        """Show what is known of a save, or read it once the cursor rests."""
        if self._timer is not None:
            self._timer.stop()
        known = self._known.get((info.name, info.modified))
        if known is not None:
            self._show(known)
            return
        self._show(Preview())
        if info.fault:
            return
        if self.pause:
            self._timer = self.set_timer(self.pause, lambda: self._begin(info))
        else:
            self._begin(info)

    def _begin(self, info: SaveInfo) -> None:
        begin(self, partial(self._read, info), "preview")

    async def _read(self, info: SaveInfo) -> None:
        found = await look_into(self._archive, info.name)
        self._known[info.name, info.modified] = found
        if self._chosen == info:
            self._show(found)

    def dress(self) -> None:
        """Apply the chosen colours, also beside the list."""
        super().dress()
        self._show(self._pictured)

    def _show(self, found: Preview) -> None:
        self._pictured = found
        picture, facts = self.query_one(BoardPicture), self.query_one("#facts", Rows)
        picture.put(found.symbols, found.board)
        facts.put(facts.wrapped(found.lines))

    # -- actions on a save -----------------------------------------------------------------------

    def action_remove(self) -> None:
        """Delete a save after a confirmation."""
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        info = self._chosen
        if info is None:
            return
        window = Confirm(f"Delete {info.name}?", (Line("It cannot be brought back."),))
        ask(self.app, window, lambda _: self._try(self._archive.delete, info.name))

    def action_rename(self) -> None:
        """Ask for another name of the selected save, and rename it."""
        from tui.screens.ask import EnterText  # noqa: PLC0415 - not before it is needed

        info = self._chosen
        if info is None:
            return
        name = info.name

        def answered(new: str) -> None:
            if new != name:
                self._try(self._archive.rename, name, new)

        ask(self.app, EnterText(AskText("Another name", 60, name)), answered)

    def action_copy(self) -> None:
        """Copy the selected save under another name."""
        info = self._chosen
        if info is not None:
            self._try(self._archive.copy, info.name)

    def _repair(self, name: str) -> None:
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        lines = (
            Line("Everything before the damage is kept."),
            Line("The rest is put aside in a file beside it.", Tone.QUIET),
        )
        window = Confirm(f"Repair {name}?", lines)
        ask(self.app, window, lambda _: self._try(self._archive.repair, name))

    def _try(self, act: Callable[..., object], *names: str) -> None:
        """Call ``act`` with names of saves; if it fails, show why."""
        fault = ""
        try:
            act(*names)
        except SaveFault as problem:
            fault = str(problem)
        self.fill()
        self.fault(fault)
