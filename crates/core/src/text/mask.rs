//! Bytes of one kind, told 64 at a time.

/// Bytes that are looked at together.
pub(crate) const BLOCK: usize = 64;

/// One bit per byte of a block: is it of that kind? The comparisons of a plain predicate become vector instructions.
#[inline]
pub(crate) fn mask(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let flags = block.map(|byte| u8::from(is(byte)));
    let (eights, _) = flags.as_chunks::<8>();
    // The product moves the lowest bits of eight bytes side by side into the highest byte.
    let gathered = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().enumerate().fold(0, |mask, (i, eight)| mask | gathered(eight) << (8 * i))
}
