//! Weights as products of powers: `e^(a + b - y)` is `e^(a - c) e^b e^(c - y)`, where `c` is the greatest element of a row
//! of `a`. Where many products share `b`, its powers are computed once, and a weight is two multiplications instead of a
//! power.
//!
//! No factor overflows or loses digits as long as its exponent is at most [`near`], or the weight is 0 whatever the others
//! are, and `c` is no large number. Elsewhere, each weight is a power, as if there were no powers of `b`. Which of the two it is depends on the
//! operands alone.

use edb_ir::Semiring;

use crate::memory::scratch;
use crate::numbers::Element;
use crate::processor::{Loop, dispatch};

/// The greatest exponent of a factor.
fn near<T: Element>() -> T {
    T::from_f64(if size_of::<T>() == 4 { 40.0 } else { 300.0 })
}

/// The greatest size of `c`: beside greater numbers, the digits of `b` are lost in a sum and not in a power.
fn most<T: Element>() -> T {
    T::from_f64(if size_of::<T>() == 4 { 512.0 } else { 1e4 })
}

/// What is so much less than 0 that the power of it, times those of twice [`near`], is 0.
fn far<T: Element>() -> T {
    T::from_f64(if size_of::<T>() == 4 { -184.0 } else { -1346.0 })
}

/// Calls `work` with the powers of the right operand of many products, if their weights may be products of them.
pub fn with_powers<T: Element>(semiring: Semiring, b: &[T], work: impl FnOnce(Option<&[T]>)) {
    if semiring == Semiring::Max {
        return work(None);
    }
    scratch::with_half(b.len(), |powers| {
        let mut is_good = true;
        dispatch(OfRight { b, powers, is_good: &mut is_good });
        work(is_good.then_some(&*powers));
    });
}

/// The powers of a right operand.
struct OfRight<'a, T> {
    b: &'a [T],
    powers: &'a mut [T],
    is_good: &'a mut bool,
}

impl<T: Element> Loop for OfRight<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let (near, far) = (near::<T>(), far::<T>());
        let mut is_good = true;
        for (power, &b) in self.powers.iter_mut().zip(self.b) {
            is_good &= (b.abs() <= near) | (b <= far);
            *power = b.exp_::<FMA>();
        }
        *self.is_good = is_good;
    }
}

/// The powers of the left operand and of the result of a product with `inner` terms.
pub(super) struct OfRows<'a, T> {
    pub(super) a: &'a [T],
    pub(super) y: &'a [T],
    pub(super) inner: usize,
    /// `e^(a - c)`, and `e^(c - y)`, or 0 where `y` is `-∞`.
    pub(super) powers: [&'a mut [T]; 2],
    /// Whether weights may be products of them.
    pub(super) is_good: &'a mut bool,
}

impl<T: Element> Loop for OfRows<'_, T> {
    #[inline(always)]
    fn run<const FMA: bool>(self) {
        let Self { a, y, inner, powers: [of_a, of_y], is_good } = self;
        let (near, far, nothing) = (near::<T>(), far::<T>(), T::neg_infinity());
        let columns = y.len() * inner / a.len();
        let rows = a.chunks_exact(inner).zip(y.chunks_exact(columns));
        let powers = of_a.chunks_exact_mut(inner).zip(of_y.chunks_exact_mut(columns));
        let mut all = true;
        for ((a, y), (of_a, of_y)) in rows.zip(powers) {
            let mut greatest = nothing;
            for &x in a {
                greatest = if x > greatest { x } else { greatest };
            }
            if greatest == nothing {
                all &= a.iter().all(|x| *x == nothing);
                of_a.fill(T::zero());
                of_y.fill(T::zero());
                continue;
            }
            all &= greatest.abs() <= most::<T>();
            for (power, &x) in of_a.iter_mut().zip(a) {
                let below = x - greatest;
                all &= (below >= -near) | (below <= far);
                *power = below.exp_::<FMA>();
            }
            for (power, &y) in of_y.iter_mut().zip(y) {
                let above = greatest - y;
                all &= (above.abs() <= near) | (y == nothing);
                *power = if y == nothing { T::zero() } else { above.exp_::<FMA>() };
            }
        }
        *is_good = all;
    }
}
