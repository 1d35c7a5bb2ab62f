//! One pass over a parameter, its state and its gradient. All optimisers use it.

use std::ops::Range;
use std::sync::Mutex;

use smallvec::SmallVec;

use crate::gradients::{Factors, Gradient};
use crate::parameters::{Followers, Moving, RowsToUpdate, Workers};
use edb_kernels::element::Element;
use edb_kernels::isa::{Loop, dispatch};

/// How an optimiser updates one value.
///
/// It is compiled into the loops of each instruction set: `step` and all that it calls must be
/// `#[inline(always)]`. It must not use fused multiply-add, so that a step has the same bits on
/// every machine.
pub trait Rule<T: Element>: Copy + Sync {
    /// The state of each value between steps: `[T; N]`, for `N` up to 3.
    type State: ValueState<T>;

    /// The value and its state after a step along `gradient`.
    ///
    /// The gradient is already scaled and clipped, and has weight decay added.
    fn step(self, value: T, gradient: T, state: Self::State) -> (T, Self::State);

    /// The rule as data, for back ends that have a kernel with its name. The host takes the step if the rule
    /// has no formula, the back end does not know the formula, or the formula has more than 8 coefficients.
    /// Then all gradients are copied from the device, and all parameters back to it.
    fn formula(&self) -> Option<Formula<T>> {
        None
    }
}

/// A [`Rule`] as data, for a back end that takes steps itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula<T> {
    /// The name of the rule, as in `adam`.
    pub name: &'static str,
    /// The rule's coefficients, in the order of its fields.
    pub coefficients: SmallVec<[T; 8]>,
}

impl<T: Element> Formula<T> {
    /// The formula of a rule.
    pub fn new(name: &'static str, coefficients: &[T]) -> Self {
        Self { name, coefficients: SmallVec::from_slice(coefficients) }
    }
}

/// The operations on value and gradient before the rule; they are computed in registers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms<T> {
    /// The gradient is multiplied by this,
    pub scale: T,
    /// then clipped to this magnitude,
    pub bound: T,
    /// then the value times this is added to it (coupled weight decay).
    pub coupled: T,
    /// The value is multiplied by this (decoupled weight decay).
    pub keep: T,
}

impl<T: Element> Terms<T> {
    #[inline(always)]
    fn apply(self, value: T, gradient: T) -> (T, T) {
        let scaled = self.scale * gradient;
        // Not `min` and `max`, which would drop NaN.
        let above = if scaled > self.bound { self.bound } else { scaled };
        let clipped = if above < -self.bound { -self.bound } else { above };
        (self.keep * value, clipped + self.coupled * value)
    }
}

/// The state of one value: an array of up to 3 numbers. This module is private, so nobody else can implement
/// the trait.
pub trait ValueState<T>: Copy {
    /// Applies a rule to the rows that a gradient has; the workers share the rows.
    fn sweep<R: Rule<T, State = Self>>(
        rule: R,
        terms: Terms<T>,
        values: &mut [T],
        gradient: &Gradient<T>,
        state: &mut [&mut [T]],
        workers: &mut Workers<'_, T>,
    ) where
        T: Element;

    /// Applies a rule to all values. The workers share them in chunks of rows, and the parameter's followers
    /// are called with each chunk.
    fn share<R: Rule<T, State = Self>>(
        rule: R,
        terms: Terms<T>,
        moving: Moving<'_, T>,
        gradient: &Whole<'_, T>,
        state: &mut [&mut [T]],
        workers: &mut Workers<'_, T>,
    ) where
        T: Element;
}

/// About how many values a thread updates at a time: together with their gradient, they fit into a near cache.
const VALUES_PER_CHUNK: usize = 1 << 14;

/// Chunks are multiples of this many rows, so that lines of packed weights are not split.
const CHUNK_ROWS_MULTIPLE: usize = 16;

/// Threads share a parameter in at most this many pieces of consecutive chunks. Threads begin with the same
/// pieces in every step, so the values that they update and pack are in their own caches.
const MAX_PIECES: usize = 64;

/// The fewest values of a piece, so that the time to take a piece does not matter.
const MIN_PIECE_VALUES: usize = 1 << 11;

/// With fewer values than this, a second thread costs more time than it gains.
const MIN_SHARED_VALUES: usize = 1 << 13;
/// The same for gradients that are factors, and so have few terms: little has run before, and all of it is in
/// the cache of one thread.
const MIN_SHARED_VALUES_OF_FACTORS: usize = 1 << 16;

/// A gradient that covers all values.
#[derive(Debug)]
pub enum Whole<'a, T> {
    /// All values, row-major.
    Dense(&'a [T]),
    /// Factors of a matrix, which are multiplied out where they are needed.
    Factors(&'a Factors<T>),
}

impl<'a, T: Element> Whole<'a, T> {
    /// The values of `range`, which covers whole rows of `columns` values. Factors are multiplied out into
    /// `memory`.
    fn get<'m>(&self, range: Range<usize>, columns: usize, memory: &'m mut Vec<T>) -> &'m [T]
    where
        'a: 'm,
    {
        match self {
            Self::Dense(values) => &values[range],
            Self::Factors(factors) => {
                if memory.len() < range.len() {
                    memory.resize(range.len(), T::zero());
                }
                let memory = &mut memory[..range.len()];
                factors.multiply(range.start / columns..range.end / columns, memory);
                memory
            }
        }
    }
}

/// Some rows of a row gradient.
#[derive(Clone, Copy)]
struct Sweep<'a, T> {
    rows: &'a [u32],
    gradient: &'a [T],
}

/// Cuts values into stretches that begin at these ascending places; the last stretch reaches to the end.
fn stretches<T>(
    values: &mut [T],
    starts: impl Iterator<Item = usize>,
) -> impl Iterator<Item = &mut [T]> {
    let (mut left, mut at, mut starts) = (values, 0, starts.peekable());
    std::iter::from_fn(move || {
        let start = starts.next()?;
        let (_, from_start) = std::mem::take(&mut left).split_at_mut(start - at);
        let end = starts.peek().map_or(from_start.len(), |end| end - start);
        let (stretch, others) = from_start.split_at_mut(end);
        (left, at) = (others, start + end);
        Some(stretch)
    })
}

/// Implements [`ValueState`] for `$count` state tensors: `$slot` are their names, `$chunks` is the
/// pattern of a chunk of rows zipped with the chunks of each tensor.
macro_rules! value_state {
    ($count:literal, $rows:ident, $chunks:pat $(, $slot:ident)*) => {
        impl<T: Element> ValueState<T> for [T; $count] {
            fn sweep<R: Rule<T, State = Self>>(
                rule: R,
                terms: Terms<T>,
                values: &mut [T],
                gradient: &Gradient<T>,
                state: &mut [&mut [T]],
                workers: &mut Workers<'_, T>,
            ) {
                let [$($slot),*] = state else { unreachable!("{SLOTS}") };
                let Gradient::Rows { width, rows, values: gradient } = gradient else { return };
                let width = *width;
                // `values` and `state` begin with row `first`.
                let update = |piece: Sweep<'_, T>, first, values: &mut [T], state: [&mut [T]; $count]| {
                    let [$($slot),*] = state;
                    for (row, gradient) in piece.rows.iter().zip(piece.gradient.chunks(width)) {
                        let start = (row - first) as usize * width;
                        let range = start..start + width;
                        let state = [$(&mut $slot[range.clone()],)*];
                        let values = &mut values[range];
                        dispatch(UpdateValues { rule, terms, values, gradient, state });
                    }
                };
                if gradient.len() < MIN_SHARED_VALUES {
                    if !gradient.is_empty() {
                        update(Sweep { rows, gradient }, 0, values, [$(&mut **$slot),*]);
                    }
                    return;
                }
                let of_piece = MIN_PIECE_VALUES.div_ceil(width).max(rows.len().div_ceil(MAX_PIECES));
                let starts = || rows.chunks(of_piece).map(|rows| rows[0] as usize * width);
                $(let mut $slot = stretches($slot, starts());)*
                let pieces = rows.chunks(of_piece).zip(gradient.chunks(of_piece * width));
                let pieces: SmallVec<[_; MAX_PIECES]> = pieces
                    .zip(stretches(values, starts()))
                    .map(|((rows, gradient), values)| {
                        let state: [&mut [T]; $count] = [$($slot.next().unwrap_or_default()),*];
                        Mutex::new(Some((Sweep { rows, gradient }, values, state)))
                    })
                    .collect();
                workers.share(pieces.len(), &|piece, _| {
                    let piece =
                        pieces[piece].lock().unwrap_or_else(|poison| poison.into_inner()).take();
                    if let Some((sweep, values, state)) = piece {
                        update(sweep, sweep.rows[0], values, state);
                    }
                });
            }

            fn share<R: Rule<T, State = Self>>(
                rule: R,
                terms: Terms<T>,
                moving: Moving<'_, T>,
                gradient: &Whole<'_, T>,
                state: &mut [&mut [T]],
                workers: &mut Workers<'_, T>,
            ) {
                let [$($slot),*] = state else { unreachable!("{SLOTS}") };
                let columns = moving.columns();
                let rows = (VALUES_PER_CHUNK / columns).max(1).next_multiple_of(CHUNK_ROWS_MULTIPLE);
                let update = |piece, memory: &mut Vec<T>, followers: &dyn Followers<T>| {
                    let $chunks = piece;
                    let chunks = RowsToUpdate::chunks($rows, rows);
                    $(let chunks = chunks.zip(<[T]>::chunks_mut($slot, rows * columns));)*
                    for $chunks in chunks {
                        let mut $rows = $rows;
                        let first = $rows.first() * columns;
                        let values = $rows.values_mut();
                        let gradient = gradient.get(first..first + values.len(), columns, memory);
                        let state = [$($slot),*];
                        dispatch(UpdateValues { rule, terms, values, gradient, state });
                        followers.moved($rows);
                    }
                };
                let most = match gradient {
                    Whole::Dense(_) => MIN_SHARED_VALUES,
                    Whole::Factors(_) => MIN_SHARED_VALUES_OF_FACTORS,
                };
                let is_small = moving.rows() * columns < most;
                let least = MIN_PIECE_VALUES.div_ceil(columns).max(moving.rows().div_ceil(MAX_PIECES));
                let of_piece = if is_small { moving.rows() } else { least }.next_multiple_of(CHUNK_ROWS_MULTIPLE).max(CHUNK_ROWS_MULTIPLE);
                let pieces = moving.chunks(of_piece);
                $(let pieces = pieces.zip($slot.chunks_mut(of_piece * columns));)*
                let mut pieces = pieces.map(|piece| Mutex::new(Some(piece)));
                let take = |piece: &Mutex<Option<_>>| {
                    piece.lock().unwrap_or_else(|poison| poison.into_inner()).take()
                };
                // Making lists of pieces would take a quarter of the time in which a small model is updated.
                if is_small {
                    let Some(all) = pieces.next() else { return };
                    workers.share_moving(1, &|_, memory, followers| {
                        take(&all).into_iter().for_each(|all| update(all, memory, followers));
                    });
                    return;
                }
                let pieces: SmallVec<[_; MAX_PIECES]> = pieces.collect();
                workers.share_moving(pieces.len(), &|number, memory, followers| {
                    let piece = take(&pieces[number]);
                    piece.into_iter().for_each(|piece| update(piece, memory, followers));
                });
            }
        }

        impl<T: Element> ContiguousState<T, $count> for [T; $count] {
            #[inline(always)]
            fn update_values<R: Rule<T, State = Self>>(
                rule: R,
                terms: Terms<T>,
                values: &mut [T],
                gradient: &[T],
                state: [&mut [T]; $count],
            ) {
                // Each operand is a slice parameter, so that the compiler knows that they do not overlap.
                #[inline(always)]
                fn update_values<T: Element, R: Rule<T, State = [T; $count]>>(
                    rule: R,
                    terms: Terms<T>,
                    values: &mut [T],
                    gradient: &[T],
                    $($slot: &mut [T],)*
                ) {
                    let values = &mut values[..gradient.len()];
                    $(let $slot = &mut $slot[..gradient.len()];)*
                    for element in 0..gradient.len() {
                        let (value, gradient) = terms.apply(values[element], gradient[element]);
                        let (value, state) = rule.step(value, gradient, [$($slot[element]),*]);
                        values[element] = value;
                        [$($slot[element]),*] = state;
                    }
                }
                let [$($slot),*] = state;
                update_values(rule, terms, values, gradient, $($slot),*);
            }
        }
    };
}

value_state!(0, rows, rows);
value_state!(1, rows, (rows, a), a);
value_state!(2, rows, ((rows, a), b), a, b);
value_state!(3, rows, (((rows, a), b), c), a, b, c);

/// The reason why the state always fits the rule: this was checked before the step.
const SLOTS: &str = "the state has as many tensors as the method has slots";

/// Applies a rule to contiguous values of a parameter, with `N` tensors of state.
trait ContiguousState<T: Element, const N: usize>: ValueState<T> {
    fn update_values<R: Rule<T, State = Self>>(
        rule: R,
        terms: Terms<T>,
        values: &mut [T],
        gradient: &[T],
        state: [&mut [T]; N],
    );
}

struct UpdateValues<'a, T, R, const N: usize> {
    rule: R,
    terms: Terms<T>,
    values: &'a mut [T],
    gradient: &'a [T],
    state: [&'a mut [T]; N],
}

impl<T: Element, R: Rule<T, State = S>, S: ContiguousState<T, N>, const N: usize> Loop
    for UpdateValues<'_, T, R, N>
{
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        S::update_values(self.rule, self.terms, self.values, self.gradient, self.state);
    }
}

/// The update of one parameter in one step.
pub struct Pass<'a, T> {
    pub(super) name: &'a str,
    pub(super) shape: &'a [usize],
    pub(super) target: Target<'a, T>,
}

/// A parameter that an optimiser updates as a whole: see [`Pass::run_whole`].
#[derive(Debug)]
pub struct WholeParameter<'a, T> {
    /// The values, row-major; decoupled weight decay has been applied.
    pub values: &'a mut [T],
    /// The gradient of each value, scaled and clipped, with coupled weight decay added.
    pub gradient: Vec<T>,
    /// The state between steps: tensors of as many values, in the order of
    /// [`Method::slots`](super::Method::slots).
    pub state: SmallVec<[&'a mut [T]; 3]>,
    /// The threads that may share the work.
    pub workers: Workers<'a, T>,
}

/// Who applies a rule.
pub(super) enum Target<'a, T> {
    /// The host updates this parameter along this gradient.
    Host {
        moving: Moving<'a, T>,
        state: SmallVec<[&'a mut [T]; 3]>,
        gradient: &'a Gradient<T>,
        terms: Terms<T>,
        workers: Workers<'a, T>,
    },
    /// A back end applies the rule, so only its formula is recorded.
    Formula(&'a mut Option<Formula<T>>),
}

impl<T: Element> Pass<'_, T> {
    /// The name of the parameter.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The shape of the parameter.
    pub fn shape(&self) -> &[usize] {
        self.shape
    }

    /// Whether all values have a gradient. Otherwise only some rows have one, for example the rows of an
    /// embedding table that were read. `true` if a back end updates the parameter.
    pub fn covers_all(&self) -> bool {
        match self.target {
            Target::Host { gradient, .. } => {
                matches!(gradient, Gradient::Dense(_) | Gradient::Factors(_))
            }
            Target::Formula(_) => true,
        }
    }

    /// Updates the parameter as a whole, for an optimiser that is not a [`Rule`] for single values: `step` gets
    /// all values with their gradient and state. It always runs on the host. If only some rows
    /// [have](Self::covers_all) a gradient, the gradient of the other rows is zero, and weight decay has not
    /// been applied to them.
    ///
    /// LAMB (You et al., 2020, "Large batch optimization for deep learning", algorithm 2), without
    /// its weight decay:
    ///
    /// ```
    /// # mod edb { pub use edb_kernels::element::Element; pub use edb_learn::*; }
    /// use edb::Element;
    /// use edb::learn::{Clock, Descent, LearnError, Method, Pass};
    ///
    /// #[derive(Clone, Debug)]
    /// struct Lamb;
    ///
    /// impl Method for Lamb {
    ///     const NAME: &'static str = "Lamb";
    ///
    ///     fn slots(&self) -> &'static [&'static str] {
    ///         &["first", "second"]
    ///     }
    ///
    ///     fn check<T: Element>(&self) -> Result<(), LearnError> {
    ///         Ok(())
    ///     }
    ///
    ///     fn step<T: Element>(&self, rate: f64, clock: &mut Clock, pass: Pass<'_, T>) {
    ///         let corrections = [0.9_f64, 0.999].map(|beta| 1.0 - beta.powi(clock.step as i32));
    ///         pass.run_whole(|whole| {
    ///             let [first, second] = &mut whole.state.into_vec()[..] else { unreachable!() };
    ///             let mut steps = Vec::with_capacity(whole.values.len());
    ///             for (element, gradient) in whole.gradient.iter().enumerate() {
    ///                 let gradient = gradient.as_f64();
    ///                 let m = 0.9 * first[element].as_f64() + 0.1 * gradient;
    ///                 let v = 0.999 * second[element].as_f64() + 0.001 * gradient * gradient;
    ///                 (first[element], second[element]) = (T::from_f64(m), T::from_f64(v));
    ///                 steps.push(m / corrections[0] / ((v / corrections[1]).sqrt() + 1e-6));
    ///             }
    ///             let norm = |squares: f64| if squares > 0.0 { squares.sqrt() } else { 1.0 };
    ///             let values = whole.values.iter().map(|x| x.as_f64() * x.as_f64()).sum();
    ///             let ratio = norm(values) / norm(steps.iter().map(|x| x * x).sum());
    ///             for (value, step) in whole.values.iter_mut().zip(steps) {
    ///                 *value = *value - T::from_f64(rate * ratio * step);
    ///             }
    ///         });
    ///     }
    /// }
    ///
    /// let optimizer = Descent::<Lamb, f32>::with(Lamb, 1e-2);
    /// ```
    pub fn run_whole(self, step: impl FnOnce(WholeParameter<'_, T>)) {
        let Target::Host { moving, state, gradient, terms, workers } = self.target else {
            return;
        };
        let columns = moving.columns();
        let values = moving.into_values();
        let mut all = vec![T::zero(); values.len()];
        let apply = |values: &mut [T], gradient: &mut [T]| {
            for (value, gradient) in values.iter_mut().zip(gradient) {
                (*value, *gradient) = terms.apply(*value, *gradient);
            }
        };
        match gradient {
            Gradient::Factors(factors) => {
                factors.multiply(0..values.len() / columns, &mut all);
                apply(values, &mut all);
            }
            Gradient::Zero | Gradient::Dense(_) | Gradient::Rows { .. } => {
                for (start, piece) in gradient.pieces() {
                    let range = start..start + piece.len();
                    all[range.clone()].copy_from_slice(piece);
                    apply(&mut values[range.clone()], &mut all[range]);
                }
            }
        }
        step(WholeParameter { values, gradient: all, state, workers });
    }

    /// Updates the parameter by a rule, with the best instruction set of this machine. It updates all values,
    /// or only the rows that have a gradient. If a back end updates the parameter, only the
    /// [formula](Rule::formula) is recorded.
    ///
    /// # Panics
    /// If the rule keeps more or fewer tensors than [`Method::slots`](super::Method::slots) names.
    pub fn run<R: Rule<T>>(self, rule: R) {
        match self.target {
            Target::Formula(formula) => *formula = rule.formula(),
            Target::Host { mut moving, mut state, gradient, terms, mut workers } => {
                let all = match gradient {
                    Gradient::Dense(values) => Some(Whole::Dense(values)),
                    Gradient::Factors(factors) => Some(Whole::Factors(factors)),
                    Gradient::Zero | Gradient::Rows { .. } => None,
                };
                match all {
                    Some(gradient) => {
                        R::State::share(rule, terms, moving, &gradient, &mut state, &mut workers);
                    }
                    None => {
                        let values = moving.values();
                        R::State::sweep(rule, terms, values, gradient, &mut state, &mut workers);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use edb_kernels::isa::{Isa, dispatch_on};

    /// A rule with sums of products, which a fused multiply-add would round differently.
    #[derive(Clone, Copy)]
    struct Mixed<T>(T);

    impl<T: Element> Rule<T> for Mixed<T> {
        type State = [T; 3];

        #[inline(always)]
        fn step(self, value: T, gradient: T, [a, b, c]: [T; 3]) -> (T, [T; 3]) {
            let a = self.0 * a + value * gradient;
            let b = self.0 * b + gradient * gradient;
            let c = b.sqrt() * c + a;
            (value - self.0 * a / (b.sqrt() + self.0), [a, b, c])
        }
    }

    fn steps<T: Element>(isa: Isa, gradient: &Gradient<T>) -> Vec<Vec<T>> {
        let number = |element: usize| T::from_f64((element as f64 * 0.37).sin());
        let mut values: Vec<T> = (0..77).map(number).collect();
        let mut state: Vec<Vec<T>> =
            (1..4).map(|by| (0..77).map(|element| number(element * by)).collect()).collect();
        state[1].iter_mut().for_each(|value| *value *= *value);
        let terms = Terms {
            scale: T::from_f64(0.3),
            bound: T::from_f64(0.2),
            coupled: T::from_f64(0.01),
            keep: T::from_f64(0.99),
        };
        for _ in 0..3 {
            let rule = Mixed(T::from_f64(0.7));
            for (start, gradient) in gradient.pieces() {
                let range = start..start + gradient.len();
                let mut tensors = state.iter_mut().map(|tensor| &mut tensor[range.clone()]);
                let state = std::array::from_fn(|_| tensors.next().unwrap());
                let values = &mut values[range.clone()];
                dispatch_on(isa, UpdateValues { rule, terms, values, gradient, state });
            }
        }
        state.push(values);
        state
    }

    fn same_bits<T: Element>() {
        let number = |element: usize| T::from_f64((element as f64 * 0.91).cos());
        let dense = Gradient::Dense((0..77).map(number).collect());
        let values = (0..22).map(number).collect();
        let rows = Gradient::Rows { width: 11, rows: vec![1, 5], values };
        for gradient in [dense, rows] {
            let portable = steps(Isa::Portable, &gradient);
            assert!(portable.iter().flatten().all(|value| value.is_finite()));
            for isa in Isa::all() {
                assert_eq!(steps(isa, &gradient), portable, "{isa:?}");
            }
        }
    }

    #[test]
    fn a_step_has_the_same_bits_with_every_instruction_set() {
        same_bits::<f32>();
        same_bits::<f64>();
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        let terms = Terms { scale: 1.0, bound: 0.5, coupled: 0.0, keep: 1.0 };
        assert!(terms.apply(1.0, f64::NAN).1.is_nan());
        assert_eq!(terms.apply(1.0, f64::INFINITY), (1.0, 0.5));
        assert_eq!(terms.apply(1.0, -2.0), (1.0, -0.5));
    }
}
