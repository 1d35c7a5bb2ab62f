//! Cells written with separate and with stacked gates end in the same groups, and copy nothing.

use edb_ir::batching::Batching;
use edb_ir::{Builder, Dim, Op, Options, Plan, Program, Routine, Shape, Slot, ValueId};

fn dim(name: u16, factor: i64) -> Dim {
    Dim::name(name).scaled(factor).unwrap()
}

/// Weights and biases of a cell over `H` and `X`, for gates that are one tensor or one each.
struct Cell {
    b: Builder,
    stacked: bool,
}

impl Cell {
    fn new(name: &str, stacked: bool) -> Self {
        Self { b: Builder::new(name, vec!["H".into(), "X".into()]), stacked }
    }

    fn op(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        self.b.apply(op, args).unwrap()
    }

    fn add(&mut self, values: &[ValueId]) -> ValueId {
        values[1..].iter().fold(values[0], |sum, value| self.op(Op::Add, &[sum, *value]))
    }

    /// `gates` vectors of `H`, each the sum of a product with each argument, and a bias.
    fn gates(&mut self, name: &str, gates: i64, args: &[(ValueId, u16)]) -> Vec<ValueId> {
        let (each, parts) = if self.stacked { (gates, 1) } else { (1, gates) };
        let mut made = Vec::new();
        for at in 0..parts {
            let mut terms = Vec::new();
            for (which, &(x, length)) in args.iter().enumerate() {
                let shape = Shape::matrix(dim(0, each), dim(length, 1));
                let w = self.b.param(&format!("{name}_{at}_{which}"), shape);
                terms.push(self.op(Op::Dot, &[w, x]));
            }
            let bias = Shape::vector(dim(0, each));
            terms.push(self.b.param(&format!("{name}_b{at}"), bias));
            made.push(self.add(&terms));
        }
        if self.stacked { self.b.split(made[0], gates as usize).unwrap() } else { made }
    }

    /// The same over children: stacked weights meet the children one behind the other.
    fn gates_of_children(&mut self, name: &str, gates: i64, children: &[ValueId]) -> Vec<ValueId> {
        if !self.stacked {
            let args: Vec<(ValueId, u16)> = children.iter().map(|child| (*child, 0)).collect();
            return self.gates(name, gates, &args);
        }
        let width = dim(0, children.len() as i64);
        let w = self.b.param(name, Shape::matrix(dim(0, gates), width));
        let bias = self.b.param(&format!("{name}_b"), Shape::vector(dim(0, gates)));
        let all = self.op(Op::Concat, children);
        let product = self.op(Op::Dot, &[w, all]);
        let sum = self.op(Op::Add, &[product, bias]);
        self.b.split(sum, gates as usize).unwrap()
    }

    fn sigmoid(&mut self, x: ValueId) -> ValueId {
        self.op(Op::Sigmoid, &[x])
    }

    fn tanh(&mut self, x: ValueId) -> ValueId {
        self.op(Op::Tanh, &[x])
    }

    fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.op(Op::Mul, &[a, b])
    }

    fn input(&mut self) -> ValueId {
        self.b.input("Input");
        self.b.pull("x")
    }

    fn children(&mut self, count: u16, field: &str) -> Vec<ValueId> {
        (0..count).map(|at| self.b.child(Slot::Fixed(at), field)).collect()
    }

    fn slots(&mut self, count: usize) {
        let state = self.b.state("State");
        for _ in 0..count {
            self.b.slot(state, false);
        }
    }

    fn finish(mut self, fields: &[(&str, ValueId)]) -> Program {
        let state = self.b.state("State");
        self.b.scatter(state, fields).unwrap();
        self.b.finish().unwrap()
    }
}

fn lstm(stacked: bool) -> Program {
    let mut cell = Cell::new("lstm", stacked);
    cell.slots(1);
    let (x, h, c) = (cell.input(), cell.children(1, "h")[0], cell.children(1, "c")[0]);
    let gates = cell.gates("w", 4, &[(x, 1), (h, 0)]);
    let [i, f, o] = [0, 1, 2].map(|at| cell.sigmoid(gates[at]));
    let u = cell.tanh(gates[3]);
    let (kept, new) = (cell.mul(f, c), cell.mul(i, u));
    let c = cell.add(&[kept, new]);
    let tanh = cell.tanh(c);
    let h = cell.mul(o, tanh);
    cell.finish(&[("h", h), ("c", c)])
}

/// `h' = (1 - z) n + z h`, written as `n + z (h - n)`.
fn blend(cell: &mut Cell, z: ValueId, h: ValueId, n: ValueId) -> ValueId {
    let difference = cell.op(Op::Sub, &[h, n]);
    let step = cell.mul(z, difference);
    cell.add(&[n, step])
}

fn gru(stacked: bool) -> Program {
    let mut cell = Cell::new("gru", stacked);
    cell.slots(1);
    let (x, h) = (cell.input(), cell.children(1, "h")[0]);
    let gates = cell.gates("zr", 2, &[(x, 1), (h, 0)]);
    let [z, r] = [0, 1].map(|at| cell.sigmoid(gates[at]));
    let rh = cell.mul(r, h);
    let n = cell.gates("n", 1, &[(x, 1), (rh, 0)])[0];
    let n = cell.tanh(n);
    let h = blend(&mut cell, z, h, n);
    cell.finish(&[("h", h)])
}

fn tree_lstm(stacked: bool) -> Program {
    let mut cell = Cell::new("tree_lstm", stacked);
    cell.slots(2);
    let (h, c) = (cell.children(2, "h"), cell.children(2, "c"));
    let gates = cell.gates_of_children("u", 5, &h);
    let [i, o, l, r] = [0, 1, 2, 3].map(|at| cell.sigmoid(gates[at]));
    let u = cell.tanh(gates[4]);
    let terms = [cell.mul(i, u), cell.mul(l, c[0]), cell.mul(r, c[1])];
    let c = cell.add(&terms);
    let tanh = cell.tanh(c);
    let h = cell.mul(o, tanh);
    cell.finish(&[("h", h), ("c", c)])
}

fn child_sum(stacked: bool) -> Program {
    let mut cell = Cell::new("child_sum", stacked);
    let state = cell.b.state("State");
    cell.b.rest(state);
    let x = cell.input();
    let [h, c] = ["h", "c"].map(|field| cell.b.child(Slot::Rest, field));
    let sum = cell.b.sum_edges(h);
    let gates = cell.gates("iou", 3, &[(x, 1), (sum, 0)]);
    let forget = cell.gates("f", 1, &[(x, 1), (h, 0)])[0];
    let [i, o] = [0, 1].map(|at| cell.sigmoid(gates[at]));
    let (u, f) = (cell.tanh(gates[2]), cell.sigmoid(forget));
    let kept = cell.mul(f, c);
    let kept = cell.b.sum_edges(kept);
    let new = cell.mul(i, u);
    let c = cell.add(&[kept, new]);
    let tanh = cell.tanh(c);
    let h = cell.mul(o, tanh);
    cell.finish(&[("h", h), ("c", c)])
}

/// A binary Tree-GRU: a reset gate for each child, one update gate.
fn tree_gru(stacked: bool) -> Program {
    let mut cell = Cell::new("tree_gru", stacked);
    cell.slots(2);
    let h = cell.children(2, "h");
    let gates = cell.gates_of_children("zr", 3, &h);
    let [z, l, r] = [0, 1, 2].map(|at| cell.sigmoid(gates[at]));
    let reset = [cell.mul(l, h[0]), cell.mul(r, h[1])];
    let n = cell.gates_of_children("n", 1, &reset)[0];
    let n = cell.tanh(n);
    let both = cell.add(&h);
    let h = blend(&mut cell, z, both, n);
    cell.finish(&[("h", h)])
}

/// MV-RNN (Socher et al., 2012): each child's matrix meets the other's vector. The matrix of the
/// parent is the sum of theirs here: no op multiplies two matrices.
fn mv_rnn(stacked: bool) -> Program {
    let mut cell = Cell::new("mv_rnn", stacked);
    cell.slots(2);
    let (p, m) = (cell.children(2, "p"), cell.children(2, "m"));
    let crossed = [(0, 1), (1, 0)].map(|(a, b)| cell.op(Op::Dot, &[m[a], p[b]]));
    let sum = cell.gates_of_children("w", 1, &crossed)[0];
    let (p, m) = (cell.tanh(sum), cell.add(&m));
    cell.finish(&[("p", p), ("m", m)])
}

fn plan(program: Program) -> Batching {
    let plan = Plan::compile(program);
    let batching = Batching::plan(&plan.program, &plan.phases);
    batching.layout.check(&batching.constraints.problem).unwrap();
    assert!(batching.layout.optimal);
    batching
}

fn same(cell: fn(bool) -> Program, expected: &str) {
    for stacked in [false, true] {
        let batching = plan(cell(stacked));
        assert_eq!(batching.to_string(), expected, "stacked: {stacked}");
    }
}

/// A group a line: for each stack, its products by their terms.
#[test]
fn an_lstm() {
    same(
        lstm,
        "Eager Vertex Dot: 4 x 1\n\
         Recurrent Vertex Dot: 4 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 4\n\
         BackwardLazy Vertex DotTransposed: 1 x 4\n\
         Accumulate Step OuterSum: 4 x 2\n\
         copied: 0 bytes\n",
    );
}

#[test]
fn a_gru() {
    same(
        gru,
        "Eager Vertex Dot: 3 x 1\n\
         Recurrent Vertex Dot: 2 x 1\n\
         Recurrent Vertex Dot: 1 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 2\n\
         BackwardLazy Vertex DotTransposed: 1 x 3\n\
         Accumulate Step OuterSum: 1 x 2 2 x 2\n\
         copied: 0 bytes\n",
    );
}

#[test]
fn a_binary_tree_lstm() {
    same(
        tree_lstm,
        "Recurrent Vertex Dot: 5 x 2\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 5\n\
         Accumulate Step OuterSum: 5 x 2\n\
         copied: 0 bytes\n",
    );
}

#[test]
fn a_child_sum_tree_lstm() {
    same(
        child_sum,
        "Eager Vertex Dot: 4 x 1\n\
         Recurrent Vertex Dot: 3 x 1\n\
         Recurrent Edge Dot: 1 x 1\n\
         BackwardRecurrent Edge DotTransposed: 1 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 3\n\
         BackwardLazy Vertex DotTransposed: 1 x 4\n\
         Accumulate Step OuterSum: 1 x 1\n\
         Accumulate Step OuterSum: 1 x 1\n\
         Accumulate Step OuterSum: 3 x 2\n\
         copied: 0 bytes\n",
    );
}

#[test]
fn a_binary_tree_gru() {
    same(
        tree_gru,
        "Recurrent Vertex Dot: 3 x 2\n\
         Recurrent Vertex Dot: 1 x 2\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 3\n\
         Accumulate Step OuterSum: 1 x 2 3 x 2\n\
         copied: 0 bytes\n",
    );
}

#[test]
fn an_mv_rnn() {
    same(
        mv_rnn,
        "Recurrent Vertex Dot: 1 x 1 1 x 1\n\
         Recurrent Vertex Dot: 1 x 2\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 1 1 x 1\n\
         Accumulate Step OuterSum: 1 x 2\n\
         copied: 0 bytes\n",
    );
}

/// Slices one element apart would cut one another without end, and cuts at `H` and at `X` have no
/// order before these are numbers: such vectors stay in one piece.
#[test]
fn vectors_that_cannot_be_cut_stay_whole() {
    let one = Dim::constant(1);
    let rest = dim(0, 1).add_scaled(&one, -1).unwrap();
    let mut cell = Cell::new("shifted", false);
    cell.slots(1);
    let h = cell.children(1, "h")[0];
    let w = cell.b.param("w", Shape::matrix(dim(0, 1), dim(0, 1)));
    let y = cell.op(Op::Dot, &[w, h]);
    let parts = [Dim::constant(0), one].map(|start| cell.b.slice(y, start, rest.clone()).unwrap());
    let sum = cell.add(&parts);
    let wide = cell.b.param("v", Shape::matrix(dim(0, 1), rest));
    let h = cell.op(Op::Dot, &[wide, sum]);
    let shifted = cell.finish(&[("h", h)]);

    let mut cell = Cell::new("crossed", false);
    cell.slots(1);
    let (h, x) = (cell.children(1, "h")[0], cell.input());
    let w = cell.b.param("w", Shape::matrix(dim(0, 1), dim(0, 1)));
    let v = cell.b.param("v", Shape::matrix(dim(1, 1), dim(1, 1)));
    let parts = [cell.op(Op::Dot, &[w, h]), cell.op(Op::Dot, &[v, x])];
    let both = cell.op(Op::Concat, &parts);
    let h = cell.b.slice(both, dim(1, 1), dim(0, 1)).unwrap();
    let crossed = cell.finish(&[("h", h)]);

    for program in [shifted, crossed] {
        let batching = plan(program);
        assert!(batching.products.iter().all(|product| product.terms.len() == 1));
        assert!(batching.pieces.of.iter().all(|pieces| pieces.len() == 1));
    }
}

/// What `EDB_DUMP` will print of a plan.
#[test]
fn a_plan_in_text() {
    let plan = Plan::compile(gru(false));
    let batching = Batching::plan(&plan.program, &plan.phases);
    let text = format!("{}{}", plan.program, batching.describe(&plan.program));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/gru_layout.txt");
    if std::env::var_os("EDB_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "EDB_BLESS=1 rewrites the golden");
}

/// What planning takes, the least of many: all of `Plan::compile`, and in it batching with its
/// layout, and the routine. `cargo test -p edb-ir --test batching -- --ignored --nocapture`, and the
/// same with `--release`.
#[test]
#[ignore = "prints how long planning takes"]
fn timings() {
    println!("cell        written   values  compile  batching  routine (ms)");
    for cell in [lstm, gru, tree_lstm, child_sum, tree_gru, mv_rnn] {
        for stacked in [false, true] {
            let program = cell(stacked);
            let plan = Plan::compile(program.clone());
            let batching = Batching::plan(&plan.program, &plan.phases);
            assert_eq!(batching.copied().bytes, 0);
            let compile = least(|| drop(Plan::compile(program.clone())));
            let batch = least(|| drop(Batching::plan(&plan.program, &plan.phases)));
            let routine = least(|| {
                let options = Options::default();
                drop(Routine::new(&plan.program, &plan.phases, &batching, options));
            });
            let (name, count) = (&program.name, plan.program.values.len());
            let written = if stacked { "stacked" } else { "separate" };
            println!(
                "{name:<10}  {written:<8}  {count:>6}  {compile:>7.3}  {batch:>8.3}  {routine:>7.3}"
            );
        }
    }
}

/// The least of many, since whatever disturbs a measurement makes it longer; in milliseconds.
fn least(mut run: impl FnMut()) -> f64 {
    let mut time = || {
        let start = std::time::Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..101).map(|_| time()).fold(f64::INFINITY, f64::min)
}
