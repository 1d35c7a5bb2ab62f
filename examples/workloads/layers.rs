//! `linear-layer` and `perceptron`: layers over vectors, an example a vertex and a graph. The vectors
//! are drawn, not read.
//!
//! Necessary operations, forward: `2 n h` for a vector of `n` numbers, and `20 h` for ten digits.

use edb::Element;
use edb::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::workload::Workload;
use cells::layers::{Image, Vector, project, recognise};

/// The numbers of a vector that a linear layer reads, and of an image.
const WIDTH: usize = 768;
const PIXELS: usize = 28 * 28;
const DIGITS: usize = 10;

/// A vector, and a digit.
pub struct Record {
    x: Vec<f64>,
    digit: u32,
}

fn draw(width: usize, count: usize, seed: u64) -> Vec<Record> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut record = || Record {
        x: (0..width).map(|_| rng.random_range(0.0..1.0)).collect(),
        digit: rng.random_range(0..DIGITS as u32),
    };
    (0..count).map(|_| record()).collect()
}

fn tensor<T: Element>(g: &mut Graph<T>, x: &[f64]) -> Tensor {
    g.tensor(&x.iter().map(|x| T::from_f64(*x)).collect::<Vec<T>>())
}

/// Vectors for a linear layer, whose output is as long as the model has hidden units.
pub struct LinearLayer(Vec<Record>);

impl LinearLayer {
    /// Draws so many vectors.
    pub fn draw(count: usize, seed: u64) -> Self {
        Self(draw(WIDTH, count, seed))
    }
}

impl Workload for LinearLayer {
    type Record = Record;
    type Functions = Function<project>;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.0
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Self::Functions {
        builder.add::<project>(dims! { X: WIDTH, H: hidden })
    }

    fn graph<T: Element>(
        &self,
        project: &Self::Functions,
        model: &Model<T>,
        record: &Record,
    ) -> (Graph<T>, ()) {
        let mut g = model.graph();
        let x = tensor(&mut g, &record.x);
        g.add(project, (), Vector { x });
        (g, ())
    }

    fn flops(&self, _: &Record, hidden: usize) -> u64 {
        (2 * WIDTH * hidden) as u64
    }

    fn flops_with_data(&self, record: &Record, hidden: usize) -> u64 {
        self.flops(record, hidden)
    }
}

/// Images for a perceptron.
pub struct Perceptron(Vec<Record>);

impl Perceptron {
    /// Draws so many images.
    pub fn draw(count: usize, seed: u64) -> Self {
        Self(draw(PIXELS, count, seed))
    }
}

impl Workload for Perceptron {
    type Record = Record;
    type Functions = Function<recognise>;
    type Growing = ();

    fn records(&self) -> &[Record] {
        &self.0
    }

    fn functions(&self, builder: &mut ModelBuilder, hidden: usize) -> Self::Functions {
        builder.add::<recognise>(dims! { X: PIXELS, H: hidden, C: DIGITS })
    }

    fn graph<T: Element>(
        &self,
        recognise: &Self::Functions,
        model: &Model<T>,
        record: &Record,
    ) -> (Graph<T>, ()) {
        let mut g = model.graph();
        let x = tensor(&mut g, &record.x);
        g.add(recognise, (), Image { x, digit: record.digit.into() });
        (g, ())
    }

    fn flops(&self, record: &Record, hidden: usize) -> u64 {
        self.flops_with_data(record, hidden) + (2 * hidden * DIGITS) as u64
    }

    fn flops_with_data(&self, _: &Record, hidden: usize) -> u64 {
        (2 * PIXELS * hidden) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Mode, measure};
    use crate::tests::{agree, setting};

    #[test]
    fn operations_are_counted() {
        let (layer, perceptron) = (LinearLayer::draw(2, 1), Perceptron::draw(2, 1));
        let [of_layer, of_digits] = [&layer.0[1], &perceptron.0[1]];
        assert_eq!((of_layer.x.len(), of_digits.x.len()), (768, 784));
        assert_eq!(layer.flops(of_layer, 768), 2 * 768 * 768);
        assert_eq!(perceptron.flops(of_digits, 512), 2 * 784 * 512 + 2 * 512 * 10);
    }

    /// Input has no gradient, so the products with it count twice in training, and others three times.
    #[test]
    fn input_needs_no_gradient() {
        for (mode, expected) in [(Mode::Infer, [12_544, 160]), (Mode::Train, [25_088, 480])] {
            let row = measure("perceptron", &Perceptron::draw(2, 1), &setting(mode, 2)).unwrap();
            let flops = row.gflops * row.ms_per_batch * 1e6;
            assert!((flops - 2.0 * (expected[0] + expected[1]) as f64).abs() < 1e-3, "{row:?}");
        }
    }

    #[test]
    fn the_batched_cell_is_the_eager_one() {
        agree(&LinearLayer::draw(5, 1));
        agree(&Perceptron::draw(5, 1));
    }
}
