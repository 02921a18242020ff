//! Any bytes as mark-up, in three character sets: reading never panics, and the work stays within the limits.
#![no_main]

use bayleaf_core::mail::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &[u8]| {
    let reader = Reader::new(*b"0123456789abcdef", true);
    for charset in ["utf-8", "windows-1252", "iso-2022-jp"] {
        let head = format!("Content-Type: text/html; charset={charset}\n\n");
        let mail = reader.read(&[head.as_bytes(), source].concat());
        assert!(mail.keys.len() < 30_000);
        assert!((0..mail.keys.len()).all(|i| !mail.name(i).is_empty()));
    }
});
