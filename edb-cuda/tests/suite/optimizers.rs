//! Compares every rule of every optimiser on a device with the same steps on the CPU.
//!
//! The gradients are sums of eighths, which are exact in any order, so that results differ only by
//! the optimiser's arithmetic.

use edb::Element;
use edb::learn::{
    AdaDelta, AdaGrad, Adam, Group, Lion, Method, NAdam, Optimizer, Parameter, Pass, RAdam,
    RmsProp, Rule, Sgd,
};
use edb::prelude::*;
use edb_cuda::Precision;
use rand::RngExt;

use crate::devices;
use edb_backend_suite::zoo::rng;

/// The input of a vertex.
#[derive(Input)]
pub struct Fact {
    pub id: Index,
    pub x: Tensor,
}

/// A function with a dense gradient and one of rows.
#[vertex_function]
pub fn linear(#[param(V, N)] table: Tensor, #[param(N)] w: Tensor) {
    let Fact { id, x } = pull();
    loss(((w + table.row(id)) * x).sum());
}

/// Shares the table, so that its rows are summed over two functions, and has a parameter of its
/// own.
#[vertex_function]
pub fn shifted(#[param(V, N)] table: Tensor, #[param(N)] v: Tensor) {
    let Fact { id, x } = pull();
    loss(((v - table.row(id)) * x).sum());
}

const ROWS: usize = 9;
/// A width of whole sixteen-byte accesses, one that is not, and one for which the table has several
/// pieces.
const WIDTHS: [usize; 3] = [20, 21, 461];
const STEPS: usize = 20;

/// The losses, the norms, and all tensors of a run: parameters, the optimiser's state and averages.
type Trace<T> = (Vec<f64>, Vec<Option<f64>>, Vec<Vec<T>>);

fn trace<T: Element>(
    device: &Device,
    width: usize,
    optimizer: impl Optimizer<T> + 'static,
    tune: impl Fn(Trainer<T>) -> Trainer<T>,
) -> Trace<T> {
    let mut builder = ModelBuilder::new();
    let linear = builder.add::<linear>(dims! { V: ROWS, N: width });
    let setup = dims! { V: ROWS, N: width }.share("table", linear.param("table"));
    let shifted = builder.add::<shifted>(setup);
    let model = builder.build_as::<T>(3).unwrap();
    let engine = Engine::on(device).unwrap();
    let mut trainer = tune(Trainer::new(model, optimizer).engine(engine));
    let mut rng = rng(8);
    let (mut losses, mut norms) = (Vec::new(), Vec::new());
    for step in 0..STEPS {
        // In the first steps, some rows and `v` get no gradient.
        let mut graph = |number: usize| {
            let mut g = trainer.model().graph();
            let id = rng.random_range(0..(2 + step).min(ROWS) as u32).into();
            let eighth = |_| T::from_f64(f64::from(rng.random_range(-16..17_i32)) / 8.0);
            let x: Vec<T> = (0..width).map(eighth).collect();
            let x = g.tensor(&x);
            match step > 3 && number % 2 == 1 {
                true => _ = g.add(&shifted, (), Fact { id, x }),
                false => _ = g.add(&linear, (), Fact { id, x }),
            }
            g
        };
        let graphs: Vec<_> = (0..8).map(&mut graph).collect();
        let batches = [&graphs[..4], &graphs[4..]].map(|part| trainer.model().minibatch(part));
        let batches = batches.map(Result::unwrap);
        let taken = trainer.step_over(&batches[..1 + step % 2]).unwrap();
        losses.push(taken.loss);
        norms.push(taken.gradient_norm);
    }
    let ids: Vec<_> = trainer.model().parameters().iter().map(|(id, _)| id).collect();
    let values = |(_, parameter): (_, &Parameter<T>)| parameter.values().unwrap().to_vec();
    let mut tensors: Vec<Vec<T>> = trainer.model().parameters().iter().map(values).collect();
    let state = trainer.optimizer_mut().state();
    for id in ids {
        tensors.extend(state.tensors(id).map(|tensor| tensor.unwrap().1.to_vec()));
        let clock = state.clock(id).map(|clock| vec![T::from_f64(clock.step as f64)]);
        tensors.extend(clock);
    }
    if trainer.swap_averages().unwrap() {
        tensors.extend(trainer.model().parameters().iter().map(values));
    }
    (losses, norms, tensors)
}

fn close<T: Element>(name: &str, expected: &Trace<T>, found: &Trace<T>, tolerance: f64) {
    let near = |a: f64, b: f64| (a - b).abs() <= tolerance * a.abs().max(1.0);
    let pairs = expected.0.iter().zip(&found.0);
    assert!(pairs.clone().all(|(a, b)| near(*a, *b)), "{name}: {pairs:?}");
    assert_eq!(expected.1.len(), found.1.len(), "{name}");
    for (a, b) in expected.1.iter().zip(&found.1) {
        assert!(a.zip(*b).map_or(a == b, |(a, b)| near(a, b)), "{name}: norm {b:?}, not {a:?}");
    }
    assert_eq!(expected.2.len(), found.2.len(), "{name}");
    for (a, b) in expected.2.iter().flatten().zip(found.2.iter().flatten()) {
        assert!(near(a.as_f64(), b.as_f64()), "{name}: {b}, not {a}");
    }
}

/// Compares the steps at the first width.
fn agree<T: Element, O: Optimizer<T> + Clone + 'static>(name: &str, optimizer: O) {
    agree_at::<T, O>(name, WIDTHS[0], optimizer);
}

fn agree_at<T: Element, O: Optimizer<T> + Clone + 'static>(name: &str, width: usize, optimizer: O) {
    // Losses and norms are sums, which each device adds up in another order. Without clipping by a
    // norm, parameters must agree bit for bit.
    let tolerance = if size_of::<T>() == 8 { 1e-10 } else { 1e-5 } * (width / WIDTHS[0]) as f64;
    let cpu = Device::cpu();
    let plain = |trainer: Trainer<T>| trainer.skip_finite_check();
    let tuned = |trainer: Trainer<T>| {
        let groups = [
            Group::parameter("linear.w").clip_norm(0.3).rate(0.5),
            Group::parameter("shifted.v").weight_decay(0.1).clip_value(0.1),
        ];
        trainer.clip_norm(0.7).groups(groups).ema(0.9).unwrap()
    };
    let expected = [
        trace(&cpu, width, optimizer.clone(), plain),
        trace(&cpu, width, optimizer.clone(), tuned),
    ];
    for device in devices::all(Precision::Full) {
        let name = format!("{name} of {width} on {device}");
        let found = trace(&device, width, optimizer.clone(), plain);
        close(&name, &expected[0], &found, tolerance);
        assert!(found.2 == expected[0].2, "{name}: bits");
        close(&name, &expected[1], &trace(&device, width, optimizer.clone(), tuned), tolerance);
    }
}

fn all<T: Element>() {
    agree::<T, _>("Sgd", Sgd::new(0.1).weight_decay(0.01));
    agree::<T, _>("momentum", Sgd::new(0.1).momentum(0.9).decoupled_weight_decay(0.01));
    agree::<T, _>("Nesterov", Sgd::new(0.1).momentum(0.9).nesterov());
    agree::<T, _>("AdaGrad", AdaGrad::new(0.1).rate_decay(0.1).initial_sum(0.2));
    agree::<T, _>("AdaDelta", AdaDelta::new(1.0));
    agree::<T, _>("RMSProp", RmsProp::new(0.01).weight_decay(0.01));
    agree::<T, _>("RMSProp, momentum", RmsProp::new(0.01).momentum(0.9));
    agree::<T, _>("RMSProp, centred", RmsProp::new(0.01).centred());
    agree::<T, _>("RMSProp, both", RmsProp::new(0.01).centred().momentum(0.9));
    agree::<T, _>("Adam", Adam::new(0.01));
    agree::<T, _>("AdamW", Adam::new(0.01).decoupled_weight_decay(0.1));
    agree::<T, _>("AMSGrad", Adam::new(0.01).amsgrad());
    agree::<T, _>("NAdam", NAdam::new(0.01));
    agree::<T, _>("RAdam", RAdam::new(0.01));
    agree::<T, _>("Lion", Lion::new(0.01).decoupled_weight_decay(0.1));
}

edb_backend_suite::tests! {
    rules_in_f64: all::<f64>();
    rules_in_f32: all::<f32>();
}

/// Widths at which elements at the end of a tensor, or whole rows, are accessed one by one.
fn tails<T: Element>() {
    for width in &WIDTHS[1..] {
        agree_at::<T, _>("Sgd", *width, Sgd::new(0.1));
        agree_at::<T, _>("Adam", *width, Adam::new(0.01));
        agree_at::<T, _>("RMSProp", *width, RmsProp::new(0.01).centred().momentum(0.9));
    }
}

edb_backend_suite::tests! {
    tails_in_f64: tails::<f64>();
    tails_in_f32: tails::<f32>();
}

/// A rule of the user's own, for which no back end has a kernel.
#[derive(Clone, Debug)]
pub struct Soft;

#[derive(Clone, Copy)]
struct SoftStep<T>(T);

impl<T: Element> Rule<T> for SoftStep<T> {
    type State = [T; 0];

    #[inline(always)]
    fn step(self, value: T, gradient: T, _: [T; 0]) -> (T, [T; 0]) {
        (value - self.0 * gradient / (T::one() + gradient.abs()), [])
    }
}

impl Method for Soft {
    const NAME: &'static str = "Soft";

    fn slots(&self) -> &'static [&'static str] {
        &[]
    }

    fn check<T: Element>(&self) -> Result<(), edb::learn::LearnError> {
        Ok(())
    }

    fn step<T: Element>(&self, rate: f64, _: &mut edb::learn::Clock, pass: Pass<'_, T>) {
        pass.run(SoftStep(T::from_f64(rate)));
    }
}

#[test]
fn custom_rules_run_on_the_host() {
    agree::<f64, _>("Soft", edb::learn::Descent::with(Soft, 0.01));
}
