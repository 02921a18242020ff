//! `Received` fields: hosts with their parent domains, and IP addresses with their networks.
//!
//! Words, dates and the place in the chain are left out: with them, this field gave 160 of 293 header tokens on the
//! SpamAssassin corpus, and the ranking was worse (TRIED.md). Dates would also tell when a mailbox was collected.

use std::net::Ipv4Addr;

use super::header::Tokens;
use super::runs::{self, Marked};

/// Hosts and addresses of one field.
const PIECES: usize = 100;

/// Is it a character of hosts and addresses? Without branches, for `runs`.
#[inline]
fn inside(b: u8) -> bool {
    let mark = (b == b'.') | (b == b'-') | (b == b'_') | (b == b'@') | (b == b'+');
    ((b | 0x20).wrapping_sub(b'a') < 26) | (b.wrapping_sub(b'0') < 10) | mark | (b >= 0x80)
}

/// Adds one `Received` field.
pub(super) fn add(text: &str, tokens: &mut Tokens) {
    let low = text.as_bytes().to_ascii_lowercase();
    let dots = Marked::new(&low, |b| b == b'.');
    let mut left = PIECES;
    runs::each(&low, inside, |start, end| {
        if dots.any(start, end) {
            left -= 1;
            piece(&low[start..end], tokens);
        }
        left > 0
    });
}

fn piece(piece: &[u8], tokens: &mut Tokens) {
    let host = memchr::memrchr(b'@', piece).map_or(piece, |at| &piece[at + 1..]);
    if let Some(ip) = ip(host) {
        tokens.add("", ip.as_bytes());
        memchr::memchr_iter(b'.', ip.as_bytes()).for_each(|dot| tokens.add("", &ip.as_bytes()[..dot]));
    } else if host.iter().any(u8::is_ascii_alphabetic) {
        tokens.add_domains("", host);
    }
}

fn ip(host: &[u8]) -> Option<&str> {
    let text = host.first().filter(|b| b.is_ascii_digit()).and_then(|_| std::str::from_utf8(host).ok())?;
    text.parse::<Ipv4Addr>().ok().map(|_| text)
}
