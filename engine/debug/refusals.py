"""Reason for the refusal of a command, and the smallest single change that would allow it."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Any, Final

from engine.core.decision import is_heard
from engine.core.dice import Seeded
from engine.core.ids import Seat
from engine.core.record import Command, Record
from engine.core.refused import Denied, Refused
from engine.core.ruleset import AnyRuleset
from engine.debug.paths import StatePath
from engine.debug.premises import GONE, Premise, changed, premises

TRIES: Final = 2_000
"""Maximum number of states to try for one question."""

_NEAR: Final = 8
_FURTHEST: Final = 512
"""Number of changes of a number that are tried one by one, and the maximum change."""
_WORD: Final = 2
_AWAY: Final = 4
"""Sizes of changes that are not differences of numbers: another word, a removed piece."""


class CommandRefusal(Record, frozen=True):
    """The refusal of a command: code and text, rule id, place in the code."""

    code: str
    text: str
    rule: str
    source: str


class Remedy(Record, frozen=True):
    """A change of one value of the state with which a command is accepted."""

    path: StatePath
    value: Any
    other: Any
    size: float
    """The difference of two numbers; for other changes a size that grows with their coarseness."""


class Trial:
    """A command tried in a state and in its neighbours."""

    def __init__(self, rules: AnyRuleset, state: Any, seat: Seat, command: Command) -> None:
        self._rules, self._state, self._seat, self._command = rules, state, seat, command
        self.tries = 0
        self.is_sampled = False

    def refusal(self, state: Any = None) -> CommandRefusal | None:
        """Return the refusal in a state, by default the given one; None if it is accepted.

        Raises the exception of the rules in an impossible state.
        """
        state = self._state if state is None else state
        self.tries += 1
        if not is_heard(self._rules, state, self._seat):
            return CommandRefusal(Denied.NOT_YOUR_TURN, "The seat is not to act now.", "", "")
        try:
            dice = Seeded(b"causes", 0, "anew")
            self._rules.decide(state, self._seat, self._command, dice)
        except Refused as refused:
            return CommandRefusal(str(refused.code), refused.text, refused.rule, _raised(refused))
        return None

    def remedies(self) -> Iterator[Remedy]:
        """Yield single changes that allow the command, the smallest of each premise."""
        for premise in premises(self._state, self._state, (), self._seat, [self._command]):
            if self.tries >= TRIES:
                self.is_sampled = True
                return
            found = self._remedy(premise)
            if found is not None:
                yield found

    def _remedy(self, premise: Premise) -> Remedy | None:
        at = premise.value
        if type(at) is int:
            best = min(
                (found for sign in (1, -1) if (found := self._nearest(premise, sign))),
                default=0,
                key=abs,
            )
            if best:
                return Remedy(premise.path, at, at + best, abs(best))
        for other in premise.others:
            if self._allows(premise, other):
                are_floats = isinstance(at, float) and isinstance(other, float)
                size = _AWAY if other is GONE else abs(other - at) if are_floats else _WORD
                return Remedy(premise.path, at, other, size)
        return None

    def _nearest(self, premise: Premise, sign: int) -> int:
        """Return the smallest change of a number in one direction that allows the command, or 0.

        Small changes are tried one by one. Then the change is doubled until it is enough, and the
        last interval is bisected.
        """
        for low in range(1, _NEAR + 1):
            if self._allows(premise, premise.value + sign * low):
                return sign * low
        low, high = _NEAR, 2 * _NEAR
        while high <= _FURTHEST and not self._allows(premise, premise.value + sign * high):
            low, high = high, high * 2
        if high > _FURTHEST:
            return 0
        while high - low > 1:
            middle = (low + high) // 2
            if self._allows(premise, premise.value + sign * middle):
                high = middle
            else:
                low = middle
        return sign * high

    def _allows(self, premise: Premise, other: Any) -> bool:
        if type(other) is int and other < 0 <= premise.value:
            return False
        try:
            return self.refusal(changed(self._state, premise, other)) is None
        except Exception:  # noqa: BLE001 - the state is made up, and may be impossible
            self.tries += 1
            return False


def _raised(refused: Refused) -> str:
    """Return file, line and name of the function that refused, below the ruleset's dispatch."""
    within = refused.__context__ if isinstance(refused.__context__, Exception) else refused
    at: TracebackType | None = within.__traceback__
    source = ""
    while at is not None:
        module = str(at.tb_frame.f_globals.get("__name__", ""))
        name = at.tb_frame.f_code.co_qualname
        if not name.startswith("refuse"):
            source = f"{module.replace('.', '/')}.py:{at.tb_lineno} {name}"
        at = at.tb_next
    return source
