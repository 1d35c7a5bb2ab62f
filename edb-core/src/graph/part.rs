//! Parts of a minibatch: some of its graphs, as a minibatch of their own.

use std::ops::Range;

use super::minibatch::Inherited;
use super::{ABSENT, InputCell, Minibatch};
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

#[cfg(test)]
mod tests {
    use edb_ir::{
        Builder, Contraction, Dim, Movement, Op, Pointwise, Program, Reduction, Shape, Slot,
    };

    use crate::engine::Engine;
    use crate::graph::{Graph, InputRecord, VertexRecord};
    use crate::learn::Gradients;
    use crate::model::{Model, ModelBuilder, Setup};

    /// A function that pulls `x`, an index and a bag, reads at most one child, and pushes and
    /// scatters `y`.
    fn program() -> Program {
        let mut b = Builder::new("f", vec!["N".into()]);
        b.input("In");
        let n = || Dim::name(0);
        let w = b.param("w", Shape::matrix(n(), n()));
        let x = b.pull("x");
        let bag = b.pull_indices("bag");
        let rows = b.apply(Op::Movement(Movement::BagSum(bag)), &[w]).unwrap();
        let x = b.apply(Contraction::Dot, &[w, x]).unwrap();
        let x = b.apply(Pointwise::Add, &[x, rows]).unwrap();
        let state = b.state("S");
        let slot = Slot::Fixed(b.slot(state, true));
        let below = b.child(slot, "y");
        let sum = b.apply(Pointwise::Add, &[x, below]).unwrap();
        let y = b.apply(Pointwise::Tanh, &[sum]).unwrap();
        b.scatter(state, &[("y", y)]).unwrap();
        b.push_output("Out", &[("y", y)]);
        let index = b.pull_index("index");
        let loss = b.apply(Reduction::CrossEntropy, &[y, index]).unwrap();
        b.loss(loss).unwrap();
        b.finish().unwrap()
    }

    fn model(width: usize) -> Model<f64> {
        let mut builder = ModelBuilder::new();
        builder.add_program(program(), edb_compiler::compile, Setup::new().dim("N", width));
        builder.build(3).unwrap()
    }

    /// Chains of different lengths; the last vertex of each pulls what the first one pushes.
    fn graphs(model: &Model<f64>, count: usize, width: usize) -> Vec<Graph<f64>> {
        let vertex = |graph: usize, number: usize, last: bool| {
            let element = |k: usize| ((graph * 7 + number * 3 + k) % 11) as f64 / 11.0 - 0.4;
            let x = match last {
                true => InputRecord::Output { vertex: 0, field: "y".into() },
                false => InputRecord::Tensor((0..width).map(element).collect()),
            };
            let index = InputRecord::Index(((graph + number) % width) as u32);
            let bag = (0..(graph + number) % 3).map(|k| ((graph + k) % width) as u32).collect();
            let bag = InputRecord::Indices(bag);
            VertexRecord {
                function: "f".into(),
                children: vec![number.checked_sub(1)],
                input: [("x", x), ("index", index), ("bag", bag)]
                    .map(|(name, value)| (name.to_string(), value))
                    .into(),
            }
        };
        (0..count)
            .map(|graph| {
                let length = 2 + graph % 4;
                let records: Vec<VertexRecord> =
                    (0..length).map(|number| vertex(graph, number, number + 1 == length)).collect();
                model.graph_from_records(&records).unwrap()
            })
            .collect()
    }

    #[test]
    fn a_part_is_the_minibatch_of_its_graphs() {
        let model = model(3);
        let graphs = graphs(&model, 9, 3);
        let whole = model.minibatch(&graphs).unwrap();
        let mut part = whole.hollow();
        for range in [0..4, 4..9, 2..3, 0..9] {
            part.refill(&whole, range.clone());
            let alone = model.minibatch(&graphs[range.clone()]).unwrap();
            // All fields.
            assert_eq!(format!("{part:?}"), format!("{alone:?}"), "{range:?}");
        }
    }

    /// A minibatch that is cut into parts trains as the whole, except for rounding, and with the
    /// same bits on any number of threads.
    #[test]
    fn parts_train_as_the_whole() {
        const WIDTH: usize = 16;
        let batch = |model: &Model<f64>| {
            let few = graphs(model, 30, WIDTH);
            model.minibatch(few.iter().cycle().take(24 * 1400)).unwrap()
        };
        let summed = |threads: usize| {
            let mut engine = Engine::with_threads(threads).unwrap();
            let model = model(WIDTH);
            let batch = batch(&model);
            let parts = engine.parts(&model, &batch);
            assert!(parts.len() > 1, "large enough for parts");
            engine.begin_step(model.parameters(), false).unwrap();
            engine.run_in_parts(&model, &batch, &parts, 0).unwrap();
            let mut gradients = Gradients::new(model.parameters());
            let loss = engine.take_sums(&mut gradients).unwrap();
            (loss, gradients)
        };
        let model = model(WIDTH);
        let (id, _) = model.parameters().iter().next().unwrap();
        let (loss, one) = summed(1);
        for threads in [2, 3] {
            let (same, gradients) = summed(threads);
            assert_eq!((loss, one.get(id)), (same, gradients.get(id)));
        }
        let batch = batch(&model);
        let mut engine = Engine::new();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        approx::assert_relative_eq!(run.loss().unwrap(), loss, max_relative = 1e-12);
        let whole = run.backward().unwrap().to_dense(id);
        for (found, expected) in one.to_dense(id).iter().zip(&whole) {
            approx::assert_relative_eq!(*found, *expected, max_relative = 1e-10);
        }
    }
}
