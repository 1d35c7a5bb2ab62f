//! Two arguments of one name are two variables, for Rust, and one parameter, for a model.

use edb::prelude::*;

macro_rules! cell {
    ($w:ident) => {
        #[vertex_function]
        fn cell(#[param(H)] r#w: Tensor, #[param(H)] $w: Tensor) {
            loss(w.dot($w));
        }
    };
}

cell!(w);
