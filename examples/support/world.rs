//! The processes that `mpirun` has started with this one, of which the first one prints and saves.

use std::sync::{Mutex, PoisonError};

use edb::collective::Collective;
use edb::mpi::{MpiError, World};

static WORLD: Mutex<Option<Result<World, MpiError>>> = Mutex::new(None);

/// The processes; opened by the first call.
pub fn get() -> Result<World, MpiError> {
    let mut world = WORLD.lock().unwrap_or_else(PoisonError::into_inner);
    world.get_or_insert_with(World::open).clone()
}

/// Whether this is the first process, or the only one.
pub fn is_first() -> bool {
    get().map_or(true, |world| world.rank() == 0)
}

/// Lets go of the processes, so that the others do not wait for this one.
pub(crate) fn close() {
    WORLD.lock().unwrap_or_else(PoisonError::into_inner).take();
}

/// Prints a line, on the first process only.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {
        if $crate::world::is_first() {
            println!($($text)*);
        }
    };
}
