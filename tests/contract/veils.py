"""Changes of a position that a seat must not notice, since they change only hidden things.

A change is made at random and kept if the seat's view is unchanged, so this module need not know
what is hidden. A ruleset's tests can name such changes (``tests.contract.aids``). In simultaneous
games the orders of other seats are one of them.
"""

from __future__ import annotations

from typing import Any

from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.ids import Seat
from engine.core.log import Entry, EventLog
from engine.core.refused import Refused
from engine.core.replay import apply
from engine.core.ruleset import AnyRuleset
from tests.contract.aids import Chance, PositionChange, aids_of
from tests.contract.walks import SEED


def look_alike(rules: AnyRuleset, state: Any, seat: Seat, chance: Chance) -> Any:
    """Return another state with the same view for a seat, or the same state if none was found."""
    seen = rules.view(state, seat)
    changes = [*aids_of(rules).changes, _secret_orders(rules)]
    found = state
    if chance.random() < 0.3:
        found = rules.imagine(seen, Seeded(SEED, chance.randrange(1 << 30), "imagine"))
    for _ in range(chance.choice((1, 3, 8, 16))):
        changed = chance.choice(changes)(found, seat, chance)
        if changed is not found and rules.view(changed, seat) == seen:
            found = changed
    return found


def _secret_orders(rules: AnyRuleset) -> PositionChange:
    """Return a change in which another seat gives an order, in simultaneous games."""

    def changed(state: Any, seat: Seat, chance: Chance) -> Any:
        others = sorted(rules.owes(state) - {seat})
        if not others:
            return state
        other = chance.choice(others)
        offers = list(rules.offers(rules.view(state, other)))
        command = chance.choice(offers)
        try:
            events = rules.decide(state, other, command, Seeded(SEED, 1, "veil"))
        except Refused:
            return state
        return apply(rules, state, Entry(0, -1, other, command, events))

    return changed


def poised(rules: AnyRuleset, state: Any) -> Game[Any, Any, Any, Any]:
    """Return a game that begins at any state, without history."""
    return _Poised(rules, state)


class _Poised(Game[Any, Any, Any, Any]):
    """A game whose first entry has no events and leads to any state."""

    def __init__(self, rules: AnyRuleset, state: Any) -> None:
        self._start = state
        log: EventLog[Any, Any] = EventLog()
        log.append(Entry(0, -1, -1, None, ()))
        super().__init__(rules, SEED, log)

    def _reached(self, seq: int) -> list[tuple[int, Any]]:
        known = [number for number, _ in self._trail]
        if seq in known:
            return self._trail[: known.index(seq) + 1]
        trail, state = [(0, self._start)], self._start
        for entry in self.log.line(seq)[1:]:
            state = apply(self.rules, state, entry)
            self._follow(trail, entry, state)
        return trail
