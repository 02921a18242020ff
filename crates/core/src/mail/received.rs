//! `Received` fields: hosts with their parent domains, and IP addresses with their networks.
//!
//! Words, dates and the place in the chain are left out: with them, this field gave 160 of 293 header tokens on the
//! SpamAssassin corpus, and the ranking was worse (TRIED.md). Dates would also tell when a mailbox was collected.

use std::net::{Ipv4Addr, Ipv6Addr};

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

/// Is it a character of an address of the new kind?
#[inline]
fn inside_new(b: u8) -> bool {
    ((b | 0x20).wrapping_sub(b'a') < 6) | (b.wrapping_sub(b'0') < 10) | (b == b':')
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
    let colons = Marked::new(&low, |b| b == b':');
    runs::each(&low, inside_new, |start, end| {
        // "IPv6:" stands in front of most, and its 6 is one of their characters; a colon is what times have too.
        let run = &low[start..end];
        if colons.any(start, end)
            && left > 0
            && let Ok(ip) = std::str::from_utf8(run.strip_prefix(b"6:").unwrap_or(run)).unwrap_or_default().parse()
        {
            left -= 1;
            add_networks(ip, tokens);
        }
        left > 0
    });
}

/// An address of the new kind with its networks: those of a provider, of a customer and of a place.
fn add_networks(ip: Ipv6Addr, tokens: &mut Tokens) {
    for bits in [32, 48, 64] {
        let network = Ipv6Addr::from_bits(ip.to_bits() >> (128 - bits) << (128 - bits));
        tokens.add("", format!("{network}/{bits}").as_bytes());
    }
    tokens.add("", ip.to_string().as_bytes());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::keys::{ALL, Keys, Seeds};

    fn networks(text: &str) -> usize {
        let mut keys = Keys::new(Seeds::new([0; 16]), false, ALL);
        let mut tokens = Tokens::new(&mut keys);
        tokens.tag(b"received");
        add(text, &mut tokens);
        tokens.written()
    }

    #[test]
    fn addresses_of_the_new_kind_have_networks_and_times_have_none() {
        assert_eq!(networks("from a [IPv6:2001:db8:4864:20::32d]; Tue, 7 Jan 2025 09:14:02 +0100"), 4);
        assert_eq!(networks("from a ([::1]) with id 6:beef"), 4);
        assert_eq!(networks("Tue, 7 Jan 2025 09:14:02 +0100 (6:12) dead:beef ::::"), 0);
    }
}
