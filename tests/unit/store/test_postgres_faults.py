"""PostgreSQL when things go wrong: a restore that is killed, a disk that is full."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest
from cluster import Cluster
from daemon import Daemon, until
from letters import letter, letters
from web import Answer, Client

from bayleaf import StoreError
from bayleaf.errors import StoreAwayError
from bayleaf.mail import Filter
from bayleaf.store.address import Address
from bayleaf.store.occupied import exists
from bayleaf.store.postgres.link import Link, refusals

psycopg = pytest.importorskip("psycopg")
MAILS = 1500  # of each kind: half a second of copying


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("b") / "copy.db"
    with Filter.open(":memory:") as f:
        f.train_many(letters(MAILS))
        f.backup(made)
    return made


def copying(address: Address) -> None:
    """Somebody is in the middle of a transaction that has written something."""
    with psycopg.connect(address.database, autocommit=True) as db:
        busy = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'bayleaf' AND backend_xid IS NOT NULL"
        assert db.execute(busy).fetchone()[0] > 0


def made(address: Address) -> None:
    """Something is there."""
    assert exists(address)


def waiting(address: Address) -> None:
    """Somebody waits for a lock."""
    with psycopg.connect(address.database, autocommit=True) as db:
        assert db.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()[0] > 0


@pytest.fixture
def hearing() -> Iterator[None]:
    """SIGINT is heard: whoever starts tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hearing")
def test_whoever_is_interrupted_while_others_write_keeps_no_lock(new_store: Callable[[], str]) -> None:
    place = new_store()

    def press() -> None:
        until(lambda: waiting(Address.parse(place)), AssertionError)
        os.kill(os.getpid(), signal.SIGINT)

    with Filter.open(place) as holder, Filter.open(place) as waiter:
        with holder.store.change(9000):
            pressing = threading.Thread(target=press)
            pressing.start()
            with pytest.raises(KeyboardInterrupt):
                waiter.train(letter(1, "spam"), "spam")
            pressing.join()
        assert holder.train(letter(2, "ham"), "ham") == "learned"
        assert waiter.train(letter(1, "spam"), "spam") == "learned"
        assert waiter.check()["mails"] == 2


@pytest.mark.parametrize("moment", [copying, made])
def test_a_killed_restore_leaves_all_or_nothing(
    moment: Callable[[Address], None], new_store: Callable[[], str], backup: Path
) -> None:
    place = new_store()
    address = Address.parse(place)
    command = [sys.executable, "-m", "bayleaf", "mail", "restore", "--store", place, str(backup)]
    with subprocess.Popen(command) as running:
        until(lambda: moment(address), AssertionError)
        running.kill()

    def again() -> None:  # when the server has noticed that nobody is there any more; the kill may have come too late
        if not exists(address):
            Filter.restore(backup, place).close()

    until(again, StoreError)
    with Filter.open(place) as f:
        assert f.check()["mails"] == 2 * MAILS
        assert f.store.state().totals == (MAILS, MAILS)


def test_a_restore_that_fails_leaves_the_store_that_is_there(new_store: Callable[[], str], backup: Path) -> None:
    place = new_store()
    with Filter.open(place) as f:
        f.train_many(letters(3))
    with pytest.raises(StoreError, match="expected none; move it away first"):
        Filter.restore(backup, place)
    with Filter.open(place) as f:
        assert f.check()["mails"] == 6


def test_a_connection_lost_while_a_store_is_made_leaves_nothing_elsewhere(
    new_store: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a new connection the tables would be made outside of the transaction, and in the schema of everybody."""
    place = new_store()
    execute = Link.execute

    def cut(link: Link, sql: str, values: Sequence[object] = (), /) -> object:
        cursor = execute(link, sql, values)
        if "pg_advisory_xact_lock" in sql:
            with psycopg.connect(Address.parse(place).database, autocommit=True) as db:
                db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bayleaf'")
        return cursor

    monkeypatch.setattr(Link, "execute", cut)
    with pytest.raises(StoreError, match="connects again by itself"):
        Filter.open(place)
    monkeypatch.undo()
    with psycopg.connect(Address.parse(place).database, autocommit=True) as db:
        assert db.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall() == []
    with Filter.open(place) as f:
        assert f.train(letter(1, "spam"), "spam") == "learned"


def test_a_server_with_too_many_clients_is_away(cluster: Cluster) -> None:
    with psycopg.connect(Address.parse(cluster.url()).database, autocommit=True) as db:
        db.execute("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
    with pytest.raises(StoreAwayError, match="too many connections"):
        Filter.open(cluster.url().replace("user=bayleaf", "user=crowded"))


@pytest.mark.parametrize(
    ("error", "away", "remedy"),
    [
        (psycopg.InterfaceError("the connection is closed"), True, "check that the server runs"),
        (psycopg.errors.AdminShutdown("terminating"), True, "check that the server runs"),
        (psycopg.errors.InsufficientPrivilege("denied"), False, "ask for the rights of the tables' owner"),
        (psycopg.DataError("a value that is none"), False, "check the database"),
        (psycopg.errors.QueryCanceled("statement timeout"), False, "raise the statement_timeout"),
        (psycopg.errors.DeadlockDetected("deadlock"), False, "another writer was in the way; try again"),
        (psycopg.errors.ReadOnlySqlTransaction("read-only"), False, "name the server or role that may write"),
    ],
)
def test_only_who_does_not_answer_is_away(error: Exception, away: bool, remedy: str) -> None:
    with pytest.raises(StoreError, match=remedy) as said, refusals("here"):
        raise error
    assert isinstance(said.value, StoreAwayError) == away


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_label_beyond_the_characters_of_a_database_is_kept_or_refused(encoding: str, cluster: Cluster) -> None:
    with psycopg.connect(Address.parse(cluster.url()).database, autocommit=True) as db:
        db.execute(f"CREATE DATABASE in_{encoding} ENCODING '{encoding}' TEMPLATE template0 LOCALE 'C'".encode())
    with Filter.open(cluster.url().replace("///postgres?", f"///in_{encoding.lower()}?")) as f:
        if encoding == "LATIN1":
            with pytest.raises(StoreError, match="has no equivalent in encoding"):
                f.train(letter(1, "spam"), "за")
        else:
            assert f.train(letter(1, "spam"), "за") == "learned"
            assert f.store.state().labels[-1] == "за"


def test_a_filter_of_another_thread_is_refused_and_nothing_is_miscounted(new_store: Callable[[], str]) -> None:
    with Filter.open(new_store()) as f, ThreadPoolExecutor(1) as other:
        f.train(letter(1, "spam"), "spam")
        for work in (f.judge, f.untrain):
            with pytest.raises(StoreError, match=r"another thread or process .*; open it in each"):
                other.submit(work, letter(1, "spam")).result()
        assert f.check()["mails"] == 1


def test_a_fork_is_refused_and_leaves_the_connection_of_its_parent_alone(new_store: Callable[[], str]) -> None:
    with Filter.open(new_store()) as f:
        made = f.store._database.link.made  # type: ignore[attr-defined]
        if (child := os.fork()) == 0:
            try:
                f.judge(letter(1, "spam"))
            except StoreError as refusal:
                f.close()
                os._exit("another thread or process" not in str(refusal))
            finally:
                os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        f.train(letter(1, "spam"), "spam")
        assert f.store._database.link.made == made  # type: ignore[attr-defined]


def test_a_refusal_is_one_line(new_store: Callable[[], str]) -> None:
    with Filter.open(new_store()) as f, pytest.raises(StoreError) as said, f.store.ledger() as ledger:
        ledger.db.execute("SELECT nothing")
    assert "\n" not in str(said.value)


def test_who_vanishes_in_a_transaction_does_not_keep_it_open(new_store: Callable[[], str]) -> None:
    with Filter.open(new_store()) as f, f.store.ledger() as ledger:
        assert ledger.db.execute("SHOW idle_in_transaction_session_timeout").fetchone() == ("2min",)


@pytest.fixture
def cramped(cluster: Cluster, new_store: Callable[[], str], small_disk: Path) -> str:
    """A store whose tables lie on a small disk."""
    return elsewhere(cluster, new_store(), small_disk / "tables")


def elsewhere(server: Cluster, place: str, folder: Path) -> str:
    """The address of a store that keeps its tables in another folder."""
    folder.mkdir()
    shutil.chown(folder, server.user)
    with psycopg.connect(Address.parse(place).database, autocommit=True) as db:
        db.execute(f"CREATE TABLESPACE elsewhere LOCATION '{folder}'")
    return place + "&options=" + quote("-c default_tablespace=elsewhere")


def learn_until_full(client: Client, disk: Path, left: int) -> tuple[int, Answer]:
    """Leaves so many bytes of room and learns; how many mails that were, and the first refusal."""
    (disk / "filler").write_bytes(bytes(shutil.disk_usage(disk).free - left))
    for learned in count():
        answer = client.post("/v1/train?label=spam", letter(1000 + learned, "spam"))
        if answer.status != 200:
            return learned, answer
    raise AssertionError


def test_full_tables_are_said_nothing_is_half_counted_and_learning_goes_on_when_there_is_room(
    cramped: str, cluster: Cluster, small_disk: Path, tmp_path: Path
) -> None:
    with Filter.open(cramped) as f:
        f.train_many(letters(20))
    with Daemon(tmp_path, "--http", "127.0.0.1:0", spamd=False, store=cramped) as daemon:
        client = Client(daemon.web)
        learned, answer = learn_until_full(client, small_disk, 100_000)
        assert answer.status == 503
        assert "No space left on device" in answer.json["detail"]
        assert "free some space and try again; each mail is counted whole or not at all" in answer.json["detail"]
        assert client.post("/v1/judge", letter(5000, "spam")).json["label"] == "spam", "judging goes on"
        assert client.get("/readyz").status == 200
        assert client.get("/v1/status").json["mails"] == {"spam": 20 + learned, "ham": 20}
        (small_disk / "filler").unlink()
        done = client.post("/v1/train?label=spam", letter(1000 + learned, "spam"))
        assert done.json["done"] == "learned", "without a restart"
        assert daemon.stop() == 0
    with Filter.open(cramped) as f:
        assert f.check()["mails"] == 40 + learned + 1
    drop(cluster, cramped)


def drop(cluster: Cluster, place: str) -> None:
    """Takes the tables off the small disk, which goes away now."""
    address = Address.parse(place)
    with psycopg.connect(Address.parse(cluster.url()).database, autocommit=True) as db:
        db.execute(f'DROP SCHEMA "{address.store}" CASCADE')
        db.execute("DROP TABLESPACE elsewhere")
