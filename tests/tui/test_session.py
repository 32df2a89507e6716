"""Seat clients without a screen: jumps, refusals and the dialogue driver."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core.archive import Header, SeatPlayer
from engine.core.registry import find
from engine.tabletop.ask import AnyAsk, AskConfirm, AskText
from tui.linemode.line_seat import LineSeat
from tui.play.seat_client import AskDriver, SeatClient
from tui.play.session import Session
from tui.play.table import Table


def table(name: str = "weltendaemmerung", scenario: str = "ford") -> Table:
    rules = find(name)
    players = (SeatPlayer(0, "Anna"), SeatPlayer(1, "Bert"))
    header = Header(name, rules.schema, b"1", players)
    return Table.begin(rules, rules.scenarios()[scenario], {}, header)


def test_backward_jumps_retrace_the_forward_ones() -> None:
    session = Session(table())
    gone = []
    for _ in range(3):
        assert session.jump("idle", 1)
        gone.append(session.at)
    assert len(set(gone)) == 3
    assert session.jump("idle", -1)
    assert session.at == gone[1]
    assert session.jump("idle", -1)
    assert session.at == gone[0]
    assert session.jump("idle", 1)
    assert session.at == gone[1]


def test_jump_without_targets_does_nothing() -> None:
    session = Session(table())
    before = session.focus
    assert not session.jump("nothing of the kind", 1)
    assert session.focus == before


async def test_refusal_is_noted_until_a_command_is_accepted() -> None:
    session = Session(table())
    assert not (await session.submit("undo")).ok
    assert session.refused is not None
    assert session.note.startswith(session.refused.text)
    assert (await session.submit("end-phase")).ok
    assert not session.is_refused
    assert not session.note


def test_screen_and_line_mode_have_the_same_cursor_and_intents() -> None:
    at = table()
    clients: tuple[SeatClient, ...] = (Session(at, 0), LineSeat(at, 0))
    assert len({client.focus for client in clients}) == 1
    assert len({client.intents() for client in clients}) == 1
    for client in clients:
        client.point(10**6, -5)
        assert client.at == (client.board.width - 1, 0)


def test_dialogue_ends_with_a_line_of_notation() -> None:
    asking = AskDriver(Session(table()), "end-phase")
    questions = [asking.question]
    assert (asking.line, asking.fault, asking.is_repeated) == ("", "", False)
    asking.answer("yes")
    questions.append(asking.question)
    assert [type(question) for question in questions] == [AskConfirm, type(None)]
    assert asking.line == "end-phase"


def test_unknown_intent_is_a_fault() -> None:
    asking = AskDriver(Session(table()), "dance")
    assert asking.question is None
    assert asking.line == ""
    assert asking.fault


class Stubborn(Session):
    """A session that asks for a number and accepts only 3."""

    def ask(self, intent: str, answers: Sequence[str]) -> AnyAsk | str:
        return "done" if list(answers) == ["3"] else AskText(intent, longest=9)


def test_rejected_answer_repeats_its_question() -> None:
    asking = AskDriver(Stubborn(table()), "how many")
    question = asking.question
    asking.answer("2")
    assert asking.question == question
    assert asking.is_repeated
    asking.answer("3")
    assert asking.line == "done"
