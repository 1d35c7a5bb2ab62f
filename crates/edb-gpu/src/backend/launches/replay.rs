//! Replays: the launches of a phase, recorded once and run again with other arguments.
//!
//! A recording is a pattern, repeated. It depends on the model and on two numbers, rounded up: the
//! repetitions of the pattern, and the maximum rows of a batch. The data of a minibatch is in the
//! recording's table, which is uploaded before each run: one line per launch, with a flag for
//! whether it runs or is idle, and its arguments.

use std::sync::Arc;

use edb_ir::Phase;

use super::launcher::{Cue, Notes};
use super::pattern::{bucket, covers, merged, places};
use crate::driver::{DeviceMemory, Driver, Launch, LaunchShape, Recording};
use crate::error::GpuError;

/// The maximum launches of a recording: longer phases are replayed in parts.
const MOST_LAUNCHES: usize = 2048;
/// The maximum launches of all cached recordings together.
const MOST_CACHED: usize = 1 << 16;
/// The maximum number of cached patterns.
const MOST_PATTERNS: usize = 32;

/// What a pattern belongs to: a model, a phase, and whether it is in training.
pub(super) type PatternOwner = (u64, Phase, bool);

/// The cached patterns and recordings, most recently used first.
#[derive(Debug)]
pub(crate) struct Replays {
    driver: Arc<dyn Driver>,
    patterns: Vec<(PatternOwner, Vec<Cue>)>,
    recorded: Vec<Recorded>,
    /// The buffer for a table.
    words: Vec<u64>,
}

/// A recorded pattern, repeated `turns` times.
#[derive(Debug)]
struct Recorded {
    driver: Arc<dyn Driver>,
    pattern: Vec<Cue>,
    shapes: Vec<LaunchShape>,
    turns: usize,
    recording: Recording,
    /// The table from which its launches read their arguments.
    table: DeviceMemory,
}

impl Recorded {
    fn launches(&self) -> usize {
        self.pattern.len() * self.turns
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        self.driver.forget(self.recording);
    }
}

/// The words of a launch in a table: whether it runs, and its arguments.
fn line(cue: &Cue) -> usize {
    1 + cue.arguments
}

impl Replays {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        let driver = Arc::clone(driver);
        Self { driver, patterns: Vec::new(), recorded: Vec::new(), words: Vec::new() }
    }

    /// Runs the noted launches.
    pub(crate) fn play(&mut self, part: PatternOwner, notes: &Notes) -> Result<(), GpuError> {
        let Some(rows) = notes.launches.iter().map(|noted| noted.rows).max() else {
            return Ok(());
        };
        let pattern = self.pattern(part, notes);
        let shape = |cue: &Cue| cue.blocks.shape_up_to(rows.next_power_of_two());
        let shapes: Vec<LaunchShape> = pattern.iter().map(shape).collect();
        let places = places(&pattern, notes.launches.iter().map(|noted| noted.cue));
        let most = (MOST_LAUNCHES / pattern.len()).max(1);
        let mut done = 0;
        while done < places.len() {
            let first = places[done] / pattern.len();
            let end = places.partition_point(|place| place / pattern.len() < first + most);
            let turns = places[end - 1] / pattern.len() - first + 1;
            self.recorded(&pattern, &shapes, bucket(turns).min(most))?;
            self.run(notes, done..end, &places[done..end], first)?;
            done = end;
        }
        Ok(())
    }

    /// The pattern of a part, extended to cover each batch of the notes.
    fn pattern(&mut self, part: PatternOwner, notes: &Notes) -> Vec<Cue> {
        match self.patterns.iter().position(|(known, _)| *known == part) {
            Some(position) => self.patterns[..=position].rotate_right(1),
            None => self.patterns.insert(0, (part, Vec::new())),
        }
        self.patterns.truncate(MOST_PATTERNS);
        let pattern = &mut self.patterns[0].1;
        let mut start = 0;
        for &end in &notes.ends {
            let batch: Vec<Cue> =
                notes.launches[start..end].iter().map(|noted| noted.cue).collect();
            if !covers(pattern, &batch) {
                *pattern = merged(pattern, &batch);
            }
            start = end;
        }
        pattern.clone()
    }

    /// Moves the recording of `turns` repetitions of a pattern to the front; records it if there is
    /// none.
    fn recorded(
        &mut self,
        pattern: &[Cue],
        shapes: &[LaunchShape],
        turns: usize,
    ) -> Result<(), GpuError> {
        let same = |recorded: &Recorded| {
            recorded.turns == turns && recorded.pattern == pattern && recorded.shapes == shapes
        };
        if let Some(position) = self.recorded.iter().position(same) {
            self.recorded[..=position].rotate_right(1);
            return Ok(());
        }
        let mut table = DeviceMemory::new(&self.driver);
        let words: usize = pattern.iter().map(line).sum();
        table.reserve(turns * words * 8)?;
        let mut launches = Vec::with_capacity(turns * pattern.len());
        let mut address = table.address();
        for _ in 0..turns {
            for (cue, shape) in pattern.iter().zip(shapes) {
                launches.push(Launch { kernel: cue.kernel, shape: *shape, words: address });
                address += line(cue) as u64 * 8;
            }
        }
        let recording = self.driver.record(&launches)?;
        let (pattern, shapes) = (pattern.to_vec(), shapes.to_vec());
        let driver = Arc::clone(&self.driver);
        self.recorded.insert(0, Recorded { driver, pattern, shapes, turns, recording, table });
        let mut launches = 0;
        self.recorded.retain(|recorded| {
            launches += recorded.launches();
            launches == recorded.launches() || launches <= MOST_CACHED
        });
        Ok(())
    }

    /// Runs a range of the noted launches by the recording at the front; `first` is the pattern
    /// repetition at which the range starts.
    fn run(
        &mut self,
        notes: &Notes,
        launches: std::ops::Range<usize>,
        places: &[usize],
        first: usize,
    ) -> Result<(), GpuError> {
        let recorded = &self.recorded[0];
        let mut starts = Vec::with_capacity(recorded.pattern.len());
        let mut turn_words = 0;
        for cue in &recorded.pattern {
            starts.push(turn_words);
            turn_words += line(cue);
        }
        self.words.clear();
        self.words.resize(recorded.turns * turn_words, 0);
        for (noted, place) in notes.launches[launches].iter().zip(places) {
            let (turn, position) = (place / starts.len() - first, place % starts.len());
            let line = &mut self.words[turn * turn_words + starts[position]..];
            line[0] = 1;
            line[1..=noted.words.len()].copy_from_slice(&notes.words[noted.words.clone()]);
        }
        self.driver.upload(bytemuck::cast_slice(&self.words), recorded.table.address())?;
        self.driver.replay(recorded.recording)
    }
}
