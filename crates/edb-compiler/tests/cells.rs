//! Cells written with the builder, compiled by every pass.

use edb_compiler::compile;
use edb_ir::{
    Builder, Contraction, Dim, Domain, FieldType, Home, Movement, Op, Phase, Plan, Pointwise,
    Program, Shape, Slot, Transition,
};

fn dim(name: u16, factor: i64) -> Dim {
    Dim::name(name).scaled(factor).unwrap()
}

/// `phrase`: the binary Tree-LSTM (Tai et al., 2015) over `H`.
fn phrase() -> Program {
    let mut b = Builder::new("phrase", vec!["H".into()]);
    let u = b.param("u", Shape::matrix(dim(0, 5), dim(0, 2)));
    let bias = b.param("b", Shape::vector(dim(0, 5)));
    let state = b.state("Node");
    let slots = [b.slot(state, false), b.slot(state, false)].map(Slot::Fixed);
    let h = slots.map(|slot| b.child(slot, "h"));
    let pair = b.apply(Movement::Concat, &h).unwrap();
    let product = b.apply(Contraction::Dot, &[u, pair]).unwrap();
    let gates = b.apply(Pointwise::Add, &[product, bias]).unwrap();
    let gates = b.split(gates, 5).unwrap();
    let [i, o, g, fl, fr] = [0, 1, 2, 3, 4].map(|gate| {
        let op = if gate == 2 {
            Op::Pointwise(Pointwise::Tanh)
        } else {
            Op::Pointwise(Pointwise::Sigmoid)
        };
        b.apply(op, &[gates[gate]]).unwrap()
    });
    let c = slots.map(|slot| b.child(slot, "c"));
    let terms =
        [[i, g], [fl, c[0]], [fr, c[1]]].map(|pair| b.apply(Pointwise::Mul, &pair).unwrap());
    let c = b.apply(Pointwise::Add, &terms[..2]).unwrap();
    let c = b.apply(Pointwise::Add, &[c, terms[2]]).unwrap();
    let tanh = b.apply(Pointwise::Tanh, &[c]).unwrap();
    let h = b.apply(Pointwise::Mul, &[o, tanh]).unwrap();
    b.scatter(state, &[("h", h), ("c", c)]).unwrap();
    b.finish().unwrap()
}

#[test]
fn shapes_of_children_follow_from_the_parameters() {
    let program = phrase();
    for field in &program.states[0].fields {
        assert_eq!(field.shape(), Some(&Shape::vector(dim(0, 1))), "{}", field.name);
    }
    edb_ir::verify::verify(&program).unwrap();
}

/// No vector is empty, not even in a program that no builder has checked.
#[test]
fn a_vector_has_an_element() {
    let zeros = |length| {
        let mut b = Builder::new("zeros", Vec::new());
        let state = b.state("Node");
        let h = b.zeros(Dim::constant(length));
        b.scatter(state, &[("h", h)]).unwrap();
        b.finish()
    };
    let errors = zeros(0).unwrap_err();
    assert!(errors[0].error.to_string().contains("[0] has no elements"), "{errors:?}");
    let mut program = zeros(1).unwrap();
    for value in &mut program.values {
        value.shape = Shape::vector(Dim::constant(0));
    }
    let error = edb_ir::verify::verify(&program).unwrap_err().to_string();
    assert!(error.contains("[0] has no elements"), "{error}");
}

/// An op that reads rows by an index needs a field with an index. Decoded bytes may claim that the
/// field holds a tensor.
#[test]
fn indices_are_read_from_fields_that_hold_them() {
    let mut b = Builder::new("word", vec!["H".into()]);
    let table = b.param("table", Shape::matrix(dim(0, 3), dim(0, 1)));
    b.input("Word");
    let id = b.pull_index("id");
    let h = b.apply(Movement::Row, &[table, id]).unwrap();
    let state = b.state("Node");
    b.scatter(state, &[("h", h)]).unwrap();
    let mut program = b.finish().unwrap();
    edb_ir::verify::verify(&program).unwrap();
    for holds in [FieldType::Indices, FieldType::Value(Shape::scalar())] {
        program.input.as_mut().unwrap().fields[0].holds = holds;
        let error = edb_ir::verify::verify(&program).unwrap_err().to_string();
        assert!(error.contains("`pull` reads something"), "{error}");
    }
}

#[test]
fn weight_gradients_are_one_product_over_all_rows() {
    let plan = compile(phrase());
    let program = &plan.program;
    let [of_u] = program.gradients.params[0][..] else { panic!("one use, one part") };
    assert_eq!(program.value(of_u).op, Op::Transition(Transition::OuterSum));
    assert_eq!(plan.phases[of_u], Phase::Accumulate);
    assert_eq!(program.gradients.children.len(), 4);
    assert!(!program.values.iter().any(|value| value.op == Op::Contraction(Contraction::Outer)));
}

#[test]
fn states_are_computed_in_place_and_inference_keeps_nothing() {
    let plan = compile(phrase());
    for (field, id) in plan.program.scatter.iter().enumerate() {
        let span = plan.routine.shown(*id).unwrap();
        assert_eq!(plan.routine.record(span).training, Home::State(field as u16));
    }
    assert!(plan.routine.records.iter().all(|record| record.inference != Home::Rows));
}

#[test]
fn plans_survive_their_bytes() {
    let plan = compile(phrase());
    assert_eq!(Plan::decode(&plan.encode()).unwrap(), plan);
    assert!(Plan::decode(&plan.encode()[..40]).is_err());
}

#[test]
fn the_joint_program_of_a_phrase() {
    let text = compile(phrase()).to_string();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/phrase.txt");
    if std::env::var_os("EDB_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "EDB_BLESS=1 rewrites the golden");
}

/// A routine numbers its parts in 16 bits, so a function with more ops is refused.
#[test]
fn a_function_of_too_many_ops_is_refused() {
    let chain = |ops: usize| {
        let mut b = Builder::new("long", vec!["H".into()]);
        b.input("Word");
        let mut x = b.pull("x");
        for _ in 1..ops {
            x = b.apply(Pointwise::Neg, &[x]).unwrap();
        }
        b.push_output("Out", &[("y", x)]);
        b.finish()
    };
    assert!(chain(edb_ir::MOST_VALUES).is_ok());
    let errors = chain(edb_ir::MOST_VALUES + 1).unwrap_err();
    let message = errors[0].error.describe(&[]);
    assert!(message.contains("at most 4096 ops"), "{message}");
}

/// A port may show a slice of a concatenation that consists of what exists once a step: it is copied
/// for each vertex.
#[test]
fn ports_show_slices_of_what_exists_once_a_step() {
    let mut b = Builder::new("constant", vec!["H".into()]);
    let h = dim(0, 1);
    let w = b.param("w", Shape::vector(h.clone()));
    let bias = b.apply(Pointwise::Tanh, &[w]).unwrap();
    b.input("In");
    let x = b.pull("x");
    let both = b.apply(Movement::Concat, &[bias, x]).unwrap();
    let first = b.slice(both, Dim::constant(0), h).unwrap();
    let state = b.state("Node");
    b.scatter(state, &[("h", first), ("both", both)]).unwrap();
    b.push_output("Out", &[("h", first), ("both", both)]);
    let plan = compile(b.finish().unwrap());
    plan.verify().unwrap();
    for id in plan.program.scatter.iter().chain(&plan.program.push) {
        let span = plan.routine.shown(*id).unwrap();
        assert_eq!(plan.routine.record(span).domain, Domain::Vertex);
    }
}

/// Two children's matrices, multiplied with one another and then with a matrix of the vertex: a
/// node of a likelihood (Felsenstein, 1981).
fn node() -> Program {
    let mut b = Builder::new("node", vec!["S".into()]);
    b.input("Branch");
    let state = b.state("Below");
    let slots = [b.slot(state, false), b.slot(state, false)].map(Slot::Fixed);
    let [l, r] = slots.map(|slot| b.child(slot, "a"));
    let four = Dim::constant(4);
    let branch = b.pull("branch");
    b.declare_shape(branch, &Shape::matrix(four.clone(), four.clone())).unwrap();
    b.declare_shape(l, &Shape::matrix(dim(0, 1), four)).unwrap();
    let both = b.apply(Pointwise::Mul, &[l, r]).unwrap();
    let below = b.apply(Contraction::MatMul, &[both, branch]).unwrap();
    b.scatter(state, &[("a", below)]).unwrap();
    b.finish().unwrap()
}

/// The product of the children is not stored. The gradient of the matrix, which is small, is
/// computed while the product is in the cache.
#[test]
fn what_is_cheap_is_computed_again() {
    let plan = compile(node());
    let program = &plan.program;
    let products = |(_, value): &(_, &edb_ir::Value)| value.op == Op::Pointwise(Pointwise::Mul);
    let phases: Vec<Phase> =
        program.iter().filter(products).map(|(id, _)| plan.phases[id]).collect();
    let [first, others @ ..] = &phases[..] else { panic!("a product") };
    assert_eq!(*first, Phase::Recurrent);
    assert_eq!(others, [Phase::BackwardRecurrent; 3], "the product again, and two gradients");
    let [(_, of_branch)] = program.gradients.pulls[..] else { panic!("one pull") };
    assert_eq!(plan.phases[of_branch], Phase::BackwardRecurrent);
    let rows = plan.routine.records.iter().filter(|record| record.training == Home::Rows);
    assert_eq!(rows.count(), 4, "the branch, and the gradients of it and of two children");
}

/// What a sum over all rows reads is stored: that sum runs when the backward pass has ended.
#[test]
fn what_all_rows_are_summed_by_is_stored() {
    let mut b = Builder::new("gated", vec!["H".into()]);
    let w = b.param("w", Shape::matrix(dim(0, 1), dim(0, 1)));
    let state = b.state("Node");
    let slots = [b.slot(state, false), b.slot(state, false)].map(Slot::Fixed);
    let h = slots.map(|slot| b.child(slot, "h"));
    let both = b.apply(Pointwise::Mul, &h).unwrap();
    let next = b.apply(Contraction::Dot, &[w, both]).unwrap();
    b.scatter(state, &[("h", next)]).unwrap();
    let program = compile(b.finish().unwrap()).program;
    let [of_w] = program.gradients.params[0][..] else { panic!("one use") };
    let [_, both] = program.value(of_w).args[..] else { panic!("two operands") };
    assert!(!program.is_backward(both));
}

/// A large matrix that is pulled is pulled again in the backward pass, and what is detached is read
/// where it is.
#[test]
fn large_matrices_are_pulled_again() {
    let mut b = Builder::new("leaf", vec!["S".into()]);
    b.input("Leaf");
    let four = Dim::constant(4);
    let letters = b.pull("letters");
    b.declare_shape(letters, &Shape::matrix(dim(0, 1), four.clone())).unwrap();
    let branch = b.pull("branch");
    b.declare_shape(branch, &Shape::matrix(four.clone(), four)).unwrap();
    let letters = b.apply(Movement::Detach, &[letters]).unwrap();
    let below = b.apply(Contraction::MatMul, &[letters, branch]).unwrap();
    let state = b.state("Below");
    b.scatter(state, &[("a", below)]).unwrap();
    let plan = compile(b.finish().unwrap());
    let rows = plan.routine.records.iter().filter(|record| record.training == Home::Rows);
    assert_eq!(rows.count(), 1, "the gradient of the branch");
    assert!(plan.routine.kernels.is_empty());
}
