//! What a trainer's engine has learned of its model.

use super::Trainer;
use edb_core::schedule::Policy;
use edb_kernels::element::Element;

impl<T: Element> Trainer<T> {
    /// As [`Engine::learned_policy`](edb_core::engine::Engine::learned_policy).
    pub fn learned_policy(&self) -> Option<Policy> {
        self.engine.learned_policy(&self.model)
    }

    /// As [`Engine::learned_growth`](edb_core::engine::Engine::learned_growth).
    pub fn learned_growth(&self) -> Option<Policy> {
        self.engine.learned_growth(&self.model)
    }

    /// As [`Engine::policy_report`](edb_core::engine::Engine::policy_report): which policy schedules its minibatches,
    /// why, and how a machine does since it was learned.
    pub fn policy_report(&self) -> String {
        self.engine.policy_report(&self.model)
    }
}
