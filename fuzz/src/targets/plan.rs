use std::collections::BTreeMap;

use edb::graph::{InputRecord, VertexRecord};
use edb::model::Setup;
use edb::prelude::*;
use edb::testing::TestBuilder;
use edb_ir::dim::Symbol;
use edb_ir::{Builder, Dim, FieldType, Plan, PortDecl, Program, Shape};

use super::bounded;

/// The size of every named dimension.
const SIZE: i64 = 3;
/// No model is made with a tensor of more elements: whether it fits into memory is another
/// question.
const LARGEST: i64 = 1 << 16;

/// A plan that can be decoded is encoded to the same plan again. The verifier refuses it, or a
/// model of it runs forward and backward.
pub fn plan(data: &[u8]) {
    let Ok(plan) = bounded(data.len(), || Plan::decode(data)) else { return };
    let bytes = plan.encode();
    let again = Plan::decode(&bytes).expect("what was written can be read");
    assert_eq!(again.encode(), bytes, "a plan does not survive being written");
    // Building a model verifies as well. Here it decides what to run: a verified plan must not
    // panic.
    if plan.verify().is_ok() {
        run(plan);
    }
}

/// Runs the plan's function over two vertices whose children are leaves of zeros. `None` where no
/// model can be made of the plan, or the graph does not fit that model.
fn run(plan: Plan) -> Option<()> {
    let program = plan.program.clone();
    let fields = program.states.iter().chain(&program.input).flat_map(|port| &port.fields);
    let mut shapes = (program.values.iter().map(|value| &value.shape))
        .chain(program.params.iter().map(|param| &param.shape))
        .chain(fields.filter_map(|field| field.shape()));
    if !shapes.all(fits) {
        return None;
    }
    let mut builder = ModelBuilder::new();
    let setup =
        || program.dims.iter().fold(Setup::new(), |setup, name| setup.dim(name, SIZE as usize));
    for (number, state) in program.states.iter().enumerate() {
        builder.add_program(leaf(&program, number, state)?, edb_compiler::compile, setup());
    }
    builder.add_plan(plan, setup().named("own"));
    let model: Model = builder.build(1).ok()?;
    let graph = model.graph_from_records(&vertices(&program, &model)?).ok()?;
    let batch = model.minibatch([&graph]).ok()?;
    let mut engine = Engine::new();
    engine.infer(&model, &batch).ok()?.loss().ok()?;
    engine.forward(&model, &batch, 1).ok()?.backward().ok().map(drop)
}

/// A function without children that scatters zeros. `None` where a shape contains unknowns, which
/// have a meaning only within the plan's own program.
fn leaf(program: &Program, number: usize, state: &PortDecl) -> Option<Program> {
    let mut b = Builder::new(&format!("leaf {number}"), program.dims.clone());
    let port = b.state(&state.name);
    let mut fields = Vec::new();
    for field in &state.fields {
        let shape = field.shape()?;
        if shape.is_index() {
            fields.push((field.name.as_str(), b.given(0)));
            continue;
        }
        let named = |dim: &Dim| dim.terms().iter().all(|(of, _)| matches!(of, Symbol::Name(_)));
        if !shape.dims()?.iter().all(named) {
            return None;
        }
        let value = match shape.dims()? {
            [] => b.constant(0.0),
            [length] => b.zeros(length.clone()),
            [_, _] => {
                let zero = b.constant(0.0);
                b.expand(zero, shape.clone())
            }
            _ => return None,
        };
        fields.push((field.name.as_str(), value));
    }
    b.scatter(port, &fields).ok()?;
    b.finish().ok()
}

/// Records of a leaf for each state, and of two vertices of the function itself.
fn vertices(program: &Program, model: &Model) -> Option<Vec<VertexRecord>> {
    let leaf =
        |number: usize| VertexRecord { function: format!("leaf {number}"), ..Default::default() };
    let mut records: Vec<VertexRecord> = (0..program.states.len()).map(leaf).collect();
    let places = program.slots.iter().map(|slot| Some(usize::from(slot.state)));
    let rest = program.rest.into_iter().flat_map(|state| [Some(usize::from(state)); 2]);
    let mut input = BTreeMap::new();
    for name in model.input_fields("own")? {
        let field = program.input.as_ref()?.fields.iter().find(|field| field.name == name)?;
        let value = match &field.holds {
            FieldType::Value(shape) if shape.is_index() => InputRecord::Index(0),
            FieldType::Indices => InputRecord::Indices(vec![0, 0]),
            FieldType::Value(shape) => {
                let count = shape.dims()?.iter().try_fold(1_i64, |product, dim| {
                    product.checked_mul(size(dim)?).filter(|product| *product <= LARGEST)
                })?;
                InputRecord::Tensor(vec![0.5; usize::try_from(count).ok()?])
            }
        };
        input.insert(name, value);
    }
    let own =
        VertexRecord { function: "own".into(), children: places.chain(rest).collect(), input };
    let absent = |(slot, child): (usize, &Option<usize>)| match program.slots.get(slot) {
        Some(slot) if slot.optional => None,
        _ => *child,
    };
    let children = own.children.iter().enumerate().map(absent).collect();
    records.extend([VertexRecord { children, ..own.clone() }, own]);
    Some(records)
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
