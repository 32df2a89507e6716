"""Secrets between seats: lists, purses, spies and mines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.codec import encode
from engine.core.containers import Roster
from engine.core.ids import PUBLIC, REFEREE
from engine.core.record import replace
from engine.rulesets.gd6 import RULES
from engine.rulesets.gd6 import events as ev
from engine.rulesets.gd6.state import State, View
from tests.rulesets.gd6.table import Play, begin, of_kind, refused, say, seal

FORD = """
borders = [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
options = { variant = "advanced", domination = 0 }
players = [
  { id = 0, ip = 99, crop = 1, dynamite = 1, orders = ["buy item=toxic"], last = ["hq at=1"] },
  { id = 1, ip = 50, dynamite = 1 },
]
territories = [
  { id = 1, owner = 0, army = 4, spy = 1, loyalty = 3, hq = 0 },
  { id = 2, owner = 0, army = 2, spy = 1, mines = 1, laid = [[0, 1]] },
  { id = 3, mines = 5, laid = [[0, 2], [1, 1]] },
  { id = 4, owner = 1, army = 1, hq = 1 },
]
"""


def heard(
    game: Play, viewer: int, events: tuple[ev.AnyEvent, ...], before: State
) -> list[ev.AnyEvent]:
    """Return the events as a viewer sees them."""
    told, state = [], before
    for event in events:
        after = RULES.evolve(state, event)
        shown = RULES.redact(event, state, after, viewer)
        if shown is not None:
            told.append(shown)
        state = after
    return told


@pytest.mark.rule("GD-SECRET-1", "GD-SECRET-2")
def test_others_see_land_and_armies_but_no_purse_or_list() -> None:
    seen = begin(FORD).view(1)
    other = seen.players[0]
    assert (other.ip, other.crop, other.dynamite, other.toxic) == (0, 0, 0, 0)
    assert other.orders == other.last == ()
    assert (seen.players[1].ip, seen.players[1].dynamite) == (50, 1)
    first = seen.territories[1]
    assert (first.owner, first.army, first.loyalty, first.hq) == (0, 4, 3, 0)


@pytest.mark.rule("GD-SECRET-4", "GD-MINE-5")
def test_spies_and_mines_of_others_are_hidden() -> None:
    game = begin(FORD)
    for viewer, spies, mines, laid in [
        (0, 1, 4, ((0, 2),)),
        (1, 0, 3, ((1, 1),)),
        (PUBLIC, 0, 2, ()),
        (REFEREE, 1, 5, ((0, 2), (1, 1))),
    ]:
        seen = game.view(viewer)
        assert seen.territories[1].spy == spies
        assert (seen.territories[3].mines, seen.territories[3].laid) == (mines, laid)
    assert game.view(1).territories[2].mines == 0


@pytest.mark.rule("GD-MINE-5", "GD-MINE-2")
def test_remaining_mines_become_public() -> None:
    game = begin(FORD)
    say(game, 1, "move path=4>3 count=1")
    events = seal(game, 0, 1)
    assert of_kind(events, ev.MinesExploded)[0].left == 4
    for viewer in (0, 1, PUBLIC):
        assert game.view(viewer).territories[3].mines == 4
    assert game.state.territories[3].owner == -1


@pytest.mark.rule("GD-SECRET-2", "GD-SECRET-3", "GD-SECRET-4")
def test_each_seat_sees_public_and_its_own_events() -> None:
    game = begin(FORD)
    say(game, 0, "spawn at=2 count=2", "promote at=1 unit=spy count=1", "mine at=3 count=1")
    say(game, 0, "move path=1>2 count=1 unit=spy", "move path=1>2 count=1", "seal")
    say(game, 1, "dynamite source=4 target=3")
    before = game.state
    events = seal(game, 1)
    own, others = heard(game, 0, events, before), heard(game, 1, events, before)
    secret = {ev.IpPaid, ev.ItemBought, ev.MinesLaid, ev.SquadsBound}
    assert secret <= {type(event) for event in own}
    assert not secret & {type(event) for event in others}
    assert [event.ip for event in of_kind(tuple(others), ev.IncomeEarned)] == [50 + 1 + 6]
    assert of_kind(tuple(others), ev.Promoted) == [ev.Promoted(0, 0, "spy", 0)]
    assert of_kind(tuple(own), ev.Promoted) == [ev.Promoted(0, 1, "spy", 1)]
    (lifted,) = of_kind(tuple(others), ev.LiftedOff)
    assert [(hop.unit, hop.count) for hop in lifted.hops] == [("army", 1)]
    (arrived,) = of_kind(tuple(others), ev.Arrived)
    assert arrived.units == (1, 0, 0, 0)
    assert of_kind(tuple(others), ev.Spawned) == of_kind(tuple(own), ev.Spawned)
    assert heard(game, REFEREE, events, before) == list(events)


@pytest.mark.rule("GD-SECRET-4")
def test_lone_spy_is_hidden_but_its_claim_is_not() -> None:
    game = begin(FORD.replace("id = 3, mines = 5, laid = [[0, 2], [1, 1]]", "id = 3"))
    say(game, 0, "move path=2>3 count=1 unit=spy", "seal")
    before = game.state
    others = heard(game, 1, seal(game, 1), before)
    kinds = {type(event) for event in others}
    assert not kinds & {ev.StepStarted, ev.LiftedOff, ev.Arrived}
    assert of_kind(tuple(others), ev.Claimed) == [ev.Claimed(0, 3)]
    assert game.view(1).territories[3].owner == 0
    assert not [deed for deed in game.view(1).deeds if deed.kind == "move"]


@pytest.mark.rule("GD-SECRET-4")
def test_deaths_of_spies_are_visible_to_their_owner() -> None:
    game = begin(FORD.replace("army = 4, spy = 1,", "army = 4, spy = 2, wasteland = true,"))
    say(game, 1, "dynamite source=4 target=3", "seal")
    before = game.state
    events = seal(game, 0)
    assert of_kind(events, ev.WastelandLoss) == [ev.WastelandLoss(1, "spy", 1)]
    assert of_kind(tuple(heard(game, 1, events, before)), ev.WastelandLoss) == []
    assert len(of_kind(tuple(heard(game, 0, events, before)), ev.WastelandLoss)) == 1


@pytest.mark.rule("GD-SECRET-4", "GD-DYNAMITE-1")
def test_dynamite_on_a_spy_looks_like_dynamite_on_empty_land() -> None:
    game = begin(
        FORD.replace("id = 3, mines = 5, laid = [[0, 2], [1, 1]]", "id = 3, owner = 0, spy = 1")
    )
    say(game, 1, "dynamite source=4 target=3", "seal")
    before = game.state
    events = seal(game, 0)
    assert of_kind(events, ev.DynamiteUsed)[0].unit == "spy"
    assert of_kind(tuple(heard(game, 1, events, before)), ev.DynamiteUsed)[0].unit is None
    assert len(of_kind(tuple(heard(game, 1, events, before)), ev.Neutralised)) == 1


@pytest.mark.rule("GD-CHECK-1", "GD-MINE-5")
def test_draft_ignores_hidden_mines() -> None:
    game = begin(
        FORD.replace(
            "id = 3, mines = 5, laid = [[0, 2], [1, 1]]", "id = 3, mines = 9, laid = [[0, 9]]"
        )
    )
    say(game, 1, "spawn at=3 count=2", "move path=3>2 count=2")
    seal(game, 0)
    events = seal(game, 1)
    assert of_kind(events, ev.MinesExploded)[0].spawned_lost == 2
    assert [e.codes for e in of_kind(events, ev.OrderRefused)] == [("origin_not_owned",)]


SECRETS = st.fixed_dictionaries(
    {
        "ip": st.integers(0, 200),
        "crop": st.integers(0, 3),
        "dynamite": st.integers(0, 3),
        "spies": st.integers(0, 4),
        "mines": st.integers(0, 4),
        "list": st.lists(
            st.sampled_from(
                [
                    "move path=1>2 count=1",
                    "move path=2>3 count=1 unit=spy",
                    "buy item=crop",
                    "mine at=2 count=1",
                    "spawn at=2 count=1",
                    "crop lots=1,2",
                    "hq at=9",
                ]
            ),
            max_size=5,
        ),
    }
)


def with_secrets(state: State, secrets: dict[str, object]) -> State:
    """Return the state with other secrets of seat 0."""
    base = begin(FORD)
    lines = ">".join(f'"{line}"' for line in secrets["list"])  # type: ignore[attr-defined]
    say(base, 0, f"list lines={lines or '-'}")
    player = replace(
        base.state.players[0],
        ip=secrets["ip"],
        crop=secrets["crop"],
        dynamite=secrets["dynamite"],
        last=(),
    )
    mines = secrets["mines"]
    here = state.territories[2]
    laid = ((0, mines),) if mines else ()
    hidden = replace(here, spy=secrets["spies"], mines=mines, laid=laid)
    return replace(
        state,
        players=state.players.put(player),
        territories=Roster(state.territories.put(hidden).values()),
    )


@pytest.mark.rule("GD-SECRET-1", "GD-SECRET-2", "GD-SECRET-4")
@given(one=SECRETS, other=SECRETS)
def test_view_of_others_does_not_depend_on_secrets(
    one: dict[str, object], other: dict[str, object]
) -> None:
    state = begin(FORD).state
    twins = with_secrets(state, one), with_secrets(state, other)
    for viewer in (1, PUBLIC):
        views: list[View] = [RULES.view(twin, viewer) for twin in twins]
        assert encode(views[0]) == encode(views[1])
        assert list(RULES.offers(views[0])) == list(RULES.offers(views[1]))
    sealed = [RULES.redact(ev.ListSealed(0), twin, twin, 1) for twin in twins]
    assert sealed[0] == sealed[1]


def test_refusal_does_not_reveal_hidden_units() -> None:
    texts = set()
    for spies in (0, 1, 5):
        game = begin(FORD.replace("army = 2, spy = 1", f"army = 2, spy = {spies}"))
        texts.add(refused(game, 1, "move path=2>3 count=1").text)
    assert len(texts) == 1
