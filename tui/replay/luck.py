"""Luck: the results of chance compared with their expectation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from engine.core.ids import Seat
from engine.tabletop.board import NOBODY, Line
from engine.tabletop.english import many
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone

_PLAIN_LUCK = (0.5, 1.5, 2.5)
"""Limits, in standard deviations, of luck as expected, a little lucky, and plainly lucky."""


@dataclass
class LuckAccount:
    """Draws of one kind: their number, expected sum, variance and sum."""

    draws: int = 0
    expected: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    got: int = 0

    def book(self, expected: Fraction, variance: Fraction, got: int) -> None:
        """Add one draw with the result ``got``."""
        self.draws += 1
        self.expected += expected
        self.variance += variance
        self.got += got

    @property
    def deviations(self) -> float:
        """Deviation from the expectation in standard deviations; 0 without any variance."""
        if not self.variance:
            return 0.0
        return float(self.got - self.expected) / sqrt(self.variance)


@dataclass
class Ledger:
    """Luck by seat: successes of attempts in ``wins``, amounts such as damage in ``amounts``."""

    wins: dict[Seat, LuckAccount] = field(default_factory=dict)
    amounts: dict[Seat, LuckAccount] = field(default_factory=dict)
    in_hindsight: bool = False
    """True if some chance was computed with facts that its seat could not see at the time."""

    def book(self, fact: Fact) -> None:
        """Add the chances of a fact, if it has any."""
        if fact.seat == NOBODY:
            return
        self.in_hindsight |= fact.in_hindsight and fact.chance is not None
        if fact.chance is not None and fact.won is not None:
            chance = Fraction(*fact.chance)
            account = self.wins.setdefault(fact.seat, LuckAccount())
            account.book(chance, chance * (1 - chance), int(fact.won))
        if fact.odds is not None and fact.amount is not None:
            account = self.amounts.setdefault(fact.seat, LuckAccount())
            account.book(fact.odds.mean, fact.odds.variance, fact.amount)

    @property
    def is_empty(self) -> bool:
        """True if no chance has been counted yet."""
        return not self.wins and not self.amounts


def ledger(facts: Iterable[Fact]) -> Ledger:
    """Add up the chances of some facts."""
    made = Ledger()
    for fact in facts:
        made.book(fact)
    return made


def words(deviations: float) -> str:
    """Return a deviation as words such as ``very lucky``; the unit is standard deviations."""
    size = abs(deviations)
    if size < _PLAIN_LUCK[0]:
        return "as expected"
    side = "lucky" if deviations > 0 else "unlucky"
    much = "a little " if size < _PLAIN_LUCK[1] else "" if size < _PLAIN_LUCK[2] else "very "
    return f"{much}{side}"


def lines(made: Ledger, names: Sequence[str]) -> list[Line]:
    """Return a ledger as lines: for each seat the expectation, the result, and its meaning."""
    if made.is_empty:
        return [Line("No dice have been thrown yet.", Tone.QUIET)]
    found: list[Line] = []
    for seat, name in enumerate(names):
        rows = [
            *_rows("attempt", ("success", "successes"), made.wins, seat),
            *_rows("blow", ("damage", "damage"), made.amounts, seat),
        ]
        if rows:
            found += [Line(name, Tone.TITLE, seat), *rows, Line("")]
    if made.in_hindsight:
        found.append(Line("Chances count all that was hidden from the attackers.", Tone.QUIET))
    return found


def _rows(
    what: str, gained: tuple[str, str], accounts: Mapping[Seat, LuckAccount], seat: Seat
) -> list[Line]:
    account = accounts.get(seat)
    if account is None:
        return []
    spread = sqrt(account.variance)
    return [
        Line(
            f"{many(account.draws, what)}: {many(account.got, *gained)},"
            f" {float(account.expected):.1f} expected, give or take {spread:.1f}",
            seat=seat,
        ),
        Line(f"  {account.deviations:+.1f} deviations: {words(account.deviations)}", Tone.QUIET),
    ]


def summary(made: Ledger, names: Sequence[str]) -> list[Line]:
    """Return a line on the luck of each seat, by damage dealt, or else by successful attempts."""
    found = []
    for seat, name in enumerate(names):
        account = made.amounts.get(seat) or made.wins.get(seat)
        if account is not None:
            text = f"{name} was {words(account.deviations)} ({account.deviations:+.1f})."
            found.append(Line(text.replace("was as expected", "had average luck"), seat=seat))
    return found
