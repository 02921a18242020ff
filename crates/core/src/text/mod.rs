//! Text: from documents to counted terms or to 64-bit keys.
//!
//! [`Settings`] say what to do, [`Plan`] is the settings made ready. Then one of two ways:
//! [`Terms`] is a vocabulary that learns and counts [`Rows`] (the vectorisers), or [`Encoder`] turns one document
//! into keys with counts and positions (the classifiers, which need no vocabulary).

mod absorb;
mod book;
mod chars;
mod compose;
mod corpus;
mod encoded;
mod encoder;
mod error;
mod fold;
mod grams;
mod hashed;
mod heads;
mod invisible;
mod joined;
mod letters;
mod lexicon;
mod lower;
mod mask;
mod memory;
mod murmur;
mod order;
mod pairs;
mod pattern;
mod plan;
mod reader;
mod rows;
mod scan;
pub(crate) mod seeds;
mod settings;
mod settler;
pub(crate) mod share;
mod spare;
mod stem;
mod tables;
mod terms;
mod trace;
mod utf8;
mod workspace;

pub use chars::Chars;
pub use encoded::{Encoded, NO_PART};
pub use encoder::Encoder;
pub use error::TextError;
pub use fold::{Accents, Fold, has_capital_sigma};
pub use hashed::{Buckets, hashed_rows};
pub(crate) use invisible::is_invisible;
pub(crate) use mask::{BLOCK, mask};
pub use murmur::murmur3;
pub use pattern::Pattern;
pub use plan::{Document, Plan};
pub use rows::Rows;
pub use settings::{Analyzer, Settings};
pub use spare::Spare;
pub use stem::Stem;
pub use terms::Terms;
pub use trace::Occurrence;
pub use workspace::Workspace;
