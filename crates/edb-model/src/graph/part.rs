//! Parts of a minibatch: some of its graphs, as a minibatch of their own.

use std::ops::Range;

use super::minibatch::{Inherited, Minibatch};
use super::{ABSENT, InputCell};
use edb_kernels::element::Element;

impl<T: Element> Minibatch<T> {
    /// A minibatch of none of the graphs of this one, for [`Minibatch::refill`].
    #[doc(hidden)]
    pub fn hollow(&self) -> Self {
        Self {
            model: self.model,
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
            data: Vec::new(),
            data_offsets: Vec::new(),
            indices: Vec::new(),
            levels: self.levels.hollow(),
            ids: Vec::new(),
            inherited: Vec::new(),
            schedule: None,
        }
    }

    /// Makes this a minibatch of some of the graphs of `whole`, reusing its memory. The graphs have
    /// been checked.
    #[doc(hidden)]
    pub fn refill(&mut self, whole: &Self, graphs: Range<usize>) {
        fn copy<T: Clone>(to: &mut Vec<T>, from: &[T]) {
            to.clear();
            to.extend_from_slice(from);
        }
        /// Copies the indices that some cells refer to. Returns where these began.
        fn part(to: &mut Vec<u32>, from: &[u32], cells: &[InputCell]) -> u32 {
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
        fn moved(to: &mut Vec<u32>, from: &[u32], by: u32) {
            to.clear();
            to.extend(
                from.iter().map(|number| if *number == ABSENT { ABSENT } else { number - by }),
            );
        }
        let ends = |offsets: &[u32], of: &Range<usize>| {
            offsets[of.start] as usize..offsets[of.end] as usize
        };
        let vertices = ends(&whole.graph_offsets, &graphs);
        let children = ends(&whole.child_offsets, &vertices);
        let inputs = ends(&whole.input_offsets, &vertices);
        let first = vertices.start as u32;
        self.model = whole.model;
        moved(&mut self.graph_offsets, &whole.graph_offsets[graphs.start..=graphs.end], first);
        // Empty where the model draws nothing.
        copy(&mut self.samples, whole.samples.get(graphs.clone()).unwrap_or_default());
        moved(&mut self.graphs, &whole.graphs[vertices.clone()], graphs.start as u32);
        copy(&mut self.functions, &whole.functions[vertices.clone()]);
        // Empty where no vertex has gone on with sections.
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
        copy(&mut self.data, &whole.data[ends(&whole.data_offsets, &graphs)]);
        moved(&mut self.data_offsets, &whole.data_offsets[graphs.start..=graphs.end], numbers);
        copy(&mut self.ids, &whole.ids[graphs]);
        let cells = &whole.inputs[inputs];
        // The indices of graphs follow one another, as the graphs and their numbers do.
        let indices = part(&mut self.indices, &whole.indices, cells);
        self.inputs.clear();
        self.inputs.extend(cells.iter().map(|cell| match *cell {
            InputCell::Index(index) => InputCell::Index(index),
            InputCell::Indices { start, length } => {
                InputCell::Indices { start: start - indices, length }
            }
            InputCell::Data { start, length } => InputCell::Data { start: start - numbers, length },
            InputCell::Pushed { vertex, field } => {
                InputCell::Pushed { vertex: vertex - first, field }
            }
        }));
        self.levels.refill(&whole.levels, vertices, &self.functions);
    }
}
