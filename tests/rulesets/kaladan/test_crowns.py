"""Crowns that fall in battle: elimination, victors, and the Special Units they gain."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.codec import encode_json
from engine.core.dice import Scripted
from engine.core.record import replace
from engine.core.scenarios import parse
from engine.rulesets.kaladan import commands as do
from engine.rulesets.kaladan import events as ev
from engine.rulesets.kaladan.outcome import inheritance
from engine.rulesets.kaladan.rules import RULES
from engine.rulesets.kaladan.state import NOBODY
from engine.rulesets.kaladan.tables import first_seat, realms
from tests.rulesets.kaladan.battles import PLAIN, asked, fight, told, waiting
from tests.rulesets.kaladan.positions import folded, position, stand

ATTACK = do.Attack("A1", "A2")
TAKEN = """
FM FFF FF
A1 0 sword archer shield general
A2 1 # crown
C1 0 crown special
C2 1 sword shield
"""


@pytest.mark.rule("KA-8.1", "KA-8.3")
def test_fallen_crown_takes_its_army_but_leaves_its_special_unit() -> None:
    state = position(TAKEN, options=PLAIN, gold=(1, 9))
    done = fight(state, 0, ATTACK, [8, 1, 1, 12, 1, 1])
    assert told(done, ev.CrownFell).by == 0
    assert told(done, ev.SeatEliminated).specials == (171,)
    assert asked(done) == ("invasion", 0)
    assert waiting(done).invaders == 3, "one place is kept for the Special Unit"
    done = fight(done.state, 0, do.Invade((11, 21, 31)))
    assert stand(done.state, "A2") == ["sword", "archer", "shield", "special"]
    special = done.state.units[171]
    assert (special.owner, special.done) == (0, True)
    loser = done.state.players[1]
    assert (loser.alive, loser.gold, loser.hand, loser.deck) == (False, 0, (), ())
    assert done.state.players[0].gold == 1, "the victor gets no gold"
    assert stand(done.state, "C2") == []
    assert done.state.tiles[2].castle == 1, "the Castle stays where it is"
    assert not any(unit.place == "reserve" for unit in done.state.units.values() if unit.owner == 1)


@pytest.mark.rule("KA-7.10", "KA-8.3")
def test_room_is_kept_only_for_an_arriving_special_unit() -> None:
    text = TAKEN.replace("FM", "FF").replace("crown\nC1", "sword\nC1").replace("C2 1", "C2 1 crown")
    done = fight(position(text, options=PLAIN), 0, ATTACK, [8, 1, 1, 12, 1])
    assert told(done, ev.BattleJudged).invaders == 4
    assert len(stand(done.state, "A2")) == 4


@pytest.mark.rule("KA-8.2", "KA-8.3")
def test_victor_may_have_no_unit_left_in_the_battle() -> None:
    text = "WM FFF FF\nA1 0 sword\nA2 1 crown\nC1 0 crown"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [3, 8, 6, 5])
    assert told(done, ev.PairsCompared).pairs == ((8, 6), (3, 5))
    assert told(done, ev.BattleEnded).verdict == "both_destroyed"
    assert told(done, ev.CrownFell).by == 0
    assert stand(done.state, "A2") == ["special"]
    assert done.state.units[171].owner == 0


@pytest.mark.rule("KA-8.2", "KA-8.3")
def test_crown_of_an_attacker_can_fall() -> None:
    text = "FF FFF FF\nA1 0 crown\nA2 1 sword\nC1 0 shield\nC2 1 crown"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [1, 8])
    assert told(done, ev.CrownFell) == ev.CrownFell(0, 61, 1)
    assert told(done, ev.BattleEnded).verdict == "defender_wins"
    assert stand(done.state, "A2") == ["special", "sword"]
    assert done.state.units[71].owner == 1
    assert stand(done.state, "C1") == []


@pytest.mark.rule("KA-8.3")
def test_special_unit_gained_on_a_full_tile_is_fallen() -> None:
    text = "FW FFF FF\nA1 0 crown\nA2 1 sword shield general\nC2 1 crown"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [1, 8, 10, 12])
    assert stand(done.state, "A2") == ["sword", "shield", "general"]
    special = done.state.units[71]
    assert (special.owner, special.place) == (1, "fallen")
    assert told(done, ev.SpecialTransferred).tile == 0


@pytest.mark.rule("KA-8.2")
def test_two_falling_crowns_have_no_victor() -> None:
    text = "WM FFF FF\nA1 0 crown\nA2 1 crown"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [1, 9, 4, 8])
    assert told(done, ev.PairsCompared).lost == (1, 1)
    fell = [event for event in done.events if isinstance(event, ev.CrownFell)]
    assert [(event.seat, event.by) for event in fell] == [(0, NOBODY), (1, NOBODY)]
    assert told(done, ev.BattleEnded).verdict == "both_destroyed"
    assert not any(player.alive for player in done.state.players.values())
    assert [done.state.units[unit].place for unit in (71, 171)] == ["out", "out"]


@pytest.mark.rule("KA-8.1", "KA-7.9")
def test_survivors_leave_with_their_crown() -> None:
    text = "FF FFF FF\nA1 0 general\nA2 1 crown sword shield\nC1 0 crown"
    done = fight(position(text, options=PLAIN), 0, ATTACK, [12, 1, 1, 1])
    assert asked(done) == ("losses", 1)
    done = fight(done.state, 1, do.ChooseLosses((161,)))
    assert told(done, ev.BattleJudged) == ev.BattleJudged("attacker_wins", 1)
    assert stand(done.state, "A2") == ["general", "special"]


@pytest.mark.rule("KA-8.3")
def test_special_units_arrive_in_the_order_they_were_gained() -> None:
    text = """
    FW FFF FF
    A1 0 sword sword
    A2 1 crown
    C1 0 crown
    C2 1 special:2
    fallen 1 special:3
    """
    state = position(text, options=PLAIN, seats=4)
    later = state.units[271]
    state = fight(state, 0, ATTACK, [8, 8, 1]).state
    assert later.gained == 1
    assert stand(state, "A2") == ["sword", "sword", "special"]
    assert [state.units[unit].place for unit in (171, 271, 371)] == ["board", "fallen", "fallen"]
    assert {state.units[unit].owner for unit in (171, 271, 371)} == {0}
    text = text.replace("sword sword\n", "sword\n")
    state = fight(position(text, options=PLAIN, seats=4), 0, ATTACK, [8, 1]).state
    assert stand(state, "A2") == ["sword", "special", "special"]
    assert [state.units[unit].place for unit in (171, 271, 371)] == ["board", "board", "fallen"]


@pytest.mark.rule("KA-8.3")
def test_special_units_pass_on_own_realm_first_then_as_gained() -> None:
    state = position(
        f"{TAKEN.replace('crown special', 'crown')}\nfallen 1 special:0 special:2 special", seats=3
    )
    gained = [replace(state.units[unit], gained=at) for unit, at in ((71, 2), (271, 1))]
    state = replace(state, units=state.units.put(*gained))
    assert inheritance(state, 1) == (171, 271, 71)


@pytest.mark.rule("KA-8.3")
@pytest.mark.parametrize("fallen", [("special:0",), ("special:3", "special:0")])
def test_listed_special_units_pass_on_in_their_order(fallen: tuple[str, ...]) -> None:
    players: list[dict[str, Any]] = [
        {"id": seat, "realm": realm, "alive": seat in {1, 2}}
        for seat, realm in enumerate([*realms()][:4])
    ]
    now = {
        "phase": "action",
        "active": 1,
        "players": players,
        "stacks": [
            {"at": "B2", "seat": 1, "units": ["general", "sword+", "sword+"]},
            {"at": "A1", "seat": 1, "units": ["crown"]},
            {"at": "A2", "seat": 2, "units": ["crown"]},
        ],
        "dead": [{"at": "", "seat": 2, "units": list(fallen)}],
    }
    rows = ["FFWW", "FFWWM", "FFMM"]
    war = {"name": "two", "title": "Two", "about": "", "seats": 4, "rows": rows}
    castles = ["A4", "C4", "A1", "C1"]
    document = {**war, "castles": castles, "options": {"events": "off", "magic": "off"}, "now": now}
    events = RULES.begin(parse(RULES, encode_json(document)), {}, Scripted())
    state = folded(RULES.empty(), events)
    makers = [first_seat(unit) for unit in inheritance(state, 2)]
    assert makers == [2, *(int(word[-1]) for word in fallen)]
