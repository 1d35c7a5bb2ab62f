use rand::RngExt;

use crate::bytes::Bytes;
use edb_test_programs::Draws;
use edb_test_programs::orders::{Counts, check_spans, reduced};

/// Sets of a few values: the tree admits exactly the orders in which brute force finds the sets
/// consecutive, and knows which sets are consecutive in all of them.
pub fn pq_tree(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let len = bytes.random_range(1..8);
    let mut sets = Vec::new();
    while !bytes.is_empty() && sets.len() < 12 {
        let size = 1 + bytes.below(len);
        sets.push(bytes.order(len)[..size].to_vec());
    }
    let tree = reduced(len, &sets, &mut Counts::default());
    if len <= 6 {
        check_spans(&tree);
    }
}
