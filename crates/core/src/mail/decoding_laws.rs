//! What was encoded is decoded, wherever its lines are broken; and whatever was not, is read within its own size.

use proptest::collection::vec;
use proptest::prelude::*;

use super::note::Notes;
use super::parameter::Parameter;
use super::transfer::{base64, quoted_printable};
use super::{charset, encoded_word, utf7, uuencode};

/// Base64 without what fills up its last group.
fn to_base64(bytes: &[u8]) -> String {
    let digit =
        |bits: u32| b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[bits as usize & 63] as char;
    let group = |three: &[u8]| {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(three.get(at).copied().unwrap_or(0)));
        (0..=three.len()).map(|at| digit(bits >> (18 - 6 * at))).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

/// Bytes, and for each of them how it is written.
fn written() -> impl Strategy<Value = Vec<(u8, u8)>> {
    vec((prop_oneof![any::<u8>(), Just(b'='), Just(b' '), Just(b'\n'), b'a'..b'g'], 0..6_u8), 0..60)
}

fn plain(written: &[(u8, u8)]) -> Vec<u8> {
    written.iter().map(|(byte, _)| *byte).collect()
}

/// Quoted-printable with soft breaks and with more quoting than there must be.
fn quoted(written: &[(u8, u8)]) -> Vec<u8> {
    let one = |&(byte, way): &(u8, u8)| match way {
        0 => format!("=\n={byte:02X}").into_bytes(),
        1 => format!("= \t\n={byte:02x}").into_bytes(),
        2.. if byte != b'=' => vec![byte],
        _ => format!("={byte:02x}").into_bytes(),
    };
    written.iter().flat_map(one).collect()
}

/// Bytes with much of the syntax of all encodings.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let syntax = [
        "=",
        "==",
        "=4",
        "=\n",
        "= \n",
        "=?",
        "?=",
        "?q?",
        "?B?",
        "utf-8",
        "begin 6 x\n",
        "end\n",
        "+AFY-",
        "\u{1b}$B",
    ];
    let piece = prop_oneof![
        2 => prop::sample::select(syntax.to_vec()).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..8),
        1 => "[ -~]{0,9}".prop_map(String::into_bytes),
    ];
    vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// A text as words of some bytes each: an even number in base64, an odd one quoted.
fn words(bytes: &[u8], charset: &str, mut lengths: impl Iterator<Item = usize>) -> Vec<u8> {
    let (mut rest, mut out) = (bytes, Vec::new());
    while !rest.is_empty() {
        let (head, tail) = rest.split_at(lengths.next().unwrap_or(rest.len()).clamp(1, rest.len()));
        let text = match head.len() % 2 {
            0 => format!("B?{}", to_base64(head)),
            _ => format!("q?{}", head.iter().map(|byte| format!("={byte:02X}")).collect::<String>()),
        };
        out.push(format!("=?{charset}?{text}?="));
        rest = tail;
    }
    out.join("\n ").into_bytes()
}

proptest! {
    #[test]
    fn base64_of_any_lines_is_what_was_encoded(bytes in vec(any::<u8>(), 0..60), line in 1..9_usize, most in 0..60_usize) {
        let text = to_base64(&bytes);
        let broken = text.as_bytes().chunks(line).map(<[u8]>::to_vec).collect::<Vec<_>>().join(&b" \n\t"[..]);
        let end = most.min(bytes.len());
        prop_assert_eq!(base64(&broken, most), (bytes[..end].to_vec(), false, end < bytes.len()));
    }

    #[test]
    fn quoted_printable_of_any_lines_is_what_was_encoded(written in written(), most in 0..60_usize) {
        let bytes = plain(&written);
        let end = most.min(bytes.len());
        prop_assert_eq!(quoted_printable(&quoted(&written), most), (bytes[..end].to_vec(), end < bytes.len()));
    }

    #[test]
    fn a_limit_cuts_and_nothing_grows(noise in noise(), most in 0..99_usize) {
        let base64 = |most| {
            let (out, _, cut) = base64(&noise, most);
            (out, cut)
        };
        let decoders: [&dyn Fn(usize) -> (Vec<u8>, bool); 3] =
            [&base64, &|most| quoted_printable(&noise, most), &|most| uuencode::decode(&noise, most)];
        for decode in decoders {
            let (all, cut) = decode(noise.len());
            prop_assert!(!cut && all.len() <= noise.len());
            let end = most.min(all.len());
            prop_assert_eq!(decode(most), (all[..end].to_vec(), end < all.len()));
        }
    }

    #[test]
    fn a_text_in_words_of_any_length_is_the_text(text in "[^\n]{0,30}", lengths in vec(1..9_usize, 0..9)) {
        let read = |value: &[u8]| encoded_word::decode(value, &mut Notes::default()).into_owned();
        prop_assert_eq!(read(&words(text.as_bytes(), "UTF-8", lengths.iter().copied())), &*text);
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        prop_assert_eq!(read(&words(&wide, "utf-16be*en", lengths.iter().copied())), text);
    }

    #[test]
    fn a_text_of_any_character_set_is_the_text(text in "[a-z а-я]{0,20}[ ёжщ]{1,9}", label in prop::sample::select(vec![
        "koi8-r", "windows-1251", "iso-8859-5", "utf-8", "gb18030", "shift_jis", "euc-kr", "big5", "iso-2022-jp",
    ])) {
        let Some(set) = encoding_rs::Encoding::for_label(label.as_bytes()) else { unreachable!("{label}") };
        let (bytes, _, lost) = set.encode(&text);
        // Neither a letter that the set lacks, nor letters that happen to be UTF-8.
        prop_assume!(!lost && (matches!(label, "utf-8" | "iso-2022-jp") || std::str::from_utf8(&bytes).is_err()));
        prop_assert_eq!(charset::decode(&bytes, label.as_bytes(), &mut Notes::default()), &*text);
    }

    #[test]
    fn a_text_in_utf_7_is_the_text(text in "[a-z +é中😀]{0,20}") {
        let shifted = |c: char| match c {
            '+' => "+-".to_owned(),
            c if c.is_ascii() => c.to_string(),
            c => format!("+{}-", to_base64(&c.to_string().encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>())),
        };
        prop_assert_eq!(utf7::decode(text.chars().map(shifted).collect::<String>().as_bytes()), text);
    }

    #[test]
    fn a_parameter_in_any_pieces_is_what_was_encoded(bytes in vec(any::<u8>(), 0..30), length in 1..9_usize) {
        let mut parameter = Parameter::default();
        let pieces: Vec<(String, String)> = (bytes.chunks(length).enumerate())
            .map(|(number, piece)| {
                let text: String = piece.iter().map(|byte| format!("%{byte:02x}")).collect();
                (format!("*{number}*"), if number == 0 { format!("utf-8''{text}") } else { text })
            })
            .collect();
        pieces.iter().rev().for_each(|(mark, value)| parameter.add(mark.as_bytes(), value.as_bytes()));
        prop_assert_eq!(&*parameter.value(), &bytes[..]);
    }

    #[test]
    fn any_bytes_become_a_text_of_their_size(noise in noise(), label in prop::sample::select(vec![
        "", "utf-8", "us-ascii", "x-none", "windows-1252", "koi8-r", "gb18030", "big5", "iso-2022-jp", "utf-16", "utf-7",
    ])) {
        let mut notes = Notes::default();
        let most = 3 * noise.len();
        prop_assert!(charset::decode(&noise, label.as_bytes(), &mut notes).len() <= most);
        prop_assert!(encoded_word::decode(&noise, &mut notes).len() <= most);
    }
}
