//! Graphs that grow from what they have computed: their rounds, and what a graph can read in a round.

use std::ops::Range;
use std::slice::{Iter, IterMut};

use derive_where::derive_where;
use smallvec::SmallVec;

use super::early_waves::GraphState;
use super::{Growing, PushedIndices};
use crate::engine::backend::Backend;
use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use crate::engine::layout::Layout;
use crate::engine::layout::find::output_field;
use crate::engine::pass::runner::Runner;
use crate::engine::results::run::Run;
use edb_kernels::element::Element;
use edb_kernels::random::VertexKey;
use edb_model::graph::{
    FlatBatch, Graph, GraphError, GrowingPlaces, InRound, Minibatch, Paths, Pulled, VertexRecord,
    inside,
};
use edb_model::model::{BoundModel, Function, Model};
use edb_schedule::{Competition, SearchOptions};
use edb_vertex::function::{Vertex, VertexFunction, vertex_at};
use edb_vertex::port::{FieldKind, Given, Port, PortValue};
use edb_vertex::tensor::{Handle, Index, Indices, Tensor};

/// Graphs that run and grow. [`Engine::grow`] and [`Engine::grow_forward`] make it.
///
/// ```text
/// let mut growth = engine.grow(&model, graphs)?;
/// while let Some(round) = growth.round()? {      // all vertices of the graphs in it have run
///     for mut g in round {
///         for (said, Said { word, .. }) in g.decided(&say) {
///             ..                                 // add vertices, or none: then the graph is done
///         }
///     }
/// }
/// let run = growth.finish()?;
/// ```
#[derive(Debug)]
pub struct Growth<'a, T = f32> {
    engine: &'a mut Engine<T>,
    model: &'a Model<T>,
    growing: Growing<T>,
}

impl<T: Element> Engine<T> {
    /// Runs graphs forward while they grow from what they compute. Nothing is kept for a backward pass.
    ///
    /// # Errors
    /// When the graphs do not form a minibatch, or memory does not suffice.
    pub fn grow<'a>(
        &'a mut self,
        model: &'a Model<T>,
        graphs: impl IntoIterator<Item = Graph<T>>,
    ) -> Result<Growth<'a, T>, EngineError> {
        Growth::new(self, model, graphs, None)
    }

    /// Runs graphs forward while they grow from what they compute, as part of training step `step`. What has grown
    /// can then be run backward. This is to [`grow`](Self::grow) what [`forward`](Self::forward) is to
    /// [`infer`](Self::infer).
    ///
    /// # Errors
    /// As [`grow`](Self::grow).
    pub fn grow_forward<'a>(
        &'a mut self,
        model: &'a Model<T>,
        graphs: impl IntoIterator<Item = Graph<T>>,
        step: u64,
    ) -> Result<Growth<'a, T>, EngineError> {
        Growth::new(self, model, graphs, Some(step))
    }
}

impl<'a, T: Element> Growth<'a, T> {
    fn new(
        engine: &'a mut Engine<T>,
        model: &'a Model<T>,
        graphs: impl IntoIterator<Item = Graph<T>>,
        step: Option<u64>,
    ) -> Result<Self, EngineError> {
        let growing = Growing::new(engine, model, graphs.into_iter().collect(), step)?;
        Ok(Self { engine, model, growing })
    }

    /// Runs the vertices that the graphs have got, and hands out the graphs that rest: all of their vertices have
    /// run. A graph that gets nothing in a round is done. Returns `None` when all graphs are done. With most
    /// policies, all graphs are handed out together; a learned policy may hand out graphs that rest while others
    /// still run. What a graph sees in its rounds is the same in both cases.
    ///
    /// # Errors
    /// When something that a graph has got breaks a rule, or a graph does not stop growing. Then this graph is left
    /// as it was before the round and does not grow any more, and the next call goes on with the others.
    /// When a device fails, memory does not suffice, or a vertex does not stop
    /// ([`EngineError::EndlessVertex`]). Then no graph can go on.
    pub fn round(&mut self) -> Result<Option<Round<'_, T>>, EngineError> {
        self.growing.next_round(self.engine, self.model)
    }

    /// The graphs, with all that they have got.
    pub fn graphs(&self) -> &[Graph<T>] {
        self.growing.graphs()
    }

    /// Runs the vertices that the graphs have got in the last round, and makes the graphs a minibatch. Returns its
    /// run.
    ///
    /// # Errors
    /// As [`round`](Self::round).
    pub fn finish(&mut self) -> Result<Run<'_, T>, EngineError> {
        self.growing.finish(self.engine, self.model)
    }

    /// The minibatch that the graphs have become, once they have [finished](Self::finish). It has the schedule by
    /// which it ran, so that it computes the same bits if it runs again.
    pub fn grown(&self) -> Option<&Minibatch<T>> {
        self.growing.grown()
    }

    /// Returns the graphs to the caller, with all that they have got.
    pub fn into_graphs(self) -> Vec<Graph<T>> {
        self.growing.into_graphs()
    }

    /// Compares the number of batches by which the graphs grew with that of a schedule that knows from the
    /// beginning what the graphs become: the competitive ratio of the policy. It searches for this schedule, which
    /// takes time. `None` before the graphs have [finished](Self::finish). Also `None` if vertices of a function
    /// had run without a schedule, and then a vertex pulled what they push.
    ///
    /// # Errors
    /// When a setting of the search is out of range.
    pub fn competition(&self, options: &SearchOptions) -> Result<Option<Competition>, EngineError> {
        self.growing.competition(self.model.bound(), options)
    }
}

impl<T: Element> Growing<T> {
    /// See [`Growth::round`].
    pub fn next_round<'r>(
        &'r mut self,
        engine: &'r mut Engine<T>,
        model: &'r Model<T>,
    ) -> Result<Option<Round<'r, T>>, EngineError> {
        self.check_here(engine, model)?;
        let (mut runner, _) = engine.runner(self.step);
        if !self.round(&mut runner, model)? {
            return Ok(None);
        }
        let Runner { backend, layout, draws, .. } = runner;
        self.hand_out((backend, layout, draws), model, 0).map(Some)
    }

    /// Hands out the graphs that rest. `backend` and `layout` have the values that they have computed, and `draws`
    /// are the seed and the step of random draws. `first` is how many graphs there are in earlier parts.
    pub(crate) fn hand_out<'r>(
        &'r mut self,
        (backend, layout, draws): (&'r dyn Backend<T>, &'r Layout, (u64, Option<u64>)),
        model: &'r Model<T>,
        first: usize,
    ) -> Result<Round<'r, T>, EngineError> {
        let Self { arrivals, growing, outputs, .. } = self;
        let InRound { id, graphs, places, batch, paths } = arrivals.in_round();
        let (seed, step) = draws;
        let run = SeenRun {
            growth: id,
            first,
            model: model.bound(),
            batch,
            paths,
            backend,
            layout,
            indices: backend.indices()?,
            outputs,
            draws: (seed, step.unwrap_or(0)),
        };
        let (graphs, places) = (graphs.iter_mut(), places.iter());
        Ok(Round { run, growing: growing.iter(), next: 0, graphs, places })
    }
}

/// The graphs that are handed out in a round, in the order of their places. All of their vertices have run.
#[derive(Debug)]
pub struct Round<'r, T = f32> {
    run: SeenRun<'r, T>,
    growing: Iter<'r, GraphState>,
    /// How many graphs have been passed. `graphs` and `places` iterate over the remaining ones.
    next: usize,
    graphs: IterMut<'r, Graph<T>>,
    places: Iter<'r, GrowingPlaces>,
}

/// What graphs can read of a run.
#[derive(Debug)]
#[derive_where(Clone, Copy)]
struct SeenRun<'r, T> {
    /// The id of the graphs that grow.
    growth: u64,
    /// How many graphs there are in earlier parts.
    first: usize,
    model: &'r BoundModel,
    batch: &'r FlatBatch,
    backend: &'r dyn Backend<T>,
    layout: &'r Layout,
    /// The sections that vertices have run.
    paths: &'r Paths,
    /// The memory of indices; `outputs` says where in it the indices are that functions push.
    indices: &'r [u32],
    outputs: &'r PushedIndices,
    /// The seed and the step of random draws.
    draws: (u64, u64),
}

impl<'r, T: Element> Iterator for Round<'r, T> {
    type Item = GrowingGraph<'r, T>;

    fn next(&mut self) -> Option<Self::Item> {
        let state = *self.growing.find(|state| state.resting)?;
        let place = state.place as usize;
        let behind = place - std::mem::replace(&mut self.next, place + 1);
        let (graph, places) = (self.graphs.nth(behind)?, self.places.nth(behind)?);
        Some(GrowingGraph { graph, places, place, run: self.run, state, draws: 0 })
    }
}

/// A graph in a round: read what it has decided, and add the vertices that come next.
#[derive(Debug)]
pub struct GrowingGraph<'r, T = f32> {
    graph: &'r mut Graph<T>,
    places: &'r GrowingPlaces,
    place: usize,
    run: SeenRun<'r, T>,
    state: GraphState,
    /// How many random numbers the graph has drawn in this round.
    draws: usize,
}

/// Gives read access to the graph.
impl<T> std::ops::Deref for GrowingGraph<'_, T> {
    type Target = Graph<T>;

    fn deref(&self) -> &Graph<T> {
        self.graph
    }
}

impl<'r, T: Element> GrowingGraph<'r, T> {
    /// The place of the graph among all graphs that began to grow, including those that are done.
    pub fn place(&self) -> usize {
        self.run.first + self.place
    }

    /// The vertices of a function that have run since the graph's last round, in the order in which they were
    /// added, and what each has pushed. A vertex that pushes a list is returned once for each item. The indices of
    /// an output are known now. Its tensors are as [`Graph::output`] gives them: let other vertices pull them, or
    /// [read](Self::values) them.
    pub fn decided<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
    ) -> impl Iterator<Item = (Vertex<F::State>, F::Output)> + use<F, T> {
        let mut decided: SmallVec<[_; 2]> = SmallVec::new();
        let SeenRun { growth, model, batch, paths, layout, indices, outputs, .. } = self.run;
        let Some(bound) = inside::function(self.graph, model, function) else {
            return decided.into_iter();
        };
        let id = inside::id_for_handle(self.graph);
        for number in self.state.seen..self.places.vertices().len() as u32 {
            let vertex = self.places.vertices()[number as usize];
            if model.as_added(batch.functions()[vertex as usize]).id != bound.id {
                continue;
            }
            for section in paths.items(model, batch, vertex) {
                let mut fields = (0..).zip(&outputs[batch.functions()[section as usize]]);
                let output = F::Output::read(&mut || match fields.next() {
                    Some((_, (FieldKind::Index, rows))) => {
                        let row = rows.map(|rows| rows.of(layout, section).start);
                        PortValue::Index(row.map_or(Index::UNKNOWN, |row| Index(indices[row])))
                    }
                    Some((field, _)) => PortValue::Tensor(Tensor(match bound.lists() {
                        true => Handle::Item { growth, section, field },
                        false => Handle::Pushed { graph: id, vertex: number, field },
                    })),
                    None => unreachable!("the output was bound with the model"),
                });
                decided.push((vertex_at(number, id), output));
            }
        }
        decided.into_iter()
    }

    /// The numbers of a tensor that a vertex of this graph has pushed together with an index.
    ///
    /// # Errors
    /// When the tensor is not one of these, or its vertex has not run.
    pub fn values(&self, tensor: Tensor) -> Result<&'r [T], EngineError> {
        let SeenRun { growth: own, model, batch, backend, layout, .. } = self.run;
        let vertices = self.places.vertices();
        let (vertex, field) = match tensor.0 {
            Handle::Pushed { graph, vertex: number, field }
                if inside::is_vertex(self.graph, graph, number) =>
            {
                let unknown = EngineError::UnknownVertex { vertex: number as usize };
                let vertex = *vertices.get(number as usize).ok_or(unknown)?;
                (batch.last(vertex), field)
            }
            // A section has its number among the vertices of all graphs.
            Handle::Item { growth, section, field }
                if growth == own && batch.graphs()[section as usize] as usize == self.place =>
            {
                (section, field)
            }
            _ => return Err(EngineError::ForeignOutput),
        };
        let function = &model.functions[batch.functions()[vertex as usize]];
        let later = || EngineError::Later { function: function.name.clone() };
        let field = function.output.get(usize::from(field)).filter(|_| function.decides());
        let field = field.ok_or_else(later)?;
        let rows = layout.rows_of(function, field.value).ok_or_else(later)?;
        backend.read(rows.all(), rows.of(layout, vertex))
    }

    /// Draws a random number, uniform in `[0, 1)`. It depends on the engine's seed, the step, the graph's
    /// [sample](Graph::set_sample), its round, and how many numbers the graph has drawn in this round. It does not
    /// depend on the other graphs.
    pub fn draw(&mut self) -> f64 {
        /// The key of these draws, in place of a function's key, so that they differ from the draws of vertices.
        const KEY_OF_HOST_DRAWS: u64 = u64::from_be_bytes(*b"g.draw()");
        let (seed, step) = self.run.draws;
        let key = VertexKey::new(seed, step, self.graph.sample_id(), KEY_OF_HOST_DRAWS, 0);
        self.draws += 1;
        key.shared_site(self.state.rounds).uniform(self.draws - 1)
    }

    /// The numbers of the vertices that have run since the graph's last round.
    pub fn new_vertices(&self) -> Range<usize> {
        self.state.seen as usize..self.places.vertices().len()
    }

    /// Those of the [new vertices](Self::new_vertices) that are of the function of this name.
    pub fn decided_by_name(&self, function: &str) -> impl Iterator<Item = usize> {
        let SeenRun { model, batch, .. } = self.run;
        let of_function = move |number: &usize| {
            let vertex = self.places.vertices()[*number];
            model.as_added(batch.functions()[vertex as usize]).name == function
        };
        self.new_vertices().filter(of_function)
    }

    /// An index that a vertex has pushed, as [`Run::index_at`] returns it. The vertex is given by its number.
    ///
    /// # Errors
    /// When there is no such vertex among those that have run, or it pushes no such index.
    pub fn index_at(&self, vertex: usize, field: &str) -> Result<u32, EngineError> {
        let SeenRun { model, batch, layout, indices, .. } = self.run;
        let place = self.places.vertices().get(vertex);
        let place = batch.last(*place.ok_or(EngineError::UnknownVertex { vertex })?);
        let function = &model.functions[batch.functions()[place as usize]];
        let field = output_field(function, field)?;
        match (field.kind, layout.rows_of(function, field.value)) {
            (FieldKind::Index, Some(rows)) => Ok(indices[rows.of(layout, place).start]),
            _ => Err(EngineError::IsTensor { field: field.name.clone() }),
        }
    }

    /// Adds a vertex that is given as data: its children, and the vertices that it pulls from, are numbers. If the
    /// data breaks a rule, nothing is added. Returns the number of the vertex.
    ///
    /// # Errors
    /// The rule that the data breaks.
    pub fn add_record(&mut self, record: &VertexRecord) -> Result<usize, GraphError> {
        inside::add_record(self.graph, self.run.model, record)
    }

    /// Adds a vertex whose function and fields are found by name, as
    /// [`Blueprint::add_named`](edb_model::model::Blueprint::add_named) does.
    ///
    /// # Errors
    /// The rule that the vertex breaks; then nothing is added.
    pub fn add_named(
        &mut self,
        function: &str,
        children: &[Option<usize>],
        input: &[(&str, Pulled<'_, T>)],
    ) -> Result<usize, GraphError> {
        inside::add_named(self.graph, self.run.model, function, children, input)
    }

    /// Adds a vertex, as [`Graph::add`] does.
    pub fn add<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
        children: F::Children<'_>,
        input: impl Given<F::Input>,
    ) -> Vertex<F::State> {
        self.graph.add(function, children, input)
    }

    /// Makes a tensor of these numbers, as [`Graph::tensor`] does.
    pub fn tensor(&mut self, values: &[T]) -> Tensor {
        self.graph.tensor(values)
    }

    /// Makes a bag of indices, as [`Graph::indices`] does.
    pub fn indices(&mut self, indices: impl IntoIterator<Item = impl Into<Index>>) -> Indices {
        self.graph.indices(indices)
    }

    /// The output of a vertex, so that other vertices can pull it: see [`Graph::output`].
    pub fn output<F: VertexFunction>(
        &mut self,
        function: &Function<F>,
        vertex: Vertex<F::State>,
    ) -> F::Output {
        self.graph.output(function, vertex)
    }
}
