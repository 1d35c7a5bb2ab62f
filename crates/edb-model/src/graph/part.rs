//! Cuts a part out of a minibatch, that is, some of its graphs as a minibatch; and joins parts to one
//! minibatch.

use std::ops::Range;

use super::error::MinibatchError;
use super::flat::{FlatBatch, Inherited, OwnSchedule, place_for};
use super::levels::Levels;
use super::{ABSENT, InputCell};
use edb_ir::FunctionId;
use edb_schedule::Schedule;
use smallvec::SmallVec;

/// Maps the vertices, indices and numbers of a minibatch to their places in another one.
struct Moved<V, I, N> {
    vertex: V,
    index: I,
    number: N,
}

impl<V: Fn(u32) -> u32, I: Fn(u32) -> u32, N: Fn(u32) -> u32> Moved<V, I, N> {
    fn cell(&self, cell: InputCell) -> InputCell {
        match cell {
            InputCell::Index(index) => InputCell::Index(index),
            InputCell::Indices { start, length } => {
                InputCell::Indices { start: (self.index)(start), length }
            }
            // This input was pulled by an earlier section, and nothing of it is left. It has no place in any
            // graph.
            none @ InputCell::Data { start: 0, length: 0 } => none,
            InputCell::Data { start, length } => {
                InputCell::Data { start: (self.number)(start), length }
            }
            InputCell::Pushed { vertex, field } => {
                InputCell::Pushed { vertex: (self.vertex)(vertex), field }
            }
        }
    }
}

/// Copies the indices to which some cells refer. Returns where these indices began.
fn copy_indices(to: &mut Vec<u32>, from: &[u32], cells: &[InputCell]) -> u32 {
    let ranges = cells.iter().filter_map(|cell| match *cell {
        InputCell::Indices { start, length } => Some((start, length)),
        _ => None,
    });
    let [first, end] = ranges.fold([u32::MAX, 0], |[first, end], (start, length)| {
        [first.min(start), end.max(start + length)]
    });
    to.clear();
    if first < end {
        to.extend_from_slice(&from[first as usize..end as usize]);
    }
    first
}

/// Whether the schedules of these parts agree on which functions they contain. A function may be scheduled only because
/// its vertices feed others or are fed. Then the schedule of a part without such vertices leaves the function out.
fn schedule_alike(parts: &[&FlatBatch]) -> bool {
    if !parts.iter().any(|part| part.levels.feeds) {
        return true;
    }
    let entangled: Vec<SmallVec<[bool; 32]>> = parts.iter().map(|part| part.entangled()).collect();
    let is_in_some = |function: FunctionId| {
        entangled.iter().any(|of| of.get(function.index()).is_some_and(|of| *of))
    };
    parts.iter().zip(&entangled).all(|(part, own)| {
        let mut functions = part.functions.iter();
        functions.all(|of| own.get(of.index()).is_some_and(|of| *of) || !is_in_some(*of))
    })
}

impl FlatBatch {
    /// For each function, by its number: whether a vertex of it pulls what another vertex pushes, or pushes what
    /// another vertex pulls. The list ends with the last function for which this holds.
    pub fn entangled(&self) -> SmallVec<[bool; 32]> {
        let mut entangled = SmallVec::new();
        if !self.levels.feeds {
            return entangled;
        }
        for (vertex, function) in (0..).zip(&self.functions) {
            for cell in self.inputs(vertex) {
                let InputCell::Pushed { vertex: source, .. } = cell else { continue };
                for of in [*function, self.functions[*source as usize]] {
                    entangled.resize(entangled.len().max(of.index() + 1), false);
                    entangled[of.index()] = true;
                }
            }
        }
        entangled
    }

    /// A minibatch without graphs, to be filled by [`FlatBatch::refill`]. It cannot run before
    /// that.
    pub(super) fn hollow(&self) -> Self {
        Self::without_lists(self.model, self.levels.hollow())
    }

    /// The lists of no graphs. Not even the offsets begin.
    pub(super) fn without_lists(model: u64, levels: Levels) -> Self {
        Self {
            model,
            graph_offsets: Vec::new(),
            samples: Vec::new(),
            graphs: Vec::new(),
            numbers: Vec::new(),
            owners: Vec::new(),
            ends: Vec::new(),
            sites: Vec::new(),
            functions: Vec::new(),
            child_offsets: Vec::new(),
            children: Vec::new(),
            input_offsets: Vec::new(),
            inputs: Vec::new(),
            data_offsets: Vec::new(),
            indices: Vec::new(),
            levels,
            ids: Vec::new(),
            inherited: Vec::new(),
            schedule: None,
        }
    }

    /// Makes this the minibatch of some graphs of `whole`, given by their places there, and reuses the memory
    /// of this one. So a large minibatch can run part by part. Before, this may have been a minibatch of
    /// another model.
    ///
    /// # Panics
    /// When `whole` has no such graphs.
    pub(super) fn refill(&mut self, whole: &Self, graphs: Range<usize>) -> Range<usize> {
        fn copy<T: Clone>(to: &mut Vec<T>, from: &[T]) {
            to.clear();
            to.extend_from_slice(from);
        }
        fn moved(to: &mut Vec<u32>, from: &[u32], by: u32) {
            to.clear();
            to.extend(
                from.iter().map(|number| if *number == ABSENT { ABSENT } else { number - by }),
            );
        }
        let ends = |offsets: &[u32], of: &Range<usize>| {
            offsets[of.start] as usize..offsets[of.end] as usize
        };
        // This is checked before anything changes, since a minibatch that is half changed would be valid for no
        // model.
        let exist = graphs.start <= graphs.end && graphs.end < whole.graph_offsets.len();
        assert!(exist, "refill: the minibatch has no graphs {graphs:?}");
        // An old schedule is not for these graphs.
        self.schedule = None;
        let vertices = ends(&whole.graph_offsets, &graphs);
        let children = ends(&whole.child_offsets, &vertices);
        let inputs = ends(&whole.input_offsets, &vertices);
        let first = vertices.start as u32;
        moved(&mut self.graph_offsets, &whole.graph_offsets[graphs.start..=graphs.end], first);
        // `samples` is empty if the model draws nothing.
        copy(&mut self.samples, whole.samples.get(graphs.clone()).unwrap_or_default());
        moved(&mut self.graphs, &whole.graphs[vertices.clone()], graphs.start as u32);
        copy(&mut self.functions, &whole.functions[vertices.clone()]);
        // These lists are empty if no vertex has gone on with sections.
        copy(&mut self.numbers, whole.numbers.get(vertices.clone()).unwrap_or_default());
        copy(&mut self.sites, whole.sites.get(vertices.clone()).unwrap_or_default());
        moved(&mut self.owners, whole.owners.get(vertices.clone()).unwrap_or_default(), first);
        moved(&mut self.ends, whole.ends.get(vertices.clone()).unwrap_or_default(), first);
        let offsets = vertices.start..vertices.end + 1;
        moved(
            &mut self.child_offsets,
            &whole.child_offsets[offsets.clone()],
            children.start as u32,
        );
        moved(&mut self.input_offsets, &whole.input_offsets[offsets], inputs.start as u32);
        moved(&mut self.children, &whole.children[children], first);
        self.inherited.clear();
        let before = |graph| whole.inherited.partition_point(|of| (of.clone as usize) < graph);
        let inherited = &whole.inherited[before(graphs.start)..before(graphs.end)];
        let here = |of: &Inherited| Inherited { clone: of.clone - graphs.start as u32, ..*of };
        self.inherited.extend(inherited.iter().map(here));
        let numbers = whole.data_offsets[graphs.start];
        let of_these = ends(&whole.data_offsets, &graphs);
        // After the numbers of the graphs there are numbers that all graphs read.
        let [of_graphs, own] = [whole.of_graphs(), of_these.len() as u32];
        moved(&mut self.data_offsets, &whole.data_offsets[graphs.start..=graphs.end], numbers);
        copy(&mut self.ids, &whole.ids[graphs]);
        let cells = &whole.inputs[inputs];
        // The indices of the graphs are consecutive, in the order of the graphs.
        let indices = copy_indices(&mut self.indices, &whole.indices, cells);
        self.inputs.clear();
        let to = Moved {
            vertex: |vertex: u32| vertex - first,
            index: |start: u32| start - indices,
            number: |start: u32| match start.checked_sub(of_graphs) {
                Some(behind) => own + behind,
                None => start - numbers,
            },
        };
        self.inputs.extend(cells.iter().map(|cell| to.cell(*cell)));
        self.levels.refill(&whole.levels, vertices, &self.functions);
        self.model = whole.model;
        of_these
    }

    /// How many numbers belong to one graph each; after them come numbers that all graphs read.
    pub(super) fn of_graphs(&self) -> u32 {
        self.data_offsets.last().copied().unwrap_or(0)
    }

    /// Joins several minibatches of one model to one, with the graphs one after the other. If vertices decide
    /// what they run, either all of the minibatches must have run, or none. If all of them have a schedule, and
    /// these contain the same functions, the result runs by these schedules [side by side](Schedule::side_by_side).
    ///
    /// # Errors
    /// [`MinibatchError::TooLarge`]; [`MinibatchError::Unlike`] if a part cannot be joined with the first.
    pub(super) fn joined(parts: &[&Self]) -> Result<Self, MinibatchError> {
        let first = parts.first().filter(|first| first.graph_count() > 0);
        let first = *first.ok_or(MinibatchError::NoGraphs)?;
        if let Some(part) = parts.iter().position(|part| !part.is_like(first)) {
            return Err(MinibatchError::Unlike { part });
        }
        /// Appends numbers, and adds `by` to each.
        fn moved(to: &mut Vec<u32>, from: &[u32], by: usize) {
            let by = by as u32;
            to.extend(
                from.iter().map(|number| if *number == ABSENT { ABSENT } else { number + by }),
            );
        }
        let mut all = first.hollow();
        let of = |count: fn(&Self) -> usize| parts.iter().map(|part| count(part)).sum::<usize>();
        let vertices = of(|part| part.functions.len());
        let (children, inputs) = (of(|part| part.children.len()), of(|part| part.inputs.len()));
        for (count, what) in [
            (vertices, "vertices"),
            (children, "edges"),
            (inputs, "inputs"),
            (of(|part| part.indices.len()), "indices of bags"),
        ] {
            place_for(0, count, what)?;
        }
        all.reserve_more(vertices, children, inputs);
        let numbers = of(|part| part.of_graphs() as usize) as u32;
        let Self { graph_offsets, data_offsets, child_offsets, input_offsets, .. } = &mut all;
        for offsets in [graph_offsets, data_offsets, child_offsets, input_offsets] {
            offsets.push(0);
        }
        for part in parts {
            let (graphs, vertices) = (all.ids.len(), all.functions.len());
            let (data, indices) = (all.of_graphs(), all.indices.len() as u32);
            let (children, inputs) = (all.children.len(), all.inputs.len());
            moved(&mut all.graph_offsets, &part.graph_offsets[1..], vertices);
            moved(&mut all.data_offsets, &part.data_offsets[1..], data as usize);
            moved(&mut all.child_offsets, &part.child_offsets[1..], children);
            moved(&mut all.input_offsets, &part.input_offsets[1..], inputs);
            moved(&mut all.graphs, &part.graphs, graphs);
            moved(&mut all.owners, &part.owners, vertices);
            moved(&mut all.ends, &part.ends, vertices);
            moved(&mut all.children, &part.children, vertices);
            all.samples.extend_from_slice(&part.samples);
            all.numbers.extend_from_slice(&part.numbers);
            all.sites.extend_from_slice(&part.sites);
            all.functions.extend_from_slice(&part.functions);
            let own = part.of_graphs();
            all.indices.extend_from_slice(&part.indices);
            all.ids.extend_from_slice(&part.ids);
            let here = |of: &Inherited| Inherited { clone: of.clone + graphs as u32, ..*of };
            all.inherited.extend(part.inherited.iter().map(here));
            let to = Moved {
                vertex: |vertex: u32| vertex + vertices as u32,
                index: |start: u32| start + indices,
                number: |start: u32| match start.checked_sub(own) {
                    Some(behind) => numbers + behind,
                    None => start + data,
                },
            };
            all.inputs.extend(part.inputs.iter().map(|cell| to.cell(*cell)));
        }
        all.levels = Levels::joined(parts.iter().map(|part| &part.levels));
        let schedules: Option<Vec<&Schedule>> = parts.iter().map(|part| part.schedule()).collect();
        let of_parts = schedules.filter(|_| schedule_alike(parts));
        let known = !all.levels.feeds && parts.iter().all(|part| part.is_vouched_for());
        all.schedule = of_parts.map(|of_parts| OwnSchedule {
            schedule: Schedule::side_by_side(&of_parts),
            is_vouched_for: known,
        });
        Ok(all)
    }

    /// Whether a minibatch can be joined with this one: both are of one model and have the same numbers that
    /// all graphs read, and each optional list is empty in both or in neither.
    fn is_like(&self, other: &Self) -> bool {
        let has = |of: &Self| {
            let lists = [of.numbers.len(), of.owners.len(), of.ends.len(), of.sites.len()];
            (lists.map(|list| list == 0), of.samples.is_empty(), of.graph_offsets.is_empty())
        };
        self.model == other.model && has(self) == has(other)
    }
}
