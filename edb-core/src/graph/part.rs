//! Parts of a minibatch: some of its graphs, as a minibatch of their own.

use std::ops::Range;

use super::{ABSENT, InputCell, Minibatch};
use crate::element::Element;

impl<T: Element> Minibatch<T> {
    /// A minibatch of none of the graphs of this one, for [`Minibatch::refill`].
    pub(crate) fn hollow(&self) -> Self {
        Self {
            model: self.model,
            graph_offsets: Vec::new(),
            samples: Vec::new(),
            graphs: Vec::new(),
            functions: Vec::new(),
            child_offsets: Vec::new(),
            children: Vec::new(),
            input_offsets: Vec::new(),
            inputs: Vec::new(),
            data: Vec::new(),
            levels: self.levels.hollow(),
            ids: Vec::new(),
            schedule: None,
        }
    }

    /// Makes this a minibatch of some of the graphs of `whole`, in the memory that it has. They have
    /// been checked.
    pub(crate) fn refill(&mut self, whole: &Self, graphs: Range<usize>) {
        fn copy<T: Clone>(to: &mut Vec<T>, from: &[T]) {
            to.clear();
            to.extend_from_slice(from);
        }
        fn moved(to: &mut Vec<u32>, from: &[u32], by: u32) {
            to.clear();
            to.extend(from.iter().map(|at| if *at == ABSENT { ABSENT } else { at - by }));
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
        if !whole.samples.is_empty() {
            copy(&mut self.samples, &whole.samples[graphs.clone()]);
        }
        moved(&mut self.graphs, &whole.graphs[vertices.clone()], graphs.start as u32);
        copy(&mut self.functions, &whole.functions[vertices.clone()]);
        let offsets = vertices.start..vertices.end + 1;
        moved(
            &mut self.child_offsets,
            &whole.child_offsets[offsets.clone()],
            children.start as u32,
        );
        moved(&mut self.input_offsets, &whole.input_offsets[offsets], inputs.start as u32);
        moved(&mut self.children, &whole.children[children], first);
        copy(&mut self.ids, &whole.ids[graphs]);
        let cells = &whole.inputs[inputs];
        // The numbers of graphs lie one behind the other, as the graphs do.
        let numbers = cells.iter().filter_map(|cell| match *cell {
            InputCell::Data { start, length } => Some((start, start + length)),
            _ => None,
        });
        let [from, to] =
            numbers.fold([u32::MAX, 0], |[from, to], (start, end)| [from.min(start), to.max(end)]);
        self.data.clear();
        if from < to {
            self.data.extend_from_slice(&whole.data[from as usize..to as usize]);
        }
        self.inputs.clear();
        self.inputs.extend(cells.iter().map(|cell| match *cell {
            InputCell::Index(index) => InputCell::Index(index),
            InputCell::Data { start, length } => InputCell::Data { start: start - from, length },
            InputCell::Pushed { vertex, field } => {
                InputCell::Pushed { vertex: vertex - first, field }
            }
        }));
        self.levels.refill(&whole.levels, vertices, &self.functions);
    }
}
