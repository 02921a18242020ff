//! Lower case where that is as long as what it stands for.

use super::Chars;
use super::chars::CAPITAL_SIGMA;
use super::heads::Heads;
use super::mask::BLOCK;
use super::utf8;

/// Lowers all characters beyond ASCII of a text that ends with at least a block of spaces; false, with the work half
/// done, where the text is malformed, has a character whose lower case is longer or shorter or which joins the one before,
/// or a capital sigma.
pub(super) fn lower_in_place(chars: &Chars, text: &mut [u8]) -> bool {
    // The bytes of the block that belong to a character which began in the one before.
    let mut rest = 0;
    for base in (0..=text.len() - BLOCK).step_by(BLOCK) {
        let Some(block) = text.get(base..).and_then(|rest| rest.first_chunk()) else { break };
        let heads = Heads::of(block);
        let tails = heads.tails(heads.two) | rest as u128;
        let mut fine = tails as u64 == heads.inner;
        heads.each(|at| fine = fine && lower_at(chars, text, base + at));
        if !fine {
            return false;
        }
        rest = (tails >> BLOCK) as u64;
    }
    rest == 0
}

/// Lowers the character at `at`, whose bytes are all there; false if that cannot be done.
#[inline(always)]
fn lower_at(chars: &Chars, text: &mut [u8], at: usize) -> bool {
    if let Some(pair) = utf8::pair_mut(text, at)
        && let Some(low) = chars.pairs.lower(*pair)
    {
        *pair = low;
        return true;
    }
    lower_any(chars, text, at)
}

fn lower_any(chars: &Chars, text: &mut [u8], at: usize) -> bool {
    let (code, len) = utf8::decode(text, at);
    if chars.is_low(code) {
        return len > 1;
    }
    let mut low = Vec::with_capacity(4);
    chars.push_lower(code, &mut low);
    let fits = low.len() == len && code != CAPITAL_SIGMA && !chars.joins(code);
    if fits {
        text[at..at + len].copy_from_slice(&low);
    }
    fits
}
