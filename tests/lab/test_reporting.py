"""Reports: the same rows give the same bytes, and everything in a report follows from the rows."""

from __future__ import annotations

import json
import shutil
from argparse import Namespace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.core.record import replace
from study.lab.endings import EarlyEnd
from study.lab.games import GameFault
from study.lab.markup import ReportSection, markdown, text_lines, web_page
from study.lab.pages import PROSE, page_of, stale_results
from study.lab.plans import write_plan
from study.lab.proofs import RunProof, check_of, packed, prove, read_proof, setup_in, tables_of
from study.lab.reporting import report_text, report_verb, short_report
from study.lab.store import RESULTS, RunFolder
from study.lab.tallies import run_tables, share_limits
from tests.lab.runs import PORTS, plan, run
from tui.console.commands import CommandParser, find_command, lab_verbs
from tui.console.exits import Exit, Wrong

HOME = Path(__file__).parents[2]
PAGE = HOME / "docs" / "computer-players.md"
RESULTS_OF_PAGE = HOME / "docs" / "lab"


def report(*words: str) -> Exit:
    spec = find_command(lab_verbs(), "report")
    assert spec is not None
    args: Namespace = spec.parser("banneret lab report", CommandParser).parse_args(list(words))
    return report_verb(args, PORTS)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three bots."""
    path = tmp_path_factory.mktemp("reports") / "run"
    run(path, plan("easy", "normal", "calm=easy", pairs=2))
    return path


@pytest.fixture(scope="module")
def proof(played: Path) -> RunProof:
    """The proof of that run."""
    return prove(RunFolder.read(played))


# -- a run -------------------------------------------------------------------------------------


def test_report_does_not_depend_on_the_order_of_rows(
    played: Path, proof: RunProof, tmp_path: Path
) -> None:
    other = tmp_path / "elsewhere"
    shutil.copytree(played, other)
    lines = (other / RESULTS).read_bytes().splitlines(keepends=True)
    (other / RESULTS).write_bytes(b"".join(reversed(lines)))
    (other / "times.jsonl").unlink()
    again = prove(RunFolder.read(other))
    for kind in (".md", ".html", ".json"):
        assert report_text(again, kind) == report_text(proof, kind)


def test_times_are_written_only_on_request(played: Path, tmp_path: Path) -> None:
    for words, told in (([], False), (["--times"], True)):
        assert report(str(played), "-o", str(tmp_path / "x.md"), *words) == Exit.OK
        text = (tmp_path / "x.md").read_text(encoding="utf-8")
        assert ("no part of the proof" in text) is told
        assert ("longest ms" in text) is told


def test_report_holds_every_game_with_key_and_digest(played: Path, proof: RunProof) -> None:
    found = json.loads(report_text(proof, ".json"))
    rows = RunFolder.read(played).rows
    games = found["games"]
    assert len(games) == found["planned"] == 12
    assert {(game["key"], game["digest"]) for game in games} == {
        (row.key, row.digest) for row in rows.values()
    }
    assert found["tables"]["bots"][1]["bot"] == "normal"
    assert found["digest"] in report_text(proof, ".md").decode()


def test_written_report_gives_the_same_report(proof: RunProof, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(report_text(proof, ".json"))
    again = read_proof(tmp_path / "x.json")
    for kind in (".md", ".html", ".json"):
        assert report_text(again, kind) == report_text(proof, kind)


def test_brief_report_has_the_same_tables(played: Path, proof: RunProof, tmp_path: Path) -> None:
    brief = report_text(prove(RunFolder.read(played), brief=True), ".json")
    assert len(brief) < len(report_text(proof, ".json")) / 2
    (tmp_path / "x.json").write_bytes(brief)
    assert tables_of(read_proof(tmp_path / "x.json")) == proof.tables


def test_short_report_has_the_rows_of_the_report(played: Path, proof: RunProof) -> None:
    short = short_report(RunFolder.read(played))
    assert proof.tables is not None
    assert short.bots == proof.tables.bots
    assert short.lines()[0] == "run: 12 of 12 games"


def test_faults_and_early_ends_are_listed_with_their_places(proof: RunProof) -> None:
    setup = setup_in(proof)
    games = [(game.task, game.row(setup)) for game in proof.games]
    task, row = games[0]
    fault = GameFault(1, "crash", "signal 11 | <b>", "41")
    games[0] = task, replace(row, fault=fault, refused=(0, 3))
    early = EarlyEnd("max_rounds", (1 - games[1][1].winners[0],), "9", is_audited=True)
    games[1] = games[1][0], replace(games[1][1], early=early)
    tables = run_tables(proof.plan, setup, games)
    (found,) = tables.faults
    assert (found.game, found.bot, found.kind, found.place) == (1, row.bots[1], "crash", "41")
    assert found.log == f"logs/{row.key}-1.txt"
    (seating,) = (one for one in tables.seatings if one.bots == row.bots)
    assert seating.games == 2
    assert seating.won[0] >= 1, "whose opponent broke off has won"
    (blamed,) = (bot for bot in tables.bots if bot.faults)
    assert (blamed.bot, blamed.refused, blamed.refused_games) == (row.bots[1], 3, 1)
    assert tables.audit == ("adjudicated 1, audited 1, wrong 1 (2.5-100 %)",)


def test_seatings_are_counted_separately(proof: RunProof) -> None:
    tables, setup = proof.tables, setup_in(proof)
    assert tables is not None
    seatings = {one.bots: one for one in tables.seatings}
    assert set(seatings) == {
        (a, b) for a in ("easy", "normal", "calm") for b in ("easy", "normal", "calm") if a != b
    }
    rows = [game.row(setup) for game in proof.games]
    for bots, one in seatings.items():
        own = [row for row in rows if row.bots == bots]
        assert one.games == len(own) == 2
        assert one.won == tuple(sum(row.winners == (seat,) for row in own) for seat in (0, 1))
        assert sum(one.reasons.values()) == 2
    (start,) = tables.starts
    assert start.seats == ("Eldoin", "Dailor")


@pytest.mark.parametrize(
    ("shares", "low", "high"),
    [
        ([1.0] * 10, 0.6915, 1.0),
        ([0.5] * 10, 0.3458, 0.6542),
        ([1.0, 0.0], 0.0, 1.0),
        ([1.0, 0.5] * 8, 0.6124, 0.8876),
    ],
)
def test_limits_of_a_share_come_from_whole_pairs(
    shares: list[float], low: float, high: float
) -> None:
    found = share_limits(shares)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["-o", "x.txt"], "x.txt: a report is written to a file that ends in .md, .html, .json"),
        (["-o", "/nowhere/x.md"], "/nowhere/x.md: No such file"),
        (["--check"], "--check: .* is no folder with a prose.md"),
    ],
)
def test_report_that_cannot_be_written_is_refused(
    played: Path, words: list[str], text: str
) -> None:
    with pytest.raises(Wrong, match=text):
        report(str(played), *words)


# -- marks -------------------------------------------------------------------------------------


class Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)


def test_foreign_text_is_escaped() -> None:
    text = "<script>|`*_[x](y)\x1b[31m\n# no title"
    section = ReportSection(text, (text,), ("a", "b"), ((text, text),))
    tags = Texts()
    tags.feed(web_page(text, [section]))
    assert "script" not in tags.tags
    marked = markdown([section])
    assert "\x1b" not in marked
    assert "<" not in marked.replace("\\<", "")
    assert all(line.count("|") - line.count("\\|") == 3 for line in marked.splitlines()[-3:])
    assert len(text_lines([section])) == 4


# -- a page of several runs --------------------------------------------------------------------


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> RunProof:
    """Brief proof of a run with one pair."""
    path = tmp_path_factory.mktemp("brief") / "run"
    run(path, plan(pairs=1))
    return prove(RunFolder.read(path), brief=True)


@pytest.fixture
def folder(brief: RunProof, tmp_path: Path) -> Path:
    """A folder with one plan, its result and a text."""
    home = tmp_path / "docs" / "lab"
    home.mkdir(parents=True)
    write_plan(plan(pairs=1), home / "ford.toml")
    (home / "ford.json").write_bytes(report_text(brief, ".json"))
    (home / PROSE).write_text(
        "# Bots\n\n<!-- lab ford -->\n\n<!-- lab renew -->\n", encoding="utf-8"
    )
    return home


def test_page_is_its_text_with_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = folder.parent / "page.md"
    assert report(str(folder), "-o", str(page)) == Exit.OK
    text = page.read_text(encoding="utf-8")
    assert "edit docs/lab/prose.md" in text.splitlines()[0]
    assert "\n# Bots\n" in text
    assert "| easy, normal | easy | 1 | 2 |" in text
    assert "banneret lab run docs/lab/ford.toml" in text
    assert report(str(folder), "-o", str(page), "--check") == Exit.OK
    page.write_text(text.replace("| 1 |", "| 9 |", 1), encoding="utf-8")
    assert report(str(folder), "-o", str(page), "--check") == Exit.REFUSED
    assert f"{page} is stale" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("plan", "it is of another plan"),
        ("missing", "it is not there"),
        ("part", "1 of 2 games were played"),
        ("code", "the code of normal is another one now"),
        ("rules", "the rules of weltendaemmerung are others now"),
    ],
)
def test_stale_result_is_reported_with_the_commands_to_renew_it(
    folder: Path, change: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "ford.json"
    assert stale_results(folder) == ()
    if change == "plan":
        write_plan(plan(pairs=2), folder / "ford.toml")
    elif change == "missing":
        path.unlink()
    else:
        path.write_bytes(report_text(changed(path, change), ".json"))
    (found,) = stale_results(folder)
    assert found.why == why
    assert report(str(folder), "--check") == Exit.REFUSED
    assert capsys.readouterr().out.splitlines() == [
        f"{path} is stale: {why}",
        f"  banneret lab run {folder / 'ford.toml'}",
        f"  banneret lab report {folder / 'ford.toml'} --brief -o {path}",
    ]


def changed(path: Path, change: str) -> RunProof:
    proof = read_proof(path)
    if change == "part":
        return replace(proof, games=proof.games[:1])
    setup = setup_in(proof)
    place = {"rules": 0, "code": 2}[change]
    hashes = tuple("0" if at == place else code for at, code in enumerate(setup.hashes))
    text = packed(replace(setup, hashes=hashes))
    return replace(proof, setup=text, setup_check=check_of(text), code="")


def test_result_stays_valid_when_only_words_about_the_code_change(folder: Path) -> None:
    path = folder / "ford.json"
    words = replace(changed(path, "rules"), code=read_proof(path).code)
    assert words.code
    path.write_bytes(report_text(words, ".json"))
    assert stale_results(folder) == ()


def test_every_mark_needs_a_plan_and_every_plan_a_mark(folder: Path) -> None:
    (folder / PROSE).write_text("<!-- lab ford -->\n<!-- lab other -->\n", encoding="utf-8")
    with pytest.raises(Wrong, match=r"the mark 'other' has no other\.toml"):
        page_of(folder)
    (folder / PROSE).write_text("nothing\n", encoding="utf-8")
    with pytest.raises(Wrong, match=r"no mark stands for ford\.toml"):
        page_of(folder)


# -- the page of this project ------------------------------------------------------------------


def test_page_on_computer_players_matches_its_results() -> None:
    told = "stale: banneret lab report docs/lab -o docs/computer-players.md"
    assert PAGE.read_text(encoding="utf-8") == page_of(RESULTS_OF_PAGE), told


def test_results_on_computer_players_match_their_code() -> None:
    stale = stale_results(RESULTS_OF_PAGE)
    told = [line for one in stale for line in one.lines(Path("docs/lab"))]
    assert not told, "\n".join(told)
