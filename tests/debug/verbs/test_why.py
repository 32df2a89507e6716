"""``why``: causes of values and refusals as lines of text and of JSON."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path

import pytest

from engine.core.notation import write
from engine.core.record import replace, tag
from engine.debug.paths import write as path_text
from engine.debug.refusals import Trial
from saves.archive import Folder
from study.debug.debugger import Answer, Debugger
from study.debug.verbs import answers, split
from study.debug.why import ranges
from tests.debug.recorded import saved
from tests.debug.test_causes import changed_paths
from tui.console.exits import Wrong


@pytest.fixture(scope="session")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A save of a game with attacks and marches."""
    return saved(tmp_path_factory.mktemp("why"), "weltendaemmerung", b"why", 400)


@pytest.fixture
def bench(path: Path) -> Debugger:
    """A debugger at the end of that save."""
    return Debugger(Folder().read(str(path)))


def asked(bench: Debugger, line: str) -> list[Answer]:
    """Return the answers to a line."""
    return list(answers(bench, split(line)))


def texts(bench: Debugger, line: str) -> list[str]:
    """Return the answers to a line as text."""
    return [answer.text for answer in asked(bench, line)]


@cache
def _hit(bench: Debugger) -> tuple[int, int, int]:
    """Return step, victim and remaining life of the last hit that was survived."""
    for step in range(len(bench.line), 0, -1):
        event = bench.line.step(step).event
        if type(event).__name__ == "AttackMade" and event.v_left > 0:
            return step, event.victim, event.v_left
    raise AssertionError


def test_cause_of_a_life_has_event_rules_source_throw_and_premises(bench: Debugger) -> None:
    step, victim, left = _hit(bench)
    found = texts(bench, f"why 'units[{victim}].v' at {bench.place(step)}")
    assert found[0].startswith(f"units[{victim}].v is {left} since {bench.place(step)}; before: ")
    assert found[1].strip() == bench.heading(step)
    assert found[2] == "  from the event's field v_left"
    assert found[3].startswith("  rule WD-ATT-3: The attacker's strength and a modifier")
    assert any(text.startswith("  emitted at engine/rulesets/weltendaemmerung/") for text in found)
    (throw,) = [text for text in found if "decides" in text]
    sides, face = bench.line.step(step).entry.throws[0]
    assert throw.startswith(f"  throw 1 of 1, d{sides}={face[0]} decides: ")
    assert "the same" in throw
    assert any(text.startswith(f"  [1] units[{victim}].v (") for text in found)


def test_why_number_continues_from_that_premise(bench: Debugger) -> None:
    step, victim, _ = _hit(bench)
    found = texts(bench, f"why 'units[{victim}].v' at {bench.place(step)}")
    numbered = [text for text in found if text.startswith("  [")]
    second = numbered[1].split("] ")[1].split(" (")[0]
    further = texts(bench, "why 2")
    assert further[0].startswith(f"{second} is ")
    with pytest.raises(Wrong, match="no cause is numbered 99"):
        asked(bench, "why 99")


def test_why_does_not_move_the_debugger(bench: Debugger) -> None:
    bench.at = 40
    asked(bench, "why player")
    asked(bench, "why not end-phase")
    assert bench.at == 40


def test_entry_without_dice_says_so(bench: Debugger) -> None:
    step = next(
        step
        for step in range(1, len(bench.line))
        if type(bench.line.step(step).event).__name__ == "UnitStepped"
    )
    unit = bench.line.step(step).event.unit
    found = texts(bench, f"why 'units[{unit}].b' at {bench.place(step)}")
    assert "  no dice are thrown in this entry" in found


def test_value_that_never_changed_says_so(bench: Debugger) -> None:
    assert texts(bench, "why attacks at start") == ["attacks is 0, and was never changed"]


def test_value_set_at_setup_has_deciding_throws() -> None:
    bench = Debugger(Folder().read(str(path_of("kaladan"))))
    states = bench.line.state(1), bench.line.state(bench.line.starts[1])
    asked_for = next(path for path in changed_paths(*states) if path[-1] == "hand")
    found = texts(bench, f"why '{path_text(asked_for)}' at 0")
    assert any(" decides: " in text for text in found)


@cache
def path_of(ruleset: str) -> Path:
    """Save a game of a ruleset in its own folder and return the path."""
    return saved(Path(tempfile.mkdtemp()), ruleset, b"why", 60)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("why 'units[999].v'", "no .*999"),
        ("why nonsense", "the state has no nonsense"),
        ("why 'units[1].v' 'units[2].v'", "why takes one path, not 2"),
        ("why 'units[1].v' at nowhere", "is no place"),
        ("why not", "followed by a command"),
        ("why not 'frobnicate'", "is no command here"),
        ("why 1", "no cause is numbered 1; ask for a value first"),
    ],
)
def test_impossible_question_is_refused_in_one_line(bench: Debugger, line: str, text: str) -> None:
    with pytest.raises(Wrong, match=text) as problem:
        asked(bench, line)
    assert "\n" not in str(problem.value)


def test_refusal_has_code_rule_and_the_single_remedy(
    bench: Debugger,
) -> None:
    step = next(
        step
        for step in range(1, len(bench.line))
        if type(bench.line.step(step).event).__name__ == "AttackMade"
    )
    command = bench.line.step(step).entry.command
    assert command is not None
    after = bench.line.starts[bench.line.index_at(step) + 1]
    found = asked(bench, f"why not '{write(command)}' at {bench.place(after)}")
    assert found[0].data["code"] == "ATTACK_SPENT"
    assert found[1].text.startswith("  rule WD-ATT-1: In the attack phase each unit")
    assert found[2].text.startswith("  refused at engine/rulesets/weltendaemmerung/")
    wanted = f"units[{command.unit}].b 0 -> 1 would allow it"
    assert [one.text for one in found if "would allow" in one.text] == [f"  [1] {wanted}"]


def test_allowed_command_says_so(bench: Debugger) -> None:
    index = next(
        index for index, entry in enumerate(bench.line.entries) if entry.command is not None
    )
    entry = bench.line.entries[index]
    assert entry.command is not None
    place = bench.place(bench.line.starts[index])
    (only,) = texts(bench, f"why not '{write(entry.command)}' at {place}")
    assert only.endswith("may do that")


def test_remedy_restores_a_single_changed_field(bench: Debugger) -> None:
    """A legal command is made illegal by one number; the remedy restores it."""
    tried = 0
    for index, entry in enumerate(bench.line.entries):
        if entry.command is None or tag(entry.command) != "attack":
            continue
        state = bench.line.state(bench.line.starts[index])
        unit = state.units[entry.command.unit]
        spoiled = replace(state, units=state.units.put(replace(unit, b=0)))
        trial = Trial(bench.rules, spoiled, entry.seat, entry.command)
        refusal = trial.refusal()
        assert refusal is not None
        found = {one.path: one.other for one in trial.remedies()}
        assert found["units", unit.id, "b"] == 1
        tried += 1
    assert tried > 5


def test_json_has_the_throws_and_outcomes(bench: Debugger) -> None:
    step, victim, left = _hit(bench)
    rows = [
        json.loads(answer.json())
        for answer in asked(bench, f"why 'units[{victim}].v' at {bench.place(step)}")
    ]
    assert rows[0]["value"] == left
    throws = [row for row in rows if "outcomes" in row and "throw" in row]
    assert len(throws) == 1
    assert len(throws[0]["outcomes"]) == throws[0]["sides"] - 1
    assert any(row.get("rule") == "WD-ATT-3" and row["text"] for row in rows)
    assert all("place" in row for row in rows)


@pytest.mark.parametrize("ruleset", ["gd6", "kaladan", "lordsawar", "warlords2"])
def test_every_ruleset_explains_changed_values(ruleset: str) -> None:
    bench = Debugger(Folder().read(str(path_of(ruleset))))
    asked_for = 0
    for step in range(len(bench.line), bench.line.starts[1], -(len(bench.line) // 4)):
        states = bench.line.state(step - 1), bench.line.state(step)
        for path in list(changed_paths(*states))[:1]:
            found = texts(bench, f"why '{path_text(path)}' at {bench.place(step)}")
            assert bench.place(step) in found[0]
            assert any(text.startswith("  rule ") for text in found)
            asked_for += 1
    assert asked_for > 1


def test_seat_is_not_shown_causes(path: Path) -> None:
    del path
    bench = Debugger(Folder().read(str(path_of("kaladan"))), 0)
    with pytest.raises(Wrong, match="tells what is hidden"):
        asked(bench, "why phase")


def test_examples_of_the_documentation_are_true() -> None:
    home = Path(__file__).parents[3]
    bench = Debugger(Folder().read(str(home / "saves/samples/format-1.bnr")))
    page = (home / "docs/debugging.md").read_text(encoding="utf-8")
    for line in ("why 'units[6].v'", "why not 'attack unit=8 at=10,4' at 29"):
        example = page.split(f"format-1.bnr {line}\n")[1].split("```")[0].rstrip("\n").splitlines()
        told = texts(bench, line)
        for row in example:
            if row.strip() != "..." and not row.endswith(", ..."):
                assert row in told


def test_faces_are_grouped_in_runs() -> None:
    assert ranges([8, 4, 5, 1]) == "1, 4-5, 8"
