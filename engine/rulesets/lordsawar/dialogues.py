"""Dialogues, reports, layers and jumps that only this game has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, cast

from engine.core.record import Command
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
from engine.strategic.picture.cities import city_place
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.dialogues_armies import hire_label, selected_stack
from engine.strategic.picture.heroes import offer_text
from engine.strategic.picture.questions import name_for, one_of, one_place, pending, some_armies
from engine.strategic.picture.report_armies import SideRow, side_table
from engine.strategic.picture.report_realm import treaty_table
from engine.strategic.picture.style import OwnQuestion
from engine.strategic.pieces import NOBODY, UNKNOWN_TYPE, Army, City, Item, Side
from engine.strategic.world import armies_of, city_at, items_of, treaty
from engine.tabletop.ask import AskPlace, Intent
from engine.tabletop.board import BoardMark, Layer, Line, tenths
from engine.tabletop.dialogue import Dialogue
from engine.tabletop.english import capital, joined
from engine.tabletop.focus import Focus
from engine.tabletop.report import Report, ReportCell, ReportRow, columns
from engine.tabletop.roles import MarkSign, Tone

# -- treaties --------------------------------------------------------------------------------------


def treat(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for a proposal to another side, or for its withdrawal. See: LW-16."""
    sides = {side.id: _side_text(context, side) for side in context.other_sides}
    toward = yield from one_of("Treat with whom?", sides)
    labels = {number: f"propose {name}" for number, name in enumerate(STANCES)}
    now = proposals(context.world)[context.viewer][toward]
    wanted = yield from one_of(
        f"{sides[toward]}. When the round ends …",
        {**labels, NO_PROPOSAL: "propose nothing"},
        {now: "your proposal now"},
    )
    return Propose(toward, wanted)


def _side_text(context: PictureContext, side: Side) -> str:
    """Describe a side with its treaty, both proposals and both opinions. See: LW-16."""
    own, told, thought = context.viewer, proposals(context.world), opinions(context.world)
    parts = [TREATIES[treaty(context.world, own, side.id)]]
    parts.append(f"opinion {thought[side.id][own]} of you, yours {thought[own][side.id]}")
    for who, treated in (("you propose", told[own][side.id]), ("it proposes", told[side.id][own])):
        parts += [f"{who} {STANCES[treated]}"] if treated != NO_PROPOSAL else []
    return f"{context.side_name(side.id)}: {', '.join(parts)}"


# -- heroes and stacks -----------------------------------------------------------------------------

_Gain: TypeAlias = Literal["strength", "moves", "sight", "hit_points"]

_GAINS: Final[Mapping[_Gain, str]] = {
    "strength": "Strength +{levels.strength_gain}",
    "moves": "Moves +{levels.moves_gain}",
    "sight": "Sight +{levels.sight_gain}",
    "hit_points": "Hit points +{levels.hit_points_gain}",
}


def gain(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for the gain of a hero with a new level. See: LW-10."""
    hero, numbers = context.world.armies.get(pending(context).army), armyset()
    full = hero is not None and hero.strength >= numbers.combat.most_strength
    barred: dict[_Gain, str] = {"strength": "It cannot grow stronger."} if full else {}
    who = context.army_name(hero) if hero is not None else "The hero"
    wanted = yield from one_of(
        f"{who} reaches a new level. What grows?",
        {name: text.format(levels=numbers.levels) for name, text in _GAINS.items()},
        barred,
    )
    return ChooseGain(wanted)


def hire(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask whether to hire a hero, perhaps under another name, or to decline. See: LW-10."""
    offer = pending(context)
    answer = yield from one_of(
        f"{offer_text(context, offer)}.",
        {
            "yes": hire_label(offer),
            "name": "Hire under another name …",
            "other": f"Hire as a {'man' if offer.female else 'woman'}",
            "no": "Decline",
        },
    )
    if answer == "name":
        name = yield from name_for("What is the name of the hero?", NAME_LENGTH, offer.name)
        return HireAs(name, female=offer.female)
    if answer == "other":
        return HireAs(offer.name, female=not offer.female)
    return Hire(accept=answer == "yes")


QUESTIONS: Final[Mapping[str, OwnQuestion]] = {
    "level": OwnQuestion(
        "gain",
        "Choose what grows …",
        "First choose what the hero gains (a).",
        "Your hero reaches a new level: what grows?",
    )
}
"""Questions that only this game asks. See: LW-10."""

_AT_SIDES: Final = frozenset({"STEAL_GOLD", "SINK_SHIPS"})
"""Powers that are used on another side."""

_AT_CITIES: Final[Mapping[str, Callable[[int, City], bool]]] = {
    "DISEASE_CITY": lambda own, city: city.owner != own,
    "RAISE_DEFENDERS": lambda own, city: city.owner == own,
    "PERSUADE_NEUTRALS": lambda _, city: city.owner == NOBODY,
    "TELEPORT_TO_CITY": lambda *_: True,
}
"""Powers that are used on a city, and whether a side can use them on a city. See: LW-11."""


def usable(context: PictureContext, armies: Sequence[Army]) -> list[tuple[Army, Item]]:
    """Return the heroes of a stack with their items that have charges. See: LW-11."""
    return [
        (army, item)
        for army in armies
        if army.hero is not None
        for item in items_of(context.world, army.id)
        if powers(item).charges
    ]


def use(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask which item to use, and on which side or city if it needs one. See: LW-11."""
    found = {
        item.id: (hero, item) for hero, item in usable(context, selected_stack(context, focus))
    }
    names = {number: context.item_name(item) for number, (_, item) in found.items()}
    hero, item = found[(yield from one_of("Use which item?", names))]
    act = next(iter(powers(item).acts), "")
    if act in _AT_SIDES:
        sides = {side.id: context.side_name(side.id) for side in context.other_sides}
        side = yield from one_of(f"{item.name}: against whom?", sides)
        return UseItem(hero.id, item.id, side=side)
    if act in _AT_CITIES:
        cities = {
            (city.x, city.y): city.id
            for city in context.world.cities.values()
            if not city.razed and _AT_CITIES[act](context.viewer, city)
        }
        question = AskPlace(f"{item.name}: which city?", tuple(cities))
        return UseItem(hero.id, item.id, city=cities[(yield from one_place(context, question))])
    return UseItem(hero.id, item.id)


def no_use_at(context: PictureContext, focus: Focus, answers: Sequence[str], at: Place) -> str:
    """Return the reason why an item cannot be used on a tile. See: LW-11."""
    found = {str(item.id): item for _, item in usable(context, selected_stack(context, focus))}
    item, city = found.get(answers[0]) if answers else None, city_at(context.world, at)
    if item is None or city is None or city.razed:
        return "No city stands there."
    if "PERSUADE_NEUTRALS" in powers(item).acts[:1]:
        return f"{city.name} is not neutral."
    return f"{city.name} is {'yours' if city.owner == context.viewer else 'not yours'}."


def park(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask which armies of a stack to park. See: LW-1."""
    armies = selected_stack(context, focus)
    if len(armies) > 1:
        armies = yield from some_armies(context, "Which armies are to be parked?", armies)
    return Park(tuple(army.id for army in armies))


def intents(context: PictureContext, focus: Focus) -> Iterator[Intent]:
    """Yield the intents of this game at a focus. See: LW-1, LW-11."""
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
    Layer("danger", "enemies in sight that may come next turn, unknown ones flying fast"),
    Layer("wounds", "life left of wounded stacks, in percent"),
)


def wound_marks(context: PictureContext) -> tuple[BoardMark, ...]:
    """Return marks on all wounded stacks in sight. See: LW-8."""
    return tuple(
        BoardMark(*at, MarkSign.DANGER, f"{share_left(stack):02}", short=tenths(share_left(stack)))
        for at, stack in context.stacks.items()
        if wound_step(stack)
    )


def wounded_places(context: PictureContext) -> Iterator[Place]:
    """Yield the tiles of the viewer's stacks with a wounded army. See: LW-6.5."""
    for at, stack in context.stacks.items():
        if stack[0].owner == context.viewer and wound_step(stack):
            yield at


# -- reports ---------------------------------------------------------------------------------------


def muster(context: PictureContext) -> Iterator[Report]:
    """Yield a report on each army, the most wounded first. See: LW-6.2, LW-6.4, LW-6.5, LW-8."""
    headings = (
        *("Army", "At", ">Strength", ">Hit points", "Life", ">Whole in", ">Experience"),
        *(">Medals", "Is"),
    )
    rows = [
        _army_row(context, army)
        for side in context.reported_sides
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
        context.army_name(army),
        context.where(army.at),
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
    """Yield a report on treaties, proposals, opinions and titles of all sides. See: LW-16."""
    world, own = context.world, context.viewer
    told, thought = proposals(world), opinions(world)

    def cells(side: Side) -> dict[str, ReportCell]:
        known: dict[str, ReportCell] = {">Opinions": standing(world, side.id)}
        if not context.is_player:
            return known
        return known | {
            "With you": TREATIES[treaty(world, own, side.id)],
            "You propose": _proposal(told[own][side.id]),
            "It proposes": _proposal(told[side.id][own]),
            ">Of you": thought[side.id][own],
            ">Yours": thought[own][side.id],
        }

    renown = f", opinions {standing(world, own)}" if context.is_player else ""
    return treaty_table(context, cells, renown)


def _proposal(treated: int) -> str:
    return "nothing" if treated == NO_PROPOSAL else STANCES[treated]


def score(context: PictureContext) -> Iterator[Report]:
    """Yield a report of each side's score at the end of the last round. See: LW-17."""
    sides = context.world.sides
    told = _state(context).scores or (0,) * len(sides)
    ordered = sorted(sides.values(), key=lambda side: (-told[side.id], side.id))
    rows = tuple(
        ReportRow((context.side_name(side.id), told[side.id]), at=side.capital, seat=side.id)
        for side in ordered
    )
    note = "Counted when a round ends: up to 70 for cities, 10 for gold, 20 for armies."
    yield Report("score", "Score", columns("Side", ">Score"), rows, (note,))


def quests(context: PictureContext) -> Iterator[Report]:
    """Yield a report of the quests of the reported sides' heroes. See: LW-15."""
    told, rows = context.reported_sides, []
    for owner, quest in _quests(context):
        if owner in told:
            task = quest_task(context, quest)
            done = f"{quest.done} of {quest.count}" if quest.count > 1 else "not yet"
            cells = (context.named(quest.id), capital(task), done)
            rows.append(SideRow(owner, cells, _quest_place(context, quest)))
    note = "What a quest brings is drawn when it is done: gold, allies, an item or a map."
    yield side_table(context, "quests", "Quests", ("Hero", "Task", "Done"), rows, (note,))


def quest_lines(context: PictureContext) -> Iterator[Line]:
    """Yield the viewer's quests, for the summary. See: LW-15."""
    for owner, quest in _quests(context):
        if owner == context.viewer:
            text = f"{context.named(quest.id)} is out to {quest_text(context, quest)}"
            yield context.say(text, "quest", owner, at=_quest_place(context, quest))


def _state(context: PictureContext) -> State:
    return cast("State", context.world)


def _quests(context: PictureContext) -> Iterator[tuple[int, HeroQuest]]:
    """Yield each quest with the side of its hero. See: LW-15."""
    for quest in _state(context).quests.values():
        hero = context.world.armies.get(quest.id)
        if hero is not None:
            yield hero.owner, quest


def _quest_place(context: PictureContext, quest: HeroQuest) -> Place | None:
    """Return the tile of a quest's city or hero if the viewer knows it, else None. See: LW-15."""
    if quest.kind in {"sack-city", "raze-city", "occupy-city"}:
        return city_place(context, quest.target)
    if quest.kind == "kill-hero":
        foe = context.world.armies.get(quest.target)
        return foe.at if foe is not None else None
    return None


REPORTS: Final = (muster, treaties, quests, score)
"""Reports that only this game has, or that replace others."""
