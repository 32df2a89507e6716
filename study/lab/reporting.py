"""``banneret lab report``: everything about a run, as Markdown, HTML or JSON.

Equal rows give equal bytes, on any machine and in any order of play. The exception is the section
with times, which is written only on request. A report as JSON is a proof (see ``proofs``), and a
folder of proofs with a text becomes one page (see ``pages``).
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.core.record import Record
from study.lab.markup import ReportSection, markdown, text_lines, web_page
from study.lab.plans import read_plan
from study.lab.proofs import RunProof, proof_text, prove, read_proof, tables_of
from study.lab.stages import games_of
from study.lab.store import RunFolder, run_named, run_path
from study.lab.tallies import (
    AuditReport,
    BotTally,
    RunTables,
    bot_tallies,
    bots_section,
    faults_section,
    meetings_section,
    seatings_sections,
)
from study.lab.verbs import LabPorts
from tui.console.exits import Exit, Wrong
from tui.console.files import is_file, put_file
from tui.console.printing import say

_KINDS: Final = (".md", ".html", ".json")


class ShortReport(Record, frozen=True):
    """Results of a run in a few lines."""

    run: str
    ruleset: str
    games: int
    played: int
    bots: tuple[BotTally, ...]
    audit: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the report as text."""
        title = f"{self.run}: {self.played} of {self.games} games"
        return [*text_lines([bots_section(self.bots, title)]), *self.audit]


def short_report(folder: RunFolder) -> ShortReport:
    """Return the short report of a run."""
    setup, plan = folder.setup, folder.plan
    games = games_of(plan, setup, folder.rows)
    played = [(game.task, game.row) for game in games if game.row is not None]
    return ShortReport(
        run=folder.path.name,
        ruleset=plan.ruleset,
        games=len(games),
        played=len(played),
        bots=bot_tallies(plan, setup, played),
        audit=tuple(AuditReport.of(row for _, row in played).lines()),
    )


# -- the whole report --------------------------------------------------------------------------


def report_sections(proof: RunProof, tables: RunTables) -> Iterator[ReportSection]:
    """Yield all sections of the report of a run."""
    yield _facts(proof, tables)
    yield ReportSection(
        "Starts",
        (),
        ("start", "seats", "options", "scenario"),
        tuple(
            (one.start, ", ".join(one.seats), ", ".join(one.options), one.scenario)
            for one in tables.starts
        ),
        4,
    )
    yield ReportSection(
        "Bots",
        (),
        ("bot", "written", "hash"),
        tuple((one.bot, one.written, one.hash) for one in tables.bots),
        3,
    )
    if tables.ratings is not None:
        yield from tables.ratings.sections()
    yield bots_section(tables.bots, "Points, refused commands and games broken off")
    if tables.meetings:
        yield meetings_section(tables)
    yield from seatings_sections(tables)
    yield faults_section(tables)
    if tables.audit:
        yield ReportSection("Early ends", tables.audit)
    if proof.times:
        yield _times(proof)
    yield _proof(proof)


def _facts(proof: RunProof, tables: RunTables) -> ReportSection:
    plan = proof.plan
    lines = [f"{len(proof.games)} of {proof.planned} games were played"]
    if proof.stopped:
        lines.append("it was stopped by hand before its end")
    pairs = f"{plan.pairs} pairs of each meeting from each start, from seed {plan.seed} on"
    lines.append(f"{plan.format}: {pairs}")
    if plan.book:
        lines.append(f"starts from the book {plan.book}")
    lines.append(f"a game is given up after {plan.longest} turns")
    lines.append(f"a game that a bot breaks off: {plan.fault}")
    lines += (
        f"{name}: {value}"
        for name, value in (
            ("ends early when", plan.endings.end_when),
            ("resigns", plan.endings.resign),
            ("ends after round", plan.endings.max_rounds),
        )
        if value
    )
    lines.append(f"hash of the rules: {tables.rules}")
    return ReportSection(f"Games of {tables.ruleset}", tuple(lines))


def _times(proof: RunProof) -> ReportSection:
    rows = ((t.bot, str(t.plans), f"{t.mean:.1f}", f"{t.longest:.1f}") for t in proof.times)
    return ReportSection(
        "Processor time of a plan on the machine that played",
        ("These times are of one machine at one time, and no part of the proof.",),
        ("bot", "plans", "mean ms", "longest ms"),
        tuple(rows),
    )


def _proof(proof: RunProof) -> ReportSection:
    return ReportSection(
        "Proof",
        (
            f"digest over all games: {proof.digest}",
            "banneret lab report RUN -o proof.json writes keys, results and digests of all games",
            "banneret lab verify proof.json --sample 20 plays some of them again and compares",
        ),
    )


def report_text(proof: RunProof, kind: str) -> bytes:
    """Return a report as file content; ``kind`` is a suffix such as ``.md``."""
    if kind == ".json":
        return proof_text(proof)
    tables = proof.tables or tables_of(proof)
    sections = list(report_sections(proof, tables))
    title = f"{tables.ruleset}: {', '.join(bot.bot for bot in tables.bots)}"
    if kind == ".html":
        return web_page(title, sections).encode()
    return f"# {title}\n\n{markdown(sections)}".encode()


# -- the verb ----------------------------------------------------------------------------------


def report_verb(args: Namespace, ports: LabPorts) -> Exit:
    """Write the report of a run, or the page of a folder of proofs.

    Raises:
        Wrong: the run is missing, or the file cannot be written.
    """
    del ports
    from study.lab.pages import PROSE, write_page  # noqa: PLC0415 - for folders only

    if is_file(Path(args.run) / PROSE):
        return write_page(Path(args.run), args.output and Path(args.output), is_check=args.check)
    if args.check:
        raise Wrong(f"--check: {args.run} is no folder with a {PROSE}")
    proof = _proof_named(args)
    if args.output is None:
        say(*text_lines(report_sections(proof, proof.tables or tables_of(proof))))
        return Exit.OK
    path = Path(args.output)
    if path.suffix not in _KINDS:
        raise Wrong(f"{path}: a report is written to a file that ends in {', '.join(_KINDS)}")
    put_file(path, report_text(proof, path.suffix))
    say(f"{path}: {len(proof.games)} games, digest {proof.digest}")
    return Exit.OK


def _proof_named(args: Namespace) -> RunProof:
    """Return the proof of a run, given by folder, name or plan, or read it from a file.

    Raises:
        Wrong: the run or the proof is missing.
    """
    path = Path(args.run)
    if path.suffix == ".json" and is_file(path):
        if args.brief or args.times:
            raise Wrong(f"{path}: a proof stays as it is; --brief and --times are for runs")
        return read_proof(path)
    if path.suffix == ".toml":
        path = run_path(read_plan(path), None, args.runs)
    folder = RunFolder.read(run_named(str(path), args.runs))
    return prove(folder, brief=args.brief, times=args.times)
