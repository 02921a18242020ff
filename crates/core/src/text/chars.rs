//! What a code point is: word character, space, part of a script without spaces; and its lower case.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use super::invisible::{INVISIBLE, TAGS};
use super::pairs::Pairs;
use super::tables;
use super::utf8;

const WORD: u32 = 1;
const SPACE: u32 = 2;
const UNSPACED: u32 = 4;
const LONG: u32 = 8;
const JOINS: u32 = 16;
/// A cell is the distance to the lower case, shifted over the five flags.
const SHIFT: u32 = 5;
const PAGE: usize = 256;
const LIMIT: usize = 0x11_0000;
/// Its lower case depends on what is around it.
pub(super) const CAPITAL_SIGMA: u32 = 0x3a3;

/// Letters and marks of Thai, Lao, Burmese, Khmer, Han, Hiragana and Katakana: scripts that put no space between words.
#[rustfmt::skip]
const UNSPACED_SCRIPTS: &[(u32, u32)] = &[
    (0x0e01, 0x0e3a), (0x0e40, 0x0e4e), (0x0e81, 0x0ebd), (0x0ec0, 0x0ece), (0x0edc, 0x0edf), (0x1000, 0x1049),
    (0x1050, 0x109f), (0x1780, 0x17d3), (0x17d7, 0x17d7), (0x17dc, 0x17dd), (0x3005, 0x3007), (0x3021, 0x3029),
    (0x3031, 0x3035), (0x303b, 0x303b), (0x3041, 0x3096), (0x3099, 0x309a), (0x309d, 0x309f), (0x30a1, 0x30fa),
    (0x30fc, 0x30ff), (0x31f0, 0x31ff), (0x3400, 0x4dbf), (0x4e00, 0x9fff), (0xa9e0, 0xa9fe), (0xaa60, 0xaa7f),
    (0xf900, 0xfaff), (0xff66, 0xff9f), (0x1_aff0, 0x1_afff), (0x1_b000, 0x1_b16f), (0x2_0000, 0x3_ffff),
];

/// The class and lower case of every code point, as a table of shared pages.
///
/// [`Chars::shared`] is compiled in and the same everywhere, so that keys never depend on the machine.
/// The drop-in vectorisers build another one from the running Python, whose Unicode version decides there.
///
/// ```
/// use bayleaf_core::text::Chars;
/// let chars = Chars::shared();
/// assert!(chars.is_word('ß' as u32) && !chars.is_word(0x0301) && chars.is_space(0x1c));
/// assert_eq!(chars.lower('Ж' as u32), 'ж' as u32);
/// ```
pub struct Chars {
    pages: Vec<u16>,
    cells: Vec<u32>,
    pub(super) pairs: Pairs,
    long: HashMap<u32, Vec<u8>>,
    bare: Option<HashMap<u32, Vec<u8>>>,
    /// The cell of every tag.
    tag: u32,
}

impl Chars {
    /// A table from runs of word characters and spaces (both ends included) and from lower-case strings;
    /// `bare` gives the accent-free form of the code points that have one (`None`: by normal form KD of the compiled-in data).
    pub fn new(
        word: &[(u32, u32)],
        space: &[(u32, u32)],
        lower: &[(u32, Vec<u32>)],
        bare: Option<HashMap<u32, Vec<u8>>>,
    ) -> Self {
        Self::of([(word, WORD), (space, SPACE), (UNSPACED_SCRIPTS, UNSPACED)], lower, bare)
    }

    fn of<const N: usize>(
        kinds: [(&[(u32, u32)], u32); N],
        lower: &[(u32, Vec<u32>)],
        bare: Option<HashMap<u32, Vec<u8>>>,
    ) -> Self {
        // Nothing is known of code points beyond the last run: writing all of them took 2 ms of every process.
        let ends = kinds.iter().flat_map(|(runs, _)| runs.iter().map(|run| run.1)).chain(lower.iter().map(|low| low.0));
        let end = ends.map(|end| end as usize + 1).max().unwrap_or(0).next_multiple_of(PAGE);
        let mut flat = vec![0u32; end.min(LIMIT)];
        for (runs, flag) in kinds {
            for &(first, last) in runs {
                for cell in flat.iter_mut().take(last as usize + 1).skip(first as usize) {
                    *cell |= flag;
                }
            }
        }
        let mut long = HashMap::new();
        for (code, low) in lower {
            let Some(cell) = flat.get_mut(*code as usize) else { continue };
            match low.as_slice() {
                [one] => *cell |= one.wrapping_sub(*code) << SHIFT,
                many => {
                    *cell |= LONG;
                    let mut text = Vec::new();
                    many.iter().for_each(|&c| utf8::push(&mut text, c));
                    long.insert(*code, text);
                }
            }
        }
        let cell = |code: u32| flat.get(code as usize).copied().unwrap_or(0);
        let pairs = Pairs::new(
            |code| (cell(code) & WORD != 0, cell(code) & SPACE != 0),
            |code| (cell(code) & (LONG | JOINS) == 0 && code != CAPITAL_SIGMA).then(|| lowered(code, cell(code))),
        );
        let (pages, cells) = share_pages(&flat);
        let tag = kinds.iter().map(|kind| kind.1 & JOINS).max().unwrap_or(0);
        Self { pages, cells, pairs, long, bare, tag }
    }

    /// The compiled-in table.
    pub fn shared() -> Arc<Self> {
        static SHARED: OnceLock<Arc<Chars>> = OnceLock::new();
        SHARED
            .get_or_init(|| Arc::new(Self::new(tables::WORD, tables::SPACE, &lower_cases(&[0x69, 0x307]), None)))
            .clone()
    }

    /// The same for words as scripts write them: marks belong to the letter before (without them Hindi falls apart into
    /// letters) and are joined to it where the two are one letter (é of e and an accent: normal form C), what is not seen
    /// is not there, and İ is i, whose dot above no Turkish word in small letters has.
    ///
    /// ```
    /// use bayleaf_core::text::Chars;
    /// let chars = Chars::marked();
    /// assert!(chars.is_word('ि' as u32) && chars.is_word(0x0301) && !chars.is_word(0xfe0f));
    /// assert!(chars.joins(0x0301) && chars.joins(0xad) && !chars.joins('é' as u32));
    /// assert_eq!(chars.lower('İ' as u32), 'i' as u32);
    /// ```
    pub fn marked() -> Arc<Self> {
        static MARKED: OnceLock<Arc<Chars>> = OnceLock::new();
        let made = || {
            let kinds = [
                (tables::WORD, WORD),
                (tables::MARK, WORD),
                (tables::SPACE, SPACE),
                (UNSPACED_SCRIPTS, UNSPACED),
                (tables::JOIN, JOINS),
                (INVISIBLE, JOINS),
            ];
            Arc::new(Self::of(kinds, &lower_cases(&[0x69]), None))
        };
        MARKED.get_or_init(made).clone()
    }

    #[inline]
    fn cell(&self, code: u32) -> u32 {
        let Some(&page) = self.pages.get(code as usize / PAGE) else {
            return if TAGS.contains(&code) { self.tag } else { 0 };
        };
        self.cells.get(page as usize * PAGE + code as usize % PAGE).copied().unwrap_or(0)
    }

    /// Is it a letter, a digit or the underscore?
    #[inline]
    pub fn is_word(&self, code: u32) -> bool {
        self.cell(code) & WORD != 0
    }

    /// Is it white space?
    #[inline]
    pub fn is_space(&self, code: u32) -> bool {
        self.cell(code) & SPACE != 0
    }

    /// Does it belong to a script that puts no space between words?
    #[inline]
    pub fn is_unspaced(&self, code: u32) -> bool {
        self.cell(code) & UNSPACED != 0
    }

    /// Is it joined to the letter before, or not there at all?
    #[inline]
    pub fn joins(&self, code: u32) -> bool {
        self.cell(code) & JOINS != 0
    }

    /// Is the character that begins at `at` of a well-formed text part of a word, and is it a space?
    #[inline(always)]
    pub(super) fn class(&self, text: &[u8], at: usize) -> (bool, bool) {
        if let Some(pair) = utf8::pair(text, at) {
            return self.pairs.class(pair);
        }
        let cell = self.cell(utf8::decode(text, at).0);
        (cell & WORD != 0, cell & SPACE != 0)
    }

    /// Its lower case where that is one code point, itself otherwise.
    #[inline]
    pub fn lower(&self, code: u32) -> u32 {
        lowered(code, self.cell(code))
    }

    /// Is it its own lower case?
    #[inline]
    pub(super) fn is_low(&self, code: u32) -> bool {
        self.cell(code) & !(WORD | SPACE | UNSPACED) == 0
    }

    /// Appends its lower case, which may be longer (İ becomes i and a dot above).
    #[inline]
    pub(super) fn push_lower(&self, code: u32, out: &mut Vec<u8>) {
        let cell = self.cell(code);
        if cell & LONG != 0 {
            out.extend(self.long.get(&code).into_iter().flatten());
        } else {
            utf8::push(out, lowered(code, cell));
        }
    }

    /// Appends it without accents: its normal form KD less all combining marks.
    pub(super) fn push_bare(&self, code: u32, out: &mut Vec<u8>) {
        match (&self.bare, char::from_u32(code)) {
            (Some(bare), _) => match bare.get(&code) {
                Some(text) => out.extend_from_slice(text),
                None => utf8::push(out, code),
            },
            (None, None) => utf8::push(out, code),
            (None, Some(c)) => {
                let marks = |c: &char| canonical_combining_class(*c) == 0;
                std::iter::once(c).nfkd().filter(marks).for_each(|c| utf8::push(out, c as u32));
            }
        }
    }
}

/// The lower case of every code point that has one, and of İ.
fn lower_cases(dotted_i: &[u32]) -> Vec<(u32, Vec<u32>)> {
    let pairs = tables::LOWER.iter().map(|&(code, low)| (code, vec![low]));
    pairs.chain([(0x130, dotted_i.to_vec())]).collect()
}

/// The lower case that a code point's cell tells.
#[inline]
fn lowered(code: u32, cell: u32) -> u32 {
    code.wrapping_add(((cell as i32) >> SHIFT) as u32)
}

/// Cuts the flat table in pages and keeps each distinct page once: 4.4 MB become 0.13 MB.
fn share_pages(flat: &[u32]) -> (Vec<u16>, Vec<u32>) {
    let mut known: HashMap<&[u32], u16> = HashMap::new();
    let (mut pages, mut cells) = (Vec::new(), Vec::new());
    let mut last: (&[u32], u16) = (&[], 0);
    for page in flat.chunks(PAGE) {
        // Most pages are like the one before: hashing all of them took 4 ms of every process that reads a mail.
        if page != last.0 {
            let next = (cells.len() / PAGE) as u16;
            let number = *known.entry(page).or_insert_with(|| {
                cells.extend_from_slice(page);
                next
            });
            last = (page, number);
        }
        pages.push(last.1);
    }
    (pages, cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_letters_spaces_and_scripts() {
        let chars = Chars::shared();
        assert!(chars.is_word('_' as u32) && chars.is_word('٣' as u32) && chars.is_word(0x1d400));
        assert!(!chars.is_word('-' as u32) && chars.is_space(0x3000) && chars.is_space(0x1f));
        assert!(!(0..0x800).any(|code| chars.is_unspaced(code)));
        assert!(chars.is_unspaced('中' as u32) && chars.is_unspaced('ไ' as u32) && !chars.is_unspaced('é' as u32));
        assert_eq!(chars.lower('A' as u32), 'a' as u32);
        assert_eq!(chars.lower(0x10_ffff), 0x10_ffff);
        assert!(!chars.is_word(u32::MAX));
    }

    #[test]
    fn strips_accents() {
        let bare = |s: &str| {
            let mut out = Vec::new();
            s.chars().for_each(|c| Chars::shared().push_bare(c as u32, &mut out));
            String::from_utf8(out).unwrap_or_default()
        };
        assert_eq!(bare("éçñ\u{625}"), "ecn\u{627}");
        assert_eq!(bare("ﬁ①"), "fi1");
    }
}
