//! From one document to 64-bit keys: what a classifier without a vocabulary learns from.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Analyzer, Document, Encoded, Plan, Workspace};

/// The order of a skip pair is this plus its distance.
pub(super) const SKIP: u8 = 128;

/// A plan, a seed for the keys, and whether only presence counts.
///
/// A token's key is xxh3-64 of its UTF-8 text, field tag in front, with the seed. An n-gram's key is xxh3-64 of sixteen
/// bytes, the key of all but its last word and the key of its last word (both little-endian), with the seed plus its
/// order; a skip pair's is made of its two words' keys with the seed plus 128 plus the distance. Character n-grams are
/// hashed as text. These rules are a promise: keys are stored.
///
/// ```
/// use bayleaf_core::text::{Chars, Document, Encoded, Encoder, Plan, Settings, Workspace};
/// let plan = Plan::new(Settings::default(), Chars::shared()).unwrap();
/// let encoder = Encoder { plan: &plan, seed: 0, presence: false };
/// let (mut work, mut out) = (Workspace::with_names(), Encoded::default());
/// encoder.encode(&[("", Document::Text(b"to be or to"))], &mut work, &mut out);
/// let names: Vec<_> = (0..out.len()).map(|i| std::str::from_utf8(out.name(i)).unwrap()).collect();
/// assert_eq!(names, ["to", "be", "or", "to be", "be or", "or to"]);
/// assert_eq!(out.counts, [2, 1, 1, 1, 1, 1]);
/// assert_eq!((out.parts[5], out.first[5], out.tokens), ([2, 0], 2, 4));
/// ```
#[derive(Clone, Copy)]
pub struct Encoder<'a> {
    /// From text to tokens.
    pub plan: &'a Plan,
    /// Seed of the keys; one secret per store keeps others from preparing collisions.
    pub seed: u64,
    /// Counts are all 1.
    pub presence: bool,
}

impl Encoder<'_> {
    /// Replaces `out` by the features of a document with one or more fields, each a tag ("subject:", or "" for none) and text.
    ///
    /// The workspace remembers terms and their keys from document to document; it must only ever see one encoder.
    pub fn encode(&self, fields: &[(&str, Document)], work: &mut Workspace, out: &mut Encoded) {
        out.clear();
        work.restart(self, fields.iter().map(|(_, document)| document.size()).sum());
        for (tag, document) in fields {
            if self.plan.settings.analyzer == Analyzer::Word {
                work.read_words(self, tag.as_bytes(), document, out);
            } else {
                work.read_letters(self, tag.as_bytes(), document, out);
            }
        }
        if self.presence {
            out.counts.fill(1);
        }
    }

    /// The key of a token, its field's tag in front.
    pub fn key(&self, tagged: &[u8]) -> u64 {
        xxh3_64_with_seed(tagged, self.seed)
    }

    /// The key of an n-gram (`order` n) or skip pair (`order` 128 + distance) from the keys of its halves.
    pub fn pair_key(&self, head: u64, last: u64, order: u8) -> u64 {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&head.to_le_bytes());
        bytes[8..].copy_from_slice(&last.to_le_bytes());
        xxh3_64_with_seed(&bytes, self.seed.wrapping_add(order as u64))
    }
}
