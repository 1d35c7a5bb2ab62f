//! Graphs that grow for very different numbers of rounds, in company and alone: some end, some get
//! something wrong and are refused, some never stop. What a refused round gave out is refused
//! afterwards; what earlier rounds gave out is not.

use edb::engine::{EngineError, GrowingGraph, Growth};
use edb::graph::{GraphProblem, MinibatchError};
use edb::prelude::*;
use rand::RngExt;

use super::{Counts, Fingerprint, Watch, failed, resident};
use edb_backend_suite::random::growth_order;
use edb_backend_suite::zoo::rng;

const WORDS: usize = 5;
const HIDDEN: usize = 4;

#[derive(State)]
struct Memory {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[derive(Output)]
struct Said {
    word: Index,
    p: Tensor,
}

/// Reads a word, and says one.
#[vertex_function]
fn speak(
    #[param(V, H)] table: Tensor,
    #[param(H, H)] w: Tensor,
    #[param(V, H)] v: Tensor,
    #[dim(H)] size: Dim,
) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    let h = (w.dot(before.h) + table.row(id)).tanh();
    let scores = v.dot(h);
    let word = scores.sample();
    push(Said { word, p: scores.softmax().pick(word) });
    scatter(Memory { h });
}

/// Joins two memories.
#[vertex_function]
fn join(#[param(H, H)] w: Tensor) {
    let [a, b]: [Memory; 2] = [gather(0), gather(1)];
    scatter(Memory { h: (w.dot(a.h) - b.h).tanh() });
}

#[derive(Input)]
struct Heard {
    p: Tensor,
}

/// Judges what was said.
#[vertex_function]
fn judge() {
    let Heard { p } = pull();
    loss(p.ln());
}

/// Graphs that grow, and what is known of them.
struct Growers {
    speak: Function<speak>,
    join: Function<join>,
    judge: Function<judge>,
    model: Model,
    seed: u64,
    /// The most rounds of a graph that ends by itself.
    most: u32,
}

/// A graph as it grows.
#[derive(Clone)]
struct Path {
    /// After how many rounds it ends; more than allowed if it never does.
    end: u32,
    rounds: u32,
    last: [Vertex<Memory>; 2],
    /// What the last vertex has said, and how likely that was.
    said: Option<Tensor>,
    /// What the graph got in its last round.
    given: Given,
    /// Of the words that it has said, and then also of its last memories.
    print: Fingerprint,
    /// The same without the memories, which only a run can tell.
    words: Fingerprint,
    error: Option<String>,
}

/// Handles that one round gave out.
#[derive(Clone, Default)]
struct Given {
    memories: Vec<Vertex<Memory>>,
    tensor: Option<Tensor>,
}

impl Growers {
    /// A model of graphs that end after 1 to `most` rounds.
    fn new(seed: u64, most: u32) -> Result<Self, String> {
        let mut builder = ModelBuilder::new();
        let speak = builder.add::<speak>(dims! { V: WORDS, H: HIDDEN });
        let join = builder.add::<join>(dims! { H: HIDDEN });
        let judge = builder.add::<judge>(dims! {});
        let model = builder.build(seed).map_err(|e| failed("a model")(&e))?;
        Ok(Self { speak, join, judge, model, seed, most })
    }

    fn begin(&self, sample: u64) -> (Graph, Path) {
        let mut rng = rng(self.seed ^ sample);
        let mut g = self.model.graph();
        g.set_sample(sample);
        let first =
            g.add(&self.speak, [None], Word { id: Index(rng.random_range(0..WORDS as u32)) });
        let endless = rng.random_bool(0.01);
        let end = if endless { u32::MAX } else { rng.random_range(1..=self.most) };
        let print = Fingerprint::NONE;
        let given = Given::default();
        let (last, words) = ([first; 2], print);
        (g, Path { end, rounds: 0, last, said: None, given, print, words, error: None })
    }

    fn grow(&self, g: &mut GrowingGraph<'_>, path: &mut Path) {
        path.rounds += 1;
        path.given = Given::default();
        let draw = g.draw();
        for (memory, Said { word, p }) in g.decided(&self.speak) {
            path.print.add(f64::from(word.0));
            path.words = path.print;
            path.last = [memory, path.last[0]];
            path.said = Some(p);
            if path.rounds >= path.end {
                continue;
            }
            // Now and then two memories become one, what was said is judged, or a word is none.
            let before = match draw {
                0.0..0.2 => {
                    let joined = g.add(&self.join, path.last, ());
                    path.given.memories.push(joined);
                    joined
                }
                _ => memory,
            };
            if draw > 0.9 {
                g.add(&self.judge, (), Heard { p });
                let half = g.tensor(&[0.5]);
                g.add(&self.judge, (), Heard { p: half });
                path.given.tensor = Some(half);
            }
            let wrong = draw > 1.0 - 0.2 / f64::from(self.most);
            let id = if wrong { Index(WORDS as u32) } else { word };
            let next = g.add(&self.speak, [Some(before)], Word { id });
            path.given.memories.push(next);
        }
    }

    /// Runs graphs together until none grows, and backward if a step is given.
    fn run(
        &self,
        engine: &mut Engine,
        samples: &[u64],
        step: Option<u64>,
    ) -> Result<Vec<Path>, String> {
        let (graphs, mut paths): (Vec<_>, Vec<_>) =
            samples.iter().map(|sample| self.begin(*sample)).unzip();
        let growth = match step {
            Some(step) => engine.grow_forward(&self.model, graphs, step),
            None => engine.grow(&self.model, graphs),
        };
        let mut growth = growth.map_err(|e| failed("growing")(&e))?;
        loop {
            match growth.round() {
                Ok(None) => break,
                Ok(Some(round)) => {
                    for mut g in round {
                        let path = &mut paths[g.place()];
                        self.grow(&mut g, path);
                    }
                }
                Err(error) => {
                    let graph = refused(&error).ok_or_else(|| failed("a round")(&error))?;
                    paths[graph].error =
                        Some(error.to_string().replace(&format!("graph {graph} "), ""));
                }
            }
        }
        self.finish(&mut growth, &mut paths)?;
        if step.is_some() {
            self.go_backward(&mut growth)?;
        }
        for (graph, path) in growth.into_graphs().iter().zip(&paths) {
            self.check_handles(graph, path)?;
        }
        Ok(paths)
    }

    /// Runs what has grown backward, which it can once.
    fn go_backward(&self, growth: &mut Growth<'_>) -> Result<(), String> {
        let mut backward = || growth.finish().and_then(|mut run| run.backward());
        backward().map_err(|e| failed("backward")(&e))?;
        match backward() {
            Err(EngineError::Spent) => Ok(()),
            Err(other) => Err(failed("a second backward pass")(&other)),
            Ok(_) => Err("what has grown went backward twice".into()),
        }
    }

    /// Adds vertices to what a graph has become: those of earlier rounds can be used, those of a
    /// refused round cannot.
    fn check_handles(&self, graph: &Graph, path: &Path) -> Result<(), String> {
        let problem = |add: &dyn Fn(&mut Graph)| {
            let mut g = graph.clone();
            add(&mut g);
            self.model.minibatch([&g]).err()
        };
        let own = problem(&|g| {
            g.add(&self.join, path.last, ());
            if let Some(p) = path.said {
                g.add(&self.judge, (), Heard { p });
            }
        });
        if let Some(error) = own {
            return Err(failed("what a graph got in earlier rounds")(&error));
        }
        let Given { memories, tensor } = &path.given;
        let vertices = memories.iter().map(|memory| {
            problem(&|g| {
                // Another vertex takes the place of one that was taken back.
                g.add(&self.join, path.last, ());
                g.add(&self.join, [path.last[0], *memory], ());
            })
        });
        let tensors = tensor.iter().map(|p| {
            problem(&|g| {
                g.tensor(&[0.5]);
                g.add(&self.judge, (), Heard { p: *p });
            })
        });
        for found in vertices.chain(tensors) {
            let is_foreign = match &found {
                Some(MinibatchError::Graph { error, .. }) => matches!(
                    *error.problem,
                    GraphProblem::ForeignChild { .. } | GraphProblem::ForeignTensor { .. }
                ),
                _ => false,
            };
            if is_foreign != path.error.is_some() || !is_foreign && found.is_some() {
                return Err(format!(
                    "a handle of the last round of a graph with the error {:?}: {found:?}",
                    path.error
                ));
            }
        }
        Ok(())
    }

    /// Adds the last memories that are left to the fingerprints, and asks for those that are not.
    fn finish(&self, growth: &mut Growth<'_>, paths: &mut [Path]) -> Result<(), String> {
        let run = growth.finish().map_err(|e| failed("the end of growing")(&e))?;
        for path in paths {
            for memory in path.last {
                let state = run.state(memory).map_err(|e| failed("a memory")(&e))?;
                state.h.iter().for_each(|h| path.print.add(f64::from(*h)));
            }
            let stale = path.given.memories.iter().filter(|_| path.error.is_some());
            for memory in stale {
                match run.state(*memory) {
                    Err(EngineError::UnknownVertex { .. }) => {}
                    Err(other) => return Err(failed("a memory of a refused round")(&other)),
                    Ok(_) => return Err("a memory of a refused round was found".into()),
                }
            }
        }
        Ok(())
    }

    /// Lets the graphs that were not refused grow to their end, each three times in one company, so that
    /// there are parts, and compares them with what they have said.
    fn compare_to_the_end(
        &self,
        samples: &[u64],
        paths: &[Path],
        engine: &mut Engine,
    ) -> Result<(), String> {
        let right = || samples.iter().zip(paths).filter(|(_, path)| path.error.is_none());
        let begin = |(sample, _): (&u64, &Path)| self.begin(*sample);
        let mut graphs: Vec<(Graph, Path)> =
            right().chain(right()).chain(right()).map(begin).collect();
        if graphs.is_empty() {
            return Ok(());
        }
        let grown = engine.grow_each(&self.model, &mut graphs, |g, path| self.grow(g, path));
        grown.map_err(|e| failed("growing to the end")(&e))?;
        for ((_, own), (sample, path)) in graphs.iter().zip(right().cycle()) {
            if (own.words, own.rounds) != (path.words, path.rounds) {
                return Err(format!("graph {sample} differs if it grows to its end"));
            }
        }
        Ok(())
    }

    /// Runs graphs in company and each alone, on one thread or two and by several policies, and
    /// compares them.
    fn compare(&self, samples: &[u64], engines: &mut [Engine; 4]) -> Result<Counts, String> {
        let [learns, in_order, alone, to_the_end] = engines;
        let part = samples[0] / samples.len() as u64;
        let company = if part.is_multiple_of(2) { learns } else { in_order };
        let step = part.is_multiple_of(3).then_some(part);
        let paths = self.run(company, samples, step)?;
        for (sample, together) in samples.iter().zip(&paths) {
            let own = self.run(alone, &[*sample], step)?.remove(0);
            if (own.print, own.rounds) != (together.print, together.rounds) {
                return Err(format!("graph {sample} differs alone and in company"));
            }
            if own.error.is_some() != together.error.is_some() {
                return Err(format!(
                    "graph {sample}: {:?} alone, {:?} in company",
                    own.error, together.error
                ));
            }
        }
        if step.is_none() {
            self.compare_to_the_end(samples, &paths, to_the_end)?;
        }
        let refused = paths.iter().filter(|path| path.error.is_some()).count() as u64;
        let rounds = paths.iter().map(|path| u64::from(path.rounds)).sum();
        let graphs = samples.len() as u64;
        let stale = paths.iter().filter(|path| path.error.is_some());
        let stale = stale.map(|path| path.given.memories.len() as u64).sum();
        Ok([
            ("graphs grown", graphs),
            ("rounds", rounds),
            ("graphs refused", refused),
            ("stale handles refused", stale),
            ("second backward passes refused", step.map_or(0, |_| graphs + 1)),
        ]
        .into())
    }

    fn engines(&self) -> Result<[Engine; 4], String> {
        let engine = |threads| {
            let engine = Engine::with_threads(threads).map_err(|e| failed("threads")(&e))?;
            Ok::<_, String>(engine.seed(self.seed).most_steps(self.most + self.most / 4 + 1))
        };
        let order = growth_order(&mut rng(self.seed), &self.model);
        Ok([engine(2)?, engine(2)?.grow_by(order), engine(1)?, engine(2)?])
    }
}

/// The graph that an error of a round is about, if it is one that is to be expected.
fn refused(error: &EngineError) -> Option<usize> {
    match error {
        EngineError::Endless { graph, .. } => Some(*graph),
        EngineError::Minibatch(MinibatchError::Graph { graph, error }) => {
            matches!(*error.problem, GraphProblem::IndexRange { .. }).then_some(*graph)
        }
        _ => None,
    }
}

/// Grows graphs until the time is over.
pub(super) fn run(seed: u64, watch: &Watch) -> Result<Counts, String> {
    let growers = Growers::new(seed, 60)?;
    let mut engines = growers.engines()?;
    let (mut counts, mut sample) = (Counts::new(), 0);
    while watch.goes_on() {
        let samples: Vec<u64> = (sample..sample + 20).collect();
        sample += 20;
        for (what, count) in growers.compare(&samples, &mut engines)? {
            *counts.entry(what).or_default() += count;
        }
    }
    Ok(counts)
}

/// Grows `graphs` graphs of 1 to `most` rounds, `together` at a time. Returns how often each thing
/// was done, and the resident memory of the process after each part, in bytes.
///
/// # Errors
/// The first thing that went wrong.
pub fn grow(
    seed: u64,
    graphs: u64,
    most: u32,
    together: u64,
) -> Result<(Counts, Vec<u64>), String> {
    let growers = Growers::new(seed, most)?;
    let mut engines = growers.engines()?;
    let (mut counts, mut memory) = (Counts::new(), Vec::new());
    for first in (0..graphs).step_by(together.max(1) as usize) {
        let samples: Vec<u64> = (first..graphs.min(first + together)).collect();
        for (what, count) in growers.compare(&samples, &mut engines)? {
            *counts.entry(what).or_default() += count;
        }
        memory.push(resident::bytes()?);
    }
    Ok((counts, memory))
}
