//! From one document to 64-bit keys: what a classifier without a vocabulary learns from.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::encoded::{NO_PART, Places};
use super::letters::Letters;
use super::settler::Settler;
use super::{Analyzer, Document, Encoded, Plan};

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

/// Which features keep their text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Names {
    #[default]
    None,
    /// Those that are not made of two others: the rest can be put together from them.
    Parts,
    All,
}

impl Names {
    fn wants(self, parts: [u32; 2]) -> bool {
        self == Self::All || self == Self::Parts && parts.contains(&NO_PART)
    }
}

/// Scratch space, one per thread, reused from document to document.
#[derive(Default)]
pub struct Workspace {
    names: Names,
    text: Vec<u8>,
    tagged: Vec<u8>,
    letters: Letters,
    settler: Settler,
    places: Places,
    /// Key and place of each token of the present field, then of the n-grams that start there.
    words: Vec<(u64, u32)>,
    grams: Vec<(u64, u32)>,
    /// With names: the tokens with a blank between them, and where each starts and ends.
    joined: Vec<u8>,
    spans: Vec<(usize, usize)>,
}

impl Workspace {
    /// A workspace that keeps the text of the features.
    pub fn with_names() -> Self {
        Self { names: Names::All, ..Self::default() }
    }

    /// A workspace that keeps the text of features that are not made of two others.
    pub fn with_part_names() -> Self {
        Self { names: Names::Parts, ..Self::default() }
    }
}

impl Encoder<'_> {
    /// Replaces `out` by the features of a document with one or more fields, each a tag ("subject:", or "" for none) and text.
    pub fn encode(&self, fields: &[(&str, Document)], work: &mut Workspace, out: &mut Encoded) {
        out.clear();
        work.places.restart();
        for (tag, document) in fields {
            if self.plan.settings.analyzer == Analyzer::Word {
                self.encode_words(tag.as_bytes(), document, work, out);
                self.encode_grams(tag.as_bytes(), work, out);
                self.encode_skips(tag.as_bytes(), work, out);
            } else {
                self.encode_letters(tag.as_bytes(), document, work, out);
            }
        }
        if self.presence {
            out.counts.fill(1);
        }
    }

    /// The key of a token.
    pub fn key(&self, tag: &[u8], token: &[u8], tagged: &mut Vec<u8>) -> u64 {
        if tag.is_empty() {
            return xxh3_64_with_seed(token, self.seed);
        }
        tagged.clear();
        tagged.extend_from_slice(tag);
        tagged.extend_from_slice(token);
        xxh3_64_with_seed(tagged, self.seed)
    }

    /// The key of an n-gram (`order` n) or skip pair (`order` 128 + distance) from the keys of its halves.
    pub fn pair_key(&self, head: u64, last: u64, order: u8) -> u64 {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&head.to_le_bytes());
        bytes[8..].copy_from_slice(&last.to_le_bytes());
        xxh3_64_with_seed(&bytes, self.seed.wrapping_add(order as u64))
    }

    fn encode_words(&self, tag: &[u8], document: &Document, work: &mut Workspace, out: &mut Encoded) {
        let Workspace { names, text, tagged, settler, places, words, joined, spans, .. } = work;
        let feature = self.plan.settings.ngrams.0 == 1;
        words.clear();
        joined.clear();
        spans.clear();
        self.plan.tokens(document, text, |text, start, end| {
            let Some(token) = settler.settle(self.plan, text, start, end) else { return };
            let key = self.key(tag, token, tagged);
            let position = words.len() as u32;
            let place = if feature { count(places, out, key, 1, position, [NO_PART; 2]) } else { (NO_PART, false) };
            words.push((key, place.0));
            if *names != Names::None {
                spans.push((joined.len(), joined.len() + token.len()));
                joined.extend_from_slice(token);
                joined.push(b' ');
                if place.1 {
                    name(out, tag, &[token]);
                }
            }
        });
        out.tokens += words.len() as u32;
    }

    fn encode_grams(&self, tag: &[u8], work: &mut Workspace, out: &mut Encoded) {
        let Workspace { names, places, words, grams, joined, spans, .. } = work;
        let (low, high) = self.plan.settings.ngrams;
        grams.clone_from(words);
        for n in 2..=high.min(words.len()) {
            for (i, last) in words[n - 1..].iter().enumerate() {
                let head = grams[i];
                let key = self.pair_key(head.0, last.0, n.min(127) as u8);
                let mut place = NO_PART;
                if n >= low {
                    let (at, new) = count(places, out, key, n.min(127) as u8, i as u32, [head.1, last.1]);
                    if new && names.wants([head.1, last.1]) {
                        name(out, tag, &[&joined[spans[i].0..spans[i + n - 1].1]]);
                    } else if new && *names == Names::Parts {
                        out.name_ends.push(out.names.len());
                    }
                    place = at;
                }
                grams[i] = (key, place);
            }
        }
    }

    fn encode_skips(&self, tag: &[u8], work: &mut Workspace, out: &mut Encoded) {
        let Workspace { names, places, words, joined, spans, .. } = work;
        let (low, high) = self.plan.settings.ngrams;
        for distance in 1..=self.plan.settings.skip.min(127) {
            if distance == 1 && low <= 2 && high >= 2 {
                continue;
            }
            let order = if distance == 1 { 2 } else { SKIP + distance as u8 };
            let gap = if distance == 1 { " ".to_owned() } else { format!(" +{distance} ") };
            for i in 0..words.len().saturating_sub(distance) {
                let (head, last) = (words[i], words[i + distance]);
                let key = self.pair_key(head.0, last.0, order);
                let (_, new) = count(places, out, key, order, i as u32, [head.1, last.1]);
                if new && names.wants([head.1, last.1]) {
                    let text = |i: usize| &joined[spans[i].0..spans[i].1];
                    name(out, tag, &[text(i), gap.as_bytes(), text(i + distance)]);
                } else if new && *names == Names::Parts {
                    out.name_ends.push(out.names.len());
                }
            }
        }
    }

    fn encode_letters(&self, tag: &[u8], document: &Document, work: &mut Workspace, out: &mut Encoded) {
        let Workspace { names, text, tagged, letters, places, .. } = work;
        let mut position = 0;
        letters.each(self.plan, document, text, |text, start, end, n| {
            let key = self.key(tag, &text[start..end], tagged);
            let (_, new) = count(places, out, key, n.min(127) as u8, position, [NO_PART; 2]);
            if new && *names != Names::None {
                name(out, tag, &[&text[start..end]]);
            }
            position += 1;
        });
        out.tokens += position;
    }
}

/// Counts a feature; returns its place and whether it is new.
#[inline]
fn count(places: &mut Places, out: &mut Encoded, key: u64, order: u8, position: u32, parts: [u32; 2]) -> (u32, bool) {
    let (place, new) = places.find_or_add(key, out.keys.len() as u32);
    if new {
        out.keys.push(key);
        out.counts.push(1);
        out.first.push(position);
        out.orders.push(order);
        out.parts.push(parts);
    } else {
        out.counts[place as usize] += 1;
    }
    (place, new)
}

fn name(out: &mut Encoded, tag: &[u8], pieces: &[&[u8]]) {
    out.names.extend_from_slice(tag);
    pieces.iter().for_each(|piece| out.names.extend_from_slice(piece));
    out.name_ends.push(out.names.len());
}
