"""``ssh HOST COMMAND``: games are begun, joined, changed and left."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.server.clocks import Terms
from tests.host.commands import FORD, said
from tests.host.fakes import ANNA
from tests.host.shell import Shell
from tui.console.exits import Exit


@pytest.mark.parametrize("option", ["--level", "--bot"])
async def test_game_is_begun_joined_and_left(shell: Shell, option: str) -> None:
    new = "new weltendaemmerung --scenario ford --seat Dailor=person --name 'Our Ford'"
    assert said(await shell.run("Anna", new)).startswith("Game 1, Our Ford: ")
    assert "You play Dailor" in said(await shell.run("Bert", "sit 1 dailor"))
    taken = await shell.run("Root", "sit 1 Dailor")
    assert (taken.exit_status, taken.stderr) == (1, "banneret: That seat is taken.\n")
    left = said(await shell.run("Bert", f"stand 1 Dailor {option} easy"))
    assert left == "The computer (Squire) plays Dailor for you; take it back with: sit 1 Dailor\n"
    assert "game 1, Our Ford: Dailor" in said(await shell.run("Bert", "whoami"))
    assert "Dailor: computer, easy" in said(await shell.run("Bert", "games"))


async def test_new_knows_a_game_by_its_title_too(shell: Shell) -> None:
    for number, name in enumerate(("global-domination", "GlobalDomination", "gd6"), 1):
        begun = said(await shell.run("Anna", f"new {name} --scenario west"))
        assert begun.startswith(f"Game {number}, ")
        assert "Global Domination" in begun


NEW_KALADAN = "new kaladan --seats 3 --seat"


async def test_answer_to_new_lists_the_player_of_each_seat(shell: Shell) -> None:
    told = said(await shell.run("Anna", f"{NEW_KALADAN} Player3=bot:easy"))
    rows = told.splitlines()
    assert (
        rows[1]
        == "   Player 1: you; Player 2: open for a person; Player 3: computer, easy (Squire)"
    )


async def test_seat_is_named_without_blanks_as_ssh_sends_no_quotes(shell: Shell) -> None:
    torn = await shell.run("Anna", f"{NEW_KALADAN} Player 2=person")
    assert torn.exit_status == Exit.USAGE
    assert "leave out the blanks of a seat's name, as in Player2" in str(torn.stderr)
    said(await shell.run("Anna", f"{NEW_KALADAN} player-1=person --seat Player2=person"))
    taken = "You play Player 3 (seat 2) in game 1.\n"
    assert said(await shell.run("Bert", "sit 1 Player 3")) == taken
    left = said(await shell.run("Bert", "stand 1 2"))
    assert left.startswith("You have left the seat of Player 3 (seat 2) in game 1")


async def test_new_names_only_seats_that_the_scenario_has(shell: Shell) -> None:
    refused = await shell.run("Anna", "new kaladan --scenario duel --seat Weald=person")
    assert refused.exit_status == Exit.USAGE
    assert "known: Player 1 (seat 0), Player 2 (seat 1); blanks" in str(refused.stderr)


async def test_new_game_takes_terms(shell: Shell) -> None:
    new = "new weltendaemmerung --scenario ford --seat Dailor=person"
    said(await shell.run("Anna", f"{new} --turn 90s --bank 1d --late easy --unwatched"))
    assert shell.game_server.terms == Terms(90, 86_400, "easy", watched=False)
    for wrong in ("--turn 5", "--turn m", "--bank -1h", "--turn 99999999999999d", "--late best"):
        assert (await shell.run("Anna", f"{new} {wrong}")).exit_status == Exit.USAGE


async def test_clock_is_changed_only_with_permission(shell: Shell) -> None:
    shell.game_server.start(ANNA, FORD)
    assert "5:00 a turn, and 1h 0m to spare" in said(await shell.run("Anna", "clock 1 5m 1h"))
    assert shell.game_server.terms == Terms(300, 3600)
    assert "no clock" in said(await shell.run("Anna", "clock 1 0"))
    other = await shell.run("Bert", "clock 1 5m")
    assert (other.exit_status, other.stderr) == (1, "banneret: Not you.\n")
    for wrong in ("clock 1", "clock 1 soon", "clock 9 5m"):
        assert (await shell.run("Anna", wrong)).exit_status == Exit.USAGE


async def test_name_of_a_new_game_is_never_a_path(shell: Shell, tmp_path: Path) -> None:
    new = "new toy --name '../../../tmp/x\x1b[2J'"
    assert said(await shell.run("Anna", new)).startswith("Game 1, tmp x 2J: ")
    assert [path.name for path in tmp_path.glob("*.bnr")] == ["tmp x 2J.bnr"]
    scenario = await shell.run("Anna", "new toy --scenario /etc/passwd")
    assert scenario.exit_status == Exit.USAGE
    assert "no scenario" in str(scenario.stderr)


async def test_say_is_heard_and_rate_limited(shell: Shell) -> None:
    hosted = shell.game_server.start(ANNA, FORD)
    said(await shell.run("Anna", "say 1 Back in --an 'hour'."))
    assert [(one.name, one.text) for one in hosted.talk()] == [("Anna", "Back in --an hour.")]
    assert shell.asked == ["chat"]
    shell.refusals = ["Too much talk."]
    ended = await shell.run("Anna", "say 1 more")
    assert (ended.exit_status, ended.stderr) == (1, "banneret: Too much talk.\n")
