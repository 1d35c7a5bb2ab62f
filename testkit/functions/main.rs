//! `cargo run -p edb-test-functions` prints all random vertex functions; with names, `leaf_3 gold_0`, these alone.

use edb_test_functions::{COUNT, PortKind, function, functions};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if wanted.is_empty() {
        print!("{}", functions());
    }
    for (kind, number) in PortKind::ALL.iter().flat_map(|kind| (0..COUNT).map(|n| (*kind, n))) {
        if wanted.contains(&format!("{}_{number}", kind.name())) {
            println!("{}", function(kind, number).join("\n"));
        }
    }
}
