//! What of a model graphs are built with.

use crate::element::Element;
use crate::graph::{Graph, GraphError, Minibatch, MinibatchError, VertexRecord};
use crate::learn::Parameters;
use crate::model::Model;

/// A model without its parameters: what graphs and minibatches are made with, on another thread too,
/// while the model learns. Cheap to clone.
#[derive(Debug)]
pub struct Blueprint<T = f32>(Model<T>);

impl<T: Element> Clone for Blueprint<T> {
    fn clone(&self) -> Self {
        self.0.blueprint()
    }
}

impl<T: Element> Model<T> {
    /// What graphs and minibatches of this model are made with.
    pub fn blueprint(&self) -> Blueprint<T> {
        let (id, inner) = (self.id, self.inner.clone());
        Blueprint(Model { id, inner, parameters: Parameters::new() })
    }
}

impl<T: Element> Blueprint<T> {
    /// As [`Model::graph`].
    pub fn graph(&self) -> Graph<T> {
        self.0.graph()
    }

    /// As [`Model::graph_from_records`].
    ///
    /// # Errors
    /// As [`Model::graph_from_records`].
    pub fn graph_from_records(&self, records: &[VertexRecord]) -> Result<Graph<T>, GraphError> {
        self.0.graph_from_records(records)
    }

    /// As [`Model::minibatch`].
    ///
    /// # Errors
    /// As [`Model::minibatch`].
    pub fn minibatch<'g>(
        &self,
        graphs: impl IntoIterator<Item = &'g Graph<T>>,
    ) -> Result<Minibatch<T>, MinibatchError> {
        self.0.minibatch(graphs)
    }
}
