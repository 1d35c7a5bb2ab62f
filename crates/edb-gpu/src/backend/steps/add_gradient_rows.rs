//! How parts of gradients are added.

use std::sync::Arc;

use edb_core::backend::Extent;
use edb_core::element::Element;

use crate::backend::device::GpuBackend;
use crate::backend::gradients::GradientRows;
use crate::driver::DeviceMemory;
use crate::error::GpuError;
use crate::kernels::library::Add;
use crate::kernels::optimizer::AddRows;

impl<T: Element + bytemuck::Pod> GpuBackend<T> {
    /// The sum of two parts about the same rows. The values of either may be overwritten.
    pub(super) fn plus(
        &mut self,
        left: GradientRows,
        right: GradientRows,
    ) -> Result<GradientRows, GpuError> {
        match (&left.extent, &right.extent) {
            (_, Extent::Zero) => Ok(left),
            (Extent::Zero, _) => Ok(right),
            (Extent::Dense, Extent::Dense) => {
                let (out, x, width) = (left.address, right.address, left.elements());
                self.library.launch(Add { out, x, width, added: true })?;
                Ok(left)
            }
            // Addition of floating-point numbers commutes, so the dense one may be the target.
            (Extent::Dense, Extent::Rows(_)) => self.add_rows(left, &right),
            (Extent::Rows(_), Extent::Dense) => self.add_rows(right, &left),
            (Extent::Rows(_), Extent::Rows(_)) => {
                let extent = left.extent.plus(&right.extent);
                let mut sum = GradientRows { extent, memory: None, ..left.clone() };
                let bytes = sum.bytes::<T>();
                let memory = self.shares.pool.take(bytes, &self.driver)?;
                sum.address = memory.address();
                sum.memory = Some(memory);
                if bytes > 0 {
                    self.driver.clear(sum.address, bytes)?;
                }
                let sum = self.add_rows(sum, &left)?;
                self.add_rows(sum, &right)
            }
        }
    }

    /// Adds rows to those of another part, which has them all; returns that.
    fn add_rows(
        &mut self,
        to: GradientRows,
        part: &GradientRows,
    ) -> Result<GradientRows, GpuError> {
        let Extent::Rows(rows) = &part.extent else { unreachable!("they are rows") };
        if part.elements() > 0 {
            let place = |row: &u32| match &to.extent {
                Extent::Rows(all) => all.binary_search(row).expect("it is one of all") as u32,
                _ => row - to.rows.start as u32,
            };
            let list = self.list(&rows.iter().map(place).collect::<Vec<u32>>())?;
            let (out, x, rows, width) = (to.address, part.address, rows.len(), part.width);
            self.update.library().launch(AddRows {
                out,
                x,
                places: list.address(),
                rows,
                width,
            })?;
        }
        Ok(to)
    }

    /// Brings a list to the device.
    fn list(&mut self, numbers: &[u32]) -> Result<Arc<DeviceMemory>, GpuError> {
        let memory = self.shares.pool.take(size_of_val(numbers), &self.driver)?;
        self.driver.upload(bytemuck::cast_slice(numbers), memory.address())?;
        Ok(memory)
    }
}
