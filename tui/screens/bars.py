"""The bars of a game's screen: its phase, the hint below the board, and the keys that matter."""

from __future__ import annotations

from engine.tabletop.focus import NOTHING
from engine.tabletop.roles import Tone
from tui.play.picking import hint_within
from tui.screens.turns import GameParts, TurnFlow
from tui.settings.keymap import known, shown
from tui.widgets import key_row
from tui.widgets.header import BarContent, scenario_of
from tui.widgets.key_row import KeyWord


class GameBars:
    """Fills the phase bar, the hint bar and the row of keys."""

    is_fast = False
    """True if the arrows move the cursor by several cells."""

    def __init__(self, parts: GameParts, turns: TurnFlow) -> None:
        self._parts = parts
        self._screen = parts.screen
        self._session = parts.session
        self._turns = turns

    def keys(self) -> list[KeyWord]:
        """Return the keys that matter now, as far as they fit."""
        screen, session = self._screen, self._session
        names, width = screen.key_names(), screen.app.size.width - 2
        if self._parts.asking.pick is not None:
            return key_row.for_picking(names)
        if screen.watches:
            return key_row.for_watching(names, width)
        if self._turns.is_busy:
            return key_row.for_waiting(names)
        now = key_row.PlayerSituation(
            session.overlay.hint,
            session.intents(),
            jumps=session.status.todo > 0,
            holding=session.focus.held != NOTHING,
        )
        return key_row.for_playing(now, names, screen.shell.keymap, width)

    def show_phase(self) -> None:
        """Draw the phase bar: scenario or lesson, phase, and what is switched on."""
        right = ["FAST"] if self.is_fast else []
        right += ["REC"] if self._screen.shell.recorder.is_on else []
        right += [*self._parts.layers.laid_over(), *self._turns.laid_over()]
        table = self._session.table
        title = scenario_of(table.header.title, table.rules.title)
        self._screen.phase.put(BarContent(title, self._session.status, tuple(right)))

    def show(self) -> None:
        """Draw the phase bar and the hint bar."""
        self.show_phase()
        bar, palette = self._screen.hint, self._screen.shell.palette
        if (pick := self._parts.asking.pick) is not None:
            bar.put(hint_within(pick, bar.room("Esc: no")), "Esc: no", palette.plain)
        else:
            text, tone = self._hint()
            at = self._session.focus
            place = "" if self._session.board.narrow else f"{at.x},{at.y}"
            bar.put(text, place, palette.line(tone, -1))

    def _hint(self) -> tuple[str, Tone]:
        """Return the text of the hint bar: a note, the awaited players, the route or the button."""
        if note := self._session.note:
            return note, Tone.BAD
        if out := self._session.presenter.out(self._session.view):
            leave = self._screen.key_names().get("game.leave", "q")
            return f"{out} Watch on, or leave with {leave}.", Tone.STRONG
        if text := self._turns.waiting():
            return text, Tone.QUIET
        if way := self._parts.layers.way_told():
            return way, Tone.NORMAL
        hint = "" if self._screen.is_covered else self._session.overlay.hint
        fire = shown(self._screen.shell.keymap.of(known()["game.fire"])[0])
        return f"{fire}: {hint}" if hint else "", Tone.GOOD
