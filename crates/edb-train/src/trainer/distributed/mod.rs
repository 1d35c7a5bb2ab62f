//! Several ranks train together, and compute the same bits as one process alone.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod.rs` | the settings, and the step |
//! | `share_minibatches` | makes minibatches of the graphs of a share |
//! | `shares` | a rank runs its shares |
//! | `status` | what ranks tell each other before they sum gradients: losses, kinds of gradients, errors |
//! | `panics` | a rank that panics tells the others, and no rank goes on |
//! | `greeting` | what must be the same on all ranks |
//! | `inference` | several ranks run many graphs, and return their results in order |
//!
//! Invariants:
//!
//! - All ranks make the same calls in the same order. If something fails on a rank, it tells the other ranks before it
//!   returns, so that no rank waits for it. After an error of the transport, no rank goes on. A panic counts as such an
//!   error, since it is not known what it has left undone in the step.
//! - Policies are learned only on the first share of a step, by rank 0, which sends them to the other ranks. So nothing
//!   is learned that other ranks do not know.

mod greeting;
mod inference;
mod panics;
mod share_minibatches;
mod shares;
mod status;

use std::sync::Arc;
use std::time::Instant;

use shares::{RunShare, SpanSums, Types};
use status::{Begun, Status, StepKind};

use super::error::TrainError;
use super::growing::GrowingStep;
use super::ranks::Ranks;
use super::step::Along;
use super::step_graphs::StepGraphs;
use super::sums::{SummedGradients, Sums};
use super::{Step, StepReport, Trainer};
use edb_core::engine::backend::{Extent, ShareSum, Shared};
use edb_core::engine::training::{self, Growers, GrowsFor};
use edb_core::engine::{EngineError, GrowingGraph, RoundOutcome, Seeds};
use edb_core::graph::Graph;
use edb_core::model::Model;
use edb_core::schedule::Policy;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;
use edb_learn::collective::{
    Alone, Collective, CollectiveError, Early, Exchange, Kind, Span, Tree, gather,
};
use edb_learn::learn::error::check_setting;
use edb_learn::learn::{Gradients, LearnError};

/// The most shares. With this limit, the messages that ranks send about each share stay small.
const MAX_SHARES: usize = 1 << 16;

/// The most gradients whose memory is kept. A step needs this many at once: one for each level of the tree, and 2 more.
const MAX_SPARE_GRADIENTS: usize = 18;

impl<T: Element> Trainer<T> {
    /// Trains together with other ranks. The graphs of each step are cut into `shares` shares, and each rank runs
    /// some of them.
    ///
    /// The gradients of each share are summed separately. Then the sums of all shares are added up along a balanced
    /// binary tree. So the bits of the parameters depend on the number of shares, but not on the number of ranks: 64
    /// machines compute the same bits as one process with [`Alone`]. With one share, the bits are those of a trainer
    /// without this setting. More ranks than shares are of no use. Many shares of few graphs run in narrow batches,
    /// which is slower.
    ///
    /// All ranks must make the same calls in the same order, with the same functions, settings, parameters and seeds.
    /// The first step checks this, and later steps check what a program has changed since. All ranks get the same
    /// results and the same errors. After a panic on one rank, no rank goes on, even if the panic was caught. With
    /// [`Policy::Auto`], rank 0 learns policies on the first share of each step.
    ///
    /// ```
    /// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
    /// use std::thread;
    ///
    /// use edb::collective::Local;
    /// # use edb::{Graph, Model, Trainer, learn::Sgd};
    /// # fn train(model: impl Fn() -> Model + Sync, graph: impl Fn(&Model, usize) -> Graph + Sync) {
    /// thread::scope(|scope| {
    ///     for rank in Local::ranks(2) {
    ///         let (model, graph) = (model(), &graph);
    ///         scope.spawn(move || {
    ///             let mut trainer = Trainer::new(model, Sgd::new(0.1)).distributed(rank, 8);
    ///             // Each rank makes 32 of these graphs.
    ///             trainer.step_shared(64, |model, at| graph(model, at))
    ///         });
    ///     }
    /// });
    /// # }
    /// ```
    #[must_use]
    pub fn distributed(mut self, world: impl Collective + 'static, shares: usize) -> Self {
        self.distributed = Some(Ranks {
            world: Arc::new(world),
            shares,
            met: false,
            policies_shared: [false; 2],
            calls: 0,
            versions: 0,
            early: 0,
            broken: None,
            spare: Vec::new(),
        });
        self
    }

    /// The connection to the ranks with which it trains [together](Self::distributed). By default it is [`Alone`].
    pub fn world(&self) -> Arc<dyn Collective> {
        match &self.distributed {
            Some(together) => together.world.clone(),
            None => Arc::new(Alone),
        }
    }

    /// Takes one step along the gradient of the mean loss of `count` graphs. Each rank makes only the graphs that it
    /// runs: `graph` gets the model and the place of a graph in the step.
    ///
    /// # Errors
    /// As [`step_graphs`](Self::step_graphs).
    pub fn step_shared(
        &mut self,
        count: usize,
        mut graph: impl FnMut(&Model<T>, usize) -> Graph<T>,
    ) -> Result<Step, TrainError> {
        self.step_from(&mut StepGraphs::Made { count, graph: &mut graph })
    }

    /// Takes a step over these graphs together with other ranks.
    pub(super) fn step_together(
        &mut self,
        step_graphs: &mut StepGraphs<'_, '_, T>,
    ) -> Result<Step, TrainError> {
        let count = step_graphs.count();
        self.take_together(StepKind::Given, count, |trainer| {
            let checked = trainer.check_step(step_graphs);
            let checked = checked.and_then(|()| trainer.check_losses_of(count));
            match checked.and_then(|()| trainer.check_reached(false)) {
                Ok(()) => trainer
                    .run_shares(count, &mut |trainer, part| trainer.run_share(step_graphs, part)),
                Err(error) => Err((error, 0)),
            }
        })
    }

    /// Takes a step of this kind over `graphs` graphs together with other ranks. `run` runs the shares of this rank.
    fn take_together(
        &mut self,
        kind: StepKind,
        graphs: usize,
        run: impl FnOnce(&mut Self) -> Result<SpanSums<T>, (TrainError, usize)>,
    ) -> Result<Step, TrainError> {
        self.check_unbroken()?;
        self.unless_it_panics(|trainer| {
            trainer.ranks().calls += 1;
            trainer.meet()?;
            trainer.ranks().early = trainer.early_of_step();
            trainer.learn_if(true, |trainer| {
                let mine = run(trainer);
                trainer.update_together(kind, graphs, mine)
            })
        })
    }

    /// Takes one step along the gradient of the mean loss of `count` graphs that grow. This is to
    /// [`grow`](Self::grow) what [`step_shared`](Self::step_shared) is to [`step_graphs`](Self::step_graphs). `grow`
    /// is called for one share after the other, with the graphs of the share and with the place of its first graph
    /// in the step. It lets the graphs grow [round by round](GrowingStep::round), and returns gradients of outputs,
    /// such as gradients of rewards.
    ///
    /// ```
    /// # mod edb { pub use edb_core::{*, graph::Graph, model::Model}; pub use edb_train::{*, trainer::Trainer}; }
    /// # use edb::{Graph, Model, Trainer, engine::Seeds};
    /// # use edb::trainer::{Step, TrainError};
    /// # fn train(trainer: &mut Trainer, graph: impl Fn(&Model, usize) -> Graph) -> Result<Step, TrainError> {
    /// trainer.grow_shared(64, |model, at| graph(model, at), |growing, first| {
    ///     while let Some(mut round) = growing.round()? {
    ///         // .. what graph `first` and the next graphs get in this round ..
    ///         # let _ = (&mut round, first);
    ///     }
    ///     Ok(Seeds::new())
    /// })
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`GrowingStep::step_with`], and the errors of `grow`.
    pub fn grow_shared(
        &mut self,
        count: usize,
        mut graph: impl FnMut(&Model<T>, usize) -> Graph<T>,
        mut grow: impl FnMut(&mut GrowingStep<'_, T>, usize) -> Result<Seeds<T>, TrainError>,
    ) -> Result<Step, TrainError> {
        let step = self.steps;
        let _span = tracing::debug_span!(target: TARGET, "step", number = step).entered();
        if self.distributed.is_none() {
            let graphs: Vec<Graph<T>> = (0..count).map(|at| graph(&self.model, at)).collect();
            let mut growing = self.grow(graphs)?;
            let seeds = if count > 0 { grow(&mut growing, 0)? } else { Seeds::new() };
            return growing.step_with(&seeds);
        }
        self.grow_together(StepKind::Rounds, count, &mut |trainer, graphs| {
            trainer.grow_share(graphs, &mut graph, &mut grow)
        })
    }

    /// Takes one step over `count` graphs that grow until all of them are done. Each rank makes only the graphs that
    /// it runs. This is to [`grow_each`](Self::grow_each) what [`step_shared`](Self::step_shared) is to
    /// [`step_graphs`](Self::step_graphs). `graph` gets the model and the place of a graph in the step. It returns the
    /// graph and the value that is kept with it. [`place`](GrowingGraph::place) counts from the first graph of the
    /// share.
    ///
    /// # Errors
    /// As [`grow_each`](Self::grow_each).
    pub fn grow_each_shared<S: Send, R: RoundOutcome>(
        &mut self,
        count: usize,
        mut graph: impl FnMut(&Model<T>, usize) -> (Graph<T>, S),
        grow: impl Fn(&mut GrowingGraph<'_, T>, &mut S) -> R + Sync,
    ) -> Result<Step, TrainError> {
        if self.distributed.is_none() {
            let mut graphs: Vec<_> = (0..count).map(|at| graph(&self.model, at)).collect();
            return self.grow_each(&mut graphs, grow);
        }
        self.grow_together(StepKind::ToTheEnd, count, &mut |trainer, places| {
            let first = places.start;
            let mut graphs: Vec<_> = places.map(|at| graph(&trainer.model, at)).collect();
            let step = GrowsFor::Step { in_turn: trainer.sums_each() };
            let growers =
                Growers::new((&mut trainer.engine, step), &trainer.model, &mut graphs, &grow);
            trainer.grow_each_share(&growers, first)
        })
    }

    /// Takes a step over `count` graphs that grow, together with other ranks. `run` makes and runs the graphs of a
    /// share.
    fn grow_together(
        &mut self,
        kind: StepKind,
        count: usize,
        run: &mut RunShare<'_, T>,
    ) -> Result<Step, TrainError> {
        // A step with rounds takes gradients from the caller.
        let seeded = kind == StepKind::Rounds;
        self.take_together(kind, count, |trainer| {
            let checked = trainer.check_step_of(count);
            match checked.and_then(|()| trainer.check_reached(seeded)) {
                Ok(()) => trainer.run_shares(count, run),
                Err(error) => Err((error, 0)),
            }
        })
    }

    /// Ends a step over `graphs` graphs together with other ranks: adds up the gradients of all ranks, and updates
    /// the parameters.
    fn update_together(
        &mut self,
        kind: StepKind,
        graphs: usize,
        mine: Result<SpanSums<T>, (TrainError, usize)>,
    ) -> Result<Step, TrainError> {
        let sums = self.sum_over_ranks((kind, graphs), mine)?;
        let (loss, terms) = (sums.loss, self.divisor(sums.terms));
        if !loss.is_finite() {
            return Err(TrainError::SumOfLosses { step: self.steps, sum: loss });
        }
        let on_host = !matches!(sums.gradients, SummedGradients::InEngine);
        let (outcome, report) = if on_host && self.sums_each() {
            self.update_along(&[], Sums { terms, ..sums })?
        } else {
            let along = match sums.gradients {
                SummedGradients::Whole(gradients) => Some(Along { loss, gradients }),
                _ => None,
            };
            let updated = self.update(&[], terms, along.as_ref(), sums.report.unwrap_or_default());
            along.into_iter().for_each(|along| self.keep_memory(along.gradients));
            updated?
        };
        self.ranks().versions = self.versions();
        Ok(self.finish_step(outcome, report, graphs, terms))
    }

    /// The ranks that train together. The caller knows that this trainer has some.
    fn ranks(&mut self) -> &mut Ranks<T> {
        self.distributed.as_mut().expect("the step is one of ranks that train together")
    }

    /// Before the first step, checks the number of shares, and that all ranks train alike.
    fn meet(&mut self) -> Result<(), TrainError> {
        let step = self.steps;
        let Ranks { shares, met, .. } = *self.ranks();
        let valid = (1..=MAX_SHARES).contains(&shares);
        let range = "at least 1 and at most 65536";
        check_setting("Trainer", "number of shares", shares as f64, range, valid)
            .map_err(|error: LearnError| TrainError::Learn { step, error })?;
        if !met {
            self.greet()?;
            let shared = Types::ALL.map(|of| self.learned(of).is_some());
            let versions = self.versions();
            let ranks = self.ranks();
            (ranks.met, ranks.policies_shared, ranks.versions) = (true, shared, versions);
        }
        self.begin_private()
    }

    /// Fails if the ranks cannot go on together.
    pub(in crate::trainer) fn check_unbroken(&self) -> Result<(), TrainError> {
        let broken = self.distributed.as_ref().and_then(|ranks| ranks.broken.clone());
        broken.map_or(Ok(()), |error| Err(TrainError::Collective { step: self.steps, error }))
    }

    /// Tells the other ranks how the shares of this rank went, and adds up the sums of all ranks. Returns the total,
    /// and the number by which the sum of losses is divided.
    fn sum_over_ranks(
        &mut self,
        (kind, graphs): (StepKind, usize),
        mine: Result<SpanSums<T>, (TrainError, usize)>,
    ) -> Result<Sums<T>, TrainError> {
        let began = Instant::now();
        let _span = tracing::debug_span!(target: TARGET, "exchange").entered();
        let together = self.ranks();
        let (world, tree) = (together.world.clone(), Tree { shares: together.shares });
        let exchange = Exchange { world: &*world, tree };
        let is_given = kind == StepKind::Given;
        if world.ranks() == 1 {
            let mine = mine.map_err(|(error, _)| error)?;
            self.check_labels(self.has_seen_loss || !is_given)?;
            return self.sum_alone((&world, tree), mine);
        }
        if let Err((TrainError::Collective { error, .. }, _)) = &mine {
            let error = error.clone();
            return self.unbroken(Err(error));
        }
        // Devices send all sums at the end, without the host.
        let early = match self.on_device() {
            true => None,
            false => Some(self.receive_early(exchange, &mine)?),
        };
        let mut all = self.tell_status((kind, graphs), &mine)?;
        if let Some((rank, failure)) = Status::take_failure(&mut all) {
            return Err(failure.into_error(self.steps, rank));
        }
        let parameters = self.model.parameters().iter();
        let shapes: Vec<&[usize]> = parameters.map(|(_, parameter)| parameter.shape()).collect();
        let checked =
            Status::check::<T>(&all, |rank| exchange.spans(rank), &shapes, early.is_none());
        self.unbroken(checked)?;
        let spans = mine.map_err(|(error, _)| error)?;
        let adopted = all[0].learned.iter().try_for_each(|(of, policy)| self.adopt(*of, policy));
        self.unbroken(adopted)?;
        self.check_labels(all.iter().any(Status::has_seen_loss) || !is_given)?;
        let mut total = Status::sum(&all, tree);
        if !total.loss.is_finite() {
            return Ok(total);
        }
        let (mut whole, mut clipped, mut on_device) = (Vec::new(), Vec::new(), Vec::new());
        for (_, sums) in spans {
            total.add_report(sums.report);
            match sums.gradients {
                SummedGradients::Whole(gradients) => whole.push(gradients),
                SummedGradients::Clipped(gradients) => clipped.push(gradients),
                SummedGradients::OnDevice(sum) => on_device.push(sum),
                SummedGradients::InEngine => unreachable!("shares have been moved out"),
            }
        }
        match early {
            None => {
                let all = Status::into_extents(all);
                self.sum_on_devices((&world, tree), &on_device, &all, total.loss)?;
            }
            Some(early) => {
                let gradient_kinds = Status::into_gradient_kinds(all);
                let mut sum = self.no_sums().gradients;
                let summed = match &mut sum {
                    SummedGradients::Clipped(sum) => {
                        exchange.sum(&clipped, early, &gradient_kinds, sum)
                    }
                    SummedGradients::Whole(sum) => {
                        exchange.sum(&whole, early, &gradient_kinds, sum)
                    }
                    _ => unreachable!("what is exchanged is on the host"),
                };
                whole.into_iter().for_each(|gradients| self.keep_memory(gradients));
                self.unbroken(summed)?;
                total.gradients = sum;
            }
        }
        let report = total.report.unwrap_or_default();
        total.report = Some(StepReport { exchange: began.elapsed(), ..report });
        Ok(total)
    }

    /// Tells the other ranks how the shares of this rank went. Returns the statuses of all ranks, if they take the
    /// same step with the same parameters.
    fn tell_status(
        &mut self,
        (kind, count): (StepKind, usize),
        mine: &Result<SpanSums<T>, (TrainError, usize)>,
    ) -> Result<Vec<Status>, TrainError> {
        let (settings, unshared_policies) = (self.settings_now(), self.unshared_policies());
        let versions = self.versions();
        let Ranks { calls, versions: known, .. } = *self.ranks();
        let (is_changed, has_seen_loss) = (versions != known, self.has_seen_loss);
        let begun = Begun { kind, count, calls, is_changed, has_seen_loss };
        let own = Status::of(
            mine,
            training::share_sums(&mut self.engine),
            begun,
            settings,
            unshared_policies,
        );
        let said = gather(&self.world(), Kind::Status, &own);
        let all: Vec<Status> = self.unbroken(said)?;
        // If this rank panics from here on, the other ranks find out in their next step.
        self.ranks().early = self.early_of_step();
        if let Some((rank, differences)) = Status::differences(&all) {
            return Err(TrainError::Differs { rank, differences });
        }
        // To hash all values takes a pass over them. So this is done only if a program has changed some, even if the
        // new values are the same.
        if all.iter().any(Status::is_changed) {
            let own = self.model_as_said();
            self.compare(own)?;
            self.ranks().versions = versions;
        }
        Ok(all)
    }

    /// Receives the sums that other ranks have sent while they ran their shares. If this rank has failed, it first
    /// sends empty messages in place of its sums.
    fn receive_early(
        &mut self,
        exchange: Exchange<'_>,
        mine: &Result<SpanSums<T>, (TrainError, usize)>,
    ) -> Result<Early, TrainError> {
        let spans = exchange.spans(exchange.world.rank()).len();
        let sent = match mine {
            Err((_, sent)) => exchange.send_nothing(spans.saturating_sub(1 + sent)),
            Ok(_) => Ok(()),
        };
        self.ranks().early = 0;
        self.unbroken(sent.and_then(|()| exchange.receive_early()))
    }

    /// The total, if there is only one rank.
    fn sum_alone(
        &mut self,
        (world, tree): (&Arc<dyn Collective>, Tree),
        mut mine: SpanSums<T>,
    ) -> Result<Sums<T>, TrainError> {
        let (span, mut sums) = mine.pop().expect("one rank sums all shares");
        if let SummedGradients::OnDevice(sum) = sums.gradients {
            if sums.loss.is_finite() {
                let device = training::share_sums(&mut self.engine).expect("it has the sum");
                let all = [vec![(span, device.extents(sum))]];
                self.sum_on_devices((world, tree), &[sum], &all, sums.loss)?;
            }
            sums.gradients = SummedGradients::InEngine;
        }
        Ok(sums)
    }

    /// Adds up the sums that are on devices. The result is where the device keeps the sums of its own minibatches.
    fn sum_on_devices(
        &mut self,
        (world, tree): (&Arc<dyn Collective>, Tree),
        mine: &[ShareSum],
        spans: &[Vec<(Span, Vec<Extent>)>],
        loss: f64,
    ) -> Result<(), TrainError> {
        let shared = Shared { world, tree, spans, mine, loss };
        let Self { model, engine, .. } = self;
        let loss_scale = training::loss_factor(engine);
        let device = training::share_sums(engine).expect("it has the sums");
        let connected = device.connect(world);
        let room = match connected {
            Ok(()) => device.prepare(&shared, model.parameters(), loss_scale),
            Err(_) => Ok(()),
        };
        connected.map_err(|error| self.unlinked(error))?;
        if world.ranks() == 1 {
            room.map_err(|error| self.failed(error))?;
        } else {
            let room = room.map_err(|error| self.failed(error).to_string());
            let said = gather(world, Kind::Room, &room);
            let all: Vec<Result<(), String>> = self.unbroken(said)?;
            let step = self.steps;
            for (rank, room) in all.into_iter().enumerate() {
                room.map_err(|reason| TrainError::Rank { step, rank, reason })?;
            }
        }
        let device = training::share_sums(&mut self.engine).expect("it has the sums");
        device.sum(&shared).map_err(|error| self.unlinked(error))
    }

    /// Makes the error of devices that should have exchanged sums. The ranks cannot go on: other ranks may have the
    /// sums already, or wait for what this rank has not sent.
    fn unlinked(&mut self, error: EngineError) -> TrainError {
        let step = self.steps;
        let several = self.world().ranks() > 1;
        let (broken, error) = match error {
            EngineError::Collective(broken) => {
                (broken.clone(), TrainError::Collective { step, error: broken })
            }
            error => {
                let (call, reason) = ("a sum of shares".to_owned(), error.to_string());
                (CollectiveError::Library { call, reason }, self.failed(error))
            }
        };
        if several {
            self.ranks().broken = Some(broken);
        }
        error
    }

    /// Takes over a policy that rank 0 has learned.
    fn adopt(&mut self, of: Types, policy: &str) -> Result<(), CollectiveError> {
        self.ranks().policies_shared[of as usize] = true;
        if self.world().rank() == 0 {
            return Ok(());
        }
        let types = match of {
            Types::Whole => self.model.signature().clone(),
            Types::Growing => self.model.signature().growing(),
        };
        let policy = Policy::from_json(policy, &types).map_err(|error| {
            CollectiveError::Message { rank: 0, what: format!("a policy that is none: {error}") }
        })?;
        training::scheduler_mut(&mut self.engine).restore(&types, Some(policy), Vec::new());
        Ok(())
    }

    /// The policies that this rank has learned and that the other ranks do not know. Only rank 0 learns policies.
    fn unshared_policies(&mut self) -> Vec<(Types, String)> {
        let shared = self.ranks().policies_shared;
        let unshared_policies = Types::ALL.into_iter().filter(|of| !shared[*of as usize]);
        unshared_policies.filter_map(|of| Some((of, self.learned(of)?))).collect()
    }

    /// What a program may change between steps, as names and texts.
    fn settings_now(&self) -> Vec<(String, String)> {
        let own = [
            ("the number of steps taken", self.steps.to_string()),
            ("the learning rate", self.learning_rate().to_string()),
            ("whether a loss may be missing", self.allows_unreached.to_string()),
        ];
        let all = own.into_iter().chain(self.settings.lasting()).chain(self.settings.now());
        all.map(|(what, value)| (what.to_owned(), value)).collect()
    }

    /// Returns the result of something that ranks did together. If it is an error, the ranks cannot go on.
    fn unbroken<R>(&mut self, result: Result<R, CollectiveError>) -> Result<R, TrainError> {
        let step = self.steps;
        result.map_err(|error| {
            self.ranks().broken = Some(error.clone());
            TrainError::Collective { step, error }
        })
    }

    /// Returns gradients of zero. They reuse memory if possible.
    pub(in crate::trainer) fn memory(&mut self) -> Gradients<T> {
        let spare = self.distributed.as_mut().and_then(|ranks| ranks.spare.pop());
        let parameters = self.model.parameters();
        spare.filter(|spare| spare.fit(parameters)).unwrap_or_else(|| Gradients::new(parameters))
    }

    /// Keeps the memory of gradients for a later step.
    fn keep_memory(&mut self, mut gradients: Gradients<T>) {
        gradients.reset();
        let spare = &mut self.ranks().spare;
        if spare.len() < MAX_SPARE_GRADIENTS {
            spare.push(gradients);
        }
    }
}
