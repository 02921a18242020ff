//! Runs that nobody wrote by accident: a head that claims too much, an index that leads beyond the keys.
#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::HashMap;

use bayleaf_core::store::{Document, Entry, Layout, Merge, Run, RunError, Source, Tally, Weigh, Writer};
use safetensors::Dtype;
use safetensors::tensor::TensorView;

/// A run of the given rows of one byte per cell, with one bucket from `starts[0]` to `starts[1]`.
fn craft(shape: [usize; 2], rows: &[u8], starts: [u32; 2]) -> Vec<u8> {
    let days = vec![0; 2 * shape[0]];
    let starts: Vec<u8> = starts.iter().flat_map(|start| start.to_le_bytes()).collect();
    let view = |dtype, shape: &[usize], bytes| TensorView::new(dtype, shape.to_vec(), bytes).unwrap();
    let tensors = [
        ("rows", view(Dtype::I8, &shape, rows)),
        ("seen", view(Dtype::U16, &shape[..1], &days)),
        ("born", view(Dtype::U16, &shape[..1], &days)),
        ("starts", view(Dtype::U32, &[2], &starts)),
    ];
    let notes = [("version", "1"), ("largest", "1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    safetensors::serialize(tensors, Some(HashMap::from(notes))).unwrap()
}

fn view(bytes: &[u8]) -> Run<'_> {
    Layout::read(bytes).unwrap().view(bytes)
}

#[test]
fn a_run_with_more_labels_than_anybody_has_is_refused() {
    let most = craft([0, 8 + 65_535], b"", [0, 0]);
    assert_eq!(view(&most).fingerprints().len(), 65_535);
    for labels in [65_536, 1 << 42] {
        let why = format!("{labels} labels, expected at most 65535");
        assert_eq!(Layout::read(&craft([0, 8 + labels], b"", [0, 0])).unwrap_err(), RunError::Format(why));
    }
    let written = Tally { labels: 65_536, day: 1, age: 0 }.count(&[]).unwrap().bytes();
    assert_eq!(written.unwrap_err(), RunError::Format("65536 labels, expected at most 65535".to_owned()));
}

#[test]
fn a_run_with_more_labels_than_its_store_is_not_merged() {
    let most = craft([0, 8 + 65_535], b"", [0, 0]);
    let keys: Vec<u64> = (0..1_000_000).collect();
    let document = Document { keys: &keys, label: 1, sign: 1 };
    let sound = Tally { labels: 2, day: 1, age: 0 }.count(&[document]).unwrap().bytes().unwrap();
    // A row for each key: 500 GB.
    let merge = Merge::new(vec![view(&sound), view(&most)], 2).map(drop);
    assert_eq!(merge.unwrap_err(), RunError::Format("65535 labels, expected at most 2".to_owned()));
    assert!(Merge::new(vec![view(&sound)], 2).is_ok() && Merge::new(vec![view(&sound)], 3).is_ok());
}

#[test]
fn an_index_that_leads_beyond_the_keys_is_followed_to_their_end() {
    let row = [&7_u64.to_le_bytes()[..], &[1]].concat();
    let bytes = craft([1, 9], &row, [0, u32::MAX]);
    let run = view(&bytes);
    assert!(run.verify().is_err());
    assert_eq!(run.find(7), Some(0));
    // 2^32 places each: hours.
    assert!((8..1_000).all(|key| run.find(key).is_none()));
}

#[test]
fn counts_and_totals_at_the_ends_of_their_range_are_weighed() {
    let mut writer = Writer::new(2, u64::MAX, 2);
    writer.push(Entry { key: 4, seen: 0, born: 0 }, &[i64::MAX, i64::MAX]).unwrap();
    writer.push(Entry { key: 8, seen: 0, born: 0 }, &[i64::MIN, 1]).unwrap();
    let bytes = writer.bytes().unwrap();
    let twice = [Source { run: view(&bytes), columns: &[0, 1] }; 2];
    for totals in [[i64::MAX, i64::MAX], [i64::MIN, i64::MAX], [i64::MIN, i64::MIN], [0, 0]] {
        for own in [None, Some(0), Some(1)] {
            let weighed = Weigh::new(0.5).weigh(&twice, &[4, 8], &totals, own);
            assert!(weighed.means.iter().chain(&weighed.ratios).all(|number| number.is_finite()));
            assert_eq!((weighed.seen(0), weighed.seen(1) < 0), (i64::MAX, true));
        }
    }
}

#[test]
fn an_index_of_one_bucket_is_searched_by_halving() {
    let keys: Vec<u64> = (0..200_000).map(|key| 2 * key).collect();
    let rows: Vec<u8> = keys.iter().flat_map(|key| [&key.to_le_bytes()[..], &[1]].concat()).collect();
    let bytes = craft([keys.len(), 9], &rows, [0, keys.len() as u32]);
    let run = view(&bytes);
    // Each of them was compared with all: hours.
    let asked: Vec<u64> = (0..400_000).collect();
    let mut table = vec![0; asked.len()];
    run.add(&asked, &[0], 1, &mut table);
    assert!(table.iter().zip(&asked).all(|(&count, key)| count == i64::from(key % 2 == 0)));
    assert!(asked.iter().all(|key| run.find(*key) == (key % 2 == 0).then_some((key / 2) as usize)));
}

#[test]
fn what_is_crafted_is_what_is_written() {
    let documents = [Document { keys: &[7], label: 0, sign: 1 }];
    let written = Tally { labels: 1, day: 0, age: 0 }.count(&documents).unwrap().bytes().unwrap();
    let row = [&7_u64.to_le_bytes()[..], &[1]].concat();
    assert_eq!(format!("{:?}", view(&written)), format!("{:?}", view(&craft([1, 9], &row, [0, 1]))));
}
