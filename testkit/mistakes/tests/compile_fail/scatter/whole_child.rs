use ports::*;

#[vertex_function]
fn copy() {
    scatter(gather::<Node>(0));
}
