//! Former names of methods, which are kept for a release.

use super::Trainer;
use edb_kernels::element::Element;
use edb_learn::collective::Collective;

impl<T: Element> Trainer<T> {
    /// The former name of [`skip_finite_check`](Self::skip_finite_check).
    #[deprecated(since = "0.3.0", note = "it is called `skip_finite_check` now")]
    #[must_use]
    pub fn unguarded(self) -> Self {
        self.skip_finite_check()
    }

    /// The former name of [`distributed`](Self::distributed).
    #[deprecated(since = "0.3.0", note = "it is called `distributed` now")]
    #[must_use]
    pub fn together(self, world: impl Collective + 'static, shares: usize) -> Self {
        self.distributed(world, shares)
    }

    /// Does nothing: parameters that no loss reaches are refused unless they are [allowed](Self::allow_unreached).
    #[deprecated(since = "0.3.0", note = "parameters that no loss reaches are refused by default")]
    #[must_use]
    pub fn refuse_unreached(self) -> Self {
        self
    }
}
