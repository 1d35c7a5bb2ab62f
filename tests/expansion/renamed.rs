//! What another crate has written that knows edb as `net`, used where edb is `::edb`; and a path to
//! edb in this crate.
#![deny(warnings, dead_code, missing_docs, unreachable_pub, unused_qualifications, clippy::all)]
#![forbid(unsafe_code)]

use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};
use edb_test_renamed::{Memory, Word, affine, pass_on};

mod toolkit {
    pub(super) use edb as net;
}

/// A helper by the path of this crate.
#[vertex_helper]
fn halved(x: Tensor) -> Tensor {
    x * 0.5
}

/// Calls a helper of the crate to which edb is `net`.
#[vertex_function]
fn default_path(#[dim(H)] h: Dim, #[param(H, H)] w: Tensor, #[param(H)] b: Tensor) {
    let Memory { h: before } = gather(0);
    scatter(Memory { h: affine(w, before, b, h) });
}

/// Calls both helpers.
#[vertex_function(crate = toolkit::net)]
fn own_path(#[dim(H)] h: Dim, #[param(H, H)] w: Tensor, #[param(H)] b: Tensor) {
    let before: Memory = gather(0);
    scatter(Memory { h: halved(affine(w, before.h, b, h)) });
}

pass_on!(passed_on);

#[test]
fn helpers_cross_crates_that_name_edb_differently() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let leaf = builder.add::<edb_test_renamed::leaf>(dims! { V: 2, H: 3 });
    let first = builder.add::<default_path>(dims! { H: 3 });
    let second = builder.add::<own_path>(dims! { H: 3 });
    let third = builder.add::<passed_on>(dims! {});
    let verdict = builder.add::<edb_test_renamed::verdict>(dims! { H: 3, C: 2 });
    let model: Model<f64> = builder.build_as(1)?;
    let mut g = model.graph();
    let word = g.add(&leaf, (), Word { id: Index(1) });
    let word = g.add(&first, [word], ());
    let word = g.add(&second, [word], ());
    let word = g.add(&third, [word], ());
    g.add(&verdict, [word], Word { id: Index(0) });
    let batch = model.minibatch([&g])?;
    compiled_equals_eager(&model, &batch, &Check::default())?;
    Ok(())
}
