//! Every op, form and loss at ties, bounds, zeros, infinities, NaN, denormals and the largest
//! numbers, compared with the CPU, whose results the tests of edb-core compare with PyTorch.

use edb::Element;
use edb::engine::Seeds;
use edb::learn::Gradients;
use edb::model::Setup;
use edb::{Device, Engine, Minibatch, Model, ModelBuilder};

use crate::one_op::cases::{Case, OVER_CHILDREN, cases, over_children};
use crate::one_op::{LENGTH, program, vertex};
use crate::pytorch::Reference;

const LABEL: usize = 2;

/// The samples of a set: `x` and `y`, each a concatenation of vectors.
type Samples<T> = [Vec<T>; 2];

fn samples<T: Element>(kind: &str, set: &str) -> Samples<T> {
    let reference = Reference::read("edges");
    ["x", "y"].map(|of| reference.get(&format!("{kind}.{set}.in.{of}")).unwrap())
}

/// The samples without numbers so large that rounding decides whether a product of three overflows.
fn in_range<T: Element>(samples: Samples<T>) -> Samples<T> {
    let is_small = |x: &&[T]| x.iter().all(|x| !(x.is_finite() && x.abs().as_f64() > 1e30));
    let [x, y] = samples.each_ref().map(|of| of.chunks(LENGTH));
    let kept: Vec<_> = x.zip(y).filter(|(x, y)| is_small(x) && is_small(y)).collect();
    [
        kept.iter().flat_map(|(x, _)| *x).copied().collect(),
        kept.iter().flat_map(|(_, y)| *y).copied().collect(),
    ]
}

/// Sets the values of a parameter, which, unlike those of an input, need not be finite.
fn set<T: Element>(model: &mut Model<T>, name: &str, values: &[T]) {
    let id = model.parameters().find(name).unwrap();
    model.parameters_mut().get_mut(id).set_values(values).unwrap();
}

/// The outputs of the vertices in `pushing`, and all gradients, by name.
fn results<T: Element>(
    engine: &mut Engine<T>,
    model: &Model<T>,
    batch: &Minibatch<T>,
    pushing: &[(usize, String)],
) -> Vec<(String, Vec<f64>)> {
    let mut run = engine.forward(model, batch, 0).unwrap();
    let mut seeds = Seeds::new();
    let mut results = Vec::new();
    for (vertex, name) in pushing {
        let value = run.output_at(0, *vertex, "result").unwrap();
        let value: Vec<f64> = value.iter().map(|x| x.as_f64()).collect();
        let seed = [1.0, -2.0, 0.5, 3.0].map(T::from_f64);
        let seed: Vec<T> = seed.into_iter().cycle().take(value.len()).collect();
        seeds.push_at(0, *vertex, "result", &seed);
        results.push((name.clone(), value));
    }
    let gradients: Gradients<T> = run.backward_with(&seeds).unwrap();
    for (id, parameter) in model.parameters().iter() {
        let values = gradients.to_dense(id).iter().map(|x| x.as_f64()).collect();
        results.push((format!("the gradient of {}", parameter.name()), values));
    }
    results
}

/// Whether two numbers agree: NaN with NaN, infinities by sign, others within a tolerance.
fn same<T: Element>(a: f64, b: f64) -> bool {
    let tolerance = if T::epsilon().as_f64() > 1e-10 { 1e-4 } else { 1e-10 };
    let close = (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0);
    a == b || (a.is_nan() && b.is_nan()) || (a.is_finite() && b.is_finite() && close)
}

/// Panics unless a device has the CPU's results.
fn compare<T: Element>(
    device: &mut Engine<T>,
    model: &Model<T>,
    batch: &Minibatch<T>,
    pushing: &[(usize, String)],
    case: &str,
) {
    let found = results(device, model, batch, pushing);
    let cpu = results(&mut Engine::new(), model, batch, pushing);
    let mut wrong = Vec::new();
    for ((name, found), (_, cpu)) in found.iter().zip(&cpu) {
        if found.len() != cpu.len()
            || !found.iter().zip(cpu).all(|(found, cpu)| same::<T>(*found, *cpu))
        {
            wrong.push(format!("{name}: {found:?}, on the CPU {cpu:?}"));
        }
    }
    assert!(wrong.is_empty(), "{case}:\n{}", wrong.join("\n"));
}

/// All cases in one model, so that it is compiled once: a function for each, which reads its
/// arguments from parameters.
///
/// # Panics
/// When a device's results differ from the CPU's.
pub fn edges_are_those_of_the_cpu<T: Element>(devices: &[Device]) {
    let kind = if size_of::<T>() == 4 { "f32" } else { "f64" };
    let reference = Reference::read("edges");
    let cases: Vec<Case> = cases();
    let names: Vec<String> = (0..cases.len()).map(|number| format!("case{number}")).collect();
    let w: Vec<f64> =
        reference.get::<T>(&format!("{kind}.w")).unwrap().iter().map(|x| x.as_f64()).collect();
    let mut builder = ModelBuilder::new();
    for (case, name) in cases.iter().zip(&names) {
        let setup = Setup::new().dim("N", LENGTH).named(name);
        let setup = if case.param.is_some() { setup.init("w", case.start(&w)) } else { setup };
        builder.add_program(program(&case.compute, false), edb_compiler::compile, setup);
    }
    let mut model: Model<T> = builder.build_as(1).unwrap();
    // The inputs, which are added to the parameters: adding -0 keeps every number, even -0.
    let nothing = [-0.0; LENGTH];
    let vertex = |name: &String| vertex(&model, name, [&nothing; 2], LABEL);
    let records: Vec<_> = names.iter().map(vertex).collect();
    let graph = model.graph_from_records(&records).unwrap();
    let batch = model.minibatch([&graph]).unwrap();
    let pushing: Vec<(usize, String)> =
        cases.iter().map(|case| case.name.clone()).enumerate().collect();
    let sets = ["numbers", "pairs", "vectors", "lone", "moves"];
    let of_case = |case: &Case| {
        let set = sets
            .iter()
            .find(|set| reference.get::<T>(&format!("{kind}.{set}.{}", case.name)).is_some());
        let Some(set) = set else {
            panic!(
                "`{}` has no reference: add it to tests/pytorch/edges.py, and run that",
                case.name
            )
        };
        let samples = samples::<T>(kind, set);
        if case.name == "transpose" { in_range(samples) } else { samples }
    };
    let inputs: Vec<Samples<T>> = cases.iter().map(of_case).collect();
    let most = inputs.iter().map(|[x, _]| x.len() / LENGTH).max().unwrap();
    for device in devices {
        let mut engine = Engine::on(device).unwrap();
        for sample in 0..most {
            for (name, [x, y]) in names.iter().zip(&inputs) {
                let start = sample * LENGTH % x.len();
                set(&mut model, &format!("{name}.p"), &x[start..start + LENGTH]);
                set(&mut model, &format!("{name}.q"), &y[start..start + LENGTH]);
            }
            compare(&mut engine, &model, &batch, &pushing, &format!("{device}, sample {sample}"));
        }
        for (name, reduce) in OVER_CHILDREN {
            let (mut model, batch): (Model<T>, _) =
                over_children(reduce, [&[0.0; LENGTH]; 2], false);
            let [x, y] = samples::<T>(kind, "pairs");
            for (x, y) in x.chunks(LENGTH).zip(y.chunks(LENGTH)) {
                set(&mut model, "x.h", x);
                set(&mut model, "y.h", y);
                let case = format!("{device}, {name} of {x:?} and {y:?}");
                compare(&mut engine, &model, &batch, &[(2, name.to_string())], &case);
            }
        }
    }
}
