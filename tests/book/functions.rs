//! The code of "All functions at once", in the chapter "Graphs and minibatches".

use super::*;

// ANCHOR: struct
/// The class of a sentence that is read in both directions.
#[vertex_function(check(C = 2, H = 3))]
fn classify(#[param(C, 2 * H)] w: Tensor, #[param(C)] b: Tensor) {
    let [first, last]: [Memory; 2] = [gather(0), gather(1)];
    let Gold { label } = pull();
    loss(cross_entropy(w.dot(concat([first.h, last.h])) + b, label));
}

/// A sentence is read in both directions.
#[derive(Functions)]
struct BothWays {
    forward: Function<read>,
    backward: Function<read>,
    classify: Function<classify>,
}
// ANCHOR_END: struct

#[test]
fn all_functions_are_added_at_once() -> Outcome {
    // ANCHOR: add
    let mut builder = ModelBuilder::new();
    let setup = dims! { X: 3, H: 6, C: 2 }
        .init("forward.start", Initializer::Uniform { bound: 0.1 })
        .share("backward.start", "forward.start");
    let f: BothWays = builder.add_all(setup);
    let model: Model = builder.build(1)?;
    // ANCHOR_END: add
    let names: Vec<&str> = model.parameters().iter().map(|(_, of)| of.name()).collect();
    let read = ["forward.w", "forward.b", "forward.start", "backward.w", "backward.b"];
    assert_eq!(names, [&read[..], &["classify.w", "classify.b"]].concat());

    let mut g = model.graph();
    let ends = [&f.forward, &f.backward].map(|direction| {
        let x = g.tensor(&[0.1, -0.2, 0.3]);
        g.add(direction, [None], Word { x })
    });
    g.add(&f.classify, ends, Gold { label: Index(1) });
    let batch = model.minibatch([&g])?;
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
    Ok(())
}

#[test]
fn what_is_wrong_with_all_is_named() {
    // ANCHOR: errors
    let mut builder = ModelBuilder::new();
    let setup = dims! { X: 3, H: 6, K: 2 }.init("start", Initializer::Zeros);
    let _: BothWays = builder.add_all(setup);
    let error = builder.build(1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the model cannot be made:
  no function has a dimension K: `forward` has H, X; `backward` has H, X; `classify` has C, H
  `start` is set for several functions, and does not begin with the name of one: write the function \
         and its parameter, as in `forward.start`; the functions are `forward`, `backward`, `classify`
  `classify` needs the dimension C: add `C: size` to its dims!"
    );
    // ANCHOR_END: errors
}
