//! The arena on a device: the values of vertices and their gradients, in their stored number types.
//!
//! The engine's offsets count elements, whatever their size. If values have 16 bits, the few
//! records in full precision ("wide") have memory of their own, and their range in the arena is
//! unused.

use std::ops::Range;
use std::sync::Arc;

use edb_core::backend::{Frame, Move, Place};
use edb_core::element::Element;
use edb_ir::Domain;
use half::{bf16, f16};

use super::relocation::move_all;
use crate::backend::launches::{Codes, KernelSet};
use crate::driver::{Address, DeviceMemory, Driver};
use crate::error::GpuError;
use crate::kernels::library::Library;
use crate::number::{Number, Numbers};

/// Wide parts begin at multiples of this many elements, which are 256 bytes.
const ALIGN: usize = 64;

/// The memory of a minibatch.
#[derive(Debug)]
pub(crate) struct Arena {
    numbers: Numbers,
    driver: Arc<dyn Driver>,
    stored: DeviceMemory,
    wide: DeviceMemory,
    /// The ranges of wide elements, ascending, each with its offset in the wide memory.
    parts: Vec<(Range<usize>, usize)>,
}

impl Arena {
    pub(crate) fn new(driver: &Arc<dyn Driver>, numbers: Numbers) -> Self {
        let memory = || DeviceMemory::new(driver);
        let (stored, wide) = (memory(), memory());
        Self { numbers, driver: Arc::clone(driver), stored, wide, parts: Vec::new() }
    }

    fn bytes(&self, elements: usize) -> usize {
        elements.saturating_mul(self.numbers.stored.size())
    }

    /// Makes it at least this large. If it must grow, its contents are lost.
    pub(crate) fn reserve(&mut self, elements: usize) -> Result<(), GpuError> {
        self.stored.reserve(self.bytes(elements).max(1))
    }

    /// Makes it at least this large, and keeps its contents.
    pub(crate) fn extend(&mut self, elements: usize) -> Result<(), GpuError> {
        self.stored.extend(self.bytes(elements).max(1))
    }

    /// Determines which elements of a minibatch are wide, and clears those that are always zero.
    pub(crate) fn begin<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        codes: &Codes,
    ) -> Result<(), GpuError> {
        self.parts.clear();
        let end = self.find_parts(frame, codes);
        self.wide.reserve(end.saturating_mul(self.numbers.real.size()).max(1))?;
        match self.bytes(frame.layout().zeros) {
            0 => Ok(()),
            bytes => self.driver.clear(self.stored.address(), bytes),
        }
    }

    /// Finds the wide elements that a layout has besides those that are known. Returns how many there
    /// are in all.
    fn find_parts<T: Element>(&mut self, frame: Frame<'_, T>, codes: &Codes) -> usize {
        let ends = self.parts.iter().map(|(range, start)| start + range.len());
        let mut end = ends.max().unwrap_or(0).next_multiple_of(ALIGN);
        let known = self.parts.len();
        for (function, bound) in frame.model().functions.iter_enumerated() {
            let layout = &frame.layout().types[function];
            if layout.room.vertices == 0 || !self.numbers.is_narrow() {
                continue;
            }
            for (number, record) in bound.routine.records.iter_enumerated() {
                let Place::Arena(start) = layout.places[number] else { continue };
                let is_known =
                    self.parts[..known].binary_search_by_key(&start, |part| part.0.start);
                if record.is_index
                    || codes.code(function).numbers[number] == self.numbers.stored
                    || is_known.is_ok()
                {
                    continue;
                }
                let elements = match record.domain {
                    Domain::Step => record.width(),
                    Domain::Vertex => layout.room.vertices * record.stride,
                    Domain::Edge => layout.room.edges * record.stride,
                };
                self.parts.push((start..start + elements, end));
                end += elements.next_multiple_of(ALIGN);
            }
        }
        self.parts.sort_unstable_by_key(|(range, _)| range.start);
        end
    }

    /// Makes room for a layout, and moves elements to their places in it.
    pub(crate) fn relocate<T: Element>(
        &mut self,
        frame: Frame<'_, T>,
        codes: &Codes,
        moves: &[Move],
        (library, spare): (&KernelSet<Library>, &mut DeviceMemory),
    ) -> Result<(), GpuError> {
        self.extend(frame.layout().size)?;
        let end = self.find_parts(frame, codes);
        self.wide.extend(end.saturating_mul(self.numbers.real.size()).max(1))?;
        let stored = (self.stored.address(), self.numbers.stored.size());
        if self.parts.is_empty() {
            return move_all(library, spare, stored, moves);
        }
        let (mut narrow, mut wide) = (Vec::new(), Vec::new());
        for Move { from, to, length } in moves.iter().copied() {
            match (self.wide(from), self.wide(to)) {
                (Some(from), Some(to)) => wide.push(Move { from, to, length }),
                _ => narrow.push(Move { from, to, length }),
            }
        }
        move_all(library, spare, stored, &narrow)?;
        move_all(library, spare, (self.wide.address(), self.numbers.real.size()), &wide)
    }

    /// The address of an element that is not wide.
    pub(crate) fn address(&self, element: usize) -> Address {
        self.stored.address() + self.bytes(element) as Address
    }

    /// The offset of an element in the wide memory, if it is wide.
    pub(super) fn wide(&self, element: usize) -> Option<usize> {
        let part = self.parts.partition_point(|(elements, _)| elements.end <= element);
        let (elements, start) = self.parts.get(part)?;
        elements.contains(&element).then(|| start + element - elements.start)
    }

    /// The address of a wide element, by its offset in the wide memory.
    pub(crate) fn wide_address(&self, element: usize) -> Address {
        self.wide.address() + (element * self.numbers.real.size()) as Address
    }

    /// The address of an element, and its number type.
    pub(crate) fn place(&self, element: usize) -> (Address, Number) {
        match self.wide(element) {
            Some(element) => (self.wide_address(element), self.numbers.real),
            None => (self.address(element), self.numbers.stored),
        }
    }

    /// Copies elements to the host; all belong to one record.
    pub(crate) fn read<T: Element + bytemuck::Pod>(
        &self,
        range: Range<usize>,
    ) -> Result<Box<[T]>, GpuError> {
        let (from, number) = self.place(range.start);
        let bits = |widened: fn(u16) -> f32| {
            let mut bits = vec![0_u16; range.len()];
            self.driver.download(from, bytemuck::cast_slice_mut(&mut bits))?;
            Ok(bits.into_iter().map(|bits| T::from_f64(f64::from(widened(bits)))).collect())
        };
        match number {
            Number::F16 => bits(|bits| f16::from_bits(bits).to_f32()),
            Number::Bf16 => bits(|bits| bf16::from_bits(bits).to_f32()),
            Number::F32 | Number::F64 => {
                let mut values = vec![T::zero(); range.len()].into_boxed_slice();
                self.driver.download(from, bytemuck::cast_slice_mut(&mut values))?;
                Ok(values)
            }
        }
    }

    /// Writes elements from `start` on; none is wide.
    pub(crate) fn write<T: Element + bytemuck::Pod>(
        &self,
        start: usize,
        values: &[T],
    ) -> Result<(), GpuError> {
        let bits = |rounded: fn(f32) -> u16| {
            let bits = values.iter().map(|value| rounded(value.as_f64() as f32));
            let bits: Vec<u16> = bits.collect();
            self.driver.upload(bytemuck::cast_slice(&bits), self.address(start))
        };
        match self.numbers.stored {
            Number::F16 => bits(|value| f16::from_f32(value).to_bits()),
            Number::Bf16 => bits(|value| bf16::from_f32(value).to_bits()),
            Number::F32 | Number::F64 => {
                self.driver.upload(bytemuck::cast_slice(values), self.address(start))
            }
        }
    }
}
