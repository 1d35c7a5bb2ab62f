//! What does not depend on a loop runs before it: once for a vertex, and where it does not depend
//! on a child either, once for all vertices.
//!
//! Only what is harmless where the loop does not run at all is moved: a derivative that is infinite
//! would make its gradient of zero no number. Nothing is moved out of an arm.

use edb_ir::{Block, Domain, Flow, Movement, Op, Pointwise, Program, Step};

/// Moves what does not depend on a loop before it.
pub fn hoist(mut flow: Flow) -> Flow {
    block(&flow.program, &mut flow.body);
    flow
}

fn block(program: &Program, of: &mut Block) {
    for mut step in std::mem::take(&mut of.steps) {
        match &mut step {
            Step::Value(_) | Step::Loss(_) | Step::Push(_) | Step::Children(_) => {}
            Step::Branch(branch) => branch.arms.iter_mut().for_each(|arm| block(program, arm)),
            Step::Loop(repeat) => {
                block(program, &mut repeat.body);
                let mut inside = vec![false; program.values.len()];
                let variables = repeat.variables.iter().map(|variable| variable.begin);
                variables.for_each(|id| inside[id.index()] = true);
                repeat.body.each_value(&mut |id| inside[id.index()] = true);
                repeat.body.steps.retain(|step| {
                    let Step::Value(id) = step else { return true };
                    let value = program.value(*id);
                    let depends = value.args.iter().any(|arg| inside[arg.index()]);
                    // What belongs to edges stays with the loop over children that reads it.
                    if depends || value.domain == Domain::Edge || !is_harmless(&value.op) {
                        return true;
                    }
                    inside[id.index()] = false;
                    of.steps.push(step.clone());
                    false
                });
            }
        }
        of.steps.push(step);
    }
}

/// Whether its derivatives are finite where its arguments are.
fn is_harmless(op: &Op) -> bool {
    match op {
        Op::Contraction(_) | Op::Indexing(_) => op.decision().is_none(),
        Op::Movement(op) => !matches!(op, Movement::BagSum(_)),
        Op::Pointwise(op) => matches!(
            op,
            Pointwise::Add
                | Pointwise::Sub
                | Pointwise::Mul
                | Pointwise::Neg
                | Pointwise::Tanh
                | Pointwise::Sigmoid
                | Pointwise::Relu
                | Pointwise::Greater
                | Pointwise::GreaterEqual
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edb_ir::{Builder, Contraction, Dim, Shape};

    #[test]
    fn what_does_not_depend_on_the_loop_leaves_it() {
        let mut b = Builder::new("f", vec!["H".into()]);
        let square = Shape::matrix(Dim::name(0), Dim::name(0));
        let (w, u) = (b.param("w", square.clone()), b.param("u", square));
        b.input("Word");
        let x = b.pull("x");
        let zero = b.zeros(Dim::name(0));
        let first = b.constant(1.0);
        let begin = b.begin_variable(zero);
        b.begin_block();
        let outside = b.apply(Contraction::Dot, &[w, x]).unwrap();
        let dangerous = b.apply(Pointwise::Ln, &[outside]).unwrap();
        let inside = b.apply(Contraction::Dot, &[u, begin]).unwrap();
        let sum = b.apply(Pointwise::Add, &[outside, inside]).unwrap();
        let sum = b.apply(Pointwise::Add, &[sum, dangerous]).unwrap();
        let again = b.apply(edb_ir::Reduction::Sum, &[sum]).unwrap();
        let body = b.end_block();
        b.repeat(first, body, again, &[[zero, begin, sum]]).unwrap();
        let flow = hoist(b.finish_flow().unwrap());
        let [Step::Value(moved), Step::Loop(repeat)] = &flow.body.steps[..] else {
            panic!("{:?}", flow.body)
        };
        assert_eq!(*moved, outside);
        assert_eq!(repeat.body.steps.len(), 6 - 1);
        assert!(repeat.body.steps.contains(&Step::Value(dangerous)));
    }
}
