//! The layout solver against brute force, planted instances and the paper's example.

use edb_compiler::layout::problem::Cost;
use edb_compiler::layout::{Call, Item, Layout, Operand, OperandPlace, Problem, solve};

use edb_test_programs::layouts::{Copies, check_copies, random_problem};
use edb_test_programs::{Draws, Random};

fn values(count: usize) -> Vec<Item> {
    vec![Item { bytes: 256, space: 0, pinned: false }; count]
}

fn call(operands: &[&[usize]]) -> Call {
    let operands = operands.iter().map(|values| Operand(values.to_vec())).collect();
    Call { operands, ordered: false }
}

/// ED-Batch, figures 3 and 4: `x4, x5 = B1([x1, x3], [x2, x1])` and
/// `x8, x6, x7 = B2([x3, x4, x5])`.
#[test]
fn the_example_of_the_paper_copies_nothing() {
    let b1 = call(&[&[4, 5], &[1, 3], &[2, 1]]);
    let b2 = call(&[&[8, 6, 7], &[3, 4, 5]]);
    let mut items = values(9);
    items[0].space = 1; // The paper counts from one.
    let problem = Problem { values: items, calls: vec![b1, b2] };
    let layout = solve(&problem);
    layout.check(&problem).unwrap();
    assert!(layout.optimal);
    assert_eq!(layout.copied(), Cost::default());
    // In declared order, [x1, x3], [x2, x1] and [x8, x6, x7] are copied, as in figure 3.
    assert_eq!(problem.place((0..9).collect(), false).copied().bytes, 7 * 256);
}

#[test]
fn one_value_in_every_lane_is_no_copy_and_in_some_lanes_is_one() {
    let calls = vec![call(&[&[0, 1, 2], &[3, 3, 3], &[4, 4, 5]])];
    let problem = Problem { values: values(6), calls };
    let layout = solve(&problem);
    let places = &layout.calls[0].places;
    assert_eq!(places[0], OperandPlace::Range(0));
    assert_eq!(places[1], OperandPlace::Broadcast);
    assert_eq!(places[2], OperandPlace::Copy(Cost { pinned: 0, bytes: 768 }));
}

#[test]
fn buffers_do_not_mix() {
    let mut problem = Problem { values: values(4), calls: vec![call(&[&[0, 3], &[1, 2]])] };
    problem.values[3].space = 1;
    let layout = solve(&problem);
    assert_eq!(layout.copied().bytes, 512);
    assert_eq!(layout.order[3], 3);
}

/// Two calls demand opposite orders, so an operand must be copied: never parameters, however large
/// the other operand is.
#[test]
fn the_cheapest_operand_of_a_conflict_is_copied() {
    let calls = vec![call(&[&[0, 1, 2], &[3, 4, 5]]), call(&[&[0, 1, 2], &[5, 4, 3]])];
    let mut problem = Problem { values: values(6), calls };
    (0..3).for_each(|value| problem.values[value].pinned = true);
    (3..6).for_each(|value| problem.values[value].bytes = 1 << 20);
    let layout = solve(&problem);
    assert_eq!(layout.copied(), Cost { pinned: 0, bytes: 3 << 20 });
    assert!(layout.optimal);
}

/// Two calls permute three lanes in different ways, each of which a layout could serve alone: the P
/// nodes of their operands would have to be ordered in two ways.
#[test]
fn free_nodes_conflict_when_their_maps_differ() {
    let calls = vec![call(&[&[0, 1, 2], &[3, 4, 5]]), call(&[&[0, 1, 2], &[4, 5, 3]])];
    let problem = Problem { values: values(6), calls };
    let layout = solve(&problem);
    assert_eq!(layout.copied().bytes, 3 * 256);
    // If the second call reads other values, no order is demanded twice, and nothing is copied.
    let calls = vec![call(&[&[0, 1, 2], &[3, 4, 5]]), call(&[&[0, 1, 2], &[7, 8, 6]])];
    let problem = Problem { values: values(9), calls };
    assert_eq!(solve(&problem).copied(), Cost::default());
}

/// The layout is valid, finds an order without copies where there is one, and copies the least
/// where it claims to (`check_copies`).
#[test]
fn layouts_agree_with_brute_force() {
    let mut random = Random(11);
    let (mut feasible, mut cut) = (0, 0);
    // The cost of the copies that remain after a search with a single try, and the least cost.
    let mut totals = [0, 0];
    // A sixth of the cases, unless all are asked for, as by `.ci/run tests`.
    let rounds = if std::env::var_os("EDB_ALL_CASES").is_some() { 3600 } else { 600 };
    for round in 0..rounds {
        let count = 3 + round % 4;
        let calls = 1 + random.below(4);
        let problem = random_problem(&mut random, count, calls);
        let Copies { least, greedy, optimal } = check_copies(&problem);
        cut += usize::from(!optimal);
        feasible += usize::from(least == Cost::default());
        totals[0] += greedy.pinned + greedy.bytes;
        totals[1] += least.pinned + least.bytes;
    }
    assert!(feasible > rounds / 6, "{feasible} of {rounds} feasible");
    assert!(cut < 10, "{cut} searches cut short");
    let gap = totals[0] as f64 / totals[1] as f64;
    println!("{feasible} feasible, {cut} cut short, greedy copies {gap:.3} of the least");
}

/// Calls are cut out of a hidden order, so a layout without copies exists, and must be found.
#[test]
fn planted_layouts_of_sixty_values_are_found() {
    let mut random = Random(12);
    for _ in 0..60 {
        let problem = planted(&mut random);
        let layout = solve(&problem);
        layout.check(&problem).unwrap();
        assert_eq!(layout.copied(), Cost::default());
    }
}

/// Fault A7 of the third list: a function of a thousand statements took minutes. Its operands are laid out in parts.
/// These have layouts without copies, and parts that end anywhere copy less than a tenth of all bytes.
#[test]
fn many_operands_are_laid_out_in_parts() {
    let mut random = Random(15);
    // What all parts read, as the steps of an unrolled loop read weights.
    const SHARED: usize = 4;
    let mut all = Problem { values: values(SHARED), calls: Vec::new() };
    for _ in 0..40 {
        let first = all.values.len();
        let part = planted(&mut random);
        all.values.extend(part.values);
        let moved =
            |operand: &Operand| Operand(operand.0.iter().map(|value| first + value).collect());
        for call in &part.calls {
            let operands = call.operands.iter().map(moved).collect();
            all.calls.push(Call { operands, ordered: false });
        }
        let shared = Operand((0..SHARED).collect());
        let own = Operand(random.order(SHARED).iter().map(|at| all.values.len() + at).collect());
        all.values.extend(values(SHARED));
        all.calls.push(Call { operands: vec![shared, own], ordered: false });
    }
    let layout = solve(&all);
    layout.check(&all).unwrap();
    let cost = |call: &Call| call.operands.iter().map(|operand| all.cost(operand)).sum();
    let whole: Cost = all.calls.iter().map(cost).sum();
    let copied = layout.copied();
    assert!(copied.pinned == 0 && copied.bytes * 10 < whole.bytes, "{copied:?} of {whole:?}");
}

fn planted(random: &mut Random) -> Problem {
    let count = 10 + random.below(51);
    let order = random.order(count);
    let mut calls = Vec::new();
    for _ in 0..5 + random.below(count) {
        let lanes = 2 + random.below(7);
        let run = random.order(lanes);
        let operands = (0..1 + random.below(3)).map(|_| {
            let start = random.below(count - lanes + 1);
            Operand(run.iter().map(|lane| order[start + lane]).collect())
        });
        calls.push(Call { operands: operands.collect(), ordered: false });
    }
    Problem { values: values(count), calls }
}

/// `cargo test -p edb-compiler --test suite -- --ignored --nocapture layout::timings`, with or
/// without `--release`.
#[test]
#[ignore = "prints how long layouts take"]
fn timings() {
    let mut random = Random(14);
    type Make = fn(&mut Random) -> Problem;
    let kinds: [(&str, Make); 2] =
        [("planted", planted), ("random, 12 values", |random| random_problem(random, 12, 8))];
    for (name, problem) in kinds {
        let mut times: Vec<f64> = Vec::new();
        let mut optimal = 0;
        for _ in 0..100 {
            let problem = problem(&mut random);
            let start = std::time::Instant::now();
            optimal += usize::from(solve(&problem).optimal);
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let [median, worst] = [times[50], times[99]];
        println!("{name}: median {median:.3} ms, worst {worst:.3} ms, {optimal} of 100 optimal");
    }
}

/// A problem that is solved twice has the same layout twice.
#[test]
fn layouts_are_deterministic() {
    let mut random = Random(13);
    for _ in 0..50 {
        let problem = random_problem(&mut random, 12, 8);
        let layouts: [Layout; 2] = [solve(&problem), solve(&problem)];
        assert_eq!(layouts[0], layouts[1]);
    }
}
