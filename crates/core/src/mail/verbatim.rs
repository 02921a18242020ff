//! Elements that end at their closing tag, whatever stands before it.

use super::tag::Tag;

/// What stands between a tag and its closing tag, where no comment and no quote goes on behind that.
pub(super) enum Verbatim {
    /// Never text.
    Silent,
    /// Text with character references.
    Text,
    /// Text as it stands.
    Letters,
    /// Mark-up, for programs that do not know the element.
    MarkUp,
}

impl Verbatim {
    pub(super) fn of(tag: &Tag) -> Option<Self> {
        match tag.name.as_str() {
            _ if tag.closes => None,
            "script" | "style" => Some(Self::Silent),
            "title" | "textarea" => Some(Self::Text),
            "xmp" | "plaintext" => Some(Self::Letters),
            "iframe" | "noembed" | "noframes" => Some(Self::MarkUp),
            _ => None,
        }
    }
}

/// Where the closing tag of that name begins, from `at` on.
pub(super) fn end(source: &str, at: usize, name: &str) -> usize {
    let rest = source.as_bytes();
    let mut from = at;
    while let Some(found) = memchr::memmem::find(&rest[from..], b"</") {
        let start = from + found;
        let end = start + 2 + name.len();
        let named = rest.get(start + 2..end).is_some_and(|close| close.eq_ignore_ascii_case(name.as_bytes()));
        if named && rest.get(end).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>')) {
            return start;
        }
        from = start + 2;
    }
    source.len()
}
