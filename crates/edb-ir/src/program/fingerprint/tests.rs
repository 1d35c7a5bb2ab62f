use super::*;
use crate::builder::Builder;
use crate::program::Contraction;
use crate::program::Draw;
use crate::program::Pointwise;
use crate::program::Reduction;
use crate::program::Slot;
use crate::shapes::Dim;
use crate::shapes::Shape;

const PLACES: [&str; 2] = ["here", "there"];

fn h() -> Shape {
    Shape::vector(Dim::name(0))
}

/// `cell` of a chain, with what may be exchanged in it.
#[derive(Clone, Copy, Default)]
struct Cell {
    scatter: bool,
    pushes_loss: bool,
    swaps_arguments: bool,
    order: bool,
    rate: f64,
    twice: bool,
}

fn cell(of: Cell) -> Flow {
    let mut b = Builder::new("cell", vec!["H".into()]);
    let w = b.param("w", Shape::matrix(Dim::name(0), Dim::name(0)));
    let bias = b.param("b", h());
    let state = b.state("cells::Memory");
    let slot = Slot::Fixed(b.slot(state, true));
    b.input("Word");
    let x = b.pull("x");
    let (first, second) = match of.order {
        false => (b.child(slot, "h"), b.child(slot, "c")),
        true => {
            let c = b.child(slot, "c");
            (b.child(slot, "h"), c)
        }
    };
    let product = b.apply(Contraction::Dot, &[w, first]).unwrap();
    let sum = match of.swaps_arguments {
        false => b.apply(Pointwise::Sub, &[product, bias]).unwrap(),
        true => b.apply(Pointwise::Sub, &[bias, product]).unwrap(),
    };
    let sum = b.apply(Pointwise::Add, &[sum, x]).unwrap();
    let dropout = Draw::Dropout { rate: of.rate, site: 0, shared: false };
    let dropped = b.apply(dropout, &[sum]).unwrap();
    if of.twice {
        // What nothing depends on.
        b.apply(Pointwise::Tanh, &[dropped]).unwrap();
    }
    let c = b.apply(Pointwise::Mul, &[dropped, second]).unwrap();
    let again = if of.twice { b.apply(Pointwise::Mul, &[dropped, second]).unwrap() } else { c };
    let out = b.apply(Pointwise::Tanh, &[again]).unwrap();
    let fields = if of.scatter { [("h", c), ("c", out)] } else { [("h", out), ("c", c)] };
    b.scatter(state, &fields).unwrap();
    let [p, q] = [out, c].map(|id| b.apply(Reduction::Sum, &[id]).unwrap());
    let [p, q] = if of.pushes_loss { [q, p] } else { [p, q] };
    b.loss(p).unwrap();
    b.push_output("Told", &[("q", q)]);
    b.finish_flow().unwrap()
}

/// Runs a loop, in which there is a branch.
fn thinks(exchanged: bool, loss_in_arm: usize) -> Flow {
    let mut b = Builder::new("thinks", vec!["H".into()]);
    let w = b.param("w", h());
    let (zero, one) = (b.constant(0.0), b.constant(1.0));
    let first = b.apply(Pointwise::Greater, &[one, zero]).unwrap();
    let sum = b.apply(Reduction::Sum, &[w]).unwrap();
    let begin = b.begin_variable(sum);
    b.begin_block();
    let condition = b.apply(Pointwise::Greater, &[begin, one]).unwrap();
    let mut arms = Vec::new();
    let mut ends = Vec::new();
    for arm in 0..2 {
        b.begin_block();
        let op = if (arm == 0) == exchanged { Pointwise::Sub } else { Pointwise::Mul };
        let end = b.apply(op, &[begin, sum]).unwrap();
        if arm == loss_in_arm {
            b.add_loss(end);
        }
        ends.push(end);
        arms.push(b.end_block());
    }
    let merged = b.behind([ends[0], ends[1]]).unwrap();
    b.branch(condition, [arms[0].clone(), arms[1].clone()]);
    let again = b.apply(Pointwise::Greater, &[merged, one]).unwrap();
    let body = b.end_block();
    let behind = b.repeat(first, body, again, &[[sum, begin, merged]]).unwrap();
    b.push_output("Told", &[("q", behind[0])]);
    b.finish_flow().unwrap()
}

fn differences(one: &Flow, other: &Flow) -> Vec<String> {
    Fingerprint::of(one).differences(&Fingerprint::of(other), PLACES)
}

/// Fault C1 of the third list: what a function tells is compared, not only what it computes on the way.
#[test]
fn what_a_function_tells_is_in_its_fingerprint() {
    let plain = cell(Cell::default());
    assert_eq!(differences(&plain, &plain), Vec::<String>::new());
    let otherwise = |what: &str| format!("{what} is computed in another way here than there");
    let [h, c] = ["h", "c"].map(|name| otherwise(&format!("`{name}`, which `scatter` writes,")));
    let loss = otherwise("the loss");
    let q = otherwise("`q`, which `push` gives,");
    let scatter = cell(Cell { scatter: true, ..Cell::default() });
    assert_eq!(differences(&plain, &scatter), [&c, &h].map(String::clone));
    let pushes_loss = cell(Cell { pushes_loss: true, ..Cell::default() });
    assert_eq!(differences(&plain, &pushes_loss), [&loss, &q].map(String::clone));
    for other in
        [Cell { swaps_arguments: true, ..Cell::default() }, Cell { rate: 0.5, ..Cell::default() }]
    {
        assert_eq!(differences(&plain, &cell(other)), [&loss, &q, &c, &h].map(String::clone));
    }
}

#[test]
fn what_is_computed_stays_the_same_however_it_is_written() {
    let plain = cell(Cell::default());
    for other in [Cell { order: true, ..Cell::default() }, Cell { twice: true, ..Cell::default() }]
    {
        assert_eq!(differences(&plain, &cell(other)), Vec::<String>::new());
    }
}

#[test]
fn branches_and_loops_are_in_a_fingerprint() {
    let plain = thinks(false, 0);
    assert_eq!(differences(&plain, &thinks(false, 0)), Vec::<String>::new());
    let [loss, q] = ["the loss", "`q`, which `push` gives,"]
        .map(|what| format!("{what} is computed in another way here than there"));
    assert_eq!(differences(&plain, &thinks(true, 0)), [loss.clone(), q]);
    assert_eq!(differences(&plain, &thinks(false, 1)), [loss]);
}

#[test]
fn ports_and_parameters_that_differ_are_named() {
    let other = |optional, size, index| {
        let mut b = Builder::new("cell", vec!["H".into()]);
        b.param("w", Shape::vector(size));
        let state = b.state("Memory");
        let slot = Slot::Fixed(b.slot(state, optional));
        b.child(slot, "h");
        b.input("Word");
        if index {
            b.pull_index("x")
        } else {
            b.pull("x")
        };
        b.finish_flow().unwrap()
    };
    let plain = other(false, Dim::name(0), false);
    let expected = |text: &str| vec![text.to_owned()];
    let states = "the list of states that are gathered is Memory here and Memory? there";
    assert_eq!(differences(&plain, &other(true, Dim::name(0), false)), expected(states));
    let shape = "the parameter `w` is [H] here and [3] there";
    assert_eq!(differences(&plain, &other(false, Dim::constant(3), false)), expected(shape));
    let kind = "`x`, which `pull` reads, is a tensor here and an index there";
    assert_eq!(differences(&plain, &other(false, Dim::name(0), true)), expected(kind));
    let losses = |count| {
        let mut b = Builder::new("cell", Vec::new());
        for _ in 0..count {
            let one = b.constant(1.0);
            b.loss(one).unwrap();
        }
        b.finish_flow().unwrap()
    };
    let number = "the number of losses is 1 here and 2 there";
    assert_eq!(differences(&losses(1), &losses(2)), expected(number));
    let empty = Builder::new("cell", Vec::new()).finish_flow().unwrap();
    assert_eq!(
        differences(&plain, &empty),
        [
            "the list of states that are gathered is here and not there",
            "the parameter `w` is here and not there",
            "`x`, which `pull` reads, is here and not there",
        ]
    );
}

#[test]
fn those_of_another_scheme_are_not_compared() {
    let own = Fingerprint::of(&cell(Cell::default()));
    let older = Fingerprint { scheme: SCHEME + 1, ..own.clone() };
    assert!(own.is_comparable(&own));
    assert!(!own.is_comparable(&older) && !older.is_comparable(&own));
    assert!(!Fingerprint::default().is_comparable(&Fingerprint::default()));
}

/// Runs of earlier releases go on only where these stay. If this fails, a change has altered how
/// functions are lowered, or what ops, their attributes or shapes are called. Undo that; or, if it has
/// to be, count up [`SCHEME`] and write the new values here: earlier runs then go on with a warning.
#[test]
fn fingerprints_stay_from_release_to_release() {
    let of = |flow: &Flow| -> Vec<String> {
        let parts = Fingerprint::of(flow).parts;
        parts.into_iter().map(|(part, value)| format!("{part}: {value}")).collect()
    };
    assert_eq!(SCHEME, 1);
    assert_eq!(of(&cell(Cell::default())), CELL);
    assert_eq!(of(&thinks(false, 0)), THINKS);
    let names: Vec<&str> = Op::plain().map(|op| op.row().name).collect();
    for name in NAMES.split_whitespace() {
        assert!(names.contains(&name), "there is no op `{name}` any more");
    }
}

const CELL: [&str; 9] = [
    "gather: Memory?",
    "losses: #7c3b84f13a2ea919",
    "parameter b: [H]",
    "parameter w: [H, H]",
    "pull x: a tensor",
    "push q: #0580016526da6914",
    "scatter c: #c4c1dea08991e870",
    "scatter h: #2220e9208d653c8c",
    "state: Memory",
];

const THINKS: [&str; 3] =
    ["losses: #6e6beeb1627a8a98", "parameter w: [H]", "push q: #1fccb72a9e03ecad"];

/// Of ops without attributes; new ones need not be here.
const NAMES: &str = "
    neg sigmoid tanh relu exp ln sqrt abs erf softplus round add sub mul div greater
    greater_equal outer transpose concat sum max softmax log_softmax log_sum_exp norm
    cumulative_sum
";
