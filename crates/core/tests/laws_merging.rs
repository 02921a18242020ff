//! Tables that anybody may have written become one, exactly, or stay as they were.

use std::collections::BTreeMap;

use bayleaf_core::keyed::{KeyedCounts, Lift, Listing, Unmerged};
use proptest::prelude::*;

const K: usize = 2;
/// What all counts of a table may add up to.
const MOST: i128 = 1 << 61;

/// By key: its order, the documents that hold it, and a count for each class.
type Keys<N> = BTreeMap<u64, (u8, N, [N; K])>;

fn large() -> impl Strategy<Value = i64> + Clone {
    prop_oneof![1..9_i64, (0..62_u32).prop_map(|shift| 1 << shift), Just((1 << 60) - 1)]
}

/// Few keys, so that they meet, nearly always under the same order.
fn keys() -> impl Strategy<Value = Keys<i64>> {
    let order = prop_oneof![20 => Just(1_u8), 1 => Just(2_u8)];
    let counts = (prop_oneof![Just(0), large()], large()).prop_map(<[i64; K]>::from);
    prop::collection::btree_map((0..6_u64).prop_map(|key| key << 55), (order, large(), counts), 0..4)
}

fn filled(keys: &Keys<i64>, documents: &[i64; K]) -> Option<KeyedCounts> {
    let mut list = Listing { starts: vec![0], ..Listing::default() };
    for (&key, &(order, documents, counts)) in keys {
        list.keys.push(key);
        list.orders.push(order);
        list.documents.push(documents);
        for (class, count) in (0..).zip(counts).filter(|(_, count)| *count > 0) {
            list.classes.push(class);
            list.counts.push(count);
        }
        list.starts.push(list.counts.len() as i64);
    }
    let mut table = KeyedCounts::new(&[1, 2], K, Lift::Count, None, false);
    table.fill(&list, documents, &[0, 1]).then_some(table)
}

fn whole(counts: &KeyedCounts) -> (Listing, Vec<i64>, Vec<i64>, Vec<i64>) {
    let mut list = counts.listing();
    list.parts.clear();
    list.text_ends.clear();
    (list, counts.documents().to_vec(), counts.sums().to_vec(), counts.distinct().to_vec())
}

/// What both tables have together, unless they differ in the order of a key.
fn together(a: &Keys<i64>, b: &Keys<i64>) -> Option<Keys<i128>> {
    let mut all = BTreeMap::new();
    for (&key, &(order, documents, counts)) in a.iter().chain(b) {
        let (known, held, sums) = all.entry(key).or_insert((order, 0, [0; K]));
        if *known != order {
            return None;
        }
        *held += i128::from(documents);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += i128::from(count));
    }
    Some(all)
}

proptest! {
    #[test]
    fn tables_become_one_exactly_or_stay_as_they_were(
        a in keys(), b in keys(), of_a in [large(), large()], of_b in [large(), large()],
    ) {
        let (Some(mut one), Some(two)) = (filled(&a, &of_a), filled(&b, &of_b)) else { return Ok(()) };
        let (before, mut listed) = (whole(&one), one.clone());
        let all = together(&a, &b);
        let fits = all.as_ref().is_some_and(|all| {
            let held: i128 = all.values().map(|key| key.1).sum();
            let counts: i128 = all.values().flat_map(|key| key.2).sum();
            let documents: i128 = of_a.iter().chain(&of_b).map(|n| i128::from(*n)).sum();
            held.max(counts).max(documents) <= MOST
        });
        prop_assert_eq!(one.merge(&two, &[0, 1], 1).is_ok(), fits);
        prop_assert_eq!(listed.fill(&whole(&two).0, two.documents(), &[0, 1]), fits);
        prop_assert_eq!(whole(&listed), whole(&one));
        if !fits {
            prop_assert_eq!(whole(&one), before);
            return Ok(());
        }
        let (list, documents, ..) = whole(&one);
        let held: Vec<_> = all.into_iter().flatten().map(|(key, (order, held, _))| (key, order, held as i64)).collect();
        let found: Vec<_> = (0..list.keys.len()).map(|i| (list.keys[i], list.orders[i], list.documents[i])).collect();
        prop_assert_eq!(found, held);
        prop_assert_eq!(documents, of_a.iter().zip(&of_b).map(|(a, b)| a + b).collect::<Vec<_>>());
        prop_assert!(one.merge(&two, &[0, 1], -1).is_ok());
        prop_assert_eq!(whole(&one), before);
    }
}

#[test]
fn what_was_found_is_said() {
    let table = |order, documents, count| filled(&Keys::<i64>::from([(7, (order, documents, [count, 0]))]), &[1, 1]);
    let merged = |sign, other: Option<KeyedCounts>| table(1, 2, 3)?.merge(&other?, &[0, 1], sign).err();
    assert_eq!(merged(1, table(2, 1, 1)), Some(Unmerged::Order(7)));
    assert_eq!(merged(-1, table(2, 1, 1)), Some(Unmerged::Order(7)));
    assert_eq!(merged(-1, table(1, 3, 3)), Some(Unmerged::Unlearned));
    assert_eq!(merged(1, table(1, 1, 1 << 61)), Some(Unmerged::Large));
    assert_eq!(merged(1, table(1, 1 << 61, 1)), Some(Unmerged::Large));
    assert_eq!(merged(-1, table(1, 2, 3)), None);
}
