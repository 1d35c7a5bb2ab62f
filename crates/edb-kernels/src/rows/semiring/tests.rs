//! Products and weighted sums beside those of one term after the other.

use edb_ir::{Role, Semiring};

use super::product::{Product, Terms};
use super::{Weighted, product, with_powers};
use crate::numbers::{Element, numbers};
use crate::processor::{Isa, dispatch_on};

/// One term after the other, in `f64`.
struct Plain {
    a: Vec<f64>,
    b: Vec<f64>,
    inner: usize,
}

impl Plain {
    fn sizes(&self) -> [usize; 3] {
        [self.a.len() / self.inner, self.inner, self.b.len() / self.inner]
    }

    fn terms(&self, i: usize, j: usize) -> Vec<f64> {
        let [_, inner, columns] = self.sizes();
        (0..inner).map(|k| self.a[i * inner + k] + self.b[k * columns + j]).collect()
    }

    fn product(&self, semiring: Semiring) -> Vec<f64> {
        let [m, _, n] = self.sizes();
        let value = |at: usize| {
            let terms = self.terms(at / n, at % n);
            let best = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            match semiring {
                Semiring::Max => best,
                Semiring::Log if best.is_infinite() => best,
                Semiring::Log => {
                    best + terms.iter().map(|term| (term - best).exp()).sum::<f64>().ln()
                }
            }
        };
        (0..m * n).map(value).collect()
    }

    fn weighted(&self, semiring: Semiring, role: Role, y: &[f64], [f, g]: [&[f64]; 2]) -> Vec<f64> {
        let [m, inner, n] = self.sizes();
        let length = [m * inner, inner * n, m * n][role as usize];
        let mut sums = vec![0.0; length];
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let (terms, y) = (self.terms(i, j), y[i * n + j]);
            for k in (0..inner).filter(|_| y != f64::NEG_INFINITY) {
                let best = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let first = terms.iter().position(|term| *term == best);
                let weight = match semiring {
                    Semiring::Log => (terms[k] - y).exp(),
                    Semiring::Max => f64::from(u8::from(first == Some(k))),
                };
                let places = [i * inner + k, k * n + j, i * n + j];
                let [of_f, of_g] = role.others(places);
                sums[places[role as usize]] += weight * f[of_f] * g[of_g];
            }
        }
        sums
    }
}

/// `a[0, ..]` is `-∞`, and so are some others.
fn operand<T: Element>(count: usize, empty: usize, seed: u64) -> Vec<T> {
    let mut x: Vec<T> = numbers(count, seed);
    for (at, x) in x.iter_mut().enumerate() {
        *x = if at < empty || at % 7 == 3 { T::neg_infinity() } else { *x * T::from_f64(9.0) };
    }
    x
}

fn check<T: Element>([m, inner, n]: [usize; 3], semiring: Semiring) {
    let what = format!("{semiring:?} {m} {inner} {n}");
    let (a, b) = (operand::<T>(m * inner, inner, 1), operand::<T>(inner * n, 0, 2));
    let wide = |x: &[T]| -> Vec<f64> { x.iter().map(|x| x.as_f64()).collect() };
    let plain = Plain { a: wide(&a), b: wide(&b), inner };
    let close = |found: &[T], expected: &[f64], of: &str| {
        for (found, expected) in found.iter().zip(expected) {
            let found = found.as_f64();
            let near = (found - expected).abs() <= 1e-4 * (1.0 + expected.abs());
            assert!(found == *expected || near, "{what}, {of}: {found} and {expected}");
        }
    };
    let mut y = vec![T::zero(); m * n];
    for isa in Isa::all() {
        y.fill(T::nan());
        let terms = Terms { a: &a, b: &b, inner };
        dispatch_on(isa, Product { semiring, out: &mut y, terms });
        close(&y, &plain.product(semiring), &format!("{isa:?}"));
    }
    let lengths = [m * inner, inner * n, m * n];
    let factors = [0, 1, 2].map(|role| numbers::<T>(lengths[role], 3 + role as u64));
    for role in Role::ALL {
        let [f, g] = role.others([0, 1, 2]).map(|other| &factors[other][..]);
        let expected = plain.weighted(semiring, role, &wide(&y), [&wide(f), &wide(g)]);
        let (of, scale) = ([&a[..], &b[..], &y[..]], T::from_f64(0.5));
        let half: Vec<f64> = expected.iter().map(|x| x / 2.0).collect();
        let compare = |powers: Option<&[T]>| {
            let weighted = Weighted { semiring, role, of, factors: [f, g], scale, inner, powers };
            let mut whole = vec![T::nan(); lengths[role as usize]];
            weighted.write(&mut whole);
            close(&whole, &half, &format!("{role:?}, {}", powers.is_some()));
            // The same bits in parts.
            let rows = weighted.rows();
            let (cut, columns) = (rows / 2, whole.len() / rows);
            let mut parts = vec![T::zero(); whole.len()];
            let (above, below) = parts.split_at_mut(cut * columns);
            weighted.add_to(above, 0..cut);
            weighted.add_to(below, cut..rows);
            assert_eq!(parts, whole, "{what}, {role:?}");
        };
        compare(None);
        with_powers(semiring, &b, |powers| {
            assert_eq!(
                powers.is_some(),
                semiring == Semiring::Log,
                "all elements are small, or -∞"
            );
            compare(powers);
        });
    }
}

/// Where factors would overflow, vanish or be NaN, weights are powers.
#[test]
fn weights_of_great_and_small_terms() {
    fn check<T: Element>(a: [f64; 3], b: [f64; 3], is_shared: bool) {
        let [a, b] = [a, b].map(|x| x.map(T::from_f64));
        let mut y = [T::zero()];
        product(Semiring::Log, &mut y, &a, &b, 3);
        with_powers(Semiring::Log, &b, |powers| {
            assert_eq!(powers.is_some(), is_shared, "{b:?}");
            for role in [Role::Left, Role::Right] {
                let [with, without] = [powers, None].map(|powers| {
                    let (of, factors) = ([&a[..], &b, &y], [&[T::one(); 3][..], &[T::one()]]);
                    let weighted = Weighted {
                        semiring: Semiring::Log,
                        role,
                        of,
                        factors,
                        scale: T::one(),
                        inner: 3,
                        powers,
                    };
                    let mut out = [T::nan(); 3];
                    weighted.write(&mut out);
                    out.map(|x| x.as_f64())
                });
                for (with, without) in with.iter().zip(without) {
                    let near = (with - without).abs() <= 1e-5 * without.abs();
                    assert!(
                        near || with.is_nan() && without.is_nan(),
                        "{a:?} {b:?}: {with} {without}"
                    );
                }
            }
        });
    }
    let (none, nan) = (f64::NEG_INFINITY, f64::NAN);
    check::<f32>([0.0, -90.0, -300.0], [1.0, 2.0, 3.0], true);
    check::<f32>([0.0, 1.0, 2.0], [-1e4, none, -1e4], true);
    check::<f32>([0.0, 1.0, 2.0], [-60.0, -1.0, 30.0], false);
    check::<f32>([0.0, 1.0, 2.0], [80.0, -1.0, 30.0], false);
    check::<f32>([500.0, none, 460.5], [-30.0, 0.5, 30.0], true);
    check::<f32>([1e30, 1e30, 0.0], [-30.0, 0.5, 30.0], true);
    check::<f32>([none; 3], [1.0, 2.0, 3.0], true);
    check::<f32>([0.0, nan, 1.0], [1.0, 2.0, 3.0], true);
    check::<f32>([0.0, f64::INFINITY, 1.0], [1.0, 2.0, 3.0], true);
    check::<f32>([0.0, 2.0, 1.0], [1.0, nan, 3.0], false);
    check::<f64>([0.0, -90.0, -3000.0], [1.0, 2.0, 299.0], true);
    check::<f64>([0.0, -900.0, 1.0], [1.0, 2.0, -500.0], false);
}

#[test]
fn products_are_sums_of_terms() {
    for sizes in [[1, 1, 1], [1, 5, 3], [3, 4, 1], [2, 17, 17], [1, 130, 33], [5, 300, 1]] {
        for semiring in [Semiring::Log, Semiring::Max] {
            check::<f32>(sizes, semiring);
            check::<f64>(sizes, semiring);
        }
    }
}

/// NaN is not lost, and infinities are what they are.
#[test]
fn exceptional_terms() {
    let nan = f32::NAN;
    for [x, expected] in [[nan, nan], [f32::INFINITY, f32::INFINITY], [3e38, 3e38]] {
        for (a, b) in [([x, 1.0, 2.0], [0.0; 3]), ([1.0, 0.0, 2.0], [0.0, x, 0.0])] {
            for semiring in [Semiring::Log, Semiring::Max] {
                let mut y = [0.0];
                product(semiring, &mut y, &a, &b, 3);
                assert!(y[0] == expected || y[0].is_nan() && expected.is_nan(), "{y:?}");
            }
        }
    }
}
