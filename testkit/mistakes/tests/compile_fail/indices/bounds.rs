use edb::prelude::*;

#[derive(State)]
struct Said {
    h: Tensor,
    word: Index,
}

/// Bags come from outside.
#[derive(State)]
struct Heard {
    words: Indices,
}

#[vertex_function]
fn bounds(
    #[param(V, X)] table: Tensor,
    #[param(C, X)] w: Tensor,
    #[dim(C)] classes: Dim,
    #[dim(X)] size: Dim,
) {
    let before = gather_or(0, Said { h: zeros(size), word: Index(0) });
    let scores = w.dot(before.h);
    let class = scores.argmax();
    let row = table.row(class);
    let word = table.row(before.word);
    let hot = one_hot(before.word, classes);
    let same = indicator(before.word == class);
    let loss_of_word = cross_entropy(scores, before.word);
    scatter(Said { h: row + word + hot * same * loss_of_word, word: class });
}

#[vertex_function]
fn kinds(#[param(C, X)] w: Tensor) {
    let before: Said = gather(0);
    let class = w.dot(before.h).argmax();
    let sum = before.h + class;
    scatter(Said { h: sum, word: class });
}
