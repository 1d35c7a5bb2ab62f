//! One layout for several functions: what they share has one order in all of them.
//!
//! ED-Batch, section 3.2, leaves conflicts between subgraphs to copies of activations at their
//! border. Here the questions of all functions of a model become one, in which a shared parameter
//! is one value, so that a copy is only what no common order avoids.

use super::problem::{Call, Item, Operand, Problem};

/// The question of one function.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// The question.
    pub problem: &'a Problem,
    /// For each of its values, the number of what it shares with other members, if it does.
    pub shared: Vec<Option<usize>>,
}

/// The question of all members, and for each member the numbers of its values in it. The calls
/// stand one member behind the other.
///
/// Buffers that hold something shared are one buffer; others stay each function's own.
pub fn join(members: &[Member<'_>]) -> (Problem, Vec<Vec<usize>>) {
    let mut joined = Problem::default();
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    // The values that are shared, by what they are.
    let mut known: Vec<(usize, usize)> = Vec::new();
    // Buffers, decided by the least one that they are one with.
    let mut buffer: Vec<usize> = Vec::new();
    for member in members {
        let first = buffer.len();
        let spaces = member.problem.values.iter().map(|item| item.space + 1).max().unwrap_or(0);
        buffer.extend(first..first + spaces);
        let mut of_member = Vec::new();
        for (item, shared) in member.problem.values.iter().zip(&member.shared) {
            let space = first + item.space;
            let same = shared.and_then(|shared| known.iter().find(|known| known.0 == shared));
            if let Some(&(_, at)) = same {
                let twin: &mut Item = &mut joined.values[at];
                twin.bytes = twin.bytes.max(item.bytes);
                twin.pinned |= item.pinned;
                let (a, b) = (decider(&buffer, twin.space), decider(&buffer, space));
                buffer[a.max(b)] = a.min(b);
                of_member.push(at);
                continue;
            }
            known.extend(shared.map(|shared| (shared, joined.values.len())));
            of_member.push(joined.values.len());
            joined.values.push(Item { space, ..item.clone() });
        }
        for call in &member.problem.calls {
            let operand = |operand: &Operand| {
                Operand(operand.0.iter().map(|value| of_member[*value]).collect())
            };
            let operands = call.operands.iter().map(operand).collect();
            joined.calls.push(Call { operands, ordered: call.ordered });
        }
        numbers.push(of_member);
    }
    for item in &mut joined.values {
        item.space = decider(&buffer, item.space);
    }
    (joined, numbers)
}

fn decider(buffer: &[usize], mut at: usize) -> usize {
    while buffer[at] != at {
        at = buffer[at];
    }
    at
}
