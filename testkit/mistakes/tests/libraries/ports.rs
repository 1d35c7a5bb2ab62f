//! The prelude, and ports that many programs with mistakes have. Programs about ports write their own; so do those that
//! the book shows, and those whose errors name types: users have them from edb.

pub use edb::prelude::*;

#[derive(State)]
pub struct Node {
    pub h: Tensor,
    pub c: Tensor,
}

#[derive(Input)]
pub struct Word {
    pub id: Index,
    pub x: Tensor,
}

#[derive(Input)]
pub struct Gold {
    pub label: Index,
}

#[derive(Output)]
pub struct Out {
    pub y: Tensor,
}
