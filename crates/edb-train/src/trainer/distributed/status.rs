//! The status that ranks send to each other before they sum gradients: errors, losses, and kinds of gradients.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::shares::{SpanSums, Types};
use crate::trainer::error::{LargeParameter, TrainError};
use crate::trainer::sums::{SummedGradients, Sums};
use edb_core::engine::NotFinite;
use edb_core::engine::backend::{Extent, ShareSums};
use edb_kernels::element::Element;
use edb_learn::collective::{CollectiveError, GradientKinds, Span, Tree};
use edb_learn::learn::GradientKind;

/// The kind of a step: how its graphs grow, if they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum StepKind {
    /// The graphs do not grow.
    #[default]
    Given,
    /// The graphs grow round by round, and the program decides how.
    Rounds,
    /// The graphs grow to their end, each on its own.
    ToTheEnd,
}

/// The step that a rank has begun.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Begun {
    pub(super) kind: StepKind,
    /// How many graphs all ranks have together, as this rank counts them.
    pub(super) count: usize,
    /// How many steps the rank has begun.
    pub(super) calls: u64,
    /// Whether the model, the parameters or the state of the optimiser may have changed since its last step.
    pub(super) is_changed: bool,
    /// Whether a vertex of its graphs may have had a loss. This is known of graphs that do not grow.
    pub(super) has_seen_loss: bool,
}

/// The status of a rank after it has run its shares.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Status {
    failure: Option<Failure>,
    begun: Begun,
    /// The settings that a program may change between steps: the name of each, and its value.
    settings: Vec<(String, String)>,
    /// The terms of the losses.
    pub(super) terms: usize,
    spans: Vec<SpanStatus>,
    /// The policies that were learned in this step.
    pub(super) learned: Vec<(Types, String)>,
}

/// The sums of a span, without the values of the gradients.
#[derive(Serialize, Deserialize)]
struct SpanStatus {
    span: Span,
    loss: f64,
    squares: f64,
    graphs: usize,
    gradients: Outline,
}

/// For each parameter, the kind or the extent of the gradient of a span.
#[derive(Serialize, Deserialize)]
enum Outline {
    Host(Vec<GradientKind>),
    Device(Vec<Extent>),
}

/// An error of a rank, as it is sent to the other ranks.
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
    large: Option<Box<LargeParameter>>,
}

impl fmt::Display for StepKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "a step over graphs that do not grow",
            Self::Rounds => "a step of `grow_shared`",
            Self::ToTheEnd => "a step of `grow_each_shared`",
        })
    }
}

impl Failure {
    fn of(error: &TrainError) -> Self {
        match error {
            TrainError::Loss { graph, vertex, function, loss, origin, large, .. } => {
                let (function, origin, large) = (function.clone(), origin.clone(), large.clone());
                Self::Loss(BadLoss {
                    graph: *graph,
                    vertex: *vertex,
                    function,
                    loss: *loss,
                    origin,
                    large,
                })
            }
            error => Self::Other(error.to_string()),
        }
    }

    /// Makes the error of a step from the failure of a rank.
    pub(super) fn into_error(self, step: u64, rank: usize) -> TrainError {
        match self {
            Self::Loss(BadLoss { graph, vertex, function, loss, origin, large }) => {
                TrainError::Loss { step, graph, vertex, function, loss, origin, large }
            }
            Self::Other(reason) => TrainError::Rank { step, rank, reason },
        }
    }
}

impl Status {
    /// Makes the status of this rank. `device` has the sums of shares that are not on the host.
    pub(super) fn of<T: Element>(
        mine: &Result<SpanSums<T>, (TrainError, usize)>,
        device: Option<&mut dyn ShareSums<T>>,
        begun: Begun,
        settings: Vec<(String, String)>,
        learned: Vec<(Types, String)>,
    ) -> Self {
        let status = Self { begun, settings, learned, ..Self::default() };
        match mine {
            Err((error, _)) => Self { failure: Some(Failure::of(error)), ..status },
            Ok(spans) => {
                let terms = spans.iter().map(|(_, sums)| sums.terms).sum();
                let spans = spans.iter().map(|(span, sums)| {
                    let gradients = match (&sums.gradients, &device) {
                        (SummedGradients::OnDevice(sum), Some(device)) => {
                            Outline::Device(device.extents(*sum))
                        }
                        (on_host, _) => {
                            let kinds = on_host.gradient_kinds();
                            Outline::Host(kinds.expect("the sums of a rank are on one side"))
                        }
                    };
                    let &Sums { loss, squares, graphs, .. } = sums;
                    SpanStatus { span: span.clone(), loss, squares, graphs, gradients }
                });
                Self { terms, spans: spans.collect(), ..status }
            }
        }
    }

    /// Finds the first rank that does not take the same step as rank 0, and how it differs.
    pub(super) fn differences(all: &[Self]) -> Option<(usize, Vec<String>)> {
        let first = &all[0];
        all.iter().enumerate().find_map(|(rank, status)| {
            let Begun { kind, count, calls, .. } = status.begun;
            let of_first = first.begun;
            let kinds = (kind != of_first.kind)
                .then(|| format!("it takes {kind}, and rank 0 takes {}", of_first.kind));
            let calls = (calls != of_first.calls)
                .then(|| format!("it has begun {calls} steps, and rank 0 {}", of_first.calls));
            let count = (count != of_first.count).then(|| {
                format!("it has a step of {count} graphs, and rank 0 one of {}", of_first.count)
            });
            let settings = status.settings.iter().zip(&first.settings).filter(|(a, b)| a != b);
            let settings = settings.map(|((what, own), (_, known))| {
                format!("{what} is {own} on it and {known} on rank 0")
            });
            let differences: Vec<String> =
                [kinds, calls, count].into_iter().flatten().chain(settings).collect();
            (!differences.is_empty()).then_some((rank, differences))
        })
    }

    /// Whether something may have changed on this rank that was the same on all ranks.
    pub(super) fn is_changed(&self) -> bool {
        self.begun.is_changed
    }

    /// Whether a vertex of the rank's graphs may have had a loss.
    pub(super) fn has_seen_loss(&self) -> bool {
        self.begun.has_seen_loss
    }

    /// Finds the first rank that has failed, and takes its error.
    pub(super) fn take_failure(all: &mut [Self]) -> Option<(usize, Failure)> {
        (0..).zip(all).find_map(|(rank, status)| Some((rank, status.failure.take()?)))
    }

    /// Computes the sums over all ranks, without gradients.
    pub(super) fn sum<T: Element>(all: &[Self], tree: Tree) -> Sums<T> {
        let mut spans = all.iter().flat_map(|status| &status.spans).peekable();
        let mut of = |span: &Span| {
            let own = spans.next_if(|own| own.span == *span)?;
            Some((own.loss, own.squares, own.graphs))
        };
        let mut plus = |left: (f64, f64, usize), right: (f64, f64, usize)| {
            (left.0 + right.0, left.1 + right.1, left.2.saturating_add(right.2))
        };
        let (loss, squares, graphs) = tree.sum(&mut of, &mut plus);
        let terms = all.iter().fold(0, |sum, status| status.terms.saturating_add(sum));
        Sums { loss, squares, graphs, terms, ..Sums::of(SummedGradients::InEngine) }
    }

    /// Checks that each rank has summed the right spans, and that parameters of these shapes can have such gradients.
    /// `on_device` says whether all sums must be on devices or all on the host.
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

    /// The kinds of the gradients of all ranks, if they are on the host.
    pub(super) fn into_gradient_kinds(all: Vec<Self>) -> GradientKinds {
        outlines(all, |outline| match outline {
            Outline::Host(gradient_kinds) => gradient_kinds,
            Outline::Device(_) => Vec::new(),
        })
    }

    /// The extents of the gradients of all ranks, if they are on devices.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn differences(own: Begun) -> Vec<String> {
        let first = Begun { count: 8, calls: 3, ..Begun::default() };
        let all = [first, own].map(|begun| Status { begun, ..Status::default() });
        Status::differences(&all).map_or_else(Vec::new, |(rank, differences)| {
            assert_eq!(rank, 1);
            differences
        })
    }

    /// Not only the number of graphs is compared, but also the kind of the step and the number of calls.
    #[test]
    fn ranks_in_other_steps_differ() {
        let same = Begun {
            count: 8,
            calls: 3,
            is_changed: true,
            kind: StepKind::Given,
            has_seen_loss: true,
        };
        assert!(differences(same).is_empty());
        let behind = ["it has begun 2 steps, and rank 0 3"];
        assert_eq!(differences(Begun { calls: 2, ..same }), behind);
        let count = ["it has a step of 9 graphs, and rank 0 one of 8"];
        assert_eq!(differences(Begun { count: 9, ..same }), count);
        let grows = [
            "it takes a step of `grow_each_shared`, and rank 0 takes a step over graphs that do not grow",
        ];
        assert_eq!(differences(Begun { kind: StepKind::ToTheEnd, ..same }), grows);
    }
}
