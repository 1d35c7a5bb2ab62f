//! Muon: what moves as a whole, and what moves as Adam moves it.

use super::workers::{Threads, numbers};
use super::{one_parameter, rows, with};
use edb::Element;
use edb::learn::{
    Adam, Clock, Descent, Gradient, LearnError, Method, Muon, Optimizer, Parameters, Pass, Tuning,
    Workers,
};

fn dense(count: usize, step: usize) -> Gradient<f32> {
    let numbers = numbers(count + step);
    Gradient::Dense(numbers[step..].iter().map(|x| *x as f32).collect())
}

fn values(parameters: &Parameters<f32>) -> Vec<f32> {
    parameters.iter().flat_map(|(_, parameter)| parameter.values().unwrap().to_vec()).collect()
}

#[test]
fn a_matrix_moves_as_a_whole() {
    for shape in [[40, 24], [24, 40]] {
        let (mut parameters, id) = one_parameter::<f32>(&shape, &numbers(960));
        let before = values(&parameters);
        let gradients = with(&parameters, id, dense(960, 0));
        Muon::new(0.1).update(&mut parameters, &gradients).unwrap();
        let squares: f32 =
            before.iter().zip(values(&parameters)).map(|(a, b)| (a - b).powi(2)).sum();
        // An orthogonal matrix of 24 columns has a norm of √24; of `sin`, two columns suffice.
        let norm = (squares / 40.0).sqrt() / (0.2 * 0.1);
        assert!(norm > 0.8 * 2_f32.sqrt() && norm < 1.2 * 24_f32.sqrt(), "{norm}");
    }
}

#[test]
fn threads_change_no_bit() {
    const SIZE: [usize; 2] = [310, 70];
    let (mut alone, id) = one_parameter::<f32>(&SIZE, &numbers(SIZE[0] * SIZE[1]));
    let mut shared = alone.clone();
    let (mut one, mut other) = (Muon::new(0.1), Muon::new(0.1));
    for step in 0..3 {
        let gradients = with(&alone, id, dense(SIZE[0] * SIZE[1], step));
        one.step(&mut alone, &gradients, &[], &mut Workers::alone()).unwrap();
        let mut threads = Threads(3);
        other.step(&mut shared, &gradients, &[], &mut Workers::from(&mut threads)).unwrap();
    }
    assert_eq!(values(&alone), values(&shared));
    assert_eq!(one.state(), other.state());
}

#[test]
fn vectors_tables_and_named_matrices_move_as_with_adam() {
    let cases = [
        (&[6][..], dense(6, 1), Muon::new(0.1)),
        (&[3, 2], rows(2, &[0, 2], &[1.0, 2.0, 3.0, 4.0]), Muon::new(0.1)),
        (&[3, 2], dense(6, 1), Muon::new(0.1).adam_for(["p"])),
    ];
    for (shape, gradient, mut muon) in cases {
        let (mut parameters, id) = one_parameter::<f32>(shape, &numbers(6));
        let mut expected = parameters.clone();
        let mut adam = Adam::new(0.1);
        for _ in 0..3 {
            let gradients = with(&parameters, id, gradient.clone());
            muon.update(&mut parameters, &gradients).unwrap();
            adam.update(&mut expected, &gradients).unwrap();
        }
        assert_eq!(values(&parameters), values(&expected), "{shape:?}");
        assert_eq!(muon.state(), adam.state(), "{shape:?}");
    }
}

/// Scale, bound and decoupled decay come before the step.
#[test]
fn settings_of_a_parameter_hold_for_a_whole_matrix() {
    let (mut parameters, id) = one_parameter::<f32>(&[2, 2], &[1.0, -2.0, 0.5, 3.0]);
    let mut muon = Muon::new(0.5).decoupled_weight_decay(0.1);
    let gradients = with(&parameters, id, Gradient::Dense(vec![0.0; 4]));
    muon.update(&mut parameters, &gradients).unwrap();
    assert_eq!(values(&parameters), [1.0, -2.0, 0.5, 3.0].map(|value| 0.95_f32 * value));

    let tunings = [Tuning { scale: 0.5, bound: 2.0, ..Tuning::default() }];
    let steps = [(vec![9.0, 1.0, -9.0, 2.0], &tunings[..]), (vec![2.0, 0.5, -2.0, 1.0], &[])];
    let moved = steps.map(|(gradient, tunings)| {
        let (mut parameters, id) = one_parameter::<f32>(&[2, 2], &[0.0; 4]);
        let gradients = with(&parameters, id, Gradient::Dense(gradient));
        Muon::new(0.5).step(&mut parameters, &gradients, tunings, &mut Workers::alone()).unwrap();
        values(&parameters)
    });
    assert_eq!(moved[0], moved[1]);
}

/// A method that moves nothing.
#[derive(Clone, Debug)]
struct Still;

impl Method for Still {
    const NAME: &'static str = "Still";

    fn slots(&self) -> &'static [&'static str] {
        &[]
    }

    fn check<T: Element>(&self) -> Result<(), LearnError> {
        Ok(())
    }

    fn step<T: Element>(&self, _: f64, _: &mut Clock, pass: Pass<'_, T>) {
        pass.run_whole(|whole| assert_eq!(whole.values.len(), whole.gradient.len()));
    }
}

#[test]
fn rows_without_a_gradient_do_not_decay() {
    let (mut own, id) = one_parameter::<f32>(&[3, 1], &[1.0, 1.0, 1.0]);
    let gradients = with(&own, id, rows(1, &[1], &[2.0]));
    let mut still = Descent::with(Still, 0.5).decoupled_weight_decay(0.5);
    still.update(&mut own, &gradients).unwrap();
    assert_eq!(values(&own), [1.0, 0.75, 1.0]);
}
