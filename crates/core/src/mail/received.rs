//! `Received` fields: hosts, addresses and words, by their place in the chain and without it.

use std::net::Ipv4Addr;

use super::header::Tokens;

/// Places of the chain that are told apart.
const PLACES: usize = 5;
/// Tokens of one field; real ones have about 25.
const PIECES: usize = 100;

/// Adds one `Received` field, the `place`-th from the top.
pub(super) fn add(text: &str, place: usize, tokens: &mut Tokens) {
    let inside = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'@' | b'+') || b >= 0x80;
    let pieces = text.as_bytes().split(|&b| !inside(b)).filter(|piece| !piece.is_empty());
    for number in [Some(place), None] {
        match number {
            Some(place) if place < PLACES => tokens.tag(format!("received:{place}").as_bytes()),
            Some(_) => continue,
            None => tokens.tag(b"received"),
        }
        pieces.clone().take(PIECES).for_each(|piece| add_piece(piece, tokens));
        tokens.add_shape("shape ", text.as_bytes());
    }
}

fn add_piece(piece: &[u8], tokens: &mut Tokens) {
    let piece = piece.trim_ascii();
    let host = piece.rsplit(|b| *b == b'@').next().unwrap_or(piece);
    let ip = std::str::from_utf8(host).ok().and_then(|host| host.parse::<Ipv4Addr>().ok());
    if let Some(ip) = ip {
        let [a, b, c, d] = ip.octets();
        tokens.add("", format!("{a}.{b}.{c}.{d}").as_bytes());
        tokens.add("", format!("{a}.{b}.{c}").as_bytes());
        tokens.add("", format!("{a}.{b}").as_bytes());
        tokens.add("", format!("{a}").as_bytes());
    } else if host.contains(&b'.') && host.iter().any(u8::is_ascii_alphabetic) {
        tokens.add_domains("", host);
    } else {
        tokens.add_word("", piece);
    }
}
