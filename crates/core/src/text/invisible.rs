//! What is in a text and not seen.

use std::ops::RangeInclusive;

/// What is in a text and not seen, as Unicode tells it (default ignorable): soft hyphen, zero-width space, joiners, marks of
/// direction, selectors of emoji, fillers, byte order mark. [`TAGS`] are such too.
#[rustfmt::skip]
pub(super) const INVISIBLE: &[(u32, u32)] = &[
    (0xad, 0xad), (0x34f, 0x34f), (0x61c, 0x61c), (0x115f, 0x1160), (0x17b4, 0x17b5), (0x180b, 0x180f), (0x200b, 0x200f),
    (0x202a, 0x202e), (0x2060, 0x206f), (0x3164, 0x3164), (0xfe00, 0xfe0f), (0xfeff, 0xfeff), (0xffa0, 0xffa0),
];
/// A plane of their own, which tables need not reach.
pub(super) const TAGS: RangeInclusive<u32> = 0xe_0000..=0xe_0fff;

/// Is it among what is not seen?
pub(crate) fn is_invisible(code: u32) -> bool {
    TAGS.contains(&code) || INVISIBLE.iter().any(|run| (run.0..=run.1).contains(&code))
}
