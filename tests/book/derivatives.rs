//! The code of the chapter on Jacobians and second derivatives.

// ANCHOR: uses
use edb::engine::JacobianOf;
use edb::learn::Gradients;
use edb::prelude::*;
// ANCHOR_END: uses

#[derive(Input)]
struct Gold {
    label: Index,
}

#[derive(Output)]
struct Scores {
    logits: Tensor,
}

// ANCHOR: tangent
#[derive(State)]
struct Memory {
    h: Tensor,
}

#[derive(Input)]
struct Reading {
    x: Tensor,
}

#[vertex_function(tangent, check(X = 2, H = 3))]
fn read(#[param(H, X)] w: Tensor, #[param(H, H)] u: Tensor, #[dim(H)] h: Dim) {
    let Reading { x } = pull();
    let before = gather_or(0, Memory { h: zeros(h) });
    scatter(Memory { h: (w.dot(x) + u.dot(before.h)).tanh() });
}
// ANCHOR_END: tangent

#[vertex_function(tangent, check(C = 2, H = 3))]
fn judge(#[param(C, H)] v: Tensor) {
    let Gold { label } = pull();
    let Memory { h } = gather(0);
    let logits = v.dot(h);
    push(Scores { logits });
    loss(cross_entropy(logits, label));
}

#[test]
fn jacobians_and_products() -> Result<(), Box<dyn std::error::Error>> {
    let mut builder = ModelBuilder::new();
    let read = builder.add::<read>(dims! { H: 6, X: 3 });
    let judge = builder.add::<judge>(dims! { H: 6, C: 4 });
    let model: Model<f64> = builder.build_as(1)?;
    let mut graphs = Vec::new();
    let mut vertices = Vec::new();
    for graph in 0..3 {
        let mut g = model.graph();
        let mut last = None;
        for step in 0..3 + graph {
            let x = g.tensor(&[0.3, step as f64 * 0.2, -0.5]);
            last = Some(g.add(&read, [last], Reading { x }));
            vertices.extend(last.filter(|_| step == 0));
        }
        let memory = last.ok_or("a graph without steps")?;
        let verdict = g.add(&judge, [memory], Gold { label: Index(graph as u32) });
        graphs.push((g, verdict));
    }
    let batch = model.minibatch(graphs.iter().map(|(graph, _)| graph))?;
    let mut engine = Engine::new();
    let (first, last) = (vertices[0], graphs[0].1);
    // ANCHOR: jacobian
    let mut run = engine.forward(&model, &batch, 0)?;
    // How the scores of a sentence depend on its first word: [4, 3].
    let jacobian = run.jacobian((&judge, last, "logits"), (&read, first, "x"))?;
    // ANCHOR_END: jacobian
    assert_eq!(jacobian.dim(), (4, 3));
    let lengths: Vec<usize> = graphs.iter().map(|(graph, _)| graph.len()).collect();
    // ANCHOR: jacobians
    // How the scores of each graph depend on its first and second word. The last vertex judges.
    let inputs = [(0, "x"), (1, "x")];
    let wanted: Vec<JacobianOf<'_>> = (lengths.iter().enumerate())
        .map(|(graph, length)| JacobianOf {
            graph,
            output: (length - 1, "logits"),
            inputs: &inputs,
        })
        .collect();
    let jacobians = run.jacobians(&wanted)?; // jacobians[graph][word]: [4, 3]
    // ANCHOR_END: jacobians
    assert_eq!(jacobians[0][0], jacobian);
    // ANCHOR: product
    let gradient = run.backward()?;
    let mut tangent = model.tangent()?;
    let mut along = engine.forward_along(&mut tangent, &model, &batch, 0, &gradient)?;
    let slopes: Vec<f64> = along.slopes()?; // of each graph's loss, in this direction
    let product: Gradients<f64> = along.product()?; // of the Hessian and the direction
    let curvature = product.dot(&gradient) / gradient.dot(&gradient);
    // ANCHOR_END: product
    assert!((slopes.iter().sum::<f64>() - gradient.dot(&gradient)).abs() < 1e-9);
    // ANCHOR: gauss_newton
    let mut tangent = model.tangent_by(edb_compiler::gauss_newton)?;
    let mut along = engine.forward_along(&mut tangent, &model, &batch, 0, &gradient)?;
    let product = along.product()?;
    // ANCHOR_END: gauss_newton
    let gauss_newton = product.dot(&gradient) / gradient.dot(&gradient);
    assert!(curvature.is_finite() && gauss_newton > 0.0);
    Ok(())
}
