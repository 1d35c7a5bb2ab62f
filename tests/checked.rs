//! `#[vertex_function(check(..))]`: a test beside the function. Those of this file are among the tests of this
//! program, `checked::node_compiled_equals_eager` and so on.

use edb::prelude::*;

use edb_backend_suite::ports::Number;

#[derive(State)]
struct Node {
    h: Tensor,
    c: Tensor,
}

/// A state that this file's functions read in part.
#[derive(State)]
struct Marked {
    h: Tensor,
    kind: Index,
}

#[derive(Input)]
struct Word {
    id: Index,
    x: Tensor,
}

#[derive(Input)]
struct Bag {
    ids: Indices,
}

#[derive(Output)]
struct Told {
    y: Tensor,
    best: Index,
}

/// Two children in fixed places, and a hidden size that no input has.
#[vertex_function(check(H = 3))]
fn node(#[param(5 * H, 2 * H)] u: Tensor, #[param(5 * H)] b: Tensor) {
    let [l, r]: [Node; 2] = [gather(0), gather(1)];
    let [i, o, g, fl, fr] = (u.dot(concat([l.h, r.h])) + b).split();
    let c = i.sigmoid() * g.tanh() + fl.sigmoid() * l.c + fr.sigmoid() * r.c;
    scatter(Node { h: o.sigmoid() * c.tanh(), c });
}

/// Any number of children, of one field each; a table, draws and a decision.
#[vertex_function(tangent, check(V = 7, H = 4, K = 5))]
fn word(#[param(V, H)] table: Tensor, #[param(K, H)] w: Tensor) {
    let Word {
        id,
        #[shape(H)]
        x,
    } = pull();
    let mut below = x * 0.0;
    for child in gather_all::<Node>() {
        below += child.h.tanh();
    }
    let h = (table.row(id) + x + below).dropout(0.3);
    let y = w.dot(h);
    push(Told { y, best: y.argmax() });
    loss((y * y).sum());
}

/// A child that may be absent, and one of another type, whose index is used.
#[vertex_function(check(H = 3, K = 4))]
fn mixed(#[param(K, H)] marks: Tensor, #[dim(H)] size: Dim) {
    let before = gather_or(0, Node { h: zeros(size), c: zeros(size) });
    let marked: Marked = gather(1);
    scatter(Node { h: before.h * marks.row(marked.kind), c: before.c + marked.h });
}

/// Input that may be missing; the loop runs as often as the numbers say, in sections of its own.
#[vertex_function(check(V = 5, H = 3))]
fn pondered(#[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let mut h: Tensor = table.row(Index(0));
    let bag: Option<Bag> = pull();
    if let Some(Bag { ids }) = bag {
        h += table.bag_sum(ids);
    }
    let mut rounds = scalar(0.0);
    loop {
        if h.sum() > 1.0 || rounds > 2.0 {
            break;
        }
        h = w.dot(h).tanh() + 0.6;
        rounds += 1.0;
    }
    push(Grown { h });
    loss(h.sum());
}

#[derive(Output)]
struct Grown {
    h: Tensor,
}

#[vertex_helper]
fn scaled(x: Tensor, by: f64) -> Tensor {
    x.tanh() * by
}

/// No dimensions, and a helper, without which the plan is not known at first.
#[vertex_function(check)]
fn flat() {
    let Number {
        #[shape()]
        x,
    } = pull();
    loss(scaled(x, 3.0));
}

mod hidden {
    mod helpers {
        use edb::prelude::*;

        #[vertex_helper]
        #[allow(dead_code, reason = "it is called in the plan alone")]
        pub(super) fn gate(x: Tensor) -> Tensor {
            x * 2.0
        }
    }

    use super::Number;
    use edb::prelude::*;
    use helpers::*;

    fn gate(x: Tensor) -> Tensor {
        x * 3.0
    }

    /// Read by the plan as a call of the helper, and by rustc as one of the function that hides it.
    #[vertex_function]
    pub(super) fn misread() {
        let Number {
            #[shape()]
            x,
        } = pull();
        loss(gate(x));
    }
}

#[test]
fn what_is_misread_is_found() {
    let checked =
        std::panic::catch_unwind(|| edb::__private::check_function::<hidden::misread>(&[]));
    let said = *checked.unwrap_err().downcast::<String>().unwrap();
    assert!(said.contains("calls a function `gate` that is not the helper"), "{said}");
}

#[test]
fn sizes_that_are_missing_are_named() {
    let said = |sizes: &'static [(&'static str, usize)]| -> String {
        let check = || edb::__private::check_function::<node>(sizes);
        *std::panic::catch_unwind(check).unwrap_err().downcast().unwrap()
    };
    assert_eq!(said(&[]), "`node` has the dimension H: add `H = 3` to its `check(..)`");
    assert_eq!(said(&[("H", 3), ("X", 5)]), "`node` has no dimension X; its dimensions: H");
}
