"""Nine tenths learned, the last tenth judged, its spam with good words: every filter there is."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

from bayleaf.evaluate.goodwords import append, good_words, interleave
from bayleaf.evaluate.rates import above_roc, recall, steps
from bayleaf.mail import Filter, Verdict
from benchmarks.mail_peers import Peer, peers
from benchmarks.mail_table import STORES, Table
from benchmarks.mails import Mail

WAYS = ("clean", "50 appended", "500 appended", "interleaved")
HEAD = ("filter", "1-ROCA%, clean", *(f"recall, {way}" for way in WAYS), *(f"called ham, {way}" for way in WAYS))
Answers = list[tuple[bool, str, float]]  # is it spam, what it was called, score


class Ours:
    """The filter of bayleaf, in memory."""

    name = "bayleaf"

    def __init__(self) -> None:
        self.filter = Filter.open(":memory:", names=False)

    def learn_list(self, mails: Sequence[Mail]) -> None:
        self.filter.train_many((raw, label) for _, raw, label in mails)

    def judge_files(self, paths: Sequence[Path]) -> list[tuple[str, float]]:
        return [called(self.filter.judge(path.read_bytes())) for path in paths]

    def stop(self) -> None:
        self.filter.close()


def called(verdict: Verdict) -> tuple[str, float]:
    return verdict.label, verdict.scores["spam"]


def held_out(table: Table, mails: Sequence[Mail], folder: Path) -> None:
    """One row a filter; those that could not be run are named."""
    cut = len(mails) * 9 // 10
    taught, held = mails[:cut], mails[cut:]
    kinds = [[raw for _, raw, label in taught if label == kind] for kind in ("ham", "spam")]
    laid = {way: lay_out(folder / way, held, change) for way, change in ways(good_words(*kinds, 500)).items()}
    others, missing = peers(folder, max(os.sched_getaffinity(0)))
    table.add_held(*HEAD)
    shares = {}
    for some in [[Ours() for _ in range(STORES)], *([other] for other in others)]:
        shares[some[0].name] = row(table, some, taught, held, laid)
    for name, why in missing.items():
        table.add_held(name, f"not run: {why}", *[""] * (len(HEAD) - 2))
        table.record.not_run[name] = why
    for name, found in shares.items():
        for way in WAYS if name != "bayleaf" else ():
            ratio = (100.5 - found[way]) / (100.5 - shares["bayleaf"][way])  # half a percent: nobody is without fault
            table.record.bar(
                f"held.{name.split(',')[0]}.{way.replace(' ', '-')}", f"spam missed, {way} – {name} to ours", ratio
            )


def ways(words: Sequence[str]) -> dict[str, Callable[[bytes], bytes]]:
    """What spammers do with good words."""
    return {
        "clean": lambda raw: raw,
        "50 appended": lambda raw: append(raw, words[:50]),
        "500 appended": lambda raw: append(raw, words),
        "interleaved": lambda raw: interleave(raw, words),
    }


def lay_out(folder: Path, held: Sequence[Mail], change: Callable[[bytes], bytes]) -> list[Path]:
    folder.mkdir()
    paths = [folder / f"{number:05}" for number in range(len(held))]
    for path, (_, raw, label) in zip(paths, held, strict=True):
        path.write_bytes(change(raw) if label == "spam" else raw)
    return paths


def row(
    table: Table, some: Sequence[Peer], taught: Sequence[Mail], held: Sequence[Mail], laid: dict[str, list[Path]]
) -> dict[str, float]:
    """Teaches and asks one filter, or several of which the means count; the recall in percent by what was done."""
    measured = [figures(one, taught, held, laid) for one in some]
    above, *means = map(fmean, zip(*measured, strict=True))
    shares, passed = dict(zip(WAYS, means, strict=False)), dict(zip(WAYS, means[len(WAYS) :], strict=True))
    name = some[0].name
    table.add_held(name, f"{above:.4f}", *(f"{mean:.1f}" for mean in means))
    for way in WAYS:
        key = f"held.{name.split(',')[0]}.{way.replace(' ', '-')}"
        table.record.figures |= {f"{key}.recall": round(shares[way], 2), f"{key}.called-ham": round(passed[way], 2)}
    return shares


def figures(one: Peer, taught: Sequence[Mail], held: Sequence[Mail], laid: dict[str, list[Path]]) -> list[float]:
    """Of one filter: (1-ROCA)%, then recall and what it called ham by what was done to the spam, all in percent."""
    one.learn_list(taught)
    answers: dict[str, Answers] = {}
    for way, paths in laid.items():
        found = one.judge_files(paths)
        answers[way] = [(label == "spam", *each) for (_, _, label), each in zip(held, found, strict=True)]
    one.stop()
    counts = {way: steps([(spam, score) for spam, _, score in found]) for way, found in answers.items()}
    shares = [100 * recall(counts[way], 0.005) for way in WAYS]
    return [100 * above_roc(counts["clean"]), *shares, *(100 * called_ham(answers[way]) for way in WAYS)]


def called_ham(answers: Answers) -> float:
    """The share of spam that was called ham."""
    spam = [verdict for is_spam, verdict, _ in answers if is_spam]
    return spam.count("ham") / len(spam)
