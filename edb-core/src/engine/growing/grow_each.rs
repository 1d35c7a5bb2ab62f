//! Graphs that grow until all of them are done. A function of the user adds to one graph in a round.
//!
//! Parts of the graphs need not wait for each other's rounds. So they grow side by side, each on its own thread. The
//! thread runs its part forward, calls the user's function, and in training also runs the part backward.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use smallvec::SmallVec;

use super::Growing;
use super::growth::GrowingGraph;
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::parts::clip::Clip;
use crate::engine::parts::crew::PartsRun;
use crate::engine::parts::growing_parts;
use crate::engine::pass::Destination;
use crate::engine::pass::runner::{Runner, VOUCH};
use crate::engine::pass::seeds::Seeds;
use crate::engine::results::run::Run;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_learn::learn::Gradients;
use edb_model::graph::{Arrivals, Graph, Minibatch};
use edb_model::model::Model;
use edb_model::model::stack::RowCounts;

/// The return type of a function of the user that adds to a graph in a round: `()`, or a `Result` if it can fail.
pub trait RoundOutcome {
    /// The outcome as a `Result`.
    ///
    /// # Errors
    /// The error that the function has returned.
    fn result(self) -> Result<(), EngineError>;
}

impl RoundOutcome for () {
    fn result(self) -> Result<(), EngineError> {
        Ok(())
    }
}

impl RoundOutcome for Result<(), EngineError> {
    fn result(self) -> Self {
        self
    }
}

/// Graphs, with the function that adds to them in their rounds.
trait Grower<T>: Send {
    /// Takes the graphs out.
    fn take(&mut self) -> Vec<Graph<T>>;

    /// Adds to the graph at this place what it gets in a round.
    fn add(&mut self, place: usize, graph: &mut GrowingGraph<'_, T>) -> Result<(), EngineError>;

    /// Takes the graphs back.
    fn give_back(&mut self, graphs: Vec<Graph<T>>);
}

/// Graphs, each with a value of the user, and the user's function that adds to a graph in a round.
struct Pairs<'a, T, S, F> {
    pairs: &'a mut [(Graph<T>, S)],
    grow: &'a F,
}

impl<T, S, F, R> Grower<T> for Pairs<'_, T, S, F>
where
    T: Element,
    S: Send,
    F: Fn(&mut GrowingGraph<'_, T>, &mut S) -> R + Sync,
    R: RoundOutcome,
{
    fn take(&mut self) -> Vec<Graph<T>> {
        let out = |(graph, _): &mut (Graph<T>, S)| {
            let hollow = graph.hollow();
            std::mem::replace(graph, hollow)
        };
        self.pairs.iter_mut().map(out).collect()
    }

    fn add(&mut self, place: usize, graph: &mut GrowingGraph<'_, T>) -> Result<(), EngineError> {
        (self.grow)(graph, &mut self.pairs[place].1).result()
    }

    fn give_back(&mut self, graphs: Vec<Graph<T>>) {
        self.pairs.iter_mut().zip(graphs).for_each(|((own, _), graph)| *own = graph);
    }
}

/// The purpose for which graphs grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowsFor {
    /// Inference: nothing is kept for a backward pass, so no bit of the results depends on the parts.
    Inference,
    /// A training step: gradients are summed part by part.
    Step {
        /// Whether the parts run one after the other.
        in_turn: bool,
    },
}

/// Graphs that are about to grow, cut into parts.
pub struct Growers<'a, T> {
    parts: SmallVec<[Range<usize>; 16]>,
    /// Whether the policy by which the graphs grow is known.
    is_known: bool,
    /// The graphs of each part, until the part grows.
    growers: Vec<Mutex<Option<Box<dyn Grower<T> + 'a>>>>,
}

impl<'a, T: Element> Growers<'a, T> {
    /// Cuts graphs into parts. The parts of a training step depend on the graphs and on the model. Unless they run
    /// one after the other, they also depend on whether the policy by which graphs grow is known. In inference,
    /// there are at most as many parts as keep all threads busy, since each part has its own batches.
    pub fn new<S, F, R>(
        (engine, grows_for): (&mut Engine<T>, GrowsFor),
        model: &Model<T>,
        graphs: &'a mut [(Graph<T>, S)],
        grow: &'a F,
    ) -> Self
    where
        S: Send,
        F: Fn(&mut GrowingGraph<'_, T>, &mut S) -> R + Sync,
        R: RoundOutcome,
    {
        let mut sizes = graphs.iter().map(|(graph, _)| graph.len());
        let is_known = engine.scheduler.knows_growth(&model.bound().signature);
        let most = match grows_for {
            _ if engine.backend.crew().is_none() => 1,
            GrowsFor::Step { in_turn } if is_known || in_turn => usize::MAX,
            GrowsFor::Inference if is_known => engine.enough_parts(),
            _ => 1,
        };
        let parts = growing_parts::<T>(model.bound(), &mut sizes, most);
        let mut rest = graphs;
        let growers = parts.iter().map(|part| {
            let (pairs, behind) = std::mem::take(&mut rest).split_at_mut(part.len());
            rest = behind;
            let grower: Box<dyn Grower<T> + 'a> = Box::new(Pairs { pairs, grow });
            Mutex::new(Some(grower))
        });
        let growers = growers.collect();
        Self { parts, is_known, growers }
    }

    /// Whether there are several parts and they can run side by side. For that the policy must be known, since no
    /// policy is learned from parts that run side by side.
    pub fn run_side_by_side(&self) -> bool {
        self.is_known && self.parts.len() > 1
    }

    /// The graphs of each part.
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// How many graphs there are in all.
    pub fn graph_count(&self) -> usize {
        self.parts.last().map_or(0, |part| part.end)
    }

    /// For each part, an empty place for the minibatch that its graphs become.
    fn nothing_grown(&self) -> Vec<OnceLock<Minibatch<T>>> {
        self.parts.iter().map(|_| OnceLock::new()).collect()
    }

    /// Lets the graphs of a part grow to their end, and puts the minibatch that they have become into `to`.
    fn grow<'g>(
        &self,
        part: usize,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        to: &'g OnceLock<Minibatch<T>>,
    ) -> Result<&'g Minibatch<T>, EngineError> {
        let first = self.parts[part].start;
        let batch = Growing::to_the_end(runner, model, &mut *self.take(part)?, first)?;
        Ok(to.get_or_init(|| batch))
    }

    /// Takes the graphs of a part, which must not have grown yet. No lock is held while they grow.
    fn take(&self, part: usize) -> Result<Box<dyn Grower<T> + 'a>, EngineError> {
        let taken = self.growers[part].lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.ok_or(EngineError::Grown)
    }
}

/// Graphs that have been taken out of a [`Grower`]. They are given back when this is dropped. If there was an error,
/// or the user's code has panicked, they are given back as they were before the round.
struct Taken<'g, T: Element> {
    growing: Option<Growing<T>>,
    grower: &'g mut dyn Grower<T>,
}

impl<T: Element> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        if let Some(mut growing) = self.growing.take() {
            growing.arrivals.refuse_all();
            self.grower.give_back(growing.arrivals.into_graphs());
        }
    }
}

impl<T: Element> Growing<T> {
    /// Lets graphs grow to their end, and returns the minibatch that they have become. `first` is how many graphs
    /// the earlier parts have; places of graphs in errors count from the first graph of all parts.
    fn to_the_end(
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        grower: &mut dyn Grower<T>,
        first: usize,
    ) -> Result<Minibatch<T>, EngineError> {
        let mut graphs = grower.take();
        let arrivals = match Arrivals::new(model, &mut graphs, VOUCH) {
            Ok(arrivals) => arrivals,
            Err(error) => {
                grower.give_back(graphs);
                return Err(EngineError::from(error).of_graphs_from(first));
            }
        };
        let growing = Some(Self::before(model.bound(), arrivals, runner.draws.1));
        let mut taken = Taken { growing, grower };
        let Taken { growing: Some(growing), grower } = &mut taken else {
            unreachable!("they are given back at the end")
        };
        growing.begin(runner, model)?;
        while growing.round(runner, model).map_err(|error| error.of_graphs_from(first))? {
            let seen = (&*runner.backend, &*runner.layout, runner.draws);
            for mut graph in growing.hand_out(seen, model, first)? {
                // The user sees places that count from the first graph of all parts.
                grower.add(graph.place() - first, &mut graph)?;
            }
        }
        let settled = growing.settle_as(runner, model, None);
        settled.map_err(|error| error.of_graphs_from(first))?;
        Ok(growing.take_grown())
    }
}

impl<T: Element> Engine<T> {
    /// Runs graphs forward while they grow from what they compute, until all of them are done. Nothing is kept for a
    /// backward pass. Use it instead of [`grow`](Self::grow) if what a graph gets does not depend on other graphs.
    /// In each round of a graph, `grow` is called with the graph and with the value that is kept with it. A graph
    /// that gets nothing is done. Read outputs [in `grow`](GrowingGraph::values), since there is no run to read
    /// after this call. Many graphs grow in parts, side by side on all threads, so `grow` runs on all threads too.
    /// What a graph computes does not depend on the other graphs.
    ///
    /// ```text
    /// // The words that were said are kept with the graph of each talk.
    /// engine.grow_each(&model, &mut talks, |g, words| {
    ///     for (said, Said { word, .. }) in g.decided(&say) {
    ///         words.push(word);
    ///         ..                                     // add vertices, or none: then the graph is done
    ///     }
    /// })?;
    /// ```
    ///
    /// # Errors
    /// As [`grow`](Self::grow) and [`Growth::round`](crate::engine::Growth::round), and the errors of `grow`. If
    /// several parts fail, the error of the first of them is returned. Graphs keep what they had got before the
    /// round that failed.
    pub fn grow_each<S: Send, R: RoundOutcome>(
        &mut self,
        model: &Model<T>,
        graphs: &mut [(Graph<T>, S)],
        grow: impl Fn(&mut GrowingGraph<'_, T>, &mut S) -> R + Sync,
    ) -> Result<(), EngineError> {
        let growers = Growers::new((self, GrowsFor::Inference), model, graphs, &grow);
        self.grow_to_the_end(model, &growers, None).map(drop)
    }

    /// About how many rows each function is going to have. It is at least one, since any function may get vertices.
    fn growing_rows(&mut self, model: &Model<T>, growers: &Growers<'_, T>) -> Vec<RowCounts> {
        let functions = model.bound().functions.len();
        let mut rows = vec![RowCounts { vertices: 1, ..RowCounts::default() }; functions];
        self.at_least_known(model, growers.parts.len(), &mut rows);
        rows
    }
}

/// Lets graphs grow to their end as part of training step `step`, runs them backward, clips the gradients of each
/// graph, and adds them to `sums`. Returns the sum of the losses, and the minibatch that the graphs of each part have
/// become.
///
/// # Errors
/// As [`Engine::grow_each`].
pub fn grow_and_clip<T: Element>(
    engine: &mut Engine<T>,
    model: &Model<T>,
    growers: &Growers<'_, T>,
    step: u64,
    (clip, sums): (&Clip<'_>, &mut Gradients<f64>),
) -> Result<(f64, Vec<Minibatch<T>>), EngineError> {
    model.check_parameters()?;
    let rows = &engine.growing_rows(model, growers);
    let grown = growers.nothing_grown();
    let of = PartsRun { model, parts: &growers.parts, rows, step: Some(step) };
    let (loss, _) = engine.clip_side_by_side(&of, sums, &|part, runner, own, sums| {
        let batch = growers.grow(part, runner, model, &grown[part])?;
        let loss = clip.add(runner, model, batch, &mut own.clipped);
        sums.loss = loss.map_err(|error| error.of_graphs_from(growers.parts[part].start))?;
        Ok(0)
    })?;
    Ok((loss, grown.into_iter().filter_map(OnceLock::into_inner).collect()))
}

/// Lets the graphs of a part grow to their end, forward, as part of training step `step`. Returns the run of the
/// minibatch that they have become.
///
/// # Errors
/// As [`Engine::grow_each`].
pub fn grow_part_forward<'a, T: Element>(
    engine: &'a mut Engine<T>,
    model: &'a Model<T>,
    growers: &Growers<'_, T>,
    part: usize,
    step: u64,
) -> Result<Run<'a, T>, EngineError> {
    model.check_parameters()?;
    let first = growers.parts[part].start;
    let mut runner = engine.runner(Some(step)).0;
    let batch = Growing::to_the_end(&mut runner, model, &mut *growers.take(part)?, first)?;
    Ok(Run::new(engine, model, Cow::Owned(batch), Some(step)))
}

/// Lets graphs grow to their end. If a training step is given, also runs them backward, and keeps their losses and
/// gradients. Returns the minibatch that the graphs of each part have become.
///
/// # Errors
/// As [`Engine::grow_each`].
pub fn grow_to_the_end<T: Element>(
    engine: &mut Engine<T>,
    model: &Model<T>,
    growers: &Growers<'_, T>,
    step: Option<u64>,
) -> Result<Vec<Minibatch<T>>, EngineError> {
    engine.grow_to_the_end(model, growers, step)
}

compiled_here! {
    impl Engine {
        /// See the function [`grow_to_the_end`].
        fn grow_to_the_end(
            &mut self,
            model: &Model<T>,
            growers: &Growers<'_, T>,
            step: Option<u64>,
        ) -> Result<Vec<Minibatch<T>>, EngineError> {
            model.check_parameters()?;
            if growers.parts.len() == 1 {
                let (mut runner, _) = self.runner(step);
                let batch = Growing::to_the_end(&mut runner, model, &mut *growers.take(0)?, 0)?;
                if let Some(step) = step {
                    self.learn(model, &batch, step, &Seeds::new())?;
                }
                return Ok(vec![batch]);
            }
            let rows = &self.growing_rows(model, growers);
            let grown = growers.nothing_grown();
            let of = PartsRun { model, parts: &growers.parts, rows, step };
            match step {
                None => self.run_side_by_side(&of, &|part, runner, _, _| {
                    growers.grow(part, runner, model, &grown[part]).map(|_| 0)
                }),
                Some(_) => self.train_side_by_side(&of, &|part, runner, _, sums| {
                    let batch = growers.grow(part, runner, model, &grown[part])?;
                    let ran =
                        runner.pass(model, batch).backward(&Seeds::new(), Destination::Part(sums));
                    ran.map(|()| 0).map_err(|error| error.of_graphs_from(growers.parts[part].start))
                }),
            }?;
            Ok(grown.into_iter().filter_map(OnceLock::into_inner).collect())
        }
    }
}
