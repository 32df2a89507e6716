"""Computer players: no refusals, answers to all questions, wars that end, and sensible play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from engine.core.dice import Seeded
from engine.core.game import Game
from engine.core.log import AnyEntry
from engine.core.record import replace
from engine.core.refused import Refused
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.bot.board import (
    RENEWED,
    board_of,
    dearest_last,
    invaders_of,
    losses_by_count,
)
from engine.rulesets.kaladan.bot.levels import LEVELS, foreseeing
from engine.rulesets.kaladan.bot.values import SCALE, ChanceJudge
from engine.rulesets.kaladan.odds import battle_odds
from engine.rulesets.kaladan.offers import battle_offers
from engine.rulesets.kaladan.pools import ATTACK, DEFENCE, pools, sizes
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import State, View
from engine.rulesets.kaladan.turns import owing
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.positions import after, position, tile

AnyGame = Game[State, do.AnyCommand, ev.AnyEvent, View]


def begun(seats: int, seed: int, **options: str) -> AnyGame:
    """Begin a new game with ``seats`` seats."""
    war = RULES.with_seats(RULES.scenarios()["crowns"], seats, frozenset())
    return Game.begin(RULES, war, options, seed.to_bytes(16, "big"))


def planned(state: State, seat: int, level: str, entry: int = 0) -> Sequence[do.AnyCommand]:
    """Return the plan of a computer player."""
    seen = view(state, seat)
    dice = Seeded(b"kaladan", entry, f"bot:{seat}")
    return LEVELS[level].plan(seen, lambda about=None: RULES.offers(seen, about), dice)


def played(game: AnyGame, levels: Sequence[str], most: int = 4000) -> Counter[str]:
    """Play a game to its end. Count the kinds of commands given; none may be refused."""
    given: Counter[str] = Counter()
    while game.state.reason == "":
        seat = min(owing(game.state))
        assert len(game.log) < most, "the war does not end"
        for command in planned(game.state, seat, levels[seat], len(game.log)):
            if seat not in owing(game.state):
                break
            given[type(command).__name__] += 1
            try:
                game.submit(seat, command)
            except Refused as refusal:
                pytest.fail(f"{levels[seat]} was refused {command}: {refusal}")
    return given


class WholeGame(NamedTuple):
    """A finished game of one level: reason of the end, kinds of commands, and last entry."""

    reason: str
    given: frozenset[str]
    last: AnyEntry


def newly_played(level: str, seats: int) -> WholeGame:
    """Play a whole game of a level."""
    game = begun(seats, 11)
    given = played(game, [level] * seats)
    return WholeGame(game.state.reason, frozenset(given), game.log.entries[-1])


@cache
def whole_game(level: str, seats: int) -> WholeGame:
    """Return a whole game of a level, played once for all tests."""
    return newly_played(level, seats)


def chosen(text: str, level: str = "normal", seat: int = 0, **more: Any) -> list[do.AnyCommand]:
    """Return the plan of a seat in a position."""
    return list(planned(position(text, **more), seat, level))


# -- games -----------------------------------------------------------------------------------------


@pytest.mark.rule("KA-18.2")
@pytest.mark.parametrize(("level", "seats"), [("easy", 2), ("easy", 6), ("normal", 2), ("hard", 2)])
def test_games_of_a_level_end_without_refusals(level: str, seats: int) -> None:
    game = whole_game(level, seats)
    assert game.reason in ("last_crown", "no_crown")
    assert {"Attack", "EndPhase", "ChooseRealm", "PlaceCastle", "Deploy"} <= game.given


@pytest.mark.rule("KA-18.2", "KA-5.2")
def test_all_levels_play_together_under_other_options() -> None:
    game = begun(3, 3, world_building="drawn", castle_die="d8")
    given = played(game, ["hard", "easy", "normal"])
    assert given["PlaceTile"] > 0


@pytest.mark.rule("KA-18.2")
def test_players_use_every_part_of_a_turn() -> None:
    given = whole_game("normal", 2).given | whole_game("hard", 2).given
    used = {"Spawn", "MoveUnits", "Attack", "BuyUnit", "UpgradeUnit", "BringIn", "March", "BuyCard"}
    battles = {"DeclareMagic", "ChooseLosses", "Invade", "AnswerEvent"}
    assert used | battles <= given


@pytest.mark.rule("KA-18.2")
def test_hard_level_beats_the_easy_one() -> None:
    wins = 0
    for seed in range(1, 4):
        for levels in (("hard", "easy"), ("easy", "hard")):
            game = begun(2, seed)
            played(game, levels)
            wins += levels[game.state.winners[0]] == "hard" if game.state.winners else 0
    assert wins >= 5


@pytest.mark.rule("KA-18.2")
@pytest.mark.parametrize("level", LEVELS)
def test_same_view_gives_the_same_plan(level: str) -> None:
    assert newly_played(level, 2).last == whole_game(level, 2).last


@pytest.mark.rule("KA-18.2", "KA-15")
def test_plan_does_not_depend_on_hidden_cards() -> None:
    text = "FF WFM FF\nA1 0 # crown archer archer\nB2 0 catapult\nC2 1 # crown sword shield"
    plans = [
        chosen(text, "hard", hands={1: (card,)}, gold=(4, 4))
        for card in ("thorn_snare", "living_wall", "melt_away")
    ]
    assert plans[0] == plans[1] == plans[2]


# -- every question --------------------------------------------------------------------------------


@cache
def questions() -> tuple[tuple[int, State], ...]:
    """Return positions of games of the easy level, each with the number of its entry."""
    found = []
    for seed in (1, 2):
        game = begun(3, seed)
        while game.state.reason == "" and len(game.log) < 150:
            found.append((len(game.log), game.state))
            seat = min(owing(game.state))
            game.submit(seat, planned(game.state, seat, "easy", len(game.log))[0])
    return tuple(found)


@pytest.mark.rule("KA-18.2", "KA-7.1")
@pytest.mark.parametrize("level", LEVELS)
def test_every_question_of_many_battles_is_answered(level: str) -> None:
    """Positions come from games of the easy level."""
    asked: Counter[str] = Counter()
    for entry, state in questions():
        seat, battle = min(owing(state)), state.battle
        asked[battle.step if battle is not None else state.phase] += 1
        for command in planned(state, seat, level, entry)[:1]:
            RULES.decide(state, seat, command, Seeded(b"x", entry, "dice"))
        seen = view(state, seat)
        rest = LEVELS[level].rest(seen, lambda about=None, v=seen: RULES.offers(v, about))
        RULES.decide(state, seat, rest[0], Seeded(b"x", entry, "dice"))
    assert {"magic", "losses", "invasion", "event", "action", "purchase"} <= {*asked}


@pytest.mark.rule("KA-10.2", "KA-18.2")
@pytest.mark.parametrize(
    ("card", "realm"),
    [("thorn_snare", "weald"), ("wide_muster", "plainsmark"), ("long_ride", "plainsmark")],
)
def test_cards_are_aimed_legally(card: str, realm: str) -> None:
    text = "FF WFM FF\nA1 0 # crown archer\nB1 0 sword\nB2 1 shield sword\nC2 1 # crown"
    state = position(text, realm=(realm, "highfells"), hands={0: (card,), 1: ()})
    state = after(state, 0, do.Attack("A1", "B2"))
    state = after(state, 0, do.DeclareMagic(card), [3] * 9)
    assert state.battle is not None
    assert state.battle.step == "aim"
    (command,) = planned(state, 0, "normal")
    assert command in list(battle_offers(view(state, 0)))
    assert command != do.AimCard()


# -- sensible play ---------------------------------------------------------------------------------


@pytest.mark.rule("KA-18.2")
@pytest.mark.parametrize("level", ["normal", "hard"])
def test_lone_enemy_crown_is_attacked(level: str) -> None:
    text = "FF WFM FF\nA1 0 # crown shield shield\nB2 0 archer sword catapult\nC2 1 # crown"
    assert do.Attack("B2", "C2") in chosen(text, level)


@pytest.mark.rule("KA-18.2")
@pytest.mark.parametrize("level", ["normal", "hard"])
def test_lone_crown_does_not_attack_an_army(level: str) -> None:
    text = "FF WFM FF\nA1 0 # crown\nB2 1 shield shield sword\nC2 1 # crown shield"
    assert not any(isinstance(command, do.Attack) for command in chosen(text, level))


@pytest.mark.rule("KA-18.2")
def test_general_is_bought_first_and_all_gold_is_spent() -> None:
    text = "FF WFM FF\nA1 0 # crown sword\nC2 1 # crown sword"
    plan = chosen(text, phase="purchase", gold=(6, 0))
    assert plan[0] == do.BuyUnit("general", "A1")
    assert do.BringIn(71, "A1") in plan
    assert plan[-1] == do.EndPhase()


@pytest.mark.rule("KA-18.2", "KA-7.7")
def test_cheapest_units_are_lost_first_and_the_crown_last() -> None:
    text = "FF WFM FF\nA1 0 # crown general sword sword+ catapult\nC2 1 # crown"
    units = dearest_last(board_of(position(text)).stacks[1])
    assert [unit.kind for unit in units] == ["sword", "sword", "catapult", "general", "crown"]
    assert [unit.upgraded for unit in units[:2]] == [False, True]


@pytest.mark.rule("KA-18.2", "KA-7.10")
def test_crown_stays_out_of_an_invasion_if_possible() -> None:
    text = "FF WFM FF\nA1 0 # crown archer shield sword\nC2 1 # crown"
    units = board_of(position(text)).stacks[1]
    assert {unit.kind for unit in invaders_of(units, 3)} == {"archer", "shield", "sword"}
    assert len(invaders_of(units, 4)) == len(units)


@pytest.mark.rule("KA-18.2", "KA-7.5")
def test_bot_boards_roll_the_dice_of_the_rules() -> None:
    text = "MF WFM FF\nB1 0 # crown general special catapult\nA1 1 # crown special shield+ archer"
    for realms in (("ironmarch", "khalisia"), ("weald", "highfells"), ("mistcourt", "ironmarch")):
        state = position(text, realm=realms)
        source, target = tile(state, "B1"), tile(state, "A1")
        board = board_of(state)
        fought = pools(state, source, target)
        for side, at in ((ATTACK, source), (DEFENCE, target)):
            found = board.land.pool(board.stacks[at], side, source, target)
            assert found == tuple(sorted(sizes(fought[side])))
        odds = battle_odds(state, source, target).roll
        roll = board.land.roll(board.stacks[source], source, board.stacks[target], target)
        assert roll.clears == pytest.approx(float(odds.clears))


@pytest.mark.rule("KA-18.2", "KA-10.2")
def test_removed_crown_is_saved() -> None:
    text = "FF WFM FF\nA1 0 # crown sword\nB2 1 archer sword catapult\nC2 1 # crown"
    state = position(
        text,
        active=1,
        realm=("khalisia", "highfells"),
        hands={0: ("keep_of_khalisia",), 1: ()},
    )
    state = after(state, 1, do.Attack("B2", "A1"))
    state = after(state, 0, do.DeclareMagic(), [8, 10, 10, 10, 1, 1])
    assert state.battle is not None
    assert (state.battle.step, state.battle.asked) == ("after", 0)
    (command,) = planned(state, 0, "normal")
    assert isinstance(command, do.AfterMagic)
    assert command.card == "keep_of_khalisia"
    assert any(state.units[unit].kind == "crown" for unit in command.units)


@pytest.mark.rule("KA-18.2")
def test_players_grow_bolder_so_that_wars_end() -> None:
    text = "FF WFM FF\nA1 0 # crown shield\nB2 0 sword\nB3 1 shield\nC2 1 # crown shield shield"
    early = position(text, round=1)
    late = replace(early, round=60)
    plans = [planned(state, 0, "normal") for state in (early, late)]
    fights = [any(isinstance(one, do.Attack) for one in plan) for plan in plans]
    assert fights[1]
    assert fights[0] <= fights[1]


@pytest.mark.rule("KA-18.2", "KA-9")
def test_hard_level_loses_its_special_unit_first() -> None:
    text = "FF WFM FF\nA1 0 # crown special sword catapult\nC2 1 # crown"
    board = board_of(position(text), RENEWED)
    assert dearest_last(board.stacks[1], RENEWED)[0].kind == "special"
    assert dearest_last(board.stacks[1])[0].kind == "sword"
    assert losses_by_count(board.stacks[1], RENEWED)[1] < losses_by_count(board.stacks[1])[1]


@pytest.mark.rule("KA-18.2")
def test_win_chance_grows_with_units_and_shrinks_near_an_army() -> None:
    plain, more, threatened = (
        chance_of(f"FF WFM FF\nA1 0 # crown shield {own}\n{foe}")
        for own, foe in (
            ("shield", "C2 1 # crown archer archer archer"),
            ("shield shield", "C2 1 # crown archer archer archer"),
            ("shield", "B2 1 archer archer archer\nC2 1 # crown"),
        )
    )
    assert 0 < threatened < plain < more < SCALE


@pytest.mark.rule("KA-18.2")
def test_won_war_is_worth_the_maximum_and_lost_war_zero() -> None:
    state = position("FF WFM FF\nA1 0 # crown sword\nC2 1 # crown")
    judge = ChanceJudge(view(state, 0), 0, foreseeing(1))
    values = []
    for loser in (1, 0):
        board = judge.board()
        board.eliminate(loser, 1 - loser, 1)
        values.append(judge.value(board))
    assert values == [SCALE, 0.0]


def chance_of(text: str) -> float:
    """Return the value of a position to seat 0, as the hard level estimates it."""
    judge = ChanceJudge(view(position(text), 0), 0, foreseeing(1))
    return judge.value(judge.board())


@pytest.mark.rule("KA-18.2")
def test_hard_level_leaves_its_crown_to_end_a_long_war() -> None:
    text = "FFFF WFMFF FFFF\nA1 0 # crown general archer archer sword\nC4 1 # crown"
    late = position(text, round=120, gold=(0, 0))
    assert any(isinstance(one, do.MoveUnits) for one in planned(late, 0, "hard"))
