//! What tells that an answer is there.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

/// Tells that an answer is there.
#[derive(Default)]
pub(crate) struct Bell(Mutex<BellState>);

#[derive(Default)]
struct BellState {
    has_rung: bool,
    /// Who is told.
    waker: Option<Waker>,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, BellState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn ring(&self) {
        let waker = {
            let mut state = self.lock();
            state.has_rung = true;
            state.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Whether it has rung; else the waker is told when it does.
    pub(crate) fn poll(&self, waker: &Waker) -> bool {
        let mut state = self.lock();
        if !state.has_rung {
            state.waker = Some(waker.clone());
        }
        state.has_rung
    }

    /// Whether the answer is there.
    pub(crate) fn has_rung(&self) -> bool {
        self.lock().has_rung
    }
}
