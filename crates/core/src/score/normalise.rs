//! From joint scores to posteriors, in place.

use crate::{Fault, parallel};

/// What is written over the joint scores.
#[derive(Clone, Copy, PartialEq)]
pub enum Posterior {
    /// ln P(c | x)
    Log,
    /// P(c | x)
    Plain,
}

/// Turns each row of `k` joint scores into its posterior. A row that is impossible under every class (−inf
/// throughout) becomes the prior; the number of such rows is returned.
pub fn normalise(
    joint: &mut [f64],
    k: usize,
    log_prior: &[f64],
    form: Posterior,
    threads: usize,
) -> Result<usize, Fault> {
    if log_prior.len() != k {
        return Err(Fault::Length(log_prior.len(), k));
    }
    let entries = joint.len() * 8; // an exponential costs about as much as eight additions
    let impossible = parallel::by_rows(joint, k, entries, threads, |_, part| {
        part.chunks_exact_mut(k).filter_map(|row| row_posterior(row, log_prior, form)).count()
    });
    Ok(impossible.iter().sum())
}

/// Some(()) when the row was impossible.
fn row_posterior(row: &mut [f64], log_prior: &[f64], form: Posterior) -> Option<()> {
    let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if top == f64::NEG_INFINITY {
        for (cell, prior) in row.iter_mut().zip(log_prior) {
            *cell = if form == Posterior::Plain { prior.exp() } else { *prior };
        }
        return Some(());
    }
    match form {
        Posterior::Log => {
            let total: f64 = row.iter().map(|score| exp(score - top)).sum();
            let log_total = top + total.ln();
            row.iter_mut().for_each(|score| *score -= log_total);
        }
        Posterior::Plain => {
            row.iter_mut().for_each(|score| *score = exp(*score - top));
            let share = 1.0 / row.iter().sum::<f64>();
            row.iter_mut().for_each(|score| *score *= share);
        }
    }
    None
}

/// exp, without asking the library for 1 and 0: the usual cases, the best class and those far behind it.
#[inline(always)]
fn exp(score: f64) -> f64 {
    if score == 0.0 {
        1.0
    } else if score < -745.2 {
        0.0
    } else {
        score.exp()
    }
}
