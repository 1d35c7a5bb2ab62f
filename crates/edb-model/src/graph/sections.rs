//! The sections that the vertices of graphs run. Each section with which a vertex goes on is a vertex of the
//! minibatch.
//!
//! A vertex of a function with several sections begins with the first one. While it runs, further sections are
//! appended after all existing vertices, and the vertices that read this vertex wait for its last section. In
//! the minibatch that is made at the end, the vertices of a graph keep their numbers. After them come the
//! sections with which they went on, in the order of the vertices. So no number depends on the order in which
//! sections ran.

use edb_ir::{FunctionId, SectionChild, Sites};
use smallvec::{SmallVec, smallvec};

use super::arrivals::Arrivals;
use super::error::MinibatchError;
use super::flat::{FlatBatch, place_for};
use super::levels::Levels;
use super::minibatch::Minibatch;
use super::{ABSENT, InputCell};
use crate::model::BoundModel;
use edb_kernels::element::Element;

impl FlatBatch {
    /// Makes room for more vertices with this many children and inputs in all.
    pub(super) fn reserve_more(&mut self, vertices: usize, children: usize, inputs: usize) {
        for list in [
            &mut self.graphs,
            &mut self.numbers,
            &mut self.owners,
            &mut self.ends,
            &mut self.child_offsets,
            &mut self.input_offsets,
        ] {
            list.reserve(vertices + 1);
        }
        self.functions.reserve(vertices);
        self.children.reserve(children);
        self.inputs.reserve(inputs);
    }

    /// The vertices of the graphs, without the sections with which they went on.
    pub fn own_vertices(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.functions.len() as u32).filter(|vertex| self.owner(*vertex) == *vertex)
    }

    /// How many vertices have a loss, in their first section or in a later one.
    pub fn vertices_with_loss(&self, model: &BoundModel) -> usize {
        let has_loss = |section: u32| {
            let function = &model.functions[self.functions[section as usize]];
            !function.plan.program.losses.is_empty()
        };
        self.own_vertices().filter(|vertex| self.path(*vertex).any(has_loss)).count()
    }

    /// The vertex of the graph to which a section belongs; for a vertex of a graph, the vertex itself.
    pub fn owner(&self, vertex: u32) -> u32 {
        self.owners.get(vertex as usize).copied().unwrap_or(vertex)
    }

    /// The last section with which a vertex has gone on; once the vertex is done, this section scatters and
    /// pushes. If a vertex has not gone on, this is the vertex itself.
    pub fn last(&self, vertex: u32) -> u32 {
        self.ends.get(vertex as usize).copied().unwrap_or(vertex)
    }

    /// How often a vertex has drawn and decided in earlier sections.
    pub fn sites(&self, vertex: u32) -> Sites {
        self.sites.get(vertex as usize).copied().unwrap_or_default()
    }

    /// Whether its vertices include the sections with which vertices went on.
    pub fn has_sections(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Whether the vertices have run their sections, or have only one.
    pub fn is_settled(&self, model: &BoundModel) -> bool {
        let goes_on = |of: &FunctionId| !model.functions[*of].targets().is_empty();
        self.has_sections() || !model.has_sections() || !self.functions.iter().any(goes_on)
    }

    /// The sections with which a vertex pushes. If it pushes no list, this is its last section.
    pub fn items(&self, model: &BoundModel, vertex: u32) -> SmallVec<[u32; 1]> {
        let of = |section: u32| &model.functions[self.functions[section as usize]];
        match of(vertex).lists() {
            true => self.path(vertex).filter(|section| !of(*section).output.is_empty()).collect(),
            false => smallvec![self.last(vertex)],
        }
    }

    /// The sections of a vertex as vertices of the minibatch, in the order in which they ran.
    pub fn path(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        // The later sections of a vertex are consecutive.
        let mut first = self.last(vertex);
        let end = if first == vertex { first } else { first + 1 };
        while first < end && first > 0 && self.owner(first - 1) == vertex && first - 1 != vertex {
            first -= 1;
        }
        std::iter::once(vertex).chain(first..end)
    }
}

impl<T: Element> Arrivals<T> {
    /// Begins a path for each vertex that has arrived since the last call.
    pub(super) fn begin_paths(&mut self, model: &BoundModel) {
        let Self { batch: Minibatch { lists: batch, .. }, paths, .. } = self;
        for vertex in batch.owners.len()..batch.functions.len() {
            let vertex = vertex as u32;
            batch.owners.push(vertex);
            batch.ends.push(vertex);
            if model.draws_in_sections {
                batch.sites.push(Sites::default());
            }
            paths.starts.push(paths.latest.len() as u32);
            paths.counts.push(0);
            if model.has_lists {
                paths.before.push(vertex);
            }
            if let Some(joint) = &model.functions[batch.functions[vertex as usize]].joint {
                paths.latest.extend(std::iter::repeat_n(vertex, joint.count.into()));
            }
        }
    }

    /// Makes room for this many vertices in all, so that nothing is moved when they arrive.
    pub fn reserve(&mut self, vertices: usize) {
        let more = vertices.saturating_sub(self.batch.lists.functions.len());
        // A section reads one or two other vertices.
        self.batch.lists.reserve_more(more, 2 * more, 0);
        self.paths.starts.reserve(more);
        self.paths.counts.reserve(more);
    }

    /// Whether vertices may go on with sections.
    pub fn has_paths(&self) -> bool {
        !self.batch.lists.owners.is_empty()
    }

    /// With how many sections the vertex to which a section belongs has gone on.
    pub fn steps(&self, vertex: u32) -> u32 {
        self.paths.counts[self.batch.lists.owner(vertex) as usize]
    }

    /// Lets a vertex go on with the section `next`; `before` is the section that has run.
    pub fn go_on(
        &mut self,
        model: &BoundModel,
        before: u32,
        next: FunctionId,
    ) -> Result<(), MinibatchError> {
        self.check_model(model);
        let function = &model.functions[next];
        let joint = function.joint.as_ref().expect("a section has a joint");
        let Self { batch: Minibatch { lists: batch, .. }, paths, .. } = self;
        let vertex = place_for(batch.functions.len(), 1, "vertices")?;
        let owner = batch.owners[before as usize] as usize;
        let latest = paths.starts[owner] as usize;
        let own = batch.child_offsets[owner] as usize..batch.child_offsets[owner + 1] as usize;
        let rest = match function.plan.program.rest {
            Some(_) => own.start + model.functions[joint.function].fixed()..own.end,
            None => own.end..own.end,
        };
        place_for(batch.children.len(), joint.sources.len() + rest.len(), "edges")?;
        for source in &joint.sources {
            batch.children.push(match *source {
                SectionChild::Child(place) => batch.children[own.start + usize::from(place)],
                SectionChild::Before => before,
                SectionChild::Section(section) => paths.latest[latest + usize::from(section)],
            });
        }
        batch.children.extend_from_within(rest);
        if !function.input.is_empty() {
            let cells = [batch.input_offsets[owner], batch.input_offsets[owner + 1]];
            let cells = cells[0] as usize..cells[1] as usize;
            place_for(batch.inputs.len(), cells.len(), "inputs")?;
            for place in cells {
                batch.inputs.push(match batch.inputs[place] {
                    // Only the first section pulls tensors.
                    InputCell::Pushed { .. } => InputCell::Data { start: 0, length: 0 },
                    cell => cell,
                });
            }
        }
        batch.child_offsets.push(batch.children.len() as u32);
        batch.input_offsets.push(batch.inputs.len() as u32);
        batch.functions.push(next);
        batch.graphs.push(batch.graphs[owner]);
        batch.numbers.push(batch.numbers[owner]);
        batch.owners.push(owner as u32);
        batch.ends.push(vertex);
        batch.ends[owner] = vertex;
        if model.draws_in_sections {
            let of = model.functions[batch.functions[before as usize]].joint.as_ref();
            let more = of.map_or_else(Sites::default, |joint| joint.sites);
            batch.sites.push(batch.sites[before as usize].then(more));
        }
        paths.starts.push(0);
        paths.counts.push(0);
        if model.has_lists {
            paths.before.push(before);
        }
        paths.counts[owner] += 1;
        paths.latest[latest + usize::from(joint.number)] = vertex;
        Ok(())
    }

    /// Whether a section that has run may still be read, by the next section of its vertex or by a later one.
    /// `has_run` says which vertices have run.
    pub fn is_needed(
        &self,
        model: &BoundModel,
        vertex: u32,
        has_run: impl Fn(u32) -> bool,
    ) -> bool {
        let Self { batch: Minibatch { lists: batch, .. }, paths, .. } = self;
        let owner = batch.owner(vertex) as usize;
        let end = batch.ends[owner];
        let goes_on = |of: u32| !model.functions[batch.functions[of as usize]].targets().is_empty();
        if !goes_on(end) && has_run(end) {
            return false;
        }
        let joint = model.functions[batch.functions[vertex as usize]].joint.as_ref();
        let number = joint.expect("a section has a joint").number;
        let latest = paths.latest[paths.starts[owner] as usize + usize::from(number)];
        latest == vertex || batch.children(end).contains(&vertex)
    }

    /// Makes a vertex read the last sections of the vertices that it reads; these vertices are done.
    pub fn resolve(&mut self, vertex: u32) {
        let (batch, vertex) = (&mut self.batch.lists, vertex as usize);
        if batch.owners[vertex] as usize != vertex {
            return;
        }
        let children = batch.child_offsets[vertex]..batch.child_offsets[vertex + 1];
        for child in &mut batch.children[children.start as usize..children.end as usize] {
            if *child != ABSENT {
                *child = batch.ends[*child as usize];
            }
        }
        let inputs = batch.input_offsets[vertex]..batch.input_offsets[vertex + 1];
        for cell in &mut batch.inputs[inputs.start as usize..inputs.end as usize] {
            if let InputCell::Pushed { vertex: source, .. } = cell {
                *source = batch.ends[*source as usize];
            }
        }
    }

    /// The place of a vertex of a graph in `whole`, the minibatch of the graphs without sections.
    fn place_in(&self, whole: &FlatBatch, vertex: u32) -> u32 {
        let came = &self.batch.lists;
        let graph = came.graphs[vertex as usize] as usize;
        whole.graph_offsets[graph] + came.numbers[vertex as usize]
    }

    /// Where each graph begins, with the end, in the final minibatch with all sections; and the place of each
    /// vertex in it.
    fn places_with_sections(&self, whole: &FlatBatch) -> (Vec<u32>, Vec<u32>) {
        let (came, counts) = (&self.batch.lists, &self.paths.counts);
        let all = 0..came.functions.len() as u32;
        let is_own = |vertex: &u32| came.owners[*vertex as usize] == *vertex;
        // By place in `whole`, the number of the vertex among all vertices that arrived.
        let mut own = vec![0; whole.functions.len()];
        let of_graphs = all.clone().filter(is_own);
        of_graphs.for_each(|vertex| own[self.place_in(whole, vertex) as usize] = vertex);
        let mut places = vec![0; came.functions.len()];
        let mut graphs = Vec::with_capacity(whole.graph_offsets.len());
        graphs.push(0);
        // The place of the next section of each vertex.
        let mut next = vec![0; came.functions.len()];
        let mut end = 0;
        for graph in whole.graph_offsets.windows(2) {
            let of_graph = &own[graph[0] as usize..graph[1] as usize];
            for vertex in of_graph {
                places[*vertex as usize] = end;
                end += 1;
            }
            for vertex in of_graph {
                next[*vertex as usize] = end;
                end += counts[*vertex as usize];
            }
            graphs.push(end);
        }
        for vertex in all.filter(|vertex| !is_own(vertex)) {
            let next = &mut next[came.owners[vertex as usize] as usize];
            places[vertex as usize] = *next;
            *next += 1;
        }
        (graphs, places)
    }

    /// The final minibatch with all sections, and the place of each vertex in it. `whole` is the minibatch of
    /// the graphs without sections.
    pub(super) fn with_sections(&self, minibatch: &Minibatch<T>) -> (Minibatch<T>, Vec<u32>) {
        let whole = &minibatch.lists;
        let (graph_offsets, places) = self.places_with_sections(whole);
        let came = &self.batch.lists;
        let count = came.functions.len();
        // Vertices are read in the order in which they arrived and written to their places. The places of a
        // graph's vertices are consecutive, but sections of other graphs may have arrived between its sections.
        let lists = |offsets: &[u32]| {
            let mut ends = vec![0; count + 1];
            for (place, of_vertex) in places.iter().zip(offsets.windows(2)) {
                ends[*place as usize + 1] = of_vertex[1] - of_vertex[0];
            }
            let mut end = 0;
            ends.iter_mut().for_each(|length| {
                end += *length;
                *length = end;
            });
            ends
        };
        let mut batch = FlatBatch {
            graph_offsets,
            samples: whole.samples.clone(),
            data_offsets: whole.data_offsets.clone(),
            indices: whole.indices.clone(),
            ids: whole.ids.clone(),
            inherited: whole.inherited.clone(),
            graphs: vec![0; count],
            numbers: vec![0; count],
            owners: vec![0; count],
            ends: vec![0; count],
            sites: vec![Sites::default(); came.sites.len()],
            functions: vec![FunctionId(0); count],
            child_offsets: lists(&came.child_offsets),
            children: vec![0; came.children.len()],
            input_offsets: lists(&came.input_offsets),
            inputs: vec![InputCell::Index(0); came.inputs.len()],
            ..whole.hollow()
        };
        batch.levels = Levels::unknown(came.levels.feeds);
        let moved = |vertex: u32| if vertex == ABSENT { ABSENT } else { places[vertex as usize] };
        for (vertex, to) in (0..).zip(&places) {
            let (from, to) = (vertex as usize, *to as usize);
            batch.functions[to] = came.functions[from];
            batch.graphs[to] = came.graphs[from];
            batch.numbers[to] = came.numbers[from];
            batch.owners[to] = places[came.owners[from] as usize];
            batch.ends[to] = places[came.ends[from] as usize];
            if let Some(sites) = came.sites.get(from) {
                batch.sites[to] = *sites;
            }
            let children = batch.children[batch.child_offsets[to] as usize..].iter_mut();
            children.zip(came.children(vertex)).for_each(|(to, child)| *to = moved(*child));
            let of_vertex = came.inputs(vertex);
            if of_vertex.is_empty() {
                continue;
            }
            // Input that was put into the graphs lies where `whole` has it.
            let cells = whole.inputs(self.place_in(whole, came.owners[from]));
            let inputs = batch.inputs[batch.input_offsets[to] as usize..].iter_mut();
            for (to, (cell, came)) in inputs.zip(cells.iter().zip(of_vertex)) {
                *to = match (*came, *cell) {
                    (InputCell::Pushed { vertex, field }, _) => {
                        InputCell::Pushed { vertex: moved(vertex), field }
                    }
                    (came, InputCell::Pushed { .. }) => came,
                    (_, cell) => cell,
                };
            }
        }
        (Minibatch { lists: batch, data: minibatch.data.clone() }, places)
    }
}
