//! Losses.

use super::*;

#[test]
fn losses() {
    // Long, since it is a table: a row for each loss.
    fn mean(x: &[f64], y: &[f64], f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        vec![pairs(x, y, f).iter().sum::<f64>() / 4.0]
    }
    check(
        "cross_entropy_smoothed",
        |b, x, _| function(b, "cross_entropy_smoothed", &[x], &[0.1]),
        |x, _| {
            let uniform = x.iter().map(|x| log_sum_exp(&X) - x).sum::<f64>() / 4.0;
            vec![0.9 * (log_sum_exp(x) - x[LABEL]) + 0.1 * uniform]
        },
    );
    check(
        "nll",
        |b, x, _| {
            let log = unary(b, Op::Reduction(Reduction::LogSoftmax), x);
            function(b, "nll", &[log], &[])
        },
        |x, _| vec![log_sum_exp(x) - x[LABEL]],
    );
    check(
        "hinge",
        |b, x, _| function(b, "hinge", &[x], &[0.9]),
        |x, _| {
            let part = |k: usize| (0.9 + x[k] - x[LABEL]).max(0.0);
            vec![(0..4).filter(|k| *k != LABEL).map(part).sum()]
        },
    );
    check(
        "mse",
        |b, x, y| function(b, "mse", &[x, y], &[]),
        |x, y| mean(x, y, |x, y| (x - y).powi(2)),
    );
    check(
        "mae",
        |b, x, y| function(b, "mae", &[x, y], &[]),
        |x, y| mean(x, y, |x, y| (x - y).abs()),
    );
    check(
        "huber",
        |b, x, y| function(b, "huber", &[x, y], &[1.3]),
        |x, y| {
            mean(x, y, |x, y| match (x - y).abs() {
                d if d <= 1.3 => d * d / 2.0,
                d => 1.3 * (d - 0.65),
            })
        },
    );
    check(
        "bce_with_logits",
        |b, x, y| {
            let targets = unary(b, Op::Pointwise(Pointwise::Sigmoid), y);
            function(b, "bce_with_logits", &[x, targets], &[])
        },
        |x, y| {
            let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
            mean(x, y, |x, y| {
                let (p, t) = (sigmoid(x), sigmoid(y));
                -t * p.ln() - (1.0 - t) * (1.0 - p).ln()
            })
        },
    );
    check(
        "kl_div",
        |b, x, y| {
            let log = unary(b, Op::Reduction(Reduction::LogSoftmax), x);
            let p = unary(b, Op::Reduction(Reduction::Softmax), y);
            function(b, "kl_div", &[log, p], &[])
        },
        |x, y| {
            let part = |x: f64, y: f64| {
                let (log, of_y) = (x - log_sum_exp(&X), y - log_sum_exp(&Y));
                of_y.exp() * (of_y - log)
            };
            vec![pairs(x, y, part).iter().sum()]
        },
    );
    check(
        "cosine_similarity",
        |b, x, y| function(b, "cosine_similarity", &[x, y], &[]),
        |x, y| vec![pairs(x, y, |x, y| x * y).iter().sum::<f64>() / norm(x) / norm(y)],
    );
}
