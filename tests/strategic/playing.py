"""Play a random game and check everything after every order and every turn."""

from __future__ import annotations

import re
import traceback
from itertools import islice
from pathlib import Path
from typing import Any

from engine.core.archive import Header, SeatPlayer
from engine.core.codec import decoder, digest, encode
from engine.core.dice import Seeded
from engine.core.game import Bug, Game
from engine.core.ids import PUBLIC, Seat
from engine.core.log import AnyEntry, Entry
from engine.core.record import Record
from engine.core.refused import Refused
from engine.core.replay import fold, verify
from engine.core.ruleset import entry_type
from engine.rulesets.warlords2.events import AnyEvent
from engine.rulesets.warlords2.rules import RULES
from engine.rulesets.warlords2.state import State, View
from engine.strategic.commands import AnyCommand
from engine.strategic.events import BattleFought
from saves.archive import Folder
from tests.contract.test_views import answer
from tests.contract.walks import nudged
from tests.strategic import happenings, hiding, invariants, switched
from tests.strategic.chances import Drawn, Hand

STUCK = 400
"""Number of orders in a turn of one seat from which the game counts as stuck."""

OFTEN, SELDOM = 10, 10
"""A save is reopened in each of the first OFTEN rounds, then in every SELDOM-th."""

NEARLY = 6
"""Number of orders tried that differ slightly from an offer."""


class Fault(Exception):
    """Raised for a fault of a game; holds its turn."""

    def __init__(self, turn: int, text: str) -> None:
        super().__init__(text)
        self.turn = turn


class Report(Record, frozen=True):
    """Report on a game."""

    turns: int
    orders: int
    refused: int
    events: int
    ended: bool
    came: frozenset[str]
    """Effects of switches, by the names of ``switched``."""


class Match:
    """A random game; ``play`` plays it."""

    def __init__(self, drawn: Drawn, seed: int, folder: Path) -> None:
        self._saves = Folder(folder)
        self._hand = Hand(seed)
        self._bugs: list[Bug] = []
        self._orders = self._refused = self._events = self._folded = 0
        self._stale: list[AnyCommand] = []
        self._came: set[str] = set()
        players = tuple(SeatPlayer(seat, f"Player {seat}") for seat in range(drawn.sides))
        key = f"soak {seed}".encode()
        header = Header(ruleset=RULES.name, schema=RULES.schema, seed=key, players=players)
        self._file = self._saves.create("game", header)
        self._file.patient = True
        self.game: Game[State, AnyCommand, AnyEvent, View] = Game.begin(
            RULES,
            drawn.scene(),
            drawn.options,
            key,
            journal=self._file,
            on_bug=self._bugs.append,
        )
        self._replayed = RULES.empty()

    def play(self, turns: int) -> Report:
        """Play up to round ``turns`` or to the end.

        Raises:
            Fault: a check failed.
        """
        state = self.game.state
        self._look(state, state, ())
        seat, turn, tries = -1, 0, 0
        while RULES.owes(self.game.state) and self.game.state.turn <= turns:
            state = self.game.state
            if (state.current, state.turn) != (seat, turn):
                self._begin_turn(new_round=state.turn != turn)
                seat, turn, tries = state.current, state.turn, 0
            tries += 1
            if tries > STUCK:
                raise self._fault(f"seat {seat} gets no further")
            self._try(*self._hand.wants(state, min(RULES.owes(state))))
        self._end()
        state = self.game.state
        ended = state.reason is not None
        counts = self._orders, self._refused, self._events
        return Report(state.turn, *counts, ended, frozenset(self._came))

    def close(self) -> None:
        """Close the save."""
        self._file.close()

    def _fault(self, text: str) -> Fault:
        return Fault(self.game.state.turn, text)

    def _try(self, seat: Seat, order: AnyCommand) -> None:
        before = self.game.state
        try:
            entry = self.game.submit(seat, order)
        except Refused as refused:
            self._refused += 1
            self._stale = [*self._stale[-3:], order]
            if self._bugs:
                raise self._fault(f"{order}: {self._bugs[0].trace}") from refused
            if self.game.state is not before or not re.fullmatch(r"[^\n]+\.", refused.text):
                raise self._fault(f"{order}: refused with {refused.text!r}") from refused
            return
        self._orders += 1
        self._look(before, self.game.state, entry.events, order)

    def _look(
        self, before: State, after: State, events: tuple[AnyEvent, ...], order: object = None
    ) -> None:
        """Check the invariants after an order."""
        self._events += len(events)
        self._came.update(switched.of_events(before, events))
        for text in (*happenings.of_events(before, events), *invariants.of_position(before, after)):
            raise self._fault(f"{text}; after {order}")

    # -- at every turn -----------------------------------------------------------------------------

    def _begin_turn(self, *, new_round: bool) -> None:
        self._hand.begin_turn()
        if new_round:
            self._replay()
            self._hides()
            turn = self.game.state.turn
            if turn <= OFTEN or turn % SELDOM == 0:
                self._reopen()

    def _replay(self) -> None:
        """Check that new entries, encoded and decoded, fold to the position."""
        new = self.game.log.entries[self._folded :]
        reader = decoder(entry_type(RULES))
        read: list[AnyEntry] = [reader.decode(encode(entry)) for entry in new]
        self._folded += len(new)
        self._replayed = fold(RULES, read, self._replayed)
        if digest(self._replayed) != digest(self.game.state):
            raise self._fault("replay is not equal to play")

    def _hides(self) -> None:
        """Check the views and feeds of the seat that must act and of the public."""
        state = self.game.state
        seat = min(RULES.owes(state))
        for viewer in (seat, PUBLIC):
            seen = RULES.view(state, viewer)
            for text in hiding.of_view(state, seen, viewer):
                raise self._fault(f"viewer {viewer}: {text}")
            imagined = RULES.imagine(seen, Seeded(b"soak", self._folded, "imagine"))
            if RULES.view(imagined, viewer) != seen:
                raise self._fault(f"viewer {viewer}: what is imagined looks otherwise")
        self._answers_alike(state, seat)

    def _answers_alike(self, state: State, seat: Seat) -> None:
        """Check that an imagined position gives the seat the same answers.

        The imagined position looks the same to the seat. Battles may show a difference.
        """
        seen = RULES.view(state, seat)
        twin = RULES.imagine(seen, Seeded(b"twin", self._folded, "imagine"))
        offers = list(islice(RULES.offers(seen), 3))
        wrong = (order for one in offers for order in islice(nudged(RULES, one), NEARLY))
        for order in (*offers, *self._stale, *wrong):
            one, other = (answer(RULES, world, seat, order) for world in (state, twin))
            told = isinstance(one, str) or isinstance(other, str) or one[0] == other[0]
            if told and one != other and not _fights(one) and not _fights(other):
                raise self._fault(f"seat {seat} learns by {order}:\n{one}\n{other}")

    def _reopen(self) -> None:
        """Close the save, open it again and continue from it."""
        self._file.close()
        opened = self._saves.open("game")
        if opened.file is None or opened.remarks:
            raise self._fault(f"the save does not open: {opened.remarks}")
        if encode(opened.log.entries[-50:]) != encode(self.game.log.entries[-50:]):
            raise self._fault("the save holds other entries")
        self._file = opened.file
        self._file.patient = True
        before = self.game.state
        self.game = Game(
            RULES, opened.header.seed, opened.log, journal=opened.file, on_bug=self._bugs.append
        )
        if len(opened.log) != self._folded or digest(self.game.state) != digest(before):
            raise self._fault("the save opens to another position")

    def _end(self) -> None:
        self._replay()
        self._reopen()
        verdict = verify(RULES, self.game.log)
        if verdict.divergence is not None:
            raise self._fault(f"decided again it comes out otherwise: {verdict.divergence}")
        state = self.game.state
        again = RULES.begin(RULES.position(state), {}, Seeded(b"soak", 0, "decide"))
        begun = fold(RULES, [Entry(0, -1, -1, None, again)])
        if state.reason is None and RULES.view(begun, PUBLIC) != RULES.view(state, PUBLIC):
            raise self._fault("the position begun again looks otherwise")


def _fights(said: Any) -> bool:
    return not isinstance(said, str) and any(isinstance(event, BattleFought) for event in said[1])


def play(drawn: Drawn, seed: int, turns: int, folder: Path) -> Report:
    """Play up to round ``turns`` of the game of a seed, with its save in an empty folder.

    Raises:
        Fault: a check failed.
    """
    match: Match | None = None
    try:
        match = Match(drawn, seed, folder)
        return match.play(turns)
    except Fault:
        raise
    except Exception as problem:
        trace = "".join(traceback.format_exception(problem)[-6:])
        raise Fault(match.game.state.turn if match else 0, f"{problem!r}\n{trace}") from problem
    finally:
        if match is not None:
            match.close()
