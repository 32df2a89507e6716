"""Battle tools: strengths by layer, a battle hit by hit, forecast, healing.

The sides are given as words, so no position is needed. ``battle_tools`` turns the reports into
tools of ``calc``; it takes a function that finds the options of a position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, TypeAlias, cast

from engine.core.base_ruleset import FunctionTool
from engine.core.dice import Dice, Scripted, Seeded, WrongThrow
from engine.core.record import Record
from engine.core.ruleset import Argument, Tool, ToolReport
from engine.rulesets.lordsawar.battle import battle, forecast
from engine.rulesets.lordsawar.battle_records import (
    HIT_POINT,
    NO_ARMY,
    ArmyStrength,
    BattleCourse,
    BattleStrengths,
    BattleTerms,
    BattleTile,
    Combatant,
    CombatForecast,
    CombatOptions,
    SideStrength,
)
from engine.rulesets.lordsawar.hit_points import exact_text, healed, hp_text, parsed_hp
from engine.rulesets.lordsawar.kinds import Building, Terrain
from engine.rulesets.lordsawar.strength import (
    battle_strengths,
    battle_terms,
    defence_level,
    line_up,
    may_fortify,
)
from engine.rulesets.lordsawar.tables import (
    ArmysetUnit,
    armyset,
    default_fight_order,
    unit_types,
    units_by_key,
)

Words: TypeAlias = Mapping[str, str]
"""Arguments of a tool by name."""

NameOf: TypeAlias = Callable[[Combatant], str]
"""Function that names a unit in a table."""

MOST_DEFENDERS: Final = 32
"""Maximum number of defenders: the armies on the four tiles of a city. See: LW-2.1."""

_FIRST_DEFENDER: Final = 1001
_MOST_HP: Final = 999
_SEED: Final = "seed:"

_UNIT: Final = re.compile(
    r"(?:(?P<count>\d{1,3})\*)?(?P<key>[a-z][a-z0-9_]*)"
    r"(?::(?P<strength>\d{1,3}))?(?:\+(?P<personal>\d{1,3}))?(?:\^(?P<commanding>\d{1,3}))?"
    r"(?:/(?P<hp>[\d.]{1,14})(?:/(?P<max_hp>\d{1,3}))?)?(?P<marks>(?:@(?:ship|tower))*)"
)
_TERRAINS: Final = {terrain.name.lower(): terrain for terrain in Terrain}
_SITES: Final = {"none": Building.NONE, "ruin": Building.RUIN, "temple": Building.TEMPLE}
_CITIES: Final = ("city", "razed")
_SIDES: Final[Mapping[str, str]] = {"attack": "attackers", "defence": "defenders"}


class NamedBattle(Record, frozen=True):
    """A battle given in words: its ground, and both sides with their strengths."""

    terms: BattleTerms
    strengths: BattleStrengths


# -- a battle from words ---------------------------------------------------------------------------


def combat_options(words: Words, usual: CombatOptions) -> CombatOptions:
    """Read combat options from words; missing words mean those of ``usual``. See: LW-0.

    Raises:
        ValueError: a word does not fit.
    """
    intense = _chosen(words, "intense", ("off", "on"), "on" if usual.intense_combat else "off")
    return CombatOptions(
        cast("Any", _chosen(words, "rule", ("deterministic", "dice"), usual.combat_rule)),
        intense == "on",
        cast("Any", _chosen(words, "ships", ("fixed4", "capped4"), usual.ship_strength)),
        cast("Any", _chosen(words, "open", ("grass", "wide"), usual.open_ground)),
    )


def named_battle(words: Words, options: CombatOptions) -> NamedBattle:
    """Read a battle from words. See: LW-2.1, LW-2.2, LW-3.7.

    Raises:
        ValueError: a word does not fit.
    """
    target, start = _target(words), _start(words)
    fortified = _chosen(words, "fortified", ("no", "yes"), "no") == "yes"
    if fortified and not may_fortify(target):
        raise ValueError("a stack cannot be fortified there")
    terms = battle_terms(start, target, options, fortified=fortified)
    attackers = _line(words["attackers"], "attackers")
    defenders = _line(words["defenders"], "defenders")
    strengths = battle_strengths(attackers, defenders, terms, options)
    return NamedBattle(terms, strengths)


def _target(words: Words) -> BattleTile:
    """Read the tile of the defenders."""
    terrain = _TERRAINS[_chosen(words, "ground", tuple(_TERRAINS), "grass")]
    site = _chosen(words, "site", (*_SITES, *_CITIES), "none")
    slots = _whole(words.get("slots", "0"), "slots", armyset().limits.slots)
    neutral = _chosen(words, "owner", ("side", "neutral"), "side") == "neutral"
    if site in _SITES:
        if slots:
            raise ValueError("only cities have slots")
        return BattleTile(terrain, _SITES[site])
    level = defence_level(slots, neutral=neutral, razed=site == "razed")
    return BattleTile(terrain, Building.CITY, level)


def _start(words: Words) -> BattleTile:
    """Read the tile of the attackers; by default it has the defenders' terrain."""
    ground = words.get("ground", "grass")
    found = _chosen(words, "from", (*_TERRAINS, "city"), ground)
    if found == "city":
        return BattleTile(_TERRAINS[ground], Building.CITY)
    return BattleTile(_TERRAINS[found])


def _line(text: str, role: Literal["attackers", "defenders"]) -> tuple[Combatant, ...]:
    limit, first = (armyset().limits.stack, 1)
    if role == "defenders":
        limit, first = MOST_DEFENDERS, _FIRST_DEFENDER
    found: list[Combatant] = []
    for word in text.split(","):
        for army in _armies(word.strip(), first + len(found)):
            found.append(army)
            if len(found) > limit:
                raise ValueError(f"there can be no more than {limit} {role}")
    if not found:
        raise ValueError(f"there must be at least one of the {role}")
    return line_up(found, default_fight_order())


def _armies(word: str, number: int) -> Iterator[Combatant]:
    read = _UNIT.fullmatch(word)
    if read is None:
        raise ValueError(f"{word!r} is no unit such as 2*griffins, hero:7+2^1 or giants/0.875@ship")
    kind = units_by_key().get(read["key"])
    if kind is None:
        raise ValueError(f"there is no unit {read['key']!r}")
    if not kind.hero and (read["personal"] or read["commanding"]):
        raise ValueError(f"only heroes carry items, not {kind.key}")
    strength = int(read["strength"] or kind.strength)
    if not 1 <= strength <= armyset().combat.most_strength:
        raise ValueError(f"{word}: strength goes from 1 to 9")
    hp, max_hp = _hit_points(kind, read["hp"], read["max_hp"])
    for offset in range(int(read["count"] or 1)):
        yield Combatant(
            id=number + offset,
            type=kind.id,
            strength=strength,
            hp=hp,
            max_hp=max_hp,
            bonus=kind.flags,
            hero=kind.hero,
            aboard="@ship" in read["marks"],
            in_tower="@tower" in read["marks"],
            personal=int(read["personal"] or 0),
            commanding=int(read["commanding"] or 0),
        )


def _hit_points(kind: ArmysetUnit, hp: str | None, max_hp: str | None) -> tuple[int, int]:
    most = int(max_hp) if max_hp else kind.max_hp
    units = parsed_hp(hp) if hp else HIT_POINT * most
    if not 0 < units <= HIT_POINT * most or most > _MOST_HP:
        raise ValueError(f"{kind.key}: {hp} of {most} hit points cannot be")
    return units, most


def _chosen(words: Words, name: str, choices: tuple[str, ...], usual: str) -> str:
    word = words.get(name, usual)
    if word not in choices:
        raise ValueError(f"{name} {word!r} is none of {', '.join(choices)}")
    return word


def _whole(text: str, what: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text) or int(text) > most:
        raise ValueError(f"{what}: {text!r} is no whole number from 0 to {most}")
    return int(text)


def told_dice(words: Words) -> Dice:
    """Return the dice for a tool: scripted throws, or those of a seed.

    Raises:
        ValueError: a throw is not a number.
    """
    text = words.get("dice", "")
    if text.startswith(_SEED):
        return Seeded(text.removeprefix(_SEED).encode(), 0, "calc")
    parts = text.split(",") if text else []
    return Scripted([_whole(part, "dice", 100) for part in parts])


# -- reports ---------------------------------------------------------------------------------------


_LAYERS: Final = (
    "place", "unit", "base", "items", "terrain", "cap", "stack", "enemy", "least", "strength",
)  # fmt: skip
"""Columns of a strength table."""


def unit_key(army: Combatant) -> str:
    """Return the key of a unit's type."""
    return unit_types()[army.type].key


def strength_table(
    strengths: BattleStrengths, _options: CombatOptions, _words: Words, name_of: NameOf
) -> ToolReport:
    """Report the strengths of both sides, one column per layer. See: LW-3.7."""
    rows = tuple(
        (side, *row) for side, of in _sides(strengths) for row in side_table(of, name_of).rows
    )
    return ToolReport(("side", *_LAYERS), rows, _bonus_lines(strengths))


def side_table(side: SideStrength, name_of: NameOf) -> ToolReport:
    """Report the strengths of one side, one column per layer. See: LW-3.7."""
    pairs = zip(side.line, side.armies, strict=True)
    rows = tuple(
        (place, *_layers(name_of(army), told)) for place, (army, told) in enumerate(pairs, 1)
    )
    return ToolReport(_LAYERS, rows)


def battle_table(
    strengths: BattleStrengths, options: CombatOptions, words: Words, name_of: NameOf
) -> ToolReport:
    """Report one battle, hit by hit. See: LW-5, LW-4.3.

    Raises:
        ValueError: the dice do not fit.
    """
    dice = told_dice(words)
    try:
        course = battle(dice, strengths, options)
    except WrongThrow as fault:
        thrown = len(dice.thrown)
        raise ValueError(f"the dice do not fit after {thrown} throws: {fault}") from None
    columns = ("hit", "side", "hitter", "target", "damage", "left", "shown")
    named = dict(_named(strengths, name_of))
    rows = tuple(
        (
            hit.time,
            "attack" if hit.by_attacker else "defence",
            named[hit.hitter][1],
            named[hit.target][1],
            exact_text(hit.damage),
            exact_text(hit.hp),
            hp_text(hit.hp, named[hit.target][0].max_hp),
        )
        for hit in course.hits
    )
    return ToolReport(columns, rows, (_told_end(course), *_bonus_lines(strengths)))


def forecast_table(
    strengths: BattleStrengths, options: CombatOptions, _words: Words, name_of: NameOf
) -> ToolReport:
    """Report the forecast of a battle. See: LW-7."""
    found = forecast(strengths, options)
    left = {"attack": found.attackers_hp, "defence": found.defenders_hp}
    rows = tuple(
        (
            side,
            place,
            name_of(army),
            final,
            exact_text(army.hp),
            exact_text(left[side][place - 1]) if left[side] else None,
        )
        for side, of in _sides(strengths)
        for place, (army, final) in enumerate(zip(of.line, of.final, strict=True), 1)
    )
    columns = ("side", "place", "unit", "strength", "hit points", "left")
    return ToolReport(columns, rows, (_told_chance(found), *_bonus_lines(strengths)))


def healing_table(line: Sequence[Combatant], name_of: NameOf) -> ToolReport:
    """Report the hit points of wounded armies, phase by phase, until healed. See: LW-6.5."""
    rows: list[tuple[int | str, ...]] = []
    for place, army in enumerate(line, 1):
        hp, phase = army.hp, 0
        while hp < HIT_POINT * army.max_hp:
            hp, phase = healed(hp, army.max_hp), phase + 1
            rows.append((place, name_of(army), phase, exact_text(hp), hp_text(hp, army.max_hp)))
    remark = f"{len({row[0] for row in rows})} of {len(line)} armies are wounded."
    return ToolReport(("place", "unit", "phase", "hit points", "shown"), tuple(rows), (remark,))


def _sides(strengths: BattleStrengths) -> tuple[tuple[str, SideStrength], ...]:
    return ("attack", strengths.attackers), ("defence", strengths.defenders)


def _layers(key: str, told: ArmyStrength) -> tuple[int | str, ...]:
    layers = (told.base, told.personal, told.terrain, told.cap, told.stack)
    return (key, *layers, told.debuff, told.floor, told.final)


def _named(
    strengths: BattleStrengths, name_of: NameOf
) -> Iterator[tuple[int, tuple[Combatant, str]]]:
    """Yield each army's id, the army, and a text: its place in line, its unit and its strength."""
    for _, side in _sides(strengths):
        for place, (army, final) in enumerate(zip(side.line, side.final, strict=True), 1):
            yield army.id, (army, f"{place} {name_of(army)} {final}")


def _bonus_lines(strengths: BattleStrengths) -> tuple[str, ...]:
    """Describe each side's stack bonus and debuff, with their parts. See: LW-3.3 to LW-3.6."""
    lines = []
    for side, of in _sides(strengths):
        parts = ", ".join(
            f"{part.source} +{part.value}"
            + (" (cancelled)" if part.cancelled_by != NO_ARMY else "")
            for part in of.parts
        )
        loss = f"; the enemy takes {of.debuff} away" if of.debuff else ""
        lines.append(f"Bonus of the {_SIDES[side]} +{of.bonus}: {parts or 'nothing'}{loss}")
    return tuple(lines)


def _told_end(course: BattleCourse) -> str:
    winner = "attackers" if course.attackers_won else "defenders"
    hp = course.attackers_hp if course.attackers_won else course.defenders_hp
    alive = [exact_text(left) for left in hp if left]
    return f"The {winner} win; {len(alive)} of {len(hp)} live, with {', '.join(alive)} hit points."


def _told_chance(found: CombatForecast) -> str:
    if found.attackers_hp:
        return f"The {'attackers' if found.chance else 'defenders'} win for certain."
    how = "" if found.exact else f", by {armyset().combat.trials} trials"
    return f"The attackers win with {found.chance:.4f}{how}."


# -- tools -----------------------------------------------------------------------------------------


_TROOPS: Final = (
    Argument("attackers", "word", "unit keys as 2*griffins,hero:7+2^1,giants/0.875@ship"),
    Argument("defenders", "word", "the same for those who defend; @tower: in a tower"),
)
_FIELD: Final = (
    Argument("ground", "word", "terrain of the defenders: " + ", ".join(_TERRAINS), required=False),
    Argument(
        "from",
        "word",
        "ground of the attackers, if it is another: a terrain, or city",
        required=False,
    ),
    Argument("site", "word", "none, ruin, temple, city or razed", required=False),
    Argument("slots", "number", "filled slots of the city", required=False),
    Argument("owner", "word", "whose the city is: side or neutral", required=False),
    Argument("fortified", "word", "yes or no: whether a defending stack is", required=False),
    Argument("intense", "word", "on or off: intense combat", required=False),
    Argument("rule", "word", "deterministic or dice", required=False),
    Argument("ships", "word", "fixed4 or capped4: strength of ships", required=False),
    Argument("open", "word", "grass or wide: what open ground is", required=False),
)
THROWS: Final = Argument(
    "dice", "word", "throws as 7,12,...: the attacker's first; or seed:WORD", required=False
)

BattleReport: TypeAlias = Callable[[BattleStrengths, CombatOptions, Words, NameOf], ToolReport]

BattleReportRow: TypeAlias = tuple[str, str, tuple[Argument, ...], BattleReport]
"""Tool name, text, arguments, and the function that makes the report."""

_REPORTS: Final[tuple[BattleReportRow, ...]] = (
    ("strength", "Strengths of units, layer by layer.", (*_TROOPS, *_FIELD), strength_table),
    ("battle", "One battle of units, hit by hit.", (*_TROOPS, THROWS, *_FIELD), battle_table),
    ("odds", "The forecast of a battle of units.", (*_TROOPS, *_FIELD), forecast_table),
)


def report_tools(
    rows: Iterable[BattleReportRow], answer: Callable[[BattleReport, Any, Words], ToolReport]
) -> Iterator[Tool]:
    """Yield the tools of some reports, which ``answer`` makes of a position and a call's words."""
    for name, text, arguments, report in rows:
        yield FunctionTool(name, text, arguments, partial(answer, report))


def battle_tools(options_of: Callable[[Any], CombatOptions]) -> tuple[Tool, ...]:
    """Return the battle tools of ``calc``; options that a call omits are the position's."""

    def answer(report: BattleReport, state: Any, words: Words) -> ToolReport:
        options = combat_options(words, options_of(state))
        return report(named_battle(words, options).strengths, options, words, unit_key)

    return (
        *report_tools(_REPORTS, answer),
        FunctionTool(
            "healing",
            "Hit points of wounded units after each upkeep phase.",
            (Argument("armies", "word", "unit keys as giants/0.875,hero/4.5/6"),),
            lambda _, words: healing_table(_line(words["armies"], "defenders"), unit_key),
        ),
    )
