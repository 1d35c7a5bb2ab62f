//! The kernels of all generated functions.

use edb::prelude::*;
use edb_backend_suite::machine;

use super::functions;
use super::held::{Held, WIDTHS, check};
use super::model::Sizes;
use edb_test_functions::{Draws, PortKind};

/// Checks the functions of one kind. Kinds are separate tests, so that they run in parallel.
fn hold(kind: PortKind) {
    let sizes = Sizes::from(["H", "K", "E", "V"].map(|name| (name, 4)));
    let mut held = Held::default();
    let mut draws = Draws::new(11);
    let mut kernels = 0;
    for (number, enter) in functions::functions::<f32>(kind).iter().enumerate() {
        let definition = enter(&mut ModelBuilder::new(), &sizes).definition();
        kernels += definition.own.plan.routine.kernels.len();
        // By default, each function in two or three of the widths.
        let places =
            |place: &(usize, _)| machine::all_cases() || (place.0 + number / 2).is_multiple_of(2);
        for (place, &width) in WIDTHS.iter().enumerate().filter(places) {
            match (place + number) % 4 < 2 {
                true => check::<f32>(&definition, &mut draws, width, &mut held),
                false => check::<f64>(&definition, &mut draws, width, &mut held),
            }
        }
    }
    // If intervals were too wide or kernels too few, this would test nothing.
    assert!(kernels > 100, "{kernels} kernels");
    assert!(held.tight * 10 > held.elements * 8, "{} of {}", held.tight, held.elements);
}

macro_rules! kernels_are_the_same_compiled_and_interpreted {
    ($($test:ident: $kind:ident),+) => {$(
        #[test]
        fn $test() {
            hold(PortKind::$kind);
        }
    )+};
}

kernels_are_the_same_compiled_and_interpreted!(
    of_leaves: Leaf,
    of_one_child: One,
    of_pairs: Pair,
    of_several_children: Several,
    of_all_children: All,
    of_mixed_children: Mixed,
    of_losses: Gold
);
