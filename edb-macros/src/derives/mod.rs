//! The derives: of ports, and of the functions of a model.

mod functions;
mod ports;

pub(crate) use functions::derive as functions;
pub(crate) use ports::{Marker, derive as port};
