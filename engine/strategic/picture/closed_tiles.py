"""Reasons why a tile cannot be chosen where a dialogue asks for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from engine.kit.grid import Place
from engine.strategic.cities import sources
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.dialogues_armies import armies_answer, selected_stack
from engine.strategic.picture.moving import reach_of, way_to
from engine.strategic.picture.selection import group_at, selected
from engine.strategic.picture.words import many
from engine.strategic.pieces import STACK, Army
from engine.strategic.world import city_at, is_on_map
from engine.tabletop.focus import Focus

WhyNotAt: TypeAlias = Callable[[PictureContext, Focus, Sequence[str], Place], str]
"""Reason why a tile cannot be the next answer of a dialogue; empty without one."""


def why_not_at(
    context: PictureContext, focus: Focus, intent: str, answers: Sequence[str], at: Place
) -> str:
    """Reason why a tile cannot be the next answer of an intent; empty without one."""
    if not is_on_map(context.world, at):
        return "There is no such tile."
    reason = context.style.why_not_at.get(intent) or _REASONS.get(intent)
    return reason(context, focus, answers, at) if reason is not None else ""


def _march(context: PictureContext, focus: Focus, _answers: Sequence[str], at: Place) -> str:
    armies = selected(context, focus) or group_at(context, (focus.x, focus.y))
    return _no_march(context, armies, at)


def _group(context: PictureContext, focus: Focus, answers: Sequence[str], at: Place) -> str:
    return _no_march(context, armies_answer(answers, selected_stack(context, focus)), at)


def _no_march(context: PictureContext, armies: tuple[Army, ...], at: Place) -> str:
    """Reason why a march of armies does not end on a tile this turn."""
    if not armies or at == armies[0].at:
        return "They are there already." if armies else ""
    stops = way_to(context, armies, at)
    if not stops:
        return "No way that you know leads there."
    if late := stops[-1].turn:
        turns = many(late + 1, "turn")
        return f"Too far for this turn: it takes {turns}. Give it as a goal (G)."
    if at in reach_of(context, armies).crowded:
        return f"Too many armies: a tile holds {STACK}."
    return "They cannot stop there."


def _goal(context: PictureContext, focus: Focus, _answers: Sequence[str], at: Place) -> str:
    armies = selected(context, focus) or selected_stack(context, focus)
    if armies and at == armies[0].at:
        return "They are there already."
    return f"Too far: a goal is at most {context.settings.moving.far_human} tiles away."


def _vector(context: PictureContext, focus: Focus, _answers: Sequence[str], at: Place) -> str:
    """Reason why a city cannot send its armies to a tile."""
    city, target = (city_at(context.world, there) for there in ((focus.x, focus.y), at))
    if target is None or city is None:
        return "Armies are sent to your cities, and to your rally flag."
    if target.owner != context.viewer:
        return f"{target.name} is not your city."
    if target.id == city.id:
        return f"{city.name} keeps its new armies already."
    if target.id == city.vector:
        return f"{city.name} sends its armies there already."
    count = len(sources(context.world, context.viewer, target.id))
    return f"{many(count, 'city sends', 'cities send')} armies there already; no more can."


_REASONS: Final[Mapping[str, WhyNotAt]] = {
    "march": _march,
    "group": _group,
    "goal": _goal,
    "vector": _vector,
}
