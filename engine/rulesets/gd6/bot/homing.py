"""Choosing a site by trying out what comes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.core.dice import Dice, pick
from engine.rulesets.gd6.bot.listing import Scene, list_of
from engine.rulesets.gd6.bot.merit import merits, standing
from engine.rulesets.gd6.bot.settling import CHOICE, sites
from engine.rulesets.gd6.bot.style import USUAL
from engine.rulesets.gd6.bot.trial import Orders, outcome_of, played_on
from engine.rulesets.gd6.lands import close_by

TRIED: Final = 12
"""Sites that are tried out."""

GUESSES: Final = 6
"""Guesses about the sites of others that each is tried out against."""

TURNS: Final = 2
"""Turns that are played on."""

CHOICE_AT_FIRST: Final = 3
"""Best sites among which the draw is made; one more for each settling round that failed.

Who always insists on the best clashes until seats decide; who draws from many gives much away.
"""


def settled(scene: Scene, dice: Dice) -> Scene:
    """The scene with a site for its seat, if it is to choose one."""
    seat = scene.seat
    if not scene.settles(seat):
        return scene
    ranked = sites(scene.state, seat, yields=False)[:TRIED]
    others = [rival for rival in scene.board.seats if rival != seat and scene.settles(rival)]
    choices = {rival: sites(scene.state, rival)[:CHOICE] for rival in others}
    guesses = [_guess(scene, choices, dice) for _ in range(GUESSES if others else 1)]
    best = _best(scene, ranked, guesses, CHOICE_AT_FIRST)
    return scene.with_homes({seat: pick(dice, best)}) if best else scene


def likely_homes(scene: Scene, dice: Dice, count: int) -> list[Mapping[int, int]]:
    """So many guesses at the sites of all rivals that settle now: each chooses as ``settled``."""
    others = [rival for rival in scene.board.seats if rival != scene.seat and scene.settles(rival)]
    alone = {rival: Scene(scene.state, scene.due, rival) for rival in others}
    return [
        _apart(
            scene, {rival: settled(one, dice).homes.get(rival, 0) for rival, one in alone.items()}
        )
        for _ in range(count)
    ]


def _apart(scene: Scene, homes: Mapping[int, int]) -> Mapping[int, int]:
    """Sites that do not clash: in seat order each takes its own, or its next best one.

    A guess in which rivals clash with each other would look as if they had no land at all.
    """
    taken: set[int] = set()
    found: dict[int, int] = {}
    for rival, wanted in sorted(homes.items()):
        ranked = (wanted, *sites(scene.state, rival)) if wanted in taken else (wanted,)
        found[rival] = next((at for at in ranked if at not in taken), 0)
        taken |= close_by(scene.state.world, found[rival]) if found[rival] else set()
    return found


def settled_against(scene: Scene, homes: Sequence[Mapping[int, int]], dice: Dice) -> Scene:
    """The scene with the best site for its seat if the rival chooses one of these; see ``settled``.

    Where several rivals settle it is chosen as ``settled``: their clashes with each other change
    too much for guesses at what each of them wants.
    """
    if len({rival for guess in homes for rival in guess}) > 1:
        return settled(scene, dice)
    if not scene.settles(scene.seat):
        return scene
    ranked = sites(scene.state, scene.seat, yields=False)[:TRIED]
    best = _best(scene, ranked, [_lists(scene, guess) for guess in homes], 1)
    return scene.with_homes({scene.seat: pick(dice, best)}) if best else scene


def _best(scene: Scene, ranked: Sequence[int], guesses: Sequence[Orders], count: int) -> list[int]:
    """The sites that come to most, so many and one more for each failed settling round."""
    weights = {at: _weight(scene, at, guesses) for at in ranked}
    return sorted(ranked, key=lambda at: (-weights[at], at))[: count + scene.state.failed_rounds]


def _guess(scene: Scene, choices: Mapping[int, Sequence[int]], dice: Dice) -> Orders:
    """What all others might do: each settles on one of its choices, if it is to settle."""
    homes = {rival: pick(dice, ranked) for rival, ranked in choices.items() if ranked}
    return _lists(scene, homes)


def _lists(scene: Scene, homes: Mapping[int, int]) -> Orders:
    """The lists of all others by plain rules, if they settle there."""
    there = scene.with_homes(homes)
    return {
        rival: list_of(there, rival, USUAL).orders()
        for rival in there.board.seats
        if rival != scene.seat
    }


def _weight(scene: Scene, at: int, guesses: Sequence[Orders]) -> int:
    """The mean of what a site comes to where it clashes with nobody's."""
    own = list_of(scene.with_homes({scene.seat: at}), scene.seat, USUAL).orders()
    found = []
    for guess in guesses:
        standing_then = _outcome(scene, {**guess, scene.seat: own})
        if standing_then is not None:
            found.append(standing_then)
    return sum(found) // len(found) if found else UNKNOWN


def _outcome(scene: Scene, orders: Orders) -> int | None:
    after = outcome_of(scene.state, orders)
    if not after.players[scene.seat].hq_built:
        return None
    return standing(merits(played_on(after, scene.board.seats, USUAL, TURNS)), scene.seat)


UNKNOWN: Final = -1_000_000
"""The weight of a site that always clashes."""
