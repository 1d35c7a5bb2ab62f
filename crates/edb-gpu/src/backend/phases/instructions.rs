//! Steps of a phase: fused kernels, other ops, copies.

use edb_core::backend::stride;
use edb_core::element::Element;
use edb_core::random::Threshold;
use edb_ir::{
    Contraction, Domain, Draw, Indexing, Instruction, Kernel, KernelId, Leaf, Movement, Op, Phase,
    Reduction, Semiring, SemiringContraction, Slot, Span, Transition, ValueId,
};

use super::operands::PhaseRun;
use crate::backend::minibatch::of_field;
use crate::driver::Address;
use crate::error::GpuError;
use crate::kernels::fused::FusedOperands;
use crate::kernels::library::Reducer;
use crate::kernels::{Draws, Index, Mode, Rows, library as kernel};
use crate::number::Number;

/// A value to compute, or a piece of it.
struct Computed<'s> {
    id: ValueId,
    domain: Domain,
    out: Rows,
    /// The number of rows of the result, and their width.
    rows: usize,
    width: usize,
    args: &'s [Span],
}

impl<T: Element + bytemuck::Pod> PhaseRun<'_, T> {
    /// Runs one instruction.
    pub(crate) fn instruction(&mut self, instruction: &Instruction) -> Result<(), GpuError> {
        match instruction {
            Instruction::Op { value, out: Some(out), args } => self.op(*value, *out, args),
            // A sparse gradient is summed at its destination.
            Instruction::Op { out: None, .. } => Ok(()),
            Instruction::Product(stack) => self.product(*stack),
            Instruction::Kernel(kernel) => self.kernel(*kernel),
            Instruction::Copy { from, to } => {
                let Some(out) = self.output(*to) else { return Ok(()) };
                let domain = self.domain(*to);
                let (rows, width) = (self.count(domain), self.bound.routine.field(*to).width);
                self.count_move(rows, width, out.number);
                self.backend.library.copy(out, self.input(domain, *from), rows, width)
            }
        }
    }

    /// Reserves the temporary memory of these instructions, so that none of them allocates.
    pub(crate) fn reserve(
        &mut self,
        instructions: &[(Phase, Instruction)],
    ) -> Result<(), GpuError> {
        let bound = self.bound;
        for (_, instruction) in instructions {
            if let Instruction::Kernel(number) = instruction {
                let kernel = &bound.plan.routine.kernels[*number];
                self.spares(kernel, self.count(kernel.domain))?;
            }
        }
        Ok(())
    }

    fn count_move(&mut self, rows: usize, width: usize, number: Number) {
        let copies = &mut self.backend.copies;
        copies.moved += (rows * width * number.size()) as u64;
        copies.moves += u64::from(rows > 0);
    }

    fn kernel(&mut self, number: KernelId) -> Result<(), GpuError> {
        let bound = self.bound;
        let kernel = &bound.plan.routine.kernels[number];
        let rows = self.count(kernel.domain);
        let stored = kernel.outputs.iter().any(|(out, _)| self.output(*out).is_some());
        let stored = stored || kernel.ends.iter().any(|end| self.output(end.out).is_some());
        if rows == 0 || !stored {
            return Ok(());
        }
        let spares = self.spares(kernel, rows)?;
        let code = self.backend.codes.code(self.function);
        let fused = &code.fused[number.index()];
        let operands = KernelOperands { run: self, kernel, spares: &spares };
        let arguments = fused.arguments(&operands, self.backend.library.numbers);
        let bytes = arguments.as_slice().iter().map(|argument| argument.size()).sum();
        let most = self.backend.dialect.most_argument_bytes();
        if bytes > most {
            let function = bound.plan.program.name.clone();
            return Err(GpuError::Arguments { function, bytes, most });
        }
        let launcher = &self.backend.library.launcher;
        launcher.launch(code.kernels[fused.number], fused.blocks, rows, arguments.as_slice())
    }

    /// Temporary rows for the outputs of a kernel that only its reductions read, by output.
    fn spares(&mut self, kernel: &Kernel, rows: usize) -> Result<Vec<(usize, Address)>, GpuError> {
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
            let stride = self.bound.routine.records[span.record].stride;
            elements += (rows * stride).next_multiple_of(16);
        }
        if !spares.is_empty() {
            let start = self.spare(elements, real)?;
            let address = |offset: Address| start + offset * real.size() as u64;
            spares.iter_mut().for_each(|(_, spare)| *spare = address(*spare));
        }
        Ok(spares)
    }

    /// Computes a value, or a piece of it, by an op that is an instruction of its own.
    fn op(&mut self, id: ValueId, out: Span, args: &[Span]) -> Result<(), GpuError> {
        let bound = self.bound;
        let width = bound.routine.field(out).width;
        let computed = bound.plan.program.value(id);
        let domain = computed.domain;
        if bound.routine.records[out.record].is_index {
            let Op::Indexing(op) = computed.op else {
                unreachable!("indices of children and of the input are read where they are")
            };
            return match self.index_output(out) {
                Some(out) => self.indexing((id, op), domain, out, args),
                None => Ok(()),
            };
        }
        let Some(out) = self.output(out) else { return Ok(()) };
        let value = Computed { id, domain, out, rows: self.count(domain), width, args };
        match &computed.op {
            Op::Leaf(Leaf::Child { slot, field }) => self.gather(&value, *slot, *field),
            Op::Leaf(op) => self.leaf(op, &value),
            Op::Draw(op) => self.draw(*op, &value),
            Op::Contraction(op) => self.contraction(*op, &value),
            Op::Movement(op) => self.movement(op, &value),
            Op::Reduction(op) => self.reduction(*op, &value, 1),
            Op::RowReduction(op) => {
                let matrix = self.bound.value(computed.args[0]);
                self.reduction(op.of_row(), &value, matrix.sizes[0])
            }
            Op::SemiringContraction(op) => self.semiring(*op, &value),
            Op::Indexing(_) => {
                let [a, b] = [args[0], args[1]].map(|index| self.index(index, domain));
                let (out, rows) = (value.out, value.rows);
                self.backend.library.launch(kernel::SameIndex { out, a, b, rows })
            }
            Op::Transition(op) => self.transition(*op, &value),
            Op::Pointwise(op) => unreachable!("`{}` is a part of kernels", op.name()),
        }
    }

    fn gather(&mut self, value: &Computed<'_>, slot: Slot, field: u16) -> Result<(), GpuError> {
        let Computed { out, rows, width, .. } = *value;
        let copies = &mut self.backend.copies;
        copies.gathered += (rows * width * out.number.size()) as u64;
        copies.gathers += u64::from(rows > 0);
        self.backend.library.copy(out, self.child(slot, field), rows, width)
    }

    fn leaf(&self, op: &Leaf, value: &Computed<'_>) -> Result<(), GpuError> {
        let Computed { id, domain, out, rows, width, .. } = *value;
        let library = &self.backend.library;
        match op {
            Leaf::Constant(number) => library.fill(out, rows, width, *number),
            Leaf::LossScale => {
                let scale = &self.backend.loss_scale;
                match library.numbers.scales_losses() {
                    true => library.copy(out, scale.row(library.numbers), rows, width),
                    false => library.fill(out, rows, width, 1.0),
                }
            }
            Leaf::Length(_) => library.fill(out, rows, width, self.bound.value(id).length as f64),
            Leaf::Zeros => library.fill(out, rows, width, 0.0),
            Leaf::Pull(field) => {
                let sources = of_field(&self.tables().inputs, *field).expect("it has its table");
                let sources = self.table(sources, self.rows.start, 8);
                library.launch(kernel::Pull {
                    out,
                    data: self.backend.tables.data(),
                    arena: self.arena(0),
                    wide: self.backend.arena.wide_address(0),
                    sources,
                    rows,
                    width,
                })
            }
            Leaf::StateGradient(field) => {
                let tables = self.tables();
                let [starts, strides] = of_field(&tables.blocks, *field).expect("it has its table");
                library.launch(kernel::StateGradient {
                    out,
                    arena: self.arena(0),
                    offsets: self.table(tables.parent_offsets, self.rows.start, 4),
                    parents: self.table(tables.parents, 0, 4),
                    starts: self.table(starts, 0, 8),
                    strides: self.table(strides, 0, 8),
                    rows,
                    width,
                })
            }
            Leaf::OutputGradient(field) => {
                let seeds = self.layout.seeds[usize::from(*field)];
                let seed = seeds.map(|start| self.arena(start + self.rows.start * width));
                let feeds = of_field(&self.tables().feeds, *field);
                let [offsets, list] = feeds.unwrap_or_default();
                library.launch(kernel::OutputGradient {
                    out,
                    seeds: seed.unwrap_or(0),
                    seeded: seed.is_some(),
                    arena: self.arena(0),
                    offsets: self.table(offsets, self.rows.start, 4),
                    feeds: self.table(list, 0, 8),
                    fed: feeds.is_some(),
                    rows,
                    width,
                })
            }
            Leaf::BagSize(field) => {
                let (index, _) = self.bags(*field, domain);
                library.launch(kernel::BagSize { out, index, rows })
            }
            Leaf::Param(_) => unreachable!("parameters are where they are"),
            Leaf::Merge | Leaf::HasInput => unreachable!("a plan has neither branches nor loops"),
            Leaf::Child { .. } => unreachable!("a child's state is gathered"),
        }
    }

    fn draw(&self, op: Draw, value: &Computed<'_>) -> Result<(), GpuError> {
        let Computed { domain, out, rows, width, args, .. } = *value;
        let library = &self.backend.library;
        let x = self.input(domain, args[0]);
        if self.frame.step().is_none() {
            return library.copy(out, x, rows, width);
        }
        match op {
            Draw::Dropout { rate, site, shared } => {
                let draws = self.draws(domain, site, shared);
                let (threshold, scale) = (Threshold::new(rate).bits(), 1.0 / (1.0 - rate));
                library.launch(kernel::Dropout { out, x, draws, threshold, scale, rows, width })
            }
            Draw::Noise { deviation, site } => {
                let draws = self.draws(domain, site, false);
                library.launch(kernel::Noise { out, x, draws, deviation, rows, width })
            }
        }
    }

    fn contraction(&self, op: Contraction, value: &Computed<'_>) -> Result<(), GpuError> {
        let Computed { id, domain, out, rows, args, .. } = *value;
        let library = &self.backend.library;
        let [left, right] = [args[0], args[1]];
        let [a, b] = [left, right].map(|span| self.input(domain, span));
        let width = |span: Span| self.bound.routine.field(span).width;
        match op {
            Contraction::Outer => {
                let [m, n] = [left, right].map(width);
                library.launch(kernel::Outer { out, a, b, rows, m, n })
            }
            Contraction::MatMul
            | Contraction::MatMulLeftTransposed
            | Contraction::MatMulRightTransposed => {
                let sizes = &self.bound.value(id).sizes;
                let [m, n] = [sizes[0], sizes[1]];
                library.launch(kernel::MatMul {
                    out,
                    a,
                    b,
                    a_transposed: op == Contraction::MatMulLeftTransposed,
                    b_transposed: op == Contraction::MatMulRightTransposed,
                    rows,
                    m,
                    n,
                    inner: width(left) / m,
                })
            }
            Contraction::Dot | Contraction::DotTransposed => {
                unreachable!("products with vectors are stacked")
            }
        }
    }

    fn semiring(&self, op: SemiringContraction, value: &Computed<'_>) -> Result<(), GpuError> {
        let Computed { id, domain, out, rows, width, args } = *value;
        let library = &self.backend.library;
        let [m, inner, n] = self.bound.semiring_sizes(id);
        let arg = |operand: usize| self.input(domain, args[operand]);
        match op {
            SemiringContraction::Product(semiring) => {
                let greatest = semiring == Semiring::Max;
                let (left, right) = (arg(0), arg(1));
                library.launch(kernel::SemiringProduct {
                    out,
                    left,
                    right,
                    greatest,
                    rows,
                    inner,
                    n,
                    width,
                })
            }
            SemiringContraction::Weighted(semiring, role) => {
                let [a, b, y, f, g] = [0, 1, 2, 3, 4].map(arg);
                let (greatest, role) = (semiring == Semiring::Max, role as u32);
                library.launch(kernel::SemiringWeighted {
                    out,
                    a,
                    b,
                    y,
                    f,
                    g,
                    greatest,
                    role,
                    rows,
                    m,
                    inner,
                    n,
                    width,
                })
            }
        }
    }

    fn movement(&mut self, op: &Movement, value: &Computed<'_>) -> Result<(), GpuError> {
        let Computed { id, domain, out, rows, width, args } = *value;
        let computed = self.bound.value(id);
        if op.copies() {
            self.count_move(rows, width, out.number);
        }
        let field = |span: Span| self.bound.routine.field(span);
        let library = &self.backend.library;
        let arg = |position: usize| self.input(domain, args[position]);
        match op {
            Movement::Concat | Movement::ConcatRows => {
                let mut column = 0;
                for arg in args {
                    let (x, width) = (self.input(domain, *arg), field(*arg).width);
                    let part = out.from(column);
                    library.copy(part, x, rows, width)?;
                    column += width;
                }
                Ok(())
            }
            Movement::Slice { .. } | Movement::SliceRows { .. } => {
                let x = arg(0).from(computed.start);
                library.copy(out, x, rows, width)
            }
            Movement::Pad { .. } | Movement::PadRows { .. } => {
                library.fill(out, rows, width, 0.0)?;
                let part = out.from(computed.start);
                let x = arg(0);
                library.copy(part, x, rows, field(args[0]).width)
            }
            Movement::WhereAbsent(slot) => {
                let (x, children) = (arg(0), self.children(Slot::Fixed(*slot)));
                library.launch(kernel::WhereAbsent { out, x, children, rows, width })
            }
            Movement::Transpose => {
                let [m, n] = [computed.sizes[0], computed.sizes[1]];
                library.launch(kernel::Transpose { out, x: arg(0), rows, m, n })
            }
            Movement::AsDiagonal => {
                let n = computed.sizes[0];
                library.launch(kernel::AsDiagonal { out, x: arg(0), rows, n })
            }
            Movement::Diagonal => {
                library.launch(kernel::Diagonal { out, x: arg(0), rows, n: width })
            }
            Movement::Row => {
                let (x, index) = (arg(0), self.index(args[1], domain));
                library.launch(kernel::TableRow { out, x, index, rows, width })
            }
            Movement::BagSum(field) => {
                let (index, bags) = self.bags(*field, domain);
                library.launch(kernel::BagSum { out, x: arg(0), index, bags, rows, width })
            }
            Movement::OneHot => {
                let (x, index) = (arg(0), self.index(args[1], domain));
                let n = computed.sizes.get(1).copied().unwrap_or(1);
                library.launch(kernel::OneHot { out, x, index, rows, width, n })
            }
            Movement::Pick => {
                let (x, index) = (arg(0), self.index(args[1], domain));
                library.launch(kernel::Pick { out, x, index, rows, width })
            }
            Movement::Reshape => library.copy(out, arg(0), rows, width),
            Movement::Copy(_) | Movement::Expand | Movement::Detach => {
                unreachable!("copies are parts of kernels")
            }
        }
    }

    /// A reduction of each of the parts of each row.
    fn reduction(&self, op: Reduction, value: &Computed<'_>, parts: usize) -> Result<(), GpuError> {
        let Computed { domain, out, rows, width: out_width, args, .. } = *value;
        let library = &self.backend.library;
        let index = args.get(1).map(|index| self.index(*index, domain));
        let indexed = index.is_some();
        let (x, index) = (self.input(domain, args[0]), index.unwrap_or_default());
        let width = self.bound.routine.field(args[0]).width as u32;
        match op {
            Reduction::CrossEntropyGradient => {
                let factor = self.input(domain, args[2]);
                library.launch(kernel::CrossEntropyGradient { out, x, index, factor, rows, width })
            }
            op => {
                let kernel = Reducer::of(op);
                let [width, out_width] =
                    [width, out_width as u32].map(|width| width / parts.max(1) as u32);
                library.launch(kernel::Reduce {
                    kernel,
                    out,
                    x,
                    index,
                    indexed,
                    rows,
                    parts,
                    width,
                    out_width,
                })
            }
        }
    }

    /// An index as fused kernels read it, which have the places of vertices, but of edges only those
    /// from the first of these rows on.
    fn index_of_kernel(&self, span: Span, domain: Domain) -> Index {
        let index = self.index(span, domain);
        if self.domain(span) != Domain::Edge {
            return index;
        }
        let skipped = (self.edges.start * size_of::<u32>()) as Address;
        match index.children {
            Some(children) => Index { children: Some(children + skipped), ..index },
            None => Index { address: index.address + skipped, ..index },
        }
    }

    /// Computes an index.
    fn indexing(
        &mut self,
        (id, op): (ValueId, Indexing),
        domain: Domain,
        out: Address,
        args: &[Span],
    ) -> Result<(), GpuError> {
        let rows = self.count(domain);
        let library = &self.backend.library;
        let width = |span: Span| self.bound.routine.field(span).width as u32;
        match op {
            Indexing::Argmax { .. } => {
                let (x, width) = (self.input(domain, args[0]), width(args[0]));
                library.launch(kernel::Argmax { out, x, rows, width })
            }
            Indexing::Sample { site } => {
                let (x, width) = (self.input(domain, args[0]), width(args[0]));
                let draws = self.draws(domain, site, false);
                library.launch(kernel::Sample { out, x, draws, rows, width })
            }
            Indexing::Given(value) => library.launch(kernel::FillIndex { out, rows, value }),
            Indexing::Copy(_) => {
                let index = self.index(args[0], domain);
                library.launch(kernel::CopyIndex { out, index, rows })
            }
            Indexing::IfAbsent(slot) => {
                let [there, absent] = [args[0], args[1]].map(|index| self.index(index, domain));
                let slots = Index {
                    address: self.slot(Slot::Fixed(slot)),
                    owners: (domain == Domain::Edge).then(|| self.owners()),
                    children: None,
                    first: self.rows.start as u32,
                };
                library.launch(kernel::IndexIfAbsent { out, there, absent, slots, rows })
            }
            Indexing::Next => {
                let count = self.bound.value(id).one_of.unwrap_or(1) as u32;
                let index = self.index(args[0], domain);
                library.launch(kernel::NextIndex { out, index, rows, count })
            }
            Indexing::Same => unreachable!("whether two indices are the same is a number"),
        }
    }

    fn transition(&self, op: Transition, value: &Computed<'_>) -> Result<(), GpuError> {
        let Computed { out, rows, width, args, .. } = *value;
        let library = &self.backend.library;
        let (x, offsets, first_edge) = self.edges_of(args[0]);
        match op {
            Transition::Reduce(Domain::Vertex) | Transition::ReduceMax => {
                let greatest = op == Transition::ReduceMax;
                let edges =
                    kernel::FoldEdges { out, x, offsets, first_edge, greatest, rows, width };
                library.launch(edges)
            }
            Transition::EdgeMaxMask => {
                let rows = self.rows.len();
                library.launch(kernel::MarkGreatest { out, x, offsets, first_edge, rows, width })
            }
            Transition::Reduce(_)
            | Transition::RowSum
            | Transition::BagRowSum(_)
            | Transition::OuterSum
            | Transition::WeightedSum(..) => unreachable!("sums over all rows are accumulated"),
        }
    }

    /// A field of the state of the children in a slot.
    fn child(&self, slot: Slot, field: u16) -> Rows {
        let (state, field) =
            self.bound.child_field(slot, field).expect("the field was bound with the model");
        let width = self.frame.model().states[state].fields[field].width();
        let address = self.arena(self.frame.layout().states[state][field]);
        let (index, zeros) = (self.children(slot), self.arena(0));
        let stored = self.backend.library.numbers.stored;
        Rows { mode: Mode::Gather, index, zeros, ..Rows::same_row(address, stride(width), stored) }
    }

    /// What rows draw by, for an op of this site.
    fn draws(&self, domain: Domain, site: u32, shared: bool) -> Draws {
        let tables = self.tables();
        Draws {
            keys: self.table(tables.keys, 0, 24),
            owners: self.owners(),
            edges: self.table(tables.rest_offsets, 0, 4),
            first: self.rows.start as u32,
            first_edge: self.edges.start as u32,
            is_edge: domain == Domain::Edge,
            site,
            shared,
        }
    }

    /// Rows of edges, the offset of each vertex's, and the first edge.
    fn edges_of(&self, span: Span) -> (Rows, Address, u32) {
        let offsets = self.table(self.tables().rest_offsets, self.rows.start, 4);
        (self.input(Domain::Edge, span), offsets, self.edges.start as u32)
    }
}

/// The operands of a fused kernel in a run.
struct KernelOperands<'r, 'a, T> {
    run: &'r PhaseRun<'a, T>,
    kernel: &'r Kernel,
    /// Temporary rows, by output.
    spares: &'r [(usize, Address)],
}

impl<T: Element + bytemuck::Pod> FusedOperands for KernelOperands<'_, '_, T> {
    fn rows(&self) -> usize {
        self.run.count(self.kernel.domain)
    }

    fn first(&self) -> u32 {
        self.run.rows.start as u32
    }

    fn zeros(&self) -> Address {
        self.run.arena(0)
    }

    fn loss_scale(&self) -> Address {
        self.run.backend.loss_scale.address()
    }

    fn owners(&self) -> Address {
        self.run.owners()
    }

    fn output(&self, output: usize) -> Address {
        let stored = self.run.output(self.kernel.outputs[output].0).map(|rows| rows.address);
        let spare =
            || self.spares.iter().find(|(spared, _)| *spared == output).map(|(_, spare)| *spare);
        stored.or_else(spare).unwrap_or(0)
    }

    fn is_kept(&self, output: usize) -> bool {
        self.run.output(self.kernel.outputs[output].0).is_some()
    }

    fn input(&self, input: usize) -> Rows {
        self.run.input(self.kernel.domain, self.kernel.inputs[input])
    }

    fn end(&self, end: usize) -> Option<Address> {
        self.run.output(self.kernel.ends[end].out).map(|rows| rows.address)
    }

    fn index(&self, end: usize) -> Index {
        let span = self.kernel.ends[end].index.expect("it reads an index");
        self.run.index_of_kernel(span, self.kernel.domain)
    }
}
