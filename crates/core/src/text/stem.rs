//! Snowball stemming by language.

use frostem::{Algorithm, Stemmer};

use super::TextError;

/// Longer tokens are left as they are: no word is that long, and the algorithms copy the word at each replacement,
/// so a hostile token of n bytes would cost n² time.
const LONGEST: usize = 1000;

/// A stemmer for one language.
///
/// ```
/// use bayleaf_core::text::Stem;
/// let stem = Stem::new("english").unwrap();
/// for word in ["retrieve", "retrieving", "retrieval", "retrieved", "retrieves"] {
///     assert_eq!(stem.of(word.as_bytes()), b"retriev");
/// }
/// assert!(Stem::new("klingon").is_err());
/// ```
#[derive(Clone)]
pub struct Stem(Stemmer);

impl Stem {
    /// By the name of a language or Snowball algorithm.
    pub fn new(name: &str) -> Result<Self, TextError> {
        let unknown = |_| TextError::Name("stemmer", name.to_owned(), "a Snowball algorithm such as english or german");
        Stemmer::try_from_name(name).map(Self).map_err(unknown)
    }

    /// The names that [`Stem::new`] takes.
    pub fn names() -> Vec<&'static str> {
        Algorithm::all().iter().map(|algorithm| algorithm.name()).collect()
    }

    /// The stem of a lower-case word; what is no valid UTF-8 comes back unchanged.
    pub fn of(&self, word: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(word) {
            Ok(text) if text.len() <= LONGEST => self.0.stem(text).into_owned().into_bytes(),
            _ => word.to_vec(),
        }
    }
}
