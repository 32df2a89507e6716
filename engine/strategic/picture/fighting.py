"""Battles: words for bonuses, and the events of fighting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from engine.core.record import replace
from engine.kit.grid import Place
from engine.strategic import events as ev
from engine.strategic.battle_records import Battleground, BattleLine, Lineup, Support
from engine.strategic.events.battle import Part
from engine.strategic.heroes import title
from engine.strategic.picture import ranks
from engine.strategic.picture.context import NARRATION, PictureContext, facts, losses, tells
from engine.strategic.picture.style import BattleTale
from engine.strategic.picture.words import does, plain_kind, seat_of, verb
from engine.strategic.pieces import CLASSES, NOBODY, NONE, UNKNOWN_TYPE, Army
from engine.strategic.refusal import Topic
from engine.tabletop.board import Line
from engine.tabletop.english import joined, many
from engine.tabletop.fact import EventMoment, Fact, LossRow
from engine.tabletop.narration import mood
from engine.tabletop.roles import Tone

# -- words --------------------------------------------------------------------------------------

_SOURCES: Final = {
    "leader": "leader",
    "command": "command items",
    "standard": "standard",
    "pack": "pack",
    "works": "field works",
    "defence": "walls",
    "cap": "at most that",
    "foe": "foes'",
    "own": "own",
    "weapons": "weapons",
    "aboard": "on a ship",
    "limit": "limit",
}


def own_bonuses(reasons: Iterable[Part]) -> str:
    """Return the bonuses of a single army in brackets; empty without any."""
    told_of = [f"{_SOURCES[part.source]} {part.value:+}" for part in reasons if part.value]
    return f" ({', '.join(told_of)})" if told_of else ""


def bonus_text(context: PictureContext, part: Part) -> str:
    """Describe a part of a bonus, such as ``pack +1 Pegasi``; in brackets if the foe cancels it."""
    text = f"{_SOURCES[part.source]} {part.value:+}"
    if part.army != NONE:
        text += f" {context.named(part.army)}"
    return f"({text}, cancelled)" if part.cancelled else text


# -- events ----------------------------------------------------------------------------------------

_CHANCES: Final = 1_000_000
"""Denominator of chances in facts."""

_ROUNDS: Final = 12
"""Maximum rounds of a duel to list; of longer duels the last ones are listed."""

_GROUND: Final = dict(
    zip(CLASSES, ("behind walls", "in the open", "in woods", "in hills"), strict=True)
)


@tells(ev.BattleFought)
def _tell_fought(event: ev.BattleFought, context: PictureContext) -> Iterator[Line]:
    """Report a battle; lines between its beginning and its result are details."""
    for line in _course(event, context):
        yield replace(line, is_detail=True) if line.group else line


def _course(event: ev.BattleFought, context: PictureContext) -> Iterator[Line]:
    """Yield both lines of a battle, the bonuses, the blows and the result."""
    attacker, defender = context.side_name(event.attacker), context.side_name(event.defender)
    at, tale = event.at, _tale(event).group
    attacks = does(event.attacker, "attacks", "attack")
    ground = _GROUND.get(event.ground, plain_kind(event.ground))
    text = f"{attacker} {attacks} {defender} {context.place(at)}, {ground}"
    if event.betrayal:
        text += ", and breaks the treaty"
    topic: Topic = "betrayal" if event.betrayal else "attack"
    yield context.say(text, topic, event.attacker, at=at, tone=Tone.STRONG)
    for side, line in ((event.attacker, event.attackers), (event.defender, event.defenders)):
        text = f"{context.side_name(side)}: {_line(context, line)}"
        if _is_known(event):
            yield context.say(text, "strength", side, at=at, tone=Tone.QUIET, group=tale)
    yield from _reasons(context, event, tale)
    if context.style.blows is not None:
        yield from context.style.blows(context, _tale(event))
    else:
        yield from _duels(context, event, tale)
    yield _result(context, event)


def _tale(event: ev.BattleFought) -> BattleTale:
    """Return the battle of an event as the record that rulesets describe."""
    sides, lines = (event.attacker, event.defender), (event.attackers, event.defenders)
    group = f"battle at {event.at[0]},{event.at[1]}"
    return BattleTale(event.at, event.start, sides, *lines, event.duels, event.wounds or (), group)


def moments(event: object, before: PictureContext) -> Iterator[EventMoment]:
    """Yield the moments of a battle; none if the viewer does not know the types that fought."""
    if isinstance(event, ev.BattleFought) and _is_known(event):
        tale = _tale(event)._replace(chance=_attack_chance(event, before))
        yield from (before.style.moments or ranks.moments)(before, tale)


def _duels(context: PictureContext, event: ev.BattleFought, tale: str) -> Iterator[Line]:
    """Report the duels of a battle and the life left to the survivors."""
    fighters = _tale(event).fighters
    for duel in event.duels if _is_known(event) else ():
        yield _duel(context, event, duel, fighters, tale)
    for number, lost in event.wounds or ():
        if lost and (hp := fighters[number].hp):
            text = f"{fighter_name(context, fighters[number])}: {_health(hp.most, lost)}"
            yield context.say(text, "aftermath", at=event.at, tone=Tone.QUIET, group=tale)


def _is_known(event: ev.BattleFought) -> bool:
    """Return whether the viewer knows the types of all armies that fought."""
    return all(one.type != UNKNOWN_TYPE.id for one in (*event.attackers, *event.defenders))


def _health(most: int, lost: int) -> str:
    """Return the share of hit points left as text, rounded up."""
    return f"{-(-100 * (most - lost) // max(most, 1))} % of life left"


@tells(ev.ArmiesHealed)
def _tell_healed(event: ev.ArmiesHealed, context: PictureContext) -> Iterator[Line]:
    for number, lost in event.wounds:
        army = context.world.armies.get(number)
        if army is not None and army.hp:
            how = verb([army], "recovers", "recover")
            how += f": {_health(army.hp.most, lost)}" if lost else " fully"
            text = f"{context.army_name(army)} {how}"
            yield context.say(text, "refill", army.owner, at=army.at, tone=Tone.QUIET)


def _reasons(context: PictureContext, event: ev.BattleFought, tale: str) -> Iterator[Line]:
    """Report the parts of each side's bonus."""
    for side, parts in ((event.attacker, event.helped), (event.defender, event.covered)):
        if parts:
            total = sum(part.value for part in parts if not part.cancelled)
            why = joined([bonus_text(context, part) for part in parts])
            text = f"{context.side_name(side)}: bonus {total:+} ({why})"
            yield context.say(text, "strength", side, at=event.at, tone=Tone.QUIET, group=tale)


def _line(context: PictureContext, line: Iterable[ev.Fighter]) -> str:
    return ", ".join(f"{fighter_name(context, one)} {_explained(context, one)}" for one in line)


def fighter_name(context: PictureContext, one: ev.Fighter) -> str:
    """Return a known hero's name, else the event's type, which may have been hidden before."""
    army = context.world.armies.get(one.army)
    if army is not None and army.type != UNKNOWN_TYPE.id:
        return context.army_name(army)
    return context.type_name(one.type)


def _explained(context: PictureContext, one: ev.Fighter) -> str:
    """Return the strength in a battle, with own strength and bonus in brackets: ``5 (3+2)``."""
    army, kind = context.world.armies.get(one.army), context.world.types.get(one.type)
    own = army.strength if army is not None else kind.strength if kind is not None else 0
    more = one.strength - own
    return f"{one.strength} ({own}{more:+})" if more and own else str(one.strength)


def _duel(
    context: PictureContext,
    event: ev.BattleFought,
    duel: ev.Duel,
    fighters: dict[int, ev.Fighter],
    tale: str,
) -> Line:
    mine, theirs = fighters[duel.attacker], fighters[duel.defender]
    winner, loser = (mine, theirs) if duel.won else (theirs, mine)
    slays = fighter_verb(context, winner, "slays", "slay")
    text = (
        f"{fighter_name(context, winner)} ({winner.strength}) {slays}"
        f" {fighter_name(context, loser)} ({loser.strength}) {_thrown(duel.dice, won=duel.won)}"
    )
    if duel.shielded:
        text += ", unharmed"
    side = event.defender if duel.won else event.attacker
    return context.say(text, "dice", side, at=event.at, tone=Tone.QUIET, group=tale)


def _thrown(dice: tuple[int, ...], *, won: bool) -> str:
    """Return the number of rounds, and the dice of victor and loser in each, as ``7:15``.

    The defender throws first; ``won``: the attacker is the victor.
    """
    first, second = (dice[1::2], dice[::2]) if won else (dice[::2], dice[1::2])
    pairs = list(zip(first, second, strict=False))
    told = [f"{mine}:{theirs}" for mine, theirs in pairs[-_ROUNDS:]]
    shown = " ".join((["…"] if len(pairs) > _ROUNDS else []) + told)
    return f"in {many(len(pairs), 'round')}: {shown}"


def fighter_verb(context: PictureContext, one: ev.Fighter, single: str, several: str) -> str:
    """Return the verb for a fighter: names of types are plural, a hero is singular."""
    army, kind = context.world.armies.get(one.army), context.world.types.get(one.type)
    is_hero = kind is not None and "hero" in kind.traits  # the army may have fallen
    return single if is_hero or (army is not None and army.hero is not None) else several


def fallen(event: ev.BattleFought) -> tuple[tuple[ev.Fighter, ...], tuple[ev.Fighter, ...]]:
    """Return the fallen attackers and the fallen defenders; each duel has one loser."""
    lost = {duel.attacker for duel in event.duels if not duel.won}
    beaten = {duel.defender for duel in event.duels if duel.won}
    return (
        tuple(one for one in event.attackers if one.army in lost),
        tuple(one for one in event.defenders if one.army in beaten),
    )


def _result(context: PictureContext, event: ev.BattleFought) -> Line:
    winner, loser = event.attacker, event.defender
    if not event.won:
        winner, loser = loser, winner
    attackers, defenders = (
        joined(context.kinds(one.type for one in dead)) or "nobody" for dead in fallen(event)
    )
    lost, slain = (attackers, defenders) if event.won else (defenders, attackers)
    wins = f"{does(winner, 'wins', 'win')} {context.place(event.at)}"
    loses, slays = does(winner, "loses", "lose"), does(winner, "slays", "slay")
    text = f"{context.side_name(winner)} {wins}, {slays} {slain}, {loses} {lost}"
    return context.say(text, "aftermath", winner, at=event.at, tone=mood(context, winner, loser))


@facts(ev.BattleFought)
def _fought_facts(
    event: ev.BattleFought, before: PictureContext, _: PictureContext
) -> Iterator[Fact]:
    """Yield the attack with its chance, and the losses of both sides."""
    attackers, defenders = fallen(event)
    one, other = seat_of(event.attacker), seat_of(event.defender)
    yield Fact(
        "attack",
        one,
        other,
        at=event.at,
        source=event.start if event.start != event.at else None,
        piece=_types(before, event.attackers),
        target=_types(before, event.defenders),
        won=event.won,
        chance=_attack_chance(event, before) if _is_known(event) else None,
        in_hindsight=_was_hidden(event, before),
        amount=len(defenders),
    )
    yield from _losses(before, attackers, one, other, event.at)
    yield from _losses(before, defenders, other, one, event.at)


def _was_hidden(event: ev.BattleFought, before: PictureContext) -> bool:
    """Return whether the attackers did not know all that the defenders' strengths count."""
    secrecy, types = before.settings.moving.secrecy, before.world.types
    if event.defender == NOBODY:
        return False
    has_hero = any("hero" in types[one.type].traits for one in event.defenders if one.type in types)
    return secrecy.armies or (has_hero and secrecy.worn is None)


def _attack_chance(event: ev.BattleFought, before: PictureContext) -> tuple[int, int] | None:
    """Return the attackers' chance by the event's strengths; None if armies have hit points."""
    shielded = {duel.attacker for duel in event.duels if duel.shielded}
    first, second = (
        BattleLine(line, Support(0, ()), ((),) * len(line))
        for line in (event.attackers, event.defenders)
    )
    safe = tuple(one.army in shielded for one in event.attackers)
    fighting = before.settings.fighting
    found = fighting.odds(fighting, Lineup(Battleground(event.ground), first, second, safe))
    if found.attackers_hp:
        return None
    likely = round(found.chance * _CHANCES)
    return min(max(likely, 1 if event.won else 0), _CHANCES - (0 if event.won else 1)), _CHANCES


def _types(context: PictureContext, line: Iterable[ev.Fighter]) -> str:
    return ", ".join(
        f"{len(list(same))} {context.type_name(kind)}"
        for kind, same in groupby(line, key=lambda one: one.type)
    )


def _losses(
    context: PictureContext, dead: Iterable[ev.Fighter], seat: int, foe: int, at: Place
) -> Iterator[Fact]:
    dead = tuple(dead)
    for kind, count in Counter(one.type for one in dead).items():
        worth = sum(_own_strength(context, one) for one in dead if one.type == kind)
        name = context.type_name(kind)
        yield Fact("loss", seat, foe, at=at, piece=name, amount=count, worth=worth)


def _own_strength(context: PictureContext, one: ev.Fighter) -> int:
    """Return a fighter's strength without the bonuses of the battle, as far as it is known."""
    army, kind = context.world.armies.get(one.army), context.world.types.get(one.type)
    if army is not None and army.strength:
        return army.strength
    return kind.strength if kind is not None else 0


_LOSS_TOPICS: Final[dict[str, Topic]] = {"battle": "aftermath", "guardian": "search"}

_CAUSES: Final = {
    "side_out": "their side is out",
    "transit": "lost on the way",
    "resigned": "gave up",
}

_GONE: Final = {
    "disbanded": ("is disbanded", "are disbanded"),
    "side_out": ("vanishes with its side", "vanish with their side"),
    "transit": ("is lost on the way", "are lost on the way"),
    "resigned": ("vanishes with its side", "vanish with their side"),
    "item": ("falls to an item", "fall to an item"),
}
"""Sentences on one army and on several, by the reason for which they are removed."""

_LEFT: Final = frozenset({"disbanded", "side_out", "resigned"})
"""Reasons for which armies are removed that no enemy has beaten."""


@tells(ev.ArmiesRemoved)
def _tell_removed(event: ev.ArmiesRemoved, context: PictureContext) -> Iterator[Line]:
    """Report armies lost outside battles."""
    if event.reason in _GONE:
        count = len(event.armies)
        gone = _GONE[event.reason][count > 1]
        text = f"{many(count, 'army', 'armies')} {gone}"
        yield context.say(text, "command", NOBODY, tone=Tone.QUIET)


@facts(ev.ArmiesRemoved)
def _removed_facts(
    event: ev.ArmiesRemoved, before: PictureContext, _: PictureContext
) -> Iterator[Fact]:
    """Yield the losses outside battles; losses in a battle are facts of that battle."""
    if event.reason == "battle":
        return
    for number in event.armies:
        army = before.world.armies.get(number)
        if army is not None:
            yield Fact(
                "loss",
                seat_of(army.owner),
                at=army.at,
                piece=before.army_name(army),
                amount=1,
                worth=0 if event.reason in _LEFT else army.strength,
            )


@losses(ev.BattleFought, ev.ArmiesRemoved)
def _army_losses(
    event: ev.BattleFought | ev.ArmiesRemoved, before: PictureContext, after: PictureContext
) -> Iterator[LossRow]:
    """Yield a row for each fact of the event that is a loss."""
    cause = "battle" if isinstance(event, ev.BattleFought) else event.reason
    rule = after.rule(_LOSS_TOPICS.get(cause, "command"))
    for fact in NARRATION.facts_of(event, before, after):
        if fact.kind == "loss":
            count = fact.amount or 1
            what = f"{count} {fact.piece}" if count > 1 else fact.piece
            place = before.where(fact.at) if fact.at is not None else ""
            told = _CAUSES.get(cause, cause)
            yield LossRow(fact.seat, what, told, count, fact.other, place, fact.at, rule)


@tells(ev.ArmiesGrew)
def _tell_grew(event: ev.ArmiesGrew, context: PictureContext) -> Iterator[Line]:
    for army in event.armies:
        text = _grown(context, army, event.reason)
        topic: Topic = "level" if event.reason in {"experience", "level"} else "aftermath"
        quiet = event.reason == "experience" or army.owner != context.viewer
        tone = Tone.QUIET if quiet else Tone.GOOD
        yield context.say(text, topic, army.owner, at=army.at, tone=tone)


def _grown(context: PictureContext, army: Army, reason: str) -> str:
    name = context.army_name(army)
    match reason:
        case "experience" if army.xp:
            return f"{name}: {army.xp} experience"
        case "experience":
            return f"{name} {verb([army], 'gains', 'gain')} experience"
        case "medal":
            medal = "a medal" if army.medals == 1 else f"medal {army.medals}"
            return f"{name} {verb([army], 'earns', 'earn')} {medal}, strength {army.strength}"
        case "level":
            rank = title(context.settings.heroes.levels, army)
            return f"{name} becomes {rank}: strength {army.strength}, {army.max_move} moves"
        case _:
            return f"{name} {verb([army], 'is', 'are')} blessed: strength {army.strength}"


NARRATION.silent(ev.DeedsCounted)
