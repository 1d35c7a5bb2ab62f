//! Products whose sums have many terms.

use std::ops::Range;

use super::tile::Destination;
use crate::memory::{OperandMut, scratch};
use crate::numbers::Element;
use crate::rows::halves;

/// The most terms of a [chain](crate::sums) of products. It is large, because adding two sums goes through
/// memory while a chain stays in registers, and because few products have more terms.
pub(crate) const MAX_CHAINED_TERMS: usize = 1024;

/// Computes a product with sums over these terms, in `rows` rows of `columns` columns. `chain` computes the
/// product over a range of terms, and adds it to the destinations if its last argument says so. The range has
/// at most `longest` terms (see [`MAX_CHAINED_TERMS`]).
pub(crate) fn product_in_halves<'o, T: Element>(
    terms: Range<usize>,
    longest: usize,
    [rows, columns]: [usize; 2],
    out: &mut [Destination<'o, T>],
    add: bool,
    chain: &impl for<'a> Fn(Range<usize>, &mut [Destination<'a, T>], bool),
) {
    if terms.len() <= longest {
        return chain(terms, out, add);
    }
    let [first, second] = halves(&terms, longest);
    product_in_halves(first, longest, [rows, columns], out, add, chain);
    scratch::with_half(rows * columns, |rest| {
        let mut of_rest = [Destination::new(0, OperandMut::of_slice(rest, columns), false)];
        product_in_halves(second, longest, [rows, columns], &mut of_rest, false, chain);
        for (row, sums) in rest.chunks_exact(columns.max(1)).enumerate() {
            out.iter_mut().for_each(|out| out.put(row, 0, sums, true));
        }
    });
}
