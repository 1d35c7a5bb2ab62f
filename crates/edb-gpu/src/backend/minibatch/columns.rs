//! Tables that get longer while graphs grow: each has room behind what it holds, and what is
//! appended to all of them goes up in one copy.

use std::sync::Arc;

use crate::backend::launches::KernelSet;
use crate::driver::{Address, DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::library::{Library, Spread, UNIT};

/// Tables begin at multiples of this many bytes.
const ALIGN: usize = 256;

/// The tables that are written one after the other, each time in the same order.
#[derive(Debug)]
pub(super) struct Columns {
    /// Whether tables get longer.
    pub(super) is_used: bool,
    /// The model whose tables they are.
    model: u64,
    columns: Vec<Column>,
    /// The next to be written.
    next: usize,
    /// What was appended: where it goes, where it comes from, and how long it is, in units.
    pieces: Vec<[u64; 3]>,
    /// Whether some table has no room for what was appended.
    is_full: bool,
    /// Where pieces are uploaded to.
    memory: DeviceMemory,
}

/// A table, in bytes.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    start: usize,
    /// What the device has of it.
    filled: usize,
    /// What it has with what is appended.
    length: usize,
    room: usize,
}

impl Columns {
    pub(crate) fn new(driver: &Arc<dyn Driver>) -> Self {
        Self {
            is_used: false,
            model: 0,
            columns: Vec::new(),
            next: 0,
            pieces: Vec::new(),
            is_full: false,
            memory: DeviceMemory::new(driver),
        }
    }

    /// Forgets what the device has. The tables of the same model keep their room.
    pub(crate) fn restart(&mut self, model: u64) {
        if self.model != model {
            self.columns.clear();
            self.model = model;
        }
        self.columns.iter_mut().for_each(|column| column.filled = 0);
    }

    /// Begins with the first table.
    pub(crate) fn begin(&mut self) {
        self.next = 0;
        self.pieces.clear();
        self.is_full = false;
    }

    /// How many bytes the device has of a table: the next, or one of those behind it.
    pub(super) fn known(&self, ahead: usize) -> usize {
        let column = self.columns.get(self.next + ahead).filter(|_| self.is_used);
        column.map_or(0, |column| column.filled)
    }

    /// Appends bytes, which begin at `from` in what is uploaded, to the next table. Returns where
    /// it begins.
    pub(super) fn append(&mut self, from: usize, bytes: usize) -> usize {
        if self.next == self.columns.len() {
            self.columns.push(Column::default());
        }
        let column = &mut self.columns[self.next];
        self.next += 1;
        column.length = column.filled + bytes;
        if column.length > column.room {
            self.is_full = true;
        } else if bytes > 0 {
            let piece = [column.start + column.filled, from, bytes];
            self.pieces.push(piece.map(|bytes| (bytes / UNIT) as u64));
        }
        column.start
    }

    /// Gives each table that has no room for what was appended twice what it needs. Returns whether
    /// there is one: then all tables lie elsewhere, and have to be written again.
    pub(crate) fn place(&mut self) -> bool {
        if !self.is_full {
            return false;
        }
        let mut end = 0;
        for column in &mut self.columns {
            if column.length > column.room {
                column.room = (2 * column.length).next_multiple_of(ALIGN);
            }
            column.start = end;
            end += column.room;
        }
        true
    }

    /// The bytes of all tables with their room.
    pub(crate) fn bytes(&self) -> usize {
        self.columns.last().map_or(0, |last| last.start + last.room)
    }

    /// Uploads what was appended, and puts it behind what the tables have.
    pub(super) fn send(
        &mut self,
        bytes: &[u8],
        tables: Address,
        library: &KernelSet<Library>,
    ) -> Result<(), GpuError> {
        for column in &mut self.columns {
            column.filled = column.length;
        }
        if self.pieces.is_empty() {
            return Ok(());
        }
        let widest = self.pieces.iter().map(|[_, _, units]| *units).max().unwrap_or(0);
        let list = bytes.len().next_multiple_of(size_of::<u64>());
        let mut sent = Vec::with_capacity(list + size_of_val(&self.pieces[..]));
        sent.extend_from_slice(bytes);
        sent.resize(list, 0);
        sent.extend_from_slice(bytemuck::cast_slice(&self.pieces));
        self.memory.reserve(sent.len())?;
        library.launcher.driver.upload(&sent, self.memory.address())?;
        library.launch(Spread {
            to: tables,
            from: self.memory.address(),
            pieces: self.memory.address() + list as Address,
            rows: self.pieces.len(),
            width: widest as usize,
        })
    }
}
