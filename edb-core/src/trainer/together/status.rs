//! What ranks tell each other before they sum gradients: how it went, losses, forms of gradients.

use serde::{Deserialize, Serialize};

use super::shares::{Mine, Sums, Types};
use crate::collective::{CollectiveError, Forms, Span, Tree, from_bytes};
use crate::element::Element;
use crate::engine::NotFinite;
use crate::learn::{Form, Gradients, Parameters};
use crate::trainer::TrainError;
use crate::trainer::step::Along;

/// How the shares of a rank went.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Status {
    failure: Option<Failure>,
    /// The terms of the losses.
    pub(super) terms: usize,
    spans: Vec<SpanStatus>,
    /// The policies that were learned in this step.
    pub(super) learned: Vec<(Types, String)>,
}

/// What is known of the sums of a span.
#[derive(Serialize, Deserialize)]
struct SpanStatus {
    span: Span,
    loss: f64,
    squares: f64,
    graphs: usize,
    forms: Vec<Form>,
}

/// An error of a rank, for all others.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Failure {
    Loss(BadLoss),
    Other(String),
}

/// A loss that is not finite: [`TrainError::Loss`].
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BadLoss {
    graph: usize,
    vertex: usize,
    function: String,
    loss: f64,
    origin: Option<Box<NotFinite>>,
}

impl Failure {
    fn of(error: &TrainError) -> Self {
        match error {
            TrainError::Loss { graph, vertex, function, loss, origin, .. } => {
                let (function, origin) = (function.clone(), origin.clone());
                Self::Loss(BadLoss {
                    graph: *graph,
                    vertex: *vertex,
                    function,
                    loss: *loss,
                    origin,
                })
            }
            error => Self::Other(error.to_string()),
        }
    }

    /// The error that a rank has had in a step.
    pub(super) fn into_error(self, step: u64, rank: usize) -> TrainError {
        match self {
            Self::Loss(BadLoss { graph, vertex, function, loss, origin }) => {
                TrainError::Loss { step, graph, vertex, function, loss, origin }
            }
            Self::Other(reason) => TrainError::Rank { step, rank, reason },
        }
    }
}

impl Status {
    pub(super) fn of<T: Element>(mine: &Result<Mine<T>, (TrainError, usize)>) -> Self {
        match mine {
            Err((error, _)) => Self { failure: Some(Failure::of(error)), ..Self::default() },
            Ok(Mine { spans, terms, learned }) => Self {
                failure: None,
                terms: *terms,
                spans: spans.iter().map(|(span, sums)| SpanStatus::of(span, sums)).collect(),
                learned: learned.clone(),
            },
        }
    }

    /// What all ranks have said.
    pub(super) fn read_all(said: &[Vec<u8>]) -> Result<Vec<Self>, CollectiveError> {
        (0..).zip(said).map(|(rank, bytes)| from_bytes(bytes, rank)).collect()
    }

    /// The first rank that has failed, with its error.
    pub(super) fn take_failure(all: &mut [Self]) -> Option<(usize, Failure)> {
        (0..).zip(all).find_map(|(rank, status)| Some((rank, status.failure.take()?)))
    }

    /// The sums over all ranks, without gradients.
    pub(super) fn sum<T: Element>(all: &[Self], tree: Tree) -> Sums<T> {
        let mut spans = all.iter().flat_map(|status| &status.spans).peekable();
        let mut of = |span: &Span| {
            let own = spans.next_if(|own| own.span == *span)?;
            Some((own.loss, own.squares, own.graphs))
        };
        let mut plus = |left: (f64, f64, usize), right: (f64, f64, usize)| {
            (left.0 + right.0, left.1 + right.1, left.2 + right.2)
        };
        let (loss, squares, graphs) = tree.sum(&mut of, &mut plus);
        let along = Along { loss, gradients: Gradients::new(&Parameters::new()) };
        Sums { along, squares, graphs, report: None }
    }

    /// Whether the spans are those that each rank is to sum, with the form of each of so many
    /// gradients.
    pub(super) fn check(
        all: &[Self],
        spans: impl Fn(usize) -> Vec<Span>,
        parameters: usize,
    ) -> Result<(), CollectiveError> {
        for (rank, status) in all.iter().enumerate() {
            let own: Vec<Span> = status.spans.iter().map(|status| status.span.clone()).collect();
            let counted = status.spans.iter().all(|status| status.forms.len() == parameters);
            if own != spans(rank) || !counted {
                let what = "sums of other shares or parameters".to_owned();
                return Err(CollectiveError::Message { rank, what });
            }
        }
        Ok(())
    }

    /// The forms of the gradients of all ranks.
    pub(super) fn into_forms(all: Vec<Self>) -> Forms {
        let forms = |status: SpanStatus| (status.span, status.forms);
        all.into_iter().map(|status| status.spans.into_iter().map(forms).collect()).collect()
    }
}

impl SpanStatus {
    fn of<T: Element>(span: &Span, sums: &Sums<T>) -> Self {
        let Sums { along, squares, graphs, .. } = sums;
        let forms = along.gradients.forms();
        Self { span: span.clone(), loss: along.loss, squares: *squares, graphs: *graphs, forms }
    }
}
