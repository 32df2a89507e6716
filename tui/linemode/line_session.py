"""Line session: turns, computer players and commands of one game in lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from engine.core.ids import Seat
from engine.core.ruleset import AnyRuleset
from engine.tabletop.ask import AnyAsk, AskOne, AskSome, Intent
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from tui.linemode.asking import (
    NO,
    beyond_subject,
    introduce,
    is_aside,
    refuse_given,
    taken,
    understood,
    wants_list,
)
from tui.linemode.line_seat import LineSeat, seats_here
from tui.linemode.voice import Voice
from tui.play.players import Opponents
from tui.play.seat_client import AskDriver, refusal
from tui.play.speech import summary_of
from tui.play.table_protocol import BlockingTable

Aside: TypeAlias = Callable[["LineSession", str], bool | None]
"""Executes a line that only gives information, and returns True.

It returns False if the line must wait until the question is answered, None if its first word is
unknown.
"""

_Stage = tuple[int, str, int, int]
"""Round, phase, seat to act, and the number of phases that have ended; changes with each turn."""

_TRIES: Final = 5
"""Number of times that a question is asked before it is cancelled."""


LEAVE: Final = frozenset({"quit", "exit"})
"""Words with which a person leaves."""


class Left(EOFError):
    """A person left within a question, or where only Enter was expected."""


class OpenQuestion(NamedTuple):
    """The only intent that the player can begin now, with its first question."""

    intent: Intent
    asked: AskOne | AskSome

    @property
    def words(self) -> frozenset[str]:
        """Words that answer the question without the name of the intent; numbers do too."""
        return frozenset(choice.value.casefold() for choice in self.asked.choices)


class LineSession:
    """One open game and the seat clients of the people at it."""

    def __init__(
        self,
        voice: Voice,
        table: BlockingTable,
        name: str = "",
        *,
        aside: Aside,
        opponents: Opponents | None = None,
    ) -> None:
        """Play a game; ``open`` describes it.

        Args:
            voice: its output and input.
            table: the table of the game.
            name: that of its save.
            aside: carries out a line within a question, unless it would change anything.
            opponents: the computer players of a local game.
        """
        self.aside = aside
        self.voice = voice
        voice.command_for = self._command_for
        self.table = table
        self.name = name
        self._opponents = opponents
        self._asking: AskDriver | None = None
        """Dialogue that is open just now."""
        self._intent = ""
        """Name of the intent whose dialogue is open."""
        self._called: _Stage | None = None
        """Stage in which the person was called to act; None while the game waits for others."""
        self.clients = seats_here(table)
        self.client: LineSeat = next(iter(self.clients.values()))
        self._stage: _Stage | None = None
        self._asked: AskOne | AskSome | None = None
        """Open question that was printed last."""
        self._over = False
        self.is_listed = False
        """True if the last line listed what can be done, so that a number alone does it."""

    @property
    def rules(self) -> AnyRuleset:
        """Ruleset of the game."""
        return self.table.rules

    @property
    def _hides(self) -> bool:
        """True if several people share this end of the game and have secrets.

        At a host all clients of an end belong to one person.
        """
        shared = self.table.plays_computers and len(self.clients) > 1
        return shared and self.rules.traits.hidden

    @property
    def _plays(self) -> bool:
        """True if a person plays the client's seat, and not a computer."""
        return self.table.is_here(self.client.viewer)

    @property
    def is_held_up(self) -> bool:
        """True if a fault stopped a computer player during its turn."""
        return self._opponents is not None and self._opponents.are_to_act

    @property
    def is_lost(self) -> bool:
        """True if a dialogue is open but its answers no longer count, because the game went on."""
        return self._asking is not None and bool(self._asking.lost)

    def open(self) -> None:
        """Describe the position, then let the next player act."""
        self.voice.say(f"{self.table.header.title}.")
        if self._hides:  # computers act before the first person is called
            self._let_computers_act()
        acting = self.table.to_act()
        if acting in self.clients and acting is not None:
            self.client = self.clients[acting]
        if self._hides and acting is not None:
            self._hand_over(self.client.viewer)
        if acting is not None:  # the end of a game has its own summary
            self.voice.tell(self._introduction())
        self.say_times()
        self.go_on()

    def _introduction(self) -> list[Line]:
        """Return the summary without the scenario, said before it, and the stage, said after it.

        If news comes between, the stage stays.
        """
        title, stage = self.table.header.title, self.client.status.text.rstrip(".")
        if self.is_held_up or self.client.shown < len(self.client.lines):
            stage = ""
        lines = self.client.presenter.summary(self.client.view)
        texts = [line.text.rstrip(".") for line in lines]
        return [
            line
            for line, text in zip(lines, texts, strict=True)
            if not title.endswith(text) and text != stage
        ]

    def say_times(self) -> None:
        """Print the times on the clock, if the game has a clock."""
        for sentence in self.table.times():
            self.voice.say(sentence)

    def close(self) -> None:
        """Unsubscribe from the feeds of the game."""
        for client in self.clients.values():
            client.close()

    # -- turns -----------------------------------------------------------------------------------

    def go_on(self) -> None:
        """Print the news, let computer players act, and switch to the next person who must act."""
        self._tell_news()
        self._computers()
        acting = self.table.to_act()
        if acting is None:
            self._end()
            return
        self._over = False
        waits = self.client.viewer in self.table.owes
        if acting in self.clients and acting != self.client.viewer and not waits:
            self.take_seat(acting)
        self._say_stage()
        self._attend()
        self.say_question()

    def take_seat(self, seat: Seat) -> None:
        """Switch to the person who plays ``seat``."""
        if self._hides:
            self._hand_over(seat)
        self.client.unheard()
        before = self.client
        self.client = self.clients[seat]
        self._stage = None
        if not self.rules.traits.hidden:
            self.client.shown = max(self.client.shown, len(self.client.lines))
            self.client.point(*before.at)
        self._tell_news()

    def _hand_over(self, seat: Seat) -> None:
        """Clear the screen between two people, so that neither reads the other's lines."""
        name = self.table.player(seat).name
        self.voice.clear()
        self.voice.say(f"{name} is to act. The others look away now.")
        self.voice.say("Blank lines hide what was said before; do not scroll back.")
        while said := self.voice.listen(f"Press Enter when {name} is here: "):
            if said.casefold() in LEAVE:
                raise Left
            self.voice.say("Press Enter alone. quit leaves the game.")

    def _tell_news(self) -> None:
        self.voice.tell(summary_of(self.client.unheard()))

    def _say_stage(self) -> None:
        status = self.client.status
        stage = *status.stage, self.client.ended
        if stage != self._stage:
            self._stage = stage
            self.voice.say(f"{status.text.rstrip('.')}.{self.client.todo}")

    def open_question(self) -> OpenQuestion | None:
        """Return the question of the only possible intent; None if there are more or no choices."""
        if not self._plays:
            return None
        found = [intent for intent in self.client.intents() if intent.ends != "game"]
        if len(found) != 1 or found[0].reason or found[0].ends:
            return None
        asked = AskDriver(self.client, found[0].name).question
        return OpenQuestion(found[0], asked) if isinstance(asked, AskOne | AskSome) else None

    def say_question(self, *, again: bool = False) -> None:
        """Print the open question with its answers; not twice, unless ``again`` is set."""
        found = self.open_question()
        before, self._asked = self._asked, found.asked if found is not None else None
        if found is not None and (again or found.asked != before):
            introduce(self.voice, self.client, found.asked)

    def answer_open(self, said: str) -> bool:
        """Answer the open question by number or word; return False if the line is no answer."""
        found = self.open_question()
        if found is None or not (said[:1].isdecimal() or said.casefold() in found.words):
            return False
        self.want(found.intent, said)
        return True

    def _end(self) -> None:
        if not self._over:
            self._over = True
            self.voice.say("The game is over.")
            self.voice.tell(self.client.presenter.summary(self.client.view))
            self.voice.say("You can still look, and ask for the log and the luck.")

    # -- computer players ------------------------------------------------------------------------

    def _computers(self) -> None:
        """Let computer players act as long as one of them owes something, and say the news."""
        if self._let_computers_act():
            self._tell_news()

    def _let_computers_act(self) -> bool:
        """Let computer players act, and say why they stopped early; return whether any acted."""
        if self._opponents is None or not self._opponents.are_to_act:
            return False
        why = self._opponents.play()
        if why:
            self.voice.say(why)
        return True

    def _attend(self) -> None:
        """Call the person to act, in a game with others elsewhere.

        Others may act before this client hears of it, so a turn only counts if both the owing seats
        and the reported stage agree, and the stage is new.
        """
        if self.table.plays_computers:
            return
        seen = self.rules.traits.simultaneous or self.client.status.seat == self.client.viewer
        is_mine = seen and self.client.viewer in self.table.owes and self._plays
        called = self._stage if is_mine else None
        if called not in (None, self._called):
            self.voice.say("It is your turn.")
        self._called = called

    # -- commands --------------------------------------------------------------------------------

    def submit(self, line: str, label: str = "") -> None:
        """Submit a line of notation and print the result; ``label`` describes it in words."""
        before = self.voice.count
        reply = self.client.give(line, label)
        if not reply.ok:
            self.voice.rule = reply.rule
            self.voice.say(refusal(reply))
            return
        self.client.follow()
        self.go_on()
        if self.voice.count == before:
            self.voice.say(f"Done: {label}." if label else "Done.")

    def say_note(self, note: str = "") -> None:
        """Print ``note``, or else the client's own note; set the rule id of the latest refusal."""
        refused = self.client.refused
        self.voice.rule = refused.rule if refused is not None else ""
        self.voice.say(note or self.client.note)

    def _command_for(self, key: str) -> str:
        """Return the name of the intent here with a key; empty if there is none."""
        return next((one.name for one in self.client.intents() if one.key == key), "")

    def intent_named(self, word: str, focus: Focus | None = None) -> Intent | None:
        """Return an intent by number, name, key, or the start of its name or label, or None.

        It is one at the cursor, or at ``focus`` if that is set and the person plays.
        """
        client = self.client
        found = client.intents()
        if focus is not None and found:
            found = client.presenter.intents(client.view, focus)
        if word.isdecimal() and len(word) < 4:
            return found[int(word) - 1] if 1 <= int(word) <= len(found) else None
        folded = word.casefold()
        exact = [one for one in found if word == one.key or folded == one.name]
        begun = [
            one
            for one in found
            if len(folded) > 1
            and (one.name.startswith(folded) or one.label.casefold().startswith(folded))
        ]
        return next(iter(exact or begun), None)

    def first_title(self, intent: Intent) -> str:
        """Return the first question of an intent in words; empty if it asks nothing."""
        asked = AskDriver(self.client, intent.name).question
        return asked.title if asked is not None else ""

    def want(self, intent: Intent, given: str = "") -> None:
        """Ask an intent's questions and submit its command; ``given`` are answers in advance."""
        if intent.reason:
            self.voice.say(f"Not now: {intent.reason}")
            return
        line = self._dialogue(intent.name, given)
        if line:
            self.submit(line, intent.label.rstrip(". \u2026"))
        elif line is not None:
            self.voice.say("Cancelled.")

    def open_dialogue(self, given: str = "") -> None:
        """Ask the questions of the intent that the last press opened; ``given`` as for ``want``."""
        opened = self.client.opened
        self.want(next(one for one in self.client.intents() if one.name == opened), given)

    def _dialogue(self, intent: str, given: str) -> str | None:
        """Return the line that the answers give; empty if cancelled, None if they came too late."""
        self._asking = asking = AskDriver(self.client, intent)
        self._intent = intent
        for _ in range(_TRIES * 10):
            asked = asking.question
            if asked is None:
                break
            if asking.is_repeated:
                self.voice.say("That does not fit.")
            given = beyond_subject(asked, given)
            if given:
                said, given = taken(asked, given)
                answer = self._given(asking, asked, said)
            else:
                answer = self._answer(asking, asked)
            if not answer or asking.lost:
                break
            asking.answer(answer)
        self._asking = None
        if why := asking.lost:
            self.voice.say(why)
            return None
        if asking.fault:
            self.voice.say(asking.fault)
        return asking.line

    def _given(self, asking: AskDriver, asked: AnyAsk, said: str) -> str:
        """Return the answer that was typed in advance; empty if it does not fit."""
        try:
            return understood(self.client, asking, asked, said)
        except ValueError as fault:
            refuse_given(self.voice, asked, str(fault), self._intent)
            return ""

    def _answer(self, asking: AskDriver, asked: AnyAsk) -> str:
        """Return the answer of the person; empty if the question is cancelled."""
        if getattr(asked, "cells", ("",)) == ():
            self.voice.say(asked.title)
            return ""
        introduce(self.voice, self.client, asked)
        tries = 0
        while tries < _TRIES:
            said = self.voice.listen("? ")
            if not said:
                return ""
            if wants_list(self.voice, self.client, asked, said):
                continue
            if is_aside(asked, said):
                self.aside(self, said)
                continue
            try:
                return understood(self.client, asking, asked, said)
            except ValueError as fault:
                if said.casefold() in NO:
                    return ""
                is_told = self.aside(self, said)
                if not is_told:
                    tries += 1
                if is_told is None:
                    self.voice.say(str(fault))
        return ""
