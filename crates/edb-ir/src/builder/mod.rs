//! Building a forward program value by value, its shapes inferred along the way.
//!
//! What comes in are calls: the ops and [forms](form) that a vertex function writes, its ports, and
//! where branches and loops begin and end. What goes out is a [`Program`] or a
//! [`Flow`](crate::Flow) whose shapes are known as far as the function determines them, or a
//! [`ShapeError`] at the call that does not fit. Shapes follow from the `rules/`;
//! `infer.rs` decides what becomes clear only later.
//!
//! The macro calls it for each function, the compiler where it rewrites one, and tests.

mod arm;
mod blocks;
mod branch;
mod choice;
pub mod form;
mod infer;
mod row_form;
mod shapes;
pub mod source;

use crate::program::{
    Arity, Block, Domain, FieldDecl, FieldType, Indexing, Leaf, MOST_VALUES, Merge, Movement, Op,
    ParamDecl, Pointwise, PortDecl, Program, Reduction, RowReduction, Slot, SlotDecl, Step, Value,
    ValueId,
};
use crate::rules::ShapeError;
use crate::shapes::{Clash, Dim, Shape, Solver};

use arm::Arm;

pub use form::{Argument, Call, Form};

/// Builds a [`Program`]. The macro front end and tests lower into it.
///
/// The shapes of port fields are inferred from how the function uses them; all children and the
/// scattered state of one type share their fields' shapes.
#[derive(Debug)]
pub struct Builder {
    program: Program,
    solver: Solver,
    /// Pointwise values with an operand of unknown shape: a scalar, or of the other operand's
    /// shape.
    undecided: Vec<ValueId>,
    /// Pairs of values of which one is a scalar if the other is, unless it is known to be something else.
    alike: Vec<[ValueId; 2]>,
    /// The arms of branches around what is being built, outermost first.
    pub(crate) arms: Vec<Arm>,
    /// The blocks around what is being built, outermost first.
    blocks: Vec<Block>,
    /// The variables behind the branch that is added next.
    merges: Vec<Merge>,
    /// Whether the output is an item of a list.
    lists: bool,
}

/// A value whose shapes do not fit, found when the whole function was known.
#[derive(Debug)]
pub struct LateError {
    /// The value.
    pub value: ValueId,
    /// What is wrong with it.
    pub error: ShapeError,
}

impl Builder {
    /// An empty program named `name` over these dimension names.
    pub fn new(name: &str, dims: Vec<String>) -> Self {
        let program = Program { name: name.into(), dims: dims.clone(), ..Program::default() };
        Self::of_program(program, Solver::new(dims))
    }

    fn of_program(program: Program, solver: Solver) -> Self {
        let blocks = vec![Block::default()];
        let (undecided, alike) = (Vec::new(), Vec::new());
        let (arms, merges) = (Vec::new(), Vec::new());
        Self { program, solver, undecided, alike, arms, blocks, merges, lists: false }
    }

    /// Begins another program with the ports of one, which values are [added to](Self::add) that
    /// have their shapes.
    pub fn like(program: &Program) -> Self {
        let solver = Solver::with_unknowns(program.dims.clone(), program.unknowns);
        let ports = Program {
            values: Vec::new(),
            losses: Vec::new(),
            scatter: Vec::new(),
            push: Vec::new(),
            ..program.clone()
        };
        Self::of_program(ports, solver)
    }

    /// Adds a value that has a shape.
    pub fn add(&mut self, op: Op, args: &[ValueId], shape: Shape) -> ValueId {
        self.push(op, args, shape)
    }

    /// The shape of a value, as far as it is known by now.
    pub fn shape(&self, id: ValueId) -> Shape {
        self.solver.shape(&self.program.value(id).shape)
    }

    /// A shape as it is written in source.
    pub fn show(&self, shape: &Shape) -> String {
        self.solver.show(shape)
    }

    /// The op of a value.
    pub fn op(&self, id: ValueId) -> &Op {
        &self.program.value(id).op
    }

    /// Of what a value is the norm, if it is one, or the norms of the rows; and the sum that goes with it.
    pub(crate) fn norm_of(&self, id: ValueId) -> Option<(ValueId, Op)> {
        let sum = match self.op(id) {
            Op::Reduction(Reduction::Norm) => Op::Reduction(Reduction::Sum),
            Op::RowReduction(RowReduction::Norm) => Op::RowReduction(RowReduction::Sum),
            _ => return None,
        };
        Some((self.program.value(id).args[0], sum))
    }

    /// The domain of a value.
    pub fn domain(&self, id: ValueId) -> Domain {
        self.program.value(id).domain
    }

    /// Declares a parameter.
    pub fn param(&mut self, name: &str, shape: Shape) -> ValueId {
        let op = Op::Leaf(Leaf::Param(self.program.params.len() as u16));
        self.program.params.push(ParamDecl { name: name.into(), shape: shape.clone() });
        self.push(op, &[], shape)
    }

    /// The number of the state type `name`, declared at its first mention.
    pub fn state(&mut self, name: &str) -> u16 {
        let states = &mut self.program.states;
        let state = states.iter().position(|state| state.name == name).unwrap_or_else(|| {
            states.push(PortDecl { name: name.into(), fields: Vec::new() });
            states.len() - 1
        });
        state as u16
    }

    /// Declares the next fixed child, of this state; returns its place.
    pub fn slot(&mut self, state: u16, optional: bool) -> u16 {
        self.program.slots.push(SlotDecl { state, optional });
        self.program.slots.len() as u16 - 1
    }

    /// Declares the state of the children after the fixed ones.
    pub fn rest(&mut self, state: u16) {
        self.program.rest = Some(state);
    }

    /// Field `name` of the state of the child in `slot`.
    ///
    /// # Panics
    /// When the slot has not been declared.
    pub fn child(&mut self, slot: Slot, name: &str) -> ValueId {
        let state = self.program.slot_state(slot).expect("the slot is declared before it is read");
        let (field, shape) = self.state_field(state, name);
        self.leaf(Op::Leaf(Leaf::Child { slot, field }), shape)
    }

    fn state_field(&mut self, state: u16, name: &str) -> (u16, Shape) {
        let fields = &mut self.program.states[usize::from(state)].fields;
        value_field(fields, &mut self.solver, name)
    }

    /// Declares the type that is pulled.
    pub fn input(&mut self, name: &str) {
        self.program.input = Some(PortDecl { name: name.into(), fields: Vec::new() });
    }

    /// Declares the type that is pulled, which a vertex may be without. Returns a condition: whether
    /// it is there. Its fields are read only where that holds.
    pub fn optional_input(&mut self, name: &str) -> ValueId {
        self.input(name);
        self.program.may_lack_input = true;
        self.leaf(Op::Leaf(Leaf::HasInput), Shape::scalar())
    }

    /// The pulled field `name`: a tensor, unless it is used as an index.
    ///
    /// # Panics
    /// When no input has been declared.
    pub fn pull(&mut self, name: &str) -> ValueId {
        let input = self.program.input.as_mut().expect("the input is declared before it is read");
        let (field, shape) = value_field(&mut input.fields, &mut self.solver, name);
        self.leaf(Op::Leaf(Leaf::Pull(field)), shape)
    }

    /// The pulled field `name`, an index.
    ///
    /// # Panics
    /// When no input has been declared, or the field has been used as a tensor.
    pub fn pull_index(&mut self, name: &str) -> ValueId {
        let pulled = self.pull(name);
        self.index(pulled).expect("the field is no tensor")
    }

    /// The number of the pulled field `name`, a bag of indices, for [`Movement::BagSum`] and
    /// similar ops.
    ///
    /// # Panics
    /// When no input has been declared.
    pub fn pull_indices(&mut self, name: &str) -> u16 {
        let input = self.program.input.as_mut().expect("the input is declared before it is read");
        let number =
            input.fields.iter().position(|field| field.name == name).unwrap_or_else(|| {
                let holds = FieldType::Indices;
                input.fields.push(FieldDecl { name: name.into(), holds });
                input.fields.len() - 1
            });
        number as u16
    }

    /// A value of which nothing is known yet, or an index, as an index.
    ///
    /// # Errors
    /// When it is a tensor.
    pub fn index(&mut self, id: ValueId) -> Result<ValueId, ShapeError> {
        let shape = self.program.value(id).shape.clone();
        let index = Shape::OneOf(self.solver.fresh_dim());
        match self.shape(id).is_index() || self.solver.unify(&shape, &index).is_ok() {
            true => Ok(id),
            false => {
                let text = format!("{{0}} must be an index; it is {}", self.show(&shape));
                Err(ShapeError::new(0, text))
            }
        }
    }

    /// An index that is known beforehand: one of as many as it is compared with, or used for.
    pub fn given(&mut self, index: u32) -> ValueId {
        let shape = Shape::OneOf(self.solver.fresh_dim());
        self.push(Op::Indexing(Indexing::Given(index)), &[], shape)
    }

    /// The first index of `count`.
    pub fn first_of(&mut self, count: Dim) -> ValueId {
        self.push(Op::Indexing(Indexing::Given(0)), &[], Shape::OneOf(count))
    }

    /// The number of indices in a pulled bag, as a scalar.
    pub fn bag_size(&mut self, bag: u16) -> ValueId {
        self.leaf(Op::Leaf(Leaf::BagSize(bag)), Shape::scalar())
    }

    /// A leaf, which is added only if there is no equal one yet.
    fn leaf(&mut self, op: Op, shape: Shape) -> ValueId {
        match self.program.values.iter().position(|value| value.op == op) {
            Some(leaf) => ValueId(leaf as u32),
            None => self.push(op, &[], shape),
        }
    }

    /// A number.
    pub fn constant(&mut self, number: f64) -> ValueId {
        self.push(Op::Leaf(Leaf::Constant(number)), &[], Shape::scalar())
    }

    /// `1 - x`: the complement of a mask.
    pub fn not(&mut self, mask: ValueId) -> ValueId {
        let (one, shape) = (self.constant(1.0), self.program.value(mask).shape.clone());
        self.push(Op::Pointwise(Pointwise::Sub), &[one, mask], shape)
    }

    /// The length of a dimension, as a number that is known when the model is made.
    pub fn length(&mut self, dim: Dim) -> ValueId {
        self.push(Op::Leaf(Leaf::Length(Shape::vector(dim))), &[], Shape::scalar())
    }

    /// The number of elements of a value.
    pub fn length_of(&mut self, id: ValueId) -> ValueId {
        let shape = self.program.value(id).shape.clone();
        self.push(Op::Leaf(Leaf::Length(shape)), &[], Shape::scalar())
    }

    /// A vector of zeros.
    pub fn zeros(&mut self, length: Dim) -> ValueId {
        self.push(Op::Leaf(Leaf::Zeros), &[], Shape::vector(length))
    }

    /// Applies an op whose shape follows from its arguments.
    ///
    /// # Errors
    /// When the arguments' shapes do not fit the op, or there are too few or too many of them.
    pub fn apply(&mut self, op: impl Into<Op>, args: &[ValueId]) -> Result<ValueId, ShapeError> {
        let op = op.into();
        let shapes: Vec<Shape> = args.iter().map(|arg| self.shape(*arg)).collect();
        let row = op.row();
        let fits = match row.arity {
            Arity::Exact(arity) => args.len() == arity,
            Arity::Some => !args.is_empty(),
        };
        if !fits {
            let text = format!("{} does not take {} arguments", row.name, args.len());
            return Err(ShapeError::new(None, text));
        }
        for (operand, arg) in args.iter().enumerate() {
            if op.reads_index(operand) {
                self.index(*arg).map_err(|error| error.shifted(operand))?;
            } else if shapes[operand].is_index() {
                let text = format!("{{{operand}}} is an index, not a tensor");
                return Err(ShapeError::new(operand, text));
            }
        }
        if matches!(op, Op::Movement(Movement::Row | Movement::BagSum(_)))
            && self.domain(args[0]) != Domain::Step
        {
            let text = "{0} must be a parameter: rows are looked up in a table".to_string();
            return Err(ShapeError::new(0, text));
        }
        let shape = (row.shape)(&mut self.solver, &shapes, None)?;
        let undecided = shapes.len() == 2
            && matches!(op, Op::Pointwise(_))
            && shapes.iter().any(|shape| shape.dims().is_none())
            && !shapes.iter().any(Shape::is_scalar);
        let id = self.push(op, args, shape);
        if undecided {
            self.undecided.push(id);
        }
        Ok(id)
    }

    /// Scatters a state: every field of it, in any order.
    ///
    /// # Errors
    /// When a field's shape is not the one that the function reads from children of that state;
    /// the operand of the error is the place in `fields`.
    pub fn scatter(&mut self, state: u16, fields: &[(&str, ValueId)]) -> Result<(), ShapeError> {
        let mut values = Vec::new();
        for (place, &(name, id)) in fields.iter().enumerate() {
            let (field, shape) = self.state_field(state, name);
            self.unify_port(place, name, &shape, id)?;
            values.push((field, id));
        }
        values.sort_unstable_by_key(|&(field, _)| field);
        self.program.scattered = Some(state);
        self.program.scatter = values.into_iter().map(|(_, id)| id).collect();
        Ok(())
    }

    fn unify_port(
        &mut self,
        place: usize,
        name: &str,
        shape: &Shape,
        id: ValueId,
    ) -> Result<(), ShapeError> {
        let found = self.program.value(id).shape.clone();
        self.solver.unify(shape, &found).map_err(|Clash| {
            let [wanted, found] = [self.solver.show(shape), self.solver.show(&found)];
            let text = format!("the children's `{name}` is {wanted}, but here it is {found}");
            ShapeError::new(place, text)
        })
    }

    /// Pushes an output: every field of it.
    pub fn push_output(&mut self, name: &str, fields: &[(&str, ValueId)]) {
        let shaped = |&(name, id): &(&str, ValueId)| FieldDecl {
            name: name.into(),
            holds: FieldType::Value(self.shape(id)),
        };
        let fields_decl = fields.iter().map(shaped).collect();
        self.program.output = Some(PortDecl { name: name.into(), fields: fields_decl });
        self.program.push = fields.iter().map(|&(_, id)| id).collect();
    }

    /// Pushes an item of a list: every field of it, in any order. All items of a function have the
    /// same fields.
    ///
    /// # Errors
    /// When it has other fields than earlier items, or one has another shape there; the operand of the
    /// error is the place of the field.
    pub fn push_item(&mut self, name: &str, fields: &[(&str, ValueId)]) -> Result<(), ShapeError> {
        if !std::mem::replace(&mut self.lists, true) {
            self.push_output(name, fields);
            let item = std::mem::take(&mut self.program.push);
            self.add_item(item);
            return Ok(());
        }
        let decl = self.program.output.clone().expect("an item was pushed before");
        let mut item = Vec::with_capacity(fields.len());
        for field in &decl.fields {
            let place = fields.iter().position(|(name, _)| *name == field.name);
            let place = place.ok_or_else(|| {
                let text = format!("it has no `{}`, which is pushed before", field.name);
                ShapeError::new(None, text)
            })?;
            let (_, id) = fields[place];
            let known = field.shape().expect("an output holds values").clone();
            let found = self.shape(id);
            self.solver.unify(&known, &found).map_err(|Clash| {
                let [known, found] = [self.solver.show(&known), self.solver.show(&found)];
                let name = &field.name;
                let text =
                    format!("`{name}` is {found} here, and {known} where it is pushed before");
                ShapeError::new(place, text)
            })?;
            item.push(id);
        }
        self.add_item(item);
        Ok(())
    }

    /// Pushes an item of a list, a value for each field.
    pub fn add_item(&mut self, item: Vec<ValueId>) {
        self.step(Step::Push(item));
    }

    /// Adds a scalar to the loss.
    ///
    /// # Errors
    /// When it is not a scalar.
    pub fn loss(&mut self, id: ValueId) -> Result<(), ShapeError> {
        let shape = self.shape(id);
        self.solver.with_rank(&shape, 0).map_err(|Clash| {
            let text = format!("{{0}} must be a scalar; it is {}", self.solver.show(&shape));
            ShapeError::new(0, text)
        })?;
        self.add_loss(id);
        Ok(())
    }

    /// Adds what is known to be a scalar to the loss.
    pub fn add_loss(&mut self, id: ValueId) {
        let id = self.loss_of_arm(id);
        self.step(Step::Loss(id));
        self.program.losses.push(id);
    }

    /// The number of values so far.
    pub fn len(&self) -> usize {
        self.program.values.len()
    }

    /// Whether there is no value yet.
    pub fn is_empty(&self) -> bool {
        self.program.values.is_empty()
    }

    /// A copy of a value in the edge domain: a term of a loop over children that does not depend on
    /// the child.
    pub fn for_each_edge(&mut self, id: ValueId) -> ValueId {
        let shape = self.program.value(id).shape.clone();
        self.push(Op::Movement(Movement::Copy(Domain::Edge)), &[id], shape)
    }

    fn push(&mut self, op: Op, args: &[ValueId], shape: Shape) -> ValueId {
        let args: Vec<ValueId> = args.iter().map(|arg| self.read_in_arm(*arg)).collect();
        self.push_as_read(op, &args, shape)
    }

    /// A new value, whose arguments are as the arm reads them.
    pub(crate) fn push_as_read(&mut self, op: Op, args: &[ValueId], shape: Shape) -> ValueId {
        let finest = args.iter().map(|arg| self.program.value(*arg).domain).max();
        let domain = op.domain(finest.unwrap_or(Domain::Step));
        self.program.values.push(Value { op, args: args.to_vec(), shape, domain });
        let id = ValueId(self.program.values.len() as u32 - 1);
        if !args.is_empty() {
            self.step(Step::Value(id));
        }
        id
    }

    fn step(&mut self, step: Step) {
        self.block().steps.push(step);
    }

    /// The innermost block.
    fn block(&mut self) -> &mut Block {
        self.blocks.last_mut().expect("the outermost block ends with the program")
    }

    /// The shape of a value as it was noted: it is known when the function is.
    pub(crate) fn shape_as_known(&self, id: ValueId) -> Shape {
        self.program.value(id).shape.clone()
    }

    /// The finished program, every shape as far as this function determines it.
    ///
    /// Pointwise operands of unknown shape are resolved now: one that has turned out to be a scalar
    /// is broadcast, any other has the shape of the other operand.
    ///
    /// # Errors
    /// Every pair of operands whose shapes do not fit, the first value beyond [`MOST_VALUES`], and
    /// the first value without elements.
    pub fn finish(mut self) -> Result<Program, Vec<LateError>> {
        let mut errors = Vec::new();
        // Pairs that are determined come first, round by round, since each may determine others.
        let mut open = std::mem::take(&mut self.undecided);
        for certain_only in [true, false] {
            loop {
                let before = open.len();
                open.retain(|&id| match self.decide(id, certain_only) {
                    Ok(decided) => !decided,
                    Err(error) => {
                        errors.push(LateError { value: id, error });
                        false
                    }
                });
                if open.len() == before || open.is_empty() {
                    break;
                }
            }
        }
        self.make_alike();
        if self.program.values.len() > MOST_VALUES {
            let message = format!("a function has at most {MOST_VALUES} ops: make several of it");
            let error = ShapeError::new(None, message);
            errors.push(LateError { value: ValueId(MOST_VALUES as u32), error });
        }
        errors.extend(self.kinds_that_differ());
        let shapes = self.program.values.iter().map(|value| self.solver.shape(&value.shape));
        if let Some((value, shape)) = shapes.enumerate().find(|(_, shape)| shape.is_empty()) {
            let message = format!("a value of shape {} has no elements", self.solver.show(&shape));
            let error = ShapeError::new(None, message);
            errors.push(LateError { value: ValueId(value as u32), error });
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let Self { mut program, solver, .. } = self;
        program.params.iter_mut().for_each(|param| param.shape = solver.shape(&param.shape));
        let ports = program.states.iter_mut().chain(&mut program.input).chain(&mut program.output);
        for field in ports.flat_map(|port| &mut port.fields) {
            if let FieldType::Value(shape) = &mut field.holds {
                *shape = solver.shape(shape);
            }
        }
        for value in &mut program.values {
            value.shape = solver.shape(&value.shape);
            match &mut value.op {
                Op::Movement(op) => {
                    op.start_mut().into_iter().for_each(|start| *start = solver.dim(start));
                }
                Op::Leaf(Leaf::Length(shape)) => *shape = solver.shape(shape),
                _ => {}
            }
        }
        program.unknowns = solver.unknowns();
        program.backward_start = program.values.len() as u32;
        Ok(program)
    }
}

/// Field `name`, declared with an unknown shape at its first mention.
fn value_field(fields: &mut Vec<FieldDecl>, solver: &mut Solver, name: &str) -> (u16, Shape) {
    let number = fields.iter().position(|field| field.name == name).unwrap_or_else(|| {
        let holds = FieldType::Value(solver.fresh_shape());
        fields.push(FieldDecl { name: name.into(), holds });
        fields.len() - 1
    });
    // A field that was used as a bag stays one; the program verifier reports it.
    let shape = fields[number].shape().cloned().unwrap_or_else(|| solver.fresh_shape());
    (number as u16, shape)
}
