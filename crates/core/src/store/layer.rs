//! The few derived numbers: what each input is worth, fitted on scores made before the label was known.
//!
//! ```text
//! s_c = b_c + ½ Σ_i v_i a_ic        P(c) = exp(s_c) / Σ exp(s)        P(told c) = (1 − ε) P(c) + ε / labels
//! ```
//!
//! Some mails are told wrongly. A share ε of the labels says nothing, or a few of them would cost all probabilities their
//! sureness: with one label of twenty wrong, a quarter of the mail would be called neither spam nor ham (TRIED.md). Robust
//! logistic regression, as in Copas, JRSS B 1988, by steps of expectation and of maximisation.
//!
//! v, b and ε maximise the posterior: v around `centre` with precision `precision`, b around 0 with twice that, which for
//! two labels is one logistic regression whose intercept has precision `precision`, and ε as if [`RIGHT`] mails had
//! been told rightly before.

/// One mail: its label and the clipped inputs, one after the other, for as many labels as there were then.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The label it turned out to have.
    pub label: usize,
    /// By input and label.
    pub means: Vec<f64>,
}

/// The prior of the fit.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of labels.
    pub labels: usize,
    /// Prior mean of v.
    pub centre: f64,
    /// Prior precision of v.
    pub precision: f64,
}

/// Steps: twenty are usual where labels are right, fifty where many are wrong.
const STEPS: usize = 100;
/// A fall of the objective that is worth no further step, as a share of it.
const ENOUGH: f64 = 1e-10;
/// Mails told rightly that are known before: few wrong ones are not told from hard ones.
const RIGHT: f64 = 98.0;
/// The share of labels that say nothing, where the search begins.
const WRONG: f64 = 0.02;

/// Where the search is.
#[derive(Clone, Debug)]
struct Point {
    /// v, then b.
    at: Vec<f64>,
    /// ε.
    wrong: f64,
}

/// What a step needs to know of the objective.
struct Slopes {
    gradient: Vec<f64>,
    curvature: Vec<Vec<f64>>,
    /// How many of the labels say nothing, as far as can be told.
    doubted: f64,
}

impl Layer {
    /// v and b. Pairs whose label or shape does not fit are left out.
    pub fn fit(&self, pairs: &[Pair]) -> (Vec<f64>, Vec<f64>) {
        let pairs: Vec<&Pair> = pairs.iter().filter(|pair| self.takes(pair)).collect();
        let mut point = Point { at: self.prior(), wrong: WRONG };
        let mut here = self.loss(&point, &pairs);
        for _ in 0..STEPS {
            let Slopes { gradient, curvature, doubted } = self.slopes(&point, &pairs);
            let Some(step) = solve(curvature, gradient) else { break };
            let wrong = doubted / (pairs.len() as f64 + RIGHT);
            let mut share = 1.0;
            let better = loop {
                let at = point.at.iter().zip(&step).map(|(x, d)| x - share * d).collect();
                let next = Point { at, wrong };
                let there = self.loss(&next, &pairs);
                if there < here {
                    break Some((next, there));
                }
                share /= 2.0;
                if share < 1e-6 {
                    break None;
                }
            };
            let Some((next, there)) = better else { break };
            let gain = here - there;
            (point, here) = (next, there);
            if gain < ENOUGH * here.abs() {
                break;
            }
        }
        let b = point.at.split_off(self.inputs);
        (point.at, b)
    }

    fn takes(&self, pair: &Pair) -> bool {
        let labels = pair.means.len() / self.inputs.max(1);
        pair.label < labels && labels <= self.labels
    }

    fn prior(&self) -> Vec<f64> {
        let mut prior = vec![self.centre; self.inputs];
        prior.resize(self.inputs + self.labels, 0.0);
        prior
    }

    fn precision(&self, at: usize) -> f64 {
        if at < self.inputs { self.precision } else { 2.0 * self.precision }
    }

    /// ∂s_c / ∂θ for each label the pair knew, one row after the other.
    fn rows(&self, pair: &Pair, rows: &mut Vec<f64>) -> usize {
        let labels = pair.means.len() / self.inputs.max(1);
        rows.clear();
        for c in 0..labels {
            rows.extend(pair.means.iter().skip(c).step_by(labels).take(self.inputs).map(|a| a / 2.0));
            rows.extend((0..self.labels).map(|other| f64::from(u8::from(other == c))));
        }
        labels
    }

    /// Writes P per label, for scores that are linear in these rows.
    fn shares(at: &[f64], rows: &[f64], shares: &mut Vec<f64>) {
        shares.clear();
        shares.extend(rows.chunks_exact(at.len().max(1)).map(|x| x.iter().zip(at).map(|(x, t)| x * t).sum::<f64>()));
        let top = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        shares.iter_mut().for_each(|s| *s = (*s - top).exp());
        let all: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|s| *s /= all);
    }

    fn loss(&self, Point { at, wrong }: &Point, pairs: &[&Pair]) -> f64 {
        let off = at.iter().zip(self.prior()).enumerate();
        let prior: f64 = off.map(|(i, (x, centre))| 0.5 * self.precision(i) * (x - centre).powi(2)).sum();
        let (mut rows, mut shares) = (Vec::new(), Vec::new());
        let told = |pair: &&Pair| {
            let labels = self.rows(pair, &mut rows);
            Self::shares(at, &rows, &mut shares);
            let right = shares.get(pair.label).copied().unwrap_or(0.0);
            -((1.0 - wrong) * right + wrong / labels as f64).max(f64::MIN_POSITIVE).ln()
        };
        prior + pairs.iter().map(told).sum::<f64>() - RIGHT * (1.0 - wrong).ln()
    }

    fn slopes(&self, Point { at, wrong }: &Point, pairs: &[&Pair]) -> Slopes {
        let size = at.len();
        let off = at.iter().zip(self.prior()).enumerate();
        let mut gradient: Vec<f64> = off.map(|(i, (x, centre))| self.precision(i) * (x - centre)).collect();
        let mut curvature: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| if i == j { self.precision(i) } else { 0.0 }).collect()).collect();
        let (mut rows, mut shares, mut mean, mut doubted) = (Vec::new(), Vec::new(), vec![0.0; size], 0.0);
        for pair in pairs {
            let labels = self.rows(pair, &mut rows);
            Self::shares(at, &rows, &mut shares);
            let right = (1.0 - wrong) * shares.get(pair.label).copied().unwrap_or(0.0);
            let trust = right / (right + wrong / labels as f64).max(f64::MIN_POSITIVE);
            doubted += 1.0 - trust;
            mean.fill(0.0);
            for (c, (x, share)) in rows.chunks_exact(size).zip(&shares).enumerate() {
                mean.iter_mut().zip(x).for_each(|(mean, x)| *mean += share * x);
                add_square(&mut curvature, x, trust * share);
                if c == pair.label {
                    gradient.iter_mut().zip(x).for_each(|(slope, x)| *slope -= trust * x);
                }
            }
            gradient.iter_mut().zip(&mean).for_each(|(slope, mean)| *slope += trust * mean);
            add_square(&mut curvature, &mean, -trust);
        }
        Slopes { gradient, curvature, doubted }
    }
}

/// Adds x xᵀ, so many times.
fn add_square(matrix: &mut [Vec<f64>], x: &[f64], times: f64) {
    for (row, first) in matrix.iter_mut().zip(x) {
        row.iter_mut().zip(x).for_each(|(cell, second)| *cell += times * first * second);
    }
}

/// x with A x = y for a symmetric positive definite A, by elimination; `None` when it is not.
fn solve(mut a: Vec<Vec<f64>>, mut y: Vec<f64>) -> Option<Vec<f64>> {
    let n = y.len();
    for i in 0..n {
        let (above, below) = a.split_at_mut(i + 1);
        let pivot = above.get(i)?;
        let head = *pivot.get(i)?;
        if !(head.is_finite() && head > 0.0) {
            return None;
        }
        let right = *y.get(i)?;
        for (row, value) in below.iter_mut().zip(y.iter_mut().skip(i + 1)) {
            let factor = row.get(i)? / head;
            row.iter_mut().zip(pivot).skip(i).for_each(|(cell, above)| *cell -= factor * above);
            *value -= factor * right;
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let row = a.get(i)?;
        let known: f64 = row.iter().zip(&x).skip(i + 1).map(|(a, x)| a * x).sum();
        *x.get_mut(i)? = (y.get(i)? - known) / row.get(i)?;
    }
    Some(x)
}
