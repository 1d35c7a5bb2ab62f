//! Graphs that grow in a callback of Python.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use edb::engine::{EngineError, GrowingGraph as Growing, Growth, Round};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyRange};
use scoped_tls_hkt::scoped_thread_local;

use crate::answers::Read;
use crate::errors::{EngineError as EngineException, Result};
use crate::graph::{children_of, with_input};
use crate::number::Number;
use crate::pulled::{Fields, Output};

/// What a callback does with a graph, whatever the type of its numbers is.
trait Grows {
    fn id(&self) -> u64;
    fn place(&self) -> usize;
    fn len(&self) -> usize;
    fn new_vertices(&self) -> [usize; 2];
    fn decided(&self, function: &str) -> Vec<usize>;
    fn index_at(&self, vertex: usize, field: &str) -> std::result::Result<u32, EngineError>;
    fn draw(&mut self) -> f64;
    fn add(
        &mut self,
        function: &str,
        children: &[Option<usize>],
        input: Option<&Bound<'_, PyDict>>,
    ) -> Result<usize>;
}

scoped_thread_local!(
    /// The graph whose round it is, on this thread.
    static mut IN_ROUND: for<'a> &'a mut (dyn Grows + 'a)
);

/// A graph in one of its rounds.
struct InRound<'g, 'r, T> {
    id: u64,
    graph: &'g mut Growing<'r, T>,
    fields: &'g Fields,
}

impl<T: Number> Grows for InRound<'_, '_, T> {
    fn id(&self) -> u64 {
        self.id
    }

    fn place(&self) -> usize {
        self.graph.place()
    }

    fn len(&self) -> usize {
        self.graph.len()
    }

    fn new_vertices(&self) -> [usize; 2] {
        let new = self.graph.new_vertices();
        [new.start, new.end]
    }

    fn decided(&self, function: &str) -> Vec<usize> {
        self.graph.decided_by_name(function).collect()
    }

    fn index_at(&self, vertex: usize, field: &str) -> std::result::Result<u32, EngineError> {
        self.graph.index_at(vertex, field)
    }

    fn draw(&mut self) -> f64 {
        self.graph.draw()
    }

    fn add(
        &mut self,
        function: &str,
        children: &[Option<usize>],
        input: Option<&Bound<'_, PyDict>>,
    ) -> Result<usize> {
        with_input(self.fields, function, input, |input| {
            Ok(self.graph.add_named(function, children, input)?)
        })
    }
}

/// A graph in a callback of `grow`: what it has decided can be read, and vertices can be added. It cannot be used when the
/// callback has returned.
#[pyclass(frozen, module = "edb")]
#[derive(Debug)]
pub(crate) struct GrowingGraph {
    /// Of its round.
    id: u64,
}

#[pymethods]
impl GrowingGraph {
    /// The place of the graph among all that grow.
    #[getter]
    fn place(&self) -> Result<usize> {
        self.with(|graph| Ok(graph.place()))
    }

    /// The numbers of the vertices that have run since the graph's last round.
    #[getter]
    fn new_vertices<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyRange>> {
        let [first, end] = self.with(|graph| Ok(graph.new_vertices()))?;
        Ok(PyRange::new(py, first as isize, end as isize)?)
    }

    /// Those of the new vertices that are of a function.
    fn decided(&self, function: &str) -> Result<Vec<usize>> {
        self.with(|graph| Ok(graph.decided(function)))
    }

    /// An index that a vertex has pushed.
    fn index(&self, vertex: usize, field: &str) -> Result<u32> {
        self.with(|graph| Ok(graph.index_at(vertex, field)?))
    }

    /// A random number, uniform in [0, 1): it depends on seed, step, graph and round alone.
    fn draw(&self) -> Result<f64> {
        self.with(|graph| Ok(graph.draw()))
    }

    /// Adds a vertex, as `Graph.add` does.
    #[pyo3(signature = (function, children = None, /, **input))]
    fn add(
        &self,
        function: &str,
        children: Option<&Bound<'_, PyAny>>,
        input: Option<&Bound<'_, PyDict>>,
    ) -> Result<usize> {
        // They may come from a generator that adds to this graph.
        let children = children_of(children)?;
        self.with(|graph| graph.add(function, &children, input))
    }

    /// What a vertex of this graph pushes, to be pulled by another.
    fn output(&self, vertex: usize, field: String) -> Output {
        Output { vertex, field }
    }

    fn __len__(&self) -> Result<usize> {
        self.with(|graph| Ok(graph.len()))
    }
}

impl GrowingGraph {
    fn with<R>(&self, work: impl FnOnce(&mut dyn Grows) -> Result<R>) -> Result<R> {
        let over = || {
            EngineException::new_err(
                "the round of this graph is over: use it only in the callback that was given it",
            )
        };
        if !IN_ROUND.is_set() {
            return Err(over().into());
        }
        IN_ROUND.with(|graph| match graph.id() == self.id {
            true => work(graph),
            false => Err(over().into()),
        })
    }
}

/// The most callbacks within each other: each takes some of the thread's stack.
const MOST_WITHIN: usize = 16;

thread_local! {
    static WITHIN: Cell<usize> = const { Cell::new(0) };
}

/// A callback that is being called on this thread.
struct Within;

impl Within {
    fn another() -> Result<Self> {
        WITHIN.set(WITHIN.get() + 1);
        let within = Self;
        match WITHIN.get() > MOST_WITHIN {
            true => Err(EngineException::new_err(format!(
                "graphs grow in callbacks of graphs that grow, more than {MOST_WITHIN} deep"
            ))
            .into()),
            false => Ok(within),
        }
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        WITHIN.set(WITHIN.get() - 1);
    }
}

/// Whether this thread runs a callback, which holds what its graphs run on.
pub(crate) fn is_within() -> bool {
    WITHIN.get() > 0
}

/// Calls the callback for all graphs of a round, with Python's lock, which the caller does not hold.
pub(crate) fn in_round<T: Number>(
    fields: &Fields,
    round: Round<'_, T>,
    grow: &Py<PyAny>,
) -> Result<()> {
    /// How many graphs have been in a round.
    static ROUNDS: AtomicU64 = AtomicU64::new(0);
    let _within = Within::another()?;
    Python::attach(|py| {
        for mut graph in round {
            let id = ROUNDS.fetch_add(1, Ordering::Relaxed);
            let token = Py::new(py, GrowingGraph { id })?;
            let mut graph = InRound { id, graph: &mut graph, fields };
            IN_ROUND.set(&mut graph, || grow.call1(py, (token,)))?;
        }
        Ok(())
    })
}

/// Lets graphs grow until none of them gets a vertex. Returns them, and what they have answered.
pub(crate) fn to_the_end<T: Number>(
    fields: &Fields,
    mut growth: Growth<'_, T>,
    grow: &Py<PyAny>,
) -> Result<(Vec<edb::Graph<T>>, Read<T>)> {
    while let Some(round) = growth.round()? {
        in_round(fields, round, grow)?;
    }
    let read = Read::new(&growth.finish()?)?;
    Ok((growth.into_graphs(), read))
}
