//! The loss scale in compiled programs: where it stands, and what it costs.

use edb_compiler::compile;
use edb_compiler::simplify::simplify;
use edb_ir::autodiff::differentiate;
use edb_ir::{Builder, Dim, Domain, Leaf, Op, Phase, Pointwise, Reduction, Shape, Value, ValueId};

/// How many values of a program are the loss scale.
fn scales(values: &[Value]) -> usize {
    values.iter().filter(|value| value.op == Op::Leaf(Leaf::LossScale)).count()
}

/// Two losses are scaled by one value.
#[test]
fn losses_share_one_scale() {
    let mut b = Builder::new("two", vec!["N".into()]);
    let w = b.param("w", Shape::vector(Dim::name(0)));
    for op in [Op::Reduction(Reduction::Sum), Op::Reduction(Reduction::Norm)] {
        let loss = b.apply(op, &[w]).unwrap();
        b.loss(loss).unwrap();
    }
    let joint = simplify(differentiate(b.finish().unwrap()));
    assert_eq!(scales(&joint.values), 1, "{joint}");
}

/// A loss can be made of gradients. These are unscaled, and only the loss that is made of them is
/// scaled.
#[test]
fn a_second_pass_is_scaled_once() {
    let mut b = Builder::new("cubes", vec!["N".into()]);
    b.input("Input");
    let (x, w) = (b.pull("x"), b.param("w", Shape::vector(Dim::name(0))));
    let square = b.apply(Pointwise::Mul, &[w, w]).unwrap();
    let cube = b.apply(Pointwise::Mul, &[square, x]).unwrap();
    let sum = b.apply(Reduction::Sum, &[cube]).unwrap();
    b.loss(sum).unwrap();
    let mut joint = simplify(differentiate(b.finish().unwrap()));
    assert_eq!(scales(&joint.values), 1);
    // The loss is the sum of squares of the gradient of `x`, so it is not linear in that gradient
    // and could not be unscaled afterwards.
    let gradient = joint.gradients.pulls[0].1;
    let mut add = |op: Op, args: Vec<ValueId>, shape: Shape| {
        joint.values.push(Value { op, args, shape, domain: Domain::Vertex });
        ValueId(joint.values.len() as u32 - 1)
    };
    let length = Shape::vector(Dim::name(0));
    let square = add(Op::Pointwise(Pointwise::Mul), vec![gradient, gradient], length);
    let sum = add(Op::Reduction(Reduction::Sum), vec![square], Shape::scalar());
    joint.losses = vec![sum];
    // The second pass takes all values so far as forward ones.
    joint.backward_start = joint.values.len() as u32;
    joint.gradients = Default::default();
    let forward = joint.values.len();
    let twice = differentiate(joint);
    assert_eq!(scales(&twice.values[..forward]), 0, "{twice}");
    assert_eq!(scales(&simplify(twice).values), 1);
}

/// In a classifier, the loss scale adds nothing: the gradient of a cross-entropy is multiplied by
/// that of the loss in any case.
#[test]
fn a_scaled_cross_entropy_costs_nothing_more() {
    let mut b = Builder::new("classifier", vec!["C".into(), "H".into()]);
    let (c, h) = (Dim::name(0), Dim::name(1));
    b.input("Input");
    let x = b.pull("x");
    let label = b.pull_index("label");
    let w = b.param("w", Shape::matrix(c, h));
    let logits = b.dot(w, x).unwrap();
    let loss = b.apply(Reduction::CrossEntropy, &[logits, label]).unwrap();
    b.loss(loss).unwrap();
    let program = b.finish().unwrap();
    let plan = compile(program.clone());

    let mut unscaled = simplify(differentiate(simplify(program)));
    for value in &mut unscaled.values {
        if value.op == Op::Leaf(Leaf::LossScale) {
            value.op = Op::Leaf(Leaf::Constant(1.0));
        }
    }
    // Continues behind `differentiate`, which would insert the scale again.
    let unscaled = edb_compiler::outlets::separate(simplify(unscaled));
    let phases = edb_compiler::phases::phases(&unscaled);
    let batching = edb_compiler::batching::Batching::plan(&unscaled, &phases);
    let routine = edb_compiler::routine::routine(&unscaled, &phases, &batching, Default::default());

    let steps = |routine: &edb_ir::Routine| Phase::ALL.map(|phase| routine.phase(phase).count());
    assert_eq!(steps(&plan.routine), steps(&routine), "{plan}");
    assert_eq!(plan.routine.records.len(), routine.records.len(), "{plan}");
    let ops = |routine: &edb_ir::Routine| {
        let computes = |expr: &&edb_ir::routine::Expr| !expr.args.is_empty();
        let kernels = routine.kernels.iter();
        kernels.flat_map(|kernel| &kernel.body).filter(computes).count()
    };
    assert_eq!(ops(&plan.routine), ops(&routine), "{plan}");
}
