//! Fields that hold addresses or message identifiers. No grammar: an address is a run with an "@" in it, and comments
//! need no nesting to be understood.

use super::header::{Tokens, lower, words};
use super::limits;

/// Adds address, local part and its shape, domains, other words, the shape of the whole and how many there are.
pub(super) fn add(text: &str, tokens: &mut Tokens) {
    let mut count = 0;
    let mut left = limits::FIELD_WORDS;
    let low = lower(text);
    for piece in low.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | ',' | ';' | '"' | '(' | ')')) {
        if piece.is_empty() {
            continue;
        }
        match piece.rsplit_once('@') {
            Some((user, host)) => {
                count += 1;
                if count <= limits::FIELD_WORDS {
                    tokens.add("", piece.as_bytes());
                    tokens.add("user ", user.as_bytes());
                    tokens.add_shape("user shape ", user.as_bytes());
                    tokens.add_domains("at ", host.as_bytes());
                }
            }
            None => {
                for word in words(piece).take(left) {
                    left -= 1;
                    tokens.add_word("name ", word.as_bytes());
                }
            }
        }
    }
    tokens.add_shape("shape ", text.as_bytes());
    tokens.add_size("count ", count);
}
