//! The fused kernels of the cells: `cargo test --features kernels --test features` compiles them,
//! as release builds do.

#[path = "held.rs"]
pub mod held;

use edb::VertexFunction;
use edb_backend_suite::zoo::{cells, listops, sentiment};
use edb_test_functions::Draws;
use held::{Held, WIDTHS, check};

fn cell<F: VertexFunction>() {
    let definition = F::definition();
    let (mut draws, mut held) = (Draws::new(7), Held::default());
    for width in WIDTHS {
        for _ in 0..6 {
            check::<f32>(&definition, &mut draws, width, &mut held);
            check::<f64>(&definition, &mut draws, width, &mut held);
        }
    }
    // If intervals were too wide, this would test nothing.
    assert!(held.tight * 10 >= held.elements * 9, "{} of {}", held.tight, held.elements);
    let kernels = &definition.own.plan.routine.kernels;
    assert!(kernels.is_empty() || held.elements > 1000, "{} elements", held.elements);
}

#[test]
fn tree_lstm() {
    cell::<sentiment::word>();
    cell::<sentiment::phrase>();
    cell::<sentiment::sentiment>();
}

#[test]
fn list_operators() {
    cell::<listops::digit>();
    cell::<listops::apply>();
    cell::<listops::answer>();
}

#[test]
fn chains() {
    cell::<cells::read>();
    cell::<cells::chain>();
    cell::<cells::gru>();
    cell::<cells::regress>();
}

#[test]
fn any_number_of_children() {
    cell::<cells::child_sum>();
    cell::<cells::attend>();
    cell::<cells::lattice>();
}
