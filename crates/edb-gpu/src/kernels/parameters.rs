//! The parameters of kernels: for each kind, its value on the host and the arguments made of it.
//!
//! A dialect writes the same kinds as text, so the two sides of a launch have one declaration.

use std::marker::PhantomData;

use super::rows::{Draws, Index, Rows};
use crate::driver::{Address, Argument};
use crate::number::{Number, Numbers};

/// The bit of a mode that marks rows as wide: of the type of arithmetic where values are stored in
/// a narrower one.
pub(crate) const WIDE: u32 = 4;

/// The type of the elements that a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    /// The type of arithmetic.
    Real,
    /// The type in which values are stored.
    Stored,
    /// Unsigned integers of 16 bits.
    U16,
    /// Unsigned integers of 32 bits.
    U32,
    /// Unsigned integers of 64 bits.
    U64,
    /// Numbers of 64 bits.
    F64,
}

/// What a kernel is passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Equally spaced rows that are written: address, stride, mode. The parameter's name is `out`.
    OutRows,
    /// Equally spaced rows: address, stride, mode.
    EvenRows,
    /// Rows in any mode: address, zeros, index, stride, first row, mode.
    Rows,
    /// An index for each row: address, owners, children, place of the first row, whether owners are
    /// given, whether children are.
    Index,
    /// What each row's random draws depend on: keys, owners, edges, first vertex, whether rows are
    /// edges, first edge, site, whether all vertices of a graph draw the same. Its name is `draws`.
    Draws,
    /// A pointer to what is read.
    Read(ElementType),
    /// A pointer to what is written.
    Write(ElementType),
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
    /// A number of 64 bits.
    F64,
    /// A number of the type of arithmetic.
    Real,
}

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, which the text of the kernel uses.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
}

/// The type of a parameter in a declaration.
pub(crate) trait Passed {
    /// The type of its value on the host.
    type Value: Copy;
    const KIND: Kind;
    /// Adds the arguments that a kernel takes for a value.
    fn pass(value: Self::Value, to: &mut Arguments);
}

/// The type of the elements that a pointer in a declaration points to.
pub(crate) trait Pointee {
    const TYPE: ElementType;
}

/// A number of the type of arithmetic, `f64` on the host; also what pointers point to.
#[derive(Debug)]
pub(crate) enum Real {}
/// A number of the type in which values are stored.
#[derive(Debug)]
pub(crate) enum Stored {}
/// Equally spaced rows that are written.
#[derive(Debug)]
pub(crate) enum OutRows {}
/// Equally spaced rows that are read.
#[derive(Debug)]
pub(crate) enum EvenRows {}
/// A pointer to what is read.
#[derive(Debug)]
pub(crate) struct Read<E>(PhantomData<E>);
/// A pointer to what is written.
#[derive(Debug)]
pub(crate) struct Write<E>(PhantomData<E>);

macro_rules! pointee {
    ($($pointee:ty: $type:ident),*) => {
        $(impl Pointee for $pointee {
            const TYPE: ElementType = ElementType::$type;
        })*
    };
}
pointee!(Real: Real, Stored: Stored, u16: U16, u32: U32, u64: U64, f64: F64);

macro_rules! passed {
    ($($declared:ty: $value:ty => $kind:expr, $pass:expr;)*) => {
        $(impl Passed for $declared {
            type Value = $value;
            const KIND: Kind = $kind;

            fn pass(value: $value, to: &mut Arguments) {
                let pass: fn($value, &mut Arguments) = $pass;
                pass(value, to);
            }
        })*
    };
}
passed! {
    u32: u32 => Kind::U32, |value, to| to.u32(value);
    bool: bool => Kind::U32, |value, to| to.u32(u32::from(value));
    u64: u64 => Kind::U64, |value, to| to.u64(value);
    usize: usize => Kind::U64, |value, to| to.u64(value as u64);
    f64: f64 => Kind::F64, |value, to| to.list.push(Argument::F64(value));
    Real: f64 => Kind::Real, |value, to| to.real(value);
    OutRows: Rows => Kind::OutRows, |rows, to| to.even(rows);
    EvenRows: Rows => Kind::EvenRows, |rows, to| to.even(rows);
    Rows: Rows => Kind::Rows, |rows, to| {
        to.address(rows.address);
        to.address(rows.zeros);
        to.address(rows.index);
        to.u64(rows.stride as u64);
        to.u32(rows.first);
        to.mode(rows);
    };
    Index: Index => Kind::Index, |index, to| {
        to.address(index.address);
        to.address(index.owners.unwrap_or(0));
        to.address(index.children.unwrap_or(0));
        to.u32(index.first);
        to.u32(u32::from(index.owners.is_some()));
        to.u32(u32::from(index.children.is_some()));
    };
    Draws: Draws => Kind::Draws, |draws, to| {
        to.address(draws.keys);
        to.address(draws.owners);
        to.address(draws.edges);
        to.u32(draws.first);
        to.u32(u32::from(draws.is_edge));
        to.u32(draws.first_edge);
        to.u32(draws.site);
        to.u32(u32::from(draws.shared));
    };
}

impl<E: Pointee> Passed for Read<E> {
    type Value = Address;
    const KIND: Kind = Kind::Read(E::TYPE);

    fn pass(value: Address, to: &mut Arguments) {
        to.address(value);
    }
}

impl<E: Pointee> Passed for Write<E> {
    type Value = Address;
    const KIND: Kind = Kind::Write(E::TYPE);

    fn pass(value: Address, to: &mut Arguments) {
        to.address(value);
    }
}

/// The argument list of a launch.
#[derive(Debug)]
pub(crate) struct Arguments {
    numbers: Numbers,
    list: Vec<Argument>,
}

impl Arguments {
    pub(crate) fn new(numbers: Numbers) -> Self {
        Self { numbers, list: Vec::with_capacity(24) }
    }

    pub(crate) fn as_slice(&self) -> &[Argument] {
        &self.list
    }

    pub(super) fn address(&mut self, address: Address) {
        self.list.push(Argument::Address(address));
    }

    fn u32(&mut self, number: u32) {
        self.list.push(Argument::U32(number));
    }

    fn u64(&mut self, number: u64) {
        self.list.push(Argument::U64(number));
    }

    fn real(&mut self, number: f64) {
        self.list.push(match self.numbers.real {
            Number::F64 => Argument::F64(number),
            _ => Argument::F32(number as f32),
        });
    }

    fn mode(&mut self, rows: Rows) {
        let wide = self.numbers.is_narrow() && rows.number == self.numbers.real;
        self.u32(rows.mode as u32 | if wide { WIDE } else { 0 });
    }

    fn even(&mut self, rows: Rows) {
        self.address(rows.address);
        self.u64(rows.stride as u64);
        self.mode(rows);
    }
}
