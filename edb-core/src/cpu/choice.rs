//! How many threads a step uses, and whether it packs weights that it could read where they lie:
//! whatever makes it fastest, which is found by trying.
//!
//! Threads exchange what they have computed, cache line by cache line. How long that takes depends
//! on where the system lets them run, which a virtual machine neither chooses nor is told: a small
//! step can be faster on one thread than on two, and an hour later it is not. Threads that read
//! weights where they lie read a part of each [line](super::lines), which one processor fetches as
//! fast as panels, and another at half the speed. So steps of about the same size are timed now and
//! then, some as they are and some with another choice. The bits of results do not depend on it.

use std::time::Duration;

use crate::trace;

/// What is chosen for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) threads: usize,
    /// Whether weights are packed for products of few rows, too.
    pub(super) packs: bool,
}

/// What one trial changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Packs,
    Threads,
}

const KINDS: [Kind; 2] = [Kind::Packs, Kind::Threads];

/// How much is tried.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// A trial may cost one part in so many of the time. The first one of threads begins after so
    /// many times the length of a step.
    patience: u32,
    /// The same for the first trial of packing, which matters from the first step on where it does.
    first: u32,
    /// A trial follows another after so many times the time that steps with the other choice took,
    /// at the earliest, also when it cost nothing.
    pause: u32,
    /// At least so many steps are timed, for at least so long.
    steps: u32,
    time: Duration,
}

impl Default for Effort {
    fn default() -> Self {
        Self { patience: 400, first: 3, pause: 20, steps: 3, time: Duration::from_millis(2) }
    }
}

/// More steps are timed until the standard error of their mean is this part of it, or there are
/// [many](MANY_STEPS): the time of a multiplication differs from step to step, above all where
/// weights are moved for a few rows.
const ERROR: f64 = 0.03;
/// See [`ERROR`].
const MANY_STEPS: u32 = 32;
/// Another choice has to be this much faster: times of equal steps vary.
const GAIN: f64 = 1.05;
/// Training steps with fewer multiplications in their forward pass begin with one thread. A second
/// one gains about 5 % in them at most, and makes them take up to twice as long where its core shares
/// no cache with that of the first.
const SMALL: usize = 1 << 21;

/// The choices for steps of all sizes.
#[derive(Debug)]
pub(super) struct Choices {
    /// How many threads there are.
    most: usize,
    effort: Effort,
    /// One for each [size](size_of_step) of a step that has been seen.
    sizes: Vec<(u32, OfSize)>,
    /// The step that runs.
    step: Option<Step>,
}

#[derive(Debug)]
struct Step {
    /// Its place among the sizes, and (`work`) the number of multiplications.
    size: usize,
    work: f64,
    begun: Duration,
    /// How long its phases and its update have taken, if they are timed.
    timed: Option<Duration>,
}

/// The choice for steps of about one size.
#[derive(Debug)]
struct OfSize {
    choice: Choice,
    trains: bool,
    /// When the next trial of each kind begins; unknown before the first step has ended.
    next: Option<[Duration; KINDS.len()]>,
    trial: Option<Trial>,
    /// Whether the last trial of threads was with more of them.
    was_more: bool,
}

/// Some steps with one choice, then some with another.
#[derive(Debug)]
struct Trial {
    kind: Kind,
    other: Choice,
    /// What was measured with the present choice, then with the other.
    measured: [Measured; 2],
    /// Which of the two is measured, and whether a first step, which wakes threads up and fills
    /// their caches, has been run for it.
    at: usize,
    is_warm: bool,
}

/// Times of steps.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    steps: u32,
    time: Duration,
    /// The multiplications of all.
    work: f64,
    /// The sum of the seconds that a multiplication took in each step, and (`squares`) that of their
    /// squares.
    sum: f64,
    squares: f64,
}

impl Measured {
    fn add(&mut self, time: Duration, work: f64) {
        let cost = time.as_secs_f64() / work;
        self.steps += 1;
        self.time += time;
        self.work += work;
        self.sum += cost;
        self.squares += cost * cost;
    }

    /// The standard error of the [cost](Self::cost).
    fn error(&self) -> f64 {
        let steps = f64::from(self.steps);
        let variance = (self.squares - self.sum * self.sum / steps) / (steps - 1.0).max(1.0);
        (variance.max(0.0) / steps).sqrt()
    }

    fn is_enough(&self, effort: Effort) -> bool {
        let is_known = self.steps >= effort.steps && self.error() <= ERROR * self.cost();
        self.steps >= MANY_STEPS || (is_known && self.time >= effort.time)
    }

    /// Whether enough is known to say that another choice is slower than this one, or faster.
    fn differs(&self, other: &Self, effort: Effort) -> bool {
        let error = self.error().hypot(other.error());
        let [own, other_cost] = [self, other].map(Self::cost);
        let is_clear = other_cost > own || own > GAIN * other_cost;
        is_clear && other.steps >= effort.steps && (other_cost - own).abs() > 2.0 * error
    }

    /// The seconds that a multiplication takes, in the mean of the steps.
    fn cost(&self) -> f64 {
        self.sum / f64::from(self.steps)
    }
}

/// Steps of about the same size have about the same number of multiplications, and are alike in
/// whether they train.
fn size_of_step(work: usize, trains: bool) -> u32 {
    2 * work.max(1).ilog2() + u32::from(trains)
}

impl Choices {
    /// For so many threads.
    pub(super) fn new(most: usize) -> Self {
        Self { most, effort: Effort::default(), sizes: Vec::new(), step: None }
    }

    /// The same, but the choice changes every other step.
    #[cfg(test)]
    pub(super) fn restless(most: usize) -> Self {
        let effort = Effort { patience: 0, first: 0, pause: 0, steps: 1, time: Duration::ZERO };
        Self { effort, ..Self::new(most) }
    }

    /// Ends the step before, and begins one of so many multiplications at a time of any clock;
    /// returns what is chosen for it.
    pub(super) fn begin(&mut self, work: usize, trains: bool, now: Duration) -> Choice {
        if self.most == 1 {
            return Choice { threads: 1, packs: false };
        }
        if let Some(step) = self.step.take() {
            self.sizes[step.size].1.end(&step, self.effort, now);
        }
        let size = size_of_step(work, trains);
        let known = self.sizes.iter().position(|(known, _)| *known == size);
        let size = known.unwrap_or_else(|| {
            let threads = if trains && work < SMALL { 1 } else { self.most };
            self.sizes.push((size, OfSize::new(threads, trains)));
            self.sizes.len() - 1
        });
        let (choice, is_timed) = self.sizes[size].1.begin(self.most, now);
        let timed = is_timed.then_some(Duration::ZERO);
        self.step = Some(Step { size, work: work.max(1) as f64, begun: now, timed });
        choice
    }

    /// Whether the present step is to be timed.
    pub(super) fn is_timed(&self) -> bool {
        self.step.as_ref().is_some_and(|step| step.timed.is_some())
    }

    /// Takes the time of a part of the present step.
    pub(super) fn add(&mut self, time: Duration) {
        if let Some(Step { timed: Some(sum), .. }) = &mut self.step {
            *sum += time;
        }
    }
}

impl OfSize {
    fn new(threads: usize, trains: bool) -> Self {
        let choice = Choice { threads, packs: false };
        Self { choice, trains, next: None, trial: None, was_more: false }
    }

    /// What is chosen for the next step, and whether it is timed.
    fn begin(&mut self, most: usize, now: Duration) -> (Choice, bool) {
        if let (None, Some(next)) = (&self.trial, self.next) {
            let [packs, threads] = next;
            // Without training, weights are packed once. One thread reads whole lines.
            let may_pack = self.trains && self.choice.threads > 1;
            let kind = if may_pack && packs <= threads { Kind::Packs } else { Kind::Threads };
            if now >= next[kind as usize] {
                let other = self.other(kind, most);
                let measured = [Measured::default(); 2];
                self.trial = Some(Trial { kind, other, measured, at: 0, is_warm: true });
            }
        }
        match &self.trial {
            Some(trial) => ([self.choice, trial.other][trial.at], trial.is_warm),
            None => (self.choice, false),
        }
    }

    /// What a trial compares the present choice with.
    fn other(&mut self, kind: Kind, most: usize) -> Choice {
        let Choice { threads, packs } = self.choice;
        match kind {
            Kind::Packs => Choice { threads, packs: !packs },
            Kind::Threads => {
                // Twice as many and half as many, in turns where there are both.
                self.was_more = threads < most && (threads == 1 || !self.was_more);
                let threads = if self.was_more { most.min(2 * threads) } else { threads / 2 };
                Choice { threads, packs }
            }
        }
    }

    /// Takes a step that has ended.
    fn end(&mut self, step: &Step, effort: Effort, now: Duration) {
        if self.next.is_none() {
            let length = now - step.begun;
            self.next = Some([now + effort.first * length, now + effort.patience * length]);
        }
        let Some(trial) = &mut self.trial else { return };
        let Some(time) = step.timed else {
            trial.is_warm = true;
            return;
        };
        let measured = &mut trial.measured[trial.at];
        measured.add(time, step.work);
        let is_enough = measured.is_enough(effort);
        let [own, other] = trial.measured;
        match trial.at {
            0 if is_enough => (trial.at, trial.is_warm) = (1, false),
            1 if is_enough || own.differs(&other, effort) => self.decide(own, other, effort, now),
            _ => {}
        }
    }

    /// Ends a trial.
    fn decide(&mut self, own: Measured, other: Measured, effort: Effort, now: Duration) {
        let Some(trial) = self.trial.take() else { return };
        let mut pause = effort.pause * other.time;
        if own.cost() > GAIN * other.cost() {
            let Choice { threads, packs } = trial.other;
            let what = "steps of this size are faster with another choice";
            tracing::debug!(target: trace::TARGET, threads, packs, instead_of = ?self.choice, "{what}");
            // Another program may have interfered: it is tried again soon.
            self.choice = trial.other;
        } else {
            // With the step that was not timed.
            let work = other.work * f64::from(other.steps + 1) / f64::from(other.steps);
            let loss = (other.cost() - own.cost()).max(0.0) * work;
            pause = pause.max(effort.patience * Duration::from_secs_f64(loss));
        }
        if let Some(next) = &mut self.next {
            next[trial.kind as usize] = now + pause;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs steps on a machine on which a step takes so many microseconds with a number of threads,
    /// until this time in seconds; each has so many multiplications. Returns what the steps took, and
    /// the numbers of threads of those in the last tenth.
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
        let (mean, last) = run(&mut sizes, &mut clock, 10.0, SMALL, near);
        assert!(mean < 1.01 * 1.05 * 550.0, "{mean}");
        assert!(share_of(2, &last) > 0.98);
        let (mean, last) = run(&mut sizes, &mut clock, 20.0, SMALL, apart);
        assert!(mean < 1.05 * 1.05 * 1000.0, "{mean}");
        assert!(share_of(1, &last) > 0.95);
        let (_, last) = run(&mut sizes, &mut clock, 30.0, SMALL, near);
        assert!(share_of(2, &last) > 0.98);
    }

    #[test]
    fn small_steps_begin_with_one_thread_and_take_more_where_these_gain() {
        for (time_of_two, at_the_end) in [(140.0, 1), (97.0, 1), (80.0, 2)] {
            let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
            let time = |threads: usize, _| [100.0, time_of_two][threads - 1];
            let (_, first) = run(&mut sizes, &mut clock, 0.01, SMALL / 2, time);
            assert_eq!(share_of(1, &first), 1.0);
            let (_, last) = run(&mut sizes, &mut clock, 2.0, SMALL / 2, time);
            assert!(share_of(at_the_end, &last) > 0.9, "{time_of_two}");
        }
    }

    #[test]
    fn the_best_of_many_numbers_is_found() {
        for best in [1_usize, 2, 4, 8, 16, 24] {
            let (mut sizes, mut clock) = (Choices::new(24), Duration::ZERO);
            // Half of the best number has twice its time, and so has twice the number.
            let time = |threads: usize, _| {
                let ratio = threads as f64 / best as f64;
                100.0 * ratio.max(1.0 / ratio)
            };
            let (_, last) = run(&mut sizes, &mut clock, 10.0, SMALL, time);
            // Numbers are halved and doubled from 24 on.
            let nearest = [24_usize, 12, 6, 3, 1];
            let nearest = nearest.into_iter().min_by(|a, b| time(*a, 0).total_cmp(&time(*b, 0)));
            let used = share_of(nearest.unwrap(), &last);
            assert!(used > 0.8, "{best}: {used}");
        }
    }

    /// Steps that are interrupted once are not run with fewer threads for long.
    #[test]
    fn a_mistake_is_noticed_soon() {
        let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
        let time = |threads: usize, number: u64| match number % 1000 {
            0 => 8000.0,
            _ => [1000.0, 550.0][threads - 1],
        };
        let (mean, _) = run(&mut sizes, &mut clock, 30.0, SMALL, time);
        assert!(mean < 1.03 * 558.0, "{mean}");
    }

    /// Where lines are read slowly, weights are packed from the first steps on, and as long as that
    /// is faster.
    #[test]
    fn weights_are_packed_where_steps_are_faster_for_it() {
        let (mut choices, mut clock) = (Choices::new(2), Duration::ZERO);
        let mut packs_of_last = |steps: usize, trains: bool, time: [f64; 2]| {
            let mut packs = 0;
            for number in 0..2 * steps {
                let choice = choices.begin(SMALL, trains, clock);
                let vary = 1.0 + (number * 7 % 11) as f64 / 100.0;
                let of_threads = [2.0, 1.0][choice.threads - 1];
                let micros = time[usize::from(choice.packs)] * of_threads * vary;
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

    /// A step that takes long is not tried with fewer threads before many have run.
    #[test]
    fn long_steps_are_tried_late() {
        let (mut sizes, mut clock) = (Choices::new(4), Duration::ZERO);
        let (_, used) = run(&mut sizes, &mut clock, 7.0, SMALL, |_, _| 20_000.0);
        assert_eq!(share_of(4, &used), 1.0);
    }

    /// Where moving weights takes most of the time, a step of few multiplications takes as long as
    /// one of many.
    #[test]
    fn steps_that_differ_are_timed_more_often() {
        let (mut sizes, mut clock) = (Choices::new(2), Duration::ZERO);
        let (mut steps, mut alone) = (0, 0);
        while clock < Duration::from_secs(40) {
            let work = SMALL + ((steps * 7919 % 1000) << 11);
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
            let work = if small { 1 << 10 } else { SMALL };
            let Choice { threads, .. } = sizes.begin(work, true, clock);
            let micros = if small { [50, 80] } else { [500, 300] }[threads - 1];
            sizes.add(Duration::from_micros(micros));
            clock += Duration::from_micros(micros);
            used[usize::from(!small)][threads] += 1;
        }
        assert!(used[0][1] > 19_000 && used[1][2] > 19_000, "{used:?}");
    }
}
