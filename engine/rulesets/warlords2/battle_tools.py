"""Questions about battles for the command line: odds, a battle told with its dice, a forecast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.core.base_ruleset import FunctionTool
from engine.core.dice import Dice, Scripted, Seeded, WrongThrow
from engine.core.ruleset import Argument, Report, Tool
from engine.rulesets.warlords2.book import book_of
from engine.rulesets.warlords2.state import State
from engine.rulesets.warlords2.troops import Clash, clash, whole
from engine.strategic.events import BattleFought, Fighter
from engine.strategic.fighting.duels import fight, told
from engine.strategic.fighting.lineup import Line, Lineup, defenders_at
from engine.strategic.fighting.odds import Odds, forecast, odds_of
from engine.strategic.fighting.parts import Part
from engine.strategic.pieces import Army
from engine.strategic.world import World, is_on_map

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


def _odds(state: State, arguments: Mapping[str, str]) -> Report:
    """The odds of named units against each other. Rules: W2-8.3, W2-8.4, W2-8.5."""
    met = clash(state, arguments)
    found = odds_of(book_of(state.options).fighting, met.lineup)
    return _told_odds(state, met.lineup, found)


def _battle(state: State, arguments: Mapping[str, str]) -> Report:
    """One battle of named units, round by round. Rules: W2-8.5."""
    met = clash(state, arguments)
    dice = _dice(arguments["dice"])
    try:
        duels = fight(dice, book_of(state.options).fighting, met.lineup)
    except WrongThrow as fault:
        thrown = len(dice.thrown)
        raise ValueError(f"the dice do not fit after {thrown} throws: {fault}") from None
    battle = BattleFought(
        at=(0, 0),
        start=(0, 0),
        attacker=0,
        defender=1,
        ground=met.lineup.field.ground,
        attackers=met.lineup.attackers.fighters,
        defenders=met.lineup.defenders.fighters,
        duels=duels,
        won=duels[-1].won,
    )
    return _told_battle(state, met, battle)


def _told_battle(state: State, met: Clash, battle: BattleFought) -> Report:
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
        for number, round_ in enumerate(told(battle), 1)
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
    fallen = sum(not duel.won for duel in battle.duels)
    left = len(battle.attackers) - fallen
    beaten = len(battle.duels) - fallen
    winner = "The attackers win" if battle.won else "The defenders win"
    remark = f"{winner}; {left} of {len(battle.attackers)} attackers"
    remark += f" and {len(battle.defenders) - beaten} of {len(battle.defenders)} defenders live."
    return Report(columns, rows, (remark, *_supports(met.lineup)))


def _forecast(state: State, arguments: Mapping[str, str]) -> Report:
    """What an attack in this position would do. Rules: W2-8.1 to W2-8.6."""
    group = _group(state, arguments["armies"])
    x, y = (whole(part, "target", 999) for part in _pair(arguments["target"]))
    if not is_on_map(state, (x, y)):
        raise ValueError(f"target {x},{y} is not on the map")
    if not defenders_at(state, (x, y), group[0].owner):
        raise ValueError(f"nobody stands at {x},{y} to be attacked")
    found = forecast(state, book_of(state.options), group, (x, y))
    assert found.lineup is not None  # noqa: S101 - somebody stands there
    return _told_odds(state, found.lineup, found.odds)


def _told_odds(world: World, lineup: Lineup, found: Odds) -> Report:
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
    return Report(("side", "place", "unit", "strength", "why", "lives"), rows, remarks)


def _line(
    world: World, side: str, line: Line, live: Sequence[float]
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
    """What each side gets as a whole, and why."""
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
    """Dice that fall as told, or those of a seed."""
    if text.startswith(_SEED):
        return Seeded(text.removeprefix(_SEED).encode(), 0, "calc")
    return Scripted([whole(part, "dice", 100) for part in text.split(",")])


def _group(state: State, text: str) -> tuple[Army, ...]:
    numbers = [whole(part, "armies", 1 << 20) for part in text.split(",")]
    for number in numbers:
        if number not in state.armies:
            raise ValueError(f"there is no army {number} here")
    group = tuple(state.armies[number] for number in dict.fromkeys(numbers))
    if len({(army.at, army.owner) for army in group}) > 1:
        raise ValueError("the armies do not stand together")
    return group


def _pair(text: str) -> list[str]:
    parts = text.split(",")
    if len(parts) != 2:
        raise ValueError(f"{text!r} is no place x,y")
    return parts


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
"""What ``calc`` offers about battles."""
