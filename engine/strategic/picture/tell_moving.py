"""What is said of marches, goals, sight and towers."""

from __future__ import annotations

from collections.abc import Iterator

from engine.strategic import events as ev
from engine.strategic.picture.scene import Scene
from engine.strategic.picture.style import Topic
from engine.strategic.picture.words import company, many, mood, say, side_name, where
from engine.strategic.pieces import NOBODY, Army
from engine.strategic.world import city_at
from engine.tabletop.board import Line
from engine.tabletop.roles import Tone


def group_of(scene: Scene, armies: tuple[int, ...]) -> tuple[Army, ...]:
    """Those of some armies that are known."""
    rows = scene.world.armies
    return tuple(rows[army] for army in armies if army in rows)


def moved(scene: Scene, event: ev.GroupMoved) -> Iterator[Line]:
    """A march as far as it was seen. Rules: W2-6.4, W2-6.6."""
    group = group_of(scene, event.armies)
    owner = group[0].owner if group else scene.world.current
    who = company(scene, group) if group else many(len(event.armies), "army", "armies")
    if not event.path:
        text = f"{who} of {side_name(scene, owner)} went out of sight"
        yield say(scene, text, "march", owner, tone=Tone.QUIET)
        return
    at = event.path[-1]
    text = f"{who} of {side_name(scene, owner)} went to {where(scene, at)}"
    if any(event.aboard):
        text += ", aboard"
    if owner == scene.viewer:
        text += f", {many(min(event.points), 'point')} left"
    topic: Topic = "aboard" if any(event.aboard) else "march"
    way = f"way of {event.armies[0]}"
    yield say(scene, text, topic, owner, at=at, tone=Tone.QUIET, group=way)


def stopped(scene: Scene, event: ev.MarchStopped) -> Iterator[Line]:
    """Rules: W2-6.4."""
    group, at = group_of(scene, event.armies), event.before
    owner = group[0].owner if group else scene.world.current
    foes = scene.stacks.get(at, ())
    if foes and foes[0].owner != owner:
        why = f"{company(scene, foes)} of {side_name(scene, foes[0].owner)} bar the way"
    elif city_at(scene.world, at) is not None:
        why = f"{where(scene, at)} bars the way"
    else:
        why = "the way is barred"
    text = f"{company(scene, group)} stopped before {where(scene, at)}: {why}"
    yield say(scene, text, "march", owner, at=at, tone=Tone.STRONG)


def aimed(scene: Scene, event: ev.GoalSet) -> Iterator[Line]:
    """Rules: W2-6.5."""
    group = group_of(scene, event.armies)
    if not group:
        return
    who, owner = company(scene, group), group[0].owner
    if event.flag:
        text = f"{who} are to go to the rally flag"
    elif event.to is not None:
        text = f"{who} are on the way to {where(scene, event.to)}"
    else:
        text = f"{who} have no goal any more"
    yield say(scene, text, "goal", owner, at=event.to or group[0].at, tone=Tone.QUIET)


def defended(scene: Scene, event: ev.DefendSet) -> Iterator[Line]:
    """Rules: W2-6.7."""
    group = group_of(scene, event.armies)
    if group:
        does = "defend where they stand" if event.on else "do not defend any more"
        text = f"{company(scene, group)} {does}"
        yield say(scene, text, "tower", group[0].owner, at=group[0].at, tone=Tone.QUIET)


def found(scene: Scene, event: ev.TilesFound) -> Iterator[Line]:
    """Rules: W2-11."""
    text = f"{many(len(event.tiles), 'new tile')} discovered"
    place = event.tiles[0] % scene.world.width, event.tiles[0] // scene.world.width
    yield say(scene, text, "fog", event.side, at=place, tone=Tone.QUIET, group="discovered")


def lifted(scene: Scene, _event: ev.FogLifted) -> Iterator[Line]:
    """Rules: W2-11."""
    text = "Every side knows every city: nothing is hidden any more"
    yield say(scene, text, "fog", tone=Tone.STRONG)


def towers_built(scene: Scene, event: ev.TowersBuilt) -> Iterator[Line]:
    """Rules: W2-6.7."""
    for tower in event.towers:
        text = f"{side_name(scene, tower.owner)} built a tower at {tower.x},{tower.y}"
        at = tower.x, tower.y
        yield say(scene, text, "tower", tower.owner, at=at, tone=mood(scene, tower.owner))


def towers_fell(scene: Scene, event: ev.TowersFell) -> Iterator[Line]:
    """Rules: W2-6.7."""
    width = scene.world.width
    for number in event.towers:
        at = number % width, number // width
        text = f"The tower at {at[0]},{at[1]} is gone"
        yield say(scene, text, "tower", NOBODY, at=at, tone=Tone.QUIET)
