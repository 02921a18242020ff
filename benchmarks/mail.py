"""The mail filter beside bogofilter, in one run on one core: accuracy, attacks, speed and size.

    python -m benchmarks.mail [--quick] [--out FILE]

Data: the SpamAssassin corpus, de-duplicated by body, shuffled by `random.Random(1)`; BAYLEAF_DATA names the folder with
its archive. bogofilter-bdb and bogofilter-sqlite are run when they are installed. Speed is CPU seconds of a process
that reads files and leaves a durable store, so that other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bayleaf.evaluate.goodwords import append, good_words, interleave
from bayleaf.evaluate.rates import Judged, rates, recall, steps
from bayleaf.evaluate.stream import Protocol
from bayleaf.mail import Filter, Verdict
from benchmarks.report import cpu

DATA = Path(os.environ.get("BAYLEAF_DATA", Path(__file__).parents[2] / "shared" / "data"))
FORMATS = ["-v", "--spamicity-formats=%0.20f,%0.20f,%0.20f", "--terse-format=%1.1c %p"]
READ = """
import sys
from bayleaf.mail import Filter
def mails():
    with open(sys.argv[2]) as listing:
        for line in listing:
            label, path = line.rstrip().split(" ", 1)
            with open(path, "rb") as file:
                yield file.read(), label
"""
LEARN = f"""{READ}
with Filter.open(sys.argv[1]) as f:
    f.train_many(mails())
"""
JUDGE = f"""{READ}
with Filter.open(sys.argv[1]) as f:
    for raw, _ in mails():
        f.judge(raw)
"""
TURNS = 3  # both sides in turn; the fastest of each counts
Mail = tuple[Path, bytes, str]


def corpus(folder: Path) -> list[Mail]:
    """The mails as files and bytes, each body once, in the fixed order."""
    with tarfile.open(DATA / "spamassassin.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    found, seen = [], set()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "cmds":
            raw = path.read_bytes()
            body = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[1:] or [b""]
            digest = hashlib.sha256(b" ".join(body[0].split())).digest()
            if digest not in seen:
                seen.add(digest)
                found.append((path, raw, "ham" if "ham" in path.parent.name else "spam"))
    random.Random(1).shuffle(found)
    return found


class Bogofilter:
    """One flavour with a folder of its own."""

    def __init__(self, flavour: str, folder: Path) -> None:
        self.program, self.folder = f"bogofilter-{flavour}", folder / flavour
        self.clear()

    def clear(self) -> None:
        """Forgets everything."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def __call__(self, *words: str, text: bytes = b"") -> bytes:
        call = [self.program, "-C", "-d", str(self.folder), *words]
        return subprocess.run(call, input=text, capture_output=True, check=False).stdout

    def judge(self, raw: bytes) -> tuple[str, float]:
        """Verdict and spamicity."""
        sign, score = (self("-t", *FORMATS, text=raw).split() or [b"U", b"0.52"])[:2]  # it refuses an empty word list
        return {b"S": "spam", b"H": "ham"}.get(sign, "unsure"), float(score)

    def learn(self, raw: bytes, label: str) -> None:
        self("-s" if label == "spam" else "-n", text=raw)

    def learn_list(self, mails: Sequence[Mail]) -> None:
        for label, flag in (("spam", "-s"), ("ham", "-n")):
            self(flag, "-b", text="".join(f"{path}\n" for path, _, of in mails if of == label).encode())

    def judge_list(self, mails: Sequence[Mail]) -> None:
        self("-T", "-b", text="".join(f"{path}\n" for path, _, _ in mails).encode())


class Table:
    """Rows are printed as they come and written at the end."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []

    def add(self, *cells: str) -> None:
        self.rows.append(cells)
        print(" | ".join(cells), flush=True)

    def write(self, path: Path, mails: Sequence[Mail]) -> None:
        size = sum(len(raw) for _, raw, _ in mails) / 1e6
        lines = [
            "# The mail filter beside bogofilter",
            "",
            f"{datetime.now(UTC):%Y-%m-%d}, {cpu()}, {platform.machine()}, Python {platform.python_version()}, "
            f"bogofilter 1.2.5, one core. {len(mails)} mails, {size:.1f} MB: SpamAssassin corpus, de-duplicated, "
            "`random.Random(1)`.",
            "Rates are in percent; speed is in mails per CPU second from files to a durable store.",
            "",
            "| what | bayleaf | bogofilter BDB | bogofilter SQLite | bar |",
            "|---|---|---|---|---|",
            *("| " + " | ".join(row) + " |" for row in self.rows),
            "",
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines), encoding="utf-8")


def accuracy(table: Table, mails: Sequence[Mail], rival: Bogofilter | None) -> None:
    """Judge, then learn, one at a time."""
    with Filter.open(":memory:", names=False) as f:
        ours = list(Protocol().run(f, [(raw, label) for _, raw, label in mails]))
    theirs = []
    for _, raw, label in mails if rival else []:
        verdict, score = rival.judge(raw)
        theirs.append(Judged(label == "spam", score, verdict, score))
        rival.learn(raw, label)
    a, b = rates(ours, 1000), rates(theirs, 1000) if theirs else {}
    bars = {"1-ROCA%": "at most 0.075", "recall@0.1%": "at least 90", "ECE": "at most 0.01"}
    bars |= {"unsure%": "below 5", "hm%": "at most 0.1"}
    for name, value in a.items():
        if name not in ("mails", "ham", "spam"):
            table.add(f"online, {name}", f"{value:.4f}", f"{b[name]:.4f}" if b else "", "", bars.get(name, ""))
    for start, end, bar in ((0, 50, "at most 20"), (50, 200, "at most 4")):
        wrong = [sum((m.probability >= 0.5) != m.spam for m in who[start:end]) for who in (ours, theirs) if who]
        shares = [100 * n / (end - start) for n in wrong]
        table.add(f"online, errors at P = 0.5 in mails {start + 1}-{end}, %", *cells(shares), bar)


def attacks(table: Table, mails: Sequence[Mail], rival: Bogofilter | None) -> None:
    """Learn nine tenths; the spam of the last tenth carries good words. Recall at 0.5 % ham loss."""
    cut = len(mails) * 9 // 10
    taught, held = mails[:cut], mails[cut:]
    kinds = [[raw for _, raw, label in taught if label == kind] for kind in ("ham", "spam")]
    words = good_words(kinds[0], kinds[1], 500)
    ways: dict[str, tuple[Callable[[bytes], bytes], str]] = {
        "clean": (lambda raw: raw, ""),
        "50 appended": (lambda raw: append(raw, words[:50]), "aim 90"),
        "500 appended": (lambda raw: append(raw, words), "aim 90"),
        "interleaved": (lambda raw: interleave(raw, words), "aim 75"),
    }
    with Filter.open(":memory:", names=False) as f:
        f.train_many((raw, label) for _, raw, label in taught)
        judges: list[Callable[[bytes], tuple[str, float]]] = [lambda raw: called(f.judge(raw))]
        if rival:
            rival.learn_list(taught)
            judges.append(rival.judge)
        for name, (change, bar) in ways.items():
            stream = [(change(raw) if label == "spam" else raw, label == "spam") for _, raw, label in held]
            answers = [[(spam, *judge(raw)) for raw, spam in stream] for judge in judges]
            shares = [100 * recall(steps([(spam, score) for spam, _, score in found]), 0.005) for found in answers]
            spams = sum(spam for _, spam in stream)
            passed = [100 * sum(spam and verdict == "ham" for spam, verdict, _ in found) / spams for found in answers]
            table.add(f"good words, {name}: recall at 0.5 % ham loss", *cells(shares), bar)
            table.add(f"good words, {name}: spam called ham, %", *cells(passed), "")


def called(verdict: Verdict) -> tuple[str, float]:
    return verdict.label, verdict.scores["spam"]


def cells(values: Sequence[object]) -> list[str]:
    """Three cells, the missing ones empty."""
    texts = [f"{value:.1f}" if isinstance(value, float) else str(value) for value in values]
    return [*texts, "", ""][:3]


def cost(call: Callable[..., object], *words: object) -> float:
    """CPU seconds of the processes that a call starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call(*words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def clock(call: Callable[..., object], *words: object) -> float:
    """Wall milliseconds of one call."""
    start = time.perf_counter()
    call(*words)
    return 1000 * (time.perf_counter() - start)


def python(*words: str) -> None:
    """A process of our own, with the bytecode that an installed package has."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "bayleaf-bytecode")
    subprocess.run([sys.executable, *words], capture_output=True, check=True, env=env)


def judge_alone(store: Path, path: str) -> None:
    code = "import sys; from bayleaf.cli.main import main; main(sys.argv[1:])"
    python("-c", code, "mail", "judge", "--store", str(store), path)


def learn_anew(store: Path, listing: Path) -> None:
    for place in (store, store.with_name(store.name + "-wal"), store.with_name(store.name + "-shm")):
        place.unlink(missing_ok=True)
    shutil.rmtree(store.with_name(store.name + "-runs"), ignore_errors=True)
    python("-c", LEARN, str(store), str(listing))


def speed(table: Table, mails: Sequence[Mail], rivals: Sequence[Bogofilter], folder: Path) -> None:
    """Bulk, and one process per mail."""
    listing, store = folder / "list", folder / "speed.db"
    listing.write_text("".join(f"{label} {path}\n" for path, _, label in mails))
    learn, judge = [], []
    for _ in range(TURNS):
        for rival in rivals:
            rival.clear()
        learn.append([cost(learn_anew, store, listing), *(cost(rival.learn_list, mails) for rival in rivals)])
        judges = (cost(rival.judge_list, mails) for rival in rivals)
        judge.append([cost(python, "-c", JUDGE, str(store), str(listing)), *judges])
    learn, judge = ([min(times) for times in zip(*turns, strict=True)] for turns in (learn, judge))
    for what, seconds, bar in (("learn", learn, 4), ("judge", judge, 5)):
        rate = [f"{len(mails) / s:,.0f}/s" for s in seconds]
        ratio = "".join(f"; ours is {s / seconds[0]:.2f}x" for s in seconds[1:2])
        table.add(f"{what} in bulk", *cells(rate), f"{bar}x of BDB{ratio}")
    sizes = [store.stat().st_size + sum(file.stat().st_size for file in (folder / "speed.db-runs").iterdir())]
    sizes += [sum(file.stat().st_size for file in rival.folder.iterdir()) for rival in rivals]
    each = [f"{size / 1e6:.1f} MB, {size / len(mails) / 1e3:.1f} kB a mail" for size in sizes]
    table.add("size after learning", *cells(each), "")
    some = [str(path) for path, _, _ in mails[:100]]
    ours = [clock(judge_alone, store, path) for path in some]
    theirs = [statistics.median(clock(rival, "-T", "-I", path) for path in some) for rival in rivals]
    bare = statistics.median(clock(python, "-c", "pass") for _ in some)
    times = [f"{statistics.median(ours):.1f} (`python -c pass`: {bare:.1f})", *theirs]
    table.add("one process per mail: judge, median wall ms", *cells(times), "")


def inside(table: Table, mails: Sequence[Mail], store: Path) -> None:
    """One learn and one judge in a process that is there already."""
    with Filter.open(store) as f:
        for _, raw, _ in mails[:200]:
            f.untrain(raw)
        learned = [clock(f.train, raw, label) for _, raw, label in mails[:200]]
    judged = []
    for _, raw, _ in mails[:200]:
        with Filter.open(store) as f:
            judged.append(clock(f.judge, raw))
    for what, times, bar in (("learn", learned, "below 5"), ("judge, store just opened", judged, "below 2")):
        times.sort()
        table.add(f"inside the process: {what}, median / p90 ms", f"{times[100]:.2f} / {times[180]:.2f}", "", "", bar)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--quick", action="store_true", help="no accuracy of bogofilter: it starts two processes per mail"
    )
    name = f"{datetime.now(UTC):%Y-%m-%d}-mail-{platform.machine()}.md"
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / name)
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    table = Table()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        mails = corpus(folder / "corpus")
        flavours = [flavour for flavour in ("bdb", "sqlite") if shutil.which(f"bogofilter-{flavour}")]
        rival = [Bogofilter(flavours[0], folder)] if flavours and not options.quick else [None]
        accuracy(table, mails, rival[0])
        attacks(table, mails, Bogofilter(flavours[0], folder) if flavours else None)
        speed(table, mails, [Bogofilter(flavour, folder) for flavour in flavours], folder)
        inside(table, mails, folder / "speed.db")
    table.write(options.out, mails)


if __name__ == "__main__":
    main()
