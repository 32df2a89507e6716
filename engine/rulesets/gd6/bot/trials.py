"""Trials: the real resolver on imagined positions, guesses about rivals, choice of a site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.decision import BaseDecision
from engine.core.dice import Dice, Scripted, pick
from engine.core.record import replace
from engine.rulesets.gd6.bot.board import (
    USUAL,
    Geometry,
    PlayStyle,
    geometry,
    merits,
    relative_merit,
)
from engine.rulesets.gd6.bot.lists import PlanningScene, list_of
from engine.rulesets.gd6.bot.moves import ListSketch
from engine.rulesets.gd6.commands import UNITS, AnyOrder
from engine.rulesets.gd6.construction import per_territories
from engine.rulesets.gd6.evolve import evolve
from engine.rulesets.gd6.state import NOBODY, Player, State, StateOrView
from engine.rulesets.gd6.territories import Decision, close_by, free_sites
from engine.rulesets.gd6.turns import resolve

# -- trials ----------------------------------------------------------------------------------------

SeatLists = Mapping[int, tuple[AnyOrder, ...]]
"""Lists by seat; a seat without a list is idle."""


def outcome_of(state: State, orders: SeatLists) -> State:
    """Return the position after the lists are executed on a state.

    By then the next turn is open, the game is over, or a settling round has failed.
    """
    players: list[Player] = [
        replace(player, orders=orders.get(player.id, ()), sealed=True)
        for player in state.players.values()
    ]
    decision: Decision = BaseDecision(
        replace(state, players=state.players.put(*players)), evolve, Scripted()
    )
    resolve(decision)
    return decision.state


def played_on(state: State, seats: Sequence[int], style: PlayStyle, turns: int) -> State:
    """Return the position after ``turns`` turns of ``seats`` at level 1, or at the end of the game.

    The other seats are idle.
    """
    for _ in range(turns):
        if state.reason or state.choosing:
            break
        scene = PlanningScene(state)
        playing = [seat for seat in seats if seat in scene.board.seats]
        orders = {seat: list_of(scene, seat, style).orders() for seat in playing}
        state = outcome_of(state, orders)
    return state


# -- guesses about rivals --------------------------------------------------------------------------

MARGIN = 1
"""Rivals farther away than the longest path of a turn plus this many borders are ignored."""


def neighbours(scene: PlanningScene) -> list[int]:
    """Return the rivals that can matter to the seat's land this turn."""
    board = scene.board
    own = board.lands(scene.seat) or list(scene.homes.values())
    far = board.longest + MARGIN
    found = []
    for rival in board.seats:
        if rival == scene.seat:
            continue
        if scene.settles(rival):
            found.append(rival)
            continue
        armed = [at for at in board.lands(rival) if board.health(at) or board.hq[at]]
        if any(board.geo.apart[at][other] <= far for at in armed for other in own):
            found.append(rival)
    return found


def by_style(scene: PlanningScene, rivals: Sequence[int], style: PlayStyle) -> SeatLists:
    """Return the lists of rivals that play level 1 in a style."""
    return {rival: list_of(scene, rival, style).orders() for rival in rivals}


def repeated(scene: PlanningScene, rivals: Sequence[int]) -> SeatLists:
    """Return the lists of rivals that repeat the spawning and moves of their last turn."""
    return {rival: _again(scene, rival).orders() for rival in rivals}


def _again(scene: PlanningScene, rival: int) -> ListSketch:
    board, sketch = scene.board, ListSketch()
    allowed = set(board.spawn_places(rival)) if "spawn" in scene.due else set()
    left = per_territories(board.opened.get(rival, 0))
    there = {at: board.units[at].copy() for at in board.lands(rival)}
    for deed in scene.state.deeds:
        if deed.seat != rival or deed.kind not in ("spawn", "move"):
            continue
        if deed.kind == "spawn":
            count = min(deed.count, left) if deed.at in allowed else 0
            if count:
                sketch.spawns[deed.at] = sketch.spawns.get(deed.at, 0) + count
                there.setdefault(deed.at, [0] * len(UNITS))[0] += count
                left -= count
        elif deed.at in there:
            unit = next((place for place, name in enumerate(UNITS) if name == deed.what), 0)
            count, there[deed.at][unit] = there[deed.at][unit], 0
            if count:
                sketch.moves.append(((deed.at, deed.to), unit, count))
    return sketch


# -- sites by geometry -----------------------------------------------------------------------------

CHOICE = 5
"""Number of best sites from which one is drawn."""


def plain_site(seen: StateOrView, seat: int, dice: Dice) -> int:
    """Choose a site for the headquarters of a seat, or 0 if there is none.

    The site is drawn among the best, since rivals choose on the same map. After a clash it is the
    seat's share. See: GD-HQ-1 to GD-HQ-5.
    """
    share = shares(seen).get(seat, 0)
    if share:
        return share
    ranked = sites(seen, seat)
    return pick(dice, ranked[:CHOICE]) if ranked else 0


def sites(seen: StateOrView, seat: int, *, yields: bool = True) -> list[int]:
    """Return sites for a seat, the best first.

    Sites that leave room for all other unsettled seats are preferred, because clashes cost turns.
    With ``yields``, so are sites away from those on which rivals clashed.
    """
    geo = geometry(seen.world)
    free = free_sites(seen)
    clashed = {
        at
        for deed in seen.deeds
        if yields and deed.kind == "hq" and deed.what == "failed" and deed.seat != seat
        for at in close_by(seen.world, deed.at)
    }
    others = sum(player.status == "unsettled" for player in seen.players.values()) - 1
    polite = [at for at in free if _room_beside(seen, at, free) >= others] or free
    calm = [at for at in polite if at not in clashed] or polite
    placed = [here.id for here in seen.territories.values() if here.hq != NOBODY]
    return sorted(calm, key=lambda at: (-_site_score(seen, geo, at, placed), at))


def shares(seen: StateOrView) -> dict[int, int]:
    """Return a site for each seat that must choose again; empty in the first settling round.

    All computer players compute the same shares from public knowledge, so they clash with each
    other at most once. Sites near those that clashed are left to people, who may insist on them, if
    all get enough room elsewhere. The order of the seats follows from the clashes, so that no seat
    is always first.
    """
    if not seen.failed_rounds or not seen.choosing:
        return {}
    seats = sorted(seen.choosing)
    ranked = sites(seen, NOBODY), sites(seen, NOBODY, yields=False), free_sites(seen)
    spread = _even_spread(seen, ranked, len(seats))
    wishes = [deed.at for deed in seen.deeds if deed.kind == "hq"]
    first = sum(at * number for number, at in enumerate(wishes, 1)) % len(seats)
    return dict(zip(seats[first:] + seats[:first], spread, strict=False))


EVEN: Final = 90
"""Percentage of an equal part of the map that is enough room for a share."""


def _even_spread(seen: StateOrView, rankings: Sequence[Sequence[int]], count: int) -> list[int]:
    """Return the spread with most sites; among those, the first that leaves all enough room.

    Taking the best sites one after another would leave a corner of the map to the last seat.
    """

    def worth(spread: Sequence[int]) -> tuple[int, int]:
        return len(spread), _room_of_poorest(seen, spread)

    found = (_spread(seen, (at, *ranked), count) for ranked in rankings for at in ranked)
    return max(found, key=worth, default=[])


def _room_of_poorest(seen: StateOrView, spread: Sequence[int]) -> int:
    """Return the territories of the poorest site: those nearer to it than to other headquarters.

    The number is capped at what is enough room for a share.
    """
    geo = geometry(seen.world)
    homes = {*spread, *(here.id for here in seen.territories.values() if here.hq != NOBODY)}
    room = dict.fromkeys(homes, 0)
    for row in geo.apart[1:]:
        nearest, *others = sorted(homes, key=lambda at: row[at])
        if not others or row[nearest] < row[others[0]]:
            room[nearest] += 1
    return min([geo.size * EVEN // (100 * len(homes)), *(room[at] for at in spread)])


def _spread(seen: StateOrView, ranked: Sequence[int], count: int) -> list[int]:
    """Pick up to ``count`` sites that are not too close to each other, the best first."""
    found: list[int] = []
    taken: set[int] = set()
    for at in ranked:
        if at not in taken and len(found) < count:
            found.append(at)
            taken |= close_by(seen.world, at)
    return found


def _room_beside(seen: StateOrView, at: int, free: list[int]) -> int:
    """Count greedily how many further headquarters fit once a site is taken."""
    left = [other for other in free if other not in close_by(seen.world, at)]
    count = 0
    while left:
        count += 1
        near = close_by(seen.world, left[0])
        left = [other for other in left if other not in near]
    return count


def _site_score(seen: StateOrView, geo: Geometry, at: int, placed: list[int]) -> int:
    """Score a site by free land around it, borders, and distance to other headquarters."""
    room = sum(seen.territories[other].owner == NOBODY for other in geo.within[at][3])
    near = sum(seen.territories[other].owner == NOBODY for other in geo.within[at][2])
    first = sum(seen.territories[other].owner == NOBODY for other in geo.near[at])
    ways = sum(len(geo.near[other]) for other in geo.near[at])
    away = min((min(geo.apart[at][other], 6) for other in placed), default=6)
    return 2 * room + 3 * near + 4 * first + ways + 3 * away


# -- sites by trial --------------------------------------------------------------------------------

TRIED: Final = 12
"""Maximum number of sites to try."""

GUESSES: Final = 6
"""Guesses about the sites of others for each trial."""

TURNS: Final = 2
"""Turns simulated after a trial."""

UNKNOWN: Final = -1_000_000
"""Value of a site that always clashes."""

CHOICE_AT_FIRST: Final = 3
"""Number of best sites in the draw, plus one for each failed settling round.

Fewer sites lead to repeated clashes, more sites to worse positions.
"""


def settled(scene: PlanningScene, dice: Dice) -> PlanningScene:
    """Return the scene with a site for its seat, if it must choose one."""
    seat = scene.seat
    if not scene.settles(seat):
        return scene
    share = shares(scene.state).get(seat, 0)
    if share:
        return scene.with_homes({seat: share})
    ranked = sites(scene.state, seat, yields=False)[:TRIED]
    others = [rival for rival in scene.board.seats if rival != seat and scene.settles(rival)]
    choices = {rival: sites(scene.state, rival)[:CHOICE] for rival in others}
    guesses = [_guess(scene, choices, dice) for _ in range(GUESSES if others else 1)]
    best = _best_sites(scene, ranked, guesses, CHOICE_AT_FIRST)
    return scene.with_homes({seat: pick(dice, best)}) if best else scene


def likely_homes(scene: PlanningScene, dice: Dice, count: int) -> list[Mapping[int, int]]:
    """Return ``count`` guesses of the sites of all rivals that settle now, as by ``settled``."""
    others = [rival for rival in scene.board.seats if rival != scene.seat and scene.settles(rival)]
    alone = {rival: PlanningScene(scene.state, scene.due, rival) for rival in others}
    return [
        _apart(
            scene, {rival: settled(one, dice).homes.get(rival, 0) for rival, one in alone.items()}
        )
        for _ in range(count)
    ]


def _apart(scene: PlanningScene, homes: Mapping[int, int]) -> Mapping[int, int]:
    """Resolve clashes: in order of seats, each gets its own site or the next best one.

    In a guess with clashes the rivals would end up without land.
    """
    taken: set[int] = set()
    found: dict[int, int] = {}
    for rival, wanted in sorted(homes.items()):
        ranked = (wanted, *sites(scene.state, rival)) if wanted in taken else (wanted,)
        found[rival] = next((at for at in ranked if at not in taken), 0)
        taken |= close_by(scene.state.world, found[rival]) if found[rival] else set()
    return found


def settled_against(
    scene: PlanningScene, homes: Sequence[Mapping[int, int]], dice: Dice
) -> PlanningScene:
    """Return the scene with the best site for its seat against guesses at one rival's site.

    With several rivals ``settled`` chooses the site, since their clashes with each other make
    guesses at their sites unreliable.
    """
    several = len({rival for guess in homes for rival in guess}) > 1
    if several or scene.state.failed_rounds > 1:  # two players that both look for answers clash
        return settled(scene, dice)
    if not scene.settles(scene.seat):
        return scene
    ranked = sites(scene.state, scene.seat, yields=False)[:TRIED]
    best = _best_sites(scene, ranked, [_lists(scene, guess) for guess in homes], 1)
    return scene.with_homes({scene.seat: pick(dice, best)}) if best else scene


def _best_sites(
    scene: PlanningScene, ranked: Sequence[int], guesses: Sequence[SeatLists], count: int
) -> list[int]:
    """Return the ``count`` best sites by trial, plus one for each failed settling round."""
    weights = {at: _site_weight(scene, at, guesses) for at in ranked}
    return sorted(ranked, key=lambda at: (-weights[at], at))[: count + scene.state.failed_rounds]


def _guess(scene: PlanningScene, choices: Mapping[int, Sequence[int]], dice: Dice) -> SeatLists:
    """Return lists of all others, each settling at a random choice of its own."""
    homes = {rival: pick(dice, ranked) for rival, ranked in choices.items() if ranked}
    return _lists(scene, homes)


def _lists(scene: PlanningScene, homes: Mapping[int, int]) -> SeatLists:
    """Return the lists that all other seats write by plain rules if they have the given sites."""
    there = scene.with_homes(homes)
    return {
        rival: list_of(there, rival, USUAL).orders()
        for rival in there.board.seats
        if rival != scene.seat
    }


def _site_weight(scene: PlanningScene, at: int, guesses: Sequence[SeatLists]) -> int:
    """Return the mean relative merit of a site over the guesses in which it does not clash."""
    own = list_of(scene.with_homes({scene.seat: at}), scene.seat, USUAL).orders()
    found = []
    for guess in guesses:
        after = outcome_of(scene.state, {**guess, scene.seat: own})
        if after.players[scene.seat].hq_built:
            later = played_on(after, scene.board.seats, USUAL, TURNS)
            found.append(relative_merit(merits(later), scene.seat))
    return sum(found) // len(found) if found else UNKNOWN
