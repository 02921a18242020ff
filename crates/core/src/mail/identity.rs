//! Which message it is, whatever happened to it on the way.

use blake3::Hasher;

use super::fields::Field;

/// The fields that no server rewrites.
const NAMES: [&str; 4] = ["From", "Date", "Message-ID", "Subject"];

/// BLAKE3 of From, Date, Message-ID and Subject (the first of each, runs of blanks as one) and of the body.
///
/// `>From ` at the start of a line counts as `From `, and empty lines at the end do not count.
pub(super) fn of(fields: &[Field], body: &[u8]) -> [u8; 32] {
    let mut hash = Hasher::new();
    for name in NAMES {
        if let Some(field) = fields.iter().find(|field| field.is(name)) {
            hash.update(name.as_bytes());
            for word in field.value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                hash.update(b" ");
                hash.update(word);
            }
        }
        hash.update(b"\n");
    }
    let end = body.iter().rposition(|b| !matches!(b, b'\n' | b'\r')).map_or(0, |last| last + 1);
    hash.update(b"\n");
    add_unquoted(&body[..end], &mut hash);
    hash.finalize().into()
}

/// Adds the body without the ">" that an mbox puts before lines that begin with "From ".
fn add_unquoted(body: &[u8], hash: &mut Hasher) {
    let mut done = 0;
    if body.first() == Some(&b'>') {
        done = quotes(body);
    }
    for end in memchr::memchr_iter(b'\n', body) {
        let start = end + 1;
        if body.get(start) == Some(&b'>') {
            let marks = quotes(&body[start..]);
            if marks > 0 {
                hash.update(&body[done..start]);
                done = start + marks;
            }
        }
    }
    hash.update(&body[done..]);
}

/// How many ">" stand before "From " at the start of `line`; 0 if anything else follows.
fn quotes(line: &[u8]) -> usize {
    let marks = line.iter().take_while(|b| **b == b'>').count();
    if line[marks..].starts_with(b"From ") { marks } else { 0 }
}
