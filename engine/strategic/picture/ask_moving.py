"""Dialogues about armies: which of them, where to, and what becomes of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import STEPS, Place
from engine.strategic import commands as do
from engine.strategic.picture import answers as told
from engine.strategic.picture import ways, weighing
from engine.strategic.picture.holding import (
    enemy_of,
    group_at,
    held,
    is_betrayal,
    is_weighed,
)
from engine.strategic.picture.marks import price
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import TREATIES, company, many, say, side_name, where
from engine.strategic.pieces import Army
from engine.strategic.quests import carries_quest_item
from engine.strategic.world import treaty
from engine.tabletop.ask import (
    AnyAsk,
    AskConfirm,
    AskOne,
    AskPath,
    AskPlace,
    AskSome,
    Choice,
)
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

Answers = Sequence[str]

_GOALS: Final = ("place", "flag", "none")


def stack(scene: Scene, focus: Focus) -> tuple[Army, ...]:
    """All own armies on the tile of what is held, or else under the cursor."""
    group = held(scene, focus)
    at = group[0].at if group else (focus.x, focus.y)
    found = scene.stacks.get(at, ())
    return found if found and found[0].owner == scene.viewer else ()


def _ids(group: Sequence[Army]) -> tuple[int, ...]:
    return tuple(army.id for army in group)


# -- marching --------------------------------------------------------------------------------------


def march(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Where to, unless the cursor is there already; before an attack the forecast.

    Rules: W2-6.4, W2-8.6, W2-12.3.
    """
    armies, at = held(scene, focus), (focus.x, focus.y)
    if armies and armies[0].at != at:
        return _to(scene, armies, at, answers)
    return _where(scene, armies or group_at(scene, at), answers)


def group(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Which armies, then where to. Rules: W2-6.1."""
    able = tuple(army for army in stack(scene, focus) if army.points > 0)
    armies = told.chosen(answers, able)
    if not armies:
        return AskSome("Who marches?", told.choices(scene, able), 1, len(able))
    return _where(scene, armies, answers[1:])


def _where(scene: Scene, armies: tuple[Army, ...], answers: Answers) -> AnyAsk | str:
    cells = _cells(scene, armies)
    there = told.place(answers)
    if there is not None and there != armies[0].at and scene.world.terrain.has(*there):
        return _to(scene, armies, there, answers[1:])
    title = f"{company(scene, armies)}: where to?"
    labels, shorts = zip(*cells.values(), strict=True) if cells else ((), ())
    return AskPlace(title, tuple(cells), labels, shorts)


def _cells(scene: Scene, armies: tuple[Army, ...]) -> dict[Place, tuple[str, str]]:
    """Where a group can get or whom it can attack, else what is around it.

    Each with its price or chance, at length and in one character.
    """
    found = ways.reach(scene, armies)
    cells = {at: (price(cost), "") for at, cost in found.stops.items()}
    for at in found.targets:
        forecast = weighing.weigh(scene, armies, at)
        cells[at] = weighing.percent(forecast), weighing.short(forecast)
    x, y = armies[0].at
    around = ((x + dx, y + dy) for dx, dy in STEPS[8])
    return cells or {at: ("", "") for at in around if scene.world.terrain.has(*at)}


def _to(scene: Scene, armies: tuple[Army, ...], at: Place, answers: Answers) -> AnyAsk | str:
    betrays = is_betrayal(scene, at)
    if is_weighed(scene, at) and not told.said_yes(answers):
        lines = _attack_lines(scene, armies, at)
        return AskConfirm(_attack_title(scene, at), lines, "attack", "leave it")
    return write(do.March(_ids(armies), at, betray=betrays))


def _attack_title(scene: Scene, at: Place) -> str:
    return f"Attack {side_name(scene, enemy_of(scene, at))} at {where(scene, at)}?"


def _attack_lines(scene: Scene, armies: tuple[Army, ...], at: Place) -> tuple[Line, ...]:
    """Rules: W2-8.3, W2-8.5, W2-12.3."""
    lines = [*_delay(scene, armies, at), *weighing.lines(scene, armies, at)]
    if is_betrayal(scene, at):
        foe = enemy_of(scene, at)
        state = TREATIES[treaty(scene.world, scene.viewer, foe)]
        text = f"You are {state} with {side_name(scene, foe)}: this is treachery"
        lines.insert(0, say(scene, text, "betrayal", scene.viewer, tone=Tone.BAD))
    return tuple(lines)


def _delay(scene: Scene, armies: tuple[Army, ...], at: Place) -> Iterator[Line]:
    """That they do not get there in this turn. Rules: W2-6.4, W2-6.5."""
    stops = ways.way(scene, armies, at)
    if stops and stops[-1].turn:
        text = f"They are there in {many(stops[-1].turn + 1, 'turn')}"
        yield say(scene, text, "way", scene.viewer)


def walk(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Step by step, as far as the points can reach. Rules: W2-6.4."""
    armies = held(scene, focus) or group_at(scene, stack(scene, focus)[0].at)
    path = _path(answers)
    if path:
        return write(do.Walk(_ids(armies), path, betray=is_betrayal(scene, path[-1])))
    most = max(1, min(army.points for army in armies))
    return AskPath(f"{company(scene, armies)}: step by step", armies[0].at, most)


def _path(answers: Answers) -> tuple[Place, ...]:
    parts = answers[0].split(">") if answers else []
    found = [told.place([part]) for part in parts]
    return tuple(at for at in found if at is not None) if None not in found else ()


# -- goals, defence, disbanding --------------------------------------------------------------------


def goal(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """To a place, to the flag, or nowhere. Rules: W2-6.5."""
    armies = held(scene, focus) or stack(scene, focus)
    what = told.word(answers, _GOALS)
    flag = scene.world.sides[scene.viewer].flag
    aimed = any(army.goal is not None or army.to_flag for army in armies)
    match what:
        case "flag":
            return write(do.SetGoal(_ids(armies), flag=True))
        case "none":
            return write(do.SetGoal(_ids(armies)))
        case "place":
            there = told.place(answers, 1)
            if there is not None:
                return write(do.SetGoal(_ids(armies), there))
            cells = _goals(scene, armies)
            return AskPlace(f"{company(scene, armies)}: goal", tuple(cells))
        case _:
            return AskOne(
                f"{company(scene, armies)}: where to in later turns?",
                (
                    Choice("place", "to a place …"),
                    Choice("flag", "to the rally flag", "" if flag else "You have planted none."),
                    Choice("none", "nowhere any more", "" if aimed else "They have no goal."),
                ),
            )


def _goals(scene: Scene, armies: tuple[Army, ...]) -> list[Place]:
    """Every known tile but their own."""
    width, height = scene.world.width, scene.world.height
    radius = scene.book.moving.far_human
    x, y = armies[0].at
    columns = range(max(0, x - radius), min(width, x + radius + 1))
    rows = range(max(0, y - radius), min(height, y + radius + 1))
    return [(c, r) for r in rows for c in columns if (c, r) != (x, y)]


def go_on(_scene: Scene, _focus: Focus, _answers: Answers) -> AnyAsk | str:
    """All that have a goal march. Rules: W2-6.5."""
    return write(do.GoOn())


def defend(scene: Scene, focus: Focus, _answers: Answers) -> AnyAsk | str:
    """Those here defend, or do not any more. Rules: W2-6.7."""
    armies = held(scene, focus) or stack(scene, focus)
    return write(do.Defend(_ids(armies), on=not all(army.defends for army in armies)))


def disband(scene: Scene, focus: Focus, answers: Answers) -> AnyAsk | str:
    """Which armies go home for good; asked twice. Rules: W2-17."""
    here = stack(scene, focus)
    armies = told.chosen(answers, here)
    if not armies:
        return AskSome("Who is disbanded?", told.choices(scene, here), 1, len(here))
    if told.said_yes(answers, 1):
        sure = any(carries_quest_item(scene.world, army) for army in armies)
        return write(do.Disband(_ids(armies), sure=sure))
    lines = [say(scene, company(scene, armies), "command", scene.viewer)]
    lines += [
        say(scene, f"{company(scene, (army,))} is on your quest", "quest", tone=Tone.BAD)
        for army in armies
        if carries_quest_item(scene.world, army)
    ]
    return AskConfirm(f"Disband {many(len(armies), 'army', 'armies')} for good?", tuple(lines))
