//! Ports that many tests have.

use edb::prelude::*;

/// A state of one vector.
#[derive(State)]
pub struct Memory {
    pub h: Tensor,
}

/// The input of a word: a row of a table.
#[derive(Input)]
pub struct Word {
    pub id: Index,
}

/// Numbers from outside.
#[derive(Input)]
pub struct Number {
    pub x: Tensor,
}

/// The correct class.
#[derive(Input)]
pub struct Gold {
    pub label: Index,
}

/// An output of one vector.
#[derive(Output)]
pub struct Told {
    pub y: Tensor,
}
