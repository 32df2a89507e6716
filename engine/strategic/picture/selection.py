"""Selection: the group of armies that the cursor has picked up, and the button that sends it.

A focus holds the lowest army id of the group. A group consists of the armies on its tile that can
still move and do not defend; armies at sea and on land form different groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import Place
from engine.strategic import costs
from engine.strategic.commands import March
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.moving import way_to
from engine.strategic.pieces import Army
from engine.strategic.world import flies as can_fly
from engine.strategic.world import is_boat
from engine.tabletop.focus import DELTAS, NOTHING, Direction, Focus, Push

_UNANSWERED: Final = {
    "fate": "First decide the fate of the city (a).",
    "hero": "First answer the hero (a).",
    "sage": "First answer the sage (a).",
    "yield": "First answer the surrender (a).",
}
"""Instruction while a question is open, by its kind; the letter is that of the intent."""


# -- groups ----------------------------------------------------------------------------------------


def group_at(context: PictureContext, at: Place) -> tuple[Army, ...]:
    """Return the group that can be selected on a tile; defenders only if all are defending."""
    ready = context.movers.get(at, ())
    free = tuple(army for army in ready if not army.defends) or ready
    return mobile_part(context, free)


def mobile_part(context: PictureContext, armies: Sequence[Army]) -> tuple[Army, ...]:
    """Return those of some armies that can move as one group.

    If any army ashore must walk, these are all that are ashore, without boats; else all armies.
    """
    world, rules = context.world, context.settings.moving
    ashore = [
        army
        for army in armies
        if not is_boat(world, army) and not costs.is_afloat(world, rules, army)
    ]
    walk = any(not can_fly(world, army) for army in ashore)
    return tuple(sorted(ashore if walk else armies, key=lambda army: army.id))


def selected(context: PictureContext, focus: Focus) -> tuple[Army, ...]:
    """Return the selected group; empty without a selection or if it can no longer move."""
    leader = context.world.armies.get(focus.held) if focus.held != NOTHING else None
    if leader is None or leader.owner != context.viewer or not context.may_order:
        return ()
    group = group_at(context, leader.at)
    return group if group and group[0].id == leader.id else ()


# -- cursor and button -----------------------------------------------------------------------------


def _clamped(context: PictureContext, x: int, y: int) -> Place:
    """Return the nearest tile of the map."""
    return min(max(0, x), context.world.width - 1), min(max(0, y), context.world.height - 1)


def settle_focus(context: PictureContext, focus: Focus) -> Focus:
    """Return the focus clamped to the map; it keeps its group only if that can still move.

    If the selected group has joined others on its tile, all of them are selected.
    """
    x, y = _clamped(context, focus.x, focus.y)
    leader = context.world.armies.get(focus.held)
    group = group_at(context, leader.at) if leader is not None else ()
    joined = Focus(x, y, group[0].id if leader in group else NOTHING)
    return joined if selected(context, joined) else Focus(x, y)


def move_cursor(context: PictureContext, focus: Focus, direction: Direction) -> Focus:
    """Return the focus with the cursor moved by a tile; the selection stays."""
    dx, dy = DELTAS[direction]
    return Focus(*_clamped(context, focus.x + dx, focus.y + dy), focus.held)


def press_button(context: PictureContext, focus: Focus) -> Push:
    """Return the effect of the button: select a group, send it to the cursor, or put it down."""
    at, free = (focus.x, focus.y), Focus(focus.x, focus.y)
    if note := idle_reason(context):
        return Push(free, note=note)
    group = selected(context, focus)
    if not group:
        return _taken_up(context, at)
    if at == group[0].at:
        return Push(free)
    if context.is_betrayal(at):
        foe = context.side_name(context.enemy_of(at))
        return Push(focus, note=f"The treaty with {foe} forbids it; march to break it (m).")
    line, stops = write(March(tuple(army.id for army in group), at)), way_to(context, group, at)
    asked = "march" if context.has_forecast(at) and stops else ""
    # Once it is on its way to a later turn, another press would redirect those who have moves left.
    after = free if stops and stops[-1].turn and not asked else focus
    return Push(after, line, refused=focus, intent=asked)


def _taken_up(context: PictureContext, at: Place) -> Push:
    group = group_at(context, at)
    if group:
        return Push(Focus(*at, group[0].id))
    stack = context.stacks.get(at)
    is_own = stack is not None and stack[0].owner == context.viewer
    note = "They have no moves left." if is_own else "You have no army here."
    return Push(Focus(*at), note=note)


def idle_reason(context: PictureContext) -> str:
    """Return the reason why the viewer can give no orders now; empty if it can."""
    if context.is_over:
        return "The game is over."
    if not context.is_player:
        return "You only watch."
    if context.question is not None:
        kind = context.question.kind
        own = context.style.questions.get(kind)
        usual = own.prompt if own is not None else "First answer the question (a)."
        return _UNANSWERED.get(kind, usual)
    return "" if context.may_order else f"It is {context.side_name(context.actor)}'s turn."


def _share(context: PictureContext, group: Sequence[Army]) -> str:
    """Return how many of a stack a group is, such as ``1 of 2``; empty for a whole stack."""
    stack = context.stacks[group[0].at]
    return f"{len(group)} of {len(stack)}" if len(group) < len(stack) else ""


def button_hint(context: PictureContext, focus: Focus, chance: str = "") -> str:
    """Describe the button's effect in a few words, with the chance to win an attack."""
    if idle_reason(context):
        return ""
    at, group = (focus.x, focus.y), selected(context, focus)
    if not group:
        found = group_at(context, at)
        return f"take up {_share(context, found) or len(found)}" if found else ""
    if at == group[0].at:
        return "put down"
    part = _share(context, group)
    text = f"go here with {part}" if part else "go here"
    if context.is_attack(at):
        text = f"attack, {chance}" if chance else "attack"
    return _obstacle(context, group, at) or text


def _obstacle(context: PictureContext, group: tuple[Army, ...], at: Place) -> str:
    """Return why a group cannot be sent to a tile; empty if it can."""
    if context.is_betrayal(at):
        return "the treaty forbids it"
    stops = way_to(context, group, at)
    if not stops:
        return "no way leads there"
    is_bound = all(one.goal == at and not one.to_flag and not one.defends for one in group)
    return "they cannot go on this turn" if is_bound and stops[0].turn else ""
