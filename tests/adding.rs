//! Functions that are added together are those that are added one by one: the same names, and the same bits.

use edb::model::{FunctionFields, ModelError, ModelProblem, SharedParam};
use edb::prelude::*;

#[derive(State)]
struct Memory {
    h: Tensor,
}

#[derive(Input)]
struct Word {
    id: Index,
}

#[vertex_function(tangent)]
fn step(#[dim(H)] h: Dim, #[param(V, H)] table: Tensor, #[param(H, H)] w: Tensor) {
    let Word { id } = pull();
    let before: Memory = gather_or(0, Memory { h: zeros(h) });
    scatter(Memory { h: (table.row(id) + w.dot(before.h)).tanh() });
}

#[vertex_function(tangent)]
fn judge(#[param(K, 2 * H)] w: Tensor, #[param(K)] b: Tensor) {
    let [forward, backward]: [Memory; 2] = [gather(0), gather(1)];
    let Word { id } = pull();
    loss(cross_entropy(w.dot(concat([forward.h, backward.h])) + b, id));
}

/// Two functions of one kind, one whose name is a word of Rust, and other attributes.
#[derive(Clone, Copy, Debug, Functions)]
struct Tagger {
    forward: Function<step>,
    #[allow(unused)]
    r#loop: Function<step>,
    judge: Function<judge>,
}

/// Their names, shapes and values.
fn parameters(model: &Model) -> Vec<(String, Vec<usize>, Vec<f32>)> {
    let all = model.parameters().iter();
    let all = all
        .map(|(_, of)| (of.name().to_owned(), of.shape().to_vec(), of.values().unwrap().to_vec()));
    all.collect()
}

/// A graph of two words.
fn graph<T: edb::Element>(f: &Tagger, model: &Model<T>) -> Graph<T> {
    let mut g = model.graph();
    let first = g.add(&f.forward, [None], Word { id: Index(1) });
    let second = g.add(&f.r#loop, [Some(first)], Word { id: Index(2) });
    g.add(&f.judge, [first, second], Word { id: Index(0) });
    g
}

const START: Initializer = Initializer::Uniform { bound: 0.25 };

#[test]
fn functions_of_a_struct_are_those_added_one_by_one() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let setup = dims! { V: 5, H: 3, K: 2 }.share("loop.table", "forward.table");
    let f: Tagger = builder.add_all(setup.init("forward.table", START).init("judge.b", START));
    let together: Model = builder.build(7)?;

    let mut builder = ModelBuilder::new();
    let dims = || dims! { V: 5, H: 3 };
    let forward = builder.add::<step>(dims().init("table", START).named("forward"));
    let backward = dims().share("table", forward.param("table")).named("loop");
    let by_hand = Tagger {
        forward,
        r#loop: builder.add(backward),
        judge: builder.add(dims! { H: 3, K: 2 }.init("b", START)),
    };
    let one_by_one: Model = builder.build(7)?;

    let found = parameters(&together);
    assert_eq!(found, parameters(&one_by_one));
    let names: Vec<&str> = found.iter().map(|(name, ..)| &name[..]).collect();
    assert_eq!(names, ["forward.table", "forward.w", "loop.w", "judge.w", "judge.b"]);
    // Uniform values, where the defaults are zeros.
    assert!(found[4].2.iter().all(|b| *b != 0.0));

    let batches = [
        together.minibatch([&graph(&f, &together)])?,
        one_by_one.minibatch([&graph(&by_hand, &one_by_one)])?,
    ];
    let mut losses = Vec::new();
    for (model, batch) in [&together, &one_by_one].into_iter().zip(&batches) {
        losses.push(Engine::new().infer(model, batch)?.loss()?.to_bits());
    }
    assert_eq!(losses[0], losses[1]);

    // They are in files under the same names.
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("model.safetensors");
    one_by_one.save(&path)?;
    let mut builder = ModelBuilder::new();
    let setup = dims! { V: 5, H: 3, K: 2 }.share("loop.table", "forward.table");
    let _: Tagger = builder.add_all(setup);
    assert_eq!(parameters(&builder.load(&path)?), found);
    Ok(())
}

/// A kind of function, to choose among.
trait Cell {
    type Step: VertexFunction;
}

struct Plain;

impl Cell for Plain {
    type Step = step;
}

/// A struct with parameters of its own, for one kind of function or another.
#[derive(Functions)]
struct Chain<C: Cell, J>
where
    J: VertexFunction,
{
    step: Function<C::Step>,
    judge: Function<J>,
}

macro_rules! functions_of {
    ($name:ident, $field:ident, $function:ty) => {
        #[derive(Functions)]
        struct $name {
            inner: Function<step>,
            $field: Function<$function>,
        }
    };
}

functions_of!(Written, last, judge);

mod apart {
    use super::{judge, step};
    use edb::prelude::*;

    /// Named as the derive.
    #[derive(Functions)]
    pub(super) struct Functions {
        pub(super) step: Function<step>,
        pub(super) judge: Function<judge>,
    }
}

/// Added without the derive.
struct Pair([Function<step>; 2]);

impl Functions for Pair {
    fn add(fields: &mut FunctionFields<'_>) -> Self {
        Self([fields.add("a"), fields.add("b")])
    }
}

fn names_of<F: Functions>(setup: edb::model::Setup) -> (F, Vec<String>) {
    let mut builder = ModelBuilder::new();
    let functions = builder.add_all::<F>(setup);
    let model: Model = builder.build(1).unwrap();
    (functions, parameters(&model).into_iter().map(|(name, ..)| name).collect())
}

#[test]
fn any_struct_with_named_fields_has_functions() {
    let dims = || dims! { V: 5, H: 3, K: 2 };
    let (f, names) = names_of::<Chain<Plain, judge>>(dims());
    assert_eq!(names, ["step.table", "step.w", "judge.w", "judge.b"]);
    assert_eq!(format!("{:?} {:?}", f.step, f.judge), "Function(step) Function(judge)");
    let (f, names) = names_of::<Written>(dims());
    assert_eq!(names, ["inner.table", "inner.w", "last.w", "last.b"]);
    assert_eq!(format!("{:?} {:?}", f.inner, f.last), "Function(step) Function(judge)");
    let (f, same) = names_of::<apart::Functions>(dims());
    assert_eq!(format!("{:?} {:?}", f.step, f.judge), "Function(step) Function(judge)");
    assert_eq!(same, ["step.table", "step.w", "judge.w", "judge.b"]);
    let (Pair([a, _]), names) = names_of::<Pair>(dims! { V: 5, H: 3 });
    assert_eq!(names, ["a.table", "a.w", "b.table", "b.w"]);
    assert_eq!(format!("{a:?}"), "Function(step)");
}

#[test]
fn parameters_are_shared_by_name() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let outer = builder.add::<step>(dims! { V: 5, H: 3 }.named("outer.chain"));
    let setup = dims! { V: 5, H: 3, K: 2 }
        .share(format!("{}.table", "forward"), String::from("outer.chain.table"))
        .share("loop.table", outer.param("table"))
        .share("loop.w", "forward.w");
    let f: Tagger = builder.add_all(setup);
    // By name, where one function is added, too.
    builder.add::<step>(dims! { V: 5, H: 3 }.named("late").share("w", "loop.w"));
    let mut model: Model<f64> = builder.build_as(1)?;
    let names: Vec<&str> = model.parameters().iter().map(|(_, of)| of.name()).collect();
    let expected =
        ["outer.chain.table", "outer.chain.w", "forward.w", "judge.w", "judge.b", "late.table"];
    assert_eq!(names, expected);
    let batch = model.minibatch([&graph(&f, &model)])?;
    edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
    // What is shared is shared in a model that is derived from this one.
    let mut tangent = model.tangent()?;
    assert!(edb::testing::hessian_check(&mut model, &mut tangent, &batch, 1e-3, 1e-6)?);
    assert_eq!(SharedParam::from("forward.w"), SharedParam::from(String::from("forward.w")));
    Ok(())
}

fn problems(setup: edb::model::Setup) -> String {
    let mut builder = ModelBuilder::new();
    let _: Tagger = builder.add_all(setup);
    builder.build(1).unwrap_err().to_string()
}

#[test]
fn all_that_is_wrong_with_a_setup_is_reported_once() {
    let setup = dims! { V: 5, H: 0, Y: 3 }
        .named("tagger")
        .init("table", START)
        .init("jugde.b", START)
        .init("judge.c", START)
        .share("loop.w", "judge.w")
        .share("loop.table", "forward.tables")
        .share("judge.b", "b")
        .share("w", "forward.w");
    assert_eq!(
        problems(setup),
        "the model cannot be made:
  `.named(\"tagger\")` is set for several functions: each has the name of its field, so give the field this name; the \
         functions are `forward`, `loop`, `judge`
  no function has a dimension Y: `forward` has H, V; `loop` has H, V; `judge` has K, H
  `w` is set for several functions, and does not begin with the name of one: write the function and its parameter, as \
         in `forward.w`; the functions are `forward`, `loop`, `judge`
  `table` is set for several functions, and does not begin with the name of one: write the function and its \
         parameter, as in `forward.table`; the functions are `forward`, `loop`, `judge`
  `jugde.b` is set, and there is no function `jugde`; the functions are `forward`, `loop`, `judge`: did you mean \
         `judge`?
  `forward`: the dimension H is 0; it must be at least 1
  `judge` needs the dimension K: add `K: size` to its dims!
  `loop.w` is shared with `judge.w`, which does not begin with the name of a function before `loop`: write the \
         function and its parameter, `name.param`; before it are `forward`
  `forward` has no parameter `tables`; it has `table`, `w`
  `judge` has no parameter `c`; it has `w`, `b`
  `judge.b` is shared with `b`, which does not begin with the name of a function before `judge`: write the function and \
         its parameter, `name.param`; before it are `forward`, `loop`"
    );
    let twice = problems(dims! { V: 5, H: 3, K: 2, H: 4 });
    assert_eq!(twice, "the model cannot be made:\n  `forward`: the dimension H is given twice");
    let missing = problems(dims! { V: 5, K: 2 });
    let expected =
        "the model cannot be made:\n  `forward` needs the dimension H: add `H: size` to its dims!";
    assert_eq!(missing, expected);
}

#[test]
fn a_function_that_does_not_exist_is_guessed_if_one_is_almost_it() {
    for (given, meant) in [
        ("lopo", Some("loop")),
        ("forwards", Some("forward")),
        ("lop", Some("loop")),
        ("Judge", Some("judge")),
        ("backward", None),
        ("l", None),
        ("", None),
    ] {
        let text = problems(dims! { V: 5, H: 3, K: 2 }.init(format!("{given}.b"), START));
        let guess = meant.map_or(String::new(), |meant| format!(": did you mean `{meant}`?"));
        let expected = format!(
            "the model cannot be made:\n  `{given}.b` is set, and there is no function `{given}`; the functions are \
             `forward`, `loop`, `judge`{guess}"
        );
        assert_eq!(text, expected);
    }
}

#[test]
fn problems_have_types() {
    let mut builder = ModelBuilder::new();
    let _: Tagger = builder.add_all(dims! { V: 5, H: 3, K: 2 }.init("b", START));
    let error: ModelError = builder.build(1).unwrap_err();
    assert!(
        matches!(&error.problems[..], [ModelProblem::WhoseParam { given, example, .. }] if given == "b" && example == "judge.b")
    );
    // A struct with a name that is in the model already.
    let mut builder = ModelBuilder::new();
    builder.add::<judge>(dims! { H: 3, K: 2 });
    let _: Tagger = builder.add_all(dims! { V: 5, H: 3, K: 2 });
    let error = builder.build(1).unwrap_err();
    assert!(
        matches!(&error.problems[..], [ModelProblem::DuplicateName { name }] if name == "judge")
    );
}

/// What a model does with the rows of a matrix, whose number is a dimension.
#[derive(Input)]
struct Rows {
    x: Tensor,
}

#[vertex_function(tangent)]
fn of_rows(#[dim(S)] _rows: Dim, #[param(H, X)] w: Tensor) {
    let Rows {
        #[shape(S, X)]
        x,
    } = pull();
    loss(x.dot(w.transpose()).tanh().row_norm().sum());
}

/// The gradient of a parameter that two sizes share is the sum over the vertices of both.
#[test]
fn one_function_at_two_sizes() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let small = builder.add::<of_rows>(dims! { S: 2, H: 3, X: 4 }.named("small"));
    let large = dims! { S: 5, H: 3, X: 4 }.named("large").share("w", "small.w");
    let large = builder.add::<of_rows>(large);
    let model: Model<f64> = builder.build_as(1)?;
    assert_eq!(model.parameters().iter().count(), 1);
    let numbers: Vec<f64> = (0..20).map(|at| (at as f64 * 0.37).sin()).collect();
    let gradient = |sizes: &[usize]| -> Result<Vec<f64>, Box<dyn std::error::Error>> {
        let mut g = model.graph();
        for &rows in sizes {
            let x = g.tensor(&numbers[..rows * 4]);
            match rows {
                2 => g.add(&small, (), Rows { x }),
                _ => g.add(&large, (), Rows { x }),
            };
        }
        let batch = model.minibatch([&g])?;
        edb::testing::compiled_equals_eager(&model, &batch, &Default::default())?;
        let mut engine = Engine::new();
        let mut run = engine.forward(&model, &batch, 0)?;
        Ok(run.backward()?.to_vector())
    };
    let [of_both, of_small, of_large] = [gradient(&[2, 5])?, gradient(&[2])?, gradient(&[5])?];
    for (both, (small, large)) in of_both.iter().zip(of_small.iter().zip(&of_large)) {
        assert!((both - (small + large)).abs() < 1e-12, "{both} {small} {large}");
    }
    Ok(())
}
