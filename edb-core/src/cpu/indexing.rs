//! Ops that compute indices, and that compare them.

use edb_ir::{Domain, Indexing, Op, Span, ValueId};

use super::block::RowBlock;
use edb_kernels::element::Element;
use edb_kernels::kernels;
use edb_kernels::operand::OperandMut;
use edb_model::graph::ABSENT;

impl<'a, T: Element> RowBlock<'a, T> {
    /// Computes an index.
    pub(super) fn indexing(&self, id: ValueId, mut out: OperandMut<'a, u32>, args: &[Span]) {
        let value = self.function.plan.program.value(id);
        let Op::Indexing(op) = value.op else {
            unreachable!("indices of children and of the input are read where they are")
        };
        let domain = value.domain;
        let rows = self.rows_of(domain).len();
        match op {
            Indexing::Argmax { .. } => {
                let x = self.read_by(domain, args[0]);
                for row in 0..rows {
                    out.row_mut(row)[0] = kernels::first_greatest(x.row(row)) as u32;
                }
            }
            Indexing::Sample { site } => {
                let x = self.read_by(domain, args[0]);
                for row in 0..rows {
                    let (key, edge) = self.key(row, domain);
                    let draw = T::from_f64(key.site(site, edge).uniform(0));
                    out.row_mut(row)[0] = kernels::sample(x.row(row), draw) as u32;
                }
            }
            Indexing::Given(index) => (0..rows).for_each(|row| out.row_mut(row)[0] = index),
            Indexing::IfAbsent(slot) => {
                let [there, absent] = [0, 1].map(|of| self.index_by(domain, args[of]));
                for row in 0..rows {
                    let child = self.layout.fixed[usize::from(slot)][self.owner(row, domain)];
                    let chosen = if child == ABSENT { &absent } else { &there };
                    out.row_mut(row)[0] = chosen.row(row) as u32;
                }
            }
            Indexing::Copy(_) => {
                let of = self.index_by(domain, args[0]);
                (0..rows).for_each(|row| out.row_mut(row)[0] = of.row(row) as u32);
            }
            Indexing::Next => {
                let count = self.function.value(id).one_of.unwrap_or(1);
                let of = self.index_by(domain, args[0]);
                for row in 0..rows {
                    let next = of.row(row) + 1;
                    out.row_mut(row)[0] = if next < count { next as u32 } else { 0 };
                }
            }
            Indexing::Same => unreachable!("whether two indices are the same is a number"),
        }
    }

    /// Writes 1 where two indices are the same, else 0.
    pub(super) fn same(&self, domain: Domain, out: &mut OperandMut<'a, T>, args: &[Span]) {
        let [a, b] = [0, 1].map(|of| self.index_by(domain, args[of]));
        for row in 0..self.rows_of(domain).len() {
            let same = a.row(row) == b.row(row);
            out.row_mut(row)[0] = if same { T::one() } else { T::zero() };
        }
    }
}
