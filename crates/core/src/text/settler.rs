//! Stop words and stems, remembered per raw token.

use super::Plan;
use super::lexicon::Lexicon;
use super::seeds::Seeds;
use super::terms::DROP;

/// Forget everything beyond so many distinct tokens, so that an endless stream needs bounded memory.
const MOST: usize = 1 << 20;

/// What each raw token became: nothing (a stop word) or its stem.
pub(super) struct Settler {
    tokens: Lexicon,
    stems: Lexicon,
}

impl Default for Settler {
    fn default() -> Self {
        let seeds = Seeds::random();
        Self { tokens: Lexicon::new(seeds), stems: Lexicon::new(seeds) }
    }
}

impl Settler {
    /// The token itself, its stem, or nothing if it is a stop word.
    pub(super) fn settle<'t>(&'t mut self, plan: &Plan, text: &'t [u8], start: usize, end: usize) -> Option<&'t [u8]> {
        if plan.stem.is_none() && plan.stops.is_empty() {
            return text.get(start..end);
        }
        if self.tokens.len() > MOST {
            *self = Self::default();
        }
        let known = self.tokens.find(text, start, end);
        let number = known.unwrap_or_else(|| {
            let number = match plan.settle(&text[start..end]) {
                None => DROP,
                Some(stem) => self.stems.add(&stem, self.stems.len() as u32).0,
            };
            self.tokens.find_or_add(text, start, end, number).0
        });
        if number == DROP { None } else { Some(self.stems.text(number as usize)) }
    }
}
