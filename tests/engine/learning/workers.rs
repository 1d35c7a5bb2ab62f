//! Passes that threads share are the same bits as those of one.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::optimizers::all;
use super::*;
use edb_core::learn::{Followers, RowsToUpdate, SharedWork, Team, Workers, part_sums};

/// No data is derived from the parameters.
struct Nobody;

impl<T> Followers<T> for Nobody {
    fn moved(&self, _: RowsToUpdate<'_, T>) {}
}

/// Threads that take what is next.
#[derive(Debug)]
pub(super) struct Threads(pub(super) usize);

impl<T> Team<T> for Threads {
    fn share(&mut self, pieces: usize, work: &SharedWork<'_, T>) {
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
                        &mut Workers::from(&mut Threads(threads)),
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

/// The same for the rows of a table, some of which have a gradient; those of a small one are not
/// shared.
#[test]
fn optimizers_update_rows_alike_on_any_number_of_threads() {
    const WIDTH: usize = 33;
    for (height, threads) in [(700, 1), (700, 2), (700, 5), (90, 3)] {
        for (mut shared, mut alone) in all::<f32>().into_iter().zip(all::<f32>()) {
            let (mut parameters, id) =
                one_parameter::<f32>(&[height, WIDTH], &numbers(height * WIDTH));
            let before = parameters.get(id).values().unwrap().to_vec();
            let mut expected = parameters.clone();
            for step in 0..3 {
                let of_step = |row: &u32| row % 7 != step && *row > 3 * step;
                let kept: Vec<u32> = (0..height as u32).filter(of_step).collect();
                let gradient = rows::<f32>(WIDTH, &kept, &numbers(kept.len() * WIDTH));
                let gradients = with(&parameters, id, gradient);
                let mut threads = Threads(threads);
                let mut workers = Workers::from(&mut threads);
                shared.step(&mut parameters, &gradients, &[], &mut workers).unwrap();
                alone.step(&mut expected, &gradients, &[], &mut Workers::alone()).unwrap();
            }
            let after = parameters.get(id).values().unwrap();
            assert_eq!(after, expected.get(id).values().unwrap(), "{}", shared.name());
            assert_ne!(after, before, "{}", shared.name());
            assert_eq!(shared.state(), alone.state(), "{}", shared.name());
        }
    }
}

/// Gradients of parts are added as one after the other, whatever their kinds, to what there is and
/// to nothing.
#[test]
fn parts_are_added_in_their_order() {
    const WIDTH: usize = 3;
    const HEIGHT: usize = 4000;
    let mut parameters = Parameters::<f32>::new();
    let mut add = |name: &str, width: usize| {
        let values = vec![0.0; HEIGHT * width];
        parameters.push(Parameter::new(name, &[HEIGHT, width], values).unwrap()).unwrap()
    };
    let ids = [add("dense", WIDTH), add("rows", WIDTH), add("mixed", WIDTH), add("empty", 0)];
    let dense = |seed: usize| {
        let values = numbers(HEIGHT * WIDTH + seed);
        Gradient::Dense(values[seed..].iter().map(|x| *x as f32).collect())
    };
    let of_rows = |seed: usize, width: usize| {
        let kept: Vec<u32> =
            (0..HEIGHT as u32).filter(|row| row * row % 11 > seed as u32).collect();
        rows::<f32>(width, &kept, &numbers(kept.len() * width + seed)[seed..])
    };
    let part = |seed: usize| {
        let mut gradients = Gradients::new(&parameters);
        let mixed = if seed.is_multiple_of(2) { dense(seed) } else { of_rows(seed, WIDTH) };
        let all = [dense(seed), of_rows(seed, WIDTH), mixed, of_rows(seed, 0)];
        for (id, gradient) in ids.into_iter().zip(all) {
            // One part does not use all parameters.
            if seed != 3 || id != ids[1] {
                gradients.add(id, gradient).unwrap();
            }
        }
        gradients
    };
    for (first, threads) in [(None, 1), (None, 3), (Some(6), 3)] {
        let new = || first.map_or_else(|| Gradients::new(&parameters), part);
        let (mut sum, mut expected) = (new(), new());
        // Twice, since the first sum leaves memory to the second.
        for _ in 0..2 {
            let mut parts: Vec<_> = (0..6).map(part).collect();
            let mut team = Threads(threads);
            part_sums::absorb(
                &mut sum,
                &mut parts.iter_mut().collect::<Vec<_>>(),
                &mut |pieces, work| {
                    Team::<f32>::share(&mut team, pieces, &|piece, _, _| work(piece));
                },
            );
            (0..6).for_each(|seed| expected.add_all(part(seed)).unwrap());
            for id in ids {
                assert_eq!(sum.get(id), expected.get(id), "{threads} threads");
                assert!(parts.iter().all(|part| *part.get(id) == Gradient::Zero));
            }
        }
    }
}

/// Fault B1: the gradients of many parts were one chain of additions. Their kinds do not change how they
/// are added here, either.
#[test]
fn the_sum_of_many_parts_does_not_drift() {
    const PARTS: usize = 20_000;
    let mut parameters = Parameters::<f32>::new();
    let mut add =
        |name: &str| parameters.push(Parameter::new(name, &[2, 1], vec![0.0; 2]).unwrap()).unwrap();
    let ids = [add("dense"), add("rows"), add("mixed")];
    let part = |number: usize| {
        let mut gradients = Gradients::new(&parameters);
        let (dense, of_rows) = (Gradient::Dense(vec![0.1; 2]), rows::<f32>(1, &[0, 1], &[0.1; 2]));
        let mixed = if number % 3 == 1 { of_rows.clone() } else { dense.clone() };
        for (id, gradient) in ids.into_iter().zip([dense, of_rows, mixed]) {
            gradients.add(id, gradient).unwrap();
        }
        gradients
    };
    let mut parts: Vec<_> = (0..PARTS).map(part).collect();
    let mut sum = Gradients::new(&parameters);
    let mut alone = |pieces: usize, work: &(dyn Fn(usize) + Sync)| (0..pieces).for_each(work);
    part_sums::absorb(&mut sum, &mut parts.iter_mut().collect::<Vec<_>>(), &mut alone);
    let all = ids.map(|id| sum.to_dense(id)[[0, 0]]);
    assert_eq!(all, [all[0]; 3]);
    assert!((all[0] - 2_000.0).abs() < 1e-3, "{}", all[0]);
}
