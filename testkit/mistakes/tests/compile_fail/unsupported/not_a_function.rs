use edb::prelude::*;

#[vertex_function]
struct Cell {
    x: Tensor,
}
