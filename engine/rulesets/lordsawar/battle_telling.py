"""Describe battles: forecast, course blow by blow, animation, and combat log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from engine.core.dice import Seeded
from engine.kit.grid import Place
from engine.rulesets.lordsawar.battle_records import HIT_POINT, BattleHit
from engine.rulesets.lordsawar.describing import bar, health, hp_text
from engine.rulesets.lordsawar.hit_points import damage_text, exact_text, log_hp_text
from engine.rulesets.lordsawar.lineup import hits_of, most_units, units_left
from engine.rulesets.lordsawar.state import View
from engine.strategic.battle import defenders_at
from engine.strategic.events.battle import Duel, Fighter
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.fighting import fighter_name, fighter_verb
from engine.strategic.picture.forecast import Outlook, expected_name, expected_verb, odds_lines
from engine.strategic.picture.ranks import Ranks
from engine.strategic.picture.style import BattleTale
from engine.strategic.picture.words import seat_of
from engine.strategic.pieces import NOBODY, Army
from engine.tabletop.board import Line
from engine.tabletop.english import many
from engine.tabletop.fact import EventMoment
from engine.tabletop.roles import Tone

# -- forecast --------------------------------------------------------------------------------------

_NO_DICE: Final = Seeded(b"forecast", 0, "no dice are thrown")


def forecast_lines(
    context: PictureContext, outlook: Outlook, group: Sequence[Army], at: Place
) -> Iterator[Line]:
    """Yield the forecast of a battle: result, duels and survivors. See: LW-7, LW-8."""
    found, lineup = outlook.forecast, outlook.forecast.lineup
    side, state = context.viewer, context.world
    if lineup is None:
        return
    there = defenders_at(state, at, side)
    owner = there[0].owner if there else NOBODY
    good = found.chance >= 0.5
    tone = Tone.GOOD if good else Tone.BAD
    if _has_dice(context):
        yield from odds_lines(context, outlook, len(group), at)
    else:
        sure = ", if they are average armies" if outlook.is_strange else " for certain"
        yield context.note(f"{'Win' if good else 'Lose'}{sure}", "dice", side, at=at, tone=tone)
        fighting = context.settings.fighting
        duels = fighting.fight(_NO_DICE, fighting, lineup)
        lines = (*lineup.attackers.fighters, *lineup.defenders.fighters)
        winners = lineup.attackers.fighters if good else lineup.defenders.fighters
        yield from _left(context, winners, duels, (side if good else owner, at))
        yield context.note("Blow by blow:", "dice", side, at=at, tone=Tone.STRONG)
        for duel in duels:
            yield context.note(f" {_course(context, duel, lines)}", "dice", side, at=at)


def _has_dice(context: PictureContext) -> bool:
    state: Any = context.world
    return bool(state.options.combat_rule == "dice")


def _left(
    context: PictureContext,
    winners: Sequence[Fighter],
    duels: Sequence[Duel],
    where: tuple[int, Place],
) -> Iterator[Line]:
    """Yield the survivors with their remaining hit points. See: LW-7."""
    yield context.note("Left then:", "dice", where[0], at=where[1], tone=Tone.STRONG)
    for one in winners:
        most, left = health(one)[1], health(one)[0] - taken(one.army, duels)
        if left > 0 or not most:
            life = f" {hp_text(left, most)} hp {bar(left, most)}" if most else ""
            text = f" {expected_name(context, one)}{life}"
            yield context.note(text, "dice", where[0], at=where[1])


def taken(army: int, duels: Sequence[Duel]) -> int:
    """Sum the hit points, in units, that an army loses in duels, overkill included. See: LW-5."""
    lost = 0
    for duel in duels:
        lost += sum(hit for hit in duel.dice if hit > 0 and army == duel.defender)
        lost -= sum(hit for hit in duel.dice if hit < 0 and army == duel.attacker)
    return lost


def _course(context: PictureContext, duel: Duel, lines: Sequence[Fighter]) -> str:
    """Describe a duel: its winner, its loser and the number of blows. See: LW-5."""
    by_army = {one.army: one for one in lines}
    attacker, defender = by_army[duel.attacker], by_army[duel.defender]
    winner, loser = (attacker, defender) if duel.won else (defender, attacker)
    beats = expected_verb(context, winner, "beats", "beat")
    names = expected_name(context, winner), expected_name(context, loser)
    return f"{names[0]} {beats} {names[1]}: {duel_course(duel.dice)}"


def duel_course(hits: tuple[int, ...]) -> str:
    """Describe the blows of a duel by their damage; the attackers' are positive. See: LW-5, LW-8.

    >>> duel_course((3456, -2016, 3456))
    '2 blows of 1.20 against 1 of 0.70'
    """
    given, got = [hit for hit in hits if hit > 0], [-hit for hit in hits if hit < 0]
    if not hits or hits[-1] < 0:
        given, got = got, given
    text = f"{many(len(given), 'blow')} of {damage_text(given[0])}" if given else "nothing"
    return f"{text} against {len(got)} of {damage_text(got[0])}" if got else text


# -- the combat log ------------------------------------------------------------------------------

_TURN: Final = "fight.cpp: 302: [COMBAT] === Turn {hit.time} ({side}'s turn) ==="
_HIT: Final = (
    "fight.cpp: 671: [COMBAT] Round {hit.time}: {hitter} ({hit.hitter}) hits {target} "
    "({hit.target}) for {damage} damage. Defender HP: {hp}/{max_hp}"
)
_DEATH: Final = "fight.cpp: 325: [COMBAT] {target} ({hit.target}) DIED!"


def hit_lines(hit: BattleHit, hitter: str, target: str, max_hp: int) -> Iterator[str]:
    """Yield the log lines of one hit: the turn, the hit, and a death. See: LW-8."""
    side = "Attacker" if hit.by_attacker else "Defender"
    yield _TURN.format(hit=hit, side=side)
    yield _HIT.format(
        hit=hit,
        hitter=hitter,
        target=target,
        damage=damage_text(hit.damage),
        hp=log_hp_text(hit.hp),
        max_hp=max_hp,
    )
    if not hit.hp:
        yield _DEATH.format(hit=hit, target=target)


# -- blow by blow ---------------------------------------------------------------------


def blows(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Yield the blows of a battle, or its log, and then the survivors.

    Rules: LW-8.2. See: LW-5, LW-7.
    """
    logged = cast("View", context.world).options.combat_log == "on"
    tell = _log if logged else _blows
    yield from tell(context, tale)
    yield from _survivors(context, tale)


def _blows(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Yield the blows in order: striker, victim, damage and hit points left. See: LW-5, LW-8."""
    fighters = tale.fighters
    for hit in _hits(tale):
        hitter, target = fighters[hit.hitter], fighters[hit.target]
        name, other = fighter_name(context, hitter), fighter_name(context, target)
        hits = fighter_verb(context, hitter, "hits", "hit")
        falls = fighter_verb(context, target, "falls", "fall")
        rest = (
            f", {other} {falls}"
            if not hit.hp
            else f" ({exact_text(hit.hp)} of {_most(target)} left)"
        )
        text = f"{name} {hits} {other} for {exact_text(hit.damage)}{rest}"
        yield _said(context, tale, text, _side(tale, hit))


def _log(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Yield the blows as log lines, letter for letter as in the original. See: LW-8."""
    fighters, rule = tale.fighters, context.rule("dice")
    for hit in _hits(tale):
        target = fighters[hit.target]
        names = fighter_name(context, fighters[hit.hitter]), fighter_name(context, target)
        for text in hit_lines(hit, *names, _most(target)):
            yield Line(text, Tone.QUIET, seat_of(_side(tale, hit)), rule, tale.at)


def _survivors(context: PictureContext, tale: BattleTale) -> Iterator[Line]:
    """Yield the remaining hit points of wounded survivors. See: LW-7, LW-8."""
    attackers = {one.army for one in tale.attackers}
    for number, lost in tale.wounds:
        one = tale.fighters[number]
        left = most_units(one) - lost
        shown, exact = hp_text(left, most_units(one)), exact_text(left)
        text = f"{fighter_name(context, one)}: {shown} hit points left ({exact})"
        yield _said(context, tale, text, tale.sides[number not in attackers])


def _said(context: PictureContext, tale: BattleTale, text: str, side: int) -> Line:
    return context.say(text, "dice", side, at=tale.at, tone=Tone.QUIET, group=tale.group)


def _most(one: Fighter) -> int:
    """Return the maximum hit points of a fighter, in whole points."""
    return most_units(one) // HIT_POINT


def _hits(tale: BattleTale) -> tuple[BattleHit, ...]:
    """Return the blows of a battle in order. See: LW-5."""
    return hits_of(tale.attackers, tale.defenders, tale.duels)


def _side(tale: BattleTale, hit: BattleHit) -> int:
    return tale.sides[not hit.by_attacker]


# -- animation -------------------------------------------------------------------------------------


def moments(context: PictureContext, tale: BattleTale) -> Iterator[EventMoment]:
    """Yield a battle blow by blow, with the life of both ranks. See: LW-5, LW-8."""
    ranks = Ranks(context, tale)
    hits = _hits(tale)
    left = {number: units_left(one) for number, one in tale.fighters.items()}
    yield ranks.opening(_bars(tale, left))
    for number, hit in enumerate(hits, 1):
        left[hit.target] = hit.hp
        title = f"Blow {number} of {len(hits)}"
        signs = {hit.hitter: ">", hit.target: "<"}
        yield ranks.moment(title, _bars(tale, left), signs, f"damage {damage_text(hit.damage)}")
    yield ranks.ending(_bars(tale, left))


def _bars(tale: BattleTale, left: Mapping[int, int]) -> dict[int, str]:
    """Return the life of the surviving armies as bars and hit points, by army."""
    return {
        number: f"{bar(left[number], most_units(one))} {hp_text(left[number], most_units(one))}"
        for number, one in tale.fighters.items()
        if left[number]
    }
