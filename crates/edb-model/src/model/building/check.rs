//! The last checks of a model, which need numbers for its dimensions. They check that each record is as large
//! as the memory where it lies, and that blocks are within their matrices and disjoint.
//!
//! The `unsafe` code of back ends relies on these checks and on
//! [`Plan::verify`](edb_ir::Plan::verify). Plans that the macro makes always pass; corrupted plans do not.

use edb_ir::losses::is_loss;
use edb_ir::routine::ProductKind;
use edb_ir::routine::is_piecewise;
use edb_ir::{FunctionId, Home, IdVec, Instruction};

use crate::model::bound::{
    BoundFunction, BoundStack, Matrices, OutputField, StateField, StateInfo, ValueBlock, Weights,
    WeightsId,
};
use crate::model::error::ModelProblem;
use edb_kernels::element::Element;
use edb_learn::learn::{ParameterId, Parameters};

/// The parts of a model.
pub(super) struct ModelContents<'a, T> {
    pub(super) functions: &'a IdVec<FunctionId, BoundFunction>,
    pub(super) states: &'a [StateInfo],
    pub(super) weights: &'a IdVec<WeightsId, Weights>,
    pub(super) parameters: &'a Parameters<T>,
}

impl<T: Element> ModelContents<'_, T> {
    /// Adds all problems of each function to `problems`.
    pub(super) fn check(&self, problems: &mut Vec<ModelProblem>) {
        for function in self.functions {
            let checks = [Self::values, Self::outputs, Self::records, Self::stacks, Self::ops];
            if let Err(reason) = checks.iter().try_for_each(|check| check(self, function)) {
                problems.push(ModelProblem::Plan { function: function.name.clone(), reason });
            }
        }
    }

    fn length(&self, param: ParameterId) -> usize {
        self.parameters.get(param).shape().iter().product()
    }

    /// Checks that values that pass through ports are as large as their fields and parameters.
    fn values(&self, function: &BoundFunction) -> Result<(), String> {
        let program = &function.plan.program;
        let gradients = &program.gradients;
        let same = |id: edb_ir::ValueId, width: Option<usize>| {
            let own = function.value(id).width;
            if width == Some(own) { Ok(()) } else { Err(format!("%{} has {own} elements", id.0)) }
        };
        for (param, parts) in function.params.iter().zip(&gradients.params) {
            parts.iter().try_for_each(|id| same(*id, Some(self.length(*param))))?;
        }
        let field = |(state, field): (usize, usize)| self.states[state].fields[field].width();
        for &(slot, of, id) in &gradients.children {
            same(id, function.child_field(slot, of).map(field))?;
        }
        for &(of, id) in &gradients.pulls {
            let input = &function.input[function.input_fields[usize::from(of)]];
            same(id, input.sizes.as_ref().map(|sizes| sizes.iter().product()))?;
        }
        for (of, &id) in function.scatter_order().iter().zip(&program.scatter) {
            same(id, function.scattered().map(|state| field((state, *of))))?;
        }
        for &(id, span) in &function.plan.routine.shown {
            same(id, Some(function.routine.field(span).width))?;
        }
        Ok(())
    }

    /// Checks that all last sections of a function push the same fields, since pulling an output, and its
    /// gradient, rely on one of these sections.
    fn outputs(&self, function: &BoundFunction) -> Result<(), String> {
        let is_end =
            |of: &BoundFunction| of.as_added() == function.as_added() && of.targets().is_empty();
        let fields = |of: &BoundFunction| -> Vec<_> {
            // Vertices do not pull items of lists or losses; losses come after all other fields.
            let fields = of.output.iter().filter(|field| !of.lists() && !is_loss(&field.name));
            let sizes = |field: &OutputField| of.value(field.value).sizes.clone();
            fields.map(|field| (field.name.clone(), field.kind, sizes(field))).collect()
        };
        let known = self.functions.iter().find(|of| is_end(of));
        match known.filter(|_| is_end(function)) {
            Some(known)
                if known.lists() != function.lists() || fields(known) != fields(function) =>
            {
                Err(format!("it pushes something else than `{}`", known.name))
            }
            _ => Ok(()),
        }
    }

    /// Checks that records are as wide as the parameter or the state in which they lie.
    fn records(&self, function: &BoundFunction) -> Result<(), String> {
        let routine = &function.routine;
        for (id, record) in routine.records.iter_enumerated() {
            let of_state = |state: Option<(usize, usize)>| {
                let field = state.map(|(state, field)| &self.states[state].fields[field]);
                // Numbers and indices lie in different memory.
                let field = field.filter(|field| field.is_index == record.is_index);
                field.map_or(0, StateField::width)
            };
            let width = match record.training {
                Home::Parameter(param) => self.length(function.params[usize::from(param)]),
                Home::State(field) => {
                    let order = function.scatter_order();
                    of_state(function.scattered().zip(order.get(usize::from(field)).copied()))
                }
                Home::Child(slot, field) => of_state(function.child_field(slot, field)),
                _ => match routine.gradients[id] {
                    Some(param) => self.length(param),
                    None => continue,
                },
            };
            if record.width() != width {
                let own = record.width();
                return Err(format!("record {id} has {own} elements where there are {width}"));
            }
        }
        Ok(())
    }

    /// Checks that blocks are within their matrices, and that the blocks into which one product sums are
    /// disjoint.
    fn stacks(&self, function: &BoundFunction) -> Result<(), String> {
        for (id, stack) in function.routine.stacks.iter_enumerated() {
            let broken = match &stack.matrices {
                Matrices::Weights(weights) => self.weights[*weights].blocks.iter().any(|block| {
                    let shape = self.parameters.get(block.param).shape();
                    shape.len() != 2 || !within(block.start, block.size, [shape[0], shape[1]])
                }),
                Matrices::Values(blocks) => {
                    let fits = |block: &ValueBlock| {
                        let rows = block.matrix.width.checked_div(block.columns).unwrap_or(0);
                        within(block.start, size(stack, block), [rows, block.columns])
                    };
                    let sums = stack.kind == ProductKind::OuterSum;
                    !blocks.iter().all(fits) || (sums && meet(stack, blocks))
                }
            };
            if broken {
                return Err(format!("blocks of product {id} are not in their matrices, or meet"));
            }
        }
        Ok(())
    }

    /// Checks that instructions work on as many elements as the values have.
    fn ops(&self, function: &BoundFunction) -> Result<(), String> {
        let width = |span: &edb_ir::Span| function.routine.field(*span).width;
        for (number, (_, instruction)) in function.plan.routine.instructions.iter().enumerate() {
            let Instruction::Op { value: id, out, args } = instruction else { continue };
            let value = function.plan.program.value(*id);
            let own = |id: edb_ir::ValueId| function.value(id).width;
            let fits = match (is_piecewise(&value.op), out) {
                // The argument is one piece, or all pieces together.
                (true, Some(out)) => args.iter().all(|arg| width(arg) == width(out)),
                (_, out) => {
                    let of_args = args.iter().zip(&value.args);
                    out.as_ref().is_none_or(|out| width(out) == own(*id))
                        && of_args.into_iter().all(|(arg, of)| width(arg) == own(*of))
                }
            };
            if !fits {
                return Err(format!("instruction {number} is not as large as its values"));
            }
        }
        Ok(())
    }
}

/// The rows and columns of a block.
fn size(stack: &BoundStack, block: &ValueBlock) -> [usize; 2] {
    match stack.kind {
        ProductKind::DotTransposed => [block.args.1, block.out.1],
        ProductKind::Dot | ProductKind::OuterSum => [block.out.1, block.args.1],
    }
}

fn within(start: [usize; 2], size: [usize; 2], of: [usize; 2]) -> bool {
    (0..2).all(|axis| start[axis].checked_add(size[axis]).is_some_and(|end| end <= of[axis]))
}

/// Whether two blocks share an element.
fn meet(stack: &BoundStack, blocks: &[ValueBlock]) -> bool {
    let shares = |a: &ValueBlock, b: &ValueBlock| {
        let (of_a, of_b) = (size(stack, a), size(stack, b));
        a.matrix == b.matrix
            && (0..2).all(|axis| {
                a.start[axis] < b.start[axis] + of_b[axis]
                    && b.start[axis] < a.start[axis] + of_a[axis]
            })
    };
    let pairs = blocks.iter().enumerate();
    pairs.into_iter().any(|(number, a)| blocks[..number].iter().any(|b| shares(a, b)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use edb_ir::routine::ProductKind;
    use edb_ir::{
        Builder, Contraction, Dim, Movement, Phase, Plan, Pointwise, Program, Reduction, Routine,
        Shape, Slot,
    };

    use crate::model::building::builder::ModelBuilder;
    use crate::model::error::ModelError;
    use crate::model::setup::Setup;

    /// `h = tanh(w [l, r])` of two children, and a loss.
    fn pair() -> Program {
        let mut b = Builder::new("pair", vec!["H".into()]);
        let h = Dim::name(0);
        let w = b.param("w", Shape::matrix(h.clone(), h.scaled(2).unwrap()));
        let state = b.state("State");
        let slots = [b.slot(state, true), b.slot(state, true)];
        let children = slots.map(|slot| b.child(Slot::Fixed(slot), "h"));
        let both = b.apply(Movement::Concat, &children).unwrap();
        let product = b.apply(Contraction::Dot, &[w, both]).unwrap();
        let h = b.apply(Pointwise::Tanh, &[product]).unwrap();
        let loss = b.apply(Reduction::Sum, &[h]).unwrap();
        b.scatter(state, &[("h", h)]).unwrap();
        b.loss(loss).unwrap();
        b.finish().unwrap()
    }

    fn build(edit: impl Fn(&mut Routine)) -> Result<(), ModelError> {
        let mut builder = ModelBuilder::new();
        builder.add_program(pair(), edb_compiler::compile, Setup::new().dim("H", 4));
        let mut plan: Plan = (*builder.functions.raw[0].0.plan).clone();
        edit(&mut plan.routine);
        builder.functions.raw[0].0.plan = Arc::new(plan);
        builder.build(1).map(drop)
    }

    #[test]
    fn broken_plans_make_no_model() {
        build(|_| {}).unwrap();
        let says = |edit: fn(&mut Routine), part: &str| {
            let error = build(edit).unwrap_err().to_string();
            assert!(
                error.contains("the plan of `pair` is broken") && error.contains(part),
                "{error}"
            );
        };
        // `Plan::verify` finds these, in any build.
        says(|routine| routine.instructions.reverse(), "before it is written");
        // The checks with numbers find these.
        says(
            |routine| {
                let sums =
                    routine.stacks.raw.iter_mut().filter(|s| s.kind == ProductKind::OuterSum);
                sums.for_each(|stack| {
                    let last = stack.blocks.last_mut().unwrap();
                    last.start = [Dim::default(), Dim::name(0).scaled(7).unwrap()];
                });
            },
            "not in their matrices, or meet",
        );
        says(
            |routine| {
                let sums =
                    routine.stacks.raw.iter_mut().filter(|s| s.kind == ProductKind::OuterSum);
                sums.for_each(|stack| {
                    for block in &mut stack.blocks {
                        block.start =
                            [Dim::default(), Dim::constant(block.start[1].terms().len() as i64)];
                    }
                });
            },
            "not in their matrices, or meet",
        );
    }

    /// A function that the schedule leaves out runs nothing there.
    #[test]
    fn a_leaf_runs_in_phases_that_it_has() {
        let mut b = Builder::new("leaf", vec!["H".into()]);
        let state = b.state("State");
        let h = b.zeros(Dim::name(0));
        b.scatter(state, &[("h", h)]).unwrap();
        let mut plan = edb_compiler::compile(b.finish().unwrap());
        plan.verify().unwrap();
        for (phase, _) in &mut plan.routine.instructions {
            if *phase == Phase::Eager {
                *phase = Phase::Recurrent;
            }
        }
        let error = plan.verify().unwrap_err().to_string();
        assert!(error.contains("its phases"), "{error}");
    }
}
