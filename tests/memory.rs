//! Where there is too little memory, calls fail with an error, and what is there goes on.

use allocation_counter::measure;
use edb::engine::EngineError;
use edb::learn::{Initializer, LearnError};
use edb::model::ModelProblem;
use edb::prelude::*;
use edb::trainer::TrainError;

use edb_backend_suite::machine;
#[cfg(target_os = "linux")]
use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::{Memory, Number, Word};

#[vertex_function]
fn read(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor, #[dim(H)] size: Dim) {
    let Word { id } = pull();
    let before = gather_or(0, Memory { h: zeros(size) });
    let h = (w.dot(before.h) + table.row(id)).tanh();
    scatter(Memory { h });
    loss((h * h).sum());
}

fn reader(hidden: usize, w: Initializer) -> Result<(Function<read>, Model), LearnError> {
    let mut builder = ModelBuilder::new();
    let setup =
        dims! { V: 7, H: hidden }.init("table", Initializer::Uniform { bound: 0.5 }).init("w", w);
    let read = builder.add::<read>(setup);
    match builder.build(1) {
        Ok(model) => Ok((read, model)),
        Err(mut error) => match error.problems.swap_remove(0) {
            ModelProblem::Learn(error) => Err(error),
            problem => panic!("{problem}"),
        },
    }
}

fn chains(read: &Function<read>, model: &Model, lengths: &[u32]) -> Minibatch {
    let graphs: Vec<Graph> = lengths
        .iter()
        .map(|length| {
            let mut g = model.graph();
            let mut last = None;
            for word in 0..*length {
                last = Some(g.add(read, [last], Word { id: Index(word % 7) }));
            }
            g
        })
        .collect();
    model.minibatch(&graphs).unwrap()
}

/// A gradient that is summed whole: the function of a parameter is its argument.
#[vertex_function]
fn through(#[param(H, H)] w: Tensor) {
    let Number { x } = pull();
    loss(w.tanh().dot(x).sum());
}

fn through_all(vertices: usize) -> (Model, Minibatch) {
    const HIDDEN: usize = 64;
    let (model, through) = model_of::<through, f32>(dims! { H: HIDDEN }, 1);
    let mut g = model.graph();
    for _ in 0..vertices {
        let x = g.tensor(&[0.5; HIDDEN]);
        g.add(&through, (), Number { x });
    }
    let batch = model.minibatch([&g]).unwrap();
    (model, batch)
}

/// Fault C2: the operands of a graph that is summed whole are copied, which was not told.
#[test]
fn the_memory_of_whole_graphs_is_known() {
    let (model, batch) = through_all(10_000);
    let mut engine = Engine::new();
    let told = engine.each_bytes(&model, &batch).unwrap() as u64;
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let info = measure(|| {
        run.backward_each().unwrap().norms().unwrap();
    });
    let others = told / 10 + model.summary().bytes as u64 + 4096;
    assert!(info.bytes_max <= told + others, "{} of {told}", info.bytes_max);
}

/// What the gradients of each graph take is told beforehand.
#[test]
fn the_memory_of_each_gradient_is_known() {
    for (hidden, lengths) in [(16, &[700, 30, 1][..]), (64, &[40, 40]), (48, &[2000])] {
        let (read, model) = reader(hidden, Initializer::XavierUniform).unwrap();
        let batch = chains(&read, &model, lengths);
        let mut engine = Engine::new();
        let told = engine.each_bytes(&model, &batch).unwrap() as u64;
        for warm in [true, false] {
            let mut run = engine.forward(&model, &batch, 0).unwrap();
            let info = measure(|| {
                run.backward_each().unwrap().norms().unwrap();
            });
            let most = info.bytes_max;
            // Beside small lists, what is kept from run to run, and a gradient of each parameter.
            let gradients = model.summary().bytes as u64;
            let others = told / 10 + gradients + 4096;
            assert!(warm || most <= told + others, "{hidden}: {most} of {told}");
            assert!(told <= 2 * most, "{hidden}: {most} of {told}");
        }
    }
}

/// The gradient of the table has a row for each vertex.
#[vertex_function]
fn look_up(#[param(V, H)] table: Tensor) {
    let Word { id } = pull();
    loss(table.row(id).tanh().sum());
}

/// The environment variable that tells the child process to begin.
const CHILD: &str = "EDB_TEST_MEMORY";

/// Fault C2: models, norms of each graph's gradient, and the state of optimisers took memory without
/// asking for it, so that too little of it ended the process.
#[test]
#[cfg(target_os = "linux")]
fn too_little_memory_is_an_error() {
    let Some(mut shell) = machine::program("sh", "too little memory") else { return };
    let output = shell
        .args(["-c", "ulimit -v 4000000; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "memory::runs_with_little_memory", "--ignored", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("all was refused"), "{said}{errors}");
}

/// The child process of the test above.
#[test]
#[ignore = "a child of the test above"]
fn runs_with_little_memory() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    weights_are_refused();
    gradients_are_refused();
    steps_are_refused();
    println!("all was refused");
}

/// A model of 34 GB is not built.
fn weights_are_refused() {
    let gain = 1.0;
    for w in [
        Initializer::Zeros,
        Initializer::Constant(1.0),
        Initializer::XavierUniform,
        Initializer::Normal { deviation: 1.0 },
        Initializer::TruncatedNormal { deviation: 1.0 },
        Initializer::Orthogonal { gain },
        Initializer::Identity { gain },
    ] {
        match reader(92_000, w).map(drop).unwrap_err() {
            LearnError::Memory { parameter, bytes, .. } => {
                assert_eq!((&parameter[..], bytes), ("read.w", 92_000 * 92_000 * 4));
            }
            error => panic!("{error}"),
        }
    }
}

/// Gradients of each graph, and of a large table, need memory of their own.
fn gradients_are_refused() {
    let (read, model) = reader(64, Initializer::XavierUniform).unwrap();
    let batch = chains(&read, &model, &[9000, 4000]);
    let mut engine = Engine::new();
    engine.forward(&model, &batch, 0).unwrap().backward_each().unwrap().norms().unwrap();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let mut each = run.backward_each().unwrap();
    let held = all_but_little();
    let error = each.norms().unwrap_err();
    drop(held);
    assert!(matches!(error, EngineError::Memory { .. }), "{error}");
    assert!(each.norms().unwrap()[0] > 0.0);

    let (model, batch) = through_all(20_000);
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let mut each = run.backward_each().unwrap();
    let held = all_but_little();
    let error = each.norms().unwrap_err();
    drop(held);
    assert!(matches!(error, EngineError::Memory { .. }), "{error}");
    assert!(each.norms().unwrap()[0] > 0.0);

    let (model, look_up) = model_of::<look_up, f32>(dims! { V: 20_000, H: 256 }, 1);
    let mut g = model.graph();
    for id in 0..20_000 {
        g.add(&look_up, (), Word { id: Index(id) });
    }
    let batch = model.minibatch([&g]).unwrap();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let held = all_but_little();
    let error = run.backward().map(drop).unwrap_err();
    drop(held);
    assert!(matches!(error, EngineError::Memory { .. }), "{error}");
}

/// A step needs memory for the optimiser's state.
fn steps_are_refused() {
    let (read, model) = reader(1000, Initializer::XavierUniform).unwrap();
    let batch = chains(&read, &model, &[300]);
    let mut engine = Engine::new();
    // The engine has its memory.
    let gradients = engine.forward(&model, &batch, 0).unwrap().backward().unwrap();
    let mut trainer = Trainer::new(model, Adam::new(0.1)).engine(engine);
    let held = all_but_little();
    let refused = |error: LearnError| {
        assert!(matches!(error, LearnError::Memory { .. }), "{error}");
    };
    match trainer.step(&batch).unwrap_err() {
        TrainError::Learn { error, .. } => refused(error),
        error => panic!("{error}"),
    }
    let mut adam = Adam::new(0.1);
    let before = trainer.model().parameters().iter().next().unwrap().1.version();
    let parameters = trainer.model_mut().parameters_mut();
    refused(adam.update(parameters, &gradients).unwrap_err());
    assert_eq!(parameters.iter().next().unwrap().1.version(), before);
    refused(edb::learn::Ema::new(0.9, parameters).map(drop).unwrap_err());
    drop(held);
    trainer.step(&batch).unwrap();
    adam.update(trainer.model_mut().parameters_mut(), &gradients).unwrap();
}

/// Takes all memory but about a mebibyte; none of it is touched.
fn all_but_little() -> Vec<Vec<u8>> {
    let mut held: Vec<Vec<u8>> = Vec::with_capacity(1 << 16);
    for size in [64 << 20, 1 << 20, 32 << 10] {
        loop {
            let mut memory = Vec::new();
            if memory.try_reserve_exact(size).is_err() {
                break;
            }
            held.push(memory);
        }
    }
    let large = held.iter().rposition(|memory| memory.capacity() == 1 << 20).unwrap();
    held.swap_remove(large);
    held
}
