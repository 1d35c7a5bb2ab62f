//! Why a schedule has as many batches as it has.

use std::fmt;

use super::Schedule;
use crate::error::ScheduleError;
use crate::graph::{Labels, Signature, TypeGraph};

/// How many splits of a type are printed at most.
const MAX_SHOWN_SPLITS: usize = 3;

/// Why a schedule has as many batches as it has: [`Schedule::explain`]. It displays as readable
/// text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The number of batches.
    pub batches: usize,
    /// The lower bound on the number of batches of any schedule.
    pub lower_bound: usize,
    /// Whether it is known that no schedule has fewer batches: the schedule reaches the lower bound or carries
    /// a proof. Otherwise a shorter schedule may exist or not.
    pub optimal: bool,
    /// The number of [steps](Schedule::steps), if batches of different types that do not depend on
    /// each other run together.
    pub steps: usize,
    /// The least number of steps: the most vertices on one path, of any types.
    pub critical_path: usize,
    /// The types with vertices, by type.
    pub types: Vec<TypeExplanation>,
    /// If a machine chose: how it did.
    pub by_machine: Option<ByMachine>,
}

/// How a machine chose the batches of a schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ByMachine {
    /// How many batches it chose among several types.
    pub choices: usize,
    /// How many of these it chose in a state that learning has not seen.
    pub unseen: usize,
    /// For each batch, in which states the type that was chosen and the next best one were, as a sentence.
    pub reasons: Vec<String>,
}

/// The batches of one type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TypeExplanation {
    /// The type.
    pub vertex_type: u16,
    /// Its name.
    pub name: String,
    /// Its vertices.
    pub vertices: usize,
    /// The batches of the type.
    pub batches: usize,
    /// The least number of batches: the most vertices of the type on one path, Depth(G_t) of
    /// ED-Batch, appendix A.3.
    pub needed: usize,
    /// The batches that were not needed: each ran while vertices that could have joined it waited for other
    /// types.
    pub splits: Vec<Split>,
}

/// A batch that did not lower the number of batches that its type still needs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Split {
    /// The number of the batch in the schedule.
    pub batch: usize,
    /// How many vertices of the type were held up, that is, the vertices at the greatest own-type height that
    /// had not run.
    pub held_up: usize,
    /// One of these vertices.
    pub vertex: u32,
    /// What that vertex waited for; `None` if it was ready and the schedule left it out.
    pub blocker: Option<Blocker>,
}

/// What held up a vertex.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Blocker {
    /// The last of the vertex's children to run.
    pub child: u32,
    /// The name of the type of that child.
    pub child_type: String,
    /// The batch that ran the child: that of the split, or a later one.
    pub batch: usize,
}

impl Schedule {
    /// Explains the schedule of `graph`. It compares the number of batches with the lower bound, and names the
    /// edges that held up each type that has more batches than it needs.
    ///
    /// # Errors
    ///
    /// If this is not a schedule of the graph.
    pub fn explain(
        &self,
        graph: &TypeGraph,
        types: &Signature,
    ) -> Result<Explanation, ScheduleError> {
        let steps = self.steps(graph)?.len();
        let critical_path = graph.depths().iter().max().map_or(0, |&depth| depth as usize + 1);
        let heights = Labels::new(graph).heights.own;
        let mut batch_of = vec![0; graph.len()];
        for (number, batch) in self.batches().iter().enumerate() {
            for &vertex in self.vertices(batch) {
                batch_of[vertex as usize] = number;
            }
        }
        // For each type, its vertices by descending height.
        let mut of_type: Vec<Vec<u32>> = vec![Vec::new(); usize::from(graph.type_count())];
        for (vertex, &vertex_type) in (0..).zip(graph.types()) {
            of_type[usize::from(vertex_type)].push(vertex);
        }
        let mut explained = Vec::new();
        for (vertex_type, vertices) in (0..=u16::MAX).zip(&mut of_type) {
            vertices.sort_by_key(|&vertex| std::cmp::Reverse(heights[vertex as usize]));
            let Some(&first) = vertices.first() else { continue };
            let own = self.batches().iter().enumerate();
            let own: Vec<usize> = own
                .filter(|(_, batch)| batch.vertex_type == vertex_type)
                .map(|(number, _)| number)
                .collect();
            explained.push(TypeExplanation {
                vertex_type,
                name: types.name(vertex_type),
                vertices: vertices.len(),
                batches: own.len(),
                needed: heights[first as usize] as usize,
                splits: splits(graph, types, vertices, &heights, &batch_of, &own),
            });
        }
        let lower_bound = explained.iter().map(|of_type| of_type.needed).sum();
        let optimal = self.len() == lower_bound || self.is_proved();
        Ok(Explanation {
            batches: self.len(),
            lower_bound,
            optimal,
            steps,
            critical_path,
            types: explained,
            by_machine: None,
        })
    }
}

/// Of the batches `own` of a type, the ones after which not all its vertices of the greatest remaining height
/// had run. `vertices` are the vertices of the type, by descending height.
fn splits(
    graph: &TypeGraph,
    types: &Signature,
    vertices: &[u32],
    heights: &[u32],
    batch_of: &[usize],
    own: &[usize],
) -> Vec<Split> {
    let mut splits = Vec::new();
    let mut levels = vertices.chunk_by(|&a, &b| heights[a as usize] == heights[b as usize]);
    let mut level = levels.next().unwrap_or(&[]);
    for &batch in own {
        // A type needs one batch for each height. So each batch either completes a height or splits it.
        let late = |&&vertex: &&u32| batch_of[vertex as usize] > batch;
        let held_up = level.iter().filter(late).count();
        let Some(&vertex) = level.iter().find(late) else {
            level = levels.next().unwrap_or(&[]);
            continue;
        };
        let blocker = blocker(graph, types, vertex, batch, batch_of);
        splits.push(Split { batch, held_up, vertex, blocker });
    }
    splits
}

/// Finds what a vertex waited for when a batch ran: the last of its children to run, unless the child ran
/// before the batch.
fn blocker(
    graph: &TypeGraph,
    types: &Signature,
    vertex: u32,
    batch: usize,
    batch_of: &[usize],
) -> Option<Blocker> {
    let runs = |&child: &u32| (batch_of[child as usize], std::cmp::Reverse(child));
    let child = graph.children(vertex).iter().copied().max_by_key(runs)?;
    let child_type = types.name(graph.vertex_type(child));
    let blocker = Blocker { child, child_type, batch: batch_of[child as usize] };
    (blocker.batch >= batch).then_some(blocker)
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { batch, held_up, vertex, blocker } = self;
        write!(f, "batch {batch} ran without {held_up} more: vertex {vertex} ")?;
        match blocker {
            Some(Blocker { child, child_type, batch }) => write!(
                f,
                "waited for its child {child} (`{child_type}`), which ran in batch {batch}."
            ),
            None => write!(f, "was ready, but the policy left it out."),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { batches, lower_bound, .. } = self;
        if batches == lower_bound {
            writeln!(f, "{batches} batches: no schedule has fewer, as {lower_bound} are needed.")?;
        } else if self.optimal {
            writeln!(
                f,
                "{batches} batches: no schedule has fewer, as a search that left nothing out has \
                 shown; counted by type, {lower_bound} are needed."
            )?;
        } else {
            writeln!(
                f,
                "{batches} batches, {} more than the {lower_bound} that are needed at least; \
                 whether fewer suffice is not known.",
                batches - lower_bound
            )?;
        }
        writeln!(
            f,
            "Run together where they do not wait for each other, these batches are {} steps; the \
             critical path has {}.",
            self.steps, self.critical_path
        )?;
        if let Some(ByMachine { choices, unseen, .. }) = &self.by_machine {
            writeln!(
                f,
                "A machine chose {choices} of the batches among several types, {unseen} of them in a state that learning \
                 has not seen."
            )?;
        }
        for of_type in &self.types {
            let TypeExplanation { name, vertices, batches, needed, splits, .. } = of_type;
            let plural = |count: &usize, one: &'static str, many: &'static str| {
                if *count == 1 { one } else { many }
            };
            let of_vertices = plural(vertices, "vertex", "vertices");
            let of_batches = plural(batches, "batch", "batches");
            write!(f, "- `{name}`: {vertices} {of_vertices} in {batches} {of_batches}")?;
            if batches == needed {
                writeln!(f, ", as few as can be.")?;
                continue;
            }
            writeln!(f, "; {needed} would do if nothing of another type held any up:")?;
            for split in splits.iter().take(MAX_SHOWN_SPLITS) {
                write!(f, "  - {split}")?;
                let reasons = self.by_machine.as_ref().map(|by| &by.reasons);
                if let Some(reason) = reasons.and_then(|reasons| reasons.get(split.batch)) {
                    write!(f, " {reason}")?;
                }
                writeln!(f)?;
            }
            if splits.len() > MAX_SHOWN_SPLITS {
                writeln!(f, "  - and {} batches more.", splits.len() - MAX_SHOWN_SPLITS)?;
            }
        }
        let split = self.types.iter().filter(|of_type| !of_type.splits.is_empty());
        let worst = split.max_by_key(|of_type| of_type.batches - of_type.needed);
        if let Some(worst) = worst
            && let Some(blocker) = worst.splits.iter().find_map(|split| split.blocker.as_ref())
        {
            writeln!(
                f,
                "What can help: that `{}` does not read `{}` (one function for both, say), a \
                 larger minibatch, or `schedule::search` if this minibatch runs many times.",
                worst.name, blocker.child_type
            )?;
        }
        Ok(())
    }
}
