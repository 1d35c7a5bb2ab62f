//! Makes a minibatch of graphs: each graph is checked, and appended to the lists of the minibatch.

use super::error::{GraphError, MinibatchError};
use super::flat::{FlatBatch, Inherited, place_for};
use super::levels::Levels;
use super::minibatch::Minibatch;
use super::validate::check_acyclic;
use super::{ABSENT, Graph, InputCell, VertexEntry};
use crate::model::{Blueprint, BoundModel};
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_kernels::trace::TARGET;

impl<T: Element> Blueprint<T> {
    /// A minibatch of graphs, validated.
    ///
    /// # Errors
    /// The first graph and vertex that break a rule. The graphs are untouched.
    pub fn minibatch<'g>(
        &self,
        graphs: impl IntoIterator<Item = &'g Graph<T>>,
    ) -> Result<Minibatch<T>, MinibatchError> {
        let graphs: Vec<&Graph<T>> = graphs.into_iter().collect();
        of_graphs(self.bound(), &graphs)
    }
}

compiled_here! {
    /// A minibatch of graphs, which are checked.
    pub(super) fn of_graphs(model: &BoundModel, graphs: &[&Graph<T>]) -> Result<Minibatch<T>, MinibatchError> {
        let mut batch = Minibatch::empty(model);
        let count = graphs.len();
        let _span = tracing::debug_span!(target: TARGET, "minibatch", graphs = count).entered();
        batch.reserve(graphs.iter().copied());
        batch.lists.levels = Levels::new(model.functions.len(), batch.lists.functions.capacity());
        let draws = model.draws();
        for (number, graph) in graphs.iter().enumerate() {
            let only_indices = batch.lists.check(model, graph, number)?;
            batch.append(graph, draws, only_indices)?;
        }
        if batch.lists.ids.is_empty() {
            return Err(MinibatchError::NoGraphs);
        }
        Ok(batch)
    }
}

impl<T: Element> Minibatch<T> {
    /// A minibatch of graphs that have been checked. Its levels are not known, so it needs a schedule.
    pub(super) fn of_checked(
        model: &BoundModel,
        graphs: &[Graph<T>],
        feeds: bool,
    ) -> Result<Self, MinibatchError> {
        let mut batch = Self::empty(model);
        batch.reserve(graphs.iter());
        batch.lists.levels = Levels::unknown(feeds);
        let draws = model.draws();
        for graph in graphs {
            batch.lists.append_functions(model, graph);
            batch.append(graph, draws, false)?;
        }
        Ok(batch)
    }

    fn empty(model: &BoundModel) -> Self {
        Self { lists: FlatBatch::empty(model), data: Vec::new() }
    }

    /// Reserves memory for these graphs, so that nothing is reallocated while they are appended.
    fn reserve<'g>(&mut self, graphs: impl ExactSizeIterator<Item = &'g Graph<T>> + Clone) {
        // A minibatch that is too large is refused when graphs are appended.
        let sum = |size: fn(&Graph<T>) -> usize| {
            let sum: usize = graphs.clone().map(size).sum();
            if sum < ABSENT as usize { sum } else { 0 }
        };
        let vertices = sum(Graph::len);
        let Self { lists, data } = self;
        lists.graph_offsets.reserve(graphs.len());
        lists.ids.reserve(graphs.len());
        lists.data_offsets.reserve(graphs.len());
        lists.graphs.reserve(vertices);
        lists.functions.reserve(vertices);
        lists.child_offsets.reserve(vertices);
        lists.input_offsets.reserve(vertices);
        lists.children.reserve(sum(|graph| graph.children.len()));
        lists.inputs.reserve(sum(|graph| graph.inputs.len()));
        data.reserve(sum(|graph| graph.data.len()));
        lists.indices.reserve(sum(|graph| graph.indices.len()));
    }

    /// Appends a graph whose functions have been appended, with the id on which draws depend if the model `draws`;
    /// `only_indices` says that every field of its input is one index.
    fn append(
        &mut self,
        graph: &Graph<T>,
        draws: bool,
        only_indices: bool,
    ) -> Result<(), MinibatchError> {
        let first = place_for(self.data.len(), graph.data.len(), "numbers of input")?;
        let sample = draws.then(|| graph.sample_id());
        self.lists.append(graph, sample, (!only_indices).then_some(first))?;
        if !only_indices {
            self.data.extend_from_slice(&graph.data);
        }
        self.lists.data_offsets.push(self.data.len() as u32);
        Ok(())
    }
}

impl FlatBatch {
    fn empty(model: &BoundModel) -> Self {
        Self {
            graph_offsets: vec![0],
            child_offsets: vec![0],
            input_offsets: vec![0],
            data_offsets: vec![0],
            ..Self::without_lists(model.id, Levels::default())
        }
    }

    /// Checks everything that can be wrong with a graph, and finds the levels of its vertices.
    /// Returns whether every field of its input is one index.
    fn check<T: Element>(
        &mut self,
        model: &BoundModel,
        graph: &Graph<T>,
        number: usize,
    ) -> Result<bool, MinibatchError> {
        if graph.model != model.id {
            return Err(MinibatchError::ForeignGraph { graph: number });
        }
        if graph.is_empty() {
            return Err(MinibatchError::EmptyGraph { graph: number });
        }
        let wrong = |error: GraphError| MinibatchError::Graph { graph: number, error };
        if let Some(problem) = &graph.problem {
            return Err(wrong(problem.clone()));
        }
        let first = self.functions.len();
        self.append_functions(model, graph);
        let functions = &self.functions[first..];
        let found = self.levels.extend(model, graph, functions).map_err(wrong)?;
        // Vertices that only depend on earlier ones have no cycle.
        if !found.ascending {
            check_acyclic(graph).map_err(wrong)?;
        }
        Ok(found.only_indices)
    }

    /// Appends the functions of a graph's vertices; the input of a vertex chooses the variant.
    fn append_functions<T: Element>(&mut self, model: &BoundModel, graph: &Graph<T>) {
        if !model.has_variants {
            self.functions.extend(graph.entries.iter().map(|entry| entry.function));
            return;
        }
        let variant = |(vertex, entry): (usize, &VertexEntry)| {
            model.variant(entry.function, graph.inputs(vertex))
        };
        self.functions.extend(graph.entries.iter().enumerate().map(variant));
    }

    /// Appends the lists of a graph; `first_number` says where its numbers are, unless every field of its input is one
    /// index.
    fn append<T: Element>(
        &mut self,
        graph: &Graph<T>,
        sample: Option<u64>,
        first_number: Option<u32>,
    ) -> Result<(), MinibatchError> {
        self.samples.extend(sample);
        let first = place_for(self.graphs.len(), graph.len(), "vertices")?;
        let children = place_for(self.children.len(), graph.children.len(), "edges")?;
        let inputs = place_for(self.inputs.len(), graph.inputs.len(), "inputs")?;
        let indices = place_for(self.indices.len(), graph.indices.len(), "indices of bags")?;
        let number = self.ids.len() as u32;
        self.graphs.extend(std::iter::repeat_n(number, graph.len()));
        let moved = |child: &u32| if *child == ABSENT { ABSENT } else { child + first };
        self.child_offsets.extend(graph.entries.iter().map(|entry| entry.children + children));
        self.children.extend(graph.children.iter().map(moved));
        self.input_offsets.extend(graph.entries.iter().map(|entry| entry.inputs + inputs));
        self.graph_offsets.push(self.functions.len() as u32);
        self.ids.push(graph.lineage.id());
        self.inherited.extend(graph.lineage.ancestors().iter().map(|ancestor| Inherited {
            clone: number,
            graph: ancestor.graph,
            vertices: ancestor.shared.vertices,
            data: ancestor.shared.data,
        }));
        let Some(data) = first_number else {
            self.inputs.extend_from_slice(&graph.inputs);
            return Ok(());
        };
        self.inputs.extend(graph.inputs.iter().map(|cell| match *cell {
            InputCell::Index(index) => InputCell::Index(index),
            InputCell::Indices { start, length } => {
                InputCell::Indices { start: start + indices, length }
            }
            InputCell::Data { start, length } => InputCell::Data { start: start + data, length },
            InputCell::Pushed { vertex, field } => {
                InputCell::Pushed { vertex: vertex + first, field }
            }
        }));
        self.indices.extend_from_slice(&graph.indices);
        Ok(())
    }
}
