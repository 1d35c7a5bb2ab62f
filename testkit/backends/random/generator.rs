//! Random functions, op by op.

mod branches;
mod semirings;

use edb_ir::{
    Builder, Call, Contraction, Dim, Domain, Draw, Flow, Form, Indexing, Movement, Op, Pointwise,
    Program, Reduction, Shape, Slot, Surface, ValueId, form,
};
use rand::{Rng, RngExt};

use super::{DIMS, ROWS};

fn dim(number: usize) -> Dim {
    Dim::name(number as u16)
}

/// How deep branches and loops are in one another, at most.
pub const MOST_DEPTH: usize = 3;

/// A vector over the dimension of this number, or a scalar.
type Known = (ValueId, Option<usize>);

/// Builds one random function.
pub(super) struct Generator<'r> {
    builder: Builder,
    rng: &'r mut dyn Rng,
    pool: Vec<Known>,
    params: usize,
    sites: u32,
    labels: [Option<ValueId>; 3],
    /// Whether it may be without input here.
    lacks_input: bool,
    /// How many branches and loops are around; none where children are gone through, in which there
    /// are none.
    depth: Option<usize>,
    /// Whether it pushes a list, where branches and loops run apart.
    lists: bool,
    /// Indices, with the dimension that each is one of.
    indices: Vec<(ValueId, usize)>,
}

/// The children and the input of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No children.
    Leaf,
    /// Two children, the second optional.
    Pair,
    /// Any number of children.
    All,
    /// One fixed child, and any number after it.
    Mixed,
    /// No children; it pulls the output of another function.
    Fed,
    /// Any number of children; a vertex may be without its input.
    Given,
}

/// The functions of every random model.
pub const KINDS: [(&str, Kind); 6] = [
    ("leaf", Kind::Leaf),
    ("pair", Kind::Pair),
    ("all", Kind::All),
    ("mixed", Kind::Mixed),
    ("fed", Kind::Fed),
    ("given", Kind::Given),
];

impl Generator<'_> {
    fn pick(&mut self) -> Known {
        let place = self.rng.random_range(0..self.pool.len());
        self.pool[place]
    }

    fn vector(&mut self) -> (ValueId, usize) {
        for _ in 0..64 {
            if let (id, Some(of)) = self.pick() {
                return (id, of);
            }
        }
        let (id, of) = self.pool.iter().find_map(|&(id, of)| Some((id, of?))).unwrap();
        (id, of)
    }

    fn apply(&mut self, op: impl Into<Op>, args: &[ValueId]) -> ValueId {
        self.builder.apply(op, args).unwrap()
    }

    fn matrix(&mut self, to: usize, from: Dim) -> ValueId {
        self.params += 1;
        self.builder.param(&format!("w{}", self.params), Shape::matrix(dim(to), from))
    }

    fn project(&mut self, x: ValueId, from: usize, to: usize) -> ValueId {
        let w = self.matrix(to, dim(from));
        self.apply(Contraction::Dot, &[w, x])
    }

    /// A vector of dimension `of`, projected if necessary.
    fn same_length(&mut self, of: usize) -> ValueId {
        let (y, other) = self.vector();
        if other == of { y } else { self.project(y, other, of) }
    }

    fn form(&mut self, surface: Surface, tensors: Vec<ValueId>, numbers: &[f64]) -> ValueId {
        let call = Call { tensors, numbers: numbers.to_vec(), ..Call::default() };
        (Form::find(surface).unwrap().build)(&mut self.builder, &call).unwrap()
    }

    fn label(&mut self, of: usize) -> ValueId {
        if self.lacks_input {
            let x = self.same_length(of);
            return self.decide(x);
        }
        if self.labels[of].is_none() {
            self.labels[of] = Some(self.builder.pull_index(&format!("label{of}")));
        }
        self.labels[of].unwrap()
    }

    /// A bounded factor: products of products would overflow `f32`, and could not be compared with
    /// `f64`.
    fn factor(&mut self, x: ValueId) -> ValueId {
        self.apply(Pointwise::Tanh, &[x])
    }

    /// Adds one random op to the pool, or a branch or a loop.
    fn step(&mut self) {
        // Long, since it is a table: a row for each kind of step.
        let (x, of) = self.vector();
        if self.lists && self.depth.is_some() && self.rng.random_bool(0.15) {
            self.item();
        }
        if let Some(depth) = self.depth.filter(|depth| *depth < MOST_DEPTH)
            && self.rng.random_bool(0.12)
        {
            self.depth = Some(depth + 1);
            let new = match self.rng.random_bool(0.5) {
                true => self.ways(x, of),
                false => self.again(x, of),
            };
            self.depth = Some(depth);
            self.pool.push((new, Some(of)));
            return;
        }
        let new: Known = match self.rng.random_range(0..45) {
            0 => (self.apply(Pointwise::Sigmoid, &[x]), Some(of)),
            1 => (self.apply(Pointwise::Tanh, &[x]), Some(of)),
            2 => (self.apply(Pointwise::Relu, &[x]), Some(of)),
            3 => (self.apply(Pointwise::Neg, &[x]), Some(of)),
            4 => {
                let bounded = self.apply(Pointwise::Tanh, &[x]);
                (self.apply(Pointwise::Exp, &[bounded]), Some(of))
            }
            5 => {
                let positive = self.apply(Pointwise::Sigmoid, &[x]);
                (self.apply(Pointwise::Ln, &[positive]), Some(of))
            }
            6 => (self.apply(Reduction::Softmax, &[x]), Some(of)),
            7 => (self.apply(Reduction::LogSoftmax, &[x]), Some(of)),
            8..=10 => {
                let op = [
                    Op::Pointwise(Pointwise::Add),
                    Op::Pointwise(Pointwise::Sub),
                    Op::Pointwise(Pointwise::Mul),
                ][self.rng.random_range(0..3)]
                .clone();
                let x = if op == Op::Pointwise(Pointwise::Mul) { self.factor(x) } else { x };
                let other = self.pick();
                match other.1 {
                    Some(other_of) if other_of != of => {
                        let other = self.project(other.0, other_of, of);
                        (self.apply(op, &[other, x]), Some(of))
                    }
                    _ => (self.apply(op, &[x, other.0]), Some(of)),
                }
            }
            11 => {
                let bounded = self.apply(Pointwise::Sigmoid, &[x]);
                let one = self.builder.constant(1.0);
                let divisor = self.apply(Pointwise::Add, &[bounded, one]);
                let numerator = self.builder.constant(self.rng.random_range(-2.0..2.0));
                (self.apply(Pointwise::Div, &[numerator, divisor]), Some(of))
            }
            12 => {
                let to = self.rng.random_range(0..3);
                (self.project(x, of, to), Some(to))
            }
            13 => {
                let (y, other) = self.vector();
                let pair = self.apply(Movement::Concat, &[x, y]);
                let to = self.rng.random_range(0..3);
                let w = self.matrix(to, dim(of).add_scaled(&dim(other), 1).unwrap());
                (self.apply(Contraction::Dot, &[w, pair]), Some(to))
            }
            14 => {
                let x = self.factor(x);
                let twice = self.apply(Movement::Concat, &[x, x]);
                let parts = self.builder.split(twice, 2).unwrap();
                (self.apply(Pointwise::Mul, &[parts[0], parts[1]]), Some(of))
            }
            15 => (self.apply(Reduction::Sum, &[x]), None),
            16 => (self.apply(Reduction::Max, &[x]), None),
            17 if self.builder.domain(x) != Domain::Step => {
                let site = self.site(x);
                let op = match self.rng.random_range(0..3) {
                    0 => Op::Draw(Draw::Noise { deviation: 0.3, site }),
                    shared => Op::Draw(Draw::Dropout { rate: 0.4, site, shared: shared == 1 }),
                };
                (self.apply(op, &[x]), Some(of))
            }
            18 => {
                let label = self.label(of);
                (self.apply(Reduction::CrossEntropy, &[x, label]), None)
            }
            19 => {
                let positive = self.apply(Pointwise::Softplus, &[x]);
                (self.apply(Pointwise::Sqrt, &[positive]), Some(of))
            }
            20 => (self.apply(Pointwise::Abs, &[x]), Some(of)),
            21 => (self.apply(Pointwise::Erf, &[x]), Some(of)),
            22 => {
                let bounded = self.apply(Pointwise::Sigmoid, &[x]);
                let power = self.builder.constant(self.rng.random_range(-1.5..2.5));
                (self.apply(Pointwise::Pow, &[bounded, power]), Some(of))
            }
            23..=25 => {
                let name = ["maximum", "minimum", "select"][self.rng.random_range(0..3)];
                let y = self.same_length(of);
                let mask = match name {
                    "select" => {
                        let other = self.same_length(of);
                        Some(self.apply(Pointwise::Greater, &[other, y]))
                    }
                    _ => None,
                };
                let tensors: Vec<ValueId> = mask.into_iter().chain([x, y]).collect();
                (self.form(Surface::Method(name), tensors, &[]), Some(of))
            }
            26 => {
                let forms: [(&str, &[f64]); 11] = [
                    ("square", &[]),
                    ("leaky_relu", &[0.1]),
                    ("elu", &[0.7]),
                    ("silu", &[]),
                    ("gelu", &[]),
                    ("gelu_tanh", &[]),
                    ("hard_sigmoid", &[]),
                    ("hard_tanh", &[]),
                    ("clamp", &[-0.3, 0.4]),
                    ("mean", &[]),
                    ("min", &[]),
                ];
                let (name, numbers) = forms[self.rng.random_range(0..forms.len())];
                let of = if ["mean", "min"].contains(&name) { None } else { Some(of) };
                let x = if name == "square" { self.factor(x) } else { x };
                (self.form(Surface::Method(name), vec![x], numbers), of)
            }
            27 => {
                let [gain, bias] = [0, 1].map(|_| self.same_length(of));
                (self.form(Surface::Method("layer_norm"), vec![x, gain, bias], &[]), Some(of))
            }
            28 => {
                let forms = ["mae", "huber", "bce_with_logits", "cosine_similarity"];
                let name = forms[self.rng.random_range(0..forms.len())];
                let y = self.same_length(of);
                let numbers: &[f64] = if name == "huber" { &[0.5] } else { &[] };
                (self.form(Surface::Function(name), vec![x, y], numbers), None)
            }
            29 => (self.apply(Reduction::LogSumExp, &[x]), None),
            30 => (self.apply(Reduction::Norm, &[x]), None),
            31 => (self.apply(Reduction::CumulativeSum, &[x]), Some(of)),
            32 => {
                let label = self.label(of);
                let hot = self.builder.one_hot(label, dim(of)).unwrap();
                let picked = self.apply(Movement::Pick, &[x, label]);
                (self.apply(Pointwise::Mul, &[hot, picked]), Some(of))
            }
            33 => {
                // A matrix per vertex: W (x yᵀ)ᵀ z.
                let (y, other) = self.vector();
                let [x, y] = [x, y].map(|x| self.factor(x));
                let outer = self.apply(Contraction::Outer, &[x, y]);
                let turned = self.apply(Movement::Transpose, &[outer]);
                let w = self.matrix(0, dim(other));
                let product = self.apply(Contraction::MatMul, &[w, turned]);
                let z = self.same_length(of);
                (self.builder.dot(product, z).unwrap(), Some(0))
            }
            34 => {
                let y = self.same_length(of);
                let rows = self.builder.stack(&[x, y]).unwrap();
                let flat = self.builder.flatten(rows).unwrap();
                let w = self.matrix(1, dim(of).scaled(2).unwrap());
                (self.apply(Contraction::Dot, &[w, flat]), Some(1))
            }
            35..=37 => self.choose(x, of),
            38 => (self.apply(Movement::Detach, &[x]), Some(of)),
            39..=41 => {
                let y = self.same_length(of);
                (self.branch(x, y, 1), Some(of))
            }
            42 => self.rows(x, of),
            43 => self.semiring(x, of),
            _ => {
                // The sum of two overlapping slices.
                let two = Dim::constant(2);
                let middle = self.builder.slice(x, Dim::constant(1), two.clone()).unwrap();
                let first = self.builder.slice(x, Dim::default(), two).unwrap();
                let sum = self.apply(Pointwise::Add, &[middle, first]);
                (self.apply(Reduction::Sum, &[sum]), None)
            }
        };
        self.pool.push(new);
    }

    /// Something of each row of a matrix, as a vector or a number.
    fn rows(&mut self, x: ValueId, of: usize) -> Known {
        let y = self.same_length(of);
        let matrix = self.builder.stack(&[x, y]).unwrap();
        if self.rng.random_bool(0.1) {
            let places = [1.0, -1.0].map(|place| self.builder.constant(place));
            let places = self.builder.stack(&places).unwrap();
            let picked = self.form(Surface::Method("row_pick"), vec![matrix, places], &[]);
            return (self.apply(Reduction::Sum, &[picked]), None);
        }
        let methods = [
            "row_sum",
            "row_mean",
            "row_max",
            "row_min",
            "row_norm",
            "row_log_sum_exp",
            "row_softmax",
            "row_log_softmax",
            "row_rms_norm",
            "row_layer_norm",
        ];
        let place = self.rng.random_range(0..methods.len());
        let gains = (0..place.saturating_sub(7)).map(|_| self.same_length(of));
        let tensors: Vec<ValueId> =
            std::iter::once(matrix).chain(gains.collect::<Vec<_>>()).collect();
        let reduced = match Op::from_method(methods[place]) {
            Some(op) => self.apply(op, &tensors),
            None => self.form(Surface::Method(methods[place]), tensors, &[]),
        };
        if place < 6 {
            // Of both rows a number, which is given to each column again.
            let columns = self.builder.repeat_columns(reduced, dim(of)).unwrap();
            let both = self.apply(Pointwise::Add, &[columns, matrix]);
            let flat = self.builder.flatten(both).unwrap();
            return (self.apply(Reduction::Norm, &[flat]), None);
        }
        let flat = self.builder.flatten(reduced).unwrap();
        let w = self.matrix(1, dim(of).scaled(2).unwrap());
        (self.apply(Contraction::Dot, &[w, flat]), Some(1))
    }

    /// The site of a new draw or decision that is made of `x`.
    fn site(&mut self, x: ValueId) -> u32 {
        self.sites += 1;
        // As of the first loop over children.
        let of_loop = u32::from(self.builder.domain(x) == Domain::Edge) << 16;
        of_loop | self.sites
    }

    /// A new index, from a vector of dimension `of`.
    fn decide(&mut self, x: ValueId) -> ValueId {
        let site = self.site(x);
        match self.rng.random_bool(0.5) {
            true => self.apply(Indexing::Argmax { site }, &[x]),
            false => self.apply(Indexing::Sample { site }, &[x]),
        }
    }

    /// Pushes an item of a list.
    fn item(&mut self) {
        let (y, scores) = (self.result(2), self.result(1));
        let said = self.decide(scores);
        self.builder.push_item("Out", &[("y", y), ("said", said)]).unwrap();
    }

    /// What is read at an index: a new one, from a vector of dimension `of`, or one that is there.
    fn choose(&mut self, x: ValueId, of: usize) -> Known {
        let known = match self.indices.is_empty() || self.rng.random_bool(0.5) {
            true => (self.decide(x), of),
            false => self.indices[self.rng.random_range(0..self.indices.len())],
        };
        self.indices.push(known);
        let (index, of) = known;
        match self.rng.random_range(0..6) {
            0 => {
                let x = self.same_length(of);
                (self.apply(Movement::Pick, &[x, index]), None)
            }
            1 => {
                let to = self.rng.random_range(0..3);
                let table = self.matrix(of, dim(to));
                (self.apply(Movement::Row, &[table, index]), Some(to))
            }
            2 => (self.builder.one_hot(index, dim(of)).unwrap(), Some(of)),
            4 => {
                // A row of a matrix that the vertex computes.
                let (y, other) = self.vector();
                let x = self.same_length(of);
                let factors = [x, y].map(|x| self.factor(x));
                let outer = self.apply(Contraction::Outer, &factors);
                (self.builder.row(outer, index).unwrap(), Some(other))
            }
            3 => {
                let x = self.same_length(of);
                (self.apply(Reduction::CrossEntropy, &[x, index]), None)
            }
            _ => {
                let x = self.same_length(of);
                let other = match self.rng.random_bool(0.3) {
                    true => self.builder.given(1),
                    false => self.decide(x),
                };
                (self.apply(Indexing::Same, &[index, other]), None)
            }
        }
    }

    /// A bounded vector of dimension `to`, from any value of the pool.
    fn result(&mut self, to: usize) -> ValueId {
        let (x, of) = self.vector();
        let x = if of == to { x } else { self.project(x, of, to) };
        self.apply(Pointwise::Tanh, &[x])
    }
}

/// A random function of a kind, without branches and loops that run apart.
pub fn program(name: &str, kind: Kind, rng: &mut dyn Rng) -> Program {
    flow(name, kind, rng, None).program
}

/// A loop over all children of a function; what it sums is added to the pool.
fn children(g: &mut Generator<'_>, state: u16) {
    g.builder.rest(state);
    let (outside, indices) = (g.pool.clone(), g.indices.len());
    g.depth = None;
    let fields = [g.builder.child(Slot::Rest, "h"), g.builder.child(Slot::Rest, "c")];
    g.pool.extend([(fields[0], Some(0)), (fields[1], Some(1))]);
    let chosen = g.builder.child(Slot::Rest, "chosen");
    g.indices.push((g.builder.index(chosen).unwrap(), 1));
    for _ in 0..g.rng.random_range(1..6) {
        g.step();
    }
    let mut sums = Vec::new();
    for _ in 0..g.rng.random_range(1..3) {
        let (term, of) = g.pick();
        let term = match g.builder.domain(term) {
            Domain::Edge => term,
            _ => g.builder.for_each_edge(term),
        };
        let folded = match g.rng.random_range(0..5) {
            // Bounded, because there may be no edges.
            0 => {
                let greatest = g.builder.max_edges(term);
                let least = g.builder.constant(-0.5);
                form::maximum(&mut g.builder, least, greatest).unwrap()
            }
            1 => {
                let least = g.builder.min_edges(term);
                let greatest = g.builder.constant(0.5);
                form::minimum(&mut g.builder, greatest, least).unwrap()
            }
            2 => {
                let total = form::log_add_edges(&mut g.builder, term).unwrap();
                let least = g.builder.constant(-0.5);
                g.apply(Pointwise::LogAdd, &[least, total])
            }
            _ => g.builder.sum_edges(term),
        };
        sums.push((folded, of));
    }
    g.pool = outside;
    g.indices.truncate(indices);
    g.pool.extend(sums);
}

/// A random function of a kind; `depth` is 0, or nothing where no branch and no loop is to run
/// apart.
pub fn flow(name: &str, kind: Kind, rng: &mut dyn Rng, depth: Option<usize>) -> Flow {
    // Long, since a function is built from its ports to its results.
    let builder = Builder::new(name, DIMS.map(|(name, _)| name.to_string()).to_vec());
    let labels = [None; 3];
    let (pool, indices) = (Vec::new(), Vec::new());
    let lists = depth.is_some() && kind == Kind::Mixed;
    let mut g = Generator {
        builder,
        rng,
        pool,
        params: 0,
        sites: 0,
        labels,
        lacks_input: false,
        depth,
        lists,
        indices,
    };
    let has_input = match (kind, depth) {
        (Kind::Given, Some(_)) => Some(g.builder.optional_input("In")),
        _ => {
            g.builder.input("In");
            None
        }
    };
    g.lacks_input = has_input.is_some();
    let bias = g.builder.param("bias", Shape::vector(dim(0)));
    g.pool.push((bias, Some(0)));
    if has_input.is_none() {
        let x = g.builder.pull("x");
        let x = g.project(x, 2, 0);
        g.pool.push((x, Some(0)));
    }
    if kind == Kind::Leaf {
        let index = g.builder.pull_index("word");
        let rows = Dim::constant(ROWS as i64);
        let table = g.builder.param("table", Shape::matrix(rows, dim(1)));
        let row = g.apply(Movement::Row, &[table, index]);
        g.pool.push((row, Some(1)));
    }
    let state = g.builder.state("S");
    if matches!(kind, Kind::Pair | Kind::Mixed) {
        let slot = Slot::Fixed(g.builder.slot(state, false));
        let fields = [g.builder.child(slot, "h"), g.builder.child(slot, "c")];
        g.pool.extend([(fields[0], Some(0)), (fields[1], Some(1))]);
        let chosen = g.builder.child(slot, "chosen");
        g.indices.push((g.builder.index(chosen).unwrap(), 1));
    }
    if kind == Kind::Pair {
        let slot = g.builder.slot(state, true);
        let child = g.builder.child(Slot::Fixed(slot), "h");
        let init = g.builder.param("init", Shape::vector(dim(0)));
        let init = g.apply(Op::Movement(Movement::WhereAbsent(slot)), &[init]);
        let h = g.apply(Pointwise::Add, &[child, init]);
        g.pool.push((h, Some(0)));
        let chosen = g.builder.child(Slot::Fixed(slot), "chosen");
        let label = g.label(1);
        let chosen = g.apply(Indexing::IfAbsent(slot), &[chosen, label]);
        g.indices.push((chosen, 1));
    }
    for _ in 0..g.rng.random_range(1..5) {
        g.step();
    }
    if matches!(kind, Kind::All | Kind::Mixed | Kind::Given) {
        children(&mut g, state);
        g.depth = depth;
    }
    if let Some(has_input) = has_input {
        g.given(has_input);
    }
    for _ in 0..g.rng.random_range(2..9) {
        g.step();
    }
    let (h, c) = (g.result(0), g.result(1));
    let chosen = match g.indices.iter().find(|(_, of)| *of == 1) {
        Some((known, _)) if g.rng.random_bool(0.3) => *known,
        _ => g.decide(c),
    };
    g.builder.scatter(state, &[("h", h), ("c", c), ("chosen", chosen)]).unwrap();
    let pushed = g.result(2);
    let said = g.indices.last().map_or(chosen, |last| last.0);
    // What pushes no index need not be computed before it is read.
    match g.rng.random_bool(0.6) {
        _ if lists => g.item(),
        true => g.builder.push_output("Out", &[("y", pushed), ("said", said)]),
        false => g.builder.push_output("OutOnly", &[("y", pushed)]),
    }
    if g.rng.random_bool(0.7) {
        let (x, _) = g.vector();
        let loss = g.apply(Reduction::Sum, &[x]);
        g.builder.loss(loss).unwrap();
    }
    g.builder.finish_flow().unwrap()
}
