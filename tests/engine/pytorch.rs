//! Optimisers, rate schedules and initialisers compared with PyTorch: see
//! `tests/pytorch/README.md`.

use edb_core::element::Element;
use edb_core::learn::{
    AdaDelta, AdaGrad, Adam, Gradient, Gradients, Initializer, Lion, NAdam, Optimizer, Parameter,
    Parameters, Plateau, RAdam, RateSchedule, RmsProp, Sgd, Tuning, Workers,
};

use edb_backend_suite::pytorch as reference;

/// The tensors that `tests/pytorch/optimizers.py` wrote.
struct Reference(reference::Reference);

impl Reference {
    fn read() -> Self {
        Self(reference::Reference::read("optimizers"))
    }

    fn get<T: Element>(&self, name: &str) -> Vec<T> {
        self.0.get(name).unwrap()
    }

    /// As [`Reference::get`], for rows of four numbers stored in `f64`.
    fn rows(&self, name: &str) -> Vec<[f64; 4]> {
        self.get::<f64>(name).as_chunks().0.to_vec()
    }
}

/// Fails unless all numbers agree within a relative error of 1e-5.
#[track_caller]
fn agree(name: &str, own: &[f64], torch: &[f64]) {
    assert_eq!(own.len(), torch.len(), "{name}");
    for (at, (own, torch)) in own.iter().zip(torch).enumerate() {
        let error = (own - torch).abs();
        assert!(error <= 1e-5 * torch.abs(), "{name}, number {at}: {own}, in PyTorch {torch}");
    }
}

/// As [`agree`], for the values of a four-element parameter over time. A value near zero has the
/// rounding errors of the larger values from which it was subtracted, so errors are relative to its
/// greatest magnitude so far.
#[track_caller]
fn traces_agree(name: &str, own: &[f64], torch: &[f64]) {
    assert_eq!(own.len(), torch.len(), "{name}");
    let mut greatest = [0.0_f64; 4];
    for (at, (own, torch)) in own.iter().zip(torch).enumerate() {
        let (step, size) = (at / 4, &mut greatest[at % 4]);
        *size = size.max(torch.abs());
        let error = (own - torch).abs();
        assert!(error <= 1e-5 * *size, "{name}, step {step}: {own}, in PyTorch {torch}");
    }
}

/// A parameter `p` with these values, as a vector or as a table of one column.
fn parameter<T: Element>(values: &[f64], shape: &[usize]) -> Parameters<T> {
    let values = values.iter().map(|value| T::from_f64(*value)).collect();
    let mut parameters = Parameters::new();
    parameters.push(Parameter::new("p", shape, values).unwrap()).unwrap();
    parameters
}

fn values<T: Element>(parameters: &Parameters<T>) -> Vec<f64> {
    parameters.iter().flat_map(|(_, p)| p.values().unwrap()).map(|value| value.as_f64()).collect()
}

/// The parameter's values after each step.
fn trace<T: Element>(
    optimizer: &mut dyn Optimizer<T>,
    shape: &[usize],
    gradient: impl Fn(usize, &[f64; 4]) -> Gradient<T>,
) -> Vec<f64> {
    let reference = Reference::read();
    let mut parameters = parameter(&reference.get("start"), shape);
    let id = parameters.find("p").unwrap();
    let steps = reference.rows("gradients");
    let step = |(t, values): (usize, &[f64; 4])| {
        let mut gradients = Gradients::new(&parameters);
        gradients.add(id, gradient(t, values)).unwrap();
        optimizer.update(&mut parameters, &gradients).unwrap();
        self::values(&parameters)
    };
    steps.iter().enumerate().flat_map(step).collect()
}

fn optimizers<T: Element>() -> Vec<(&'static str, Box<dyn Optimizer<T>>)> {
    vec![
        ("sgd", Box::new(Sgd::new(0.1))),
        ("sgd_decay", Box::new(Sgd::new(0.1).weight_decay(0.05))),
        ("momentum", Box::new(Sgd::new(0.05).momentum(0.9))),
        ("momentum_decay", Box::new(Sgd::new(0.05).momentum(0.9).weight_decay(0.05))),
        ("nesterov", Box::new(Sgd::new(0.05).momentum(0.9).nesterov().weight_decay(0.01))),
        ("adagrad", Box::new(AdaGrad::new(0.1))),
        (
            "adagrad_all",
            Box::new(
                AdaGrad::new(0.1).rate_decay(0.1).weight_decay(0.05).initial_sum(0.5).epsilon(1e-6),
            ),
        ),
        ("rmsprop", Box::new(RmsProp::new(0.01))),
        (
            "rmsprop_momentum",
            Box::new(RmsProp::new(0.01).decay_rate(0.9).momentum(0.5).weight_decay(0.05)),
        ),
        ("rmsprop_centred", Box::new(RmsProp::new(0.01).decay_rate(0.9).centred().epsilon(1e-4))),
        (
            "rmsprop_all",
            Box::new(
                (RmsProp::new(0.01).decay_rate(0.9).centred().momentum(0.5))
                    .weight_decay(0.05)
                    .epsilon(1e-4),
            ),
        ),
        ("adadelta", Box::new(AdaDelta::new(1.0))),
        (
            "adadelta_all",
            Box::new(AdaDelta::new(0.5).decay_rate(0.95).epsilon(1e-4).weight_decay(0.05)),
        ),
        ("adam", Box::new(Adam::new(0.1))),
        ("adam_decay", Box::new(Adam::new(0.1).betas(0.8, 0.95).epsilon(1e-6).weight_decay(0.05))),
        ("adamw", Box::new(Adam::new(0.1).decoupled_weight_decay(0.1))),
        ("amsgrad", Box::new(Adam::new(0.1).betas(0.9, 0.9).amsgrad())),
        (
            "amsgradw",
            Box::new(Adam::new(0.1).betas(0.9, 0.9).amsgrad().decoupled_weight_decay(0.1)),
        ),
        ("nadam", Box::new(NAdam::new(0.05))),
        ("nadamw", Box::new(NAdam::new(0.05).momentum_decay(0.01).decoupled_weight_decay(0.1))),
        ("radam", Box::new(RAdam::new(0.05))),
        ("radam_decay", Box::new(RAdam::new(0.05).betas(0.8, 0.9).weight_decay(0.05))),
        ("lion", Box::new(Lion::new(0.05))),
        ("lion_decay", Box::new(Lion::new(0.05).betas(0.8, 0.95).decoupled_weight_decay(0.1))),
    ]
}

/// Twenty steps of optimisers on a parameter of this shape, by gradients of these kinds.
fn steps_agree<T: Element>(
    optimizers: Vec<(&str, Box<dyn Optimizer<T>>)>,
    shape: &[usize],
    gradient: impl Fn(usize, &[f64; 4]) -> Gradient<T>,
) {
    let reference = Reference::read();
    let dtype = std::any::type_name::<T>();
    for (name, mut optimizer) in optimizers {
        let own = trace(&mut *optimizer, shape, &gradient);
        let name = format!("{name}.{dtype}");
        let torch: Vec<f64> = reference.get::<T>(&name).iter().map(|x| x.as_f64()).collect();
        traces_agree(&name, &own, &torch);
    }
}

fn twenty_steps_agree<T: Element>() {
    steps_agree(optimizers::<T>(), &[4], |_, gradient| {
        Gradient::Dense(gradient.iter().map(|value| T::from_f64(*value)).collect())
    });
}

#[test]
fn twenty_steps_of_every_optimizer_agree() {
    twenty_steps_agree::<f32>();
    twenty_steps_agree::<f64>();
}

fn sparse_steps_agree<T: Element>() {
    let optimizers: [(&str, Box<dyn Optimizer<T>>); 3] = [
        ("sparse_adam", Box::new(Adam::new(0.1))),
        ("sparse_sgd", Box::new(Sgd::new(0.1))),
        ("sparse_adagrad", Box::new(AdaGrad::new(0.1))),
    ];
    steps_agree(optimizers.into(), &[4, 1], |t, gradient| {
        let mut rows = vec![t as u32 % 4, (t as u32 + 1) % 4];
        rows.sort_unstable();
        let values = rows.iter().map(|row| T::from_f64(gradient[*row as usize])).collect();
        Gradient::Rows { width: 1, rows, values }
    });
}

#[test]
fn sparse_steps_agree_where_pytorch_has_them() {
    sparse_steps_agree::<f32>();
    sparse_steps_agree::<f64>();
}

/// Clipping as steps of its own agrees with PyTorch, and with clipping inside the optimiser's pass.
#[test]
fn clipping_agrees() {
    let reference = Reference::read();
    let mut by_hand = parameter::<f64>(&reference.get("start"), &[4]);
    let mut in_passing = by_hand.clone();
    let id = by_hand.find("p").unwrap();
    let (mut own, mut fused) = (Vec::new(), Vec::new());
    for gradient in reference.rows("gradients") {
        let mut gradients = Gradients::new(&by_hand);
        gradients.add(id, Gradient::Dense(gradient.to_vec())).unwrap();
        let scale = (1.0 / gradients.norm()).min(1.0);
        let tuning = Tuning { scale, bound: 0.5, ..Tuning::default() };
        Sgd::new(0.1).step(&mut in_passing, &gradients, &[tuning], &mut Workers::alone()).unwrap();
        fused.extend(values(&in_passing));
        gradients.clip_norm(1.0);
        gradients.clip_value(0.5);
        Sgd::new(0.1).update(&mut by_hand, &gradients).unwrap();
        own.extend(values(&by_hand));
    }
    traces_agree("clipped", &own, &reference.get("clipped"));
    assert_eq!(own, fused);
}

#[test]
fn rate_schedules_agree() {
    let reference = Reference::read();
    let schedules = [
        ("step", RateSchedule::step(7, 0.5)),
        ("exponential", RateSchedule::exponential(0.9)),
        ("linear", RateSchedule::linear(8, 0.1, 1.0)),
        ("cosine", RateSchedule::cosine(19, 0.1)),
        ("one_cycle", RateSchedule::one_cycle(20)),
        ("one_cycle_23", RateSchedule::one_cycle(23)),
    ];
    for (name, schedule) in schedules {
        let own: Vec<f64> = (0..20).map(|step| schedule.factor(step)).collect();
        agree(name, &own, &reference.get(&format!("rate.{name}")));
    }
    let mut plateau = Plateau::lower_is_better().factor(0.5).patience(2).least(0.2);
    let scores: Vec<f64> = reference.get("scores");
    let own: Vec<f64> = scores.iter().map(|score| plateau.observe(*score).unwrap()).collect();
    agree("plateau", &own, &reference.get("rate.plateau"));
}

/// Compares the mean, the deviation and the greatest magnitude of 60 000 values. In two samples of
/// one distribution, deviations agree to about 1 % (5 standard errors, each at most √(1/2n) = 0.3
/// %), and means differ by less than 0.03 deviations; a bounded distribution reaches the same
/// bound.
#[test]
fn initializers_are_of_the_same_distribution() {
    let reference = Reference::read();
    let initializers = [
        ("xavier_uniform", Initializer::XavierUniform, true),
        ("xavier_normal", Initializer::XavierNormal, false),
        ("kaiming_uniform", Initializer::KaimingUniform, true),
        ("kaiming_normal", Initializer::KaimingNormal, false),
        ("lecun_uniform", Initializer::LeCunUniform, true),
        ("lecun_normal", Initializer::LeCunNormal, false),
        ("truncated_normal", Initializer::TruncatedNormal { deviation: 0.1 }, true),
        ("orthogonal", Initializer::Orthogonal { gain: 1.0 }, false),
    ];
    for (name, initializer, bounded) in initializers {
        let values: Vec<f64> = initializer.fill(&[200, 300], 5, "cell.w").unwrap();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        let deviation = (variance / (values.len() - 1) as f64).sqrt();
        let greatest = values.iter().fold(0.0_f64, |greatest, x| greatest.max(x.abs()));
        let torch: Vec<f64> = reference.get(&format!("init.{name}"));
        assert!((deviation / torch[1] - 1.0).abs() < 0.02, "{name}: {deviation}, {torch:?}");
        assert!((mean - torch[0]).abs() < 0.03 * deviation, "{name}: {mean}, {torch:?}");
        // The greatest of so many normal values is about 4.3 deviations, and varies little.
        let tolerance = if bounded { 1e-3 } else { 0.25 };
        assert!((greatest / torch[2] - 1.0).abs() < tolerance, "{name}: {greatest}, {torch:?}");
    }
}
