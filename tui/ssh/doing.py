"""Commands that change something: games begun, seats taken and left, things said."""

from __future__ import annotations

import argparse
import asyncio
import re
from typing import Final

from engine.core.options import OptionFault, parse_options
from engine.core.refused import Refused
from engine.core.ruleset import ScenarioFault
from tui.console.exits import Exit, Wrong
from tui.host.clocks import Terms
from tui.play.scenarios import find_rules
from tui.play.seats import players_of
from tui.play.setup import NewGame, chosen_scenario
from tui.ssh.calls import Call, No, called, seat_in

LONGEST_NAME: Final = 60
"""Most characters of the name of a game."""

_NO_NAME = re.compile(r"[^\w .+()'-]")


async def new(call: Call) -> Exit:
    """Begin a game."""
    call.check_may_play()
    try:
        start = await asyncio.to_thread(start_of, call.args)
        hosted = await call.game_server.begin(call.person, start, terms_of(call.args))
    except (OptionFault, ScenarioFault, LookupError) as fault:
        raise Wrong(_text(fault)) from None
    except Refused as refused:
        raise No(refused.text) from None
    info = hosted.info
    await call.out.say(f"Game {info.number}, {info.name}: {info.title}; {info.stage}.")
    return Exit.OK


async def sit(call: Call) -> Exit:
    """Take a seat."""
    call.check_may_play()
    hosted = await call.hosted()
    seat = seat_in(hosted.info, call.args.seat)
    _check(await hosted.sit(call.person, seat))
    await call.out.say(f"You play {called(hosted.info, seat)} in game {hosted.number}.")
    return Exit.OK


async def stand(call: Call) -> Exit:
    """Give a seat up."""
    hosted = await call.hosted()
    seat = seat_in(hosted.info, call.args.seat)
    level = call.args.bot
    if level and level not in hosted.rules.bots:
        raise Wrong(f"there is no level {level[:30]!r}; known: {', '.join(hosted.rules.bots)}")
    _check(await hosted.stand(call.person, seat, level))
    name = called(hosted.info, seat)
    after = f"the computer, {level}, goes on" if level else "whoever comes may take it"
    await call.out.say(f"You have left the seat of {name} in game {hosted.number}; {after}.")
    return Exit.OK


async def say(call: Call) -> Exit:
    """Say something to all in a game."""
    text = " ".join(call.args.text).strip()
    if not text:
        raise Wrong("say what? see help say")
    hosted = await call.hosted()
    _check(call.around.ask("chat"))
    _check(hosted.say(call.person, text))
    return Exit.OK


async def clock(call: Call) -> Exit:
    """Change the times of a game."""
    call.check_may_play()
    hosted = await call.hosted()
    terms = Terms(call.args.turn, call.args.bank)
    _check(await call.game_server.agree(hosted.number, call.person, terms.turn, terms.bank))
    words = terms.in_words or "no clock"
    await call.out.say(f"Game {hosted.number}, from the next turn of each: {words}.")
    return Exit.OK


async def admin(call: Call) -> Exit:
    """Carry out a command of an administrator."""
    if not call.person.is_admin or call.around.admin is None:
        raise No("Only administrators may do that.")
    code, lines = await asyncio.to_thread(
        call.around.admin, tuple(call.args.words), call.person.name
    )
    await (call.out if code == Exit.OK else call.err).say(*lines)
    return code


def start_of(args: argparse.Namespace) -> NewGame:
    """What a game is to be begun from. Only shipped scenarios: a name is never a path here.

    Nobody at the other end chooses the seed, or they would know the dice.

    Raises:
        Wrong, OptionFault, LookupError: it cannot be begun so.
    """
    rules = find_rules(args.ruleset)
    scenario = chosen_scenario(rules, args.scenario)
    players = players_of(rules, scenario, args.seat) if args.seat else ()
    name = " ".join(_NO_NAME.sub(" ", args.name).split())[:LONGEST_NAME].strip(" .")
    return NewGame(rules.name, scenario, parse_options(args.option), players, name=name)


def terms_of(args: argparse.Namespace) -> Terms:
    """What is agreed on.

    Raises:
        Wrong: there is no such level.
    """
    levels = find_rules(args.ruleset).bots
    if args.late and args.late not in levels:
        raise Wrong(f"there is no level {args.late[:30]!r}; known: {', '.join(levels)}")
    return Terms(args.turn, args.bank, args.late, watched=not args.unwatched)


def _check(why_not: str) -> None:
    if why_not:
        raise No(why_not)


def _text(fault: Exception) -> str:
    """What a fault says, without the quotes that a KeyError puts around it."""
    return str(fault.args[0]) if fault.args else str(fault)
