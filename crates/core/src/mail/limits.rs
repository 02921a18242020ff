//! How much of one message is looked at.
//!
//! What becomes a feature is counted per message, never per part: many small parts evade the latter. Only `FIELDS` and
//! `HEADER` count per header, and `NAME`, `VALUE`, `PARAMETERS`, `FIELD_WORDS` and `BOUNDARY` per field: their totals are bounded by
//! `MESSAGE`, since no byte is read as a field twice, by `PARTS`, and by `HEADER_TOKENS`.

/// Bytes of the message that are parsed; the identity covers all of them.
pub(super) const MESSAGE: usize = 25 << 20;
/// Bytes that the raw view sees: 3,000 ranked better than 10,000 (trec06p, (1-ROCA)% .0186 against .0223).
pub(super) const RAW: usize = 3_000;
/// Fields of one header, be it of the message or of a part.
pub(super) const FIELDS: usize = 10_000;
/// Bytes of names and values in one header. Mails of today have some 10,000; each byte may stand in ten tokens.
pub(super) const HEADER: usize = 1 << 20;
/// Bytes of one field name; a longer run before a colon is no header. RFC 5322 allows a line of 998.
pub(super) const NAME: usize = 998;
/// Bytes of one field value.
pub(super) const VALUE: usize = 64 << 10;
/// `Received` fields of the message that are read.
pub(super) const RECEIVED: usize = 64;
/// Parameters of one `Content-Type`.
pub(super) const PARAMETERS: usize = 1_024;
/// Header tokens; fields of parts give none.
pub(super) const HEADER_TOKENS: usize = 10_000;
/// Bytes of a key's readable text, be it an address or a field as a whole.
pub(super) const TOKEN: usize = 1_000;
/// Words of one field beyond the subject.
pub(super) const FIELD_WORDS: usize = 30;
/// Parts inside parts, attached messages included.
pub(super) const DEPTH: usize = 64;
/// Parts.
pub(super) const PARTS: usize = 1_000;
/// Bytes of a boundary; RFC 2046 allows 70, mail programs take what fits into a line.
pub(super) const BOUNDARY: usize = 998;
/// Decoded bytes of text parts, mark-up included.
pub(super) const SOURCE: usize = 256 << 10;
/// Bytes of text as people see it, and as much of hidden text.
pub(super) const TEXT: usize = 40_000;
/// Words as people see them, and as many hidden ones.
pub(super) const WORDS: usize = 3_000;
/// Words that form pairs.
pub(super) const PAIRED: usize = 1_500;
/// Characters of a word that is kept as it is.
pub(super) const WORD: usize = 30;
/// Links of mark-up.
pub(super) const LINKS: usize = 1_000;
