//! Graphs with their answers, which are kept in a bundle, and whether a model still gives these.

use serde_json::Value;

use crate::engine::base::Engine;
use crate::engine::error::EngineError;
use edb_kernels::element::Element;
use edb_model::bundle::Example;
use edb_model::graph::{Graph, Minibatch, MinibatchError};
use edb_model::model::Model;

/// How far an example's answer is from the one in its file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Replayed {
    /// The greatest `|a - b| / max(1, |a|, |b|)` of two numbers; infinite where something else differs. It is 0 if, and only
    /// if, all bits are the same.
    pub difference: f64,
    /// Where this is in the answer, as in `vertices[0].output.logits[1]`.
    pub place: String,
}

impl<T: Element> Engine<T> {
    /// Runs graphs without training, and returns them with their answers: for
    /// [`BundleWriter::examples`](edb_model::bundle::BundleWriter::examples).
    ///
    /// # Errors
    /// As [`infer`](Self::infer), and when a graph is wrong.
    pub fn examples(
        &mut self,
        model: &Model<T>,
        graphs: &[Graph<T>],
    ) -> Result<Vec<Example>, EngineError> {
        let answers = self.answers(model, &model.minibatch(graphs)?)?;
        let example = |((number, graph), answer)| {
            let graph = model.record_of(graph);
            let graph = graph.map_err(|error| MinibatchError::Graph { graph: number, error })?;
            Ok(Example { graph, answer })
        };
        graphs.iter().enumerate().zip(answers).map(example).collect()
    }

    /// Runs examples again, and says how far each answer is from the one in its file.
    ///
    /// # Errors
    /// As [`infer`](Self::infer), and when an example's graph is none of this model.
    pub fn replay(
        &mut self,
        model: &Model<T>,
        examples: &[Example],
    ) -> Result<Vec<Replayed>, EngineError> {
        if examples.is_empty() {
            return Ok(Vec::new());
        }
        let graph = |(number, example): (usize, &Example)| {
            let graph = model.graph_from_record(&example.graph);
            graph.map_err(|error| MinibatchError::Graph { graph: number, error })
        };
        let graphs = examples.iter().enumerate().map(graph).collect::<Result<Vec<_>, _>>()?;
        let answers = self.answers(model, &model.minibatch(&graphs)?)?;
        let replayed = |(answer, example): (&Value, &Example)| {
            let mut replayed = Replayed { difference: 0.0, place: String::new() };
            compare::<T>(&example.answer, answer, "", &mut replayed);
            replayed
        };
        Ok(answers.iter().zip(examples).map(replayed).collect())
    }

    /// The answers for all graphs of a minibatch, as JSON.
    fn answers(
        &mut self,
        model: &Model<T>,
        batch: &Minibatch<T>,
    ) -> Result<Vec<Value>, EngineError> {
        let run = self.infer(model, batch)?;
        let value = |graph| {
            let answer = serde_json::to_value(run.answer(graph)?);
            Ok(answer.expect("an answer has only names as keys"))
        };
        (0..batch.graph_count()).map(value).collect()
    }
}

/// Notes where two answers differ most. They are no deeper than JSON that has been read.
fn compare<T: Element>(known: &Value, found: &Value, place: &str, most: &mut Replayed) {
    let difference = match (known, found) {
        (Value::Object(known), Value::Object(found)) if known.keys().eq(found.keys()) => {
            for ((name, known), found) in known.iter().zip(found.values()) {
                let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                compare::<T>(known, found, &place, most);
            }
            return;
        }
        (Value::Array(known), Value::Array(found)) if known.len() == found.len() => {
            for (number, (known, found)) in known.iter().zip(found).enumerate() {
                compare::<T>(known, found, &format!("{place}[{number}]"), most);
            }
            return;
        }
        // Numbers of vertices, and indices, have no point.
        (Value::Number(known), Value::Number(found)) if known.is_f64() && found.is_f64() => {
            let [a, b] = [known, found].map(|number| {
                let number = number.as_f64().unwrap_or(f64::NAN);
                // JSON has the shortest digits that tell a number from all others of its type. Losses are sums in `f64`.
                if place == "loss" { number } else { T::from_f64(number).as_f64() }
            });
            match a.to_bits() == b.to_bits() {
                true => 0.0,
                // The two zeros are not the same.
                false => ((a - b).abs() / a.abs().max(b.abs()).max(1.0)).max(f64::MIN_POSITIVE),
            }
        }
        (known, found) if known == found => 0.0,
        _ => f64::INFINITY,
    };
    if difference > most.difference {
        *most = Replayed { difference, place: place.to_owned() };
    }
}
