"""Windows for the questions of a ruleset, and ``AskFlow``, which asks for a whole command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, assert_never

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from engine.tabletop.ask import (
    AskAmount,
    AskConfirm,
    AskOne,
    AskOrder,
    AskPath,
    AskPlace,
    AskSome,
    AskText,
    Choice,
    Intent,
)
from engine.tabletop.board import Line
from tui.play.picking import Pick, PickPath, PickPlace
from tui.play.seat_client import WENT_ON, AskDriver
from tui.play.session import Session
from tui.screens.dialog import ChoiceList, Dialog, TypeLine, option
from tui.screens.map import MapScreen
from tui.settings import keys
from tui.settings.keymap import Keymap
from tui.widgets.jobs import begin

_SHORT: Final = 14
"""Number of lines that the smallest screen shows at once."""

WindowAsk = AskOne | AskSome | AskOrder | AskAmount | AskText | AskConfirm


def dialogue(asked: WindowAsk) -> ModalScreen[str]:
    """Return a window that asks a question of the ruleset; its result is the answer in notation."""
    match asked:
        case AskOne():
            return ChooseOne(asked.title, asked.choices, lines=asked.lines)
        case AskSome():
            return ChooseSome(asked)
        case AskOrder():
            return PutInOrder(asked)
        case AskAmount():
            return EnterAmount(asked)
        case AskText():
            return EnterText(asked)
        case AskConfirm():
            return Confirm(asked.title, asked.lines, asked.yes, asked.no)
        case _:
            assert_never(asked)


def choose_intent(intents: Sequence[Intent], keymap: Keymap) -> ModalScreen[str]:
    """Return a menu of intents with their letters; it closes with the name of one.

    The cursor never starts on an intent that resigns, so that one Enter too many does no harm.
    """
    choices = tuple(
        Choice(intent.name, f"{keymap.letter(intent.key)}  {intent.label}", intent.reason)
        for intent in intents
    )
    letters = {keymap.letter(intent.key): at for at, intent in enumerate(intents)}
    usual = (at for at, one in enumerate(intents) if not one.reason and one.ends != "game")
    return ChooseOne("What now?", choices, letters, next(usual, None))


def hand_over(name: str) -> ModalScreen[str]:
    """Return a window that hides the map until the next person, ``name``, confirms."""
    screen = Confirm(f"{name} is to act.", (Line("The others look away now."),))
    screen.add_class("opaque")
    return screen


class ChooseOne(Dialog[str]):
    """Window to choose one item of a list."""

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        letters: Mapping[str, int] | None = None,
        begin: int | None = 0,
        *,
        lines: Sequence[Line] = (),
    ) -> None:
        """Make the window.

        Args:
            title: the question.
            choices: all items; those that cannot be chosen give a reason.
            letters: index of the choice that each letter takes at once.
            begin: index of the choice under the cursor at first, or None.
            lines: text above the choices.
        """
        super().__init__(title, lines)
        self._choices = tuple(choices)
        self._letters = letters or {}
        self._begin = begin

    def key_space(self) -> None:
        """Choose the highlighted item, as the button does everywhere else."""
        self.query_one(ChoiceList).action_select()

    def body(self) -> ComposeResult:
        """Yield the list of choices."""
        yield ChoiceList(*(option(c.label, c.reason, f"c{n}") for n, c in enumerate(self._choices)))

    def on_mount(self) -> None:
        """Put the cursor on the first choice, or on the next one that can be chosen."""
        begin = self._begin
        while begin is not None and begin + 1 < len(self._choices) and self._choices[begin].reason:
            begin += 1
        for choices in self.query(ChoiceList):  # none if a key has answered before it was drawn
            choices.highlighted = begin

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the selected choice."""
        self.dismiss(self._choices[event.option_index].value)

    def on_key(self, event: events.Key) -> None:
        """Choose by letter at once, or show why that choice is not possible."""
        at = self._letters.get(event.character or "")
        if at is None:
            return
        event.stop()
        chosen = self._choices[at]
        if chosen.reason:
            for fault in self.query("#fault").results(Static):
                fault.update(Text(f"Not now: {chosen.reason}"))
        else:
            self.dismiss(chosen.value)


class Confirm(Dialog[str]):
    """Window to read a text and answer yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("confirm")
    reads = True

    def __init__(
        self, title: str, lines: Sequence[Line] = (), yes: str = "yes", no: str = "no"
    ) -> None:
        super().__init__(title, lines)
        more = "   Up, down: read on" if len(self._lines) > _SHORT else ""
        self.keys_text = f"Enter or y: {yes}   Esc or n: {no}{more}"

    def action_answer_yes(self) -> None:
        """Close with "yes"."""
        self.dismiss("yes")


class Marked(ChoiceList):
    """A list with check marks; its keys take precedence over those of other lists."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("some")


class Ranked(ChoiceList):
    """A list whose rows can be reordered."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("order")


class ChooseSome(Dialog[str]):
    """Window to choose from ``least`` to ``most`` of some choices."""

    keys_text = "Space: take or leave   Enter: done   Esc: cancel"

    def __init__(self, asked: AskSome, taken: Iterable[int] = ()) -> None:
        """Ask for some choices; those numbered ``taken`` are marked at first."""
        super().__init__(asked.title, (*asked.lines, Line(f"{asked.range} of them.")))
        self._asked = asked
        self._taken = set(taken)

    def body(self) -> ComposeResult:
        """Yield the list, with a box in front of each choice."""
        yield Marked(*(option(self._row(n), c.reason) for n, c in enumerate(self._asked.choices)))

    def on_option_list_option_selected(self) -> None:
        """Mark or unmark the row that was clicked or entered."""
        self.action_mark()

    def _row(self, number: int) -> str:
        box = "[x]" if number in self._taken else "[ ]"
        return f"{box} {self._asked.choices[number].label}"

    def action_mark(self) -> None:
        """Mark or unmark the choice under the cursor."""
        found = self.query_one(ChoiceList)
        number = found.highlighted
        if number is None:
            return
        self._taken ^= {number}
        found.replace_option_prompt_at_index(number, Text(self._row(number)))

    def action_done(self) -> None:
        """Close with the marked choices; do nothing if they are too few or too many."""
        if not self._asked.least <= len(self._taken) <= self._asked.most:
            self.query_one("#fault", Static).update(f"Chosen so far: {len(self._taken)}.")
            return
        values = [self._asked.choices[number].value for number in sorted(self._taken)]
        self.dismiss(">".join(values))


class PutInOrder(Dialog[str]):
    """Window to put all choices in order."""

    keys_text = "Left, right: move up or down   Enter: done   Esc: cancel"

    def __init__(self, asked: AskOrder) -> None:
        super().__init__(asked.title)
        self._order = list(asked.choices)

    def body(self) -> ComposeResult:
        """Yield the list of choices."""
        yield Ranked(*(option(choice.label) for choice in self._order))

    def action_shift(self, by: int) -> None:
        """Move the choice under the cursor up or down by ``by`` rows."""
        found = self.query_one(ChoiceList)
        at = found.highlighted
        if at is None or not 0 <= at + by < len(self._order):
            return
        order = self._order
        order[at], order[at + by] = order[at + by], order[at]
        for number in (at, at + by):
            found.replace_option_prompt_at_index(number, Text(order[number].label))
        found.highlighted = at + by

    def action_done(self) -> None:
        """Close with the present order."""
        self.dismiss(">".join(choice.value for choice in self._order))


class EnterText(TypeLine):
    """Window to type a text; an empty one counts as no answer."""

    def __init__(self, asked: AskText) -> None:
        super().__init__(asked.title, preset=asked.preset, longest=asked.longest)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the typed text, or None if it is empty."""
        self.dismiss(event.value or None)


class EnterAmount(Dialog[str]):
    """Window to enter a whole number."""

    keys_text = "Up, down: change   Enter: done   Esc: cancel"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("amount")

    def __init__(self, asked: AskAmount) -> None:
        super().__init__(asked.title, (Line(f"At least {asked.least}, at most {asked.most}."),))
        self._asked = asked

    def body(self) -> ComposeResult:
        """Yield the text box for the number."""
        yield Input(str(self._asked.preset), type="integer")

    def action_change(self, by: int) -> None:
        """Add ``by`` to the number, within the limits."""
        entry: Any = self.query_one(Input)
        number = self._number(entry.value)
        preset = self._asked.preset if number is None else number + by
        entry.value = str(min(max(self._asked.least, preset), self._asked.most))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the number if it is within the limits."""
        number = self._number(event.value)
        if number is None or not self._asked.least <= number <= self._asked.most:
            self.query_one("#fault", Static).update("That is not one of them.")
            return
        self.dismiss(str(number))

    def _number(self, text: str) -> int | None:
        try:
            return int(text)
        except ValueError:
            return None


# -- asking on the map ---------------------------------------------------------------------------


class AskFlow:
    """The part of the game screen that asks the player, in windows or on the map."""

    def __init__(self, screen: MapScreen[Any], session: Session, after: Callable[[], None]) -> None:
        """Ask on a screen; call ``after`` at the end of every dialogue, completed or not."""
        self._screen = screen
        self._session = session
        self._after = after
        self._picked: asyncio.Future[str] | None = None
        self._window: ModalScreen[str] | None = None
        """The window that is open just now."""
        self._lost: Callable[[], str] = _never
        """Returns why the open question no longer counts; empty if it still does."""
        self._dropped = ""
        """Reason why the last question was closed without an answer; empty if it was answered."""
        self.pick: Pick | None = None
        """The choice on the map that is open now, if any."""

    @property
    def at(self) -> tuple[int, int]:
        """The cell of the cursor: that of the choice on the map, or else that of the game."""
        return self.pick.at if self.pick is not None else self._session.at

    def end_pick(self, answer: str) -> None:
        """End the choice on the map with an answer; an empty one cancels it."""
        if self._picked is not None and not self._picked.done():
            self._picked.set_result(answer)

    def drop(self, why: str) -> None:
        """Close the open question, if any, without an answer, and show ``why``."""
        if self._window is None and self.pick is None:
            return
        self._dropped = why
        self.end_pick("")
        if self._window is not None:
            self._window.dismiss(None)

    def drop_if_lost(self) -> None:
        """Close the open question if the game has gone on, so that no answer counts."""
        if why := self._lost():
            self.drop(why)

    async def show(self, window: ModalScreen[str], lost: Callable[[], str] | None = None) -> str:
        """Open a window and return its answer; empty if it is cancelled, or no longer counts.

        Args:
            window: the question.
            lost: returns why an answer no longer counts, or an empty text; by default an answer
                counts during the present turn.
        """
        self._window, self._lost, self._dropped = window, lost or self._turn_lost(), ""
        try:
            answer = await self._screen.app.push_screen_wait(window)
            self._dropped = self._dropped or self._lost()
        finally:
            self._window, self._lost = None, _never
        return "" if self._is_dropped() else answer or ""

    def _turn_lost(self) -> Callable[[], str]:
        session = self._session
        stage = session.status.stage
        return lambda: WENT_ON if session.status.stage != stage else ""

    def _is_dropped(self) -> bool:
        """Show why the question was closed, if it was; return whether it was."""
        why, self._dropped = self._dropped, ""
        if why:
            self._session.note = why
            self._screen.sync_soon()
        return bool(why)

    def offer_intents(self) -> None:
        """Show the menu of intents at the cursor, and begin the chosen one."""
        begin(self._screen, self._menu, "dialogue")

    def ask(self, intent: str) -> None:
        """Begin the dialogue of an intent."""
        begin(self._screen, partial(self._dialogue, intent), "dialogue")

    async def _menu(self) -> None:
        keymap = self._screen.shell.keymap
        if found := await self.show(choose_intent(self._session.intents(), keymap)):
            await self._dialogue(found)

    async def _dialogue(self, intent: str) -> None:
        """Ask and submit the command; ask again as long as the intent repeats."""
        while await self._asked(intent):
            pass

    async def _asked(self, intent: str) -> bool:
        """Ask once and submit the command; return whether to ask for the same intent again."""
        session = self._session
        asking = AskDriver(session, intent)
        while asking.question is not None:
            answer = await self._answer(asking)
            if not answer:
                break
            asking.answer(answer)
        accepted = bool(asking.line) and (await session.submit(asking.line)).ok
        session.note = asking.fault or session.note
        self._after()
        return accepted and any(
            one.repeats and one.name == intent and not one.reason for one in session.intents()
        )

    async def _answer(self, asking: AskDriver) -> str:
        """Return the answer to the present question; empty if cancelled or no longer valid."""
        session, asked = self._session, asking.question
        assert asked is not None  # noqa: S101 - tells the type checker
        if isinstance(asked, AskPlace):
            if not asked.cells:
                session.note = asked.title
                return ""
            place = PickPlace(asked, session.presenter, session.view, session.at, asking.why_not_at)
            return await self._pick(place, asking)
        if isinstance(asked, AskPath):
            return await self._pick(PickPath(asked, session.presenter, session.view), asking)
        return await self.show(dialogue(asked), lambda: asking.lost)

    async def _pick(self, pick: Pick, asking: AskDriver) -> str:
        self.pick, self._lost, self._dropped = pick, lambda: asking.lost, ""
        self._picked = asyncio.get_running_loop().create_future()
        self._screen.sync()
        try:
            answer = await self._picked
            self._dropped = self._dropped or asking.lost
        finally:
            self.pick, self._lost = None, _never
        return "" if self._is_dropped() else answer


def _never() -> str:
    """Return no reason to close a question."""
    return ""
