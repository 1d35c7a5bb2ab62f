//! What figure 6 has of edb's own policy and layout.

use serde_json::{Value, json};

use crate::job::Program;
use crate::tests::{cell, item, scope, speed, table, with};

fn of(sizes: [usize; 2], rate: f64, how: Value) -> Value {
    with(speed("tree-lstm", "infer", sizes, rate), how)
}

#[test]
fn policies_and_layouts_are_held_against_edb_as_it_is() {
    let rows = [
        of([64, 64], 500.0, json!({})),
        of([256, 64], 50.0, json!({})),
        // Of the process that ran other policies, too.
        of([64, 64], 400.0, json!({})),
        of([64, 64], 200.0, json!({"policy": "depth"})),
        of([64, 64], 320.0, json!({"policy": "agenda"})),
        of([64, 64], 300.0, json!({"disabled": ["compiled"]})),
        of([64, 64], 240.0, json!({"disabled": ["layout", "compiled"]})),
        // What has nothing beside it.
        of([256, 64], 40.0, json!({"disabled": ["compiled"]})),
    ];
    let found = table("ed-batch/fig6", Program::Workloads, &rows);
    let of = |name, column| cell(&found, &["TreeLSTM", name], column);
    assert_eq!(of("edb, infer", "64 units"), "500 (batch 64, 25 %)");
    assert_eq!(of("edb by depth, infer", "64 units"), "200 (batch 64, default 2.00 times as fast)");
    assert_eq!(
        of("edb by agenda, infer", "64 units"),
        "320 (batch 64, default 1.25 times as fast)"
    );
    let without = of("edb without layout, infer", "64 units");
    assert_eq!(without, "240 (batch 64, with layout 1.25 times as fast)");
    assert_eq!(of("edb without layout, infer", "256 units"), "");
    // None of training, and none of a policy that nobody ran.
    assert_eq!(found.rows.len(), 4);
    // The picture is of edb as it is.
    let picture = item("ed-batch/fig6").picture.unwrap()(&found);
    let series: Vec<&str> =
        picture.charts[0].series.iter().map(|series| series.name.as_str()).collect();
    assert_eq!(series, ["edb, infer"]);
    let found = table("ed-batch/fig6", Program::Workloads, &rows[..2]);
    assert_eq!(found.rows.len(), 1);
}

#[test]
fn few_jobs_run_them() {
    let jobs = |quick| -> Vec<String> {
        let all = (item("ed-batch/fig6").jobs)(&scope(quick));
        let is_one = |job: &String| job.contains("--policy") || job.contains("--disable");
        all.iter().map(ToString::to_string).filter(is_one).collect()
    };
    let [full, quick] = [false, true].map(jobs);
    assert_eq!([full.len(), quick.len()], [24, 6]);
    assert!(
        full.iter().any(|job| job.contains("tree-gru --mode infer --hidden 64,256 --batch 64"))
    );
    // With 256 units, 64 of its instances do not fit.
    assert!(full.iter().any(|job| job.contains("mv-rnn --mode infer --hidden 64 --batch 64")));
}
