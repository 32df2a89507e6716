"""Setup of tables: new games, and resumed saved games."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core import registry
from engine.core.archive import Archive, Header, SeatPlayer
from engine.core.game import Bug
from engine.core.options import Value
from engine.core.ruleset import AnyRuleset, Scenario
from engine.core.scenarios import computers_among, fitted
from tui.play.scenarios import seed_bytes
from tui.play.seats import players_of, seats_for
from tui.play.table import Table

SEED_BYTES = 16
SEEDS = 10**15
"""Number of possible seeds when none is given; one is drawn at random."""
PERSON = ""
"""Level of a player who is no computer player."""


@dataclass(frozen=True)
class NewGame:
    """Choices for a new game; empty ones take their defaults."""

    ruleset: str
    scenario: str | Scenario = ""
    """Name of a shipped scenario, or one from a file."""
    options: Mapping[str, Value] = field(default_factory=dict)
    players: tuple[SeatPlayer, ...] = ()
    seed: bytes = b""
    name: str = ""
    """Name of the save."""


def fresh_seed() -> bytes:
    """Return a random seed, made from a number below ``SEEDS`` so that it can be typed again."""
    return seed_bytes(secrets.randbelow(SEEDS))


def shown_seed(seed: bytes) -> str:
    """Return a seed as text: the number that it was made from, or else its bytes."""
    text = seed.decode("ascii", "replace")
    return text if text.isdecimal() else seed.hex()


def wanted_players(
    rules: AnyRuleset, scenario: Scenario, words: Sequence[str], seats: int | None
) -> tuple[SeatPlayer, ...]:
    """Return the players that ``--seat`` and ``--seats`` ask for, or the default ones.

    Raises:
        Wrong: a seat or a level is unknown, or the number of players is not possible.
    """
    if words:
        return players_of(rules, scenario, words, seats)
    return usual_players(rules, scenario, seats)


def same_again(table: Table) -> NewGame:
    """Return the choices of a table's game, for another game with other dice."""
    scenario, options = table.rules.setup(table.game.log[0].events[0])
    return NewGame(table.rules.name, scenario, options, table.players)


def begin(archive: Archive, start: NewGame, on_bug: Callable[[Bug], None]) -> Table:
    """Begin a new game whose save has every entry from the first on; return its table.

    Raises:
        UnknownRuleset, ScenarioFault, OptionFault, SaveFault: it cannot be started, and why.
    """
    rules = registry.find(start.ruleset)
    scenario = chosen_scenario(rules, start.scenario)
    players = start.players or usual_players(rules, scenario)
    scenario = fitted(rules, scenario, len(players), computers_among(players))
    rules.check(scenario)
    header = Header(
        ruleset=rules.name,
        schema=rules.schema,
        seed=start.seed or fresh_seed(),
        players=players,
        created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        title=f"{rules.title}: {scenario.title}",
    )
    file = archive.create(start.name or scenario.title, header)
    try:
        return Table.begin(rules, scenario, start.options, header, file=file, on_bug=on_bug)
    except Exception:
        file.close()
        archive.delete(file.name)
        raise


def resume(archive: Archive, name: str, on_bug: Callable[[Bug], None]) -> Table:
    """Open a saved game for play; return its table.

    Raises:
        UnknownRuleset, BrokenLog, SaveFault: it cannot be resumed, and why.
    """
    opened = archive.open(name)
    try:
        return Table.resume(registry.find(opened.header.ruleset), opened, on_bug=on_bug)
    except Exception:
        if opened.file is not None:
            opened.file.close()
        raise


def chosen_scenario(rules: AnyRuleset, wanted: str | Scenario) -> Scenario:
    """Return a scenario record, looked up by name if necessary.

    Raises:
        LookupError: the ruleset has no scenario of that name.
    """
    if isinstance(wanted, Scenario):
        return wanted
    shipped = rules.scenarios()
    if not wanted:
        return next(iter(shipped.values()))
    if wanted not in shipped:
        raise LookupError(f"there is no scenario {wanted!r}; known: {', '.join(shipped)}")
    return shipped[wanted]


def usual_level(rules: AnyRuleset) -> str:
    """Return the default level of computer players: the weakest, which a newcomer can beat."""
    return next(iter(rules.bots), PERSON)


def usual_players(
    rules: AnyRuleset, scenario: Scenario, seats: int | None = None
) -> tuple[SeatPlayer, ...]:
    """Return the default players: a person on the first seat, the default level on the others.

    Raises:
        Wrong: the scenario is for fewer or more than ``seats``.
    """
    names = rules.seat_names(scenario)[: seats_for(rules, scenario, seats)]
    level = usual_level(rules)
    return tuple(
        SeatPlayer(seat, name, level if seat else PERSON) for seat, name in enumerate(names)
    )
