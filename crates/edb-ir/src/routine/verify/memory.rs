//! Checks what a record's memory may be, and in which phases it may be read and written.
//!
//! Within a phase, blocks of rows run on several threads in any order. So whatever an instruction
//! reads of other rows must have been written in an earlier phase, or in an earlier batch of the
//! schedule.

use crate::program::{Domain, FieldDecl, Leaf, Op, Program, Slot, Transition};
use crate::shapes::Shape;
use crate::verify::is_bound;

use super::super::{Home, Instruction, Phase, ProductKind, Record, Routine, Span};

/// Checks a record by itself.
pub(super) fn record(program: &Program, record: &Record) -> Result<(), String> {
    if record.pieces.is_empty() {
        return Err("it has no pieces".into());
    }
    if record.is_index() && (record.pieces.len() > 1 || record.domain == Domain::Step) {
        return Err("an index is not alone in it, or is of the step".into());
    }
    if !record.pieces.iter().all(|piece| is_bound(program, piece)) {
        return Err("a piece mentions a dimension that does not exist".into());
    }
    for (mode, home) in [("training", record.training), ("inference", record.inference)] {
        let exists = match home {
            Home::Parameter(param) => usize::from(param) < program.params.len(),
            Home::State(field) => usize::from(field) < program.scatter.len(),
            Home::Child(slot, field) => program.slot_state(slot).is_some_and(|state| {
                usize::from(field) < program.states[usize::from(state)].fields.len()
            }),
            // A leaf of the program says that the input has this field, and that it is an index.
            Home::Pulled(field) => program.iter().any(|(_, value)| {
                value.op == Op::Leaf(Leaf::Pull(field)) && value.shape.is_index()
            }),
            Home::Step | Home::Rows | Home::Scratch(_) | Home::Nowhere => true,
        };
        let domain = record.domain;
        let lives = match home {
            Home::Parameter(_) | Home::Step => domain == Domain::Step,
            Home::State(_) | Home::Child(Slot::Fixed(_), _) | Home::Pulled(_) => {
                domain == Domain::Vertex
            }
            Home::Child(Slot::Rest, _) => domain == Domain::Edge,
            // These phases do not run in blocks of rows.
            Home::Scratch(Phase::Prepare | Phase::Accumulate) => false,
            Home::Rows | Home::Scratch(_) => domain != Domain::Step,
            Home::Nowhere => true,
        };
        // Indices have memory of their own, in which nothing is scratch. Whoever reads one relies on
        // how many there are of it.
        let holds = |shape: Option<&Shape>| {
            shape.is_some_and(|shape| match shape.is_index() {
                true => record.pieces.first() == Some(shape),
                false => !record.is_index(),
            })
        };
        let is_kind = match home {
            Home::Parameter(_) | Home::Scratch(_) => !record.is_index(),
            Home::Pulled(field) => {
                let input = program.input.as_ref().map_or(&[][..], |input| &input.fields);
                record.is_index() && holds(input.get(usize::from(field)).and_then(FieldDecl::shape))
            }
            Home::State(field) => {
                let shown = program.scatter.get(usize::from(field)).map(|id| program.value(*id));
                holds(shown.map(|shown| &shown.shape))
            }
            Home::Child(slot, field) => {
                let state =
                    program.slot_state(slot).map(|state| &program.states[usize::from(state)]);
                let field = state.and_then(|state| state.fields.get(usize::from(field)));
                holds(field.and_then(FieldDecl::shape))
            }
            Home::Step | Home::Rows | Home::Nowhere => true,
        };
        if !exists || !lives || !is_kind {
            return Err(format!("in {mode}, {home:?} is no place for what is of {domain:?}"));
        }
    }
    let shared = |home| {
        matches!(home, Home::Parameter(_) | Home::State(_) | Home::Child(..) | Home::Pulled(_))
    };
    let [training, inference] = [record.training, record.inference];
    if training != inference
        && ((shared(training) && inference != Home::Nowhere) || shared(inference))
    {
        return Err(format!("it is {training:?} in training and {inference:?} in inference"));
    }
    Ok(())
}

/// Checks that no two records are the rows of one field.
pub(super) fn states_apart(routine: &Routine) -> Result<(), String> {
    let mut fields: Vec<u16> = Vec::new();
    for record in &routine.records {
        if let Home::State(field) = record.training {
            if fields.contains(&field) {
                return Err(format!("two are the rows of field {field} of the state"));
            }
            fields.push(field);
        }
    }
    Ok(())
}

/// Checks the memory accesses of an instruction whose operands fit.
pub(super) fn instruction(
    program: &Program,
    routine: &Routine,
    phase: Phase,
    instruction: &Instruction,
) -> Result<(), String> {
    let (reads, writes) = (routine.reads(instruction), routine.writes(instruction));
    let forward = phase <= Phase::Lazy;
    for span in &writes {
        write(routine, phase, *span)?;
        if forward && reads.contains(span) {
            return Err(format!("{span} is overwritten in {phase:?}"));
        }
    }
    for mode in if forward { &[Mode::Training, Mode::Inference][..] } else { &[Mode::Training] } {
        let home = |span: &Span| mode.home(routine.record(*span));
        // An instruction whose results have no memory does not run; a kernel always runs.
        let runs = matches!(instruction, Instruction::Kernel(_))
            || writes.is_empty()
            || writes.iter().any(|span| home(span) != Home::Nowhere);
        for span in reads.iter().filter(|_| runs) {
            read(routine, phase, instruction, *span, home(span))?;
        }
        writes.iter().try_for_each(|span| in_scratch(phase, *span, home(span)))?;
    }
    match instruction {
        Instruction::Op { value, out, .. } => op(phase, &program.value(*value).op, *out)?,
        Instruction::Product(stack) => {
            let stack = &routine.stacks[*stack];
            if stack.kind == ProductKind::OuterSum && phase != Phase::Accumulate {
                return Err(format!("a sum over all rows runs in {phase:?}"));
            }
        }
        Instruction::Kernel(_) | Instruction::Copy { .. } => {}
    }
    in_time(program, routine, phase, &writes)
}

/// The mode of a run, on which a record's memory depends.
enum Mode {
    Training,
    Inference,
}

impl Mode {
    fn home(&self, record: &Record) -> Home {
        match self {
            Mode::Training => record.training,
            Mode::Inference => record.inference,
        }
    }
}

/// Checks a write. Only phases that run once may write the step domain, since otherwise every block
/// of rows would; states are written before other vertices read them; parameters and children's
/// states are never written.
fn write(routine: &Routine, phase: Phase, span: Span) -> Result<(), String> {
    let record = routine.record(span);
    let once = matches!(phase, Phase::Prepare | Phase::Accumulate);
    if record.domain == Domain::Step && !once {
        return Err(format!("{span} exists once a step and is written in {phase:?}"));
    }
    if record.domain != Domain::Step && phase == Phase::Prepare {
        return Err(format!("{span} is of {:?} and written in {phase:?}", record.domain));
    }
    match record.training {
        Home::Parameter(_) | Home::Child(..) | Home::Pulled(_) => {
            Err(format!("{span} is not this function's to write"))
        }
        Home::State(_) if !matches!(phase, Phase::Eager | Phase::Recurrent) => {
            Err(format!("{span} is a state and written in {phase:?}"))
        }
        _ => Ok(()),
    }
}

fn read(
    routine: &Routine,
    phase: Phase,
    instruction: &Instruction,
    span: Span,
    home: Home,
) -> Result<(), String> {
    match home {
        Home::Nowhere => return Err(format!("{span} is read and has no memory")),
        // The rows of children may lie anywhere: only kernels read them in place, one for each of
        // their rows.
        Home::Child(..) => {
            let record = routine.record(span);
            let too_early = phase < Phase::Recurrent;
            if record.is_index() && !too_early {
                return Ok(());
            }
            let whole = usize::from(span.end - span.start) == record.pieces.len();
            let kernel = match instruction {
                Instruction::Kernel(kernel) => routine.kernels[*kernel].domain == record.domain,
                _ => false,
            };
            if !kernel || !whole {
                return Err(format!("{span} is a child's and not read by a kernel of its rows"));
            }
            if too_early {
                return Err(format!("{span} is a child's and read in {phase:?}"));
            }
        }
        _ => {}
    }
    in_scratch(phase, span, home)
}

fn in_scratch(phase: Phase, span: Span, home: Home) -> Result<(), String> {
    match home {
        Home::Scratch(of) if of != phase => Err(format!("{span} is scratch of {of:?}")),
        _ => Ok(()),
    }
}

/// Checks that ops that read results of other vertices run once these are complete.
fn op(phase: Phase, op: &Op, out: Option<Span>) -> Result<(), String> {
    let right = match op {
        Op::Leaf(Leaf::Child { .. }) => phase >= Phase::Recurrent,
        // A vertex that another one feeds runs in a later batch, and its input is kept until then.
        Op::Leaf(Leaf::Pull(_)) => (Phase::Eager..=Phase::BackwardLazy).contains(&phase),
        Op::Leaf(Leaf::StateGradient(_)) => {
            matches!(phase, Phase::BackwardRecurrent | Phase::BackwardLazy)
        }
        Op::Leaf(Leaf::OutputGradient(_)) => {
            (Phase::BackwardEager..=Phase::BackwardLazy).contains(&phase)
        }
        Op::Transition(Transition::Reduce(Domain::Step)) => phase == Phase::Accumulate,
        Op::Transition(
            Transition::RowSum | Transition::BagRowSum(_) | Transition::WeightedSum(..),
        ) => phase == Phase::Accumulate,
        _ => true,
    };
    if !right {
        return Err(format!("`{}` runs in {phase:?}", op.row().name));
    }
    let sparse = matches!(op, Op::Transition(Transition::RowSum | Transition::BagRowSum(_)));
    if out.is_none() && !sparse {
        return Err(format!("the result of `{}` has no place", op.row().name));
    }
    Ok(())
}

/// Checks that what others read is complete when they do: a child its gradients, a caller what comes
/// out forward, and the engine what comes next.
fn in_time(
    program: &Program,
    routine: &Routine,
    phase: Phase,
    writes: &[Span],
) -> Result<(), String> {
    let gradients = program.gradients.children.iter().map(|(_, _, id)| *id);
    let to_children = [Phase::BackwardEager, Phase::BackwardRecurrent];
    let forward = [Phase::Eager, Phase::Recurrent, Phase::Lazy];
    let results = (gradients.map(|id| (id, "a child's gradient", &to_children[..])))
        .chain(program.next.map(|id| (id, "what comes next", &forward[..2])))
        .chain(program.forward_results().map(|id| (id, "a forward result", &forward[..])));
    for (id, what, phases) in results {
        let Some(shown) = routine.shown(id) else { continue };
        let own = writes.iter().any(|span| span.overlaps(shown));
        if own && !phases.contains(&phase) {
            return Err(format!("{shown} is {what} and written in {phase:?}"));
        }
    }
    Ok(())
}
