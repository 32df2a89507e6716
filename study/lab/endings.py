"""Early ends of games: rules that end a game before its time, and how often they are wrong.

All rules compare one number per seat, the *leading statistic*: a named one, or the one that the
ruleset uses to decide who leads. The seat with more of it than every other seat is ahead.

=============  ================================================================================
``end_when``   at the first moment that fits a query, the seat that is ahead has won
``resign``     a seat that was behind at the ends of several consecutive turns resigns. With two
               seats the other one has won, with more seats the one that is ahead
``max_rounds`` after this number of rounds the seat that is ahead has won
=============  ================================================================================

If no seat is ahead, the game has no winner. A share of the games that end early is *audited*: they
are played on to their true result, which shows whether the rule was right.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from engine.core.feed import AnyChange
from engine.core.ids import REFEREE, Seat
from engine.core.record import Record, replace
from engine.core.ruleset import AnyRuleset
from engine.tabletop.presenter import presenter_of
from tui.console.exits import Wrong
from tui.replay.query import BadQuery, parse
from tui.replay.stops import Stops, StopWatch

_RESIGN: Final = re.compile(r"([1-9]\d{0,5})x-([1-9]\d{0,8})(?:\s+(\S+))?")


class Endings(Record, frozen=True):
    """Rules by which games end early. They are part of the key of a game."""

    end_when: str = ""
    """Query; the game ends at its first moment, and the seat that is ahead has won."""
    resign: str = ""
    """``3x-10``: a seat resigns that was behind by 10 at the ends of three consecutive turns.

    ``3x-10 life``: by this statistic.
    """
    max_rounds: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0
    """Round after which a game ends; 0 means none."""
    audit: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.1
    """Share of such games that are played on, to see who would have won."""
    lead: str = ""
    """The leading statistic; empty means the one by which the ruleset decides who leads."""

    @property
    def is_empty(self) -> bool:
        """True if no game ends early."""
        return not (self.end_when or self.resign or self.max_rounds)


class Resigning(NamedTuple):
    """Parsed rule for resigning."""

    times: int
    """Number of consecutive turn ends."""
    margin: int
    lead: str
    """Statistic; empty means the leading one."""


def read_resigning(text: str) -> Resigning:
    """Parse a rule for resigning.

    Raises:
        Wrong: the text is not such a rule.
    """
    found = _RESIGN.fullmatch(text.strip())
    if found is None:
        raise Wrong(f"resign {text!r}: it is written like 3x-10 or like 3x-10 STATISTIC")
    return Resigning(int(found[1]), int(found[2]), found[3] or "")


def checked_endings(
    rules: AnyRuleset, endings: Endings, tables: Iterable[Sequence[str]]
) -> Endings:
    """Return the endings with full names of statistics; the default if no game ends early.

    Args:
        rules: the ruleset.
        endings: as requested.
        tables: names of the seats, of every start.

    Raises:
        Wrong: a statistic is unknown, or the query or the rule for resigning cannot be read.
    """
    known = tuple(rules.statistics(rules.empty()))
    lead = _statistic("lead", endings.lead, known) or presenter_of(rules).lead
    if endings.is_empty:
        return Endings()
    resign = ""
    if endings.resign:
        times, margin, own = read_resigning(endings.resign)
        own = _statistic("resign", own, known)
        resign = f"{times}x-{margin}{f' {own}' if own else ''}"
    for seats in dict.fromkeys(map(tuple, tables)) if endings.end_when else ():
        try:
            parse(endings.end_when, seats, known)
        except BadQuery as problem:
            raise Wrong(f"end_when {endings.end_when!r}: {problem}") from None
    return replace(endings, resign=resign, lead=lead)


def _statistic(field: str, name: str, known: Collection[str]) -> str:
    """Return a statistic's name as the ruleset writes it; empty for an empty name."""
    found = {one.casefold(): one for one in known}.get(name.casefold(), "")
    if name and not found:
        raise Wrong(f"{field}: there is no statistic {name!r}; known: {', '.join(known)}")
    return found


# -- one game ----------------------------------------------------------------------------------


class EarlyEnd(Record, frozen=True):
    """A rule that ended a game, or would have: its winners, and the place."""

    rule: str
    winners: tuple[Seat, ...]
    place: str
    is_audited: bool = False
    """True if the game was played on, so that its result is the true one."""


class EndWatch:
    """One game under the rules of early ends; gets every change of the game."""

    def __init__(self, rules: AnyRuleset, seats: Sequence[str], endings: Endings, key: str) -> None:
        """Watch a game; its key decides whether it is audited.

        Raises:
            BadQuery: the query cannot be read.
        """
        self._rules, self._endings, self._key = rules, endings, key
        self.found: EarlyEnd | None = None
        """The rule that was met first, or None."""
        self._is_idle = endings.is_empty
        if self._is_idle:
            return
        self._lead = endings.lead or presenter_of(rules).lead
        self._query: StopWatch | None = None
        if endings.end_when:
            self._query = StopWatch(rules, seats, Stops(endings.end_when))
        self._resigning = read_resigning(endings.resign) if endings.resign else None
        self._behind: dict[Seat, int] = defaultdict(int)
        """Number of consecutive turn ends at which each seat was behind."""

    def take(self, change: AnyChange) -> bool:
        """Check the next change; return whether the game ends here."""
        if self._is_idle:
            return False
        met = self._met(change)
        if met is None or not self._rules.owes(change.after):
            return False
        self._is_idle = True
        self.found = replace(met, is_audited=is_audited(self._key, self._endings.audit))
        return not self.found.is_audited

    def _met(self, change: AnyChange) -> EarlyEnd | None:
        """Return the first rule that is met after a change, or None."""
        entry = change.entry
        assert entry is not None  # noqa: S101 - a game of the lab is not rewound
        state, place = change.after, str(entry.seq)
        if self._query is not None:
            self._query.take(change)
            if self._query.found is not None:
                rule = f"end_when {self._endings.end_when}"
                return EarlyEnd(rule, self._ahead(state), self._query.found.place)
        if not any(event.ends_phase for event in entry.events):
            return None
        if self._resigning is not None:
            beaten = self._giving_up(state, entry.seat, self._resigning)
            if beaten is not None:
                rule = f"resign {self._endings.resign}"
                return EarlyEnd(rule, self._winners_over(beaten, state), place)
        if self._endings.max_rounds and self._round(state) > self._endings.max_rounds:
            return EarlyEnd(f"max_rounds {self._endings.max_rounds}", self._ahead(state), place)
        return None

    def _giving_up(self, state: Any, seat: Seat, resigning: Resigning) -> Seat | None:
        """Return the seat that resigns when ``seat`` ends its turn, or None.

        In simultaneous games all seats end their turns then.
        """
        numbers = self._numbers(state, resigning.lead or self._lead)
        turns: Iterable[Seat] = [seat] if 0 <= seat < len(numbers) else []
        if self._rules.traits.simultaneous:
            turns = [one for one in range(len(numbers)) if self._rules.may(state, one)]
        behind = {one: max(_without(numbers, one), default=0) - numbers[one] for one in turns}
        for one, gap in behind.items():
            self._behind[one] = self._behind[one] + 1 if gap >= resigning.margin else 0
        beaten = [one for one in behind if self._behind[one] >= resigning.times]
        return max(beaten, key=lambda one: (behind[one], -one), default=None)

    def _winners_over(self, beaten: Seat, state: Any) -> tuple[Seat, ...]:
        seats = len(self._numbers(state, self._lead))
        return (1 - beaten,) if seats == 2 else self._ahead(state)

    def _ahead(self, state: Any) -> tuple[Seat, ...]:
        """Return the seat with more of the leading statistic than every other one, or ()."""
        numbers = self._numbers(state, self._lead)
        best = [seat for seat, number in enumerate(numbers) if number == max(numbers)]
        return tuple(best) if len(best) == 1 else ()

    def _numbers(self, state: Any, name: str) -> tuple[int, ...]:
        return tuple(self._rules.statistics(state)[name])

    def _round(self, state: Any) -> int:
        return presenter_of(self._rules).status(self._rules.view(state, REFEREE)).round


def _without(numbers: Sequence[int], seat: Seat) -> list[int]:
    return [number for other, number in enumerate(numbers) if other != seat]


def is_audited(key: str, share: float) -> bool:
    """Return whether a key is among a fixed ``share`` of all keys.

    >>> [is_audited("a", share) for share in (0, 1)]
    [False, True]
    """
    digest = hashlib.blake2b(b"audit/" + key.encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big") < share * 2**48
