//! The tables that describe a minibatch's rows, edges and input, uploaded once per step in one
//! copy; while graphs grow, only what was appended, in one copy a wave.

use std::sync::Arc;

use edb_core::backend::{Frame, InputCell};
use edb_core::element::Element;
use edb_ir::{FunctionId, Leaf, Movement, Op};

use super::arena::Arena;
use super::columns::Columns;
use crate::backend::launches::KernelSet;
use crate::driver::{Address, DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::library::{Library, NO_GRADIENT, PUSHED, PUSHED_WIDE};

/// The tables of all functions, and the input data.
#[derive(Debug)]
pub(crate) struct Tables {
    memory: DeviceMemory,
    /// What is uploaded.
    bytes: Vec<u8>,
    pub(crate) functions: Vec<FunctionTables>,
    data: usize,
    columns: Columns,
}

/// The byte offsets of a function's tables. Rows are those of its vertices.
#[derive(Debug, Default)]
pub(crate) struct FunctionTables {
    /// For each fixed slot, the child of each row.
    pub(crate) fixed: Vec<usize>,
    /// The other children, the offset of each row's, and the vertex that each edge enters.
    pub(crate) rest: usize,
    pub(crate) rest_offsets: usize,
    pub(crate) owners: usize,
    /// The edges to parents, and the offset of each row's.
    pub(crate) parents: usize,
    pub(crate) parent_offsets: usize,
    /// The key of each row's random draws, of two words.
    pub(crate) keys: usize,
    /// For input fields: the index of each row, or the offset of its data.
    pub(crate) inputs: Vec<(u16, usize)>,
    /// For fields that are bags: the offset of each row's indices, and the indices.
    pub(crate) bags: Vec<(u16, [usize; 2])>,
    /// For fields of the state: the offset and the stride of each block's gradients.
    pub(crate) blocks: Vec<(u16, [usize; 2])>,
    /// For fields of the output: the offset of each row's list of pulled gradients, and the lists.
    pub(crate) feeds: Vec<(u16, [usize; 2])>,
}

/// The entry of a field.
pub(crate) fn of_field<V: Copy>(list: &[(u16, V)], field: u16) -> Option<V> {
    list.iter().find(|(known, _)| *known == field).map(|(_, value)| *value)
}

impl Tables {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        let columns = Columns::new(driver);
        Self {
            memory: DeviceMemory::new(driver),
            bytes: Vec::new(),
            functions: Vec::new(),
            data: 0,
            columns,
        }
    }

    /// The address of a byte offset.
    pub(crate) fn address(&self, offset: usize) -> Address {
        self.memory.address() + offset as u64
    }

    /// The address of the input data.
    pub(crate) fn data(&self) -> Address {
        self.address(self.data)
    }

    /// Brings the tables of a minibatch to the device: all of them or, while graphs grow, what was
    /// appended.
    pub(crate) fn update<T: Element + bytemuck::Pod>(
        &mut self,
        frame: Frame<'_, T>,
        arena: &Arena,
        library: &KernelSet<Library>,
    ) -> Result<(), GpuError> {
        self.columns.is_used = frame.layout().growing;
        let driver = &*library.launcher.driver;
        if !frame.layout().growing {
            self.fill(frame, arena);
            self.memory.reserve(self.bytes.len().max(1))?;
            return match self.bytes.is_empty() {
                true => Ok(()),
                false => driver.upload(&self.bytes, self.memory.address()),
            };
        }
        self.fill(frame, arena);
        // It also has none if it was refused some before.
        if self.columns.place() || self.memory.bytes() < self.columns.bytes() {
            self.memory.reserve(self.columns.bytes())?;
            self.columns.restart(frame.model_id());
            self.fill(frame, arena);
        }
        self.columns.send(&self.bytes, self.memory.address(), library)
    }

    /// Forgets what the device has, if a minibatch of this model is to follow; or since the places
    /// have changed that tables name.
    pub(crate) fn restart(&mut self, model: u64) {
        self.columns.restart(model);
    }

    /// Writes the tables of a minibatch, as far as the device has not got them.
    fn fill<T: Element + bytemuck::Pod>(&mut self, frame: Frame<'_, T>, arena: &Arena) {
        self.bytes.clear();
        self.columns.begin();
        let mut functions = std::mem::take(&mut self.functions);
        functions.clear();
        for function in frame.model().functions.ids() {
            let present = !frame.layout().types[function].vertices.is_empty();
            functions.push(match present || frame.layout().growing {
                true => self.function_tables(frame, arena, function),
                false => FunctionTables::default(),
            });
        }
        self.functions = functions;
        let known = self.known::<T>();
        self.data = self.push(&frame.data()[known..]);
    }

    /// How many values of the next table the device has.
    fn known<V>(&self) -> usize {
        self.columns.known(0) / size_of::<V>()
    }

    /// Adds values to the next table, behind those that the device has. Returns where it begins.
    fn push<V: bytemuck::Pod>(&mut self, values: &[V]) -> usize {
        let start = self.bytes.len().next_multiple_of(16);
        self.bytes.resize(start, 0);
        self.bytes.extend_from_slice(bytemuck::cast_slice(values));
        if self.columns.is_used { self.columns.append(start, size_of_val(values)) } else { start }
    }

    /// Adds the values of a list to the next table that the device has not got.
    fn push_rest<V: bytemuck::Pod>(&mut self, list: &[V]) -> usize {
        let known = self.known::<V>();
        self.push(&list[known..])
    }

    fn function_tables<T: Element + bytemuck::Pod>(
        &mut self,
        frame: Frame<'_, T>,
        arena: &Arena,
        function: FunctionId,
    ) -> FunctionTables {
        let bound = &frame.model().functions[function];
        let layout = &frame.layout().types[function];
        // Nothing runs backward before graphs have stopped growing.
        let training = frame.step().is_some() && !frame.layout().growing;
        let mut tables = FunctionTables {
            fixed: layout.fixed.iter().map(|rows| self.push_rest(rows)).collect(),
            rest: self.push_rest(&layout.rest),
            rest_offsets: self.push_rest(&layout.rest_offsets),
            owners: self.push_rest(&layout.rest_owners),
            ..FunctionTables::default()
        };
        if training {
            tables.parent_offsets = self.push(&layout.parent_offsets);
            let parents = layout.parents.iter().flat_map(|edge| [edge.block, edge.row]);
            tables.parents = self.push(&parents.collect::<Vec<u32>>());
        }
        if bound.draws() {
            let known = self.known::<[u64; 3]>();
            let keys = layout.vertices[known..].iter().map(|vertex| frame.vertex_key(*vertex));
            tables.keys = self.push(&keys.flat_map(|key| key.words()).collect::<Vec<u64>>());
        }
        for (_, value) in bound.plan.program.iter() {
            match value.op {
                Op::Leaf(Leaf::Pull(field)) if value.shape.is_index() => {
                    let index = |vertex: &u32| frame.index(*vertex, field);
                    let known = self.known::<u32>();
                    let indices: Vec<u32> = layout.vertices[known..].iter().map(index).collect();
                    let indices = self.push(&indices);
                    tables.inputs.push((field, indices));
                }
                Op::Leaf(Leaf::Pull(field)) if of_field(&tables.inputs, field).is_none() => {
                    let sources = self.sources(frame, arena, function, field);
                    tables.inputs.push((field, sources));
                }
                Op::Leaf(Leaf::StateGradient(field)) if training => {
                    let blocks = self.blocks(frame, function, field);
                    tables.blocks.push((field, blocks));
                }
                Op::Leaf(Leaf::OutputGradient(field)) if training && !layout.feeds.is_empty() => {
                    let feeds = self.feeds(frame, function, field);
                    tables.feeds.push((field, feeds));
                }
                _ => {}
            }
            // The indices of summed rows are sorted when they are summed.
            if let Op::Movement(Movement::BagSum(field)) | Op::Leaf(Leaf::BagSize(field)) = value.op
                && of_field(&tables.bags, field).is_none()
            {
                let bags = self.bags(frame, function, field);
                tables.bags.push((field, bags));
            }
        }
        tables
    }

    /// The location of the data that each row pulls.
    fn sources<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        arena: &Arena,
        function: FunctionId,
        field: u16,
    ) -> usize {
        let source = |vertex: &u32| match frame.input(*vertex, field) {
            InputCell::Data { start, .. } => u64::from(start),
            InputCell::Pushed { vertex, field } => {
                let range = frame.pushed(vertex, field).expect("pushed values are kept");
                match arena.wide(range.start) {
                    Some(element) => PUSHED | PUSHED_WIDE | element as u64,
                    None => PUSHED | range.start as u64,
                }
            }
            InputCell::Index(_) | InputCell::Indices { .. } => {
                unreachable!("the minibatch was checked: the field holds a tensor")
            }
        };
        let vertices = &frame.layout().types[function].vertices[self.known::<u64>()..];
        let sources: Vec<u64> = vertices.iter().map(source).collect();
        self.push(&sources)
    }

    /// The bags of a field, row by row.
    fn bags<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        function: FunctionId,
        field: u16,
    ) -> [usize; 2] {
        // The device has an offset more than rows, or nothing.
        let (offsets, known) = (self.known::<u32>(), self.columns.known(1) / size_of::<u32>());
        let (mut offsets, rows) = match offsets.checked_sub(1) {
            Some(rows) => (Vec::new(), rows),
            None => (vec![0_u32], 0),
        };
        let mut bags = Vec::new();
        for vertex in &frame.layout().types[function].vertices[rows..] {
            bags.extend_from_slice(frame.bag(*vertex, field));
            offsets.push((known + bags.len()) as u32);
        }
        [self.push(&offsets), self.push(&bags)]
    }

    /// The gradients of a field of the state, block by block.
    fn blocks<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        function: FunctionId,
        field: u16,
    ) -> [usize; 2] {
        let bound = &frame.model().functions[function];
        let state = bound.plan.program.scattered.expect("it scatters what has a gradient");
        let field = bound.states[usize::from(state)].1[usize::from(field)];
        // Blocks of other states may have fewer fields; this function has no edges to them.
        let place = |block: &Vec<Option<(usize, usize)>>| block.get(field).copied().flatten();
        let places: Vec<_> = frame.layout().blocks.iter().map(place).collect();
        let start =
            |place: &Option<(usize, usize)>| place.map_or(NO_GRADIENT, |(start, _)| start as u64);
        let stride = |place: &Option<(usize, usize)>| place.map_or(0, |(_, stride)| stride as u64);
        let starts: Vec<u64> = places.iter().map(start).collect();
        let strides: Vec<u64> = places.iter().map(stride).collect();
        [self.push(&starts), self.push(&strides)]
    }

    /// The gradients of the pulls of an output field, row by row.
    fn feeds<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        function: FunctionId,
        field: u16,
    ) -> [usize; 2] {
        let layout = &frame.layout().types[function];
        let mut offsets = vec![0_u32; layout.vertices.len() + 1];
        let mut gradients = Vec::new();
        for feed in layout.feeds.iter().filter(|feed| feed.field == field) {
            offsets[feed.row as usize + 1] += 1;
            gradients.push(feed.gradient as u64);
        }
        for row in 1..offsets.len() {
            offsets[row] += offsets[row - 1];
        }
        [self.push(&offsets), self.push(&gradients)]
    }
}
