//! A program that asks for a model and an engine in `f64` where edb was compiled without its feature `f64`. `.ci/run package` runs it.

use edb::prelude::*;

#[derive(Output)]
struct Number {
    x: Tensor,
}

#[vertex_function]
fn number(#[param(H)] x: Tensor) {
    push(Number { x });
}

fn main() {
    let mut builder = ModelBuilder::new();
    builder.add::<number>(dims! { H: 2 });
    let refused = builder.build_as::<f64>(1).unwrap_err().to_string();
    let advice = "add the feature `f64` to edb-nn";
    assert!(refused.contains(advice), "{refused}");
    for threads in [1, 2] {
        let refused = Engine::<f64>::with_threads(threads).unwrap_err().to_string();
        assert!(refused.contains(advice), "{refused}");
    }
}
