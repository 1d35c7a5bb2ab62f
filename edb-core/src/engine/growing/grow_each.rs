//! Graphs that grow to their end, each by one function that says what it gets in a round.
//!
//! Nobody waits for the rounds of other graphs. So parts of them grow side by side, each on a thread
//! of its own: forward, with the person's code, and in training backward.

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

/// What a function returns that says what a graph gets in a round: nothing, or a `Result` if
/// something can be wrong.
pub trait RoundOutcome {
    /// What was wrong.
    ///
    /// # Errors
    /// If something was.
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

/// Graphs, and what says what they get in their rounds.
trait Grower<T>: Send {
    /// Takes the graphs out.
    fn take(&mut self) -> Vec<Graph<T>>;

    /// Adds to the graph at a place of these what it gets in a round.
    fn add(&mut self, place: usize, graph: &mut GrowingGraph<'_, T>) -> Result<(), EngineError>;

    /// Takes the graphs back.
    fn give_back(&mut self, graphs: Vec<Graph<T>>);
}

/// Graphs with what is known of each, and a function that says what one gets in a round.
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

/// What graphs grow for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowsFor {
    /// Nothing is kept for a backward pass, so no bit depends on the parts.
    Inference,
    /// A training step, in which gradients are summed part by part.
    Step {
        /// Whether its parts run one after the other.
        in_turn: bool,
    },
}

/// Graphs that are about to grow, in the parts in which they do.
pub struct Growers<'a, T> {
    parts: SmallVec<[Range<usize>; 16]>,
    /// Whether the policy is known by which they grow.
    is_known: bool,
    /// What grows in each, until it does.
    growers: Vec<Mutex<Option<Box<dyn Grower<T> + 'a>>>>,
}

impl<'a, T: Element> Growers<'a, T> {
    /// Cuts graphs into parts. Those of a step depend on the graphs, the model and, unless they run one
    /// after the other, on whether the policy is known by which they grow; in inference, there are as
    /// many as the threads need, since each has batches of its own.
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

    /// Whether there are several parts that can run side by side: nothing is learned in parts that do.
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

    /// For each part, where it is put what its graphs have become.
    fn nothing_grown(&self) -> Vec<OnceLock<Minibatch<T>>> {
        self.parts.iter().map(|_| OnceLock::new()).collect()
    }

    /// Lets the graphs of a part grow to their end, and puts what they have become `to` this place.
    fn grow<'g>(
        &self,
        part: usize,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        to: &'g OnceLock<Minibatch<T>>,
    ) -> Result<&'g Minibatch<T>, EngineError> {
        let first = self.parts[part].start;
        let batch = Growing::to_the_end(runner, model, &mut *self.take(part), first)?;
        Ok(to.get_or_init(|| batch))
    }

    /// What grows in a part, which has not grown. No lock is held while it does.
    fn take(&self, part: usize) -> Box<dyn Grower<T> + 'a> {
        let taken = self.growers[part].lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.expect("a part grows once")
    }
}

/// Graphs that have been taken out, and are given back in the end, also where something is wrong or the
/// person's code panics: then as they were before the round.
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
    /// Lets graphs grow to their end, and returns what they have become. Those before them, of other
    /// parts, are so many; errors count them.
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
                // What the person says of graphs counts from the first of all.
                grower.add(graph.place() - first, &mut graph)?;
            }
        }
        let settled = growing.settle_as(runner, model, None);
        settled.map_err(|error| error.of_graphs_from(first))?;
        Ok(growing.take_grown())
    }
}

impl<T: Element> Engine<T> {
    /// Runs graphs that grow from what they compute to their end, forward, keeping nothing for a
    /// backward pass: [`grow`](Self::grow), where what a graph gets does not depend on the others. In
    /// each of its rounds a graph is given to `grow`, with what is kept beside it; a graph that gets
    /// nothing is done. What it has pushed is read [there](GrowingGraph::values): behind the call
    /// there is no run to read. Many graphs grow in parts, side by side on all threads, and so does
    /// `grow` run; what a graph gets is the same in any company.
    ///
    /// ```text
    /// // What is said of a sentence is kept beside its graph.
    /// engine.grow_each(&model, &mut talks, |g, words| {
    ///     for (said, Said { word, .. }) in g.decided(&say) {
    ///         words.push(word);
    ///         ..                                     // add vertices, or none: then the graph is done
    ///     }
    /// })?;
    /// ```
    ///
    /// # Errors
    /// As [`grow`](Self::grow) and [`Growth::round`](crate::engine::Growth::round), and those of `grow`: of
    /// several, that of the first part. Graphs keep what they had got before that round.
    pub fn grow_each<S: Send, R: RoundOutcome>(
        &mut self,
        model: &Model<T>,
        graphs: &mut [(Graph<T>, S)],
        grow: impl Fn(&mut GrowingGraph<'_, T>, &mut S) -> R + Sync,
    ) -> Result<(), EngineError> {
        let growers = Growers::new((self, GrowsFor::Inference), model, graphs, &grow);
        self.grow_to_the_end(model, &growers, None).map(drop)
    }

    /// About how many rows functions are going to have: any may get vertices.
    fn growing_rows(&mut self, model: &Model<T>, growers: &Growers<'_, T>) -> Vec<RowCounts> {
        let functions = model.bound().functions.len();
        let mut rows = vec![RowCounts { vertices: 1, ..RowCounts::default() }; functions];
        self.at_least_known(model, growers.parts.len(), &mut rows);
        rows
    }
}

/// Lets graphs grow to their end as part of training step `step`, runs them backward, and adds the
/// gradients of each graph to the sums of clipped ones. Returns what the graphs of each part have
/// become, too.
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

/// Lets the graphs of a part grow to their end as part of training step `step`, forward.
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
    let batch = Growing::to_the_end(&mut runner, model, &mut *growers.take(part), first)?;
    Ok(Run::new(engine, model, Cow::Owned(batch), Some(step)))
}

/// Lets graphs grow to their end, in a training step if one is given: then runs them backward, too, and
/// keeps their losses and gradients. Returns what the graphs of each part have become.
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
                let batch = Growing::to_the_end(&mut runner, model, &mut *growers.take(0), 0)?;
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
