//! Host copies of the parts of the arena that were read since the arena last changed.

use std::fmt;
use std::ops::Range;

use elsa::FrozenMap;

/// Parts of the arena, by element range. Parts can be added while others are borrowed, because
/// results are views of them.
pub(crate) struct Mirror<T>(FrozenMap<(usize, usize), Box<[T]>>);

impl<T> Mirror<T> {
    pub(crate) fn new() -> Self {
        Self(FrozenMap::new())
    }

    /// A part of the arena, downloaded by `download` if there is no host copy.
    pub(crate) fn get<E>(
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

    /// Discards all copies, because the arena is about to change.
    pub(crate) fn clear(&mut self) {
        self.0.as_mut().clear();
    }
}

impl<T> fmt::Debug for Mirror<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} parts", self.0.len())
    }
}
