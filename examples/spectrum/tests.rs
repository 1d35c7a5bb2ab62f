use std::convert::Infallible;

use edb::Element;
use nalgebra::{DMatrix, SymmetricEigen};

use super::*;
use support::learns::{Sample, curves, learns};

/// The plain Tree-LSTM on a few trees.
struct Trees;

fn trees() -> Vec<Tree> {
    let lines = ["(4 (2 a) (4 (4 fine) (2 film)))", "(2 film)", "(3 (3 (2 a) (2 film)) (4 fine))"];
    lines.map(|line| line.parse().unwrap()).to_vec()
}

impl Sample for Trees {
    fn model<T: Element>(&self, seed: u64) -> (Model<T>, Vec<Graph<T>>) {
        let mut builder = ModelBuilder::new();
        let sizes = Sizes { words: 4, embedding: 2, hidden: 3, classes: 5 };
        let f = Functions::<PlainTreeLstm>::new(&mut builder, sizes, 1);
        let model = builder.build_as(seed).unwrap();
        let trees = trees();
        let words = Vocabulary::new(trees.iter().flat_map(Tree::words).map(String::as_str), 1);
        let graph = |tree| f.graph(&model, tree, |word| words.id(word)).0;
        let graphs = trees.iter().map(graph).collect();
        (model, graphs)
    }
}

#[test]
fn it_learns() {
    learns(&Trees);
    curves(&Trees, edb_compiler::tangent);
}

/// The spectrum of a diagonal matrix.
fn diagonal(values: &[f64], starts: usize, steps: usize) -> Spectrum {
    let product = |vector: &[f64]| -> std::result::Result<Vec<f64>, Infallible> {
        Ok(vector.iter().zip(values).map(|(x, value)| x * value).collect())
    };
    Spectrum::of(product, values.len(), starts, steps, 7).unwrap()
}

#[test]
fn all_eigenvalues_of_a_small_matrix_are_found_once() {
    // One of them twice: no vector sees that, but its part is twice as large.
    let spectrum = diagonal(&[-1.0, 0.5, 2.0, 2.0, 7.0], 2, 50);
    let close = |found: &[f64], expected: &[f64]| {
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-9), "{found:?}");
    };
    close(&spectrum.greatest(9), &[7.0, 2.0, 0.5, -1.0]);
    close(&spectrum.least(2), &[-1.0, 0.5]);
    let parts: Vec<f64> = spectrum.quadratures[1].iter().map(|(_, part)| *part).collect();
    close(&parts, &[0.2, 0.2, 0.4, 0.2]);
    close(&[spectrum.trace()], &[10.5]);
}

#[test]
fn ends_are_found_in_a_few_steps_and_a_density_has_an_area_of_one() {
    let values: Vec<f64> = (0..2000).map(|number| f64::from(number).sin()).chain([9.0]).collect();
    let spectrum = diagonal(&values, 3, 30);
    let (low, high) = spectrum.ends();
    assert!((low + 1.0).abs() < 1e-2 && (high - 9.0).abs() < 1e-9, "{low} {high}");
    let density = spectrum.density(2000, 0.01);
    let width = density[1].0 - density[0].0;
    let area: f64 = density.iter().map(|(_, height)| width * height).sum();
    assert!((area - 1.0).abs() < 1e-3, "{area}");
}

#[test]
fn the_spectrum_is_that_of_the_whole_matrix() {
    let (model, graphs) = Trees.model::<f64>(3);
    let losses = trees().iter().map(|tree| tree.vertices().len()).sum();
    let batches = [&graphs[..1], &graphs[1..]].map(|graphs| model.minibatch(graphs).unwrap());
    let close = |x: f64, y: f64| assert!((x - y).abs() < 1e-9, "{x} {y}");
    for matrix in Matrix::value_variants() {
        let compile = matrix.compile();
        let mut curvature =
            Curvature::new(&model, Engine::new(), &batches, losses, compile).unwrap();
        let size = curvature.size();
        let columns: Vec<f64> = (0..size)
            .flat_map(|number| {
                let unit = (0..size).map(|place| f64::from(u8::from(place == number)));
                curvature.product(&unit.collect::<Vec<f64>>()).unwrap()
            })
            .collect();
        let whole = DMatrix::from_column_slice(size, size, &columns);
        assert!((&whole - whole.transpose()).abs().max() < 1e-12);
        let values = SymmetricEigen::new(whole).eigenvalues;
        let product = |vector: &[f64]| curvature.product(vector);
        let spectrum = Spectrum::of(product, size, 1, size, 1).unwrap();
        let (low, high) = spectrum.ends();
        close(low, values.min());
        close(high, values.max());
        match matrix {
            Matrix::Hessian => assert!(low < -1e-3),
            Matrix::GaussNewton => assert!(low > -1e-9),
        }
    }
}
