//! Plans a wave: the batches of the vertices that growing graphs have got.

use edb_ir::FunctionId;

use crate::engine::error::EngineError;
use crate::engine::layout::dependencies::Flags;
use crate::engine::layout::type_graph::type_graph;
use crate::engine::pass::runner::Runner;
use edb_kernels::element::Element;
use edb_model::graph::{ABSENT, FlatBatch, Levels};
use edb_model::model::Model;

/// The batches of a wave. Since waves are many and small, each wave reuses the memory of the last plan.
#[derive(Debug, Default)]
pub(crate) struct WavePlan {
    /// The vertices that are scheduled, batch by batch. They ascend in each batch.
    pub(crate) vertices: Vec<u32>,
    /// For each batch, its function and how many vertices it has.
    pub(crate) batches: Vec<(FunctionId, u32)>,
    /// The vertices that need no schedule.
    pub(crate) unscheduled: Vec<u32>,
    levels: Levels,
    /// For each function that follows the schedule, where its levels begin in `next`.
    starts: Vec<u32>,
    /// For each level, where its next vertex goes in `vertices`.
    next: Vec<u32>,
}

impl WavePlan {
    pub(crate) fn clear(&mut self) {
        self.vertices.clear();
        self.batches.clear();
        self.unscheduled.clear();
    }

    /// Appends a batch.
    pub(crate) fn push(&mut self, function: u16, vertices: &[u32]) {
        self.vertices.extend_from_slice(vertices);
        self.batches.push((FunctionId(function), vertices.len() as u32));
    }

    /// Plans all vertices from `first` on. Those of functions that are `scheduled` are planned in batches.
    pub(crate) fn make<T: Element>(
        &mut self,
        runner: &mut Runner<'_, T>,
        model: &Model<T>,
        batch: &FlatBatch,
        first: u32,
        scheduled: &Flags,
    ) -> Result<(), EngineError> {
        self.clear();
        let end = batch.functions().len() as u32;
        let is_free = |vertex: &u32| !scheduled[batch.functions()[*vertex as usize].index()];
        self.unscheduled.extend((first..end).filter(is_free));
        if runner.planner.is_free() && self.by_levels(batch, first, scheduled) {
            return Ok(());
        }
        let (graph, vertices) = type_graph(model.bound(), batch, first..end, scheduled);
        let types = &model.bound().signature;
        let schedule = match first {
            0 => runner.planner.schedule(types, &graph)?,
            _ => runner.planner.schedule_later_wave(types, &graph)?,
        };
        self.vertices.extend(schedule.order().iter().map(|number| vertices[*number as usize]));
        let batches = schedule.batches().iter();
        self.batches.extend(batches.map(|run| (FunctionId(run.vertex_type), run.end - run.start)));
        Ok(())
    }

    /// Finds the levels of the vertices from `first` on, as if there were no earlier vertices.
    fn level(&mut self, batch: &FlatBatch, first: u32, functions: usize) {
        self.levels.restart(functions);
        let here = |vertex: u32| match vertex {
            ABSENT => None,
            vertex if vertex < first => None,
            vertex => Some(((vertex - first) as usize, batch.functions()[vertex as usize])),
        };
        for vertex in first..batch.functions().len() as u32 {
            let function = batch.functions()[vertex as usize];
            match batch.levels().feeds {
                true => self.levels.push(function, batch.dependencies(vertex).filter_map(here)),
                false => {
                    let children = batch.children(vertex).iter().copied();
                    self.levels.push(function, children.filter_map(here));
                }
            }
        }
    }

    /// Plans one function after the other, level by level, and returns true. No schedule has fewer batches. Plans
    /// nothing and returns false if a function depends on itself through other functions.
    fn by_levels(&mut self, batch: &FlatBatch, first: u32, scheduled: &Flags) -> bool {
        let levels = match first {
            // The vertices with which the graphs begin were checked like a minibatch, so their levels are known.
            0 => batch.levels(),
            _ => {
                self.level(batch, first, scheduled.len());
                &self.levels
            }
        };
        let Some(order) = levels.order(scheduled) else { return false };
        self.starts.clear();
        self.starts.resize(scheduled.len(), u32::MAX);
        let mut places = 0;
        for function in &order {
            self.starts[function.index()] = places;
            places += levels.count(*function);
        }
        self.next.clear();
        self.next.resize(places as usize, 0);
        let functions = &batch.functions()[first as usize..];
        let place = |(function, level): (&FunctionId, &u32)| match self.starts[function.index()] {
            u32::MAX => None,
            start => Some((start + level) as usize),
        };
        let of_vertices = || functions.iter().zip(&levels.levels).map(place);
        of_vertices().flatten().for_each(|place| self.next[place] += 1);
        for function in &order {
            let start = self.starts[function.index()] as usize;
            let counts = &self.next[start..start + levels.count(*function) as usize];
            self.batches.extend(counts.iter().map(|count| (*function, *count)));
        }
        let mut end = 0;
        for next in &mut self.next {
            end += std::mem::replace(next, end);
        }
        self.vertices.resize(end as usize, 0);
        for (vertex, place) in (first..).zip(of_vertices()) {
            let Some(place) = place else { continue };
            self.vertices[self.next[place] as usize] = vertex;
            self.next[place] += 1;
        }
        true
    }
}
