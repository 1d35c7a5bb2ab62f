//! The likelihood of an alignment, its gradient, and both as an optimiser sees them.

use std::cell::RefCell;

use argmin::core::{CostFunction, Error, Gradient};
use edb::Element;
use edb::prelude::*;

use crate::rates::Rates;
use crate::{Cli, Kind};
use cells::pruning::{Block, Pruning};
use readers::alignment::Alignment;
use readers::newick::Tree;
use support::Result;

/// The likelihoods of graphs, which have the same numbers of branches.
pub(crate) struct Likelihood<T = f64> {
    model: Model<T>,
    batch: Minibatch<T>,
    engine: Engine<T>,
    /// Of each graph, the probabilities of its branches, and the frequencies.
    tensors: Vec<Tensor>,
    graphs: usize,
}

impl<T: Element> Likelihood<T> {
    /// A graph for each tree, each list of weights and each block of columns.
    pub(crate) fn new(
        cli: &Cli,
        of: &Alignment,
        trees: &[Tree],
        weights: &[Vec<f64>],
    ) -> Result<Self> {
        let columns = of.weights.len();
        // Blocks of equal size.
        let size = columns.div_ceil(columns.div_ceil(cli.block.get()));
        let mut builder = ModelBuilder::new();
        let categories = if cli.model == Kind::Jc { 1 } else { 4 };
        let pruning = Pruning::new(&mut builder, categories, size);
        let model: Model<T> = builder.build_as(cli.seed)?;
        let (mut graphs, mut tensors) = (Vec::new(), Vec::new());
        for (tree, weights) in
            trees.iter().flat_map(|tree| weights.iter().map(move |of| (tree, of)))
        {
            for leaf in tree.leaves() {
                let name = &tree.0[leaf].name;
                if !of.names.contains(name) {
                    return Err(
                        format!("the alignment has no sequence of the leaf `{name}`").into()
                    );
                }
            }
            for first in (0..columns).step_by(size) {
                let here = first..(first + size).min(columns);
                let letters = |name: &str| -> Vec<T> {
                    let leaf = of.names.iter().position(|other| other == name).unwrap_or(0);
                    let known = of.letters[leaf][here.clone()].iter().copied();
                    let all = known.chain(std::iter::repeat(15)).take(size);
                    all.flat_map(|letters| {
                        [0, 1, 2, 3].map(|bit| T::from_f64(f64::from(letters >> bit & 1)))
                    })
                    .collect()
                };
                let own = weights[here.clone()].iter().map(|weight| T::from_f64(*weight));
                let own: Vec<T> = own.chain(std::iter::repeat(T::zero())).take(size).collect();
                let mut g = model.graph();
                let block = Block { letters: &letters, weights: &own };
                let parts = pruning.build(&mut g, tree, &block, cli.scale.max(2));
                tensors.extend(parts.probabilities);
                tensors.push(parts.frequencies);
                graphs.push(g);
            }
        }
        let batch = model.minibatch(&graphs)?;
        let engine = cli.place.engine(cli.seed)?;
        Ok(Self { model, batch, engine, tensors, graphs: graphs.len() })
    }

    /// The logarithm of the likelihood, given probabilities and frequencies for all graphs alike, or for each.
    pub(crate) fn value(&mut self, numbers: &[f64]) -> Result<f64> {
        self.set(numbers)?;
        Ok(-self.engine.infer(&self.model, &self.batch)?.loss()?)
    }

    /// The same, and its gradient, summed over all graphs.
    pub(crate) fn value_and_gradient(&mut self, numbers: &[f64]) -> Result<(f64, Vec<f64>)> {
        self.set(numbers)?;
        let mut run = self.engine.forward(&self.model, &self.batch, 0)?;
        let loss = run.loss()?;
        run.backward()?;
        let of_graphs = run.tensor_gradients(&self.tensors)?;
        let mut sum = vec![0.0; of_graphs.len() / self.graphs];
        for of_graph in of_graphs.chunks_exact(sum.len()) {
            sum.iter_mut().zip(of_graph).for_each(|(sum, x)| *sum -= x.as_f64());
        }
        Ok((-loss, sum))
    }

    fn set(&mut self, numbers: &[f64]) -> Result<()> {
        let all = if numbers.len() == 16 * self.tensors.len() - 12 * self.graphs {
            1
        } else {
            self.graphs
        };
        let numbers: Vec<T> = numbers.iter().map(|number| T::from_f64(*number)).collect();
        Ok(self.batch.set_tensors(&self.tensors, &numbers.repeat(all))?)
    }
}

/// The likelihood by logarithms of lengths and of rates: what L-BFGS sees.
pub(crate) struct Fit<'a> {
    pub kind: Kind,
    pub branches: usize,
    /// Value and slopes are those of a site, so that the first step is not far.
    pub sites: f64,
    pub of: &'a RefCell<Likelihood>,
    /// The last place and what was found there, since value and gradient are asked for one by one.
    pub last: RefCell<(Vec<f64>, f64, Vec<f64>)>,
}

impl Fit<'_> {
    pub(crate) fn at(&self, place: &[f64]) -> Result<(f64, Vec<f64>)> {
        let mut last = self.last.borrow_mut();
        if last.0 != place {
            let within: Vec<f64> = place.iter().map(|log| log.clamp(LEAST, MOST)).collect();
            let (logs, of_rates) = within.split_at(self.branches);
            let lengths: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
            let rates = self.kind.rates(of_rates);
            let (value, gradient) =
                self.of.borrow_mut().value_and_gradient(&numbers(&rates, &lengths))?;
            let (of_transitions, of_frequencies) = gradient.split_at(gradient.len() - 4);
            let (of_lengths, of_rates) =
                rates.gradient(&lengths, of_transitions, of_frequencies, of_rates);
            let of_logs = of_lengths.iter().zip(&lengths).map(|(slope, length)| slope * length);
            // Beyond the bounds, nothing changes.
            let moves = |(slope, (log, within)): (f64, (&f64, &f64))| {
                if log == within { -slope } else { 0.0 }
            };
            let slopes =
                of_logs.chain(of_rates).zip(place.iter().zip(&within)).map(moves).collect();
            *last = (place.to_vec(), -value, slopes);
        }
        Ok((last.1, last.2.clone()))
    }
}

/// Lengths and rates are within the powers of these: a length of 1e-8 is none, and across one of 20 nothing is known.
const LEAST: f64 = -18.4;
const MOST: f64 = 3.0;

/// What the graph of a tree is given.
pub(crate) fn numbers(rates: &Rates, lengths: &[f64]) -> Vec<f64> {
    let mut numbers = rates.transitions(lengths);
    numbers.extend(rates.frequencies);
    numbers
}

impl CostFunction for &Fit<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, place: &Vec<f64>) -> std::result::Result<f64, Error> {
        self.at(place)
            .map(|(value, _)| value / self.sites)
            .map_err(|error| Error::msg(error.to_string()))
    }
}

impl Gradient for &Fit<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, place: &Vec<f64>) -> std::result::Result<Vec<f64>, Error> {
        self.at(place)
            .map(|(_, slopes)| slopes.iter().map(|slope| slope / self.sites).collect())
            .map_err(|error| Error::msg(error.to_string()))
    }
}
