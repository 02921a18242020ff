"""Flags, then variables, then the file, then defaults; and `bayleaf config show` tells which it was."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from desk import bayleaf

from bayleaf.cli import settings
from bayleaf.errors import BayleafError


def origins(folder: Path, **env: str) -> dict[str, dict[str, str]]:
    done = bayleaf("config", "show", "--json", HOME=str(folder), **env)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_defaults_lie_in_the_xdg_folders(tmp_path: Path) -> None:
    found = origins(tmp_path, XDG_DATA_HOME=str(tmp_path / "share"))
    assert found["store"] == {"value": f"{tmp_path}/share/bayleaf/mail.db", "from": "default"}
    assert found["data"] == {"value": f"{tmp_path}/.cache/bayleaf", "from": "default"}
    found = origins(tmp_path, XDG_DATA_HOME="share", XDG_CACHE_HOME="cache")
    assert found["store"]["value"] == f"{tmp_path}/.local/share/bayleaf/mail.db", "a relative folder is passed over"
    assert found["data"]["value"] == f"{tmp_path}/.cache/bayleaf"


def test_a_variable_goes_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / ".config" / "bayleaf" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('store = "/srv/a.db"\nnum_threads = 1\n')
    found = origins(tmp_path, BAYLEAF_STORE="/srv/b.db")
    assert found["store"] == {"value": "/srv/b.db", "from": "$BAYLEAF_STORE"}
    assert found["num_threads"] == {"value": "1", "from": str(file)}


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:hunter2@127.0.0.1:1/mail",
        "postgresql://ann:x/hunter2@127.0.0.1:1/mail",
        "postgresql://ann:x?hunter2@127.0.0.1:1/mail",
        "postgresql://ann:x@hunter2@127.0.0.1:1/mail",
        "postgresql://ann:%zz-hunter2@127.0.0.1:1/mail",
        "postgresql://ann:hunter2/x@127.0.0.1:1/mail",
        "postgresql://127.0.0.1:1/mail?user=ann&password=hunter2",
        "postgresql://127.0.0.1:1/mail?user=ann&pass%77ord=hunter2",
        "postgresql://127.0.0.1:1/mail?sslpassword=hunter2&nonsense=1",
        "mysql://ann:hunter2@db.example/mail",
    ],
)
def test_a_password_is_not_shown(address: str, tmp_path: Path) -> None:
    found = origins(tmp_path, BAYLEAF_STORE=address, BAYLEAF_SHARED=address)
    for name in ("store", "shared"):
        assert "***" in found[name]["value"]
        assert "hunter2" not in found[name]["value"]
    mistyped = ("serve", "--storee", address), ("mail", "learn", f"--storee={address}"), ("mail", "status", address)
    for words in (("doctor",), ("mail", "status"), ("serve", "--spamd", "nonsense"), *mistyped):
        done = bayleaf(*words, HOME=str(tmp_path), BAYLEAF_STORE=address)
        assert done.returncode != 0
        assert "hunter2" not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_a_password_in_a_setting_of_another_type_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('store = ["postgresql://ann:hunter2@127.0.0.1:1/mail"]\n')
    done = bayleaf("mail", "status", BAYLEAF_CONFIG=str(tmp_path / "my.toml"))
    assert "ann:***@127.0.0.1" in done.stderr
    assert "hunter2" not in done.stderr


def test_a_flag_goes_before_everything(tmp_path: Path) -> None:
    learn = ("mail", "learn", "--spam", _mail(tmp_path))
    done = bayleaf(*learn, "--store", str(tmp_path / "c.db"), BAYLEAF_STORE=str(tmp_path / "d.db"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "c.db").exists()
    assert not (tmp_path / "d.db").exists()


def test_the_file_names_the_store(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(f'store = "{tmp_path}/e.db"\n')
    done = bayleaf("mail", "learn", "--spam", _mail(tmp_path), BAYLEAF_CONFIG=str(tmp_path / "my.toml"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "e.db").exists()


def _mail(folder: Path) -> str:
    path = folder / "one.eml"
    path.write_text("Subject: offer\n\nbuy now\n")
    return str(path)


def test_what_the_file_may_not_say(tmp_path: Path) -> None:
    for text, told in (
        ("stoer = 1", "stoer"),
        ("store = true", "True"),
        ("store = ", "my.toml"),
        ("store = 5", "expected text"),
        ('store = ""', "expected text"),
        ('num_threads = "two"', "expected a whole number of at least 1"),
        ("num_threads = 0", "expected a whole number of at least 1"),
        ('spam_cutoff = "0.9"', "expected a number from 0.5 to 1"),
        ("spam_cutoff = 0.3", "expected a number from 0.5 to 1"),
        ("ham_cutoff = 10", "expected a number from 0 to 0.5"),
    ):
        (tmp_path / "my.toml").write_text(text)
        done = bayleaf("config", "show", BAYLEAF_CONFIG=str(tmp_path / "my.toml"))
        assert done.returncode == 1
        assert told in done.stderr
        assert done.stderr.count("\n") == 1
    done = bayleaf("config", "show", BAYLEAF_CONFIG=str(tmp_path / "none.toml"))
    assert done.returncode == 1
    assert "none.toml" in done.stderr
    done = bayleaf("config", "show", BAYLEAF_CONFIG="", XDG_CONFIG_HOME=str(tmp_path))
    assert done.returncode == 0, "empty is not set"


def test_a_file_that_is_read_anew_and_refused_leaves_all_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "my.toml"
    monkeypatch.setenv("BAYLEAF_CONFIG", str(file))
    for name in ("BAYLEAF_SPAM_CUTOFF", "BAYLEAF_HAM_CUTOFF"):
        monkeypatch.delenv(name, raising=False)
    file.write_text("spam_cutoff = 0.6\n")
    try:
        settings.configure()
        for wrong in ("ham_cutoff = 0.2\nspam_cutoff = 0.3", "spam_cutof = 0.7"):
            file.write_text(wrong)
            with pytest.raises(BayleafError), settings.renewed():
                pass
            assert os.environ.get("BAYLEAF_SPAM_CUTOFF") == "0.6"
            assert "BAYLEAF_HAM_CUTOFF" not in os.environ
        file.write_text("ham_cutoff = 0.2")
        with settings.renewed():
            assert "BAYLEAF_SPAM_CUTOFF" not in os.environ
        assert os.environ["BAYLEAF_HAM_CUTOFF"] == "0.2"
    finally:
        settings.forget()


@pytest.mark.parametrize("given", ["x", "0", "-1", "1.5"])
def test_a_number_of_threads_that_is_none_is_not_told_as_one(given: str) -> None:
    """The native core passes over it and takes that of OpenMP, else all cores."""
    told = json.loads(bayleaf("config", "show", "--json", BAYLEAF_NUM_THREADS=given, OMP_NUM_THREADS="").stdout)
    assert told["num_threads"] == {"value": "all cores", "from": "default"}
    told = json.loads(bayleaf("config", "show", "--json", BAYLEAF_NUM_THREADS=given, OMP_NUM_THREADS="1").stdout)
    assert told["num_threads"] == {"value": "1", "from": "$OMP_NUM_THREADS"}
    assert (
        f"BAYLEAF_NUM_THREADS is {given!r}, expected a whole number"
        in bayleaf("doctor", BAYLEAF_NUM_THREADS=given).stdout
    )


def test_the_doctor_finds_what_is_ill(tmp_path: Path) -> None:
    done = bayleaf("doctor", HOME=str(tmp_path))
    assert done.returncode == 0, done.stdout
    for extra in ("matplotlib", "psycopg", "pyarrow", "fastapi", "uvicorn", "pyspark"):
        assert f"  {extra} " in done.stdout
    (tmp_path / "broken.db").write_bytes(b"no database" * 999)
    done = bayleaf("doctor", "--json", HOME=str(tmp_path), BAYLEAF_STORE=str(tmp_path / "broken.db"))
    assert done.returncode == 1
    assert [line["check"] for line in json.loads(done.stdout) if line["state"] == "ill"] == ["mail store"]


def test_the_doctor_looks_for_room_where_the_store_is(tmp_path: Path) -> None:
    done = bayleaf("doctor", "--json", HOME=str(tmp_path), BAYLEAF_STORE=str(tmp_path / "not" / "yet" / "mail.db"))
    room = next(line for line in json.loads(done.stdout) if line["check"] == "space")
    assert room["found"].endswith(f"free in {tmp_path}")


def test_without_a_home_no_store_is_made_in_a_folder_called_tilde() -> None:
    """As for a user whom nobody entered anywhere: a path with ~ leads nowhere."""
    for words in (["mail", "learn", "--spam", "-"], ["mail", "status"]):
        done = bayleaf(*words, HOME="~", stdin="Subject: x\n\ny\n")
        assert done.returncode not in (0, 1, 2)
        assert "no home of this user, expected HOME to name it" in done.stderr
    told = {line["check"]: line["state"] for line in json.loads(bayleaf("doctor", "--json", HOME="~").stdout)}
    assert (told["mail store"], told["space"]) == ("ill", "note")


@contextmanager
def shut(folder: Path) -> Iterator[None]:
    """Meanwhile a folder that this process may not enter; root may enter all, so it is somebody else then."""
    folder.chmod(0)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o700)


def test_the_home_of_somebody_else_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sudo -u` and `runuser -u` keep HOME; every command was refused then, whatever it was told."""
    file = tmp_path / ".config" / "bayleaf" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('store = "/srv/a.db"\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with shut(tmp_path):
        settings.configure()
    assert not settings.TAKEN
    monkeypatch.setenv("BAYLEAF_CONFIG", str(file))
    with shut(tmp_path), pytest.raises(BayleafError, match=r"config\.toml cannot be read: permission denied"):
        settings.configure()
