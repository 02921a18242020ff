"""bayleaf-bogofilter: recipes written for bogofilter work unchanged."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bogo import run
from letters import letter, letters

from bayleaf.cli.bogofilter import main
from bayleaf.cli.bogowords import LONG, SHORT
from bayleaf.mail import Filter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Filter.open(tmp_path / "bayleaf.db") as f:
        f.train_many(letters(20))
    return tmp_path


@pytest.mark.parametrize(("label", "code"), [("spam", 0), ("ham", 1)])
def test_exit_codes_are_bogofilters(folder: Path, label: str, code: int) -> None:
    assert run(folder, raw=letter(90, label)).returncode == code
    assert run(folder, "-p", "-e", raw=letter(90, label)).returncode == 0


def test_nothing_known_is_unsure_and_a_broken_store_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    Filter.open(tmp_path / "empty" / "bayleaf.db").close()
    assert run(tmp_path / "empty", raw=letter(1, "ham")).returncode == 2
    (tmp_path / "bayleaf.db").write_bytes(b"no database" * 999)
    done = run(tmp_path, "-p", raw=letter(1, "ham"))
    assert done.returncode == 3
    assert done.stdout == letter(1, "ham"), "the mail goes on"


def test_a_store_is_made_to_learn_and_never_to_judge(tmp_path: Path) -> None:
    done = run(tmp_path / "new", "-p", raw=letter(1, "ham"))
    assert (done.returncode, done.stdout) == (3, letter(1, "ham")), "as bogofilter, but the mail goes on"
    assert b"there is no store at" in done.stderr
    assert not (tmp_path / "new").exists()
    assert run(tmp_path / "new", "-u", raw=letter(1, "ham")).returncode == 2, "-u may learn"
    assert run(tmp_path / "other", "-s", raw=letter(1, "spam")).returncode == 0


def test_passthrough_adds_the_header_behind_the_others(folder: Path) -> None:
    raw = letter(90, "spam")
    done = run(folder, "-p", "-u", raw=raw.replace(b"To:", b"X-Bogosity: Ham, tests=forged\nTo:", 1))
    head, _, body = done.stdout.partition(b"\n\n")
    assert head.splitlines()[-1].startswith(b"X-Bogosity: Spam, tests=bogofilter, spamicity=0.")
    assert head.count(b"X-Bogosity") == 1
    assert body == raw.partition(b"\n\n")[2]
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (21, 20), "-u learns"


def test_learn_correct_and_take_back(folder: Path) -> None:
    assert run(folder, "-s", raw=letter(90, "spam")).returncode == 0
    assert run(folder, "-Sn", raw=letter(90, "spam")).returncode == 0
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (20, 21)
    assert run(folder, "-N", raw=letter(90, "spam")).returncode == 0
    again = run(folder, "-N", raw=letter(90, "spam"))
    assert again.returncode == 0, "bogofilter takes back whatever it is given"
    assert again.stderr.endswith(b"this mail is not known as ham: nothing was taken back\n")
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (20, 20)
        f.check()


def test_a_mail_is_corrected_at_once_or_not_at_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    (folder / "one").write_bytes(letter(1, "ham"))
    monkeypatch.setattr(Filter, "train", interrupted)
    assert main(["-d", str(folder), "-Ns", "-I", str(folder / "one")]) == 3
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.knows(f.read(letter(1, "ham"))) == "ham", "taken back, and nothing instead"


def test_verbose_terse_and_lists(folder: Path, tmp_path: Path) -> None:
    assert run(folder, "-v", raw=letter(90, "ham")).stdout.startswith(b"X-Bogosity: Ham, tests=bogofilter")
    assert b"for spam" in run(folder, "-vvv", raw=letter(90, "spam")).stdout
    assert run(folder, "-T", raw=letter(90, "spam")).stdout[:2] == b"S "
    (tmp_path / "one").write_bytes(letter(91, "spam"))
    done = run(folder, "-T", "-b", raw=str(tmp_path / "one").encode())
    assert done.stdout.startswith(str(tmp_path / "one").encode() + b" S ")
    assert run(folder, "-T", "-I", str(tmp_path / "one")).returncode == 0


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_reasons_stand_in_the_header_and_never_in_the_text_of_a_mail(folder: Path, end: bytes) -> None:
    raw = letter(90, "spam").replace(b"\n", end)
    head, _, body = run(folder, "-p", "-vvv", raw=raw).stdout.partition(end + end)
    assert body == raw.partition(end + end)[2]
    ours = head.removeprefix(raw.partition(end + end)[0] + end)
    assert ours.startswith(b"X-Bogosity: Spam")
    lines = ours.split(end)[1:]
    assert lines[0].split()[:2] == [b"for", b"spam"]
    assert lines[-1].split()[-1] == b"score"
    assert all(line.startswith(b"  ") for line in lines), "they are a part of the field"


@pytest.mark.parametrize(
    "words", [("-l", "-p"), ("-p", "-L", "tag"), ("-p", "-s"), ("-p", "-U"), ("--passthrough", "--spam-cutoff=0.9")]
)
def test_the_mail_is_passed_on_whatever_comes_with_p(folder: Path, words: tuple[str, ...]) -> None:
    raw = letter(90, "spam")
    done = run(folder, *words, raw=raw)
    assert done.returncode == 0, done.stderr
    head, _, body = done.stdout.partition(b"\n\n")
    assert head.rpartition(b"\n")[0] == raw.partition(b"\n\n")[0]
    assert body == raw.partition(b"\n\n")[2]


def test_a_word_that_bogofilter_does_not_know_is_an_error_and_the_mail_goes_on(folder: Path) -> None:
    done = run(folder, "-p", "-Z", raw=letter(90, "spam"))
    assert (done.returncode, done.stdout) == (3, letter(90, "spam"))


def test_e_is_0_for_an_unsure_mail_too(tmp_path: Path) -> None:
    Filter.open(tmp_path / "bayleaf.db").close()
    done = run(tmp_path, "-p", "-e", raw=letter(1, "ham"))
    assert b"X-Bogosity: Unsure" in done.stdout
    assert done.returncode == 0, "procmail would put it back in the queue"


def test_what_has_a_label_of_its_own_is_good_mail(tmp_path: Path) -> None:
    with Filter.open(tmp_path / "bayleaf.db") as learner:
        learner.train_many((raw, "work" if label == "ham" else label) for raw, label in letters(30))
    done = run(tmp_path, "-v", raw=letter(90, "ham"))
    assert (done.returncode, done.stdout.split(b",")[0]) == (1, b"X-Bogosity: Ham")


def test_an_mbox_stays_one_and_is_learned_mail_by_mail(folder: Path, tmp_path: Path) -> None:
    line = b"From somebody Thu Jan  1 10:00:00 2026\n"
    box = b"".join(line + letter(at, "spam").rstrip(b"\n") + b"\n>From here on\n\n" for at in (91, 92, 93))
    done = run(folder, "-M", "-p", raw=box)
    assert re.sub(rb"X-Bogosity:[^\n]*\n", b"", done.stdout) == box
    assert done.stdout.count(b"X-Bogosity: Spam") == 3
    assert run(folder, "-s", raw=box).returncode == 0
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (23, 20)
    for _ in range(2):
        run(folder, "-M", "-p", "-O", str(tmp_path / "out"), raw=box)
    assert (tmp_path / "out").read_bytes().count(line) == 3, "the second run writes anew"


@pytest.mark.skipif(shutil.which("bogofilter") is None, reason="bogofilter is not installed")
def test_the_options_take_arguments_where_bogofilters_do() -> None:
    said = subprocess.run(["bogofilter", "-h"], capture_output=True, text=True, check=False)
    lines = re.findall(r"^  -(\w), --([\w-]+)(=?)", said.stdout + said.stderr, re.MULTILINE)
    assert len(lines) > 25
    for letter_, name, takes in lines:
        if letter_ not in "By":  # -B is followed by names, and the help is silent about -y
            assert (f"{letter_}:" in SHORT) == bool(takes), letter_
        assert LONG.get(name, letter_) == letter_


def test_cutoffs_of_one_call(folder: Path) -> None:
    raw = letter(90, "spam")
    share = float(run(folder, "-t", raw=raw).stdout.split()[1])
    assert 0.95 < share < 1
    assert run(folder, "-o", "1.0", raw=raw).returncode == 2
    assert run(folder, "--spam-cutoff=1.0,0.3", raw=raw).returncode == 2
    assert run(folder, "-o", "0.6,0.4", raw=raw).returncode == 0
    done = run(folder, "-p", "-o", "95", raw=raw)
    assert (done.returncode, done.stdout) == (3, raw)
    assert b"expected a probability of spam from 0.5 to 1" in done.stderr


@pytest.mark.parametrize("words", [("-p", "-e", "some.eml"), ("-pe", "missing")])
def test_a_name_without_b_is_refused_and_the_mail_on_standard_input_goes_on(
    folder: Path, words: tuple[str, ...]
) -> None:
    done = run(folder, *words, raw=letter(90, "spam"))
    assert (done.returncode, done.stdout) == (3, letter(90, "spam")), "bogofilter: Extra arguments given"
    assert b"expected -B before names of mails" in done.stderr


@pytest.mark.parametrize("value", [("--spam-cutoff", "0.9"), ("--use-syslog",), ("--config-file", "x", "--query")])
def test_a_long_option_may_have_its_value_in_the_next_word(folder: Path, value: tuple[str, ...]) -> None:
    done = run(folder, "-p", "-e", *value, raw=letter(90, "spam"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"X-Bogosity: Spam" in done.stdout


@pytest.mark.parametrize("option", [("-d", ""), ("--bogofilter-dir=",), ("-I", ""), ("--output-file=", "-v")])
def test_an_option_with_an_empty_name_is_refused_and_the_mail_goes_on(folder: Path, option: tuple[str, ...]) -> None:
    done = run(folder, "-p", *option, raw=letter(90, "spam"))
    assert (done.returncode, done.stdout) == (3, letter(90, "spam"))
    assert b"with an empty name, expected a f" in done.stderr


def test_a_missing_file_is_an_error_and_not_spam(folder: Path) -> None:
    for flag in ("-v", "-s"):
        assert run(folder, flag, "-B", str(folder / "missing")).returncode == 3


def test_a_mail_that_cannot_be_judged_goes_where_it_was_to_go(folder: Path, tmp_path: Path) -> None:
    done = run(folder / "none", "-p", "-O", str(tmp_path / "out"), raw=letter(90, "spam"))
    assert (done.returncode, done.stdout) == (3, b"")
    assert (tmp_path / "out").read_bytes() == letter(90, "spam")


@pytest.mark.parametrize("field", ["Subject: a\n b", "Subject: a\r\n b", "Subject: a b"])
def test_a_last_field_without_an_end_stays_a_field(folder: Path, field: str) -> None:
    out = run(folder, "-p", raw=field.encode()).stdout
    end = b"\r\n" if b"\r\n" in out else b"\n"
    assert out.startswith(field.encode() + end + b"X-Bogosity: ")
    forged = run(folder, "-p", raw=field.encode() + end + b"X-Bogosity: Ham, forged").stdout
    assert b"forged" not in forged


def test_the_shared_store_counts_as_in_every_other_command(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAYLEAF_SHARED", str(folder / "bayleaf.db"))
    assert run(tmp_path / "user", raw=letter(90, "spam")).returncode == 0, "judged by the shared store alone"
    assert not (tmp_path / "user").exists()
    assert run(tmp_path / "user", "-N", raw=letter(1, "ham")).returncode == 3, "from which nothing is taken back"
    assert run(tmp_path / "user", "-n", raw=letter(91, "ham")).returncode == 0
    with Filter.open(folder / "bayleaf.db") as shared, Filter.open(tmp_path / "user/bayleaf.db", shared=shared) as user:
        assert shared.store.state().totals == (20, 20)
        assert user.evidence().totals == (20, 21)


@pytest.mark.parametrize("words", ["-sn", "-SN", "-sS", "-nN", "-us", "-uS"])
def test_options_that_exclude_each_other_are_refused_before_anything_is_learned(folder: Path, words: str) -> None:
    done = run(folder, words, "-p", raw=letter(1, "spam"))
    assert (done.returncode, done.stdout) == (3, letter(1, "spam"))
    assert f"found -{words[1]} and -{words[2]}, expected one of them" in done.stderr.decode()
    with Filter.open(folder / "bayleaf.db") as f:
        assert f.store.state().totals == (20, 20)


def test_e_without_p_is_0_as_well(folder: Path) -> None:
    assert run(folder, "-e", raw=letter(90, "ham")).returncode == 0
    assert run(folder / "none", "-e", raw=letter(90, "ham")).returncode == 3


@pytest.mark.parametrize("words", [("--update-as-scored", "--spam-cutoff=0.9"), ("-p", "-I", "missing")])
def test_a_mail_is_not_passed_on_by_others_words_or_from_elsewhere(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "bayleaf.db").write_bytes(b"no database" * 999)
    done = run(folder, *words, raw=letter(90, "spam"))
    assert (done.returncode, done.stdout) == (3, b"")


@pytest.mark.parametrize(("word", "said"), [("-h", b": the options"), ("--help", b": the options"), ("-V", b" 0.")])
def test_help_is_no_verdict_and_needs_no_mail(tmp_path: Path, word: str, said: bytes) -> None:
    done = run(tmp_path, word, raw=letter(90, "ham"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"bayleaf-bogofilter" + said)


@pytest.mark.parametrize("forged", [b"x-bogosity : Ham", b"X-Bogosity\t: Ham,\n\tsurely", b"\rX: y\nX-Bogosity: Ham"])
def test_a_forged_line_goes_however_it_is_written(folder: Path, forged: bytes) -> None:
    out = run(folder, "-p", raw=b"Subject: a\n" + forged + b"\nTo: b\n\nbody\n").stdout
    assert b"Ham" not in out
    assert b"surely" not in out
    assert out.count(b"X-Bogosity") == 1


@pytest.mark.parametrize("words", [("-d",), ("-I",), ("-O",), ("-B",), ()])
def test_an_address_where_a_file_is_expected_is_refused_without_its_password(
    folder: Path, words: tuple[str, ...]
) -> None:
    done = run(folder, "-p", *words, "postgresql://ann:secret@127.0.0.1:1/mail", raw=b"Subject: a\n\nb\n")
    assert (done.returncode, done.stdout) == (3, b"" if "-B" in words else b"Subject: a\n\nb\n")
    assert b"postgresql://ann:***@127.0.0.1:1/mail" in done.stderr
    assert b"secret" not in done.stderr
