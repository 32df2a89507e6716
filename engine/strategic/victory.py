"""Victory and defeat: verdicts, surrender, and sides that leave the game."""

from __future__ import annotations

from typing import Literal

from engine.core.record import replace
from engine.strategic import sites
from engine.strategic.aftermath import ruin_city, set_deeds
from engine.strategic.commands import AnswerYield, Resign
from engine.strategic.decision import Decision, answer, ask, asked_of, lose_transits, remove_armies
from engine.strategic.events.turns import CitiesFreed, GameEnded, SideOut
from engine.strategic.item_records import move_items
from engine.strategic.pieces import NOBODY, NONE, City, Question
from engine.strategic.refusal import Refusal, refuse
from engine.strategic.settings import RuleSettings
from engine.strategic.turns import drop_unmanned, go_on_round, leave_offer, pass_on
from engine.strategic.world import HOSTILE, World, armies_of, cities_of


def eliminate(work: Decision, settings: RuleSettings) -> None:
    """Sides without a city are out."""
    for side in work.state.sides.values():
        if side.alive and not cities_of(work.state, side.id):
            leave_game(work, settings, side.id, "side_out")


def judge(work: Decision, settings: RuleSettings) -> None:
    """End the game if somebody has won, or everybody lost."""
    verdict = settings.turns.verdict(work.state)
    if verdict is not None:
        winners, reason = verdict
        work.emit(GameEnded(winners=winners, reason=reason))


def check(work: Decision, settings: RuleSettings) -> None:
    """End the game, or ask whether it shall end because the computers give up."""
    judge(work, settings)
    side = settings.turns.yields(work.state) if work.state.reason is None else None
    if side is not None:
        ask(work, Question("yield", side))


def answer_yield(work: Decision, settings: RuleSettings, side: int, command: AnswerYield) -> None:
    """Answer the offer of a surrender; a refusal begins the next round.

    What the side has when it refuses is kept: the next offer waits until it has more.

    Raises:
        Refused: nobody has offered to surrender to this side.
    """
    question = asked_of(work.state, side, "yield")
    if question is None:
        refuse(Refusal.NO_QUESTION, "Nobody has offered to surrender.", "victory")
    answer(work, question, "accept" if command.accept else "decline")
    if command.accept:
        work.emit(GameEnded(winners=(side,), reason="surrender"))
        return
    had = len(cities_of(work.state, side))
    set_deeds(work, (side, replace(work.state.sides[side].deeds, refused=had)))
    go_on_round(work, settings)


def living(world: World) -> tuple[int, ...]:
    """Sides that are still in the game."""
    return tuple(side.id for side in world.sides.values() if side.alive)


def standing(world: World) -> tuple[City, ...]:
    """Standing cities, those of nobody included."""
    return tuple(city for city in world.cities.values() if not city.razed)


def has_most(world: World, side: int) -> bool:
    """True if a side owns more than half of the standing cities."""
    return 2 * len(cities_of(world, side)) > len(standing(world))


def surrenders_to(world: World, margin: int, more: int) -> int | None:
    """Only human side, if the computers give up before it.

    It must own more than half of the standing cities, and more than the best computer's and a
    ``margin``-th of all. If it has refused once it must have won a ``more``-th since, one at least.
    """
    sides = [side for side in world.sides.values() if side.alive and side.id != NOBODY]
    humans = [side for side in sides if side.human]
    rivals = [len(cities_of(world, side.id)) for side in sides if not side.human]
    if len(humans) != 1 or not rivals or not has_most(world, humans[0].id):
        return None
    owned, refused = len(cities_of(world, humans[0].id)), humans[0].deeds.refused
    enough = max(rivals) + len(standing(world)) // margin
    again = refused + max(1, -(-refused // more)) if refused else 0
    return humans[0].id if owned > enough and owned >= again else None


# -- Sides that are out ----------------------------------------------------------------------------


def leave_game(
    work: Decision, settings: RuleSettings, side: int, why: Literal["side_out", "resigned"]
) -> None:
    """Remove a side from the game: armies, gold and treaties go, items drop."""
    _disband_all(work, settings, side, why)
    world = work.state
    own = world.sides[side]
    gone = replace(
        own,
        alive=False,
        gold=0,
        flag=None,
        quest=None,
        stances=tuple(own.stances[k] if k == side else HOSTILE for k in range(len(own.stances))),
    )
    work.emit(SideOut(side=gone, resigned=why == "resigned"))
    drop_unmanned(work)


def _disband_all(
    work: Decision, settings: RuleSettings, side: int, why: Literal["side_out", "resigned"]
) -> None:
    world = work.state
    armies = armies_of(world, side)
    if armies:
        remove_armies(work, armies, why)
    for hero in armies:
        if hero.hero is not None:
            sites.fall(work, settings, (hero,), hero.at)
    lose_transits(work, (t for t in world.transits.values() if t.army.owner == side))
    planted = tuple(i for i in world.items.values() if i.where == "planted" and i.side == side)
    if planted:
        move_items(work, (replace(item, where="ground") for item in planted), "fallen")


# -- Resigning -------------------------------------------------------------------------------------


def resign(work: Decision, settings: RuleSettings, side: int, command: Resign) -> None:
    """Leave the game: the cities are nobody's, without garrisons, or they are razed.

    Raises:
        Refused: cities are to be razed where that is not allowed.
    """
    burns = command.burn or settings.turns.always_burns
    if burns and not settings.turns.may_burn:
        refuse(Refusal.NOT_ALLOWED, "Cities cannot be razed in this game.", "command")
    was_current = work.state.current == side
    question = _withdraw(work, side)
    leave_game(work, settings, side, "resigned")
    if burns:
        _burn(work, settings, side)
    else:
        _free(work, settings, side)
    judge(work, settings)
    if work.state.reason is not None:
        return
    if question is not None and question.kind == "yield":
        go_on_round(work, settings)
    elif was_current and work.state.pending is None:
        leave_offer(work)
        pass_on(work, settings)


def _withdraw(work: Decision, side: int) -> Question | None:
    """Withdraw the question that the side was asked."""
    question = work.state.question
    if question is None or question.side != side:
        return None
    answer(work, question, "resign")
    return question


def _free(work: Decision, settings: RuleSettings, side: int) -> None:
    cities = tuple(
        replace(city, owner=NOBODY, making=NONE, left=0, vector=NONE, attacked_by=0)
        for city in cities_of(work.state, side)
    )
    if cities:
        work.emit(CitiesFreed(cities=cities, art=(settings.cities.art[NOBODY],) * len(cities)))


def _burn(work: Decision, settings: RuleSettings, side: int) -> None:
    for city in cities_of(work.state, side):
        ruin_city(work, settings, city.id, side)
