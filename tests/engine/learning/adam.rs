use approx::assert_relative_eq;

use super::{one_parameter, rows, with};
use edb::Element;
use edb::learn::{Adam, Gradient, LearnError, Optimizer};

/// Algorithm 1 of the paper, literally, for one value.
fn paper(gradients: &[f64], rate: f64, [b1, b2]: [f64; 2], epsilon: f64) -> Vec<f64> {
    let (mut theta, mut m, mut v) = (1.0, 0.0, 0.0);
    let step = |(t, g): (usize, &f64)| {
        let t = t as i32 + 1;
        m = b1 * m + (1.0 - b1) * g;
        v = b2 * v + (1.0 - b2) * g * g;
        let (m_hat, v_hat) = (m / (1.0 - b1.powi(t)), v / (1.0 - b2.powi(t)));
        theta -= rate * m_hat / (v_hat.sqrt() + epsilon);
        theta
    };
    gradients.iter().enumerate().map(step).collect()
}

fn follows_paper<T: Element>(tolerance: f64) {
    let steps = [0.5, -2.0, 0.0, 1e-3, 30.0, -0.25];
    let (mut parameters, id) = one_parameter::<T>(&[1], &[1.0]);
    let mut optimizer = Adam::new(0.1).betas(0.8, 0.95).epsilon(1e-6);
    for (gradient, expected) in steps.iter().zip(paper(&steps, 0.1, [0.8, 0.95], 1e-6)) {
        let gradients = with(&parameters, id, Gradient::Dense(vec![T::from_f64(*gradient)]));
        optimizer.update(&mut parameters, &gradients).unwrap();
        let value = parameters.get(id).values().unwrap()[0].as_f64();
        assert_relative_eq!(value, expected, max_relative = tolerance);
    }
}

#[test]
fn follows_the_paper() {
    follows_paper::<f64>(1e-13);
    follows_paper::<f32>(1e-6);
}

/// Two steps worked out on paper, with the default settings.
///
/// Gradients 1 and 3: m = 0.1, then 0.39; v = 0.001, then 0.009999;
/// m / (1 - 0.81) = 2.0526316; v / (1 - 0.998001) = 5.0020010, whose root is 2.2365153.
#[test]
fn two_steps_by_hand() {
    let (mut parameters, id) = one_parameter::<f64>(&[1], &[0.0]);
    let mut optimizer = Adam::new(0.1);
    for (gradient, expected) in [(1.0, -0.1), (3.0, -0.1 - 0.1 * 2.052_631_6 / 2.236_515_3)] {
        let gradients = with(&parameters, id, Gradient::Dense(vec![gradient]));
        optimizer.update(&mut parameters, &gradients).unwrap();
        assert_relative_eq!(parameters.get(id).values().unwrap()[0], expected, max_relative = 1e-7);
    }
}

#[test]
fn rows_are_as_dense_while_all_rows_have_a_gradient() {
    let (mut sparse, id) = one_parameter::<f32>(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let mut dense = sparse.clone();
    let (mut adam_sparse, mut adam_dense) = (Adam::new(0.1), Adam::new(0.1));
    for values in [[1.0, -1.0, 0.5, 2.0], [0.0, 3.0, -0.5, 1.0], [1.0; 4]] {
        let gradients = with(&sparse, id, rows(2, &[0, 1], &values));
        adam_sparse.update(&mut sparse, &gradients).unwrap();
        let values = values.iter().map(|&value| value as f32).collect();
        let gradients = with(&dense, id, Gradient::Dense(values));
        adam_dense.update(&mut dense, &gradients).unwrap();
        assert_eq!(sparse, dense);
    }
}

/// Row 1 has a gradient in steps 1 and 3 only: its moments skip step 2, the step count does not.
#[test]
fn rows_are_lazy_and_the_step_count_is_global() {
    let (mut parameters, id) = one_parameter::<f64>(&[2, 1], &[0.0, 0.0]);
    let (b1, b2, rate) = (0.9, 0.999, 0.1);
    let mut optimizer = Adam::new(rate);
    let mut step = |gradient| {
        let gradients = with(&parameters, id, gradient);
        optimizer.update(&mut parameters, &gradients).unwrap();
        parameters.get(id).values().unwrap()[1]
    };
    let first = step(rows(1, &[0, 1], &[1.0, 1.0]));
    assert_relative_eq!(first, -0.1, max_relative = 1e-7);
    assert_eq!(step(rows(1, &[0], &[5.0])), first);
    let m = b1 * (1.0 - b1) + (1.0 - b1) * 2.0;
    let v = b2 * (1.0 - b2) + (1.0 - b2) * 4.0;
    let (m_hat, v_hat): (f64, f64) = (m / (1.0 - b1 * b1 * b1), v / (1.0 - b2 * b2 * b2));
    let expected = first - rate * m_hat / (v_hat.sqrt() + 1e-8);
    assert_relative_eq!(step(rows(1, &[1], &[2.0])), expected, max_relative = 1e-12);
}

#[test]
fn a_gradient_of_zeros_moves_and_an_absent_one_does_not() {
    let (mut parameters, id) = one_parameter::<f64>(&[1], &[0.0]);
    let mut optimizer = Adam::new(0.1);
    let mut step = |gradient| {
        let gradients = with(&parameters, id, gradient);
        optimizer.update(&mut parameters, &gradients).unwrap();
        parameters.get(id).values().unwrap()[0]
    };
    // At first even the moments are zero: nothing moves, and nothing is divided by zero.
    assert_eq!(step(Gradient::Dense(vec![0.0])), 0.0);
    let before = step(Gradient::Dense(vec![1.0]));
    assert_eq!(step(Gradient::Zero), before);
    assert!(step(Gradient::Dense(vec![0.0])) < before);
}

#[test]
fn state_is_made_at_first_use_and_has_names() {
    let (mut parameters, id) = one_parameter::<f32>(&[3], &[0.0; 3]);
    let mut optimizer = Adam::new(0.1).betas(0.5, 0.75);
    let absent = with(&parameters, id, Gradient::Zero);
    optimizer.update(&mut parameters, &absent).unwrap();
    assert!(optimizer.state().tensor(id, "first").unwrap().is_none());
    assert!(optimizer.state().clock(id).is_none());
    let present = with(&parameters, id, Gradient::Dense(vec![2.0; 3]));
    optimizer.update(&mut parameters, &present).unwrap();
    let tensors: Vec<_> = optimizer.state().tensors(id).map(Result::unwrap).collect();
    assert_eq!(tensors, [("first", &[1.0_f32; 3][..]), ("second", &[1.0; 3])]);
    assert_eq!(optimizer.state().clock(id).map(|clock| clock.step), Some(1));
    assert_eq!(optimizer.state().tensor(id, "second").unwrap(), Some(&[1.0_f32; 3][..]));
    assert_eq!(optimizer.state().tensor(id, "third").unwrap(), None);
}

#[test]
fn the_state_of_another_optimizer_is_refused() {
    let (mut parameters, id) = one_parameter::<f32>(&[2], &[1.0; 2]);
    let gradients = with(&parameters, id, Gradient::Dense(vec![1.0; 2]));
    let mut adam = Adam::new(0.1);
    adam.update(&mut parameters, &gradients).unwrap();
    let before = parameters.clone();
    let mut amsgrad = Adam::new(0.1).amsgrad();
    *amsgrad.state_mut() = adam.state().clone();
    let error = amsgrad.update(&mut parameters, &gradients).unwrap_err();
    assert!(matches!(&error, LearnError::StateSlots { found, .. } if found.len() == 2), "{error}");
    assert_eq!(parameters, before);
}

#[test]
fn settings_out_of_range_are_errors() {
    let (mut parameters, id) = one_parameter::<f32>(&[1], &[1.0]);
    let gradients = with(&parameters, id, Gradient::Dense(vec![1.0]));
    for mut optimizer in [
        Adam::new(f64::INFINITY),
        Adam::new(0.1).betas(1.0, 0.9),
        Adam::new(0.1).betas(0.9, f64::NAN),
        Adam::new(0.1).epsilon(0.0),
        // Positive in f64, but zero in f32.
        Adam::new(0.1).epsilon(1e-60),
    ] {
        let error = optimizer.update(&mut parameters, &gradients).unwrap_err();
        assert!(matches!(error, LearnError::Setting { .. }), "{error}");
    }
    assert_eq!(parameters.get(id).values().unwrap(), [1.0]);
}

/// A gradient that is not a number is in the greatest second moment for good, as in PyTorch.
#[test]
fn amsgrad_keeps_a_gradient_that_is_nan() {
    let (mut parameters, id) = one_parameter::<f32>(&[2], &[1.0; 2]);
    let mut amsgrad = Adam::new(0.1).amsgrad();
    for first in [1.0, f32::NAN, 1.0] {
        let gradients = with(&parameters, id, Gradient::Dense(vec![first, 1.0]));
        amsgrad.update(&mut parameters, &gradients).unwrap();
    }
    let greatest = amsgrad.state().tensor(id, "greatest").unwrap().unwrap();
    assert!(greatest[0].is_nan() && greatest[1] > 0.0, "{greatest:?}");
    let values = parameters.get(id).values().unwrap();
    assert!(values[0].is_nan() && values[1].is_finite(), "{values:?}");
}
