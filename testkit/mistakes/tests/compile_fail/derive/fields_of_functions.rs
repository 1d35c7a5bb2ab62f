use edb::prelude::*;

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    loss(x.sum());
}

struct Forgotten {
    cell: Function<cell>,
}

#[derive(Functions)]
struct Other {
    cell: Function<cell>,
    classes: usize,
    both: [Function<cell>; 2],
}

#[derive(Functions)]
struct Generic<F> {
    cell: Function<F>,
}

struct NoFunction;

#[derive(Functions)]
struct Wrong {
    cell: Function<NoFunction>,
}

fn add(builder: &mut ModelBuilder) {
    let _: Forgotten = builder.add_all(dims! { H: 3 });
    let _ = builder.add_all::<cell>(dims! { H: 3 });
}
