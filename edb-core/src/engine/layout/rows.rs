//! Assigns a row to each vertex.

use std::ops::Range;

use edb_ir::FunctionId;

use super::dependencies::{Flags, is_scheduled};
use super::{Layout, TypeLayout};
use edb_model::graph::FlatBatch;
use edb_model::model::BoundModel;
use edb_schedule::{Proof, Schedule};

/// The order in which the vertices that follow the schedule run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Order<'a> {
    /// These functions run one after the other, each level by level.
    Levels(&'a [FunctionId]),
    /// A schedule gives the order. Its numbers are indices into this list of vertices.
    Schedule(&'a Schedule, &'a [u32]),
}

impl Layout {
    /// Numbers the rows of each function in the order in which they run. The vertices of a function that needs no
    /// schedule run as one batch, in the order of their numbers.
    pub(crate) fn number_rows(&mut self, model: &BoundModel, batch: &FlatBatch, order: Order<'_>) {
        self.batches.clear();
        self.rows.resize(batch.functions().len(), 0);
        match order {
            Order::Levels(functions) => self.number_levels(batch, functions),
            Order::Schedule(schedule, scheduled) => {
                self.number_schedule(model, batch, schedule, scheduled);
            }
        }
    }

    /// Sorts the vertices by function and level, with a counting sort.
    fn number_levels(&mut self, batch: &FlatBatch, functions: &[FunctionId]) {
        let levels = batch.levels();
        // For each function, where its levels begin in `next`, and a mask for the levels of its vertices. The
        // mask is 0 if the function needs no schedule: then all of its vertices count as one level.
        let mut first = Vec::new();
        std::mem::swap(&mut first, &mut self.level_places);
        first.clear();
        first.resize(self.types.len(), (0, 0));
        let mut places = 1;
        for &function in functions {
            first[function.index()] = (places, u32::MAX);
            places += levels.count(function);
        }
        for (place, _) in &mut first {
            if *place == 0 {
                *place = places;
                places += 1;
            }
        }
        let next = &mut self.next;
        next.clear();
        next.resize(places as usize, 0);
        let place = |(function, level): (&FunctionId, &u32)| {
            let (first, mask) = first[function.index()];
            (first + (level & mask)) as usize
        };
        batch.functions().iter().zip(&levels.levels).for_each(|of| next[place(of)] += 1);
        for &function in functions {
            let start = first[function.index()].0 as usize;
            let mut row = 0;
            for level in &mut next[start..start + levels.count(function) as usize] {
                let start = row;
                row += *level;
                *level = start;
                self.batches.push((function, start..row));
            }
            self.types[function].vertices.resize(row as usize, 0);
        }
        for (layout, &(place, mask)) in self.types.raw.iter_mut().zip(&first) {
            if mask == 0 {
                let rows = std::mem::take(&mut next[place as usize]);
                layout.vertices.resize(rows as usize, 0);
            }
        }
        let of = batch.functions().iter().zip(&levels.levels);
        for (vertex, (of, row)) in (0_u32..).zip(of.zip(&mut self.rows)) {
            let next = &mut next[place(of)];
            self.types[*of.0].vertices[*next as usize] = vertex;
            *row = *next;
            *next += 1;
        }
        self.level_places = first;
    }

    /// Returns the batches as a schedule. It numbers the vertices that follow the schedule consecutively.
    pub(crate) fn schedule(&self, proof: Option<Proof>) -> Schedule {
        let vertices = |(function, rows): &(FunctionId, Range<u32>)| {
            self.types[*function].vertices[rows.start as usize..rows.end as usize].to_vec()
        };
        let mut scheduled = self.batches.iter().flat_map(vertices).collect::<Vec<u32>>();
        scheduled.sort_unstable();
        let number = |vertex: &u32| scheduled.partition_point(|before| before < vertex) as u32;
        let mut schedule = Schedule::new();
        for batch in &self.batches {
            let batch_vertices: Vec<u32> = vertices(batch).iter().map(number).collect();
            schedule.push(batch.0.0, &batch_vertices);
        }
        match proof {
            Some(proof) => schedule.proved(proof),
            None => schedule,
        }
    }

    fn number_schedule(
        &mut self,
        model: &BoundModel,
        batch: &FlatBatch,
        schedule: &Schedule,
        scheduled: &[u32],
    ) {
        self.types.raw.iter_mut().for_each(|layout| layout.vertices.clear());
        for run in schedule.batches() {
            let function = FunctionId(run.vertex_type);
            let vertices = &mut self.types[function].vertices;
            let start = vertices.len() as u32;
            vertices.extend(schedule.vertices(run).iter().map(|v| scheduled[*v as usize]));
            self.batches.push((function, start..vertices.len() as u32));
        }
        let is_free =
            |(layout, function): (&TypeLayout, _)| !is_scheduled(function, layout.entangled);
        let free: Flags = self.types.iter().zip(&model.functions).map(is_free).collect();
        for (vertex, function) in batch.functions().iter().enumerate() {
            if free[function.index()] {
                self.types[*function].vertices.push(vertex as u32);
            }
        }
        for layout in &self.types {
            for (row, vertex) in layout.vertices.iter().enumerate() {
                self.rows[*vertex as usize] = row as u32;
            }
        }
    }
}
