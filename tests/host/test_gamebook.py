"""The book of games: seats, and the last place of each person."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host.server.store import Store
from tests.host.stores import enrol


def test_games_and_their_seats_are_stored(store: Store) -> None:
    ann, bob = enrol(store, "Ann"), enrol(store, "Bob")
    number = store.add_game("ford", ann.number, b'{"clock":1}')
    other = store.add_game("bridge", bob.number, b"{}")
    store.seat(number, 0, ann.number)
    store.seat(number, 1, bob.number)
    store.seat(other, 1, ann.number)
    assert store.seats(number) == {0: ann.number, 1: bob.number}
    store.seat(number, 0, bob.number)
    store.seat(number, 1, None)
    assert store.seats(number) == {0: bob.number}
    assert store.all_seats() == {number: {0: bob.number}, other: {1: ann.number}}
    store.finish_game(number)
    store.set_terms(other, b"[]")
    assert [(row.save, row.owner, row.terms, row.is_finished) for row in store.games()] == [
        ("ford", ann.number, b'{"clock":1}', True),
        ("bridge", bob.number, b"[]", False),
    ]


def test_number_of_a_removed_game_is_not_reused(store: Store) -> None:
    ann = enrol(store, "Ann")
    number = store.add_game("ford", ann.number, b"{}")
    store.seat(number, 0, ann.number)
    store.keep_place(ann.number, number, 0, 3, 4)
    store.remove_game(number)
    assert store.add_game("ford", ann.number, b"{}") == number + 1
    assert store.seats(number) == {}
    assert store.place_of(ann.number) is None


def test_changes_to_an_unknown_game_are_refused(store: Store) -> None:
    ann = enrol(store, "Ann")
    number = store.add_game("ford", ann.number, b"{}")
    with pytest.raises(ValueError, match="ford"):
        store.add_game("ford", ann.number, b"{}")
    changes: list[Callable[[], object]] = [
        lambda: store.finish_game(7),
        lambda: store.remove_game(7),
        lambda: store.set_terms(7, b""),
        lambda: store.seat(7, 0, ann.number),
        lambda: store.seat(number, 0, 7),
    ]
    for change in changes:
        with pytest.raises(LookupError):
            change()


def test_seat_is_kept_when_given_to_an_unknown_person(store: Store) -> None:
    ann = enrol(store, "Ann")
    number = store.add_game("ford", ann.number, b"{}")
    store.seat(number, 0, ann.number)
    with pytest.raises(LookupError):
        store.seat(number, 0, 7)
    assert store.seats(number) == {0: ann.number}


def test_last_place_of_a_person_is_remembered(store: Store) -> None:
    ann = enrol(store, "Ann")
    first, second = (store.add_game(save, ann.number, b"{}") for save in ("ford", "bridge"))
    store.keep_place(ann.number, first, 0, 1, 2)
    store.keep_place(ann.number, second, -2, 3, 4)
    store.keep_place(ann.number, 99, 0, 0, 0)
    last = store.place_of(ann.number)
    assert last is not None
    assert (last.game, last.seat, last.x, last.y) == (second, -2, 3, 4)
    store.keep_place(ann.number, first, 0, 5, 6)
    last, before = store.place_of(ann.number), store.place_of(ann.number, second)
    assert last is not None
    assert before is not None
    assert (last.game, last.x) == (first, 5)
    assert (before.game, before.x) == (second, 3)
    assert store.place_of(7) is None
