//! The gradients of parameters on the device, and their transfer to the host when all are summed.

use std::sync::Arc;

use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::{Gradient, Gradients, ParameterId, Parameters};

use super::loss_scale::LossScale;
use crate::backend::launches::KernelSet;
use crate::driver::{Address, DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::Rows;
use crate::kernels::library::{Library, SumSparse};
use crate::kernels::optimizer::{AddRows, Optimizer};

/// The gradients of a minibatch's parameters, on the device.
#[derive(Debug, Default)]
pub(crate) struct GradientSums {
    pub(crate) dense: Vec<Dense>,
    pub(super) sparse: Vec<Sparse>,
    /// How many of `sparse` belong to this minibatch; the others are spare memory.
    pub(super) used: usize,
    /// The order of summation: which rows are summed, and into which.
    pub(crate) order: Option<DeviceMemory>,
}

/// The gradient of a parameter.
pub(crate) struct Sum<'a> {
    pub(crate) address: Address,
    /// For a sparse gradient, its width and its rows.
    pub(crate) rows: Option<(usize, &'a [u32])>,
}

pub(crate) const ORDER: &str = "it was made when the sums began";

/// A dense gradient of a parameter.
#[derive(Debug)]
pub(crate) struct Dense {
    pub(crate) parameter: ParameterId,
    /// The elements of the parameter.
    pub(crate) count: usize,
    pub(crate) memory: DeviceMemory,
    /// Whether it exists yet (`present`), and whether it did before this function (`added`).
    pub(crate) present: bool,
    pub(crate) added: bool,
}

/// A sparse gradient: some rows of a parameter.
#[derive(Debug)]
pub(super) struct Sparse {
    pub(crate) memory: DeviceMemory,
    pub(crate) parameter: ParameterId,
    pub(crate) width: usize,
    pub(crate) rows: Vec<u32>,
}

impl GradientSums {
    /// Asserts that there are sums of these parameters, if there are any: kernels read and write so many
    /// elements of each.
    ///
    /// # Panics
    /// When a step is taken over other parameters than those that have run.
    pub(crate) fn assert_fits<T: Element>(&self, parameters: &Parameters<T>) {
        let counts = parameters.iter().map(|(_, parameter)| parameter.len());
        let fits = self.dense.is_empty() || self.dense.iter().map(|sum| sum.count).eq(counts);
        assert!(fits, "the step is over other parameters than those that have run");
    }

    /// Discards all sums.
    pub(crate) fn forget(&mut self) {
        self.dense.iter_mut().for_each(|sum| sum.present = false);
        self.used = 0;
    }

    /// Makes an entry for each parameter.
    pub(crate) fn begin<T: Element>(
        &mut self,
        parameters: &Parameters<T>,
        driver: &Arc<dyn Driver>,
    ) {
        self.dense.truncate(parameters.len());
        for (id, parameter) in parameters.iter() {
            let count = parameter.len();
            match self.dense.get_mut(id.index()) {
                Some(sum) => (sum.parameter, sum.count) = (id, count),
                None => {
                    let memory = DeviceMemory::new(driver);
                    let (present, added) = (false, false);
                    self.dense.push(Dense { parameter: id, count, memory, present, added });
                }
            }
        }
        self.order.get_or_insert_with(|| DeviceMemory::new(driver));
    }

    /// Makes room for the dense gradient of a parameter; returns where.
    pub(crate) fn make_dense(
        &mut self,
        id: ParameterId,
        bytes: usize,
    ) -> Result<Address, GpuError> {
        let sum = &mut self.dense[id.index()];
        sum.memory.reserve(bytes.max(1))?;
        sum.present = true;
        Ok(sum.memory.address())
    }

    /// Makes room for rows, of this width, of the gradient of a parameter; returns where.
    pub(crate) fn make_sparse(
        &mut self,
        parameter: ParameterId,
        (width, rows): (usize, Vec<u32>),
        bytes: usize,
        driver: &Arc<dyn Driver>,
    ) -> Result<Address, GpuError> {
        if self.sparse.len() == self.used {
            let (memory, width, rows) = (DeviceMemory::new(driver), 0, Vec::new());
            self.sparse.push(Sparse { memory, parameter, width, rows });
        }
        let sum = &mut self.sparse[self.used];
        sum.memory.reserve(bytes.max(1))?;
        (sum.parameter, sum.width, sum.rows) = (parameter, width, rows);
        self.used += 1;
        Ok(sum.memory.address())
    }

    /// Whether anything was summed for a parameter.
    pub(crate) fn has(&self, id: ParameterId) -> bool {
        self.dense.get(id.index()).is_some_and(|sum| sum.present)
            || self.sparse[..self.used].iter().any(|sum| sum.parameter == id)
    }

    /// Combines the sums of a parameter, if there are any, into one: dense, or a single list of
    /// rows.
    pub(crate) fn settle<T: Element>(
        &mut self,
        id: ParameterId,
        library: &KernelSet<Library>,
        optimizer: &KernelSet<Optimizer>,
        driver: &Arc<dyn Driver>,
    ) -> Result<Option<Sum<'_>>, GpuError> {
        let adds = |sum: &&mut Sparse| sum.parameter == id && !sum.rows.is_empty();
        let dense = &self.dense[id.index()];
        if dense.present {
            for sum in self.sparse[..self.used].iter_mut().filter(adds) {
                let bytes: &[u8] = bytemuck::cast_slice(&sum.rows);
                let memory = self.order.as_mut().expect(ORDER);
                memory.reserve(bytes.len())?;
                driver.upload(bytes, memory.address())?;
                optimizer.launch(AddRows {
                    out: dense.memory.address(),
                    x: sum.memory.address(),
                    places: memory.address(),
                    rows: sum.rows.len(),
                    width: sum.width,
                })?;
                sum.rows.clear();
            }
            return Ok(Some(Sum { address: dense.memory.address(), rows: None }));
        }
        let mut lists: Vec<&mut Sparse> =
            self.sparse[..self.used].iter_mut().filter(adds).collect();
        if lists.len() > 1 {
            let width = lists[0].width;
            let size = width * size_of::<T>();
            let rows: usize = lists.iter().map(|sum| sum.rows.len()).sum();
            // Concatenate the lists, then sum equal rows as for any table.
            let (mut all, mut sum) = (DeviceMemory::new(driver), DeviceMemory::new(driver));
            all.reserve((rows * size).max(1))?;
            let (mut order, mut copied) = (Vec::with_capacity(rows), 0_u32);
            for list in &lists {
                let to = all.address() + (copied as usize * size) as u64;
                let bytes = list.rows.len() * size;
                if bytes > 0 {
                    driver.copy(list.memory.address(), to, bytes)?;
                }
                order.extend(list.rows.iter().copied().zip(copied..));
                copied += list.rows.len() as u32;
            }
            let (rows, tables) = sorted(order, self.order.as_mut().expect(ORDER), &**driver)?;
            sum.reserve((rows.len() * size).max(1))?;
            library.launch(SumSparse {
                out: sum.address(),
                x: Rows::same_row(all.address(), width, library.numbers.real),
                offsets: tables[0],
                order: tables[1],
                rows: rows.len(),
                width,
            })?;
            lists[1..].iter_mut().for_each(|list| list.rows.clear());
            (lists[0].memory, lists[0].rows) = (sum, rows);
        }
        let first = lists.into_iter().next();
        Ok(first.map(|sum| Sum {
            address: sum.memory.address(),
            rows: Some((sum.width, &sum.rows[..])),
        }))
    }

    /// Adds the sums to the gradients on the host, unscaled.
    pub(crate) fn add_to<T: Element + bytemuck::Pod>(
        &mut self,
        gradients: &mut Gradients<T>,
        scale: &LossScale,
        driver: &dyn Driver,
    ) -> Result<(), EngineError> {
        let download = |memory: &DeviceMemory, count: usize| {
            let mut values = vec![T::zero(); count];
            driver.download(memory.address(), bytemuck::cast_slice_mut(&mut values))?;
            scale.unscale(&mut values);
            Ok::<_, GpuError>(values)
        };
        for sum in self.dense.iter().filter(|sum| sum.present) {
            let values = download(&sum.memory, sum.count)?;
            gradients.add(sum.parameter, Gradient::Dense(values))?;
        }
        for sum in &self.sparse[..self.used] {
            let values = download(&sum.memory, sum.rows.len() * sum.width)?;
            let (width, rows) = (sum.width, sum.rows.clone());
            gradients.add(sum.parameter, Gradient::Rows { width, rows, values })?;
        }
        Ok(())
    }
}

/// Sorts pairs of a table row and a summand. Returns the distinct rows, and device addresses of:
/// the offset of each row's summands, the summands in the order of their rows, and the rows.
pub(crate) fn sorted(
    mut order: Vec<(u32, u32)>,
    memory: &mut DeviceMemory,
    driver: &dyn Driver,
) -> Result<(Vec<u32>, [Address; 3]), GpuError> {
    order.sort_unstable();
    let (mut rows, mut offsets): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
    for (position, &(row, _)) in order.iter().enumerate() {
        if rows.last() != Some(&row) {
            rows.push(row);
            offsets.push(position as u32);
        }
    }
    offsets.push(order.len() as u32);
    let lengths = [offsets.len(), order.len()];
    let mut all = offsets;
    all.extend(order.iter().map(|(_, summand)| *summand));
    all.extend_from_slice(&rows);
    memory.reserve(all.len() * 4)?;
    let start = memory.address();
    driver.upload(bytemuck::cast_slice(&all), start)?;
    let second = start + (lengths[0] * 4) as u64;
    Ok((rows, [start, second, second + (lengths[1] * 4) as u64]))
}
