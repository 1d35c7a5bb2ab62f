//! Steps of a phase: fused kernels, other ops, copies.

use edb_core::backend::stride;
use edb_core::element::Element;
use edb_core::random::Threshold;
use edb_ir::{Class, Domain, Kernel, Op, Phase, Slot, Span, Step, ValueId};

use super::code::MOST_ARGUMENTS;
use super::launch::{Arguments, Index, Rows};
use super::launcher::Blocks;
use super::operands::PhaseRun;
use super::tables::of_field;
use crate::driver::Address;
use crate::error::CudaError;
use crate::number::Number;
use crate::source::fused::{Mode, Parameter};
use crate::source::reduction;

impl<T: Element + bytemuck::Pod> PhaseRun<'_, T> {
    /// Runs one step.
    pub(super) fn step(&mut self, step: &Step) -> Result<(), CudaError> {
        match step {
            Step::Op { value, out: Some(out), args } => self.op(*value, *out, args),
            // A sparse gradient is summed where it goes.
            Step::Op { out: None, .. } => Ok(()),
            Step::Product(at) => self.product(usize::from(*at)),
            Step::Kernel(at) => self.kernel(usize::from(*at)),
            Step::Copy { from, to } => {
                let Some(out) = self.output(*to) else { return Ok(()) };
                let domain = self.domain(*to);
                let size = (self.count(domain), self.function.routine.field(*to).width);
                self.count_move(size, out.number);
                self.backend.library.copy(out, self.input(domain, *from), size)
            }
        }
    }

    /// Makes room for what steps need for themselves, so that none of them has to.
    pub(super) fn reserve(&mut self, steps: &[(Phase, Step)]) -> Result<(), CudaError> {
        let function = self.function;
        for (_, step) in steps {
            if let Step::Kernel(number) = step {
                let kernel = &function.plan.routine.kernels[usize::from(*number)];
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

    fn kernel(&mut self, number: usize) -> Result<(), CudaError> {
        let function = self.function;
        let kernel = &function.plan.routine.kernels[number];
        let rows = self.count(kernel.domain);
        let kept = kernel.outputs.iter().any(|(out, _)| self.output(*out).is_some());
        let kept = kept || kernel.ends.iter().any(|end| self.output(end.out).is_some());
        if rows == 0 || !kept {
            return Ok(());
        }
        let spares = self.spares(kernel, rows)?;
        let fused = &self.backend.codes.of(self.at).fused[number];
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

    /// Rows for the outputs of a kernel that nobody but its ends reads, by output.
    fn spares(&mut self, kernel: &Kernel, rows: usize) -> Result<Vec<(usize, Address)>, CudaError> {
        let mut spares: Vec<(usize, Address)> = Vec::new();
        let mut elements = 0;
        // Room for any type of number.
        let real = self.backend.library.numbers.real;
        for end in &kernel.ends {
            let output = usize::from(end.output);
            let span = kernel.outputs[output].0;
            if spares.iter().any(|(known, _)| *known == output) || self.output(span).is_some() {
                continue;
            }
            spares.push((output, elements as Address));
            let stride = self.function.routine.records[usize::from(span.record)].stride;
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
                // What is not kept is not written.
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

    /// Computes a value, or a piece of it.
    fn op(&mut self, id: ValueId, out: Span, args: &[Span]) -> Result<(), CudaError> {
        let function = self.function;
        let width = function.routine.field(out).width;
        let Some(out) = self.output(out) else { return Ok(()) };
        let value = function.plan.program.value(id);
        let bound = function.value(id);
        let domain = value.domain;
        let rows = self.count(domain);
        let field = |span: Span| function.routine.field(span);
        let size = (rows, width);
        match &value.op {
            Op::Constant(number) => return self.backend.library.fill(out, size, *number),
            Op::LossScale => {
                let (library, scale) = (&self.backend.library, &self.backend.loss_scale);
                return match library.numbers.scales_losses() {
                    true => library.copy(out, scale.row(library.numbers), size),
                    false => library.fill(out, size, 1.0),
                };
            }
            Op::Length(_) => return self.backend.library.fill(out, size, bound.length as f64),
            Op::Zeros => return self.backend.library.fill(out, size, 0.0),
            Op::Concat => {
                let width = args.iter().map(|arg| field(*arg).width).sum();
                self.count_move((rows, width), out.number);
                let mut column = 0;
                for arg in args {
                    let (x, width) = (self.input(domain, *arg), field(*arg).width);
                    let part = out.from(column);
                    self.backend.library.copy(part, x, (rows, width))?;
                    column += width;
                }
                return Ok(());
            }
            Op::Slice { .. } => {
                self.count_move(size, out.number);
                let x = self.input(domain, args[0]).from(bound.start);
                return self.backend.library.copy(out, x, size);
            }
            Op::Pad { .. } => {
                self.count_move(size, out.number);
                self.backend.library.fill(out, size, 0.0)?;
                let part = out.from(bound.start);
                let x = self.input(domain, args[0]);
                return self.backend.library.copy(part, x, (rows, field(args[0]).width));
            }
            Op::Child { slot, field } => {
                let copies = &mut self.backend.copies;
                copies.gathered += (rows * width * out.number.size()) as u64;
                copies.gathers += u64::from(rows > 0);
                let x = self.child(*slot, *field);
                return self.backend.library.copy(out, x, size);
            }
            _ => {}
        }
        let library = &self.backend.library;
        let arguments = || library.arguments().each(out);
        let arg = |at: usize| self.input(domain, args[at]);
        match &value.op {
            Op::Pull(field) => {
                let sources = of_field(&self.tables().inputs, *field).expect("it has its table");
                let sources = self.table(sources, self.rows.start, 8);
                let from = arguments().at(self.backend.tables.data()).at(self.arena(0));
                let from = from.at(self.backend.arena.wide_at(0));
                library.launch("pull", size, &from.at(sources).count(rows).count(width))
            }
            Op::StateGradient(field) => {
                let tables = self.tables();
                let [starts, strides] = of_field(&tables.blocks, *field).expect("it has its table");
                let offsets = self.table(tables.parent_offsets, self.rows.start, 4);
                let [starts, strides] = [starts, strides].map(|table| self.table(table, 0, 8));
                let edges = arguments().at(self.arena(0)).at(offsets);
                let edges = edges.at(self.table(tables.parents, 0, 4)).at(starts).at(strides);
                library.launch("state_gradient", size, &edges.count(rows).count(width))
            }
            Op::OutputGradient(field) => {
                let seeds = self.layout.seeds[usize::from(*field)];
                let seed = seeds.map(|start| self.arena(start + self.rows.start * width));
                let feeds = of_field(&self.tables().feeds, *field);
                let [offsets, list] = feeds.unwrap_or_default();
                let from = arguments().at(seed.unwrap_or(0)).u32(u32::from(seed.is_some()));
                let from = from.at(self.arena(0)).at(self.table(offsets, self.rows.start, 4));
                let from = from.at(self.table(list, 0, 8)).u32(u32::from(feeds.is_some()));
                library.launch("output_gradient", size, &from.count(rows).count(width))
            }
            Op::Dropout { rate, site, shared } => {
                if self.frame.draws.is_none() {
                    return library.copy(out, arg(0), size);
                }
                let draws = self.draws(arguments().rows(arg(0)), domain, *site, *shared);
                let draws = draws.u64(Threshold::new(*rate).bits()).real(1.0 / (1.0 - rate));
                library.launch("dropout", size, &draws.count(rows).count(width))
            }
            Op::Noise { deviation, site } => {
                if self.frame.draws.is_none() {
                    return library.copy(out, arg(0), size);
                }
                let draws = self.draws(arguments().rows(arg(0)), domain, *site, false);
                let draws = draws.double(*deviation);
                library.launch("noise", size, &draws.count(rows).count(width))
            }
            Op::WhereAbsent(slot) => {
                let children = self.children(Slot::Fixed(*slot));
                let from = arguments().rows(arg(0)).at(children);
                library.launch("where_absent", size, &from.count(rows).count(width))
            }
            Op::Outer => {
                let [m, n] = [args[0], args[1]].map(|arg| field(arg).width);
                let both = arguments().rows(arg(0)).rows(arg(1));
                library.launch("outer", (rows, m * n), &both.count(rows).count(m).count(n))
            }
            Op::MatMul | Op::MatMulLeftTransposed | Op::MatMulRightTransposed => {
                let [m, n] = [bound.sizes[0], bound.sizes[1]];
                let inner = field(args[0]).width / m;
                let both = arguments().rows(arg(0)).rows(arg(1));
                let both = both.u32(u32::from(value.op == Op::MatMulLeftTransposed));
                let both = both.u32(u32::from(value.op == Op::MatMulRightTransposed));
                let both = both.count(rows).count(m).count(n).count(inner);
                library.launch("mat_mul", (rows, m * n), &both)
            }
            Op::Transpose => {
                let [m, n] = [bound.sizes[0], bound.sizes[1]];
                let from = arguments().rows(arg(0)).count(rows).count(m).count(n);
                library.launch("transpose", (rows, m * n), &from)
            }
            Op::Reshape | Op::Copy(_) => library.copy(out, arg(0), size),
            Op::Row(index) => {
                let from = arguments().rows(arg(0)).index(self.index(*index, domain));
                library.launch("table_row", size, &from.count(rows).count(width))
            }
            Op::BagSum(field) => {
                let (index, bags) = self.bags(*field, domain);
                let from = arguments().rows(arg(0)).index(index).at(bags);
                library.launch("bag_sum", size, &from.count(rows).count(width))
            }
            Op::BagSize(field) => {
                let (index, _) = self.bags(*field, domain);
                library.launch("bag_size", (rows, 1), &arguments().index(index).count(rows))
            }
            Op::OneHot(index) => {
                let from = arguments().rows(arg(0)).index(self.index(*index, domain));
                library.launch("one_hot", size, &from.count(rows).count(width))
            }
            Op::Pick(index) => {
                let from = arguments().rows(arg(0)).index(self.index(*index, domain));
                library.launch("pick", (rows, 1), &from.count(rows))
            }
            Op::Reduce(Domain::Vertex) | Op::ReduceMax => {
                let edges = self.edge_arguments(arguments(), args[0]);
                let edges = edges.u32(u32::from(value.op == Op::ReduceMax));
                library.launch("fold_edges", size, &edges.count(rows).count(width))
            }
            Op::EdgeMaxMask => {
                let edges = self.edge_arguments(arguments(), args[0]);
                let vertices = self.rows.len();
                let edges = edges.count(vertices).count(width);
                library.launch("mark_greatest", (vertices, width), &edges)
            }
            op if op.row().class == Class::Reduction => {
                let index = op.index().map(|index| self.index(index, domain));
                let from = arguments().rows(arg(0)).index(index.unwrap_or(Index::default()));
                let from = from.u32(u32::from(index.is_some())).count(rows);
                let from = from.u32(field(args[0]).width as u32);
                library.launch_team(reduction(op), rows, &from)
            }
            op => unreachable!("`{}` is no step of a phase", op.row().name),
        }
    }

    /// The rows of a state's field that the children in a slot have.
    fn child(&self, slot: Slot, field: u16) -> Rows {
        let (state, field) =
            self.function.child_field(slot, field).expect("the field was bound with the model");
        let width = self.frame.model.states[state].fields[field].width();
        let at = self.arena(self.frame.layout.states[state][field]);
        let (index, zeros) = (self.children(slot), self.arena(0));
        let stored = self.backend.library.numbers.stored;
        Rows { mode: Mode::Gather, index, zeros, ..Rows::each(at, stride(width), stored) }
    }

    /// What `DRAWS` declares.
    fn draws(&self, arguments: Arguments, domain: Domain, site: u32, shared: bool) -> Arguments {
        let tables = self.tables();
        let arguments = arguments.at(self.table(tables.keys, 0, 16)).at(self.owners());
        let arguments = arguments.at(self.table(tables.rest_offsets, 0, 4));
        let arguments = arguments.u32(self.rows.start as u32);
        let arguments = arguments.u32(u32::from(domain == Domain::Edge));
        arguments.u32(self.edges.start as u32).u32(site).u32(u32::from(shared))
    }

    /// What kernels over the edges of vertices read.
    fn edge_arguments(&self, arguments: Arguments, edges: Span) -> Arguments {
        let x = self.input(Domain::Edge, edges);
        let offsets = self.table(self.tables().rest_offsets, self.rows.start, 4);
        arguments.each(x).at(offsets).u32(self.edges.start as u32)
    }
}
