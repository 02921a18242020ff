"""The daemon under load beside spamd and rspamd, in one run: the daemon on one core, two clients on the other.

    python -m benchmarks service [--out FILE] [--mails N] [--memory N]

Data: the SpamAssassin corpus as in `benchmarks.mail`; every other mail is learned, the rest is asked about. Peers are
measured when they are installed (Debian: spamc, spamd, rspamd; as root, `make bench-service` installs them). Wall time
depends on what else the machine does, so the CPU seconds of the daemon are given as well.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks import daemons
from benchmarks.mails import corpus
from benchmarks.place import place
from benchmarks.record import Record
from benchmarks.report import slug

HEAD = ("daemon", "client", "mails/s", "p50 ms", "p99 ms", "mails per CPU second", "MB before, after", "goal")
CLIENTS = 2


def load(daemon: daemons.Served, kind: str, listing: Path, count: int) -> tuple[str, ...]:
    """A row: so many mails asked by two clients at once, or by spamc one after another."""
    number = 1 if kind == "spamc" else CLIENTS
    core = max(os.sched_getaffinity(0))
    command = ["taskset", "-c", str(core), sys.executable, "-m", "benchmarks.load", kind, daemon.address, str(listing)]
    clients = [
        subprocess.Popen([*command, str(count // number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(number)
    ]
    for client in clients:
        assert client.stdout is not None
        assert client.stdout.readline() == "ready\n"
    cpu, memory = daemon.cpu(), daemon.memory()
    for client in clients:
        assert client.stdin is not None
        client.stdin.write("go\n")
        client.stdin.flush()
    found = [json.loads(client.communicate()[0]) for client in clients]
    cpu = daemon.cpu() - cpu
    took = sorted(1000 * each for client in found for each in client["took"])
    rate = len(took) / max(client["seconds"] for client in found)
    p50, p99 = took[len(took) // 2], took[int(0.99 * len(took))]
    return (
        f"{rate:,.0f}",
        f"{p50:.2f}",
        f"{p99:.2f}",
        f"{len(took) / max(cpu, 0.01):,.0f}",
        f"{memory:.0f}, {daemon.memory():.0f}",
    )


def rows(folder: Path, count: int, endurance: int) -> list[tuple[str, ...]]:
    mails = corpus(folder / "corpus")
    learned, asked = mails[::2], mails[1::2]
    listing = folder / "asked"
    listing.write_text("".join(f"{path}\n" for path, _, _ in asked))
    core, table = min(os.sched_getaffinity(0)), []

    def measure(daemon: daemons.Served, kind: str, client: str, most: int, goal: str = "") -> None:
        load(daemon, kind, listing, max(most // 20, CLIENTS))  # warm
        row = (daemon.name, client, *load(daemon, kind, listing, most), goal)
        table.append(row)
        print(" | ".join(row), flush=True)

    ours = daemons.bayleaf(folder, learned, core)
    measure(ours, "kept", "one connection", count, "1,500/s, p99 below 10 ms")
    measure(ours, "spamd", "one connection per mail", count)
    if shutil.which("spamc"):
        measure(ours, "spamc", "spamc, one process after another", count // 8, "p50 below 5 ms")
    if endurance:
        measure(ours, "kept", f"{endurance:,} mails", endurance, "memory flat")
    ours.stop()
    both, spamd = daemons.bayleaf_web(folder, core)
    measure(both, "http", "HTTP, one connection", count, "1,000/s")
    both.address = spamd
    measure(both, "kept", "one connection, with history", count)
    both.stop()
    for peer, kind in ((daemons.spamd, "spamd"), (daemons.rspamd, "rspamd")):
        theirs = peer(folder, learned, core)
        if theirs is None:
            table.append((kind, "not run: it is not installed", *[""] * (len(HEAD) - 2)))
        else:
            measure(theirs, kind, "one connection" if kind == "rspamd" else "one connection per mail", count // 20)
            theirs.stop()
    return table


def write(path: Path, table: Sequence[Sequence[str]]) -> None:
    record = Record("The daemon under load")
    remember(record, table)
    lines = [
        f"# {record.title}",
        "",
        record.setting(),
        "",
        (__doc__ or "").split("\n\n")[2].strip(),
        "",
        "| " + " | ".join(HEAD) + " |",
        "|" + "---|" * len(HEAD),
        *("| " + " | ".join(row) + " |" for row in table),
        "",
        *record.write(path),
    ]
    path.write_text("\n".join(lines), encoding="utf-8")


def remember(record: Record, table: Sequence[Sequence[str]]) -> None:
    """Rates and times by row, and how many times as many mails as each peer, per CPU second."""
    numbers = {}
    for row in table:
        key = slug(f"{row[0].partition(' ')[0]} {row[1]}")
        if row[2]:
            each, p50, p99, cpu = (float(cell.replace(",", "")) for cell in row[2:6])
            record.figures |= {
                f"{key}.per-s": each,
                f"{key}.p50-ms": p50,
                f"{key}.p99-ms": p99,
                f"{key}.per-cpu-s": cpu,
            }
            numbers[row[0], row[1]] = cpu
        else:
            record.not_run[row[0]] = row[1].removeprefix("not run: ")
    for (name, client), cpu in numbers.items():
        if name != "bayleaf":
            ratio = numbers["bayleaf", client] / cpu
            record.bar(slug(f"{name.partition(' ')[0]} ratio"), f"mails per CPU second – {name}, {client}", ratio)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=place("service"))
    parser.add_argument("--mails", type=int, default=8000)
    parser.add_argument("--memory", type=int, default=100_000, help="mails of the endurance run; 0 leaves it out")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        table = rows(Path(folder), options.mails, options.memory)
    write(options.out, table)
