//! Logarithms of smoothed counts.

use std::sync::{Arc, Mutex, PoisonError};

/// Counts below this are looked up: of 57 MB of news and mail all but 2 % of the look-ups, in a table that fits the cache.
const LISTED: usize = 1 << 16;

/// ln(n + shift) for whole n.
pub(super) struct Logs {
    shift: f64,
    listed: Vec<f64>,
}

/// Tables made lately: making one takes a millisecond, judging a short text a hundredth of that.
static MADE: Mutex<Vec<Arc<Logs>>> = Mutex::new(Vec::new());
const KEPT: usize = 8;

impl Logs {
    pub(super) fn shared(shift: f64) -> Arc<Self> {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(logs) = made.iter().find(|logs| logs.shift == shift) {
            return logs.clone();
        }
        let logs = Arc::new(Self { shift, listed: (0..LISTED).map(|n| (n as f64 + shift).ln()).collect() });
        if made.len() == KEPT {
            made.remove(0);
        }
        made.push(logs.clone());
        logs
    }

    #[inline(always)]
    pub(super) fn of(&self, n: i64) -> f64 {
        match self.listed.get(n as usize) {
            Some(log) => *log,
            None => (n as f64 + self.shift).ln(),
        }
    }
}
