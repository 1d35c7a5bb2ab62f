//! The kernels of all generated functions.

use edb::prelude::*;

use super::functions;
use super::generator::{Draws, Kind};
use super::held::{Held, WIDTHS, check};
use super::model::Sizes;

#[test]
fn kernels_are_the_same_compiled_and_interpreted() {
    let sizes = Sizes::from(["H", "K", "E", "V"].map(|name| (name, 4)));
    let mut held = Held::default();
    let mut draws = Draws::new(11);
    let mut kernels = 0;
    for kind in Kind::ALL {
        let enter = functions::functions::<f32>(kind);
        for (number, enter) in enter.iter().enumerate() {
            let definition = enter(&mut ModelBuilder::new(), &sizes).definition();
            kernels += definition.plan.routine.kernels.len();
            for (at, &width) in WIDTHS.iter().enumerate() {
                match (at + number).is_multiple_of(2) {
                    true => check::<f32>(&definition, &mut draws, width, &mut held),
                    false => check::<f64>(&definition, &mut draws, width, &mut held),
                }
            }
        }
    }
    // Nothing would be tested if intervals were too wide, or kernels too few.
    assert!(kernels > 1000, "{kernels} kernels");
    assert!(held.tight * 10 > held.elements * 8, "{} of {}", held.tight, held.elements);
}
