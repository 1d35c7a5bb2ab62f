//! Random programs, computed group by group: the results must be those of the program.

use edb_compiler::batching::{Batching, Call, Matrix, PieceId};
use edb_compiler::layout::problem::Cost;
use edb_compiler::{Options, compile, replan};
use edb_ir::routine::ProductKind;
use edb_ir::{
    Builder, Contraction, Dim, Domain, IdVec, Instruction, Leaf, Movement, Op, Pointwise, Program,
    Shape, Slot, Symbol, Transition, ValueId,
};

use edb_test_programs::{Draws, Random};

/// The size of the only named dimension.
const H: i64 = 2;

fn dim(factor: i64) -> Dim {
    Dim::name(0).scaled(factor).unwrap()
}

fn number(dim: &Dim) -> usize {
    let terms = dim.terms().iter().map(|(symbol, factor)| {
        assert_eq!(*symbol, Symbol::Name(0));
        factor * H
    });
    (dim.constant_part() + terms.sum::<i64>()) as usize
}

/// A program over vectors of `H` to 4 `H` elements: products with new and with known weights,
/// concatenations, slices, sums and activations, in any order.
fn random_program(random: &mut Random) -> Program {
    let mut b = Builder::new("random", vec!["H".into()]);
    let state = b.state("State");
    // Vectors with their lengths, and weights with their rows and columns, in multiples of `H`.
    let mut vectors: Vec<(ValueId, i64)> = Vec::new();
    let mut weights: Vec<(ValueId, i64, i64)> = Vec::new();
    for _ in 0..1 + random.below(3) {
        let slot = Slot::Fixed(b.slot(state, false));
        vectors.push((b.child(slot, "h"), 1));
    }
    b.input("Input");
    vectors.push((b.pull("x"), 1));
    // Nothing but a product gives the length of what is gathered or pulled.
    for vector in 0..vectors.len() {
        let w = b.param(&format!("in{vector}"), Shape::matrix(dim(1), dim(1)));
        vectors.push((b.apply(Contraction::Dot, &[w, vectors[vector].0]).unwrap(), 1));
    }
    for round in 0..8 + random.below(20) {
        let (x, length) = vectors[random.below(vectors.len())];
        let (y, other) = vectors[random.below(vectors.len())];
        let made = match random.below(8) {
            0..=2 => {
                let fits = |w: &&(ValueId, i64, i64)| w.2 == length;
                let used = weights.iter().find(fits).copied().filter(|_| random.below(4) == 0);
                let (w, rows, _) = used.unwrap_or_else(|| {
                    let rows = 1 + random.below(3) as i64;
                    let shape = Shape::matrix(dim(rows), dim(length));
                    let made = (b.param(&format!("w{round}"), shape), rows, length);
                    weights.push(made);
                    made
                });
                (b.apply(Contraction::Dot, &[w, x]).unwrap(), rows)
            }
            3 if length + other <= 4 => {
                (b.apply(Movement::Concat, &[x, y]).unwrap(), length + other)
            }
            4 if length > 1 => {
                let start = random.below(length as usize) as i64;
                let part = 1 + random.below((length - start) as usize) as i64;
                (b.slice(x, dim(start), dim(part)).unwrap(), part)
            }
            5 if length == other => (b.apply(Pointwise::Mul, &[x, y]).unwrap(), length),
            6 => (b.apply(Pointwise::Tanh, &[x]).unwrap(), length),
            _ if length == other => (b.apply(Pointwise::Add, &[x, y]).unwrap(), length),
            _ => continue,
        };
        vectors.push(made);
    }
    // Scatters the last vector of length `H`, and pushes one of the last three vectors.
    let last = |vectors: &[(ValueId, i64)]| vectors.iter().rev().find(|v| v.1 == 1).unwrap().0;
    let h = last(&vectors);
    b.scatter(state, &[("h", h)]).unwrap();
    let (out, _) = vectors[vectors.len() - 1 - random.below(vectors.len().min(3))];
    b.push_output("Output", &[("out", out)]);
    b.finish().unwrap()
}

/// Numbers that depend only on the seed, and not on how values are numbered.
fn leaf(seed: u64, count: usize) -> Vec<f64> {
    let mut random = Random(seed);
    (0..count).map(|_| random.below(2001) as f64 / 1000.0 - 1.0).collect()
}

/// Computes a value at one vertex from its arguments.
fn compute(program: &Program, id: ValueId, args: &[&[f64]]) -> Vec<f64> {
    let value = program.value(id);
    let dims: Vec<usize> = value.shape.dims().unwrap().iter().map(number).collect();
    let count = dims.iter().product();
    let pair = |f: fn(f64, f64) -> f64| -> Vec<f64> {
        let element = |arg: &[f64], i: usize| if arg.len() == 1 { arg[0] } else { arg[i] };
        (0..count).map(|i| f(element(args[0], i), element(args[1], i))).collect()
    };
    match &value.op {
        Op::Leaf(Leaf::Constant(number)) => vec![*number],
        Op::Leaf(Leaf::LossScale) => vec![1.0],
        Op::Leaf(Leaf::Zeros) => vec![0.0; count],
        Op::Pointwise(Pointwise::Tanh) => args[0].iter().map(|x| x.tanh()).collect(),
        Op::Pointwise(Pointwise::Neg) => args[0].iter().map(|x| -x).collect(),
        Op::Pointwise(Pointwise::Add) => pair(|a, b| a + b),
        Op::Pointwise(Pointwise::Sub) => pair(|a, b| a - b),
        Op::Pointwise(Pointwise::Mul) => pair(|a, b| a * b),
        Op::Movement(Movement::Copy(_)) | Op::Transition(Transition::Reduce(_)) => args[0].to_vec(),
        Op::Movement(Movement::Concat) => args.concat(),
        Op::Movement(Movement::Slice { start }) => {
            args[0][number(start)..number(start) + count].to_vec()
        }
        Op::Movement(Movement::Pad { start }) => {
            let mut padded = vec![0.0; count];
            padded[number(start)..number(start) + args[0].len()].copy_from_slice(args[0]);
            padded
        }
        Op::Contraction(Contraction::Dot) => {
            args[0].chunks(args[1].len()).map(|row| dot(row, args[1])).collect()
        }
        Op::Contraction(Contraction::DotTransposed) => {
            let column = |column: usize| args[0].iter().skip(column).step_by(count).copied();
            (0..count).map(|number| dot(&column(number).collect::<Vec<_>>(), args[1])).collect()
        }
        Op::Transition(Transition::OuterSum) => {
            args[0].iter().flat_map(|a| args[1].iter().map(move |b| a * b)).collect()
        }
        op if op.row().arity == edb_ir::Arity::Exact(0) => leaf(u64::from(id.0), count),
        op => panic!("no rule for {op:?}"),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn plainly(program: &Program) -> Vec<Vec<f64>> {
    let mut values: Vec<Vec<f64>> = Vec::new();
    for (id, value) in program.iter() {
        let args: Vec<&[f64]> = value.args.iter().map(|arg| &values[arg.index()][..]).collect();
        values.push(compute(program, id, &args));
    }
    values
}

/// Computes a program by the groups of its batching.
struct InGroups<'a> {
    program: &'a Program,
    batching: &'a Batching,
    pieces: IdVec<PieceId, Option<Vec<f64>>>,
    /// For each piece, the products that are still to be added to it.
    left: IdVec<PieceId, usize>,
    /// For each parameter, its elements and its width.
    params: Vec<(Vec<f64>, usize)>,
    /// The gradient of each parameter, as far as it is summed.
    gradients: Vec<Vec<f64>>,
}

impl InGroups<'_> {
    fn value(&self, id: ValueId) -> Option<Vec<f64>> {
        let of = &self.batching.pieces.of[id];
        let done = |piece: &PieceId| self.left[*piece] == 0;
        let part = |piece: &PieceId| self.pieces[*piece].clone().filter(|_| done(piece));
        of.iter().map(part).collect::<Option<Vec<_>>>().map(|parts| parts.concat())
    }

    fn compute(&mut self, id: ValueId) {
        let args = self.program.value(id).args.iter().map(|arg| self.value(*arg));
        let args: Vec<Vec<f64>> = args.map(|arg| arg.expect("arguments are there")).collect();
        let args: Vec<&[f64]> = args.iter().map(|arg| &arg[..]).collect();
        let mut elements = compute(self.program, id, &args).into_iter();
        for &piece in &self.batching.pieces.of[id] {
            let elements = elements.by_ref().take(self.length(piece)).collect();
            // Pieces that are sums of products were computed with their groups.
            let products = self.batching.products.iter();
            let vectors = products.filter(|product| product.kind != ProductKind::OuterSum);
            if !vectors.clone().any(|product| product.result == piece) {
                self.pieces[piece] = Some(elements);
            }
        }
    }

    fn length(&self, piece: PieceId) -> usize {
        self.batching.pieces.list[piece].shape.dims().unwrap().iter().map(number).product()
    }

    /// Makes the calls of the batching one by one; panics if one of them reads what is not computed
    /// yet.
    fn run(&mut self) {
        let products = &self.batching.products;
        for piece in self.pieces.ids() {
            if self.batching.absent[piece] {
                self.pieces[piece] = Some(vec![0.0; self.length(piece)]);
            }
        }
        for product in products.iter().filter(|product| product.kind != ProductKind::OuterSum) {
            self.left[product.result] += 1;
        }
        for (_, instruction) in &self.batching.calls {
            let group = match instruction {
                Call::Group(group) => &self.batching.groups[*group],
                Call::Value(id) => {
                    self.compute(*id);
                    continue;
                }
            };
            let run = group.stacks.iter().flat_map(|stack| &stack.products);
            for product in run.map(|product| &products[*product]) {
                let read = product.terms.iter().map(|term| term.1);
                for piece in
                    read.chain((product.kind == ProductKind::OuterSum).then_some(product.result))
                {
                    assert_eq!(self.left[piece], 0, "what a group reads is there");
                }
                if product.kind != ProductKind::OuterSum {
                    self.left[product.result] -= 1;
                }
                for (block, arg) in &product.terms {
                    let x = self.pieces[*arg].clone().expect("what a group reads is there");
                    let extent = self.batching.pieces.extent(self.program, block).unwrap();
                    let [row, column] = [0, 1].map(|axis| number(&extent.start[axis]));
                    let Matrix::Param(param) = block.matrix else { panic!("all are parameters") };
                    let (matrix, width) = &self.params[usize::from(param)];
                    if product.kind == ProductKind::OuterSum {
                        let y = self.pieces[product.result].clone().expect("so is this");
                        assert_eq!([y.len(), x.len()], [0, 1].map(|a| number(&extent.length[a])));
                        let gradient = &mut self.gradients[usize::from(param)];
                        for (i, j) in (0..y.len()).flat_map(|i| (0..x.len()).map(move |j| (i, j))) {
                            gradient[(row + i) * *width + column + j] += y[i] * x[j];
                        }
                        continue;
                    }
                    let zeros = vec![0.0; self.length(product.result)];
                    let mut sum = self.pieces[product.result].take().unwrap_or(zeros);
                    for (i, j) in (0..sum.len()).flat_map(|i| (0..x.len()).map(move |j| (i, j))) {
                        let (r, c) = if product.kind == ProductKind::Dot { (i, j) } else { (j, i) };
                        sum[i] += matrix[(row + r) * *width + column + c] * x[j];
                    }
                    self.pieces[product.result] = Some(sum);
                }
            }
        }
    }
}

/// The verifier accepts the routine of every program, with any combination of passes switched off.
#[test]
fn routines_are_sound() {
    let mut random = Random(4);
    let (mut copies, mut without) = (0, 0);
    for _ in 0..100 {
        let plan = compile(random_program(&mut random));
        for omitted in 0..8 {
            let [lazy, layout, fusion] = [1, 2, 4].map(|bit| omitted & bit == 0);
            let routine = replan(&plan, Options { lazy, layout, fusion, views: fusion }).routine;
            edb_ir::routine::verify(&plan.program, &routine).unwrap();
            let copied = routine
                .instructions
                .iter()
                .any(|instruction| matches!(instruction.1, Instruction::Copy { .. }));
            copies += usize::from(layout && copied);
            without += usize::from(!layout && copied);
        }
    }
    assert!(without > copies && copies > 0, "{copies} of 400 with the layout, {without} without");
}

#[test]
fn groups_compute_what_the_program_says() {
    let mut random = Random(21);
    let (mut stacked, mut fused, mut copies) = (0, 0, 0);
    for round in 0..600 {
        let plan = compile(random_program(&mut random));
        let program = &plan.program;
        let batching = Batching::plan(program, &plan.phases);
        batching.layout.check(&batching.constraints.problem).unwrap();
        assert_eq!(batching.copied().pinned, 0, "no parameter is copied");

        let values = plainly(program);
        let param = |param: usize| {
            let found =
                program.iter().find(|(_, value)| value.op == Op::Leaf(Leaf::Param(param as u16)));
            let width = |shape: &Shape| number(&shape.dims().unwrap()[1]);
            found.map_or((Vec::new(), 0), |(id, v)| (values[id.index()].clone(), width(&v.shape)))
        };
        let params: Vec<_> = (0..program.params.len()).map(param).collect();
        let gradients = params.iter().map(|(matrix, _)| vec![0.0; matrix.len()]).collect();
        let count = batching.pieces.list.len();
        let (pieces, left) = (IdVec::filled(None, count), IdVec::filled(0, count));
        let batching = &batching;
        let mut grouped = InGroups { program, batching, pieces, left, params, gradients };
        grouped.run();

        let shown = program.forward_results().chain(program.backward_results());
        for id in shown.filter(|id| program.value(*id).domain != Domain::Step) {
            let value = grouped.value(id).expect("everything is computed");
            close(&value, &values[id.index()], round);
        }
        for (param, parts) in program.gradients.params.iter().enumerate() {
            let mut sum = vec![0.0; grouped.gradients[param].len()];
            // A value that is the gradient of two parameters is computed for the first.
            let first = |part: &&ValueId| {
                program.gradients.params.iter().position(|parts| parts.contains(part))
                    == Some(param)
            };
            for part in parts.iter().filter(first) {
                sum.iter_mut().zip(&values[part.index()]).for_each(|(sum, x)| *sum += x);
            }
            close(&grouped.gradients[param], &sum, round);
        }
        let stacks = || batching.groups.iter().flat_map(|group| &group.stacks);
        stacked += usize::from(stacks().any(|stack| stack.products.len() > 1));
        fused += usize::from(batching.products.iter().any(|p| p.terms.len() > 1));
        copies += usize::from(batching.copied() > Cost::default());
    }
    assert!(stacked > 100 && fused > 100, "{stacked} stacked, {fused} fused");
    println!("of 600: {stacked} stacked, {fused} fused, {copies} with copies");
}

fn close(a: &[f64], b: &[f64], round: usize) {
    assert_eq!(a.len(), b.len());
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
    assert!(a.iter().zip(b).all(near), "round {round}: {a:?} is not {b:?}");
}
