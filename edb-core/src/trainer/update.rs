//! Between the backward pass and the optimiser: averaging, clipping, groups and the learning rate.

use crate::element::Element;
use crate::engine::backend::Scaling;
use crate::learn::gradients::{check_bounds, clip_factor};
use crate::learn::group::Assignment;
use crate::learn::{
    Gradients, Group, LearnError, ParameterId, Parameters, Plateau, RateSchedule, Tuning, Workers,
};

/// How gradients become updates. Only factors are computed here: the optimiser multiplies by them
/// in its pass.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) clip_norm: Option<f64>,
    pub(super) clip_value: Option<f64>,
    pub(super) schedule: Option<RateSchedule>,
    pub(super) plateau: Option<Plateau>,
    /// Whether gradients are checked to be finite.
    pub(super) guarded: bool,
    groups: Vec<Group>,
    assigned: Assignment,
    tunings: Vec<Tuning>,
    /// The sum of squares of each group that is clipped separately, and then that of all others.
    squares: Vec<f64>,
    /// For each parameter, the index of its sum in `squares`; `None` if it is frozen.
    norm_of: Vec<Option<usize>>,
    /// The greatest norm for each of `squares`; `None` if it is not clipped.
    most: Vec<Option<f64>>,
}

impl Update {
    pub(super) fn new() -> Self {
        Self {
            clip_norm: None,
            clip_value: None,
            schedule: None,
            plateau: None,
            guarded: true,
            groups: Vec::new(),
            assigned: Assignment::default(),
            tunings: Vec::new(),
            squares: Vec::new(),
            norm_of: Vec::new(),
            most: Vec::new(),
        }
    }

    /// Checks the clipping bounds and the settings of the groups.
    ///
    /// # Errors
    /// For the first setting that is out of range.
    pub(super) fn check(&self) -> Result<(), LearnError> {
        check_bounds("Trainer", self.clip_norm, self.clip_value)?;
        self.groups.iter().try_for_each(Group::check)
    }

    pub(super) fn set_groups(&mut self, groups: Vec<Group>) {
        self.groups = groups;
        self.assigned = Assignment::default();
    }

    /// The factor of the optimiser's learning rate in a step.
    pub(super) fn rate(&self, step: u64) -> f64 {
        let scheduled = self.schedule.as_ref().map_or(1.0, |schedule| schedule.factor(step));
        scheduled * self.plateau.as_ref().map_or(1.0, Plateau::current)
    }

    /// The settings of each parameter in this step, for gradients that are averaged over `terms`,
    /// without clipping of norms; and, for a back end that takes the step, how norms are clipped.
    pub(super) fn tune<T: Element>(
        &mut self,
        parameters: &Parameters<T>,
        terms: usize,
        step: u64,
    ) -> Result<(&[Tuning], Scaling<'_>), LearnError> {
        let mean = 1.0 / terms as f64;
        let rate = self.rate(step);
        let assigned = self.assigned.of(&self.groups, parameters)?;
        let (clip_value, groups) = (self.clip_value, &self.groups);
        self.tunings.clear();
        self.tunings.extend(assigned.iter().map(|group| {
            let group = group.map(|at| &groups[at]);
            let bound = group.and_then(|group| group.clip_value).or(clip_value);
            Tuning {
                scale: mean,
                bound: bound.unwrap_or(f64::INFINITY),
                rate: rate * group.map_or(1.0, |group| group.rate),
                weight_decay: group.and_then(|group| group.weight_decay),
                frozen: group.is_some_and(|group| group.frozen),
            }
        }));
        let apart = |at: usize| groups[at].clip_norm.is_some();
        self.norm_of.clear();
        self.norm_of.extend(self.tunings.iter().zip(assigned).map(|(tuning, group)| {
            let norm = group.filter(|at| apart(*at)).unwrap_or(groups.len());
            (!tuning.frozen).then_some(norm)
        }));
        self.most.clear();
        self.most.extend(groups.iter().map(|group| group.clip_norm).chain([self.clip_norm]));
        let (norm_of, most, guarded) = (&self.norm_of[..], &self.most[..], self.guarded);
        Ok((&self.tunings, Scaling { mean, norm_of, most, guarded }))
    }

    /// The settings of each parameter in this step, and the norm of the gradient of the mean over
    /// `terms`, if anything needs it: one pass that reads the gradients.
    pub(super) fn prepare<T: Element>(
        &mut self,
        parameters: &Parameters<T>,
        (gradients, terms): (&Gradients<T>, usize),
        step: u64,
        workers: &mut Workers<'_, T>,
    ) -> Result<(Option<f64>, &[Tuning]), LearnError> {
        let (_, scaling) = self.tune(parameters, terms, step)?;
        if !scaling.measures() {
            return Ok((None, &self.tunings));
        }
        let mean = scaling.mean;
        let squares = &mut self.squares;
        squares.clear();
        squares.resize(self.most.len(), 0.0);
        let mut all = 0.0;
        for (at, norm) in self.norm_of.iter().enumerate() {
            if let Some(norm) = *norm {
                let sum = gradients.get(ParameterId::new(at)).sum_of_squares(workers);
                squares[norm] += sum;
                all += sum;
            }
        }
        let norm = all.sqrt() * mean;
        // If all gradients are finite, so is the norm, unless the sum of squares exceeds the range.
        if self.guarded && !norm.is_finite() {
            gradients.check_finite()?;
        }
        for (tuning, norm) in self.tunings.iter_mut().zip(&self.norm_of) {
            if let Some((at, max)) = norm.and_then(|at| Some((at, self.most[at]?))) {
                tuning.scale *= clip_factor(squares[at].sqrt() * mean, max);
            }
        }
        Ok((Some(norm), &self.tunings))
    }
}
