"""The list of saved games: to go on with one, to watch one, to rename or delete one."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType

from engine.core.archive import SaveFault, SaveInfo
from engine.tabletop.ask import AskText
from engine.tabletop.board import Line
from tui.screens.dialog import option
from tui.screens.menu import MenuScreen

Purpose = Literal["load", "replay"]


class SavesScreen(MenuScreen[str]):
    """Ends with the name of a save."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,delete", "remove", "Delete", id="saves.delete"),
        Binding("r", "rename", "Rename", id="saves.rename"),
        Binding("escape,q", "leave", "Back", id="saves.leave"),
    ]
    keys_text = "Enter: open   r: rename   d: delete   Esc: back"

    def __init__(self, purpose: Purpose) -> None:
        super().__init__()
        self.heading = "Load a game" if purpose == "load" else "Replay a game"
        self._found: tuple[SaveInfo, ...] = ()

    def on_mount(self) -> None:
        """List the saves."""
        super().on_mount()
        self.fill()

    def fill(self) -> None:
        """The saves as they are now."""
        try:
            self._found = self.banneret.archive.listing()
        except SaveFault as fault:
            self.fault(str(fault))
            return
        self.choices.clear_options()
        self.choices.add_options([option(row(info)) for info in self._found])
        self.choices.highlighted = 0 if self._found else None
        self.choices.focus()

    @property
    def _chosen(self) -> SaveInfo | None:
        at = self.choices.highlighted
        return self._found[at] if at is not None and at < len(self._found) else None

    def on_option_list_option_highlighted(self) -> None:
        """Who plays there, or why it cannot be opened."""
        info = self._chosen
        if info is not None:
            who = ", ".join(f"{player.name}: {player.bot or 'person'}" for player in info.players)
            self.note(f"{info.title or info.ruleset}\n{who}\n{info.bytes} bytes")
            self.fault(info.fault)

    def on_option_list_option_selected(self) -> None:
        """That one."""
        info = self._chosen
        if info is None or info.fault:
            return
        self.dismiss(info.name)

    def action_remove(self) -> None:
        """Delete a save, after asking."""
        from tui.screens.ask import Confirm  # noqa: PLC0415 - not before it is needed

        info = self._chosen
        if info is None:
            return
        name = info.name

        def answered(yes: str | None) -> None:
            if yes:
                self._try(lambda: self.banneret.archive.delete(name))

        lines = (Line("It cannot be brought back."),)
        self.app.push_screen(Confirm(f"Delete {name}?", lines), answered)

    def action_rename(self) -> None:
        """Give a save another name."""
        from tui.screens.ask import EnterText  # noqa: PLC0415 - not before it is needed

        info = self._chosen
        if info is None:
            return
        name = info.name

        def answered(new: str | None) -> None:
            if new and new != name:
                self._try(lambda: self.banneret.archive.rename(name, new))

        self.app.push_screen(EnterText(AskText("Another name", 60, name)), answered)

    def _try(self, act: Callable[[], None]) -> None:
        fault = ""
        try:
            act()
        except SaveFault as problem:
            fault = str(problem)
        self.fill()
        self.fault(fault)


def row(info: SaveInfo) -> str:
    """A save in a line."""
    when = datetime.datetime.fromtimestamp(info.modified).astimezone()
    broken = "  damaged" if info.fault else ""
    return f"{info.name[:34]:<34}  {when:%Y-%m-%d %H:%M}  {info.entries:>5} entries{broken}"
