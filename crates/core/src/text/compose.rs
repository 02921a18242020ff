//! Normal form C, less what is not seen: é is one letter however it was typed, and a soft hyphen cuts no word.

use unicode_normalization::UnicodeNormalization;

use super::invisible::is_invisible;
use super::{Chars, utf8};

/// Does anything in the text join what is before it?
pub(super) fn any_joins(chars: &Chars, text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        let (code, len) = utf8::decode(text, at);
        if chars.joins(code) {
            return true;
        }
        at += len;
    }
    false
}

/// Calls `found` with the bytes of each character and the numbers of the first and the last source character it is of.
pub(super) fn each(chars: &Chars, text: &[u8], mut found: impl FnMut(&[u8], usize, usize)) {
    let (mut at, mut number) = (0, 0);
    while at < text.len() {
        // A character that joins nothing begins anew: what is before it cannot change it (UAX 15, section 9.1).
        let (code, len) = utf8::decode(text, at);
        let (mut end, mut count) = (at + len, 1);
        loop {
            let (next, len) = utf8::decode(text, end);
            if end >= text.len() || !chars.joins(next) {
                break;
            }
            (end, count) = (end + len, count + 1);
        }
        let last = number + count - 1;
        match std::str::from_utf8(&text[at..end]) {
            Ok(cluster) if count > 1 || chars.joins(code) => joined(cluster, number, last, &mut found),
            _ => found(&text[at..end], number, last),
        }
        (at, number) = (end, last + 1);
    }
}

fn joined(cluster: &str, first: usize, last: usize, found: &mut impl FnMut(&[u8], usize, usize)) {
    let mut letters = cluster.chars().filter(|c| !is_invisible(*c as u32)).nfc().peekable();
    let mut number = first;
    while let Some(letter) = letters.next() {
        let end = if letters.peek().is_none() { last } else { number };
        found(letter.encode_utf8(&mut [0; 4]).as_bytes(), number, end);
        number = last.min(number + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn composed(text: &[u8]) -> (Vec<u8>, Vec<(usize, usize)>) {
        let (mut out, mut sources) = (Vec::new(), Vec::new());
        each(&Chars::marked(), text, |letter, first, last| {
            out.extend_from_slice(letter);
            sources.push((first, last));
        });
        (out, sources)
    }

    #[test]
    fn letters_are_one_however_they_were_typed() {
        let (out, sources) = composed("cafe\u{301} Do\u{ad}nau \u{1112}\u{1161}\u{11ab}\u{feff}".as_bytes());
        assert_eq!(String::from_utf8_lossy(&out), "café Donau 한");
        assert_eq!(sources[3..7], [(3, 4), (5, 5), (6, 6), (7, 8)]);
        assert_eq!(sources.last(), Some(&(13, 16)));
    }

    #[test]
    fn malformed_bytes_stay_what_they_are() {
        let text = b"a\xff\xcc\x81b\xed\xa0\x80";
        assert_eq!(composed(text).0, text);
        assert!(any_joins(&Chars::marked(), text) && !any_joins(&Chars::shared(), text));
    }

    proptest! {
        #[test]
        fn it_is_the_normal_form_of_what_is_seen(text in "[a-zA-ZÅéК\u{ad}\u{200b}\u{200d}\u{300}-\u{345}\u{591}-\u{5bd}\u{5d0}-\u{5ea}\u{64b}-\u{655}\u{627}\u{915}-\u{93c}\u{94d}\u{958}\u{9c7}\u{9be}\u{e01}-\u{e4b}\u{1100}-\u{11c2}\u{ac00}\u{212a}-\u{212b}か\u{3099}\u{f900}😀]{0,40}") {
            let seen: String = text.chars().filter(|c| !is_invisible(*c as u32)).nfc().collect();
            let (out, sources) = composed(text.as_bytes());
            prop_assert_eq!(String::from_utf8_lossy(&out), seen);
            let last = text.chars().count();
            prop_assert!(sources.iter().all(|(first, end)| first <= end && *end < last));
            prop_assert!(sources.windows(2).all(|two| two[0].1 <= two[1].0));
        }

        #[test]
        fn of_any_text_too(text in any::<String>()) {
            let seen: String = text.chars().filter(|c| !is_invisible(*c as u32)).nfc().collect();
            prop_assert_eq!(composed(text.as_bytes()).0, seen.into_bytes());
        }
    }
}
