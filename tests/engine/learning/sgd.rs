use super::{one_parameter, rows, with};
use edb::learn::{Gradient, Gradients, LearnError, Optimizer, Parameter, Sgd};

#[test]
fn plain_descent_subtracts_the_scaled_gradient() {
    let (mut parameters, id) = one_parameter::<f32>(&[2], &[1.0, -2.0]);
    let gradients = with(&parameters, id, Gradient::Dense(vec![4.0, 8.0]));
    Sgd::new(0.125).update(&mut parameters, &gradients).unwrap();
    assert_eq!(parameters.get(id).values().unwrap(), [0.5, -3.0]);
}

#[test]
fn momentum_by_hand() {
    let (mut parameters, id) = one_parameter::<f64>(&[1], &[1.0]);
    let mut optimizer = Sgd::new(0.5).momentum(0.5);
    // v: 1, 0.5 - 2 = -1.5, -0.75 + 0 = -0.75
    for (gradient, expected) in [(1.0, 0.5), (-2.0, 1.25), (0.0, 1.625)] {
        let gradients = with(&parameters, id, Gradient::Dense(vec![gradient]));
        optimizer.update(&mut parameters, &gradients).unwrap();
        assert_eq!(parameters.get(id).values().unwrap(), [expected]);
    }
}

#[test]
fn a_new_learning_rate_acts_at_once() {
    let (mut parameters, id) = one_parameter::<f64>(&[1], &[1.0]);
    let mut optimizer = Sgd::new(0.5).momentum(0.5);
    let gradients = with(&parameters, id, Gradient::Dense(vec![1.0]));
    optimizer.update(&mut parameters, &gradients).unwrap();
    Optimizer::<f64>::set_learning_rate(&mut optimizer, 1.0);
    assert_eq!(Optimizer::<f64>::learning_rate(&optimizer), 1.0);
    optimizer.update(&mut parameters, &gradients).unwrap();
    assert_eq!(parameters.get(id).values().unwrap(), [0.5 - 1.5]);
}

#[test]
fn momentum_is_lazy_in_rows_and_absent_gradients() {
    let (mut parameters, id) = one_parameter::<f64>(&[2, 1], &[0.0, 0.0]);
    let mut optimizer = Sgd::new(1.0).momentum(0.5);
    let steps: [(Gradient<f64>, [f64; 2]); 4] = [
        (rows(1, &[0, 1], &[1.0, 1.0]), [-1.0, -1.0]),
        (rows(1, &[0], &[0.0]), [-1.5, -1.0]),
        (Gradient::Zero, [-1.5, -1.0]),
        // The velocity of row 1 is still 1, that of row 0 is 0.5.
        (Gradient::Dense(vec![0.0, 0.0]), [-1.75, -1.5]),
    ];
    for (gradient, expected) in steps {
        let gradients = with(&parameters, id, gradient);
        optimizer.update(&mut parameters, &gradients).unwrap();
        assert_eq!(parameters.get(id).values().unwrap(), expected);
    }
}

#[test]
fn other_parameters_are_errors_and_nothing_changes() {
    let (mut parameters, id) = one_parameter::<f32>(&[2, 3], &[1.0; 6]);
    let mut optimizer = Sgd::new(0.5).momentum(0.5);
    let gradients = with(&parameters, id, Gradient::Dense(vec![1.0; 6]));
    optimizer.update(&mut parameters, &gradients).unwrap();

    let (mut other, id) = one_parameter::<f32>(&[3, 2], &[1.0; 6]);
    let before = other.clone();
    let error = optimizer.update(&mut other, &gradients).unwrap_err();
    let said =
        "the gradients are those of another model: where `p` [3, 2] belongs, there is `p` [2, 3]";
    assert_eq!(error.to_string(), said);
    let gradients = with(&other, id, Gradient::Dense(vec![1.0; 6]));
    let error = optimizer.update(&mut other, &gradients).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the optimiser's tensors are those of another model: where `p` [3, 2] belongs, there is `p` [2, 3]"
    );
    assert_eq!(other, before);

    let stale = Gradients::new(&other);
    other.push(Parameter::new("q", &[], vec![0.0]).unwrap()).unwrap();
    let error = Sgd::new(0.5).update(&mut other, &stale).unwrap_err();
    assert!(matches!(error, LearnError::OtherParameters { expected: Some(_), found: None, .. }));
}

#[test]
fn parameters_may_be_added_between_steps() {
    let (mut parameters, p) = one_parameter::<f64>(&[], &[0.0]);
    let mut optimizer = Sgd::new(1.0).momentum(0.5);
    let gradients = with(&parameters, p, Gradient::Dense(vec![1.0]));
    optimizer.update(&mut parameters, &gradients).unwrap();
    let q = parameters.push(Parameter::new("q", &[1], vec![0.0]).unwrap()).unwrap();
    let gradients = with(&parameters, q, Gradient::Dense(vec![2.0]));
    optimizer.update(&mut parameters, &gradients).unwrap();
    assert_eq!(
        (parameters.get(p).values().unwrap()[0], parameters.get(q).values().unwrap()[0]),
        (-1.0, -2.0)
    );
}

#[test]
fn settings_out_of_range_are_errors() {
    let (mut parameters, id) = one_parameter::<f32>(&[1], &[1.0]);
    let gradients = with(&parameters, id, Gradient::Dense(vec![1.0]));
    let optimizers = [
        Sgd::new(-0.1),
        Sgd::new(f64::NAN),
        Sgd::new(0.1).momentum(1.0),
        Sgd::new(0.1).momentum(-0.1),
    ];
    for mut optimizer in optimizers {
        let error = optimizer.update(&mut parameters, &gradients).unwrap_err();
        assert!(matches!(error, LearnError::Setting { .. }), "{error}");
    }
    assert_eq!(parameters.get(id).values().unwrap(), [1.0]);
    let error = Sgd::new(0.1).momentum(1.0).update(&mut parameters, &gradients).unwrap_err();
    assert_eq!(error.to_string(), "the momentum of Sgd is 1; it must be in [0, 1)");
}
