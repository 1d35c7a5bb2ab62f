//! Branches and loops of random functions.

use edb_ir::{Indexing, Pointwise, Reduction, ValueId};
use rand::RngExt;

use super::Generator;

impl Generator<'_> {
    /// A few steps that are in a block of their own, and what they come to: a bounded vector of
    /// dimension `of`.
    fn inner(&mut self, of: usize) -> ValueId {
        let (pool, indices) = (self.pool.len(), self.indices.len());
        for _ in 0..self.rng.random_range(0..4) {
            self.step();
        }
        let end = self.result(of);
        if self.rng.random_bool(0.3) {
            let loss = self.apply(Reduction::Sum, &[end]);
            self.builder.loss(loss).unwrap();
        }
        self.pool.truncate(pool);
        self.indices.truncate(indices);
        end
    }

    /// What there is where there is input, and where there is none.
    pub(super) fn given(&mut self, has_input: ValueId) {
        let (pool, depth) = (self.pool.len(), self.depth);
        self.depth = depth.map(|depth| depth + 1);
        let mut ends = [has_input; 2];
        let arms = [true, false].map(|given| {
            self.lacks_input = !given;
            self.builder.begin_block();
            if given {
                let x = self.builder.pull("x");
                let x = self.project(x, 2, 0);
                self.pool.push((x, Some(0)));
            }
            ends[usize::from(!given)] = self.inner(0);
            self.pool.truncate(pool);
            self.builder.end_block()
        });
        (self.lacks_input, self.depth, self.labels) = (true, depth, [None; 3]);
        let behind = self.builder.behind(ends).unwrap();
        self.builder.branch(has_input, arms);
        self.pool.push((behind, Some(0)));
    }

    /// A branch whose arms are whatever there is.
    pub(super) fn ways(&mut self, x: ValueId, of: usize) -> ValueId {
        let condition = match self.rng.random_range(0..3) {
            0 => {
                // What is pulled: the function has variants.
                let label = self.label(of);
                let given = self.builder.given(self.rng.random_range(0..3));
                self.apply(Indexing::Same, &[label, given])
            }
            _ => {
                let sum = self.apply(Reduction::Sum, &[x]);
                let border = self.builder.constant(self.rng.random_range(-0.5..0.5));
                self.builder.compare(Pointwise::Greater, sum, border).unwrap()
            }
        };
        let mut ends = [x; 2];
        let arms = [0, 1].map(|arm| {
            self.builder.begin_block();
            ends[arm] = self.inner(of);
            self.builder.end_block()
        });
        let behind = self.builder.behind(ends).unwrap();
        self.builder.branch(condition, arms);
        behind
    }

    /// A loop of a few turns, by what it computes.
    pub(super) fn again(&mut self, x: ValueId, of: usize) -> ValueId {
        let zero = self.builder.constant(0.0);
        let one = self.builder.constant(1.0);
        let sum = self.apply(Reduction::Sum, &[x]);
        let part = self.apply(Pointwise::Sigmoid, &[sum]);
        let most = self.builder.constant(self.rng.random_range(-1.0..3.5));
        let limit = self.apply(Pointwise::Mul, &[part, most]);
        let first = self.builder.compare(Pointwise::Greater, limit, zero).unwrap();
        let [turn, h] = [zero, x].map(|before| self.builder.begin_variable(before));
        self.builder.begin_block();
        self.pool.push((h, Some(of)));
        let next = self.apply(Pointwise::Add, &[turn, one]);
        let (own, end) = (self.factor(h), self.inner(of));
        let end = self.apply(Pointwise::Sub, &[own, end]);
        self.pool.pop();
        let again = self.builder.compare(Pointwise::Greater, limit, next).unwrap();
        let body = self.builder.end_block();
        let variables = [[zero, turn, next], [x, h, end]];
        self.builder.repeat(first, body, again, &variables).unwrap()[1]
    }

    /// A branch between what two vectors of one dimension come to, up to three levels deep.
    pub(super) fn branch(&mut self, x: ValueId, y: ValueId, depth: usize) -> ValueId {
        let sum = self.apply(Reduction::Sum, &[x]);
        let positive = self.rng.random_bool(0.5);
        let other = match positive {
            true => self.builder.constant(0.3),
            false => self.apply(Reduction::Max, &[y]),
        };
        let ops = [Pointwise::Greater, Pointwise::GreaterEqual];
        let op = ops[self.rng.random_range(0..2)];
        let condition = self.builder.compare(op, sum, other).unwrap();
        self.builder.enter_arm(condition);
        let then = self.arm(x, y, positive.then_some(sum), depth);
        self.builder.leave_arm();
        let rest = self.builder.not(condition);
        self.builder.enter_arm(rest);
        let other = self.arm(y, x, None, depth);
        self.builder.leave_arm();
        self.builder.choose(condition, then, other).unwrap()
    }

    /// What an arm computes; what is `positive` where it is taken is 0 where it is not.
    fn arm(&mut self, x: ValueId, y: ValueId, positive: Option<ValueId>, depth: usize) -> ValueId {
        match (self.rng.random_range(0..6), positive) {
            (0 | 1, _) if depth < 3 => {
                let inner = self.branch(y, x, depth + 1);
                let sum = self.apply(Pointwise::Add, &[inner, x]);
                self.factor(sum)
            }
            (2, _) => self.apply(Reduction::Softmax, &[x]),
            (3 | 4, Some(positive)) => {
                let inverse = self.apply(Pointwise::Div, &[y, positive]);
                let ln = self.apply(Pointwise::Ln, &[positive]);
                let product = self.apply(Pointwise::Mul, &[inverse, ln]);
                self.factor(product)
            }
            (4, None) => {
                let sum = self.apply(Reduction::Sum, &[y]);
                let gate = self.apply(Pointwise::Sigmoid, &[sum]);
                self.apply(Pointwise::Mul, &[x, gate])
            }
            _ => self.apply(Pointwise::Sub, &[x, y]),
        }
    }
}
