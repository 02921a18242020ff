//! The few derived numbers: what each family of evidence is worth, fitted on scores made before the label was known.
//!
//! ```text
//! s_c = b_c + ½ Σ_f v_f a_fc        P(c) = exp(s_c) / Σ exp(s)
//! ```
//!
//! v and b maximise the posterior under Gaussian priors: v around `centre` with precision `precision`, b around 0 with
//! twice that, which for two labels is one logistic regression whose intercept has precision `precision`.

/// One mail: its label and the clipped family means, family by family, for as many labels as there were then.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The label it turned out to have.
    pub label: usize,
    /// Mean per family and label.
    pub means: Vec<f64>,
}

/// The prior of the fit.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    /// Number of families.
    pub families: usize,
    /// Number of labels.
    pub labels: usize,
    /// Prior mean of v.
    pub centre: f64,
    /// Prior precision of v.
    pub precision: f64,
}

/// Newton steps: under ten are needed; the rest is for pairs nobody has seen.
const STEPS: usize = 50;

impl Layer {
    /// v and b. Pairs whose label or shape does not fit are left out.
    pub fn fit(&self, pairs: &[Pair]) -> (Vec<f64>, Vec<f64>) {
        let mut at = self.prior();
        let mut here = self.loss(&at, pairs);
        for _ in 0..STEPS {
            let (gradient, hessian) = self.slopes(&at, pairs);
            let Some(step) = solve(hessian, gradient) else { break };
            let mut share = 1.0;
            let better = loop {
                let next: Vec<f64> = at.iter().zip(&step).map(|(x, d)| x - share * d).collect();
                let there = self.loss(&next, pairs);
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
            (at, here) = (next, there);
            if gain < 1e-10 * here.abs() {
                break;
            }
        }
        let b = at.split_off(self.families);
        (at, b)
    }

    fn prior(&self) -> Vec<f64> {
        let mut prior = vec![self.centre; self.families];
        prior.resize(self.families + self.labels, 0.0);
        prior
    }

    fn precision(&self, at: usize) -> f64 {
        if at < self.families { self.precision } else { 2.0 * self.precision }
    }

    /// P per label, for the labels this pair knew.
    fn shares(&self, at: &[f64], pair: &Pair) -> Option<Vec<f64>> {
        let labels = pair.means.len() / self.families.max(1);
        if pair.label >= labels || labels > self.labels {
            return None;
        }
        let scores: Vec<f64> = (0..labels)
            .map(|c| (0..at.len()).map(|i| at.get(i).unwrap_or(&0.0) * self.input(pair, labels, c, i)).sum())
            .collect();
        let top = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let parts: Vec<f64> = scores.iter().map(|s| (s - top).exp()).collect();
        let all: f64 = parts.iter().sum();
        Some(parts.iter().map(|p| p / all).collect())
    }

    /// ∂s_c / ∂θ_i.
    fn input(&self, pair: &Pair, labels: usize, c: usize, i: usize) -> f64 {
        if i < self.families {
            pair.means.get(i * labels + c).map_or(0.0, |a| a / 2.0)
        } else if i - self.families == c {
            1.0
        } else {
            0.0
        }
    }

    fn loss(&self, at: &[f64], pairs: &[Pair]) -> f64 {
        let prior: f64 = at
            .iter()
            .zip(self.prior())
            .enumerate()
            .map(|(i, (x, centre))| 0.5 * self.precision(i) * (x - centre).powi(2))
            .sum();
        let data: f64 = pairs
            .iter()
            .filter_map(|pair| self.shares(at, pair)?.get(pair.label).map(|p| -p.max(f64::MIN_POSITIVE).ln()))
            .sum();
        prior + data
    }

    fn slopes(&self, at: &[f64], pairs: &[Pair]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let size = at.len();
        let mut gradient: Vec<f64> =
            at.iter().zip(self.prior()).enumerate().map(|(i, (x, centre))| self.precision(i) * (x - centre)).collect();
        let mut hessian: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| if i == j { self.precision(i) } else { 0.0 }).collect()).collect();
        for pair in pairs {
            let Some(shares) = self.shares(at, pair) else { continue };
            let inputs: Vec<Vec<f64>> =
                (0..shares.len()).map(|c| (0..size).map(|i| self.input(pair, shares.len(), c, i)).collect()).collect();
            let mean: Vec<f64> = (0..size)
                .map(|i| inputs.iter().zip(&shares).map(|(x, p)| p * x.get(i).unwrap_or(&0.0)).sum())
                .collect();
            let own = inputs.get(pair.label);
            for (i, (slope, row)) in gradient.iter_mut().zip(&mut hessian).enumerate() {
                let of = |x: &Vec<f64>| x.get(i).copied().unwrap_or(0.0);
                *slope += of(&mean) - own.map_or(0.0, of);
                for (j, cell) in row.iter_mut().enumerate() {
                    let product = |x: &Vec<f64>| of(x) * x.get(j).unwrap_or(&0.0);
                    *cell += inputs.iter().zip(&shares).map(|(x, p)| p * product(x)).sum::<f64>() - product(&mean);
                }
            }
        }
        (gradient, hessian)
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
