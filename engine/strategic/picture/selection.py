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


def group_at(scene: PictureContext, at: Place) -> tuple[Army, ...]:
    """The group that is taken up on a tile: who defends stays unless all do. Rules: W2-6.1."""
    ready = scene.movers.get(at, ())
    free = tuple(army for army in ready if not army.defends) or ready
    return mobile_part(scene, free)


def mobile_part(scene: PictureContext, armies: Sequence[Army]) -> tuple[Army, ...]:
    """Those that can move as one group: those afloat apart from those on foot. Rules: W2-6.1."""
    world, rules = scene.world, scene.book.moving
    ashore = [
        army
        for army in armies
        if not groups.is_boat(world, army) and not groups.is_afloat(world, rules, army)
    ]
    walk = any(not groups.flies(world, army) for army in ashore)
    return tuple(sorted(ashore if walk else armies, key=lambda army: army.id))


def selected(scene: PictureContext, focus: Focus) -> tuple[Army, ...]:
    """The group that is held, empty if nothing is or it cannot move any more."""
    leader = scene.world.armies.get(focus.held) if focus.held != NOTHING else None
    if leader is None or leader.owner != scene.viewer or not scene.may_order:
        return ()
    group = group_at(scene, leader.at)
    return group if group and group[0].id == leader.id else ()


def is_own_stack(scene: PictureContext, at: Place) -> bool:
    """Whether the viewer's armies stand on a tile."""
    stack = scene.stacks.get(at)
    return stack is not None and stack[0].owner == scene.viewer


def is_attack(scene: PictureContext, at: Place) -> bool:
    """Whether going to a tile means an attack: others are seen there, or own the city.

    Rules: W2-6.4.
    """
    stack, city = scene.stacks.get(at), city_at(scene.world, at)
    if stack is not None and stack[0].owner != scene.viewer:
        return True
    return city is not None and city.owner != scene.viewer


def has_forecast(scene: PictureContext, at: Place) -> bool:
    """Whether there is a forecast to read before going to a tile. Rules: W2-8.5."""
    return is_attack(scene, at) and scene.knows(at)


def enemy_of(scene: PictureContext, at: Place) -> int:
    """Whom an attack on a tile would be on."""
    city = city_at(scene.world, at)
    stack = scene.stacks.get(at)
    if city is not None and city.owner != scene.viewer:
        return city.owner
    return stack[0].owner if stack is not None else NOBODY


def is_betrayal(scene: PictureContext, at: Place) -> bool:
    """Whether the treaty forbids an attack on a tile. Rules: W2-12.3."""
    return is_attack(scene, at) and not diplomacy.may_attack(
        scene.world, scene.book, scene.viewer, at
    )


def is_enemy(scene: PictureContext, owner: int) -> bool:
    """Whether armies of an owner are no friends of the viewer."""
    return owner != scene.viewer and (
        not scene.is_player or treaty(scene.world, scene.viewer, owner) > 0
    )


# -- the stick and the button ----------------------------------------------------------------------


def _clamped(scene: PictureContext, x: int, y: int) -> Place:
    """The nearest tile of the map."""
    return min(max(0, x), scene.world.width - 1), min(max(0, y), scene.world.height - 1)


def settle_focus(scene: PictureContext, focus: Focus) -> Focus:
    """A focus on the map that holds nothing that cannot move. Rules: W2-6.2.

    What is held and has joined others on its tile goes on with them: then all are held.
    """
    x, y = _clamped(scene, focus.x, focus.y)
    leader = scene.world.armies.get(focus.held)
    group = group_at(scene, leader.at) if leader is not None else ()
    joined = Focus(x, y, group[0].id if leader in group else NOTHING)
    return joined if selected(scene, joined) else Focus(x, y)


def move_cursor(scene: PictureContext, focus: Focus, direction: Direction) -> Focus:
    """The cursor a tile further; what is held stays where it is."""
    dx, dy = DELTAS[direction]
    return Focus(*_clamped(scene, focus.x + dx, focus.y + dy), focus.held)


def press_button(scene: PictureContext, focus: Focus) -> Push:
    """Take a stack up, send it to the cursor, or put it down. Rules: W2-6.4, W2-12.3."""
    at, free = (focus.x, focus.y), Focus(focus.x, focus.y)
    if note := idle_reason(scene):
        return Push(free, note=note)
    group = selected(scene, focus)
    if not group:
        return _taken_up(scene, at)
    if at == group[0].at:
        return Push(free)
    if is_betrayal(scene, at):
        foe = side_name(scene, enemy_of(scene, at))
        return Push(focus, note=f"The treaty with {foe} forbids it; m asks whether to break it.")
    line = write(March(tuple(army.id for army in group), at))
    asked = "march" if has_forecast(scene, at) and way_to(scene, group, at) else ""
    return Push(focus, line, refused=focus, intent=asked)


def _taken_up(scene: PictureContext, at: Place) -> Push:
    group = group_at(scene, at)
    if group:
        return Push(Focus(*at, group[0].id))
    note = "They have no movement points left." if is_own_stack(scene, at) else ""
    return Push(Focus(*at), note=note)


def idle_reason(scene: PictureContext) -> str:
    """Why the viewer can give no orders now; empty if it can."""
    if scene.is_over:
        return "The game is over."
    if not scene.is_player:
        return "You only watch."
    if scene.question is not None:
        return _UNANSWERED[scene.question.kind]
    return "" if scene.may_order else f"It is the turn of {side_name(scene, scene.actor)}."


def button_hint(scene: PictureContext, focus: Focus, percent: str = "") -> str:
    """What the button would do; ``percent`` is the chance to win an attack."""
    if idle_reason(scene):
        return ""
    at, group = (focus.x, focus.y), selected(scene, focus)
    if not group:
        found = group_at(scene, at)
        return f"take up {len(found)}" if found else ""
    if at == group[0].at:
        return "put down"
    if is_betrayal(scene, at):
        return "the treaty forbids it"
    if is_attack(scene, at):
        return f"attack, {percent} to win" if percent else "attack"
    return "go here"
