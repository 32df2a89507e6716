"""All self-checks on a recorded game at once: the promises of a ruleset, tested at every event.

A sound game passes all of them on any machine. A fault is reported at the first event at which its
check fails. ``Unseed`` hashes all states and throws into one line for comparison between machines.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, Literal, TypeAlias

from engine.core.codec import decoder, digest, encode
from engine.core.containers import Plane, Roster
from engine.core.decision import is_heard
from engine.core.dice import Seeded, WrongThrow
from engine.core.feed import knows_all
from engine.core.ids import PUBLIC, REFEREE, Viewer
from engine.core.log import AnyEntry
from engine.core.record import Record, Scenario
from engine.core.refused import Refused
from engine.core.replay import first_difference
from engine.core.ruleset import AnyRuleset
from engine.debug.line import GameLine
from engine.debug.tracing import decided, recorded_dice

Pace: TypeAlias = Literal["entry", "event"]
"""Frequency of the checks of states and views: after every entry, or after every event."""

MOST_OFFERS: Final = 3
"""Number of offers of a seat that are tried after an entry."""

_SEED: Final = b"self-check"
"""Seed of dice that are only for trials."""


class SelfCheckFault(Record, frozen=True):
    """A promise that a game breaks: the step, the check and the finding, in one line."""

    step: int
    check: str
    text: str


class _EventBetween:
    """A step of the line with the states around its event."""

    __slots__ = ("after", "before", "entry", "event", "is_last", "step")

    def __init__(self, line: GameLine, step: int) -> None:
        at = line.step(step)
        self.step = step
        self.entry: AnyEntry = at.entry
        self.event = at.event
        self.is_last = at.event_number == len(at.entry.events)
        self.before = line.state(step - 1)
        self.after = line.state(step)


SelfCheck: TypeAlias = Callable[["SelfChecks", _EventBetween], str]
"""A check of one event: returns the complaint, empty if all is well."""


class SelfChecks:
    """The checks of one game; each is a method that returns a complaint or an empty string."""

    def __init__(self, rules: AnyRuleset, line: GameLine, pace: Pace = "entry") -> None:
        """Check a whole line of a log.

        Args:
            rules: the ruleset.
            line: with full knowledge.
            pace: frequency of the checks of states and views.
        """
        self.rules = rules
        self.line = line
        self.pace = pace
        self.unseed = Unseed()
        self._state_decoder = decoder(rules.state_type)
        self._event_decoder = decoder(rules.event_type)
        self._command_decoder = decoder(rules.command_type)
        self._copy: Any = None
        """A state that was decoded from its own bytes some events ago, and evolved since."""
        self._digest = b""
        """Digest of the state before the current event."""
        self._views: dict[Viewer, Any] = {}
        self._earlier: tuple[Any, bytes] | None = None
        """The last state that was due, with its digest at that time."""

    def run(self) -> Iterator[SelfCheckFault | int]:
        """Walk the line; yield the first fault of each check, and the number of each finished step.

        A check that has failed once is not tried again.
        """
        broken: set[str] = set()
        for step in range(1, len(self.line) + 1):
            spot = _EventBetween(self.line, step)
            for name, check in CHECKS.items():
                if name in broken:
                    continue
                complaint = self._complaint(check, spot)
                if complaint:
                    broken.add(name)
                    yield SelfCheckFault(step, name, complaint)
            if spot.is_last:
                self.unseed.add(self._digest, spot.entry)
            yield step

    def _complaint(self, check: SelfCheck, spot: _EventBetween) -> str:
        try:
            return check(self, spot)
        except Exception as problem:  # noqa: BLE001 - any exception of the rules is a fault
            return f"{type(problem).__name__}: {problem}"

    def _is_due(self, spot: _EventBetween) -> bool:
        return spot.is_last or self.pace == "event"

    # -- one event -------------------------------------------------------------------------------

    def values(self, spot: _EventBetween) -> str:
        """Return a complaint unless events contain only whole numbers, words and records."""
        return _odd_value(spot.event, type(spot.event).__name__)

    def events(self, spot: _EventBetween) -> str:
        """Return a complaint unless the event and its command survive encoding and decoding."""
        if self._event_decoder.decode(encode(spot.event)) != spot.event:
            return "the event changes when it is written and read"
        command = spot.entry.command
        if spot.is_last and command is not None:
            again = self._command_decoder.decode(encode(command))
            return "" if again == command else "the command changes when it is written and read"
        return ""

    def evolve(self, spot: _EventBetween) -> str:
        """Return a complaint unless applying the event again gives the same state.

        The event is also applied to a decoded copy of the state.
        """
        if self._copy is None:
            self._copy = self._state_decoder.decode(encode(spot.before))
            self._digest = digest(spot.before)
        self._copy = self.rules.evolve(self._copy, spot.event)
        if not self._is_due(spot):
            return ""
        now = digest(spot.after)
        if digest(self._copy) != now:
            self._copy = None
            return "a state read from its bytes evolves otherwise"
        twice = digest(self.rules.evolve(spot.before, spot.event))
        self._digest = now
        return "" if twice == now else "the event applied twice to one state gives two states"

    def unchanged(self, spot: _EventBetween) -> str:
        """Return a complaint if the state checked before has changed: a mutable part is shared."""
        if not self._is_due(spot):
            return ""
        known, self._earlier = self._earlier, (spot.after, digest(spot.after))
        if known is not None and digest(known[0]) != known[1]:
            return "an earlier state was changed later on"
        return ""

    def codec(self, spot: _EventBetween) -> str:
        """Return a complaint unless the state survives encoding and decoding."""
        if not self._is_due(spot):
            return ""
        again = self._state_decoder.decode(encode(spot.after))
        if again != spot.after:
            return "the state changes when it is written and read"
        return _odd_value(again, "state", depth=2)

    # -- one entry -------------------------------------------------------------------------------

    def decide(self, spot: _EventBetween) -> str:
        """Return a complaint unless the command, decided twice more, gives the recorded events.

        Both decisions get the recorded throws.
        """
        if not spot.is_last:
            return ""
        entry, before = spot.entry, self.line.state(self.line.before(spot.step))
        for time in ("again", "a second time"):
            dice = recorded_dice(entry)
            try:
                events = tuple(decided(self.rules, before, entry, dice))
            except (Refused, WrongThrow) as problem:
                return f"decided {time}: {problem}"
            found = first_difference(entry.seq, entry.events, events)
            if found is not None:
                return f"decided {time}, {found.field}: {found.recorded}, then {found.now}"
            if left := dice.left():
                return f"decided {time}: {left} throws are not asked for"
        return ""

    def views(self, spot: _EventBetween) -> str:
        """Return a complaint unless views are reproducible, and equal for an imagined state.

        That state is imagined from the view.
        """
        if not self._is_due(spot):
            return ""
        self._views = {}
        for viewer in self._viewers(spot.after):
            view = self._views[viewer] = self.rules.view(spot.after, viewer)
            if self.rules.view(spot.after, viewer) != view:
                return f"viewer {viewer} has two views of one state"
            if knows_all(self.rules, viewer):
                continue
            dice = Seeded(_SEED, spot.step, "imagine")
            imagined = self.rules.imagine(view, dice)
            if self.rules.view(imagined, viewer) != view:
                return f"the view of seat {viewer} tells more than it can know"
        return ""

    def redacted(self, spot: _EventBetween) -> str:
        """Return a complaint unless the redacted event can be encoded and is reproducible.

        If a viewer does not see the event, its view must not change.
        """
        if not self.rules.traits.hidden:
            return ""
        for viewer in self._viewers(spot.after):
            told = self.rules.redact(spot.event, spot.before, spot.after, viewer)
            if told is None:
                if self.rules.view(spot.before, viewer) != self.rules.view(spot.after, viewer):
                    return f"seat {viewer} is told nothing, and its view shows it"
                continue
            if told != self.rules.redact(spot.event, spot.before, spot.after, viewer):
                return f"seat {viewer} is told two things of one event"
            if self._event_decoder.decode(encode(told)) != told:
                return f"what seat {viewer} is told changes when it is written and read"
        return ""

    def offers(self, spot: _EventBetween) -> str:
        """Return a complaint if one of the first offers to the seats that must act is refused."""
        if not spot.is_last:
            return ""
        for seat in sorted(self.rules.owes(spot.after)):
            if not is_heard(self.rules, spot.after, seat):
                return f"seat {seat} must act and is not listened to"
            view = self._views.get(seat)
            view = self.rules.view(spot.after, seat) if view is None else view
            for command in islice(self.rules.offers(view), MOST_OFFERS):
                try:
                    self.rules.decide(spot.after, seat, command, Seeded(_SEED, spot.step, "try"))
                except Refused as refused:
                    return f"seat {seat} is offered what is refused: {command}: {refused.text}"
        return ""

    def _viewers(self, state: Any) -> tuple[Viewer, ...]:
        seats = max(map(len, self.rules.statistics(state).values()), default=0)
        return (*range(seats), PUBLIC) if self.rules.traits.hidden else (0, REFEREE)


CHECKS: Final[Mapping[str, SelfCheck]] = {
    "values": SelfChecks.values,
    "events": SelfChecks.events,
    "evolve": SelfChecks.evolve,
    "unchanged": SelfChecks.unchanged,
    "codec": SelfChecks.codec,
    "decide": SelfChecks.decide,
    "views": SelfChecks.views,
    "redacted": SelfChecks.redacted,
    "offers": SelfChecks.offers,
}
"""The checks by name, in the order in which they are tried."""


class Unseed:
    """A running hash of states and throws: equal on two machines if the games were."""

    def __init__(self) -> None:
        self._total = hashlib.blake2b(digest_size=16)

    def add(self, state: bytes, entry: AnyEntry) -> None:
        """Feed an entry's throws into the hash, and ``state``, the digest of the state after it."""
        self._total.update(state + encode(entry.throws))

    def __str__(self) -> str:
        return self._total.hexdigest()


def _odd_value(value: Any, where: str, depth: int = 9) -> str:
    """Describe a value that is not a whole number, word, record or container of such; or empty."""
    if isinstance(value, float):
        return f"{where} is {value!r}: no fraction is the same on every machine"
    if isinstance(value, dict | list | set):
        return f"{where} is a {type(value).__name__}, which can be changed"
    if depth == 0 or isinstance(value, Plane | Scenario):  # options of a scenario are a dict
        return ""
    if isinstance(value, Record):
        parts = ((f"{where}.{name}", getattr(value, name)) for name in value.__struct_fields__)
    elif isinstance(value, Roster):
        parts = ((f"{where}[{row.id}]", row) for row in value.values())
    elif isinstance(value, tuple):
        parts = ((f"{where}[{number}]", row) for number, row in enumerate(value))
    else:
        return ""
    return next(
        (found for name, below in parts if (found := _odd_value(below, name, depth - 1))), ""
    )
