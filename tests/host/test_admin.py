"""The operator's commands: their effects, and that no words break them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app import main as run
from engine.core.codec import encode
from host.server.admin import COMMANDS, admin, main
from host.server.database import STORE
from host.server.folder_lock import only_host
from host.server.gamebook import StoredGame
from host.server.people import GUEST, Enrolment, KeyInfo
from host.server.security import SecurityLog
from host.server.store import Store
from tui.console.exits import Exit


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "host.sqlite3", clock=lambda: 1_700_000_000.0)
    for name in ("Ann", "Bob", "王小明"):
        opened.enrol(opened.invite(0), name, KeyInfo(f"SHA256:{name}", "ssh-ed25519", "home"))
    opened.set_admin(1)
    yield opened
    opened.close()


def done(store: Store, *words: str, by: str = "") -> list[str]:
    code, lines = admin(words, store, by)
    assert code is Exit.OK, lines
    return lines


def test_invitation_code_creates_an_account(store: Store) -> None:
    code, told = done(store, "invite", "--hours", "1.5", by="Ann")
    assert told.startswith("Good once, until 2023-11-14 23:43 UTC.")
    assert store.invites()[0].by == 1
    assert store.enrol(code, "Cleo", KeyInfo("SHA256:c")).name == "Cleo"


def test_code_can_make_an_administrator_or_add_a_key(store: Store) -> None:
    code, _ = done(store, "invite", "--admin")
    assert store.enrol(code, "Cleo", KeyInfo("SHA256:c")).is_admin
    code, _ = done(store, "invite", "--for", "bob")
    assert store.add_key(code, KeyInfo("SHA256:d")).name == "Bob"


def test_open_codes_are_listed_and_withdrawn(store: Store) -> None:
    code, _ = done(store, "invite", "--for", "Bob", "--admin", by="Ann")
    assert done(store, "invites") == [
        "number  until (UTC)       by   makes             adds",
        "4       2023-11-16 22:13  Ann  an administrator  a key of Bob",
    ]
    done(store, "withdraw", "4")
    assert done(store, "invites") == ["no open invitations"]
    with pytest.raises(Enrolment):
        store.invited(code)


def test_people_are_listed_in_columns(store: Store) -> None:
    store.seen(1, "SHA256:Ann")
    done(store, "ban", "Bob", "too", "loud")
    assert done(store, "list") == [
        "number  name    seen (UTC)        keys",
        "1       Ann     2023-11-14 22:13  1     administrator",
        "2       Bob     2023-11-14 22:13  1     banned: too loud",
        "3       王小明  2023-11-14 22:13  1",
    ]
    assert done(store, "keys", "Ann") == [
        "fingerprint  algorithm    used (UTC)        comment",
        "SHA256:Ann   ssh-ed25519  2023-11-14 22:13  home",
    ]


def test_programs_can_read_json(store: Store) -> None:
    number = store.add_game("ford", 1, b"{}")
    store.seat(number, 0, 2)

    def read(*words: str) -> object:
        (line,) = done(store, *words, "--json")
        return json.loads(line)

    people, games, made = read("list"), read("games"), read("invite")
    assert isinstance(people, list)
    assert people[1]["person"]["name"] == "Bob"
    assert people[1]["keys"][0]["key"]["fingerprint"] == "SHA256:Bob"
    assert isinstance(games, list)
    assert games[0]["seats"] == {"0": 2}
    assert isinstance(made, dict)
    assert store.invited(made["code"]).expires == made["expires"]
    limits = read("limits", "games=3")
    assert isinstance(limits, dict)
    assert (limits["games"], limits["chat"]) == ("3", "10+30")
    assert len(done(store, "invites", "--json")) == len(done(store, "keys", "Ann", "--json")) == 1


def test_banned_person_and_owner_of_a_removed_key_are_disconnected(store: Store) -> None:
    done(store, "ban", "Bob", "cheats", by="Ann")
    done(store, "kick", "Ann")
    done(store, "remove-key", "SHA256:王小明")
    assert [(order.kind, order.number) for order in store.take_orders()] == [
        ("kick", 2),
        ("kick", 1),
        ("kick", 3),
    ]
    assert store.ban_of("SHA256:Bob") == "cheats"
    assert store.person_of("SHA256:王小明") is None
    done(store, "unban", "Bob")
    assert store.ban_of("SHA256:Bob") == ""


def test_administrators_are_made_and_unmade(store: Store) -> None:
    done(store, "make-admin", "Bob")
    assert store.called("Bob") == store.person_of("SHA256:Bob")
    found = store.called("Bob")
    assert found is not None
    assert found.is_admin
    done(store, "make-admin", "--not", "Ann", by="Bob")
    found = store.called("Ann")
    assert found is not None
    assert not found.is_admin
    assert [(order.kind, order.number) for order in store.take_orders()] == [
        ("rights", 2),
        ("rights", 1),
    ]


def test_administrator_renames_a_person(store: Store) -> None:
    assert done(store, "rename", "Bob", "Robert") == ["Bob is called Robert now."]
    assert admin(["rename", "Robert", "ANN"], store, "")[0] is Exit.REFUSED


def test_limits_are_set_all_or_none(store: Store) -> None:
    shown = [line.split() for line in done(store, "limits", "chat=3+9")]
    assert ["chat", "3+9", "(default", "10+30)"] in shown
    assert [order.kind for order in store.take_orders()] == ["limits"]
    code, lines = admin(["limits", "games=5", "wizards=1"], store, "")
    assert (code, lines) == (Exit.REFUSED, ["There is no limit called wizards."])
    assert store.limits().games == 1000
    assert store.take_orders() == ()
    done(store, "limits", "chat=")
    assert store.limits().chat.burst == 10


def test_games_are_listed_and_closed(store: Store) -> None:
    assert done(store, "games") == ["no games"]
    number = store.add_game("ford", 1, b"{}")
    store.seat(number, 0, 2)
    assert done(store, "games") == ["number  save    people", "1       ford    0: Bob"]
    done(store, "close", "1")
    done(store, "stop")
    assert [(order.kind, order.number) for order in store.take_orders()] == [
        ("close", 1),
        ("stop", 0),
    ]


def test_closed_game_is_listed_as_closed_and_not_closed_again(store: Store) -> None:
    number = store.add_game("ford", 1, encode(StoredGame(is_away=True)))
    assert done(store, "games")[1].split() == ["1", "ford", "closed"]
    assert json.loads(done(store, "games", "--json")[0])[0]["closed"]
    code, lines = admin(["close", str(number)], store, "")
    assert (code, lines) == (Exit.REFUSED, ["That game is closed already."])
    assert store.take_orders() == ()


def test_guests_are_disconnected_by_their_names_on_the_host(store: Store) -> None:
    assert done(store, "kick", "guest") == ["Sessions of all guests who only watch end."]
    assert done(store, "kick", "Guest 12") == ["Sessions of Guest 12 end."]
    assert [(order.kind, order.number) for order in store.take_orders()] == [
        ("kick", GUEST),
        ("kick", -12),
    ]
    assert admin(["kick", "guest 9999999999999999999"], store, "")[0] is Exit.REFUSED


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], Exit.USAGE),
        ([""], Exit.USAGE),
        (["nonsense"], Exit.USAGE),
        (["--nonsense"], Exit.USAGE),
        (["invite", "--hours", "soon"], Exit.USAGE),
        (["invite", "--hours", "nan"], Exit.USAGE),
        (["invite", "--hours", "-5"], Exit.USAGE),
        (["invite", "--for", "Nobody"], Exit.REFUSED),
        (["kick"], Exit.USAGE),
        (["kick", "Nobody\x1b[2J"], Exit.REFUSED),
        (["ban", "Bob"], Exit.USAGE),
        (["ban", "Ann", "me"], Exit.REFUSED),
        (["make-admin", "--not", "ann"], Exit.REFUSED),
        (["remove-key", "SHA256:none"], Exit.REFUSED),
        (["withdraw", "99"], Exit.REFUSED),
        (["withdraw", "9" * 99], Exit.USAGE),
        (["close", "7"], Exit.REFUSED),
        (["close", "²"], Exit.USAGE),
        (["limits", "games"], Exit.REFUSED),
        (["limits", "=1"], Exit.REFUSED),
        (["limits", "nonsense="], Exit.REFUSED),
    ],
)
def test_impossible_command_is_one_line(store: Store, words: list[str], code: Exit) -> None:
    before = store.people(), store.limits()
    got, lines = admin(words, store, "Ann")
    assert got is code
    assert len(lines) == 1
    assert lines[0].isprintable()
    assert (store.people(), store.limits()) == before
    assert store.take_orders() == ()


def test_help_does_not_end_the_program(store: Store) -> None:
    assert any("make-admin" in line for line in done(store, "--help"))
    assert any("--hours" in line for line in done(store, "invite", "-h"))


def test_unwritable_file_is_one_line(store: Store) -> None:
    store.close()
    code, lines = admin(["list"], store, "")
    assert code is Exit.DAMAGED
    assert len(lines) == 1


def test_commands_are_logged_without_secrets(store: Store, tmp_path: Path) -> None:
    log = SecurityLog(tmp_path / "security.log")
    _, lines = admin(["invite", "--admin"], store, "Ann", log)
    noted = log.path.read_text()
    assert json.loads(noted)["text"] == "invite --admin"
    assert json.loads(noted)["name"] == "Ann"
    assert lines[0] not in noted


WORDS = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.sampled_from(
            ["invite", "ban", "limits", "list", "rename", "--json", "--for", "--", "@x"]
        ),
        st.sampled_from(["Ann", "Bob", "--hours", "1e400", "-1", "games=1", "withdraw", "\ud800"]),
    ),
    max_size=6,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WORDS)
def test_no_words_break_the_commands(
    store: Store, capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    code, lines = admin(words, store, "Ann")
    assert code in {Exit.OK, Exit.USAGE, Exit.REFUSED}
    assert code is Exit.OK or len(lines) == 1
    assert all(line.isprintable() for line in lines)
    assert capfd.readouterr() == ("", "")


def test_every_command_is_in_the_manual() -> None:
    manual = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    part = manual.partition("## The operator's commands")[2].partition("## Limits")[0]
    assert re.findall(r"^\| `([a-z-]+)", part, re.MULTILINE) == list(COMMANDS)


def test_close_says_whether_a_host_runs(store: Store) -> None:
    number = store.add_game("duel", 1, b"{}")
    words = ["close", str(number)]
    said = [admin(words, store, "", is_running=is_running)[1] for is_running in (True, False)]
    assert said == [
        [f"Game {number} is closed now; its save duel stays."],
        [f"Game {number} is closed when the host starts, as none runs now; its save duel stays."],
    ]


@pytest.mark.parametrize("words", [["stop"], ["kick", "guest"]])
def test_order_to_a_host_is_refused_while_none_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    folder = begun(tmp_path)
    given = ["admin", "--folder", str(folder), *words]
    assert main(given) is Exit.REFUSED
    assert capsys.readouterr().err == "banneret: No host is running with this folder.\n"
    with only_host(folder):
        assert main(given) is Exit.OK
    store = Store.open(folder / "host.sqlite3")
    assert [order.kind for order in store.take_orders()] == words[:1]
    store.close()


def test_ban_of_the_last_administrator_says_how_to_get_another(store: Store) -> None:
    assert "prints a code" in done(store, "ban", "Ann", "spam")[-1]
    assert len(done(store, "ban", "Bob", "spam")) == 2
    done(store, "unban", "Ann")
    assert done(store, "ban", "Bob", "spam") == ["Bob is kept out."]


def begun(folder: Path) -> Path:
    """Leave a store in a folder, as a host that was there does."""
    Store.open(folder / STORE).close()
    return folder


@pytest.mark.parametrize(
    "words",
    [
        "admin --folder {} list --json",
        "admin list --json --folder {}",
        "--folder {} admin list --json",
        "admin list --folder={} --json",
    ],
)
def test_folder_of_the_host_may_be_named_anywhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: str
) -> None:
    begun(tmp_path)
    assert run(["host", *words.format(tmp_path).split()]) == Exit.OK
    assert capfd.readouterr() == ("[]\n", "")


@pytest.mark.parametrize("words", [["invite"], ["list"], ["stop"]])
def test_folder_that_no_host_has_used_is_refused_and_not_made(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], words: list[str]
) -> None:
    folder = tmp_path / "typo"
    assert run(["host", "admin", "--folder", str(folder), *words]) == Exit.USAGE
    out, err = capfd.readouterr()
    assert out == ""
    assert f"no host has used the folder {folder} yet" in err
    assert f"'banneret host --folder {folder}' begins one there" in err
    assert not folder.exists()


def test_help_and_mistakes_need_no_folder(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    named = ("--folder", str(tmp_path / "typo"))
    assert run(["host", "admin", *named, "--help"]) == Exit.OK
    assert "--folder DIR" in capfd.readouterr().out
    assert run(["host", "admin", *named, "dance"]) == Exit.USAGE
    assert "There is no command dance" in capfd.readouterr().err
    assert run(["host", "admin", "list", "--folder"]) == Exit.USAGE
    assert "--folder: expected one argument" in capfd.readouterr().err
