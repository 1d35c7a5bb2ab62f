//! Pieces: what slices and concatenations cut vectors into.
//!
//! `w.dot(x).split()` and separate `w_i.dot(x)` compute the same vectors. They become the same
//! products once every vector is a list of pieces that no op takes apart: slices and concatenations
//! only name pieces of other values, and a product is a grid of blocks, one for each piece of its
//! result and of its argument.

use edb_ir::{
    Contraction, Dim, IdVec, Leaf, Movement, Op, Program, Shape, Slot, Transition, ValueId,
};

use super::block::{Matrix, PieceBlock};

/// The most cuts in one vector. Slices that overlap with an offset can cut one another again and
/// again; in a program with more cuts, each value stays in one piece.
const CUTS: usize = 64;

edb_ir::id_types! {
    /// A piece, by its number: those of a program first, then those that copies make.
    pub struct PieceId(u32);
}

/// A part of a value that no op takes apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The value that computes it.
    pub value: ValueId,
    /// Which of that value's pieces it is.
    pub index: usize,
    /// Its shape: a vector's part, or all of a scalar or matrix.
    pub shape: Shape,
}

/// The pieces of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    /// Every piece once.
    pub list: IdVec<PieceId, Piece>,
    /// The pieces of each value, in its order. Slices and concatenations have the pieces of other
    /// values where these are cut at the same places, and so has what is detached.
    pub of: IdVec<ValueId, Vec<PieceId>>,
    /// Where the axes of each value are cut, both ends included: those of value `v` are `2 v` (the
    /// elements of a vector, the rows of a matrix) and `2 v + 1` (its columns).
    pub cuts: Vec<Vec<Dim>>,
}

/// Cuts the values of a program.
pub fn cut(program: &Program) -> Pieces {
    let axes = Axes::new(program);
    let propagated = axes.propagate();
    let known = propagated.is_some();
    let cuts = propagated.unwrap_or_else(|| axes.length.iter().map(ends).collect());
    let mut pieces = Pieces::default();
    for (id, value) in program.iter() {
        let own: Vec<Shape> = match value.shape.dims() {
            Some([_]) => lengths(&cuts[2 * id.index()]).map(Shape::vector).collect(),
            _ => vec![value.shape.clone()],
        };
        let alias: Option<Vec<PieceId>> = match &value.op {
            Op::Movement(Movement::Slice { start }) if known => {
                let source = value.args[0];
                let cut = cuts[2 * source.index()].iter().position(|cut| cut == start);
                cut.and_then(|first| pieces.of[source].get(first..first + own.len()))
                    .map(<[_]>::to_vec)
            }
            Op::Movement(Movement::Detach) => Some(pieces.of[value.args[0]].clone()),
            Op::Movement(Movement::Concat) if known => {
                Some(value.args.iter().flat_map(|arg| pieces.of[*arg].clone()).collect())
            }
            _ => None,
        };
        let of = alias.unwrap_or_else(|| {
            let new = own.into_iter().enumerate();
            new.map(|(index, shape)| pieces.list.push(Piece { value: id, index, shape })).collect()
        });
        pieces.of.push(of);
    }
    pieces.cuts = cuts;
    pieces
}

impl Pieces {
    /// Whether a value consists of other values' pieces.
    pub fn is_alias(&self, id: ValueId) -> bool {
        self.of[id].iter().any(|piece| self.list[*piece].value != id)
    }
}

/// A range of rows and columns of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The first row and the first column.
    pub start: [Dim; 2],
    /// How many rows and columns.
    pub length: [Dim; 2],
}

impl Pieces {
    /// The range of a block in its matrix as declared; `None` if there is no such block.
    pub fn extent(&self, program: &Program, block: &PieceBlock) -> Option<Extent> {
        let matrix = match block.matrix {
            Matrix::Value(id) => id.index(),
            Matrix::Param(param) => {
                program.values.iter().position(|v| v.op == Op::Leaf(Leaf::Param(param)))?
            }
        };
        let rows = self.cuts[2 * matrix].get(block.row..=block.row + 1)?;
        let columns = self.cuts[2 * matrix + 1].get(block.column..=block.column + 1)?;
        let length = |pair: &[Dim]| pair[1].add_scaled(&pair[0], -1);
        let start = [rows[0].clone(), columns[0].clone()];
        Some(Extent { start, length: [length(rows)?, length(columns)?] })
    }
}

fn lengths(cuts: &[Dim]) -> impl Iterator<Item = Dim> + '_ {
    cuts.windows(2).map(|pair| pair[1].add_scaled(&pair[0], -1).unwrap_or_default())
}

/// An axis in one piece.
fn ends(length: &Option<Dim>) -> Vec<Dim> {
    match length {
        Some(length) if *length != Dim::default() => vec![Dim::default(), length.clone()],
        _ => vec![Dim::default()],
    }
}

/// Whether `a >= b` for all sizes of the names.
fn at_least(a: &Dim, b: &Dim) -> bool {
    let difference = a.add_scaled(b, -1);
    difference.is_some_and(|d| d.constant_part() >= 0 && d.terms().iter().all(|term| term.1 >= 0))
}

/// The axes of a program's values: the elements of vector `v` are axis `2 v`, the rows and columns
/// of matrix `v` axes `2 v` and `2 v + 1`. Axes that must be cut alike are one class.
struct Axes {
    class: Vec<usize>,
    /// The length of each axis.
    length: Vec<Option<Dim>>,
    /// (whole, start, part): the part is that range of the whole.
    ranges: Vec<(usize, Dim, usize)>,
}

impl Axes {
    fn new(program: &Program) -> Self {
        let length = |axis: usize| {
            let dims = program.values[axis / 2].shape.dims()?;
            (dims.len() <= 2).then(|| dims.get(axis % 2).cloned()).flatten()
        };
        let count = 2 * program.values.len();
        let length = (0..count).map(length).collect();
        let mut axes = Self { class: (0..count).collect(), length, ranges: Vec::new() };
        for (id, value) in program.iter() {
            let arg = |operand: usize| 2 * value.args[operand].index();
            let own = 2 * id.index();
            match &value.op {
                Op::Contraction(Contraction::Dot) => {
                    axes.join(&[(own, arg(0)), (arg(1), arg(0) + 1)])
                }
                Op::Contraction(Contraction::DotTransposed) => {
                    axes.join(&[(own, arg(0) + 1), (arg(1), arg(0))])
                }
                Op::Contraction(Contraction::Outer) | Op::Transition(Transition::OuterSum) => {
                    axes.join(&[(own, arg(0)), (own + 1, arg(1))])
                }
                Op::Movement(Movement::Row | Movement::BagSum(_)) => {
                    axes.join(&[(own, arg(0) + 1)])
                }
                Op::Transition(Transition::RowSum | Transition::BagRowSum(_)) => {
                    axes.join(&[(own + 1, arg(0))])
                }
                Op::Movement(Movement::Slice { start }) => {
                    axes.ranges.push((arg(0), start.clone(), own))
                }
                Op::Movement(Movement::Pad { start }) => {
                    axes.ranges.push((own, start.clone(), arg(0)))
                }
                Op::Movement(Movement::Concat) => {
                    let mut start = Dim::default();
                    for operand in 0..value.args.len() {
                        axes.ranges.push((own, start.clone(), arg(operand)));
                        let length = axes.length[arg(operand)].clone().unwrap_or_default();
                        start = start.add_scaled(&length, 1).unwrap_or_default();
                    }
                }
                // All other ops keep elements where they are.
                _ => {
                    for operand in 0..value.args.len() {
                        if program.value(value.args[operand]).shape == value.shape {
                            axes.join(&[(own, arg(operand)), (own + 1, arg(operand) + 1)]);
                        }
                    }
                }
            }
        }
        axes.join_ports(program);
        axes
    }

    /// Joins the axes of values that must be cut alike, since they are one thing outside the
    /// function: a state's field and its gradients, a parameter and its gradient.
    fn join_ports(&mut self, program: &Program) {
        let mut fields: Vec<(u16, u16, ValueId)> = Vec::new();
        for (id, value) in program.iter() {
            match value.op {
                Op::Leaf(Leaf::Child { slot, field }) => {
                    fields.extend(program.slot_state(slot).map(|state| (state, field, id)));
                }
                Op::Leaf(Leaf::StateGradient(field)) => {
                    fields.extend(program.scattered.map(|state| (state, field, id)));
                }
                Op::Leaf(Leaf::Param(param)) => {
                    for gradient in program.gradients.params.iter().skip(param.into()).take(1) {
                        for part in gradient {
                            let [own, of] = [2 * id.index(), 2 * part.index()];
                            self.join(&[(own, of), (own + 1, of + 1)]);
                        }
                    }
                }
                _ => {}
            }
        }
        for (field, &id) in program.scatter.iter().enumerate() {
            fields.extend(program.scattered.map(|state| (state, field as u16, id)));
        }
        for &(slot, field, id) in &program.gradients.children {
            let slot: Slot = slot;
            fields.extend(program.slot_state(slot).map(|state| (state, field, id)));
        }
        fields.sort_unstable_by_key(|&(state, field, id)| (state, field, id));
        for pair in
            fields.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1))
        {
            self.join(&[(2 * pair[0].2.index(), 2 * pair[1].2.index())]);
        }
    }

    fn find(&self, mut axis: usize) -> usize {
        while self.class[axis] != axis {
            axis = self.class[axis];
        }
        axis
    }

    fn join(&mut self, pairs: &[(usize, usize)]) {
        for &(a, b) in pairs {
            let (a, b) = (self.find(a), self.find(b));
            // Axes of unknown or different lengths are not joined.
            if self.length[a].is_some() && self.length[a] == self.length[b] {
                self.class[a.max(b)] = a.min(b);
            }
        }
    }

    /// The cuts of every axis, ascending, both ends included. `None` when two cuts cannot be
    /// compared before names have sizes, or there are too many.
    fn propagate(&self) -> Option<Vec<Vec<Dim>>> {
        let mut cuts: Vec<Vec<Dim>> = self.length.iter().map(ends).collect();
        loop {
            let mut changed = false;
            for (whole, start, part) in &self.ranges {
                let length = self.length[*part].as_ref()?;
                let (whole, part) = (self.find(*whole), self.find(*part));
                let end = start.add_scaled(length, 1)?;
                let mut inner = Vec::new();
                for cut in &cuts[whole] {
                    if at_least(cut, start) && at_least(&end, cut) {
                        inner.push(cut.add_scaled(start, -1)?);
                    } else if !at_least(start, cut) && !at_least(cut, &end) {
                        return None;
                    }
                }
                let outer: Option<Vec<Dim>> =
                    cuts[part].iter().map(|cut| cut.add_scaled(start, 1)).collect();
                for cut in inner {
                    changed |= insert(&mut cuts[part], cut)?;
                }
                for cut in outer? {
                    changed |= insert(&mut cuts[whole], cut)?;
                }
                if cuts[part].len().max(cuts[whole].len()) > CUTS {
                    return None;
                }
            }
            if !changed {
                return Some((0..cuts.len()).map(|axis| cuts[self.find(axis)].clone()).collect());
            }
        }
    }
}

/// Inserts a cut in order; returns whether it is new, or `None` when its order is not certain.
fn insert(cuts: &mut Vec<Dim>, cut: Dim) -> Option<bool> {
    if cuts.contains(&cut) {
        return Some(false);
    }
    let place = cuts.iter().take_while(|other| at_least(&cut, other)).count();
    if !cuts[place..].iter().all(|other| at_least(other, &cut)) {
        return None;
    }
    cuts.insert(place, cut);
    Some(true)
}
