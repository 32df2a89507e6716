"""Selection: the group of armies that the cursor has picked up, and the button that sends it.

A focus holds the lowest army id of the group: the armies on its tile that can still move and do not
defend, those at sea apart from those on land.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.core.notation import write
from engine.kit.grid import Place
from engine.strategic.commands import March
from engine.strategic.moving import groups
from engine.strategic.picture.context import PictureContext
from engine.strategic.picture.moving import way_to
from engine.strategic.picture.words import side_name
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.turns import diplomacy
from engine.strategic.world import city_at, treaty
from engine.tabletop.focus import DELTAS, NOTHING, Direction, Focus, Push

_UNANSWERED: Final = {
    "fate": "Say first what becomes of the city (a).",
    "hero": "Say first whether the hero is hired (a).",
    "sage": "Tell the sage first what you want (a).",
    "yield": "Say first whether you accept the surrender (a).",
}
"""What must be done before anything else; the letter is that of the intent."""


# -- groups ----------------------------------------------------------------------------------------


def group_at(context: PictureContext, at: Place) -> tuple[Army, ...]:
    """The group that is taken up on a tile: who defends stays unless all do. Rules: W2-6.1."""
    ready = context.movers.get(at, ())
    free = tuple(army for army in ready if not army.defends) or ready
    return mobile_part(context, free)


def mobile_part(context: PictureContext, armies: Sequence[Army]) -> tuple[Army, ...]:
    """Those that can move as one group: those afloat apart from those on foot. Rules: W2-6.1."""
    world, rules = context.world, context.book.moving
    ashore = [
        army
        for army in armies
        if not groups.is_boat(world, army) and not groups.is_afloat(world, rules, army)
    ]
    walk = any(not groups.flies(world, army) for army in ashore)
    return tuple(sorted(ashore if walk else armies, key=lambda army: army.id))


def selected(context: PictureContext, focus: Focus) -> tuple[Army, ...]:
    """The group that is held, empty if nothing is or it cannot move any more."""
    leader = context.world.armies.get(focus.held) if focus.held != NOTHING else None
    if leader is None or leader.owner != context.viewer or not context.may_order:
        return ()
    group = group_at(context, leader.at)
    return group if group and group[0].id == leader.id else ()


def is_own_stack(context: PictureContext, at: Place) -> bool:
    """Whether the viewer's armies stand on a tile."""
    stack = context.stacks.get(at)
    return stack is not None and stack[0].owner == context.viewer


def is_attack(context: PictureContext, at: Place) -> bool:
    """Whether going to a tile means an attack: others are seen there, or own the city.

    Rules: W2-6.4.
    """
    stack, city = context.stacks.get(at), city_at(context.world, at)
    if stack is not None and stack[0].owner != context.viewer:
        return True
    return city is not None and city.owner != context.viewer


def has_forecast(context: PictureContext, at: Place) -> bool:
    """Whether there is a forecast to read before going to a tile. Rules: W2-8.5."""
    return is_attack(context, at) and context.knows(at)


def enemy_of(context: PictureContext, at: Place) -> int:
    """Whom an attack on a tile would be on."""
    city = city_at(context.world, at)
    stack = context.stacks.get(at)
    if city is not None and city.owner != context.viewer:
        return city.owner
    return stack[0].owner if stack is not None else NOBODY


def is_betrayal(context: PictureContext, at: Place) -> bool:
    """Whether the treaty forbids an attack on a tile. Rules: W2-12.3."""
    return is_attack(context, at) and not diplomacy.may_attack(
        context.world, context.book, context.viewer, at
    )


def is_enemy(context: PictureContext, owner: int) -> bool:
    """Whether armies of an owner are no friends of the viewer."""
    return owner != context.viewer and (
        not context.is_player or treaty(context.world, context.viewer, owner) > 0
    )


# -- the stick and the button ----------------------------------------------------------------------


def _clamped(context: PictureContext, x: int, y: int) -> Place:
    """The nearest tile of the map."""
    return min(max(0, x), context.world.width - 1), min(max(0, y), context.world.height - 1)


def settle_focus(context: PictureContext, focus: Focus) -> Focus:
    """A focus on the map that holds nothing that cannot move. Rules: W2-6.2.

    What is held and has joined others on its tile goes on with them: then all are held.
    """
    x, y = _clamped(context, focus.x, focus.y)
    leader = context.world.armies.get(focus.held)
    group = group_at(context, leader.at) if leader is not None else ()
    joined = Focus(x, y, group[0].id if leader in group else NOTHING)
    return joined if selected(context, joined) else Focus(x, y)


def move_cursor(context: PictureContext, focus: Focus, direction: Direction) -> Focus:
    """The cursor a tile further; what is held stays where it is."""
    dx, dy = DELTAS[direction]
    return Focus(*_clamped(context, focus.x + dx, focus.y + dy), focus.held)


def press_button(context: PictureContext, focus: Focus) -> Push:
    """Take a stack up, send it to the cursor, or put it down. Rules: W2-6.4, W2-12.3."""
    at, free = (focus.x, focus.y), Focus(focus.x, focus.y)
    if note := idle_reason(context):
        return Push(free, note=note)
    group = selected(context, focus)
    if not group:
        return _taken_up(context, at)
    if at == group[0].at:
        return Push(free)
    if is_betrayal(context, at):
        foe = side_name(context, enemy_of(context, at))
        return Push(focus, note=f"The treaty with {foe} forbids it; m asks whether to break it.")
    line = write(March(tuple(army.id for army in group), at))
    asked = "march" if has_forecast(context, at) and way_to(context, group, at) else ""
    return Push(focus, line, refused=focus, intent=asked)


def _taken_up(context: PictureContext, at: Place) -> Push:
    group = group_at(context, at)
    if group:
        return Push(Focus(*at, group[0].id))
    note = "They have no movement points left." if is_own_stack(context, at) else ""
    return Push(Focus(*at), note=note)


def idle_reason(context: PictureContext) -> str:
    """Why the viewer can give no orders now; empty if it can."""
    if context.is_over:
        return "The game is over."
    if not context.is_player:
        return "You only watch."
    if context.question is not None:
        return _UNANSWERED[context.question.kind]
    return "" if context.may_order else f"It is the turn of {side_name(context, context.actor)}."


def button_hint(context: PictureContext, focus: Focus, percent: str = "") -> str:
    """What the button would do; ``percent`` is the chance to win an attack."""
    if idle_reason(context):
        return ""
    at, group = (focus.x, focus.y), selected(context, focus)
    if not group:
        found = group_at(context, at)
        return f"take up {len(found)}" if found else ""
    if at == group[0].at:
        return "put down"
    if is_betrayal(context, at):
        return "the treaty forbids it"
    if is_attack(context, at):
        return f"attack, {percent} to win" if percent else "attack"
    return "go here"
