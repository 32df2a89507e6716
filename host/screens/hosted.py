"""A game on a host, at one person's screen; others act elsewhere, at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar, Final

from textual.binding import BindingType

from engine.core.ids import PUBLIC, Seat, Viewer
from engine.tabletop.ask import Choice
from engine.tabletop.board import Line
from engine.tabletop.english import many
from engine.tabletop.focus import Focus
from engine.tabletop.new_game import full_level, level_name
from engine.tabletop.roles import Tone
from host.screens.lobby import ask_terms
from host.screens.shell import HostShell
from host.screens.talk import TalkWindow, told
from host.server.clocks import Terms, in_words
from host.server.hosted import SILENT, HostedGame, Participant
from host.server.ports import SeatInfo
from tui.screens.ask import ChooseOne, Confirm
from tui.screens.game import GameScreen
from tui.screens.turns import GameParts, TurnFlow
from tui.settings import keys
from tui.widgets.jobs import begin

_TOOK_OVER: Final = "The computer took over before you answered."

_DELAYS: Final = (0, 1, 3)
"""Delays for spectators that are offered, in rounds."""

_TICK: Final = 1.0
"""Seconds between two updates of a running clock."""


class HostedScreen(GameScreen):
    """Screen of a hosted game, with keys for talk, seats and spectators.

    It closes with ``left``, ``replay``, ``again``, ``seat``, ``next`` or ``away``.
    """

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("hosted")
    turns: HostedTurns

    def __init__(
        self,
        program: HostShell,
        place: Participant,
        viewer: Viewer,
        at: tuple[int, int] | None = None,
    ) -> None:
        """Sit down as a participant, with the cursor on the cell ``at`` if given."""
        turns = partial(HostedTurns, program=program, place=place, at=at)
        super().__init__(place, turns, viewer=viewer)

    @property
    def game(self) -> HostedGame:
        """The hosted game."""
        return self.turns.game

    def key_names(self) -> dict[str, str]:
        """Return the first key of each binding by id; the table's only if it offers anything."""
        names = super().key_names()
        if not self.watches or any(self.turns.choices()):
            return names
        return {name: key for name, key in names.items() if name != "host.table"}

    def action_talk(self) -> None:
        """Open the talk window."""
        self.turns.talk()

    def action_elsewhere(self) -> None:
        """Go to the next game that waits for this person."""
        self.turns.go_elsewhere()

    def action_table(self) -> None:
        """Show the menu of seats, stand-ins and spectators."""
        self.turns.show_table()


class HostedTurns(TurnFlow):
    """Turns of a hosted game at one person's screen."""

    has_files: ClassVar[bool] = False
    tries_moments: ClassVar[bool] = False
    home: ClassVar[str] = "lobby"

    def __init__(
        self,
        parts: GameParts,
        *,
        program: HostShell,
        place: Participant,
        at: tuple[int, int] | None = None,
    ) -> None:
        """Play as a participant of the host's table."""
        super().__init__(parts, resumed=place.has_begun)
        self.program = program
        self.place = place
        self.game: HostedGame = place.game_of
        self.may_begin = place.person.may_play
        self._begins_at = at
        self._said = 0
        """Number of lines of talk that are already in the log."""
        self._told = False
        """True if feed items have arrived that were not drawn yet."""
        self._absent: tuple[str, ...] = ()
        """Sentences about turns that a clock has given to a computer, as they were said."""
        self._owed = False
        self._awaited = self.game.owes
        """Seats that the game waited for when news were last drawn."""
        self._stop: Callable[[], None] = lambda: None

    # -- start and end ---------------------------------------------------------------------------

    def begin(self) -> None:
        """Subscribe to changes at the table."""
        self._stop = self.game.on_change(self._table_changed)
        self.screen.set_interval(_TICK, self._tick)  # there may be a clock later

    def settle_in(self) -> None:
        """Show the game where the person left it, and offer to show what happened since."""
        if self._begins_at is not None:
            session = self.session
            session.look_at(session.presenter.settle(session.view, Focus(*self._begins_at)))
        self._owed = self._owes
        self._said = max(0, len(self.game.talk()) - 5)
        super().settle_in()
        self._hear_talk()
        self._say_absent_turns(self.place.absent_turns())
        self._say_stand_ins()
        self.catch_up()

    def _say_absent_turns(self, told: tuple[str, ...]) -> None:
        """Say in the log and in the hint which turns a computer has played for this person."""
        self._absent = self.place.absent_turns(late_only=True)
        if told:
            self.screen.log_view.say([Line(text, Tone.BAD) for text in told])
        if told and (self._absent or self.place.seats):
            # Otherwise a computer that was asked to plays on, which the next lines say.
            note = self.session.note
            self.session.note = note if note == _TOOK_OVER else " ".join(told)
            self.screen.sync_soon()

    def _say_stand_ins(self) -> None:
        """Say in the log which of this person's seats a computer plays, and how to take it back."""
        key = self.screen.key_names().get("host.table", "H")
        stood_in = [
            Line(
                f"The computer ({level_name(seat.bot)}) plays {seat.name} for you;"
                f" {key} takes it back.",
                Tone.STRONG,
            )
            for seat in self.game.info.seats
            if seat.bot and seat.seat in self.place.own_seats and not self.game.is_over
        ]
        if stood_in:
            self.screen.log_view.say(stood_in)

    def close(self) -> None:
        """Leave the table."""
        self._stop()
        self.place.leave()
        super().close()

    # -- absence ---------------------------------------------------------------------------------

    def left_off(self) -> None:
        """Remember where this person stopped watching."""
        self.game.remember_left(self.place.person, self.session.viewer)

    def catch_up(self) -> None:
        """Offer to show what happened since this person left, unless another question is open."""
        left = self.game.left_at(self.place.person, self.session.viewer)
        stop = len(self.place.chronicle(self.session.viewer))
        is_free = self.asking.pick is None and self.screen.is_active
        if left is not None and left < stop and is_free:
            lines = [Line(text, Tone.BAD) for text in self.place.absent_turns()]
            self.shows.offer(left, stop, lines)

    # -- actions of others -----------------------------------------------------------------------

    def heard(self) -> None:
        """Redraw soon after a feed item; many items and pending keys are handled first."""
        if not self._told:
            self._told = True
            self.screen.call_later(self._look_up)

    def _look_up(self) -> None:
        self._told = False
        if not self.screen.is_mounted:
            return
        session = self.session
        session.look_at(session.presenter.settle(session.view, session.focus))
        self.asking.drop_if_lost()
        self._drop_note()
        self.after()
        self._ring()

    def _drop_note(self) -> None:
        """Drop a note once the game waits for others than before; one about absence stays."""
        before, self._awaited = self._awaited, self.game.owes
        lasting = {_TOOK_OVER, " ".join(self.place.absent_turns())}
        if before != self._awaited and self.session.note not in lasting:
            self.session.note = ""

    def _ring(self) -> None:
        """Ring the bell when it becomes this person's turn."""
        owed, self._owed = self._owed, self._owes
        if self._owed and not owed:
            self.screen.app.bell()
            self.session.lines.append(Line("It is your turn.", Tone.GOOD, self.session.viewer))
            self.screen.sync_soon()

    @property
    def _owes(self) -> bool:
        return bool(self.game.owes.intersection(self.place.seats))

    def _table_changed(self) -> None:
        if self.screen.is_mounted:
            self.screen.call_later(self._look_around)

    def _look_around(self) -> None:
        if self.game.is_closed and self.screen.is_active:
            self.program.message = "This game has been put away."
            self.screen.dismiss("away")
            return
        if self.session.viewer not in self.place.viewers() and self.screen.is_active:
            self.screen.dismiss("seat")  # consent revoked, or another person's seat
            return
        if self.session.viewer not in self.place.seats:
            self.asking.drop(_TOOK_OVER)
        self._hear_talk()
        absent = self.place.absent_turns(late_only=True)
        if absent != self._absent:
            self._say_absent_turns(absent[-1:])
        self._ring()
        self.screen.sync_soon()

    def _hear_talk(self) -> None:
        talk = self.game.talk()
        fresh, self._said = talk[min(self._said, len(talk)) :], len(talk)
        if fresh:
            self.screen.log_view.say([told(said) for said in fresh])

    def _tick(self) -> None:
        timed = any(seat.left is not None for seat in self.game.info.seats)
        if timed and not self.game.is_over:
            self.screen.tick()

    # -- display ---------------------------------------------------------------------------------

    def waiting(self) -> str:
        """Return a sentence on whom the game waits for; empty at the end or for this person."""
        game = self.game
        if game.is_over or self._owes:
            return ""
        if paused := game.info.paused:
            return f"Paused {paused}."
        names = [self._who(seat) for seat in game.info.seats if seat.owes]
        return f"Waiting for {', '.join(names).removesuffix('.')}." if names else ""

    def _who(self, seat: SeatInfo) -> str:
        """Return the person or computer player of a seat, with the time left of a person."""
        if seat.bot:
            return f"the {level_name(seat.bot)} ({seat.name})"
        if not seat.person:
            return f"somebody to play {seat.name}"
        left = f"{in_words(seat.left)} left" if seat.left is not None else ""
        notes = ", ".join(filter(None, ("" if seat.is_here else "away", left)))
        return f"{seat.person} ({notes})" if notes else seat.person

    def laid_over(self) -> list[str]:
        """Return texts for the right of the phase bar: other waiting games, time, "watching"."""
        parts = []
        if elsewhere := len(self.program.elsewhere()):
            key = self.screen.key_names().get("host.next", "N")
            parts.append(f"{many(elsewhere, 'game')} waiting: {key}")
        left = [self.game.time_of(seat) for seat in self.place.seats]
        known = [seconds for seconds in left if seconds is not None]
        parts += [f"your time {in_words(min(known))}"] if known else []
        if self.session.viewer not in self.place.seats:
            parts.append("watching")
        return parts

    # -- the table -------------------------------------------------------------------------------

    def talk(self) -> None:
        """Open the talk window."""
        game, person = self.game, self.place.person
        ask = self.program.ask
        silent = SILENT if person.is_guest and not self.place.own_seats else ""
        window = TalkWindow(game.talk, lambda text: ask("chat") or game.say(person, text), silent)
        stop = game.on_change(window.talk_changed)
        self.screen.app.push_screen(window, lambda _: stop())

    def go_elsewhere(self) -> None:
        """Go to the next game that waits for this person."""
        if self.program.elsewhere():
            self.screen.dismiss("next")
        else:
            self.screen.remark("No other game waits for you.")

    def show_table(self) -> None:
        """Show the menu of the table: seats, stand-ins, spectators."""
        begin(self.screen, self._table, "dialogue")

    async def _table(self) -> None:
        choices = tuple(self.choices())
        if not choices:
            watching = "" if self.place.own_seats else "You only watch. "
            self.screen.note(f"{watching}There is nothing to arrange at this table.")
            return
        found = await self.screen.app.push_screen_wait(
            ChooseOne("The table", choices, lines=[*map(Line, self.place.times())])
        )
        if not found or not await self._is_meant(found):
            return
        if found == "times":
            self._change_times()
            return
        fault = await self._arrange(*found.split())
        if fault:
            self.screen.remark(fault)
        else:
            self.screen.dismiss("seat")

    def _change_times(self) -> None:
        game, game_server, person = self.game, self.program.game_server, self.place.person

        async def agree(terms: Terms) -> None:
            fault = await game_server.agree(game.number, person, terms.turn, terms.bank)
            if fault:
                self.screen.remark(fault)

        def chosen(terms: Terms) -> None:
            begin(self.screen, partial(agree, terms), "times")

        ask_terms(self.screen.app, chosen)

    def choices(self) -> Iterator[Choice]:
        """Yield what this person can change at the table now."""
        own = self.game.seats_of(self.place.person)
        if not self.game.is_over:
            seats = self.game.info.seats
            yield from self._taking_back(own)
            for seat in seats:
                yield from self._own(seat) if seat.seat in own else self._other(seat, own)
            if own:
                yield from self._lending(own)
        yield from self._eyes()
        if not self.program.game_server.may_agree(self.game, self.place.person):
            now = self.game.info.clock or "no clock"
            yield Choice("times", f"Change the times ({now})")
        if not self.game.is_over:
            yield from self._giving_up(own)

    def _taking_back(self, own: tuple[Seat, ...]) -> Iterator[Choice]:
        """Yield the choices to take seats of this person back from the computer."""
        for seat in self.game.info.seats:
            if seat.seat in own and seat.bot:
                yield Choice(f"sit {seat.seat}", f"Play {seat.name} myself again")

    def _own(self, seat: SeatInfo) -> Iterator[Choice]:
        """Yield the choices about a seat that this person plays."""
        if seat.bot:
            return
        for level in self.game.rules.bots:
            told = f"Let the computer play for me: {full_level(level)}"
            yield Choice(f"stand {seat.seat} {level}", told)

    def _giving_up(self, own: tuple[Seat, ...]) -> Iterator[Choice]:
        """Yield the choices to leave this person's seats permanently."""
        for seat in self.game.info.seats:
            if seat.seat in own and not seat.bot:
                yield Choice(f"stand {seat.seat}", f"Give {seat.name} up")

    def _other(self, seat: SeatInfo, own: tuple[Seat, ...]) -> Iterator[Choice]:
        """Yield the choices about a free seat, or a seat whose player is absent."""
        if seat.bot and not seat.person:
            return
        if not seat.person:
            yield Choice(f"sit {seat.seat}", f"Play {seat.name}")
        elif own and (levels := [*self.game.rules.bots]):
            level = levels[(len(levels) - 1) // 2]
            reason = f"{seat.person} is here" if seat.is_here else ""
            reason = "it does already" if seat.bot else reason
            label = f"Let the computer ({level_name(level)}) play for {seat.person}"
            yield Choice(f"replace {seat.seat} {level}", label, reason)

    def _lending(self, own: tuple[Seat, ...]) -> Iterator[Choice]:
        """Yield the choices about who may watch this person's view."""
        lent = {self.game.consents.get(seat) for seat in own}
        for rounds in _DELAYS:
            now = " (as now)" if lent == {rounds} else ""
            yield Choice(
                f"lend {rounds}", f"Let others watch with my eyes, {self._later(rounds)}{now}"
            )
        is_lent = any(seat in self.game.consents for seat in own)
        yield Choice("lend", "Let nobody watch with my eyes", "" if is_lent else "nobody may")

    def _later(self, rounds: int) -> str:
        """Return a delay for spectators in words."""
        word = self.session.presenter.round_word
        return f"{many(rounds, word)} later" if rounds else "at once"

    async def _is_meant(self, choice: str) -> bool:
        """Ask for a confirmation of a choice that shows secrets to others, or gives a seat up.

        Return whether to go on; True for all other choices.
        """
        match choice.split():
            case ["lend", rounds]:
                lines = [
                    Line("Everyone who watches may then see all that you see,"),
                    Line(f"{self._later(int(rounds))}. H ends it, but not what was seen."),
                ]
                window = Confirm("Let others watch with your eyes?", lines, "let them", "do not")
            case ["stand", seat]:
                title = f"Give {self.game.seating.called(int(seat))} up?"
                lines = [Line("Anybody who comes may take the seat then.")]
                window = Confirm(title, lines, "give it up", "keep it")
            case _:
                return True
        answer = await self.screen.app.push_screen_wait(window)
        return bool(answer)

    async def _lend(self, rounds: int | None) -> None:
        """Let others watch as this person, ``rounds`` later, or stop that (None); tell everyone."""
        server, person = self.program.game_server, self.place.person
        await server.consent(self.game, person, rounds)
        whose = server.current_name(person)
        if rounds is None:
            self.game.report(f"Nobody may watch with the eyes of {whose} any more.")
        else:
            later = self._later(rounds)
            self.game.report(f"Others may watch with the eyes of {whose} now, {later}.")

    def _eyes(self) -> Iterator[Choice]:
        names = {player.seat: player.name for player in self.place.players}
        for viewer in self.place.viewers():
            if viewer != self.session.viewer:
                whose = "all may know" if viewer == PUBLIC else f"{names[viewer]} sees"
                yield Choice(f"look {viewer}", f"See what {whose}")

    async def _arrange(self, deed: str, *given: str) -> str:
        """Carry out a choice of the menu; return why it failed, or an empty text."""
        game, person = self.game, self.place.person
        match deed, given:
            case "sit", (seat,):
                return await game.sit(person, int(seat))
            case "stand", (seat, *levels):
                return await game.stand(person, int(seat), *levels)
            case "replace", (seat, level):
                return await game.seat_computer(int(seat), level, person)
            case "lend", rounds:
                await self._lend(int(rounds[0]) if rounds else None)
                return ""
            case "look", (viewer,):
                self.program.eyes = int(viewer)
                return ""
            case _:
                return "That cannot be arranged."
