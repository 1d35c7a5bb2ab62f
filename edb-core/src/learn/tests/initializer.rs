use crate::learn::{Initializer, LearnError};

#[test]
fn constants_fill() {
    assert_eq!(Initializer::Zeros.fill::<f32>(&[2], 1, "p").unwrap(), [0.0; 2]);
    assert_eq!(Initializer::Constant(1.5).fill::<f32>(&[], 1, "p").unwrap(), [1.5]);
    assert!(Initializer::XavierUniform.fill::<f32>(&[0, 0], 1, "p").unwrap().is_empty());
}

#[test]
fn defaults_go_by_rank() {
    let by_rank = [&[][..], &[3], &[3, 2], &[3, 2, 2]].map(Initializer::default_for);
    use Initializer::{XavierUniform, Zeros};
    assert_eq!(by_rank, [Zeros, Zeros, XavierUniform, Zeros]);
}

/// A uniform variable over [-b, b] has mean 0 and variance b²/3; of 60 000 values, the mean lies
/// within 5 standard errors b/√(3n), and so does the variance, whose error is b² √(4/45n).
fn is_uniform(values: &[f64], bound: f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| value * value).sum::<f64>() / n;
    assert!(values.iter().all(|value| value.abs() <= bound));
    assert!(values.iter().any(|value| *value > 0.99 * bound));
    assert!(values.iter().any(|value| *value < -0.99 * bound));
    assert!(mean.abs() < 5.0 * bound / (3.0 * n).sqrt(), "{mean}");
    let error = 5.0 * bound * bound * (4.0 / (45.0 * n)).sqrt();
    assert!((variance - bound * bound / 3.0).abs() < error, "{variance}");
}

#[test]
fn uniform_is_uniform() {
    let values = Initializer::Uniform { bound: 0.1 }.fill(&[60_000], 7, "p").unwrap();
    is_uniform(&values, 0.1);
}

#[test]
fn xavier_bounds_by_both_fans() {
    // √(6 / (200 + 300))
    let values = Initializer::XavierUniform.fill(&[200, 300], 7, "p").unwrap();
    is_uniform(&values, 0.109_544_511_501_033_22);
    let values = Initializer::XavierUniform.fill(&[300, 200], 7, "p").unwrap();
    is_uniform(&values, 0.109_544_511_501_033_22);
}

#[test]
fn f32_is_f64_rounded() {
    let double: Vec<f64> = Initializer::XavierUniform.fill(&[30, 20], 3, "cell.w").unwrap();
    let single: Vec<f32> = Initializer::XavierUniform.fill(&[30, 20], 3, "cell.w").unwrap();
    let rounded: Vec<f32> = double.iter().map(|&value| value as f32).collect();
    assert_eq!(single, rounded);
}

#[test]
fn values_depend_on_seed_and_name() {
    let fill = |seed, name| Initializer::XavierUniform.fill::<f64>(&[4, 4], seed, name).unwrap();
    assert_eq!(fill(1, "a.w"), fill(1, "a.w"));
    assert_ne!(fill(1, "a.w"), fill(2, "a.w"));
    assert_ne!(fill(1, "a.w"), fill(1, "a.u"));
}

/// Fixed for all time: a seed must give the same model after an update of the random number
/// crates. The values were computed by an implementation of ChaCha of its own.
#[test]
fn the_stream_does_not_change() {
    let values: Vec<f64> = Initializer::Uniform { bound: 1.0 }.fill(&[3], 42, "cell.w").unwrap();
    assert_eq!(
        values,
        [0.520_707_822_646_444_3, -0.316_927_394_533_929_93, 0.922_607_513_573_396_9]
    );
}

#[test]
fn what_cannot_be_filled_is_an_error() {
    let error = Initializer::XavierUniform.fill::<f32>(&[3], 1, "cell.b").unwrap_err();
    assert_eq!(
        error.to_string(),
        "parameter `cell.b` is [3]; Xavier initialisation is for matrices [m, n]"
    );
    for bound in [-1.0, f64::NAN, f64::INFINITY] {
        let error = Initializer::Uniform { bound }.fill::<f32>(&[3], 1, "b").unwrap_err();
        assert!(matches!(error, LearnError::Setting { .. }), "{error}");
    }
    let error = Initializer::Zeros.fill::<f32>(&[usize::MAX, 2], 1, "b").unwrap_err();
    assert!(matches!(error, LearnError::ShapeTooLarge { .. }), "{error}");
}
