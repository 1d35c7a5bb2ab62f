//! Finds where the first gradient that is infinite or NaN arises.

use std::collections::BTreeMap;
use std::fmt;

use edb_ir::FunctionId;

use crate::engine::error::EngineError;
use crate::engine::results::run::Run;
use edb_kernels::compiled_here;
use edb_kernels::element::Element;
use edb_model::backward::{Backward, GradientOrigin, Received};
use edb_model::graph::{ABSENT, InputCell};
use edb_schedule::TypeGraph;
use edb_vertex::eager::scope;
use edb_vertex::tensor::Tensor;

/// The op at which the first gradient arises that is infinite or NaN. Searched from the losses backward, it is the
/// first op that receives a finite gradient, and gives one of its operands a gradient that is not finite.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GradientNotFinite {
    /// The graph, by its place in the minibatch.
    pub graph: usize,
    /// The vertex, by its number in its graph.
    pub vertex: usize,
    /// Its function.
    pub function: String,
    /// The op.
    pub op: String,
    /// The expression that the op computes, as in `(gather(0).h / x).sqrt()`. It shows what the compiler has made
    /// of the function, so it may differ from the source.
    pub expression: String,
    /// The gradient that the op receives.
    pub received: String,
    /// The operand whose gradient is not finite; `None` if finite gradients of this op add up to one that is not.
    pub to: Option<String>,
    /// The first element of that gradient that is infinite or NaN.
    pub value: f64,
    /// The operands, each with its value.
    pub operands: Vec<(String, String)>,
}

impl fmt::Display for GradientNotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { graph, vertex, function, expression, received, to, value, .. } = self;
        write!(f, "in vertex {vertex} of graph {graph} (`{function}`), `{expression}` ")?;
        match to {
            Some(to) => write!(f, "receives the gradient {received} and gives `{to}` {value}")?,
            None => write!(f, "receives gradients that add up to {value}")?,
        }
        for (number, (operand, is)) in self.operands.iter().enumerate() {
            write!(f, "{} `{operand}` is {is}", if number == 0 { ", where" } else { "," })?;
        }
        Ok(())
    }
}

impl<T: Element> Run<'_, T> {
    /// Finds the op at which the first gradient of the losses arises that is infinite or NaN. It searches from the
    /// losses backward for the first op that receives a finite gradient and gives one of its operands a gradient
    /// that is not finite. `None` if all gradients are finite when they are computed in this order.
    ///
    /// It goes backward through the minibatch vertex by vertex and op by op, with numbers rounded to `T`. This is
    /// slow, so give it a minibatch of one graph. It needs the tape of a forward run for training, so call it
    /// before [`backward`](Self::backward). [`Trainer`] calls it when a step fails.
    ///
    /// [`Trainer`]: https://docs.rs/edb/latest/edb/struct.Trainer.html
    ///
    /// # Errors
    /// When the run was forward only, or has gone backward; when the device has failed.
    pub fn first_gradient_not_finite(&self) -> Result<Option<GradientNotFinite>, EngineError> {
        self.tape()?;
        find(self)
    }

    /// All vertices, each before the vertices that it depends on.
    fn parents_first(&self) -> Vec<u32> {
        let batch = self.batch();
        let count = batch.functions().len();
        let (mut offsets, mut list) = (vec![0], Vec::new());
        for vertex in 0..count as u32 {
            list.extend(batch.dependencies(vertex));
            offsets.push(list.len() as u32);
        }
        let graph = TypeGraph::new(1, vec![0; count], offsets, list)
            .expect("the minibatch was checked: its graphs are acyclic");
        graph.children_first().iter().rev().copied().collect()
    }
}

compiled_here! {
    /// See [`Run::first_gradient_not_finite`].
    fn find(run: &Run<'_, T>) -> Result<Option<GradientNotFinite>, EngineError> {
        let batch = run.batch();
        let round = |x: f64| T::from_f64(x).as_f64();
        let add = |sum: &mut Vec<Option<Vec<f64>>>, field: usize, part: Vec<f64>| {
            if sum.len() <= field {
                sum.resize(field + 1, None);
            }
            match &mut sum[field] {
                Some(sum) => sum.iter_mut().zip(part).for_each(|(sum, x)| *sum = round(*sum + x)),
                none => *none = Some(part),
            }
        };
        let mut received = vec![Received::default(); batch.functions().len()];
        let mut functions: BTreeMap<FunctionId, Option<Backward<'_>>> = BTreeMap::new();
        scope(|| {
            let parameters = run.model.parameters().iter();
            let parameters = parameters.map(|(id, _)| run.eager_parameter(id));
            let parameters: Vec<Tensor> = parameters.collect::<Result<_, EngineError>>()?;
            for vertex in run.parents_first() {
                let function = run.function(vertex);
                let backward = functions.entry(function.id);
                let Some(backward) = backward.or_insert_with(|| Backward::new(function)) else {
                    return Ok(None);
                };
                let params: Vec<Tensor> =
                    function.params.iter().map(|id| parameters[id.index()]).collect();
                let own = std::mem::take(&mut received[vertex as usize]);
                let ran = scope(|| {
                    let eager = run.eager_vertex(vertex)?;
                    Ok::<_, EngineError>(backward.run(&params, &eager, &own, &round))
                })?;
                let passed = match ran {
                    Ok(passed) => passed,
                    Err(origin) => return Ok(Some(run.located(vertex, *origin))),
                };
                for (place, field, part) in passed.children {
                    let child = batch.children(vertex)[place];
                    if child != ABSENT {
                        add(&mut received[child as usize].state, field, part);
                    }
                }
                for (place, part) in passed.pulls {
                    if let InputCell::Pushed { vertex, field } = batch.inputs(vertex)[place] {
                        add(&mut received[vertex as usize].output, usize::from(field), part);
                    }
                }
            }
            Ok(None)
        })
    }
}

impl<T: Element> Run<'_, T> {
    fn located(&self, vertex: u32, origin: GradientOrigin) -> GradientNotFinite {
        let GradientOrigin { op, expression, received, to, value, operands } = origin;
        let graph = self.batch().graphs()[vertex as usize] as usize;
        let number = self.batch().number(vertex) as usize;
        let function = self.function(vertex).name.clone();
        GradientNotFinite {
            graph,
            vertex: number,
            function,
            op,
            expression,
            received,
            to,
            value,
            operands,
        }
    }
}
