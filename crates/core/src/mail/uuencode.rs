//! Uuencoded bodies, as mail programs still read them under `Content-Transfer-Encoding: x-uuencode`.

use super::lines;

/// Is it the name of that encoding?
pub(super) fn is_named(value: &[u8]) -> bool {
    let name = value.split(|b| b.is_ascii_whitespace() || *b == b';').next().unwrap_or_default();
    [&b"x-uuencode"[..], b"uuencode", b"x-uue", b"uue"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// At most `most` bytes, and whether there were more. What stands around "begin" and "end" stays.
pub(super) fn decode(body: &[u8], most: usize) -> (Vec<u8>, bool) {
    let mut out = Vec::with_capacity(body.len().min(most));
    let (mut at, mut inside) = (0, false);
    while at < body.len() && out.len() <= most {
        let next = lines::next(body, at);
        let line = &body[at..next];
        match (inside, line) {
            (false, [b'b', b'e', b'g', b'i', b'n', b' ', ..]) => inside = true,
            (false, _) => out.extend_from_slice(line),
            (true, [b'e', b'n', b'd', b'\n'] | b"end") => inside = false,
            (true, _) => decode_line(line.trim_ascii_end(), &mut out),
        }
        at = next;
    }
    let cut = out.len() > most;
    out.truncate(most);
    (out, cut)
}

/// A character for the length, then four for every three bytes; blanks at the end are zeros that were lost.
fn decode_line(line: &[u8], out: &mut Vec<u8>) {
    let digit = |byte: Option<&u8>| u32::from(byte.map_or(0, |byte| byte.wrapping_sub(b' ') & 63));
    let Some((length, text)) = line.split_first() else { return };
    let end = out.len() + digit(Some(length)) as usize;
    for group in text.chunks(4) {
        let bits = (0..4).fold(0, |bits, place| bits << 6 | digit(group.get(place)));
        out.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    out.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_stands_between() {
        let body = b"hi\nbegin 644 x.txt\n+5DE!1U)!('1E>'0 \n \nend\nbye\n";
        assert_eq!(decode(body, 99), (b"hi\nVIAGRA textbye\n".to_vec(), false));
        assert_eq!(decode(body, 5), (b"hi\nVI".to_vec(), true));
        assert_eq!(decode(b"begin 644 x\n#86(", 99), (b"ab\0".to_vec(), false));
        assert_eq!(decode(b"no", 99), (b"no".to_vec(), false));
        assert!(is_named(b"X-UUencode") && is_named(b"uue ;") && !is_named(b"base64"));
    }
}
