use crate::bytes::Bytes;
use edb_test_programs::Draws;
use edb_test_programs::layouts::{MOST, check_copies, random_problem};

/// Calls and their operands: the layout is valid, copies nothing if brute force finds that
/// possible, and is optimal where it claims to be.
pub fn layout(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let count = 3 + bytes.below(MOST - 2);
    let calls = 1 + bytes.below(5);
    let problem = random_problem(&mut bytes, count, calls);
    check_copies(&problem);
}
