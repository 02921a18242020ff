//! Fields that hold addresses or message identifiers. No grammar: an address is a run with an "@" in it, and comments
//! need no nesting to be understood.

use super::header::{Tokens, words};
use super::limits;

/// Adds address, local part and its shape, domains, other words, the shape of the whole and how many there are.
pub(super) fn add(text: &str, tokens: &mut Tokens) {
    let mut count = 0;
    let mut left = limits::FIELD_WORDS;
    for piece in text.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | ',' | ';' | '"' | '(' | ')')) {
        if piece.is_empty() {
            continue;
        }
        match piece.rsplit_once('@') {
            Some((user, host)) => {
                count += 1;
                if count <= limits::FIELD_WORDS {
                    address(user, host, tokens);
                }
            }
            None => {
                for word in words(piece).take(left) {
                    left -= 1;
                    tokens.add_word("name ", word.to_lowercase().as_bytes());
                }
            }
        }
    }
    tokens.add_shape("shape ", text.as_bytes());
    tokens.add_size("count ", count);
}

fn address(user: &str, host: &str, tokens: &mut Tokens) {
    let mut whole = format!("{user}@{host}");
    if whole.is_ascii() {
        whole.make_ascii_lowercase()
    } else {
        whole = whole.to_lowercase()
    }
    let (user, host) = whole.rsplit_once('@').unwrap_or((&whole, ""));
    tokens.add("", whole.as_bytes());
    tokens.add("user ", user.as_bytes());
    tokens.add_shape("user shape ", user.as_bytes());
    tokens.add_domains("at ", host.as_bytes());
}
