//! Between the backward pass and the optimiser: averaging, clipping, groups and the learning rate.

use edb_kernels::element::Element;
use edb_learn::learn::gradients::check_bounds;
use edb_learn::learn::group::Assignment;
use edb_learn::learn::{Group, LearnError, Parameters, Plateau, RateSchedule, Scaling, Tuning};

/// The settings by which gradients become updates. Only factors are computed here: the optimiser
/// multiplies by them in its pass.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) clip_norm: Option<f64>,
    pub(super) clip_value: Option<f64>,
    pub(super) schedule: Option<RateSchedule>,
    pub(super) plateau: Option<Plateau>,
    /// Whether gradients are checked to be finite.
    pub(super) guarded: bool,
    groups: Vec<Group>,
    assigned: Assignment,
    tunings: Vec<Tuning>,
    /// For each parameter the number of the norm that includes it: its group's, if the group is
    /// clipped separately, or else the last one; `None` if it is frozen.
    norm_of: Vec<Option<usize>>,
    /// The maximum of each norm; `None` if it is not clipped.
    most: Vec<Option<f64>>,
}

impl Settings {
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
            norm_of: Vec::new(),
            most: Vec::new(),
        }
    }

    /// All settings, as text: what each is, and its value.
    pub(super) fn texts(&self) -> [(&'static str, String); 6] {
        [
            ("the clipping of norms", format!("{:?}", self.clip_norm)),
            ("the clipping of values", format!("{:?}", self.clip_value)),
            ("the schedule", format!("{:?}", self.schedule)),
            ("the plateau", format!("{:?}", self.plateau)),
            ("the guard", format!("{:?}", self.guarded)),
            ("the groups", format!("{:?}", self.groups)),
        ]
    }

    /// Checks the clipping bounds and the settings of the groups.
    ///
    /// # Errors
    /// For the first setting that is out of range.
    pub(super) fn check(&self) -> Result<(), LearnError> {
        check_bounds("Trainer", self.clip_norm, self.clip_value)?;
        self.groups.iter().try_for_each(Group::check)
    }

    /// Whether a norm is clipped in the step that settings were last [tuned](Self::tune) for.
    pub(super) fn clips_norms(&self) -> bool {
        self.most.iter().any(Option::is_some)
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
    /// without clipping of norms; and how norms are clipped.
    pub(super) fn tune<T: Element>(
        &mut self,
        parameters: &Parameters<T>,
        terms: usize,
        step: u64,
    ) -> Result<(&mut [Tuning], Scaling<'_>), LearnError> {
        let mean = 1.0 / terms as f64;
        let rate = self.rate(step);
        let assigned = self.assigned.get(&self.groups, parameters)?;
        let (clip_value, groups) = (self.clip_value, &self.groups);
        self.tunings.clear();
        self.tunings.extend(assigned.iter().map(|group| {
            let bound = clip_value.unwrap_or(f64::INFINITY);
            let tuning = Tuning { scale: mean, bound, rate, weight_decay: None, frozen: false };
            group.map_or(tuning, |group| groups[group].tuned(tuning))
        }));
        let is_clipped = |group: usize| groups[group].most().is_some();
        self.norm_of.clear();
        self.norm_of.extend(self.tunings.iter().zip(assigned).map(|(tuning, group)| {
            let norm = group.filter(|group| is_clipped(*group)).unwrap_or(groups.len());
            (!tuning.frozen).then_some(norm)
        }));
        self.most.clear();
        self.most.extend(groups.iter().map(Group::most).chain([self.clip_norm]));
        let (norm_of, most, guarded) = (&self.norm_of[..], &self.most[..], self.guarded);
        Ok((&mut self.tunings, Scaling { mean, norm_of, most, guarded }))
    }
}
