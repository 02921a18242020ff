//! Sharing out work between threads.

/// Less work than this, half a millisecond of reading, is not worth a thread.
const LEAST: usize = 1 << 16;

/// Cuts the items in at most `count` consecutive shares of about equal size; there is always a first one.
pub(crate) fn shares<T>(items: &[T], count: usize, size: impl Fn(&T) -> usize) -> Vec<&[T]> {
    let total: usize = items.iter().map(&size).sum();
    let count = count.min(total / LEAST).max(1);
    let mut out = Vec::new();
    let (mut start, mut seen) = (0, 0);
    for (i, item) in items.iter().enumerate() {
        seen += size(item);
        if out.len() + 1 < count && seen >= total / count * (out.len() + 1) {
            out.push(&items[start..=i]);
            start = i + 1;
        }
    }
    out.push(&items[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_item_once_in_order(sizes in prop::collection::vec(0usize..200_000, 0..50), count in 0usize..9) {
            let parts = shares(&sizes, count, |s| *s);
            prop_assert!(!parts.is_empty() && parts.len() <= count.max(1));
            prop_assert_eq!(parts.concat(), sizes);
        }
    }
}
