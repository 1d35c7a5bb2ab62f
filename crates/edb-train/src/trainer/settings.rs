//! The settings between the backward pass and the optimiser: averaging, clipping, groups and the learning rate.

use edb_kernels::element::Element;
use edb_learn::learn::gradients::check_bounds;
use edb_learn::learn::group::{Assignment, most, tuned};
use edb_learn::learn::{Group, LearnError, Parameters, Plateau, RateSchedule, Scaling, Tuning};

/// The settings by which gradients become updates. Only factors are computed here; the optimiser multiplies
/// gradients by them in its pass over the parameters.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) clip_norm: Option<f64>,
    pub(super) clip_value: Option<f64>,
    pub(super) schedule: Option<RateSchedule>,
    pub(super) plateau: Option<Plateau>,
    /// Whether gradients are checked to be finite.
    pub(super) guarded: bool,
    /// The learning rate of the optimiser when the trainer was made; `first_groups` are the groups of that time.
    first_rate: f64,
    first_groups: Vec<Group>,
    groups: Vec<Group>,
    assigned: Assignment,
    tunings: Vec<Tuning>,
    /// For each parameter, the number of the norm that includes it. If its group is clipped separately, this is the
    /// number of the group; otherwise it is the last norm. `None` if the parameter is frozen.
    norm_of: Vec<Option<usize>>,
    /// For each norm, the value to which it is clipped; `None` if it is not clipped.
    most: Vec<Option<f64>>,
}

/// The name of the learning rate in [`Settings::at_first`]. A resumed run takes its value from its checkpoint.
pub(super) const LEARNING_RATE_SETTING: &str = "the learning rate";
/// The name of the groups in [`Settings::at_first`]. A resumed run takes its value from its checkpoint.
pub(super) const GROUPS_SETTING: &str = "the groups";

/// A setting as text; `none` if it is not set.
pub(super) fn or_none(setting: &Option<impl std::fmt::Debug>) -> String {
    setting.as_ref().map_or_else(|| "none".to_owned(), |setting| format!("{setting:?}"))
}

impl Settings {
    /// The default settings, for an optimiser with this learning rate.
    pub(super) fn new(rate: f64) -> Self {
        Self {
            clip_norm: None,
            clip_value: None,
            schedule: None,
            plateau: None,
            guarded: true,
            first_rate: rate,
            first_groups: Vec::new(),
            groups: Vec::new(),
            assigned: Assignment::default(),
            tunings: Vec::new(),
            norm_of: Vec::new(),
            most: Vec::new(),
        }
    }

    /// The settings that do not change after the trainer was made, as names and texts.
    pub(super) fn lasting(&self) -> [(&'static str, String); 4] {
        [
            ("the clipping of norms", or_none(&self.clip_norm)),
            ("the clipping of values", or_none(&self.clip_value)),
            ("the schedule of the learning rate", or_none(&self.schedule)),
            ("the check that gradients are finite", format!("{}", self.guarded)),
        ]
    }

    /// The first values of settings that may change after the trainer was made. Their current values are not
    /// settings of a run, but part of its state.
    pub(super) fn at_first(&self) -> [(&'static str, String); 3] {
        [
            (LEARNING_RATE_SETTING, self.first_rate.to_string()),
            (GROUPS_SETTING, format!("{:?}", self.first_groups)),
            ("the plateau", or_none(&self.plateau.as_ref().map(Plateau::settings))),
        ]
    }

    /// The current values of these settings, without the learning rate, which the optimiser has.
    pub(super) fn now(&self) -> [(&'static str, String); 2] {
        [(GROUPS_SETTING, format!("{:?}", self.groups)), ("the plateau", or_none(&self.plateau))]
    }

    /// The current groups, if they are not the groups with which the trainer was made.
    pub(super) fn later_groups(&self) -> Option<&Vec<Group>> {
        (self.groups != self.first_groups).then_some(&self.groups)
    }

    /// Sets the groups of a new trainer.
    pub(super) fn set_first_groups(&mut self, groups: Vec<Group>) {
        self.first_groups.clone_from(&groups);
        self.set_groups(groups);
    }

    /// Goes on with the groups of a resumed run: with the groups `later` that were set in it, or, without any, with
    /// the groups with which this trainer was made.
    pub(super) fn go_on_with_groups(&mut self, later: Option<Vec<Group>>) {
        let groups = later.unwrap_or_else(|| self.first_groups.clone());
        self.set_groups(groups);
    }

    /// Checks the clipping bounds, and the settings of the schedule, of the plateau and of the groups.
    ///
    /// # Errors
    /// For the first setting that is out of range.
    pub(super) fn check(&self) -> Result<(), LearnError> {
        check_bounds("Trainer", self.clip_norm, self.clip_value)?;
        self.schedule.as_ref().map_or(Ok(()), RateSchedule::check)?;
        self.plateau.as_ref().map_or(Ok(()), Plateau::check)?;
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

    /// The factor by which the learning rate of the optimiser is multiplied in a step.
    pub(super) fn rate(&self, step: u64) -> f64 {
        let scheduled = self.schedule.as_ref().map_or(1.0, |schedule| schedule.factor(step));
        scheduled * self.plateau.as_ref().map_or(1.0, Plateau::current)
    }

    /// The factor by which the learning rate of the optimiser is multiplied in a step for the parameter of this number;
    /// `None` if it is frozen.
    pub(super) fn rate_of<T: Element>(
        &mut self,
        number: usize,
        parameters: &Parameters<T>,
        step: u64,
    ) -> Option<f64> {
        let rate = self.rate(step);
        let group = self.assigned.get(&self.groups, parameters).ok()?.get(number)?;
        let plain =
            Tuning { scale: 1.0, bound: f64::INFINITY, rate, weight_decay: None, frozen: false };
        let tuning = group.map_or(plain, |group| tuned(&self.groups[group], plain));
        (!tuning.frozen).then_some(tuning.rate)
    }

    /// Returns the settings of each parameter in this step, for gradients that are averaged over `terms`, and how
    /// norms are clipped.
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
            group.map_or(tuning, |group| tuned(&groups[group], tuning))
        }));
        let is_clipped = |group: usize| most(&groups[group]).is_some();
        self.norm_of.clear();
        self.norm_of.extend(self.tunings.iter().zip(assigned).map(|(tuning, group)| {
            let norm = group.filter(|group| is_clipped(*group)).unwrap_or(groups.len());
            (!tuning.frozen).then_some(norm)
        }));
        self.most.clear();
        self.most.extend(groups.iter().map(most).chain([self.clip_norm]));
        let (norm_of, most, guarded) = (&self.norm_of[..], &self.most[..], self.guarded);
        Ok((&mut self.tunings, Scaling { mean, norm_of, most, guarded }))
    }
}
