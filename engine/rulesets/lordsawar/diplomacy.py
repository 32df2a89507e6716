"""Diplomacy (section 16): proposals, treaties, opinions, treachery, and the order of reputation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, Final, TypeAlias, cast

from engine.rulesets.lordsawar import events as ev
from engine.rulesets.lordsawar.commands import Propose
from engine.rulesets.lordsawar.state import FIRST_OPINION, NO_PROPOSAL, State
from engine.strategic.commands import SetStance
from engine.strategic.decision import Decision
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.world import PEACE, WAR, World

SideTable: TypeAlias = tuple[tuple[int, ...], ...]
"""A number of each side about each side: ``rows[a][b]`` is a's about b."""

MOST_OPINION: Final = 15
"""Highest opinion; the lowest is 0. Rules: LW-16."""

CUSP: Final = 9
"""Round in which computer players declare war on people. Rules: LW-16."""

_STEP: Final = 1
_TREACHERY: Final = (-5, 2)
_RAZING: Final = -5
_LAST_CITY: Final = (-2, 2)
"""Changes of opinions: by a treaty; of a traitor and its victim; of who razes; of who takes the
last city of a side of better rank, or of another. Rules: LW-16."""


def _of(world: World) -> State:
    return cast("State", world)


def proposals(world: World) -> SideTable:
    """Proposals of each side to each; nothing where nothing is noted. Rules: LW-16."""
    count = len(world.treaties)
    return _of(world).proposals or ((NO_PROPOSAL,) * count,) * count


def opinions(world: World) -> SideTable:
    """Opinions of each side about each; the first opinion where none is noted. Rules: LW-16."""
    count = len(world.treaties)
    return _of(world).opinions or ((FIRST_OPINION,) * count,) * count


def living(world: World) -> tuple[int, ...]:
    """Sides that treat with each other: all that are in the game. Rules: LW-16."""
    return tuple(side.id for side in world.sides.values() if side.alive)


# -- proposals -------------------------------------------------------------------------------------


def propose(decision: Decision, settings: RuleSettings, side: int, command: Propose) -> None:
    """Leave a proposal for another side, or take it back. Rules: LW-16.

    Raises:
        Refused: there are no treaties, no such side or treaty, or that is proposed already.
    """
    if not settings.turns.diplomacy:
        refuse(Refusal.NOT_ALLOWED, "There is no diplomacy in this game.", "treaty")
    world, other = decision.state, command.side
    if other == side or other not in living(world):
        refuse(Refusal.NO_SUCH_SIDE, "There is no such side to treat with.", "stance")
    if not NO_PROPOSAL <= command.treaty <= WAR:
        text = "A proposal is 0 (peace), 1 (war in the field), 2 (war) or -1 (none)."
        refuse(Refusal.NOT_ALLOWED, text, "stance")
    row = proposals(world)[side]
    if row[other] == command.treaty:
        refuse(Refusal.NOTHING_TO_DO, "That is your proposal already.", "stance")
    left = (*row[:other], command.treaty, *row[other + 1 :])
    treaties = world.treaties[side]
    wanted = tuple(_wanted(now, told) for now, told in zip(treaties, left, strict=True))
    decision.emit(ev.ProposalSet(side=side, proposals=left, stances=wanted))


def take_stance(decision: Decision, settings: RuleSettings, side: int, command: SetStance) -> None:
    """A stance toward a side is a proposal to it. Rules: LW-16.

    Raises:
        Refused: as for proposals.
    """
    propose(decision, settings, side, Propose(command.side, command.stance))


def _wanted(treaty: int, proposed: int) -> int:
    """A missing proposal counts as the treaty that there is. Rules: LW-16."""
    return treaty if proposed == NO_PROPOSAL else proposed


def settle(decision: Decision, settings: RuleSettings) -> None:
    """Proposals become treaties when a round ends, and are cleared. Rules: LW-16."""
    if not settings.turns.diplomacy:
        return
    world = decision.state
    made = {pair: agreed for pair, agreed in _agreed(world) if agreed != _treaty(world, *pair)}
    asked = any(one != NO_PROPOSAL for row in proposals(world) for one in row)
    if not made and not asked:
        return
    treaties, thought = world.treaties, opinions(world)
    for (one, other), agreed in made.items():
        thought = _after_treaty(world, thought, treaties, (one, other), agreed)
        treaties = _put(_put(treaties, one, other, agreed), other, one, agreed)
    pairs = tuple(made)
    decision.emit(ev.DiplomacySettled(changed=pairs, treaties=treaties, opinions=thought))


def _agreed(world: World) -> Iterator[tuple[tuple[int, int], int]]:
    """Treaty of each two sides after the proposals: the more violent one. Rules: LW-16."""
    told = proposals(world)
    for one, other in combinations(living(world), 2):
        now = _treaty(world, one, other)
        yield (
            (one, other),
            max(
                _declared(world, one, other, _wanted(now, told[one][other])),
                _declared(world, other, one, _wanted(now, told[other][one])),
            ),
        )


def _declared(world: World, side: int, other: int, wanted: int) -> int:
    """Proposal of a side, or war where a computer player is to declare it. Rules: LW-16."""
    if _of(world).options.cusp_of_war == "off" or world.turn != CUSP:
        return wanted
    own, foe = world.sides[side], world.sides[other]
    return WAR if not own.human and foe.human else wanted


def _treaty(world: World, one: int, other: int) -> int:
    return world.treaties[one][other]


def _put(rows: SideTable, one: int, other: int, value: int) -> SideTable:
    row = (*rows[one][:other], value, *rows[one][other + 1 :])
    return (*rows[:one], row, *rows[one + 1 :])


# -- opinions --------------------------------------------------------------------------------------


def _after_treaty(
    world: World, thought: SideTable, treaties: SideTable, pair: tuple[int, int], agreed: int
) -> SideTable:
    """Opinions after two sides have made peace or gone to war. Rules: LW-16.

    The partner and its friends think better of a side that makes peace, the partner's enemies
    worse; after war it is the reverse. War in the field changes nothing.
    """
    sign = {PEACE: _STEP, WAR: -_STEP}.get(agreed, 0)
    for side, partner in (pair, pair[::-1]):
        thought = _shifted(thought, (partner,), side, sign)
        others = [other for other in living(world) if other not in pair]
        friends = [other for other in others if treaties[partner][other] == PEACE]
        enemies = [other for other in others if treaties[partner][other] == WAR]
        thought = _shifted(thought, friends, side, sign)
        thought = _shifted(thought, enemies, side, -sign)
    return thought


def _shifted(thought: SideTable, who: Iterable[int], about: int, by: int) -> SideTable:
    """Opinions of some sides about one, changed within 0 and 15. Rules: LW-16."""
    for one in who:
        now = min(MOST_OPINION, max(0, thought[one][about] + by))
        thought = _put(thought, one, about, now)
    return thought


def _others(world: World, side: int) -> tuple[int, ...]:
    return tuple(other for other in living(world) if other != side)


def betrayed(decision: Decision, settings: RuleSettings, side: int, other: int) -> None:
    """Everybody thinks worse of a traitor, and better of its victim. Rules: LW-16."""
    del settings
    world = decision.state
    traitor, victim = _TREACHERY
    thought = _shifted(opinions(world), _others(world, side), side, traitor)
    thought = _shifted(thought, _others(world, other), other, victim)
    _think(decision, thought, "treachery", side)


def razed(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Everybody thinks worse of who razes a city after taking it. Rules: LW-16."""
    if settings.turns.diplomacy:
        world = decision.state
        thought = _shifted(opinions(world), _others(world, side), side, _RAZING)
        _think(decision, thought, "razed", side)


def last_taken(decision: Decision, settings: RuleSettings, side: int, loser: int) -> None:
    """Opinions of who takes the last city of a side, by the ranks of both. Rules: LW-16."""
    world = decision.state
    if not settings.turns.diplomacy or loser not in world.sides or not world.sides[loser].alive:
        return
    ranks = ranked(world)
    was_better = ranks.index(loser) < ranks.index(side)
    thought = _shifted(
        opinions(world), _others(world, side), side, _LAST_CITY[0 if was_better else 1]
    )
    _think(decision, thought, "last_city", side)


def _think(decision: Decision, thought: SideTable, reason: Any, side: int) -> None:
    if thought != opinions(decision.state):
        decision.emit(ev.OpinionsChanged(side=side, opinions=thought, reason=reason))


# -- rank ------------------------------------------------------------------------------------------


def standing(world: World, side: int) -> int:
    """Sum of what the other living sides think of one. Rules: LW-16."""
    thought = opinions(world)
    return sum(thought[other][side] for other in _others(world, side))


def reputation(world: World, side: int) -> int:
    """Reputation for the order of titles: the lower the better. Rules: LW-16."""
    return -standing(world, side)


def ranked(world: World) -> tuple[int, ...]:
    """Living sides, the best thought of first; equals by number. Rules: LW-16."""
    return tuple(sorted(living(world), key=lambda side: (reputation(world, side), side)))


# -- what others may know --------------------------------------------------------------------------


def shown_proposals(state: State, viewer: int) -> SideTable:
    """Proposals that a viewer knows: its own, and those made to it. Rules: LW-16."""
    return tuple(shown_row(row, side, viewer) for side, row in enumerate(state.proposals))


def shown_row(row: tuple[int, ...], side: int, viewer: int) -> tuple[int, ...]:
    """Proposals of a side that a viewer knows. Rules: LW-16."""
    if side == viewer:
        return row
    return tuple(told if other == viewer else NO_PROPOSAL for other, told in enumerate(row))


def offered(view: State, side: int, about: int | None) -> Iterator[Propose]:
    """Proposals to the others, to be tried; none about a single piece. Rules: LW-16."""
    if about is not None or view.question is not None or view.options.diplomacy == "off":
        return
    for other in view.sides.values():
        if other.alive and other.id != side:
            yield from (Propose(other.id, treaty) for treaty in (PEACE, WAR, NO_PROPOSAL))
