//! The layout problem and its solution, as data.
//!
//! ED-Batch, section 3.2, requires two things of an order of values: *adjacency* (the values of an
//! operand are consecutive) and *alignment* (all operands of a call run through its lanes in one
//! order). Here they are required of operands, not of whole batches, so that a batch of which one
//! operand does not fit keeps the others.

/// A value that needs memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its size. Nominal: names of dimensions have no size at build time.
    pub bytes: u64,
    /// The buffer that it lives in; only values of one buffer can be neighbours.
    pub space: usize,
    /// Whether copying it is the last resort: parameters, since a copy would become stale in
    /// training.
    pub pinned: bool,
}

/// One operand of a call: its value in each lane.
///
/// The same value in every lane is a broadcast (stride 0), which has no constraints. A value in
/// several lanes but not in all needs a copy whatever the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand(pub Vec<usize>);

/// A batch of operations that are to run as one call: a *lane* each.
///
/// A product with stacked weights is two calls to the layout, one for each axis: its weights' row
/// blocks with its results, and its weights' column blocks with its concatenated arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Results and sources, all of one number of lanes. They may overlap, as in the paper's own
    /// example, where `x1` is in both sources of the first batch.
    pub operands: Vec<Operand>,
    /// Whether the lanes must be in the given order, since it is visible from outside.
    pub ordered: bool,
}

/// Values and the calls that touch them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The values, in the order of declaration, which is kept where nothing speaks against it.
    pub values: Vec<Item>,
    /// The calls that access them.
    pub calls: Vec<Call>,
}

/// What a copy would move, the more important part first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// Bytes of pinned values.
    pub pinned: u64,
    /// Bytes of others.
    pub bytes: u64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost { pinned: self.pinned + other.pinned, bytes: self.bytes + other.bytes }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), |a, b| a + b)
    }
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandPlace {
    /// One range, beginning at this place of the order.
    Range(usize),
    /// One value, read by every lane.
    Broadcast,
    /// A copy: before the call for a source, after it for a result.
    Copy(Cost),
}

/// How a call runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLayout {
    /// The lanes in the order in which they run.
    pub lanes: Vec<usize>,
    /// The place of each operand.
    pub places: Vec<OperandPlace>,
}

/// An order of values, and what it means for each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The values, buffer by buffer.
    pub order: Vec<usize>,
    /// How each call runs.
    pub calls: Vec<CallLayout>,
    /// Whether no order copies less; otherwise the search was cut short.
    pub optimal: bool,
}

/// A layout that is not what it claims: a bug in edb.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operand {operand} of call {call} is not where the layout says")]
pub struct LayoutError {
    /// The call.
    pub call: usize,
    /// The operand of it.
    pub operand: usize,
}

impl Operand {
    /// Whether every lane reads the same value.
    pub fn is_broadcast(&self) -> bool {
        self.0.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl Problem {
    /// What a copy of an operand moves.
    pub fn cost(&self, operand: &Operand) -> Cost {
        let cost = |value: &usize| match &self.values[*value] {
            item if item.pinned => Cost { pinned: item.bytes, bytes: 0 },
            item => Cost { pinned: 0, bytes: item.bytes },
        };
        operand.0.iter().map(cost).sum()
    }

    /// Whether an operand can be one range at all: its values are distinct and in one buffer.
    pub fn can_be_range(&self, operand: &Operand) -> bool {
        let space = |value: &usize| self.values[*value].space;
        let mut sorted = operand.0.clone();
        sorted.sort_unstable();
        sorted.windows(2).all(|pair| pair[0] != pair[1] && space(&pair[0]) == space(&pair[1]))
    }

    /// What an order of all values, buffer by buffer, means for the calls: for each the order of
    /// lanes that copies the least.
    pub fn place(&self, order: Vec<usize>, optimal: bool) -> Layout {
        let mut place_of = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, &value)| place_of[value] = place);
        let calls = self.calls.iter().map(|call| self.place_call(call, &place_of)).collect();
        Layout { order, calls, optimal }
    }

    fn place_call(&self, call: &Call, place_of: &[usize]) -> CallLayout {
        let count = call.operands.first().map_or(0, |operand| operand.0.len());
        // Where each operand begins if it is a range, and how it runs through the lanes.
        let ranges: Vec<Option<(usize, Vec<usize>)>> = (call.operands.iter())
            .map(|operand| {
                let mut lanes: Vec<usize> = (0..count).collect();
                lanes.sort_unstable_by_key(|lane| place_of[operand.0[*lane]]);
                let places = || lanes.iter().map(|lane| place_of[operand.0[*lane]]);
                let first = places().next()?;
                let range = self.can_be_range(operand) && places().eq(first..first + count);
                range.then_some((first, lanes))
            })
            .collect();
        let saved = |lanes: &[usize]| {
            let fits = |range: &Option<(usize, Vec<usize>)>| {
                range.as_ref().is_some_and(|(_, run)| run == lanes)
            };
            let both = call.operands.iter().zip(&ranges);
            both.filter(|(_, range)| fits(range)).map(|(operand, _)| self.cost(operand)).sum()
        };
        let mut lanes: Vec<usize> = (0..count).collect();
        if !call.ordered {
            let mut most: Cost = saved(&lanes);
            for (_, run) in ranges.iter().flatten() {
                let cost = saved(run);
                if cost > most {
                    (most, lanes) = (cost, run.clone());
                }
            }
        }
        let place = |(operand, range): (&Operand, &Option<(usize, Vec<usize>)>)| match range {
            Some((first, run)) if *run == lanes => OperandPlace::Range(*first),
            _ if operand.is_broadcast() => OperandPlace::Broadcast,
            _ => OperandPlace::Copy(self.cost(operand)),
        };
        let places = call.operands.iter().zip(&ranges).map(place).collect();
        CallLayout { lanes, places }
    }
}

impl Layout {
    /// Whether a value of the order is in one record with the one before: an operand reads both.
    pub fn joined(&self) -> Vec<bool> {
        let mut joined = vec![false; self.order.len()];
        for call in &self.calls {
            for place in &call.places {
                if let OperandPlace::Range(first) = place {
                    joined[first + 1..first + call.lanes.len()].fill(true);
                }
            }
        }
        joined
    }

    /// What all copies move.
    pub fn copied(&self) -> Cost {
        let cost = |place: &OperandPlace| match place {
            OperandPlace::Copy(cost) => *cost,
            OperandPlace::Range(_) | OperandPlace::Broadcast => Cost::default(),
        };
        self.calls.iter().flat_map(|call| &call.places).map(cost).sum()
    }

    /// Checks the layout against the problem, operand by operand.
    ///
    /// # Errors
    /// The first operand that is not where the layout says.
    pub fn check(&self, problem: &Problem) -> Result<(), LayoutError> {
        for (call, (asked, got)) in problem.calls.iter().zip(&self.calls).enumerate() {
            for (operand, (values, place)) in asked.operands.iter().zip(&got.places).enumerate() {
                let run = || got.lanes.iter().map(|lane| values.0[*lane]);
                let space = |value: usize| problem.values[value].space;
                let holds = match place {
                    OperandPlace::Range(first) => {
                        let range = self.order.get(*first..*first + values.0.len());
                        range.is_some_and(|range| range.iter().copied().eq(run()))
                            && run().all(|value| space(value) == space(values.0[0]))
                    }
                    OperandPlace::Broadcast => run().all(|value| value == values.0[0]),
                    OperandPlace::Copy(cost) => *cost == problem.cost(values),
                };
                if !holds {
                    return Err(LayoutError { call, operand });
                }
            }
        }
        Ok(())
    }
}
