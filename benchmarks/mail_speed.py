"""Speed and size of the mail filter and of bogofilter; a part of ``python -m benchmarks mail``."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bayleaf.mail import Filter
from benchmarks.bogofilter import Bogofilter
from benchmarks.mail_table import Table, cells
from benchmarks.mails import Mail

READ = """
import sys
from bayleaf.mail import Filter
def mails():
    with open(sys.argv[2]) as listing:
        for line in listing:
            label, path = line.rstrip().split(" ", 1)
            with open(path, "rb", buffering=0) as file:
                yield file.read(), label
"""
LEARN = f"""{READ}
with Filter.open(sys.argv[1]) as f:
    f.train_many(mails())
"""
JUDGE = f"""{READ}
with Filter.open(sys.argv[1]) as f:
    for _ in f.judge_many(raw for raw, _ in mails()):
        pass
"""
TURNS = 3  # both sides in turn; the fastest of each counts


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


def python(*words: str, fine: Sequence[int] = (0,)) -> None:
    """A process of our own, with the bytecode that an installed package has."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "bayleaf-bytecode")
    done = subprocess.run([sys.executable, *words], capture_output=True, check=False, env=env)
    if done.returncode not in fine:
        done.check_returncode()


def judge_alone(store: Path, path: str) -> None:
    code = "import sys; from bayleaf.cli.main import main; sys.exit(main())"  # as the installed command has it
    python("-c", code, "mail", "judge", "--store", str(store), path, fine=(0, 1, 2))  # ham, spam, unsure


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
    for what, turns, bar in (("learn", learn, 4), ("judge", judge, 5)):
        sides = [[len(mails) / took for took in side] for side in zip(*turns, strict=True)]
        rate = [f"{max(side):,.0f}/s ({min(side):,.0f}–{max(side):,.0f})" for side in sides]
        ratios = [max(sides[0]) / max(side) for side in sides[1:]]
        table.add(
            f"{what} in bulk", *cells(rate), "".join([f"{bar}x of BDB", *(f"; ours is {r:.2f}x" for r in ratios[:1])])
        )
        for rival, ratio, side in zip(rivals, ratios, sides[1:], strict=True):
            goal = bar if rival.program.endswith("bdb") else None
            table.record.bar(f"{what}.{rival.program}", f"{what} in bulk – {rival.program}", ratio, goal)
            table.record.runs[f"{what}.{rival.program}"] = {"ours": sides[0], "theirs": side}
    sizes = [store.stat().st_size + sum(file.stat().st_size for file in (folder / "speed.db-runs").iterdir())]
    sizes += [sum(file.stat().st_size for file in rival.folder.iterdir()) for rival in rivals]
    each = [f"{size / 1e6:.1f} MB, {size / len(mails) / 1e3:.1f} kB a mail" for size in sizes]
    table.add("size after learning", *cells(each), "")
    for rival, size in zip(rivals, sizes[1:], strict=True):
        table.record.bar(f"size.{rival.program}", f"size of the store – {rival.program} to ours", size / sizes[0])
    some = [str(path) for path, _, _ in mails[:100]]
    ours = [clock(judge_alone, store, path) for path in some]
    theirs = [statistics.median(clock(rival, "-T", "-I", path) for path in some) for rival in rivals]
    bare = statistics.median(clock(python, "-c", "pass") for _ in some)
    times = [f"{statistics.median(ours):.1f} (`python -c pass`: {bare:.1f})", *theirs]
    table.add("one process per mail: judge, median wall ms", *cells(times), "")
    for rival, took in zip(rivals, theirs, strict=True):
        ratio = took / statistics.median(ours)
        table.record.bar(f"process.{rival.program}", f"one process per mail, judge – {rival.program}", ratio)


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
        table.add(
            f"inside the process: {what}, median / p90 ms",
            f"{times[len(times) // 2]:.2f} / {times[9 * len(times) // 10]:.2f}",
            "",
            "",
            bar,
        )
