"""Diplomacy (section 16): proposals, treaties, opinions, treachery, and reputation."""

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
"""A number of each side about each other side: ``rows[a][b]`` is a's about b."""

MOST_OPINION: Final = 15
"""Highest opinion; the lowest is 0. See: LW-16."""

CUSP: Final = 9
"""Round in which computer players declare war on people. See: LW-16."""

_STEP: Final = 1
_TREACHERY: Final = (-5, 2)
_RAZING: Final = -5
_LAST_CITY: Final = (-2, 2)
"""Changes of opinions after a treaty, a treachery, a razing and the capture of a last city.

``_TREACHERY`` is for the traitor and its victim. ``_LAST_CITY`` is for the taker: if the loser had
the better rank, and if not. See: LW-16.
"""


def _of(world: World) -> State:
    return cast("State", world)


def proposals(world: World) -> SideTable:
    """Return the proposals of each side to each other; none by default. See: LW-16."""
    count = len(world.treaties)
    return _of(world).proposals or ((NO_PROPOSAL,) * count,) * count


def opinions(world: World) -> SideTable:
    """Return the opinions of each side about each other; initial ones by default. See: LW-16."""
    count = len(world.treaties)
    return _of(world).opinions or ((FIRST_OPINION,) * count,) * count


def living(world: World) -> tuple[int, ...]:
    """Return the sides that treat with each other: all living ones. See: LW-16."""
    return tuple(side.id for side in world.sides.values() if side.alive)


# -- proposals -------------------------------------------------------------------------------------


def propose(decision: Decision, settings: RuleSettings, side: int, command: Propose) -> None:
    """Propose a treaty to another side, or take the proposal back. Rules: LW-16.2.

    Raises:
        Refused: there is no diplomacy, no such side or treaty, or it is proposed already.
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
    """Turn a stance toward a side into a proposal to it. Rules: LW-16.2.

    Raises:
        Refused: as for ``propose``.
    """
    propose(decision, settings, side, Propose(command.side, command.stance))


def _wanted(treaty: int, proposed: int) -> int:
    """Return the proposal, or the current treaty if there is none. Rules: LW-16.2."""
    return treaty if proposed == NO_PROPOSAL else proposed


def settle(decision: Decision, settings: RuleSettings) -> None:
    """Turn the proposals of a round into treaties, and clear them. Rules: LW-16.2."""
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
    """Yield the new treaty of each pair: the more hostile of its two proposals. Rules: LW-16.2."""
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
    """Return the treaty ``wanted``, or war if a computer player must declare it on people now.

    Rules: LW-16.7.
    """
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
    """Return the opinions after two sides make a treaty.

    If a side makes peace, the partner and the partner's friends think better of it, and the
    partner's enemies worse. War has the reverse effect; war in the field changes nothing.
    Rules: LW-16.3.
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
    """Change the opinions of the sides ``who`` about one side, within 0 and 15. Rules: LW-16.3."""
    for one in who:
        now = min(MOST_OPINION, max(0, thought[one][about] + by))
        thought = _put(thought, one, about, now)
    return thought


def _others(world: World, side: int) -> tuple[int, ...]:
    return tuple(other for other in living(world) if other != side)


def betrayed(decision: Decision, settings: RuleSettings, side: int, other: int) -> None:
    """Lower what others think of a traitor, and raise it for its victim. Rules: LW-16.4."""
    del settings
    world = decision.state
    traitor, victim = _TREACHERY
    thought = _shifted(opinions(world), _others(world, side), side, traitor)
    thought = _shifted(thought, _others(world, other), other, victim)
    _think(decision, thought, "treachery", side)


def razed(decision: Decision, settings: RuleSettings, side: int) -> None:
    """Lower what others think of a side that razes a city after taking it. Rules: LW-16.5."""
    if settings.turns.diplomacy:
        world = decision.state
        thought = _shifted(opinions(world), _others(world, side), side, _RAZING)
        _think(decision, thought, "razed", side)


def last_taken(decision: Decision, settings: RuleSettings, side: int, loser: int) -> None:
    """Change what others think of a side that takes the last city of another.

    It falls if the other side had the better rank by reputation, else it rises. Rules: LW-16.5.
    """
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
    """Sum the opinions of the other living sides about a side. Rules: LW-16.6."""
    thought = opinions(world)
    return sum(thought[other][side] for other in _others(world, side))


def reputation(world: World, side: int) -> int:
    """Return the reputation that orders the titles; lower is better. Rules: LW-16.6."""
    return -standing(world, side)


def ranked(world: World) -> tuple[int, ...]:
    """Return the living sides by reputation, best first; equals by number. Rules: LW-16.6."""
    return tuple(sorted(living(world), key=lambda side: (reputation(world, side), side)))


# -- views of proposals ----------------------------------------------------------------------------


def shown_proposals(state: State, viewer: int) -> SideTable:
    """Return the proposals that a viewer knows: its own, and those made to it. See: LW-16."""
    return tuple(shown_row(row, side, viewer) for side, row in enumerate(state.proposals))


def shown_row(row: tuple[int, ...], side: int, viewer: int) -> tuple[int, ...]:
    """Return the proposals of one side that a viewer knows. See: LW-16."""
    if side == viewer:
        return row
    return tuple(told if other == viewer else NO_PROPOSAL for other, told in enumerate(row))


def offered(view: State, side: int, about: int | None) -> Iterator[Propose]:
    """Yield proposals to the other sides; nothing if asked about one piece. See: LW-16."""
    if about is not None or view.question is not None or view.options.diplomacy == "off":
        return
    for other in view.sides.values():
        if other.alive and other.id != side:
            yield from (Propose(other.id, treaty) for treaty in (PEACE, WAR, NO_PROPOSAL))
