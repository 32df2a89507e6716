"""Dialogues about the whole side: line of battle, stances, surrender, the end of the turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.core.notation import write
from engine.strategic import commands as do
from engine.strategic.picture import answers as told
from engine.strategic.picture.marks import idle
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.words import (
    STANCES,
    TREATIES,
    company,
    many,
    say,
    side_name,
    type_name,
    where,
)
from engine.strategic.pieces import NONE, Side
from engine.strategic.world import treaty
from engine.tabletop.ask import AnyAsk, AskConfirm, AskOne, AskOrder, Choice
from engine.tabletop.board import Line
from engine.tabletop.focus import Focus
from engine.tabletop.roles import Tone

Answers = Sequence[str]

_NAMED: Final = 6
"""So many stacks and cities are named before a turn is ended; the others are counted."""


def order(scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """All types, who fights first at the top. Rules: W2-8.4."""
    places = scene.world.sides[scene.viewer].order
    by_place = sorted(
        scene.world.types,
        key=lambda kind: (places[kind] if kind < len(places) else 0, kind),
    )
    listed = answers[0].split(">") if answers else []
    if sorted(listed) == sorted(map(str, by_place)):
        return write(do.SetFightOrder(tuple(map(int, listed))))
    choices = tuple(Choice(str(kind), type_name(scene, kind)) for kind in by_place)
    return AskOrder("Line of battle: the first fights first", choices)


# -- treaties --------------------------------------------------------------------------------------


def others(scene: Scene) -> list[Side]:
    """The other living sides."""
    return [side for side in scene.world.sides.values() if side.alive and side.id != scene.viewer]


def stance(scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """Toward whom, then which. Rules: W2-12.1, W2-12.2."""
    own = scene.world.sides[scene.viewer]
    toward = told.number(answers)
    if toward is None or toward not in {side.id for side in others(scene)}:
        choices = tuple(Choice(str(side.id), _stands(scene, side)) for side in others(scene))
        return AskOne("Toward whom?", choices)
    wanted = told.number(answers, 1)
    if wanted is not None and 0 <= wanted < len(STANCES):
        return write(do.SetStance(toward, wanted))
    now = own.stances[toward] if toward < len(own.stances) else NONE
    choices = tuple(
        Choice(str(number), name, "your stance now" if number == now else "")
        for number, name in enumerate(STANCES)
    )
    return AskOne(f"{side_name(scene, toward)}: what do you want?", choices)


def _stands(scene: Scene, side: Side) -> str:
    own = scene.world.sides[scene.viewer]
    state = TREATIES[treaty(scene.world, scene.viewer, side.id)]
    wanted = STANCES[own.stances[side.id]] if side.id < len(own.stances) else "nothing"
    return f"{side_name(scene, side.id)}: {state}, you want {wanted}"


# -- the end ---------------------------------------------------------------------------------------


def answer_yield(_scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """Whether the surrender is accepted. Rules: W2-13.3."""
    answer = told.word(answers, ("yes", "no"))
    if answer is not None:
        return write(do.AnswerYield(accept=answer == "yes"))
    choices = Choice("yes", "Accept: the game is won"), Choice("no", "Fight on")
    return AskOne("The computer players offer to surrender.", choices)


def resign(scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """What becomes of the cities, and whether. Rules: W2-17."""
    how = told.word(answers, ("leave", "burn"))
    if how is None:
        burn = "" if scene.book.turns.may_burn else "There is no razing in this game."
        choices = (
            Choice("leave", "The cities become neutral"),
            Choice("burn", "All cities are razed", burn),
        )
        return AskOne("Give up: what becomes of your cities?", choices)
    if told.said_yes(answers, 1):
        return write(do.Resign(burn=how == "burn"))
    text = f"{many(len(scene.own_cities), 'city', 'cities')} and all armies are gone then"
    return AskConfirm("Give up for good?", (say(scene, text, "resign", tone=Tone.BAD),))


def end_turn(scene: Scene, _focus: Focus, answers: Answers) -> AnyAsk | str:
    """Whether to end the turn, with what is left undone. Rules: W2-13.2."""
    if told.said_yes(answers):
        return write(do.EndTurn())
    return AskConfirm("End the turn?", tuple(undone(scene)))


def undone(scene: Scene) -> Iterator[Line]:
    """Stacks that could still move, marches that could go on, cities that make nothing."""
    side, waiting = scene.viewer, idle(scene)
    if waiting:
        text = f"{many(len(waiting), 'stack')} could still move:"
        yield say(scene, text, "march", side)
    for at in waiting[:_NAMED]:
        text = f"{company(scene, scene.movers[at])} at {where(scene, at)}"
        yield say(scene, text, "march", side, at=at, tone=Tone.QUIET)
    yield from _more(scene, len(waiting))
    goals = sum(a.points > 0 and (a.goal is not None or a.to_flag) for a in scene.own_armies)
    if goals:
        text = f"{many(goals, 'army', 'armies')} with a goal could go on (c)"
        yield say(scene, text, "goal", side)
    lazy = [city for city in scene.own_cities if city.making == NONE and city.slots]
    if lazy:
        lying = many(len(lazy), "city makes", "cities make")
        yield say(scene, f"{lying} nothing:", "produce", side)
    for city in lazy[:_NAMED]:
        at = city.x, city.y
        yield say(scene, city.name, "produce", side, at=at, tone=Tone.QUIET)
    yield from _more(scene, len(lazy))


def _more(scene: Scene, count: int) -> Iterator[Line]:
    if count > _NAMED:
        yield say(scene, f"and {count - _NAMED} more", "turn", tone=Tone.QUIET)
