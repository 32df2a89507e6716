"""Plans: notation of bots, meetings, and one clear line for each mistake."""

from __future__ import annotations

import doctest
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import study.lab.plans
from engine.core.record import replace
from study.lab.bot_code import allow, bot_hash, check_bots, python_bot
from study.lab.bots import BotSpec, read_bot
from study.lab.endings import Endings
from study.lab.plans import (
    GameLimits,
    LabPlan,
    MeetingForm,
    meetings,
    plan_from,
    plan_of,
    read_plan,
    schedule,
    setup_of,
    write_plan,
)
from tests.lab.runs import plan, setup
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Wrong
from tui.play.scenarios import find_rules

RULES = find_rules("weltendaemmerung")


def test_examples() -> None:
    assert doctest.testmod(study.lab.plans).failed == 0


@pytest.mark.parametrize(
    ("text", "bot"),
    [
        ("normal", BotSpec("normal", "level", "normal")),
        ("bot:normal", BotSpec("normal", "level", "normal")),
        ("mine=normal", BotSpec("mine", "level", "normal")),
        ("py:a/bold.py:Bold", BotSpec("Bold", "python", "a/bold.py:Bold")),
        ("py:bots.bold:Bold?x=1", BotSpec("Bold", "python", "bots.bold:Bold", {"x": 1})),
        ("cmd:./my bot.sh --depth=3", BotSpec("my", "command", "./my bot.sh --depth=3")),
        (
            "deep=cmd:./bot {depth} {who}?depth=-0.5&who=me",
            BotSpec("deep", "command", "./bot {depth} {who}", {"depth": -0.5, "who": "me"}),
        ),
    ],
)
def test_bots_are_read_and_written(text: str, bot: BotSpec) -> None:
    assert read_bot(text) == bot
    assert read_bot(str(bot)) == bot


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["cmd:"], "'cmd:' names no bot; write a level, py:FILE.py:CLASS or cmd:COMMAND"),
        (["py:a.py"], "'py:a.py': a Python bot is written py:FILE.py:CLASS or py:MODULE:CLASS"),
        (["easy?x"], "'easy?x': a parameter is written NAME=VALUE, not 'x'"),
        (["easy?x=1"], "easy?x=1: a level has no parameters"),
        (["hardest"], "there is no level 'hardest'; known: easy, normal, hard"),
        (["easy", "easy"], "two bots are called 'easy'; write NAME=… before one of them"),
        (["cmd:no-such-program -x"], "there is no program 'no-such-program'"),
        (["cmd:sh 'x"], "No closing quotation"),
        (["cmd:sh?x=1"], "the command has no {x}"),
        (["py:no.py:A"], "there is no file no.py"),
        (["cmd:sh \udcff"], "a bot is written in UTF-8"),
        (["py:tests.lab.runs:Nobody"], "there is no class 'Nobody' in tests.lab.runs"),
        (["py:tests.lab.runs:Watcher?x=1"], "unexpected keyword argument 'x'"),
        (["py:tests.lab.runs:Watcher"], "it has no method plan(view, offers, dice)"),
    ],
)
def test_unusable_bot_is_refused_in_one_line(texts: list[str], reason: str) -> None:
    with pytest.raises(Wrong) as wrong:
        _checked(texts)
    assert reason in str(wrong.value)
    assert "\n" not in str(wrong.value)


def _checked(texts: list[str]) -> None:
    bots = [read_bot(text) for text in texts]
    allow(bots)
    check_bots(RULES, bots)


def test_bot_hash_depends_on_code_and_parameters(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("class Bot:\n    def __init__(self, x=0): self.x = x\n    plan = print\n")
    bots = [read_bot(f"py:{file}:Bot{words}") for words in ("", "?x=1", "?x=2")]
    allow(bots)
    hashes = [bot_hash(RULES, bot) for bot in bots]
    assert len(set(hashes)) == 3
    assert python_bot(bots[2]).x == 2
    script = tmp_path / "script.py"
    script.write_text("pass\n")
    program = read_bot(f"cmd:{sys.executable} {script}")
    before = bot_hash(RULES, program)
    script.write_text("raise SystemExit(1)\n")
    assert bot_hash(RULES, program) != before
    assert bot_hash(RULES, read_bot("other=easy")) == bot_hash(RULES, read_bot("easy"))


@pytest.mark.parametrize(
    ("form", "bots", "seats"),
    list(product(("round-robin", "gauntlet"), range(1, 6), range(2, 5))),
)
def test_each_bot_of_a_meeting_has_each_seat_equally_often(
    form: MeetingForm, bots: int, seats: int
) -> None:
    for meeting in meetings(form, bots, seats):
        assert len(set(meeting)) == len(meeting)
        for bot in {bot for way in meeting for bot in way}:
            assert len({sum(way[seat] == bot for way in meeting) for seat in range(seats)}) == 1


def test_round_robin_pairs_every_two_bots_once() -> None:
    met = Counter(frozenset(meeting[0]) for meeting in meetings("round-robin", 5, 2))
    assert len(met) == 10
    assert set(met.values()) == {1}


def test_pairs_of_all_meetings_alternate_and_share_seeds() -> None:
    games = list(
        schedule(plan(pairs=2), setup("easy", "normal", "hard"), meetings("round-robin", 3, 2))
    )
    assert [game.seed for game in games] == [1] * 6 + [2] * 6
    assert [game.pair for game in games] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ruleset = 'gd6'\n", "missing required field `bots`"),
        ("ruleset = 'gd6'\nbots = ['easy']\npair = 3\n", "there is no field 'pair' in a plan"),
        ("ruleset = 'gd6'\nbots = ['easy']\npairs = 0\n", "$.pairs"),
        ("ruleset = 'gd6'\nbots = ['easy']\nformat = 'cup'\n", "$.format"),
        ("ruleset = 'gd6'\nbots = ['easy']\n[limits]\nmemory = 1\n", "$.limits.memory"),
        ("ruleset = 'gd6'\nbots = ['easy']\nvary = {rounds = []}\n", "$.vary"),
        ("ruleset = 'gd6'\nbots = ['easy']\n[test]\nalpha = 7.0\n", "$.test.alpha"),
        ("ruleset = 'gd6'\nbots = ['easy']\n[test]\nelo = 7.0\n", "no field 'test.elo'"),
        ("ruleset = ", "Invalid value"),
    ],
)
def test_mistake_in_a_plan_is_named(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(Wrong) as wrong:
        read_plan(path)
    assert str(wrong.value).startswith(f"{path}: ")
    assert reason in str(wrong.value)


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (LabPlan("chess", ("easy",)), "there is no ruleset 'chess'"),
        (plan(scenarios=("nowhere",)), "nowhere: no scenario of weltendaemmerung"),
        (plan(options={"rounds": "many"}), "ford: "),
        (plan(seats=3), "is for 2 players, not for 3"),
        (plan(book="no.jsonl", scenarios=()), "no.jsonl: "),
        (plan(scenarios=("ford", "ford")), "the start 'ford' is there twice"),
        (plan(vary={"rounds": (4, 5, 4)}), "the start 'ford rounds=4' is there twice"),
    ],
)
def test_unplayable_plan_is_refused_with_the_reason(made: LabPlan, reason: str) -> None:
    with pytest.raises(Wrong, match=reason):
        setup_of(made)


@pytest.mark.parametrize(
    ("text", "name"),
    [("raise SystemExit(3)", "A"), ("class A:\n    def __init__(self): raise SystemExit(3)", "A")],
)
def test_exit_in_a_bot_file_does_not_end_the_program(tmp_path: Path, text: str, name: str) -> None:
    path = tmp_path / "leaves.py"
    path.write_text(text)
    bots = [read_bot(f"py:{path}:{name}")]
    allow(bots)
    with pytest.raises(Wrong, match="SystemExit: 3"):
        check_bots(RULES, bots)


@pytest.mark.parametrize("name", ["seats", "pairs", "rounds", "seed", "longest"])
def test_numbers_too_large_for_a_run_are_refused(name: str) -> None:
    with pytest.raises(Wrong, match=name):
        plan_of({"ruleset": "gd6", "bots": ["easy"], name: 10**20})


def test_varied_options_become_separate_starts() -> None:
    made = plan_of(
        {
            "ruleset": "weltendaemmerung",
            "bots": ["easy"],
            "scenarios": ["ford"],
            "vary": {"rounds": [3, 4]},
        }
    )
    starts = setup_of(made).starts
    assert [(start.name, dict(start.options)) for start in starts] == [
        ("ford rounds=3", {"rounds": 3}),
        ("ford rounds=4", {"rounds": 4}),
    ]


def given(words: str) -> LabPlan:
    """Return the plan of the words after ``lab run``."""
    spec = find_command(lab_verbs(), "run")
    assert spec is not None
    return plan_from(spec.parser("run", CommandParser).parse_args(words.split()))


def test_arguments_override_the_fields_of_a_plan_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    limits = GameLimits(answer=3.0, memory=512)
    in_file = plan(pairs=7, seed=5, limits=limits, options={"rounds": 4})
    write_plan(in_file, path)
    assert given(str(path)) == in_file
    words = "--pairs 2 --bot hard --answer 1 --option steps=eight --max-rounds 3"
    assert given(f"{path} {words}") == replace(
        in_file,
        bots=("easy", "normal", "hard"),
        pairs=2,
        limits=replace(limits, answer=1.0),
        options={"rounds": 4, "steps": "eight"},
        endings=Endings(max_rounds=3),
    )
    assert given(f"{path} --bots hard").bots == ("hard",)
    assert given("gd6").bots == tuple(find_rules("gd6").bots)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("gd6 --bots ,", "--bots ',' names no bot"),
        ("gd6 --answer 0", "limits.answer"),
        ("gd6 --answer inf", "limits.answer"),
        ("gd6 --memory 99999999999999", "limits.memory"),
        ("gd6 --max-rounds 99999999999999", "endings.max_rounds"),
    ],
)
def test_arguments_that_make_no_plan_are_refused(words: str, reason: str) -> None:
    with pytest.raises(Wrong, match=reason):
        given(words)
