"""Play random games: ``python -m tests.rulesets.kaladan.soak --games 1000 [--seed 1]``.

Seats, world, options and commands are drawn; over the games, every value of every option occurs.
After each event the invariants of section 21 are checked. After each command, no view and no
visible event may reveal a secret card; in every battle, and sometimes elsewhere, the position must
survive being saved as a scenario. At the end, the log must fold to the position and verify. A seed
always gives the same game.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from time import perf_counter
from typing import Any, Final, NamedTuple, cast

from engine.core import scenarios
from engine.core.codec import digest, encode
from engine.core.decision import states_around
from engine.core.dice import Scripted, Seeded
from engine.core.feed import AnyChange, Change
from engine.core.game import Game
from engine.core.ids import PUBLIC, ROOT
from engine.core.log import AnyEntry, Entry
from engine.core.options import Value
from engine.core.record import tag
from engine.core.refused import Refused
from engine.core.replay import fold, verify
from engine.core.ruleset import ScenarioFault
from engine.rulesets.kaladan.commands import AnyCommand
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import State, War
from engine.rulesets.kaladan.tables import magic_cards
from engine.tabletop.presenter import presenter_of
from tests.contract.walks import AnyGame, nudged
from tests.coverings import covering
from tests.rulesets.kaladan.invariants import Watch

_VALUES: Final[dict[str, tuple[Value, ...]]] = {
    "world_building": ("dealt", "drawn"),
    "castle_die": ("none", "d8"),
    "magic": ("on", "off"),
    "events": ("on", "off"),
    "start_gold": (0, 3, 20),
    "round_limit": (0, 1, 12, 999),
    "seats": (2, 3, 4, 5, 6),
}
ROWS: Final = covering(_VALUES)
"""Options and seats of the games, in turn; every pair of values of two options occurs."""

PRESENTER: Final = presenter_of(RULES)

_MOST: Final = 1500
"""Maximum number of commands in a game."""


class Fault(Exception):
    """A broken invariant."""


class Report(NamedTuple):
    """A played game, with the number of events by kind, refusals, and positions begun again."""

    game: AnyGame
    kinds: Counter[str]
    refused: int
    begun_again: int


def main() -> int:
    """Play the games; return 1 if there was any fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    parser.add_argument("--minutes", type=float, default=0, help="begin no game after so long")
    args = parser.parse_args()
    began, faults, refused, again, games = perf_counter(), 0, 0, 0, 0
    kinds, ends = Counter[str](), Counter[str]()
    for seed in range(args.seed, args.seed + args.games):
        if args.minutes and perf_counter() - began > 60 * args.minutes:
            break
        games += 1
        try:
            report = played(seed)
        except Fault as fault:
            faults += 1
            sys.stdout.write(f"seed {seed}, {ROWS[seed % len(ROWS)]}: {fault}\n")
            sys.stdout.flush()
            continue
        kinds += report.kinds
        refused, again = refused + report.refused, again + report.begun_again
        ends[report.game.state.reason or "open"] += 1
    sys.stdout.write(
        f"{games} games, {dict(ends)}, {sum(kinds.values())} events, {refused} refused, "
        f"{again} positions begun again, {faults} faults, {perf_counter() - began:.0f} s\n"
        f"{dict(kinds.most_common())}\n"
    )
    return 1 if faults else 0


def played(seed: int, most: int = _MOST, every: int = 1) -> Report:
    """Play a random game and check everything.

    At most ``most`` commands are played, and only one entry in ``every`` is begun again. Raises
    Fault if anything is wrong.
    """
    row = dict(ROWS[seed % len(ROWS)])
    chance = random.Random(f"kaladan {seed}")  # noqa: S311 - what is tried
    seats = int(row.pop("seats"))
    game = Game.begin(RULES, _scenario(chance, seats), row, str(seed).encode())
    watch, kinds, refused, again = Watch(game.state), Counter[str](), 0, 0
    for _ in range(most):
        owing = sorted(RULES.owes(game.state))
        if not owing:
            break
        before: State = game.state
        command = _by_lot(game, owing[0], chance)
        if chance.random() < 0.1:
            refused += _try_wrong(game, owing[0], command, chance)
        entry = game.submit(owing[0], command)
        kinds.update(tag(event) for event in entry.events)
        _raise(game, _followed(watch, before, entry.events, game.state))
        _raise(game, _leaks(game, before, entry.events, chance))
        wanted = game.state.battle is not None or chance.random() < 0.1
        if wanted and (seed + len(game.log)) % every == 0:
            again += 1
            _raise(game, _begun_again(game.state))
    if fold(RULES, game.log.line()) != game.state:
        raise Fault("17: the log folds to another position")
    if (found := verify(RULES, game.log).divergence) is not None:
        raise Fault(f"17: replayed, it comes out otherwise: {found}")
    return Report(game, kinds, refused, again)


def _raise(game: AnyGame, faults: Iterator[str]) -> None:
    for fault in faults:
        raise Fault(f"entry {len(game.log) - 1}: {fault}")


def _scenario(chance: random.Random, seats: int) -> War:
    """Return a new world, sometimes with given realms, sometimes with more tiles than needed."""
    realms = ("khalisia", "weald", "highfells", "plainsmark", "ironmarch", "mistcourt")
    given = tuple(chance.sample(realms, seats)) if chance.random() < 0.3 else ()
    tiles = 19 if seats < 6 and chance.random() < 0.1 else 0
    return War("soak", "Soak", "", seats=seats, tiles=tiles, realms=given)


def _by_lot(game: AnyGame, seat: int, chance: random.Random) -> AnyCommand:
    """Choose a random kind of command, then one of its offers; prefer attacks, rarely resign."""
    kinds: dict[str, list[AnyCommand]] = {}
    for command in RULES.offers(game.view(seat)):
        kinds.setdefault(tag(command), []).append(command)
    if not kinds:
        raise Fault(f"19: seat {seat} is asked, but offered nothing")
    if "resign" in kinds and (len(kinds) == 1 or chance.random() < 0.95):
        kinds.pop("resign")
    if "attack" in kinds and chance.random() < 0.4:
        return chance.choice(kinds["attack"])
    return chance.choice(kinds[chance.choice(list(kinds))])


def _try_wrong(game: AnyGame, seat: int, command: AnyCommand, chance: random.Random) -> int:
    """Try variations of a command on the state. Return the number of refusals."""
    count = 0
    for near in cast("Iterator[AnyCommand]", nudged(RULES, command)):
        other = RULES.owes(game.state) ^ {chance.randrange(len(game.state.players)), seat}
        for who in {seat, *other}:
            try:
                RULES.decide(game.state, who, near, Seeded(b"wrong", count, "decide"))
            except Refused as told_so:
                count += 1
                if not told_so.text or "\n" in told_so.text:
                    raise Fault(f"{near} is refused with {told_so.text!r}") from None
    return count


def _followed(watch: Watch, before: State, events: tuple[Any, ...], after: State) -> Iterator[str]:
    state = before
    for event in events:
        now = RULES.evolve(state, event)
        yield from (f"{tag(event)}: {fault}" for fault in watch.event(state, event, now))
        state = now
    if state != after:
        yield "17: the events lead to another position"
    yield from watch.entry(events, after)
    if not after.reason and len(RULES.owes(after)) != 1:
        yield f"19: {RULES.owes(after)} are asked"


# -- secrets ---------------------------------------------------------------------------------------


def secrets(state: State, viewer: int) -> set[str]:
    """Return the cards whose place a viewer must not know: hands and decks of others."""
    players = state.players.values()
    return {
        card
        for player in players
        for card in (*(player.hand if player.id != viewer else ()), *player.deck)
    }


def _leaks(
    game: AnyGame, before: State, events: tuple[Any, ...], chance: random.Random
) -> Iterator[str]:
    """Check invariant 13: a random viewer sees no card that was and is secret."""
    if game.state.reason:
        return
    viewer = chance.choice((PUBLIC, *game.state.players))
    hidden = secrets(before, viewer) & secrets(game.state, viewer)
    entry: AnyEntry = Entry(0, ROOT, viewer, None, events)
    change: AnyChange = Change(RULES, entry, states_around(RULES, before, events))
    heard, seen = change.events(viewer), change.view(viewer)
    said = [PRESENTER.tell(one.event, one.after) for one in heard]
    facts = [PRESENTER.facts(one.event, one.before, one.after) for one in heard]
    texts = {
        "view": encode(seen),
        "events": encode([one.event for one in heard]),
        "sentences": str(said).encode(),
        "facts": str(facts).encode(),
    }
    for name, data in texts.items():
        for card in hidden:
            if card.encode() in data or magic_cards()[card].name.encode() in data:
                yield f"13: {card} is in the {name} of {viewer}"
    if any(card != "?" for card in (*seen.event_deck, *seen.bag)):
        yield "13: the order of a deck is seen"


# -- beginning again -------------------------------------------------------------------------------


def _begun_again(state: State) -> Iterator[str]:
    """Check that the position, written to a file and read as a scenario, gives the same state."""
    try:
        war = scenarios.parse(RULES, scenarios.dump(RULES.position(state)).encode())
    except ScenarioFault as fault:
        yield f"17: the position is refused: {fault}"
        return
    now = RULES.empty()
    for event in RULES.begin(war, {}, Scripted()):
        now = RULES.evolve(now, event)
    if now != state:
        yield f"17: the {state.phase} phase begins again as something else"
    if digest(now) != digest(state):
        yield "17: the digest is another"


if __name__ == "__main__":
    sys.exit(main())
