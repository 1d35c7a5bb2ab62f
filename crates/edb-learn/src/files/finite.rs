//! Finds out whether all numbers of a value are finite. JSON cannot represent the others, and serde would write
//! `null` for them.

use std::fmt::Error;

use serde::Serialize;
use serde::ser::{self, Serializer};

/// The first number of a value that is infinite or NaN.
pub(super) fn first_not_finite(value: &impl Serialize) -> Option<f64> {
    let mut search = Search(None);
    // This fails only if the value itself refuses to be serialised, which does not matter here.
    _ = value.serialize(&mut search);
    search.0
}

/// A serialiser that writes nothing, and keeps the first number that is not finite.
struct Search(Option<f64>);

/// Methods for values that contain no such number.
macro_rules! passed {
    ($($method:ident($($kind:ty),*);)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<(), Error> { Ok(()) })*
    };
}

/// Methods that begin a value with several parts.
macro_rules! begun {
    ($($method:ident($($kind:ty),*) -> $parts:ident;)*) => {
        $(
            type $parts = Self;
            fn $method(self, $(_: $kind),*) -> Result<Self, Error> { Ok(self) }
        )*
    };
}

impl Serializer for &mut Search {
    type Ok = ();
    type Error = Error;

    passed! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    begun! {
        serialize_seq(Option<usize>) -> SerializeSeq;
        serialize_tuple(usize) -> SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> SerializeTupleVariant;
        serialize_map(Option<usize>) -> SerializeMap;
        serialize_struct(&'static str, usize) -> SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> SerializeStructVariant;
    }

    fn serialize_f32(self, number: f32) -> Result<(), Error> {
        self.serialize_f64(f64::from(number))
    }

    fn serialize_f64(self, number: f64) -> Result<(), Error> {
        if self.0.is_none() && !number.is_finite() {
            self.0 = Some(number);
        }
        Ok(())
    }

    fn serialize_some<V: ?Sized + Serialize>(self, value: &V) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<V: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &V,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<V: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &V,
    ) -> Result<(), Error> {
        value.serialize(self)
    }
}

/// The parts of a value.
macro_rules! parts {
    ($($parts:ident: $($method:ident($($key:ty)?)),*;)*) => {
        $(impl ser::$parts for &mut Search {
            type Ok = ();
            type Error = Error;

            $(fn $method<V: ?Sized + Serialize>(
                &mut self,
                $(_: $key,)?
                value: &V,
            ) -> Result<(), Error> {
                value.serialize(&mut **self)
            })*

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}
parts! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}
