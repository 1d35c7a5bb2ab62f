//! edb: dynamic neural networks, written as what happens at one vertex.
#![forbid(unsafe_code)]

pub use edb_core::{eager, element, function, port, random, schedule, tensor};
pub use edb_core::function::{Vertex, VertexFunction};
pub use edb_core::port::{Input, Output, Port, PortField, State};
pub use edb_core::tensor::{Dim, Index, Tensor};

/// Everything that a model needs: `use edb::prelude::*`.
pub mod prelude {
    pub use edb_core::eager::ops::{
        concat, cross_entropy, gather, gather_all, gather_or, loss, mse, pull, push, scatter, zeros,
    };
    pub use edb_core::function::{Vertex, VertexFunction};
    pub use edb_core::tensor::{Dim, Index, Tensor};
}

/// What expansions of the macros use.
#[doc(hidden)]
pub mod __private {
    pub use edb_core::function::{Definition, EagerArguments, PlanCell};
    pub use edb_core::port::{Field, FieldKind, PortType, PortValue};
    pub use ndarray::ArrayViewD;
}
