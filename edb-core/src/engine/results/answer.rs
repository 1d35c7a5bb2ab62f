//! What a run has answered for a graph, as data.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::graph_results::GraphResults;
use super::run::Run;
use crate::engine::error::EngineError;
use crate::engine::layout::find::find_at;
use edb_kernels::element::Element;
use edb_vertex::port::FieldView;

/// What a run has answered for one graph. As JSON, it is what `edb run` prints:
/// `{"loss":0.6,"vertices":[{"vertex":3,"function":"answer","output":{"logits":[0.1,-0.2]}}]}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct Answer<T: Element = f32> {
    /// The sum of the losses of its vertices, if the model has losses.
    #[serde(skip_serializing_if = "Option::is_none", with = "edb_ir::any_number::option")]
    pub loss: Option<f64>,
    /// The vertices that push something, in their order.
    pub vertices: Vec<VertexAnswer<T>>,
}

/// What a vertex has pushed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound = "")]
pub struct VertexAnswer<T: Element = f32> {
    /// Its number in the graph.
    pub vertex: usize,
    /// The name of its function in the model.
    pub function: String,
    /// What it has pushed.
    #[serde(flatten)]
    pub pushed: Pushed<T>,
}

/// An output, or a list of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(bound = "", rename_all = "snake_case")]
pub enum Pushed<T: Element = f32> {
    /// The output of a function that pushes once.
    Output(Fields<T>),
    /// The outputs of a function that pushes a list.
    Outputs(Vec<Fields<T>>),
}

/// The fields of an output, with their names, in the order of its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields<T>(pub Vec<(String, Numbers<T>)>);

/// The numbers of a field, row by row. As JSON, they are a number, a list, or a list of rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers<T> {
    /// The shape: `[]` for one number.
    pub shape: Vec<usize>,
    /// The elements.
    pub values: Values<T>,
}

/// The elements of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Values<T> {
    /// Of a tensor.
    Tensor(Vec<T>),
    /// Of an index.
    Index(Vec<u32>),
}

impl<T: Element> GraphResults<'_, T> {
    /// As [`Run::answer`].
    ///
    /// # Errors
    /// When the device has failed.
    pub fn answer(&self) -> Result<Answer<T>, EngineError> {
        self.run.answer(self.graph)
    }
}

impl<T: Element> Run<'_, T> {
    /// What the run has answered for a graph, by its place in the minibatch: its loss, and all that its vertices have
    /// pushed.
    ///
    /// # Errors
    /// When there is no such graph, or the device has failed.
    pub fn answer(&self, graph: usize) -> Result<Answer<T>, EngineError> {
        let results = self.graph(graph)?;
        let bound = self.model.bound();
        let loss = bound.has_losses().then(|| results.loss()).transpose()?;
        let mut vertices = Vec::new();
        for vertex in 0..self.batch().vertices_of(graph).count() {
            let found = find_at(self.batch(), graph, vertex)?;
            let added = bound.as_added(self.batch().functions()[found as usize]);
            if bound.pushing(added.id).output.is_empty() {
                continue;
            }
            let items = self.batch().items(bound, found).into_iter();
            let mut items = items.map(|item| self.fields(item)).collect::<Result<Vec<_>, _>>()?;
            let pushed = match added.lists() {
                true => Pushed::Outputs(items),
                false => match items.pop() {
                    Some(fields) => Pushed::Output(fields),
                    None => continue,
                },
            };
            vertices.push(VertexAnswer { vertex, function: added.name.clone(), pushed });
        }
        Ok(Answer { loss, vertices })
    }

    /// The fields that a section has pushed.
    fn fields(&self, section: u32) -> Result<Fields<T>, EngineError> {
        let of = self.function(section);
        let field = |field: &edb_model::model::bound::OutputField| {
            let numbers = match self.field_view(section, field.value)? {
                FieldView::Tensor(view) => Numbers {
                    shape: view.shape().into(),
                    values: Values::Tensor(view.iter().copied().collect()),
                },
                FieldView::Index(view) => Numbers {
                    shape: view.shape().into(),
                    values: Values::Index(view.iter().copied().collect()),
                },
            };
            Ok((field.name.clone(), numbers))
        };
        of.output.iter().map(field).collect::<Result<_, EngineError>>().map(Fields)
    }
}

impl<T> Serialize for Fields<T>
where
    T: Element,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, numbers) in &self.0 {
            map.serialize_entry(name, numbers)?;
        }
        map.end()
    }
}

impl<T: Element> Serialize for Numbers<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = &self.shape;
        match &self.values {
            Values::Tensor(values) => Rows { shape, values, one: Number }.serialize(serializer),
            Values::Index(values) => Rows { shape, values, one: |x| x }.serialize(serializer),
        }
    }
}

/// Elements of this shape, as lists within lists.
struct Rows<'a, N, E> {
    shape: &'a [usize],
    values: &'a [N],
    one: fn(N) -> E,
}

impl<N: Copy, E: Serialize> Serialize for Rows<'_, N, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { shape, values, one } = *self;
        let Some((count, shape)) = shape.split_first() else {
            return values.first().copied().map(one).serialize(serializer);
        };
        let mut list = serializer.serialize_seq(Some(*count))?;
        for values in values.chunks((values.len() / count.max(&1)).max(1)) {
            list.serialize_element(&Rows { shape, values, one })?;
        }
        list.end()
    }
}

/// A number with as many digits as tell it from all others of its type.
struct Number<T>(T);

impl<T: Element> Serialize for Number<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_f64() {
            x if x.is_finite() && T::DTYPE == f32::DTYPE => serializer.serialize_f32(x as f32),
            x => edb_ir::any_number::serialize(&x, serializer),
        }
    }
}
