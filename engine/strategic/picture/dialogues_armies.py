"""Dialogues about armies and heroes, and the parsing of answers.

A dialogue gets all answers so far. It returns the next question, or the line of notation once
nothing is left to ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import STEPS, Place
from engine.strategic import commands as do
from engine.strategic import item_records
from engine.strategic.picture.acting import assaults_ahead
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.forecast import (
    battle_forecast,
    forecast_lines,
    percent_mark,
    percent_text,
    tens_mark,
)
from engine.strategic.picture.heroes import offer_text, risk
from engine.strategic.picture.moving import reach_of, way_to
from engine.strategic.picture.overlay import price_mark
from engine.strategic.picture.selection import (
    enemy_of,
    group_at,
    has_forecast,
    is_attack,
    is_betrayal,
    selected,
)
from engine.strategic.picture.words import (
    army_name,
    army_words,
    company,
    gold,
    item_name,
    many,
    place,
    say,
    side_name,
    toward,
)
from engine.strategic.pieces import Army, Item, Question
from engine.strategic.quests import carries_quest_item
from engine.strategic.world import items_of, site_at, treaty
from engine.tabletop.ask import AnyAsk, AskConfirm, AskOne, AskPath, AskPlace, AskSome, Choice
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

# -- answers ---------------------------------------------------------------------------------------

YES: Final = "yes"


def place_answer(answers: Sequence[str], at: int = 0) -> Place | None:
    """Parse answer number ``at`` as a tile ``x,y``; return None if it is anything else."""
    parts = answers[at].split(",") if len(answers) > at else []
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):
        return None
    return int(parts[0]), int(parts[1])


def number_answer(answers: Sequence[str], at: int = 0) -> int | None:
    """Parse answer number ``at`` as a whole number; return None if it is anything else."""
    text = answers[at] if len(answers) > at else ""
    return int(text) if text.lstrip("-").isdecimal() else None


def word_answer(answers: Sequence[str], known: Iterable[str], at: int = 0) -> str | None:
    """Return answer number ``at`` if it is one of the known words, else None."""
    text = answers[at] if len(answers) > at else ""
    return text if text in known else None


def armies_answer(answers: Sequence[str], armies: Sequence[Army], at: int = 0) -> tuple[Army, ...]:
    """Return the armies that an answer names, in their order; empty if any is unknown."""
    parts = answers[at].split(">") if len(answers) > at else []
    found = tuple(army for army in armies if str(army.id) in parts)
    return found if len(found) == len(parts) else ()


def said_yes(answers: Sequence[str], at: int = 0) -> bool:
    """Return whether answer number ``at`` is yes."""
    return len(answers) > at and answers[at] == YES


def army_choices(context: PictureContext, armies: Iterable[Army]) -> tuple[Choice, ...]:
    """Turn armies into choices that show strength and points."""
    return tuple(Choice(str(army.id), _army_choice(context, army)) for army in armies)


def _army_choice(context: PictureContext, army: Army) -> str:
    text = f"{army_name(context, army)} {army.strength}, {_points(army)}"
    return text + army_words(context, army).short


def _points(army: Army) -> str:
    text = f"{army.points}/{army.max_move} moves"
    return f"{text}, on guard" if army.defends else text


# -- armies ----------------------------------------------------------------------------------------

_GOALS: Final = ("place", "flag", "none")


def selected_stack(context: PictureContext, focus: Focus) -> tuple[Army, ...]:
    """Return own armies on the selected group's tile or, without a group, under the cursor."""
    group = selected(context, focus)
    at = group[0].at if group else (focus.x, focus.y)
    found = context.stacks.get(at, ())
    return found if found and found[0].owner == context.viewer else ()


def _ids(group: Sequence[Army]) -> tuple[int, ...]:
    return tuple(army.id for army in group)


def march(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """March the selected group to the cursor or to a chosen tile; confirm an attack first."""
    armies, at = selected(context, focus), (focus.x, focus.y)
    if armies and armies[0].at != at:
        return _march_to(context, armies, at, answers)
    return _ask_where(context, armies or group_at(context, at), answers)


def group(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for armies and a tile, and march there."""
    able = tuple(army for army in selected_stack(context, focus) if army.points > 0)
    armies = armies_answer(answers, able)
    if not armies:
        return AskSome("Which armies march?", army_choices(context, able), 1, len(able))
    return _ask_where(context, armies, answers[1:])


def _ask_where(
    context: PictureContext, armies: tuple[Army, ...], answers: Sequence[str]
) -> AnyAsk | str:
    cells = _reachable_cells(context, armies)
    there = place_answer(answers)
    if there is not None and there != armies[0].at and context.world.terrain.has(*there):
        return _march_to(context, armies, there, answers[1:])
    title = f"March with {company(context, armies)}"
    labels, shorts = zip(*cells.values(), strict=True) if cells else ((), ())
    hints = tuple(_effect(context, armies, at, label) for at, (label, _) in cells.items())
    return AskPlace(title, tuple(cells), labels, shorts, hints)


def _effect(context: PictureContext, armies: tuple[Army, ...], at: Place, label: str) -> str:
    """Describe a march to a tile with its price or chance: ``March to Gorm (6 moves)``."""
    if not is_attack(context, at):
        price = f" ({many(int(label), 'move')})" if label.isdecimal() else ""
        return f"March {toward(context, at)}{price}"
    percent = percent_text(battle_forecast(context, armies, at)) if label else ""
    won = f", {percent} to win" if percent else ""
    return f"Attack {side_name(context, enemy_of(context, at))} {place(context, at)}{won}"


def _reachable_cells(
    context: PictureContext, armies: tuple[Army, ...]
) -> dict[Place, tuple[str, str]]:
    """Return the tiles that a group can reach or attack; if there are none, those around it.

    Values are the label (price or chance) and the chance in one character.
    """
    found = reach_of(context, armies)
    cells = {at: (price_mark(cost), "") for at, cost in found.stops.items()}
    for at in found.targets:
        forecast = battle_forecast(context, armies, at)
        cells[at] = percent_mark(forecast), tens_mark(forecast)
    x, y = armies[0].at
    around = ((x + dx, y + dy) for dx, dy in STEPS[8])
    return cells or {at: ("", "") for at in around if context.world.terrain.has(*at)}


def _march_to(
    context: PictureContext, armies: tuple[Army, ...], at: Place, answers: Sequence[str]
) -> AnyAsk | str:
    betrays = is_betrayal(context, at)
    if has_forecast(context, at) and not said_yes(answers):
        lines = _attack_lines(context, armies, at)
        foe = side_name(context, enemy_of(context, at))
        return AskConfirm(f"Attack {foe} {place(context, at)}?", lines, "attack", "hold back")
    return write(do.March(_ids(armies), at, betray=betrays))


def _attack_lines(context: PictureContext, armies: tuple[Army, ...], at: Place) -> tuple[Line, ...]:
    lines = [*_delay(context, armies, at), *forecast_lines(context, armies, at)]
    if context.style.battle_pace:
        text = context.style.battle_pace
        lines.append(say(context, text, "dice", context.viewer, tone=Tone.QUIET))
    if is_betrayal(context, at):
        foe = enemy_of(context, at)
        state = context.style.treaties[treaty(context.world, context.viewer, foe)]
        text = f"You are {state} with {side_name(context, foe)}: this breaks the treaty"
        lines.insert(0, say(context, text, "betrayal", context.viewer, tone=Tone.BAD))
    return tuple(lines)


def _delay(context: PictureContext, armies: tuple[Army, ...], at: Place) -> Iterator[Line]:
    """Yield a line if the armies do not arrive in this turn."""
    stops = way_to(context, armies, at)
    if stops and stops[-1].turn:
        text = f"They arrive in {many(stops[-1].turn + 1, 'turn')}"
        yield say(context, text, "way", context.viewer)


def walk(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a path tile by tile, at most as long as the slowest army's points, and walk it."""
    armies = selected(context, focus) or group_at(context, selected_stack(context, focus)[0].at)
    path = _path(answers)
    if path:
        return write(do.Walk(_ids(armies), path, betray=is_betrayal(context, path[-1])))
    most = max(1, min(army.points for army in armies))
    return AskPath(f"March step by step: {company(context, armies)}", armies[0].at, most)


def _path(answers: Sequence[str]) -> tuple[Place, ...]:
    parts = answers[0].split(">") if answers else []
    found = [place_answer([part]) for part in parts]
    return tuple(at for at in found if at is not None) if None not in found else ()


def goal(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a goal for later turns: a place, the rally flag, or none; for all, or for some."""
    armies = selected(context, focus) or selected_stack(context, focus)
    if word_answer(answers, ("part",)) is None:
        return _aim(context, armies, answers, parts=len(armies) > 1)
    some = armies_answer(answers, armies, 1)
    if not some:
        return AskSome("Which armies get a goal?", army_choices(context, armies), 1, len(armies))
    return _aim(context, some, answers[2:], parts=False)


def _aim(
    context: PictureContext, armies: tuple[Army, ...], answers: Sequence[str], *, parts: bool
) -> AnyAsk | str:
    """Ask for the goal of armies; ``parts`` offers to choose some of them first."""
    what = word_answer(answers, _GOALS)
    flag = context.own_side.flag
    aimed = any(army.goal is not None or army.to_flag for army in armies)
    match what:
        case "flag":
            return write(do.SetGoal(_ids(armies), flag=True))
        case "none":
            return write(do.SetGoal(_ids(armies)))
        case "place":
            there = place_answer(answers, 1)
            if there is not None:
                return write(do.SetGoal(_ids(armies), there))
            cells = _goal_cells(context, armies)
            return AskPlace(f"Choose a goal for {company(context, armies)}", tuple(cells))
        case _:
            some = (Choice("part", "Choose some of the armies …"),) if parts else ()
            return AskOne(
                f"Goal for later turns: {company(context, armies)}",
                (
                    Choice("place", "March to a place …"),
                    Choice("flag", "March to the rally flag", "" if flag else "not planted"),
                    Choice("none", "Stay here", "" if aimed else "they have no goal"),
                    *some,
                ),
            )


def _goal_cells(context: PictureContext, armies: tuple[Army, ...]) -> list[Place]:
    """Return the tiles that can be a goal, without the armies' own."""
    width, height = context.world.width, context.world.height
    radius = context.settings.moving.far_human
    x, y = armies[0].at
    columns = range(max(0, x - radius), min(width, x + radius + 1))
    rows = range(max(0, y - radius), min(height, y + radius + 1))
    return [(c, r) for r in rows for c in columns if (c, r) != (x, y)]


def no_march_on(context: PictureContext) -> str:
    """Reason why no army with a goal can go on; empty if one can."""
    if not any(army.goal is not None or army.to_flag for army in context.own_armies):
        return "No army has a goal."
    return "" if context.goes_on else "No army with a goal can take its next step this turn."


def go_on(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Let all armies with a goal march on; confirm the attacks that this begins."""
    fights = tuple(assaults_ahead(context.world, context.settings, context.viewer))
    fights = tuple(fight for fight in fights if has_forecast(context, fight[1]))
    if not fights or said_yes(answers):
        return write(do.GoOn())
    lines = [_assault_line(context, armies, at) for armies, at in fights]
    if len(fights) == 1:
        lines += forecast_lines(context, *fights[0])
    return AskConfirm("March on and attack?", tuple(lines), "march on", "hold back")


def _assault_line(context: PictureContext, armies: tuple[Army, ...], at: Place) -> Line:
    foe = side_name(context, enemy_of(context, at))
    percent = percent_text(battle_forecast(context, armies, at))
    text = f"{company(context, armies)}: attack on {foe} {place(context, at)}"
    text += f", {percent} to win" if percent else ""
    return say(context, text, "attack", context.viewer, at=at, tone=Tone.STRONG)


def defend(context: PictureContext, focus: Focus, _answers: Sequence[str]) -> AnyAsk | str:
    """Let the armies here stand guard, or leave guard if all of them already defend."""
    armies = selected(context, focus) or selected_stack(context, focus)
    return write(do.Defend(_ids(armies), on=not all(army.defends for army in armies)))


def disband(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask which armies to disband, and confirm."""
    here = selected_stack(context, focus)
    armies = armies_answer(answers, here)
    if not armies:
        return AskSome("Which armies are disbanded?", army_choices(context, here), 1, len(here))
    if said_yes(answers, 1):
        sure = any(carries_quest_item(context.world, army) for army in armies)
        return write(do.Disband(_ids(armies), sure=sure))
    lines = [say(context, company(context, armies), "command", context.viewer)]
    lines += [
        say(context, f"{company(context, (army,))} is on a quest for you", "quest", tone=Tone.BAD)
        for army in armies
        if carries_quest_item(context.world, army)
    ]
    return AskConfirm(f"Disband {many(len(armies), 'army', 'armies')} for good?", tuple(lines))


# -- heroes: sites and items -----------------------------------------------------------------------


def _heroes(armies: Sequence[Army]) -> list[Army]:
    return [army for army in armies if army.hero is not None]


def _hero(
    context: PictureContext, heroes: Sequence[Army], answers: Sequence[str], title: str
) -> tuple[Army, Sequence[str]] | AskOne:
    """Return a hero and the remaining answers, or the question which one if there are several."""
    if len(heroes) == 1:
        return heroes[0], answers
    found = armies_answer(answers[:1], heroes)
    return (found[0], answers[1:]) if found else AskOne(title, army_choices(context, heroes))


def no_search(context: PictureContext, armies: Sequence[Army]) -> str:
    """Return the reason why the site here cannot be searched; empty if it can."""
    site = site_at(context.world, armies[0].at)
    if site is None:
        return "Nothing to search here."
    if site.searched:
        return "It has been searched already."
    heroes = _heroes(armies)
    if not heroes:
        return "Only a hero can search it."
    return "" if any(hero.points > 0 for hero in heroes) else "The hero has no moves left."


def search(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Search with a hero; confirm with the chance of survival if a guardian is known."""
    heroes = [hero for hero in _heroes(selected_stack(context, focus)) if hero.points > 0]
    found = _hero(context, heroes, answers, "Which hero searches?")
    if isinstance(found, AskOne):
        return found
    hero, rest = found
    site, danger = site_at(context.world, hero.at), risk(context, hero)
    if site is None or not danger or said_yes(rest):
        return write(do.Search(hero.id))
    line = say(context, danger, "search", context.viewer)
    return AskConfirm(f"Search {site.name or 'this site'}?", (line,), "search", "go back")


def unblessed(context: PictureContext, armies: Sequence[Army]) -> tuple[Army, ...]:
    """Return the armies that the temple here has not blessed yet."""
    site = site_at(context.world, armies[0].at)
    return tuple(army for army in armies if site is not None and site.id not in army.blessed)


def bless(context: PictureContext, focus: Focus, _answers: Sequence[str]) -> AnyAsk | str:
    """Bless all armies here that this temple has not blessed yet."""
    armies = unblessed(context, selected_stack(context, focus))
    return write(do.Bless(tuple(army.id for army in armies)))


def no_quest(context: PictureContext, armies: Sequence[Army]) -> str:
    """Return the reason why no quest can be taken; empty if one can."""
    if context.own_side.quest is not None:
        return "You have a quest already."
    return "" if _heroes(armies) else "Only a hero takes a quest."


def quest(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a hero and let it take a quest."""
    found = _hero(context, _heroes(selected_stack(context, focus)), answers, "Which hero goes?")
    return found if isinstance(found, AskOne) else write(do.TakeQuest(found[0].id))


_WISHES: Final = {
    "items": "Where items are hidden",
    "gold": "Gold",
    "maps": "A map of the land around",
    "allies": "Where allies wait",
}


def sage(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for the wish to a sage."""
    question = context.question
    if question is None:
        raise ValueError("No sage is here.")
    for wish in question.wishes:
        if answers and answers[0] == wish:
            return write(do.AskSage(wish))
    choices = tuple(Choice(wish, _WISHES[wish]) for wish in question.wishes)
    return AskOne("What do you ask of the sage?", choices)


def hire(context: PictureContext, _focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask whether to hire or decline the offered hero."""
    question = context.question
    if question is None:
        raise ValueError("No hero is there.")
    answer = word_answer(answers, ("yes", "no"))
    if answer is not None:
        return write(do.Hire(accept=answer == "yes"))
    choices = Choice("yes", hire_label(question)), Choice("no", "Decline")
    return AskOne(f"{offer_text(context, question)}.", choices)


def hire_label(question: Question) -> str:
    """Return the label of the choice that hires the hero."""
    return f"Hire for {gold(question.price)}" if question.price else "Hire for free"


def no_ground(context: PictureContext, at: Place) -> str:
    """Return the reason why nothing can be dropped here; empty if it is possible."""
    wet = context.world.terrain[at[1], at[0]] in context.settings.heroes.items.afloat
    return "Nothing can be dropped on water." if wet else ""


def pick_up(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a hero and an item, and pick it up."""
    found = _hero(context, _heroes(selected_stack(context, focus)), answers, "Which hero takes it?")
    if isinstance(found, AskOne):
        return found
    hero, rest = found
    item = _item(context, rest, item_records.lying(context.world, hero.at), "Pick up which item?")
    return item if isinstance(item, AskOne) else write(do.PickUp(hero.id, item))


def drop(context: PictureContext, focus: Focus, answers: Sequence[str]) -> AnyAsk | str:
    """Ask for a hero and an item, and drop it."""
    loaded = [h for h in _heroes(selected_stack(context, focus)) if items_of(context.world, h.id)]
    found = _hero(context, loaded, answers, "Which hero drops something?")
    if isinstance(found, AskOne):
        return found
    hero, rest = found
    item = _item(context, rest, items_of(context.world, hero.id), "Drop which item?")
    return item if isinstance(item, AskOne) else write(do.Drop(hero.id, item))


def _item(
    context: PictureContext, answers: Sequence[str], things: Sequence[Item], title: str
) -> int | AskOne:
    """Return the id of the chosen item, or the question which one."""
    chosen = number_answer(answers)
    if chosen is not None and chosen in {item.id for item in things}:
        return chosen
    return AskOne(title, tuple(Choice(str(item.id), item_name(context, item)) for item in things))


def bearers(context: PictureContext, armies: Sequence[Army]) -> list[Army]:
    """Return the heroes that carry the side's own standard."""
    return [
        hero
        for hero in _heroes(armies)
        if any(
            item.kind == "standard" and item.side == context.viewer
            for item in items_of(context.world, hero.id)
        )
    ]


def plant(context: PictureContext, focus: Focus, _answers: Sequence[str]) -> AnyAsk | str:
    """Plant the standard as the rally flag."""
    return write(do.PlantFlag(bearers(context, selected_stack(context, focus))[0].id))
