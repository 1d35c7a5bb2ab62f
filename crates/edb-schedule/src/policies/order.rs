//! An order of types: whichever type with ready vertices stands first in it comes next.

use super::chooser::{TypeChooser, schedule_by};
use crate::error::ScheduleError;
use crate::graph::{Signature, TypeGraph};
use crate::running::{Frontier, ReadyTypes};
use crate::schedule::Schedule;

/// An order of types: whichever type with ready vertices stands first in it comes next.
///
/// It looks only at what is ready, so graphs can [grow](Signature::growing) by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeOrder {
    pub(crate) signature: Signature,
    /// Each type once.
    pub(crate) order: Vec<u16>,
}

impl TypeOrder {
    /// An order of these types.
    ///
    /// # Errors
    ///
    /// If a type is missing, appears twice or does not exist.
    pub fn new(types: &Signature, order: Vec<u16>) -> Result<Self, ScheduleError> {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        match sorted.into_iter().eq(0..types.type_count()) {
            true => Ok(Self { signature: types.clone(), order }),
            false => Err(ScheduleError::NoOrder { order, type_count: types.type_count() }),
        }
    }

    /// The vertex types that it is an order of.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The types, in order of preference.
    pub fn order(&self) -> &[u16] {
        &self.order
    }

    /// The schedule of a graph. Types that are not in this order come after all others, in ascending order.
    pub fn schedule(&self, graph: &TypeGraph) -> Schedule {
        schedule_by(InOrder(self), graph)
    }

    /// The type that comes next, if any has ready vertices.
    pub(crate) fn choose(&self, ready: &impl ReadyTypes) -> Option<u16> {
        let first = self.order.iter().find(|vertex_type| ready.ready_count(**vertex_type) > 0);
        first.copied().or_else(|| ready.ready_types().next())
    }
}

struct InOrder<'o>(&'o TypeOrder);

impl TypeChooser for InOrder<'_> {
    fn choose(&mut self, frontier: &Frontier<'_>) -> Option<u16> {
        self.0.choose(frontier)
    }

    fn execute<'f>(&mut self, frontier: &'f mut Frontier<'_>, vertex_type: u16) -> &'f [u32] {
        frontier.execute(vertex_type, |_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_each_type_once() {
        let types = Signature::unnamed(3);
        assert_eq!(TypeOrder::new(&types, vec![2, 0, 1]).unwrap().order(), [2, 0, 1]);
        for wrong in [vec![0, 1], vec![0, 1, 1], vec![0, 1, 3], vec![0, 1, 2, 2]] {
            let message = TypeOrder::new(&types, wrong.clone()).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("{wrong:?} is no order of 3 types: each stands there once")
            );
        }
    }

    #[test]
    fn the_first_type_that_is_ready_comes_next() {
        // Two chains, of the types 0, 1, 0 and 1, 0.
        let graph =
            TypeGraph::new(2, vec![0, 1, 0, 1, 0], vec![0, 0, 1, 2, 2, 3], vec![0, 1, 3]).unwrap();
        let batches = |order: [u16; 2]| {
            let order = TypeOrder::new(&Signature::unnamed(2), order.into()).unwrap();
            let schedule = order.schedule(&graph);
            schedule.batches().iter().map(|batch| batch.vertex_type).collect::<Vec<_>>()
        };
        assert_eq!(batches([0, 1]), [0, 1, 0]);
        assert_eq!(batches([1, 0]), [1, 0, 1, 0]);
    }

    /// Fault B3 of the fourth list: vertices of types that are not in the order were left out of the schedule.
    #[test]
    fn other_types_come_last() {
        let graph =
            TypeGraph::new(2, vec![0, 1, 0, 1, 0], vec![0, 0, 1, 2, 2, 3], vec![0, 1, 3]).unwrap();
        for order in [vec![], vec![0], vec![2, 1, 0], vec![3, 1, 2, 0]] {
            let types = Signature::unnamed(order.len() as u16);
            let order = TypeOrder::new(&types, order).unwrap();
            assert_eq!(order.schedule(&graph).check(&graph), Ok(()));
        }
    }
}
