//! What ranks tell each other before they sum gradients: how it went, losses, kinds of gradients.

use serde::{Deserialize, Serialize};

use super::shares::{Kept, Mine, SpanSums, Total, Types};
use crate::trainer::error::TrainError;
use edb_core::engine::NotFinite;
use edb_core::engine::backend::{Extent, ShareSums};
use edb_kernels::element::Element;
use edb_learn::collective::{CollectiveError, GradientKinds, Span, Tree};
use edb_learn::learn::GradientKind;

/// How the shares of a rank went.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Status {
    failure: Option<Failure>,
    /// The graphs of all ranks, as this one counts them.
    count: usize,
    /// The settings that a program may change between steps: what each is, and its value.
    settings: Vec<(String, String)>,
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
    gradients: Outline,
}

/// What the gradients of a span are, without their values, by parameter.
#[derive(Serialize, Deserialize)]
enum Outline {
    Host(Vec<GradientKind>),
    Device(Vec<Extent>),
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
    /// `device` is what has sums of shares that are not on the host.
    pub(super) fn of<T: Element>(
        mine: &Result<Mine<T>, (TrainError, usize)>,
        device: Option<&mut dyn ShareSums<T>>,
        count: usize,
        settings: Vec<(String, String)>,
        learned: Vec<(Types, String)>,
    ) -> Self {
        let status = Self { count, settings, learned, ..Self::default() };
        match mine {
            Err((error, _)) => Self { failure: Some(Failure::of(error)), ..status },
            Ok(Mine { spans, terms }) => {
                let spans = spans.iter().map(|(span, sums)| {
                    let gradients = match (&sums.gradients, &device) {
                        (Kept::Host(gradients), _) => Outline::Host(gradients.gradient_kinds()),
                        (Kept::Device(sum), Some(device)) => Outline::Device(device.extents(*sum)),
                        (Kept::Device(_), None) => unreachable!("a device has this sum"),
                    };
                    let &SpanSums { loss, squares, graphs, .. } = sums;
                    SpanStatus { span: span.clone(), loss, squares, graphs, gradients }
                });
                Self { terms: *terms, spans: spans.collect(), ..status }
            }
        }
    }

    /// The first rank that does not take the step of rank 0, and how it differs.
    pub(super) fn differences(all: &[Self]) -> Option<(usize, Vec<String>)> {
        let first = &all[0];
        all.iter().enumerate().find_map(|(rank, status)| {
            let count = (status.count != first.count).then(|| {
                format!(
                    "it has a step of {} graphs, and rank 0 one of {}",
                    status.count, first.count
                )
            });
            let settings = status.settings.iter().zip(&first.settings).filter(|(a, b)| a != b);
            let settings = settings.map(|((what, own), (_, known))| {
                format!("{what} is {own} on it and {known} on rank 0")
            });
            let differences: Vec<String> = count.into_iter().chain(settings).collect();
            (!differences.is_empty()).then_some((rank, differences))
        })
    }

    /// The first rank that has failed, with its error.
    pub(super) fn take_failure(all: &mut [Self]) -> Option<(usize, Failure)> {
        (0..).zip(all).find_map(|(rank, status)| Some((rank, status.failure.take()?)))
    }

    /// The sums over all ranks, without gradients.
    pub(super) fn sum<T: Element>(all: &[Self], tree: Tree) -> Total<T> {
        let mut spans = all.iter().flat_map(|status| &status.spans).peekable();
        let mut of = |span: &Span| {
            let own = spans.next_if(|own| own.span == *span)?;
            Some((own.loss, own.squares, own.graphs))
        };
        let mut plus = |left: (f64, f64, usize), right: (f64, f64, usize)| {
            (left.0 + right.0, left.1 + right.1, left.2.saturating_add(right.2))
        };
        let (loss, squares, graphs) = tree.sum(&mut of, &mut plus);
        Total { loss, gradients: None, squares, graphs, report: None }
    }

    /// Whether the spans are those that each rank is to sum, all on the host or all on devices
    /// (`on_device`), with gradients that parameters of these shapes may have.
    pub(super) fn check<T: Element>(
        all: &[Self],
        spans: impl Fn(usize) -> Vec<Span>,
        shapes: &[&[usize]],
        on_device: bool,
    ) -> Result<(), CollectiveError> {
        for (rank, status) in all.iter().enumerate() {
            let own: Vec<Span> = status.spans.iter().map(|status| status.span.clone()).collect();
            let fit = status.spans.iter().all(|status| match &status.gradients {
                Outline::Host(gradient_kinds) => {
                    let mut pairs = gradient_kinds.iter().zip(shapes);
                    !on_device
                        && gradient_kinds.len() == shapes.len()
                        && pairs.all(|(form, shape)| form.fits::<T>(shape))
                }
                Outline::Device(extents) => {
                    let mut pairs = extents.iter().zip(shapes);
                    on_device
                        && extents.len() == shapes.len()
                        && pairs.all(|(extent, shape)| extent.fits(shape))
                }
            });
            if own != spans(rank) || !fit {
                let what = "sums of other shares or parameters".to_owned();
                return Err(CollectiveError::Message { rank, what });
            }
        }
        Ok(())
    }

    /// The kinds of the gradients of all ranks, on the host.
    pub(super) fn into_gradient_kinds(all: Vec<Self>) -> GradientKinds {
        outlines(all, |outline| match outline {
            Outline::Host(gradient_kinds) => gradient_kinds,
            Outline::Device(_) => Vec::new(),
        })
    }

    /// The extents of the gradients of all ranks, on devices.
    pub(super) fn into_extents(all: Vec<Self>) -> Vec<Vec<(Span, Vec<Extent>)>> {
        outlines(all, |outline| match outline {
            Outline::Device(extents) => extents,
            Outline::Host(_) => Vec::new(),
        })
    }
}

fn outlines<O>(all: Vec<Status>, of: impl Fn(Outline) -> Vec<O>) -> Vec<Vec<(Span, Vec<O>)>> {
    let of_span = |status: SpanStatus| (status.span, of(status.gradients));
    all.into_iter().map(|status| status.spans.into_iter().map(of_span).collect()).collect()
}
