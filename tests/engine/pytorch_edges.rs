//! Every op, form and loss of the language compared with PyTorch at ties, bounds, zeros,
//! infinities, NaN, denormals and the largest numbers, in value and gradients: see
//! `tests/pytorch/README.md`.

use std::collections::BTreeSet;

use edb_core::element::Element;
use edb_core::engine::{Engine, Seeds};
use edb_core::graph::Minibatch;
use edb_core::learn::Gradients;
use edb_core::model::Model;
use edb_core::testing;

use edb_backend_suite::one_op::cases::{Case, OVER_CHILDREN, cases, over_children};
use edb_backend_suite::one_op::eagerly::eagerly;
use edb_backend_suite::one_op::{LENGTH, minibatch, model_without_loss};
use edb_backend_suite::pytorch::Reference;

const LABEL: usize = 2;

/// A deliberate difference from PyTorch, which `tests/pytorch/README.md` explains: for the cases in
/// `names` and the parts whose names begin with `part`, results may differ where `at` holds. It is
/// given an element of `x`, the element of `y` at the same place, and all elements of both.
struct Exception {
    names: &'static [&'static str],
    part: &'static str,
    at: fn(f64, f64, &[f64]) -> bool,
}

/// Whether any finite number is so large that its square may overflow.
fn overflows(all: &[f64]) -> bool {
    all.iter().any(|x| x.is_finite() && x.abs() > 1e30)
}

const EXCEPTIONS: &[Exception] = &[
    // A single mask chooses the value and passes the gradient. NaN counts as inside the bounds, so
    // it stays visible and has the gradient. PyTorch gives it a gradient of 0 (for `elu` in
    // float32, that of a positive number).
    Exception {
        names: &["clamp", "clamp_crossed", "clamp_half_open", "hard_sigmoid", "hard_tanh", "elu"],
        part: "gradient",
        at: |x, _, _| x.is_nan(),
    },
    // Where a part of the sum is NaN, PyTorch counts it as 0; here the loss is NaN.
    Exception { names: &["hinge"], part: "", at: |_, _, all| all.iter().any(|x| !x.is_finite()) },
    // `p ln p` counts as 0 where `p` is 0, and so does its gradient, which is NaN in PyTorch.
    Exception { names: &["kl_div"], part: "gradient of y", at: |_, p, _| p == 0.0 },
    // Nothing leads to a result of -∞, so it does not change; PyTorch subtracts infinities.
    Exception {
        names: &[
            "log_dot",
            "log_dot_row",
            "log_dot_column",
            "log_dot_vectors",
            "max_dot",
            "max_dot_row",
            "max_dot_column",
        ],
        part: "gradient",
        at: |_, _, all| all[..LENGTH].iter().all(|x| *x == f64::NEG_INFINITY),
    },
    Exception {
        names: &["log_add", "children.log_add"],
        part: "gradient",
        at: |x, y, _| x == f64::NEG_INFINITY && y == f64::NEG_INFINITY,
    },
    // The weights of equal terms sum to 1 also where the terms are so large that `ln 2` is lost beside them; the first of
    // infinite terms has all of the gradient, where PyTorch subtracts infinities.
    Exception {
        names: &["children.log_add"],
        part: "gradient",
        at: |x, y, _| overflows(&[x, y]) || x == f64::INFINITY || y == f64::INFINITY,
    },
    // The loss at a logit of -∞ is infinite; PyTorch multiplies it by 0 or subtracts infinities.
    Exception {
        names: &["bce_with_logits"],
        part: "value",
        at: |_, _, all| all.contains(&f64::NEG_INFINITY),
    },
    // These gradients multiply by `dy / y` or `dy x`, which overflow here.
    Exception {
        names: &["div", "silu", "gelu"],
        part: "gradient",
        at: |x, y, _| {
            overflows(&[x]) || (y != 0.0 && y.abs() < 1e-300) || (y as f32).is_subnormal()
        },
    },
    // In a product of three factors the first two multiplied may overflow, and PyTorch starts with
    // others.
    Exception {
        names: &["bilinear", "transpose"],
        part: "gradient",
        at: |_, _, all| overflows(all) || all.iter().any(|x| x.is_infinite()),
    },
    // A sum of squares overflows, at another place of the formula than in PyTorch.
    Exception {
        names: &["layer_norm", "rms_norm", "row_layer_norm", "row_rms_norm", "cosine_similarity"],
        part: "",
        at: |_, _, all| overflows(all),
    },
];

/// The samples of a set of cases: `x` and `y`, each a concatenation of vectors.
struct Set<T> {
    name: &'static str,
    x: Vec<T>,
    y: Vec<T>,
}

const SETS: [&str; 5] = ["numbers", "pairs", "vectors", "lone", "moves"];

struct Edges {
    reference: Reference,
    kind: &'static str,
}

impl Edges {
    fn get<T: Element>(&self, name: &str) -> Option<Vec<T>> {
        self.reference.get(&format!("{}.{name}", self.kind))
    }

    fn sets<T: Element>(&self) -> Vec<Set<T>> {
        let set = |name| {
            let [x, y] = ["x", "y"].map(|of| self.get(&format!("{name}.in.{of}")).unwrap());
            Set { name, x, y }
        };
        SETS.into_iter().map(set).collect()
    }
}

/// A sample of a case, and how it was computed.
struct Sample<'a> {
    case: &'a str,
    set: &'a str,
    how: &'static str,
    x: &'a [f64],
    y: &'a [f64],
}

impl Sample<'_> {
    /// Whether to compare gradients. Eager gradients are computed in forward mode, whose products
    /// with infinite or very large numbers are not those of PyTorch and compiled code. With such
    /// numbers, they are compared only for functions that work element by element and whose
    /// derivative is a single factor.
    fn has_gradient(&self) -> bool {
        let all = [self.x, self.y].concat();
        let in_range = all.iter().all(|x| x.is_finite()) && !overflows(&all);
        let is_factor = !["gelu", "gelu_tanh", "silu"].contains(&self.case);
        self.how != "eager" || in_range || (is_single(self.set) && is_factor)
    }

    /// Appends to `wrong` all differences between the parts (the value, and the gradients of x, y
    /// and the parameter) and those of PyTorch, which lie one after another in `torch`.
    fn compare(
        &self,
        parts: &[Vec<f64>],
        torch: &[f64],
        (tolerance, floor): (f64, f64),
        wrong: &mut Vec<String>,
    ) {
        let Self { case, how, x, y, .. } = self;
        assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), torch.len(), "{case}");
        let names = ["value", "gradient of x", "gradient of y", "gradient of w"];
        let mut rest = torch;
        for (part, own) in names.into_iter().zip(parts) {
            let (expected, behind) = rest.split_at(own.len());
            rest = behind;
            for (at, (own, torch)) in own.iter().zip(expected).enumerate() {
                if same(*own, *torch, tolerance, floor) {
                    continue;
                }
                if part != "value" && !self.has_gradient() {
                    continue;
                }
                let excepted = EXCEPTIONS.iter().any(|exception| {
                    let Exception { names, part: of, at: holds, .. } = exception;
                    let (a, b) = (x[at % LENGTH], y[at % LENGTH]);
                    names.contains(case) && part.starts_with(of) && holds(a, b, &[*x, *y].concat())
                });
                if !excepted {
                    wrong.push(format!(
                        "{case}, {how}, {part}[{at}] at x = {x:?}, y = {y:?}: {own}, in PyTorch {torch}"
                    ));
                }
            }
        }
    }
}

/// Whether two numbers agree: NaN with NaN, infinities by sign, others within `tolerance` relative
/// to the number, or to `floor` if that is greater.
fn same(own: f64, torch: f64, tolerance: f64, floor: f64) -> bool {
    let close = (own - torch).abs() <= tolerance * torch.abs().max(floor);
    own == torch || (own.is_nan() && torch.is_nan()) || (torch.is_finite() && close)
}

/// The value at a vertex, and the gradients of parameters when `seeds` is the gradient of the
/// value.
fn compiled<T: Element>(
    (model, batch, vertex): (&Model<T>, &Minibatch<T>, usize),
    seeds: &[f64],
    parameters: &[&str],
) -> Vec<Vec<f64>> {
    let mut engine = Engine::new();
    let mut run = engine.forward(model, batch, 0).unwrap();
    let value = numbers(run.output_at(0, vertex, "result").unwrap());
    let mut given = Seeds::new();
    let of_value: Vec<T> =
        (seeds.iter().cycle().take(value.len())).map(|x| T::from_f64(*x)).collect();
    given.push_at(0, vertex, "result", &of_value);
    let gradients: Gradients<T> = run.backward_with(&given).unwrap();
    let ids = parameters.iter().filter_map(|name| model.parameters().find(name));
    let gradients = ids.map(|id| gradients.to_dense(id).iter().map(|x| x.as_f64()).collect());
    std::iter::once(value).chain(gradients).collect()
}

fn numbers<'a, T: Element>(of: impl IntoIterator<Item = &'a T>) -> Vec<f64> {
    of.into_iter().map(|x| x.as_f64()).collect()
}

/// Sets the values of a parameter, which, unlike those of an input, need not be finite.
fn set<T: Element>(model: &mut Model<T>, name: &str, values: &[f64]) {
    let id = model.parameters().find(name).unwrap();
    let to = model.parameters_mut().get_mut(id).values_mut().unwrap();
    to.iter_mut().zip(values).for_each(|(to, x)| *to = T::from_f64(*x));
}

/// Whether the elements of a set's vectors are independent of each other.
fn is_single(set: &str) -> bool {
    matches!(set, "numbers" | "pairs")
}

/// The tolerance and the floor for the numbers of a case.
fn tolerances<T: Element>(set: &str, case: &str) -> (f64, f64) {
    let tolerance = if T::epsilon().as_f64() > 1e-10 { 1e-5 } else { 1e-10 };
    // These are differences of numbers of about 1, so their errors are not relative to small
    // results.
    let difference = ["elu", "gelu", "gelu_tanh", "tanh", "sigmoid", "silu"].contains(&case);
    let floor = if is_single(set) && !difference {
        T::min_positive_value().as_f64() / tolerance
    } else {
        1.0
    };
    (tolerance, floor)
}

/// Compares compiled results with PyTorch; with `eager` also those of the interpreter and of eager
/// functions, which compute in `f64`.
fn check<T: Element>(kind: &'static str, eager: bool) {
    let edges = Edges { reference: Reference::read("edges"), kind };
    let (w, seeds) =
        (numbers(&edges.get::<T>("w").unwrap()), numbers(&edges.get::<T>("seeds").unwrap()));
    let sets = edges.sets::<T>();
    let mut wrong = Vec::new();
    for case in cases() {
        let name = case.name.as_str();
        let found = sets
            .iter()
            .find_map(|set| Some((set, edges.get::<T>(&format!("{}.{name}", set.name))?)));
        let (of, torch) = found.unwrap_or_else(|| {
            panic!("`{name}` has no reference: add it to tests/pytorch/edges.py, and run that")
        });
        let tolerances = tolerances::<T>(of.name, name);
        // The inputs, which are added to the parameters: adding -0 keeps every number, even -0.
        let nothing = [-0.0; LENGTH];
        let mut model: Model<T> = model_without_loss(&case.compute, || case.start(&w));
        let batch = minibatch(&model, &nothing, &nothing, LABEL);
        let samples = of.x.len() / LENGTH;
        let torch = numbers(&torch);
        let torch = torch.chunks(torch.len() / samples);
        for ((x, y), torch) in of.x.chunks(LENGTH).zip(of.y.chunks(LENGTH)).zip(torch) {
            let (x, y) = (numbers(x), numbers(y));
            set(&mut model, "f.p", &x);
            set(&mut model, "f.q", &y);
            let mut compare = |how, parts: &[Vec<f64>], torch| {
                Sample { case: name, set: of.name, how, x: &x, y: &y }
                    .compare(parts, torch, tolerances, &mut wrong);
            };
            let parts = compiled((&model, &batch, 0), &seeds, &["f.p", "f.q", "f.w"]);
            compare("compiled", &parts, torch);
            if !eager {
                continue;
            }
            let interpreted = testing::eager(&model, &batch).unwrap().outputs.concat().concat();
            compare("interpreted", &[interpreted], &torch[..parts[0].len()]);
            let shape = case.param.clone().unwrap_or_default();
            let own = &w[..shape.iter().product()];
            let arguments: [(&[usize], &[f64]); 3] =
                [(&[LENGTH], &x), (&[LENGTH], &y), (&shape, own)];
            let count = if case.param.is_some() { 3 } else { 2 };
            compare("eager", &eagerly(name, LABEL as u32, &arguments[..count], &seeds), torch);
        }
    }
    for (name, reduce) in OVER_CHILDREN {
        let of = sets.iter().find(|set| set.name == "pairs").unwrap();
        let torch = numbers(&edges.get::<T>(&format!("pairs.{name}")).unwrap());
        let samples = of.x.len() / LENGTH;
        let torch = torch.chunks(torch.len() / samples);
        for ((x, y), torch) in of.x.chunks(LENGTH).zip(of.y.chunks(LENGTH)).zip(torch) {
            let (x, y) = (numbers(x), numbers(y));
            let (mut model, batch): (Model<T>, _) =
                over_children(reduce, [&[0.0; LENGTH]; 2], false);
            set(&mut model, "x.h", &x);
            set(&mut model, "y.h", &y);
            let tolerances = tolerances::<T>("pairs", name);
            let mut compare = |how, parts: &[Vec<f64>], torch| {
                Sample { case: name, set: "pairs", how, x: &x, y: &y }
                    .compare(parts, torch, tolerances, &mut wrong);
            };
            let parts = compiled((&model, &batch, 2), &seeds, &["x.h", "y.h"]);
            compare("compiled", &parts, torch);
            if eager {
                let interpreted = testing::eager(&model, &batch).unwrap().outputs[2].concat();
                compare("interpreted", &[interpreted], &torch[..parts[0].len()]);
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

edb_backend_suite::tests! {
    edges_are_as_in_pytorch_in_f64: check::<f64>("f64", true);
    edges_are_as_in_pytorch_in_f32: check::<f32>("f32", false);
}

/// Every case that the script writes is tested here. The other tests fail where a case has no
/// reference.
#[test]
fn every_reference_has_a_case() {
    let over_children = OVER_CHILDREN.iter().map(|(name, _)| name.to_string());
    let cases: BTreeSet<String> =
        cases().into_iter().map(|case: Case| case.name).chain(over_children).collect();
    let of_set = |name: String| {
        let (set, name) = name.strip_prefix("f64.")?.split_once('.')?;
        (SETS.contains(&set) && !name.starts_with("in.")).then(|| name.to_string())
    };
    assert_eq!(cases, Reference::read("edges").names().into_iter().filter_map(of_set).collect());
}
