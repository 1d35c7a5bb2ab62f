//! Routines: separate and stacked gates give the same one, and the verifier refuses broken ones.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use edb_compiler::{Options, compile, replan};
use edb_ir::routine::{KernelOp, ProductKind, verify};
use edb_ir::{
    Builder, Contraction, Dim, Home, Instruction, KernelId, Phase, Plan, Pointwise, Program,
    RecordId, Reduction, Routine, Shape, Slot, Span, StackId,
};

use edb_test_programs::cells::{child_sum, gru, lstm, mv_rnn, tree_gru, tree_lstm};

/// Numbers values by what computes them. If two routines share the numbering, equal numbers mean
/// equal values, whatever records hold them.
#[derive(Default)]
struct Numbers(BTreeMap<String, usize>);

impl Numbers {
    fn of(&mut self, computation: String) -> usize {
        let next = self.0.len();
        *self.0.entry(computation).or_insert(next)
    }
}

/// A routine, described by what it computes.
struct Canonical<'a> {
    program: &'a Program,
    routine: &'a Routine,
    numbers: &'a mut Numbers,
    /// The number of the value that each piece holds, as far as the routine has run.
    held: BTreeMap<(RecordId, u16), usize>,
    instructions: Vec<String>,
}

/// A length as a multiple of `H` or `X`.
fn units(dim: &Dim) -> i64 {
    dim.terms().iter().map(|term| term.1).sum()
}

/// The name that the weight of a single gate would have, for a block of a stacked weight;
/// `edb_test_programs::cells` explains the names.
fn weight(name: &str, start: [i64; 2]) -> String {
    let mut parts: Vec<&str> = name.split('_').collect();
    let mut number = || {
        let number = parts.last().and_then(|part| part.parse::<i64>().ok());
        if number.is_some() {
            parts.pop();
        }
        number.unwrap_or(0)
    };
    let [which, row] = [number(), number()];
    format!("{}_{}_{}", parts.join("_"), row + start[0], which + start[1])
}

fn bias(name: &str, piece: u16) -> String {
    let (base, number) = name.rsplit_once("_b").expect("vectors are biases");
    format!("{base}_b{}", number.parse().unwrap_or(0) + piece)
}

impl Canonical<'_> {
    fn param(&self, record: RecordId) -> Option<&str> {
        match self.routine.records[record].training {
            Home::Parameter(param) => Some(&self.program.params[usize::from(param)].name),
            _ => None,
        }
    }

    /// The parameter whose gradient a record holds.
    fn gradient(&self, record: RecordId) -> &str {
        let is = |parts: &Vec<edb_ir::ValueId>| {
            parts.iter().any(|id| self.routine.shown(*id).is_some_and(|s| s.record == record))
        };
        let param = self.program.gradients.params.iter().position(is);
        &self.program.params[param.expect("sums over rows are gradients")].name
    }

    fn piece(&mut self, record: RecordId, piece: u16) -> usize {
        if let Some(name) = self.param(record) {
            let label = bias(name, piece);
            return self.numbers.of(label);
        }
        match self.routine.records[record].training {
            Home::Child(slot, field) => self.numbers.of(format!("child {slot:?} {field}")),
            _ => self.held[&(record, piece)],
        }
    }

    fn pieces(&mut self, span: Span) -> Vec<usize> {
        (span.start..span.end).map(|piece| self.piece(span.record, piece)).collect()
    }

    fn hold(&mut self, span: Span, values: &[usize]) {
        for (piece, value) in (span.start..span.end).zip(values) {
            self.held.insert((span.record, piece), *value);
        }
    }

    fn run(&mut self) {
        let routine = self.routine;
        for (phase, instruction) in &routine.instructions {
            match instruction {
                Instruction::Copy { from, to } => panic!("{to} is a copy of {from}"),
                Instruction::Op { value, out, args } => {
                    let out = out.expect("nothing is sparse here");
                    let op = format!("{:?}", self.program.value(*value).op);
                    // An op over several pieces counts as an op over each.
                    for piece in 0..out.end - out.start {
                        let mut of = Vec::new();
                        for arg in args {
                            let pieces = self.pieces(*arg);
                            of.push(pieces[if pieces.len() == 1 { 0 } else { usize::from(piece) }]);
                        }
                        let number = self.numbers.of(format!("{op} {of:?}"));
                        self.held.insert((out.record, out.start + piece), number);
                        self.instructions.push(format!("{phase:?} {op} {number}"));
                    }
                }
                Instruction::Product(stack) => self.product(*phase, *stack),
                Instruction::Kernel(kernel) => self.kernel(*phase, *kernel),
            }
        }
        // Sums over rows do not depend on each other, so their order within their phase means
        // nothing.
        self.instructions.sort_by_key(|instruction| {
            let sum = instruction.starts_with("Accumulate Transition(Reduce");
            (
                instruction.starts_with("Accumulate"),
                if sum { instruction.clone() } else { String::new() },
            )
        });
    }

    fn product(&mut self, phase: Phase, stack: StackId) {
        let stack = &self.routine.stacks[stack];
        let args = self.pieces(stack.args);
        let block = |this: &mut Self, block: &edb_ir::routine::MatrixBlock| {
            let start = [0, 1].map(|axis| units(&block.start[axis]));
            match (stack.kind, this.param(block.matrix.record)) {
                (ProductKind::OuterSum, _) => weight(this.gradient(block.matrix.record), start),
                (_, Some(name)) => weight(name, start),
                _ => format!("{:?}", this.pieces(block.matrix)),
            }
        };
        let blocks: Vec<String> = stack.blocks.iter().map(|of| block(self, of)).collect();
        let out = match stack.kind {
            ProductKind::OuterSum => self.pieces(stack.out),
            _ => {
                let of_result = blocks.chunks(args.len()).map(|blocks| {
                    let mut terms: Vec<_> = blocks.iter().zip(&args).collect();
                    terms.sort();
                    format!("{:?} {terms:?}", stack.kind)
                });
                let of_result: Vec<String> = of_result.collect();
                assert!(!stack.accumulate, "cells add up in one product");
                of_result.into_iter().map(|result| self.numbers.of(result)).collect()
            }
        };
        if stack.kind != ProductKind::OuterSum {
            self.hold(stack.out, &out);
        }
        let (kind, domain, group) = (stack.kind, stack.domain, stack.group);
        self.instructions
            .push(format!("{phase:?} {kind:?} {domain:?} {group} {out:?} {args:?} {blocks:?}"));
    }

    fn kernel(&mut self, phase: Phase, kernel: KernelId) {
        let kernel = &self.routine.kernels[kernel];
        let inputs: Vec<usize> = kernel.inputs.iter().flat_map(|span| self.pieces(*span)).collect();
        let mut known = inputs.clone();
        for expr in &kernel.body {
            let args: Vec<usize> = expr.args.iter().map(|arg| known[usize::from(*arg)]).collect();
            known.push(self.numbers.of(format!("{:?} {args:?}", expr.op)));
        }
        let mut outputs = Vec::new();
        for (span, expr) in &kernel.outputs {
            let value = known[inputs.len() + usize::from(*expr)];
            self.hold(*span, &[value]);
            outputs.push(value);
        }
        // Within a kernel, order means nothing beyond what reads what.
        let (mut sorted, mut body) = (inputs.clone(), known.split_off(inputs.len()));
        [&mut sorted, &mut body, &mut outputs].into_iter().for_each(|list| list.sort_unstable());
        let domain = kernel.domain;
        self.instructions
            .push(format!("{phase:?} kernel {domain:?} {sorted:?} {body:?} {outputs:?}"));
    }

    /// All records except those of parameters and their gradients, which follow the declarations.
    fn records(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        for (id, record) in self.routine.records.iter_enumerated() {
            if record.domain == edb_ir::Domain::Step {
                continue;
            }
            let end = record.pieces.len() as u16;
            let pieces = self.pieces(Span { record: id, start: 0, end });
            let (training, inference) = (record.training, record.inference);
            all.push(format!("{:?} {pieces:?} {training:?} {inference:?}", record.domain));
        }
        all.sort();
        all
    }
}

fn canonical(program: Program, numbers: &mut Numbers) -> (Vec<String>, Vec<String>) {
    let plan = compile(program);
    verify(&plan.program, &plan.routine).unwrap();
    let (held, instructions) = (BTreeMap::new(), Vec::new());
    let (program, routine) = (&plan.program, &plan.routine);
    let mut canonical = Canonical { program, routine, numbers, held, instructions };
    canonical.run();
    let records = canonical.records();
    (canonical.instructions, records)
}

/// They have the same records, instructions and kernels, and no copies.
#[test]
fn separate_and_stacked_gates_give_one_routine() {
    for cell in [lstm, gru, tree_lstm, child_sum, tree_gru, mv_rnn] {
        let mut numbers = Numbers::default();
        let name = cell(true).name;
        let [(instructions, records), (stacked_steps, stacked_records)] =
            [false, true].map(|stacked| canonical(cell(stacked), &mut numbers));
        assert_eq!(instructions, stacked_steps, "{name}");
        assert_eq!(records, stacked_records, "{name}");
    }
}

/// The canonical form tells cells apart: another cell gives another routine.
#[test]
fn other_cells_are_other_routines() {
    let mut numbers = Numbers::default();
    let (a, b) = (canonical(lstm(true), &mut numbers), canonical(gru(true), &mut numbers));
    assert!(a.0 != b.0 && a.1 != b.1);
}

fn broken(options: Options, edit: impl Fn(&mut Routine)) -> String {
    let Plan { program, mut routine, .. } = replan(&compile(tree_lstm(false)), options);
    verify(&program, &routine).unwrap();
    edit(&mut routine);
    verify(&program, &routine).unwrap_err().to_string()
}

/// The index of the first instruction for which `is` holds.
fn first(routine: &Routine, is: fn(&Instruction) -> bool) -> usize {
    routine.instructions.iter().position(|instruction| is(&instruction.1)).unwrap()
}

#[test]
fn broken_routines_are_found() {
    // Long, since it is a list: a line for each fault and what is said of it.
    let planned = |edit: fn(&mut Routine)| broken(Options::default(), edit);
    let says = |message: &str, part: &str| assert!(message.contains(part), "{message}: {part}");
    says(&planned(|r| r.stacks.raw[0].out.end += 1), "out of bounds");
    says(&planned(|r| r.kernels.raw[0].inputs[0].record = RecordId(999)), "out of bounds");
    says(&planned(|r| r.shown[0].1.record = RecordId(999)), "out of bounds");
    says(&planned(|r| r.instructions.swap(0, 3)), "before it is written");
    says(&planned(|r| drop(r.instructions.remove(0))), "before it is written");
    says(&planned(|r| r.instructions.push(r.instructions[0].clone())), "comes behind");
    says(&planned(|r| r.instructions.insert(1, r.instructions[0].clone())), "computed already");
    says(
        &planned(|r| r.kernels.raw[0].outputs[1].0 = r.kernels.raw[0].outputs[0].0),
        "twice by one instruction",
    );
    says(&planned(|r| r.kernels.raw[0].outputs[0].1 = 999), "does not exist");
    says(&planned(|r| r.kernels.raw[0].body.rotate_right(1)), "not computed yet");
    says(&planned(|r| r.kernels.raw[0].shape = edb_ir::Shape::scalar()), "kernel's shape");
    says(&planned(|r| drop(r.stacks.raw[0].blocks.pop())), "blocks for");
    says(&planned(|r| r.stacks.raw.clear()), "does not exist");
    says(&planned(|r| r.shown = r.shown.split_off(1)), "of the state is not computed");
    says(&planned(|r| r.shown.truncate(r.shown.len() - 1)), "neither shown nor a sparse sum");
    says(&planned(|r| r.stacks.raw.extend_from_within(..1)), "run by none of them");
    says(&planned(|r| r.kernels.raw.extend_from_within(..1)), "run by none of them");
    says(
        &planned(|r| {
            let last = r.stacks.raw.last_mut().unwrap();
            last.blocks[1] = last.blocks[0].clone();
        }),
        "summed twice",
    );
    says(
        &planned(|r| {
            let record = r.stacks.raw[0].args.record;
            r.records[record].training = Home::Scratch(Phase::Eager);
        }),
        "scratch of Eager",
    );
    says(
        &planned(|r| {
            let record = r.stacks.raw[0].args.record;
            r.records[record].training = Home::Nowhere;
        }),
        "no memory",
    );
    says(
        &planned(|r| {
            let shown = r.shown[0].1;
            r.instructions.retain(|instruction| instruction.0 <= Phase::Eager);
            r.shown = vec![(edb_ir::ValueId(0), shown)];
        }),
        "is shown at",
    );
    says(
        &planned(|r| {
            let of_states =
                r.records.raw.iter_mut().filter(|r| matches!(r.training, Home::State(_)));
            of_states.for_each(|record| {
                (record.training, record.inference) = (Home::State(0), Home::State(0));
            });
        }),
        "two are the rows of field 0",
    );
    says(&planned(|r| r.records.raw[0].training = Home::Parameter(99)), "is no place for");
    says(&planned(|r| r.records.raw[0].pieces.clear()), "no pieces");
    says(
        &planned(|r| {
            let child = r.records.raw.iter_mut().find(|r| matches!(r.training, Home::Child(..)));
            child.unwrap().training = Home::Rows;
        }),
        "in training and",
    );
    let declared = Options { layout: false, ..Options::default() };
    let copy = |edit: fn(&mut Span, &mut Span)| {
        broken(declared, |r| {
            let copy = first(r, |instruction| matches!(instruction, Instruction::Copy { .. }));
            let Instruction::Copy { from, to } = &mut r.instructions[copy].1 else {
                unreachable!()
            };
            edit(from, to);
        })
    };
    says(&copy(|from, to| *from = *to), "cannot be copied");
    let op = |edit: fn(&mut edb_ir::ValueId, &mut Option<Span>, &mut Vec<Span>)| {
        broken(Options::default(), |r| {
            let with = |instruction: &Instruction| matches!(instruction, Instruction::Op { out: Some(_), args, .. } if !args.is_empty());
            let op = first(r, with);
            let Instruction::Op { value, out, args } = &mut r.instructions[op].1 else {
                unreachable!()
            };
            edit(value, out, args);
        })
    };
    says(&op(|value, _, _| value.0 = 9999), "does not exist");
    says(&op(|_, out, _| *out = None), "has no place");
    says(&op(|_, out, args| *out = Some(args[0])), "computed by an instruction of");
    says(&op(|_, _, args| args.clear()), "arguments, not");
    says(&copy(|from, _| from.start = from.end), "out of bounds");
}

/// The Graphviz drawing of a plan.
#[test]
fn a_plan_as_a_graph() {
    let text = compile(gru(true)).dot();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/gru.dot");
    if std::env::var_os("EDB_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "EDB_BLESS=1 rewrites the golden");
    // Graphviz, if it is installed, accepts the drawing of every cell.
    for cell in [lstm, gru, tree_lstm, child_sum, tree_gru, mv_rnn] {
        let dot = Command::new("dot").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let Ok(mut dot) = dot else { return };
        let text = compile(cell(false)).dot();
        dot.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        assert!(dot.wait().unwrap().success(), "{text}");
    }
}

/// A classifier over a state, with a second loss that is the product of the state with itself.
fn classifier() -> Program {
    let mut b = Builder::new("judge", vec!["H".into(), "C".into()]);
    let [h, c] = [0, 1].map(Dim::name);
    let state = b.state("Node");
    let slot = Slot::Fixed(b.slot(state, false));
    let child = b.child(slot, "h");
    let w = b.param("w", Shape::matrix(c.clone(), h));
    let bias = b.param("b", Shape::vector(c));
    let logits = b.apply(Contraction::Dot, &[w, child]).unwrap();
    let logits = b.apply(Pointwise::Add, &[logits, bias]).unwrap();
    b.input("Gold");
    let label = b.pull_index("label");
    let loss = b.apply(Reduction::CrossEntropy, &[logits, label]).unwrap();
    b.loss(loss).unwrap();
    let square = b.dot(child, child).unwrap();
    b.loss(square).unwrap();
    b.finish().unwrap()
}

#[test]
fn reductions_are_ends_of_kernels() {
    let routine = compile(classifier()).routine;
    let ends: Vec<(&str, bool)> = (routine.kernels.iter())
        .flat_map(|kernel| kernel.ends.iter().map(move |end| (kernel, end)))
        .map(|(kernel, end)| {
            let (read, _) = kernel.outputs[usize::from(end.output)];
            (end.op.row().name, routine.record(read).training == Home::Nowhere)
        })
        .collect();
    // The logits are stored for their gradient; the squares whose sum is a loss are not stored.
    assert!(ends.contains(&("cross_entropy", false)), "{ends:?}");
    assert!(ends.contains(&("softmax", false)) || ends.contains(&("sum", true)), "{ends:?}");
    assert!(ends.contains(&("sum", true)), "{ends:?}");
    let alone =
        replan(&compile(classifier()), Options { fusion: false, ..Options::default() }).routine;
    assert!(alone.kernels.iter().all(|kernel| kernel.ends.is_empty()));
}

/// `0 x` and `-0 x` must stay two values, since `1 / (0 x)` and `1 / (-0 x)` are infinities of
/// opposite sign.
#[test]
fn zeros_of_either_sign_are_two_numbers() {
    let mut b = Builder::new("signs", vec!["H".into()]);
    let state = b.state("Node");
    let slot = Slot::Fixed(b.slot(state, false));
    let child = b.child(slot, "h");
    let [zero, negative] = [0.0, -0.0].map(|zero| b.constant(zero));
    let [a, c] = [zero, negative].map(|zero| b.apply(Pointwise::Mul, &[child, zero]).unwrap());
    let quotient = b.apply(Pointwise::Div, &[a, c]).unwrap();
    b.scatter(state, &[("h", quotient)]).unwrap();
    let routine = compile(b.finish().unwrap()).routine;
    let forward = routine.kernels.iter().find(|kernel| !kernel.body.is_empty()).unwrap();
    let numbers = forward.body.iter().filter_map(|expr| match expr.op {
        KernelOp::Number(number) => Some(number.to_bits()),
        _ => None,
    });
    let numbers: Vec<u64> = numbers.collect();
    assert_eq!(numbers, [0.0_f64, -0.0].map(f64::to_bits), "{routine:?}");
}

/// The gradients of a Tree-LSTM's gates overwrite the stored gates.
#[test]
fn gradients_overwrite_stored_gates() {
    let planned = compile(tree_lstm(false));
    let declared = replan(&planned, Options { layout: false, ..Options::default() });
    let overwritten = |routine: &Routine| {
        let of = |kernel: &edb_ir::Kernel| {
            (0..kernel.inputs.len()).filter(|input| kernel.in_place(*input).is_some()).count()
        };
        routine.kernels.iter().map(of).sum::<usize>()
    };
    // At least one place for each of the five gates; each forget gate is read by a single gradient.
    assert!(overwritten(&planned.routine) >= 5, "{}", planned.routine.describe(&planned.program));
    assert_eq!(overwritten(&declared.routine), 0);
    let kept = |routine: &Routine| {
        let pieces = routine.records.iter().filter(|record| record.training == Home::Rows);
        pieces.map(|record| record.pieces.len()).sum::<usize>()
    };
    assert!(kept(&planned.routine) + 5 <= kept(&declared.routine));
}
