//! The shape of a text: digits 9, lower case a, upper case A, beyond ASCII x, runs as one, at most 24 characters.

/// Longest shape.
const MOST: usize = 24;

/// What each byte is in a shape.
const CLASSES: [u8; 256] = {
    let mut table = [b'x'; 256];
    let mut i = 0;
    while i < 128 {
        let byte = i as u8;
        table[i] = match byte {
            b'0'..=b'9' => b'9',
            b'a'..=b'z' => b'a',
            b'A'..=b'Z' => b'A',
            b'\n' | b'\t' => b' ',
            other => other,
        };
        i += 1;
    }
    table
};

/// Appends the shape of `text`.
pub(super) fn push(text: &[u8], out: &mut Vec<u8>) {
    // Each class is written and counts if it is another: nobody can predict where a run ends.
    let (mut shape, mut end, mut last) = ([0; MOST + 1], 0, 0);
    for &byte in text {
        let class = CLASSES[byte as usize];
        shape[end] = class;
        end += usize::from(class != last);
        last = class;
        if end > MOST {
            break;
        }
    }
    out.extend_from_slice(&shape[..end.min(MOST)]);
}

/// The number of binary digits of a length: one token for lengths alike.
pub(super) fn log2(length: usize) -> u32 {
    usize::BITS - length.leading_zeros()
}
