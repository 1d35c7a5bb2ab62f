//! What a function means, in a form in which runs of different releases can be compared.
//!
//! A run that goes on, and processes that train together, must have one model. Names and shapes of
//! parameters do not tell: where `h` and `c` are exchanged in a `scatter`, they are the same. A
//! fingerprint tells, and names what differs.
//!
//! It is made of a function before any pass of the compiler: what passes do to it, from simplification
//! to layout, does not change it. Neither do lines of source, names of variables, the order of
//! statements that do not depend on each other, what nothing depends on, and whether a value is
//! computed twice. What is in it: each result as the ops, constants, parameters and fields that it is
//! computed from; the names of fields, states and parameters, by which they are found; shapes with the
//! names of dimensions; and the numbers of draws, on which masks and samples depend. Initial values of
//! parameters are not: a run that goes on has others.
//!
//! Ops are told by their names in the textual form of programs, with their attributes. Whoever changes
//! these, or how a function is lowered, changes fingerprints: see [`SCHEME`].

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::flow::{Block, Flow, Step};
use super::op::{Indexing, Leaf, Movement, Op};
use super::{FieldDecl, FieldType, PortDecl, Program, ValueId};

/// How fingerprints are made. Those of two schemes are not compared: whoever changes what they are for
/// functions that are as before counts this up, so that earlier runs go on, with a warning.
pub const SCHEME: u32 = 1;

/// What a function means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// How it was made: a [`SCHEME`], or 0 where there is none.
    scheme: u32,
    /// The parts by name: `parameter u`, `gather`, `scatter h`. For a value, the text is [`HASHED`] and a hash of how
    /// the value is computed; for a shape, a state or a kind of field, it is the thing itself.
    parts: BTreeMap<String, String>,
}

/// How a part begins that is a hash.
const HASHED: char = '#';

/// Whether a [part](Fingerprint::parts) tells by a hash how something is computed.
pub fn is_hashed(part: &str) -> bool {
    part.starts_with(HASHED)
}

const LOSSES: &str = "losses";

impl Fingerprint {
    /// The fingerprint of a function before any pass.
    pub fn of(flow: &Flow) -> Self {
        let program = &flow.program;
        let mut parts = BTreeMap::new();
        for param in &program.params {
            let shape = param.shape.display(&program.dims).to_string();
            parts.insert(format!("parameter {}", param.name), shape);
        }
        let state = |number: u16| {
            let state = program.states.get(usize::from(number));
            state.map_or("?", |state| unqualified(&state.name))
        };
        let slots = program.slots.iter();
        let children = slots
            .map(|slot| format!("{}{}", state(slot.state), if slot.optional { "?" } else { "" }))
            .chain(program.rest.map(|rest| format!("{}..", state(rest))));
        let children: Vec<String> = children.collect();
        if !children.is_empty() {
            parts.insert("gather".to_owned(), children.join(", "));
        }
        for field in program.input.iter().flat_map(|input| &input.fields) {
            parts.insert(format!("pull {}", field.name), kind(field).to_owned());
        }
        if program.may_lack_input {
            parts.insert("input".to_owned(), "one that may be absent".to_owned());
        }
        let hashes = Hashes::of(flow);
        if let Some(scattered) = program.scattered {
            parts.insert("state".to_owned(), state(scattered).to_owned());
            let port = program.states.get(usize::from(scattered));
            parts.extend(hashes.fields("scatter", port, &program.scatter));
        }
        parts.extend(hashes.fields("push", program.output.as_ref(), &program.push));
        let mut effects = Effects::default();
        hashes.effects(&flow.body, START, &mut effects);
        if !effects.losses.is_empty() {
            // They are added up, whatever their order is.
            effects.losses.sort_unstable();
            let losses: Vec<String> = effects.losses.into_iter().map(hashed).collect();
            parts.insert(LOSSES.to_owned(), losses.join(" "));
        }
        if let Some(list) = &flow.list {
            let fields: Vec<&str> = list.fields.iter().map(|field| field.name.as_str()).collect();
            let items = effects.items.iter().fold(text(START, &fields.join(" ")), number);
            parts.insert("items".to_owned(), hashed(items));
        }
        Self { scheme: SCHEME, parts }
    }

    /// Whether it can be compared with another one.
    pub fn is_comparable(&self, other: &Self) -> bool {
        self.scheme == other.scheme && self.scheme != 0
    }

    /// Its parts: the name of each, and its text.
    pub fn parts(&self) -> impl Iterator<Item = (String, &str)> {
        self.parts.iter().map(|(part, value)| (described(part), value.as_str()))
    }

    /// How a function with this fingerprint differs from one with another: in words, in which each has
    /// a place, such as "in the model".
    pub fn differences(&self, other: &Self, [here, there]: [&str; 2]) -> Vec<String> {
        let all: BTreeSet<&String> = self.parts.keys().chain(other.parts.keys()).collect();
        let difference = |part: &String| {
            let what = described(part);
            match (self.parts.get(part), other.parts.get(part)) {
                (Some(own), Some(others)) if own == others => None,
                (Some(own), Some(others)) if is_hashed(own) => {
                    // Only losses may be several.
                    let [own, others] = [own, others].map(|hashes| hashes.matches(HASHED).count());
                    Some(match own == others {
                        true => format!("{what} is computed in another way {here} than {there}"),
                        false => {
                            format!("the number of losses is {own} {here} and {others} {there}")
                        }
                    })
                }
                (Some(own), Some(others)) => {
                    Some(format!("{what} is {own} {here} and {others} {there}"))
                }
                (Some(_), None) => Some(format!("{what} is {here} and not {there}")),
                (None, _) => Some(format!("{what} is {there} and not {here}")),
            }
        };
        all.into_iter().filter_map(difference).collect()
    }
}

/// What a part is of, in words.
fn described(part: &str) -> String {
    match part.split_once(' ').unwrap_or((part, "")) {
        ("parameter", name) => format!("the parameter `{name}`"),
        ("pull", name) => format!("`{name}`, which `pull` reads,"),
        ("scatter", name) => format!("`{name}`, which `scatter` writes,"),
        ("push", name) => format!("`{name}`, which `push` gives,"),
        ("gather", _) => "the list of states that are gathered".to_owned(),
        ("state", _) => "the state that is scattered".to_owned(),
        ("input", _) => "the input".to_owned(),
        ("items", _) => "the list that is pushed".to_owned(),
        (LOSSES, _) => "the loss".to_owned(),
        (other, name) => format!("{other} {name}").trim_end().to_owned(),
    }
}

/// A type without the modules that it is in, which are written or not.
fn unqualified(name: &str) -> &str {
    let path = name.find('<').map_or(name, |generics| &name[..generics]);
    path.rfind(':').map_or(name, |colon| name[colon + 1..].trim_start())
}

fn kind(field: &FieldDecl) -> &'static str {
    match &field.holds {
        FieldType::Indices => "a bag of indices",
        FieldType::Value(shape) if shape.is_index() => "an index",
        FieldType::Value(_) => "a tensor",
    }
}

/// What a function does beside computing values: each under which conditions.
#[derive(Default)]
struct Effects {
    losses: Vec<u64>,
    /// In order.
    items: Vec<u64>,
}

/// A hash of how each value is computed.
struct Hashes {
    of: Vec<u64>,
}

/// How a [`Leaf::Merge`] comes to its value.
enum Origin {
    /// A variable of a loop where the body begins: how many loops are around it, and its place.
    Begin([u64; 2]),
    /// A variable behind a loop.
    Behind(LoopOrigin, u64),
    /// A variable behind a branch: the condition, and what it is at the end of each arm.
    Choice([ValueId; 3]),
}

/// The conditions of a loop, and what its variables are before it and at the end of the body.
type LoopOrigin = std::rc::Rc<Vec<ValueId>>;

impl Hashes {
    fn of(flow: &Flow) -> Self {
        let mut origins = BTreeMap::new();
        find_origins(&flow.body, 0, &mut origins);
        let program = &flow.program;
        let mut hashes = Self { of: Vec::with_capacity(program.values.len()) };
        for (id, value) in program.iter() {
            let hash = match origins.get(&id) {
                Some(Origin::Begin(place)) => place.iter().fold(text(START, "begin"), number),
                Some(Origin::Behind(origin, place)) => {
                    number(hashes.all(text(START, "loop"), origin), place)
                }
                Some(Origin::Choice(origin)) => hashes.all(text(START, "choice"), origin),
                None => hashes.computed(program, id, &value.op),
            };
            hashes.of.push(hash);
        }
        hashes
    }

    /// The hash of a value that an op computes.
    fn computed(&self, program: &Program, id: ValueId, op: &Op) -> u64 {
        let value = program.value(id);
        match op {
            // It exists to be a separate value.
            Op::Movement(Movement::Copy(_)) | Op::Indexing(Indexing::Copy(_)) => {
                return value.args.first().map_or(START, |arg| self.get(*arg));
            }
            _ => {}
        }
        let mut hash = text(START, &program.describe_value(id).to_string());
        // The shapes of others follow from their arguments.
        let is_given = match op {
            Op::Leaf(Leaf::Zeros) | Op::Movement(Movement::Expand | Movement::Reshape) => true,
            Op::Movement(op) => op.start().is_some(),
            _ => false,
        };
        if is_given {
            hash = text(hash, &value.shape.display(&program.dims).to_string());
        }
        self.all(hash, &value.args)
    }

    /// Verified functions have no value before its arguments; others are refused by their models.
    fn get(&self, id: ValueId) -> u64 {
        self.of.get(id.index()).copied().unwrap_or(START)
    }

    fn all(&self, hash: u64, values: &[ValueId]) -> u64 {
        values.iter().fold(hash, |hash, id| number(hash, &self.get(*id)))
    }

    /// The parts of the fields that a port tells.
    fn fields<'a>(
        &'a self,
        verb: &'a str,
        port: Option<&'a PortDecl>,
        values: &'a [ValueId],
    ) -> impl Iterator<Item = (String, String)> + 'a {
        let fields = port.into_iter().flat_map(|port| &port.fields).zip(values);
        fields.map(move |(field, id)| (format!("{verb} {}", field.name), hashed(self.get(*id))))
    }

    /// Collects what a block does under these conditions.
    fn effects(&self, block: &Block, conditions: u64, found: &mut Effects) {
        for step in &block.steps {
            match step {
                Step::Loss(id) => found.losses.push(number(conditions, &self.get(*id))),
                Step::Push(item) => found.items.push(self.all(conditions, item)),
                Step::Branch(branch) => {
                    for (taken, arm) in (0..).zip(&branch.arms) {
                        let condition = number(conditions, &self.get(branch.condition));
                        self.effects(arm, number(condition, &taken), found);
                    }
                }
                Step::Loop(repeat) => {
                    let variables = repeat.variables.iter();
                    let variables = variables.flat_map(|of| [of.before, of.end]);
                    let ends: Vec<ValueId> =
                        [repeat.first, repeat.again].into_iter().chain(variables).collect();
                    let around = self.all(text(conditions, "loop"), &ends);
                    self.effects(&repeat.body, around, found);
                }
                Step::Value(_) | Step::Children(_) => {}
            }
        }
    }
}

/// How variables of branches and loops come to their values, within so many loops.
fn find_origins(block: &Block, depth: u64, origins: &mut BTreeMap<ValueId, Origin>) {
    for step in &block.steps {
        match step {
            Step::Branch(branch) => {
                branch.arms.iter().for_each(|arm| find_origins(arm, depth, origins));
                for merge in &branch.merges {
                    let [first, second] = merge.from;
                    let origin = Origin::Choice([branch.condition, first, second]);
                    origins.insert(merge.value, origin);
                }
            }
            Step::Loop(repeat) => {
                let variables = repeat.variables.iter().flat_map(|of| [of.before, of.end]);
                let ends = [repeat.first, repeat.again].into_iter().chain(variables);
                let ends = LoopOrigin::new(ends.collect());
                for (place, variable) in (0..).zip(&repeat.variables) {
                    origins.insert(variable.begin, Origin::Begin([depth, place]));
                    origins.insert(variable.behind, Origin::Behind(ends.clone(), place));
                }
                find_origins(&repeat.body, depth + 1, origins);
            }
            Step::Value(_) | Step::Loss(_) | Step::Push(_) | Step::Children(_) => {}
        }
    }
}

/// FNV-1a, 64 bits: it is the same on every machine, and nobody profits from making two functions
/// collide.
const START: u64 = 0xcbf2_9ce4_8422_2325;

fn bytes(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Adds a text to a hash, with an end that no other text has.
fn text(hash: u64, text: &str) -> u64 {
    bytes(bytes(hash, text.as_bytes()), &[0xff])
}

/// Adds a number to a hash.
fn number(hash: u64, number: &u64) -> u64 {
    bytes(hash, &number.to_le_bytes())
}

fn hashed(hash: u64) -> String {
    format!("{HASHED}{hash:016x}")
}

#[cfg(test)]
mod tests;
