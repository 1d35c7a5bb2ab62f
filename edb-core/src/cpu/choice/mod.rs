//! Chooses how many threads a step uses, and whether it packs weights that it could also read where they lie.
//! The fastest choice is found by trying.
//!
//! Threads exchange their results cache line by cache line. How long this takes depends on the cores on which
//! the system lets them run, and a virtual machine can neither choose these cores nor find them out. A small
//! step can be faster on one thread than on two, and an hour later on two. So steps of about the same size are
//! [timed now and then](edb_kernels::choice), some with the present [number of threads](team_size) and some
//! with half or twice as many. In the same way, steps of all sizes are timed with and without
//! [packing](packing). The bits of results do not depend on these choices.

mod packing;
mod team_size;

use std::time::Duration;

use edb_kernels::choice::{Effort, TimedStep};
use packing::Packing;
use team_size::TeamSize;

/// Training steps with fewer multiplications in their forward pass begin with one thread. A second thread makes
/// them at most about 5 % faster, and up to twice as slow if its core shares no cache with the core of the
/// first.
const MIN_MULTIPLICATIONS_FOR_THREADS: usize = 1 << 21;

/// The choice for a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) threads: usize,
    /// Whether weights are packed for products of few rows, too.
    pub(super) packs: bool,
}

/// Makes the choices for steps of all sizes.
#[derive(Debug)]
pub(super) struct Choices {
    /// How many threads there are.
    most: usize,
    effort: Effort,
    /// The number of threads for each [size](size_of_step) of step that has occurred.
    sizes: Vec<(u32, TeamSize)>,
    packing: Packing,
    /// The step that runs, and whether it trains.
    step: Option<(TimedStep, bool)>,
    /// A step that is [set aside](Self::set_aside), and the number of threads that it uses.
    aside: Option<(Option<(TimedStep, bool)>, usize)>,
}

/// A number for the size of a step. Steps of the same size have about the same number of multiplications, and
/// either all train or none does.
fn size_of_step(work: usize, trains: bool) -> u32 {
    2 * work.max(1).ilog2() + u32::from(trains)
}

impl Choices {
    /// Choices for a back end with this many threads. With `EDB_TRIALS=always` in the environment, the choice
    /// changes every other step. A test uses this, since no bit may depend on the choice.
    pub(super) fn new(most: usize) -> Self {
        let always = std::env::var_os("EDB_TRIALS").is_some_and(|how| how == "always");
        Self::with(most, if always { Effort::RESTLESS } else { Effort::USUAL })
    }

    fn with(most: usize, effort: Effort) -> Self {
        Self {
            most,
            effort,
            sizes: Vec::new(),
            packing: Packing::default(),
            step: None,
            aside: None,
        }
    }

    /// Ends the previous step, begins a step with `work` multiplications, and returns the choice for it. `now`
    /// is the time of any clock.
    pub(super) fn begin(&mut self, work: usize, trains: bool, now: Duration) -> Choice {
        self.aside = None;
        if self.most == 1 {
            // One thread reads whole lines, which is as fast as panels.
            return Choice { threads: 1, packs: false };
        }
        if let Some((step, trains)) = self.step.take() {
            self.sizes[step.size].1.end(&step, self.effort, now);
            if trains {
                self.packing.end(&step, self.effort, now);
            }
        }
        let size = self.place_of(work, trains);
        // Only one trial runs at a time, since a trial of packing uses steps of all sizes.
        let may_try = trains && !self.sizes[size].1.tries();
        let (packs, is_timed) = self.packing.begin(now, may_try);
        let is_free = !trains || !self.packing.tries();
        if !is_free {
            self.sizes.iter_mut().for_each(|(_, of_size)| of_size.give_up());
        }
        let (threads, is_timed_too) = self.sizes[size].1.begin(self.most, now, is_free);
        let time = ((trains && is_timed) || is_timed_too).then_some(Duration::ZERO);
        let step = TimedStep { size, work: work.max(1) as f64, begun: now, time };
        self.step = Some((step, trains));
        Choice { threads, packs }
    }

    /// The place of a step's size in `sizes`; a new size is added.
    fn place_of(&mut self, work: usize, trains: bool) -> usize {
        let size = size_of_step(work, trains);
        let known = self.sizes.iter().position(|(known, _)| *known == size);
        known.unwrap_or_else(|| {
            let threads =
                if trains && work < MIN_MULTIPLICATIONS_FOR_THREADS { 1 } else { self.most };
            self.sizes.push((size, TeamSize::new(threads)));
            self.sizes.len() - 1
        })
    }

    /// Sets the present step aside, which uses `threads` threads, and returns the number of threads for other
    /// work of another size. This other work does not belong to the step, and is not timed.
    pub(super) fn set_aside(&mut self, work: usize, threads: usize) -> usize {
        self.aside = Some((self.step.take(), threads));
        let size = self.place_of(work, true);
        self.sizes[size].1.threads()
    }

    /// Continues the step that was set aside, and returns how many threads it uses.
    pub(super) fn go_on(&mut self) -> Option<usize> {
        let (step, threads) = self.aside.take()?;
        self.step = step;
        Some(threads)
    }

    /// Whether the present step is to be timed.
    pub(super) fn is_timed(&self) -> bool {
        self.step.as_ref().is_some_and(|(step, _)| step.time.is_some())
    }

    /// Adds the time of a part of the present step.
    pub(super) fn add(&mut self, time: Duration) {
        if let Some((TimedStep { time: Some(sum), .. }, _)) = &mut self.step {
            *sum += time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs steps with `work` multiplications until this time in seconds. `time` returns how many microseconds
    /// a step takes with a number of threads. Returns the mean time of the steps, and the numbers of threads of
    /// the steps in the last tenth of the time.
    fn run(
        sizes: &mut Choices,
        clock: &mut Duration,
        until: f64,
        work: usize,
        time: impl Fn(usize, u64) -> f64,
    ) -> (f64, Vec<usize>) {
        let (start, mut spent, mut last) = (clock.as_secs_f64(), 0.0, Vec::new());
        let mut number = 0;
        while clock.as_secs_f64() < until {
            let Choice { threads, .. } = sizes.begin(work, true, *clock);
            let step = Duration::from_secs_f64(time(threads, number) * 1e-6);
            if sizes.is_timed() {
                sizes.add(step / 4);
                sizes.add(step / 4 * 3);
            }
            *clock += step;
            spent += step.as_secs_f64();
            number += 1;
            if clock.as_secs_f64() > until - (until - start) / 10.0 {
                last.push(threads);
            }
        }
        (spent / number as f64 * 1e6, last)
    }

    fn share_of(threads: usize, last: &[usize]) -> f64 {
        last.iter().filter(|&&used| used == threads).count() as f64 / last.len() as f64
    }

    #[test]
    fn threads_that_make_steps_slower_are_left_out_and_taken_back() {
        let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
        // Times vary by a tenth.
        let vary = |time: f64, number: u64| time * (1.0 + (number * 7 % 11) as f64 / 100.0);
        let near = |threads: usize, number| vary([1000.0, 550.0][threads - 1], number);
        let apart = |threads: usize, number| vary([1000.0, 1400.0][threads - 1], number);
        let (mean, last) = run(&mut sizes, &mut clock, 10.0, MIN_MULTIPLICATIONS_FOR_THREADS, near);
        assert!(mean < 1.01 * 1.05 * 550.0, "{mean}");
        assert!(share_of(2, &last) > 0.98);
        let (mean, last) =
            run(&mut sizes, &mut clock, 20.0, MIN_MULTIPLICATIONS_FOR_THREADS, apart);
        assert!(mean < 1.05 * 1.05 * 1000.0, "{mean}");
        assert!(share_of(1, &last) > 0.95);
        let (_, last) = run(&mut sizes, &mut clock, 30.0, MIN_MULTIPLICATIONS_FOR_THREADS, near);
        assert!(share_of(2, &last) > 0.98);
    }

    #[test]
    fn small_steps_begin_with_one_thread_and_take_more_where_these_gain() {
        for (time_of_two, at_the_end) in [(140.0, 1), (97.0, 1), (80.0, 2)] {
            let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
            let time = |threads: usize, _| [100.0, time_of_two][threads - 1];
            let (_, first) =
                run(&mut sizes, &mut clock, 0.01, MIN_MULTIPLICATIONS_FOR_THREADS / 2, time);
            assert_eq!(share_of(1, &first), 1.0);
            let (_, last) =
                run(&mut sizes, &mut clock, 2.0, MIN_MULTIPLICATIONS_FOR_THREADS / 2, time);
            assert!(share_of(at_the_end, &last) > 0.9, "{time_of_two}");
        }
    }

    #[test]
    fn the_best_of_many_numbers_is_found() {
        for best in [1_usize, 2, 4, 8, 16, 24] {
            let (mut sizes, mut clock) = (Choices::new(24), Duration::ZERO);
            // Half of the best number of threads takes twice the time, and so does twice the best number.
            let time = |threads: usize, _| {
                let ratio = threads as f64 / best as f64;
                100.0 * ratio.max(1.0 / ratio)
            };
            let (_, last) =
                run(&mut sizes, &mut clock, 10.0, MIN_MULTIPLICATIONS_FOR_THREADS, time);
            // Beginning with 24, numbers are halved and doubled.
            let nearest = [24_usize, 12, 6, 3, 1];
            let nearest = nearest.into_iter().min_by(|a, b| time(*a, 0).total_cmp(&time(*b, 0)));
            let used = share_of(nearest.unwrap(), &last);
            assert!(used > 0.8, "{best}: {used}");
        }
    }

    /// A step that was interrupted once does not make further steps run with fewer threads for long.
    #[test]
    fn a_mistake_is_noticed_soon() {
        let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
        let time = |threads: usize, number: u64| match number % 1000 {
            0 => 8000.0,
            _ => [1000.0, 550.0][threads - 1],
        };
        let (mean, _) = run(&mut sizes, &mut clock, 30.0, MIN_MULTIPLICATIONS_FOR_THREADS, time);
        assert!(mean < 1.03 * 558.0, "{mean}");
    }

    #[test]
    fn restless_choices_change_all_there_is() {
        let (mut choices, mut clock) = (Choices::with(2, Effort::RESTLESS), Duration::ZERO);
        let (mut threads, mut packs) = (std::collections::BTreeSet::new(), [false; 2]);
        for _ in 0..20 {
            let choice = choices.begin(MIN_MULTIPLICATIONS_FOR_THREADS, true, clock);
            threads.insert(choice.threads);
            packs[usize::from(choice.packs)] = true;
            choices.add(Duration::from_millis(1));
            clock += Duration::from_millis(1);
        }
        assert_eq!((threads.len(), packs), (2, [true; 2]));
    }

    /// Other work that runs while a small step is set aside has its own number of threads, and its time does
    /// not count.
    #[test]
    fn what_is_beside_a_step_has_threads_by_its_own_size() {
        let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
        let time = |threads: usize, _| [100.0, 140.0][threads - 1];
        run(&mut sizes, &mut clock, 2.0, MIN_MULTIPLICATIONS_FOR_THREADS / 2, time);
        loop {
            let Choice { threads, .. } =
                sizes.begin(MIN_MULTIPLICATIONS_FOR_THREADS / 2, true, clock);
            clock += Duration::from_micros(100);
            assert_eq!(sizes.set_aside(MIN_MULTIPLICATIONS_FOR_THREADS, threads), 2);
            let was_timed = sizes.is_timed();
            sizes.add(Duration::from_secs(1));
            assert_eq!((was_timed, sizes.go_on()), (false, Some(threads)));
            if sizes.is_timed() {
                let (step, _) = sizes.step.as_ref().unwrap();
                assert_eq!((step.time, threads), (Some(Duration::ZERO), 1));
                break;
            }
            assert_eq!(sizes.set_aside(MIN_MULTIPLICATIONS_FOR_THREADS / 2, 2), 1);
            assert_eq!((sizes.go_on(), sizes.go_on()), (Some(2), None));
        }
    }

    /// If reading lines is slow, weights are packed soon, and as long as packing is faster.
    #[test]
    fn weights_are_packed_where_steps_are_faster_for_it() {
        let (mut choices, mut clock) = (Choices::new(2), Duration::ZERO);
        let mut packs_of_last = |steps: usize, trains: bool, time: [f64; 2]| {
            let mut packs = 0;
            for number in 0..2 * steps {
                // Steps of three sizes, in turns.
                let choice =
                    choices.begin(MIN_MULTIPLICATIONS_FOR_THREADS << (number % 3), trains, clock);
                let vary = 1.0 + (number * 7 % 11) as f64 / 100.0;
                let of_step = [2.0, 1.0][choice.threads - 1] * (1 + number % 3) as f64;
                let micros = time[usize::from(choice.packs)] * of_step * vary;
                choices.add(Duration::from_secs_f64(micros * 1e-6));
                clock += Duration::from_secs_f64(micros * 1e-6);
                packs += usize::from(number >= steps && choice.packs);
            }
            packs as f64 / steps as f64
        };
        assert!(packs_of_last(50, true, [1000.0, 800.0]) > 0.9);
        assert!(packs_of_last(5000, true, [1000.0, 800.0]) > 0.98);
        assert!(packs_of_last(5000, true, [1000.0, 1200.0]) < 0.02);
        assert_eq!(packs_of_last(500, false, [1000.0, 800.0]), 0.0);
    }

    /// Long steps are not tried with fewer threads before many of them have run.
    #[test]
    fn long_steps_are_tried_late() {
        let (mut sizes, mut clock) = (Choices::new(4), Duration::ZERO);
        let (_, used) =
            run(&mut sizes, &mut clock, 7.0, MIN_MULTIPLICATIONS_FOR_THREADS, |_, _| 20_000.0);
        assert_eq!(share_of(4, &used), 1.0);
    }

    /// If moving weights takes most of the time, steps with few multiplications take as long as steps with
    /// many.
    #[test]
    fn steps_that_differ_are_timed_more_often() {
        let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
        let (mut steps, mut alone) = (0, 0);
        while clock < Duration::from_secs(40) {
            let work = MIN_MULTIPLICATIONS_FOR_THREADS + ((steps * 7919 % 1000) << 11);
            let Choice { threads, .. } = sizes.begin(work, true, clock);
            let step = Duration::from_micros([8000, 5000][threads - 1]);
            sizes.add(step);
            clock += step;
            steps += 1;
            alone += usize::from(threads == 1);
        }
        assert!(alone * 100 < steps, "{alone} of {steps}");
    }

    #[test]
    fn steps_of_other_sizes_have_numbers_of_their_own() {
        let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
        let mut used = [[0; 3]; 2];
        for number in 0..40_000 {
            let small = number % 2 == 0;
            let work = if small { 1 << 10 } else { MIN_MULTIPLICATIONS_FOR_THREADS };
            let Choice { threads, .. } = sizes.begin(work, true, clock);
            let micros = if small { [50, 80] } else { [500, 300] }[threads - 1];
            sizes.add(Duration::from_micros(micros));
            clock += Duration::from_micros(micros);
            used[usize::from(!small)][threads] += 1;
        }
        assert!(used[0][1] > 19_000 && used[1][2] > 19_000, "{used:?}");
    }
}
