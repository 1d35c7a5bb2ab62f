//! Passes that threads share are the same bits as those of one.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::workers::Nobody;
use super::super::{Piece, Team, Workers};
use super::optimizers::all;
use super::*;

/// Threads that take what is next.
#[derive(Debug)]
pub(super) struct Threads(pub(super) usize);

impl<T> Team<T> for Threads {
    fn share(&mut self, pieces: usize, work: &Piece<'_, T>) {
        let next = AtomicUsize::new(0);
        let run = || {
            let mut memory = Vec::new();
            while let Some(piece) =
                Some(next.fetch_add(1, Ordering::Relaxed)).filter(|p| *p < pieces)
            {
                work(piece, &mut memory, &Nobody);
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.0).map(|_| scope.spawn(run)).collect();
            // ThreadSanitizer sees that a thread was joined, but not that a scope has ended.
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
    }
}

pub(super) fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|element| (element as f64 * 0.37).sin()).collect()
}

#[test]
fn optimizers_do_not_notice_threads() {
    const COUNT: usize = 50_001;
    for threads in [1, 2, 5] {
        for (mut shared, mut alone) in all::<f32>().into_iter().zip(all::<f32>()) {
            let (mut parameters, id) = one_parameter::<f32>(&[COUNT], &numbers(COUNT));
            let mut expected = parameters.clone();
            for step in 0..3 {
                let values = numbers(COUNT + step)[step..].iter().map(|x| *x as f32).collect();
                let gradients = with(&parameters, id, Gradient::Dense(values));
                shared
                    .step(
                        &mut parameters,
                        &gradients,
                        &[],
                        &mut Workers::with_team(&mut Threads(threads)),
                    )
                    .unwrap();
                alone.step(&mut expected, &gradients, &[], &mut Workers::alone()).unwrap();
            }
            assert_eq!(
                parameters.get(id).values().unwrap(),
                expected.get(id).values().unwrap(),
                "{}",
                shared.name()
            );
            assert_eq!(shared.state(), alone.state(), "{}", shared.name());
        }
    }
}

/// Stretches are those of the parameter, so that rows and threads make no difference.
#[test]
fn norms_do_not_notice_threads_or_rows() {
    const WIDTH: usize = 1001;
    const ROWS: usize = 400;
    let values = numbers(WIDTH * ROWS);
    let dense: Gradient<f64> = Gradient::Dense(values.clone());
    let sum = dense.sum_of_squares(&mut Workers::alone());
    approx::assert_relative_eq!(sum, values.iter().map(|x| x * x).sum(), max_relative = 1e-12);
    assert_eq!(dense.sum_of_squares(&mut Workers::with_team(&mut Threads(3))), sum);
    let all: Vec<u32> = (0..ROWS as u32).collect();
    assert_eq!(rows::<f64>(WIDTH, &all, &values).sum_of_squares(&mut Workers::alone()), sum);
    // Without some of the rows, as with zeros in their place.
    let kept: Vec<u32> = all.iter().copied().filter(|row| row % 3 != 1).collect();
    let of = |row: &u32| &values[*row as usize * WIDTH..][..WIDTH];
    let sparse: Vec<f64> = kept.iter().flat_map(of).copied().collect();
    let mut zeroed = values.clone();
    for row in all.iter().filter(|row| **row % 3 == 1) {
        zeroed[*row as usize * WIDTH..][..WIDTH].fill(0.0);
    }
    let dense: Gradient<f64> = Gradient::Dense(zeroed);
    let sparse = rows::<f64>(WIDTH, &kept, &sparse);
    assert_eq!(
        sparse.sum_of_squares(&mut Workers::alone()),
        dense.sum_of_squares(&mut Workers::with_team(&mut Threads(2)))
    );
}
