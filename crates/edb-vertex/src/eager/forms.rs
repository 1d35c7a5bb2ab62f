//! The forms (`edb_ir::form`), each by its formula: what the ops that the compiler writes for them
//! are held against.

use std::f64::consts::PI;

use super::array::{Array, first_greatest, greater_of, sum};
use super::context;
use super::dual::{Dual, Real};
use super::ops::{apply, cross_entropy};
use super::reference::norm;
use crate::tensor::{Index, Indices, Tensor};

fn constant(value: f64) -> Dual {
    Dual::constant(value)
}

/// A function of each element.
fn map_elements(x: Tensor, f: impl Fn(Dual) -> Dual) -> Tensor {
    let array = context::with(&[x], |arrays| Array {
        shape: arrays[0].shape.clone(),
        data: arrays[0].data.iter().map(|&x| f(x)).collect(),
    });
    context::insert(array)
}

/// A function of elements in the same place; scalars are spread.
fn pairs(a: Tensor, b: Tensor, f: impl Fn(Dual, Dual) -> Dual) -> Tensor {
    // Zeros that have the shape of both.
    let zeros = map_elements(a, |_| constant(0.0)) + map_elements(b, |_| constant(0.0));
    let array = context::with(&[a, b, zeros], |arrays| {
        let element = |array: usize, i: usize| {
            let data = &arrays[array].data;
            data[if data.len() == 1 { 0 } else { i }]
        };
        let data = (0..arrays[2].data.len()).map(|i| f(element(0, i), element(1, i))).collect();
        Array { shape: arrays[2].shape.clone(), data }
    });
    context::insert(array)
}

/// A number from all elements of tensors.
fn reduce<const N: usize>(tensors: [Tensor; N], f: impl Fn([&[Dual]; N]) -> Dual) -> Tensor {
    let value = context::with(&tensors, |arrays| {
        f(std::array::from_fn(|number| arrays[number].data.as_slice()))
    });
    context::insert(Array::scalar(value))
}

fn mean_of(x: impl ExactSizeIterator<Item = Dual>) -> Dual {
    let count = x.len() as f64;
    sum(x) / constant(count)
}

fn half(x: Dual) -> Dual {
    x * constant(0.5)
}

/// `min(max(x, low), high)`; its derivative is 0 also at the bounds.
fn bounded(x: Dual, low: f64, high: f64) -> Dual {
    let raised = if x.value <= low { constant(low) } else { x };
    if raised.value >= high { constant(high) } else { raised }
}

/// The lesser of two, of which the first counts where neither is; of numbers and NaN, NaN.
fn lesser_of(a: Dual, b: Dual) -> Dual {
    -greater_of(-a, -b)
}

/// A mask.
fn test(a: Tensor, b: Tensor, holds: impl Fn(f64, f64) -> bool) -> Tensor {
    pairs(a, b, |a, b| constant(f64::from(holds(a.value, b.value))))
}

impl Tensor {
    /// The mean of the rows of this table at the indices of a bag, as often as each is in it:
    /// `[v, n] -> [n]`; zeros if it is empty. Its gradient has rows for these indices only.
    pub fn bag_mean(self, indices: Indices) -> Tensor {
        let bag = context::bag(indices);
        let mean = context::with(&[self], |arrays| {
            let [count, width] = [bag.len(), arrays[0].shape[1]];
            let of_column = |column: usize| {
                let rows = bag.iter().map(|row| arrays[0].data[*row as usize * width + column]);
                if count == 0 { constant(0.0) } else { mean_of(rows) }
            };
            let data = (0..width).map(of_column).collect();
            Array { shape: [width].into_iter().collect(), data }
        });
        context::insert(mean)
    }

    /// `x²`, element by element.
    pub fn square(self) -> Tensor {
        map_elements(self, |x| x * x)
    }

    /// `x^power`, element by element.
    pub fn pow(self, power: f64) -> Tensor {
        let slope = |x: f64| if power == 0.0 { 0.0 } else { power * x.powf(power - 1.0) };
        map_elements(self, |x| match power {
            // Not of -∞, unlike `powf`.
            0.5 => x.sqrt(),
            _ => x.map(|x| x.powf(power), slope),
        })
    }

    /// `x` where `x > 0`, else `slope x`.
    pub fn leaky_relu(self, slope: f64) -> Tensor {
        map_elements(self, |x| if x.value > 0.0 { x } else { x * constant(slope) })
    }

    /// `x` where `x > 0`, else `α (e^x - 1)` (Clevert et al., 2016).
    pub fn elu(self, alpha: f64) -> Tensor {
        let below = |x: Dual| constant(alpha) * x.exp_m1();
        map_elements(self, |x| if x.value > 0.0 { x } else { below(x) })
    }

    /// `x / (1 + e^-x)`, also known as swish.
    pub fn silu(self) -> Tensor {
        map_elements(self, |x| x * x.sigmoid())
    }

    /// `x Φ(x)`, `Φ` being the standard normal distribution (Hendrycks and Gimpel, 2016).
    pub fn gelu(self) -> Tensor {
        map_elements(self, |x| x * x.normal_cdf())
    }

    /// `x/2 (1 + tanh(√(2/π) (x + 0.044715 x³)))`, the approximation of [`gelu`](Self::gelu).
    pub fn gelu_tanh(self) -> Tensor {
        // (1 + tanh x) / 2 is σ(2x), without digits that cancel.
        let gate = |x: Dual| constant((8.0 / PI).sqrt()) * (x + constant(0.044715) * x * x * x);
        map_elements(self, |x| x * gate(x).sigmoid())
    }

    /// `(x + 3)/6`, within 0 and 1; its gradient is 0 at ±3 and beyond.
    pub fn hard_sigmoid(self) -> Tensor {
        map_elements(self, |x| bounded((x + constant(3.0)) / constant(6.0), 0.0, 1.0))
    }

    /// `x`, within -1 and 1; its gradient is 0 at ±1 and beyond.
    pub fn hard_tanh(self) -> Tensor {
        self.clamp(-1.0, 1.0)
    }

    /// `x`, within `low` and `high`: `min(max(x, low), high)`. Its gradient is 0 at the bounds and outside
    /// of them; NaN stays NaN.
    pub fn clamp(self, low: f64, high: f64) -> Tensor {
        map_elements(self, |x| bounded(x, low, high))
    }

    /// 1 where `self < other`, else 0: a mask. No gradient passes. Scalars are spread, and NaN compares
    /// as 0, as in every comparison.
    pub fn less(self, other: Tensor) -> Tensor {
        test(self, other, |a, b| a < b)
    }

    /// 1 where `self <= other`, else 0.
    pub fn less_equal(self, other: Tensor) -> Tensor {
        test(self, other, |a, b| a <= b)
    }

    /// 1 where `self` equals `other`, else 0.
    pub fn equal(self, other: Tensor) -> Tensor {
        test(self, other, |a, b| a == b)
    }

    /// The greater of two elements, NaN where one of them is; of equal ones the gradient goes to `self`.
    /// In a loop over children, `m = m.maximum(child.h)` keeps the greatest that it meets.
    pub fn maximum(self, other: Tensor) -> Tensor {
        pairs(self, other, greater_of)
    }

    /// The lesser of two elements, likewise.
    pub fn minimum(self, other: Tensor) -> Tensor {
        pairs(self, other, lesser_of)
    }

    /// `x` where this mask is not 0, as NaN is not, else `y`. What is not chosen may be infinite or no number; but
    /// then choose what it is computed from, too: a gradient of 0 times an infinite slope is none.
    pub fn select(self, x: Tensor, y: Tensor) -> Tensor {
        let chosen = pairs(self, x, |mask, x| if mask.value != 0.0 { x } else { constant(0.0) });
        let other = pairs(self, y, |mask, y| if mask.value != 0.0 { constant(0.0) } else { y });
        chosen + other
    }

    /// The mean of all elements: a scalar.
    pub fn mean(self) -> Tensor {
        reduce([self], |[x]| mean_of(x.iter().copied()))
    }

    /// The least element: a scalar, NaN where one is. Its gradient goes to the first of several.
    pub fn min(self) -> Tensor {
        reduce([self], |[x]| x.iter().copied().reduce(lesser_of).unwrap_or(x[0]))
    }

    /// `(x - μ) / √(σ² + 1e-5) · gain + bias` over the elements of a vector (Ba et al., 2016).
    pub fn layer_norm(self, gain: Tensor, bias: Tensor) -> Tensor {
        let mean = self.mean();
        let centred = pairs(self, mean, |x, mean| x - mean);
        pairs(centred.rms_norm(gain), bias, |x, bias| x + bias)
    }

    /// `x / √(Σ x²/n + 1e-5) · gain` over the elements of a vector (Zhang and Sennrich, 2019).
    pub fn rms_norm(self, gain: Tensor) -> Tensor {
        let root =
            reduce([self], |[x]| (mean_of(x.iter().map(|&x| x * x)) + constant(1e-5)).sqrt());
        pairs(pairs(self, root, |x, root| x / root), gain, |x, gain| x * gain)
    }

    /// The mean of each row: `[m, n] -> [m]`.
    pub fn row_mean(self) -> Tensor {
        self.of_rows(|row| row.mean())
    }

    /// The least element of each row, NaN where one is: `[m, n] -> [m]`. Its gradient goes to the
    /// first of several in a row.
    pub fn row_min(self) -> Tensor {
        self.of_rows(|row| row.min())
    }

    /// The number of the greatest element of each row, from 0, and that of the first one if several are equal:
    /// `[m, n] -> [m]`. Of a row with NaN it is the number of the first NaN. No gradient passes.
    pub fn row_argmax(self) -> Tensor {
        let found = context::with(&[self], |arrays| {
            let [rows, columns] = arrays[0].shape[..] else {
                panic!("{:?} is no matrix", arrays[0].shape)
            };
            let of_row = |row: &[Dual]| constant(first_greatest(row) as f64);
            let data = arrays[0].data.chunks_exact(columns).map(of_row).collect();
            Array { shape: [rows].into_iter().collect(), data }
        });
        context::insert(found)
    }

    /// The element of each row whose number, from 0, `places` says: `[m, n], [m] -> [m]`. It is 0 where the
    /// number is negative, and NaN where no element has this number.
    pub fn row_pick(self, places: Tensor) -> Tensor {
        let picked = context::with(&[self, places], |arrays| {
            let columns = arrays[0].shape[1];
            let of_row = |(row, place): (&[Dual], &Dual)| match (0..columns)
                .find(|&column| column as f64 == place.value)
            {
                Some(column) => row[column],
                None if place.value < 0.0 => constant(0.0),
                None => constant(f64::NAN),
            };
            let rows = arrays[0].data.chunks_exact(columns);
            let data = rows.zip(&arrays[1].data).map(of_row).collect();
            Array { shape: arrays[1].shape.clone(), data }
        });
        context::insert(picked)
    }

    /// `layer_norm` of each row, with one gain and one bias for all of them:
    /// `[m, n], [n], [n] -> [m, n]`.
    pub fn row_layer_norm(self, gain: Tensor, bias: Tensor) -> Tensor {
        self.of_rows(|row| row.layer_norm(gain, bias))
    }

    /// `rms_norm` of each row, with one gain for all of them: `[m, n], [n] -> [m, n]`.
    pub fn row_rms_norm(self, gain: Tensor) -> Tensor {
        self.of_rows(|row| row.rms_norm(gain))
    }

    /// What a function makes of each row, one below the other.
    fn of_rows(self, of: impl Fn(Tensor) -> Tensor) -> Tensor {
        let [rows, columns] = self.shape()[..] else { panic!("{:?} is no matrix", self.shape()) };
        let all = self.flatten();
        let row = |row: usize| of(all.slice(row * columns..(row + 1) * columns));
        super::ops::stack((0..rows).map(row).collect::<Vec<_>>())
    }

    /// `y_k = aᵀ V_k b`: `[k, m n], [m], [n] -> [k]`, where row `k` of this matrix holds `V_k` row by
    /// row: the tensor layer of Socher et al., 2013.
    pub fn bilinear(self, a: Tensor, b: Tensor) -> Tensor {
        apply(edb_ir::Contraction::Dot, &[self, a.outer(b).flatten()])
    }
}

/// The cross-entropy of the softmax of each row of `logits` against a class, whose number `labels` says:
/// `[m, c], [m] -> [m]`. It is 0, without a gradient, where the number is negative: such a row has no label. It is NaN
/// where there is no class with this number.
pub fn row_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor {
    -logits.row_log_softmax().row_pick(labels)
}

/// `-(1 - ε) y[label] - ε mean y` of `y = x - ln Σ e^x`: the cross-entropy against the label with weight
/// `1 - ε` and against all classes alike with `ε` (Szegedy et al., 2016).
pub fn cross_entropy_smoothed(logits: Tensor, label: Index, smoothing: f64) -> Tensor {
    let uniform = -logits.log_softmax().mean();
    cross_entropy(logits, label) * (1.0 - smoothing) + uniform * smoothing
}

/// `-x[label]`: the negative log-likelihood of a class, of log-probabilities.
pub fn nll(log_probabilities: Tensor, label: Index) -> Tensor {
    -log_probabilities.pick(label)
}

/// `Σ max(0, margin + x[k] - x[label])` over the other classes `k` (Crammer and Singer, 2001,
/// summed).
pub fn hinge(scores: Tensor, label: Index, margin: f64) -> Tensor {
    let label = label.0 as usize;
    reduce([scores], |[x]| {
        let part = |k: usize| constant(margin) + x[k] - x[label];
        let parts = (0..x.len()).filter(|&k| k != label).map(part);
        sum(parts.map(|part| if part.value <= 0.0 { constant(0.0) } else { part }))
    })
}

/// `Σ (a - b)² / n`: the mean squared error.
pub fn mse(a: Tensor, b: Tensor) -> Tensor {
    pairs(a, b, |a, b| (a - b) * (a - b)).mean()
}

/// `Σ |a - b| / n`: the mean absolute error.
pub fn mae(a: Tensor, b: Tensor) -> Tensor {
    pairs(a, b, |a, b| (a - b).abs()).mean()
}

/// The mean of `d²/2` where `|d| <= delta`, else `delta (|d| - delta/2)`, of `d = a - b` (Huber,
/// 1964).
pub fn huber(a: Tensor, b: Tensor, delta: f64) -> Tensor {
    let part = |d: Dual| match d.value.abs() <= delta {
        true => half(d * d),
        false => constant(delta) * (d.abs() - constant(delta / 2.0)),
    };
    pairs(a, b, |a, b| part(a - b)).mean()
}

/// The mean of `(1 - t) x + ln(1 + e^-x)`: the cross-entropy of probabilities `σ(x)` against targets `t`
/// within 0 and 1.
pub fn bce_with_logits(logits: Tensor, targets: Tensor) -> Tensor {
    // With ln(1 + e^-x) = ln(1 + e^-|x|) - min(x, 0), no terms cancel.
    let part = |x: Dual, t: Dual| match x.value > 0.0 {
        true => (constant(1.0) - t) * x + (-x).softplus(),
        false => -(t * x) + x.softplus(),
    };
    pairs(logits, targets, part).mean()
}

/// `Σ p (ln p - x)`: the Kullback-Leibler divergence of log-probabilities `x` from probabilities
/// `p`. Where `p` is 0 so is `p ln p`; an `x` that is infinite there makes NaN, since `0 · ∞` is.
pub fn kl_div(log_probabilities: Tensor, probabilities: Tensor) -> Tensor {
    reduce([log_probabilities, probabilities], |[x, p]| {
        let part = |(&x, &p): (&Dual, &Dual)| match p.value == 0.0 {
            true => -(p * x),
            false => p * p.ln() - p * x,
        };
        sum(x.iter().zip(p).map(part))
    })
}

/// `a · b / (max(|a|, 1e-8) max(|b|, 1e-8))`: the cosine of the angle between two vectors, within -1 and 1;
/// `1 - cosine` is a loss.
pub fn cosine_similarity(a: Tensor, b: Tensor) -> Tensor {
    reduce([a, b], |[a, b]| {
        let length = |x| greater_of(norm(x), constant(1e-8));
        let cosine = sum(a.iter().zip(b).map(|(&a, &b)| a * b)) / (length(a) * length(b));
        // Rounding may lead beyond 1; the derivative is that of the quotient.
        cosine.map(|cosine| cosine.clamp(-1.0, 1.0), |_| 1.0)
    })
}
