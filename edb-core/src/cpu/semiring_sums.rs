//! Sums over the vertices of a minibatch: a product in a semiring has a shared operand, and these sums are the
//! gradient of that operand. So no vertex has a matrix of its own for them.

use edb_ir::{Domain, Role, Semiring, Span, ValueId};

use super::accumulate::{SummedRows, SumsInPlace};
use super::{CpuBackend, MIN_SHARED_MULTIPLICATIONS};
use crate::engine::backend::Frame;
use edb_kernels::element::Element;
use edb_kernels::memory::Shared;
use edb_kernels::semiring::{Weighted, with_powers};
use edb_kernels::sums::{CHAIN, in_halves};
use edb_model::model::bound::BoundFunction;

impl<T: Element> CpuBackend<T> {
    /// Sums weighted terms of a product in a semiring. Threads compute stripes of rows of the matrix.
    pub(super) fn sum_weighted(
        &mut self,
        frame: Frame<'_, T>,
        function: &BoundFunction,
        (id, semiring, role): (ValueId, Semiring, Role),
        (out, args): (Span, &[Span]),
        terms: SummedRows<'_, T>,
        sums: &mut SumsInPlace<'_, T>,
    ) {
        let domain = |arg: &Span| function.routine.records[arg.record].domain;
        let is_shared = domain(&args[1]) == Domain::Step;
        let domain = args.iter().map(domain).max().unwrap_or(Domain::Step);
        let count = frame.layout.types[function.id].row_counts().of(domain);
        let terms = terms.of(domain, count);
        let (block, pool, _) = self.block(frame, function);
        let [_, inner, n] = function.semiring_sizes(id);
        let args = [0, 1, 2, 3, 4].map(|operand| block.read_by(domain, args[operand]));
        let of_term = |term: usize| {
            let [a, b, y, f, g] = args.each_ref().map(|arg| arg.row(terms.row(term)));
            let (of, factors, scale) = ([a, b, y], [f, g], terms.factor(term));
            Weighted { semiring, role, of, factors, scale, inner, powers: None }
        };
        // SAFETY: the instruction writes this sum, and it reads other rows.
        let mut own = unsafe { block.output(out) };
        let Some((out, added)) = sums.place(function, out, &mut own) else { return };
        if !added {
            out.fill(T::zero());
        }
        let rows = if terms.len() == 0 { return } else { of_term(0).rows() };
        let columns = out.len() / rows;
        // A term takes about as long as this many multiplications.
        let work = 16 * terms.len() * args[0].width() * n;
        let threads = if work < MIN_SHARED_MULTIPLICATIONS { 1 } else { pool.threads() };
        let stripe = rows.div_ceil(threads);
        let sum = Shared::new(out);
        let mut add = |powers: Option<&[T]>| {
            pool.run(rows.div_ceil(stripe), &|_, number| {
                let own = number * stripe..rows.min((number + 1) * stripe);
                // SAFETY: stripes are disjoint.
                let sum = unsafe { sum.write(own.start * columns..own.end * columns) };
                in_halves(0..terms.len(), CHAIN, sum, &mut |some, sum| {
                    some.for_each(|term| {
                        Weighted { powers, ..of_term(term) }.add_to(sum, own.clone())
                    });
                });
            });
        };
        match is_shared {
            true => with_powers(semiring, args[1].row(0), add),
            false => add(None),
        }
    }
}
