//! Workspaces between calls.

use std::sync::{Mutex, PoisonError};

use super::{Encoded, Workspace};

/// Scratch space of one encoder, kept from call to call: for a short text, to make it takes as long as to read the text.
#[derive(Default)]
pub struct Spare(Mutex<Vec<(Workspace, Encoded)>>);

impl Spare {
    /// One that was given back, or a new one.
    pub(crate) fn take(&self) -> (Workspace, Encoded) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps it for the next call, unless it has grown: whoever takes it makes room for all of its words.
    pub(crate) fn give(&self, work: Workspace, encoded: Encoded) {
        if work.is_light() {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push((work, encoded));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Chars, Document, Encoder, Plan, Settings};

    #[test]
    fn what_has_grown_is_not_kept() {
        let Ok(plan) = Plan::new(Settings::default(), Chars::shared()) else { unreachable!() };
        let encoder = Encoder { plan: &plan, seed: 0, presence: false };
        let many: Vec<String> = (0..1_100).map(|n| format!("w{n}")).collect();
        for (text, kept) in [("a b".to_owned(), 1), ("a ".repeat(1 << 13), 0), (many.join(" "), 0)] {
            let spare = Spare::default();
            let (mut work, mut encoded) = spare.take();
            encoder.encode(&[("", Document::Text(text.as_bytes()))], &mut work, &mut encoded);
            spare.give(work, encoded);
            assert_eq!(spare.0.lock().map_or(9, |kept| kept.len()), kept);
        }
    }
}
