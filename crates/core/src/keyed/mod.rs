//! Counts by 64-bit key: an open vocabulary that learns, unlearns and merges without aligning anything.
//!
//! [`KeyedCounts`] is the tally. [`Evidence`] weighs it: one row of log-ratios per key, computed from the counts when it
//! is asked for. [`Table`] says how much evidence of each [kind](Layout) is worth; [`loo`] gives what it is fitted on.

mod columns;
mod counts;
mod deal;
mod entry;
mod evidence;
mod explain;
mod grouped;
mod judge;
mod layout;
mod leanings;
mod lift;
mod listing;
mod logs;
mod loo;
mod names;
mod pairs;
mod reader;
mod records;
mod seen;
mod shard;
mod unlearned;
mod weights;

pub use columns::Columns;
pub use counts::KeyedCounts;
pub use evidence::Evidence;
pub use explain::{Summands, explain};
pub use grouped::Grouped;
pub use judge::Table;
pub use layout::Layout;
pub use leanings::Leanings;
pub use lift::Lift;
pub use listing::Listing;
pub use loo::loo;
pub use records::Records;
pub use unlearned::{Unlearned, Unmerged};
pub use weights::KeyWeights;
