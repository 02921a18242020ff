//! What a text encoder does, as plain data.

use super::{Fold, Pattern, TextError, fold::Accents};

/// What features are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analyzer {
    /// Tokens of the pattern.
    Word,
    /// Characters, with runs of two or more spaces counted as one blank.
    Char,
    /// Characters inside words, each word padded with a blank on both sides.
    CharWb,
}

/// The settings of a [`Plan`](super::Plan).
#[derive(Clone, Debug)]
pub struct Settings {
    /// Case and accents.
    pub fold: Fold,
    /// Words or characters.
    pub analyzer: Analyzer,
    /// What a token is (words only).
    pub pattern: Pattern,
    /// Smallest and largest n of the n-grams.
    pub ngrams: (usize, usize),
    /// Each word is paired with each of the next so many words (0: no skip pairs).
    pub skip: usize,
    /// Tokens that are dropped, before stemming.
    pub stop_words: Vec<Vec<u8>>,
    /// Name of a Snowball algorithm.
    pub stemmer: Option<String>,
    /// Scripts without spaces become overlapping pairs of characters.
    pub unspaced: bool,
}

impl Default for Settings {
    /// The classifier's own scheme: lower case, words and single marks, pairs for scripts without spaces, one- and two-grams.
    fn default() -> Self {
        Self {
            fold: Fold { lowercase: true, accents: Accents::Keep },
            analyzer: Analyzer::Word,
            pattern: Pattern::Marks,
            ngrams: (1, 2),
            skip: 0,
            stop_words: Vec::new(),
            stemmer: None,
            unspaced: true,
        }
    }
}

impl Settings {
    /// The analyzer and accents by the names that Python uses.
    pub fn named(mut self, analyzer: &str, accents: Option<&str>) -> Result<Self, TextError> {
        self.analyzer = match analyzer {
            "word" => Analyzer::Word,
            "char" => Analyzer::Char,
            "char_wb" => Analyzer::CharWb,
            other => return Err(TextError::Name("analyzer", other.to_owned(), "word, char or char_wb")),
        };
        self.fold.accents = match accents {
            None => Accents::Keep,
            Some("ascii") => Accents::Ascii,
            Some("unicode") => Accents::Unicode,
            Some(other) => return Err(TextError::Name("strip_accents", other.to_owned(), "ascii or unicode")),
        };
        Ok(self)
    }
}
