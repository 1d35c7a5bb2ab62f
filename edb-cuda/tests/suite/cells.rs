//! The cells of examples and tests, compiled against eager.

use edb::element::Element;
use edb::testing::{Check, compiled_equals_eager};

use edb_cuda::Precision;

use crate::devices;
use crate::models::{Case, all};

fn agree<T: Element>(hidden: usize) {
    for Case { name, model, graphs } in all::<T>(hidden) {
        let batch = model.minibatch(&graphs).unwrap();
        let check =
            Check { draws: (3, 7), devices: devices::all(Precision::Full), ..Check::default() };
        compiled_equals_eager(&model, &batch, &check)
            .unwrap_or_else(|error| panic!("{name} of {hidden} units: {error}"));
    }
}

#[test]
fn cells_in_f64() {
    agree::<f64>(5);
}

#[test]
#[ignore = "takes long, and cells_in_f32 has padded rows, too: `.ci/run gpu`"]
fn cells_in_f64_with_padded_rows() {
    agree::<f64>(18);
}

#[test]
fn cells_in_f32() {
    agree::<f32>(8);
}
