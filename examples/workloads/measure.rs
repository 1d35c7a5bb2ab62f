//! Times a workload end to end, from records to updated parameters.

use std::time::{Duration, Instant};

use clap::ValueEnum;
use edb::engine::{Ceilings, GrowingGraph, StepReport};
use edb::machine::fma_peak;
use edb::prelude::*;
use edb::schedule::{Encoding, LearnOptions, Learner, lower_bound};
use edb::testing::TestBuilder;
use edb_compiler::{Options, replan};
use serde::Serialize;

use crate::moving::{Moving, timed};
use crate::report::Row;
use crate::workload::{Grown, Loaded, Workload};
use support::{Result, device};

/// The number of instances per pass (fewer in tests), and that if a minibatch is one instance.
pub const INSTANCES: usize = if cfg!(test) { 16 } else { 256 };
const SINGLE_INSTANCES: usize = INSTANCES / 4;

/// The warm-up is a pass, and so many minibatches at least: the default policy learns on the first four.
const WARM_UP: usize = 5;

/// After this time, the warm-up ends before its pass does.
const LONG_WARM_UP: Duration = Duration::from_secs(2);

/// After this time, no further pass is timed, however few there were.
const LONG: Duration = Duration::from_secs(10);

/// Forward only, or a training step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Forward, losses included
    Infer,
    /// Forward, backward and the update of plain gradient descent
    Train,
}

/// The settings of a measurement.
#[derive(Clone, Debug)]
pub struct Setting {
    pub mode: Mode,
    pub hidden: usize,
    pub batch: usize,
    pub threads: usize,
    /// The device, in the format of `--device`.
    pub device: String,
    /// The minimum number of timed passes, unless they take long.
    pub passes: usize,
    /// The minimum time of all timed passes together.
    pub time: Duration,
    pub seed: u64,
    /// The parts that are switched off.
    pub disable: Vec<Part>,
    pub policy: Scheduled,
}

/// By which policy minibatches are scheduled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Scheduled {
    /// What an engine does by itself
    #[default]
    Default,
    /// Level by level, whatever the types
    Depth,
    /// The type of least average depth first, as in DyNet
    Agenda,
    /// The type of which the greatest share is ready
    Sufficient,
    /// Provably right types first
    Heuristic,
    /// The finite state machine of ED-Batch, learned, with its states base, max or sort
    FsmBase,
    FsmMax,
    FsmSort,
    /// The machine whose states are found, learned
    Machine,
}

impl Scheduled {
    /// The name on the command line, unless it is the default.
    fn name(self) -> Option<String> {
        let value = self.to_possible_value().filter(|_| self != Self::Default);
        value.map(|value| value.get_name().into())
    }

    /// The policy. If it is learned, this is on the first minibatches of these records, as many as the default
    /// learns on.
    fn policy<W: Workload>(
        self,
        setting: &Setting,
        load: &Loaded<'_, W>,
        model: &Model,
        records: &[W::Record],
    ) -> Result<Policy> {
        let learner = match self {
            Self::Default => return Ok(Policy::Auto),
            Self::Depth => return Ok(Policy::Depth),
            Self::Agenda => return Ok(Policy::Agenda),
            Self::Sufficient => return Ok(Policy::Sufficient),
            Self::Heuristic => return Ok(Policy::Heuristic),
            Self::FsmBase => Learner::Fsm(Encoding::Base),
            Self::FsmMax => Learner::Fsm(Encoding::Max),
            Self::FsmSort => Learner::Fsm(Encoding::Sort),
            Self::Machine => Learner::Machine,
        };
        let engine = Engine::new();
        let minibatches = records.chunks(setting.batch).take(WARM_UP - 1);
        let samples = minibatches.map(|records| {
            let minibatch = model.minibatch(&load.graphs(model, records).0)?;
            Ok(engine.type_graph(model, &minibatch)?.0)
        });
        let samples = samples.collect::<Result<Vec<_>>>()?;
        let options = LearnOptions { learner, seed: setting.seed, ..LearnOptions::default() };
        Ok(Policy::learn_for(model.signature(), &samples, &options, &mut |_| ())?)
    }
}

/// What can be left out, to see what it gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Phases that run once over all vertices of a type (Cavs, figure 10)
    Lazy,
    /// Kernels of more than one op
    Fusion,
    /// The order of values in memory that spares copies (ED-Batch, table 2)
    Layout,
    /// Children's states that are read where they are
    Views,
    /// Kernels as compiled code: they are interpreted, as without any of the others
    Compiled,
}

impl Setting {
    /// Switches these parts off, for the functions that have been added.
    fn switch_off(&self, builder: &mut ModelBuilder) {
        let on = |part| !self.disable.contains(&part);
        let options = Options {
            lazy: on(Part::Lazy),
            fusion: on(Part::Fusion),
            layout: on(Part::Layout),
            views: on(Part::Views),
        };
        builder.replan(|plan| replan(plan, options));
        if !on(Part::Compiled) {
            builder.interpret_kernels();
        }
    }
}

/// One pass over all minibatches.
#[derive(Clone, Copy, Debug, Default)]
struct Pass {
    wall: Duration,
    construct: Duration,
    schedule: Duration,
    forward: Duration,
    backward: Duration,
    update: Duration,
    batches: usize,
    copied_bytes: u64,
    arena_bytes: usize,
    loss: f64,
}

impl Pass {
    fn add(&mut self, report: StepReport) {
        self.schedule += report.schedule;
        self.forward += report.forward;
        self.backward += report.backward;
        self.update += report.update;
        self.batches += report.batches;
        self.copied_bytes += report.copied_bytes;
        self.arena_bytes = self.arena_bytes.max(report.arena_bytes);
    }

    /// The time of all parts but construction.
    fn run_time(&self) -> Duration {
        self.schedule + self.forward + self.backward + self.update
    }

    fn infer(&mut self, run: Run<'_>) -> Result<()> {
        let sum = Instant::now();
        self.loss += run.loss()?;
        self.forward += sum.elapsed();
        self.add(run.report());
        Ok(())
    }
}

/// A model that runs over the minibatches of a workload.
struct Runner<'a, W: Workload> {
    load: Loaded<'a, W>,
    trainer: Trainer,
}

impl<W: Workload> Runner<'_, W> {
    /// Runs over all minibatches once, starting from the records.
    fn pass(&mut self, records: &[W::Record], batch: usize) -> Result<Pass> {
        let mut pass = Pass::default();
        let start = Instant::now();
        for records in records.chunks(batch) {
            match W::GROWS {
                true => self.grow(records, &mut pass)?,
                false => self.run(records, &mut pass)?,
            }
        }
        pass.wall = start.elapsed();
        Ok(pass)
    }

    /// Runs a minibatch whose graphs are known.
    fn run(&mut self, records: &[W::Record], pass: &mut Pass) -> Result<()> {
        let Self { load, trainer } = self;
        let construct = Instant::now();
        let minibatch = trainer.model().minibatch(&load.graphs(trainer.model(), records).0)?;
        pass.construct += construct.elapsed();
        match load.mode {
            Mode::Train => {
                pass.loss += trainer.step(&minibatch)?.loss;
                pass.add(trainer.report());
            }
            Mode::Infer => pass.infer(trainer.infer(&minibatch)?)?,
        }
        Ok(())
    }

    /// Runs a minibatch whose graphs grow. They are constructed in every round, so the time of that is
    /// what the run does not report.
    fn grow(&mut self, records: &[W::Record], pass: &mut Pass) -> Result<()> {
        let Self { load, trainer } = self;
        let (start, before) = (Instant::now(), pass.run_time());
        let (graphs, growing) = load.graphs(trainer.model(), records);
        let known = growing.into_iter().zip(records);
        let mut graphs: Vec<_> = graphs.into_iter().zip(known).collect();
        let turn = |g: &mut GrowingGraph<'_>, (growing, record): &mut (W::Growing, &W::Record)| {
            load.workload.turn(&load.functions, g, growing, record, load.mode);
        };
        match load.mode {
            Mode::Train => {
                let step = trainer.grow_each(&mut graphs, turn)?;
                pass.loss += step.loss;
                pass.add(step.report());
            }
            Mode::Infer => pass.add(trainer.grow_each_infer(&mut graphs, turn)?),
        }
        pass.construct += start.elapsed().saturating_sub(pass.run_time() - before);
        Ok(())
    }
}

/// Sums over minibatches that have grown.
#[derive(Clone, Copy, Debug, Default)]
struct Competed {
    rounds: usize,
    batches: usize,
    offline: usize,
}

/// The peak of the device, in GFLOP/s, and the bandwidth of a copy in GB/s, if the device measures
/// it. The CPU's peak is that of `threads` threads, for which it takes this time at most.
fn peak(device: &Device, threads: usize, time: Duration) -> Result<(f64, Option<f64>)> {
    Ok(match device.ceilings()? {
        Some(Ceilings { gflops, copy_gb_per_s }) => (gflops, Some(copy_gb_per_s)),
        None => (fma_peak(threads, time.min(Duration::from_millis(60))), None),
    })
}

/// The model of a workload, and what trains it.
fn runner<'a, W: Workload>(
    workload: &'a W,
    setting: &Setting,
    device: &Device,
    records: &[W::Record],
) -> Result<Runner<'a, W>> {
    if (W::GROWS || W::DECIDES) && setting.policy != Scheduled::Default {
        return Err("only a workload whose graphs are known beforehand has a --policy".into());
    }
    let mut builder = ModelBuilder::new();
    let functions = workload.functions(&mut builder, setting.hidden);
    setting.switch_off(&mut builder);
    let model = builder.build(setting.seed)?;
    let load = Loaded { workload, functions, mode: setting.mode };
    let policy = setting.policy.policy(setting, &load, &model, records)?;
    let engine = Engine::on(device)?.seed(setting.seed).policy(policy);
    let trainer = Trainer::new(model, Sgd::new(workload.learning_rate())).engine(engine);
    Ok(Runner { load, trainer })
}

/// Times a workload: after a warm-up, the pass with the median time.
pub fn measure<W: Workload>(name: &str, workload: &W, setting: &Setting) -> Result<Row> {
    let Setting { mode, hidden, batch, threads, .. } = *setting;
    let count = if batch == 1 { SINGLE_INSTANCES } else { INSTANCES };
    let records = workload.records();
    let records = &records[..records.len().min(count)];
    if records.is_empty() {
        return Err("there are no instances".into());
    }
    let device = device(&setting.device)?.threads(threads);
    let mut runner = runner(workload, setting, &device, records)?;

    let (before, copy) = peak(&device, threads, setting.time)?;
    let minibatches = records.len().div_ceil(batch);
    let start = Instant::now();
    for (number, records) in records.chunks(batch).cycle().enumerate() {
        if number >= WARM_UP && (number >= minibatches || start.elapsed() > LONG_WARM_UP) {
            break;
        }
        runner.pass(records, batch)?;
    }
    let mut passes = Vec::new();
    let start = Instant::now();
    while start.elapsed() < setting.time
        || (passes.len() < setting.passes && start.elapsed() < LONG)
    {
        passes.push(runner.pass(records, batch)?);
    }
    let (behind, again) = peak(&device, threads, setting.time)?;
    let peak = before.max(behind);
    passes.sort_by_key(|pass| pass.wall);
    let median = passes[passes.len() / 2];
    if !median.loss.is_finite() {
        return Err("a loss is not finite".into());
    }
    let moving = moving(setting, &mut runner, records)?;
    let Counted { bound, flops, competed } =
        counted(workload, setting, &device, &mut runner, records)?;
    let seconds = median.wall.as_secs_f64();
    let gflops = flops as f64 / seconds / 1e9;
    let of_minibatch = |sum: f64| sum / minibatches as f64;
    let ms = |part: Duration| of_minibatch(part.as_secs_f64() * 1e3);
    Ok(Row {
        workload: name.into(),
        leaves: None,
        mode: if mode == Mode::Train { "train" } else { "infer" },
        hidden,
        batch,
        threads,
        device: (setting.device != "cpu").then(|| device.to_string()),
        instances_per_s: records.len() as f64 / seconds,
        ms_per_batch: ms(median.wall),
        construct_ms: ms(median.construct),
        schedule_ms: ms(median.schedule),
        forward_ms: ms(median.forward),
        backward_ms: ms(median.backward),
        update_ms: ms(median.update),
        moving_forward_ms: moving.map(|moving| ms(moving.forward)),
        moving_backward_ms: moving.map(|moving| ms(moving.backward)),
        batches: of_minibatch(median.batches as f64),
        lower_bound: of_minibatch(bound as f64),
        rounds: competed.as_ref().map(|sums| of_minibatch(sums.rounds as f64)),
        competitive_ratio: competed.map(|sums| sums.batches as f64 / sums.offline as f64),
        gflops,
        peak_gflops: peak,
        copy_gb_per_s: copy.zip(again).map(|(one, other)| one.max(other)),
        fraction_of_peak: gflops / peak,
        copied_bytes: of_minibatch(median.copied_bytes as f64),
        arena_bytes: median.arena_bytes,
        disabled: setting.disable.clone(),
        policy: setting.policy.name(),
    })
}

/// How long numbers are moved in a pass: the median of up to three, of one where passes are long.
/// A GPU does not run instructions one by one.
fn moving<W: Workload>(
    setting: &Setting,
    runner: &mut Runner<'_, W>,
    records: &[W::Record],
) -> Result<Option<Moving>> {
    let (mut passes, start) = (Vec::new(), Instant::now());
    while setting.device.starts_with("cpu")
        && (passes.is_empty() || (passes.len() < 3 && start.elapsed() < setting.time))
    {
        passes.push(timed(|| runner.pass(records, setting.batch))?.1);
    }
    passes.sort_by_key(|moving| moving.forward + moving.backward);
    Ok(passes.get(passes.len() / 2).copied())
}

/// What is counted where nothing is timed.
struct Counted {
    /// The fewest batches that are possible.
    bound: usize,
    /// Floating-point operations.
    flops: u64,
    competed: Option<Competed>,
}

/// Counts what all minibatches need. Graphs grow by the policy that was learned.
fn counted<W: Workload>(
    workload: &W,
    setting: &Setting,
    device: &Device,
    runner: &mut Runner<'_, W>,
    records: &[W::Record],
) -> Result<Counted> {
    let Setting { mode, hidden, batch, .. } = *setting;
    let mut engine = Engine::on(device)?.seed(setting.seed);
    if let Some(policy) = runner.trainer.learned_growth() {
        engine = engine.grow_by(policy);
    }
    let (mut bound, mut forward, mut with_data) = (0, 0, 0);
    let mut competed: Option<Competed> = None;
    for records in records.chunks(batch) {
        let model = runner.trainer.model();
        let Grown { minibatch, growing, competition } =
            runner.load.minibatch(&mut engine, model, records)?;
        if let Some(competition) = competition {
            let sums = competed.get_or_insert_default();
            sums.rounds += competition.rounds;
            sums.batches += competition.batches;
            sums.offline += competition.offline;
        }
        let graph = if W::DECIDES {
            // In the mode that was timed, since dropout changes decisions.
            let run = match mode {
                Mode::Train => engine.forward(model, &minibatch, 0)?,
                Mode::Infer => engine.infer(model, &minibatch)?,
            };
            for (place, record) in records.iter().enumerate() {
                forward += workload.decided_flops(&run, place, record, hidden)?;
            }
            run.type_graph()
        } else {
            engine.type_graph(model, &minibatch)?.0
        };
        bound += lower_bound(&graph);
        let of_data = records.iter().map(|record| workload.flops_with_data(record, hidden));
        with_data += of_data.sum::<u64>();
        forward += (records.iter().zip(&growing))
            .map(|(record, grown)| match mode {
                Mode::Train => workload.flops(record, hidden),
                Mode::Infer => workload.grown_flops(record, grown, hidden),
            })
            .sum::<u64>();
    }
    let flops = match mode {
        Mode::Train => 3 * forward - with_data,
        Mode::Infer => forward,
    };
    Ok(Counted { bound, flops, competed })
}
