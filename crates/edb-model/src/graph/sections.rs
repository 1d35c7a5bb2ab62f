//! The sections that the vertices of graphs run: what a vertex goes on with is a vertex of the
//! minibatch.
//!
//! A vertex of a function with several sections begins with the first. While it runs, the next ones
//! come behind all that there is, and what reads the vertex waits for the last. In the minibatch
//! that is made at the end, the vertices of a graph have their numbers, and the sections that they
//! went on with follow them, in the order of their vertices. So no number depends on the order in
//! which sections ran.

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
    /// Makes room for more vertices with so many children and inputs.
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

    /// The vertices of the graphs, without the sections that they went on with.
    pub fn own_vertices(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.functions.len() as u32).filter(|vertex| self.owner(*vertex) == *vertex)
    }

    /// How many vertices have a loss, themselves or in a section that they went on with.
    pub fn vertices_with_loss(&self, model: &BoundModel) -> usize {
        let has_loss = |section: u32| {
            let function = &model.functions[self.functions[section as usize]];
            !function.plan.program.losses.is_empty()
        };
        self.own_vertices().filter(|vertex| self.path(*vertex).any(has_loss)).count()
    }

    /// The vertex of the graph that a section belongs to; of any other vertex itself.
    pub fn owner(&self, vertex: u32) -> u32 {
        self.owners.get(vertex as usize).copied().unwrap_or(vertex)
    }

    /// The section with which a vertex ends, as far as it has gone on: the one that scatters and
    /// pushes, once it is done. Of any other vertex itself.
    pub fn last(&self, vertex: u32) -> u32 {
        self.ends.get(vertex as usize).copied().unwrap_or(vertex)
    }

    /// How often a vertex has drawn and decided in the sections before.
    pub fn sites(&self, vertex: u32) -> Sites {
        self.sites.get(vertex as usize).copied().unwrap_or_default()
    }

    /// Whether the sections that vertices have run are among its vertices.
    pub fn has_sections(&self) -> bool {
        !self.owners.is_empty()
    }

    /// Whether the vertices have run their sections, or have none.
    pub fn is_settled(&self, model: &BoundModel) -> bool {
        let goes_on = |of: &FunctionId| !model.functions[*of].targets().is_empty();
        self.has_sections() || !model.has_sections() || !self.functions.iter().any(goes_on)
    }

    /// The sections by which a vertex pushes: one that pushes no list does so by its last.
    pub fn items(&self, model: &BoundModel, vertex: u32) -> SmallVec<[u32; 1]> {
        let of = |section: u32| &model.functions[self.functions[section as usize]];
        match of(vertex).lists() {
            true => self.path(vertex).filter(|section| !of(*section).output.is_empty()).collect(),
            false => smallvec![self.last(vertex)],
        }
    }

    /// The vertices of the graphs that the sections of a vertex are, in the order in which it ran
    /// them.
    pub fn path(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        // They follow one another.
        let mut first = self.last(vertex);
        let end = if first == vertex { first } else { first + 1 };
        while first < end && first > 0 && self.owner(first - 1) == vertex && first - 1 != vertex {
            first -= 1;
        }
        std::iter::once(vertex).chain(first..end)
    }
}

impl<T: Element> Arrivals<T> {
    /// Notes the vertices that have come from one on.
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

    /// Makes room for so many vertices in all, so that nothing is moved while they come.
    pub fn reserve(&mut self, vertices: usize) {
        let more = vertices.saturating_sub(self.batch.lists.functions.len());
        // A section reads one or two others.
        self.batch.lists.reserve_more(more, 2 * more, 0);
        self.paths.starts.reserve(more);
        self.paths.counts.reserve(more);
    }

    /// Whether vertices may go on with sections.
    pub fn has_paths(&self) -> bool {
        !self.batch.lists.owners.is_empty()
    }

    /// How many sections the vertex that a section belongs to has gone on with.
    pub fn steps(&self, vertex: u32) -> u32 {
        self.paths.counts[self.batch.lists.owner(vertex) as usize]
    }

    /// Lets a vertex go on with a section; `before` is the section that it has run.
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
                    // Tensors are pulled by the first section alone.
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

    /// Whether the vertex of a section that has run may be read yet: by the section that its vertex
    /// goes on with, or by later ones. `has_run` says which vertices have run.
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

    /// Makes a vertex read the last sections of those that it reads, which are done.
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

    /// The place in the minibatch of the graphs, `whole`, of a vertex of them.
    fn place_in(&self, whole: &FlatBatch, vertex: u32) -> u32 {
        let came = &self.batch.lists;
        let graph = came.graphs[vertex as usize] as usize;
        whole.graph_offsets[graph] + came.numbers[vertex as usize]
    }

    /// Where each graph begins, and the end, in the minibatch that graphs have become whose vertices
    /// have run their sections; and the place of each vertex there.
    fn places_with_sections(&self, whole: &FlatBatch) -> (Vec<u32>, Vec<u32>) {
        let (came, counts) = (&self.batch.lists, &self.paths.counts);
        let all = 0..came.functions.len() as u32;
        let is_own = |vertex: &u32| came.owners[*vertex as usize] == *vertex;
        // Where the vertices of the graphs are among those that came, by their place in `whole`.
        let mut own = vec![0; whole.functions.len()];
        let of_graphs = all.clone().filter(is_own);
        of_graphs.for_each(|vertex| own[self.place_in(whole, vertex) as usize] = vertex);
        let mut places = vec![0; came.functions.len()];
        let mut graphs = Vec::with_capacity(whole.graph_offsets.len());
        graphs.push(0);
        // Where the next section of each vertex goes.
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

    /// The minibatch that graphs have become whose vertices have run their sections, and the place
    /// of each vertex there. `whole` is that of the graphs alone.
    pub(super) fn with_sections(&self, minibatch: &Minibatch<T>) -> (Minibatch<T>, Vec<u32>) {
        let whole = &minibatch.lists;
        let (graph_offsets, places) = self.places_with_sections(whole);
        let came = &self.batch.lists;
        let count = came.functions.len();
        // What came is read in its order, and written to its places: those of the vertices of a graph
        // follow one another, while between two of its sections may lie sections of all other graphs.
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
            // What was put into the graphs lies where the minibatch of the graphs has it.
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
