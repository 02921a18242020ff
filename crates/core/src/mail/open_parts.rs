//! The multiparts that are open at a place of the message.

use std::collections::HashMap;

use super::limits;

/// Open multiparts, each with its boundary and how deep its parts lie; the innermost is the last.
#[derive(Default)]
pub(super) struct OpenParts {
    all: Vec<(Vec<u8>, usize)>,
    /// The levels of each boundary, ascending: asking every level for every line would take 64 times as long.
    levels: HashMap<Vec<u8>, Vec<usize>>,
}

impl OpenParts {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How deep the parts of the innermost lie.
    pub(super) fn depth(&self) -> usize {
        self.all.last().map_or(0, |(_, depth)| *depth)
    }

    pub(super) fn push(&mut self, boundary: Vec<u8>, depth: usize) {
        self.levels.entry(boundary.clone()).or_default().push(self.all.len());
        self.all.push((boundary, depth));
    }

    /// Leaves the outermost `length` open.
    pub(super) fn truncate(&mut self, length: usize) {
        for (boundary, _) in self.all.drain(length.min(self.all.len())..) {
            if let Some(levels) = self.levels.get_mut(&boundary) {
                levels.pop();
            }
        }
    }

    /// The innermost whose boundary stands on the line, which is without "--" before it, and whether the line closes it.
    pub(super) fn belongs(&self, line: &[u8]) -> Option<(usize, bool)> {
        if line.len() > limits::BOUNDARY + 2 {
            return None;
        }
        let level = |boundary: &[u8]| self.levels.get(boundary)?.last().copied();
        let opens = level(line).map(|level| (level, false));
        let closes = line.strip_suffix(b"--").and_then(level).map(|level| (level, true));
        opens.max(closes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Level after level from the innermost.
    fn plainly(all: &[String], line: &str) -> Option<(usize, bool)> {
        all.iter().enumerate().rev().find_map(|(level, boundary)| {
            let closes = line.strip_suffix("--") == Some(boundary);
            (line == boundary || closes).then_some((level, closes))
        })
    }

    proptest! {
        #[test]
        fn as_asking_level_after_level(
            steps in proptest::collection::vec(("[ab-]{1,3}", 0..9_usize), 0..20),
            lines in proptest::collection::vec("[ab]{0,2}-{0,5}", 1..20),
        ) {
            let (mut open, mut all) = (OpenParts::default(), Vec::new());
            for (depth, (boundary, left)) in steps.into_iter().enumerate() {
                open.truncate(left);
                all.truncate(left);
                open.push(boundary.clone().into_bytes(), depth);
                all.push(boundary);
                prop_assert_eq!((open.len(), open.depth()), (all.len(), depth));
                for line in &lines {
                    prop_assert_eq!(open.belongs(line.as_bytes()), plainly(&all, line));
                }
            }
        }
    }
}
