//! Whether the comparison sees what is wrong.

use super::oracle::Errors;
use super::*;

/// What an eager run of one vertex computes, and what is said of a compiled one that was changed, if
/// anything.
fn compared(change: impl Fn(&mut Found<'_>)) -> Option<String> {
    let [states, outputs] = [vec![vec![3e-5, -2e-5]], vec![vec![1e-5, 2e-5, -3e-5]]];
    let exact = |fields: &[Vec<f64>]| fields.iter().map(|field| vec![0.0; field.len()]).collect();
    let eager = EagerRun {
        states: vec![states.clone()],
        outputs: vec![outputs.clone()],
        losses: vec![4e-5],
        errors: Errors {
            states: vec![exact(&states)],
            outputs: vec![exact(&outputs)],
            losses: vec![0.0],
        },
        derivative: Rounded::default(),
        followed: Vec::new(),
        compared: Vec::new(),
    };
    let mut found = Found { function: "f", states, outputs, loss: 4e-5 };
    change(&mut found);
    match found.compare(0, &eager, Tolerance::new::<f32>(None)) {
        Ok(()) => None,
        Err(Failure::Differs { what, vertex: 0, .. }) => Some(what),
        Err(failure) => panic!("{failure:?}"),
    }
}

#[test]
fn small_numbers_that_are_wrong_are_seen() {
    assert_eq!(compared(|_| ()), None);
    // Less than the tolerance, but a tenth of what is there.
    let said = compared(|found| found.states[0][0] *= 1.1);
    assert_eq!(said.as_deref(), Some("element 0 of state field 0 (`f`)"));
    let said = compared(|found| found.outputs[0][2] *= 1.1);
    assert_eq!(said.as_deref(), Some("element 2 of output field 0 (`f`)"));
    let said = compared(|found| found.loss *= 1.1);
    assert_eq!(said.as_deref(), Some("the loss (`f`)"));
}

#[test]
fn results_that_are_missing_are_seen() {
    let said = compared(|found| found.states.clear());
    assert_eq!(said.as_deref(), Some("the number of state fields (`f`)"));
    let said = compared(|found| found.outputs.clear());
    assert_eq!(said.as_deref(), Some("the number of output fields (`f`)"));
    let said = compared(|found| found.states[0].truncate(1));
    assert_eq!(said.as_deref(), Some("the length of state field 0 (`f`)"));
}
