//! What must be true of every mail: any bytes are read, and what servers and mailboxes add changes nothing.

use bayleaf_core::mail::{Family, Features, Reader};
use proptest::collection::vec;
use proptest::prelude::*;

/// Fields that filters write.
const NAMES: &str = "X-Spam-[a-zA-Z]{1,5}|x-bogosity|X-BAYLEAF-[a-z]{1,5}|X-Rspamd-[a-z]{1,5}|X-DSPAM-[a-z]{1,5}|X-CRM114-[a-z]{1,5}|X-Antispam[a-z]{0,5}";

fn read(raw: &[u8]) -> Features {
    Reader::new(*b"0123456789abcdef", false).read(raw)
}

fn crlf(raw: &[u8]) -> Vec<u8> {
    raw.iter().flat_map(|&b| if b == b'\n' { vec![b'\r', b'\n'] } else { vec![b] }).collect()
}

/// Bytes that look like mail: pieces of syntax among noise.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let syntax = prop::sample::select(vec![
        "\n",
        "\n\n",
        "\r\n",
        "From ",
        ">From ",
        "From: a@b.c\n",
        "Subject: =?utf-8?B?4g==?= x\n",
        "Subject: =?x?q?=e9?=\n",
        "Content-Type: multipart/mixed; boundary=b\n",
        "Content-Type: text/html; charset=koi8-r\n",
        "--b\n",
        "--b--\n",
        "Content-Type: message/rfc822\n",
        "Content-Transfer-Encoding: base64\n",
        "Content-Transfer-Encoding: quoted-printable\n",
        "=3D",
        "=\n",
        "aGVsbG8=",
        "<a href='http://x.co.uk'>",
        "<p style=display:none>",
        "</p>",
        "<!--",
        "&#x41;",
        "&amp",
        "\0",
        "Received: from a.b.c (1.2.3.4)\n",
        "X-Spam-Flag: YES\n",
        " folded\n",
        "\u{200b}",
        "中文字",
        "é",
        "\u{fdfa}",
    ]);
    let piece = prop_oneof![4 => syntax.prop_map(|s| s.as_bytes().to_vec()), 1 => vec(any::<u8>(), 0..6), 1 => "[ -~]{0,20}".prop_map(String::into_bytes)];
    vec(piece, 0..40).prop_map(|all| all.concat())
}

/// A mail with a sound header.
fn mail() -> impl Strategy<Value = (String, Vec<u8>)> {
    let header = ("[a-z]{1,8}", "[ -~]{0,30}", "[a-z0-9]{1,8}").prop_map(|(user, subject, id)| {
        format!("From: {user}@example.com\nDate: Thu, 1 Oct 2026 10:00:00 +0000\nMessage-ID: <{id}@x>\nSubject: s{subject}\n")
    });
    (header, pieces())
}

proptest! {
    #[test]
    fn any_bytes_are_read(raw in vec(any::<u8>(), 0..600)) {
        let mail = read(&raw);
        prop_assert!(mail.keys.is_sorted_by(|a, b| a < b));
        prop_assert_eq!(mail.sizes().iter().sum::<usize>(), mail.keys.len());
    }

    #[test]
    fn line_ends_do_not_matter(raw in pieces()) {
        let (mail, twin) = (read(&raw), read(&crlf(&raw)));
        prop_assert_eq!(&mail.keys, &twin.keys);
        prop_assert_eq!((mail.identity, mail.subject, mail.notes), (twin.identity, twin.subject, twin.notes));
    }

    #[test]
    fn names_belong_to_the_same_keys(raw in pieces()) {
        let named = Reader::new(*b"0123456789abcdef", true).read(&raw);
        prop_assert_eq!(&named.keys, &read(&raw).keys);
        for i in 0..named.keys.len() {
            let prefix = match Family::of(named.keys[i]) {
                Family::Header => String::new(),
                family => format!("{}:", family.name()),
            };
            prop_assert!(named.name(i).starts_with(&prefix));
        }
    }

    #[test]
    fn headers_of_filters_change_nothing((header, body) in mail(), at in 0usize..4, name in NAMES, value in "[ -~]{0,40}") {
        let mut lines: Vec<&str> = header.split_inclusive('\n').collect();
        let forged = format!("{name}: {value}\n\tfolded {value}\n");
        let plain = [header.as_bytes(), b"\n", &body].concat();
        lines.insert(at, &forged);
        let marked = [lines.concat().as_bytes(), b"\n", &body].concat();
        let (plain, marked) = (read(&plain), read(&marked));
        prop_assert_eq!(plain.keys, marked.keys);
        prop_assert_eq!((plain.identity, plain.notes), (marked.identity, marked.notes));
    }

    #[test]
    fn identity_survives_the_way((header, body) in mail(), end in "\n{0,3}") {
        let plain = read(&[header.as_bytes(), b"\n", &body].concat()).identity;
        let added = "Return-Path: <x@y>\nReceived: from a (b [1.2.3.4])\n\tby c; now\nX-Virus: no\nDelivered-To: me@y\n";
        let sent = [added.as_bytes(), header.as_bytes(), b"\n", &body, end.as_bytes()].concat();
        prop_assert_eq!(read(&sent).identity, plain);
        let boxed = [b"From x@y Thu Oct  1 10:00:00 2026\n", &sent[..]].concat();
        prop_assert_eq!(read(&boxed).identity, plain);
        prop_assert_eq!(read(&crlf(&boxed)).identity, plain);
    }

    #[test]
    fn identity_survives_mbox_quoting((header, lines) in (mail(), vec("(>{0,2}From |From: )?[ -~]{0,10}", 0..6)).prop_map(|(m, l)| (m.0, l))) {
        let quoted: Vec<String> = lines.iter().map(|line| {
            if line.trim_start_matches('>').starts_with("From ") { format!(">{line}") } else { line.clone() }
        }).collect();
        let whole = |lines: &[String]| read(format!("{header}\n{}", lines.join("\n")).as_bytes()).identity;
        prop_assert_eq!(whole(&lines), whole(&quoted));
    }

    #[test]
    fn another_body_or_subject_is_another_mail((header, body) in mail(), more in "[a-z]{1,5}") {
        let plain = read(&[header.as_bytes(), b"\n", &body].concat()).identity;
        prop_assert_ne!(read(&[header.as_bytes(), b"\n", &body, more.as_bytes()].concat()).identity, plain);
        let renamed = header.replace("Subject: s", &format!("Subject: {more}s"));
        prop_assert_ne!(read(&[renamed.as_bytes(), b"\n", &body].concat()).identity, plain);
    }

    #[test]
    fn text_without_header_has_no_header_features(text: String) {
        let mail = Reader::new(*b"0123456789abcdef", true).read_text(&text);
        prop_assert_eq!(mail.sizes()[Family::Header as usize], 0);
    }

    #[test]
    fn another_secret_gives_other_keys(raw in pieces().prop_filter("long enough", |raw| raw.len() > 20)) {
        let other = Reader::new(*b"fedcba9876543210", false).read(&raw);
        let mail = read(&raw);
        // Which quarter of the raw and pair keys is kept is the secret's choice; all words and header tokens are.
        for family in [Family::Word, Family::Header] {
            prop_assert_eq!(mail.sizes()[family as usize], other.sizes()[family as usize]);
        }
        prop_assert!(mail.keys.iter().all(|key| other.keys.binary_search(key).is_err()));
    }
}
