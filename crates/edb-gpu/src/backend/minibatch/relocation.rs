//! Elements that move within a memory of the device, as rows do when it is laid out anew: many short
//! moves by one launch, since each copy of the driver takes microseconds of the host.

use edb_core::backend::Move;

use crate::backend::launches::KernelSet;
use crate::driver::{Address, DeviceMemory};
use crate::error::GpuError;
use crate::kernels::library::{Library, Spread, UNIT};

/// Fewer moves are left to the driver.
const FEW: usize = 16;
/// So are longer ones, in bytes: a launch has threads for as many units in each piece as its longest
/// has.
const LONGEST: usize = 1 << 14;

/// Moves elements of `size` bytes each, in the memory at `memory`. `spare` is used meanwhile.
pub(crate) fn move_all(
    library: &KernelSet<Library>,
    spare: &mut DeviceMemory,
    (memory, size): (Address, usize),
    moves: &[Move],
) -> Result<(), GpuError> {
    let are_together = moves.len() >= FEW && are_apart(moves);
    let mut pieces: Vec<[u64; 3]> = Vec::new();
    for Move { from, to, length } in moves {
        if are_together && length * size <= LONGEST {
            pieces.push([to, from, length].map(|elements| (elements * size / UNIT) as u64));
        } else {
            let at = |element: usize| memory + (element * size) as Address;
            library.launcher.driver.copy(at(*from), at(*to), length * size)?;
        }
    }
    let Some(longest) = pieces.iter().map(|[_, _, units]| *units).max() else { return Ok(()) };
    let list: &[u8] = bytemuck::cast_slice(&pieces);
    spare.reserve(list.len())?;
    library.launcher.driver.upload(list, spare.address())?;
    library.launch(Spread {
        to: memory,
        from: memory,
        pieces: spare.address(),
        rows: pieces.len(),
        width: longest as usize,
    })
}

/// Whether nothing is written that another move reads, so that their order does not matter.
fn are_apart(moves: &[Move]) -> bool {
    let read = moves.iter().map(|of| of.from + of.length).max();
    let written = moves.iter().map(|of| of.to).min();
    read <= written
}
