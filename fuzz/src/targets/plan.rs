use std::collections::BTreeMap;

use edb::engine::Growth;
use edb::graph::{InputRecord, VertexRecord};
use edb::model::Setup;
use edb::prelude::*;
use edb::testing::TestBuilder;
use edb_ir::dim::Symbol;
use edb_ir::{Builder, Dim, FieldType, JoinedState, Plan, Program, Shape};

use super::bounded;

/// The size of every named dimension.
const SIZE: i64 = 3;
/// No model is made with a tensor of more elements: whether it fits into memory is another
/// question.
const LARGEST: i64 = 1 << 16;
/// The most sections that a vertex runs, and rounds that a graph grows: a damaged loop need not end.
const MOST_STEPS: u32 = 30;
/// The rounds in which a graph gets more.
const ROUNDS: usize = 2;

/// A plan that can be decoded is encoded to the same plan again. The verifier refuses it, or a
/// model of it runs forward and backward, also while graphs grow.
pub fn plan(data: &[u8]) {
    let Ok(plan) = bounded(data.len(), || Plan::decode(data)) else { return };
    let bytes = plan.encode();
    let again = Plan::decode(&bytes).expect("what was written can be read");
    assert_eq!(again.encode(), bytes, "a plan does not survive being written");
    // Building a model verifies as well. Here it decides what to run: a verified plan must not
    // panic.
    if plan.verify().is_ok() {
        run(&plan);
    }
}

/// Runs the plan's function over vertices whose children are leaves of zeros. `None` where no model
/// can be made of the plan, or no graph fits that model.
fn run(plan: &Plan) -> Option<()> {
    let mut shapes = programs(plan).flat_map(|program| {
        let ports = program.states.iter().chain(&program.input).flat_map(|port| &port.fields);
        (program.values.iter().map(|value| &value.shape))
            .chain(program.params.iter().map(|param| &param.shape))
            .chain(ports.filter_map(|field| field.shape()))
    });
    if !shapes.all(fits) {
        return None;
    }
    let states = states(plan);
    let mut builder = ModelBuilder::new();
    for (name, fields) in &states {
        builder.add_program(leaf(name, fields)?, edb_compiler::compile, Setup::new());
    }
    let dims = plan.program.dims.iter();
    let setup = dims.fold(Setup::new(), |setup, name| setup.dim(name, SIZE as usize));
    builder.add_plan(plan.clone(), setup.named("own"));
    let model: Model = builder.build(1).ok()?;
    let records = Records::new(plan, &model, &states)?;
    let graphs: Vec<Graph> =
        records.graphs().iter().filter_map(|of| model.graph_from_records(of).ok()).collect();
    let mut engine = Engine::new().most_steps(MOST_STEPS);
    grow(&records, engine.grow_forward(&model, graphs.clone(), 1).ok());
    for graph in &graphs {
        let batch = model.minibatch([graph]).ok()?;
        engine.infer(&model, &batch).ok()?.loss().ok()?;
        engine.forward(&model, &batch, 1).ok()?.backward().ok()?;
    }
    Some(())
}

/// Lets graphs grow, and runs them backward.
fn grow(records: &Records<'_>, growth: Option<Growth<'_>>) -> Option<()> {
    let mut growth = growth?;
    for _ in 0..ROUNDS {
        for mut graph in growth.round().ok()?? {
            for vertex in graph.new_vertices() {
                for (field, _) in &records.pushed {
                    let _ = graph.index_at(vertex, field);
                }
            }
            // Those that do not fit are not added.
            let last = graph.len().checked_sub(1);
            for record in records.own(last) {
                let _ = graph.add_record(&record);
            }
        }
    }
    growth.finish().ok()?.backward().ok().map(drop)
}

/// The programs of all sections.
fn programs(plan: &Plan) -> impl Iterator<Item = &Program> {
    std::iter::once(plan).chain(&plan.sections).map(|section| &section.program)
}

/// The states of a function by name, with the fields that its sections mention; a section does not
/// mention all.
fn states(plan: &Plan) -> BTreeMap<&str, BTreeMap<&str, &FieldType>> {
    let mut states: BTreeMap<&str, BTreeMap<&str, &FieldType>> = BTreeMap::new();
    for section in std::iter::once(plan).chain(&plan.sections) {
        let joined = section.joint.as_ref().map_or(&[][..], |joint| &joint.states);
        for (number, state) in section.program.states.iter().enumerate() {
            if matches!(joined.get(number), Some(JoinedState::Carry(_))) {
                continue;
            }
            let known = states.entry(&state.name).or_default();
            for field in &state.fields {
                let is_known = |holds: &&FieldType| match holds {
                    FieldType::Value(shape) => elements(shape).is_some(),
                    FieldType::Indices => false,
                };
                if !known.get(&field.name[..]).is_some_and(is_known) {
                    known.insert(&field.name, &field.holds);
                }
            }
        }
    }
    states
}

/// A function without children that scatters zeros. Where a size is unknown, which is then another
/// function's to say, it is that of a named dimension.
fn leaf(state: &str, fields: &BTreeMap<&str, &FieldType>) -> Option<Program> {
    let mut b = Builder::new(&format!("leaf {state}"), Vec::new());
    let port = b.state(state);
    let mut scattered = Vec::new();
    for (name, holds) in fields {
        let FieldType::Value(shape) = holds else { return None };
        let length = |dim: &Dim| Dim::constant(size(dim).unwrap_or(SIZE));
        let value = match shape {
            Shape::OneOf(_) => b.given(0),
            Shape::Unknown(_) => b.zeros(Dim::constant(SIZE)),
            Shape::Known(dims) => match &dims[..] {
                [] => b.constant(0.0),
                [of] => b.zeros(length(of)),
                [rows, columns] => {
                    let zero = b.constant(0.0);
                    b.expand(zero, Shape::matrix(length(rows), length(columns)))
                }
                _ => return None,
            },
        };
        scattered.push((*name, value));
    }
    b.scatter(port, &scattered).ok()?;
    b.finish().ok()
}

/// Vertices of the function, as data.
struct Records<'p> {
    /// Of each state, a leaf.
    leaves: Vec<VertexRecord>,
    /// The leaf in each place among the children.
    children: Vec<usize>,
    /// The places that may be left empty.
    optional: Vec<usize>,
    /// The fields of the input.
    input: BTreeMap<String, InputRecord>,
    may_lack_input: bool,
    /// What the function pushes, and how many elements each has; an index has none.
    pushed: Vec<(&'p str, Option<i64>)>,
}

impl<'p> Records<'p> {
    fn new(
        plan: &'p Plan,
        model: &Model,
        states: &BTreeMap<&str, BTreeMap<&str, &FieldType>>,
    ) -> Option<Self> {
        let program = &plan.program;
        let leaf_of = |state: u16| {
            let name = &program.states[usize::from(state)].name[..];
            states.keys().position(|known| *known == name)
        };
        let slots = program.slots.iter().map(|slot| slot.state);
        let places = slots.chain(program.rest.into_iter().flat_map(|state| [state; 2]));
        let optional = (0..).zip(&program.slots).filter(|(_, slot)| slot.optional);
        let input = model.input_fields("own")?.into_iter().map(|name| {
            let mut fields = programs(plan).filter_map(|of| of.input.as_ref());
            let field = fields.find_map(|of| of.fields.iter().find(|field| field.name == name))?;
            let value = match &field.holds {
                FieldType::Value(shape) if shape.is_index() => InputRecord::Index(0),
                FieldType::Indices => InputRecord::Indices(vec![0, 0]),
                FieldType::Value(shape) => {
                    let count = usize::try_from(elements(shape).unwrap_or(SIZE)).ok()?;
                    InputRecord::Tensor(vec![0.5; count])
                }
            };
            Some((name, value))
        });
        let pushed = programs(plan).flat_map(|program| {
            let output = program.output.iter().flat_map(|output| &output.fields);
            let value = |id| &program.value(id).shape;
            output
                .zip(&program.push)
                .map(move |(field, id)| (&field.name[..], elements(value(*id))))
        });
        let leaf = |name| VertexRecord { function: format!("leaf {name}"), ..Default::default() };
        Some(Self {
            leaves: states.keys().map(leaf).collect(),
            children: places.map(leaf_of).collect::<Option<_>>()?,
            optional: optional.map(|(place, _)| place).collect(),
            input: input.collect::<Option<_>>()?,
            may_lack_input: program.may_lack_input,
            pushed: pushed.collect(),
        })
    }

    /// Leaves, and vertices of the function: of the second graph, one pulls what another one pushes.
    fn graphs(&self) -> [Vec<VertexRecord>; 2] {
        [None, Some(self.leaves.len())].map(|source| {
            let first = self.own(None).into_iter().take(source.map_or(0, |_| 1));
            self.leaves.iter().cloned().chain(first).chain(self.own(source)).collect()
        })
    }

    /// Vertices of the function: with all children, without those that may be absent, without input if
    /// that may be absent, and with input that another vertex pushes.
    fn own(&self, source: Option<usize>) -> Vec<VertexRecord> {
        let children: Vec<Option<usize>> = self.children.iter().copied().map(Some).collect();
        let whole = VertexRecord { function: "own".into(), children, input: self.input.clone() };
        let mut alone = whole.clone();
        self.optional.iter().for_each(|place| alone.children[*place] = None);
        let mut all = vec![alone, whole.clone()];
        if self.may_lack_input {
            all.push(VertexRecord { input: BTreeMap::new(), ..whole.clone() });
        }
        if let Some(vertex) = source {
            let mut fed = whole;
            for value in fed.input.values_mut() {
                let InputRecord::Tensor(numbers) = value else { continue };
                let fits = |count: &Option<i64>| *count == i64::try_from(numbers.len()).ok();
                if let Some((field, _)) = self.pushed.iter().find(|(_, count)| fits(count)) {
                    *value = InputRecord::Output { vertex, field: (*field).into() };
                }
            }
            all.push(fed);
        }
        all
    }
}

/// How many elements a tensor has: `None` if that is unknown, or too many, and of an index.
fn elements(shape: &Shape) -> Option<i64> {
    shape.dims()?.iter().try_fold(1_i64, |product, dim| {
        product.checked_mul(size(dim)?).filter(|product| *product <= LARGEST)
    })
}

fn fits(shape: &Shape) -> bool {
    let elements = |dims: &[Dim]| {
        dims.iter().try_fold(1_i64, |product, dim| {
            product.checked_mul(size(dim).unwrap_or(1)).filter(|product| *product <= LARGEST)
        })
    };
    shape.dims().is_none_or(|dims| elements(dims).is_some())
}

/// The size of a dimension; `None` if it has an unknown, or overflows.
fn size(dim: &Dim) -> Option<i64> {
    dim.terms().iter().try_fold(dim.constant_part(), |sum, (symbol, coefficient)| match symbol {
        Symbol::Name(_) => sum.checked_add(coefficient.checked_mul(SIZE)?),
        Symbol::Unknown(_) => None,
    })
}
