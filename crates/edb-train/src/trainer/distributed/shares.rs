//! A rank runs its shares, and adds up two sums whenever they are the halves of a span of the tree.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::trainer::Trainer;
use crate::trainer::error::TrainError;
use crate::trainer::growing::GrowingStep;
use crate::trainer::source::{Left, Source};
use crate::trainer::step_graphs::StepGraphs;
use crate::trainer::sums::{SummedGradients, Sums};
use edb_core::engine::training::{self, Growers};
use edb_core::engine::{Seeds, StepReport};
use edb_core::graph::{Graph, Minibatch};
use edb_core::model::Model;
use edb_kernels::element::Element;
use edb_learn::collective::{Exchange, Span, Tree, halves, part};
use edb_learn::learn::Workers;

/// The sums of a rank: those of its spans, in order.
pub(super) type SpanSums<T> = Vec<(Span, Sums<T>)>;

/// What a policy schedules.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(super) enum Types {
    /// Minibatches.
    Whole = 0,
    /// Graphs that grow.
    Growing = 1,
}

impl Types {
    /// Both kinds, in the order of their numbers.
    pub(super) const ALL: [Self; 2] = [Self::Whole, Self::Growing];
}

/// A function that runs some graphs of a step, and returns their sums and the terms of their losses.
pub(super) type RunShare<'a, T> =
    dyn FnMut(&mut Trainer<T>, Range<usize>) -> Result<Sums<T>, TrainError> + 'a;

/// A function that lets the graphs of a share grow, and returns gradients of their outputs. It also gets the place of
/// the first graph in the step.
pub(super) type Grow<'a, T> =
    dyn FnMut(&mut GrowingStep<'_, T>, usize) -> Result<Seeds<T>, TrainError> + 'a;

/// The sums of spans that wait for the other half of a larger span. The key is the first share of the span.
struct Partial<T> {
    tree: Tree,
    spans: BTreeMap<usize, (Span, Sums<T>)>,
}

impl<T: Element> Trainer<T> {
    /// Runs the shares of this rank. An error comes with the number of spans that were sent before it occurred.
    pub(super) fn run_shares(
        &mut self,
        count: usize,
        run: &mut RunShare<'_, T>,
    ) -> Result<SpanSums<T>, (TrainError, usize)> {
        let world = self.world();
        let tree = Tree { shares: self.ranks().shares };
        let exchange = Exchange { world: &*world, tree };
        let (rank, ranks) = (world.rank(), world.ranks());
        let spans = exchange.spans(rank);
        let last = Exchange::last(rank, spans.len());
        let mut partial = Partial { tree, spans: BTreeMap::new() };
        if let Some(device) = training::share_sums(&mut self.engine) {
            device.begin();
        }
        let mut sent = 0;
        // The first loss that is not finite, in the order of shares. It does not depend on which rank runs which share.
        let mut bad: Option<(usize, TrainError)> = None;
        // The first share runs last, since a policy may be learned on it. All ranks have this policy from the next
        // step on.
        let own = tree.of_rank(rank, ranks);
        let order = own.clone().filter(|share| *share > 0).chain(own.filter(|share| *share == 0));
        for share in order {
            training::scheduler_mut(&mut self.engine).listen(share == 0);
            let graphs = part(count, share, tree.shares);
            let ran = run(self, graphs.clone());
            training::scheduler_mut(&mut self.engine).listen(false);
            let sums = match ran {
                Err(error @ TrainError::Loss { .. }) => {
                    if bad.as_ref().is_none_or(|(before, _)| share < *before) {
                        bad = Some((share, error));
                    }
                    self.no_share()
                }
                ran => ran.map_err(|error| (error.of_graphs_from(graphs.start), sent))?,
            };
            let added = self.add_up(&mut partial, share..share + 1, sums);
            let span = added.map_err(|error| (error, sent))?;
            let progress = match spans.iter().position(|own| *own == span) {
                Some(place) if place != last && ranks > 1 => {
                    let began = match &partial.spans[&span.start].1.gradients {
                        SummedGradients::Whole(gradients) => Some(exchange.send_early(gradients)),
                        SummedGradients::Clipped(gradients) => Some(exchange.send_early(gradients)),
                        // Devices send all sums at the end, without the host.
                        SummedGradients::OnDevice(_) | SummedGradients::InEngine => None,
                    };
                    if let Some(Ok(())) = began {
                        sent += 1;
                        let early = &mut self.ranks().early;
                        *early = early.saturating_sub(1);
                    }
                    began.unwrap_or(Ok(()))
                }
                _ => world.progress(),
            };
            let step = self.steps;
            progress.map_err(|error| (TrainError::Collective { step, error }, sent))?;
        }
        if let Some((_, error)) = bad {
            return Err((error, sent));
        }
        Ok(partial.spans.into_values().collect())
    }

    /// Runs the graphs of a share forward and backward. Returns their sums, and the terms of their losses.
    pub(super) fn run_share(
        &mut self,
        step_graphs: &mut StepGraphs<'_, '_, T>,
        graphs: Range<usize>,
    ) -> Result<Sums<T>, TrainError> {
        let first = graphs.start;
        let batches = self.minibatches(step_graphs, graphs)?;
        if batches.is_empty() {
            return Ok(self.no_share());
        }
        let batches: Vec<&Minibatch<T>> = batches.iter().map(|batch| &**batch).collect();
        self.sum_share(Source::Minibatches(&batches), first)
    }

    /// Lets the graphs of a share grow round by round, and runs them backward. Returns their sums, and the terms of
    /// their losses.
    pub(super) fn grow_share(
        &mut self,
        graphs: Range<usize>,
        graph: &mut dyn FnMut(&Model<T>, usize) -> Graph<T>,
        grow: &mut Grow<'_, T>,
    ) -> Result<Sums<T>, TrainError> {
        if graphs.is_empty() {
            return Ok(self.no_share());
        }
        let first = graphs.start;
        let made: Vec<Graph<T>> = graphs.map(|at| graph(&self.model, at)).collect();
        let mut growing = self.growing(made)?;
        // `grow` must not take the step, since all ranks take it together.
        growing.taken = true;
        let seeds = grow(&mut growing, first)?;
        let mut growing = growing.growing.expect("there are graphs");
        self.sum_share(Source::Rounds(&mut growing, &seeds), first)
    }

    /// Lets the graphs of a share grow to their end, and runs them backward. The first graph has the place `first` in
    /// the step. Returns their sums, and the terms of their losses.
    pub(super) fn grow_each_share(
        &mut self,
        growers: &Growers<'_, T>,
        first: usize,
    ) -> Result<Sums<T>, TrainError> {
        if growers.graph_count() == 0 {
            return Ok(self.no_share());
        }
        self.check_of_model()?;
        self.sum_share(Source::ToTheEnd(growers, Vec::new()), first)
    }

    /// Runs a source that is a share of a step of several ranks. Its first graph has the place `first` in
    /// the step. Returns the sums.
    fn sum_share(
        &mut self,
        mut source: Source<'_, '_, T>,
        first: usize,
    ) -> Result<Sums<T>, TrainError> {
        let (left, terms) = self.run(&mut source)?;
        let sums = match left {
            Left::WithEngine(report) => self.kept_sums(report)?,
            Left::Each(sums) => sums,
        };
        if !sums.loss.is_finite() {
            let mut first = first;
            for batch in source.ran() {
                self.check_losses(batch, first)?;
                first += batch.graph_count();
            }
        }
        Ok(Sums { terms, ..sums })
    }

    /// The sums of a share without graphs.
    fn no_share(&mut self) -> Sums<T> {
        if !self.on_device() {
            return self.no_sums();
        }
        let Self { model, engine, .. } = self;
        let device = training::share_sums(engine).expect("shares are summed on the device");
        Sums::of(SummedGradients::OnDevice(device.nothing(model.parameters())))
    }

    /// Takes the losses and gradients that the engine has kept.
    fn kept_sums(&mut self, mut report: StepReport) -> Result<Sums<T>, TrainError> {
        let Self { model, engine, .. } = self;
        let (loss, gradients) = match training::share_sums(engine) {
            Some(device) => {
                let set_aside = device.set_aside(model.parameters());
                let (sum, loss) = set_aside.map_err(|error| self.failed(error))?;
                self.take_times(&mut report);
                (loss, SummedGradients::OnDevice(sum))
            }
            None => {
                let mut gradients = self.memory();
                let taken = training::take_sums(&mut self.engine, &mut gradients);
                let loss = taken.map_err(|error| self.failed(error))?;
                (loss, SummedGradients::Whole(gradients))
            }
        };
        Ok(Sums { loss, report: Some(report), ..Sums::of(gradients) })
    }

    /// Whether the gradients of this step are summed on the device. If the step needs the gradients of each graph,
    /// they are summed on the host.
    pub(super) fn on_device(&mut self) -> bool {
        !self.sums_each() && training::share_sums(&mut self.engine).is_some()
    }

    /// Fails with the first loss of a minibatch that is not finite, if there is one. `first` is the
    /// place of its first graph in the step.
    fn check_losses(&mut self, batch: &Minibatch<T>, first: usize) -> Result<(), TrainError> {
        match self.loss_not_finite(&[batch]) {
            TrainError::Loss { step, graph, vertex, function, loss, mut origin, large } => {
                if let Some(origin) = &mut origin {
                    origin.graph += first;
                }
                let graph = first + graph;
                Err(TrainError::Loss { step, graph, vertex, function, loss, origin, large })
            }
            // All ranks get the sum over all ranks, and return its error.
            TrainError::Unsteady { .. } | TrainError::SumOfLosses { .. } => Ok(()),
            error => Err(error),
        }
    }

    /// Adds the sums of a span to `partial`. If the sums of the other half of its parent are there, adds up the two
    /// halves, and goes on with the parent. Returns the largest span that is now summed.
    fn add_up(
        &mut self,
        partial: &mut Partial<T>,
        span: Span,
        sums: Sums<T>,
    ) -> Result<Span, TrainError> {
        let Partial { tree, spans } = partial;
        let (mut span, mut sums) = (span, sums);
        while let Some(parent) = tree.parent(&span) {
            let other = halves(&parent).into_iter().find(|half| *half != span);
            let other = other.expect("a span of the tree has two halves");
            if spans.get(&other.start).is_none_or(|(summed, _)| *summed != other) {
                break;
            }
            let (_, others) = spans.remove(&other.start).expect("it was found");
            sums = match other.start < span.start {
                true => self.plus(others, sums)?,
                false => self.plus(sums, others)?,
            };
            span = parent;
        }
        spans.insert(span.start, (span.clone(), sums));
        Ok(span)
    }

    /// Adds up the sums of the two halves of a span.
    fn plus(&mut self, mut left: Sums<T>, right: Sums<T>) -> Result<Sums<T>, TrainError> {
        match (&mut left.gradients, right.gradients) {
            (SummedGradients::Whole(sum), SummedGradients::Whole(mut more)) => {
                let absorbed = sum.absorb(&mut more, &mut self.engine.workers());
                absorbed.map_err(|error| self.failed(error.into()))?;
                self.keep_memory(more);
            }
            (SummedGradients::Clipped(sum), SummedGradients::Clipped(mut more)) => {
                let absorbed = sum.absorb(&mut more, &mut Workers::alone());
                absorbed.map_err(|error| self.failed(error.into()))?;
            }
            (SummedGradients::OnDevice(sum), SummedGradients::OnDevice(more)) => {
                let device = training::share_sums(&mut self.engine).expect("it has the sums");
                device.add(*sum, more).map_err(|error| self.failed(error))?;
            }
            _ => unreachable!("the shares of a step are summed in one place, in one way"),
        }
        left.loss += right.loss;
        left.squares += right.squares;
        left.graphs += right.graphs;
        left.terms += right.terms;
        left.add_report(right.report);
        Ok(left)
    }

    /// The policy that was learned for the model, as text.
    pub(super) fn learned(&self, of: Types) -> Option<String> {
        let (model, engine) = (&self.model, &self.engine);
        let (policy, types) = match of {
            Types::Whole => (engine.learned_policy(model)?, model.signature().clone()),
            Types::Growing => (engine.learned_growth(model)?, model.signature().growing()),
        };
        policy.to_json(&types).ok()
    }
}
