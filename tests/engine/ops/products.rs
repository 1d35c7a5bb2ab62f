//! Products, and rows of tables.

use super::*;

fn dot_of(a: &[f64], b: &[f64]) -> f64 {
    pairs(a, b, |a, b| a * b).iter().sum()
}

/// Products with parameters: the expected values are computed from the parameters that the model
/// has drawn.
#[test]
fn products() {
    // Long, since it is a table: a row for each product.
    fn dot(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::constant(3), Dim::name(0)));
        b.apply(Contraction::Dot, &[w, x]).unwrap()
    }
    check("dot", dot, |x, _| {
        parameter(dot).chunks(4).map(|row| pairs(row, x, |w, x| w * x).iter().sum()).collect()
    });
    fn transposed(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::name(0), Dim::constant(3)));
        b.apply(Contraction::DotTransposed, &[w, x]).unwrap()
    }
    check("dot_transposed", transposed, |x, _| {
        let w = parameter(transposed);
        (0..3).map(|at| (0..4).map(|row| w[row * 3 + at] * x[row]).sum()).collect()
    });
    // The matrix here is a value of the vertex, not a parameter.
    fn outer(b: &mut Builder, x: ValueId, y: ValueId) -> ValueId {
        let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
        b.apply(Contraction::Dot, &[matrix, y]).unwrap()
    }
    check("outer", outer, |x, y| {
        let square: f64 = y.iter().map(|y| y * y).sum();
        each(x, |x| x * square)
    });
    // Products of two matrices, one of them a non-square weight, with one or neither transposed.
    fn matrices(b: &mut Builder, x: ValueId, y: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::constant(3), Dim::name(0)));
        let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
        let product = b.dot(w, matrix).unwrap();
        b.dot(product, y).unwrap()
    }
    check("mat_mul", matrices, |x, y| {
        let square: f64 = y.iter().map(|y| y * y).sum();
        parameter(matrices).chunks(4).map(|row| square * dot_of(row, x)).collect()
    });
    fn left(b: &mut Builder, x: ValueId, y: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::name(0), Dim::constant(3)));
        let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
        let product = b.apply(Contraction::MatMulLeftTransposed, &[w, matrix]).unwrap();
        b.dot(product, y).unwrap()
    }
    check("mat_mul_left_transposed", left, |x, y| {
        let square: f64 = y.iter().map(|y| y * y).sum();
        let w = parameter(left);
        (0..3).map(|at| (0..4).map(|row| w[row * 3 + at] * x[row]).sum::<f64>() * square).collect()
    });
    fn right(b: &mut Builder, x: ValueId, y: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::constant(3), Dim::name(0)));
        let matrix = b.apply(Contraction::Outer, &[x, y]).unwrap();
        let product = b.apply(Contraction::MatMulRightTransposed, &[matrix, w]).unwrap();
        let turned = unary(b, Op::Movement(Movement::Transpose), product);
        b.dot(turned, x).unwrap()
    }
    check("mat_mul_right_transposed", right, |x, y| {
        let square: f64 = x.iter().map(|x| x * x).sum();
        parameter(right).chunks(4).map(|row| square * dot_of(row, y)).collect()
    });
    check("inner product", |b, x, y| b.dot(x, y).unwrap(), |x, y| vec![dot_of(x, y)]);
    check(
        "stack, flatten",
        |b, x, y| {
            let rows = b.stack(&[x, y, x]).unwrap();
            b.flatten(rows).unwrap()
        },
        |x, y| [x, y, x].concat(),
    );
    check(
        "rows",
        |b, x, y| {
            let rows = b.repeat_rows(x, Dim::constant(3)).unwrap();
            b.dot(rows, y).unwrap()
        },
        |x, y| vec![dot_of(x, y); 3],
    );
    fn bilinear(b: &mut Builder, x: ValueId, y: ValueId) -> ValueId {
        let v = b.param("v", Shape::matrix(Dim::constant(3), Dim::constant(16)));
        method(b, "bilinear", &[v, x, y], &[])
    }
    check("bilinear", bilinear, |x, y| {
        let model: Model<f64> = model(bilinear);
        let id = model.parameters().find("f.v").unwrap();
        let of_slice = |v: &[f64]| v.chunks(4).zip(x).map(|(row, x)| x * dot_of(row, y)).sum();
        model.parameters().get(id).values().unwrap().chunks(16).map(of_slice).collect()
    });
    fn row(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        let index = b.pull_index("index");
        let w = b.param("w", Shape::matrix(Dim::constant(3), Dim::name(0)));
        let row = b.apply(Movement::Row, &[w, index]).unwrap();
        b.apply(Pointwise::Mul, &[row, x]).unwrap()
    }
    check("row", row, |x, _| pairs(&parameter(row)[LABEL * 4..], x, |w, x| w * x));
}

/// The bag of `one_op` contains one row twice.
#[test]
fn bags() {
    fn of(b: &mut Builder, name: &'static str, x: ValueId) -> ValueId {
        let w = b.param("w", Shape::matrix(Dim::constant(3), Dim::name(0)));
        let rows = method(b, name, &[w], &[]);
        b.apply(Pointwise::Mul, &[rows, x]).unwrap()
    }
    fn sum(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        of(b, "bag_sum", x)
    }
    fn mean(b: &mut Builder, x: ValueId, _: ValueId) -> ValueId {
        of(b, "bag_mean", x)
    }
    fn summed(build: Build, x: &[f64]) -> Vec<f64> {
        let w = parameter(build);
        let column =
            |at: usize| one_op::BAG.map(|row| w[row as usize * 4 + at]).iter().sum::<f64>();
        x.iter().enumerate().map(|(at, x)| column(at) * x).collect()
    }
    check("bag_sum", sum, |x, _| summed(sum, x));
    check("bag_mean", mean, |x, _| each(&summed(mean, x), |sum| sum / 3.0));
    check(
        "bag_size",
        |b, x, _| {
            let size = function(b, "bag_size", &[], &[]);
            b.apply(Pointwise::Mul, &[size, x]).unwrap()
        },
        |x, _| each(x, |x| 3.0 * x),
    );
}
