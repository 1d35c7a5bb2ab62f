//! The code of the chapter on gradients of each graph.

use edb::prelude::*;

#[derive(Input)]
struct Labelled {
    word: Index,
    label: Index,
}

/// The sentiment of a word.
#[vertex_function(check(V = 5, C = 2, H = 3))]
fn judge(#[param(V, H)] table: Tensor, #[param(C, H)] w: Tensor, #[param(C)] b: Tensor) {
    let Labelled { word, label } = pull();
    loss(cross_entropy(w.dot(table.row(word)) + b, label));
}

#[test]
fn gradients_are_clipped_and_compared() {
    let mut builder = ModelBuilder::new();
    let judge = builder.add::<judge>(dims! { V: 9, H: 4, C: 5 });
    let model: Model = builder.build(1).unwrap();
    let graph = |id: u32| {
        let mut g = model.graph();
        g.add(&judge, (), Labelled { word: Index(id), label: Index(id % 5) });
        g
    };
    let graphs: Vec<Graph> = (0..6).map(graph).collect();
    let batch = model.minibatch(&graphs).unwrap();
    let mut engine = Engine::new();
    // ANCHOR: clip
    let mut run = engine.forward(&model, &batch, 0).unwrap();
    let mut each = run.backward_each().unwrap();
    let norms = each.norms().unwrap();
    // The sum of all graphs' gradients, each of a norm of at most 0.1.
    let clipped = each.weighted(|graph| (0.1 / norms[graph]).min(1.0)).unwrap();
    assert!(clipped.norm() <= 0.1 * graphs.len() as f64);
    // ANCHOR_END: clip
    // ANCHOR: dots
    let first = each.gradient(0).unwrap();
    let dots = each.dots(&first).unwrap();
    let helped = (1..dots.len()).max_by(|a, b| dots[*a].total_cmp(&dots[*b]));
    // ANCHOR_END: dots
    assert!(helped.is_some());
    assert!((dots[0] - norms[0] * norms[0]).abs() < 1e-4 * dots[0]);
    // ANCHOR: vertices
    let mut losses = model.vertex_losses(edb_compiler::push_losses).unwrap();
    let mut longest = (0.0, None);
    let read = engine.vertex_gradients(&mut losses, &model, &batch, 0, |vertices, each| {
        for (norm, of) in each.norms()?.into_iter().zip(vertices) {
            if norm > longest.0 {
                longest = (norm, Some((of.graph, of.vertex)));
            }
        }
        Ok(())
    });
    read.unwrap();
    // ANCHOR_END: vertices
    let most = norms.iter().copied().fold(0.0, f64::max);
    assert!((longest.0 - most).abs() < 1e-5 * most);
}
