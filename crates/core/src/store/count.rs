//! Little-endian numbers in bytes of any alignment.

use super::Width;

/// Bytes as items of N bytes; a rest that is shorter is left out.
pub(super) fn little<const N: usize>(bytes: &[u8]) -> &[[u8; N]] {
    bytes.as_chunks().0
}

/// The counts of one entry, widened.
#[inline]
pub(super) fn widen(bytes: &[u8], width: Width, mut each: impl FnMut(usize, i64)) {
    match width {
        Width::One => little::<1>(bytes).iter().enumerate().for_each(|(c, &b)| each(c, i8::from_le_bytes(b).into())),
        Width::Two => little(bytes).iter().enumerate().for_each(|(c, &b)| each(c, i16::from_le_bytes(b).into())),
        Width::Four => little(bytes).iter().enumerate().for_each(|(c, &b)| each(c, i32::from_le_bytes(b).into())),
        Width::Eight => little(bytes).iter().enumerate().for_each(|(c, &b)| each(c, i64::from_le_bytes(b))),
    }
}

/// Appends one count in the given width; `None` when it does not fit.
#[inline]
pub(super) fn narrow(count: i64, width: Width, out: &mut Vec<u8>) -> Option<()> {
    match width {
        Width::One => out.extend(i8::try_from(count).ok()?.to_le_bytes()),
        Width::Two => out.extend(i16::try_from(count).ok()?.to_le_bytes()),
        Width::Four => out.extend(i32::try_from(count).ok()?.to_le_bytes()),
        Width::Eight => out.extend(count.to_le_bytes()),
    }
    Some(())
}
