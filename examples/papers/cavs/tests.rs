//! The tables of Cavs.

use serde_json::json;

use crate::job::Program;
use crate::tests::{cell, peers_of, speed, table, with, with_peers};

#[test]
fn an_epoch_takes_its_instances_by_their_rate() {
    let of = |sizes, rate| speed("tree-lstm-child-sum", "train", sizes, rate);
    let rows = [of([512, 1], 85.44), of([512, 64], 854.4)];
    let found = table("cavs/fig8d", Program::Workloads, &rows);
    assert_eq!(cell(&found, &["64"], "edb, s an epoch"), "10.0");
    assert_eq!(cell(&found, &["64"], "edb / batch size 1"), "10.00");
    assert_eq!(cell(&found, &["64"], "paper: Cavs, computation, s (table 1)"), "4.10");
    // What the paper has for 512 units stands beside no other number of them.
    for name in ["cavs/fig8d", "cavs/fig9b", "cavs/table1", "cavs/table3"] {
        let narrow = table(name, Program::Workloads, &[of([64, 64], 854.4)]);
        assert!(!narrow.columns.iter().any(|column| column.starts_with("paper")), "{name}");
        assert_eq!(cell(&narrow, &[], "hidden"), "64", "{name}");
    }
    let found = table("cavs/fig9b", Program::Workloads, &rows);
    assert_eq!(cell(&found, &["64"], "edb: construction, s"), "2.50");
    assert_eq!(cell(&found, &["64"], "edb: construction, % of all"), "25.0");
    assert_eq!(cell(&found, &["64"], "paper: Fold, one thread, no unit (s or %)"), "40.1");
    let found = table("cavs/fig8h", Program::Workloads, &rows[1..]);
    assert_eq!(cell(&found, &["512"], "edb, s an epoch"), "10.0");

    let folder = tempfile::tempdir().unwrap();
    let trees = [of([64, 8], 854.4)];
    let peers = peers_of(folder.path(), "tree-lstm-child-sum", "train");
    let found = with_peers("cavs/fig8h", Program::Workloads, &trees, &peers);
    assert_eq!(cell(&found, &["8"], "fastest peer, s an epoch"), "107 (DyNet)");
    assert_eq!(cell(&found, &["8"], "edb beside it, s an epoch"), "21.4 (edb, 2 threads)");

    let fixed = [
        speed("fixed-lstm", "train", [512, 1], 100.0),
        speed("fixed-lstm", "train", [512, 8], 145.24),
    ];
    let found = table("cavs/fig8a", Program::Workloads, &fixed);
    assert_eq!(cell(&found, &["8"], "edb, s an epoch"), "100");
    assert_eq!(cell(&found, &["8"], "paper: Cavs / batch size 1, 512 units"), "7.00");
    assert_eq!(cell(&found, &["1"], "paper: Cavs / batch size 1, 512 units"), "");
    assert_eq!(table("cavs/fig8e", Program::Workloads, &fixed).rows.len(), 2);
    let sentences = [speed("language-model", "train", [512, 64], 42.068)];
    for name in ["cavs/fig8b", "cavs/fig8f"] {
        assert_eq!(
            cell(&table(name, Program::Workloads, &sentences), &["64"], "edb, s an epoch"),
            "1000"
        );
    }

    let tree = |leaves: usize| {
        with(speed("tree-fc", "train", [512, 64], 250.0), json!({"leaves": leaves}))
    };
    for name in ["cavs/fig8c", "cavs/fig8g"] {
        assert_eq!(
            cell(&table(name, Program::Workloads, &[tree(256)]), &["64"], "edb, s an epoch"),
            "4.00"
        );
    }
    let found = table("cavs/fig9a", Program::Workloads, &[tree(32), tree(1024)]);
    assert_eq!((found.rows.len(), cell(&found, &["1024"], "edb: construction, s")), (2, "1.00"));
    let found = table("cavs/table1", Program::Workloads, &[tree(1024), of([512, 256], 854.4)]);
    assert_eq!(cell(&found, &["1024 leaves"], "edb, s"), "3.00");
    assert_eq!(cell(&found, &["1024 leaves"], "paper: Cavs, s"), "16.0");
    assert_eq!(cell(&found, &["batch size 256"], "edb, s"), "7.50");
    assert_eq!(cell(&found, &["batch size 256"], "paper: DyNet, s"), "5.40");
    let found = table("cavs/table3", Program::Workloads, &[of([512, 64], 854.4)]);
    assert_eq!(cell(&found, &["train", "64"], "edb: computation, s"), "7.50");
    // 133.5 minibatches of 3 MB.
    assert_eq!(cell(&found, &["train", "64"], "edb: copied, MB"), "400");
    assert_eq!(cell(&found, &["train", "64"], "paper: Cavs / DyNet, memory, s"), "0.39 / 0.6");
}

#[test]
fn optimisations_are_held_against_none_at_the_same_size() {
    let of = |hidden, off: &[&str], rate| {
        with(speed("tree-lstm-child-sum", "train", [hidden, 64], rate), json!({"disabled": off}))
    };
    let rows = [
        // In any order.
        of(64, &["fusion", "lazy", "compiled"], 100.0),
        of(256, &["compiled", "lazy", "fusion"], 10.0),
        of(64, &["compiled", "fusion"], 150.0),
        of(256, &["compiled"], 40.0),
    ];
    let found = table("cavs/fig10", Program::Workloads, &rows);
    assert_eq!(cell(&found, &["64", "lazy batching"], "edb / neither"), "1.50");
    assert_eq!(cell(&found, &["256", "both"], "edb / neither"), "4.00");
    assert_eq!(cell(&found, &["256", "neither"], "edb / neither"), "1.00");
    // Four of rows, and streaming.
    assert_eq!(found.rows.len(), 5);
}
