//! The shape of a text: digits 9, lower case a, upper case A, beyond ASCII x, runs as one, at most 24 characters.

/// Longest shape.
const MOST: usize = 24;

/// Appends the shape of `text`.
pub(super) fn push(text: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let mut last = 0;
    for &byte in text {
        let class = match byte {
            b'0'..=b'9' => b'9',
            b'a'..=b'z' => b'a',
            b'A'..=b'Z' => b'A',
            0x80.. => b'x',
            b'\n' | b'\t' => b' ',
            other => other,
        };
        if class != last {
            if out.len() == start + MOST {
                break;
            }
            out.push(class);
            last = class;
        }
    }
}

/// The number of binary digits of a length: one token for lengths alike.
pub(super) fn log2(length: usize) -> u32 {
    usize::BITS - length.leading_zeros()
}
