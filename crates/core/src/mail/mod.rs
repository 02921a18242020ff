//! Mail: from raw bytes to 64-bit keys, in one pass, for any bytes.
//!
//! [`Reader::read`] gives [`Features`]: keys of four [families](Family), the identity of the message, and what was cut
//! or odd. Nothing recurses over input, and time is linear in its size.

mod address;
mod blob;
mod blocks;
mod body;
mod character;
mod charset;
mod colour;
mod content;
#[cfg(test)]
mod decoding_laws;
mod element;
mod encoded_word;
mod family;
mod features;
mod fields;
mod header;
mod hiding;
mod html;
mod identity;
mod keys;
mod limits;
mod lines;
mod links;
mod look;
mod note;
mod open_parts;
mod parameter;
mod parts;
mod received;
mod runs;
mod shape;
mod sheet;
mod style;
mod tag;
mod tag_ends;
mod text_keys;
mod transfer;
mod utf7;
mod uuencode;
mod verbatim;
mod verdicts;
mod words;

pub use family::Family;
pub use features::{Features, Reader};
