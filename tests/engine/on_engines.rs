//! What engines ask of back ends, and what they refuse: threads, memory and panics.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::{Arc, Mutex};

use edb::Element;
use edb::engine::EngineError;
use edb::graph::{InputRecord, VertexRecord};
use edb::learn::{
    Clock, Descent, Gradient, Gradients, LearnError, Method, Optimizer, ParameterId, Pass, Rule,
    Sgd,
};
use edb::model::Setup;
use edb::prelude::*;

use edb_backend_suite::numbers::{bits, gradient_bits};
use edb_core::backend::{Backend, BackendBox, Copies, Frame, Moves};
use edb_core::device::Backends;
use edb_core::engine::training::{self, CutFor};
use edb_ir::{
    Builder, Contraction, Dim, FunctionId, Movement, Phase, Pointwise, Program, Reduction, Shape,
    Slot,
};

/// `h = table[id]`: the first of a chain.
pub fn first() -> Program {
    let mut b = Builder::new("first", vec!["V".into(), "H".into()]);
    let table = b.param("table", Shape::matrix(Dim::name(0), Dim::name(1)));
    b.input("Word");
    let id = b.pull_index("id");
    let h = b.apply(Movement::Row, &[table, id]).unwrap();
    let state = b.state("State");
    b.scatter(state, &[("h", h)]).unwrap();
    b.finish().unwrap()
}

/// `h = tanh(child)`, and the loss is the sum of the elements of `tanh(child hᵀ)`.
pub fn next() -> Program {
    let mut b = Builder::new("next", vec!["H".into()]);
    let state = b.state("State");
    let slot = b.slot(state, false);
    let child = b.child(Slot::Fixed(slot), "h");
    let h = b.apply(Pointwise::Tanh, &[child]).unwrap();
    // A matrix that exists only while a vertex is computed.
    let outer = b.apply(Contraction::Outer, &[child, h]).unwrap();
    let outer = b.apply(Pointwise::Tanh, &[outer]).unwrap();
    let loss = b.apply(Reduction::Sum, &[outer]).unwrap();
    b.scatter(state, &[("h", h)]).unwrap();
    b.loss(loss).unwrap();
    b.finish().unwrap()
}

/// A model of chains.
pub fn model(next: Program, h: usize) -> Model<f32> {
    let mut builder = ModelBuilder::new();
    builder.add_program(first(), edb_compiler::compile, Setup::new().dim("V", 5).dim("H", h));
    builder.add_program(next, edb_compiler::compile, Setup::new().dim("H", h));
    builder.build(1).unwrap()
}

/// Chains of so many vertices.
pub fn chains(model: &Model<f32>, lengths: &[usize]) -> Minibatch<f32> {
    let chain = |length: usize| {
        let vertex = |number: usize| VertexRecord {
            function: if number == 0 { "first" } else { "next" }.into(),
            children: number.checked_sub(1).map(Some).into_iter().collect(),
            input: (number == 0)
                .then(|| ("id".into(), InputRecord::Index(length as u32 % 5)))
                .into_iter()
                .collect(),
        };
        model.graph_from_records(&(0..length).map(vertex).collect::<Vec<_>>()).unwrap()
    };
    let graphs: Vec<_> = lengths.iter().map(|length| chain(*length)).collect();
    model.minibatch(graphs.iter()).unwrap()
}

/// `h = tanh(W child)`, and the loss is the sum of its elements.
pub fn layer() -> Program {
    let mut b = Builder::new("next", vec!["H".into()]);
    let weights = b.param("weights", Shape::matrix(Dim::name(0), Dim::name(0)));
    let state = b.state("State");
    let slot = b.slot(state, false);
    let child = b.child(Slot::Fixed(slot), "h");
    let product = b.apply(Contraction::Dot, &[weights, child]).unwrap();
    let h = b.apply(Pointwise::Tanh, &[product]).unwrap();
    let loss = b.apply(Reduction::Sum, &[h]).unwrap();
    b.scatter(state, &[("h", h)]).unwrap();
    b.loss(loss).unwrap();
    b.finish().unwrap()
}

/// Steps that run on one, two and three threads, one after the other, change parameters by the same bits as
/// steps on one, while weights follow the optimiser from step to step.
#[test]
fn the_number_of_threads_may_change_between_steps() {
    const CHANGES: [&str; 2] = ["EDB_TRIALS", "always"];
    if std::env::var(CHANGES[0]).is_err() {
        // All that runs in a process with this variable runs so.
        let mut child = Command::new(std::env::current_exe().unwrap());
        let name = "on_engines::the_number_of_threads_may_change_between_steps";
        child.args(["--exact", name]).env(CHANGES[0], CHANGES[1]);
        let output = child.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let trained = |threads: usize| {
        let mut engine = Engine::with_threads(threads).unwrap();
        let mut optimizer = Sgd::new(0.01);
        // Phases of many rows, which threads split, and of few, whose columns they split.
        let mut model = model(layer(), 160);
        let [many, few] = [50, 3].map(|graphs| chains(&model, &vec![3; graphs]));
        for step in 0..24 {
            let batch = if step % 7 < 4 { &many } else { &few };
            let gradients = engine.forward(&model, batch, step).unwrap().backward().unwrap();
            optimizer.step(model.parameters_mut(), &gradients, &[], &mut engine.workers()).unwrap();
        }
        bits(&model)
    };
    assert!(trained(1) == trained(3));
}

/// Batches of few rows whose kernels are so much work that each thread takes some rows, in scratch
/// that they share.
#[test]
fn threads_share_the_rows_of_small_batches() {
    let model = model(next(), 160);
    let batch = chains(&model, &[2, 3, 2, 4, 1, 4, 3]);
    let gradients = |threads: usize| {
        let mut engine = Engine::with_threads(threads).unwrap();
        let mut run = engine.forward(&model, &batch, 0).unwrap();
        let gradients = run.backward().unwrap();
        (run.loss().unwrap().to_bits(), gradient_bits(&model, &gradients))
    };
    let one = gradients(1);
    assert!(one.1.iter().any(|bits| *bits != 0));
    for threads in [2, 3, 8] {
        assert!(one == gradients(threads), "{threads} threads");
    }
}

/// A part that panics leaves nothing behind: steps after it pack the parameters as they are then.
#[test]
fn a_part_that_panics_is_forgotten() {
    let mut model = model(layer(), 40);
    let batch = chains(&model, &[3; 30]);
    let mut engine = Engine::with_threads(2).unwrap();
    engine.infer(&model, &batch).unwrap();
    training::begin_step(&mut engine, model.parameters(), false).unwrap();
    let prepared = training::prepare(&mut engine, &model, &batch, CutFor::Step).unwrap();
    let panics =
        AssertUnwindSafe(|| training::run(&mut engine, &prepared, 0, &|_| panic!("a part")));
    assert!(catch_unwind(panics).is_err());
    drop(prepared);
    let mut gradients = Gradients::new(model.parameters());
    let weights = ParameterId::new(1);
    let ones = vec![1.0; model.parameters().get(weights).len()];
    gradients.add(weights, Gradient::Dense(ones)).unwrap();
    Sgd::new(0.5).step(model.parameters_mut(), &gradients, &[], &mut engine.workers()).unwrap();
    let loss = engine.infer(&model, &batch).unwrap().loss().unwrap();
    assert_eq!(loss, Engine::new().infer(&model, &batch).unwrap().loss().unwrap());
}

/// A method that panics at a gradient of infinity.
#[derive(Clone, Debug)]
struct Fragile;

impl Method for Fragile {
    const NAME: &'static str = "Fragile";

    fn slots(&self) -> &'static [&'static str] {
        &[]
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        Ok(())
    }

    fn step<T: Element>(&self, rate: f64, _: &mut Clock, pass: Pass<'_, T>) {
        pass.run(FragileRule(T::from_f64(rate)));
    }
}

#[derive(Clone, Copy)]
struct FragileRule<T>(T);

impl<T: Element> Rule<T> for FragileRule<T> {
    type State = [T; 0];

    #[inline(always)]
    fn step(self, value: T, gradient: T, _: [T; 0]) -> (T, [T; 0]) {
        assert!(gradient != T::infinity(), "fragile");
        (value - self.0 * gradient, [])
    }
}

/// When an optimiser panics and its caller puts the parameters back, those that were packed in part
/// are packed again.
#[test]
fn an_optimiser_that_panics_leaves_nothing_behind() {
    for threads in [1, 2] {
        let mut model = model(layer(), 160);
        let batch = chains(&model, &[3; 50]);
        let mut engine = Engine::with_threads(threads).unwrap();
        let before = engine.infer(&model, &batch).unwrap().loss().unwrap();
        let saved = model.parameters().clone();
        let mut gradients = Gradients::new(model.parameters());
        let weights = ParameterId::new(1);
        let mut values = vec![1.0; model.parameters().get(weights).len()];
        values[150 * 160] = f32::INFINITY;
        gradients.add(weights, Gradient::Dense(values)).unwrap();
        let panics = AssertUnwindSafe(|| {
            let mut fragile = Descent::<Fragile, f32>::with(Fragile, 0.5);
            fragile.step(model.parameters_mut(), &gradients, &[], &mut engine.workers()).unwrap();
        });
        let panic = catch_unwind(panics).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"fragile"));
        *model.parameters_mut() = saved;
        assert_eq!(engine.infer(&model, &batch).unwrap().loss().unwrap(), before);
    }
}

/// The rows of a function.
type Rows = (FunctionId, Range<u32>);

/// What has run, with the batches of the schedule.
type Runs = Arc<Mutex<Vec<(Rows, Vec<Rows>)>>>;

/// A back end that computes nothing and notes which rows run together.
#[derive(Debug)]
struct Recorder {
    arena: Vec<f32>,
    runs: Runs,
}

impl Backend<f32> for Recorder {
    fn reserve(&mut self, elements: usize) -> Result<(), EngineError> {
        self.extend(elements)
    }

    fn extend(&mut self, elements: usize) -> Result<(), EngineError> {
        self.arena.resize(elements.max(self.arena.len()), 0.0);
        Ok(())
    }

    fn begin(&mut self, _: Frame<'_, f32>) -> Result<(), EngineError> {
        Ok(())
    }

    fn relocate(&mut self, _: Frame<'_, f32>, _: &Moves) -> Result<(), EngineError> {
        Ok(())
    }

    fn update(&mut self, _: Frame<'_, f32>) -> Result<(), EngineError> {
        Ok(())
    }

    fn read(&self, _: Range<usize>, range: Range<usize>) -> Result<&[f32], EngineError> {
        Ok(&self.arena[range])
    }

    fn indices(&self) -> Result<&[u32], EngineError> {
        Ok(&[])
    }

    fn write(
        &mut self,
        range: Range<usize>,
        fill: &mut dyn FnMut(&mut [f32]),
    ) -> Result<(), EngineError> {
        fill(&mut self.arena[range]);
        Ok(())
    }

    fn run(
        &mut self,
        frame: Frame<'_, f32>,
        function: FunctionId,
        phase: Phase,
        rows: Range<u32>,
    ) -> Result<(), EngineError> {
        if phase == Phase::Recurrent {
            let batches = frame.layout().batches.clone();
            self.runs.lock().unwrap().push(((function, rows), batches));
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), EngineError> {
        Ok(())
    }

    fn take_copies(&mut self) -> Copies {
        Copies::default()
    }

    fn accumulate(&mut self, _: Frame<'_, f32>, _: &mut Gradients<f32>) -> Result<(), EngineError> {
        Ok(())
    }
}

/// A device of such back ends.
#[derive(Debug)]
struct Recording(Runs);

impl Backends for Recording {
    fn name(&self) -> String {
        "recorder".into()
    }

    fn f32(&self) -> Result<BackendBox<f32>, EngineError> {
        let runs = Arc::clone(&self.0);
        Ok(BackendBox(Box::new(Recorder { arena: Vec::new(), runs })))
    }

    fn f64(&self) -> Result<BackendBox<f64>, EngineError> {
        unreachable!("the model is of `f32`")
    }
}

/// Rows of several batches may be parents and children, which must not run at once.
#[test]
fn costs_are_measured_on_rows_of_one_batch() {
    let model = model(next(), 3);
    let batch = chains(&model, &[2, 7, 4, 7]);
    let runs = Runs::default();
    let mut engine = Engine::on(&Device::new(Recording(Arc::clone(&runs)))).unwrap();
    engine.measure_costs(&model, &batch).unwrap();
    let runs = runs.lock().unwrap();
    assert!(runs.iter().any(|((_, rows), _)| rows.len() == 4), "the widest batch is timed");
    for ((function, rows), batches) in runs.iter() {
        let within = |(of, batch): &Rows| {
            of == function && batch.start <= rows.start && rows.end <= batch.end
        };
        assert!(batches.iter().any(within), "{function}: {rows:?} of {batches:?}");
    }
}

#[test]
fn no_threads_are_an_error() {
    let device = Device::cpu().threads(0);
    for error in
        [Engine::<f32>::with_threads(0), Engine::<f32>::on(&device)].map(Result::unwrap_err)
    {
        let expected = "an engine on 0 threads has none to run on: `threads` is 1 for the calling thread alone, and \
                        `std::thread::available_parallelism()` for all cores";
        assert_eq!(error.to_string(), expected);
    }
    assert!(Engine::<f32>::on(&device.threads(1)).is_ok());
}

#[test]
fn too_many_threads_are_an_error() {
    for threads in [1025, 70_000, usize::MAX] {
        let error = Engine::<f32>::with_threads(threads).unwrap_err();
        assert!(matches!(error, EngineError::Threads(_)), "{error}");
        assert!(error.to_string().contains("1024"), "{error}");
    }
}

/// What exists while a few rows are computed is counted for each thread, and stays small however many
/// rows there are.
#[test]
fn scratch_is_counted_in_bytes() {
    const H: usize = 300;
    let matrix = H * H * size_of::<f32>();
    let bytes = |graphs: usize| {
        let model = model(next(), H);
        let batch = chains(&model, &vec![3; graphs]);
        let [two, three] = [2, 3].map(|threads| {
            Engine::<f32>::with_threads(threads).unwrap().training_bytes(&model, &batch).unwrap()
        });
        // Of the third thread.
        three - two
    };
    let [one, many] = [1, 60].map(bytes);
    assert!(one >= matrix, "{one} bytes are less than a matrix of {matrix}");
    assert!(many >= one && many <= (16 << 20) + one, "{many} bytes for many, {one} for one");
}
