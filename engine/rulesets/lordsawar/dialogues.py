"""Dialogues, reports, layers and jumps that only this game has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

from engine.core.notation import write
from engine.kit.grid import Place
from engine.rulesets.lordsawar.commands import ChooseGain, HireAs, Park, Propose, UseItem
from engine.rulesets.lordsawar.describing import (
    STANCES,
    TREATIES,
    army_words,
    bar,
    experience,
    health,
    hp_text,
    is_parked,
    powers,
    rounds_to_heal,
    share_left,
    wound_step,
)
from engine.rulesets.lordsawar.diplomacy import opinions, proposals, standing
from engine.rulesets.lordsawar.state import NAME_LENGTH, NO_PROPOSAL, HeroQuest, State
from engine.rulesets.lordsawar.tables import armyset
from engine.rulesets.lordsawar.telling import quest_task, quest_text
from engine.strategic.commands import Hire
from engine.strategic.diplomacy import titles
from engine.strategic.picture.cities import city_place
from engine.strategic.picture.context import PictureContext, seat_of
from engine.strategic.picture.dialogues_armies import (
    armies_answer,
    army_choices,
    hire_label,
    number_answer,
    place_answer,
    selected_stack,
)
from engine.strategic.picture.heroes import offer_text
from engine.strategic.picture.report_armies import SideRow, reported_sides, side_table
from engine.strategic.picture.style import OwnQuestion
from engine.strategic.picture.words import (
    army_name,
    item_name,
    joined,
    named,
    say,
    side_name,
    where,
)
from engine.strategic.pieces import NOBODY, NONE, UNKNOWN_TYPE, Army, Item, Side
from engine.strategic.world import WAR, armies_of, city_at, items_of, treaty
from engine.tabletop.ask import AnyAsk, AskOne, AskPlace, AskSome, AskText, Choice, Intent
from engine.tabletop.board import BoardMark, Layer, Line, tenths
from engine.tabletop.focus import Focus
from engine.tabletop.report import Report, ReportRow, columns
from engine.tabletop.roles import MarkSign, Tone

# -- treaties --------------------------------------------------------------------------------------


def treat(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a proposal to another side, or for its withdrawal. Rules: LW-16."""
    others = {side.id: side for side in context.other_sides}
    toward = number_answer(answers)
    if toward is None or toward not in others:
        choices = tuple(Choice(str(n), _side_text(context, side)) for n, side in others.items())
        return AskOne("Treat with whom?", choices)
    now = proposals(context.world)[context.viewer][toward]
    wanted = number_answer(answers, 1)
    if wanted is not None and NO_PROPOSAL <= wanted <= WAR and wanted != now:
        return write(Propose(toward, wanted))
    rows = [(number, f"propose {name}") for number, name in enumerate(STANCES)]
    choices = tuple(
        Choice(str(number), text, "your proposal now" if number == now else "")
        for number, text in (*rows, (NO_PROPOSAL, "propose nothing"))
    )
    return AskOne(f"{_side_text(context, others[toward])}. When the round ends …", choices)


def _side_text(context: PictureContext, side: Side) -> str:
    """Describe a side with its treaty, both proposals and both opinions. Rules: LW-16."""
    own, told, thought = context.viewer, proposals(context.world), opinions(context.world)
    parts = [TREATIES[treaty(context.world, own, side.id)]]
    parts.append(f"opinion {thought[side.id][own]} of you, yours {thought[own][side.id]}")
    for who, treated in (("you propose", told[own][side.id]), ("it proposes", told[side.id][own])):
        parts += [f"{who} {STANCES[treated]}"] if treated != NO_PROPOSAL else []
    return f"{side_name(context, side.id)}: {', '.join(parts)}"


# -- heroes and stacks -----------------------------------------------------------------------------

_Gain: TypeAlias = Literal["strength", "moves", "sight", "hit_points"]

_GAINS: Final[Mapping[_Gain, str]] = {
    "strength": "Strength +{levels.strength_gain}",
    "moves": "Moves +{levels.moves_gain}",
    "sight": "Sight +{levels.sight_gain}",
    "hit_points": "Hit points +{levels.hit_points_gain}",
}


def gain(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the gain of a hero with a new level. Rules: LW-10.

    Raises:
        ValueError: no hero has a new level.
    """
    question = context.question
    if question is None:
        raise ValueError("No hero has reached a new level.")
    hero = context.world.armies.get(question.army)
    numbers = armyset()
    full = hero is not None and hero.strength >= numbers.combat.most_strength
    for name in _GAINS:
        if answers and answers[0] == name and not (full and name == "strength"):
            return write(ChooseGain(name))
    choices = tuple(
        Choice(
            name,
            text.format(levels=numbers.levels),
            "It cannot grow stronger." if full and name == "strength" else "",
        )
        for name, text in _GAINS.items()
    )
    who = army_name(context, hero) if hero is not None else "The hero"
    return AskOne(f"{who} reaches a new level. What grows?", choices)


def hire(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask whether to hire a hero, perhaps under another name, or to decline. Rules: LW-10.

    Raises:
        ValueError: no hero has offered to join.
    """
    question = context.question
    if question is None:
        raise ValueError("No hero is there.")
    match tuple(answers):
        case ("yes" | "no" as said, *_):
            return write(Hire(accept=said == "yes"))
        case ("other", *_):
            return write(HireAs(question.name, female=not question.female))
        case ("name", name, *_) if name.strip():
            return write(HireAs(name.strip()[:NAME_LENGTH], female=question.female))
        case ("name", *_):
            title = "What is the name of the hero?"
            return AskText(title, NAME_LENGTH, question.name[:NAME_LENGTH])
        case _:
            pass
    choices = (
        Choice("yes", hire_label(question)),
        Choice("name", "Hire under another name …"),
        Choice("other", f"Hire as a {'man' if question.female else 'woman'}"),
        Choice("no", "Decline"),
    )
    return AskOne(f"{offer_text(context, question)}.", choices)


QUESTIONS: Final[Mapping[str, OwnQuestion]] = {
    "level": OwnQuestion(
        "gain",
        "Choose what grows …",
        "First choose what the hero gains (a).",
        "Your hero reaches a new level: what grows?",
    )
}
"""Questions that only this game asks. Rules: LW-10."""

_AT_SIDES: Final = frozenset({"STEAL_GOLD", "SINK_SHIPS"})
_AT_CITIES: Final = frozenset(
    {"DISEASE_CITY", "RAISE_DEFENDERS", "PERSUADE_NEUTRALS", "TELEPORT_TO_CITY"}
)


def usable(context: PictureContext, armies: Sequence[Army]) -> list[tuple[Army, Item]]:
    """Return the heroes of a stack with their items that have charges. Rules: LW-11."""
    return [
        (army, item)
        for army in armies
        if army.hero is not None
        for item in items_of(context.world, army.id)
        if powers(item).charges
    ]


def use(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask which item to use, and on which side or city if it needs one. Rules: LW-11."""
    found = {
        item.id: (army, item) for army, item in usable(context, selected_stack(context, focus))
    }
    chosen = number_answer(answers)
    if chosen is None or chosen not in found:
        choices = tuple(
            Choice(str(number), item_name(context, item)) for number, (_, item) in found.items()
        )
        return AskOne("Use which item?", choices)
    army, item = found[chosen]
    acts = frozenset(powers(item).acts[:1])
    if acts & _AT_SIDES:
        side = number_answer(answers, 1)
        if side in {other.id for other in context.other_sides}:
            return write(UseItem(army.id, item.id, side=side))
        sides = (Choice(str(one.id), side_name(context, one.id)) for one in context.other_sides)
        return AskOne(f"{item.name}: against whom?", tuple(sides))
    if acts & _AT_CITIES:
        cells = _city_cells(context, acts)
        there = place_answer(answers, 1)
        city = city_at(context.world, there) if there is not None else None
        if city is not None and (city.x, city.y) in cells:
            return write(UseItem(army.id, item.id, city=city.id))
        return AskPlace(f"{item.name}: which city?", cells)
    return write(UseItem(army.id, item.id))


def no_use_at(context: PictureContext, focus: Focus, answers: Sequence[str], at: Place) -> str:
    """Reason why an item cannot be used on a tile. Rules: LW-11."""
    found = {item.id: item for _, item in usable(context, selected_stack(context, focus))}
    item, city = found.get(number_answer(answers) or NONE), city_at(context.world, at)
    if item is None or city is None or city.razed:
        return "No city stands there."
    if "PERSUADE_NEUTRALS" in powers(item).acts[:1]:
        return f"{city.name} is not neutral."
    return f"{city.name} is {'yours' if city.owner == context.viewer else 'not yours'}."


def _city_cells(context: PictureContext, acts: frozenset[str]) -> tuple[Place, ...]:
    """Return the cities on which an item can be used. Rules: LW-11."""
    own = context.viewer
    standing_cities = [city for city in context.world.cities.values() if not city.razed]
    if "RAISE_DEFENDERS" in acts:
        standing_cities = [city for city in standing_cities if city.owner == own]
    elif "PERSUADE_NEUTRALS" in acts:
        standing_cities = [city for city in standing_cities if city.owner == NOBODY]
    elif "DISEASE_CITY" in acts:
        standing_cities = [city for city in standing_cities if city.owner != own]
    return tuple((city.x, city.y) for city in standing_cities)


def park(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask which armies of a stack to park. Rules: LW-1."""
    here = selected_stack(context, focus)
    armies = here if len(here) == 1 else armies_answer(answers, here)
    if armies:
        return write(Park(tuple(army.id for army in armies)))
    return AskSome("Which armies are to be parked?", army_choices(context, here), 1, len(here))


def intents(context: PictureContext, focus: Focus) -> Iterator[Intent]:
    """Yield the intents of this game at a focus. Rules: LW-1, LW-11."""
    stack, orders = selected_stack(context, focus), context.settings.orders
    if stack and Park in orders:
        done = "" if any(not is_parked(context, army) for army in stack) else "They are parked."
        yield Intent("park", "Park: skip when asking for orders", "Y", done)
    if UseItem in orders and usable(context, stack):
        yield Intent("use", "Use an item …", "U")


DIALOGUES: Final = {"stance": treat, "gain": gain, "hire": hire, "use": use, "park": park}
"""Dialogues by intent."""

WHY_NOT_AT: Final = {"use": no_use_at}
"""Reasons why a tile cannot be chosen, by intent."""


# -- the map ---------------------------------------------------------------------------------------

LAYERS: Final = (
    Layer("danger", "enemies in sight that can come here, unknown ones as fast flyers; none new"),
    Layer("wounds", "life left of wounded stacks, in percent"),
)


def wound_marks(context: PictureContext) -> tuple[BoardMark, ...]:
    """Return marks on all wounded stacks in sight. Rules: LW-8."""
    return tuple(
        BoardMark(*at, MarkSign.DANGER, f"{share_left(stack):02}", short=tenths(share_left(stack)))
        for at, stack in context.stacks.items()
        if wound_step(stack)
    )


def wounded_places(context: PictureContext) -> Iterator[Place]:
    """Yield the tiles of the viewer's stacks with a wounded army. Rules: LW-6.5."""
    for at, stack in context.stacks.items():
        if stack[0].owner == context.viewer and wound_step(stack):
            yield at


# -- reports ---------------------------------------------------------------------------------------


def muster(context: PictureContext) -> Iterator[Report]:
    """Yield a report on each army, the most wounded first. Rules: LW-6.2, LW-6.4, LW-6.5, LW-8."""
    headings = (
        *("Army", "At", ">Strength", ">Hit points", "Life", ">Whole in", ">Experience"),
        *(">Medals", "Is"),
    )
    rows = [
        _army_row(context, army)
        for side in reported_sides(context)
        for army in sorted(_known_armies(context, side), key=lambda a: (_share(a), a.id))
    ]
    note = "Hit points are rounded up. Whole in: rounds until healed."
    yield side_table(context, "muster", "Army by army", headings, rows, (note,))


def _known_armies(context: PictureContext, side: int) -> Iterator[Army]:
    """Return the armies of a side whose type the viewer knows."""
    return (army for army in armies_of(context.world, side) if army.type != UNKNOWN_TYPE.id)


def _share(army: Army) -> float:
    left, most = health(army)
    return left / max(most, 1)


def _army_row(context: PictureContext, army: Army) -> SideRow:
    left, most = health(army)
    states = army_words(context, army).full[1:]
    cells = (
        army_name(context, army),
        where(context, army.at),
        army.strength,
        hp_text(left, most),
        bar(left, most),
        rounds_to_heal(army) or "",
        experience(context, army),
        army.medals,
        joined((*states, *(["defends"] if army.defends else []))),
    )
    tone = Tone.BAD if left < most else Tone.NORMAL
    return SideRow(army.owner, cells, army.at, tone)


def treaties(context: PictureContext) -> Iterator[Report]:
    """Yield a report on treaties, proposals, opinions and titles of all sides. Rules: LW-16."""
    if not context.settings.turns.diplomacy:
        return
    called = titles(context.world, context.settings)
    living = [side for side in context.world.sides.values() if side.alive]
    rows = tuple(
        _treaty_row(context, side, called[side.id], living)
        for side in living
        if side.id != context.viewer
    )
    headings: tuple[str, ...] = ("Side", "Reputation", ">Opinions", "At war with")
    if context.is_player:
        headings = (
            *("Side", "Reputation", ">Opinions", "With you", "You propose", "It proposes"),
            *(">Of you", ">Yours", "At war with"),
        )
    own = called.get(context.viewer, "")
    notes: tuple[str, ...] = ()
    if own:
        sum_of_them = standing(context.world, context.viewer)
        notes = (f"Your reputation: {own}, opinions {sum_of_them}.",)
    yield Report("treaties", "Treaties", columns(*headings), rows, notes)


def _treaty_row(
    context: PictureContext, side: Side, called: str, living: Sequence[Side]
) -> ReportRow:
    world, own = context.world, context.viewer
    foes = [one.id for one in living if one is not side and treaty(world, side.id, one.id) == WAR]
    cells: list[Any] = [side_name(context, side.id), called, standing(world, side.id)]
    if context.is_player:
        told, thought = proposals(world), opinions(world)
        cells += [TREATIES[treaty(world, own, side.id)]]
        cells += [_proposal(told[own][side.id]), _proposal(told[side.id][own])]
        cells += [thought[side.id][own], thought[own][side.id]]
    cells.append(joined([side_name(context, foe) for foe in foes]) or "nobody")
    return ReportRow(tuple(cells), at=side.capital, seat=seat_of(side.id))


def _proposal(treated: int) -> str:
    return "nothing" if treated == NO_PROPOSAL else STANCES[treated]


def score(context: PictureContext) -> Iterator[Report]:
    """Yield a report of each side's score at the end of the last round. Rules: LW-17."""
    sides = context.world.sides
    told = _state(context).scores or (0,) * len(sides)
    ordered = sorted(sides.values(), key=lambda side: (-told[side.id], side.id))
    rows = tuple(
        ReportRow((side_name(context, side.id), told[side.id]), at=side.capital, seat=side.id)
        for side in ordered
    )
    note = "Counted when a round ends: up to 70 for cities, 10 for gold, 20 for armies."
    yield Report("score", "Score", columns("Side", ">Score"), rows, (note,))


def quests(context: PictureContext) -> Iterator[Report]:
    """Yield a report of the quests of the reported sides' heroes. Rules: LW-15."""
    told, rows = reported_sides(context), []
    for owner, quest in _quests(context):
        if owner in told:
            task = quest_task(context, quest)
            done = f"{quest.done} of {quest.count}" if quest.count > 1 else "not yet"
            cells = (named(context, quest.id), task[:1].upper() + task[1:], done)
            rows.append(SideRow(owner, cells, _quest_place(context, quest)))
    note = "What a quest brings is drawn when it is done: gold, allies, an item or a map."
    yield side_table(context, "quests", "Quests", ("Hero", "Task", "Done"), rows, (note,))


def quest_lines(context: PictureContext) -> Iterator[Line]:
    """Yield the viewer's quests, for the summary. Rules: LW-15."""
    for owner, quest in _quests(context):
        if owner == context.viewer:
            text = f"{named(context, quest.id)} is out to {quest_text(context, quest)}"
            yield say(context, text, "quest", owner, at=_quest_place(context, quest))


def _state(context: PictureContext) -> State:
    return cast("State", context.world)


def _quests(context: PictureContext) -> Iterator[tuple[int, HeroQuest]]:
    """Yield each quest with the side of its hero. Rules: LW-15."""
    for quest in _state(context).quests.values():
        hero = context.world.armies.get(quest.id)
        if hero is not None:
            yield hero.owner, quest


def _quest_place(context: PictureContext, quest: HeroQuest) -> Place | None:
    """Return the tile of a quest's city or hero if the viewer knows it, else None. Rules: LW-15."""
    if quest.kind in {"sack-city", "raze-city", "occupy-city"}:
        return city_place(context, quest.target)
    if quest.kind == "kill-hero":
        foe = context.world.armies.get(quest.target)
        return foe.at if foe is not None else None
    return None


REPORTS: Final = (muster, treaties, quests, score)
"""Reports that only this game has, or that replace others."""
