//! `Received` fields: hosts with their parent domains, and IP addresses with their networks.
//!
//! Words, dates and the place in the chain are left out: with them, this field gave 160 of 293 header tokens on the
//! SpamAssassin corpus, and the ranking was worse (TRIED.md). Dates would also tell when a mailbox was collected.

use std::net::Ipv4Addr;

use super::header::Tokens;

/// Hosts and addresses of one field.
const PIECES: usize = 100;

/// Adds one `Received` field.
pub(super) fn add(text: &str, tokens: &mut Tokens) {
    let inside = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'@' | b'+') || b >= 0x80;
    let low = text.as_bytes().to_ascii_lowercase();
    let pieces = low.split(|&b| !inside(b)).filter(|piece| piece.contains(&b'.'));
    for piece in pieces.take(PIECES) {
        let host = piece.rsplit(|b| *b == b'@').next().unwrap_or(piece);
        if let Some(ip) = ip(host) {
            tokens.add("", ip.as_bytes());
            ip.match_indices('.').for_each(|(dot, _)| tokens.add("", &ip.as_bytes()[..dot]));
        } else if host.iter().any(u8::is_ascii_alphabetic) {
            tokens.add_domains("", host);
        }
    }
}

fn ip(host: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(host).ok().filter(|host| host.starts_with(|c: char| c.is_ascii_digit()))?;
    text.parse::<Ipv4Addr>().ok().map(|_| text)
}
