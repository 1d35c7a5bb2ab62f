//! Typed numbers: what is numbered has a type of number of its own, so that the number of one
//! thing cannot stand where that of another is meant.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use derive_where::derive_where;
use serde::{Deserialize, Serialize};

/// The number of an element of an [`IdVec`].
pub trait Id: Copy {
    /// The number of the element in this place, which has to fit into the type's bits.
    fn new(index: usize) -> Self;

    /// The place of the element with this number.
    fn index(self) -> usize;
}

/// Declares types of numbers: each a struct of one integer that implements [`Id`](crate::id::Id),
/// compares and hashes as the integer does, and is printed as it.
#[macro_export]
macro_rules! id_types {
    ($($(#[$attribute:meta])* $visibility:vis struct $name:ident($integer:ty);)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(
            /// The number.
            pub $integer,
        );

        impl $name {
            /// The place of what has this number.
            #[inline]
            $visibility const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::id::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                Self(index as $integer)
            }

            #[inline]
            fn index(self) -> usize {
                self.index()
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Debug::fmt(&self.0, f)
            }
        }
    )*};
}

/// A vector whose elements are numbered by `I`. It is serialised as the vector.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
#[derive_where(Clone, PartialEq, Eq; T)]
#[derive_where(Default)]
pub struct IdVec<I, T> {
    /// The elements in the order of their numbers, for what changes all of them.
    pub raw: Vec<T>,
    #[serde(skip)]
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// No elements.
    pub const fn new() -> Self {
        Self { raw: Vec::new(), id: PhantomData }
    }

    /// `element` for each of `len` numbers.
    pub fn filled(element: T, len: usize) -> Self
    where
        T: Clone,
    {
        vec![element; len].into()
    }

    /// Adds an element, and returns its number.
    pub fn push(&mut self, element: T) -> I {
        let id = I::new(self.raw.len());
        self.raw.push(element);
        id
    }

    /// The element with this number, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.raw.get(id.index())
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.raw.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }

    /// Every number, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.raw.len()).map(I::new)
    }

    /// The elements, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.raw.iter()
    }

    /// Every element with its number, in order.
    pub fn iter_enumerated(
        &self,
    ) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.raw.iter().enumerate().map(|(index, element)| (I::new(index), element))
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.raw[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.raw[id.index()]
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(raw: Vec<T>) -> Self {
        Self { raw, id: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<E: IntoIterator<Item = T>>(elements: E) -> Self {
        Vec::from_iter(elements).into()
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.raw.iter()
    }
}

// Derives would ask of `I` what is asked of `T`.

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.raw.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routine::RecordId;

    /// Plans and schedules that were saved with bare numbers stay readable.
    #[test]
    fn ids_and_their_vectors_are_serialised_as_numbers_and_vectors() {
        let numbers = vec![3_u16, 300, 7];
        let bytes = postcard::to_stdvec(&numbers).unwrap();
        let ids: IdVec<RecordId, RecordId> =
            numbers.iter().map(|number| RecordId(*number)).collect();
        assert_eq!(postcard::to_stdvec(&ids).unwrap(), bytes);
        assert_eq!(postcard::from_bytes::<IdVec<RecordId, RecordId>>(&bytes).unwrap(), ids);
        assert_eq!(format!("{ids:?} {}", ids[RecordId(1)]), "[3, 300, 7] 300");
    }
}
