//! A small recursive reasoner: one vertex holds a state of each cell of a puzzle, `[N, H]`, improves all of them again and
//! again by one network, and stops when it is sure of every cell, or after 16 steps (compare Jolicoeur-Martineau, 2025, "Less is
//! more: recursive reasoning with tiny networks", whose puzzles all run to the maximum).
//!
//! ```text
//! x = given E + place            a = norm(s)            u = gelu(a W + (M a) V + b)            s' = s + u D
//! p = softmax(norm(s') R)        sure = min over cells of max over digits of p
//! ```

use edb::prelude::*;

/// A puzzle: what is known of each cell, `[N, X]`, and the digit that is to be found, as a number, or -1.
#[derive(Input)]
pub struct Puzzle {
    pub given: Tensor,
    pub labels: Tensor,
}

/// What is known of each cell.
#[derive(Input)]
pub struct Given {
    pub given: Tensor,
}

/// The scores of the digits of each cell, `[N, D]`, the best digit of each, `[N]`, and how many steps it took.
#[derive(Output)]
pub struct Answer {
    pub logits: Tensor,
    pub digits: Tensor,
    pub steps: Tensor,
}

/// How sure of every cell is sure enough; and how many steps there are at most.
#[vertex_helper]
pub fn enough() -> f64 {
    0.9
}

#[vertex_helper]
pub fn most() -> f64 {
    16.0
}

/// One step, from the states and the network.
#[vertex_helper]
pub fn improve(
    s: Tensor,
    gain: Tensor,
    w: Tensor,
    mix: Tensor,
    v: Tensor,
    b: Tensor,
    d: Tensor,
    cells: Dim,
) -> Tensor {
    let a = s.row_rms_norm(gain);
    let u = (a.dot(w) + mix.dot(a).dot(v) + b.repeat_rows(cells)).gelu();
    s + u.dot(d)
}

/// Solves a puzzle, and learns from each step.
#[vertex_function(check(N = 4, X = 3, H = 3, F = 4, D = 2))]
pub fn learn(
    #[dim(N)] cells: Dim,
    #[param(X, H)] embed: Tensor,
    #[param(N, H)] place: Tensor,
    #[param(H)] gain: Tensor,
    #[param(H, F)] w: Tensor,
    #[param(N, N)] mix: Tensor,
    #[param(H, F)] v: Tensor,
    #[param(F)] b: Tensor,
    #[param(F, H)] d: Tensor,
    #[param(H)] gain_read: Tensor,
    #[param(H, D)] read: Tensor,
) {
    let Puzzle {
        #[shape(N, X)]
        given,
        #[shape(N)]
        labels,
    } = pull();
    // ANCHOR: loop
    let mut s = given.dot(embed) + place;
    let (mut sure, mut steps) = (scalar(0.0), scalar(0.0));
    while sure < enough() && steps < most() {
        s = improve(s, gain, w, mix, v, b, d, cells);
        let logits = s.row_rms_norm(gain_read).dot(read);
        loss(row_cross_entropy(logits, labels).sum());
        sure = logits.row_softmax().row_max().min().detach();
        steps += 1.0;
    }
    // ANCHOR_END: loop
}

/// Solves a puzzle.
#[vertex_function(check(N = 4, X = 3, H = 3, F = 4, D = 2))]
pub fn solve(
    #[dim(N)] cells: Dim,
    #[param(X, H)] embed: Tensor,
    #[param(N, H)] place: Tensor,
    #[param(H)] gain: Tensor,
    #[param(H, F)] w: Tensor,
    #[param(N, N)] mix: Tensor,
    #[param(H, F)] v: Tensor,
    #[param(F)] b: Tensor,
    #[param(F, H)] d: Tensor,
    #[param(H)] gain_read: Tensor,
    #[param(H, D)] read: Tensor,
) {
    let Given {
        #[shape(N, X)]
        given,
    } = pull();
    let mut s = given.dot(embed) + place;
    let mut logits = s.dot(read);
    let (mut sure, mut steps) = (scalar(0.0), scalar(0.0));
    while sure < enough() && steps < most() {
        s = improve(s, gain, w, mix, v, b, d, cells);
        logits = s.row_rms_norm(gain_read).dot(read);
        sure = logits.row_softmax().row_max().min();
        steps += 1.0;
    }
    push(Answer { logits, digits: logits.row_argmax(), steps });
}

/// The vertex functions in a model, with the same parameters.
#[derive(Clone, Copy, Debug, Functions)]
pub struct Reasoner {
    pub learn: Function<learn>,
    pub solve: Function<solve>,
}

/// The parameters.
pub const NAMES: [&str; 10] =
    ["embed", "place", "gain", "w", "mix", "v", "b", "d", "gain_read", "read"];

impl Reasoner {
    /// Adds the functions to a model, for puzzles of so many digits a side.
    pub fn new(builder: &mut ModelBuilder, side: usize, hidden: usize) -> Self {
        let mut setup = dims! { N: side * side, X: side + 1, H: hidden, F: 2 * hidden, D: side };
        for name in ["learn.gain", "learn.gain_read"] {
            setup = setup.init(name, Initializer::Constant(1.0));
        }
        for name in NAMES {
            setup = setup.share(format!("solve.{name}"), format!("learn.{name}"));
        }
        builder.add_all(setup)
    }
}
