"""Leaning: what common words say beyond what their kind is worth.

An evidence table weighs kinds of evidence: all words that are as frequent and as strong are worth the same. Some are
worth more than that, some less, and some speak for a class that their counts do not show, for the words beside them.
Of the commonest words and pairs learned texts can tell: to the scores s of leave-one-out evidence they add

    L^-1/2 Σ_w ln(1 + x[w]) δ[w,c],

with δ[w,c] 0 ± 1, of greatest posterior given the labels: a logistic regression that begins where Naive Bayes ends. The
evidence does most of the work, so that little is left to learn, and 2,048 words are nearly as good as all (TRIED.md).
It is linear, so explanations still add up.

Leave-one-out scores and figures are those without leanings, a little worse than what new texts will show: leanings have
seen the label. Halves of the texts do not tell either, since each half is in the counts that the other is judged by.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from bayleaf.families.least import least
from bayleaf.logarithms import softmax

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from bayleaf.arrays import Array, Floats, Ints
    from bayleaf.families.evidence import EvidenceTable

    Sparse = sparse.csr_array

MOST = 2_048  # words and pairs
NUMBERS = 1 << 18  # of δ, some ten seconds of work: fewer words from 128 classes on
HELD = 5  # documents that hold each, at least
DOCUMENTS = 100  # below that there is nothing to gain
PIECES = 16  # of a product, for a few threads to share
STEPS = 20  # 40 take twice as long and give the same answers
DIGITS = 4  # of a δ that are kept: what follows hangs on the last bits of sums, and would fill a file


def most(k: int) -> int:
    """How many words may lean to so many classes."""
    return min(MOST, NUMBERS // k)


def said(counts: Sparse, tokens: Floats) -> Sparse:
    """L^-1/2 ln(1 + x) for sparse counts (n, m) of documents of so many tokens."""
    by_token = np.sqrt(np.repeat(tokens, np.diff(counts.indptr)))
    return sparse.csr_array((np.log1p(counts.data) / by_token, counts.indices, counts.indptr), shape=counts.shape)


def leaning(
    table: EvidenceTable, common: Array, heard: Sparse, scores: Floats, codes: Ints, pool: Executor
) -> EvidenceTable:
    """The table with what common words lean to, by what they said in documents of these scores and classes."""
    if len(codes) < DOCUMENTS or not len(common):
        return table
    rows = leanings(heard, scores, codes, pool).round(DIGITS)
    some = rows.any(axis=1)  # none of these documents may hold a word that others do
    return replace(table, common=tuple(common[some].tolist()), leanings=tuple(rows[some].ravel().tolist()))


def leanings(heard: Sparse, scores: Floats, codes: Ints, pool: Executor) -> Floats:
    """δ (m, k) for what words said (n, m) in documents with these scores (n, k) without them."""
    (n, m), k = heard.shape, scores.shape[1]
    rows, turned = np.arange(n), heard.T.tocsr()
    by_document, by_word = Pieces(heard, pool), Pieces(turned, pool)
    share = softmax(scores)[0]
    # In coordinates of the curvature at 0 a search takes half as many steps.
    unit = 1 / np.sqrt(1 + turned.multiply(turned) @ (share * (1 - share)))
    unit[:, np.setdiff1d(np.arange(k), codes)] = 0.0  # what is no answer here need not be unlikely

    def loss(point: Floats) -> tuple[float, Floats]:
        there = unit * point.reshape(m, k)
        share, log_share = softmax(scores + by_document @ there)
        value = -log_share[rows, codes].sum() + 0.5 * (there**2).sum()
        share[rows, codes] -= 1.0
        return float(value / n), (unit * (by_word @ share + there)).ravel() / n

    point, _ = least(loss, np.zeros(m * k), steps=STEPS)
    found: Floats = unit * point.reshape(m, k)
    return found


class Pieces:
    """A sparse matrix whose products are made by pieces of its rows: the same for any number of threads."""

    def __init__(self, matrix: Sparse, pool: Executor) -> None:
        size = max(-(-matrix.shape[0] // PIECES), 1)
        self._pieces = [matrix[start : start + size] for start in range(0, matrix.shape[0], size)]
        self._pool = pool

    def __matmul__(self, other: Floats) -> Floats:
        return np.concatenate(list(self._pool.map(lambda piece: piece @ other, self._pieces)))
