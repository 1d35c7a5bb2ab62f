//! The gradients of shares on the device, added up along a tree: those of this rank, then those of
//! all ranks.
//!
//! As on the host (`edb_core::collective`, `sum.rs`) each rank gets some rows of every parameter from
//! the others, sums them, and then gives the sum to the others. Here the values go from device to
//! device.

use std::sync::Arc;

use edb_core::backend::{Extent, ShareSum, ShareSums, Shared, Span};
use edb_core::collective::Collective;
use edb_core::element::Element;
use edb_core::engine::EngineError;
use edb_core::learn::Parameters;

use crate::backend::clock::Stage;
use crate::backend::device::GpuBackend;
use crate::backend::gradients::{Connected, GradientRows, RankRows, Room, Shares};
use crate::driver::{Address, DeviceMemory, Transfer};
use crate::error::GpuError;
use crate::kernels::optimizer::{LOSS, STATUS};

/// Where values begin that are received. What adds them reads one by one: of a parameter's own values,
/// the first that a rank sums may be anywhere.
const ALIGN: usize = 16;

/// Gradients of zero.
fn nothing<T: Element>(parameters: &Parameters<T>) -> Vec<GradientRows> {
    let part = |shape: &[usize]| {
        let (rows, width) =
            (0..shape.first().copied().unwrap_or(1), shape.iter().skip(1).product());
        GradientRows { rows, width, ..GradientRows::default() }
    };
    parameters.iter().map(|(_, parameter)| part(parameter.shape())).collect()
}

impl<T: Element + bytemuck::Pod> GpuBackend<T> {
    /// Copies what the minibatches of a share have left.
    fn copy_sums(&mut self, parameters: &Parameters<T>) -> Result<Vec<GradientRows>, GpuError> {
        self.sums.assert_fits(parameters);
        let mut parts = nothing(parameters);
        for ((id, _), part) in parameters.iter().zip(&mut parts) {
            let Self { sums, library, update, driver, shares, .. } = self;
            if !sums.has(id) {
                continue;
            }
            let settled = sums.settle::<T>(id, library, update.library(), driver)?;
            let Some(sum) = settled else {
                // The minibatch names no row of the table, but has its gradient.
                part.extent = Extent::Rows(Vec::new());
                continue;
            };
            part.extent = sum.rows.map_or(Extent::Dense, |(_, rows)| Extent::Rows(rows.to_vec()));
            let bytes = part.bytes::<T>();
            let memory = shares.pool.take(bytes, driver)?;
            if bytes > 0 {
                driver.copy(sum.address, memory.address(), bytes)?;
            }
            (part.address, part.memory) = (memory.address(), Some(memory));
        }
        Ok(parts)
    }

    fn add_sums(&mut self, to: ShareSum, other: ShareSum) -> Result<(), GpuError> {
        let [left, right] = [to, other].map(|sum| std::mem::take(&mut self.shares.sums[sum.0]));
        let pairs = left.into_iter().zip(right);
        let sum: Result<_, GpuError> = pairs.map(|(left, right)| self.plus(left, right)).collect();
        self.shares.sums[to.0] = sum?;
        Ok(())
    }

    fn sum_shares(&mut self, shared: &Shared<'_>) -> Result<(), GpuError> {
        let room = self.shares.room.take().expect("room is made for a sum");
        let Room { total, cuts, summands, received } = room;
        let rank = shared.world.rank();
        let summands = self.gather_summands(shared, &cuts, summands, received)?;
        let own = self.sum_up(shared, summands, total.len())?;
        for ((own, total), cut) in own.iter().zip(&total).zip(&cuts[rank]) {
            let to = total.cut::<T>(cut);
            if to.bytes::<T>() > 0 {
                self.driver.copy(own.address, to.address, to.bytes::<T>())?;
            }
        }
        self.scatter_sums(&total, &cuts, rank)?;
        let mut status = [0.0; STATUS];
        status[LOSS] = shared.loss;
        self.driver.upload(bytemuck::cast_slice(&status), self.update.status.address())
    }

    /// Makes room for the sum of all shares where the gradients of minibatches are otherwise.
    fn make_room(
        &mut self,
        shared: &Shared<'_>,
        parameters: &Parameters<T>,
    ) -> Result<Vec<GradientRows>, GpuError> {
        let mut total = nothing(parameters);
        self.sums.forget();
        self.sums.begin(parameters, &self.driver);
        for ((id, parameter), part) in parameters.iter().zip(&mut total) {
            let extents = shared.spans.iter().flatten().map(|(_, extents)| &extents[id.index()]);
            // Kernels write the rows that they name.
            for extent in extents {
                assert!(
                    extent.fits(parameter.shape()),
                    "gradient rows that {} has",
                    parameter.name()
                );
            }
            let mut spans = shared.spans.iter().flatten().peekable();
            let mut of = |span: &Span| {
                let (_, extents) = spans.next_if(|(own, _)| own == span)?;
                Some(extents[id.index()].clone())
            };
            part.extent = shared.tree.sum(&mut of, &mut |left, right| left.plus(&right));
            part.address = match &part.extent {
                Extent::Zero => continue,
                Extent::Dense => self.sums.make_dense(id, part.bytes::<T>())?,
                Extent::Rows(rows) => {
                    let (width, rows, bytes) = (part.width, rows.clone(), part.bytes::<T>());
                    self.sums.make_sparse(id, (width, rows), bytes, &self.driver)?
                }
            };
        }
        Ok(total)
    }

    /// What this rank sums: for each span of all ranks, in order, with the rank that has it, the part
    /// of each parameter's gradient; and how many bytes it receives. Parts of other ranks are counted
    /// from the beginning of these.
    fn place_summands(
        &self,
        shared: &Shared<'_>,
        total: &[GradientRows],
        own: &[RankRows],
    ) -> (Vec<(usize, Vec<GradientRows>)>, usize) {
        let rank = shared.world.rank();
        let (mut summands, mut bytes) = (Vec::new(), 0);
        for (from, spans) in shared.spans.iter().enumerate() {
            for (place, (_, extents)) in spans.iter().enumerate() {
                if from == rank {
                    let sum = self.shares.sums[shared.mine[place].0].iter();
                    let parts = sum.zip(own).map(|(part, cut)| part.cut::<T>(cut));
                    summands.push((from, parts.collect()));
                    continue;
                }
                let parts = total.iter().zip(own).zip(extents).map(|((whole, cut), extent)| {
                    let (rows, extent) = (cut.rows.clone(), cut.extent_of(extent));
                    let (width, address) = (whole.width, bytes as Address);
                    let part = GradientRows { rows, width, extent, address, memory: None };
                    bytes += part.bytes::<T>().next_multiple_of(ALIGN);
                    part
                });
                summands.push((from, parts.collect()));
            }
        }
        (summands, bytes)
    }

    /// Sends the other ranks what they sum, and gets what this one sums from them.
    fn gather_summands(
        &mut self,
        shared: &Shared<'_>,
        cuts: &[Vec<RankRows>],
        mut summands: Vec<(usize, Vec<GradientRows>)>,
        memory: Arc<DeviceMemory>,
    ) -> Result<Vec<Vec<GradientRows>>, GpuError> {
        let (rank, ranks) = (shared.world.rank(), shared.world.ranks());
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        for to in others(rank, ranks) {
            for sum in shared.mine {
                for (part, cut) in self.shares.sums[sum.0].iter().zip(&cuts[to]) {
                    push::<T>(&mut sent, to, &part.cut::<T>(cut));
                }
            }
        }
        for (from, parts) in summands.iter_mut().filter(|(from, _)| *from != rank) {
            for part in parts {
                part.address += memory.address();
                part.memory = Some(Arc::clone(&memory));
                push::<T>(&mut received, *from, part);
            }
        }
        if ranks > 1 {
            self.connected().exchange(&sent, &received)?;
        }
        Ok(summands.into_iter().map(|(_, parts)| parts).collect())
    }

    /// The sum of what each span has, by parameter.
    fn sum_up(
        &mut self,
        shared: &Shared<'_>,
        mut summands: Vec<Vec<GradientRows>>,
        parameters: usize,
    ) -> Result<Vec<GradientRows>, GpuError> {
        let mut sums = Vec::with_capacity(parameters);
        for number in 0..parameters {
            let spans = shared.spans.iter().flatten().map(|(span, _)| span);
            let mut leaves = spans.zip(&mut summands).peekable();
            let mut of = |span: &Span| {
                let (_, parts) = leaves.next_if(|(own, _)| *own == span)?;
                Some(Ok(std::mem::take(&mut parts[number])))
            };
            let sum =
                shared.tree.sum(&mut of, &mut |left: Result<GradientRows, GpuError>, right| {
                    self.plus(left?, right?)
                });
            sums.push(sum?);
        }
        Ok(sums)
    }

    /// Gives the other ranks what this one has summed, and gets the other sums from them.
    fn scatter_sums(
        &self,
        total: &[GradientRows],
        cuts: &[Vec<RankRows>],
        rank: usize,
    ) -> Result<(), GpuError> {
        let ranks = cuts.len();
        if ranks == 1 {
            return Ok(());
        }
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        for other in others(rank, ranks) {
            for (number, part) in total.iter().enumerate() {
                push::<T>(&mut sent, other, &part.cut::<T>(&cuts[rank][number]));
                push::<T>(&mut received, other, &part.cut::<T>(&cuts[other][number]));
            }
        }
        self.connected().exchange(&sent, &received)
    }

    fn connected(&self) -> &Connected {
        self.shares.connected.as_ref().expect("several ranks are connected before they exchange")
    }
}

/// All other ranks, beginning with the next one.
fn others(rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
    (1..ranks).map(move |step| (rank + step) % ranks)
}

/// Adds a part to what is exchanged with a rank, if it has values.
fn push<T>(list: &mut Vec<Transfer>, rank: usize, part: &GradientRows) {
    let bytes = part.bytes::<T>();
    if bytes > 0 {
        list.push(Transfer { rank, address: part.address, bytes });
    }
}

impl<T: Element + bytemuck::Pod> ShareSums<T> for GpuBackend<T> {
    fn begin(&mut self) {
        self.shares.sums.clear();
        // What a step has left that has failed.
        self.shares.room = None;
        self.clock.clear();
    }

    fn set_aside(&mut self, parameters: &Parameters<T>) -> Result<(ShareSum, f64), EngineError> {
        let parts = self.copy_sums(parameters)?;
        self.clock.enter(Stage::Idle)?;
        let loss = self.update.status(&*self.driver)?[LOSS];
        Ok((self.shares.push(parts), loss))
    }

    fn nothing(&mut self, parameters: &Parameters<T>) -> ShareSum {
        self.shares.push(nothing(parameters))
    }

    fn extents(&self, of: ShareSum) -> Vec<Extent> {
        self.shares.sums[of.0].iter().map(|part| part.extent.clone()).collect()
    }

    fn add(&mut self, to: ShareSum, other: ShareSum) -> Result<(), EngineError> {
        Ok(self.add_sums(to, other)?)
    }

    fn connect(&mut self, world: &Arc<dyn Collective>) -> Result<(), EngineError> {
        let Shares { connected, .. } = &mut self.shares;
        if world.ranks() > 1 && connected.as_ref().is_none_or(|to| !to.is_to(world)) {
            *connected = Some(Connected::new(&self.driver, world)?);
        }
        Ok(())
    }

    fn prepare(
        &mut self,
        shared: &Shared<'_>,
        parameters: &Parameters<T>,
        loss_scale: f64,
    ) -> Result<(), EngineError> {
        // A rank without graphs has not begun to run.
        self.parameters.upload(parameters)?;
        self.loss_scale.set(loss_scale, self.library.numbers, &*self.driver)?;
        self.prepare_update()?;
        let total = self.make_room(shared, parameters)?;
        // What each rank sums, by parameter.
        let (rank, ranks) = (shared.world.rank(), shared.world.ranks());
        let cuts: Vec<Vec<RankRows>> = (0..ranks)
            .map(|rank| {
                let cut =
                    |part: &GradientRows| RankRows::of(&part.extent, part.rows.len(), rank, ranks);
                total.iter().map(cut).collect()
            })
            .collect();
        let (summands, bytes) = self.place_summands(shared, &total, &cuts[rank]);
        let received = self.shares.pool.take(bytes, &self.driver)?;
        self.shares.room = Some(Room { total, cuts, summands, received });
        Ok(())
    }

    fn sum(&mut self, shared: &Shared<'_>) -> Result<(), EngineError> {
        // After an error, other ranks may still wait for what this one has not sent.
        let summed = self.sum_shares(shared).inspect_err(|_| self.shares.connected = None);
        Ok(summed?)
    }
}
