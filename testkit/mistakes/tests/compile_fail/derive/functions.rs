use edb::prelude::*;

#[vertex_function]
fn cell(#[param(H)] x: Tensor) {
    loss(x.sum());
}

#[derive(Functions)]
enum Either {
    Cell(Function<cell>),
}

#[derive(Functions)]
struct Pair(Function<cell>, Function<cell>);

#[derive(Functions)]
struct Unit;

#[derive(Functions)]
struct Empty {}

#[derive(Functions)]
struct OnAField {
    #[edb(crate = edb)]
    cell: Function<cell>,
}

#[derive(Functions)]
#[edb(path = edb)]
struct Misspelled {
    cell: Function<cell>,
}

fn add(builder: &mut ModelBuilder) {
    // A struct with an error causes no further ones.
    let _: Pair = builder.add_all(dims! { H: 3 });
}
