"""Games on a host: seats, bots, clocks, talk, restarts."""

from __future__ import annotations

import dataclasses
import errno
from pathlib import Path

import pytest

from engine.core.archive import Notice, SeatPlayer
from engine.core.ids import PUBLIC
from engine.core.link import FeedItem
from engine.core.record import replace
from engine.core.registry import find
from host.server.clocks import Terms
from host.server.game_server import GRACE
from host.server.people import GUEST, Person
from host.server.rate_limits import HostLimits
from saves.archive import Folder
from tests.host.servers import AGAINST_EASY, ANNA, BERT, CARL, FORD, game_server
from tests.patience import until
from tui.play.setup import NewGame

SECRET = NewGame(
    "gd6", "west", players=(SeatPlayer(0, "A"), SeatPlayer(1, "B")), seed=b"1", name="west"
)


@pytest.mark.portable
async def test_founder_gets_the_first_seat_and_others_take_the_rest(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        assert [seat.person for seat in game.info.seats] == ["Anna", ""]
        stages = [game.info.stage]
        assert await game.sit(BERT, 0) == "Somebody has this seat."
        assert await game.sit(BERT, 7) == "There is no such seat."
        assert await game.sit(Person(GUEST, "guest"), 1) == "Guests may only watch here."
        assert await game.sit(BERT, 1) == ""
        stages.append(game.info.stage)
        assert stages == ["open", "running"]
        assert [player.name for player in game.players] == ["Anna", "Bert"]


async def test_only_the_player_of_a_seat_plays_it(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        before = len(game.table.game.log)
        assert not (await game.submit(BERT, 0, "end-phase")).ok
        assert not (await game.submit(CARL, 0, "end-phase")).ok
        assert not (await game.place(CARL).link(PUBLIC).submit("end-phase")).ok
        assert not (await game.submit(ANNA, 0, "go 0")).ok
        assert len(game.table.game.log) == before
        assert (await game.submit(ANNA, 0, "end-phase")).ok


async def test_news_reach_all_viewers(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        heard: list[tuple[str, FeedItem]] = []
        for person, viewer in ((ANNA, 0), (BERT, 1), (CARL, PUBLIC)):
            link = game.place(person).link(viewer)
            link.feed(lambda news, name=person.name: heard.append((name, news)))  # type: ignore[misc]
        assert (await game.place(ANNA).link(0).submit("end-phase")).ok
        await until(lambda: len(heard) == 3)
        assert {name for name, _ in heard} == {"Anna", "Bert", "Carl"}
        assert all(news.events for _, news in heard)


@pytest.mark.portable
async def test_bots_play_automatically(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY)
        for _ in range(40):
            if game.owes != {0}:
                break
            assert (await game.submit(ANNA, 0, "end-phase")).ok
        before = len(game.table.game.log)
        await until(lambda: game.owes == {0} and len(game.table.game.log) > before)


async def test_full_disk_in_a_bot_turn_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, AGAINST_EASY)
        for _ in range(40):
            if game.owes == {1}:
                break
            monkeypatch.undo()
            assert (await game.submit(ANNA, 0, "end-phase")).ok
            monkeypatch.setattr("saves.writer.os.write", _full)
        await until(lambda: any("gave up" in said.text for said in game.talk()))
        assert any("No space left" in said.text for said in game.talk())
        monkeypatch.undo()


def _full(_fd: int, _data: bytes) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


async def test_bot_stands_in_until_the_person_is_back(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        assert "no level" in await game.stand(ANNA, 0, "godlike")
        assert await game.stand(ANNA, 0, "easy") == ""
        assert not (await game.submit(ANNA, 0, "end-phase")).ok
        await until(lambda: game.owes == {1})
        assert await game.sit(CARL, 0) == "Somebody has this seat."
        assert await game.sit(ANNA, 0) == ""
        assert game.info.seats[0].bot == ""
        assert await game.stand(BERT, 1) == ""
        assert game.stage == "open"
        assert await game.sit(CARL, 1) == ""


async def test_players_can_replace_a_missing_player(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        home.come(BERT)
        assert "Bert is here" in await game.seat_computer(1, "easy", ANNA)
        home.go(BERT)
        home._gone[BERT.number] -= GRACE
        assert await game.seat_computer(1, "easy", CARL) == "Only who plays can ask for that."
        assert await game.seat_computer(1, "easy", ANNA) == ""
        assert await game.sit(BERT, 1) == ""


async def test_game_is_restored_after_a_restart_of_the_host(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, Terms(turn=60, bank=600))
        await game.sit(BERT, 1)
        assert (await game.submit(ANNA, 0, "end-phase")).ok
        assert game.say(BERT, "well\x1b[2J done") == ""
        await game.stand(BERT, 1, "easy")
        await home.consent(game, ANNA, 2)
        await until(lambda: game.owes == {0})
        number, state = game.number, game.table.game.state
    async with game_server(tmp_path) as home:
        again = await home.game(number)
        assert again.table.game.state == state
        assert [(seat.person, seat.bot) for seat in again.info.seats] == [
            ("Anna", ""),
            ("Bert", "easy"),
        ]
        assert again.terms == Terms(turn=60, bank=600)
        assert again.consents == {0: 2}
        assert "well done" in [said.text for said in again.talk()]


async def test_save_cannot_seat_an_unknown_bot(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        number = (await home.begin(ANNA, FORD)).number
    file = Folder(tmp_path / "games").open("ford").file
    assert file is not None
    for seat, level in ((0, "genius"), (99, "easy"), (1, "easy")):
        file.notice(Notice("seat", 0, seat=seat, bot=level))
    file.close()
    async with game_server(tmp_path) as home:
        game = await home.game(number)
        assert game.seating.bots == {1: "easy"}


async def test_late_player_is_replaced_by_a_bot(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, Terms(turn=1, late="easy"))
        await game.sit(BERT, 1)
        game._timing.clock._since[0] -= 5
        game._timing._ring()
        assert game.info.seats[0].bot == "easy"
        assert any("no time left" in said.text for said in game.talk())
        await until(lambda: 1 in game.owes)
        await until(lambda: not game._keeping)
        stored = home.ports.archive.read(game.info.name).notices
        assert ("clock", 0, "expired") in [(n.kind, n.seat, n.text) for n in stored]


async def test_viewers_of_a_game_depend_on_seat_and_consent(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, SECRET)
        await game.sit(BERT, 1)
        assert game.place(ANNA).viewers() == (0,)
        with pytest.raises(PermissionError):
            game.place(ANNA).link(1)
        with pytest.raises(PermissionError):
            game.place(CARL).chronicle(0)
        assert game.place(CARL).viewers() == (PUBLIC,)
        assert game.place(CARL).header.seed == b""
        assert game.place(CARL).now == -1
        assert game.place(CARL).numbers() == {}
        with pytest.raises(PermissionError):
            game.opened()
        await home.consent(game, BERT, 1)
        assert game.place(CARL).viewers() == (PUBLIC, 1)
        peeping = game.place(CARL)
        peeping.link(1)
        peeping.leave()
        await game.stand(ANNA, 0)
        assert "cannot play" in await game.sit(CARL, 0)
        await game.stand(BERT, 1)
        assert "cannot play" in await game.sit(ANNA, 1)
        assert await game.sit(ANNA, 0) == ""
        assert await game.sit(BERT, 1) == ""
        await home.consent(game, BERT, 1)
        await home.consent(game, BERT, None)
        assert game.place(CARL).viewers() == (PUBLIC,)


async def test_lines_of_a_secret_game_do_not_reveal_how_much_others_did(tmp_path: Path) -> None:
    """Neither the numbers of entries nor the number of lines reveal it."""
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, SECRET)
        await game.sit(BERT, 1)
        place = game.place(BERT)
        before = list(place.chronicle(1).told(2))
        assert {line.entry for _, line in before} == {-1}
        for _ in range(3):
            assert (await game.submit(ANNA, 0, 'list lines="buy item=crop"')).ok
        assert list(place.chronicle(1).told(2)) == before
        place.leave()


async def test_saves_without_a_game_number_are_adopted(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        home.store.remove_game(game.number)
    async with game_server(tmp_path) as home:
        assert [info.name for info in home.games()] == ["ford"]
        assert home.games()[0].stage == "open"


async def test_idle_game_is_closed_and_reopens_on_demand(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        place = game.place(ANNA)
        assert not game.is_idle
        place.leave()
        await until(lambda: game.is_idle)
        await home._close(game.number)
        assert [info.name for info in home.games()] == ["ford"]
        assert (await home.game(game.number)).seats_of(ANNA) == (0,)
        with pytest.raises(LookupError):
            await home.game(99)


async def test_limits_of_a_host_are_enforced(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        few = replace(HostLimits(), games_a_person=1, watchers_a_game=1, save_bytes=10)
        home.limits = lambda: few
        with pytest.raises(LookupError, match="You have begun 1 games"):
            await home.begin(ANNA, FORD)
        assert (await game.submit(ANNA, 0, "end-phase")).text.startswith("The save of this game")
        assert game.may_watch(CARL) == ""
        place = game.place(CARL)
        assert "watch this game already" in game.may_watch(BERT)
        assert game.may_watch(ANNA) == ""
        place.leave()
        assert game.may_watch(BERT) == ""


@pytest.mark.parametrize("name", ["../../out", "/var/out", "a/b", "..", "\x1b[2Jx", "CON\\x"])
async def test_names_of_games_stay_in_the_folder(tmp_path: Path, name: str) -> None:
    async with game_server(tmp_path) as home:
        await home.begin(ANNA, dataclasses.replace(FORD, name=name))
    saves = list(tmp_path.rglob("*.bnr"))
    assert [path.parent for path in saves] == [tmp_path / "games"]


async def test_foreign_scenarios_and_seeds_are_refused(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        shipped = find("weltendaemmerung").scenarios()["ford"]
        made = dataclasses.replace(FORD, scenario=replace(shipped, title="mine"))
        with pytest.raises(LookupError, match="scenarios that it has"):
            await home.begin(ANNA, made)
        game = await home.begin(ANNA, FORD)
        assert game.header.seed != FORD.seed


async def test_removed_game_stays_removed(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await home.remove(game.number)
        assert home.games() == ()
        with pytest.raises(LookupError):
            await home.game(game.number)
    async with game_server(tmp_path) as home:
        assert home.games() == ()
    assert (tmp_path / "games" / "ford.bnr").exists()


async def test_person_who_saw_secrets_cannot_play_after_a_restart(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, SECRET)
        await home.consent(game, ANNA, 1)
        await game.prepare(0)
        game.place(CARL).link(0)
    async with game_server(tmp_path) as home:
        assert "cannot play" in await (await home.game(game.number)).sit(CARL, 1)


async def test_player_who_has_just_left_is_not_replaced(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        home.come(BERT)
        home.go(BERT)
        assert "a moment ago" in await game.seat_computer(1, "easy", ANNA)
        home._gone[BERT.number] -= GRACE
        assert await game.seat_computer(1, "easy", ANNA) == ""


async def test_absence_counts_only_while_the_host_runs(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
    async with game_server(tmp_path) as home:
        game = await home.game(game.number)
        assert "a moment ago" in await game.seat_computer(1, "easy", ANNA)
        home._began -= GRACE
        assert await game.seat_computer(1, "easy", ANNA) == ""


async def test_clock_without_a_bot_to_take_over_rings_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, Terms(turn=1))
        await game.sit(BERT, 1)
        monkeypatch.setattr(game.rules, "bots", {})
        game._timing.clock._since[0] -= 5
        for _ in range(3):
            game._timing._ring()
        assert sum("no time left" in said.text for said in game.talk()) == 1
        assert game.info.seats[0].bot == ""


async def test_last_seat_to_seal_has_all_the_time_of_the_next_turn(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, SECRET, Terms(turn=600))
        await game.sit(BERT, 1)
        for seat in (0, 1):
            game._timing.clock._since[seat] -= 500
        for line in ("seal", "unseal"):
            assert (await game.submit(ANNA, 0, line)).ok
        assert [left is not None and left <= 100 for left in map(game.left, (0, 1))] == [True] * 2
        assert (await game.submit(ANNA, 0, "seal")).ok
        assert (await game.submit(BERT, 1, "seal")).ok
        assert game.owes == {0, 1}
        assert [left is not None and left > 500 for left in map(game.left, (0, 1))] == [True] * 2


async def test_names_are_cached(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        number = game.number
    async with game_server(tmp_path) as home:
        home.store.person = None  # type: ignore[assignment,method-assign]  # not asked any more
        assert [seat.person for seat in (await home.game(number)).info.seats] == ["Anna", "Bert"]


async def test_founder_changes_the_terms_and_all_are_notified(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD, Terms(turn=60, late="easy"))
        await game.sit(BERT, 1)
        assert "Only who began the game" in await home.agree(game.number, BERT, 300, 0)
        assert game.terms.turn == 60
        assert await home.agree(game.number, ANNA, 300, 3600) == ""
        assert game.terms == Terms(turn=300, bank=3600, late="easy")
        assert 59 < (game.left(0) or 0) <= 60
        said = [each.text for each in game.talk()]
        assert said[-1] == (
            "Anna has changed the times, from the next turn of each:"
            " 5:00 a turn, and 1h 0m to spare."
        )
        for _ in range(2):
            assert (await game.submit(ANNA, 0, "end-phase")).ok
            assert (await game.submit(BERT, 1, "end-phase")).ok
        assert (game.left(0) or 0) > 3600
        operator = replace(CARL, is_admin=True)
        assert await home.agree(game.number, operator, 0, 0) == ""
        number = game.number
    async with game_server(tmp_path) as home:
        again = await home.game(number)
        assert again.terms == Terms(late="easy")
        again.place(ANNA).look()
        assert (again.left(0) or 0) > 3899  # the running turn keeps its terms
        assert (await again.submit(ANNA, 0, "end-phase")).ok
        assert (await again.submit(BERT, 1, "end-phase")).ok
        assert again.left(0) is None
        assert any("Carl has changed the times" in each.text for each in again.talk())


async def test_rights_change_while_the_session_of_their_person_goes_on(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        operator = replace(CARL, is_admin=True)
        assert home.may_agree(game, operator) == ""
        await home.renew(CARL.number)
        assert "Only who began the game" in home.may_agree(game, operator)
        home.store.set_admin(CARL.number)
        await home.renew(CARL.number)
        assert home.may_agree(game, operator) == home.may_agree(game, CARL) == ""


async def test_clock_added_later_rings(tmp_path: Path) -> None:
    async with game_server(tmp_path) as home:
        game = await home.begin(ANNA, FORD)
        await game.sit(BERT, 1)
        assert await home.agree(game.number, ANNA, 1, 0) == ""
        assert game.left(0) is None
        assert game._timing.alarm is None
        assert (await game.submit(ANNA, 0, "end-phase")).ok
        assert 0 < (game.left(1) or 0) <= 1
        assert game._timing.alarm is not None
