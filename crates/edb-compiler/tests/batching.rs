//! Cells written with separate gates and with stacked gates give the same groups of products, and
//! neither needs a copy.

use edb_compiler::batching::Batching;
use edb_compiler::routine::routine;
use edb_compiler::{Options, compile};
use edb_ir::{Contraction, Dim, Movement, Op, Program, Shape};

use edb_test_programs::cells::{Cell, child_sum, dim, gru, lstm, mv_rnn, tree_gru, tree_lstm};

fn plan(program: Program) -> Batching {
    let plan = compile(program);
    let batching = Batching::plan(&plan.program, &plan.phases);
    batching.layout.check(&batching.constraints.problem).unwrap();
    assert!(batching.layout.optimal);
    batching
}

fn same(cell: fn(bool) -> Program, expected: &str) {
    for stacked in [false, true] {
        let batching = plan(cell(stacked));
        assert_eq!(batching.to_string(), expected, "stacked: {stacked}");
    }
}

/// The expected text has a line for each group; for each stack it says how many products it has,
/// and of how many terms each.
macro_rules! groups {
    ($($name:ident: $cell:ident => $expected:literal)+) => {$(
        #[test]
        fn $name() {
            same($cell, $expected);
        }
    )+};
}

groups! {
    an_lstm: lstm =>
        "Eager Vertex Dot: 4 x 1\n\
         Recurrent Vertex Dot: 4 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 4\n\
         BackwardLazy Vertex DotTransposed: 1 x 4\n\
         Accumulate Step OuterSum: 4 x 2\n\
         copied: 0 bytes\n"
    a_gru: gru =>
        "Eager Vertex Dot: 3 x 1\n\
         Recurrent Vertex Dot: 2 x 1\n\
         Recurrent Vertex Dot: 1 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 2\n\
         BackwardLazy Vertex DotTransposed: 1 x 3\n\
         Accumulate Step OuterSum: 1 x 2 2 x 2\n\
         copied: 0 bytes\n"
    a_binary_tree_lstm: tree_lstm =>
        "Recurrent Vertex Dot: 5 x 2\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 5\n\
         Accumulate Step OuterSum: 5 x 2\n\
         copied: 0 bytes\n"
    a_child_sum_tree_lstm: child_sum =>
        "Eager Vertex Dot: 4 x 1\n\
         Recurrent Vertex Dot: 3 x 1\n\
         Recurrent Edge Dot: 1 x 1\n\
         BackwardRecurrent Edge DotTransposed: 1 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 3\n\
         BackwardLazy Vertex DotTransposed: 1 x 4\n\
         Accumulate Step OuterSum: 1 x 1\n\
         Accumulate Step OuterSum: 1 x 1\n\
         Accumulate Step OuterSum: 3 x 2\n\
         copied: 0 bytes\n"
    a_binary_tree_gru: tree_gru =>
        "Recurrent Vertex Dot: 3 x 2\n\
         Recurrent Vertex Dot: 1 x 2\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 3\n\
         Accumulate Step OuterSum: 1 x 2 3 x 2\n\
         copied: 0 bytes\n"
    an_mv_rnn: mv_rnn =>
        "Recurrent Vertex Dot: 1 x 1 1 x 1\n\
         Recurrent Vertex Dot: 1 x 2\n\
         BackwardRecurrent Vertex DotTransposed: 2 x 1\n\
         BackwardRecurrent Vertex DotTransposed: 1 x 1 1 x 1\n\
         Accumulate Step OuterSum: 1 x 2\n\
         copied: 0 bytes\n"
}

/// Pieces cannot be cut where two slices start one element apart, since the cuts would go on
/// without end; nor at both `H` and `X`, since until these are numbers, neither is known to be the
/// smaller. The vectors here stay whole.
#[test]
fn vectors_that_cannot_be_cut_stay_whole() {
    let one = Dim::constant(1);
    let rest = dim(0, 1).add_scaled(&one, -1).unwrap();
    let mut cell = Cell::new("shifted", false);
    cell.slots(1);
    let h = cell.children(1, "h")[0];
    let w = cell.b.param("w", Shape::matrix(dim(0, 1), dim(0, 1)));
    let y = cell.op(Op::Contraction(Contraction::Dot), &[w, h]);
    let parts = [Dim::constant(0), one].map(|start| cell.b.slice(y, start, rest.clone()).unwrap());
    let sum = cell.add(&parts);
    let wide = cell.b.param("v", Shape::matrix(dim(0, 1), rest));
    let h = cell.op(Op::Contraction(Contraction::Dot), &[wide, sum]);
    let shifted = cell.finish(&[("h", h)]);

    let mut cell = Cell::new("crossed", false);
    cell.slots(1);
    let (h, x) = (cell.children(1, "h")[0], cell.input());
    let w = cell.b.param("w", Shape::matrix(dim(0, 1), dim(0, 1)));
    let v = cell.b.param("v", Shape::matrix(dim(1, 1), dim(1, 1)));
    let parts = [
        cell.op(Op::Contraction(Contraction::Dot), &[w, h]),
        cell.op(Op::Contraction(Contraction::Dot), &[v, x]),
    ];
    let both = cell.op(Op::Movement(Movement::Concat), &parts);
    let h = cell.b.slice(both, dim(1, 1), dim(0, 1)).unwrap();
    let crossed = cell.finish(&[("h", h)]);

    for program in [shifted, crossed] {
        let batching = plan(program);
        assert!(batching.products.iter().all(|product| product.terms.len() == 1));
        assert!(batching.pieces.of.iter().all(|pieces| pieces.len() == 1));
    }
}

/// A compiled program and its batching, as text.
#[test]
fn a_plan_in_text() {
    let plan = compile(gru(false));
    let batching = Batching::plan(&plan.program, &plan.phases);
    let text = format!("{}{}", plan.program, batching.describe(&plan.program));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/gru_layout.txt");
    if std::env::var_os("EDB_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap(), "EDB_BLESS=1 rewrites the golden");
}

/// The least of many times for all of `compile`, for batching with its layout, and for the routine.
/// `cargo test -p edb-compiler --test suite -- --ignored --nocapture batching::timings` prints
/// them, with or without `--release`.
#[test]
#[ignore = "prints how long planning takes"]
fn timings() {
    println!("cell        written   values  compile  batching  routine (ms)");
    for cell in [lstm, gru, tree_lstm, child_sum, tree_gru, mv_rnn] {
        for stacked in [false, true] {
            let program = cell(stacked);
            let plan = compile(program.clone());
            let batching = Batching::plan(&plan.program, &plan.phases);
            assert_eq!(batching.copied().bytes, 0);
            let compile = least(|| drop(compile(program.clone())));
            let batch = least(|| drop(Batching::plan(&plan.program, &plan.phases)));
            let routine = least(|| {
                let options = Options::default();
                drop(routine(&plan.program, &plan.phases, &batching, options));
            });
            let (name, count) = (&program.name, plan.program.values.len());
            let written = if stacked { "stacked" } else { "separate" };
            println!(
                "{name:<10}  {written:<8}  {count:>6}  {compile:>7.3}  {batch:>8.3}  {routine:>7.3}"
            );
        }
    }
}

/// The least of many times, in milliseconds: any disturbance makes a measurement longer.
fn least(mut run: impl FnMut()) -> f64 {
    let mut time = || {
        let start = std::time::Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..101).map(|_| time()).fold(f64::INFINITY, f64::min)
}
