//! Every op, form and loss of the language compared with PyTorch at ordinary numbers, in value and
//! gradients: see `tests/pytorch/README.md`. `pytorch_edges.rs` covers exceptional numbers.

use std::collections::BTreeSet;

use edb_core::element::Element;
use edb_core::engine::Engine;
use edb_core::model::Model;
use edb_ir::{Builder, Op, Pointwise, Reduction, ValueId};

use edb_backend_suite::one_op::cases::{Case, OVER_CHILDREN, OverChildren, numbers_of};
use edb_backend_suite::one_op::{self, LENGTH, function, method, unary};
use edb_backend_suite::pytorch::Reference;

const LABEL: usize = 2;

/// The cases, each with arguments for which it is defined.
fn cases() -> Vec<Case> {
    let cases = one_op::cases::cases().into_iter();
    let only_at_edges =
        ["pow_0", "pow_-1.5", "clamp_crossed", "clamp_half_open", "select_by_number"];
    let cases = cases.filter(|case| !only_at_edges.contains(&case.name.as_str()));
    cases.map(|case| moderated(&case.name).unwrap_or(case)).collect()
}

/// The case of this name with suitable arguments, if `x` and `y` themselves are not: they may be
/// negative, no two of their elements are equal, and they are not probabilities.
fn moderated(name: &str) -> Option<Case> {
    let of_exp = |power: f64| {
        Case::new(name, move |b, x, _| {
            let exp = unary(b, Op::Pointwise(Pointwise::Exp), x);
            method(b, "pow", &[exp], &[power])
        })
    };
    Some(match name {
        "sqrt" => Case::new(name, |b, x, _| {
            let exp = unary(b, Op::Pointwise(Pointwise::Exp), x);
            unary(b, Op::Pointwise(Pointwise::Sqrt), exp)
        }),
        "ln" => Case::new(name, |b, x, _| {
            let exp = unary(b, Op::Pointwise(Pointwise::Exp), x);
            let one = b.constant(1.0);
            let sum = b.apply(Pointwise::Add, &[exp, one]).unwrap();
            unary(b, Op::Pointwise(Pointwise::Ln), sum)
        }),
        "pow" => of_exp(numbers_of("pow")[0]),
        "pow_0.5" => of_exp(0.5),
        "greater" => compared(name, |b, signs| b.apply(Pointwise::Greater, &signs).unwrap()),
        "less" => compared(name, |b, signs| method(b, "less", &signs, &[])),
        "greater_equal" => compared(name, |b, signs| method(b, "greater_equal", &signs, &[])),
        "less_equal" => compared(name, |b, signs| method(b, "less_equal", &signs, &[])),
        "equal" => compared(name, |b, signs| method(b, "equal", &signs, &[])),
        "select" => Case::new(name, move |b, x, y| {
            let mask = b.apply(Pointwise::Greater, &[x, y]).unwrap();
            let square = method(b, "square", &[x], &[]);
            method(b, "select", &[mask, square, y], &[])
        }),
        "nll" => Case::new(name, move |b, x, _| {
            let log = unary(b, Op::Reduction(Reduction::LogSoftmax), x);
            function(b, "nll", &[log], &[])
        }),
        "bce_with_logits" => Case::new(name, move |b, x, y| {
            let targets = unary(b, Op::Pointwise(Pointwise::Sigmoid), y);
            function(b, "bce_with_logits", &[x, targets], &[])
        }),
        "kl_div" => Case::new(name, move |b, x, y| {
            let (log, p) = (
                unary(b, Op::Reduction(Reduction::LogSoftmax), x),
                unary(b, Op::Reduction(Reduction::Softmax), y),
            );
            function(b, "kl_div", &[log, p], &[])
        }),
        _ => return None,
    })
}

/// A comparison of the signs of `x` and `y`, some of which are equal, as a mask on `x`.
fn compared(name: &str, compare: impl Fn(&mut Builder, [ValueId; 2]) -> ValueId + 'static) -> Case {
    Case::new(name, move |b, x, y| {
        let signs = [
            unary(b, Op::Pointwise(Pointwise::Sign), x),
            unary(b, Op::Pointwise(Pointwise::Sign), y),
        ];
        let mask = compare(b, signs);
        b.apply(Pointwise::Mul, &[mask, x]).unwrap()
    })
}

/// The value of a case, and its gradients of `x`, `y` and the parameter.
fn computed<T: Element>(case: &Case, w: &[f64], x: &[f64], y: &[f64]) -> Vec<Vec<f64>> {
    let model: Model<T> = one_op::model(&case.compute, || case.start(w));
    let batch = one_op::minibatch(&model, x, y, LABEL);
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let value = run.output_at(0, 0, "result").unwrap().iter().map(|x| x.as_f64()).collect();
    let gradients = run.backward().unwrap();
    let names = ["f.p", "f.q", "f.w"].into_iter().filter_map(|name| model.parameters().find(name));
    let dense = names.map(|id| gradients.to_dense(id).iter().map(|x| x.as_f64()).collect());
    [value].into_iter().chain(dense).collect()
}

/// Fails unless all numbers agree. Errors of a value are relative to its greatest number. Those of
/// a gradient are relative also to the gradient of the value, since differences in its computation
/// have rounding errors of that size.
fn agree<T: Element>(tolerance: f64) {
    let reference = Reference::read("ops");
    let input = |name: &str| reference.get::<f64>(name).unwrap();
    let (xs, ys, w) = (input("in.x"), input("in.y"), input("in.w"));
    let samples = xs.len() / LENGTH;
    for case in cases() {
        let name = &case.name;
        let torch: Vec<f64> = reference.get(name).unwrap_or_else(|| {
            panic!("`{name}` has no reference: add it to tests/pytorch/ops.py, and run that")
        });
        let mut torch = torch.chunks(torch.len() / samples);
        for (x, y) in xs.chunks(LENGTH).zip(ys.chunks(LENGTH)) {
            let own = computed::<T>(&case, &w, x, y);
            let mut rest = torch.next().unwrap();
            assert_eq!(own.iter().map(Vec::len).sum::<usize>(), rest.len(), "{name}");
            // The greatest gradient of the value, from which all others are computed.
            let mut given = 0.0;
            for (part, own) in ["value", "gradient of x", "of y", "of w"].iter().zip(own) {
                let (expected, behind) = rest.split_at(own.len());
                let greatest = expected.iter().fold(given, |greatest, x| x.abs().max(greatest));
                if *part == "value" {
                    given = 2.0 * greatest;
                }
                for (own, torch) in own.iter().zip(expected) {
                    let fits = (own - torch).abs() <= tolerance * greatest;
                    assert!(fits, "{name}, {part} at x = {x:?}: {own}, in PyTorch {torch}");
                }
                rest = behind;
            }
        }
    }
}

edb_backend_suite::tests! {
    values_and_gradients_agree_in_f64: agree::<f64>(1e-10);
    values_and_gradients_agree_in_f32: agree::<f32>(1e-5);
}

/// Every case that the script writes is tested here. The other tests fail where a case has no
/// reference.
#[test]
fn every_reference_has_a_case() {
    let cases: BTreeSet<String> = cases().into_iter().map(|case| case.name).collect();
    let own = |name: &String| !name.starts_with("in.") && !name.starts_with("children.");
    let names = Reference::read("ops").names().into_iter().filter(own);
    assert_eq!(cases, names.collect());
}

/// The value and the gradients of `x` and `y`, for a reduction over three children: `x`, `y` and
/// `x`.
fn over_children<T: Element>(reduce: OverChildren, x: &[f64], y: &[f64]) -> Vec<f64> {
    let (model, batch): (Model<T>, _) = one_op::cases::over_children(reduce, [x, y], true);
    let mut engine = Engine::new();
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let value: Vec<f64> =
        run.output_at(0, 2, "result").unwrap().iter().map(|x| x.as_f64()).collect();
    let gradients = run.backward().unwrap();
    let dense = ["x.h", "y.h"].map(|name| {
        let id = model.parameters().find(name).unwrap();
        gradients.to_dense(id).iter().map(|x| x.as_f64()).collect::<Vec<f64>>()
    });
    [value].into_iter().chain(dense).flatten().collect()
}

fn children_agree<T: Element>(tolerance: f64) {
    let reference = Reference::read("ops");
    let input = |name: &str| reference.get::<f64>(name).unwrap();
    for (name, reduce) in OVER_CHILDREN {
        let torch = input(name);
        let samples = input("in.x").chunks(LENGTH).map(<[f64]>::to_vec).collect::<Vec<_>>();
        let ys = input("in.y");
        let expected = torch.chunks(torch.len() / samples.len());
        for ((x, y), expected) in samples.iter().zip(ys.chunks(LENGTH)).zip(expected) {
            let own = over_children::<T>(reduce, x, y);
            assert_eq!(own.len(), expected.len(), "{name}");
            for (own, torch) in own.iter().zip(expected) {
                let fits = (own - torch).abs() <= tolerance * torch.abs().max(1.0);
                assert!(fits, "{name} at x = {x:?}: {own}, in PyTorch {torch}");
            }
        }
    }
}

edb_backend_suite::tests! {
    reductions_over_children_agree_in_f64: children_agree::<f64>(1e-12);
    reductions_over_children_agree_in_f32: children_agree::<f32>(1e-5);
}
