//! All names in the plans of a bundle are those of `tests/frozen/names-1.txt`, which only grows: a file that edb has
//! written is read by every later edb. serde itself is asked for the names, so that none is forgotten.
//!
//! `EDB_BLESS=1 cargo test --test suite frozen_names` adds those that are new.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use edb::graph::GraphRecord;
use edb::model::{Bundle, Notes};
use edb::port::FieldKind;
use edb_ir::Plan;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// What types of data look like in JSON: what each field of a struct is, and what each variant of an enum holds.
#[derive(Default)]
struct Names {
    found: BTreeSet<String>,
    /// The variants of each enum, and how many times one of it was asked for.
    enums: BTreeMap<&'static str, (&'static [&'static str], usize)>,
    /// The fields of each struct: two types of one name would hide each other.
    structs: BTreeMap<String, &'static [&'static str]>,
    /// The types that contain the one that is being read. One that contains itself is read once.
    around: Vec<&'static str>,
}

impl Names {
    /// All of a type. It is read again and again, with other variants of its enums, until each was there.
    fn of<'de, T: de::Deserialize<'de>>(mut self) -> Self {
        loop {
            let mut kind = String::new();
            T::deserialize(Ask { names: &mut self, kind: &mut kind, again: false }).unwrap();
            if self.enums.values().all(|(variants, asked)| *asked >= variants.len()) {
                return self;
            }
        }
    }
}

/// What is wrong, which nothing is.
#[derive(Debug)]
struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Gives a type whatever it asks for, and writes down what that is.
struct Ask<'a> {
    names: &'a mut Names,
    /// What was asked for.
    kind: &'a mut String,
    /// Whether this is inside a type that is inside itself: then nothing more is given.
    again: bool,
}

impl Ask<'_> {
    fn inner<'b>(&'b mut self, kind: &'b mut String) -> Ask<'b> {
        Ask { names: self.names, kind, again: self.again }
    }

    fn note(&mut self, line: String) {
        if !self.again {
            self.names.found.insert(line);
        }
    }

    /// Values one after the other, each of which is asked for; returns what they are.
    fn each<'de, V: Visitor<'de>>(
        &mut self,
        count: usize,
        visitor: V,
    ) -> Result<(V::Value, Vec<String>), Wrong> {
        let mut kinds = Vec::new();
        let values = Values { ask: self, left: count, kinds: &mut kinds };
        Ok((visitor.visit_seq(values)?, kinds))
    }

    /// The fields of a struct, or of a variant.
    fn fields<'de, V: Visitor<'de>>(
        &mut self,
        of: &str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let known = *self.names.structs.entry(of.to_owned()).or_insert(fields);
        assert_eq!(known, fields, "there are two types `{of}`");
        let (value, kinds) = self.each(fields.len(), visitor)?;
        for (field, kind) in fields.iter().zip(kinds) {
            self.note(format!("{of}.{field}: {kind}"));
        }
        Ok(value)
    }
}

/// The elements of a list, a tuple or a struct.
struct Values<'a, 'b> {
    ask: &'a mut Ask<'b>,
    left: usize,
    kinds: &'a mut Vec<String>,
}

impl<'de> SeqAccess<'de> for Values<'_, '_> {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut kind = String::new();
        let value = seed.deserialize(self.ask.inner(&mut kind))?;
        self.kinds.push(kind);
        Ok(Some(value))
    }
}

/// One entry of a map.
struct Entry<'a, 'b> {
    ask: &'a mut Ask<'b>,
    left: usize,
    kind: &'a mut String,
}

impl<'de> MapAccess<'de> for Entry<'_, '_> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Wrong> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut kind = String::new();
        let key = seed.deserialize(self.ask.inner(&mut kind))?;
        assert_eq!(kind, "text", "the keys of JSON are texts");
        Ok(Some(key))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(self.ask.inner(self.kind))
    }
}

/// A variant of an enum.
struct Variant<'a, 'b> {
    ask: &'a mut Ask<'b>,
    /// The enum and the variant, `Slot.Fixed`.
    name: String,
    variant: &'static str,
}

impl<'de> EnumAccess<'de> for Variant<'_, '_> {
    type Error = Wrong;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Wrong> {
        let name: de::value::StrDeserializer<'_, Wrong> = self.variant.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, '_> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        self.ask.note(self.name);
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Wrong> {
        let mut kind = String::new();
        let value = seed.deserialize(self.ask.inner(&mut kind))?;
        self.ask.note(format!("{}: {kind}", self.name));
        Ok(value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Wrong> {
        let (value, kinds) = self.ask.each(count, visitor)?;
        self.ask.note(format!("{}: ({})", self.name, kinds.join(", ")));
        Ok(value)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.ask.fields(&self.name, fields, visitor)
    }
}

/// Numbers and texts, of which each is given the least.
macro_rules! given {
    ($($method:ident: $kind:literal, $visit:ident($($value:expr)?);)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
            self.kind.push_str($kind);
            visitor.$visit($($value)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Ask<'_> {
    type Error = Wrong;

    given! {
        // Only numbers that may be infinite ask for anything.
        deserialize_any: "number, inf, -inf or NaN", visit_f64(0.0);
        deserialize_bool: "bool", visit_bool(false);
        deserialize_i8: "integer", visit_i8(0);
        deserialize_i16: "integer", visit_i16(0);
        deserialize_i32: "integer", visit_i32(0);
        deserialize_i64: "integer", visit_i64(0);
        deserialize_u8: "integer", visit_u8(0);
        deserialize_u16: "integer", visit_u16(0);
        deserialize_u32: "integer", visit_u32(0);
        deserialize_u64: "integer", visit_u64(0);
        deserialize_f32: "number", visit_f32(0.0);
        deserialize_f64: "number", visit_f64(0.0);
        deserialize_char: "text", visit_char('a');
        deserialize_str: "text", visit_str("");
        deserialize_string: "text", visit_str("");
        deserialize_identifier: "text", visit_str("");
        deserialize_bytes: "bytes", visit_bytes(&[]);
        deserialize_byte_buf: "bytes", visit_bytes(&[]);
        deserialize_unit: "null", visit_unit();
        deserialize_ignored_any: "anything", visit_unit();
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Wrong> {
        if self.again {
            return visitor.visit_none();
        }
        let mut kind = String::new();
        let value = visitor.visit_some(self.inner(&mut kind))?;
        *self.kind = format!("{kind} or null");
        Ok(value)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Wrong> {
        let (value, kinds) = self.each(usize::from(!self.again), visitor)?;
        *self.kind = format!("[{}]", kinds.join(", "));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        mut self,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let (value, kinds) = self.each(count, visitor)?;
        *self.kind = format!("({})", kinds.join(", "));
        Ok(value)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        count: usize,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_tuple(count, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Wrong> {
        let (mut kind, left) = (String::new(), usize::from(!self.again));
        let value = visitor.visit_map(Entry { ask: &mut self, left, kind: &mut kind })?;
        *self.kind = format!("{{text: {kind}}}");
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.kind.push_str(name);
        self.again |= self.names.around.contains(&name);
        self.names.around.push(name);
        let value = self.fields(name, fields, visitor);
        self.names.around.pop();
        value
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.kind.push_str(name);
        let (known, asked) = self.names.enums.entry(name).or_insert((variants, 0));
        assert_eq!(*known, variants, "there are two enums `{name}`");
        let variant = variants[if self.again { 0 } else { *asked % variants.len() }];
        *asked += usize::from(!self.again);
        visitor.visit_enum(Variant { ask: &mut self, name: format!("{name}.{variant}"), variant })
    }
}

/// The names of a bundle around its plans, from one that is written.
fn around_plans() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/bundle-1.edb");
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("bundle.edb");
    let Bundle { model, examples, .. } = Bundle::<f32>::open(&path).unwrap();
    model.bundle().examples(examples).save(&written).unwrap();
    let bytes = fs::read(&written).unwrap();
    let (_, header) = safetensors::SafeTensors::read_metadata(&bytes).unwrap();
    let text = &header.metadata().as_ref().unwrap()["edb.bundle"];
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    assert!(Notes::load(&written).unwrap().names().next().is_none());
    let keys = |of: &str, value: &serde_json::Value| {
        let object = value.as_object().unwrap_or_else(|| panic!("{of} is no object"));
        object.keys().map(|key| format!("{of}.{key}")).collect::<Vec<_>>()
    };
    let port = json["ports"].as_array().unwrap().iter();
    let port = port.clone().find(|port| port["fields"][0].is_object()).expect("a port has fields");
    let parts = [
        ("(bundle)", &json),
        ("(bundle).examples", &json["examples"][0]),
        ("(bundle).functions", &json["functions"][0]),
        ("(bundle).ports", port),
        ("(bundle).ports.fields", &port["fields"][0]),
    ];
    parts.into_iter().flat_map(|(of, value)| keys(of, value)).collect()
}

#[test]
fn names_in_plans_only_grow() {
    let names = Names::default().of::<Plan>().of::<GraphRecord>().of::<FieldKind>();
    let mut found = names.found;
    found.extend(around_plans());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/names-1.txt");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let mut frozen: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let gone: Vec<_> = frozen.difference(&found).collect();
    assert!(
        gone.is_empty(),
        "files of version 1 have these names, which edb no longer reads; give them back, or read \
         both: {gone:#?}"
    );
    if std::env::var_os("EDB_BLESS").is_some() {
        frozen.extend(found.iter().cloned());
        let lines: Vec<&str> = frozen.iter().map(String::as_str).collect();
        fs::write(&file, lines.join("\n") + "\n").unwrap();
    }
    let new: Vec<_> = found.difference(&frozen).collect();
    assert!(
        new.is_empty(),
        "these names are new, and will be for ever: add them by EDB_BLESS=1 cargo test --test suite \
         frozen_names; a field that older files lack needs a default: {new:#?}"
    );
}

/// The names are those that serde writes: of all pointwise ops, and of one op with attributes.
#[test]
fn names_are_those_that_are_written() {
    use edb_ir::{Draw, Op, Pointwise};
    let names = Names::default().of::<Plan>().found;
    let has = |line: &str| assert!(names.contains(line), "{line}");
    has("Op.Pointwise: Pointwise");
    for op in Pointwise::ALL {
        let json = serde_json::to_value(Op::Pointwise(*op)).unwrap();
        has(&format!("Pointwise.{}", json["Pointwise"].as_str().unwrap()));
    }
    let op = Op::Draw(Draw::Dropout { rate: 0.5, site: 1, shared: true });
    let json = serde_json::to_value(op).unwrap();
    assert_eq!(json.to_string(), r#"{"Draw":{"Dropout":{"rate":0.5,"shared":true,"site":1}}}"#);
    for line in ["rate: number", "site: integer", "shared: bool"] {
        has(&format!("Draw.Dropout.{line}"));
    }
}
