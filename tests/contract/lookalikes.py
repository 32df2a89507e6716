"""Search for leaks: orders that tell a seat apart two positions which look the same to it.

``python -m tests.contract.lookalikes --ruleset warlords2 --tries 100000 [--seed 1] [--minutes 30]``

Games are drawn and played at random. In many positions a second one is made that the acting seat
cannot tell from the real one, and the same order is given in both. Then the seat's feed, its view,
the text of a refusal, whether the order can be undone, and the result of the undo are compared. If
any of them differs, the order has revealed something hidden, and it must be impossible to undo in
both positions. In simultaneous games other seats give orders in between, in one of the two
positions only, and ``undo`` must not reveal them. The same seed gives the same tries.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any, Final, NamedTuple

from engine.core import registry
from engine.core.dice import Seeded
from engine.core.feed import told
from engine.core.game import Bug, Game
from engine.core.ids import Seat
from engine.core.options import OptionFault, Value
from engine.core.record import Command, Record
from engine.core.refused import Refused
from engine.core.ruleset import AnyRuleset, Scenario, ScenarioFault
from tests import toy
from tests.contract.aids import Chance, aids_of
from tests.contract.veils import look_alike, poised
from tests.contract.walks import SEED, AnyGame, drawn_options, grounds, nudged

ENTRIES: Final = 150
"""Maximum entries of a drawn game."""

EACH: Final = 24
"""Number of orders to try in each pair of positions."""


class Answer(NamedTuple):
    """What a seat learns from its order: the refusal or an empty text, its feed, its view."""

    refused: str
    feed: Any = ()
    view: Any = None


class Found(Record, frozen=True):
    """Counts of what was tried, and a sentence for each order that revealed something hidden."""

    tries: int = 0
    pairs: int = 0
    refused: int = 0
    lasting: int = 0
    undone: int = 0
    apart: int = 0
    """Number of orders that revealed something hidden and rightly cannot be undone."""
    faults: tuple[str, ...] = ()

    def __add__(self, other: Found) -> Found:
        pairs = zip(self.__struct_fields__, _values(self), _values(other), strict=True)
        return Found(**{name: one + two for name, one, two in pairs})


def _values(found: Found) -> Iterator[Any]:
    return (getattr(found, name) for name in found.__struct_fields__)


def search(rules: AnyRuleset, tries: int, seed: int = 1, *, until: float = 0) -> Found:
    """Try about ``tries`` orders; stop at ``until``, a time of ``perf_counter`` (0: no limit)."""
    found, number = Found(), seed
    while found.tries < tries and not (until and perf_counter() > until):
        chance = random.Random(f"look-alikes {number}")  # noqa: S311 - what is tried
        found += _game(rules, chance, tries - found.tries)
        number += 1
    return found


def _game(rules: AnyRuleset, chance: Chance, tries: int) -> Found:
    """Draw and play one game, and try at most about ``tries`` orders along it."""
    game, found = _begun(rules, chance), Found()
    stale: list[Command] = []
    for _ in range(chance.randrange(ENTRIES)):
        for seat in sorted(rules.owes(game.state)):
            if chance.random() < 0.25:
                found += _pair(rules, game.state, seat, chance, stale[-6:])
        if found.tries >= tries or not _goes_on(game, chance, stale):
            break
    return found


def _begun(rules: AnyRuleset, chance: Chance) -> AnyGame:
    draw = aids_of(rules).secret_games or partial(_any_small, rules)
    while True:
        scene, options = draw(chance)
        try:
            return Game.begin(rules, scene, options, SEED + bytes([chance.randrange(256)]))
        except (ScenarioFault, OptionFault):
            continue


def _any_small(rules: AnyRuleset, chance: Chance) -> tuple[Scenario, dict[str, Value]]:
    return chance.choice(grounds(rules)), drawn_options(rules, chance)


def _goes_on(game: AnyGame, chance: Chance, stale: list[Command]) -> bool:
    """Play on, usually as a computer player would; return False if the game is over."""
    rules = game.rules
    owing = sorted(rules.owes(game.state))
    if not owing:
        return False
    seat = chance.choice(owing)
    if chance.random() < 0.7:
        commands = _planned(rules, game.state, seat, chance)[:12]
    else:
        pool = _pool(rules, game.state, seat, chance)
        commands = [chance.choice(pool) for _ in range(4)] if pool else []
    for command in commands:
        stale.append(command)
        with suppress(Refused):
            game.submit(seat, command)
    return True


def _planned(rules: AnyRuleset, state: Any, seat: Seat, chance: Chance) -> list[Command]:
    view = rules.view(state, seat)
    weak, *others = rules.bots
    bot = rules.bots[others[0] if others and chance.random() < 0.1 else weak]
    dice = Seeded(SEED, chance.randrange(1 << 30), "bot")
    return list(bot.plan(view, lambda about=None: rules.offers(view, about), dice))


def _pair(rules: AnyRuleset, state: Any, seat: Seat, chance: Chance, stale: list[Command]) -> Found:
    """Try orders of a seat in a position and in one that looks the same to it."""
    twin = look_alike(rules, state, seat, chance)
    if twin is state:
        return Found()
    found = Found(pairs=1)
    for command in islice(_orders(rules, state, seat, chance, stale), EACH):
        found += _try(rules, (state, twin), seat, command, chance)
    return found


def _orders(
    rules: AnyRuleset, state: Any, seat: Seat, chance: Chance, stale: list[Command]
) -> Iterator[Command]:
    """Yield random orders: possible ones, earlier ones from ``stale``, and slightly wrong ones."""
    pool = _pool(rules, state, seat, chance)
    while pool:
        kind, order = chance.random(), chance.choice(pool)
        if kind < 0.1 and stale:
            yield chance.choice(stale)
        elif kind < 0.25 and (wrong := list(islice(nudged(rules, order), 40))):
            yield chance.choice(wrong)
        else:
            yield order


def _pool(rules: AnyRuleset, state: Any, seat: Seat, chance: Chance) -> list[Command]:
    """Return orders to try: those that the ruleset's aids name, or else its offers."""
    view, orders = rules.view(state, seat), aids_of(rules).secret_orders
    return orders(view, seat, chance) if orders else list(islice(rules.offers(view), 400))


def _try(
    rules: AnyRuleset, states: tuple[Any, Any], seat: Seat, command: Command, chance: Chance
) -> Found:
    """Give one order in both positions and undo it; return the counts."""
    games = [poised(rules, state) for state in states]
    bugs: list[Bug] = []
    for game in games:
        game._on_bug = bugs.append
    answers = [_answer(game, seat, command) for game in games]
    found = Found(
        tries=1,
        refused=int(bool(answers[0].refused)),
        faults=tuple(f"{command}: {bug.trace}" for bug in bugs),
    )
    if answers[0].refused or answers[1].refused:
        same = answers[0] == answers[1]
        return found if same else found + _fault(seat, command, answers)
    if chance.random() < 0.5:
        _others_act(rules, games[1], seat, chance)
    backs = [_taken_back(game, seat) for game in games]
    last = sum(bool(back.refused) for back in backs)
    if answers[0] != answers[1]:
        return found + (Found(apart=1) if last == 2 else _fault(seat, command, answers))
    if backs[0] != backs[1] and (last or games[0].view(seat) != games[1].view(seat)):
        return found + _fault(seat, command, backs)
    return found + (Found(lasting=1) if last else Found(undone=1))


def _answer(game: AnyGame, seat: Seat, command: Command) -> Answer:
    before = game.state
    try:
        entry = game.submit(seat, command)
    except Refused as refused:
        return Answer(f"{refused.code} {refused.text} {refused.rule}")
    return Answer("", *told(game.rules, before, entry.events, seat))


def _taken_back(game: AnyGame, seat: Seat) -> Answer:
    try:
        game.undo(seat)
    except Refused as refused:
        return Answer(f"{refused.code} {refused.text}")
    return Answer("", (), game.view(seat))


def _others_act(rules: AnyRuleset, game: AnyGame, seat: Seat, chance: Chance) -> None:
    """Let other seats give up to two orders that the seat's view does not show."""
    others = sorted(rules.owes(game.state) - {seat}) if rules.traits.simultaneous else []
    seen = game.view(seat)
    for _ in range(chance.randrange(3)):
        if not others:
            return
        other = chance.choice(others)
        offers = list(islice(rules.offers(game.view(other)), 200))
        head = game.head
        if offers:
            game.submit(other, chance.choice(offers))
        if game.view(seat) != seen:
            game.go(head)
        others = sorted(rules.owes(game.state) - {seat})


def _fault(seat: Seat, command: Command, answers: list[Answer]) -> Found:
    one, other = (_short(answer) for answer in answers)
    return Found(faults=(f"seat {seat}, {command}:\n    {one}\n    {other}",))


def _short(answer: Answer) -> str:
    return answer.refused or f"{str(answer.feed)[:600]}; view {hash(str(answer.view)) & 0xFFFF:x}"


def main() -> int:
    """Search for leaks; return 1 if there is one."""
    registry.register(toy.RULES)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ruleset", default=registry.names()[0])
    parser.add_argument("--tries", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--minutes", type=float, default=0, help="begin no game after so long")
    args = parser.parse_args()
    began = perf_counter()
    until = began + 60 * args.minutes if args.minutes else 0.0
    found = search(registry.find(args.ruleset), args.tries, args.seed, until=until)
    for fault in found.faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(
        f"{args.ruleset}: {found.tries} tries in {found.pairs} pairs of positions, "
        f"{found.refused} refused, {found.undone} taken back, {found.lasting} that last, "
        f"{found.apart} that rightly tell apart, {len(found.faults)} faults, "
        f"{perf_counter() - began:.0f} s\n"
    )
    return 1 if found.faults else 0


if __name__ == "__main__":
    sys.exit(main())
