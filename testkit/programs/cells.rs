//! Cells with a weight for each gate and argument, and with stacked weights. A gate's weight is
//! named `name_gate_argument`, and its bias `name_bgate`; stacked ones have the number of the first
//! gate.

use edb_ir::{Builder, Contraction, Dim, Movement, Op, Pointwise, Program, Shape, Slot, ValueId};

pub fn dim(name: u16, factor: i64) -> Dim {
    Dim::name(name).scaled(factor).unwrap()
}

/// Builds the gates of a cell over `H` and `X`, with stacked or separate weights and biases.
pub struct Cell {
    pub b: Builder,
    pub stacked: bool,
}

impl Cell {
    pub fn new(name: &str, stacked: bool) -> Self {
        Self { b: Builder::new(name, vec!["H".into(), "X".into()]), stacked }
    }

    pub fn op(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        self.b.apply(op, args).unwrap()
    }

    pub fn add(&mut self, values: &[ValueId]) -> ValueId {
        values[1..]
            .iter()
            .fold(values[0], |sum, value| self.op(Op::Pointwise(Pointwise::Add), &[sum, *value]))
    }

    /// `gates` vectors of `H`, each the sum of a product with each argument, and a bias.
    pub fn gates(&mut self, name: &str, gates: i64, args: &[(ValueId, u16)]) -> Vec<ValueId> {
        let (each, parts) = if self.stacked { (gates, 1) } else { (1, gates) };
        let mut made = Vec::new();
        for part in 0..parts {
            let mut terms = Vec::new();
            for (which, &(x, length)) in args.iter().enumerate() {
                let shape = Shape::matrix(dim(0, each), dim(length, 1));
                let w = self.b.param(&format!("{name}_{part}_{which}"), shape);
                terms.push(self.op(Op::Contraction(Contraction::Dot), &[w, x]));
            }
            let bias = Shape::vector(dim(0, each));
            terms.push(self.b.param(&format!("{name}_b{part}"), bias));
            made.push(self.add(&terms));
        }
        if self.stacked { self.b.split(made[0], gates as usize).unwrap() } else { made }
    }

    /// The same over children: stacked weights multiply the concatenated children.
    pub fn gates_of_children(
        &mut self,
        name: &str,
        gates: i64,
        children: &[ValueId],
    ) -> Vec<ValueId> {
        if !self.stacked {
            let args: Vec<(ValueId, u16)> = children.iter().map(|child| (*child, 0)).collect();
            return self.gates(name, gates, &args);
        }
        let width = dim(0, children.len() as i64);
        let w = self.b.param(name, Shape::matrix(dim(0, gates), width));
        let bias = self.b.param(&format!("{name}_b"), Shape::vector(dim(0, gates)));
        let all = self.op(Op::Movement(Movement::Concat), children);
        let product = self.op(Op::Contraction(Contraction::Dot), &[w, all]);
        let sum = self.op(Op::Pointwise(Pointwise::Add), &[product, bias]);
        self.b.split(sum, gates as usize).unwrap()
    }

    pub fn sigmoid(&mut self, x: ValueId) -> ValueId {
        self.op(Op::Pointwise(Pointwise::Sigmoid), &[x])
    }

    pub fn tanh(&mut self, x: ValueId) -> ValueId {
        self.op(Op::Pointwise(Pointwise::Tanh), &[x])
    }

    pub fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.op(Op::Pointwise(Pointwise::Mul), &[a, b])
    }

    pub fn input(&mut self) -> ValueId {
        self.b.input("Input");
        self.b.pull("x")
    }

    pub fn children(&mut self, count: u16, field: &str) -> Vec<ValueId> {
        (0..count).map(|slot| self.b.child(Slot::Fixed(slot), field)).collect()
    }

    pub fn slots(&mut self, count: usize) {
        let state = self.b.state("State");
        for _ in 0..count {
            self.b.slot(state, false);
        }
    }

    pub fn finish(mut self, fields: &[(&str, ValueId)]) -> Program {
        let state = self.b.state("State");
        self.b.scatter(state, fields).unwrap();
        self.b.finish().unwrap()
    }
}

pub fn lstm(stacked: bool) -> Program {
    let mut cell = Cell::new("lstm", stacked);
    cell.slots(1);
    let (x, h, c) = (cell.input(), cell.children(1, "h")[0], cell.children(1, "c")[0]);
    let gates = cell.gates("w", 4, &[(x, 1), (h, 0)]);
    let [i, f, o] = [0, 1, 2].map(|gate| cell.sigmoid(gates[gate]));
    let u = cell.tanh(gates[3]);
    let (kept, new) = (cell.mul(f, c), cell.mul(i, u));
    let c = cell.add(&[kept, new]);
    let tanh = cell.tanh(c);
    let h = cell.mul(o, tanh);
    cell.finish(&[("h", h), ("c", c)])
}

/// `h' = (1 - z) n + z h`, written as `n + z (h - n)`.
fn blend(cell: &mut Cell, z: ValueId, h: ValueId, n: ValueId) -> ValueId {
    let difference = cell.op(Op::Pointwise(Pointwise::Sub), &[h, n]);
    let step = cell.mul(z, difference);
    cell.add(&[n, step])
}

pub fn gru(stacked: bool) -> Program {
    let mut cell = Cell::new("gru", stacked);
    cell.slots(1);
    let (x, h) = (cell.input(), cell.children(1, "h")[0]);
    let gates = cell.gates("zr", 2, &[(x, 1), (h, 0)]);
    let [z, r] = [0, 1].map(|gate| cell.sigmoid(gates[gate]));
    let rh = cell.mul(r, h);
    let n = cell.gates("n", 1, &[(x, 1), (rh, 0)])[0];
    let n = cell.tanh(n);
    let h = blend(&mut cell, z, h, n);
    cell.finish(&[("h", h)])
}

pub fn tree_lstm(stacked: bool) -> Program {
    let mut cell = Cell::new("tree_lstm", stacked);
    cell.slots(2);
    let (h, c) = (cell.children(2, "h"), cell.children(2, "c"));
    let gates = cell.gates_of_children("u", 5, &h);
    let [i, o, l, r] = [0, 1, 2, 3].map(|gate| cell.sigmoid(gates[gate]));
    let u = cell.tanh(gates[4]);
    let terms = [cell.mul(i, u), cell.mul(l, c[0]), cell.mul(r, c[1])];
    let c = cell.add(&terms);
    let tanh = cell.tanh(c);
    let h = cell.mul(o, tanh);
    cell.finish(&[("h", h), ("c", c)])
}

pub fn child_sum(stacked: bool) -> Program {
    let mut cell = Cell::new("child_sum", stacked);
    let state = cell.b.state("State");
    cell.b.rest(state);
    let x = cell.input();
    let [h, c] = ["h", "c"].map(|field| cell.b.child(Slot::Rest, field));
    let sum = cell.b.sum_edges(h);
    let gates = cell.gates("iou", 3, &[(x, 1), (sum, 0)]);
    let forget = cell.gates("f", 1, &[(x, 1), (h, 0)])[0];
    let [i, o] = [0, 1].map(|gate| cell.sigmoid(gates[gate]));
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
pub fn tree_gru(stacked: bool) -> Program {
    let mut cell = Cell::new("tree_gru", stacked);
    cell.slots(2);
    let h = cell.children(2, "h");
    let gates = cell.gates_of_children("zr", 3, &h);
    let [z, l, r] = [0, 1, 2].map(|gate| cell.sigmoid(gates[gate]));
    let reset = [cell.mul(l, h[0]), cell.mul(r, h[1])];
    let n = cell.gates_of_children("n", 1, &reset)[0];
    let n = cell.tanh(n);
    let both = cell.add(&h);
    let h = blend(&mut cell, z, both, n);
    cell.finish(&[("h", h)])
}

/// MV-RNN (Socher et al., 2012): each child's matrix multiplies the other's vector. Here the
/// parent's matrix is simply the sum of the children's.
pub fn mv_rnn(stacked: bool) -> Program {
    let mut cell = Cell::new("mv_rnn", stacked);
    cell.slots(2);
    let (p, m) = (cell.children(2, "p"), cell.children(2, "m"));
    let crossed =
        [(0, 1), (1, 0)].map(|(a, b)| cell.op(Op::Contraction(Contraction::Dot), &[m[a], p[b]]));
    let sum = cell.gates_of_children("w", 1, &crossed)[0];
    let (p, m) = (cell.tanh(sum), cell.add(&m));
    cell.finish(&[("p", p), ("m", m)])
}
