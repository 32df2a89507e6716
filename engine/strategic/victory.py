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


def eliminate(decision: Decision, settings: RuleSettings) -> None:
    """Remove the sides without a city from the game."""
    for side in decision.state.sides.values():
        if side.alive and not cities_of(decision.state, side.id):
            leave_game(decision, settings, side.id, "side_out")


def judge(decision: Decision, settings: RuleSettings) -> None:
    """End the game if a side has won or all have lost."""
    verdict = settings.turns.verdict(decision.state)
    if verdict is not None:
        winners, reason = verdict
        decision.emit(GameEnded(winners=winners, reason=reason))


def check(decision: Decision, settings: RuleSettings) -> None:
    """End the game, or ask a side whether to accept the computers' surrender."""
    judge(decision, settings)
    side = settings.turns.yields(decision.state) if decision.state.reason is None else None
    if side is not None:
        ask(decision, Question("yield", side))


def answer_yield(
    decision: Decision, settings: RuleSettings, side: int, command: AnswerYield
) -> None:
    """Answer an offer of surrender; declining starts the next round.

    Declining records the side's number of cities; the next offer waits until it has more.

    Raises:
        Refused: This side has no offer of surrender.
    """
    question = asked_of(decision.state, side, "yield")
    if question is None:
        refuse(Refusal.NO_QUESTION, "Nobody has offered to surrender.", "victory")
    answer(decision, question, "accept" if command.accept else "decline")
    if command.accept:
        decision.emit(GameEnded(winners=(side,), reason="surrender"))
        return
    had = len(cities_of(decision.state, side))
    set_deeds(decision, (side, replace(decision.state.sides[side].deeds, refused=had)))
    go_on_round(decision, settings)


def living(world: World) -> tuple[int, ...]:
    """Return the sides that are still in the game."""
    return tuple(side.id for side in world.sides.values() if side.alive)


def standing(world: World) -> tuple[City, ...]:
    """Return the standing cities, neutral ones included."""
    return tuple(city for city in world.cities.values() if not city.razed)


def has_most(world: World, side: int) -> bool:
    """Return whether a side owns more than half of the standing cities."""
    return 2 * len(cities_of(world, side)) > len(standing(world))


def surrenders_to(world: World, margin: int, more: int) -> int | None:
    """Return the only human side if the computer players surrender to it, otherwise None.

    It must own more than half of the standing cities. It must also own more than the best computer
    player plus 1/``margin`` of all cities. After a refusal, it must have gained 1/``more`` of its
    cities since, at least one.
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
    decision: Decision,
    settings: RuleSettings,
    side: int,
    why: Literal["side_out", "resigned"],
    *,
    stranded: bool = False,
) -> None:
    """Remove a side from the game with its armies, gold and treaties; its items drop."""
    _disband_all(decision, settings, side, why)
    world = decision.state
    own = world.sides[side]
    gone = replace(
        own,
        alive=False,
        gold=0,
        flag=None,
        quest=None,
        stances=tuple(own.stances[k] if k == side else HOSTILE for k in range(len(own.stances))),
    )
    decision.emit(SideOut(side=gone, resigned=why == "resigned", stranded=stranded))
    drop_unmanned(decision)


def _disband_all(
    decision: Decision, settings: RuleSettings, side: int, why: Literal["side_out", "resigned"]
) -> None:
    world = decision.state
    armies = armies_of(world, side)
    if armies:
        remove_armies(decision, armies, why)
    for hero in armies:
        if hero.hero is not None:
            sites.fall(decision, settings, (hero,), hero.at)
    lose_transits(decision, (t for t in world.transits.values() if t.army.owner == side))
    planted = tuple(i for i in world.items.values() if i.where == "planted" and i.side == side)
    if planted:
        move_items(decision, (replace(item, where="ground") for item in planted), "fallen")


# -- Resigning -------------------------------------------------------------------------------------


def resign(decision: Decision, settings: RuleSettings, side: int, command: Resign) -> None:
    """Let a side leave the game; its cities become neutral, without garrisons, or are razed.

    Raises:
        Refused: The cities are to be razed and the rules forbid it.
    """
    burns = command.burn or settings.turns.always_burns
    if burns and not settings.turns.may_burn:
        refuse(Refusal.NOT_ALLOWED, "Cities cannot be razed in this game.", "command")
    was_current = decision.state.current == side
    question = _withdraw(decision, side)
    leave_game(decision, settings, side, "resigned", stranded=command.stranded)
    if burns:
        _burn(decision, settings, side)
    else:
        _free(decision, settings, side)
    judge(decision, settings)
    if decision.state.reason is not None:
        return
    if question is not None and question.kind == "yield":
        go_on_round(decision, settings)
    elif was_current and decision.state.pending is None:
        leave_offer(decision)
        pass_on(decision, settings)


def _withdraw(decision: Decision, side: int) -> Question | None:
    """Withdraw the open question to a side, and return it or None."""
    question = decision.state.question
    if question is None or question.side != side:
        return None
    answer(decision, question, "resign")
    return question


def _free(decision: Decision, settings: RuleSettings, side: int) -> None:
    cities = tuple(
        replace(city, owner=NOBODY, making=NONE, left=0, vector=NONE, attacked_by=0)
        for city in cities_of(decision.state, side)
    )
    if cities:
        decision.emit(CitiesFreed(cities=cities, art=(settings.cities.art[NOBODY],) * len(cities)))


def _burn(decision: Decision, settings: RuleSettings, side: int) -> None:
    for city in cities_of(decision.state, side):
        ruin_city(decision, settings, city.id, side)
