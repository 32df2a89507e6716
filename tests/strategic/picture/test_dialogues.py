"""Every intent, question by question, up to its command."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.containers import Roster
from engine.core.record import replace
from engine.rulesets.warlords2.options import Options
from engine.rulesets.warlords2.state import State
from engine.strategic import commands as do
from engine.strategic.pieces import NONE, TO_FLAG, Guardian, Item, Quest, Question, Slot
from engine.tabletop.ask import AskConfirm, AskOne, AskPlace, AskSome
from engine.tabletop.focus import Focus
from tests.strategic import ground
from tests.strategic.picture.stage import (
    PICTURE,
    answered,
    line_of,
    shown,
    some_answer,
    texts,
)

HERE = Focus(4, 3)


def realm(**more: Any) -> State:
    """Return a position: side 0 has a hero, archers, a site, two cities, gold; a foe is near."""
    armies = [
        ground.army(1, 4, 3, ground.HERO),
        ground.army(2, 4, 3, ground.ARCHERS),
        ground.army(3, 0, 0, ground.LIGHT),
        ground.army(9, 5, 3, ground.LIGHT, owner=1),
    ]
    cities = [
        ground.city(1, 0, 0, 0, slots=(ground.slot(ground.LIGHT), ground.slot(ground.ARCHERS))),
        ground.city(2, 0, 4, 0),
        ground.city(3, 8, 0, 1),
    ]
    items = [
        Item(1, "standard", 1, "Banner", "carried", 1, side=0),
        Item(2, "weapon", 2, "Sword", "ground", x=4, y=3),
    ]
    usual: dict[str, Any] = {
        "armies": armies,
        "cities": cities,
        "items": items,
        "sites": [ground.site(1, 4, 3, "gold")],
        "sides": [ground.side(0, gold=600), ground.side(1)],
    }
    return ground.world(["." * 10] * 7, **(usual | more))


def followed(state: State, focus: Focus, intent: str, *answers: str) -> Any:
    """Answer a dialogue, then take the first choices; return its command or question."""
    given = list(answers)
    for _ in range(8):
        asked = answered(state, focus, intent, given)
        if isinstance(asked, str):
            return line_of(asked)
        given.append(some_answer(asked))
    raise AssertionError(f"{intent} asks without end")


def at_temple(**more: Any) -> State:
    return realm(sites=[ground.site(1, 4, 3, "temple")], **more)


def asked(question: Question, **more: Any) -> State:
    return realm(question=question, **more)


DIPLOMACY = Options(diplomacy="on")
QUESTS = Options(quests="on")
CASES = [
    (realm(), HERE, "march", ("4,1",), do.March((1, 2), (4, 1))),
    (realm(), HERE, "march", ("5,3", "yes"), do.March((1, 2), (5, 3))),
    (realm(), Focus(4, 1, 1), "march", (), do.March((1, 2), (4, 1))),
    (realm(), HERE, "group", ("2", "4,2"), do.March((2,), (4, 2))),
    (realm(), HERE, "walk", ("4,2>4,1",), do.Walk((1, 2), ((4, 2), (4, 1)))),
    (realm(), HERE, "goal", ("place", "9,6"), do.SetGoal((1, 2), (9, 6))),
    (realm(), HERE, "goal", ("part", "2", "place", "9,6"), do.SetGoal((2,), (9, 6))),
    (realm(), HERE, "defend", (), do.Defend((1, 2))),
    (realm(), HERE, "disband", ("2", "yes"), do.Disband((2,))),
    (realm(), HERE, "search", (), do.Search(1)),
    (at_temple(), HERE, "bless", (), do.Bless((1, 2))),
    (at_temple(options=QUESTS), HERE, "quest", (), do.TakeQuest(1)),
    (realm(), HERE, "pick-up", ("2",), do.PickUp(1, 2)),
    (realm(), HERE, "drop", ("1",), do.Drop(1, 1)),
    (realm(), HERE, "plant", (), do.PlantFlag(1)),
    (realm(), Focus(1, 1), "produce", ("1",), do.Produce(1, 1)),
    (realm(), Focus(0, 0), "buy", ("1", "0"), do.BuySlot(1, 0, ground.HEAVY)),
    (realm(), Focus(0, 0), "vector", ("0,4",), do.SetVector(1, 2)),
    (realm(), Focus(0, 0), "vector", ("1,5",), do.SetVector(1, 2)),
    (realm(), Focus(0, 0), "rename", ("  New Town ",), do.RenameCity(1, "New Town")),
    (realm(), Focus(0, 0), "raze", ("yes",), do.Raze(1)),
    (realm(), HERE, "resign", ("leave", "yes"), do.Resign()),
    (realm(), HERE, "end-turn", ("yes",), do.EndTurn()),
    (realm(options=DIPLOMACY), HERE, "stance", ("1", "1"), do.SetStance(1, 1)),
    (asked(Question("fate", 0, city=1)), HERE, "settle", ("sack",), do.Settle("sack")),
    (asked(Question("hero", 0, city=1)), HERE, "hire", ("no",), do.Hire(accept=False)),
    (
        asked(Question("sage", 0, site=1, army=1, wishes=("gold",))),
        HERE,
        "sage",
        ("gold",),
        do.AskSage("gold"),
    ),
    (asked(Question("yield", 0)), HERE, "yield", ("yes",), do.AnswerYield()),
]


@pytest.mark.rule("W2-17")
@pytest.mark.parametrize(
    ("state", "focus", "intent", "answers", "wanted"),
    CASES,
    ids=[f"{number}-{row[2]}" for number, row in enumerate(CASES)],
)
def test_answers_lead_to_the_command(
    state: State, focus: Focus, intent: str, answers: tuple[str, ...], wanted: object
) -> None:
    assert followed(state, focus, intent, *answers) == wanted


@pytest.mark.parametrize("focus", [HERE, Focus(0, 0), Focus(4, 1, 1), Focus(9, 6)])
@pytest.mark.parametrize(
    "state",
    [realm(), at_temple(options=QUESTS), realm(options=DIPLOMACY), asked(Question("hero", 0, 1))],
)
def test_offered_intents_end_in_a_command_and_have_unique_keys(state: State, focus: Focus) -> None:
    offered = PICTURE.intents(shown(state), focus)
    assert offered
    assert len({intent.key for intent in offered}) == len(offered)
    for intent in offered:
        if not intent.reason:
            followed(state, focus, intent.name)
        else:
            refused = PICTURE.ask(shown(state), focus, intent.name, [])
            assert refused == AskPlace(intent.reason, ())


@pytest.mark.rule("W2-12.3")
def test_treachery_needs_confirmation() -> None:
    state = realm(peace=True, options=DIPLOMACY)
    question = answered(state, Focus(5, 3, 1), "march", [])
    assert isinstance(question, AskConfirm)
    assert "You are at peace with Side 1: this breaks the treaty." in texts(question.lines)
    command = followed(state, Focus(5, 3, 1), "march", "yes")
    assert command == do.March((1, 2), (5, 3), betray=True)


@pytest.mark.rule("W2-8.5")
def test_attack_is_confirmed_with_its_chances() -> None:
    question = answered(realm(), HERE, "march", ["5,3"])
    assert isinstance(question, AskConfirm)
    assert question.title == "Attack Side 1 near City 3?"
    said = texts(question.lines)
    assert said[0].startswith("Win ")
    assert said[2].startswith("They lose ")


def test_target_tiles_show_costs_and_chances() -> None:
    question = answered(realm(), HERE, "march", [])
    assert isinstance(question, AskPlace)
    labels = dict(zip(question.cells, question.labels, strict=True))
    assert labels[4, 2] == "2"
    assert 50 < int(labels[5, 3].replace("X", "100")) <= 100


def test_march_of_an_enclosed_army_still_offers_tiles() -> None:
    state = ground.world(["~.~"], armies=[ground.army(1, 1, 0)])
    question = answered(state, Focus(1, 0), "march", [])
    assert isinstance(question, AskPlace)
    assert set(question.cells) == {(0, 0), (2, 0)}


@pytest.mark.rule("W2-9.4")
def test_too_expensive_types_cannot_be_bought() -> None:
    question = answered(realm(), Focus(0, 0), "buy", [])
    assert isinstance(question, AskOne)
    reasons = {choice.value: choice.reason for choice in question.choices}
    assert reasons[str(ground.CATAPULTS)] == ""
    assert reasons[str(ground.GIANTS)] == "too expensive"
    assert str(ground.DRAGONS) not in reasons


@pytest.mark.rule("W2-9.4")
def test_a_city_buys_no_type_that_it_makes_already_and_says_how_its_defence_rises() -> None:
    state = realm()
    city = next(one for one in state.cities.values() if (0, 0) in one.tiles)
    kind = state.types[ground.CATAPULTS]
    same = Slot(kind.id, kind.strength, kind.turns, kind.move, kind.cost)
    reasons = list[str]()
    for strength in (same.strength, 9):
        town = replace(city, slots=(replace(same, strength=strength),) * 2, defence=1)
        state = replace(state, cities=state.cities.put(town))
        told = answered(state, Focus(0, 0), "buy", [])
        assert isinstance(told, AskOne)
        (ware,) = [one for one in told.choices if one.value == str(kind.id)]
        assert ("made here with strength 9" in ware.label) == (strength == 9)
        reasons.append(ware.reason)
    assert reasons == ["the city makes it already", ""]
    placed = answered(state, Focus(0, 0), "buy", [str(kind.id)])
    assert isinstance(placed, AskOne)
    assert placed.choices[-1].label == "A new place, and the defence rises from 1 to 2"


@pytest.mark.rule("W2-9.2")
def test_the_cursor_goes_to_the_city_whose_fate_is_asked() -> None:
    state = asked(Question("fate", 0, city=1))
    (due,) = [one for one in PICTURE.intents(shown(state), Focus(0, 0)) if one.due]
    city = state.cities[1]
    assert due.at == (city.x, city.y)


@pytest.mark.rule("W2-9.2")
def test_fates_of_a_city_show_their_gold() -> None:
    question = answered(asked(Question("fate", 0, city=1)), HERE, "settle", [])
    assert isinstance(question, AskOne)
    labels = [choice.label for choice in question.choices]
    assert labels[1] == "Pillage one type: 200 gold; it can no longer make Archers"
    assert labels[2] == "Sack all types but one: 200 gold; it can no longer make Archers"
    poor = answered(asked(Question("fate", 0, city=2)), HERE, "settle", [])
    assert isinstance(poor, AskOne)
    only = "only a city that can make two types of armies can be sacked"
    assert [choice.reason for choice in poor.choices] == ["", "", only, ""]


@pytest.mark.rule("W2-12.3")
def test_fates_of_a_city_show_their_cost_in_reputation_if_there_is_one() -> None:
    state = asked(Question("fate", 0, city=1), options=Options(diplomacy="on"))
    question = answered(state, HERE, "settle", [])
    assert isinstance(question, AskOne)
    ends = [choice.label.rpartition("; ")[2] for choice in question.choices]
    assert ends[0] == "Occupy: spare the city"
    assert ends[1:] == [
        "your reputation suffers by 1 to 5",
        "your reputation suffers by 6 to 15",
        "your reputation suffers by 11 to 25",
    ]


@pytest.mark.rule("W2-9.2")
def test_plunder_names_every_type_the_city_loses_and_its_walls() -> None:
    made = (ground.LIGHT, ground.ARCHERS, ground.CATAPULTS, ground.LIGHT)
    rich = ground.city(1, 0, 0, 0, slots=tuple(map(ground.slot, made)), defence=2)
    state = asked(Question("fate", 0, city=1), cities=[rich, ground.city(3, 8, 0, 1)])
    question = answered(state, HERE, "settle", [])
    assert isinstance(question, AskOne)
    pillage, sack = question.choices[1:3]
    assert "can no longer make" not in pillage.label
    assert "it can no longer make Archers and Catapults; its defence falls to 1" in sack.label


def test_a_fate_that_a_city_cannot_have_says_why() -> None:
    bare = ground.city(1, 0, 0, 0, slots=())
    gentle = Options(raze_allowed="off")
    state = asked(Question("fate", 0, city=1), cities=[bare], options=gentle)
    question = answered(state, HERE, "settle", [])
    assert isinstance(question, AskOne)
    assert [choice.reason for choice in question.choices] == [
        "",
        "it can make no army",
        "it can make no army",
        "cities are not razed in this game",
    ]


def test_only_the_pending_question_can_be_answered() -> None:
    offered = PICTURE.intents(shown(asked(Question("hero", 0, city=1))), HERE)
    assert [intent.name for intent in offered] == ["hire", "resign"]
    assert PICTURE.intents(shown(asked(Question("hero", 0, city=1)), 1), HERE)[0].reason
    with pytest.raises(ValueError, match="First answer the hero"):
        answered(asked(Question("hero", 0, city=1)), HERE, "march", [])


def test_likely_intents_come_first_and_resigning_last() -> None:
    keys = "".join(intent.key for intent in PICTURE.intents(shown(realm()), HERE))
    assert keys.startswith("smgdc")
    assert keys.endswith("eR")
    keys = "".join(intent.key for intent in PICTURE.intents(shown(realm()), Focus(0, 0)))
    assert keys.startswith("mgrdc")
    assert keys.endswith("eR")


def test_unavailable_key_gives_its_reason() -> None:
    field, free = Focus(5, 5), shown(realm())
    assert PICTURE.why_not(free, field, "m") == "You have no army here."
    assert PICTURE.why_not(free, field, "r") == "You have no city here."
    assert "(a)" in PICTURE.why_not(shown(asked(Question("hero", 0, city=1))), field, "m")
    assert PICTURE.why_not(shown(realm(), 1), field, "m").endswith("'s turn.")
    assert PICTURE.why_not(free, field, "z") == ""


def test_unknown_intent_is_refused() -> None:
    with pytest.raises(ValueError, match="no intent 'dance'"):
        answered(realm(), HERE, "dance", [])


@pytest.mark.rule("W2-13.2")
def test_end_turn_lists_unfinished_business() -> None:
    question = answered(realm(), HERE, "end-turn", [])
    assert isinstance(question, AskConfirm)
    assert texts(question.lines) == [
        "City 2: 1 enemy stack can come, nobody guards it.",
        "City 1: 1 enemy stack can come, 67 % to hold.",
        "Not counted: new armies.",
        "2 stacks could still move:",
        "Hero 1 and Archers at Site 1.",
        "Light Infantry at City 1.",
        "2 cities could produce armies:",
        "City 1.",
        "City 2.",
    ]


def test_a_hero_on_a_quest_is_not_disbanded_by_accident() -> None:
    state = realm(sides=[ground.side(0, quest=Quest("plunder", 1, count=500)), ground.side(1)])
    question = answered(state, HERE, "disband", ["1"])
    assert isinstance(question, AskConfirm)
    assert "Hero 1 is on a quest for you." in texts(question.lines)
    assert followed(state, HERE, "disband", "1", "yes") == do.Disband((1,), sure=True)


@pytest.mark.rule("W2-8.4")
def test_dialogue_sorts_the_line_of_battle() -> None:
    types = sorted(ground.TYPES, reverse=True)
    order = ">".join(map(str, types))
    assert followed(realm(), HERE, "order", order) == do.SetFightOrder(tuple(types))


def test_invalid_answers_repeat_the_question() -> None:
    state = realm()
    for intent, focus in (("march", HERE), ("group", HERE), ("produce", Focus(0, 0))):
        first = answered(state, focus, intent, [])
        assert answered(state, focus, intent, ["nonsense"]) == first


def test_a_choice_that_is_not_possible_repeats_the_question() -> None:
    first = answered(realm(), Focus(0, 0), "buy", [])
    assert answered(realm(), Focus(0, 0), "buy", [str(ground.GIANTS)]) == first


@pytest.mark.parametrize(
    ("vector", "hints"),
    [
        (NONE, ("Send new armies to the rally flag",)),
        (TO_FLAG, ("Send new armies to City 2", "Keep new armies here")),
    ],
)
def test_a_rally_flag_in_a_city_is_a_destination_beside_that_city(
    vector: int, hints: tuple[str, ...]
) -> None:
    state = realm(sides=[ground.side(0, flag=(0, 4)), ground.side(1)])
    city = replace(state.cities[1], vector=vector)
    question = answered(replace(state, cities=state.cities.put(city)), Focus(0, 0), "vector", [])
    assert isinstance(question, AskPlace)
    assert question.hints == hints


def test_search_asks_which_of_two_heroes_acts() -> None:
    state = realm()
    second = ground.army(4, 4, 3, ground.HERO)
    both = replace(state, armies=state.armies.put(second))
    question = answered(both, HERE, "search", [])
    assert isinstance(question, AskOne)
    assert followed(both, HERE, "search", "4") == do.Search(4)


def test_search_with_a_known_guardian_shows_the_danger() -> None:
    state = replace(
        realm(),
        sites=Roster([ground.site(1, 4, 3, "gold", guardian=1, known_to=1)]),
        guardians=(Guardian("Dragon", 8),),
    )
    question = answered(state, HERE, "search", [])
    assert isinstance(question, AskConfirm)
    assert texts(question.lines) == [
        "Hero 1 survives with 81 %.",
        "It would be 84 % with one more army here or 86 % with one more point of strength.",
    ]


def test_the_danger_of_a_search_grows_less_only_by_what_can_still_be_had() -> None:
    state = replace(
        realm(),
        sites=Roster([ground.site(1, 4, 3, "gold", guardian=1, known_to=1)]),
        guardians=(Guardian("Dragon", 8),),
    )
    crowd = [ground.army(number, 4, 3) for number in range(10, 16)]
    full = replace(state, armies=state.armies.put(*crowd))
    question = answered(full, HERE, "search", [])
    assert isinstance(question, AskConfirm)
    assert texts(question.lines) == [
        "Hero 1 survives with 99 %.",
        "It would be 100 % with one more point of strength.",
    ]


def test_a_search_of_an_unknown_site_tells_the_danger_of_any_guardian() -> None:
    keepers = (Guardian("Goblin", 3), Guardian("Dragon", 8))
    question = answered(replace(realm(), guardians=keepers), HERE, "search", [])
    assert isinstance(question, AskConfirm)
    told = "If a guardian is here, hero 1 survives with 81 to 100 %, depending on which one."
    helps = "It would be 84 to 100 % with one more army here or 86 to 100 % with one more point"
    assert texts(question.lines) == [told, f"{helps} of strength."]
    assert followed(replace(realm(), guardians=keepers), HERE, "search", "yes") == do.Search(1)
    harmless = replace(realm(), guardians=(Guardian("Goblin", 3),))
    assert line_of(answered(harmless, HERE, "search", [])) == do.Search(1)


def test_group_is_chosen_from_all_armies_that_can_move() -> None:
    question = answered(realm(), HERE, "group", [])
    assert isinstance(question, AskSome)
    assert [choice.label for choice in question.choices] == [
        "hero 1 5, 14/14 moves",
        "Archers 3, 12/12 moves",
    ]
