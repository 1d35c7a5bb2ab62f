//! Generated functions, compiled by the macro, compared with the same Rust functions run eagerly
//! and with the interpreter of their programs.

pub mod cells;
pub mod graphs;
#[path = "../held.rs"]
pub mod held;
mod kernels;
pub mod model;

use edb::Element;
use edb::engine::Seeds;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};

use edb_backend_suite::machine::sample;
use edb_test_functions::{COUNT, Draws, PortKind};
use graphs::{Sketch, build, records, sketch};
use model::{Member, Sizes, forward, setup};

/// The functions, whose text `cargo run -p edb-test-functions` prints.
// By chance, arms overwrite a variable that they do not read, and conditions exclude each other.
#[allow(unused_assignments, clippy::impossible_comparisons)]
// The language has several ways to write the same.
#[allow(clippy::assign_op_pattern, clippy::manual_range_contains)]
pub mod functions {
    use edb::Element;
    use edb_test_functions::PortKind;

    use super::model::{Enter, enter};

    pub mod prelude {
        pub use edb::prelude::*;

        pub use super::super::cells::*;
    }

    edb_test_functions_macro::functions!();
}

/// A model with one function of each kind, and graphs over it.
struct Case<T: Element> {
    sizes: Sizes,
    members: Vec<Box<dyn Member<T>>>,
    model: Model<T>,
    sketches: Vec<Vec<Sketch>>,
    seed: u64,
}

impl<T: Element> Case<T> {
    /// Case `number`. Every `COUNT` cases each function has been in one of them; the next `COUNT`
    /// cases combine the functions in other ways.
    fn new(number: usize) -> Self {
        Self::of(number, true)
    }

    /// The same; without `sections`, functions whose loops and arms run apart are replaced by the
    /// next ones.
    fn of(number: usize, sections: bool) -> Self {
        let seed = number as u64;
        let mut draws = Draws::new(seed);
        let (round, first) = (number / COUNT, number % COUNT);
        // Lengths from far below a cache line up to one and a little more.
        let sizes =
            ["H", "K", "E", "V"].map(|name| (name, draws.choose(&[2, 3, 4, 5, 7, 8, 16, 17])));
        let sizes = Sizes::from(sizes);
        let mut builder = ModelBuilder::new();
        let members: Vec<_> = PortKind::ALL
            .iter()
            .enumerate()
            .map(|(kind_number, kind)| {
                let all = functions::functions::<T>(*kind);
                let function = |place: usize| all[(first + round * kind_number + place) % COUNT];
                let is_wanted = |place: &usize| {
                    let member = function(*place)(&mut ModelBuilder::new(), &sizes);
                    sections || member.definition().own.plan.sections.is_empty()
                };
                let place = (0..COUNT).find(is_wanted).expect("some function has no loop");
                function(place)(&mut builder, &sizes)
            })
            .collect();
        let model = builder.build_as(seed).unwrap_or_else(|error| {
            panic!("case {number}, {:?}: {error}", names(&members));
        });
        let graphs = 1 + draws.below(4);
        let sketches = (0..graphs)
            .map(|_| {
                // Some graphs have a single vertex.
                let size = if draws.chance(15) { 1 } else { 1 + draws.below(11) };
                sketch(&mut draws, &members, &sizes, size)
            })
            .collect();
        Self { sizes, members, model, sketches, seed }
    }

    /// The graphs, with fixed numbers of samples so that dropout is reproducible.
    fn graphs(&self) -> Vec<Graph<T>> {
        let build = |(sample, sketch): (usize, &Vec<Sketch>)| {
            let mut graph = build(&self.model, &self.members, sketch);
            graph.set_sample(sample as u64);
            graph
        };
        self.sketches.iter().enumerate().map(build).collect()
    }

    fn check(&self) -> Check {
        Check { draws: (self.seed, self.seed ^ 2), directions: 1, ..Check::default() }
    }

    /// The names of the functions, for error messages.
    fn names(&self) -> Vec<String> {
        names(&self.members)
    }
}

fn names<T: Element>(members: &[Box<dyn Member<T>>]) -> Vec<String> {
    members.iter().map(|member| member.definition().own.plan.program.name.clone()).collect()
}

impl Case<f64> {
    /// The same model made of the functions' programs as the macro lowered and simplified them.
    /// They are compiled again, and evaluated by the interpreter instead of as Rust functions.
    fn model_of_programs(&self) -> Model<f64> {
        let mut builder = ModelBuilder::new();
        for member in &self.members {
            let program = forward(&member.definition());
            let setup = setup(&program, &self.sizes);
            builder.add_program(program, edb_compiler::compile, setup);
        }
        builder.build_as(self.seed).expect("the model of functions was built with these dimensions")
    }

    /// The same graphs over the model of programs.
    fn graphs_of_programs(&self, model: &Model<f64>) -> Vec<Graph<f64>> {
        let build = |(sample, sketch): (usize, &Vec<Sketch>)| {
            let records = records(model, &self.members, sketch);
            let mut graph = model.graph_from_records(&records).expect("the graph was built before");
            graph.set_sample(sample as u64);
            graph
        };
        self.sketches.iter().enumerate().map(build).collect()
    }
}

/// All numbers in the results of a run, each with a description.
fn results(
    case: &Case<f64>,
    model: &Model<f64>,
    graphs: &[Graph<f64>],
) -> Result<Vec<(String, f64)>, Box<dyn std::error::Error>> {
    let batch = model.minibatch(graphs)?;
    let mut engine = Engine::new().seed(case.seed);
    let mut run = engine.forward(model, &batch, 1)?;
    let vertices = || {
        let numbers =
            |(number, graph): (usize, &Graph<f64>)| (0..graph.len()).map(move |v| (number, v));
        graphs.iter().enumerate().flat_map(numbers)
    };
    let mut results = Vec::new();
    let mut seeds = Seeds::new();
    for (graph, vertex) in vertices() {
        results.push((format!("loss {graph}.{vertex}"), run.vertex_loss(graph, vertex)?));
        for field in ["h", "c"] {
            for number in run.state_at(graph, vertex, field)?.into_iter().flatten() {
                results.push((format!("{field} of {graph}.{vertex}"), *number));
            }
        }
        for field in ["y", "logits"] {
            let Ok(row) = run.output_at(graph, vertex, field) else { continue };
            results.extend(row.iter().map(|x| (format!("{field} of {graph}.{vertex}"), *x)));
            // No two gradients are equal, so that mistakes cannot cancel by symmetry.
            let gradient =
                |element| ((graph + 1) * (vertex + 2) + 3 * element) as f64 / 7.0 % 1.0 - 0.4;
            let gradients: Vec<f64> = (0..row.len()).map(gradient).collect();
            seeds.push_at(graph, vertex, field, &gradients);
        }
    }
    let gradients = run.backward_with(&seeds)?;
    for (graph, vertex) in vertices() {
        for field in ["x", "target"] {
            for number in run.input_gradient_at(graph, vertex, field)?.into_iter().flatten() {
                results.push((format!("gradient of {field} of {graph}.{vertex}"), *number));
            }
        }
    }
    for (id, parameter) in model.parameters().iter() {
        let dense = gradients.to_dense(id);
        let name = || format!("gradient of {}", parameter.name());
        results.extend(dense.iter().map(|number| (name(), *number)));
    }
    Ok(results)
}

/// Runs `check` on so many cases that every function is in a [`sample`] of `rounds` of them, and reports
/// all failures.
fn every_case(rounds: usize, check: impl Fn(usize) -> Result<(), String>) {
    let failed: Vec<String> =
        (0..sample(rounds * COUNT)).filter_map(|number| check(number).err()).collect();
    assert!(failed.is_empty(), "{} cases failed:\n{}", failed.len(), failed.join("\n"));
}

fn compiled_meets_eager<T: Element>(number: usize) -> Result<(), String> {
    let case = Case::<T>::new(number);
    let graphs = case.graphs();
    let batch = case.model.minibatch(&graphs).map_err(|error| error.to_string())?;
    compiled_equals_eager(&case.model, &batch, &case.check())
        .map_err(|error| format!("case {number}, {:?}: {error}", case.names()))
}

fn compiled_meets_interpreter(number: usize) -> Result<(), String> {
    // The interpreter runs programs, which have no loops.
    let case = Case::<f64>::of(number, false);
    let fail =
        |error: &dyn std::fmt::Display| Err(format!("case {number}, {:?}: {error}", case.names()));
    let model = case.model_of_programs();
    let graphs = case.graphs_of_programs(&model);
    let batch = model.minibatch(&graphs).map_err(|error| error.to_string())?;
    let check = Check { devices: vec![Device::cpu()], ..case.check() };
    if let Err(error) = compiled_equals_eager(&model, &batch, &check) {
        return fail(&error);
    }
    // The two compiled models must agree in all results; ports and parameters have the same names.
    let [functions, programs] =
        [results(&case, &case.model, &case.graphs()), results(&case, &model, &graphs)];
    let (functions, programs) = match (functions, programs) {
        (Ok(functions), Ok(programs)) => (functions, programs),
        (Err(error), _) | (_, Err(error)) => return fail(&error),
    };
    if functions.len() != programs.len() {
        return fail(&format!("{} and {} results", functions.len(), programs.len()));
    }
    for ((what, a), (also, b)) in functions.iter().zip(&programs) {
        let close = (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0);
        if what != also || !close {
            return fail(&format!("{what} is {a}; {also} of the program is {b}"));
        }
    }
    Ok(())
}

/// Where a gradient is not finite, and only there, it has an origin.
fn origins_meet_gradients(number: usize) -> Result<(), String> {
    let case = Case::<f64>::new(number);
    let fail =
        |error: &dyn std::fmt::Display| format!("case {number}, {:?}: {error}", case.names());
    let batch = case.model.minibatch(&case.graphs()).map_err(|error| fail(&error))?;
    let mut engine = Engine::new().seed(case.seed);
    let mut run = engine.forward(&case.model, &batch, 1).map_err(|error| fail(&error))?;
    let origin = run.first_gradient_not_finite().map_err(|error| fail(&error))?;
    let gradients = run.backward().map_err(|error| fail(&error))?;
    match (gradients.check_finite(), origin) {
        (Ok(()), None) | (Err(_), Some(_)) => Ok(()),
        (Ok(()), Some(origin)) => Err(fail(&origin)),
        (Err(error), None) => Err(fail(&error)),
    }
}

edb_backend_suite::tests! {
    gradients_that_are_not_finite_have_an_origin: every_case(2, origins_meet_gradients);
    compiled_equals_eager_in_f64: every_case(6, compiled_meets_eager::<f64>);
    compiled_equals_eager_in_f32: every_case(4, compiled_meets_eager::<f32>);
    // Few rounds, because compiling programs takes longer than running them.
    compiled_equals_interpreted: every_case(2, compiled_meets_interpreter);
}
