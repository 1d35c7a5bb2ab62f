//! A rank runs its shares, and adds up those that are halves of one span of the tree.

use std::collections::BTreeMap;

use crate::collective::{Exchange, Span, Tree, halves, part};
use crate::element::Element;
use crate::engine::StepReport;
use crate::graph::Minibatch;
use crate::trainer::source::Source;
use crate::trainer::step::Along;
use crate::trainer::{TrainError, Trainer};

/// What is summed over the graphs of some shares.
#[derive(Debug)]
pub(super) struct Sums<T> {
    pub(super) along: Along<T>,
    /// Of the squares of the norms of the gradients of each graph, where these are needed.
    pub(super) squares: f64,
    /// The graphs whose gradients were needed.
    pub(super) graphs: usize,
    pub(super) report: Option<StepReport>,
}

/// What a rank has summed.
pub(super) struct Mine<T> {
    /// Its spans, in order.
    pub(super) spans: Vec<(Span, Sums<T>)>,
    /// The terms of its losses.
    pub(super) terms: usize,
    /// The policies that it has learned in this step.
    pub(super) learned: Vec<(Types, String)>,
}

/// What a policy is for.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(super) enum Types {
    /// Minibatches.
    Whole,
    /// Graphs that grow.
    Growing,
}

/// The sums of spans, by where these begin, until they are the halves of another span.
struct Partial<T> {
    tree: Tree,
    spans: BTreeMap<usize, (Span, Sums<T>)>,
}

impl<T: Element> Trainer<T> {
    /// Runs the shares of this rank. An error comes with the number of spans that have been sent
    /// before it.
    pub(super) fn run_shares(
        &mut self,
        source: &mut Source<'_, '_, T>,
    ) -> Result<Mine<T>, (TrainError, usize)> {
        let world = self.world();
        let tree = Tree { shares: self.ranks().shares };
        let exchange = Exchange { world: &*world, tree };
        let (rank, ranks, count) = (world.rank(), world.ranks(), source.count());
        let spans = exchange.spans(rank);
        let last = Exchange::last(rank, spans.len());
        let mut partial = Partial { tree, spans: BTreeMap::new() };
        let (mut terms, mut sent) = (0, 0);
        let known = self.learned();
        // The first share is the last to run, since a policy may be learned on it: from the next
        // step on, all ranks have it.
        let own = tree.of_rank(rank, ranks);
        let order = own.clone().filter(|share| *share > 0).chain(own.filter(|share| *share == 0));
        for share in order {
            self.engine.listen(share == 0);
            let ran = self.run_share(source, part(count, share, tree.shares));
            self.engine.listen(true);
            let (sums, of_share) = ran.map_err(|error| (error, sent))?;
            terms += of_share;
            let span = self.add_up(&mut partial, share..share + 1, sums);
            let progress = match spans.iter().position(|own| *own == span) {
                Some(place) if place != last && ranks > 1 => {
                    let (_, sums) = &partial.spans[&span.start];
                    let began = exchange.send_early(&sums.along.gradients);
                    sent += usize::from(began.is_ok());
                    began
                }
                _ => world.progress(),
            };
            let step = self.steps;
            progress.map_err(|error| (TrainError::Collective { step, error }, sent))?;
        }
        let learned = self.learned().into_iter().zip(known);
        let learned = learned.filter_map(|(now, before)| now.filter(|_| before.is_none()));
        let learned = learned.collect();
        Ok(Mine { spans: partial.spans.into_values().collect(), terms, learned })
    }

    /// Runs some graphs forward and backward; returns their sums, and the terms of their losses.
    fn run_share(
        &mut self,
        source: &mut Source<'_, '_, T>,
        graphs: std::ops::Range<usize>,
    ) -> Result<(Sums<T>, usize), TrainError> {
        let batches = self.minibatches(source, graphs)?;
        let batches: Vec<&Minibatch<T>> = batches.iter().map(|(batch, _)| &**batch).collect();
        let terms = batches.iter().map(|batch| self.reduction.terms(&self.model, batch)).sum();
        if batches.is_empty() {
            let along = Along { loss: 0.0, gradients: self.memory() };
            return Ok((Sums { along, squares: 0.0, graphs: 0, report: None }, terms));
        }
        if self.sums_each() {
            let sums = self.run_each(&batches)?;
            let (along, report) = (sums.along, sums.report);
            return Ok((Sums { along, squares: sums.squares, graphs: sums.graphs, report }, terms));
        }
        let report = Some(self.run_batches(&batches)?);
        let mut gradients = self.memory();
        let loss = self.engine.take_sums(&mut gradients).map_err(|error| self.failed(error))?;
        let along = Along { loss, gradients };
        Ok((Sums { along, squares: 0.0, graphs: 0, report }, terms))
    }

    /// Adds the sums of a span, and those that it makes up with its other half, and so on. Returns
    /// the greatest span that is summed.
    fn add_up(&mut self, partial: &mut Partial<T>, span: Span, sums: Sums<T>) -> Span {
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
                true => self.plus(others, sums),
                false => self.plus(sums, others),
            };
            span = parent;
        }
        spans.insert(span.start, (span.clone(), sums));
        span
    }

    /// The sum of two halves.
    fn plus(&mut self, mut left: Sums<T>, mut right: Sums<T>) -> Sums<T> {
        let Along { loss, gradients } = &mut left.along;
        *loss += right.along.loss;
        self.engine.with_workers(|workers| gradients.absorb(&mut right.along.gradients, workers));
        left.squares += right.squares;
        left.graphs += right.graphs;
        add_report(&mut left.report, right.report);
        self.keep_memory(right.along.gradients);
        left
    }

    /// The policies that are known for the model, as text.
    fn learned(&self) -> [Option<(Types, String)>; 2] {
        let (types, growing) = (self.model.signature(), self.model.signature().growing());
        [
            (Types::Whole, self.engine.learned_policy(&self.model), types),
            (Types::Growing, self.engine.learned_growth(&self.model), &growing),
        ]
        .map(|(of, policy, types)| Some((of, policy?.to_json(types).ok()?)))
    }
}

/// Adds a report to another one, if there are such.
pub(super) fn add_report(sum: &mut Option<StepReport>, report: Option<StepReport>) {
    match (sum, report) {
        (Some(sum), Some(report)) => sum.add(&report),
        (sum, report) => *sum = sum.or(report),
    }
}
