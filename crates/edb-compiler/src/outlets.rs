//! Outlets: every result that a port shows gets a value of its own, and so its own memory.
//!
//! A scattered value is computed straight into its state's rows and a child's gradient straight
//! into its edge's row (scatter is free). That needs one value per port field, in the domain of the
//! port; where a program shows a parameter, or one value twice, a copy is inserted.

use edb_ir::{Domain, Indexing, Movement, Op, Program, Slot, Value, ValueId};

/// Inserts the copies that give every port field a value of its own.
pub fn separate(program: Program) -> Program {
    separate_backward(separate_forward(program))
}

/// Scattered values own their place; pushed values and losses only need the vertex domain.
fn separate_forward(mut program: Program) -> Program {
    let end = program.backward_start;
    let mut copies = Copies { taken: vec![false; program.values.len()], next: end, made: vec![] };
    let scatter = copies.place(&program, &program.scatter, |_| Domain::Vertex, true);
    let push = copies.place(&program, &program.push, |_| Domain::Vertex, false);
    let losses = copies.place(&program, &program.losses, |_| Domain::Vertex, false);

    // The copies are inserted between the forward and the backward values; the latter are
    // renumbered.
    let shift = copies.made.len() as u32;
    let moved = |id: ValueId| if id.0 < end { id } else { ValueId(id.0 + shift) };
    program.map_results(moved);
    (program.scatter, program.push, program.losses) = (scatter, push, losses);
    program.values.splice(end as usize..end as usize, copies.made);
    program.backward_start = end + shift;
    for value in &mut program.values[(end + shift) as usize..] {
        value.args.iter_mut().for_each(|arg| *arg = moved(*arg));
    }
    program
}

/// Gradients of children and of pulls own their place, and run backward.
fn separate_backward(mut program: Program) -> Program {
    let mut taken = vec![false; program.values.len()];
    taken[..program.backward_start as usize].fill(true);
    let mut copies = Copies { taken, next: program.values.len() as u32, made: vec![] };
    let of_children: Vec<ValueId> = program.gradients.children.iter().map(|g| g.2).collect();
    let domain = |child: usize| match program.gradients.children[child].0 {
        Slot::Fixed(_) => Domain::Vertex,
        Slot::Rest => Domain::Edge,
    };
    let of_children = copies.place(&program, &of_children, domain, true);
    let of_pulls: Vec<ValueId> = program.gradients.pulls.iter().map(|g| g.1).collect();
    let of_pulls = copies.place(&program, &of_pulls, |_| Domain::Vertex, true);

    program.values.extend(copies.made);
    program.gradients.children.iter_mut().zip(of_children).for_each(|(g, id)| g.2 = id);
    program.gradients.pulls.iter_mut().zip(of_pulls).for_each(|(g, id)| g.1 = id);
    program
}

struct Copies {
    /// The values that a port owns already.
    taken: Vec<bool>,
    /// The number of the next copy.
    next: u32,
    made: Vec<Value>,
}

impl Copies {
    /// Each value itself, or a copy if its domain is another, (with `own`) it is taken, or it is an
    /// index of a child or of the input.
    fn place(
        &mut self,
        program: &Program,
        ids: &[ValueId],
        domain: impl Fn(usize) -> Domain,
        own: bool,
    ) -> Vec<ValueId> {
        let mut placed = Vec::with_capacity(ids.len());
        for (number, &id) in ids.iter().enumerate() {
            let value = program.value(id);
            let is_index = value.shape.is_index();
            // An index that is not computed is read where it is, so that it has no rows to show.
            let is_elsewhere = is_index && matches!(value.op, Op::Leaf(_));
            let is_taken = own && self.taken[id.index()];
            if value.domain == domain(number) && !is_taken && !is_elsewhere {
                self.taken[id.index()] |= own;
                placed.push(id);
                continue;
            }
            let op = match is_index {
                true => Op::Indexing(Indexing::Copy(domain(number))),
                false => Op::Movement(Movement::Copy(domain(number))),
            };
            let shape = value.shape.clone();
            self.made.push(Value { op, args: vec![id], shape, domain: domain(number) });
            placed.push(ValueId(self.next));
            self.next += 1;
        }
        placed
    }
}
