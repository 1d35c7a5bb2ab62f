//! Models that are opened as files: on a device, they have the bits of the models that were saved.

use edb::Element;
use edb::model::Bundle;
use edb::prelude::*;
use edb_cuda::{Launches, Precision};

use crate::devices;
use edb_backend_suite::models::{Case, all};
use edb_backend_suite::numbers::gradient_bits;

/// The losses and gradients of a minibatch.
fn results<T: Element>(device: &Device, model: &Model<T>, graphs: &[Graph<T>]) -> Vec<u64> {
    let batch = model.minibatch(graphs).unwrap();
    let mut engine = Engine::on(device).unwrap().seed(3);
    let mut run = engine.forward(model, &batch, 7).unwrap();
    let gradients = run.backward().unwrap();
    let mut bits = vec![run.loss().unwrap().to_bits()];
    bits.extend(gradient_bits(model, &gradients));
    bits
}

#[test]
fn an_opened_bundle_has_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.edb");
    for device in devices::both(Precision::Full, Launches::Graphs) {
        for Case { name, model, graphs } in all::<f64>(5) {
            // The answers of the file are those of the device.
            let examples = Engine::on(&device).unwrap().examples(&model, &graphs).unwrap();
            model.bundle().examples(examples).save(&path).unwrap();
            let opened = Bundle::<f64>::open(&path).unwrap();
            let mut engine = Engine::on(&device).unwrap();
            for replayed in engine.replay(&opened.model, &opened.examples).unwrap() {
                assert_eq!(replayed.difference, 0.0, "{name} on {device}: {}", replayed.place);
            }
            let records = graphs.iter().map(|graph| model.record_of(graph).unwrap());
            let read: Vec<_> =
                records.map(|graph| opened.model.graph_from_record(&graph).unwrap()).collect();
            let expected = results(&device, &model, &graphs);
            assert!(results(&device, &opened.model, &read) == expected, "{name} on {device}");
        }
    }
}
