"""Dialogues about armies and heroes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.record import Command
from engine.kit.grid import STEPS, Place
from engine.strategic import commands as do
from engine.strategic import item_records
from engine.strategic.picture.acting import assaults_ahead
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.forecast import (
    battle_forecast,
    chance_to_win,
    forecast_lines,
    percent_mark,
    tens_mark,
)
from engine.strategic.picture.heroes import better_odds, offer_text, risk
from engine.strategic.picture.moving import reach_of, way_to
from engine.strategic.picture.overlay import price_mark
from engine.strategic.picture.questions import army_label, one_of, pending, some_armies
from engine.strategic.picture.selection import (
    group_at,
    selected,
)
from engine.strategic.picture.words import gold
from engine.strategic.pieces import Army, Item, Question
from engine.strategic.quests import carries_quest_item
from engine.strategic.world import is_on_map, items_of, site_at, treaty
from engine.tabletop.ask import AskConfirm, AskPath, AskPlace
from engine.tabletop.board import Line
from engine.tabletop.dialogue import Dialogue, confirm, read_cell
from engine.tabletop.english import many
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

# -- armies ----------------------------------------------------------------------------------------


def selected_stack(context: PictureContext, focus: Focus) -> tuple[Army, ...]:
    """Return own armies on the selected group's tile or, without a group, under the cursor."""
    group = selected(context, focus)
    at = group[0].at if group else (focus.x, focus.y)
    found = context.stacks.get(at, ())
    return found if found and found[0].owner == context.viewer else ()


def _ids(group: Sequence[Army]) -> tuple[int, ...]:
    return tuple(army.id for army in group)


def march(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """March the selected group to the cursor or to a chosen tile; confirm an attack first."""
    armies, at = selected(context, focus), (focus.x, focus.y)
    if armies and armies[0].at != at:
        return _march_to(context, armies, at)
    return _march_off(context, armies or group_at(context, at))


def group(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for armies and a tile, and march there."""
    able = tuple(army for army in selected_stack(context, focus) if army.points > 0)
    armies = yield from some_armies(context, "Which armies march?", able)
    return (yield from _march_off(context, armies))


_BEYOND: Final = "Too far for this turn, but it can be their goal"


def turns_to(context: PictureContext, armies: tuple[Army, ...], at: Place) -> int:
    """Return the number of turns, this one included, until armies come to a tile; 0 for never."""
    stops = way_to(context, armies, at)
    return stops[-1].turn + 1 if stops else 0


def _march_off(context: PictureContext, armies: tuple[Army, ...]) -> Dialogue[Command]:
    """Ask for a tile, and march there."""
    cells = _reachable_cells(context, armies)
    title = f"March with {context.company(armies)}"
    labels, shorts = zip(*cells.values(), strict=True) if cells else ((), ())
    hints = tuple(_effect(context, armies, at, label) for at, (label, _) in cells.items())
    question = AskPlace(title, tuple(cells), labels, shorts, hints, _BEYOND)
    there = read_cell((yield question))
    if there == armies[0].at or not is_on_map(context.world, there):
        raise ValueError("They cannot march there.")
    if there not in cells and not context.has_forecast(there):
        turns = many(turns_to(context, armies, there), "turn")
        text = f"It takes {turns}. Set it as a goal, and begin now?"
        yield from confirm(AskConfirm(text, yes="set the goal", no="go back"))
    return (yield from _march_to(context, armies, there))


def _effect(context: PictureContext, armies: tuple[Army, ...], at: Place, label: str) -> str:
    """Describe a march to a tile with its price or chance: ``March to Gorm (6 moves)``."""
    if not context.is_attack(at):
        price = f" ({many(int(label), 'move')})" if label.isdecimal() else ""
        return f"March {context.toward(at)}{price}"
    chance = chance_to_win(battle_forecast(context, armies, at)) if label else None
    won = f", {chance.to('win')}" if chance is not None else ""
    return f"Attack {context.side_name(context.enemy_of(at))} {context.place(at)}{won}"


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


def _march_to(context: PictureContext, armies: tuple[Army, ...], at: Place) -> Dialogue[Command]:
    """March to a tile; confirm an attack first."""
    if context.has_forecast(at):
        title = f"Attack {context.side_name(context.enemy_of(at))} {context.place(at)}?"
        lines = _attack_lines(context, armies, at)
        yield from confirm(AskConfirm(title, lines, "attack", "hold back"))
    return do.March(_ids(armies), at, betray=context.is_betrayal(at))


def _attack_lines(context: PictureContext, armies: tuple[Army, ...], at: Place) -> tuple[Line, ...]:
    lines = [*_delay(context, armies, at), *forecast_lines(context, armies, at)]
    if context.style.battle_pace:
        text = context.style.battle_pace
        lines.append(context.say(text, "dice", context.viewer, tone=Tone.QUIET))
    if context.is_betrayal(at):
        foe = context.enemy_of(at)
        state = context.style.treaties[treaty(context.world, context.viewer, foe)]
        text = f"You are {state} with {context.side_name(foe)}: this breaks the treaty"
        lines.insert(0, context.say(text, "betrayal", context.viewer, tone=Tone.BAD))
    return tuple(lines)


def _delay(context: PictureContext, armies: tuple[Army, ...], at: Place) -> Iterator[Line]:
    """Yield a line if the armies do not arrive in this turn."""
    stops = way_to(context, armies, at)
    if stops and stops[-1].turn:
        text = f"They arrive in {many(stops[-1].turn + 1, 'turn')}"
        yield context.say(text, "way", context.viewer)


def walk(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for a path tile by tile, at most as long as the slowest army's points, and walk it."""
    armies = selected(context, focus) or group_at(context, selected_stack(context, focus)[0].at)
    most = max(1, min(army.points for army in armies))
    question = AskPath(f"March step by step: {context.company(armies)}", armies[0].at, most)
    path = tuple(map(read_cell, (yield question).split(">")))
    return do.Walk(_ids(armies), path, betray=context.is_betrayal(path[-1]))


def goal(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for a goal for later turns: a place, the rally flag, or none; for all, or for some."""
    armies = selected(context, focus) or selected_stack(context, focus)
    labels = {"place": "March to a place …", "flag": "March to the rally flag", "none": "Stay here"}
    aimed = any(army.goal is not None or army.to_flag for army in armies)
    barred = {
        "flag": "" if context.own_side.flag else "not planted",
        "none": "" if aimed else "they have no goal",
    }
    parts = {"part": "Choose some of the armies …"} if len(armies) > 1 else {}
    what = yield from one_of(_goal_title(context, armies), labels | parts, barred)
    if what == "part":
        armies = yield from some_armies(context, "Which armies get a goal?", armies)
        what = yield from one_of(_goal_title(context, armies), labels, barred)
    if what != "place":
        return do.SetGoal(_ids(armies), flag=what == "flag")
    cells = tuple(_goal_cells(context, armies))
    question = AskPlace(f"Choose a goal for {context.company(armies)}", cells)
    return do.SetGoal(_ids(armies), read_cell((yield question)))


def _goal_title(context: PictureContext, armies: Sequence[Army]) -> str:
    return f"Goal for later turns: {context.company(armies)}"


def _goal_cells(context: PictureContext, armies: tuple[Army, ...]) -> list[Place]:
    """Return the tiles that can be a goal, without the armies' own."""
    width, height = context.world.width, context.world.height
    radius = context.settings.moving.far_human
    x, y = armies[0].at
    columns = range(max(0, x - radius), min(width, x + radius + 1))
    rows = range(max(0, y - radius), min(height, y + radius + 1))
    return [(c, r) for r in rows for c in columns if (c, r) != (x, y)]


def no_march_on(context: PictureContext) -> str:
    """Return the reason why no army with a goal can go on; empty if one can."""
    if not any(army.goal is not None or army.to_flag for army in context.own_armies):
        return "No army has a goal."
    return "" if context.goes_on else "No army with a goal can take its next step this turn."


def go_on(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Let all armies with a goal march on; confirm the attacks that they would make first."""
    fights = [
        (armies, at)
        for armies, at in assaults_ahead(context.world, context.settings, context.viewer)
        if context.has_forecast(at)
    ]
    if len(fights) == 1:
        lines = (_assault_line(context, *fights[0]), *forecast_lines(context, *fights[0]))
        yield from confirm(AskConfirm("March on and attack?", lines, "march on", "hold back"))
    if len(fights) > 1:
        labels = {-1: f"March on with all, and make all {len(fights)} attacks"}
        for number, fight in enumerate(fights):
            labels[number] = f"Make only this one: {_assault_line(context, *fight).text}"
        chosen = yield from one_of("March on and attack?", labels)
        if chosen >= 0:
            armies, at = fights[chosen]
            return do.March(_ids(armies), at, betray=context.is_betrayal(at))
    return do.GoOn()


def _assault_line(context: PictureContext, armies: tuple[Army, ...], at: Place) -> Line:
    foe = context.side_name(context.enemy_of(at))
    chance = chance_to_win(battle_forecast(context, armies, at))
    text = f"{context.company(armies)}: attack on {foe} {context.place(at)}"
    text += f", {chance.to('win')}" if chance is not None else ""
    return context.say(text, "attack", context.viewer, at=at, tone=Tone.STRONG)


def defend(context: PictureContext, focus: Focus) -> Command:
    """Return the command that lets the armies here defend, or stop if all of them defend."""
    armies = selected(context, focus) or selected_stack(context, focus)
    return do.Defend(_ids(armies), on=not all(army.defends for army in armies))


def disband(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask which armies to disband, and confirm."""
    here = selected_stack(context, focus)
    armies = yield from some_armies(context, "Which armies are disbanded?", here)
    on_quest = [army for army in armies if carries_quest_item(context.world, army)]
    lines = [context.say(context.company(armies), "command", context.viewer)]
    for army in on_quest:
        text = f"{context.company((army,))} is on a quest for you"
        lines.append(context.say(text, "quest", tone=Tone.BAD))
    title = f"Disband {many(len(armies), 'army', 'armies')} for good?"
    yield from confirm(AskConfirm(title, tuple(lines)))
    return do.Disband(_ids(armies), sure=bool(on_quest))


# -- heroes: sites and items -----------------------------------------------------------------------


def _heroes(armies: Sequence[Army]) -> list[Army]:
    return [army for army in armies if army.hero is not None]


def _hero(context: PictureContext, heroes: Sequence[Army], title: str) -> Dialogue[Army]:
    """Ask for a hero if there are several."""
    if len(heroes) == 1:
        return heroes[0]
    labels = {hero.id: army_label(context, hero) for hero in heroes}
    return context.world.armies[(yield from one_of(title, labels))]


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


def search(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Search with a hero; confirm with the chance of survival if a guardian is known."""
    heroes = [hero for hero in _heroes(selected_stack(context, focus)) if hero.points > 0]
    hero = yield from _hero(context, heroes, "Which hero searches?")
    site, danger = site_at(context.world, hero.at), risk(context, hero)
    if site is not None and danger:
        title = f"Search {site.name or 'this site'}?"
        texts = filter(None, (danger, better_odds(context, hero)))
        lines = tuple(context.say(text, "search", context.viewer) for text in texts)
        yield from confirm(AskConfirm(title, lines, "search", "go back"))
    return do.Search(hero.id)


def unblessed(context: PictureContext, armies: Sequence[Army]) -> tuple[Army, ...]:
    """Return the armies that the temple here has not blessed yet."""
    site = site_at(context.world, armies[0].at)
    return tuple(army for army in armies if site is not None and site.id not in army.blessed)


def bless(context: PictureContext, focus: Focus) -> Command:
    """Return the command to bless all armies here that this temple has not blessed yet."""
    return do.Bless(_ids(unblessed(context, selected_stack(context, focus))))


def no_quest(context: PictureContext, armies: Sequence[Army]) -> str:
    """Return the reason why no quest can be taken; empty if one can."""
    if context.own_side.quest is not None:
        return "You have a quest already."
    return "" if _heroes(armies) else "Only a hero takes a quest."


def quest(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for a hero and let it take a quest."""
    heroes = _heroes(selected_stack(context, focus))
    hero = yield from _hero(context, heroes, "Which hero goes?")
    return do.TakeQuest(hero.id)


_WISHES: Final = {
    "items": "Where items are hidden",
    "gold": "Gold",
    "maps": "A map of the land around",
    "allies": "Where allies wait",
}


def sage(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask for the wish to a sage."""
    labels = {wish: _WISHES[wish] for wish in pending(context).wishes}
    return do.AskSage((yield from one_of("What do you ask of the sage?", labels)))


def hire(context: PictureContext, _focus: Focus) -> Dialogue[Command]:
    """Ask whether to hire or decline the offered hero."""
    offer = pending(context)
    labels = {"yes": hire_label(offer), "no": "Decline"}
    answer = yield from one_of(f"{offer_text(context, offer)}.", labels)
    return do.Hire(accept=answer == "yes")


def hire_label(question: Question) -> str:
    """Return the label of the choice that hires the hero."""
    return f"Hire for {gold(question.price)}" if question.price else "Hire for free"


def no_ground(context: PictureContext, at: Place) -> str:
    """Return the reason why nothing can be dropped here; empty if it is possible."""
    wet = context.world.terrain[at[1], at[0]] in context.settings.heroes.items.afloat
    return "Nothing can be dropped on water." if wet else ""


def pick_up(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for a hero and an item, and pick it up."""
    heroes = _heroes(selected_stack(context, focus))
    hero = yield from _hero(context, heroes, "Which hero takes it?")
    found = item_records.lying(context.world, hero.at)
    return do.PickUp(hero.id, (yield from _item(context, found, "Pick up which item?")))


def drop(context: PictureContext, focus: Focus) -> Dialogue[Command]:
    """Ask for a hero and an item, and drop it."""
    loaded = [h for h in _heroes(selected_stack(context, focus)) if items_of(context.world, h.id)]
    hero = yield from _hero(context, loaded, "Which hero drops something?")
    carried = items_of(context.world, hero.id)
    return do.Drop(hero.id, (yield from _item(context, carried, "Drop which item?")))


def _item(context: PictureContext, things: Sequence[Item], title: str) -> Dialogue[int]:
    return one_of(title, {item.id: context.item_name(item) for item in things})


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


def plant(context: PictureContext, focus: Focus) -> Command:
    """Plant the standard as the rally flag."""
    return do.PlantFlag(bearers(context, selected_stack(context, focus))[0].id)
