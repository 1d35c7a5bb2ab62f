//! What of a model does not change while it learns: what graphs are built with.

use std::marker::PhantomData;
use std::sync::Arc;

use super::bound::{BoundFunction, StateInfo};
use super::rules::Rule;
use super::stack::Weights;
use crate::schedule::Signature;

/// Vertex functions with numbers for their dimensions.
#[derive(Debug)]
pub struct BoundModel {
    /// A number that this model has alone.
    pub(crate) id: u64,
    /// The vertex functions.
    pub functions: Vec<BoundFunction>,
    /// The states that they share.
    pub states: Vec<StateInfo>,
    /// The stacked matrices that products want, of all functions.
    pub weights: Vec<Weights>,
    /// The functions as vertex types, for policies.
    pub(crate) signature: Signature,
    /// What vertices of the functions are checked by.
    pub(crate) rules: Vec<Rule>,
}

/// A model without its parameters: what graphs and minibatches are made with, on another thread too,
/// while the model learns. Cheap to clone.
#[derive(Debug)]
pub struct Blueprint<T = f32> {
    bound: Arc<BoundModel>,
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Blueprint<T> {
    fn clone(&self) -> Self {
        Self { bound: Arc::clone(&self.bound), element: PhantomData }
    }
}

impl<T> Blueprint<T> {
    pub(crate) fn new(bound: BoundModel) -> Self {
        Self { bound: Arc::new(bound), element: PhantomData }
    }

    pub(crate) fn bound(&self) -> &BoundModel {
        &self.bound
    }
}
