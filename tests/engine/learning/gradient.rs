use proptest::prelude::*;

use super::{one_parameter, rows, with};
use edb::learn::{Gradient, Gradients, LearnError, Optimizer, Parameter, Parameters, Sgd};

#[test]
fn rows_and_rows_merge() {
    let (parameters, id) = one_parameter::<f64>(&[5, 2], &[0.0; 10]);
    let mut gradients = with(&parameters, id, rows(2, &[1, 3], &[1.0, 2.0, 3.0, 4.0]));
    gradients.add(id, rows(2, &[0, 3, 4], &[5.0, 6.0, 7.0, 8.0, 9.0, 10.0])).unwrap();
    let sum = [5.0, 6.0, 1.0, 2.0, 10.0, 12.0, 9.0, 10.0];
    assert_eq!(gradients.get(id), &rows(2, &[0, 1, 3, 4], &sum));
    let dense: Vec<_> = gradients.to_dense(id).into_iter().collect();
    assert_eq!(dense, [5.0, 6.0, 1.0, 2.0, 0.0, 0.0, 10.0, 12.0, 9.0, 10.0]);
}

#[test]
fn dense_and_rows_densify_in_either_order() {
    let (parameters, id) = one_parameter::<f32>(&[2, 2], &[0.0; 4]);
    let (dense, sparse) = (Gradient::Dense(vec![1.0; 4]), rows(2, &[1], &[2.0, 3.0]));
    for (first, second) in [(&dense, &sparse), (&sparse, &dense)] {
        let mut gradients = with(&parameters, id, first.clone());
        gradients.add_all(with(&parameters, id, second.clone())).unwrap();
        assert_eq!(gradients.get(id), &Gradient::Dense(vec![1.0, 1.0, 3.0, 4.0]));
    }
}

#[test]
fn zero_adds_nothing() {
    let (parameters, id) = one_parameter::<f32>(&[2, 2], &[0.0; 4]);
    let sparse = rows(2, &[1], &[2.0, 3.0]);
    let mut gradients = Gradients::new(&parameters);
    assert_eq!(gradients.get(id), &Gradient::Zero);
    assert_eq!(gradients.to_dense(id).shape(), [2, 2]);
    gradients.add(id, sparse.clone()).unwrap();
    gradients.add(id, Gradient::Zero).unwrap();
    assert_eq!(gradients.get(id), &sparse);
}

#[test]
fn clipping_scales_to_the_norm() {
    let mut parameters = Parameters::<f64>::new();
    let a = parameters.push(Parameter::new("a", &[1], vec![0.0]).unwrap()).unwrap();
    let b = parameters.push(Parameter::new("b", &[2, 2], vec![0.0; 4]).unwrap()).unwrap();
    let mut gradients = Gradients::new(&parameters);
    gradients.add(a, Gradient::Dense(vec![3.0])).unwrap();
    gradients.add(b, rows(2, &[1], &[0.0, 4.0])).unwrap();
    assert_eq!(gradients.norm(), 5.0);

    assert_eq!(gradients.clip_norm(5.0), 5.0);
    for no_bound in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert_eq!(gradients.clip_norm(no_bound), 5.0);
        gradients.clip_value(no_bound);
        assert_eq!(gradients.get(a), &Gradient::Dense(vec![3.0]));
        assert_eq!(gradients.get(b), &rows(2, &[1], &[0.0, 4.0]));
    }
    assert_eq!(gradients.clip_norm(2.5), 5.0);
    assert_eq!(gradients.get(a), &Gradient::Dense(vec![1.5]));
    assert_eq!(gradients.get(b), &rows(2, &[1], &[0.0, 2.0]));
    assert_eq!(gradients.clip_norm(0.0), 2.5);
    assert_eq!(gradients.norm(), 0.0);
}

/// Rows that are no multiple of the lanes, and vectors.
#[test]
fn norms_are_those_of_all_values() {
    let mut parameters = Parameters::<f32>::new();
    let mut push = |name: &str, shape: &[usize]| {
        let values = vec![0.0; shape.iter().product()];
        parameters.push(Parameter::new(name, shape, values).unwrap()).unwrap()
    };
    let (matrix, vector) = (push("matrix", &[7, 37]), push("vector", &[71]));
    let (table, _) = (push("table", &[9, 19]), push("unused", &[3]));
    let numbers = |count: usize| (0..count).map(|element| (element as f64 * 0.7).sin() + 0.1);
    let dense = |count| Gradient::Dense(numbers(count).map(|x| x as f32).collect());
    let mut gradients = Gradients::new(&parameters);
    gradients.add(matrix, dense(7 * 37)).unwrap();
    gradients.add(vector, dense(71)).unwrap();
    let values: Vec<f64> = numbers(38).collect();
    gradients.add(table, rows(19, &[2, 8], &values)).unwrap();
    let squares = [(matrix, 7 * 37), (vector, 71), (table, 38)].map(|(id, count)| {
        let squares: f64 = numbers(count).map(|x| x * x).sum();
        approx::assert_relative_eq!(gradients.sum_of_squares(id), squares, max_relative = 1e-6);
        squares
    });
    let norm = squares.iter().sum::<f64>().sqrt();
    approx::assert_relative_eq!(gradients.norm(), norm, max_relative = 1e-6);
}

#[test]
fn values_are_clipped_one_by_one() {
    let (parameters, id) = one_parameter::<f32>(&[4], &[0.0; 4]);
    let mut gradients = with(&parameters, id, Gradient::Dense(vec![3.0, -3.0, 0.5, f32::NAN]));
    gradients.clip_value(1.0);
    let Gradient::Dense(values) = gradients.get(id) else { panic!("it was dense") };
    assert_eq!(values[..3], [1.0, -1.0, 0.5]);
    assert!(values[3].is_nan());
}

#[test]
fn the_norm_of_small_f32_values_is_summed_in_f64() {
    let (parameters, id) = one_parameter::<f32>(&[4], &[0.0; 4]);
    // The squares underflow in f32.
    let gradients = with(&parameters, id, Gradient::Dense(vec![1e-30; 4]));
    approx::assert_relative_eq!(gradients.norm(), 2e-30, max_relative = 1e-6);
}

#[test]
fn what_is_not_finite_is_named_and_not_clipped() {
    let (parameters, id) = one_parameter::<f32>(&[3, 2], &[0.0; 6]);
    let mut gradients = with(&parameters, id, rows(2, &[2], &[1.0, f64::INFINITY]));
    assert_eq!(gradients.clip_norm(1.0), f64::INFINITY);
    assert_eq!(gradients.get(id), &rows(2, &[2], &[1.0, f64::INFINITY]));
    let error = gradients.check_finite().unwrap_err();
    assert_eq!(error.to_string(), "the gradient of parameter `p` is not finite: value 5 is inf");
    assert!(with(&parameters, id, rows(2, &[2], &[1.0, 2.0])).check_finite().is_ok());
}

#[test]
fn malformed_gradients_are_errors_and_add_nothing() {
    let (parameters, id) = one_parameter::<f32>(&[3, 2], &[0.0; 6]);
    let mut gradients = Gradients::new(&parameters);
    let error = gradients.add(id, Gradient::Dense(vec![0.0; 5])).unwrap_err();
    assert_eq!(error.to_string(), "the gradient of parameter `p` [3, 2] has 5 values");
    for (gradient, reason) in [
        (rows(3, &[0], &[0.0; 3]), "its rows are 3 wide, not 2"),
        (rows(2, &[0, 1], &[0.0; 3]), "2 rows of 2 have 3 values"),
        (rows(2, &[1, 1], &[0.0; 4]), "row 1 follows row 1"),
        (rows(2, &[1, 0], &[0.0; 4]), "row 0 follows row 1"),
        (rows(2, &[3], &[0.0; 2]), "there is no row 3 among 3"),
    ] {
        let error = gradients.add(id, gradient).unwrap_err();
        assert!(error.to_string().ends_with(reason), "{error}");
        assert_eq!(gradients.get(id), &Gradient::Zero);
    }
    let (scalar, id) = one_parameter::<f32>(&[], &[0.0]);
    let error = Gradients::new(&scalar).add(id, rows(1, &[0], &[0.0])).unwrap_err();
    assert!(error.to_string().ends_with("a scalar has no rows"), "{error}");
}

#[test]
fn gradients_of_other_parameters_are_not_added() {
    let (parameters, _) = one_parameter::<f32>(&[3, 2], &[0.0; 6]);
    let (other, _) = one_parameter::<f32>(&[2, 3], &[0.0; 6]);
    let error = Gradients::new(&parameters).add_all(Gradients::new(&other)).unwrap_err();
    let said =
        "the gradients are those of another model: where `p` [3, 2] belongs, there is `p` [2, 3]";
    assert_eq!(error.to_string(), said);
    let none = Gradients::new(&Parameters::new());
    let error = Gradients::new(&parameters).add_all(none).unwrap_err();
    assert!(matches!(error, LearnError::OtherParameters { expected: Some(_), found: None, .. }));
    // Fault B6: gradients of another model were added, where shapes happened to be equal.
    let mut named = Parameters::new();
    named.push(Parameter::new("q", &[3, 2], vec![0.0; 6]).unwrap()).unwrap();
    let error = Gradients::new(&parameters).add_all(Gradients::new(&named)).unwrap_err();
    let said =
        "the gradients are those of another model: where `p` [3, 2] belongs, there is `q` [3, 2]";
    assert_eq!(error.to_string(), said);
}

#[test]
fn rows_without_width_are_rows_without_values() {
    let (mut parameters, id) = one_parameter::<f32>(&[3, 0], &[]);
    let mut gradients = with(&parameters, id, rows(0, &[0, 2], &[]));
    gradients.add(id, rows(0, &[1], &[])).unwrap();
    assert_eq!(gradients.get(id), &rows(0, &[0, 1, 2], &[]));
    assert_eq!(gradients.norm(), 0.0);
    Sgd::new(0.1).update(&mut parameters, &gradients).unwrap();
}

/// The height and width of a parameter, and two sparse gradients of it.
fn sparse() -> impl Strategy<Value = (usize, usize, [Vec<Option<Vec<f64>>>; 2])> {
    (1..6_usize, 1..20_usize).prop_flat_map(|(height, width)| {
        let row = proptest::option::of(proptest::collection::vec(-1e3..1e3, width));
        let gradient = proptest::collection::vec(row, height);
        (Just(height), Just(width), [gradient.clone(), gradient])
    })
}

/// The rows of a sparse gradient, of which some are absent.
type SparseRows = [Option<Vec<f64>>];

fn as_rows(width: usize, gradient: &SparseRows) -> Gradient<f64> {
    let present = gradient.iter().enumerate().filter(|(_, row)| row.is_some());
    let values: Vec<_> = gradient.iter().flatten().flatten().copied().collect();
    rows(width, &present.map(|(i, _)| i as u32).collect::<Vec<_>>(), &values)
}

fn as_dense(width: usize, gradient: &SparseRows) -> Gradient<f64> {
    let rows = gradient.iter().map(|row| row.clone().unwrap_or_else(|| vec![0.0; width]));
    Gradient::Dense(rows.flatten().collect())
}

proptest! {
    /// Bit for bit: norm, sum, clipped sum, and parameters after a step of plain descent.
    #[test]
    fn rows_are_as_dense((height, width, [first, second]) in sparse()) {
        let (start, id) = one_parameter::<f64>(&[height, width], &vec![0.75; height * width]);
        let run = |form: fn(usize, &SparseRows) -> Gradient<f64>| {
            let mut parameters = start.clone();
            let mut gradients = with(&start, id, form(width, &first));
            gradients.add(id, form(width, &second)).unwrap();
            let norm = gradients.clip_norm(100.0);
            assert!(gradients.norm() <= 100.0 * (1.0 + 1e-12));
            Sgd::new(0.3).update(&mut parameters, &gradients).unwrap();
            (norm, gradients.to_dense(id), parameters)
        };
        prop_assert_eq!(run(as_rows), run(as_dense));
    }
}
