use edb::prelude::*;
use edb::schedule::{Costs, SearchOptions, search};

use super::policy::GRAPHS;
use super::{bounded, file, say};

/// A file of costs: it is refused by an error that names it, or it chooses schedules that cost no
/// more than those of the policy.
pub fn costs(data: &[u8]) {
    let (types, graphs) = &*GRAPHS;
    let path = file("costs.json", data);
    let costs = match bounded(data.len(), || Costs::load(&path, types.type_count())) {
        Ok(costs) => costs,
        Err(error) => return assert_eq!(error.path, path, "{}", say(&error)),
    };
    costs.save(&path).expect("the folder can be written");
    assert_eq!(Costs::load(&path, types.type_count()).expect("it was written just now"), costs);
    for graph in graphs {
        let heuristic = Policy::Heuristic.schedule(graph).estimated_ns(graph, &costs).unwrap();
        let cheapest = Policy::Heuristic.cheapest(graph, &costs).unwrap();
        assert_eq!(cheapest.check(graph), Ok(()));
        assert!(cheapest.estimated_ns(graph, &costs).unwrap() <= heuristic);
    }
    let options = SearchOptions {
        width: 16,
        rankings: vec![(1, 3.0)],
        budget: 5_000,
        costs: Some(costs.clone()),
    };
    let graph = &graphs[0];
    let found = search(graph, &[Policy::Heuristic], &options).expect("the costs fit the types");
    assert_eq!(found.check(graph), Ok(()));
}
