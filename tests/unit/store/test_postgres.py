"""The store in PostgreSQL: what SQLite has no need of."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cluster import Cluster
from desk import bayleaf
from letters import letter, letters

from bayleaf import StoreError
from bayleaf.errors import StoreAwayError
from bayleaf.mail import Filter
from bayleaf.store.address import Address

psycopg = pytest.importorskip("psycopg")
NewStore = Callable[[], str]


def taught(place: str, each: int = 12) -> Filter:
    f = Filter.open(place)
    f.train_many(letters(each))
    return f


def sql(place: str, statement: str) -> None:
    """Does something to a store behind its back."""
    address = Address.parse(place)
    with psycopg.connect(address.database, autocommit=True) as db:
        db.execute(f'SET search_path TO "{address.store}"')
        db.execute(statement)


def table(f: Filter) -> dict[int, list[int]]:
    f.compact()
    return {key: counts for run in f.store.state().runs for key, counts in run.page(0, run.entries)}


def test_a_backup_is_a_file_and_moves_a_store_from_one_database_to_the_other(
    new_store: NewStore, tmp_path: Path
) -> None:
    there, back = new_store(), new_store()
    with taught(there) as f:
        f.train(letter(70, "spam"), "ham")
        f.expire(limit=1500)
        f.backup(tmp_path / "copy.db")
        expected, totals, layer = table(f), f.store.state().totals, f.store.state().layer
    with Filter.restore(tmp_path / "copy.db", tmp_path / "m.db") as file:
        assert (table(file), file.store.state().totals, file.store.state().layer) == (expected, totals, layer)
        file.check()
    with Filter.restore(tmp_path / "copy.db", back) as again:
        assert (table(again), again.store.state().totals, again.store.state().layer) == (expected, totals, layer)
        assert again.train(letter(70, "spam"), "spam") == "corrected"
        assert again.train(letter(71, "spam"), "spam") == "learned"
        assert again.words("spam")
        again.check()
    with pytest.raises(StoreError, match="exists"):
        Filter.restore(tmp_path / "copy.db", there)


@pytest.mark.parametrize("mails", [0, 1])
def test_numbers_go_on_after_those_of_a_backup(mails: int, new_store: NewStore, tmp_path: Path) -> None:
    with Filter.open(":memory:") as f:
        f.train_many(letters(mails))
        f.backup(tmp_path / "copy.db")
    with Filter.restore(tmp_path / "copy.db", new_store()) as again:
        assert again.train(letter(71, "spam") + b"unheard\n", "spam") == "learned", "a mail, a run and a list of names"
        assert again.check()["mails"] == 2 * mails + 1


def test_keys_are_secret_and_token_text_can_be_left_out(new_store: NewStore) -> None:
    with Filter.open(new_store(), names=False) as one, Filter.open(new_store()) as two:
        for f in (one, two):
            f.train_many(letters(2))
        assert not set(table(one)) & set(table(two))
        assert (one.words("spam"), bool(two.words("spam"))) == ([], True)


def test_a_wrong_count_and_a_wrong_ledger_are_found(new_store: NewStore) -> None:
    one, other = new_store(), new_store()
    taught(one).close()
    sql(one, "UPDATE run SET body = set_byte(body, length(body) / 2, (get_byte(body, length(body) / 2) + 1) % 256)")
    with Filter.open(one) as f, pytest.raises(StoreError, match=r"damaged|not those"):
        f.check()
    taught(other).close()
    sql(other, "DELETE FROM ledger WHERE seq = 3")
    with Filter.open(other) as f, pytest.raises(StoreError, match="ledger has 11 mails"):
        f.check()


def test_a_store_of_the_future_is_refused(new_store: NewStore) -> None:
    place = new_store()
    taught(place, 1).close()
    sql(place, "UPDATE meta SET value = '99' WHERE name = 'version'")
    with pytest.raises(StoreError, match="version 99"):
        Filter.open(place)


def test_an_older_store_is_migrated_once(new_store: NewStore, monkeypatch: pytest.MonkeyPatch) -> None:
    from bayleaf.store.postgres import schema

    place = new_store()
    taught(place, 2).close()
    step = {schema.VERSION: lambda db: db.execute("INSERT INTO meta VALUES ('migrated', '1')")}
    monkeypatch.setattr(schema, "MIGRATIONS", step)
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    for _ in range(2):
        with Filter.open(place) as f, f.store.ledger() as ledger:
            assert ledger.db.execute("SELECT value FROM meta WHERE name = 'migrated'").fetchone() == ("1",)
            assert ledger.db.execute("SELECT value FROM meta WHERE name = 'version'").fetchone() == ("2",)
            assert f.store.state().totals == (2, 2)


@pytest.mark.parametrize("name", ['o\'brien "the" 100%?', "ünï", "Upper"])
def test_any_name_is_a_store_of_its_own(cluster: Cluster, name: str) -> None:
    address = Address.parse(cluster.url()).beside(name)
    with Filter.open(address) as f:
        f.train(letter(1, "spam"), "spam")
        assert f.status()["mails"] == {"spam": 1, "ham": 0}
        assert Filter.open(address).store.state().totals == (1, 0)


def test_a_users_store_is_added_to_the_shared_one_over_one_connection(new_store: NewStore) -> None:
    place = new_store()
    with taught(place, 20) as shared, Filter.open(Address.parse(place).beside("user of it"), shared=shared) as user:
        assert user.judge(letter(100, "spam")).probability == shared.judge(letter(100, "spam")).probability
        for n in range(200, 230):  # this user wants what others call spam
            user.train(letter(n, "spam"), "ham")
        user.train_many((letter(n, "spam"), "ham") for n in range(230, 240))
        assert user.judge(letter(300, "spam")).probabilities["spam"] < shared.judge(letter(300, "spam")).probability
        assert shared.store.state().totals == (20, 20)
        assert user.store.state().totals == (0, 40)
        with shared.store.ledger() as ledger:
            sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'bayleaf'"
            before = ledger.db.execute(sessions).fetchone()
        with Filter.open(Address.parse(place).beside("another"), shared=shared), shared.store.ledger() as ledger:
            assert ledger.db.execute(sessions).fetchone() == before
        assert user.check()["mails"] == 40


def test_what_is_done_to_a_users_store_is_not_done_to_the_shared_one(new_store: NewStore) -> None:
    def lists(f: Filter) -> int:
        with f.store.ledger() as ledger:
            return int(ledger.db.execute("SELECT count(*) FROM name").fetchone()[0])

    place = new_store()
    own = Address.parse(place).beside("user who expires")
    with taught(place, 20) as shared, Filter.open(own, shared=shared) as user, Filter.open(place) as node:
        user.train_many((letter(n, "spam"), "ham") for n in range(200, 220))
        before = lists(shared)
        assert min(before, lists(user)) > 1
        node.train(letter(50, "ham"), "ham")
        user.expire()  # which reads the shared counts inside its change, and then writes all names anew
        assert (lists(user), lists(shared)) == (1, before)


def test_a_users_store_may_be_in_another_database(new_store: NewStore) -> None:
    place = new_store()
    sql(place, "CREATE DATABASE another")
    there = place.replace("///postgres?", "///another?")
    with taught(place, 2) as shared, Filter.open(there, shared=shared) as user:
        user.train(letter(50, "spam"), "spam")
        assert shared.store.state().totals == (2, 2)
    with Filter.open(there) as user:
        assert user.store.state().totals == (1, 0)


def test_a_change_inside_a_change_is_refused(new_store: NewStore) -> None:
    with taught(new_store(), 2) as f:
        with pytest.raises(StoreError, match="open already"), f.store.change(9000):
            f.train(letter(50, "ham"), "ham")
        assert f.check()["mails"] == 4


def test_what_a_node_has_seen_is_not_fetched_again(new_store: NewStore) -> None:
    with taught(new_store(), 30) as f:
        f.compact()
        (large,) = f.store.state().runs
        f.train(letter(50, "ham"), "ham")
        with pytest.raises(StoreError, match="never learned"):
            f.untrain(letter(51, "ham"))
        assert f.store.state().runs[0] is large


def test_a_lost_database_is_said_and_found_again(
    new_store: NewStore, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bayleaf.store.postgres.link.PAUSE", 0.0)  # between two attempts to connect
    place = new_store()
    with taught(place) as f:
        before = f.judge(letter(70, "spam")).probability
        cluster.kill()
        try:
            for attempt in (
                lambda: f.judge(b""),
                lambda: f.train(letter(70, "spam"), "spam"),
                lambda: Filter.open(place),
            ):
                with pytest.raises(StoreError, match="connects again by itself"):
                    attempt()
        finally:
            cluster.start()
        assert f.judge(letter(70, "spam")).probability == before
        assert f.train(letter(70, "spam"), "spam") == "learned"
        assert f.check()["mails"] == 25


def test_a_connection_lost_in_between_is_not_felt(new_store: NewStore) -> None:
    place = new_store()
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bayleaf'"
    with taught(place, 3) as f:
        sql(place, cut)
        assert f.judge(letter(1, "spam")).best == "spam"
        sql(place, cut)
        assert f.train(letter(50, "spam"), "spam") == "learned"
        sql(place, cut)
        assert f.check()["mails"] == 7


def test_whoever_reads_keeps_one_view_while_others_learn(new_store: NewStore) -> None:
    place = new_store()
    with taught(place, 2) as f, Filter.open(place) as other, f.store.ledger() as ledger:
        before = ledger.sums()
        assert other.train(letter(50, "ham"), "ham") == "learned"
        assert ledger.sums() == before


def test_what_was_seen_over_a_lost_connection_is_fetched_again(new_store: NewStore) -> None:
    """A server that crashed, or that took the place of another, may give the same numbers to other runs."""
    place = new_store()
    with taught(place, 3) as f:
        before = f.store.state().runs[0]
        assert f.store.state().runs[0] is before
        sql(place, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bayleaf'")
        assert f.store.state().runs[0] is not before


def test_the_size_of_a_store_is_its_own(new_store: NewStore) -> None:
    with taught(new_store(), 2) as one:
        size = one.store.size()
        with taught(new_store(), 100) as other:
            assert other.store.size() > size
        assert one.store.size() < 1.5 * size


def test_without_psycopg_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["psycopg"] = None
from bayleaf.mail import Filter
try:
    Filter.open("postgresql:///mail")
except Exception as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'bayleaf[postgres]'" in done.stdout


def test_a_file_is_opened_without_psycopg(tmp_path: Path) -> None:
    code = "import sys; from bayleaf.mail import Filter; Filter.open(sys.argv[1]).judge(b''); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "m.db"], capture_output=True, text=True, check=True)
    assert not {"psycopg", "bayleaf.store.postgres"} & set(done.stdout.split())


def test_the_commands_take_an_address(new_store: NewStore, tmp_path: Path) -> None:
    place = new_store()
    for number, label in ((1, "spam"), (2, "ham")):
        (tmp_path / label).mkdir()
        (tmp_path / label / "mail.eml").write_bytes(letter(number, label))
    asked = bayleaf("mail", "learn", "--store", place, "--spam", str(tmp_path / "spam"), "--ham", str(tmp_path / "ham"))
    assert asked.returncode == 0, asked.stderr
    told = json.loads(bayleaf("mail", "status", "--store", place, "--json").stdout)
    assert told["mails"] == {"spam": 1, "ham": 1}
    assert told["store"] == str(Address.parse(place))
    well = json.loads(bayleaf("doctor", "--json", BAYLEAF_STORE=place).stdout)
    assert next(line for line in well if line["check"] == "mail store")["state"] == "well"
    assert bayleaf("mail", "backup", "--store", place, str(tmp_path / "copy.db")).returncode == 0
    with Filter.open(tmp_path / "copy.db") as copy:
        assert copy.check()["mails"] == 2


def test_a_writer_that_waits_in_vain_says_so(new_store: NewStore, monkeypatch: pytest.MonkeyPatch) -> None:
    place = new_store()
    with taught(place, 2) as one, Filter.open(place) as two:
        impatient = "; SET LOCAL lock_timeout = '10ms'; LOCK TABLE turn IN EXCLUSIVE MODE"
        monkeypatch.setattr("bayleaf.store.postgres.database.TURN", impatient)
        with one.store.change(9000), pytest.raises(StoreError, match="another writer") as refused:
            two.train(letter(9, "ham"), "ham")
        assert not isinstance(refused.value, StoreAwayError), "others may go on judging"
        assert two.train(letter(9, "ham"), "ham") == "learned"
