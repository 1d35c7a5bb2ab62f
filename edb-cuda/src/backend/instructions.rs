//! Steps of a phase: fused kernels, other ops, copies.

use edb_core::backend::stride;
use edb_core::element::Element;
use edb_core::random::Threshold;
use edb_ir::{
    Contraction, Domain, Draw, Instruction, Kernel, KernelId, Leaf, Movement, Op, Phase, Reduction,
    Slot, Span, Transition, ValueId,
};

use super::code::MOST_ARGUMENTS;
use super::launch::{Arguments, Rows};
use super::launcher::Blocks;
use super::operands::PhaseRun;
use super::tables::of_field;
use crate::driver::Address;
use crate::error::CudaError;
use crate::number::Number;
use crate::source::fused::{Mode, Parameter};
use crate::source::reduction;

/// A value to compute, or a piece of it.
struct Computed<'s> {
    id: ValueId,
    domain: Domain,
    /// The rows of the result; `size` is their number and width.
    out: Rows,
    size: (usize, usize),
    args: &'s [Span],
}

impl<T: Element + bytemuck::Pod> PhaseRun<'_, T> {
    /// Runs one instruction.
    pub(super) fn instruction(&mut self, instruction: &Instruction) -> Result<(), CudaError> {
        match instruction {
            Instruction::Op { value, out: Some(out), args } => self.op(*value, *out, args),
            // A sparse gradient is summed at its destination.
            Instruction::Op { out: None, .. } => Ok(()),
            Instruction::Product(stack) => self.product(*stack),
            Instruction::Kernel(kernel) => self.kernel(*kernel),
            Instruction::Copy { from, to } => {
                let Some(out) = self.output(*to) else { return Ok(()) };
                let domain = self.domain(*to);
                let size = (self.count(domain), self.function.routine.field(*to).width);
                self.count_move(size, out.number);
                self.backend.library.copy(out, self.input(domain, *from), size)
            }
        }
    }

    /// Reserves the temporary memory of these instructions, so that none of them allocates.
    pub(super) fn reserve(
        &mut self,
        instructions: &[(Phase, Instruction)],
    ) -> Result<(), CudaError> {
        let function = self.function;
        for (_, instruction) in instructions {
            if let Instruction::Kernel(number) = instruction {
                let kernel = &function.plan.routine.kernels[*number];
                self.spares(kernel, self.count(kernel.domain))?;
            }
        }
        Ok(())
    }

    fn count_move(&mut self, (rows, width): (usize, usize), number: Number) {
        let copies = &mut self.backend.copies;
        copies.moved += (rows * width * number.size()) as u64;
        copies.moves += u64::from(rows > 0);
    }

    fn kernel(&mut self, number: KernelId) -> Result<(), CudaError> {
        let function = self.function;
        let kernel = &function.plan.routine.kernels[number];
        let rows = self.count(kernel.domain);
        let kept = kernel.outputs.iter().any(|(out, _)| self.output(*out).is_some());
        let kept = kept || kernel.ends.iter().any(|end| self.output(end.out).is_some());
        if rows == 0 || !kept {
            return Ok(());
        }
        let spares = self.spares(kernel, rows)?;
        let fused = &self.backend.codes.of(self.at).fused[number.index()];
        let mut arguments = self.backend.library.arguments();
        for parameter in &fused.parameters {
            arguments = self.argument(arguments, kernel, &spares, *parameter);
        }
        let bytes = arguments.as_slice().iter().map(|argument| argument.size()).sum();
        if bytes > MOST_ARGUMENTS {
            let function = function.plan.program.name.clone();
            return Err(CudaError::Arguments { function, bytes, most: MOST_ARGUMENTS });
        }
        let blocks =
            Blocks { threads: fused.block, at_once: fused.block[1], across: fused.blocks_of_row };
        let kernel = self.backend.codes.of(self.at).kernels[fused.number];
        self.backend.library.launcher.launch(kernel, blocks, rows, arguments.as_slice())
    }

    /// Temporary rows for the outputs of a kernel that only its reductions read, by output.
    fn spares(&mut self, kernel: &Kernel, rows: usize) -> Result<Vec<(usize, Address)>, CudaError> {
        let mut spares: Vec<(usize, Address)> = Vec::new();
        let mut elements = 0;
        // Room for the widest number type.
        let real = self.backend.library.numbers.real;
        for end in &kernel.ends {
            let output = usize::from(end.output);
            let span = kernel.outputs[output].0;
            if spares.iter().any(|(known, _)| *known == output) || self.output(span).is_some() {
                continue;
            }
            spares.push((output, elements as Address));
            let stride = self.function.routine.records[span.record].stride;
            elements += (rows * stride).next_multiple_of(16);
        }
        if !spares.is_empty() {
            let start = self.spare(elements, real)?;
            spares.iter_mut().for_each(|(_, at)| *at = start + *at * real.size() as u64);
        }
        Ok(spares)
    }

    fn argument(
        &self,
        arguments: Arguments,
        kernel: &Kernel,
        spares: &[(usize, Address)],
        parameter: Parameter,
    ) -> Arguments {
        let input = |at: usize| self.input(kernel.domain, kernel.inputs[at]);
        match parameter {
            Parameter::Rows => arguments.count(self.count(kernel.domain)),
            Parameter::First => arguments.u32(self.rows.start as u32),
            Parameter::Zeros => arguments.at(self.arena(0)),
            Parameter::Owners => arguments.at(self.owners()),
            Parameter::Output(at) => {
                let spare =
                    spares.iter().find(|(output, _)| *output == at).map(|(_, spare)| *spare);
                let own = self.output(kernel.outputs[at].0).map(|rows| rows.at);
                // An output without memory is not written.
                arguments.at(own.or(spare).unwrap_or(0))
            }
            Parameter::Kept(at) => {
                arguments.u32(u32::from(self.output(kernel.outputs[at].0).is_some()))
            }
            Parameter::Input(at) => arguments.at(input(at).at),
            Parameter::Children(at) => arguments.at(input(at).index),
            Parameter::End(at) => {
                arguments.at(self.output(kernel.ends[at].out).map_or(0, |rows| rows.at))
            }
            Parameter::EndKept(at) => {
                arguments.u32(u32::from(self.output(kernel.ends[at].out).is_some()))
            }
            Parameter::LossScale => arguments.at(self.backend.loss_scale.at()),
            Parameter::Index(at) => {
                let field = kernel.ends[at].op.index().expect("it reads an index");
                arguments.at(self.index(field, kernel.domain).at)
            }
        }
    }

    /// Computes a value, or a piece of it, by an op that is an instruction of its own.
    fn op(&mut self, id: ValueId, out: Span, args: &[Span]) -> Result<(), CudaError> {
        let function = self.function;
        let width = function.routine.field(out).width;
        let Some(out) = self.output(out) else { return Ok(()) };
        let computed = function.plan.program.value(id);
        let domain = computed.domain;
        let value = Computed { id, domain, out, size: (self.count(domain), width), args };
        match &computed.op {
            Op::Leaf(Leaf::Child { slot, field }) => self.gather(&value, *slot, *field),
            Op::Leaf(op) => self.leaf(op, &value),
            Op::Draw(op) => self.draw(*op, &value),
            Op::Contraction(op) => self.contraction(*op, &value),
            Op::Movement(op) => self.movement(op, &value),
            Op::Reduction(op) => self.reduction(*op, &value),
            Op::Transition(op) => self.transition(*op, &value),
            Op::Pointwise(op) => unreachable!("`{}` is a part of kernels", op.name()),
        }
    }

    fn gather(&mut self, value: &Computed<'_>, slot: Slot, field: u16) -> Result<(), CudaError> {
        let Computed { out, size: (rows, width), .. } = *value;
        let copies = &mut self.backend.copies;
        copies.gathered += (rows * width * out.number.size()) as u64;
        copies.gathers += u64::from(rows > 0);
        self.backend.library.copy(out, self.child(slot, field), (rows, width))
    }

    fn leaf(&self, op: &Leaf, value: &Computed<'_>) -> Result<(), CudaError> {
        let Computed { id, domain, out, size, .. } = *value;
        let (rows, width) = size;
        let library = &self.backend.library;
        let arguments = || library.arguments().each(out);
        match op {
            Leaf::Constant(number) => library.fill(out, size, *number),
            Leaf::LossScale => {
                let scale = &self.backend.loss_scale;
                match library.numbers.scales_losses() {
                    true => library.copy(out, scale.row(library.numbers), size),
                    false => library.fill(out, size, 1.0),
                }
            }
            Leaf::Length(_) => library.fill(out, size, self.function.value(id).length as f64),
            Leaf::Zeros => library.fill(out, size, 0.0),
            Leaf::Pull(field) => {
                let sources = of_field(&self.tables().inputs, *field).expect("it has its table");
                let sources = self.table(sources, self.rows.start, 8);
                let from = arguments().at(self.backend.tables.data()).at(self.arena(0));
                let from = from.at(self.backend.arena.wide_at(0));
                library.launch("pull", size, &from.at(sources).count(rows).count(width))
            }
            Leaf::StateGradient(field) => {
                let tables = self.tables();
                let [starts, strides] = of_field(&tables.blocks, *field).expect("it has its table");
                let offsets = self.table(tables.parent_offsets, self.rows.start, 4);
                let [starts, strides] = [starts, strides].map(|table| self.table(table, 0, 8));
                let edges = arguments().at(self.arena(0)).at(offsets);
                let edges = edges.at(self.table(tables.parents, 0, 4)).at(starts).at(strides);
                library.launch("state_gradient", size, &edges.count(rows).count(width))
            }
            Leaf::OutputGradient(field) => {
                let seeds = self.layout.seeds[usize::from(*field)];
                let seed = seeds.map(|start| self.arena(start + self.rows.start * width));
                let feeds = of_field(&self.tables().feeds, *field);
                let [offsets, list] = feeds.unwrap_or_default();
                let from = arguments().at(seed.unwrap_or(0)).u32(u32::from(seed.is_some()));
                let from = from.at(self.arena(0)).at(self.table(offsets, self.rows.start, 4));
                let from = from.at(self.table(list, 0, 8)).u32(u32::from(feeds.is_some()));
                library.launch("output_gradient", size, &from.count(rows).count(width))
            }
            Leaf::BagSize(field) => {
                let (index, _) = self.bags(*field, domain);
                library.launch("bag_size", (rows, 1), &arguments().index(index).count(rows))
            }
            Leaf::Param(_) => unreachable!("parameters are where they are"),
            Leaf::Child { .. } => unreachable!("a child's state is gathered"),
        }
    }

    fn draw(&self, op: Draw, value: &Computed<'_>) -> Result<(), CudaError> {
        let Computed { domain, out, size, args, .. } = *value;
        let (rows, width) = size;
        let library = &self.backend.library;
        let x = self.input(domain, args[0]);
        if self.frame.draws.is_none() {
            return library.copy(out, x, size);
        }
        let arguments = library.arguments().each(out).rows(x);
        match op {
            Draw::Dropout { rate, site, shared } => {
                let draws = self.draws(arguments, domain, site, shared);
                let draws = draws.u64(Threshold::new(rate).bits()).real(1.0 / (1.0 - rate));
                library.launch("dropout", size, &draws.count(rows).count(width))
            }
            Draw::Noise { deviation, site } => {
                let draws = self.draws(arguments, domain, site, false).double(deviation);
                library.launch("noise", size, &draws.count(rows).count(width))
            }
        }
    }

    fn contraction(&self, op: Contraction, value: &Computed<'_>) -> Result<(), CudaError> {
        let Computed { id, domain, out, size: (rows, _), args } = *value;
        let library = &self.backend.library;
        let [a, b] = [args[0], args[1]];
        let both = library.arguments().each(out);
        let both = both.rows(self.input(domain, a)).rows(self.input(domain, b));
        let width = |span: Span| self.function.routine.field(span).width;
        match op {
            Contraction::Outer => {
                let [m, n] = [a, b].map(width);
                library.launch("outer", (rows, m * n), &both.count(rows).count(m).count(n))
            }
            Contraction::MatMul
            | Contraction::MatMulLeftTransposed
            | Contraction::MatMulRightTransposed => {
                let sizes = &self.function.value(id).sizes;
                let [m, n] = [sizes[0], sizes[1]];
                let inner = width(a) / m;
                let both = both.u32(u32::from(op == Contraction::MatMulLeftTransposed));
                let both = both.u32(u32::from(op == Contraction::MatMulRightTransposed));
                let both = both.count(rows).count(m).count(n).count(inner);
                library.launch("mat_mul", (rows, m * n), &both)
            }
            Contraction::Dot | Contraction::DotTransposed => {
                unreachable!("products with vectors are stacked")
            }
        }
    }

    fn movement(&mut self, op: &Movement, value: &Computed<'_>) -> Result<(), CudaError> {
        let Computed { id, domain, out, size, args } = *value;
        let (rows, width) = size;
        let bound = self.function.value(id);
        if matches!(op, Movement::Concat | Movement::Slice { .. } | Movement::Pad { .. }) {
            self.count_move(size, out.number);
        }
        let field = |span: Span| self.function.routine.field(span);
        let library = &self.backend.library;
        let arguments = || library.arguments().each(out);
        let arg = |at: usize| self.input(domain, args[at]);
        match op {
            Movement::Concat => {
                let mut column = 0;
                for arg in args {
                    let (x, width) = (self.input(domain, *arg), field(*arg).width);
                    let part = out.from(column);
                    library.copy(part, x, (rows, width))?;
                    column += width;
                }
                Ok(())
            }
            Movement::Slice { .. } => {
                let x = arg(0).from(bound.start);
                library.copy(out, x, size)
            }
            Movement::Pad { .. } => {
                library.fill(out, size, 0.0)?;
                let part = out.from(bound.start);
                let x = arg(0);
                library.copy(part, x, (rows, field(args[0]).width))
            }
            Movement::WhereAbsent(slot) => {
                let children = self.children(Slot::Fixed(*slot));
                let from = arguments().rows(arg(0)).at(children);
                library.launch("where_absent", size, &from.count(rows).count(width))
            }
            Movement::Transpose => {
                let [m, n] = [bound.sizes[0], bound.sizes[1]];
                let from = arguments().rows(arg(0)).count(rows).count(m).count(n);
                library.launch("transpose", (rows, m * n), &from)
            }
            Movement::Row(index) => {
                let from = arguments().rows(arg(0)).index(self.index(*index, domain));
                library.launch("table_row", size, &from.count(rows).count(width))
            }
            Movement::BagSum(field) => {
                let (index, bags) = self.bags(*field, domain);
                let from = arguments().rows(arg(0)).index(index).at(bags);
                library.launch("bag_sum", size, &from.count(rows).count(width))
            }
            Movement::OneHot(index) => {
                let from = arguments().rows(arg(0)).index(self.index(*index, domain));
                library.launch("one_hot", size, &from.count(rows).count(width))
            }
            Movement::Pick(index) => {
                let from = arguments().rows(arg(0)).index(self.index(*index, domain));
                library.launch("pick", (rows, 1), &from.count(rows))
            }
            Movement::Reshape => library.copy(out, arg(0), size),
            Movement::Copy(_) | Movement::Expand => unreachable!("copies are parts of kernels"),
        }
    }

    fn reduction(&self, op: Reduction, value: &Computed<'_>) -> Result<(), CudaError> {
        let Computed { domain, out, size: (rows, _), args, .. } = *value;
        let library = &self.backend.library;
        let index = op.index().map(|index| self.index(index, domain));
        let from = library.arguments().each(out).rows(self.input(domain, args[0]));
        let from = from.index(index.unwrap_or_default());
        let from = from.u32(u32::from(index.is_some())).count(rows);
        let from = from.u32(self.function.routine.field(args[0]).width as u32);
        library.launch_team(reduction(op), rows, &from)
    }

    fn transition(&self, op: Transition, value: &Computed<'_>) -> Result<(), CudaError> {
        let Computed { out, size, args, .. } = *value;
        let (rows, width) = size;
        let library = &self.backend.library;
        let arguments = || library.arguments().each(out);
        match op {
            Transition::Reduce(Domain::Vertex) | Transition::ReduceMax => {
                let edges = self.edge_arguments(arguments(), args[0]);
                let edges = edges.u32(u32::from(op == Transition::ReduceMax));
                library.launch("fold_edges", size, &edges.count(rows).count(width))
            }
            Transition::EdgeMaxMask => {
                let edges = self.edge_arguments(arguments(), args[0]);
                let vertices = self.rows.len();
                let edges = edges.count(vertices).count(width);
                library.launch("mark_greatest", (vertices, width), &edges)
            }
            Transition::Reduce(_)
            | Transition::RowSum(_)
            | Transition::BagRowSum(_)
            | Transition::OuterSum => unreachable!("sums over all rows are accumulated"),
        }
    }

    /// A field of the state of the children in a slot.
    fn child(&self, slot: Slot, field: u16) -> Rows {
        let (state, field) =
            self.function.child_field(slot, field).expect("the field was bound with the model");
        let width = self.frame.model.states[state].fields[field].width();
        let at = self.arena(self.frame.layout.states[state][field]);
        let (index, zeros) = (self.children(slot), self.arena(0));
        let stored = self.backend.library.numbers.stored;
        Rows { mode: Mode::Gather, index, zeros, ..Rows::each(at, stride(width), stored) }
    }

    /// The parameters that `DRAWS` declares.
    fn draws(&self, arguments: Arguments, domain: Domain, site: u32, shared: bool) -> Arguments {
        let tables = self.tables();
        let arguments = arguments.at(self.table(tables.keys, 0, 16)).at(self.owners());
        let arguments = arguments.at(self.table(tables.rest_offsets, 0, 4));
        let arguments = arguments.u32(self.rows.start as u32);
        let arguments = arguments.u32(u32::from(domain == Domain::Edge));
        arguments.u32(self.edges.start as u32).u32(site).u32(u32::from(shared))
    }

    /// The parameters of kernels over the edges of vertices.
    fn edge_arguments(&self, arguments: Arguments, edges: Span) -> Arguments {
        let x = self.input(Domain::Edge, edges);
        let offsets = self.table(self.tables().rest_offsets, self.rows.start, 4);
        arguments.each(x).at(offsets).u32(self.edges.start as u32)
    }
}
