//! Tests the layout solver by brute force over all orders of a few values.

use std::sync::LazyLock;

use edb_compiler::layout::problem::Cost;
use edb_compiler::layout::{Call, Item, Operand, Problem, solve, solve_within};

use crate::{Draws, all_orders};

/// The maximum values of a problem for which all orders are tried.
pub const MOST: usize = 6;

/// The bytes that layouts of a problem copy.
pub struct Copies {
    /// The minimum, by brute force.
    pub least: Cost,
    /// By a search with a single try.
    pub greedy: Cost,
    /// Whether the full search claims that its layout is optimal; it is checked to be.
    pub optimal: bool,
}

/// Checks that the solver returns a valid layout, finds a layout without copies if there is one,
/// and never claims a suboptimal one as optimal.
pub fn check_copies(problem: &Problem) -> Copies {
    static RUNS: LazyLock<Vec<Vec<Vec<usize>>>> =
        LazyLock::new(|| (0..=MOST).map(all_orders).collect());
    let runs = &RUNS[..];
    let space = |value: &usize| problem.values[*value].space;
    let buffered = runs[problem.values.len()].iter().filter(|order| order.is_sorted_by_key(space));
    let least = buffered.map(|order| copied(problem, order, runs)).min().unwrap();

    let layout = solve(problem);
    layout.check(problem).unwrap();
    assert_eq!(copied(problem, &layout.order, runs), layout.copied());
    let greedy = solve_within(problem, 1);
    greedy.check(problem).unwrap();
    assert!(greedy.copied() >= least);
    if layout.optimal {
        assert_eq!(layout.copied(), least, "{problem:?}");
    }
    if least == Cost::default() {
        assert!(layout.optimal && greedy.optimal);
        assert_eq!(greedy.copied(), least);
    }
    Copies { least, greedy: greedy.copied(), optimal: layout.optimal }
}

fn random_operand(random: &mut dyn Draws, values: usize, lanes: usize) -> Operand {
    match random.below(12) {
        0 => Operand(vec![random.below(values); lanes]),
        1 => Operand((0..lanes).map(|_| random.below(values)).collect()),
        _ => Operand(random.order(values)[..lanes].to_vec()),
    }
}

/// A random problem with `count` values and `calls` calls.
pub fn random_problem(random: &mut dyn Draws, count: usize, calls: usize) -> Problem {
    let second = random.below(4) == 0;
    let mut values = Vec::new();
    for value in 0..count {
        let bytes = 1 + random.below(9) as u64;
        let pinned = random.below(6) == 0;
        values.push(Item { bytes, space: usize::from(second && value + 2 >= count), pinned });
    }
    let mut made = Vec::new();
    for _ in 0..calls {
        let lanes = 2 + random.below((count - 1).min(3));
        let operands = 1 + random.below(3);
        let operands = (0..operands).map(|_| random_operand(random, count, lanes)).collect();
        made.push(Call { operands, ordered: random.below(5) == 0 });
    }
    Problem { values, calls: made }
}

/// The cost of an order with the best choice of lanes, computed independently of the solver.
fn copied(problem: &Problem, order: &[usize], runs: &[Vec<Vec<usize>>]) -> Cost {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &value)| places[value] = place);
    let mut total = Cost::default();
    for call in &problem.calls {
        let runs = &runs[call.operands[0].0.len()];
        let of_run = |run: &Vec<usize>| {
            let copied = call.operands.iter().filter(|operand| {
                let pairs = || run.windows(2).map(|pair| [operand.0[pair[0]], operand.0[pair[1]]]);
                let space = |value: usize| problem.values[value].space;
                let next = |[a, b]: [usize; 2]| places[a] + 1 == places[b] && space(a) == space(b);
                !pairs().all(next) && !pairs().all(|[a, b]| a == b)
            });
            copied.map(|operand| problem.cost(operand)).sum::<Cost>()
        };
        let runs = if call.ordered { &runs[..1] } else { runs };
        total = total + runs.iter().map(of_run).min().unwrap();
    }
    total
}
