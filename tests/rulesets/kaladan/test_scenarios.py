"""Scenario files: handwritten moments, and every kind of unplayable position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest

from engine.core.codec import convert, plain
from engine.core.dice import Scripted, Seeded
from engine.core.ruleset import ScenarioFault
from engine.core.scenarios import parse
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan import setup
from engine.rulesets.kaladan.offers import battle_offers, offers
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import Phase, State, War
from engine.rulesets.kaladan.tables import event_cards, realm_deck
from engine.rulesets.kaladan.turns import owing
from engine.rulesets.kaladan.view import view
from tests.rulesets.kaladan.positions import DUEL, after, folded, pad, position, stand
from tests.rulesets.kaladan.walks import begun as new_game

GATE: Final = """
name = "gate"
title = "At the gate"
about = ""
rows = ["WM", "FFF", "FF"]
castles = ["C1", "A2"]

[now]
phase = "action"
battle_used = true
players = [
  {id = 0, realm = "khalisia", gold = 2, hand = ["dawns_sword"]},
  {id = 1, realm = "weald", gold = 1, hand = ["living_wall"]},
]
stacks = [
  {at = "A1", seat = 0, units = ["sword", "sword+", "catapult"], done = ["sword"]},
  {at = "C1", seat = 0, units = ["crown"]},
  {at = "A2", seat = 1, units = ["crown", "shield"]},
]
dead = [{at = "", seat = 1, units = ["general", "special"]}]

[now.battle]
step = "magic"
asked = 0
sides = [{seat = 0, tile = 1}, {seat = 1, tile = 2}]
"""
"""A battle in which the attacker has not yet declared Magic."""

LOSSES: Final = """
step = "losses"
asked = 1
revealed = true
pairs = 2
dice = [
  {side = 0, unit = 11, source = "unit", sides = 8, value = 8},
  {side = 0, unit = 12, source = "unit", sides = 10, value = 7},
  {side = 1, unit = 131, source = "unit", sides = 10, value = 2},
  {side = 1, unit = 161, source = "unit", sides = 8, value = 8},
]
sides = [
  {seat = 0, tile = 1, statement = "out", after = ""},
  {seat = 1, tile = 2, statement = "out", pairs_lost = 1, losses = 1},
]
"""
"""The same battle after the roll: the defender must choose one of two casualties."""


def begun(text: str) -> State:
    """Return the state with which a file begins."""
    return folded(RULES.empty(), RULES.begin(parse(RULES, text.encode()), {}, Scripted()))


def with_battle(text: str) -> str:
    """Return the file with another battle."""
    return GATE[: GATE.index("[now.battle]")] + "[now.battle]" + text


# -- handwritten files -----------------------------------------------------------------------------


@pytest.mark.rule("KA-1", "KA-7.1", "KA-10.1", "KA-11")
def test_stacks_become_units_and_the_rest_gets_default_places() -> None:
    state = begun(GATE)
    assert stand(state, "A1") == ["sword", "sword+", "catapult"]
    assert [state.units[unit].done for unit in (11, 12)] == [True, False]
    assert (state.units[151].place, state.units[171].place) == ("dead", "fallen")
    assert {unit.place for unit in state.units.values() if unit.kind == "archer"} == {"reserve"}
    for player in state.players.values():
        assert sorted((*player.hand, *player.deck)) == sorted(realm_deck(player.realm))
    assert len(state.event_deck) == sum(card.copies for card in event_cards().values())


@pytest.mark.rule("KA-7.3", "KA-7.7", "KA-7.10")
def test_handwritten_battle_is_fought_to_its_end() -> None:
    state = begun(GATE)
    state = after(state, 0, do.DeclareMagic("dawns_sword"))
    assert owing(state) == {1}
    state = after(state, 1, do.DeclareMagic("living_wall"), Seeded(b"gate", 0, "decide"))
    for number in range(20):
        if state.battle is None:
            break
        (seat,) = owing(state)
        command = next(battle_offers(view(state, seat)))
        state = after(state, seat, command, Seeded(b"gate", number, "decide"))
    assert state.battle is None


@pytest.mark.rule("KA-7.7")
def test_battle_may_begin_with_its_casualties() -> None:
    state = begun(with_battle(LOSSES))
    assert owing(state) == {1}
    state = after(state, 1, do.ChooseLosses((131,)))
    assert state.battle is None or state.battle.step == "after"
    assert state.units[131].place in ("removed", "dead")


# -- refused ---------------------------------------------------------------------------------------

Path = Sequence[str | int]
Changes = tuple[tuple[Path, Any], ...]


def broken(text: str, *changes: tuple[Path, Any]) -> War:
    """Return the complete scenario of a file with some values changed."""
    raw: Any = plain(RULES.position(begun(text)))
    for path, value in changes:
        *way, last = path
        node = raw
        for key in way:
            node = node[key]
        node[last] = value
    found: War = convert(raw, War)
    return found


PLAYERS: Final = ("now", "players")
SIDES: Final = ("now", "battle", "sides")


def unit(number: int, field: str) -> Path:
    """Return the path of a unit's field in the complete file of GATE."""
    listed = [found.id for found in begun(GATE).units.values()]
    return ("now", "units", listed.index(number), field)


@pytest.mark.rule("KA-1", "KA-5", "KA-6", "KA-7", "KA-8.1", "KA-10.1", "KA-11.1", "KA-17")
@pytest.mark.parametrize(
    ("path", "value", "place", "rule"),
    [
        (("now", "round"), 0, "now.round", "KA-6"),
        (("now", "first"), 2, "now.first", "KA-1"),
        (("now", "active"), -1, "now.active", "KA-1"),
        (("now", "active"), 1, "now.battle.sides", "KA-7.2"),
        (("now", "phase"), "income", "now.phase", "KA-6.2"),
        (("now", "phase"), "spawn", "now.battle", "KA-7.2"),
        (("now", "phase"), "world", "now.battle", "KA-7.2"),
        (("now", "phase"), "event", "now.event", "KA-6.1"),
        (("now", "battle_used"), False, "now.battle", "KA-7.2"),
        (("now", "spawned"), [4], "now.spawned", "KA-6.3"),
        (("now", "drawn"), "field", "now.drawn", "KA-5.2"),
        (("now", "bag"), ["swamp"], "now.bag", "KA-3.3"),
        (("now", "event_deck"), ["?"], "now.event_deck", "KA-11"),
        (("now", "event_deck"), ["harvest"] * 9, "now.event_deck", "KA-11"),
        (("now", "reason"), "last_crown", "now.winners", "KA-17"),
        (("now", "winners"), [0], "now.winners", "KA-17"),
        ((*PLAYERS, 0, "id"), 1, "now.players", "KA-1"),
        ((*PLAYERS, 0, "gold"), -1, "now.players[0].gold", "KA-6.2"),
        ((*PLAYERS, 0, "dice_sum"), 2**62, "now.players[0].dice_sum", "KA-7"),
        ((*PLAYERS, 0, "realm"), "atlantis", "now.players[0].realm", "KA-5.3"),
        ((*PLAYERS, 1, "realm"), "khalisia", "now.players[1]", "KA-10.1"),
        ((*PLAYERS, 0, "hand"), ["?"], "now.players[0]", "KA-10.1"),
        ((*PLAYERS, 0, "hand"), ["living_wall"], "now.players[0]", "KA-10.1"),
        ((*PLAYERS, 0, "spent"), ["dawns_sword"], "now.players[0]", "KA-10.1"),
        ((*PLAYERS, 1, "alive"), False, "now.players[1]", "KA-8.1"),
        (("castles",), ["C1", ""], "castles", "KA-5.4"),
        (("options", "magic"), "off", "now.players[0]", "KA-0"),
        (("options", "events"), "off", "now.event_deck", "KA-0"),
        (unit(11, "owner"), 1, "now.units[0].owner", "KA-8.3"),
        (unit(11, "owner"), 9, "now.units[0].owner", "KA-1"),
        (unit(11, "kind"), "general", "now.units[0].kind", "KA-2.1"),
        (unit(11, "tile"), 8, "now.units[0].tile", "KA-3.1"),
        (unit(11, "tile"), 2, "now.units", "KA-1"),
        (unit(11, "place"), "reserve", "now.units[0].tile", "KA-1"),
        (unit(13, "place"), "board", "now.units[2].tile", "KA-3.1"),
        (unit(13, "upgraded"), True, "now.units[2].upgraded", "KA-2.2"),
        (unit(13, "done"), True, "now.units[2].done", "KA-6.6"),
        (unit(13, "place"), "fallen", "now.units[2].place", "KA-9"),
        (unit(13, "place"), "out", "now.units[2].place", "KA-8.1"),
        (unit(71, "place"), "dead", "now.units", "KA-7.9"),
        (unit(51, "upgraded"), True, "now.units", "KA-2.2"),
        (unit(71, "gained"), 99, "now.units", "KA-8.3"),
        (unit(161, "place"), "reserve", "now.units", "KA-1"),
        ((*SIDES, 1, "seat"), 0, "now.battle.sides", "KA-7.2"),
        ((*SIDES, 0, "tile"), 9, "now.battle.sides[0].tile", "KA-7.2"),
        ((*SIDES, 0, "tile"), 4, "now.battle.sides[0].tile", "KA-7.2"),
        ((*SIDES, 0, "tile"), 6, "now.battle.sides", "KA-7.2"),
        ((*SIDES, 0, "statement"), "in", "now.battle.sides[0].statement", "KA-7.3"),
        ((*SIDES, 0, "card"), "dawns_sword", "now.battle.sides[0].statement", "KA-7.3"),
        ((*SIDES, 0, "applied"), True, "now.battle.sides[0].applied", "KA-7.4"),
        ((*SIDES, 0, "losses"), 1, "now.battle.sides[0].losses", "KA-7.7"),
        ((*SIDES, 0, "chosen"), True, "now.battle.sides[0].losses", "KA-7.7"),
        ((*SIDES, 0, "lost"), [11], "now.battle.sides[0].lost", "KA-7.7"),
        ((*SIDES, 0, "after"), "out", "now.battle.sides[0].after", "KA-7.8"),
        ((*SIDES, 0, "after_units"), [11], "now.battle.sides[0].after_units", "KA-7.8"),
        (("now", "battle", "asked"), -1, "now.battle.asked", "KA-7.1"),
        (("now", "battle", "asked"), 1, "now.battle.asked", "KA-7.3"),
        (("now", "battle", "step"), "aim", "now.battle", "KA-7"),
        (("now", "battle", "step"), "losses", "now.battle", "KA-7"),
        (("now", "battle", "step"), "after", "now.battle", "KA-7"),
        (("now", "battle", "step"), "invasion", "now.battle", "KA-7"),
        (("now", "battle", "revealed"), True, "now.battle.sides[0].statement", "KA-7.3"),
        (("now", "battle", "verdict"), "attacker_wins", "now.battle", "KA-7"),
        (("now", "battle", "invaders"), 2, "now.battle.invaders", "KA-7.10"),
        (("now", "battle", "arrivals"), [71], "now.battle.arrivals", "KA-8.3"),
        (("now", "battle", "pairs"), 1, "now.battle.pairs", "KA-7.6"),
    ],
)
def test_unplayable_position_is_refused(path: Path, value: Any, place: str, rule: str) -> None:
    with pytest.raises(ScenarioFault) as told:
        setup.check(broken(GATE, (path, value)))
    assert told.value.place.startswith(place)
    assert told.value.rule.startswith(rule)
    assert "\n" not in str(told.value)


@pytest.mark.rule("KA-7.5", "KA-7.6", "KA-7.7")
@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (("dice", 0, "sides"), 7, "now.battle.dice[0]"),
        (("dice", 0, "value"), 9, "now.battle.dice[0]"),
        (("dice", 0, "side"), 2, "now.battle.dice[0]"),
        (("dice", 0, "unit"), 5, "now.battle.dice[0]"),
        (("dice", 0, "source"), "terrain", "now.battle.dice[0]"),
        (("dice",), [], "now.battle.sides[1].losses"),
        (("pairs",), 3, "now.battle.pairs"),
        (("sides", 1, "losses"), 2, "now.battle.sides[1].losses"),
        (("sides", 1, "lost"), [131], "now.battle.sides[1].lost"),
        (("sides", 0, "statement"), "", "now.battle.sides[0].statement"),
        (("asked",), 0, "now.battle.step"),
    ],
)
def test_dice_and_casualties_of_a_battle_must_fit(path: Path, value: Any, place: str) -> None:
    with pytest.raises(ScenarioFault) as told:
        setup.check(broken(with_battle(LOSSES), (("now", "battle", *path), value)))
    assert told.value.place.startswith(place)
    assert told.value.rule.startswith("KA-7")


BATTLE: Final = ("now", "battle")
AFTER: Final[Changes] = (
    (unit(131, "place"), "removed"),
    (unit(131, "tile"), 0),
    ((*SIDES, 1, "chosen"), True),
    ((*SIDES, 1, "lost"), [131]),
    ((*SIDES, 0, "after"), "out"),
    ((*BATTLE, "step"), "after"),
)
"""Changes from the choice of casualties to the question for a card after the fight."""

JOINED: Final[Changes] = (
    ((*SIDES, 0, "statement"), "in"),
    ((*SIDES, 0, "card"), "dawns_sword"),
    ((*BATTLE, "asked"), 1),
)
"""Changes from the attacker's declaration to the defender's."""

SPENT: Final[Changes] = (
    ((*SIDES, 0, "after"), "in"),
    ((*SIDES, 0, "after_card"), "dawns_sword"),
    ((*PLAYERS, 0, "hand"), []),
    ((*PLAYERS, 0, "spent"), ["dawns_sword"]),
)
UNCHOSEN: Final[Changes] = (((*SIDES, 1, "chosen"), False), ((*SIDES, 1, "lost"), []))
NO_CARDS: Final[Changes] = tuple(
    ((*PLAYERS, seat, pile), []) for seat in (0, 1) for pile in ("hand", "deck", "spent")
)
DIE: Final = {"side": 0, "unit": 11, "source": "unit", "sides": 8, "value": 8}


@pytest.mark.rule("KA-7.3", "KA-7.8")
def test_base_positions_of_the_following_tests_are_valid() -> None:
    for text, changes in ((with_battle(LOSSES), AFTER), (GATE, JOINED)):
        setup.check(broken(text, *changes))


@pytest.mark.rule("KA-7.3", "KA-7.5", "KA-7.7", "KA-7.8", "KA-7.9")
@pytest.mark.parametrize(
    ("changes", "place", "rule"),
    [
        ((*AFTER, ((*SIDES, 0, "after"), "")), "now.battle.asked", "KA-7.3"),
        ((*AFTER, ((*SIDES, 0, "after"), "in")), "now.battle.sides[0].after", "KA-7.8"),
        ((*AFTER, *SPENT[:2]), "now.battle.sides[0].after_card", "KA-7.8"),
        ((*AFTER, *SPENT), "now.battle.sides[0].after_card", "KA-7.8"),
        ((*AFTER, *UNCHOSEN), "now.battle.sides[1].chosen", "KA-7.7"),
        ((*AFTER, ((*BATTLE, "verdict"), "defender_holds")), "now.battle.verdict", "KA-7.9"),
        ((*AFTER, ((*BATTLE, "revealed"), False)), "now.battle.revealed", "KA-7.3"),
        ((*AFTER, ((*SIDES, 1, "tile"), 9)), "now.battle.sides[1].tile", "KA-7.2"),
        ((*AFTER, (unit(131, "owner"), 0)), "now.units", "KA-8.3"),
    ],
)
def test_state_after_the_fight_must_fit(
    changes: Sequence[tuple[Path, Any]], place: str, rule: str
) -> None:
    with pytest.raises(ScenarioFault) as told:
        setup.check(broken(with_battle(LOSSES), *changes))
    assert told.value.place.startswith(place)
    assert told.value.rule == rule


@pytest.mark.rule("KA-7.3", "KA-7.5", "KA-0")
@pytest.mark.parametrize(
    ("changes", "place", "rule"),
    [
        ((*JOINED, ((*SIDES, 0, "card"), "hidden_paths")), "now.battle.sides[0].card", "KA-7.3"),
        (
            (
                *JOINED,
                ((*SIDES, 0, "card"), "keep_of_khalisia"),
                ((*PLAYERS, 0, "hand"), ["keep_of_khalisia"]),
                ((*PLAYERS, 0, "deck"), []),
            ),
            "now.battle.sides[0].card",
            "KA-7.3",
        ),
        ((*JOINED, ((*SIDES, 0, "after"), "out")), "now.battle.sides[0].after", "KA-7.8"),
        ((*JOINED, ((*BATTLE, "dice"), [DIE])), "now.battle.dice", "KA-7.5"),
        (
            (*NO_CARDS, (("options", "magic"), "off"), ((*SIDES, 0, "statement"), "out")),
            "now.battle.sides[0].statement",
            "KA-0",
        ),
    ],
)
def test_magic_declarations_must_fit(
    changes: Sequence[tuple[Path, Any]], place: str, rule: str
) -> None:
    with pytest.raises(ScenarioFault) as told:
        setup.check(broken(GATE, *changes))
    assert told.value.place.startswith(place)
    assert told.value.rule == rule


@pytest.mark.rule("KA-3.1", "KA-2.1")
@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('at = "A1"', 'at = "Z9"', "now.stacks[0].at"),
        ('"catapult"', '"ballista"', "now.stacks[0].units"),
        ('units = ["crown"]', 'units = ["crown", "crown"]', "now.stacks[1].units"),
        ('units = ["crown"]', 'units = ["special:5"]', "now.stacks[1].units"),
        ('["general", "special"]', '["crown"]', "now.dead[0].units"),
    ],
)
def test_stacks_name_only_units_of_an_army(old: str, new: str, place: str) -> None:
    with pytest.raises(ScenarioFault) as told:
        parse(RULES, GATE.replace(old, new).encode())
    assert told.value.place == place


# -- set-up and events -----------------------------------------------------------------------------


def at_phase(phase: Phase) -> State:
    """Return a new game in a phase of the set-up, or during an event that asks both seats."""
    if phase == "event":
        decision = pad(position(DUEL, phase="event", event_deck=EVENTS))
        decision.emit(ev.EventDrawn("great_drill", (0, 1)))
        return decision.state
    state = new_game(2, "drawn" if phase == "world" else "dealt")
    while state.phase != phase:
        (seat,) = owing(state)
        state = after(state, seat, next(offers(view(state, seat))), Seeded(b"set-up", 0, "decide"))
    return state


EVENTS: Final = ("great_drill", *(card for card in event_cards() if card != "great_drill"))


@pytest.mark.rule("KA-5", "KA-11.1")
@pytest.mark.parametrize("phase", ["world", "realms", "castles", "deployment", "event"])
def test_file_may_begin_in_every_phase(phase: Phase) -> None:
    state = at_phase(phase)
    war = RULES.position(state)
    setup.check(war)
    assert folded(RULES.empty(), RULES.begin(war, {}, Scripted())).phase == phase


@pytest.mark.rule("KA-5", "KA-5.2", "KA-5.3", "KA-5.4", "KA-5.5", "KA-11.1")
@pytest.mark.parametrize(
    ("phase", "path", "value", "place", "rule"),
    [
        ("world", ("now", "drawn"), "", "now.drawn", "KA-5.2"),
        ("world", ("now", "bag"), [], "now.bag", "KA-5.2"),
        ("world", ("now", "phase"), "realms", "rows", "KA-5.2"),
        ("world", ("now", "phase"), "action", "now.players", "KA-8.1"),
        ("realms", ("now", "phase"), "world", "now.phase", "KA-5.2"),
        ("realms", ("now", "phase"), "castles", "now.players", "KA-5.3"),
        ("realms", ("now", "phase"), "action", "now.players", "KA-8.1"),
        ("realms", ("now", "event"), {"card": "harvest"}, "now.event", "KA-6.1"),
        ("castles", ("now", "phase"), "realms", "now.active", "KA-5"),
        ("castles", ("now", "phase"), "deployment", "castles", "KA-5.4"),
        ("castles", ("now", "phase"), "action", "now.players", "KA-8.1"),
        ("deployment", ("now", "phase"), "castles", "now.active", "KA-5"),
        ("event", ("now", "event", "asked"), [], "now.event.asked", "KA-11.1"),
        ("event", ("now", "event", "asked"), [1, 0], "now.event.asked", "KA-11.1"),
        ("event", ("now", "event", "asked"), [0, 0], "now.event.asked", "KA-11.1"),
        ("event", ("now", "event", "asked"), [0, 2], "now.event.asked", "KA-11.1"),
        ("event", ("now", "event", "card"), "nothing", "now.event_deck", "KA-11"),
        ("event", ("now", "phase"), "action", "now.event", "KA-6.1"),
        ("event", ("castles",), ["A1", ""], "castles", "KA-5.4"),
    ],
)
def test_phase_must_have_a_pending_choice(
    phase: Phase, path: Path, value: Any, place: str, rule: str
) -> None:
    raw: Any = plain(RULES.position(at_phase(phase)))
    *way, last = path
    node = raw
    for key in way:
        node = node[key]
    node[last] = value
    with pytest.raises(ScenarioFault) as told:
        setup.check(convert(raw, War))
    assert told.value.place.startswith(place)
    assert told.value.rule == rule


@pytest.mark.rule("KA-5.5")
def test_first_units_must_be_on_the_castle_of_their_seat() -> None:
    for phase, rule in (("castles", "KA-5.5"), ("deployment", "KA-5.5")):
        raw: Any = plain(
            RULES.position(at_phase("castles" if phase == "castles" else "deployment"))
        )
        active = raw["now"]["active"]
        other = 1 - active
        for row in raw["now"]["units"]:
            if row["owner"] == other and row["kind"] == "crown":
                row["place"], row["tile"] = "board", 4
        with pytest.raises(ScenarioFault) as told:
            setup.check(convert(raw, War))
        assert told.value.rule == rule
