//! Any bytes as a mail: reading never panics, line ends and filters' headers change nothing, and every key has its name.
#![no_main]

use bayleaf_core::mail::{Family, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|raw: &[u8]| {
    let secret = *b"0123456789abcdef";
    let (plain, named) = (Reader::new(secret, false), Reader::new(secret, true));
    let mail = plain.read(raw);
    assert!(mail.keys.is_sorted_by(|a, b| a < b));
    assert_eq!(mail.sizes().iter().sum::<usize>(), mail.keys.len());

    let again = named.read(raw);
    assert_eq!((&mail.keys, mail.identity), (&again.keys, again.identity));
    assert!((0..again.keys.len()).all(|i| !again.name(i).is_empty() && mail.name(i).is_empty()));

    let twin: Vec<u8> = raw.iter().flat_map(|&b| if b == b'\n' { vec![b'\r', b'\n'] } else { vec![b] }).collect();
    let twin = plain.read(&twin);
    assert_eq!((&mail.keys, mail.identity, &mail.subject), (&twin.keys, twin.identity, &twin.subject));

    // A mail that begins with a field takes another one before it.
    let blank = raw.first().is_none_or(|b| b.is_ascii_whitespace());
    if !blank && !raw.starts_with(b"From ") && !raw.starts_with(b">From ") {
        let forged = plain.read(&[b"X-Spam-Status: No, score=-99\n", raw].concat());
        assert_eq!((&mail.keys, mail.identity), (&forged.keys, forged.identity));
    }
    let text = plain.read_text(&String::from_utf8_lossy(raw));
    assert!(text.keys.iter().all(|&key| Family::of(key) != Family::Header));
});
