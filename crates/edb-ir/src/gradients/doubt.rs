//! What a vertex decides on NaN is in doubt: an argmax, a sample, and the conditions of branches and
//! loops give an index, or take an arm, whatever they read. So that this is seen, a program that
//! decides has one more number, which is 0, or NaN if one of the numbers that it decides on is. It
//! counts as a loss that has no gradient: the sum of the losses is NaN then, and no step is taken.

use crate::program::{
    Domain, Indexing, Leaf, Movement, Op, Pointwise, Program, Transition, ValueId,
};
use crate::rules::Reverse;
use crate::shapes::Shape;

/// Adds its [doubt](Program::doubt) to a forward program, if it decides anything.
pub fn doubt(mut program: Program) -> Program {
    let mut finder = Finder { reverse: Reverse::of_one_op(&mut program), read: Vec::new() };
    finder.find();
    let Finder { mut reverse, read } = finder;
    let mut all = None;
    for mut id in read {
        if reverse.program.value(id).domain == Domain::Edge {
            // Over no edges it is -∞, which is a number.
            id = reverse.unary(Transition::ReduceMax, id);
        }
        let is_number = reverse.binary(Pointwise::GreaterEqual, id, id);
        all = Some(match all {
            Some(all) => reverse.binary(Pointwise::Mul, all, is_number),
            None => is_number,
        });
    }
    program.doubt = all.map(|all| {
        let nothing = reverse.constant(0.0);
        let doubt = reverse.binary(Pointwise::Div, nothing, all);
        match reverse.program.value(doubt).domain {
            Domain::Step => reverse.unary(Movement::Copy(Domain::Vertex), doubt),
            _ => doubt,
        }
    });
    program.backward_start = program.values.len() as u32;
    program
}

impl Program {
    /// The numbers whose being NaN makes the [doubt](Self::doubt) NaN.
    pub fn doubted(&self) -> Vec<ValueId> {
        let mut found = Vec::new();
        let mut open: Vec<ValueId> = self.doubt.into_iter().collect();
        while let Some(id) = open.pop() {
            let value = self.value(id);
            match value.op {
                Op::Pointwise(Pointwise::GreaterEqual) => found.push(value.args[0]),
                _ => open.extend(&value.args),
            }
        }
        found
    }
}

/// Finds the numbers that a program decides on.
struct Finder<'a> {
    reverse: Reverse<'a>,
    read: Vec<ValueId>,
}

impl Finder<'_> {
    fn find(&mut self) {
        let next = self.reverse.program.next;
        for number in 0..self.reverse.program.values.len() as u32 {
            let id = ValueId(number);
            let value = self.reverse.program.value(id);
            let (op, args) = (value.op.clone(), value.args.clone());
            match op {
                Op::Indexing(Indexing::Argmax { .. } | Indexing::Sample { .. })
                    if next != Some(id) =>
                {
                    // Of numbers among which there is NaN, it has been chosen.
                    let pick = Op::Movement(Movement::Pick);
                    let chosen = self.reverse.shaped(pick, &[args[0], id], Shape::scalar());
                    self.read.push(chosen);
                }
                // A branch whose arms are both computed; `a || b` chooses between itself and `b`.
                Op::Pointwise(Pointwise::Select) if args[0] != args[1] => {
                    let around = self.around(args[0]);
                    self.condition(args[0], around);
                }
                _ => {}
            }
        }
        if let Some(next) = next {
            // The conditions in order, of which the first that holds counts, and one half.
            let of = self.reverse.argument(next, 0);
            let mut counts = None;
            for place in 0..self.reverse.arity(of) {
                let condition = self.reverse.argument(self.reverse.argument(of, place), 0);
                self.condition(condition, counts);
                let not = self.not(condition);
                counts = Some(self.and(counts, not));
            }
        }
    }

    /// In an arm: the condition of the arm around a branch with this condition.
    fn around(&self, condition: ValueId) -> Option<ValueId> {
        let mut values = self.reverse.program.values.iter();
        let both = values
            .find(|value| value.op == Op::Pointwise(Pointwise::Mask) && value.args[1] == condition);
        both.map(|both| both.args[0])
    }

    /// Notes the numbers of a condition, which is made of comparisons, where `counts` is not 0.
    fn condition(&mut self, id: ValueId, counts: Option<ValueId>) {
        let value = self.reverse.program.value(id);
        let args = value.args.clone();
        match value.op {
            Op::Pointwise(Pointwise::Greater | Pointwise::GreaterEqual) => {
                let is_constant = |id: &ValueId| {
                    matches!(self.reverse.op(*id), Op::Leaf(Leaf::Constant(_) | Leaf::Length(_)))
                };
                for number in args.into_iter().filter(|id| !is_constant(id)).collect::<Vec<_>>() {
                    let number = match counts {
                        Some(counts) => self.reverse.binary(Pointwise::Mask, counts, number),
                        None => number,
                    };
                    self.read.push(number);
                }
            }
            // `a && b`: the second is not asked where the first does not hold.
            Op::Pointwise(Pointwise::Mask) => {
                self.condition(args[0], counts);
                let counts = self.and(counts, args[0]);
                self.condition(args[1], Some(counts));
            }
            // `a || b`, which is `b` where `a` does not hold.
            Op::Pointwise(Pointwise::Select) => {
                self.condition(args[0], counts);
                let not = self.not(args[0]);
                let counts = self.and(counts, not);
                self.condition(args[2], Some(counts));
            }
            Op::Pointwise(_) => args.into_iter().for_each(|arg| self.condition(arg, counts)),
            _ => {}
        }
    }

    fn and(&mut self, a: Option<ValueId>, b: ValueId) -> ValueId {
        a.map_or(b, |a| self.reverse.binary(Pointwise::Mask, a, b))
    }

    fn not(&mut self, condition: ValueId) -> ValueId {
        let one = self.reverse.constant(1.0);
        self.reverse.binary(Pointwise::Sub, one, condition)
    }
}
