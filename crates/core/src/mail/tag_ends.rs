//! Where tags end.

use std::collections::HashSet;

use memchr::memchr;

/// Finds the ends of tags in one source.
///
/// A quote that never ends does not swallow the rest: its tag ends at the first ">", and whatever was looked through for
/// the end is looked through again for the tags that begin there. So that time stays linear, it is remembered which ways
/// led nowhere.
#[derive(Default)]
pub(super) struct TagEnds {
    /// Places where an attribute may begin from which no ">" is reached.
    lost: HashSet<usize>,
    /// Places that the tag at hand has come to.
    way: Vec<usize>,
}

/// Longest stretch inside a tag between two marks.
const MOST: usize = 4 << 10;

/// What comes next from a place where an attribute may begin.
enum Step {
    /// The tag ends here.
    End(usize),
    /// Behind a quoted value.
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
        let name = start + 1 + usize::from(source.get(start + 1) == Some(&b'/'));
        let mut at = name + length(&source[name..], ends_name);
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

/// Goes through names and values as browsers do: a quote delimits a value only behind the "=" that follows a name, so
/// that of `<p =">`, `<p a==">` and `<p a=b=">` each is whole.
fn step(source: &[u8], at: usize) -> Step {
    let rest = &source[at..source.len().min(at + MOST)];
    let mut end = 0;
    while end < rest.len() {
        end += length(&rest[end..], |b| !(b.is_ascii_whitespace() || b == b'/'));
        // The first character belongs to the name, even if it is "=".
        if rest.get(end).is_some_and(|&b| b != b'>') {
            end += 1 + length(&rest[end + 1..], |b| ends_name(b) || b == b'=');
        }
        let equals = end + length(&rest[end..], |b| !b.is_ascii_whitespace());
        if rest.get(equals) == Some(&b'=') {
            end = equals + 1;
            end += length(&rest[end..], |b| !b.is_ascii_whitespace());
            match rest.get(end) {
                Some(&mark @ (b'"' | b'\'')) => return behind_value(source, at + end + 1, mark),
                _ => end += length(&rest[end..], |b| b.is_ascii_whitespace() || b == b'>'),
            }
        }
        if rest.get(end) == Some(&b'>') {
            return Step::End(at + end + 1);
        }
    }
    Step::Lost
}

fn behind_value(source: &[u8], from: usize, mark: u8) -> Step {
    let stretch = &source[from..source.len().min(from + MOST)];
    memchr(mark, stretch).map_or(Step::Lost, |end| Step::On(from + end + 1))
}

/// Does it end the name of an element or attribute?
fn ends_name(b: u8) -> bool {
    b.is_ascii_whitespace() || matches!(b, b'/' | b'>')
}

/// How many bytes stand before the first of a kind.
fn length(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&b| is(b)).unwrap_or(bytes.len())
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

    #[test]
    fn quotes_delimit_values_only() {
        for tag in [
            "<p =\">",
            "<p a==\">",
            "<p a=b=\">",
            "<p/=\">",
            "<p a=\"b\"=\">",
            "<p a=b\">",
            "<p \"a=b>",
            "<p=\">",
            "</p>",
        ] {
            assert_eq!(TagEnds::default().find(format!("{tag}x\">").as_bytes(), 0), tag.len(), "{tag}");
        }
        for tag in ["<p a=\">\">", "<p a = '>' b>", "<p a/=b c=\">\"d>", "</p a=\">\">", "<p/a=\">\"/>"] {
            assert_eq!(TagEnds::default().find(format!("{tag}x\">").as_bytes(), 0), tag.len(), "{tag}");
        }
    }

    proptest! {
        #[test]
        fn what_is_remembered_changes_nothing(
            pieces in proptest::collection::vec(
                prop::sample::select(vec!["<a", " b=\"", "=\"", "= '", "\"", "'", ">", "x", " ", "<b>", "\">\"", "/"]), 0..60
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
