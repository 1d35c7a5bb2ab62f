//! The sum of the gradients of the parts of a minibatch; threads share the work.

use std::mem::take;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::gradient::Gradient;
use super::{Add, Gradients, ParameterGradient, VALUES_PER_CHUNK};
use edb_kernels::element::Element;
use edb_kernels::isa::dispatch;
use edb_kernels::sums::{halves, in_halves};

/// Into how many ranges the rows of a sum of row gradients are cut.
const RANGES_PER_SUM: usize = 8;

/// The gradients of up to this many parts are added one after the other; the gradients of more parts are summed
/// [in halves](in_halves).
const MAX_CHAINED_PARTS: usize = 16;

/// A function that calls the given work with each number below the given number of pieces, on any thread.
pub type Share<'a> = dyn FnMut(usize, &(dyn Fn(usize) + Sync)) + 'a;

/// A piece of a sum.
enum SharedSum<'a, T> {
    /// A part of a dense sum: its values from element `first` on.
    Dense { sum: &'a mut [T], first: usize, terms: Vec<&'a Gradient<T>> },
    /// Rows of a sum of row gradients. How many rows there are was counted before.
    Rows { rows: &'a mut [u32], values: &'a mut [T], terms: &'a [TermRows<'a, T>], width: usize },
    /// A whole sum whose terms have different kinds.
    Mixed { entry: &'a mut ParameterGradient<T>, terms: Vec<&'a Gradient<T>> },
}

/// Rows of a term, in ascending order, and their values.
#[derive(Clone, Copy)]
struct TermRows<'a, T> {
    rows: &'a [u32],
    values: &'a [T],
}

/// The sum of row gradients of one parameter. For each range of rows, it has the rows of each term in the
/// range, and the number of different rows.
struct SumOfRows<'a, T> {
    number: usize,
    width: usize,
    ranges: Vec<(Vec<TermRows<'a, T>>, AtomicUsize)>,
}

/// Adds the gradients of parts to `sum`, in the order of the parts. The parts become zero and keep their
/// memory. `share` shares the work among threads.
pub fn absorb<T: Element>(
    sum: &mut Gradients<T>,
    parts: &mut [&mut Gradients<T>],
    share: &mut Share<'_>,
) {
    let mut own = Vec::with_capacity(sum.entries.len());
    for (number, entry) in sum.entries.iter_mut().enumerate() {
        // If the sum is still zero, it takes over the dense gradient of the first part, and the others are
        // added to it.
        if matches!(entry.gradient, Gradient::Zero)
            && let Some(first) = parts.first_mut().map(|part| &mut part.entries[number])
            && matches!(first.gradient, Gradient::Dense(_))
        {
            entry.gradient = take(&mut first.gradient);
            first.spare = take(&mut entry.spare);
        }
        let has_rows = matches!(entry.gradient, Gradient::Rows { .. });
        own.push(if has_rows { take(&mut entry.gradient) } else { Gradient::Zero });
    }
    let summed = sum.sum_parts(&own, parts, share);
    for (entry, gradient) in sum.entries.iter_mut().zip(own) {
        if let Gradient::Rows { rows, values, .. } = gradient {
            entry.spare = (rows, values);
        }
    }
    for (number, gradient) in summed {
        sum.entries[number].gradient = gradient;
    }
    parts.iter_mut().for_each(|part| part.reset());
}

impl<T: Element> Gradients<T> {
    /// Adds all terms, and returns the sums of row gradients. The first terms of these sums are in `own`.
    fn sum_parts(
        &mut self,
        own: &[Gradient<T>],
        parts: &[&mut Self],
        share: &mut Share<'_>,
    ) -> Vec<(usize, Gradient<T>)> {
        let terms = |number: usize| -> Vec<&Gradient<T>> {
            let terms = parts.iter().map(|part| &part.entries[number].gradient);
            let terms = std::iter::once(&own[number]).chain(terms);
            terms.filter(|term| !matches!(term, Gradient::Zero)).collect()
        };
        let sums: Vec<SumOfRows<'_, T>> =
            (0..own.len()).filter_map(|number| SumOfRows::new(number, &terms(number))).collect();
        let ranges: Vec<_> = sums.iter().flat_map(|sum| &sum.ranges).collect();
        share(ranges.len(), &|range| {
            let (terms, count) = ranges[range];
            let mut rows = 0;
            each_row(terms, |_, _| rows += 1);
            count.store(rows, Ordering::Relaxed);
        });
        let mut memory: Vec<(Vec<u32>, Vec<T>)> = Vec::with_capacity(sums.len());
        for SumOfRows { number, width, ranges } in &sums {
            let count = ranges.iter().map(|(_, count)| count.load(Ordering::Relaxed)).sum();
            let (mut rows, mut values) = take(&mut self.entries[*number].spare);
            rows.resize(count, 0);
            values.resize(count * width, T::zero());
            memory.push((rows, values));
        }
        let mut pieces = Vec::new();
        for (number, entry) in self.entries.iter_mut().enumerate() {
            let terms = terms(number);
            let is_dense = |term: &Gradient<T>| matches!(term, Gradient::Dense(_));
            if is_dense(&entry.gradient) && terms.iter().all(|term| is_dense(term)) {
                for (chunk, sum) in
                    entry.gradient.values_mut().chunks_mut(VALUES_PER_CHUNK).enumerate()
                {
                    pieces.push(SharedSum::Dense {
                        sum,
                        first: chunk * VALUES_PER_CHUNK,
                        terms: terms.clone(),
                    });
                }
            } else if !terms.is_empty() && !sums.iter().any(|sum| sum.number == number) {
                pieces.push(SharedSum::Mixed { entry, terms });
            }
        }
        for (sum, (rows, values)) in sums.iter().zip(&mut memory) {
            let (mut rows, mut values) = (&mut rows[..], &mut values[..]);
            for (terms, count) in &sum.ranges {
                let (count, width) = (count.load(Ordering::Relaxed), sum.width);
                let (own_rows, more_rows) = rows.split_at_mut(count);
                let (own_values, more_values) = values.split_at_mut(count * width);
                (rows, values) = (more_rows, more_values);
                pieces.push(SharedSum::Rows { rows: own_rows, values: own_values, terms, width });
            }
        }
        let pieces: Vec<_> = pieces.into_iter().map(Mutex::new).collect();
        share(pieces.len(), &|piece| {
            // Each piece is locked once.
            pieces[piece].lock().unwrap_or_else(PoisonError::into_inner).sum();
        });
        drop(pieces);
        let sums = sums.iter().zip(memory);
        sums.map(|(SumOfRows { number, width, .. }, (rows, values))| {
            (*number, Gradient::Rows { width: *width, rows, values })
        })
        .collect()
    }
}

impl<'a, T: Element> SumOfRows<'a, T> {
    /// The sum of the gradients of a parameter, if all are row gradients.
    fn new(number: usize, terms: &[&'a Gradient<T>]) -> Option<Self> {
        let of_rows = |term: &&'a Gradient<T>| match *term {
            Gradient::Rows { width, rows, values } => Some((*width, TermRows { rows, values })),
            _ => None,
        };
        let (width, _) = terms.first().and_then(of_rows).filter(|(width, _)| *width > 0)?;
        let mut left: Vec<TermRows<'_, T>> =
            terms.iter().map(|term| Some(of_rows(term)?.1)).collect::<Option<_>>()?;
        // Each range has about as many rows of the longest term.
        let longest = left.iter().map(|term| term.rows).max_by_key(|rows| rows.len())?;
        let ranges = (1..=RANGES_PER_SUM)
            .map(|range| {
                let end = longest.get(range * longest.len() / RANGES_PER_SUM);
                let within = left.iter_mut().map(|term| match end {
                    Some(end) => term.split_off_before(*end, width),
                    None => std::mem::replace(term, TermRows { rows: &[], values: &[] }),
                });
                (within.collect(), AtomicUsize::default())
            })
            .collect();
        Some(Self { number, width, ranges })
    }
}

impl<T> TermRows<'_, T> {
    /// Splits off the rows before row `end`, and returns them.
    fn split_off_before(&mut self, end: u32, width: usize) -> Self {
        let count = self.rows.partition_point(|row| *row < end);
        let (rows, more_rows) = self.rows.split_at(count);
        let (values, more_values) = self.values.split_at(count * width);
        *self = Self { rows: more_rows, values: more_values };
        Self { rows, values }
    }
}

/// Calls `sum` for each row that some term has, in ascending order. For each term that has the row, `sum` gets
/// the term and the place of the row in it.
fn each_row<T>(terms: &[TermRows<'_, T>], mut sum: impl FnMut(u32, &[(usize, usize)])) {
    let mut next = vec![0; terms.len()];
    let mut with_row = Vec::with_capacity(terms.len());
    let row_at = |term: usize, place: usize| terms[term].rows.get(place).copied();
    loop {
        with_row.clear();
        let mut least = None;
        for (term, place) in next.iter().enumerate() {
            let Some(row) = row_at(term, *place) else { continue };
            if least.is_none_or(|least| row < least) {
                with_row.clear();
                least = Some(row);
            }
            if least == Some(row) {
                with_row.push((term, *place));
            }
        }
        let Some(row) = least else { return };
        sum(row, &with_row);
        with_row.iter().for_each(|(term, _)| next[*term] += 1);
    }
}

/// Adds gradients of any kinds of one parameter, in the same order as single values are added.
fn plus_all<T: Element>(sum: Gradient<T>, terms: &[&Gradient<T>]) -> Gradient<T> {
    if terms.len() <= MAX_CHAINED_PARTS {
        return terms.iter().fold(sum, |sum, term| sum.plus((*term).clone()));
    }
    let [first, second] = halves(&(0..terms.len()), MAX_CHAINED_PARTS);
    let second = plus_all(Gradient::Zero, &terms[second]);
    plus_all(sum, &terms[first]).plus(second)
}

impl<T: Element> SharedSum<'_, T> {
    /// Computes the piece.
    fn sum(&mut self) {
        match self {
            Self::Dense { sum, first, terms } => {
                in_halves(0..terms.len(), MAX_CHAINED_PARTS, sum, &mut |some, sum| {
                    for term in &terms[some] {
                        let Gradient::Dense(values) = term else { continue };
                        let values = &values[*first..*first + sum.len()];
                        dispatch(Add { sum, values });
                    }
                });
            }
            Self::Rows { rows, values, terms, width } => {
                let mut sums = rows.iter_mut().zip(values.chunks_exact_mut(*width));
                each_row(terms, |row, places| {
                    let Some((number, sum)) = sums.next() else { return };
                    *number = row;
                    sum.fill(T::zero());
                    in_halves(0..places.len(), MAX_CHAINED_PARTS, sum, &mut |some, sum| {
                        for (term, place) in &places[some] {
                            let values = &terms[*term].values[place * *width..][..*width];
                            dispatch(Add { sum, values });
                        }
                    });
                });
            }
            Self::Mixed { entry, terms } => {
                entry.gradient = plus_all(take(&mut entry.gradient), terms);
            }
        }
    }
}
