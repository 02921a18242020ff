//! The four families of features. Each is scored apart, so that none outvotes the others by its number.

/// A family; its number is the lowest two bits of every key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Five bytes in a row, of the first 3,000.
    Raw = 0,
    /// Words of the subject and of the text, in lower case.
    Word = 1,
    /// Two words at a distance of one to four, as written.
    Pair = 2,
    /// Tokens of header fields, and notes.
    Header = 3,
}

impl Family {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Raw, Self::Word, Self::Pair, Self::Header];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Word => "word",
            Self::Pair => "pair",
            Self::Header => "header",
        }
    }

    /// The family of a key.
    #[inline]
    pub fn of(key: u64) -> Self {
        Self::ALL[(key & 3) as usize]
    }
}
