//! What the host has read of the arena since something ran there.

use std::fmt;
use std::ops::Range;

use elsa::FrozenMap;

/// Parts of the arena, by their first element and that behind the last. More can be added while some
/// are borrowed: results are views.
pub(super) struct Mirror<T>(FrozenMap<(usize, usize), Box<[T]>>);

impl<T> Mirror<T> {
    pub(super) fn new() -> Self {
        Self(FrozenMap::new())
    }

    /// A part, which `download` brings if it is not here.
    pub(super) fn get<E>(
        &self,
        part: Range<usize>,
        download: impl FnOnce() -> Result<Box<[T]>, E>,
    ) -> Result<&[T], E> {
        let key = (part.start, part.end);
        match self.0.get(&key) {
            Some(known) => Ok(known),
            None => Ok(self.0.insert(key, download()?)),
        }
    }

    /// Forgets all: it is going to change.
    pub(super) fn clear(&mut self) {
        self.0.as_mut().clear();
    }
}

impl<T> fmt::Debug for Mirror<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} parts", self.0.len())
    }
}
