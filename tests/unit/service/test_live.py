"""LiveFilter: judged in any thread, learned in one, a store for each user."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from daemon import taught
from hypothesis import example, given
from hypothesis import strategies as st
from letters import letter

from bayleaf.errors import BayleafError, StoreError
from bayleaf.mail import Filter
from bayleaf.service import LiveFilter, shelf
from bayleaf.service.shelf import user_store
from bayleaf.store.address import Address


def test_threads_see_what_has_been_learned(tmp_path: Path) -> None:
    live = LiveFilter(tmp_path / "new" / "m.db")
    assert live.judge(letter(0, "spam")).label == "unsure"
    done = [live.train(letter(n, label), label) for n in range(30) for label in ("spam", "ham")]
    assert {each.result() for each in done} == {"learned"}
    with ThreadPoolExecutor(3) as pool:
        labels = list(pool.map(lambda n: live.judge(letter(n, "spam")).label, range(100, 130)))
        for each in [pool.submit(live.leave) for _ in range(20)]:
            each.result()
    assert set(labels) == {"spam"}
    assert live.train(letter(0, "spam"), "ham").result() == "corrected"
    assert live.untrain(letter(0, "spam")).result() == "ham"
    assert live.untrain(letter(0, "spam")).result() is None
    assert live.counts["learned"] == 60
    assert live.status()["mails"] == {"spam": 29, "ham": 30}
    live.close()


def test_more_users_than_are_held_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "OPEN", 3)
    live = LiveFilter(taught(tmp_path / "m.db", 5), tmp_path / "users")
    names = [f"user{n}" for n in range(8)]
    for name in names:
        assert live.train(letter(1, "ham"), "spam", name).result() == "learned"
    assert [live.untrain(letter(1, "ham"), name).result() for name in names] == ["spam"] * len(names)
    assert live.judge(letter(1, "ham"), "nobody").best == "ham"
    live.close()
    with Filter.open(tmp_path / "m.db") as shared:
        assert shared.check()["mails"] == 10


def test_a_shelf_lets_go_of_the_user_who_came_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each open store takes two files, and a process has a thousand."""
    monkeypatch.setattr(shelf, "OPEN", 3)
    held = shelf.Shelf(taught(tmp_path / "m.db", 5), tmp_path / "users")
    (tmp_path / "users").mkdir()
    for name in "abcdab":
        held.learning(name)
    assert list(held._own) == ["d", "a", "b"]
    held.close()


@given(
    st.text(min_size=1, max_size=30).filter(str.isprintable), st.text(min_size=1, max_size=30).filter(str.isprintable)
)
@example("../ann", "ann")
@example("ann/cur", "ann%2Fcur")
def test_every_user_has_a_file_of_their_own_in_the_folder(one: str, other: str) -> None:
    paths = [user_store(Path("/srv/users"), name) for name in (one, other)]
    assert all(path.parent == Path("/srv/users") for path in paths)
    assert (paths[0] == paths[1]) is (one == other)


@pytest.mark.parametrize("name", ["a\x00b", "x" * 300, "\N{GREEK SMALL LETTER ALPHA}" * 40])
def test_names_that_cannot_be_files_are_refused(name: str) -> None:
    with pytest.raises(BayleafError, match="user name"):
        user_store(Path("users"), name)


def test_reopening_goes_to_another_store_or_stays(tmp_path: Path) -> None:
    live = LiveFilter(taught(tmp_path / "a.db", 20))
    live.reopen(tmp_path / "b.db", None)
    assert live.judge(letter(100, "spam")).label == "unsure"
    with pytest.raises(BayleafError, match="cannot be made"):
        live.reopen(Path("/proc/nowhere/m.db"), None)
    assert live.judge(letter(100, "spam")).label == "unsure"
    live.reopen(tmp_path / "a.db", None)
    assert live.judge(letter(100, "spam")).label == "spam"
    assert live.train(letter(0, "spam"), "spam").result() == "known"
    live.close()


def test_memory_is_refused() -> None:
    with pytest.raises(BayleafError, match="expected a path"):
        LiveFilter(Path(":memory:"))


def test_a_closed_filter_says_so(place: str) -> None:
    live = LiveFilter(Address.parse(place) if place.startswith("postgresql") else Path(place))
    assert live.train(letter(1, "spam"), "spam").result() == "learned"
    live.close()
    live.close()
    for ask in (live.judge, live.known, live.untrain, lambda raw: live.train(raw, "spam"), lambda _: live.status()):
        with pytest.raises(StoreError, match="found a filter that was closed; open it again"):
            ask(letter(1, "spam"))
