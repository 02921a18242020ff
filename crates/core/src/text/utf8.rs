//! UTF-8 and its generalised form, in which lone surrogates are code points like any other.
//!
//! Python strings may hold lone surrogates; the generalised form keeps them apart and sorts like code points.

/// The code point at `at` and its length in bytes; a malformed byte counts as U+FFFD of length one.
#[inline(always)]
pub(super) fn decode(text: &[u8], at: usize) -> (u32, usize) {
    // Most letters beyond ASCII have two bytes.
    match text.get(at..at + 2) {
        Some(&[a @ 0xc2..=0xdf, b @ 0x80..=0xbf]) => ((a as u32 & 0x1f) << 6 | b as u32 & 0x3f, 2),
        Some(&[a @ 0..=0x7f, _]) => (a as u32, 1),
        _ => decode_any(text.get(at..).unwrap_or_default()),
    }
}

/// The two bytes of the character at `at`, if it has two; the text is well-formed there.
#[inline(always)]
pub(super) fn pair(text: &[u8], at: usize) -> Option<[u8; 2]> {
    let pair = text.get(at..)?.first_chunk()?;
    is_pair(pair).then_some(*pair)
}

/// The same, to be changed.
#[inline(always)]
pub(super) fn pair_mut(text: &mut [u8], at: usize) -> Option<&mut [u8; 2]> {
    text.get_mut(at..)?.first_chunk_mut().filter(|pair| is_pair(pair))
}

#[inline(always)]
fn is_pair(bytes: &[u8; 2]) -> bool {
    (0xc2..=0xdf).contains(&bytes[0])
}

fn decode_any(rest: &[u8]) -> (u32, usize) {
    let tail = |byte: u8| (byte as u32) & 0x3f;
    let good = |bytes: &[u8]| bytes.iter().all(|b| b & 0xc0 == 0x80);
    let (code, len) = match *rest {
        [a, ..] if a < 0x80 => (a as u32, 1),
        [a @ 0xc2..=0xdf, b, ..] if good(&[b]) => ((a as u32 & 0x1f) << 6 | tail(b), 2),
        [a @ 0xe0..=0xef, b, c, ..] if good(&[b, c]) => ((a as u32 & 0xf) << 12 | tail(b) << 6 | tail(c), 3),
        [a @ 0xf0..=0xf4, b, c, d, ..] if good(&[b, c, d]) => {
            ((a as u32 & 7) << 18 | tail(b) << 12 | tail(c) << 6 | tail(d), 4)
        }
        _ => return (0xfffd, 1),
    };
    // Longer forms than needed would let a character slip past whoever looks for its bytes.
    let least = [0, 0, 0x80, 0x800, 0x1_0000][len];
    if (least..0x11_0000).contains(&code) { (code, len) } else { (0xfffd, 1) }
}

/// Appends a code point.
#[inline]
pub(super) fn push(out: &mut Vec<u8>, code: u32) {
    let tail = |shift: u32| 0x80 | (code >> shift) as u8 & 0x3f;
    match code {
        0..=0x7f => out.push(code as u8),
        0x80..=0x7ff => out.extend_from_slice(&[0xc0 | (code >> 6) as u8, tail(0)]),
        0x800..=0xffff => out.extend_from_slice(&[0xe0 | (code >> 12) as u8, tail(6), tail(0)]),
        _ => out.extend_from_slice(&[0xf0 | (code >> 18) as u8 & 7, tail(12), tail(6), tail(0)]),
    }
}

/// The number of code points.
pub(super) fn count(text: &[u8]) -> usize {
    text.iter().filter(|b| **b & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip_of_every_code_point() {
        for code in 0..0x11_0000 {
            let mut out = Vec::new();
            push(&mut out, code);
            assert_eq!(decode(&out, 0), (code, out.len()));
            assert_eq!(count(&out), 1);
        }
    }

    const OVERLONG: &[u8] = &[0xe0, 0x8e, 0xa3];
    const BEYOND: &[u8] = &[0xf4, 0x90, 0x80, 0x80];

    #[test]
    fn malformed_bytes_are_single_characters() {
        for bad in [&[0xffu8][..], &[0xc3], &[0xe2, 0x82], &[0x80, 0x80], &[0xf0, 0x9f, 0x98], OVERLONG, BEYOND] {
            assert_eq!(decode(bad, 0), (0xfffd, 1));
        }
        assert_eq!(decode(b"", 3), (0xfffd, 1));
    }
}
