use std::sync::LazyLock;

use edb::prelude::*;
use edb::schedule::{Signature, TypeGraph};

use super::{bounded, say};
use crate::models::type_graphs;
use edb_backend_suite::zoo::Zoo;

/// The vertex types of a model, and graphs over them.
pub(super) static GRAPHS: LazyLock<(Signature, Vec<TypeGraph>)> = LazyLock::new(|| {
    let (zoo, model) = Zoo::model::<f32>(4, 1);
    let graphs = type_graphs(&model, &zoo, 3);
    (model.signature().clone(), graphs)
});

/// A policy's file: it is refused, or it is written as it was read and schedules every graph.
pub fn policy(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (types, graphs) = &*GRAPHS;
    let policy = match bounded(text.len(), || Policy::from_json(text, types)) {
        Ok(policy) => policy,
        Err(error) => return drop(say(&error)),
    };
    let written = policy.to_json(types).expect("it is a policy for these types");
    let again = Policy::from_json(&written, types).expect("what was written can be read");
    assert_eq!(again.to_json(types).unwrap(), written);
    for graph in graphs {
        let schedule = policy.schedule(graph);
        assert_eq!(schedule.check(graph), Ok(()));
        assert_eq!(again.schedule(graph).order(), schedule.order(), "what was read again");
    }
}
