//! Columns in the order of the terms' text.

use super::Terms;
use super::lexicon::NONE;

impl Terms {
    /// Gives a column to every term that has none: behind the present ones, sorted by text.
    ///
    /// A blank sorts before every character of a word, so the order of the texts is the order of a walk through the
    /// tree that visits a node before its children and the children by their last word. No text is built or compared
    /// beyond the single words.
    pub fn assign_columns(&mut self) {
        let (words, rank) = self.sorted_words();
        let (starts, children) = self.sorted_children(&rank, words.len());
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for word in words {
            self.assign(word);
            let mut span = (starts[word as usize], starts[word as usize + 1]);
            loop {
                while span.0 == span.1 {
                    match stack.pop() {
                        Some(outer) => span = outer,
                        None => break,
                    }
                }
                if span.0 == span.1 {
                    break;
                }
                let node = children[span.0 as usize];
                self.assign(node);
                stack.push((span.0 + 1, span.1));
                span = (starts[node as usize], starts[node as usize + 1]);
            }
        }
    }

    fn assign(&mut self, node: u32) {
        let node = node as usize;
        if self.features[node] && self.columns[node] == NONE {
            self.columns[node] = self.width as u32;
            self.width += 1;
        }
    }

    /// The nodes of words by text, and the rank of each node among them.
    fn sorted_words(&self) -> (Vec<u32>, Vec<u32>) {
        let nodes = (0..self.parents.len() as u32).filter(|&node| self.parents[node as usize] == NONE);
        let mut keyed: Vec<(u64, u32)> = nodes.map(|node| (prefix(self.word_text(node)), node)).collect();
        keyed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.word_text(a.1).cmp(self.word_text(b.1))));
        let mut rank = vec![0; self.parents.len()];
        for (place, (_, node)) in keyed.iter().enumerate() {
            rank[*node as usize] = place as u32;
        }
        (keyed.into_iter().map(|(_, node)| node).collect(), rank)
    }

    fn word_text(&self, node: u32) -> &[u8] {
        self.lexicon.text(self.tails[node as usize] as usize)
    }

    /// The children of all nodes, one node after the other and each family by the rank of the last word: two counting sorts.
    fn sorted_children(&self, rank: &[u32], words: usize) -> (Vec<u32>, Vec<u32>) {
        let count = self.parents.len();
        // Parent and child travel together, so that the second sort reads its keys in a row.
        let grams: Vec<(u32, u64)> = (0..count)
            .filter(|&node| self.parents[node] != NONE)
            .map(|node| (rank[self.tails[node] as usize], (self.parents[node] as u64) << 32 | node as u64))
            .collect();
        let by_tail = counting_sort(&grams, words, |gram| gram.0, |gram| gram.1).1;
        counting_sort(&by_tail, count, |pair| (pair >> 32) as u32, |pair| pair as u32)
    }
}

/// The first eight bytes as a number that sorts like them.
fn prefix(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
    u64::from_be_bytes(bytes)
}

/// A stable sort by a small key: where each key starts, and what is kept of the sorted items.
fn counting_sort<T: Copy, U: Copy + Default>(
    items: &[T],
    keys: usize,
    key: impl Fn(T) -> u32,
    kept: impl Fn(T) -> U,
) -> (Vec<u32>, Vec<U>) {
    let mut starts = vec![0u32; keys + 1];
    items.iter().for_each(|&item| starts[key(item) as usize + 1] += 1);
    for i in 0..keys {
        starts[i + 1] += starts[i];
    }
    let mut next = starts.clone();
    let mut sorted = vec![U::default(); items.len()];
    for &item in items {
        let place = &mut next[key(item) as usize];
        sorted[*place as usize] = kept(item);
        *place += 1;
    }
    (starts, sorted)
}
