//! Which stretches of a text are tokens.

use regex::bytes::{Regex, RegexBuilder};

use super::TextError;

/// The rule for tokens: three that are scanned directly, or any regular expression.
///
/// ```
/// use bayleaf_core::text::Pattern;
/// assert!(matches!(Pattern::parse(r"(?u)\b\w\w+\b"), Ok(Pattern::Words { least: 2 })));
/// assert!(matches!(Pattern::parse(r"\w+|[^\w\s]"), Ok(Pattern::Marks)));
/// assert!(matches!(Pattern::parse(r"[a-z]+"), Ok(Pattern::Regex(_))));
/// assert!(Pattern::parse("(").is_err());
/// ```
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Runs of at least so many word characters: `\b\w\w+\b` is two.
    Words {
        /// Least number of characters.
        least: usize,
    },
    /// Runs of word characters, and every other character but spaces by itself: `\w+|[^\w\s]`.
    Marks,
    /// Runs of anything but spaces: `\S+`.
    Blanks,
    /// A regular expression; its first group, if it has one, is the token.
    Regex(Box<Regex>),
}

impl Pattern {
    /// Reads a pattern, recognising the forms that need no regular expression.
    pub fn parse(source: &str) -> Result<Self, TextError> {
        if let Some(simple) = Self::simple(source) {
            return Ok(simple);
        }
        let built = RegexBuilder::new(source).size_limit(64 << 20).build();
        let regex = built.map_err(|error| TextError::Pattern(source.to_owned(), error.to_string()))?;
        if regex.captures_len() > 2 {
            return Err(TextError::Groups(source.to_owned()));
        }
        Ok(Self::Regex(Box::new(regex)))
    }

    /// Reads one of the forms that need no regular expression.
    pub fn simple(source: &str) -> Option<Self> {
        match source.strip_prefix("(?u)").unwrap_or(source) {
            r"\w+|[^\w\s]" => Some(Self::Marks),
            r"\S+" | r"[^\s]+" => Some(Self::Blanks),
            body => least_of_words(body).map(|least| Self::Words { least }),
        }
    }

    /// May a token hold a space or a control character? Then n-grams are told apart by their joined text only.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Self::Words { .. } | Self::Marks)
    }
}

/// `\w+`, `\w\w+`, `\w{3,}`, with or without `\b` on both sides, are runs of at least 1, 2, 3 word characters.
fn least_of_words(body: &str) -> Option<usize> {
    let inner = body.strip_prefix(r"\b").and_then(|rest| rest.strip_suffix(r"\b")).unwrap_or(body);
    if let Some(number) = inner.strip_prefix(r"\w{").and_then(|rest| rest.strip_suffix(",}")) {
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        return if digits { number.parse().ok().filter(|n| *n > 0) } else { None };
    }
    let letters = inner.strip_suffix('+')?;
    let count = letters.len() / 2;
    (count > 0 && letters == r"\w".repeat(count)).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_recognised() {
        let least = |s| least_of_words(s);
        assert_eq!(least(r"\w+"), Some(1));
        assert_eq!(least(r"\b\w\w\w+\b"), Some(3));
        assert_eq!(least(r"\b\w{4,}\b"), Some(4));
        for other in [r"\b\w+", r"\w", "+", r"\w{0,}", r"\w{,3}", r"\w{+2,}", r"\d+", ""] {
            assert_eq!(least(other), None, "{other}");
        }
    }

    #[test]
    fn one_group_at_most() {
        assert!(matches!(Pattern::parse(r"(a)(b)"), Err(TextError::Groups(_))));
        assert!(matches!(Pattern::parse(r"a(b)"), Ok(Pattern::Regex(_))));
    }
}
