//! Parts of gradients on the device, and the memory that keeps them.

use std::ops::Range;
use std::sync::Arc;

use edb_core::backend::{Extent, ShareSum};

use super::connection::Connected;
use super::rank_rows::RankRows;
use crate::driver::{Address, DeviceMemory, Driver};
use crate::error::GpuError;

/// The sums of shares, and the way to other ranks.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    /// For each [`ShareSum`], the gradient of each parameter.
    pub(crate) sums: Vec<Vec<GradientRows>>,
    pub(crate) pool: Pool,
    pub(crate) connected: Option<Connected>,
    /// Between `prepare` and `sum`.
    pub(crate) room: Option<Room>,
}

/// What a sum over ranks needs.
#[derive(Debug)]
pub(crate) struct Room {
    /// The sum of each parameter's gradient, whose values are where those of minibatches are
    /// otherwise.
    pub(crate) total: Vec<GradientRows>,
    /// What each rank sums, by parameter.
    pub(crate) cuts: Vec<Vec<RankRows>>,
    /// What this rank sums, with the ranks that have it.
    pub(crate) summands: Vec<(usize, Vec<GradientRows>)>,
    /// For those of other ranks.
    pub(crate) received: Arc<DeviceMemory>,
}

impl Shares {
    pub(crate) fn push(&mut self, sum: Vec<GradientRows>) -> ShareSum {
        self.sums.push(sum);
        ShareSum(self.sums.len() - 1)
    }
}

/// Memory for parts. What nobody refers to any more is handed out again, since the device does all
/// work in order.
#[derive(Debug, Default)]
pub(crate) struct Pool(Vec<Arc<DeviceMemory>>);

impl Pool {
    /// The smallest memory of at least so many bytes that is free. Where there is none, the largest
    /// that is free makes room for new memory, so that there are never more than are used at once.
    pub(crate) fn take(
        &mut self,
        bytes: usize,
        driver: &Arc<dyn Driver>,
    ) -> Result<Arc<DeviceMemory>, GpuError> {
        let free = self.0.iter().enumerate().filter(|(_, memory)| Arc::strong_count(memory) == 1);
        let (fitting, small): (Vec<_>, Vec<_>) =
            free.partition(|(_, memory)| memory.bytes() >= bytes);
        if let Some((_, memory)) = fitting.iter().min_by_key(|(_, memory)| memory.bytes()) {
            return Ok(Arc::clone(memory));
        }
        let largest = small.iter().max_by_key(|(_, memory)| memory.bytes());
        if let Some(number) = largest.map(|(number, _)| *number) {
            self.0.swap_remove(number);
        }
        let mut memory = DeviceMemory::new(driver);
        memory.reserve(bytes.max(1))?;
        let memory = Arc::new(memory);
        self.0.push(Arc::clone(&memory));
        Ok(memory)
    }
}

/// Some rows of the gradient of a parameter.
#[derive(Clone, Debug, Default)]
pub(crate) struct GradientRows {
    /// The rows of the parameter that it is about.
    pub(crate) rows: Range<usize>,
    /// The elements of a row.
    pub(crate) width: usize,
    /// Which of them have values.
    pub(crate) extent: Extent,
    /// Where the values are, one such row behind the other.
    pub(crate) address: Address,
    /// What keeps them, if it is memory of the pool.
    pub(crate) memory: Option<Arc<DeviceMemory>>,
}

impl GradientRows {
    /// The rows of a cut, with elements of `T`.
    pub(crate) fn cut<T>(&self, cut: &RankRows) -> Self {
        let before = cut.places_in(&self.extent).start * self.width * size_of::<T>();
        Self {
            rows: cut.rows.clone(),
            width: self.width,
            extent: cut.extent_of(&self.extent),
            address: self.address + before as Address,
            memory: self.memory.clone(),
        }
    }

    /// How many elements there are.
    pub(crate) fn elements(&self) -> usize {
        let rows = match &self.extent {
            Extent::Zero => 0,
            Extent::Dense => self.rows.len(),
            Extent::Rows(rows) => rows.len(),
        };
        rows * self.width
    }

    /// The bytes of its elements of `T`.
    pub(crate) fn bytes<T>(&self) -> usize {
        self.elements() * size_of::<T>()
    }
}
