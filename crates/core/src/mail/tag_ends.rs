//! Where tags end.

use std::collections::HashSet;

use memchr::{memchr, memchr3};

/// Finds the ends of tags in one source.
///
/// A quote that never ends does not swallow the rest: its tag ends at the first ">", and whatever was looked through for
/// the end is looked through again for the tags that begin there. So that time stays linear, it is remembered which ways
/// led nowhere.
#[derive(Default)]
pub(super) struct TagEnds {
    /// Places outside quotes from which no ">" is reached.
    lost: HashSet<usize>,
    /// Places that the tag at hand has come to.
    way: Vec<usize>,
}

/// Longest stretch inside a tag between two marks.
const MOST: usize = 4 << 10;

/// What comes next from a place outside quotes.
enum Step {
    /// The tag ends here.
    End(usize),
    /// Behind a quoted value, or behind a quote that is none.
    On(usize),
    /// Nothing, or a quote that never ends.
    Lost,
}

impl TagEnds {
    /// Behind the ">" outside quotes of the tag that begins at `start`: "<" and something that is neither blank nor a
    /// quote. Behind its first ">" if a quote never ends, and the end of the source if there is no ">".
    pub(super) fn find(&mut self, source: &[u8], start: usize) -> usize {
        let Some(first) = memchr(b'>', &source[start..]) else { return source.len() };
        self.way.clear();
        let mut at = start;
        while !self.lost.contains(&at) {
            self.way.push(at);
            match step(source, at) {
                Step::End(end) => return end,
                Step::On(next) => at = next,
                Step::Lost => break,
            }
        }
        self.lost.extend(self.way.drain(..));
        start + first + 1
    }
}

fn step(source: &[u8], at: usize) -> Step {
    let stretch = |from: usize| &source[from..source.len().min(from + MOST)];
    let Some(found) = memchr3(b'"', b'\'', b'>', stretch(at)) else { return Step::Lost };
    let behind = at + found + 1;
    match source[behind - 1] {
        b'>' => Step::End(behind),
        // Quotes delimit values only behind "=".
        _ if source[..behind - 1].trim_ascii_end().last() != Some(&b'=') => Step::On(behind),
        mark => memchr(mark, stretch(behind)).map_or(Step::Lost, |end| Step::On(behind + end + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Ends of all tags, with one memory or with a new one each.
    fn all(source: &[u8], forgets: bool) -> Vec<usize> {
        let mut ends = TagEnds::default();
        let mut all = Vec::new();
        let mut at = 0;
        while let Some(found) = memchr(b'<', &source[at..]) {
            if forgets {
                ends = TagEnds::default();
            }
            at = ends.find(source, at + found);
            all.push(at);
        }
        all
    }

    proptest! {
        #[test]
        fn what_is_remembered_changes_nothing(
            pieces in proptest::collection::vec(
                prop::sample::select(vec!["<a", " b=\"", "=\"", "= '", "\"", "'", ">", "x", " ", "<b>", "\">\""]), 0..60
            ),
            long in 0..60_usize,
        ) {
            let (before, after) = pieces.split_at(long.min(pieces.len()));
            for filler in [0, MOST] {
                let source = [before.concat(), "-".repeat(filler), after.concat()].concat();
                prop_assert_eq!(all(source.as_bytes(), false), all(source.as_bytes(), true));
            }
        }
    }
}
