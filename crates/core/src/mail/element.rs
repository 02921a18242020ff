//! The name of an element as a number.

/// Its letters from the left, as far as they fit: names are compared often, and numbers stand in the order of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name(u128);

/// Letters that fit.
const MOST: usize = 16;

impl Name {
    /// Of small letters.
    pub(super) const fn of(letters: &str) -> Self {
        let letters = letters.as_bytes();
        let (mut number, mut at) = (0, 0);
        while at < MOST {
            let letter = if at < letters.len() { letters[at] } else { 0 };
            number = number << 8 | letter as u128;
            at += 1;
        }
        Self(number)
    }

    /// Of each.
    pub(super) const fn all<const N: usize>(names: [&str; N]) -> [Self; N] {
        let (mut out, mut at) = ([Self(0); N], 0);
        while at < N {
            out[at] = Self::of(names[at]);
            at += 1;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_in_the_order_of_names() {
        let names = ["a", "abcdefghijklmnop", "b", "br", "button", "h1", "h2", "hr"];
        assert!(Name::all(names).is_sorted_by(|a, b| a < b));
        assert_eq!(Name::of("abcdefghijklmnopq"), Name::of("abcdefghijklmnop"));
    }
}
