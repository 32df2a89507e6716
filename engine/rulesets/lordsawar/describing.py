"""Texts of this game: hit points, conditions, abilities, items, sites, and some events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar.battle_records import HIT_POINT
from engine.rulesets.lordsawar.hit_points import healing, log_hp_text
from engine.rulesets.lordsawar.items import powered
from engine.rulesets.lordsawar.kinds import flag_names
from engine.rulesets.lordsawar.lineup import type_flags
from engine.rulesets.lordsawar.state import NO_PROPOSAL
from engine.rulesets.lordsawar.tables import ArmysetItem, armyset, unit_types, units_by_key
from engine.strategic.events.battle import Fighter
from engine.strategic.picture.context import PictureContext, facts, tells
from engine.strategic.picture.heroes import survival
from engine.strategic.picture.style import WOUNDS, ArmyWords
from engine.strategic.pieces import UNKNOWN_TYPE, Army, Item, ItemPowers, Site, UnitType
from engine.tabletop.board import Line
from engine.tabletop.english import joined, many
from engine.tabletop.fact import Fact
from engine.tabletop.roles import Tone

# -- hit points ------------------------------------------------------------------------------------

_CELLS: Final = 4
"""Cells of a life bar in sentences and tables; the panel has half as many."""


def whole(kind: int) -> int:
    """Return the full hit points of a type in units; 0 for an unknown type. See: LW-1."""
    row = unit_types().get(kind)
    return 0 if row is None else HIT_POINT * row.max_hp


def health(army: Army | Fighter) -> tuple[int, int]:
    """Return the hit points left and the maximum, in units. See: LW-1."""
    if army.hp:
        return army.hp.most - army.hp.lost, army.hp.most
    return whole(army.type), whole(army.type)


def hp_text(left: int, most: int) -> str:
    """Format hit points, rounded up, with the maximum. See: LW-8.

    >>> hp_text(2881, 5760), hp_text(2880, 5760)
    ('2/2', '1/2')
    """
    return f"{-(-left // HIT_POINT)}/{most // HIT_POINT}"


def bar(left: int, most: int, cells: int = _CELLS) -> str:
    """Draw a life bar in half cells; full only without a wound, empty only without life.

    >>> bar(5760, 5760), bar(5759, 5760), bar(2880, 5760), bar(1, 5760)
    ('████', '███▌', '██··', '▌···')
    """
    halves = 2 * cells
    filled = halves if left >= most else min(-(-halves * left // max(most, 1)), halves - 1)
    return ("█" * (filled // 2) + "▌" * (filled % 2)).ljust(cells, "·")


def rounds_to_heal(army: Army) -> int:
    """Return the number of upkeep phases until an army is healed. See: LW-6.5."""
    left, most = health(army)
    return -(-(most - left) // healing(most // HIT_POINT)) if left < most else 0


def wound_step(stack: Sequence[Army]) -> int:
    """Return the wounds of a stack as a step for its symbol: 0 whole, then thirds. See: LW-8."""
    left, most = _together(stack)
    return min(WOUNDS, 1 + WOUNDS * (most - left) // max(most, 1)) if left < most else 0


def share_left(stack: Sequence[Army]) -> int:
    """Return the percentage of hit points that a stack has left, rounded down. See: LW-8."""
    left, most = _together(stack)
    return 100 * left // max(most, 1)


def life_left(stack: Sequence[Army]) -> int:
    """Return the percentage of hit points left, at least 1; 0 if unknown. See: LW-8."""
    _, most = _together(stack)
    return max(1, share_left(stack)) if most else 0


def _together(stack: Sequence[Army]) -> tuple[int, int]:
    """Sum the hit points, left and maximum, of the armies whose type the viewer knows."""
    found = [health(army) for army in stack if army.type != UNKNOWN_TYPE.id]
    return sum(left for left, _ in found), sum(most for _, most in found)


# -- armies ----------------------------------------------------------------------------------------

_CONDITIONS: Final = (
    ("fortified", "fort", "fortified"),
    ("tower", "twr", "in a tower"),
    ("parked", "park", "parked"),
)
"""Field of a condition, its short text, and its text in sentences. See: LW-3.2, LW-1."""


def army_words(context: PictureContext, army: Army) -> ArmyWords:
    """Describe hit points, level and condition of an army. See: LW-8, LW-3.2, LW-10."""
    left, most = health(army)
    if not most:
        return ArmyWords()
    full = [f"hit points {hp_text(left, most)}"]
    if left < most:
        rest = many(rounds_to_heal(army), "round")
        full[0] += f" ({log_hp_text(left)} left, whole in {rest})"
    if army.hero is not None and army.level:
        full.append(f"level {army.level}")
    state: Any = context.world
    held = [row for row in _CONDITIONS if getattr(state.condition(army.id), row[0])]
    short = f" {bar(left, most, _CELLS // 2)} {hp_text(left, most)}"
    return ArmyWords(
        short + "".join(f" {word}" for _, word, _ in held), (*full, *(text for *_, text in held))
    )


def experience(context: PictureContext, army: Army) -> int | str:
    """Return the experience of an army, as text if it is a fraction. See: LW-6.2, LW-10."""
    state: Any = context.world
    found = Fraction(state.condition(army.id).xp)
    return int(found) if found.denominator == 1 else f"{round(float(found), 2):.2f}"


def is_parked(context: PictureContext, army: Army) -> bool:
    """Return whether an army is skipped when asking for the next one to move. See: LW-1."""
    state: Any = context.world
    return bool(state.condition(army.id).parked)


_ABILITIES: Final[Mapping[str, str]] = {
    "ADD1STRINOPEN": "+1 in the open",
    "ADD2STRINOPEN": "+2 in the open",
    "ADD1STRINFOREST": "+1 in forest",
    "ADD2STRINFOREST": "+2 in forest",
    "ADD1STRINHILLS": "+1 in hills",
    "ADD2STRINHILLS": "+2 in hills",
    "ADD1STRINCITY": "+1 in cities",
    "ADD2STRINCITY": "+2 in cities",
    "ADD1STACKINHILLS": "its side +1 in hills",
    "ADD1STACK": "its side +1",
    "ADD2STACK": "its side +2",
    "SUBALLCITYBONUS": "cancels walls",
    "SUBALLHEROBONUS": "cancels heroes",
    "SUBALLNONHEROBONUS": "cancels what armies give their side",
    "SUB1ENEMYSTACK": "foes -1",
    "SUB2ENEMYSTACK": "foes -2",
    "FORTIFY": "always in a tower",
    "CONFER_MOVE_BONUS": "lends its stack its ease of moving",
}


def abilities(kind: UnitType) -> list[str]:
    """Return the abilities of a type as texts. See: LW-1, LW-9."""
    row = units_by_key().get(kind.key)
    if row is None:
        lands = [f"at ease in {land}" for trait, land in _EASE.items() if trait in kind.traits]
        found, flags = ["flies"] if "fly" in kind.traits else lands, flag_names(type_flags(kind))
        return [*found, *(_ABILITIES[flag] for flag in flags)]
    found = ["flies"] if row.flies else [f"at ease in {land}" for land in row.move_bonus]
    return [*found, *(_ABILITIES[flag] for flag in row.bonus)]


_EASE: Final[Mapping[str, str]] = {
    "woods": "forest",
    "hills": "hills",
    "mountains": "mountain",
    "marsh": "swamp",
    "swim": "water",
}
"""Texts for traits of movement."""


# -- items -----------------------------------------------------------------------------------------

_POWERS: Final[Mapping[str, str]] = {
    "ADD1STR": "strength +1",
    "ADD2STR": "strength +2",
    "ADD3STR": "strength +3",
    "ADD1STACK": "its side +1",
    "ADD2STACK": "its side +2",
    "ADD3STACK": "its side +3",
    "FLYSTACK": "its stack flies",
    "DOUBLEMOVESTACK": "doubles moves",
    "ADD2GOLDPERCITY": "2 gold for each city",
    "ADD3GOLDPERCITY": "3 gold for each city",
    "ADD4GOLDPERCITY": "4 gold for each city",
    "ADD5GOLDPERCITY": "5 gold for each city",
    "STEAL_GOLD": "steals {percent} % of a side's gold",
    "SINK_SHIPS": "sinks all ships of a side",
    "PICK_UP_BAGS": "fetches every item that lies about",
    "ADD_2MP_STACK": "{amount} more moves at once",
    "BANISH_WORMS": "destroys every army of {unit}",
    "BURN_BRIDGE": "burns the bridge",
    "CAPTURE_KEEPER": "wins over the keeper of a ruin",
    "SUMMON_MONSTER": "calls {unit}{site}",
    "DISEASE_CITY": "kills {percent} % of a city's defenders",
    "RAISE_DEFENDERS": "calls {amount} {unit} to a city",
    "PERSUADE_NEUTRALS": "wins over a neutral city",
    "TELEPORT_TO_CITY": "takes its stack to a city",
    "PLANT_TO_VECTOR": "can be planted for armies to come to",
}


def item_row(item: Item) -> ArmysetItem | None:
    """Return the row of an item in the army set, or None. See: LW-11."""
    rows = armyset().items
    return rows[item.value] if item.kind == "item" and 0 <= item.value < len(rows) else None


def powers(item: Item) -> ItemPowers:
    """Return the powers of an item, with its remaining charges. See: LW-11."""
    return powered(item).powers or ItemPowers()


def item_effect(item: Item) -> str:
    """Describe the effect of an item and its remaining uses. See: LW-11."""
    row, has = item_row(item), powers(item)
    kind = unit_types()[has.type].name if has.type in unit_types() else "its kind"
    site = f" at a {has.place}" if has.place else ""
    told = {"percent": has.percent, "amount": has.amount, "unit": kind, "site": site}
    flags = has.acts if row is None else row.bonus
    text = ", ".join(_POWERS[flag].format(**told) for flag in flags) or "unknown powers"
    return f"{text}, {many(has.charges, 'use')}" if has.charges else text


def standard_effect(_item: Item) -> str:
    """Describe the effect of standards. See: LW-10, LW-13.4."""
    return ", ".join((*(_POWERS[flag] for flag in armyset().offers.standard), "rally flag"))


# -- sites -----------------------------------------------------------------------------------------


def site_lines(context: PictureContext, site: Site) -> Iterator[Line]:
    """Yield the survival odds of the viewer's heroes at a guarded site. See: LW-14, D18."""
    if not site.guardian or site.searched:
        return
    for army in context.stacks.get((site.x, site.y), ()):
        if army.hero is not None and army.owner == context.viewer:
            text = f"{context.army_name(army)} survives: {survival(context, army)}"
            yield context.note(text, "search", army.owner, at=army.at)


# -- events ----------------------------------------------------------------------------------------

TREATIES: Final = ("at peace", "at war in the field", "at war")
STANCES: Final = ("peace", "war in the field", "war")
"""Treaties and stances by number. See: LW-16."""

_CHANGES: Final[Mapping[str, str]] = {
    "experience": "Experience: {armies}",
    "medal": "Medal: {armies}",
    "level": "New level: {armies}",
    "fortified": "Fortified: {armies}",
}


@tells(ev.ConditionsSet)
def _tell_conditions(event: ev.ConditionsSet, context: PictureContext) -> Iterator[Line]:
    known = [(one, context.world.armies.get(one.id)) for one in event.conditions]
    armies = [(one, army) for one, army in known if army is not None]
    if event.reason == "fortified":
        armies = [(one, army) for one, army in armies if one.fortified]
    text = _CHANGES.get(event.reason)
    if text is None or not armies:
        return
    told = [_told(context, event.reason, army) for _, army in armies]
    tone = Tone.QUIET if event.reason in {"experience", "fortified"} else Tone.GOOD
    first = armies[0][1]
    line = text.format(armies=joined(told))
    yield context.say(line, "aftermath", first.owner, at=first.at, tone=tone)


def _told(context: PictureContext, reason: str, army: Army) -> str:
    """Name an army in a line about conditions; add its experience if the line is about that."""
    name = context.army_name(army)
    return f"{name} {experience(context, army)}" if reason == "experience" else name


@tells(ev.ProposalSet)
def _tell_proposal(event: ev.ProposalSet, context: PictureContext) -> Iterator[Line]:
    told = [
        f"{STANCES[treaty]} to {context.side_name(other)}"
        for other, treaty in enumerate(event.proposals)
        if treaty != NO_PROPOSAL
    ]
    text = f"{context.side_name(event.side)} proposes {joined(told) or 'nothing more'}"
    yield context.say(text, "stance", event.side, tone=Tone.NORMAL)


@tells(ev.DiplomacySettled)
def _tell_settled(event: ev.DiplomacySettled, context: PictureContext) -> Iterator[Line]:
    for one, other in event.changed:
        names = f"{context.side_name(one)} and {context.side_name(other)}"
        text = f"{names} are now {TREATIES[event.treaties[one][other]]}"
        tone = Tone.STRONG if context.viewer in {one, other} else Tone.NORMAL
        yield context.say(text, "treaty", one, tone=tone)
    if not event.changed:
        yield context.say("All proposals fail", "treaty", tone=Tone.QUIET)


@facts(ev.DiplomacySettled)
def _settled_facts(event: ev.DiplomacySettled, *_: PictureContext) -> Iterator[Fact]:
    for one, other in event.changed:
        yield Fact("other", one, other, target="treaty")


_OPINIONS: Final[Mapping[str, str]] = {
    "treachery": "Treachery: all think worse of {side}",
    "razed": "A city razed: all think worse of {side}",
    "last_city": "A last city taken: all think anew of {side}",
}


@tells(ev.OpinionsChanged)
def _tell_opinions(event: ev.OpinionsChanged, context: PictureContext) -> Iterator[Line]:
    text = _OPINIONS[event.reason].format(side=context.side_name(event.side))
    yield context.say(text, "betrayal", event.side, tone=Tone.QUIET)
