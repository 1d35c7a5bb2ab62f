//! The cells of the examples and others: compiled results equal eager ones over random graphs.

use edb::Element;
use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager, gradient_check};
use proptest::prelude::*;

use edb_backend_suite::models::{self, Case};
use edb_backend_suite::zoo::{self, Sentiment, Zoo};

fn agree<T: Element>(model: &Model<T>, graphs: &[Graph<T>], seed: u64) -> Result<(), String> {
    let batch = model.minibatch(graphs).map_err(|error| error.to_string())?;
    let check = Check { draws: (seed, 7), ..Check::default() };
    compiled_equals_eager(model, &batch, &check).map_err(|error| error.to_string())
}

fn tree_lstm<T: Element>(seed: u64) -> Result<(), String> {
    let (functions, model) = Sentiment::model::<T>(6, seed);
    let graphs = functions.trees(&model, 5, 9, seed);
    agree(&model, &graphs.into_iter().map(|(graph, _)| graph).collect::<Vec<_>>(), seed)
}

fn zoo<T: Element>(seed: u64) -> Result<(), String> {
    let (zoo, model) = Zoo::model::<T>(4, seed);
    agree(&model, &zoo.graphs(&model, seed), seed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() })]

    #[test]
    fn tree_lstm_in_f64(seed: u64) {
        prop_assert_eq!(tree_lstm::<f64>(seed), Ok(()));
    }

    #[test]
    fn tree_lstm_in_f32(seed: u64) {
        prop_assert_eq!(tree_lstm::<f32>(seed), Ok(()));
    }

    #[test]
    fn all_kinds_of_cells_in_f64(seed: u64) {
        prop_assert_eq!(zoo::<f64>(seed), Ok(()));
    }

    #[test]
    fn all_kinds_of_cells_in_f32(seed: u64) {
        prop_assert_eq!(zoo::<f32>(seed), Ok(()));
    }
}

#[test]
fn list_operators_of_any_arity() {
    let Case { model, graphs, .. } = models::listops::<f64>(5);
    agree(&model, &graphs, 1).unwrap();
}

#[test]
fn gradients_are_difference_quotients() {
    let (functions, mut model) = Sentiment::model::<f64>(4, 3);
    let graphs = functions.trees(&model, 3, 5, 3);
    let batch = model.minibatch(graphs.iter().map(|(graph, _)| graph)).unwrap();
    gradient_check(&mut model, &batch, 40, 1e-5, 1e-6).unwrap();

    let (zoo, mut model) = Zoo::model::<f64>(4, 3);
    let graphs = zoo.graphs(&model, 5);
    let batch = model.minibatch(&graphs).unwrap();
    gradient_check(&mut model, &batch, 40, 1e-5, 1e-6).unwrap();
}

/// A vertex function can be called by hand for one vertex, in `f64`.
#[test]
fn a_vertex_function_can_be_called() {
    use edb::eager::{EagerVertex, run_vertex, scope};
    use edb::port::PortValue;
    use zoo::sentiment::word;
    scope(|| {
        let table = Tensor::from_values(&[2, 1], &[0.0, 3.0]);
        let w = Tensor::from_values(&[3, 1], &[1.0, 1.0, 1.0]);
        let b = Tensor::from_values(&[3], &[0.0; 3]);
        let input = vec![PortValue::Index(Index(1))];
        let result = run_vertex(EagerVertex { input, ..Default::default() }, || word(table, w, b));
        let state = result.state.unwrap();
        let gate = 1.0 / (1.0 + (-3f64).exp());
        let c = gate * 3f64.tanh();
        let fields = state.fields.iter().map(|field| field.tensor().unwrap().values());
        assert_eq!(fields.collect::<Vec<_>>(), [[gate * c.tanh()], [c]]);
    });
}
