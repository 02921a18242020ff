//! What a dealer hands to a shard.

/// Where the name of a key comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// Text in the arena.
    Text { start: usize, len: usize },
    /// The keys of the two features that it is made of.
    Parts([u64; 2]),
}

/// A document's share in one key, or that of several documents of a class.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) key: u64,
    pub(super) count: u32,
    /// What the dealer tells its name by.
    pub(super) from: [u32; 2],
    pub(super) class: u16,
    pub(super) order: u8,
    pub(super) kind: Kind,
}

/// What [`Entry::from`] says.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// The number of a word, and how many documents.
    Word,
    /// The numbers of two words; one document.
    Pair,
    /// The place of two words among those of the dealer's pairs; one document.
    Placed,
    /// The number of an origin; one document.
    Listed,
}

impl Entry {
    #[inline(always)]
    pub(super) fn documents(&self) -> i64 {
        if matches!(self.kind, Kind::Word) { self.from[1] as i64 } else { 1 }
    }
}
