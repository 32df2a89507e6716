"""Tools of ``calc`` about battles: odds, a battle with its dice, a forecast.

The sides of a battle are given as text, so most questions need no position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final

from engine.core.base_ruleset import FunctionTool
from engine.core.dice import Dice, Scripted, Seeded, WrongThrow
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.kit.arguments import place_on, rows_of, whole
from engine.rulesets.warlords2.rule_settings import settings_of
from engine.rulesets.warlords2.state import State
from engine.strategic.arrivals import marched
from engine.strategic.battle import Soldier, Soldiers, defenders_at, forecast, meet, odds_of
from engine.strategic.battle_records import Battleground, BattleLine, BattleOdds, Lineup
from engine.strategic.duels import duel_rounds, fight
from engine.strategic.events.battle import Duel, Fighter, Part
from engine.strategic.pieces import NOBODY, STACK, Army, Hero
from engine.strategic.world import World

_SEED: Final = "seed:"

_TROOPS: Final = (
    Argument("attackers", "word", "unit keys as 2*griffins,hero:7+2^1: strength, weapons, command"),
    Argument("defenders", "word", "the same for those who defend"),
)
_FIELD: Final = (
    Argument("ground", "word", "city, open, woods, hills, mountains or sea", required=False),
    Argument("defence", "number", "what walls, ruins or a tower are worth", required=False),
    Argument("owner", "word", "whose the defenders are: side or neutral", required=False),
)


def _odds(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the odds of the given units against each other. See: W2-8.3 to W2-8.5."""
    lineup = lined_up(state, arguments)
    return _told_odds(state, lineup, odds_of(settings_of(state.options).fighting, lineup))


def _battle(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Fight one battle of the given units, round by round. See: W2-8.5."""
    lineup = lined_up(state, arguments)
    dice = _dice(arguments["dice"])
    try:
        duels = fight(dice, settings_of(state.options).fighting, lineup)
    except WrongThrow as fault:
        thrown = len(dice.thrown)
        raise ValueError(f"the dice do not fit after {thrown} throws: {fault}") from None
    return _told_battle(state, lineup, duels)


def _told_battle(state: State, lineup: Lineup, duels: Sequence[Duel]) -> ToolReport:
    rows = tuple(
        (
            number,
            _named(state, round_.defender),
            round_.defender_die,
            _named(state, round_.attacker),
            round_.attacker_die,
            round_.hit,
            round_.defender_left,
            round_.attacker_left,
        )
        for number, round_ in enumerate(duel_rounds(lineup, duels), 1)
    )
    columns = (
        "round",
        "defender",
        "die",
        "attacker",
        "die of attacker",
        "hit",
        "defender bears",
        "attacker bears",
    )
    attackers, defenders = len(lineup.attackers.fighters), len(lineup.defenders.fighters)
    beaten = sum(duel.won for duel in duels)
    left = attackers - (len(duels) - beaten)
    winner = "The attackers win" if duels[-1].won else "The defenders win"
    remark = f"{winner}; {left} of {attackers} attackers"
    remark += f" and {defenders - beaten} of {defenders} defenders live."
    return ToolReport(columns, rows, (remark, *_supports(lineup)))


def _forecast(state: State, arguments: Mapping[str, str]) -> ToolReport:
    """Report the forecast of an attack in this position. See: W2-8.1 to W2-8.6."""
    group = rows_of(state.armies, arguments["armies"], "army")
    if len({(army.at, army.owner) for army in group}) > 1:
        raise ValueError("the armies do not stand together")
    at = place_on(state.terrain, arguments["target"])
    if not defenders_at(state, at, group[0].owner):
        raise ValueError(f"nobody stands at {at[0]},{at[1]} to be attacked")
    settings = settings_of(state.options)
    found = forecast(state, settings, marched(state, settings, group, at), at)
    assert found.lineup is not None  # noqa: S101 - somebody stands there
    return _told_odds(state, found.lineup, found.odds)


def _told_odds(world: World, lineup: Lineup, found: BattleOdds) -> ToolReport:
    rows = (
        *_line(world, "attack", lineup.attackers, found.attackers_live),
        *_line(world, "defence", lineup.defenders, found.defenders_live),
    )
    remarks = (
        f"The attackers win with {found.chance:.4f} on {lineup.field.ground} ground.",
        f"Lost on average: {found.attackers_lost:.2f} and {found.defenders_lost:.2f} armies.",
        "Attackers left: " + _spread(found.attackers_left),
        "Defenders left: " + _spread(found.defenders_left),
        *_supports(lineup),
    )
    return ToolReport(("side", "place", "unit", "strength", "why", "lives"), rows, remarks)


def _line(
    world: World, side: str, line: BattleLine, live: Sequence[float]
) -> tuple[tuple[int | float | str, ...], ...]:
    return tuple(
        (
            side,
            place,
            world.types[fighter.type].key,
            fighter.strength,
            _why((Part("support", line.support.total), *reasons)),
            round(chance, 4),
        )
        for place, (fighter, reasons, chance) in enumerate(
            zip(line.fighters, line.reasons, live, strict=True), 1
        )
    )


def _supports(lineup: Lineup) -> tuple[str, str]:
    """Describe the support of each side as a whole, with its parts."""
    first, second = lineup.attackers.support, lineup.defenders.support
    return (
        f"Attackers' support {first.total:+d}: {_why(first.parts) or 'nothing'}",
        f"Defenders' support {second.total:+d}: {_why(second.parts) or 'nothing'}",
    )


def _why(parts: Sequence[Part]) -> str:
    return ", ".join(
        f"{part.source} {part.value:+d}{' (cancelled)' if part.cancelled else ''}"
        for part in parts
        if part.value
    )


def _spread(left: Sequence[float]) -> str:
    return ", ".join(f"{count}: {chance:.4f}" for count, chance in enumerate(left))


def _named(world: World, fighter: Fighter) -> str:
    return f"{world.types[fighter.type].key} {fighter.strength}"


def _dice(text: str) -> Dice:
    """Parse throws into scripted dice, or ``seed:WORD`` into the dice of a seed."""
    if text.startswith(_SEED):
        return Seeded(text.removeprefix(_SEED).encode(), 0, "calc")
    return Scripted([whole(part, "dice", 100) for part in text.split(",")])


TOOLS: Final[tuple[Tool, ...]] = (
    FunctionTool("odds", "What units against each other come to.", (*_TROOPS, *_FIELD), _odds),
    FunctionTool(
        "battle",
        "One battle of units against each other, with its dice.",
        (
            *_TROOPS,
            Argument("dice", "word", "throws as 7,12,...: the defender's first; or seed:WORD"),
            *_FIELD,
        ),
        _battle,
    ),
    FunctionTool(
        "forecast",
        "What an attack of armies on a tile would do.",
        (
            Argument("armies", "word", "numbers of armies that stand together, as 3,4"),
            Argument("target", "place", "the tile that is attacked"),
        ),
        _forecast,
    ),
)
"""Questions of ``calc`` about battles."""


# -- sides of a battle from words ------------------------------------------------------------------


CITYFUL: Final = 4 * STACK
"""Maximum number of armies that defend together. See: W2-8.1."""

_UNIT: Final = re.compile(
    r"(?:(?P<count>\d{1,3})\*)?(?P<key>[a-z][a-z0-9_]*)"
    r"(?::(?P<strength>\d{1,3}))?(?:\+(?P<weapons>\d{1,3}))?(?:\^(?P<command>\d{1,3}))?"
)

_GROUNDS: Final[Mapping[str, Battleground]] = {
    "city": Battleground("city"),
    "open": Battleground("open"),
    "woods": Battleground("woods"),
    "hills": Battleground("hills"),
    "mountains": Battleground("hills", mounts_last=True),
    "sea": Battleground("open", at_sea=True, mounts_last=True),
}
"""Battlegrounds by the word that names them. See: W2-8.2, W2-8.4."""


def lined_up(state: State, arguments: Mapping[str, str]) -> Lineup:
    """Line up the sides that the arguments give, with a position's types and options.

    At sea, all armies that neither fly nor are boats are embarked. The attackers belong to a human
    player.

    Raises:
        ValueError: an argument is invalid.

    See: W2-8.1, W2-8.3.
    """
    ground = arguments.get("ground", "open")
    if ground not in _GROUNDS:
        raise ValueError(f"ground {ground!r} is none of {', '.join(_GROUNDS)}")
    bare = _GROUNDS[ground]
    value = whole(arguments.get("defence", "0"), "defence", 9)
    if value and bare.ground != "city":
        raise ValueError("walls, ruins and towers make the ground city; there is no other defence")
    field = Battleground(bare.ground, value, bare.at_sea, bare.mounts_last)
    attackers = _troops(state, arguments["attackers"], "attackers", field)
    defenders = _troops(state, arguments["defenders"], "defenders", field)
    owner = arguments.get("owner", "side")
    if owner not in {"side", "neutral"}:
        raise ValueError(f"owner {owner!r} is neither side nor neutral")
    neutral = owner == "neutral"
    return meet(
        settings_of(state.options).fighting,
        attackers,
        defenders,
        field,
        orders=(attrgetter("order"),) * 2,
        neutral=neutral,
        novice=neutral,
    )


def _troops(state: State, text: str, role: str, field: Battleground) -> Soldiers:
    limit, first = (STACK, 1) if role == "attackers" else (CITYFUL, 1001)
    found: list[Soldier] = []
    for word in text.split(","):
        for soldier in _unit(state, word.strip(), first + len(found), field):
            found.append(soldier)
            if len(found) > limit:
                raise ValueError(f"there can be no more than {limit} {role}")
    if not found:
        raise ValueError(f"there must be at least one of the {role}")
    return tuple(found)


def _unit(state: State, word: str, number: int, field: Battleground) -> Iterator[Soldier]:
    read = _UNIT.fullmatch(word)
    if read is None:
        raise ValueError(f"{word!r} is no unit such as 2*griffins or hero:7+2^1")
    kind = next((row for row in state.types.values() if row.key == read["key"]), None)
    if kind is None:
        raise ValueError(f"there is no unit {read['key']!r} here")
    is_hero = "hero" in kind.traits
    if not is_hero and (read["weapons"] or read["command"]):
        raise ValueError(f"only heroes carry things, not {kind.key}")
    strength = int(read["strength"]) if read["strength"] else kind.strength
    if not 1 <= strength <= 9:
        raise ValueError(f"{word}: strength goes from 1 to 9")
    for offset in range(int(read["count"] or 1)):
        army = Army(
            id=number + offset,
            owner=NOBODY,
            type=kind.id,
            x=0,
            y=0,
            strength=strength,
            max_move=kind.move,
            points=0,
            upkeep=0,
            aboard=field.at_sea and not {"fly", "boat"} & set(kind.traits),
            hero=Hero(kind.name) if is_hero else None,
        )
        yield Soldier(army, kind, int(read["weapons"] or 0), int(read["command"] or 0))
