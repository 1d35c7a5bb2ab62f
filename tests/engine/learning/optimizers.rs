//! What holds for every optimiser.

use super::{one_parameter, rows, with};
use edb::Element;
use edb::learn::{
    AdaDelta, AdaGrad, Adam, Ema, Gradient, Gradients, LearnError, Lion, NAdam, Optimizer, RAdam,
    RateSchedule, RmsProp, Sgd, Tuning, Workers,
};

pub(super) fn all<T: Element>() -> Vec<Box<dyn Optimizer<T>>> {
    vec![
        Box::new(Sgd::new(0.1)),
        Box::new(Sgd::new(0.1).momentum(0.9).nesterov().weight_decay(0.1)),
        Box::new(AdaGrad::new(0.1).initial_sum(0.1)),
        Box::new(RmsProp::new(0.1).centred().momentum(0.9)),
        Box::new(AdaDelta::new(0.1)),
        Box::new(Adam::new(0.1).amsgrad().decoupled_weight_decay(0.1)),
        Box::new(NAdam::new(0.1)),
        Box::new(RAdam::new(0.1).betas(0.9, 0.9)),
        Box::new(Lion::new(0.1).decoupled_weight_decay(0.1)),
    ]
}

/// A table of three rows, of which two have gradients, moves as a table of these two whose gradient
/// is dense: bit for bit, and the third row stays.
#[test]
fn rows_without_a_gradient_are_left_alone() {
    for (mut sparse, mut dense) in all::<f32>().into_iter().zip(all::<f32>()) {
        let (mut table, id) = one_parameter::<f32>(&[3, 2], &[1.0, -2.0, 9.0, 9.5, 0.5, 3.0]);
        let (mut part, _) = one_parameter::<f32>(&[2, 2], &[1.0, -2.0, 0.5, 3.0]);
        for step in 0..12 {
            let values =
                [1.0, 2.0, 3.0, 4.0].map(|number| f64::sin(number * f64::from(step) + 1.0));
            let mut gradients = Gradients::new(&table);
            gradients.add(id, rows(2, &[0, 2], &values)).unwrap();
            sparse.update(&mut table, &gradients).unwrap();
            let mut gradients = Gradients::new(&part);
            let values = values.iter().map(|value| *value as f32).collect();
            gradients.add(id, Gradient::Dense(values)).unwrap();
            dense.update(&mut part, &gradients).unwrap();
        }
        let (found, expected) = (table.get(id).values().unwrap(), part.get(id).values().unwrap());
        assert_eq!([&found[..2], &found[4..]].concat(), expected, "{sparse:?}");
        assert_eq!(found[2..4], [9.0, 9.5], "{}", sparse.name());
        for (slot, tensor) in sparse.state().tensors(id).map(Result::unwrap) {
            let other = dense.state().tensor(id, slot).unwrap().unwrap();
            assert_eq!([&tensor[..2], &tensor[4..]].concat(), other, "{slot}");
        }
    }
}

/// Scaled and clipped on the way or before: the same, but for the rounding of one product.
#[test]
fn a_tuning_scales_and_clips_as_the_caller_would() {
    for (mut tuned, mut plain) in all::<f64>().into_iter().zip(all::<f64>()) {
        let (mut parameters, id) = one_parameter::<f64>(&[3], &[1.0, -2.0, 0.5]);
        let mut expected = parameters.clone();
        for step in 1..9 {
            let values: Vec<f64> =
                (1..4).map(|element| f64::sin(f64::from(element * step))).collect();
            let mut gradients = Gradients::new(&parameters);
            gradients.add(id, Gradient::Dense(values)).unwrap();
            let tuning = Tuning { scale: 0.5, bound: 0.3, rate: 0.25, ..Tuning::default() };
            tuned.step(&mut parameters, &gradients, &[tuning], &mut Workers::alone()).unwrap();
            // Frozen: nothing moves, and no clock goes on.
            let (before, clock) = (parameters.clone(), tuned.state().clock(id));
            let frozen = Tuning { frozen: true, ..Tuning::default() };
            tuned.step(&mut parameters, &gradients, &[frozen], &mut Workers::alone()).unwrap();
            assert_eq!((&parameters, tuned.state().clock(id)), (&before, clock));

            gradients.scale(0.5);
            gradients.clip_value(0.3);
            plain.set_learning_rate(0.025);
            plain.update(&mut expected, &gradients).unwrap();
        }
        for (found, expected) in
            parameters.get(id).values().unwrap().iter().zip(expected.get(id).values().unwrap())
        {
            approx::assert_relative_eq!(*found, *expected, max_relative = 1e-12);
        }
    }
}

/// What is read by name and set again continues bit for bit.
#[test]
fn state_is_read_and_written_by_name() {
    for (mut first, mut second) in all::<f32>().into_iter().zip(all::<f32>()) {
        let (mut parameters, id) = one_parameter::<f32>(&[3], &[1.0, -2.0, 0.5]);
        let mut gradients = Gradients::new(&parameters);
        gradients.add(id, Gradient::Dense(vec![0.5, -0.25, 2.0])).unwrap();
        for _ in 0..7 {
            first.update(&mut parameters, &gradients).unwrap();
        }
        let tensors: Vec<(String, Vec<f32>)> = (first.state().tensors(id))
            .map(|tensor| tensor.unwrap())
            .map(|(slot, values)| (slot.to_owned(), values.to_vec()))
            .collect();
        let (mut other, clock) = (parameters.clone(), first.state().clock(id).unwrap());
        assert_eq!(clock.step, 7);
        second.state_mut().set(id, parameters.get(id), clock, tensors).unwrap();
        for _ in 0..3 {
            first.update(&mut parameters, &gradients).unwrap();
            second.update(&mut other, &gradients).unwrap();
        }
        assert_eq!(parameters, other, "{}", first.name());

        let wrong = vec![("first".to_owned(), vec![0.0; 2])];
        let error =
            second.state_mut().set(id, parameters.get(id), clock, wrong).unwrap_err().to_string();
        assert_eq!(error, "parameter `p/first` is [3], which does not hold 2 values");
    }
}

#[test]
fn settings_out_of_range_are_named() {
    let (mut parameters, id) = one_parameter::<f32>(&[1], &[1.0]);
    let mut gradients = Gradients::new(&parameters);
    gradients.add(id, Gradient::Dense(vec![1.0])).unwrap();
    let optimizers: [(Box<dyn Optimizer<f32>>, &str); 9] = [
        (Box::new(Sgd::new(0.1).weight_decay(-1.0)), "weight decay of Sgd"),
        (Box::new(AdaGrad::new(0.1).rate_decay(f64::NAN)), "decay of the learning rate of AdaGrad"),
        (Box::new(AdaGrad::new(0.1).initial_sum(-1.0)), "initial sum of AdaGrad"),
        (Box::new(RmsProp::new(0.1).decay_rate(1.0)), "decay rate of RmsProp"),
        (Box::new(AdaDelta::new(0.1).epsilon(0.0)), "epsilon of AdaDelta"),
        (Box::new(NAdam::new(0.1).momentum_decay(-0.1)), "momentum decay of NAdam"),
        (Box::new(RAdam::new(0.1).betas(0.9, 1.0)), "second beta of RAdam"),
        (Box::new(Lion::new(0.1).betas(-0.1, 0.9)), "first beta of Lion"),
        (Box::new(Lion::new(f64::INFINITY)), "learning rate of Lion"),
    ];
    for (mut optimizer, setting) in optimizers {
        let error = optimizer.update(&mut parameters, &gradients).unwrap_err();
        assert!(matches!(&error, LearnError::Setting { .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("the {setting} is ")), "{error}");
    }
    for tuning in [
        Tuning { rate: -1.0, ..Tuning::default() },
        Tuning { weight_decay: Some(f64::NAN), ..Tuning::default() },
    ] {
        let error = Sgd::new(0.1)
            .step(&mut parameters, &gradients, &[tuning], &mut Workers::alone())
            .unwrap_err();
        assert!(matches!(&error, LearnError::Setting { .. }), "{error}");
    }
    assert_eq!(parameters.get(id).values().unwrap(), [1.0]);
}

/// No optimiser goes on as if a gradient were a number that is none.
#[test]
fn a_gradient_that_is_nan_reaches_the_value() {
    fn check(mut optimizer: impl Optimizer<f32>) {
        let (mut parameters, id) = one_parameter::<f32>(&[2], &[1.0; 2]);
        for first in [0.5, f32::NAN] {
            let gradients = with(&parameters, id, Gradient::Dense(vec![first, 0.5]));
            optimizer.update(&mut parameters, &gradients).unwrap();
        }
        let values = parameters.get(id).values().unwrap();
        assert!(values[0].is_nan() && values[1].is_finite(), "{}: {values:?}", optimizer.name());
    }
    check(Sgd::new(0.1));
    check(Sgd::new(0.1).momentum(0.9));
    check(Adam::new(0.1));
    check(Adam::new(0.1).amsgrad());
    check(NAdam::new(0.1));
    check(RAdam::new(0.1));
    check(AdaGrad::new(0.1));
    check(AdaDelta::new(0.1));
    check(RmsProp::new(0.1));
    check(RmsProp::new(0.1).centred());
    check(Lion::new(0.1));
}

/// The bound of values is checked before anything moves, as the other numbers of a step are.
#[test]
fn an_invalid_clipping_bound_is_an_error() {
    let (mut parameters, id) = one_parameter::<f32>(&[1], &[1.0]);
    let gradients = with(&parameters, id, Gradient::Dense(vec![1.0]));
    for bound in [f64::NAN, -1.0] {
        let tuning = Tuning { bound, ..Tuning::default() };
        let mut optimizer = Sgd::new(0.1);
        let error = optimizer
            .step(&mut parameters, &gradients, &[tuning], &mut Workers::alone())
            .unwrap_err();
        assert!(error.to_string().starts_with("the bound of gradients of Sgd is"), "{error}");
        assert_eq!(parameters.get(id).values().unwrap(), [1.0]);
    }
}

/// Fault B9: the variance was the difference of two averages, of which rounding left nothing where
/// gradients hardly vary: steps were off by many powers of ten.
#[test]
fn the_variance_of_gradients_that_hardly_vary_is_kept() {
    let gradients: Vec<f32> = (0..80).map(|t| 100.0 + 0.01 * (1.7 * t as f32).sin()).collect();
    for momentum in [0.0, 0.5] {
        let single = trace::<f32>(centred(momentum), &gradients);
        let double = trace::<f64>(centred(momentum), &gradients);
        for (step, (single, double)) in single.iter().zip(&double).enumerate() {
            approx::assert_relative_eq!(*single, *double, max_relative = 1e-2, epsilon = 1e-3);
            assert!(step < 60 || *double < -1.0, "the steps are large");
        }
    }
}

fn centred<T: Element>(momentum: f64) -> RmsProp<T> {
    RmsProp::new(1e-4).decay_rate(0.7).momentum(momentum).centred()
}

/// The values of a parameter that begins at 0, after each step.
fn trace<T: Element>(mut optimizer: impl Optimizer<T>, gradients: &[f32]) -> Vec<f64> {
    let (mut parameters, id) = one_parameter::<T>(&[1], &[0.0]);
    let step = |gradient: &f32| {
        let gradient = Gradient::Dense(vec![T::from_f64(f64::from(*gradient))]);
        let gradients = with(&parameters, id, gradient);
        optimizer.update(&mut parameters, &gradients).unwrap();
        parameters.get(id).values().unwrap()[0].as_f64()
    };
    gradients.iter().map(step).collect()
}

/// Fault B9: both coefficients of a moving average were rounded, so that their sum was not 1, and
/// the average of a constant drifted away from it.
#[test]
fn the_average_of_a_constant_is_that_constant() {
    let optimizers: [Box<dyn Optimizer<f32>>; 8] = [
        Box::new(RmsProp::new(0.1).decay_rate(0.999)),
        Box::new(RmsProp::new(0.1).decay_rate(0.999).momentum(0.5)),
        Box::new(RmsProp::new(0.1).decay_rate(0.999).centred()),
        Box::new(AdaDelta::new(0.1).decay_rate(0.999)),
        Box::new(Adam::new(0.1)),
        Box::new(NAdam::new(0.1)),
        Box::new(RAdam::new(0.1)),
        Box::new(Lion::new(0.1).betas(0.9, 0.999)),
    ];
    let constant = 0.3_f32;
    for mut optimizer in optimizers {
        let (mut parameters, id) = one_parameter::<f32>(&[1], &[1.0]);
        let gradients = with(&parameters, id, Gradient::Dense(vec![constant]));
        optimizer.update(&mut parameters, &gradients).unwrap();
        let clock = optimizer.state().clock(id).unwrap();
        let settled = |slot: &str| match slot {
            "first" | "mean" | "momentum" => Some(constant),
            "second" | "square" => Some(constant * constant),
            "variance" => Some(0.0),
            _ => None,
        };
        let slots: Vec<(String, Vec<f32>)> = (optimizer.state().tensors(id).map(Result::unwrap))
            .map(|(slot, values)| (slot.to_owned(), vec![settled(slot).unwrap_or(values[0])]))
            .collect();
        optimizer.state_mut().set(id, parameters.get(id), clock, slots).unwrap();
        for _ in 0..5_000 {
            optimizer.update(&mut parameters, &gradients).unwrap();
        }
        for (slot, values) in optimizer.state().tensors(id).map(Result::unwrap) {
            if let Some(settled) = settled(slot) {
                assert_eq!(values[0], settled, "{} of {}", slot, optimizer.name());
            }
        }
    }
    let (parameters, id) = one_parameter::<f32>(&[3], &[0.3, -1e-3, 7e4]);
    let mut ema = Ema::new(0.999, &parameters).unwrap();
    for _ in 0..5_000 {
        ema.update(&parameters).unwrap();
    }
    assert_eq!(ema.averages().get(id).values().unwrap(), parameters.get(id).values().unwrap());
    let schedule = RateSchedule::linear(7, 0.1, 0.1);
    assert!((0..9).all(|step| schedule.factor(step) == 0.1));
}
