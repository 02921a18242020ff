//! MurmurHash3, the 32-bit variant, bit-equal with the one that hashed features of scikit-learn use.

/// The hash of some bytes.
///
/// ```
/// use bayleaf_core::text::murmur3;
/// assert_eq!(murmur3(b"", 0), 0);
/// assert_eq!(murmur3(b"foo", 0), -156_908_512);
/// ```
pub fn murmur3(bytes: &[u8], seed: u32) -> i32 {
    let mut hash = seed;
    let blocks = bytes.chunks_exact(4);
    let rest = blocks.remainder();
    for block in blocks {
        hash ^= scramble(u32::from_le_bytes(block.try_into().unwrap_or_default()));
        hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    if !rest.is_empty() {
        hash ^= scramble(rest.iter().rev().fold(0, |word, byte| word << 8 | *byte as u32));
    }
    finish(hash ^ bytes.len() as u32) as i32
}

#[inline]
fn scramble(word: u32) -> u32 {
    word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

#[inline]
fn finish(mut hash: u32) -> u32 {
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}
