//! Names in vertex functions mean what Rust's own rules say: the plan, the function run eagerly, and the same text
//! without edb, as rustc compiles it, have one result here. What is refused instead is in `testkit/mistakes`.
//!
//! Without edb, ports are arguments here, and tensors are numbers.

#![allow(
    clippy::assign_op_pattern,
    reason = "`a = a + b` names `a` twice, which is what is tested"
)]

use edb::prelude::*;
use edb::testing::{Check, compiled_equals_eager};

use edb_backend_suite::models::model_of;
use edb_backend_suite::ports::{Number, Told};

/// What a function pushes for this number, compiled, and eagerly.
fn pushed<F>(x: f64) -> f64
where
    F: for<'a> VertexFunction<Children<'a> = (), Input = Number, Output = Told>,
{
    let (model, function) = model_of::<F, f64>(dims! {}, 1);
    let mut graph = model.graph();
    let x = graph.tensor(&[x]);
    let vertex = graph.add(&function, (), Number { x });
    let batch = model.minibatch([&graph]).unwrap();
    compiled_equals_eager(&model, &batch, &Check::default()).unwrap();
    let mut engine = Engine::new();
    let run = engine.infer(&model, &batch).unwrap();
    run.output(&function, vertex).unwrap().y[[]]
}

/// A vertex function `function` with this body, whose value is pushed.
macro_rules! vertex {
    ($x:ident => $($body:tt)*) => {
        #[vertex_function]
        fn function() {
            let Number { #[shape()] x: $x } = pull();
            push(Told { y: $($body)* });
        }
    };
}

/// The same without edb.
macro_rules! plain {
    ($x:ident => $($body:tt)*) => {
        fn plain($x: f64) -> f64 { $($body)* }
    };
}

/// A module with both, of one body, and a test that compares them.
macro_rules! same {
    ($name:ident: $body:ident!($($arguments:tt)*)) => {
        mod $name {
            use super::*;

            $body!(vertex! $($arguments)*);
            $body!(plain! $($arguments)*);

            #[test]
            fn has_one_meaning() {
                for x in [-0.75, 0.0, 3.0] {
                    assert_eq!(pushed::<function>(x), plain(x), "of {x}");
                }
            }
        }
    };
}

/// Fault A1 of the third list: the `a` of a macro and the `a` of who calls it were one variable (306 for 206).
macro_rules! with_a {
    ($in:ident! |$l:ident| $v:expr) => {
        $in! { x => {
            let a = x * 2.0;
            let $l = x + 100.0;
            let y = $v;
            y + a
        } }
    };
}
same!(a_macro_and_its_caller: with_a!(|a| a * 2.0));
same!(names_that_are_none_alike: with_a!(|b| b * 2.0));

macro_rules! shadowing {
    ($in:ident! $a:ident $b:ident) => {
        $in! { x => {
            let $a = x + 1.0;
            let a = $a * 2.0;
            let $a = $a + a;
            let $b = { let a = a * $a; let $a = a - 3.0; a * $a };
            let a = [a, $a, $b];
            a[0] + a[1] * a[2]
        } }
    };
}
same!(shadowed_by_one_name: shadowing!(a b));
same!(shadowed_by_new_names: shadowing!(a_1 a_2));
same!(shadowed_in_turns: shadowing!(c a));

macro_rules! in_loops {
    ($in:ident! $sum:ident $k:ident) => {
        $in! { x => {
            let mut sum = x;
            let mut $sum = x * 0.0;
            for k in [1.0, 2.0, 3.0] {
                for $k in [0.25, 0.5] {
                    sum = sum + k * $k;
                    $sum = $sum + sum * k - $k;
                }
            }
            let (sum, $sum) = ($sum, sum);
            sum - $sum * 2.0
        } }
    };
}
same!(loops_of_a_macro: in_loops!(sum k));
same!(loops_of_a_macro_with_one_name_more: in_loops!(k sum));

macro_rules! with_branches {
    ($in:ident! $y:ident) => {
        $in! { x => {
            let mut y = x;
            let mut $y = x * 3.0;
            if x > 0.0 { y = $y + 1.0; } else { let y = y - 1.0; $y = y * $y; }
            $y - y
        } }
    };
}
same!(branches_of_a_macro: with_branches!(y));

macro_rules! upper_case {
    ($in:ident! |$l:ident| $v:expr) => {
        $in! { x => {
            #[allow(non_snake_case)]
            let A = x * 2.0;
            #[allow(non_snake_case)]
            let $l = x + 100.0;
            let y = $v;
            y + A
        } }
    };
}
same!(names_in_upper_case: upper_case!(|A| A * 2.0));

macro_rules! raw {
    ($in:ident!) => {
        $in! { x => {
            let a = x * 2.0;
            let r#a = a + 100.0;
            let mut r#type = a * 3.0;
            for k in [1.0, 2.0] {
                r#type = r#type + r#a * k;
            }
            r#type - a
        } }
    };
}
same!(raw_identifiers: raw!());

/// Fault A5 of the third list: run eagerly, what a macro was called with fell apart (-4 for 9).
macro_rules! operands {
    ($in:ident! $x:ident: $e:expr, $f:expr) => {
        $in! { $x => {
            let y = $e * 2.0 - $f;
            let z = -$e + y / $f;
            $e.tanh() * (z - $f).abs() + $f
        } }
    };
}
same!(operands_of_a_macro: operands!(x: x + 1.0, x - 5.5));
same!(operands_without_need_of_parentheses: operands!(x: x, (2.5)));

/// A macro's variable of the name of a function that its caller names.
mod named_as_a_variable {
    use super::*;

    macro_rules! with_scaled {
        ($in:ident! $f:ident) => {
            $in! { x => {
                let scaled = x + 1.0;
                let y = $f(scaled) * scaled;
                let scaled = $f(y) - scaled;
                scaled * y
            } }
        };
    }

    mod compiled {
        use super::*;
        #[vertex_helper]
        fn scaled(x: Tensor) -> Tensor {
            x * 3.0
        }
        with_scaled!(vertex! scaled);
        pub(super) fn value(x: f64) -> f64 {
            pushed::<function>(x)
        }
    }

    mod plain {
        fn scaled(x: f64) -> f64 {
            x * 3.0
        }
        with_scaled!(plain! scaled);
        pub(super) fn value(x: f64) -> f64 {
            plain(x)
        }
    }

    #[test]
    fn is_called() {
        for x in [-0.75, 0.0, 3.0] {
            assert_eq!(compiled::value(x), plain::value(x), "of {x}");
        }
    }
}

/// Helpers that macros have written, and the same functions without edb.
mod helpers {
    // As those of a library: what they export is in the root of the crate.
    #![allow(unreachable_pub)]
    use super::*;

    /// Fault A4 of the third list: helpers that one macro writes in two places were taken for one (44 or 33 for 43).
    macro_rules! make_scaled {
        ($attribute:meta, $number:ty, $vis:vis, $factor:expr) => {
            #[$attribute]
            $vis fn scaled(x: $number) -> $number {
                x * $factor
            }
        };
    }
    /// Fault A1 in a helper (49 for 18).
    macro_rules! make_halo {
        ($attribute:meta, $number:ty, |$a:ident| $e:expr) => {
            #[$attribute]
            pub(super) fn halo(x: $number) -> $number {
                let a = x * 4.0;
                let $a = x + 1.0;
                let b = $e;
                a - b
            }
        };
    }

    macro_rules! make_twice {
        ($attribute:meta, $number:ty, $a:ident) => {
            #[$attribute]
            pub(super) fn twice(a: $number, $a: $number) -> $number {
                a - $a * 2.0
            }
        };
    }

    mod compiled {
        use super::*;
        make_twice!(vertex_helper, Tensor, a);
        pub(super) mod three {
            use super::*;
            make_scaled!(vertex_helper, Tensor, pub, 3.0);
        }
        pub(super) mod four {
            use super::*;
            make_scaled!(vertex_helper, Tensor, pub, 4.0);
        }
        make_halo!(vertex_helper, Tensor, |a| a * a);
        vertex!(x => twice(halo(three::scaled(x) + four::scaled(x) * 10.0), x + 10.0));
        pub(super) fn value(x: f64) -> f64 {
            pushed::<function>(x)
        }
    }

    mod plain {
        make_twice!(inline, f64, a);
        pub(super) mod three {
            make_scaled!(inline, f64, pub, 3.0);
        }
        pub(super) mod four {
            make_scaled!(inline, f64, pub, 4.0);
        }
        make_halo!(inline, f64, |a| a * a);
        plain!(x => twice(halo(three::scaled(x) + four::scaled(x) * 10.0), x + 10.0));
        pub(super) fn value(x: f64) -> f64 {
            plain(x)
        }
    }

    #[test]
    fn have_one_meaning() {
        for x in [-0.75, 0.0, 1.0] {
            assert_eq!(compiled::value(x), plain::value(x), "of {x}");
        }
    }
}

/// Fault A6 of the third list: types of the user's that are named as those of Rust.
mod own_types {
    #![allow(non_camel_case_types, dead_code)]
    use super::*;

    struct str;
    struct bool;
    struct f32;
    struct f64;
    struct usize;

    #[derive(State)]
    struct Own {
        h: Tensor,
    }

    #[vertex_function]
    fn leaf() {
        let Number {
            #[shape()]
            x,
        } = pull();
        scatter(Own { h: x.tanh() * 2.0 });
    }

    #[test]
    fn hide_none_that_an_expansion_needs() {
        let mut builder = ModelBuilder::new();
        let leaf = builder.add::<leaf>(dims! {});
        let model: Model = builder.build(1).unwrap();
        let mut graph = model.graph();
        let x = graph.tensor(&[1.0]);
        graph.add(&leaf, (), Number { x });
        compiled_equals_eager(&model, &model.minibatch([&graph]).unwrap(), &Check::default())
            .unwrap();
    }
}

mod cells {
    use edb::prelude::*;

    #[vertex_helper]
    pub(super) fn gate(x: Tensor) -> Tensor {
        x * 2.0
    }

    /// Calls another helper.
    #[vertex_helper]
    pub(super) fn twice(x: Tensor) -> Tensor {
        gate(gate(x))
    }
}

/// A function that hides a helper from rustc, but not from edb.
mod hiding {
    use edb::prelude::*;

    pub(super) fn gate(x: Tensor) -> Tensor {
        x * 300.0
    }
}

mod by_a_glob {
    use super::cells::*;
    use super::hiding::gate;
    use edb::prelude::*;
    use edb_backend_suite::ports::{Number, Told};

    #[vertex_function]
    pub(super) fn hidden() {
        let Number {
            #[shape()]
            x,
        } = pull();
        push(Told { y: gate(x) });
    }

    #[vertex_helper]
    pub(super) fn half(x: Tensor) -> Tensor {
        gate(x) * 0.5
    }

    #[vertex_function]
    pub(super) fn hidden_in_a_helper() {
        let Number {
            #[shape()]
            x,
        } = pull();
        push(Told { y: half(x) });
    }

    #[vertex_function]
    pub(super) fn by_its_path() {
        let Number {
            #[shape()]
            x,
        } = pull();
        push(Told { y: super::cells::gate(x) + twice(x) });
    }
}

/// Fault A3 of the seventh list: the plan contained the helper, but Rust called the function.
#[test]
fn a_function_that_hides_a_helper_makes_no_model() {
    fn gate(x: Tensor) -> Tensor {
        x * 900.0
    }
    #[vertex_function]
    fn hidden_by_a_block() {
        let Number {
            #[shape()]
            x,
        } = pull();
        push(Told { y: gate(x) });
    }
    mod inner {
        pub(super) fn error<F: edb::VertexFunction>() -> String {
            let mut builder = edb::prelude::ModelBuilder::new();
            builder.add::<F>(edb::prelude::dims! {});
            builder.build_as::<f64>(1).unwrap_err().to_string()
        }
    }
    for error in [
        inner::error::<hidden_by_a_block>(),
        inner::error::<by_a_glob::hidden>(),
        inner::error::<by_a_glob::hidden_in_a_helper>(),
    ] {
        assert!(error.contains("calls a function `gate` that is not the helper"), "{error}");
    }
    assert_eq!(pushed::<by_a_glob::by_its_path>(1.0), 6.0);
}

#[vertex_helper]
fn gate(x: Tensor) -> Tensor {
    x * 5.0
}

#[vertex_function]
fn below(#[dim(H)] h: Dim) {
    let Number {
        #[shape()]
        x,
    } = pull();
    push(Told { y: x * ((h - 5) as f64) + zeros(h).sum() });
}

/// Fault A5 of the seventh list: a size below zero was accepted as a number, though there are no such sizes.
#[test]
fn a_size_below_zero_makes_no_model() {
    let mut builder = ModelBuilder::new();
    builder.add::<below>(dims! { H: 3 });
    let error = builder.build_as::<f64>(1).unwrap_err().to_string();
    assert!(error.contains("-2"), "{error}");
}
